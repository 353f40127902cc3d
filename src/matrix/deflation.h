/* The gradient G against the singular vectors U and V of X. At the solution G V = -lambda U and G'U = -lambda V: as
 * many singular values of G as X has rank are equal, which is hard for any eigensolver, and nothing new. With
 * projections P = I - UU' and Q = I - VV',
 *
 *     |G|_2 <= | |U'GV|_2   |U'GQ|_2 |
 *              | |PGV|_2    |PGQ|_2  |_2
 *
 * where all but |PGQ|_2 are norms of matrices of few rows or columns, which are computed; and what is worth adding to X
 * is among the leading singular vectors of PGQ. */
#ifndef PT_DEFLATION_H
#define PT_DEFLATION_H

#include "matrix/measurement.h"

typedef struct pt_deflation {
    const pt_factors *x;  /* balanced; rank 0: nothing is projected out */
    double inside;        /* |U'GV|_2 */
    double across, along; /* |U'GQ|_2, |PGV|_2 */
} pt_deflation;

/* The measurement must be prepared for the values. */
partan_status pt_deflation_make(pt_deflation *deflation, pt_measurement *measurement, const double *values,
                                const pt_factors *x);

/* The bound of |G|_2, given one of |PGQ|_2. */
double pt_deflation_bound(const pt_deflation *deflation, double outside);

/* y -= U U'y, of a vector with as many entries as X has rows; or y -= V V'y. */
void pt_deflate_left(const pt_deflation *deflation, double *y);
void pt_deflate_right(const pt_deflation *deflation, double *y);

#endif
