/* The columns of a data set, one a feature: dense ones in float32, looked at where the rows are stored if those are
 * dense, or compressed ones. Which of the two is a matter of density alone. */
#ifndef PT_STORE_H
#define PT_STORE_H

#include "data/data.h"
#include "kernel/columns.h"

typedef struct pt_store {
    partan_context *context;
    const pt_columns_ops *ops;
    size_t rows, features;
    size_t padded; /* rows in whole lines: the length of every vector that meets a column */
    bool sparse;
    pt_columns dense;
    pt_sparse_columns compressed;

    /* What it owns. */
    pt_matrix converted; /* to dense storage */
    int64_t *offsets;
    int32_t *indices;
    float *values;
} pt_store;

/* The data must outlive the store. */
partan_status pt_store_make(pt_store *store, const partan_data *data);
void pt_store_free(pt_store *store);

/* The entries of a column on average: what a product with one costs. */
size_t pt_store_length(const pt_store *store);

/* out[i * vectors + v] = <column, vector v> for some columns as in pt_columns_ops.dots, by one thread. Vectors are
 * `padded` long and `padded` apart; `rows_first`, for compressed columns and several vectors, has the same vectors as
 * pt_store_interleave makes them. */
void pt_store_dots(const pt_store *store, const int64_t *which, size_t first, size_t count, const double *vectors,
                   const double *rows_first, size_t vector_count, double *out);

/* Copies `count` vectors side by side, row by row, with zeros for those up to PT_COLUMN_VECTORS; `out` has room for
 * padded * PT_COLUMN_VECTORS. */
void pt_store_interleave(const pt_store *store, const double *vectors, size_t count, double *out);

/* vector += factor * column, on the rows of lines first .. first + lines - 1. */
void pt_store_add(const pt_store *store, size_t column, double factor, size_t first, size_t lines, double *vector);

/* Mean and variance (divisor: the number of rows counted) of a column over the rows where `ones` is 1; the variance is
 * 0 exactly when all these values are equal. */
void pt_store_moments(const pt_store *store, size_t column, const double *ones, size_t counted, double *mean,
                      double *variance);

#endif
