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
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "fw/trace.h"
#include "matrix/als.h"
#include "matrix/recovery.h"
#include "matrix/spectral.h"

enum {
    FIRST_PAIRS = 5,
    MOST_PAIRS = 16,
    MOST_SWEEPS = 12,  /* of a round */
    CORE_STEPS = 10,   /* of a round */
    STALL_ROUNDS = 20, /* without a lower objective */
};

#define PAIR_ERROR     0.1  /* of its residual, that the leading singular value is likely to be wrong by at most */
#define BEYOND         0.5  /* over-relaxation of sweeps, but the first after new pairs */
#define SWEEP_GAIN     2e-3 /* of the round's gap: a sweep that lowers the objective by less is the last */
#define SWEEP_SHARE    0.1  /* of the objective: where sweeps take away more, they are on the way to 0 by themselves */
#define LEAST_SINGULAR 1e-7 /* of the largest: the precision of balancing */
#define BOUND_SHARE    0.1  /* of the target that the bound of the spectral norm may be away from it */
#define CLAIM          0.85 /* of the target, at which the gap is worth a certificate */
#define HOPE           0.3  /* of the target, at which the least that the gap can be is worth a certificate */
#define TAIL_SHARE     0.01 /* of the target that leaving out the least singular values may cost */

typedef struct corrective {
    pt_recovery *recovery;
    partan_context *context;
    pt_measurement *measurement;
    pt_spectral spectral;
    pt_deflation deflation;
    pt_als als; /* where the measurements are entries */
    pt_factors *x;
    pt_factors kept; /* X before a sweep */
    double *values, *gradient, *image;
    double scale;     /* 1/2 |b|^2 */
    double objective; /* at X, as are values and gradient */
    double inner;     /* <G, X> */
    double lambda;
    double gap;       /* by the oracle's last answer */
    double least_gap; /* what the gap is at least */
    double attempt;   /* the least gap at which a certificate is worth computing */
    double step;      /* of the last move toward pairs */
    double core_curvature;
    double best; /* smallest relative gap seen, for progress */
    size_t used; /* pairs added the last time */
    int stalled;
    pt_trace trace;
    double start;
} corrective;

static double dot(const corrective *c, const double *x, const double *y)
{
    return pt_dot(c->context, x, y, c->measurement->map.count);
}

static double target(const corrective *c)
{
    const partan_settings *s = &c->recovery->settings;
    double relative = s->tol * c->scale;
    return relative > s->eps ? relative : s->eps;
}

/* ---- The state at X ---- */

/* Gradient, objective and <G, X> from the values. */
static void settle(corrective *c)
{
    size_t count = c->measurement->map.count;
#pragma omp parallel for num_threads(pt_team(c->context, count)) schedule(static)
    for (size_t k = 0; k < count; k++)
        c->gradient[k] = c->values[k] - c->recovery->b[k];
    c->objective = dot(c, c->gradient, c->gradient) / 2;
    c->inner = dot(c, c->gradient, c->values);
}

static partan_status evaluate(corrective *c)
{
    partan_status status = pt_measurement_apply(c->measurement, c->x, c->values);
    settle(c);
    return status;
}

/* The best multiple of X within the ball. */
static void rescale(corrective *c)
{
    double norm = pt_factors_norm(c->x), square = dot(c, c->values, c->values);
    double best = square > 0 ? dot(c, c->values, c->recovery->b) / square : 1;
    double most = norm > 0 ? c->recovery->radius / norm : 1, factor = best < most ? best : most;
    factor = factor > 0 ? factor : 0;
    pt_factors_scale(c->x, factor);
    for (size_t k = 0; k < c->measurement->map.count; k++)
        c->values[k] *= factor;
    settle(c);
}

/* ---- Pairs ---- */

/* As many as were of use the last time, and some more. */
static size_t pairs_wanted(const corrective *c)
{
    size_t wanted = c->x->rank == 0 ? FIRST_PAIRS : c->used + c->used / 2 + 2;
    return wanted > MOST_PAIRS ? MOST_PAIRS : wanted;
}

/* Leading pairs outside of X's own vectors, and the gap by them. They are precise to about that gap, which is enough to
 * go by: the certificate does not rest on them. */
