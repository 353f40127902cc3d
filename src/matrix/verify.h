/* What the audit of a fitted matrix is made of (verify.c). */
#ifndef PT_MATRIX_VERIFY_H
#define PT_MATRIX_VERIFY_H

#include "matrix/ratings.h"

/* lower <= |G|_2 <= upper for G with `residual` at the ratings' places, in their order of rows, and 0 elsewhere; the
 * upper bound as said in spectral.h. Until they are within `enough`, or further steps would be too many. */
partan_status pt_verify_norm(partan_context *context, const partan_ratings *ratings, const double *residual,
                             double enough, double *lower, double *upper);

#endif
