/* Leading eigenvectors by ARPACK-NG.
 *
 * ARPACK asks for products by returning to its caller, and keeps what it must know until the next call in variables of
 * its own, which all threads share (Fortran's SAVE): two solves must not be under way at once. So a whole solve holds
 * one lock of the process. Beside it nothing is shared: the start vector is given, so that the answer does not depend
 * on ARPACK's own random numbers, but where the start vector's space is exhausted, when it draws a new one; the
 * operator's smaller side is then at most a few hundred large, or the matrix all but empty. */
#include "matrix/spectral.h"

#ifdef PARTAN_HAVE_ARPACK

#include <arpack.h>

enum { LEAST_BASIS = 20, MOST_RESTARTS = 3000 };

static pt_lock lock = PT_LOCK_STATIC;

typedef struct solve {
    a_int n, count, basis;
    double tolerance;
    double *residual, *vectors, *work, *small; /* n, n x basis, 3 n, basis (basis + 8) */
    a_int parameters[11], places[11], small_size;
    a_int info;
} solve;

static partan_status solve_make(solve *s, const pt_spectral *spectral, size_t count, double tolerance)
{
    partan_context *context = spectral->context;
    size_t n = spectral->dimension, basis = 2 * count + 10;
    basis = basis < LEAST_BASIS ? LEAST_BASIS : basis;
    basis = basis > n ? n : basis;
    *s = (solve){.n = (a_int)n, .count = (a_int)count, .basis = (a_int)basis, .tolerance = tolerance};
    s->small_size = (a_int)(basis * (basis + 8));
    s->residual = pt_copy(context, spectral->start, n, sizeof *s->residual);
    s->vectors = pt_alloc_zero(context, n * basis, sizeof *s->vectors);
    s->work = pt_alloc_zero(context, 3 * n, sizeof *s->work);
    s->small = pt_alloc_zero(context, (size_t)s->small_size + basis, sizeof *s->small);
    s->parameters[0] = 1; /* exact shifts */
    s->parameters[2] = MOST_RESTARTS;
    s->parameters[3] = 1;
    s->parameters[6] = 1; /* the ordinary problem */
    s->info = 1;          /* the residual is the start vector */
    if (!s->residual || !s->vectors || !s->work || !s->small)
        return pt_out_of_memory(context, "leading singular vectors");
    return PARTAN_OK;
}

static void solve_free(solve *s, partan_context *context)
{
    pt_free(context, s->residual);
    pt_free(context, s->vectors);
    pt_free(context, s->work);
    pt_free(context, s->small);
}

static partan_status failed(const pt_spectral *spectral, const char *where, int info)
{
    return pt_fail(spectral->context, PARTAN_ERROR_NUMERIC,
                   "the leading singular vectors were not found: ARPACK's %s returned %d", where, info);
}

/* Products until ARPACK has what it needs. */
static partan_status iterate(solve *s, pt_spectral *spectral, const double *values)
{
    a_int ask = 0;
    for (;;) {
        dsaupd_c(&ask, "I", s->n, "LA", s->count, s->tolerance, s->residual, s->basis, s->vectors, s->n, s->parameters,
                 s->places, s->work, s->small, s->small_size, &s->info);
        if (ask != 1 && ask != -1)
            break;
        partan_status status =
            pt_spectral_product(spectral, values, s->work + s->places[0] - 1, s->work + s->places[1] - 1);
        if (!status && pt_interrupted(spectral->context))
            status = PARTAN_INTERRUPTED;
        if (status)
            return status;
    }
    return s->info == 0 ? PARTAN_OK : failed(spectral, "dsaupd", s->info);
}

/* The vectors, largest eigenvalue first; ARPACK has them ascending. */
static partan_status extract(solve *s, const pt_spectral *spectral, double *out)
{
    size_t n = (size_t)s->n, count = (size_t)s->count;
    double *value = s->small + s->small_size, *vectors = pt_alloc(spectral->context, n * count, sizeof *vectors);
    a_int *select = pt_alloc_zero(spectral->context, (size_t)s->basis, sizeof *select);
    partan_status status = vectors && select ? PARTAN_OK : pt_out_of_memory(spectral->context, "singular vectors");
    if (!status) {
        dseupd_c(1, "A", select, value, vectors, s->n, 0, "I", s->n, "LA", s->count, s->tolerance, s->residual,
                 s->basis, s->vectors, s->n, s->parameters, s->places, s->work, s->small, s->small_size, &s->info);
        status = s->info == 0 ? PARTAN_OK : failed(spectral, "dseupd", s->info);
    }
    for (size_t k = 0; k < count && !status; k++)
        for (size_t i = 0; i < n; i++)
            out[k * n + i] = vectors[(count - 1 - k) * n + i];
    pt_free(spectral->context, vectors);
    pt_free(spectral->context, select);
    return status;
}

partan_status pt_arpack(pt_spectral *spectral, const double *values, size_t count, double tolerance, double *vectors)
{
    solve s;
    partan_status status = solve_make(&s, spectral, count, tolerance);
    if (!status) {
        pt_lock_take(&lock);
        status = iterate(&s, spectral, values);
        if (!status)
            status = extract(&s, spectral, vectors);
        pt_lock_give(&lock);
    }
    solve_free(&s, spectral->context);
    return status;
}

partan_status pt_arpack_available(partan_context *context)
{
    (void)context;
    return PARTAN_OK;
}

#else

partan_status pt_arpack_available(partan_context *context)
{
    return pt_fail(
        context, PARTAN_ERROR_BUILD,
        "this library was built without matrix recovery (the build option PARTAN_MATRIX, which needs ARPACK)");
}

partan_status pt_arpack(pt_spectral *spectral, const double *values, size_t count, double tolerance, double *vectors)
{
    (void)values;
    (void)count;
    (void)tolerance;
    (void)vectors;
    return pt_arpack_available(spectral->context);
}

#endif
