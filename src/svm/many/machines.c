/* The machines of a training for more than two classes, one after the other or, where they are small, side by side. */
#include <math.h>
#include <string.h>

#include "core/agree.h"
#include "core/available.h"
#include "core/clock.h"
#include "core/team.h"
#include "svm/many/training.h"

enum { SMALL_ROWS = 1 << 14 }; /* of a machine, up to which they are trained side by side */

#define MACHINES_SHARE 0.1 /* of the free memory that machines without their support vectors may take */

#define HURRY 1e-3 /* seconds for a machine that another run has begun, when this one is to end */

/* Machines that need less leave the others more. */
double pt_many_time_for(const pt_many *m, size_t left, size_t at_once)
{
    if (atomic_load(&m->ending))
        return HURRY;
    double rounds = (double)((left + at_once - 1) / at_once);
    return m->deadline > 0 ? fmax((m->deadline - pt_clock()) / rounds, HURRY) : 0;
}

/* Why a machine is not trained, PARTAN_OK where it is. What an earlier run has found of it is not to be lost. */
static partan_status reason_to_leave(const pt_many *m, size_t i)
{
    bool begun = m->continues && m->from.machines[i].count > 0;
    if (begun || (m->checkpoint && m->checkpoint->machines[i].number > 0))
        return PARTAN_OK;
    if (atomic_load(&m->ending))
        return PARTAN_INTERRUPTED;
    bool late = m->comm ? m->late : m->deadline > 0 && pt_clock() >= m->deadline;
    return late ? PARTAN_TIME_LIMIT : PARTAN_OK;
}

partan_status pt_many_take_rows(const pt_many *m, const pt_part *part, const int64_t sides[2], partan_model *machine)
{
    for (size_t i = 0; i < machine->count && part->rows && !m->comm; i++)
        machine->origin[i] = part->rows[machine->origin[i]];
    memcpy(machine->sides, sides, sizeof machine->sides);
    pt_matrix_free(&machine->vectors);
    machine->vectors = (pt_matrix){0};
    return m->comm ? pt_many_take_numbers(m, part, machine->origin, machine->count) : PARTAN_OK;
}

partan_status pt_many_solve(const pt_many *m, size_t i, const pt_part *part, pt_training *t)
{
    const pt_point *from = i < m->from.count ? &m->from.machines[i] : NULL;
    if (!from || from->count == 0)
        return pt_checkpoint_solve(m->checkpoint, i, t, NULL);
    int64_t *ids = pt_alloc(t->context, from->count, sizeof *ids);
    if (!ids)
        return pt_out_of_memory(t->context, "the starting point");
    partan_status status = pt_many_place_start(m, from, part, ids);
    pt_start start = {.ids = ids, .weights = from->weights, .count = from->count};
    if (!status)
        status = pt_checkpoint_solve(m->checkpoint, i, t, &start);
    pt_free(t->context, ids);
    return status;
}

/* By this process alone. */
static partan_status train_part(const pt_many *m, partan_context *context, size_t i, const pt_part *part,
                                const partan_settings *settings, partan_model **machine)
{
    pt_training t;
    partan_status status = pt_training_open(&t, context, part->data, settings);
    if (!status)
        status = pt_many_solve(m, i, part, &t);
    pt_training_finish(&t);
    if (!status)
        status = pt_training_model(&t, machine);
    pt_training_close(&t);
    return status;
}

partan_status pt_many_train_rows(const pt_many *m, partan_context *context, const partan_data *data, size_t i,
                                 double time_limit, partan_model **machine)
{
    pt_part part;
    int64_t sides[2];
    partan_settings s = m->settings;
    s.time_limit = time_limit;
    s.scale = PARTAN_SCALE_NONE;
    pt_machine_sides(s.multiclass, m->labels.count, i, sides);
    partan_status status = pt_part_open(&part, data, m->comm, &m->labels, m->class_of, sides);
    if (!status)
        status =
            m->comm ? pt_many_train_shared(m, i, &part, &s, machine) : train_part(m, context, i, &part, &s, machine);
    if (!status)
        status = pt_many_take_rows(m, &part, sides, *machine);
    pt_part_close(&part);
    return status;
}

static partan_status train_machine(const pt_many *m, partan_context *context, const partan_data *data, size_t i,
                                   double time_limit, partan_model **machine)
{
    int64_t sides[2];
    pt_machine_sides(m->settings.multiclass, m->labels.count, i, sides);
    partan_status why = reason_to_leave(m, i),
                  status = why ? pt_many_untrained(m, context, sides, why, machine) : PARTAN_OK;
    return status || *machine ? status : pt_many_train_rows(m, context, data, i, time_limit, machine);
}

/* ---- One after the other ---- */

static partan_status train_next(pt_many *m, size_t i, size_t left)
{
    partan_model **machine = &m->model->machines[i];
    pt_progress_next_point(m->context);
    if (m->comm)
        pt_many_ask(m);
    partan_status status = train_machine(m, m->context, m->data, i, pt_many_time_for(m, left, 1), machine);
    if (!status && (*machine)->result.status == PARTAN_INTERRUPTED)
        atomic_store(&m->ending, true);
    return status;
}

