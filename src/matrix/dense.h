/* Dense linear algebra of matrix recovery: sums over long vectors, and small matrices, n x n, row after row. Every sum
 * has one order, whatever the threads. */
#ifndef PT_DENSE_H
#define PT_DENSE_H

#include "core/team.h"

enum {
    PT_CHUNK_ENTRIES = 1 << 13, /* of a vector, that a thread takes at a time */
    PT_SCATTERED = 8            /* additions that one is worth whose number is anywhere in memory */
};

double pt_dot(partan_context *context, const double *a, const double *b, size_t count);

/* The threads for a piece of work, in additions. */
static inline int pt_matrix_threads(const partan_context *context, size_t work)
{
    return pt_team_for(context, 0.5 * (double)work);
}

/* Eigenvalues, descending, and orthonormal eigenvectors, the columns of `vectors`, of a symmetric A, which is
 * destroyed: Jacobi's method. */
void pt_eigen(size_t n, double *A, double *values, double *vectors);

/* A = U diag(s) V', s descending, U in place of A; Jacobi's one-sided method. Columns of U for which s is 0 are 0. */
void pt_svd(size_t n, double *A, double *s, double *V);

/* A = L L' in place, of the lower triangle; false when A is not positive definite. Lines are `stride` apart. */
bool pt_cholesky(size_t n, size_t stride, double *A);
void pt_multiply(size_t n, const double *A, const double *B, double *out); /* A B */

/* The nearest point of the nuclear-norm ball, for singular values: all less by the same amount, at least 0. */
void pt_project_simplex(double *s, size_t n, double radius);

#endif
