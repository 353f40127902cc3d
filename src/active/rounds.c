/* The active-set method.
 *
 * The working set is solved by pair steps (working.c). The other rows are priced (pricing.c): first those that are
 * near, and when these show no violation any more, the far ones too. Violators join the working set; members that have
 * become useless leave it. Near are the rows whose scores the last full pricing found low; at the start all, or a
 * random sample of very many. Members' scores are kept by the steps, so that after near and far rows have been priced
 * every score is known, and the least one gives the gap. */
#include <math.h>

#include "active/state.h"
#include "core/clock.h"

enum {
    MOST_HALVINGS = 4,    /* of the gap to which the working set is solved, after refusals: see refine */
    MOST_REFUSALS = 12,   /* in a row that may bring no progress */
    MOST_UNIMPROVED = 16, /* full pricings in a row that may show no progress */
};

/* Chosen by measurement; see docs/notebook.md. */
#define INNER_SHARE  0.15 /* the working set is solved to this share of the last gap, at least to PT_INNER_MOST */
#define NEWTON_SHARE 0.03 /* the same where Newton's method solves a primal problem, which converges fast */
#define NEWTON_FLOOR 0.1  /* and leaves an error in the mean of the predictions that is worth another step */
#define INNER_FLOOR  0.95 /* and at most to this share of the target */
#define GAP_GAIN     0.9  /* a gap this much less is progress, where the objective's digits show none */
#define REFINED_GAIN 0.5  /* a refused gap this much less than those before is progress */

static void trace(method *m, bool final)
{
    partan_trace_row row = {.iteration = (int64_t)pt_active_set_steps(m),
                            .type = pt_active_set_steps(m) ? PARTAN_STEP_SWAP : PARTAN_STEP_START,
                            .objective = m->certificate.objective,
                            .gap = m->certificate.gap,
                            .relative_gap = relative_gap(m),
                            .active = m->support,
                            .kernel_columns = m->working.computed};
    pt_trace_row(&m->trace, &row, pt_clock(), final);
}

static void log_round(const method *m, uint64_t done, bool complete)
{
    pt_log(m->context, PARTAN_LOG_DEBUG,
           "%.3f s: %llu steps on %zu members, %zu of them with weight; %zu near rows priced%s %zu far ones; 2f %.6g, "
           "relative gap %.4g",
           pt_clock() - m->trace.start, (unsigned long long)done, m->working.count, m->support, m->outside.near.total,
           complete ? " and" : ", not", m->outside.far.total, unit(m), relative_gap(m));
    pt_log(m->context, PARTAN_LOG_DEBUG,
           "so far %.3f s and %.6g kernel values for members, %.3f s and %.6g for pricing in %llu rounds",
           m->phases.working, (double)m->working.values, m->phases.pricing, (double)m->simplex->counters.kernel_values,
           (unsigned long long)m->limits.rounds);
}

static partan_status solve_working_set(method *m)
{
    uint64_t most = UINT64_MAX;
    if (m->settings->max_iter > 0)
        most = (uint64_t)m->settings->max_iter - pt_active_set_steps(m);
    double eps = INNER_FLOOR * m->settings->eps;
    bool solved = false;
    if (!m->simplex->share && pt_interrupted(m->context))
        return PARTAN_INTERRUPTED;
    partan_status status = pt_active_set_solve_by_lowrank(m, eps, most, &solved);
    if (!status && !solved)
        status = pt_active_set_solve_primal(m, eps, most, &solved);
    if (!status && !solved)
        status = pt_active_set_solve_by_newton(m, eps, most, &solved);
    if (!status && !solved)
        status = pt_active_set_solve_by_gradients(m, most);
    if (status || solved)
        return status;
    uint64_t patience = pt_active_set_patience(m), newton = pt_active_set_newton_patience(m), before = m->working.steps;
    uint64_t gradients = pt_active_set_gradients_patience(m), least = patience < newton ? patience : newton;
    least = gradients < least ? gradients : least;
    m->lowrank.precise = m->primal.stalled = false;
    status = pt_active_set_solve_pairs(m, eps, least < most ? least : most);
    if (m->working.steps - before >= patience)
        pt_active_set_try_lowrank(m);
    if (m->working.steps - before >= newton)
        pt_active_set_try_newton(m);
    pt_active_set_spend(m, m->working.steps - before);
    pt_active_set_gradients_spend(m, m->working.steps - before);
    return status;
}