static partan_status train_in_turn(pt_many *m, size_t count)
{
    m->model->machine_count = count; /* those that failed are NULL */
    partan_status status = m->comm ? pt_many_farm_out(m, count) : PARTAN_OK;
    for (size_t i = 0; i < count && !status; i++)
        if (!m->model->machines[i])
            status = train_next(m, i, count - i);
    return status;
}

/* ---- Side by side ---- */

/* A thread that trains machines, with a context and the data as it sees them. */
typedef struct worker {
    partan_context *context;
    partan_data data;
    partan_status status; /* of the first machine that failed, whose sentence its context has */
} worker;

typedef struct workshop {
    pt_many *m;
    worker *workers;
    size_t count;
    atomic_size_t done;
    size_t at; /* the machine that the caller was told of, from 1 */
} workshop;

/* By the caller's thread, which has a machine in hand now and then. */
static void tell(workshop *shop)
{
    partan_context *context = shop->m->context;
    size_t done = atomic_load(&shop->done), at = done < shop->count ? done + 1 : done;
    for (; shop->at < at; shop->at++)
        pt_progress_next_point(context);
    if (pt_progress_share(context, 0) == PARTAN_INTERRUPTED)
        atomic_store(&shop->m->ending, true);
}

static void train_one(void *user, size_t i, size_t thread)
{
    workshop *shop = user;
    worker *w = &shop->workers[thread];
    size_t left = shop->count - atomic_load(&shop->done), threads = (size_t)shop->m->context->threads;
    if (pt_interrupted(shop->m->context))
        atomic_store(&shop->m->ending, true);
    double time_limit = pt_many_time_for(shop->m, left, threads);
    if (!w->status)
        w->status = train_machine(shop->m, w->context, &w->data, i, time_limit, &shop->m->model->machines[i]);
    atomic_fetch_add(&shop->done, 1);
    if (thread == 0)
        tell(shop);
}

static partan_status open_workers(const pt_many *m, worker *workers)
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

static partan_status first_failure(const pt_many *m, const worker *workers)
{
    for (int i = 0; i < m->context->threads; i++)
        if (workers[i].status)
            return pt_fail(m->context, workers[i].status, "%s", partan_error(workers[i].context));
    return PARTAN_OK;
}

static partan_status run_workers(pt_many *m, worker *workers, size_t count)
{
    partan_status status = open_workers(m, workers);
    workshop shop = {.m = m, .workers = workers, .count = count};
    atomic_init(&shop.done, 0);
    if (status)
        return status;
    tell(&shop);
    pt_team_run(m->context, m->context->threads, count, train_one, &shop);
    for (size_t i = 0; i < count; i++)
        if (m->model->machines[i])
            m->model->machines[i]->context = m->context;
    m->model->machine_count = count; /* those that failed are NULL */
    if (pt_interrupted(m->context))
        pt_interrupt_clear(m->context);
    return first_failure(m, workers);
}

static partan_status train_side_by_side(pt_many *m, size_t count)
{
    worker *workers = pt_alloc_zero(m->context, (size_t)m->context->threads, sizeof *workers);
    if (!workers)
        return pt_out_of_memory(m->context, "the machines");
    partan_status status = run_workers(m, workers, count);
    for (int i = 0; i < m->context->threads; i++)
        pt_context_child_end(workers[i].context);
    pt_free(m->context, workers);
    return status;
}

/* Small machines do not use several threads well. A trace is told step by step, by the caller's thread. */
static bool are_side_by_side(const pt_many *m, size_t count)
{
    size_t rows = m->data->matrix.rows;
    size_t each = m->settings.multiclass == PARTAN_ONE_VS_REST ? rows : 2 * rows / m->labels.count;
    bool small = each <= SMALL_ROWS && count >= (size_t)m->context->threads;
    return small && m->context->threads > 1 && !m->context->options.trace && !m->comm;
}

/* What machines take in memory whatever their support vectors are must leave room for these. */
static partan_status check_memory(const pt_many *m, size_t count)
{
    double needed = (double)count * sizeof(partan_model), there = (double)pt_memory_available("");
    bool pairs = m->settings.multiclass == PARTAN_ONE_VS_ONE;
    if (needed <= MACHINES_SHARE * there)
        return PARTAN_OK;
    return pt_fail(m->context, PARTAN_ERROR_MEMORY,
                   "%s: found %zu classes, whose %zu machines need more than %.1f GB; %.1f GB are free%s",
                   m->data->name, m->labels.count, count, 1e-9 * needed, 1e-9 * there,
                   pairs ? ": one against the rest (multiclass ovr) needs a machine for each class only" : "");
}

partan_status pt_many_train_machines(pt_many *m)
{
    partan_model *model = m->model;
    size_t count = pt_machine_count(m->settings.multiclass, m->labels.count);
    partan_status status = pt_agree(m->context, m->comm, check_memory(m, count));
    if (status)
        return status;
    model->machines = pt_alloc_zero(m->context, count, sizeof *model->machines);
    if (!model->machines)
        return pt_out_of_memory(m->context, "the machines");
    pt_progress_points(m->context, count);
    return are_side_by_side(m, count) ? train_side_by_side(m, count) : train_in_turn(m, count);
}