static partan_status ask(corrective *c)
{
    pt_pairs *pairs = &c->spectral.pairs;
    double radius = c->recovery->radius, tolerance = 0.1;
    pt_measurement_prepare(c->measurement, c->gradient);
    partan_status status = pt_deflation_make(&c->deflation, c->measurement, c->gradient, c->x);
    c->spectral.deflation = &c->deflation;
    for (; !status; tolerance /= 10) {
        status = pt_spectral_pairs(&c->spectral, c->gradient, pairs_wanted(c), tolerance);
        if (status)
            return status;
        double norm = pt_deflation_bound(&c->deflation, pairs->value[0] + PAIR_ERROR * pairs->error);
        c->gap = fmax(c->inner + radius * norm, 0);
        c->least_gap = fmax(c->inner + radius * fmax(c->deflation.inside, pairs->value[0]), 0);
        if (radius * PAIR_ERROR * pairs->error <= fmax(c->gap, target(c)) || tolerance <= 1e-12)
            break;
    }
    return status;
}

/* How many of the pairs are worth adding: those that beat what X itself has for the same norm. */
static size_t useful_pairs(const corrective *c)
{
    const pt_pairs *pairs = &c->spectral.pairs;
    size_t count = 0, max_rank = c->recovery->max_rank, rank = c->x->rank;
    double lambda = -c->inner / c->recovery->radius;
    while (count < pairs->count && pairs->value[count] > lambda * (1 + 1e-6) && pairs->value[count] > 0)
        count++;
    if (max_rank > 0 && rank + count > max_rank)
        count = max_rank > rank ? max_rank - rank : 0;
    return count;
}

/* A move toward a combination of pairs, each by how much it beats X; the step by exact line search. */
static partan_status add_pairs(corrective *c)
{
    const pt_pairs *pairs = &c->spectral.pairs;
    size_t count = useful_pairs(c), entries = c->measurement->map.count;
    double radius = c->recovery->radius, lambda = fmax(-c->inner / radius, 0), sum = 0;
    partan_status status = PARTAN_OK;
    pt_factors added;
    c->step = 0;
    c->used = count;
    if (count == 0)
        return PARTAN_OK;
    pt_factors_init(&added, c->context, c->x->rows, c->x->columns);
    for (size_t k = 0; k < count; k++)
        sum += pairs->value[k] - lambda;
    for (size_t k = 0; k < count && !status; k++) {
        double *left = pairs->left + k * c->x->rows;
        for (size_t i = 0; i < c->x->rows; i++)
            left[i] = -left[i];
        status = pt_factors_append(&added, left, pairs->right + k * c->x->columns,
                                   radius * (pairs->value[k] - lambda) / sum);
    }
    if (!status)
        status = pt_measurement_apply(c->measurement, &added, c->image);
    for (size_t k = 0; k < entries && !status; k++)
        c->image[k] -= c->values[k];
    double slope = dot(c, c->gradient, c->image), bend = dot(c, c->image, c->image);
    if (!status && slope < 0)
        c->step = bend > -slope ? -slope / bend : 1;
    if (c->step > 0) {
        pt_factors_scale(c->x, 1 - c->step);
        for (size_t k = 0; k < count && !status; k++)
            status = pt_factors_append(c->x, pairs->left + k * c->x->rows, pairs->right + k * c->x->columns,
                                       c->step * added.singular[k]);
        for (size_t k = 0; k < entries; k++)
            c->values[k] += c->step * c->image[k];
        settle(c);
    }
    pt_factors_free(&added);
    return status;
}

/* ---- Correction ---- */

/* The next multiplier: halfway to what X says, against oscillation, but at once where it falls far. */
static double next_lambda(const corrective *c)
{
    double lambda = fmax(-c->inner / c->recovery->radius, 0);
    lambda = fmax(lambda, 1e-13 * sqrt(c->scale));
    return c->lambda > 0 && lambda > 0.3 * c->lambda ? (lambda + c->lambda) / 2 : lambda;
}

static partan_status undo(corrective *c)
{
    partan_status status = pt_factors_copy(&c->kept, c->x);
    return status ? status : evaluate(c);
}

static partan_status report(corrective *c);

