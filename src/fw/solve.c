#include "fw/solve.h"

#include <float.h>
#include <math.h>

#include "core/clock.h"
#include "core/stall.h"
#include "fw/keeper.h"
#include "fw/trace.h"

enum {
    MEASURE_INTERVAL = 256, /* steps between recomputations of f and W from the state */
    STALL_LIMIT = 2000,     /* steps without a lower objective after which a full pass is asked */
    UNIMPROVED_LIMIT = 12,  /* full passes in a row without progress after which rounding is blamed */
};

#define GRACE    0.2 /* seconds for the certificate of a run that is stopped, where the gap can be bounded without it */
#define GAP_GAIN 0.9 /* a gap this much less is progress, where the objective's digits show none */

typedef struct run {
    pt_fw *fw;
    const pt_variant *variant;
    const partan_settings *settings;
    pt_trace trace;
    double start;
    double best_gap; /* smallest relative gap seen, for progress */
    pt_stall steps, passes;
    uint64_t confirm_after; /* work to be done before the next full pass, */
    int64_t confirm_at;     /* or the iteration to reach, where steps cost the problem next to nothing */
    int64_t patience;       /* iterations between the last full pass and that */
} run;

/* ---- Stopping ---- */

static double target_gap(const run *r, double objective)
{
    return pt_target_gap(r->fw->problem, r->settings, objective);
}

static bool reached(const run *r)
{
    return pt_gap(r->fw) <= target_gap(r, r->fw->at.objective);
}

/* With sampling, the paper's safeguard: draws further samples, and keeps the vertex with the worst gap. */
static partan_status agree(run *r, bool *agreed)
{
    for (int64_t i = 0; i < r->settings->further_samples; i++) {
        partan_status status = pt_fw_ask_again(r->fw);
        if (status)
            return status;
    }
    *agreed = reached(r);
    return PARTAN_OK;
}

static uint64_t work(const run *r)
{
    return r->fw->problem->ops->work(r->fw->problem);
}

/* A full pass from the weights alone. When the state was refreshed, so are the measures. */
static partan_status certify(run *r, pt_certificate *certificate)
{
    pt_fw *fw = r->fw;
    uint64_t before = work(r);
    pt_iterate_normalise(&fw->iterate);
    partan_status status =
        fw->problem->ops->certify(fw->problem, &fw->iterate, target_gap(r, fw->at.objective), certificate);
    if (status)
        return status;
    fw->has_previous = false;
    fw->at = (pt_measure){.objective = certificate->objective, .linear = certificate->linear};
    uint64_t after = work(r), spent = after - before;
    r->confirm_after = after + spent / 2;
    pt_stall_look(&r->passes, certificate->objective, certificate->gap, GAP_GAIN);
    if (r->patience == 0)
        r->patience = (int64_t)fw->iterate.count;
    else if (r->patience < INT64_MAX / 4)
        r->patience *= 2;
    r->confirm_at = fw->iteration + r->patience;
    return PARTAN_OK;
}

/* A full pass is worth its cost only when about as much work has been done since the last one. */
static bool due(const run *r)
{
    return work(r) >= r->confirm_after || r->fw->iteration >= r->confirm_at;
}

static bool certified(const run *r, const pt_certificate *certificate)
{
    return certificate->gap <= target_gap(r, certificate->objective);
}

/* Steps that gain nothing for long, because samples find nothing or the state is rounded: only a full pass can say
 * whether there is anything, and leaves a state that is precise. */
static bool stuck(const run *r)
{
    return r->steps.idle >= STALL_LIMIT;
}

/* The oracle says the target is met: is it? Sets *done when the run is over. */
static partan_status confirm(run *r, pt_solution *solution, bool *done)
{
    pt_problem *problem = r->fw->problem;
    partan_status status = PARTAN_OK;
    bool agreed = true, sampled_rule = problem->sampled && r->settings->stop == PARTAN_STOP_SAMPLED && !stuck(r);
    if (!sampled_rule && !due(r) && (problem->sampled || !stuck(r)))
        return PARTAN_OK;
    if (problem->sampled && !stuck(r))
        status = agree(r, &agreed);
    if (status || !agreed)
        return status;
    status = certify(r, &solution->certificate);
    if (status)
        return status;
    r->steps = pt_stall_begin(); /* what steps made of the objective may have drifted */
    pt_stall_look(&r->steps, solution->certificate.objective, INFINITY, 1);
    solution->converged = certified(r, &solution->certificate);
    *done = solution->converged || sampled_rule;
    solution->status = solution->converged ? PARTAN_OK : PARTAN_UNCONFIRMED;
    if (*done)
        return PARTAN_OK;
    return pt_fw_ask(r->fw);
}

