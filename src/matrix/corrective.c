/* The default solver of matrix recovery: Frank-Wolfe with corrective steps over the factors.
 *
 * A round asks the oracle for a few leading singular pairs of the gradient, moves toward those that would lower the
 * objective (a step with exact line search, as Frank-Wolfe's), and then corrects all factors together, so that few
 * pairs are needed and useless ones vanish: by alternating least squares where the measurements are entries, by
 * projected gradient over the core otherwise. The gap after the oracle's answer is what Frank-Wolfe's is, and stops it.
 *
 * Least squares work with a multiplier lambda instead of the radius. At the solution <G, X> = -lambda |X|_*, with G the
 * gradient; so lambda = -<G, X> / radius is what each sweep begins with, and X is scaled to its best multiple within
 * the ball after it. Where X is too large for the ball, scaling it down makes the next lambda larger, and the other way
 * round. A sweep that does not lower the objective is undone. */
#include "matrix/corrective.h"

#include <float.h>
#include <math.h>

#include "core/clock.h"

enum {
    STALL_ROUNDS = 20, /* in which neither the objective nor the gap falls */
    SLOW_ROUNDS = 3    /* with hardly a lower objective, when the rank may not grow */
};

#define CLAIM     0.85 /* of the target, at which the gap is worth a certificate */
#define GAP_GAIN  0.9  /* a gap this much less is progress */
#define SLOW_GAIN 1e-3 /* of the target: what a round lowers the objective by at least */
#define HOPE      0.3  /* of the target, at which the least that the gap can be is worth a certificate */

double pt_corrective_dot(const pt_corrective *c, const double *x, const double *y)
{
    return pt_dot(c->context, x, y, c->measurement->map.count);
}

double pt_corrective_target(const pt_corrective *c)
{
    const partan_settings *s = &c->recovery->settings;
    double relative = s->tol * c->scale;
    return relative > s->eps ? relative : s->eps;
}

/* ---- The state at X ---- */

static void subtract(void *user, size_t chunk, size_t thread)
{
    const pt_corrective *c = user;
    pt_span span = pt_span_of(c->measurement->map.count, PT_CHUNK_ENTRIES, chunk);
    (void)thread;
    for (size_t k = span.begin; k < span.end; k++)
        c->gradient[k] = c->values[k] - c->recovery->b[k];
}

/* Gradient, objective and <G, X> from the values. */
void pt_corrective_settle(pt_corrective *c)
{
    size_t count = c->measurement->map.count;
    pt_team_run(c->context, pt_matrix_threads(c->context, count), pt_span_count(count, PT_CHUNK_ENTRIES), subtract, c);
    c->objective = pt_corrective_dot(c, c->gradient, c->gradient) / 2;
    c->inner = pt_corrective_dot(c, c->gradient, c->values);
}

partan_status pt_corrective_evaluate(pt_corrective *c)
{
    partan_status status = pt_measurement_apply(c->measurement, c->x, c->values);
    pt_corrective_settle(c);
    return status;
}

/* ---- The loop ---- */

static bool out_of_time(const pt_corrective *c)
{
    double limit = c->recovery->settings.time_limit;
    return limit > 0 && pt_clock() - c->start >= limit;
}

partan_status pt_corrective_report(pt_corrective *c)
{
    double relative = c->gap / c->scale, wanted = pt_corrective_target(c) / c->scale;
    c->best = relative < c->best ? relative : c->best;
    double seconds = pt_clock() - c->start;
    /* The gap falls by about as much in every round: its logarithm tells how far it is. */
    double done = c->best < 1 && wanted < 1 && c->best > wanted ? log(c->best) / log(wanted) : -1;
    partan_progress progress = {.done = done,
                                .seconds_left = done > 0 ? seconds * (1 - done) / done : -1,
                                .iterations = c->recovery->iterations,
                                .gap = c->gap,
                                .relative_gap = relative,
                                .target = wanted,
                                .active = c->x->rank};
    partan_status status = pt_progress_report(c->context, &progress);
    return status || !out_of_time(c) ? status : PARTAN_TIME_LIMIT;
}

static partan_status limit(const pt_corrective *c)
{
    const partan_settings *s = &c->recovery->settings;
    if (s->max_iter > 0 && c->recovery->iterations >= s->max_iter)
        return PARTAN_ITERATION_LIMIT;
    if (out_of_time(c))
        return PARTAN_TIME_LIMIT;
    size_t most = c->recovery->max_rank;
    bool full = most > 0 && c->x->rank >= most;
    if (full && c->slow >= SLOW_ROUNDS)
        return PARTAN_RANK_LIMIT;
    return c->stall.idle < STALL_ROUNDS ? PARTAN_OK : full ? PARTAN_RANK_LIMIT : PARTAN_STALLED;
}

