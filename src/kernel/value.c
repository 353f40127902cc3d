/* One kernel value in double precision, for points in any storage: a merge of the two rows' nonzeros. */
#include <math.h>

#include "kernel/exact.h"

pt_measure pt_kernel_measure(partan_kernel kind)
{
    switch (kind) {
    case PARTAN_KERNEL_RBF:
        return PT_MEASURE_SQUARES;
    case PARTAN_KERNEL_LAPLACIAN:
        return PT_MEASURE_ABSOLUTE;
    default:
        return PT_MEASURE_DOT;
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

/* Walks the nonzeros of a row. `position` is an index into the compressed row, or a feature. */
typedef struct cursor {
    const pt_matrix *matrix;
    size_t row;
    size_t position, end;
    size_t index; /* feature of the current nonzero; SIZE_MAX past the last */
    double value;
} cursor;

static double value_at(const pt_matrix *matrix, size_t row, size_t feature)
{
    size_t tile = row / PT_TILE, lane = row % PT_TILE;
    if (matrix->storage == PARTAN_STORAGE_DENSE)
        return (double)matrix->dense[(tile * matrix->features + feature) * PT_TILE + lane];
    uint32_t word = matrix->bits[(tile * matrix->words + feature / 32) * PT_TILE + lane];
    return (double)(word >> (feature % 32) & 1);
}

static void cursor_next(cursor *at)
{
    const pt_matrix *matrix = at->matrix;
    for (; at->position < at->end; at->position++) {
        bool sparse = matrix->storage == PARTAN_STORAGE_SPARSE;
        double value = sparse ? (double)matrix->values[at->position] : value_at(matrix, at->row, at->position);
        if (value != 0) {
            at->index = sparse ? (size_t)matrix->indices[at->position] : at->position;
            at->value = value;
            at->position++;
            return;
        }
    }
    at->index = SIZE_MAX;
    at->value = 0;
}

static cursor cursor_start(const pt_matrix *matrix, size_t row)
{
    cursor at = {.matrix = matrix, .row = row, .end = matrix->features};
    if (matrix->storage == PARTAN_STORAGE_SPARSE) {
        at.position = (size_t)matrix->offsets[row];
        at.end = (size_t)matrix->offsets[row + 1];
    }
    cursor_next(&at);
    return at;
}

static double precomputed(const pt_matrix *matrix, size_t row, int64_t column)
{
    for (cursor at = cursor_start(matrix, row); at.index != SIZE_MAX; cursor_next(&at))
        if (at.index == (size_t)column)
            return at.value;
    return 0;
}

double pt_kernel_value(const pt_kernel *kernel, pt_points rows, size_t row, pt_points vertices, size_t vertex)
{
    if (kernel->kind == PARTAN_KERNEL_PRECOMPUTED)
        return precomputed(rows.matrix, row, vertices.serials[vertex]);
    pt_measure measure = pt_kernel_measure(kernel->kind);
    cursor x = cursor_start(rows.matrix, row);
    cursor z = cursor_start(vertices.matrix, vertex);
    double u = 0;
    while (x.index != SIZE_MAX || z.index != SIZE_MAX) {
        size_t index = x.index < z.index ? x.index : z.index;
        double a = x.index == index ? x.value : 0;
        double b = z.index == index ? z.value : 0;
        if (measure == PT_MEASURE_DOT)
            u += a * b;
        else
            u += measure == PT_MEASURE_SQUARES ? (a - b) * (a - b) : fabs(a - b);
        if (x.index == index)
            cursor_next(&x);
        if (z.index == index)
            cursor_next(&z);
    }
    return pt_kernel_of(kernel, u);
}
