/* Products of float32 columns with vectors in double, for designs whose columns are features: what least squares costs.
 *
 * A column is a run of lines of PT_TILE rows, wherever each line is: side by side in a copy of the column, or a tile
 * apart where the rows' own dense storage is looked at by feature. Rows past the last are zeros. Every sum runs in one
 * order, whatever the threads. */
#ifndef PT_COLUMNS_H
#define PT_COLUMNS_H

#include "core/isa.h"
#include "data/storage/matrix.h"

/* Line l of column j is PT_TILE values at values + j * column_step + l * line_step. */
typedef struct pt_columns {
    const float *values;
    size_t column_step;
    size_t line_step;
    size_t lines;
} pt_columns;

/* Compressed columns: column j holds rows (ascending) and values offsets[j] .. offsets[j + 1] - 1. */
typedef struct pt_sparse_columns {
    const int64_t *offsets;
    const int32_t *rows;
    const float *values;
} pt_sparse_columns;

#define PT_COLUMN_VECTORS 8 /* vectors that one product takes at most */

typedef struct pt_columns_ops {
    /* out[i * vectors + v] += <column, vector v> for `count` columns: those of `which`, or (NULL) from `first` on.
     * Vector v is at vector + v * stride, PT_TILE * lines long; 1 <= vectors <= PT_COLUMN_VECTORS. */
    void (*dots)(const pt_columns *columns, const int64_t *which, size_t first, size_t count, const double *vector,
                 size_t stride, size_t vectors, double *out);

    /* sums[0] = sum of d, sums[1] = sum of d^2, where d = value - shift on the rows where `ones` is 1. */
    void (*moments)(const pt_columns *columns, size_t column, const double *ones, double shift, double sums[2]);

    /* vector += factor * column. */
    void (*add)(const pt_columns *columns, size_t column, double factor, double *vector);

    /* The first for compressed columns; row r of vector v is at vector[r * vectors + v]. */
    void (*sparse_dots)(const pt_sparse_columns *columns, const int64_t *which, size_t first, size_t count,
                        const double *vector, size_t vectors, double *out);

    /* y += factor * x, and <x, y>. */
    void (*axpy)(double factor, const double *x, size_t count, double *y);
    double (*dot)(const double *x, const double *y, size_t count);
} pt_columns_ops;

const pt_columns_ops *pt_columns_ops_for(pt_isa isa);

#endif
