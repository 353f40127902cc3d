#include "matrix/spectral.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/random.h"

enum { SMALL = 24 }; /* dimensions of which all eigenvectors are computed at once */

#define FRESH 1e-2 /* of the start vector that is drawn anew: a direction that was lost would never come back */

partan_status pt_spectral_make(pt_spectral *s, pt_measurement *measurement, uint64_t seed)
{
    partan_context *context = measurement->context;
    size_t rows = measurement->map.rows, columns = measurement->map.columns;
    *s = (pt_spectral){.context = context,
                       .measurement = measurement,
                       .by_rows = rows < columns,
                       .dimension = rows < columns ? rows : columns,
                       .other = rows < columns ? columns : rows,
                       .seed = seed};
    s->image = pt_alloc(context, s->other, sizeof *s->image);
    s->start = pt_alloc_zero(context, s->dimension, sizeof *s->start);
    s->scrap = pt_alloc(context, s->dimension, sizeof *s->scrap);
    return s->image && s->start && s->scrap ? PARTAN_OK : pt_out_of_memory(context, "leading singular vectors");
}

static void pairs_free(pt_spectral *s)
{
    pt_free(s->context, s->pairs.left);
    pt_free(s->context, s->pairs.right);
    pt_free(s->context, s->pairs.value);
    s->pairs = (pt_pairs){0};
}

void pt_spectral_free(pt_spectral *s)
{
    if (!s->context)
        return;
    pairs_free(s);
    pt_free(s->context, s->image);
    pt_free(s->context, s->start);
    pt_free(s->context, s->scrap);
    *s = (pt_spectral){0};
}

/* Projections on the operator's own side, and on the other. */
static void deflate(const pt_spectral *s, bool own, double *x)
{
    if (!s->deflation || s->deflation->x->rank == 0)
        return;
    if (s->by_rows == own)
        pt_deflate_left(s->deflation, x);
    else
        pt_deflate_right(s->deflation, x);
}

/* image = G x, or G'x, from the operator's own side to the other. x itself is not projected. */
static partan_status cross(pt_spectral *s, const double *values, const double *x, double *image)
{
    partan_status status = s->by_rows ? pt_measurement_transposed(s->measurement, values, x, image)
                                      : pt_measurement_times(s->measurement, values, x, image);
    deflate(s, false, image);
    return status;
}

/* And back. */
static partan_status cross_back(pt_spectral *s, const double *values, const double *image, double *out)
{
    partan_status status = s->by_rows ? pt_measurement_times(s->measurement, values, image, out)
                                      : pt_measurement_transposed(s->measurement, values, image, out);
    deflate(s, true, out);
    return status;
}

partan_status pt_spectral_product(pt_spectral *s, const double *values, const double *x, double *out)
{
    memcpy(s->scrap, x, s->dimension * sizeof *x);
    deflate(s, true, s->scrap);
    partan_status status = cross(s, values, s->scrap, s->image);
    return status ? status : cross_back(s, values, s->image, out);
}

/* ---- Pairs ---- */

static partan_status reserve(pt_spectral *s, size_t count)
{
    pt_pairs *pairs = &s->pairs;
    if (count <= pairs->room)
        return PARTAN_OK;
    pairs_free(s);
    pairs->left = pt_alloc(s->context, count * s->measurement->map.rows, sizeof(double));
    pairs->right = pt_alloc(s->context, count * s->measurement->map.columns, sizeof(double));
    pairs->value = pt_alloc(s->context, count, sizeof(double));
    if (!pairs->left || !pairs->right || !pairs->value) {
        pairs_free(s);
        return pt_out_of_memory(s->context, "leading singular vectors");
    }
    pairs->room = count;
    return PARTAN_OK;
}

/* The operator as a matrix, column by column, and its eigenvectors. */
static partan_status solve_small(pt_spectral *s, const double *values, size_t count, double *vectors)
{
    size_t n = s->dimension;
    double A[SMALL * SMALL], V[SMALL * SMALL], value[SMALL], unit[SMALL] = {0};
    for (size_t j = 0; j < n; j++) {
        double column[SMALL];
        unit[j] = 1;
        partan_status status = pt_spectral_product(s, values, unit, column);
        if (status)
            return status;
        unit[j] = 0;
        for (size_t i = 0; i < n; i++)
            A[i * n + j] = column[i];
    }
    for (size_t i = 0; i < n; i++) /* equal but for rounding */
        for (size_t j = 0; j < i; j++)
            A[i * n + j] = A[j * n + i] = (A[i * n + j] + A[j * n + i]) / 2;
    pt_eigen(n, A, value, V);
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < n; i++)
            vectors[k * n + i] = V[i * n + k];
    return PARTAN_OK;
}

/* The last leading vector, and a little of everything else. */
static void renew_start(pt_spectral *s)
{
    pt_random random;
    pt_random_seed(&random, s->seed);
    double share = FRESH / sqrt((double)s->dimension);
    for (size_t i = 0; i < s->dimension; i++)
        s->start[i] += share * pt_random_normal(&random);
}

