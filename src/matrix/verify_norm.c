/* The audit's own bounds of a spectral norm: Lanczos steps written in the simplest way and kept orthogonal. */
#include "matrix/verify.h"

#include <math.h>

#include "core/random.h"
#include "matrix/spectral.h"

enum {
    MOST_STEPS = 1500,
    INTERVAL = 10 /* steps between looks at the bound */
};

#define SEED 0x7665726966790001u /* no seed that a fit is likely to have had */

typedef struct krylov {
    partan_context *context;
    size_t n, steps, most;
    double *basis; /* a vector after the other */
    double *image, *next;
    double alpha[MOST_STEPS + 1], beta[MOST_STEPS + 2];
} krylov;

/* next = G'G x or GG' x, on the smaller side. */
static void multiply(const partan_ratings *r, const double *residual, krylov *k, const double *x)
{
    bool by_rows = r->rows.count < r->columns.count;
    size_t other = by_rows ? r->columns.count : r->rows.count;
    for (size_t i = 0; i < other; i++)
        k->image[i] = 0;
    for (size_t i = 0; i < k->n; i++)
        k->next[i] = 0;
    for (size_t i = 0; i < r->rows.count; i++)
        for (int64_t e = r->starts[i]; e < r->starts[i + 1]; e++) {
            size_t j = (size_t)r->column[e];
            k->image[by_rows ? j : i] += residual[e] * x[by_rows ? i : j];
        }
    for (size_t i = 0; i < r->rows.count; i++)
        for (int64_t e = r->starts[i]; e < r->starts[i + 1]; e++) {
            size_t j = (size_t)r->column[e];
            k->next[by_rows ? i : j] += residual[e] * k->image[by_rows ? j : i];
        }
}

static double plain_dot(const double *x, const double *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* The next basis vector from k->next: orthogonal to all before it, twice. */
static void append(krylov *k)
{
    size_t n = k->n, j = k->steps;
    for (int pass = 0; pass < 2; pass++)
        for (size_t l = 0; l <= j; l++) {
            double part = plain_dot(k->basis + l * n, k->next, n);
            k->alpha[j] += l == j ? part : 0;
            for (size_t i = 0; i < n; i++)
                k->next[i] -= part * k->basis[l * n + i];
        }
    k->beta[j + 1] = sqrt(plain_dot(k->next, k->next, n));
    k->steps++;
    for (size_t i = 0; i < n; i++)
        k->basis[k->steps * n + i] = k->beta[j + 1] > 0 ? k->next[i] / k->beta[j + 1] : 0;
}

/* Steps until the bound is as near as `enough`, room and number of steps allow. */
static partan_status bound(const partan_ratings *r, const double *residual, krylov *k, double enough, double *lower,
                           double *upper)
{
    pt_random random;
    pt_random_seed(&random, SEED);
    for (size_t i = 0; i < k->n; i++)
        k->basis[i] = pt_random_normal(&random);
    double length = sqrt(plain_dot(k->basis, k->basis, k->n));
    for (size_t i = 0; i < k->n; i++)
        k->basis[i] /= length;
    for (bool done = false; !done;) {
        multiply(r, residual, k, k->basis + k->steps * k->n);
        append(k);
        partan_status status = pt_progress_report(k->context, &(partan_progress){.done = -1, .seconds_left = -1});
        if (status)
            return status;
        bool last = k->steps >= k->most || !(k->beta[k->steps] > 1e-14 * k->alpha[0]);
        if (k->steps % INTERVAL != 0 && !last)
            continue;
        pt_lanczos_bounds(k->alpha, k->beta, k->steps, k->n, lower, upper);
        *lower = sqrt(*lower) * (1 - PT_ROUNDING);
        *upper = sqrt(*upper) * (1 + PT_ROUNDING);
        done = last || *upper - *lower <= enough;
    }
    return PARTAN_OK;
}

partan_status pt_verify_norm(partan_context *context, const partan_ratings *ratings, const double *residual,
                             double enough, double *lower, double *upper)
{
    size_t rows = ratings->rows.count, columns = ratings->columns.count;
    krylov *k = pt_alloc_zero(context, 1, sizeof *k);
    if (!k)
        return pt_out_of_memory(context, "Lanczos vectors");
    k->context = context;
    k->n = rows < columns ? rows : columns;
    k->most = k->n < MOST_STEPS ? k->n : MOST_STEPS;
    k->basis = pt_alloc(context, (k->most + 1) * k->n, sizeof(double));
    k->image = pt_alloc(context, rows < columns ? columns : rows, sizeof(double));
    k->next = pt_alloc(context, k->n, sizeof(double));
    partan_status status = k->basis && k->image && k->next ? bound(ratings, residual, k, enough, lower, upper)
                                                           : pt_out_of_memory(context, "Lanczos vectors");
    pt_free(context, k->basis);
    pt_free(context, k->image);
    pt_free(context, k->next);
    pt_free(context, k);
    return status;
}
