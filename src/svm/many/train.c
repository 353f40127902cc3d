/* Training for more than two classes: machine by machine, and their support vectors together. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/team.h"
#include "svm/many/many.h"
#include "svm/weights.h"

enum {
    SMALL_ROWS = 1 << 14, /* of a machine, up to which they are trained side by side, */
    BATCH = 8,            /* so many for each thread at a time */
};

#define HURRY 1e-3 /* seconds for each machine that is left when a run is to end: every one has to be there */

typedef struct many {
    partan_context *context;
    const partan_data *original;
    const partan_data *data; /* without rows of weight 0, and scaled */
    partan_data *weighty, *scaled;
    int64_t *rows; /* of these in the original; NULL: all, in order */
    partan_scaling *scaling;
    partan_settings settings; /* of each machine */
    pt_labels labels;
    int32_t *class_of;
    partan_model *model;
    double start, deadline; /* 0: none */
    bool ending;
} many;

/* ---- Before the machines ---- */

/* What is done once for all of them: rows of weight 0, scaling, gamma. */
static partan_status prepare_rows(many *m)
{
    partan_settings *s = &m->settings;
    partan_status status = PARTAN_OK;
    if (pt_has_weightless(m->data)) {
        status = pt_leave_weightless(m->data, &m->weighty, &m->rows);
        m->data = m->weighty ? m->weighty : m->data;
    }
    if (!status && s->scale != PARTAN_SCALE_NONE) {
        status = pt_scale_to_train(m->context, m->data, s->scale, &m->scaling, &m->scaled);
        m->data = m->scaled ? m->scaled : m->data;
    }
    pt_kernel kernel = {0};
    if (!status)
        status = pt_training_kernel(m->context, s, &m->data->matrix, &kernel);
    s->gamma_rule = PARTAN_GAMMA_VALUE;
    s->gamma = kernel.gamma;
    return status;
}

static partan_status prepare_classes(many *m)
{
    partan_status status = pt_data_labels(m->data, &m->labels, &m->class_of);
    if (!status)
        status = pt_label_weights(m->data, &m->settings, m->class_of, &m->labels);
    m->settings.class_weights = NULL;
    m->settings.class_weight_count = 0;
    m->settings.balanced = 0;
    return status;
}

/* ---- The machines ---- */

/* What is left of a time limit is shared out evenly; machines that need less leave the others more. */
static double time_for(const many *m, size_t left, size_t at_once)
{
    if (m->ending)
        return HURRY;
    double rounds = (double)((left + at_once - 1) / at_once);
    return m->deadline > 0 ? fmax((m->deadline - pt_clock()) / rounds, HURRY) : 0;
}

/* Support vectors are known by their rows in the whole, whose vectors they are. */
static void take_rows(const pt_part *part, const int64_t sides[2], partan_model *machine)
{
    for (size_t i = 0; i < machine->count; i++)
        machine->origin[i] = part->rows ? part->rows[machine->origin[i]] : machine->origin[i];
    memcpy(machine->sides, sides, sizeof machine->sides);
    pt_matrix_free(&machine->vectors);
    machine->vectors = (pt_matrix){0};
}

/* `data` is that of the context. */
static partan_status train_machine(const many *m, partan_context *context, const partan_data *data, size_t i,
                                   double time_limit, partan_model **machine)
{
    pt_part part;
    pt_training t;
    int64_t sides[2];
    partan_settings s = m->settings;
    s.time_limit = time_limit;
    s.scale = PARTAN_SCALE_NONE;
    pt_machine_sides(s.multiclass, m->labels.count, i, sides);
    partan_status status = pt_part_open(&part, data, &m->labels, m->class_of, sides);
    if (!status) {
        status = pt_training_open(&t, context, part.data, &s);
        if (!status)
            status = pt_training_solve(&t, NULL);
        pt_training_finish(&t);
        if (!status)
            status = pt_training_model(&t, machine);
        pt_training_close(&t);
    }
    if (!status)
        take_rows(&part, sides, *machine);
    pt_part_close(&part);
    return status;
}

/* ---- One after the other ---- */

static partan_status train_in_turn(many *m, size_t count)
{
    partan_model *model = m->model;
    partan_status status = PARTAN_OK;
    for (size_t i = 0; i < count && !status; i++) {
        pt_progress_next_point(m->context);
        status = train_machine(m, m->context, m->data, i, time_for(m, count - i, 1), &model->machines[i]);
        if (!status) {
            model->machine_count++;
            m->ending |= model->machines[i]->result.status == PARTAN_INTERRUPTED;
        }
    }
    return status;
}

/* ---- Side by side ---- */

/* A thread that trains machines, with a context and the data as it sees them. */
typedef struct worker {
    partan_context *context;
    partan_data data;
    partan_status status; /* of the first machine that failed, whose sentence its context has */
} worker;

typedef struct batch {
    many *m;
    worker *workers;
    size_t first, count;
} batch;