/* A positive status when a limit ends the run. */
static partan_status limit(run *r)
{
    const partan_settings *settings = r->settings;
    if (settings->max_iter > 0 && r->fw->iteration >= settings->max_iter)
        return PARTAN_ITERATION_LIMIT;
    if (settings->time_limit > 0 && pt_clock() - r->start >= settings->time_limit)
        return PARTAN_TIME_LIMIT;
    if (r->passes.idle >= UNIMPROVED_LIMIT)
        return PARTAN_STALLED;
    return PARTAN_OK;
}

/* Counts steps that do not lower the objective; one that is not positive where f is, is caused by rounding. */
static void watch(run *r)
{
    double objective = r->fw->at.objective;
    int idle = pt_stall_look(&r->steps, objective, INFINITY, 1);
    if (idle > 0 && r->settings->step != PARTAN_STEP_EXACT)
        r->steps.idle--; /* other steps may raise it */
    if (r->fw->problem->positive && !(objective > 0))
        r->steps.idle = STALL_LIMIT;
}

/* ---- Progress ---- */

static partan_status report(run *r)
{
    const pt_fw *fw = r->fw;
    if (!r->fw->context->options.progress)
        return pt_interrupted(fw->context) ? PARTAN_INTERRUPTED : PARTAN_OK;
    double gap = pt_gap(fw), relative = pt_relative_gap(fw->problem, gap, fw->at.objective);
    double target = pt_relative_gap(fw->problem, target_gap(r, fw->at.objective), fw->at.objective);
    if (relative < r->best_gap)
        r->best_gap = relative > target ? relative : target;
    /* The gap falls about as 1/k: so many times the present iterations are needed as it is too large. */
    double seconds = pt_clock() - r->start;
    double need = target > 0 ? r->best_gap / target : 0;
    partan_progress progress = {.done = need > 0 ? 1 / need : -1,
                                .seconds_left = need > 0 ? seconds * (need - 1) : -1,
                                .iterations = fw->iteration,
                                .gap = gap,
                                .relative_gap = relative,
                                .target = target,
                                .active = fw->iterate.count};
    return pt_progress_report(fw->context, &progress);
}

static partan_status keep(const run *r)
{
    const pt_iterate *iterate = &r->fw->iterate;
    if (!pt_keeper_due(r->fw->context))
        return PARTAN_OK;
    return pt_keep(r->fw->context, &(pt_start){.ids = iterate->id,
                                               .weights = iterate->now,
                                               .count = iterate->count,
                                               .iteration = r->fw->iteration});
}

/* ---- The loop ---- */

/* The starting point is needed whatever happens: an interruption waits for the loop. */
static partan_status begin(run *r, pt_start start)
{
    pt_fw *fw = r->fw;
    pt_problem *problem = fw->problem;
    partan_status status = pt_iterate_start(&fw->iterate, start.ids, start.weights, start.count);
    fw->iteration = start.iteration;
    pt_defer_begin(fw->context);
    if (!status)
        status = problem->ops->start(problem, &fw->iterate, &fw->at);
    pt_defer_end(fw->context);
    pt_stall_look(&r->steps, fw->at.objective, INFINITY, 1);
    return status;
}

static partan_status step(run *r)
{
    pt_fw *fw = r->fw;
    partan_status status = r->variant->step(fw);
    if (status)
        return status;
    fw->iteration++;
    if (fw->problem->ops->measure && fw->iteration % MEASURE_INTERVAL == 0)
        fw->problem->ops->measure(fw->problem, &fw->iterate, &fw->at);
    if (!isfinite(fw->at.objective))
        return pt_fail(fw->context, PARTAN_ERROR_NUMERIC, "%s", fw->problem->ops->not_finite);
    watch(r);
    return PARTAN_OK;
}

