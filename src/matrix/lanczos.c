/* An upper bound of the largest eigenvalue from Lanczos steps: spectral.h has the mathematics. */
#include <float.h>
#include <math.h>

#include "core/random.h"
#include "matrix/spectral.h"

enum {
    MOST_STEPS = 4000,
    INTERVAL = 8,   /* steps between looks at the bound */
    HALVINGS = 100, /* of an interval, more than double precision has */
};

typedef struct recurrence {
    const double *alpha, *beta;
    size_t steps;
    double limit; /* 1/w */
} recurrence;

/* Whether all Ritz values are below x: the pivots of x I - T are positive. */
static bool above_ritz_values(const recurrence *r, double x)
{
    double pivot = x - r->alpha[0];
    for (size_t j = 1; j < r->steps && pivot > 0; j++)
        pivot = x - r->alpha[j] - r->beta[j] * r->beta[j] / pivot;
    return pivot > 0;
}

/* Whether no eigenvalue of weight w can be at x or above: the sum reaches 1/w while the polynomials are positive, as
 * they are beyond the Ritz values of their steps. */
static bool above_eigenvalues(const recurrence *r, double x)
{
    double before = 0, now = 1, sum = 1;
    for (size_t j = 0; j < r->steps; j++) {
        double next = ((x - r->alpha[j]) * now - (j > 0 ? r->beta[j] * before : 0)) / r->beta[j + 1];
        if (!(next > 0))
            return false;
        sum += next * next;
        if (sum >= r->limit)
            return true;
        before = now;
        now = next;
    }
    return false;
}

/* The least x for which the test holds, from above; it holds for all that is large enough. */
static double least(const recurrence *r, bool (*test)(const recurrence *, double), double from)
{
    double low = from, high = from > 0 ? from : 1;
    while (!test(r, high) && high < DBL_MAX / 4)
        high *= 2;
    for (int i = 0; i < HALVINGS && high - low > DBL_EPSILON * high; i++) {
        double middle = low + (high - low) / 2;
        if (test(r, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

void pt_lanczos_bounds(const double *alpha, const double *beta, size_t steps, size_t dimension, double *lower,
                       double *upper)
{
    const double half_pi = 1.5707963267948966;
    recurrence r = {alpha, beta, steps, (double)dimension / (half_pi * PT_DELTA * PT_DELTA)};
    *lower = least(&r, above_ritz_values, 0);
    /* A step that leads nowhere: z has no part outside the space that is known. */
    bool exhausted = !(beta[steps] > DBL_EPSILON * (*lower));
    *upper = exhausted ? *lower : fmax(*lower, least(&r, above_eigenvalues, 0));
}

/* ---- The steps ---- */

typedef struct lanczos {
    pt_spectral *spectral;
    const double *values;
    double *before, *now, *next; /* Lanczos vectors */
    double *alpha, *beta;
    size_t steps, most;
} lanczos;

static void normalise(partan_context *context, double *x, size_t n, double *length)
{
    *length = sqrt(pt_dot(context, x, x, n));
    for (size_t i = 0; i<n && * length> 0; i++)
        x[i] /= *length;
}

static partan_status lanczos_make(lanczos *l)
{
    partan_context *context = l->spectral->context;
    size_t n = l->spectral->dimension;
    l->most = n < MOST_STEPS / 4 ? 4 * n + INTERVAL : MOST_STEPS;
    l->before = pt_alloc_zero(context, n, sizeof *l->before);
    l->now = pt_alloc(context, n, sizeof *l->now);
    l->next = pt_alloc(context, n, sizeof *l->next);
    l->alpha = pt_alloc(context, l->most + 1, sizeof *l->alpha);
    l->beta = pt_alloc_zero(context, l->most + 1, sizeof *l->beta);
    if (!l->before || !l->now || !l->next || !l->alpha || !l->beta)
        return pt_out_of_memory(context, "Lanczos steps");
    double length;
    pt_random random;
    pt_random_seed(&random, l->spectral->seed);
    for (size_t i = 0; i < n; i++)
        l->now[i] = pt_random_normal(&random);
    normalise(context, l->now, n, &length);
    return PARTAN_OK;
}

static void lanczos_free(lanczos *l)
{
    partan_context *context = l->spectral->context;
    pt_free(context, l->before);
    pt_free(context, l->now);
    pt_free(context, l->next);
    pt_free(context, l->alpha);
    pt_free(context, l->beta);
}

static partan_status lanczos_step(lanczos *l)
{
    partan_context *context = l->spectral->context;
    size_t n = l->spectral->dimension, j = l->steps;
    partan_status status = pt_spectral_product(l->spectral, l->values, l->now, l->next);
    if (status)
        return status;
    l->alpha[j] = pt_dot(context, l->now, l->next, n);
    for (size_t i = 0; i < n; i++)
        l->next[i] -= l->alpha[j] * l->now[i] + l->beta[j] * l->before[i];
    normalise(context, l->next, n, &l->beta[j + 1]);
    double *oldest = l->before;
    l->before = l->now;
    l->now = l->next;
    l->next = oldest;
    l->steps++;
    return PARTAN_OK;
}

/* From eigenvalues of the operator to the spectral norm of G; returns by how much more steps could lower the upper one.
 */
static double put_together(const pt_deflation *d, double *lower, double *upper)
{
    double least = *lower = sqrt(*lower);
    *upper = sqrt(*upper);
    if (d && d->x->rank > 0) {
        least = pt_deflation_bound(d, *lower);
        *upper = pt_deflation_bound(d, *upper);
        *lower = fmax(*lower, d->inside);
    }
    *upper *= 1 + PT_ROUNDING;
    return *upper - least;
}

static partan_status run(lanczos *l, double enough, double *lower, double *upper)
{
    size_t n = l->spectral->dimension;
    for (;;) {
        partan_status status = lanczos_step(l);
        if (!status && pt_interrupted(l->spectral->context))
            status = PARTAN_INTERRUPTED;
        if (status)
            return status;
        bool still = !(l->beta[l->steps] > DBL_EPSILON * fabs(l->alpha[0])), last = l->steps >= l->most || still;
        if (l->steps % INTERVAL != 0 && !last)
            continue;
        pt_lanczos_bounds(l->alpha, l->beta, l->steps, n, lower, upper);
        if (put_together(l->spectral->deflation, lower, upper) <= enough || last)
            return PARTAN_OK;
    }
}

partan_status pt_spectral_bound(pt_spectral *spectral, const double *values, double enough, double *lower,
                                double *upper)
{
    lanczos l = {.spectral = spectral, .values = values};
    *lower = *upper = 0;
    if (pt_dot(spectral->context, values, values, spectral->measurement->map.count) == 0)
        return PARTAN_OK;
    partan_status status = lanczos_make(&l);
    if (!status)
        status = run(&l, enough, lower, upper);
    lanczos_free(&l);
    return status;
}