/* Sweeps until one gains little. */
static partan_status correct_entries(corrective *c)
{
    double gap = c->gap;
    c->lambda = 0;
    for (int n = 0; n < MOST_SWEEPS; n++) {
        double before = c->objective;
        partan_status status = pt_factors_copy(c->x, &c->kept);
        if (!status)
            status = report(c);
        if (status)
            return status;
        c->lambda = next_lambda(c);
        status = pt_als_sweep(&c->als, c->x, c->lambda, n > 0 || c->step == 0 ? BEYOND : 0);
        if (!status)
            status = pt_factors_balance(c->x, LEAST_SINGULAR, 0);
        if (!status)
            status = evaluate(c);
        if (status) {
            partan_status undone = status > 0 ? undo(c) : PARTAN_OK;
            return undone ? undone : status;
        }
        rescale(c);
        if (!(c->objective <= before))
            return undo(c);
        double gain = before - c->objective;
        if (n > 0 && gain < SWEEP_GAIN * gap && gain < SWEEP_SHARE * before)
            return PARTAN_OK;
    }
    return PARTAN_OK;
}

static partan_status correct_core(corrective *c)
{
    partan_status status = PARTAN_OK;
    if (!c->measurement->sampling) { /* pairs were added; sweeps would have balanced them */
        status = pt_factors_balance(c->x, LEAST_SINGULAR, 0);
        if (!status)
            status = evaluate(c);
    }
    if (!status)
        status = pt_core_descend(c->measurement, c->recovery->b, c->recovery->radius, c->x, c->values, CORE_STEPS,
                                 SWEEP_GAIN * c->gap, &c->core_curvature);
    if (!status)
        status = pt_factors_balance(c->x, LEAST_SINGULAR, 0);
    if (!status) {
        status = evaluate(c);
        rescale(c);
    }
    return status;
}

/* Sweeps move the singular vectors, steps over the core settle the weights between them, which sweeps do slowly. */
static partan_status correct(corrective *c)
{
    partan_status status = c->measurement->sampling ? correct_entries(c) : PARTAN_OK;
    return status ? status : correct_core(c);
}

/* ---- The certificate ---- */

/* How many singular values matter: leaving out the others should cost no more than TAIL_SHARE of the target, by what
 * the objective's slope and its mean curvature along X say. */
static size_t rank_that_matters(const corrective *c)
{
    double lambda = fmax(-c->inner / c->recovery->radius, 0), norm = 0, tail = 0;
    size_t rank = c->x->rank;
    for (size_t k = 0; k < rank; k++)
        norm += c->x->singular[k] * c->x->singular[k];
    double curvature = norm > 0 ? dot(c, c->values, c->values) / norm : 0;
    for (; rank > 1; rank--) {
        tail += c->x->singular[rank - 1];
        if (lambda * tail + curvature * tail * tail > TAIL_SHARE * target(c))
            break;
    }
    return rank;
}

/* Leaves out the tail of singular values, unless that costs more than it should. */
static partan_status cut_tail(corrective *c)
{
    double before = c->objective;
    size_t rank = rank_that_matters(c);
    if (rank == c->x->rank)
        return PARTAN_OK;
    partan_status status = pt_factors_copy(c->x, &c->kept);
    if (!status)
        status = pt_factors_balance(c->x, 0, rank);
    if (!status)
        status = evaluate(c);
    if (!status && c->objective > before + 2 * TAIL_SHARE * target(c))
        status = undo(c);
    return status;
}

/* X without useless directions, its singular values to full precision, within the ball. */
static partan_status tidy(corrective *c)
{
    partan_status status = pt_factors_balance(c->x, LEAST_SINGULAR, 0);
    if (!status)
        status = evaluate(c);
    if (!status)
        status = cut_tail(c);
    if (!status)
        status = pt_factors_polish(c->x);
    double norm = pt_factors_norm(c->x);
    if (!status && norm > c->recovery->radius)
        pt_factors_scale(c->x, c->recovery->radius / norm);
    return status ? status : evaluate(c);
}

/* The gap that is proven, with X's own vectors treated apart or not. Apart is faster, but proves a little less. */
static partan_status prove(corrective *c, bool apart, double *gap)
{
    double radius = c->recovery->radius, lower, upper;
    c->spectral.deflation = apart ? &c->deflation : NULL;
    partan_status status =
        pt_spectral_bound(&c->spectral, c->gradient, BOUND_SHARE * target(c) / radius, &lower, &upper);
    *gap = fmin(*gap, fmax(c->inner + radius * upper, 0));
    return status;
}