static void train_one(void *user, size_t chunk, size_t thread)
{
    const batch *b = user;
    worker *w = &b->workers[thread];
    size_t i = b->first + chunk;
    double time_limit = time_for(b->m, b->count - b->first, (size_t)b->m->context->threads);
    if (!w->status)
        w->status = train_machine(b->m, w->context, &w->data, i, time_limit, &b->m->model->machines[i]);
}

static partan_status open_workers(many *m, worker *workers)
{
    for (int i = 0; i < m->context->threads; i++) {
        worker *w = &workers[i];
        *w = (worker){.context = pt_context_child(m->context), .data = *m->data};
        if (!w->context)
            return pt_out_of_memory(m->context, "the machines");
        w->data.context = w->data.matrix.context = w->context;
    }
    return PARTAN_OK;
}

static partan_status first_failure(many *m, const worker *workers)
{
    for (int i = 0; i < m->context->threads; i++)
        if (workers[i].status)
            return pt_fail(m->context, workers[i].status, "%s", partan_error(workers[i].context));
    return PARTAN_OK;
}

/* A few machines for each thread at a time, so that progress is told now and then. */
static partan_status train_batches(many *m, worker *workers, size_t count)
{
    size_t most = BATCH * (size_t)m->context->threads;
    partan_status status = open_workers(m, workers);
    for (size_t first = 0; first < count && !status; first += most) {
        size_t some = count - first < most ? count - first : most;
        batch b = {m, workers, first, count};
        pt_team_run(m->context, m->context->threads, some, train_one, &b);
        status = first_failure(m, workers);
        for (size_t i = first; i < first + some; i++) {
            if (m->model->machines[i])
                m->model->machines[i]->context = m->context;
            if (!status)
                pt_progress_next_point(m->context);
        }
        if (!status && pt_progress_share(m->context, 0) == PARTAN_INTERRUPTED)
            m->ending = true;
    }
    m->model->machine_count = count; /* those that failed are NULL */
    if (m->ending)
        pt_interrupt_clear(m->context);
    return status;
}

static partan_status train_side_by_side(many *m, size_t count)
{
    worker *workers = pt_alloc_zero(m->context, (size_t)m->context->threads, sizeof *workers);
    if (!workers)
        return pt_out_of_memory(m->context, "the machines");
    partan_status status = train_batches(m, workers, count);
    for (int i = 0; i < m->context->threads; i++)
        pt_context_child_end(workers[i].context);
    pt_free(m->context, workers);
    return status;
}

/* Small machines do not use several threads well. A trace is told step by step, by the caller's thread. */
static bool are_side_by_side(const many *m, size_t count)
{
    size_t rows = m->data->matrix.rows;
    size_t each = m->settings.multiclass == PARTAN_ONE_VS_REST ? rows : 2 * rows / m->labels.count;
    bool small = each <= SMALL_ROWS && count >= (size_t)m->context->threads;
    return small && m->context->threads > 1 && !m->context->options.trace;
}

static partan_status train_machines(many *m)
{
    partan_model *model = m->model;
    size_t count = pt_machine_count(m->settings.multiclass, m->labels.count);
    model->machines = pt_alloc_zero(m->context, count, sizeof *model->machines);
    if (!model->machines)
        return pt_out_of_memory(m->context, "the machines");
    pt_progress_points(m->context, count);
    return are_side_by_side(m, count) ? train_side_by_side(m, count) : train_in_turn(m, count);
}

/* ---- The model ---- */

/* The rows that are support vectors of any machine, in the order of their classes; place[row] gets where. */
static size_t place_vectors(const many *m, size_t *place, int64_t *rows)
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

static partan_status take_vectors(many *m, const size_t *place, const int64_t *rows, size_t count)
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

static partan_status share_vectors(many *m)
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

static partan_status finish_model(many *m)
{
    partan_model *model = m->model;
    memcpy(model->version, PARTAN_VERSION, sizeof PARTAN_VERSION);
    model->settings = m->settings;
    model->fingerprint = partan_data_fingerprint(m->original);
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
        model->result.seconds = pt_clock() - m->start;
    }
    return status;
}

static partan_status run(many *m)
{
    partan_status status = partan_settings_check(m->context, &m->settings);
    if (!status)
        status = pt_model_create(m->context, &m->model);
    if (!status)
        status = prepare_rows(m);
    if (!status)
        status = prepare_classes(m);
    if (!status)
        status = train_machines(m);
    return status ? status : finish_model(m);
}

partan_status pt_train_many(partan_context *context, const partan_data *data, const partan_settings *settings,
                            partan_model **model)
{
    many m = {.context = context, .original = data, .data = data, .settings = *settings, .start = pt_clock()};
    m.deadline = settings->time_limit > 0 ? m.start + settings->time_limit : 0;
    pt_progress_whole_begin(context, "train");
    partan_status status = run(&m);
    pt_progress_whole_end(context);
    pt_labels_free(context, &m.labels);
    pt_free(context, m.class_of);
    pt_free(context, m.rows);
    partan_scaling_free(m.scaling);
    partan_data_free(m.scaled);
    partan_data_free(m.weighty);
    if (status)
        partan_model_free(m.model);
    else
        *model = m.model;
    return status;
}
