#include "matrix/factors.h"

#include <math.h>
#include <string.h>

#include "kernel/algebra.h"

void pt_factors_init(pt_factors *factors, partan_context *context, size_t rows, size_t columns)
{
    *factors = (pt_factors){.context = context, .rows = rows, .columns = columns};
}

void pt_factors_free(pt_factors *factors)
{
    if (!factors->context)
        return;
    pt_free(factors->context, factors->left);
    pt_free(factors->context, factors->right);
    pt_free(factors->context, factors->singular);
    pt_factors_init(factors, factors->context, factors->rows, factors->columns);
}

static size_t stride_for(size_t rank)
{
    return (rank + PT_GRAM_UNIT - 1) / PT_GRAM_UNIT * PT_GRAM_UNIT;
}

static void copy_rows(const double *from, size_t from_stride, double *to, size_t to_stride, size_t rows, size_t rank)
{
    for (size_t i = 0; i < rows && rank > 0; i++)
        memcpy(to + i * to_stride, from + i * from_stride, rank * sizeof *to);
}

partan_status pt_factors_reserve(pt_factors *factors, size_t rank)
{
    partan_context *context = factors->context;
    size_t stride = stride_for(rank > 0 ? rank : 1);
    if (stride <= factors->stride)
        return PARTAN_OK;
    pt_factors larger = *factors;
    larger.stride = stride;
    larger.left = pt_alloc_zero(context, factors->rows * stride, sizeof(double));
    larger.right = pt_alloc_zero(context, factors->columns * stride, sizeof(double));
    larger.singular = pt_alloc_zero(context, stride, sizeof(double));
    if (!larger.left || !larger.right || !larger.singular) {
        pt_factors_free(&larger);
        return pt_out_of_memory(context, "the factors of a matrix");
    }
    copy_rows(factors->left, factors->stride, larger.left, stride, factors->rows, factors->rank);
    copy_rows(factors->right, factors->stride, larger.right, stride, factors->columns, factors->rank);
    copy_rows(factors->singular, 0, larger.singular, 0, 1, factors->rank);
    pt_factors_free(factors);
    *factors = larger;
    return PARTAN_OK;
}

partan_status pt_factors_copy(const pt_factors *source, pt_factors *copy)
{
    partan_status status = pt_factors_reserve(copy, source->rank);
    if (status)
        return status;
    memset(copy->left, 0, copy->rows * copy->stride * sizeof(double));
    memset(copy->right, 0, copy->columns * copy->stride * sizeof(double));
    copy->rank = source->rank;
    copy_rows(source->left, source->stride, copy->left, copy->stride, copy->rows, copy->rank);
    copy_rows(source->right, source->stride, copy->right, copy->stride, copy->columns, copy->rank);
    copy_rows(source->singular, 0, copy->singular, 0, 1, copy->rank);
    return PARTAN_OK;
}

partan_status pt_factors_append(pt_factors *factors, const double *u, const double *v, double weight)
{
    partan_status status = pt_factors_reserve(factors, factors->rank + 1);
    if (status)
        return status;
    size_t k = factors->rank++, stride = factors->stride;
    double root = sqrt(weight);
    for (size_t i = 0; i < factors->rows; i++)
        factors->left[i * stride + k] = root * u[i];
    for (size_t j = 0; j < factors->columns; j++)
        factors->right[j * stride + k] = root * v[j];
    factors->singular[k] = weight;
    return PARTAN_OK;
}

void pt_factors_scale(pt_factors *factors, double scale)
{
    double root = sqrt(scale);
    for (size_t i = 0; i < factors->rows * factors->stride; i++)
        factors->left[i] *= root;
    for (size_t i = 0; i < factors->columns * factors->stride; i++)
        factors->right[i] *= root;
    for (size_t k = 0; k < factors->rank; k++)
        factors->singular[k] *= scale;
}

double pt_factors_norm(const pt_factors *factors)
{
    double sum = 0;
    for (size_t k = factors->rank; k-- > 0;)
        sum += factors->singular[k];
    return sum;
}