void pt_active_set_aim(method *m)
{
    int halvings = m->limits.refined > 1 ? m->limits.refined - 1 : 0;
    bool primal = m->simplex->dual.primal;
    double share = (primal ? NEWTON_SHARE : INNER_SHARE) * relative_gap(m),
           floor = (primal ? NEWTON_FLOOR : INNER_FLOOR) * target(m)
                   / (1 << (halvings < MOST_HALVINGS ? halvings : MOST_HALVINGS));
    m->inner_gap = share < PT_INNER_MOST ? share : PT_INNER_MOST;
    m->inner_gap = m->inner_gap > floor ? m->inner_gap : floor;
}

/* What the next round begins with, after a pricing that did not end the run. */
static partan_status next_round(method *m, bool complete, bool all)
{
    if (all) {
        pt_active_set_aim(m);
        return PARTAN_OK;
    }
    bool renew = m->outside.grown || (complete && (relative_gap(m) < 1 || m->outside.far.total > 0));
    bool changed;
    partan_status status = pt_active_set_regroup(m, complete, renew, &changed);
    if (!status && changed)
        status = (renew ? pt_active_set_renew : pt_active_set_shrink)(m);
    pt_active_set_aim(m);
    return status;
}

/* The end: the certificate, in double precision where it needs it, decides. */
static partan_status conclude(method *m, partan_status stop, bool complete, pt_solution *solution)
{
    bool met = false;
    pt_active_set_hurry_begin(m, stop);
    partan_status status = pt_active_set_publish(m, stop, complete, &met);
    pt_active_set_hurry_end(m, stop);
    if (!status)
        trace(m, true);
    solution->converged = met;
    solution->status = met ? PARTAN_OK : stop;
    return status;
}

/* After pricing all rows: true when rounds have not lowered objective or gap for long. */
static bool stalled(method *m)
{
    int idle = pt_stall_look(&m->limits.stall, m->certificate.objective, relative_gap(m), GAP_GAIN);
    return idle > MOST_UNIMPROVED;
}

/* What the loop knows of a round. */
typedef struct outcome {
    uint64_t steps;
    partan_status ended, stop; /* how the working set's solution ended, and what ends the run */
    bool idle;                 /* no step, no new member */
    bool finite;               /* the objective is */
    bool complete;             /* all rows are priced */
    bool all;                  /* or have become members */
} outcome;

/* The last pricing of a run that is stopped, for which there may not be the time. */
static partan_status price_last(method *m, partan_status stop, bool *complete)
{
    pt_active_set_end_continuation(m);
    pt_active_set_hurry_begin(m, stop);
    partan_status status = PARTAN_INTERRUPTED;
    if (pt_active_set_has_time(m, stop))
        status = pt_active_set_price(m, true, false, complete);
    pt_active_set_hurry_end(m, stop);
    *complete = status == PARTAN_OK;
    if (status == PARTAN_INTERRUPTED)
        pt_active_set_measure(m, false);
    return status == PARTAN_INTERRUPTED ? PARTAN_OK : status;
}

/* Whether pair steps on useless members have cost more than pricing all rows would, after which these may leave. */
static bool crowded(const method *m, uint64_t steps)
{
    const pt_working *w = &m->working;
    double pricing = (double)m->outside.far.total * (double)m->support * w->value_cost;
    return m->outside.share >= 1 && m->outside.far.total > 0 && !m->simplex->dual.primal && relative_gap(m) < 1
           && 2 * (double)steps * (double)pt_active_set_useless(m) * w->cost > pricing;
}

