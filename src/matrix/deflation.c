#include "matrix/deflation.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 256 }; /* coefficients at a time, however high the rank is */

/* y -= F F'y, where column k of the factor is sqrt(singular[k]) times that of F. */
static void deflate(const pt_factors *x, const double *factor, size_t rows, double *y)
{
    for (size_t begin = 0; begin < x->rank; begin += CHUNK) {
        size_t count = x->rank - begin < CHUNK ? x->rank - begin : CHUNK;
        double part[CHUNK] = {0};
        for (size_t i = 0; i < rows; i++)
            for (size_t k = 0; k < count; k++)
                part[k] += factor[i * x->stride + begin + k] * y[i];
        for (size_t k = 0; k < count; k++)
            part[k] /= x->singular[begin + k];
        for (size_t i = 0; i < rows; i++)
            for (size_t k = 0; k < count; k++)
                y[i] -= factor[i * x->stride + begin + k] * part[k];
    }
}

void pt_deflate_left(const pt_deflation *deflation, double *y)
{
    deflate(deflation->x, deflation->x->left, deflation->x->rows, y);
}

void pt_deflate_right(const pt_deflation *deflation, double *y)
{
    deflate(deflation->x, deflation->x->right, deflation->x->columns, y);
}

/* [p q; r s], its largest singular value. */
static double norm_of_two(double p, double q, double r, double s)
{
    double sum = p * p + q * q + r * r + s * s, difference = p * p + q * q - r * r - s * s, mixed = p * r + q * s;
    return sqrt((sum + sqrt(difference * difference + 4 * mixed * mixed)) / 2);
}

double pt_deflation_bound(const pt_deflation *d, double outside)
{
    return norm_of_two(d->inside, d->across, d->along, outside);
}

/* Columns of `product`, G times the right factor (or its transpose times the left one), by their lengths. */
static void normalise(const pt_factors *x, double *product, size_t rows)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < x->rank; k++)
            product[i * x->stride + k] /= sqrt(x->singular[k]);
}

/* product -= F (F'product), F from the factor; *core, rank x rank, gets F'product. */
static void split(const pt_factors *x, const double *factor, size_t rows, double *product, double *core)
{
    size_t rank = x->rank, stride = x->stride;
    memset(core, 0, rank * rank * sizeof *core);
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < rank; k++) {
            double f = factor[i * stride + k] / sqrt(x->singular[k]);
            for (size_t l = 0; l < rank; l++)
                core[k * rank + l] += f * product[i * stride + l];
        }
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < rank; k++) {
            double f = factor[i * stride + k] / sqrt(x->singular[k]);
            for (size_t l = 0; l < rank; l++)
                product[i * stride + l] -= f * core[k * rank + l];
        }
}

static partan_status find_norms(pt_deflation *d, pt_measurement *m, const double *values, double *product, double *core)
{
    const pt_factors *x = d->x;
    size_t rank = x->rank, square = rank * rank;
    partan_status status = pt_measurement_times_factor(m, values, x->right, rank, x->stride, product);
    if (status)
        return status;
    normalise(x, product, x->rows);
    split(x, x->left, x->rows, product, core);
    status = pt_factor_norm(x, product, x->rows, &d->along);
    if (!status)
        status = pt_measurement_transposed_factor(m, values, x->left, rank, x->stride, product);
    if (status)
        return status;
    pt_svd(rank, core, core + 2 * square, core + square);
    d->inside = core[2 * square];
    normalise(x, product, x->columns);
    split(x, x->right, x->columns, product, core);
    return pt_factor_norm(x, product, x->columns, &d->across);
}

partan_status pt_deflation_make(pt_deflation *deflation, pt_measurement *measurement, const double *values,
                                const pt_factors *x)
{
    partan_context *context = x->context;
    size_t rank = x->rank, most = x->rows > x->columns ? x->rows : x->columns;
    *deflation = (pt_deflation){.x = x};
    if (rank == 0)
        return PARTAN_OK;
    double *product = pt_alloc_zero(context, most * x->stride, sizeof *product);
    double *core = pt_alloc(context, 2 * rank * rank + rank, sizeof *core);
    partan_status status = product && core ? PARTAN_OK : pt_out_of_memory(context, "the gradient against the factors");
    if (!status)
        status = find_norms(deflation, measurement, values, product, core);
    pt_free(context, product);
    pt_free(context, core);
    return status;
}