static void trace(pt_corrective *c, bool final)
{
    partan_trace_row row = {.iteration = c->recovery->iterations,
                            .type = c->recovery->iterations > 0 ? PARTAN_STEP_TOWARD : PARTAN_STEP_START,
                            .objective = c->objective,
                            .gap = c->gap,
                            .relative_gap = c->gap / c->scale,
                            .lambda = c->step,
                            .active = c->x->rank};
    pt_trace_row(&c->trace, &row, pt_clock(), final);
}

/* The gap is small enough for a certificate: is it true? Either what bounds it says so, or what it is at least is far
 * below the target. */
static partan_status claim(pt_corrective *c, bool *done)
{
    if (c->gap > CLAIM * pt_corrective_target(c) && c->least_gap > c->attempt)
        return PARTAN_OK;
    partan_status status = pt_corrective_certify(c);
    *done = !status && c->recovery->solution.converged;
    c->attempt = c->least_gap / 2;
    return status;
}

static partan_status run_rounds(pt_corrective *c)
{
    for (;;) {
        bool done = false;
        double before = c->objective;
        partan_status status = pt_corrective_ask(c);
        if (!status)
            trace(c, false);
        if (!status)
            status = claim(c, &done);
        if (status || done)
            return status;
        status = limit(c);
        if (!status)
            status = pt_corrective_report(c);
        if (!status && !c->is_narrow)
            status = pt_corrective_add_pairs(c);
        if (!status)
            status = pt_corrective_correct(c);
        if (status)
            return status;
        if (!isfinite(c->objective))
            return pt_fail(c->context, PARTAN_ERROR_NUMERIC,
                           "the objective is not finite: values are too large to be squared");
        c->recovery->iterations++;
        c->slow = before - c->objective > SLOW_GAIN * pt_corrective_target(c) ? 0 : c->slow + 1;
        pt_stall_look(&c->stall, c->objective, c->gap, GAP_GAIN);
    }
}

static partan_status open(pt_corrective *c)
{
    partan_context *context = c->context;
    size_t count = c->measurement->map.count;
    pt_factors_init(&c->kept, context, c->x->rows, c->x->columns);
    c->values = pt_alloc_zero(context, count, sizeof(double));
    c->gradient = pt_alloc_zero(context, count, sizeof(double));
    c->image = pt_alloc_zero(context, count, sizeof(double));
    if (!c->values || !c->gradient || !c->image)
        return pt_out_of_memory(context, "measurements");
    partan_status status = pt_spectral_make(&c->spectral, c->measurement, c->recovery->settings.seed);
    if (!status && c->measurement->sampling)
        status = c->is_narrow ? pt_narrow_make(&c->narrow, c->measurement->sampling, c->recovery->b,
                                               c->recovery->radius, c->recovery->max_rank)
                              : pt_als_make(&c->als, c->measurement->sampling, c->recovery->b);
    if (!status)
        status = pt_factors_reserve(c->x, 1);
    if (status)
        return status;
    c->scale = pt_corrective_dot(c, c->recovery->b, c->recovery->b) / 2;
    c->attempt = HOPE * pt_corrective_target(c);
    status = pt_corrective_evaluate(c);
    c->gap = c->inner + sqrt(2 * c->objective) * c->recovery->radius; /* the Frobenius norm, until the oracle knows */
    return status;
}

static void close(pt_corrective *c)
{
    pt_free(c->context, c->values);
    pt_free(c->context, c->gradient);
    pt_free(c->context, c->image);
    pt_factors_free(&c->kept);
    pt_als_free(&c->als);
    pt_narrow_free(&c->narrow);
    pt_spectral_free(&c->spectral);
}

/* A run that a limit ended still gets its true gap. */
static partan_status finish(pt_corrective *c, partan_status status)
{
    pt_solution *solution = &c->recovery->solution;
    if (status > 0) {
        solution->status = status;
        pt_defer_begin(c->context);
        status = pt_corrective_evaluate(c);
        if (!status)
            status = pt_corrective_certify(c);
        pt_defer_end(c->context);
        pt_interrupt_clear(c->context);
        if (solution->converged)
            solution->status = PARTAN_OK;
    }
    if (!status)
        trace(c, true);
    return status;
}

partan_status pt_recover_correctively(pt_recovery *r)
{
    pt_corrective c = {.recovery = r,
                       .context = r->context,
                       .measurement = r->measurement,
                       .x = &r->x,
                       .is_narrow = r->measurement->sampling && pt_narrow_suits(r->measurement->sampling),
                       .best = INFINITY,
                       .stall = pt_stall_begin(),
                       .start = pt_clock()};
    r->solution = (pt_solution){0};
    r->iterations = 0;
    pt_trace_begin(&c.trace, r->context, r->settings.trace_rows, c.start);
    partan_status status = open(&c);
    if (!status)
        status = run_rounds(&c);
    status = finish(&c, status);
    close(&c);
    return status;
}