static partan_status run_round(method *m, outcome *r)
{
    uint64_t before = m->working.steps;
    double begin = pt_clock();
    m->limits.rounds++;
    pt_active_set_set_deadline(m);
    r->ended = solve_working_set(m);
    double solved = pt_clock();
    m->phases.working += solved - begin;
    r->steps = m->working.steps - before;
    r->idle = m->members.added == 0 && (r->ended == PARTAN_STALLED || r->steps == 0);
    pt_active_set_measure(m, false);
    r->stop = r->ended < 0 ? r->ended : pt_active_set_limit(m);
    if (r->stop < 0)
        return r->stop;
    /* A round without a step or a new member is the near rows' last; a non-finite objective ends the run. */
    r->finite = isfinite(m->certificate.objective);
    partan_status status = PARTAN_OK;
    if (!r->finite)
        pt_active_set_end_continuation(m);
    r->all = r->stop == PARTAN_OK && r->finite && pt_active_set_wants_all(m);
    if (r->all)
        status = pt_active_set_take_all(m);
    if (r->stop == PARTAN_OK && !status)
        status = pt_active_set_price(m, !r->finite, r->idle || crowded(m, r->steps), &r->complete);
    if (status == PARTAN_INTERRUPTED) {
        r->stop = pt_active_set_interruption(m);
        status = r->stop < 0 ? r->stop : PARTAN_OK;
    }
    if (!status && r->stop > 0)
        status = price_last(m, r->stop, &r->complete);
    m->phases.pricing += pt_clock() - solved;
    log_round(m, r->steps, r->complete);
    return status;
}

/* The gap is larger when it is computed more precisely: the working set goes on from the scores that show it, so that
 * steps with float32 kernel values only add the changes, and their errors become less with these. */
static void refine(method *m)
{
    m->limits.refined++;
    pt_stall_look(&m->limits.refusals, INFINITY, relative_gap(m), REFINED_GAIN);
    m->lowrank.refuted |= m->simplex->lowrank != NULL;
    pt_working_rescore(&m->working, m->scores);
    m->lowrank.precise = true;
    if (!m->lowrank.hard)
        pt_active_set_try_lowrank(m);
    if (m->limits.refusals.idle > MOST_REFUSALS / 2)
        pt_active_set_try_newton(m);
    if (m->limits.refusals.idle > 0)
        pt_active_set_try_gradients(m);
}

/* Whether a round was the last one; then its status, and the solution, are final. */
static bool finish(method *m, const outcome *r, pt_solution *solution, partan_status *status)
{
    bool met = r->complete && (relative_gap(m) <= target(m) || pt_active_set_in_doubt(m));
    if (met || r->stop > 0 || !r->finite) {
        *status = conclude(m, r->stop, r->complete, solution);
        if (*status == PARTAN_INTERRUPTED)
            *status = conclude(m, pt_active_set_interruption(m), r->complete, solution);
        if (*status || solution->status > 0 || solution->converged)
            return true;
        refine(m);
    }
    if (m->limits.refusals.idle <= MOST_REFUSALS && !(r->complete && stalled(m)))
        return false;
    *status = conclude(m, PARTAN_STALLED, true, solution);
    return true;
}

partan_status pt_active_set_run(method *m, pt_solution *solution)
{
    pt_active_set_measure(m, false);
    trace(m, false);
    for (;;) {
        outcome r = {.complete = false};
        partan_status status = run_round(m, &r);
        if (status)
            return status;
        bool stuck = r.idle || r.ended == PARTAN_STALLED;
        bool changed = r.stop == PARTAN_OK /* a run that is to end does not begin anything */
                       && pt_active_set_change_cost(m, r.steps, stuck, r.complete || m->outside.grown);
        if (changed)
            pt_active_set_measure(m, r.complete);
        else if (!pt_active_set_in_continuation(m) && finish(m, &r, solution, &status))
            return status;
        trace(m, false);
        status = next_round(m, r.complete, r.all);
        if (status)
            return status;
        /* Where steps with rounded scores go no further, they may with precise ones. */
        if (!changed && r.complete && m->members.added == 0 && r.ended == PARTAN_STALLED) {
            status = conclude(m, PARTAN_STALLED, true, solution);
            refine(m);
            if (status || solution->converged || m->limits.refusals.idle > MOST_REFUSALS)
                return status;
        }
    }
}
