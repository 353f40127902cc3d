/* Opening, solving and closing the active-set solver. */
#include "active/solver.h"

#include <math.h>

#include "active/state.h"
#include "core/clock.h"

enum { LOWRANK_MEMBERS = 1024 }; /* from which on low-rank factors are looked for */

static partan_status method_init(method *m)
{
    size_t count = m->room = vertices(m);
    m->scores = pt_alloc_zero(m->context, count, sizeof *m->scores);
    m->scratch = pt_alloc_zero(m->context, count, sizeof *m->scratch);
    m->members.inside = pt_alloc_zero(m->context, count, 1);
    m->simplex->refined = pt_alloc_zero(m->context, count, sizeof *m->simplex->refined);
    if (!m->scores || !m->members.inside || !m->scratch || !m->simplex->refined)
        return pt_out_of_memory(m->context, "the scores");
    pt_active_set_agree_budget(m);
    pt_working_init(&m->working, m->simplex, m->budget / 2);
    pt_extrapolation_init(&m->extrapolation, m->simplex, m->scratch);
    return pt_simplex_keep_selves(m->simplex);
}

partan_status pt_active_set_open(pt_simplex *simplex, const partan_settings *settings, pt_start start,
                                 pt_active_set **set)
{
    partan_context *context = simplex->problem.context;
    method *m = pt_alloc_zero(context, 1, sizeof *m);
    *set = NULL;
    if (!m)
        return pt_out_of_memory(context, "the active set");
    *m = (method){.context = context,
                  .simplex = simplex,
                  .settings = settings,
                  .budget = pt_simplex_budget(settings->cache_bytes),
                  .certificate = {.objective = 1, .gap = 6},
                  .inner_gap = PT_INNER_MOST,
                  .error = 1,
                  .lowrank = {.members = LOWRANK_MEMBERS},
                  .cost = {.inverse = simplex->dual.inverse_cost, .may_continue = true},
                  .limits = {.opened = pt_clock()}};
    pt_active_set_started(m, m->limits.opened);
    partan_status status = method_init(m);
    pt_active_set_take_cost(m, start.inverse_cost);
    m->working.steps = (uint64_t)start.iteration;
    if (!status)
        status = pt_active_set_begin(m, start);
    if (status)
        pt_active_set_close(m);
    else
        *set = m;
    return status;
}

void pt_active_set_started(pt_active_set *m, double clock)
{
    m->limits.opened = clock;
    m->limits.deadline = m->settings->time_limit > 0 ? clock + m->settings->time_limit : 0;
}

void pt_active_set_close(pt_active_set *m)
{
    if (!m)
        return;
    m->simplex->lowrank = NULL;
    pt_free(m->context, m->simplex->refined);
    pt_free(m->context, m->simplex->selves);
    m->simplex->refined = NULL;
    m->simplex->selves = NULL;
    pt_lowrank_free(&m->lowrank.factors);
    pt_lowrank_free(&m->primal.pivots);
    pt_gradient_pivots_free(&m->gradients.pivots);
    pt_extrapolation_free(&m->extrapolation);
    pt_active_set_forget(m);
    pt_active_set_dismiss(m);
    pt_working_free(&m->working);
    pt_view_free(m->context, &m->outside.near);
    pt_view_free(m->context, &m->outside.far);
    pt_free(m->context, m->scores);
    pt_free(m->context, m->scratch);
    pt_free(m->context, m->members.inside);
    pt_free(m->context, m->members.list);
    pt_free(m->context, m->members.found);
    pt_free(m->context, m);
}

static void count(method *m, int64_t *iterations)
{
    pt_counters *counters = &m->simplex->counters;
    *iterations = (int64_t)pt_active_set_steps(m);
    counters->kernel_values += m->working.values;
    counters->kernel_columns += m->working.computed;
    m->working.values = m->working.computed = 0;
}

partan_status pt_active_set_solve(pt_active_set *m, double cost, pt_iterate *iterate, pt_solution *solution,
                                  int64_t *iterations)
{
    m->iterate = iterate;
    m->limits.first_step = m->solved ? m->working.steps : 0;
    m->limits.rounds = 0;
    m->phases = (pt_phases){0};
    m->limits.refined = 0;
    m->limits.refusals = pt_stall_begin();
    m->lowrank.refuted = false;
    m->newton.spent = 0;
    m->gradients.spent = 0;
    m->gradients.tries = 0;
    m->gradients.due = m->gradients.used;
    pt_active_set_coarsen(m);
    pt_active_set_forget(m);
    m->limits.stall = pt_stall_begin();
    pt_trace_begin(&m->trace, m->context, m->settings->trace_rows, m->solved ? pt_clock() : m->limits.opened);
    pt_iterate_init(iterate, m->context, false);
    partan_status status = PARTAN_OK;
    pt_active_set_ask_cost(m, 1 / cost);
    if (m->solved)
        status = pt_active_set_resume(m, m->cost.inverse);
    if (!status)
        status = pt_active_set_run(m, solution);
    pt_deadline_set(m->context, 0);
    if (!status && solution->status > 0)
        pt_interrupt_clear(m->context);
    m->solved = true;
    solution->certificate = m->certificate;
    solution->relative_gap = relative_gap(m);
    count(m, iterations);
    return status;
}