static double length(const pt_spectral *s, const double *x, size_t n)
{
    return sqrt(pt_dot(s->context, x, x, n));
}

/* Partner of an eigenvector: G v / s, or G'u / s. Where s is 0, any vector of length 1 is one. */
static partan_status complete(pt_spectral *s, const double *values, size_t k, const double *vector)
{
    size_t rows = s->measurement->map.rows, columns = s->measurement->map.columns;
    double *left = s->pairs.left + k * rows, *right = s->pairs.right + k * columns;
    double *own = s->by_rows ? left : right, *partner = s->by_rows ? right : left;
    memcpy(own, vector, s->dimension * sizeof *own);
    deflate(s, true, own);
    double size = length(s, own, s->dimension);
    for (size_t i = 0; i < s->dimension && size > 0; i++)
        own[i] /= size;
    partan_status status = cross(s, values, own, partner);
    double value = length(s, partner, s->other);
    for (size_t i = 0; i < s->other; i++)
        partner[i] = value > 0 ? partner[i] / value : i == 0;
    s->pairs.value[k] = value;
    return status;
}

/* |G'u - s v| of the first pair, or |Gv - s u|, whichever is not 0 by construction. */
static partan_status find_error(pt_spectral *s, const double *values)
{
    const double *own = s->by_rows ? s->pairs.left : s->pairs.right;
    const double *partner = s->by_rows ? s->pairs.right : s->pairs.left;
    partan_status status = cross_back(s, values, partner, s->scrap);
    for (size_t i = 0; i < s->dimension; i++)
        s->scrap[i] -= s->pairs.value[0] * own[i];
    s->pairs.error = length(s, s->scrap, s->dimension) + DBL_EPSILON * s->pairs.value[0];
    memcpy(s->start, own, s->dimension * sizeof *own);
    return status;
}

/* The greatest value first: eigenvalues that are nearly equal may come in another order. */
static void put_greatest_first(pt_spectral *s)
{
    size_t rows = s->measurement->map.rows, columns = s->measurement->map.columns, best = 0;
    pt_pairs *p = &s->pairs;
    for (size_t k = 1; k < p->count; k++)
        best = p->value[k] > p->value[best] ? k : best;
    if (best == 0)
        return;
    double value = p->value[0];
    p->value[0] = p->value[best];
    p->value[best] = value;
    for (size_t i = 0; i < rows; i++) {
        double x = p->left[i];
        p->left[i] = p->left[best * rows + i];
        p->left[best * rows + i] = x;
    }
    for (size_t i = 0; i < columns; i++) {
        double x = p->right[i];
        p->right[i] = p->right[best * columns + i];
        p->right[best * columns + i] = x;
    }
}

/* Whether G, or what is left of it, is zero but for rounding: then there is nothing to be found. */
static partan_status find_zero(pt_spectral *s, const double *values, double *out, bool *zero)
{
    double size = pt_dot(s->context, values, values, s->measurement->map.count);
    *zero = size == 0;
    if (*zero)
        return PARTAN_OK;
    partan_status status = pt_spectral_product(s, values, s->start, out);
    *zero = length(s, out, s->dimension) <= 1e-24 * size * length(s, s->start, s->dimension);
    return status;
}

/* Any vectors of length 1. */
static void set_units(size_t n, size_t count, double *vectors)
{
    memset(vectors, 0, n * count * sizeof *vectors);
    for (size_t k = 0; k < count; k++)
        vectors[k * n + k] = 1;
}

/* No more than there are outside of what is projected out, and ARPACK wants room beside them. */
static size_t possible(const pt_spectral *s, size_t count)
{
    size_t taken = s->deflation ? s->deflation->x->rank : 0, n = s->dimension;
    size_t free = taken < n ? n - taken : 0, most = n <= SMALL ? free : free / 2;
    most = most > 0 ? most : 1;
    return count < most ? count : most;
}

partan_status pt_spectral_pairs(pt_spectral *s, const double *values, size_t wanted, double tolerance)
{
    size_t n = s->dimension, count = possible(s, wanted);
    bool zero = false;
    partan_status status = reserve(s, count);
    double *vectors = status ? NULL : pt_alloc(s->context, n * count, sizeof *vectors);
    if (!status && !vectors)
        status = pt_out_of_memory(s->context, "leading singular vectors");
    renew_start(s);
    if (!status)
        status = find_zero(s, values, vectors, &zero);
    if (!status && zero)
        set_units(n, count, vectors);
    else if (!status)
        status = n <= SMALL ? solve_small(s, values, count, vectors) : pt_arpack(s, values, count, tolerance, vectors);
    s->pairs.count = status ? 0 : count;
    for (size_t k = 0; k < count && !status; k++)
        status = complete(s, values, k, vectors + k * n);
    if (!status) {
        put_greatest_first(s);
        status = find_error(s, values);
    }
    pt_free(s->context, vectors);
    return status;
}
