/* Kernels of low rank: where the kernel matrix is, to a small residual, a product of few features,
 *
 *     k(x, z) = phi(x)'phi(z) + residual,  phi(x) = L^-1 (k(x, p_1), ..., k(x, p_r)),  L L' = (k(p_i, p_j)),
 *
 * as with linear and polynomial kernels of few features, and smooth rbf kernels of few dimensions. The pivots p are
 * rows, chosen by a Cholesky factorisation (each the row of largest residual). The residual is positive semidefinite,
 * so that it is at most sqrt(d_x d_z), d_x = k(x, x) - |phi(x)|^2. */
#ifndef PT_BASIS_H
#define PT_BASIS_H

#include "simplex/simplex.h"

enum { PT_BASIS_CANDIDATES = 2048 }; /* rows among which pivots are looked for, at most */

typedef struct pt_basis {
    partan_context *context;
    pt_simplex *simplex;
    size_t rank;      /* 0: none */
    size_t most;      /* the rank that there is room for, and the stride of */
    double *factor;   /* L, by lines */
    int64_t *ids;     /* the pivots: vertices of the simplex problem, */
    pt_matrix pivots; /* and their rows */
    double residual;  /* the largest d of the rows among which pivots were chosen */
    double rounding;  /* what rounding may have done to sums by pt_basis_sums so far */
} pt_basis;

/* Looks for a basis of at most `most` pivots that leaves some rows, drawn at random, a residual of at most `residual`.
 * The rank is 0 when there is none. Gives up early where the residuals fall too slowly. */
partan_status pt_basis_make(pt_basis *basis, pt_simplex *simplex, double residual, size_t most);
/* More pivots, among some rows, or a sample of them where they are many; the rank is 0 when that is too many pivots. */
partan_status pt_basis_extend(pt_basis *basis, const int64_t *ids, size_t count);
void pt_basis_free(pt_basis *basis);

/* features[i * stride + k] = phi_k(row i), and residuals[i] = d_i. */
partan_status pt_basis_features(const pt_basis *basis, const pt_matrix *rows, const int64_t *ids, double *features,
                                size_t stride, double *residuals);

/* sums[i] = sum_j weights[j] phi(rows_i)'phi(vertex ids[j]): what pt_simplex_sums has, up to the residual, at the cost
 * of a kernel value for each pivot instead of each vertex. */
partan_status pt_basis_sums(pt_basis *basis, const pt_matrix *rows, const int64_t *ids, const double *weights,
                            size_t count, double *sums);

#endif
