/* Kernel functions, and sums of kernel values over a set of vertices. Blocks of values are in kernel/block.h. */
#ifndef PT_KERNEL_H
#define PT_KERNEL_H

#include "data/storage/matrix.h"

typedef struct pt_kernel {
    partan_kernel kind;
    double gamma;
    double coef0;
    int degree;
    float longest; /* squared norm of a row that is as long as any, where not all rows are at hand; 0: they are */
    bool less_one; /* of kernels that decay: values are k - 1, which float32 holds the better the closer k is to 1 */
} pt_kernel;

/* Points a kernel is evaluated at: rows of a matrix. For precomputed kernels the left points' matrix holds kernel
 * values and the right points are its columns, named by serials (from 0), with no matrix. */
typedef struct pt_points {
    const pt_matrix *matrix;
    const int64_t *serials;
} pt_points;

/* Settings to kernel; gamma rules are resolved from the rows. Fails when the kernel cannot be used with them. */
partan_status pt_kernel_from_settings(partan_context *context, const partan_settings *settings, const pt_matrix *rows,
                                      pt_kernel *kernel);

/* 1 / mean squared distance over all pairs (auto; 1 when all rows are equal), or 1 / (features x variance) (scale; 1
 * when all values are equal); of more than 262,144 rows, of so many at even distances. The rows may lack some of the
 * `features`, which are 0 everywhere. NaN when memory is out. */
double pt_gamma_of(partan_gamma rule, const pt_matrix *rows, size_t features);

/* The same in parts, for rows that are not all in one place: adds sums of each feature and, behind them, of all
 * squares, row by row, for rows that are those from number `first` on of so many (false when memory is out); and gamma
 * by a rule, from the sums over all rows of `columns` features. */
bool pt_moments_add(const pt_matrix *rows, uint64_t first, uint64_t all, double *sums);
double pt_gamma_by(partan_gamma rule, uint64_t all, size_t features, const double *sums, size_t columns);

/* sums[i] = sum_j weights[j] k(rows_i, vertices_j) for all rows and `count` vertices: float32 kernel values from the
 * fast blocks, summed in double. Threaded; reports progress in the current phase; PARTAN_INTERRUPTED when asked to
 * stop. */
partan_status pt_kernel_sums(partan_context *context, const pt_kernel *kernel, pt_points rows, pt_points vertices,
                             size_t count, const double *weights, double *sums);

/* The same with values weighed and added up in float32 over a panel of vertices, in double from there on: faster by the
 * storing and reading of values, with an error like that of the values themselves. The other one adds up the very
 * values that columns consist of, and so agrees with sums of columns to the precision of double. */
partan_status pt_kernel_sums_float32(partan_context *context, const pt_kernel *kernel, pt_points rows,
                                     pt_points vertices, size_t count, const double *weights, double *sums);

/* The same for the rows of one matrix among themselves, of a kernel that is not precomputed: sums[i] = sum_j weights[j]
 * k(rows_i, rows_j), with each value computed once for both rows. */
partan_status pt_kernel_sums_among(partan_context *context, const pt_kernel *kernel, const pt_matrix *rows,
                                   const double *weights, double *sums);

/* Several sums at once: the weights of vertex v are terms begin[v] .. begin[v + 1] - 1, each for a sum; sums[i *
 * terms->sums + s] is that of row i. Precise as pt_kernel_sums_float32; it is fast where vertices that stand
 * together have weights in the same sums. */
typedef struct pt_terms {
    size_t sums;
    const size_t *begin;
    const size_t *sum;
    const double *weight;
} pt_terms;
partan_status pt_kernel_sums_several(partan_context *context, const pt_kernel *kernel, pt_points rows,
                                     pt_points vertices, size_t count, const pt_terms *terms, double *sums);

/* The same as pt_kernel_sums with every kernel value computed in double precision: the auditor's version, slower. */
partan_status pt_kernel_sums_exact(partan_context *context, const pt_kernel *kernel, pt_points rows, pt_points vertices,
                                   size_t count, const double *weights, double *sums);

/* The values themselves, a block of rows at a time, of a kernel that is not precomputed: `take` is called for rows
 * first .. first + rows - 1 with values[v * PT_EXACT_ROWS + i] = k(row first + i, vertex v) and may write there; from
 * several threads at once. */
#define PT_EXACT_ROWS 128
typedef void pt_exact_taker(void *user, size_t first, size_t rows, double *values);
partan_status pt_kernel_values_exact(partan_context *context, const pt_kernel *kernel, pt_points rows,
                                     pt_points vertices, size_t count, pt_exact_taker *take, void *user);

/* Whether k is so close to 1, on average over the pairs of some rows at even distances, that it is better computed as
 * k - 1. */
enum { PT_NEAR_SAMPLE = 16 };
bool pt_kernel_near_one(const pt_kernel *kernel, const pt_matrix *rows);

/* Whether all its matrices are positive semidefinite, whatever the rows. */
bool pt_kernel_definite(const pt_kernel *kernel);

/* One value in double precision. */
double pt_kernel_value(const pt_kernel *kernel, pt_points rows, size_t row, pt_points vertices, size_t vertex);
double pt_kernel_self(const pt_kernel *kernel, pt_points points, size_t row); /* k(x, x) */
/* That of all rows, to the same bits, by all threads. */
void pt_kernel_selves(partan_context *context, const pt_kernel *kernel, pt_points points, double *values);

#endif
