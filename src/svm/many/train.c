/* Training for more than two classes: what comes before the machines (machines.c), and their support vectors together.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "svm/many/training.h"
#include "svm/weights.h"

/* ---- Before the machines ---- */

/* What is done once for all of them: rows of weight 0, scaling, gamma. */
static partan_status prepare_rows(pt_many *m)
{
    partan_settings *s = &m->settings;
    partan_status status = PARTAN_OK;
    if (pt_has_weightless(m->data)) {
        status = pt_leave_weightless(NULL, m->data, &m->weighty, &m->rows);
        m->data = m->weighty ? m->weighty : m->data;
    }
    if (!status && s->scale != PARTAN_SCALE_NONE) {
        status = pt_scale_to_train(m->context, NULL, m->data, s->scale, &m->scaling, &m->scaled);
        m->data = m->scaled ? m->scaled : m->data;
    }
    if (!status) {
        m->hashed = *m->data;
        status = pt_matrix_hash_rows(&m->hashed.matrix);
        m->data = &m->hashed;
    }
    if (!status)
        status = pt_training_kernel(m->context, s, &m->data->matrix, &m->kernel);
    if (!status)
        m->largest = pt_largest_value(m->context, &m->kernel, (pt_points){&m->data->matrix, m->data->serials});
    s->gamma_rule = PARTAN_GAMMA_VALUE;
    s->gamma = m->kernel.gamma;
    return status;
}

static partan_status find_first_rows(pt_many *m)
{
    m->first = pt_alloc(m->context, m->labels.count, sizeof *m->first);
    if (!m->first)
        return pt_out_of_memory(m->context, "the classes");
    for (size_t row = m->data->matrix.rows; row-- > 0;)
        m->first[m->class_of[row]] = (int64_t)row;
    return PARTAN_OK;
}

static partan_status prepare_classes(pt_many *m)
{
    partan_status status = pt_data_labels(m->data, &m->labels, &m->class_of);
    if (!status)
        status = find_first_rows(m);
    if (!status)
        status = pt_label_weights(m->data, &m->settings, m->class_of, &m->labels);
    m->settings.class_weights = NULL;
    m->settings.class_weight_count = 0;
    m->settings.balanced = 0;
    return status;
}

/* ---- The model ---- */

/* The rows that are support vectors of any machine, in the order of their classes; place[row] gets where. */
static size_t place_vectors(const pt_many *m, size_t *place, int64_t *rows)
{
    size_t all = m->data->matrix.rows, count = 0;
    for (size_t row = 0; row < all; row++)
        place[row] = SIZE_MAX;
    for (size_t i = 0; i < m->model->machine_count; i++)
        for (size_t k = 0; k < m->model->machines[i]->count; k++)
            place[m->model->machines[i]->origin[k]] = 0;
    for (size_t class = 0; class < m->labels.count; class ++)
        for (size_t row = 0; row < all; row++)
            if (place[row] != SIZE_MAX && m->class_of[row] == (int32_t) class) {
                rows[count] = (int64_t)row;
                place[row] = count++;
            }
    return count;
}

/* A support vector of a machine, on its way into the order of all. */
typedef struct member {
    size_t place;
    double weight;
    float sign;
} member;

static int compare_places(const void *a, const void *b)
{
    size_t x = ((const member *)a)->place, y = ((const member *)b)->place;
    return (x > y) - (x < y);
}

/* In that order, in which they are in a file too, so that sums over them have the same bits. */
static partan_status name_members(partan_context *context, partan_model *machine, const size_t *place)
{
    size_t count = machine->count;
    member *sorted = pt_alloc(context, count, sizeof *sorted);
    machine->members = pt_alloc(context, count, sizeof *machine->members);
    if (!sorted || !machine->members) {
        pt_free(context, sorted);
        return pt_out_of_memory(context, "the machines");
    }
    for (size_t k = 0; k < count; k++)
        sorted[k] = (member){place[machine->origin[k]], machine->weights[k], machine->signs[k]};
    qsort(sorted, count, sizeof *sorted, compare_places);
    for (size_t k = 0; k < count; k++) {
        machine->members[k] = sorted[k].place;
        machine->weights[k] = sorted[k].weight;
        machine->signs[k] = sorted[k].sign;
    }
    pt_free(context, sorted);
    pt_free(context, machine->origin); /* the whole has it */
    machine->origin = NULL;
    return PARTAN_OK;
}

