/* Training for more than two classes: what comes before the machines (machines.c), and the model that they make. */
#include <math.h>
#include <string.h>

#include "core/agree.h"
#include "core/clock.h"
#include "data/parts.h"
#include "svm/many/training.h"
#include "svm/together.h"
#include "svm/weights.h"

/* ---- Before the machines ---- */

/* Which of the rows are here. */
static void number_rows(pt_many *m)
{
    m->all = pt_count_all(m->comm, m->original->matrix.rows, &m->before);
    if (m->comm)
        m->fingerprint = pt_data_fingerprint_of_all(m->comm, m->original, m->before, m->all);
}

static partan_status find_kernel(pt_many *m)
{
    partan_status status =
        m->comm ? pt_many_open_share(m) : pt_training_kernel(m->context, &m->settings, &m->data->matrix, &m->kernel);
    if (!status)
        m->largest = pt_largest_value(m->context, &m->kernel, (pt_points){&m->data->matrix, m->data->serials});
    if (!status && m->comm)
        m->comm->greatest(m->comm, &m->largest, 1);
    return status;
}

/* What is done once for all of them: rows of weight 0, scaling, gamma. */
static partan_status prepare_rows(pt_many *m)
{
    partan_settings *s = &m->settings;
    partan_status status = PARTAN_OK;
    number_rows(m);
    if (pt_any_weightless(m->comm, m->data)) {
        status = pt_leave_weightless(m->comm, m->data, &m->weighty, &m->rows);
        m->data = m->weighty ? m->weighty : m->data;
    }
    if (!status && s->scale != PARTAN_SCALE_NONE) {
        status = pt_scale_to_train(m->context, m->comm, m->data, s->scale, &m->scaling, &m->scaled);
        m->data = m->scaled ? m->scaled : m->data;
    }
    if (!status) {
        m->hashed = *m->data;
        status = pt_matrix_hash_rows(&m->hashed.matrix);
        m->data = &m->hashed;
    }
    if (status == PARTAN_INTERRUPTED) /* who asks to stop is not kept waiting for them */
        status = PARTAN_OK;
    if (!status && !m->comm) /* now, not when time is up */
        m->fingerprint = pt_fingerprint_heeding(m->weighty || m->scaled ? m->original : m->data);
    if (!status)
        status = find_kernel(m);
    s->gamma_rule = PARTAN_GAMMA_VALUE;
    s->gamma = m->kernel.gamma;
    return status;
}

static partan_status find_first_rows(pt_many *m)
{
    m->first = pt_alloc(m->context, m->labels.count, sizeof *m->first);
    if (!m->first)
        return pt_out_of_memory(m->context, "the classes");
    if (m->comm)
        return pt_many_find_first_rows(m);
    m->firsts = (pt_points){&m->data->matrix, m->data->serials};
    for (size_t row = m->data->matrix.rows; row-- > 0;)
        m->first[m->class_of[row]] = (pt_first_row){(int64_t)row, row, pt_data_weight(m->data, row)};
    return PARTAN_OK;
}

static partan_status prepare_classes(pt_many *m)
{
    partan_status status = pt_labels_of_all(m->data, m->comm, &m->labels, &m->class_of);
    if (!status)
        status = find_first_rows(m);
    if (!status)
        status = pt_label_weights(m->data, m->comm, &m->settings, m->class_of, &m->labels);
    m->settings.class_weights = NULL;
    m->settings.class_weight_count = 0;
    m->settings.balanced = 0;
    return status;
}

/* ---- The model ---- */

static partan_status finish_model(pt_many *m)
{
    partan_model *model = m->model;
    memcpy(model->version, PARTAN_VERSION, sizeof PARTAN_VERSION);
    model->settings = m->settings;
    model->fingerprint = m->fingerprint;
    model->rows = m->all;
    model->features = m->data->matrix.features;
    model->storage = m->data->matrix.storage;
    partan_status status = pt_source_copy(m->context, &m->original->source, &model->source);
    if (!status && m->scaling)
        status = pt_scaling_copy(m->scaling, &model->scaling);
    if (!status)
        status = pt_many_share_vectors(m);
    if (!status) {
        model->labels = m->labels;
        m->labels = (pt_labels){0};
        pt_many_sum_up(model);
        if (atomic_load(&m->ending) && !model->result.converged) /* what was left had no time */
            model->result.status = PARTAN_INTERRUPTED;
        model->result.seconds = pt_clock() - m->start;
    }
    return status;
}

