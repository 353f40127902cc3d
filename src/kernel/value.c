/* One kernel value in double precision, for points in any storage: a merge of the two rows' nonzeros. */
#include <math.h>

#include "data/storage/layout.h"
#include "kernel/exact.h"

pt_metric pt_kernel_metric(partan_kernel kind)
{
    switch (kind) {
    case PARTAN_KERNEL_RBF:
        return PT_METRIC_SQUARES;
    case PARTAN_KERNEL_LAPLACIAN:
        return PT_METRIC_ABSOLUTE;
    default:
        return PT_METRIC_DOT;
    }
}

static double power(double base, int exponent)
{
    double result = 1;
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2)
            result *= base;
        base *= base;
    }
    return result;
}

double pt_kernel_of(const pt_kernel *kernel, double u)
{
    switch (kernel->kind) {
    case PARTAN_KERNEL_POLYNOMIAL:
        return power(kernel->gamma * u + kernel->coef0, kernel->degree);
    case PARTAN_KERNEL_SIGMOID:
        return tanh(kernel->gamma * u + kernel->coef0);
    case PARTAN_KERNEL_RBF:
    case PARTAN_KERNEL_LAPLACIAN:
        return exp(-kernel->gamma * u);
    default:
        return u;
    }
}

static bool next(pt_cursor *cursor)
{
    return pt_layout_of(cursor->matrix->storage)->next(cursor);
}

static double precomputed(const pt_matrix *matrix, size_t row, int64_t column)
{
    pt_cursor at = {.matrix = matrix, .row = row};
    while (next(&at))
        if (at.index == column)
            return (double)at.value;
    return 0;
}

/* What a feature adds to the measure where the two points' values are a and b. */
static double part(pt_metric measure, double a, double b)
{
    switch (measure) {
    case PT_METRIC_SQUARES:
        return (a - b) * (a - b);
    case PT_METRIC_ABSOLUTE:
        return fabs(a - b);
    default:
        return a * b;
    }
}

double pt_kernel_value(const pt_kernel *kernel, pt_points rows, size_t row, pt_points vertices, size_t vertex)
{
    if (kernel->kind == PARTAN_KERNEL_PRECOMPUTED)
        return precomputed(rows.matrix, row, vertices.serials[vertex]);
    pt_metric measure = pt_kernel_metric(kernel->kind);
    pt_cursor x = {.matrix = rows.matrix, .row = row}, z = {.matrix = vertices.matrix, .row = vertex};
    bool more_x = next(&x), more_z = next(&z);
    double u = 0;
    while (more_x || more_z) {
        bool take_x = more_x && (!more_z || x.index <= z.index);
        bool take_z = more_z && (!more_x || z.index <= x.index);
        u += part(measure, take_x ? (double)x.value : 0, take_z ? (double)z.value : 0);
        if (take_x)
            more_x = next(&x);
        if (take_z)
            more_z = next(&z);
    }
    return pt_kernel_of(kernel, u);
}

double pt_kernel_self(const pt_kernel *kernel, pt_points points, size_t row)
{
    bool one = kernel->kind == PARTAN_KERNEL_RBF || kernel->kind == PARTAN_KERNEL_LAPLACIAN;
    return one ? 1 : pt_kernel_value(kernel, points, row, points, row);
}