static partan_status take_vectors(pt_many *m, const size_t *place, const int64_t *rows, size_t count)
{
    partan_context *context = m->context;
    partan_model *model = m->model;
    bool precomputed = m->data->serials != NULL;
    model->count = count;
    model->origin = pt_alloc(context, count, sizeof *model->origin);
    model->class_of = pt_alloc(context, count, sizeof *model->class_of);
    model->serials = precomputed ? pt_alloc(context, count, sizeof *model->serials) : NULL;
    if (!model->origin || !model->class_of || (precomputed && !model->serials))
        return pt_out_of_memory(context, "the model");
    for (size_t i = 0; i < count; i++) {
        model->origin[i] = m->rows ? m->rows[rows[i]] : rows[i];
        model->class_of[i] = m->class_of[rows[i]];
        if (precomputed)
            model->serials[i] = m->data->serials[rows[i]];
    }
    partan_status status = PARTAN_OK;
    for (size_t i = 0; i < model->machine_count && !status; i++)
        status = name_members(context, model->machines[i], place);
    return status || precomputed ? status : pt_matrix_gather(&m->data->matrix, rows, count, &model->vectors);
}

static partan_status share_vectors(pt_many *m)
{
    size_t all = m->data->matrix.rows;
    size_t *place = pt_alloc(m->context, all, sizeof *place);
    int64_t *rows = pt_alloc(m->context, all, sizeof *rows);
    partan_status status = place && rows ? PARTAN_OK : pt_out_of_memory(m->context, "the model");
    if (!status)
        status = take_vectors(m, place, rows, place_vectors(m, place, rows));
    pt_free(m->context, place);
    pt_free(m->context, rows);
    return status;
}

static partan_status finish_model(pt_many *m)
{
    partan_model *model = m->model;
    memcpy(model->version, PARTAN_VERSION, sizeof PARTAN_VERSION);
    model->settings = m->settings;
    bool changed = m->weighty || m->scaled;
    model->fingerprint = partan_data_fingerprint(changed ? m->original : m->data);
    model->rows = m->original->matrix.rows;
    model->features = m->data->matrix.features;
    model->storage = m->data->matrix.storage;
    partan_status status = pt_source_copy(m->context, &m->original->source, &model->source);
    if (!status && m->scaling)
        status = pt_scaling_copy(m->scaling, &model->scaling);
    if (!status)
        status = share_vectors(m);
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
    pt_checkpoint_about about = pt_checkpoint_of(m->original, &m->settings, m->settings.gamma, m->data->matrix.features,
                                                 m->labels.weight, m->labels.count);
    about.machines = pt_machine_count(m->settings.multiclass, m->labels.count);
    partan_status status = pt_checkpoint_open(&checkpoint, m->context, options, &about);
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
    partan_status status = run(m, machines);
    pt_progress_whole_end(context);
    pt_labels_free(context, &m->labels);
    pt_free(context, m->class_of);
    pt_free(context, m->first);
    pt_points_of_machines_free(context, &m->from);
    pt_free(context, m->rows);
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

partan_status pt_train_many(partan_context *context, const partan_data *data, const partan_settings *settings,
                            const partan_train_options *options, pt_points_of_machines *last, partan_model **model)
{
    pt_many m = {
        .context = context, .original = data, .data = data, .settings = *settings, .options = options, .user = last};
    return pt_many_make(&m, train_from, model);
}
