/* Alternating least squares with a ridge: for fixed lambda, the factors of X = left right' are improved in turn,
 *
 *     min 1/2 sum over known entries (left_i'right_j - b_ij)^2 + lambda/2 (|left|^2 + |right|^2)
 *
 * which, over all factors of enough columns, has the minimum of 1/2 |A(X) - b|^2 + lambda |X|_*. */
#ifndef PT_ALS_H
#define PT_ALS_H

#include "matrix/measurement.h"

typedef struct pt_als {
    const pt_sampling *sampling;
    const double *by_rows; /* the caller's b, */
    double *by_columns;    /* and in the order of columns */
} pt_als;

partan_status pt_als_make(pt_als *als, const pt_sampling *sampling, const double *b);
void pt_als_free(pt_als *als);

/* The left factor, then the right one; each goes beyond its least squares solution by a share of the way there
 * (over-relaxation), 0 for none. The factors must be balanced, so that what was there before is comparable.
 * PARTAN_INTERRUPTED when asked to stop: the factors are then of no use. */
partan_status pt_als_sweep(const pt_als *als, pt_factors *factors, double lambda, double beyond);

#endif
