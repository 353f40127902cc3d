/* Several processes on one machine. All would solve the working set by the same steps, side by side, each with its own
 * copy of the members in the caches and buses that they share. The first one does it for all, with the threads of
 * all. */
#include "active/state.h"
#include "core/cpus.h"
#include "core/team.h"

/* What the others hear of it, beside weights, scores and diagonals. */
typedef struct outcome {
    partan_status status;
    int stopped;
    int64_t least;
    uint64_t steps, values, computed;
    double objective, linear;
} outcome;

static int greater(int a, int b)
{
    return a > b ? a : b;
}

/* Where the processors are not there, or not for this process, more threads would only be in each other's way. */
static void hire(method *m)
{
    partan_context *context = m->context;
    int together = m->simplex->share->comm->threads, processors = greater(context->threads, pt_cpus());
    m->crew_size = pt_team_most(together < processors ? together : processors);
    m->crew = m->crew_size > context->threads ? pt_alloc(context, 1, pt_team_bytes(m->crew_size)) : NULL;
    if (!m->crew)
        return;
    pt_team_init(m->crew, m->crew_size);
    int own = context->threads;
    context->threads = m->crew_size;
    pt_tuning_init(&m->working.tuning, context);
    pt_tuning_init(&m->working.computing, context);
    context->threads = own;
}

void pt_active_set_dismiss(method *m)
{
    if (m->crew)
        pt_team_end(m->crew);
    pt_free(m->context, m->crew);
    m->crew = NULL;
    m->crew_size = 0;
}

/* By the crew, where there is one: the context's own threads sleep. */
static partan_status solve(method *m, double eps, uint64_t most)
{
    partan_context *context = m->context;
    pt_team *own = context->team;
    int threads = context->threads;
    if (m->crew) {
        context->team = m->crew;
        context->threads = m->crew_size;
    }
    m->simplex->share->relaying = true;
    partan_status status = pt_working_solve(&m->working, m->inner_gap, eps, most);
    m->simplex->share->relaying = false;
    context->team = own;
    context->threads = threads;
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
        if (m->crew_size == 0)
            hire(m);
        status = solve(m, eps, most);
    }
    return status < 0 ? status : hand_over(m, status);
}