static partan_status run_loop(run *r, pt_solution *solution)
{
    pt_fw *fw = r->fw;
    for (;;) {
        bool done = false;
        partan_status status = pt_fw_ask(fw);
        /* The trace shows an iteration as the steps know it, before a full pass that certifies it, and when that was.
         */
        pt_fw seen = *fw;
        double clock = pt_clock();
        if (!status && (reached(r) || stuck(r)))
            status = confirm(r, solution, &done);
        if (status < 0)
            return status;
        pt_trace_iteration(&r->trace, done ? &seen : fw, done ? clock : pt_clock(), done);
        if (done)
            return PARTAN_OK;
        if (!status)
            status = report(r);
        partan_status limited = limit(r);
        status = limited ? limited : status;
        if (status > 0) {
            solution->status = status;
            return PARTAN_OK;
        }
        status = keep(r);
        if (!status)
            status = step(r);
        if (status)
            return status;
    }
}

/* What a run that is stopped knows of its gap when there is no time for a full pass. */
static void bound(run *r, double gap, pt_solution *solution)
{
    pt_fw *fw = r->fw;
    solution->certificate = (pt_certificate){.objective = fw->at.objective, .linear = fw->at.linear, .gap = gap};
    fw->problem->ops->bound(fw->problem, &fw->iterate, &solution->certificate);
}

/* A run that a limit ended still gets its true gap, if that does not take long or nobody waits for it. */
static partan_status finish(run *r, pt_solution *solution)
{
    partan_context *context = r->fw->context;
    pt_problem *problem = r->fw->problem;
    pt_trace_iteration(&r->trace, r->fw, pt_clock(), true);
    if (solution->status == PARTAN_OK || solution->status == PARTAN_UNCONFIRMED)
        return PARTAN_OK;
    bool awaited = solution->status == PARTAN_TIME_LIMIT || solution->status == PARTAN_INTERRUPTED;
    double known = problem->sampled ? INFINITY : pt_gap(r->fw);
    pt_grace_begin(context, awaited && problem->ops->bound ? GRACE : INFINITY);
    partan_status status = certify(r, &solution->certificate);
    pt_grace_end(context);
    pt_interrupt_clear(context);
    if (status == PARTAN_INTERRUPTED) {
        bound(r, known, solution);
        status = PARTAN_OK;
    }
    if (status)
        return status;
    solution->converged = certified(r, &solution->certificate);
    if (solution->converged)
        solution->status = PARTAN_OK;
    return PARTAN_OK;
}

partan_status pt_solve(pt_problem *problem, const partan_settings *settings, pt_start start, pt_fw *fw,
                       pt_solution *solution)
{
    const pt_variant *variant = pt_variant_for(settings->solver);
    *solution = (pt_solution){0};
    *fw = (pt_fw){0};
    if (!variant || !variant->step)
        return pt_fail(problem->context, PARTAN_ERROR_ARGUMENT, "solver %s is no variant of Frank-Wolfe",
                       variant ? partan_solver_name(settings->solver) : "of the settings");
    problem->keeps_previous = variant->keeps_previous;
    pt_fw_open(fw, problem, settings->step);
    run r = {.fw = fw,
             .variant = variant,
             .settings = settings,
             .start = pt_clock(),
             .best_gap = INFINITY,
             .steps = pt_stall_begin(),
             .passes = pt_stall_begin()};
    pt_trace_begin(&r.trace, problem->context, settings->trace_rows, r.start);
    pt_deadline_set(problem->context, settings->time_limit > 0 ? r.start + settings->time_limit : 0);
    partan_status status = begin(&r, start);
    if (!status)
        status = run_loop(&r, solution);
    pt_deadline_set(problem->context, 0);
    if (!status)
        status = finish(&r, solution);
    pt_fw_close(fw);
    if (!status)
        solution->relative_gap = pt_relative_gap(problem, solution->certificate.gap, solution->certificate.objective);
    return status;
}