static partan_status certify(corrective *c)
{
    pt_solution *solution = &c->recovery->solution;
    double gap = INFINITY;
    partan_status status = tidy(c);
    pt_measurement_prepare(c->measurement, c->gradient);
    if (!status)
        status = pt_deflation_make(&c->deflation, c->measurement, c->gradient, c->x);
    if (!status)
        status = prove(c, true, &gap);
    if (!status && gap > target(c))
        status = prove(c, false, &gap);
    if (status)
        return status;
    solution->certificate = (pt_certificate){.objective = c->objective, .gap = gap};
    solution->relative_gap = gap / c->scale;
    solution->converged = gap <= target(c);
    return PARTAN_OK;
}

/* ---- The loop ---- */

static partan_status report(corrective *c)
{
    double relative = c->gap / c->scale, wanted = target(c) / c->scale;
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
    return pt_progress_report(c->context, &progress);
}

static partan_status limit(const corrective *c)
{
    const partan_settings *s = &c->recovery->settings;
    if (s->max_iter > 0 && c->recovery->iterations >= s->max_iter)
        return PARTAN_ITERATION_LIMIT;
    if (s->time_limit > 0 && pt_clock() - c->start >= s->time_limit)
        return PARTAN_TIME_LIMIT;
    if (c->stalled >= STALL_ROUNDS || (c->stalled > 1 && c->recovery->max_rank > 0 && c->step == 0))
        return c->recovery->max_rank > 0 && c->x->rank >= c->recovery->max_rank ? PARTAN_RANK_LIMIT : PARTAN_STALLED;
    return PARTAN_OK;
}

static void trace(corrective *c, bool final)
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
static partan_status claim(corrective *c, bool *done)
{
    if (c->gap > CLAIM * target(c) && c->least_gap > c->attempt)
        return PARTAN_OK;
    partan_status status = certify(c);
    *done = !status && c->recovery->solution.converged;
    c->attempt = c->least_gap / 2;
    return status;
}

static partan_status run_rounds(corrective *c)
{
    for (;;) {
        bool done = false;
        double before = c->objective;
        partan_status status = ask(c);
        if (!status)
            trace(c, false);
        if (!status)
            status = claim(c, &done);
        if (status || done)
            return status;
        status = limit(c);
        if (!status)
            status = report(c);
        if (!status)
            status = add_pairs(c);
        if (!status)
            status = correct(c);
        if (status)
            return status;
        if (!isfinite(c->objective))
            return pt_fail(c->context, PARTAN_ERROR_NUMERIC,
                           "the objective is not finite: values are too large to be squared");
        c->recovery->iterations++;
        c->stalled = c->objective < before - 1e-3 * target(c) - DBL_EPSILON * before ? 0 : c->stalled + 1;
    }
}

static partan_status open(corrective *c)
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
        status = pt_als_make(&c->als, c->measurement->sampling, c->recovery->b);
    if (!status)
        status = pt_factors_reserve(c->x, 1);
    if (status)
        return status;
    c->scale = dot(c, c->recovery->b, c->recovery->b) / 2;
    c->attempt = HOPE * target(c);
    status = evaluate(c);
    c->gap = c->inner + sqrt(2 * c->objective) * c->recovery->radius; /* the Frobenius norm, until the oracle knows */
    return status;
}

static void close(corrective *c)
{
    pt_free(c->context, c->values);
    pt_free(c->context, c->gradient);
    pt_free(c->context, c->image);
    pt_factors_free(&c->kept);
    pt_als_free(&c->als);
    pt_spectral_free(&c->spectral);
}

/* A run that a limit ended still gets its true gap. */
static partan_status finish(corrective *c, partan_status status)
{
    pt_solution *solution = &c->recovery->solution;
    if (status > 0) {
        solution->status = status;
        pt_defer_begin(c->context);
        status = evaluate(c);
        if (!status)
            status = certify(c);
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
    corrective c = {.recovery = r,
                    .context = r->context,
                    .measurement = r->measurement,
                    .x = &r->x,
                    .best = INFINITY,
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