static partan_status train_machines(pt_many *m)
{
    const partan_train_options *options = m->options;
    pt_checkpoint checkpoint;
    if (!options || (!options->checkpoint && !options->resume))
        return pt_many_train_machines(m);
    partan_train_options own = pt_checkpoint_options(m->comm, options);
    pt_checkpoint_about about = pt_checkpoint_of(m->original, &m->settings, m->settings.gamma, m->data->matrix.features,
                                                 m->labels.weight, m->labels.count);
    about.machines = pt_machine_count(m->settings.multiclass, m->labels.count);
    about.fingerprint = m->comm ? m->fingerprint : about.fingerprint;
    about.rows = m->all;
    partan_status status = pt_agree(m->context, m->comm, pt_checkpoint_open(&checkpoint, m->context, &own, &about));
    m->checkpoint = &checkpoint;
    if (!status)
        status = pt_many_train_machines(m);
    m->start -= checkpoint.seconds;
    m->checkpoint = NULL;
    pt_checkpoint_close(&checkpoint);
    return status;
}

/* From the last solutions to those of this training. */
static partan_status train_from(pt_many *m)
{
    pt_points_of_machines *last = m->user;
    partan_status status = PARTAN_OK;
    if (last) {
        m->from = *last;
        *last = (pt_points_of_machines){0};
    }
    if (m->options && m->options->start)
        status = pt_many_start_from(m, m->options->start);
    if (!status)
        status = train_machines(m);
    return status || !last ? status : pt_many_keep_solutions(m, last);
}

static partan_status run(pt_many *m, partan_status (*machines)(pt_many *many))
{
    partan_status status = partan_settings_check(m->context, &m->settings);
    if (!status)
        status = pt_model_create(m->context, &m->model);
    if (!status)
        status = prepare_rows(m);
    if (!status)
        status = prepare_classes(m);
    if (!status)
        status = machines(m);
    return status ? status : finish_model(m);
}

partan_status pt_many_make(pt_many *m, partan_status (*machines)(pt_many *many), partan_model **model)
{
    partan_context *context = m->context;
    m->start = pt_clock();
    m->deadline = m->settings.time_limit > 0 ? m->start + m->settings.time_limit : 0;
    pt_progress_whole_begin(context, "train");
    if (m->comm) {
        pt_defer_begin(context); /* processes stop together (pt_many_ask), or none does */
        pt_defer_anew(context);
    }
    partan_status status = run(m, machines);
    if (m->comm)
        pt_defer_end(context);
    pt_progress_whole_end(context);
    pt_labels_free(context, &m->labels);
    pt_free(context, m->class_of);
    pt_free(context, m->first);
    pt_points_of_machines_free(context, &m->from);
    pt_free(context, m->rows);
    pt_matrix_free(&m->met);
    pt_share_free(&m->share);
    partan_scaling_free(m->scaling);
    if (m->hashed.context)
        pt_free(m->hashed.context, m->hashed.matrix.hashes);
    partan_data_free(m->scaled);
    partan_data_free(m->weighty);
    if (status)
        partan_model_free(m->model);
    else
        *model = m->model;
    return status;
}

partan_status pt_train_many(partan_context *context, pt_comm *comm, const partan_data *data,
                            const partan_settings *settings, const partan_train_options *options,
                            pt_points_of_machines *last, partan_model **model)
{
    pt_many m = {.context = context,
                 .comm = comm && comm->size > 1 ? comm : NULL,
                 .original = data,
                 .data = data,
                 .settings = *settings,
                 .options = options,
                 .user = last};
    return pt_many_make(&m, train_from, model);
}
