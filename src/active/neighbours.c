/* Several processes on one machine. All would solve the working set by the same steps, side by side, each with its own
 * copy of the members in the caches and buses that they share. The first one does it for all, with the threads of
 * all. */
#include "active/state.h"

/* What the others hear of it, beside weights, scores and diagonals. */
typedef struct outcome {
    partan_status status;
    int stopped;
    int64_t least;
    uint64_t steps, values, computed;
    double objective, linear;
} outcome;

static void hire(method *m)
{
    partan_context *context = m->context;
    pt_crew_hire(&m->crew, context, m->simplex->share->comm->threads);
    if (!m->crew.team)
        return;
    pt_crew_begin(&m->crew, context);
    pt_tuning_init(&m->working.tuning, context);
    pt_tuning_init(&m->working.computing, context);
    pt_crew_end(&m->crew, context);
}

void pt_active_set_dismiss(method *m)
{
    pt_crew_dismiss(&m->crew, m->context);
}

static partan_status solve(method *m, double eps, uint64_t most)
{
    pt_crew_begin(&m->crew, m->context);
    m->simplex->share->relaying = true;
    partan_status status = pt_working_solve(&m->working, m->inner_gap, eps, most);
    m->simplex->share->relaying = false;
    pt_crew_end(&m->crew, m->context);
    return status;
}

static int ask(void *user)
{
    return pt_share_stop(user);
}

static partan_status hand_over(method *m, partan_status status)
{
    pt_working *w = &m->working;
    pt_share *share = m->simplex->share;
    pt_comm *comm = share->comm;
    outcome o = {.status = status,
                 .stopped = share->stopped,
                 .least = w->least,
                 .steps = w->steps,
                 .values = w->values,
                 .computed = w->computed,
                 .objective = w->objective,
                 .linear = w->linear};
    comm->relay(comm, &o, sizeof o, ask, share);
    comm->relay(comm, w->weights, w->count * sizeof *w->weights, ask, share);
    comm->relay(comm, w->scores, w->count * sizeof *w->scores, ask, share);
    comm->relay(comm, w->diagonals, w->count * sizeof *w->diagonals, ask, share);
    share->stopped = o.stopped;
    w->least = o.least;
    w->steps = o.steps;
    w->values = o.values;
    w->computed = o.computed;
    w->objective = o.objective;
    w->linear = o.linear;
    return o.status;
}

partan_status pt_active_set_solve_pairs(method *m, double eps, uint64_t most)
{
    pt_share *share = m->simplex->share;
    partan_status status = PARTAN_OK;
    if (!share || !share->comm->relays)
        return pt_working_solve(&m->working, m->inner_gap, eps, most);
    if (share->comm->neighbour == 0) {
        if (m->crew.size == 0)
            hire(m);
        status = solve(m, eps, most);
    }
    return status < 0 ? status : hand_over(m, status);
}
