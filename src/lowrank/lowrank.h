/* Low-rank factors of a kernel: where the kernel matrix is, up to a small residual, a product of few factors,
 *
 *     k(x, z) = phi(x)'phi(z) + residual,  phi(x) = L^-1 (k(x, p_1), ..., k(x, p_r)),  L L' = (k(p_i, p_j)),
 *
 * as with linear and polynomial kernels of few features, and smooth rbf kernels of few dimensions. The pivots p are
 * rows, chosen by a Cholesky factorisation (each the row of largest residual). The residual is positive semidefinite,
 * so that it is at most sqrt(d_x d_z), d_x = k(x, x) - |phi(x)|^2. */
#ifndef PT_LOWRANK_H
#define PT_LOWRANK_H

#include "kernel/algebra.h"

enum { PT_LOWRANK_CANDIDATES = 2048 }; /* rows among which pivots are looked for, at most */

/* Rows, and more of them whose numbers follow theirs; NULL: none. */
typedef struct pt_lowrank_points {
    pt_points first;
    const pt_matrix *second;
} pt_lowrank_points;

typedef struct pt_lowrank {
    partan_context *context;
    pt_kernel kernel;         /* never less one */
    pt_lowrank_points points; /* rows that pivots are chosen from and that ids name */
    const pt_algebra_ops *ops;
    size_t rank;             /* 0: none */
    size_t most;             /* the rank that there is room for, and the stride of */
    double *cholesky;        /* L, by lines */
    int64_t *ids;            /* the pivots among the points, */
    pt_matrix pivots;        /* and their rows */
    bool patient;            /* does not give up before `most` pivots, */
    bool coarse;             /* nor then: what these leave is taken as it is */
    double residual;         /* the largest d of the rows among which pivots were chosen */
    double rounding;         /* what rounding may have done to sums by pt_lowrank_sums so far */
    uint64_t *kernel_values; /* the caller's count of those computed */
} pt_lowrank;

/* Numbers of points drawn at random from so many, with replacement; all where there are few. The caller frees them;
 * NULL: memory is out. */
int64_t *pt_lowrank_draw(partan_context *context, size_t points, size_t *count);
/* Looks for factors by at most `most` pivots that leave some points a residual of at most `residual`. The rank is 0
 * when there are none. Gives up early where the residuals fall too slowly. */
partan_status pt_lowrank_make(pt_lowrank *lowrank, partan_context *context, const pt_kernel *kernel,
                              pt_lowrank_points points, uint64_t *kernel_values, double residual, size_t most,
                              const int64_t *ids, size_t count);
/* The same for some points, to the end: at the worst, each of them is a pivot. */
partan_status pt_lowrank_make_among(pt_lowrank *lowrank, partan_context *context, const pt_kernel *kernel,
                                    pt_lowrank_points points, uint64_t *kernel_values, double residual, size_t most,
                                    const int64_t *ids, size_t count);
/* The same with `most` pivots if need be, whatever these leave: a part of the kernel that makes the rest better
 * conditioned. */
partan_status pt_lowrank_make_coarse(pt_lowrank *lowrank, partan_context *context, const pt_kernel *kernel,
                                     pt_lowrank_points points, uint64_t *kernel_values, double residual, size_t most,
                                     const int64_t *ids, size_t count);
/* More pivots, among some points, or a sample of them where they are many; the rank is 0 when that is too many pivots.
 */
partan_status pt_lowrank_extend(pt_lowrank *lowrank, const int64_t *ids, size_t count);
void pt_lowrank_free(pt_lowrank *lowrank);

/* The rows that ids name. */
partan_status pt_lowrank_gather(const pt_lowrank *lowrank, const int64_t *ids, size_t count, pt_matrix *rows);

/* factors[i * stride + k] = phi_k(row i), 0 from the rank on, and residuals[i] = d_i; either may be NULL. `ids` name
 * the rows among the points; NULL: all, in order. */
partan_status pt_lowrank_factors(const pt_lowrank *lowrank, const pt_matrix *rows, const int64_t *ids, double *factors,
                                 size_t stride, double *residuals);
partan_status pt_lowrank_factors_float32(const pt_lowrank *lowrank, const pt_matrix *rows, float *factors,
                                         size_t stride);

/* sums[i] = sum_j weights[j] phi(rows_i)'phi(point ids[j]): sums of kernel values, up to the residual, at the cost of
 * one for each pivot instead of each point. */
partan_status pt_lowrank_sums(pt_lowrank *lowrank, const pt_matrix *rows, const int64_t *ids, const double *weights,
                              size_t count, double *sums);

#endif
