/* A matrix in factors, X = left right', balanced: column k of both has length sqrt(singular[k]), and the columns of
 * each are orthogonal; so singular[] are the singular values of X, descending. */
#ifndef PT_FACTORS_H
#define PT_FACTORS_H

#include "matrix/dense.h"

typedef struct pt_factors {
    partan_context *context;
    size_t rows, columns;
    size_t rank;
    size_t stride;        /* doubles from one row of a factor to the next, PT_GRAM_UNIT's multiple; what is beyond the
                             rank is 0 */
    double *left, *right; /* rows x stride, columns x stride */
    double *singular;     /* `stride` of them */
} pt_factors;

void pt_factors_init(pt_factors *factors, partan_context *context, size_t rows, size_t columns);
void pt_factors_free(pt_factors *factors);
/* Room for this rank; what is there stays. */
partan_status pt_factors_reserve(pt_factors *factors, size_t rank);
partan_status pt_factors_copy(const pt_factors *source, pt_factors *copy);

/* One more column of each factor, weight * u v' in the product: sqrt(weight) u and sqrt(weight) v. Not balanced. */
partan_status pt_factors_append(pt_factors *factors, const double *u, const double *v, double weight);
void pt_factors_scale(pt_factors *factors, double scale); /* X by scale >= 0 */

double pt_factors_norm(const pt_factors *factors); /* nuclear: the sum of singular values */

/* Balances whatever left and right are. Singular values below `least` times the largest are left out, and those beyond
 * the first `most` (0: no limit). Precise to about 1e-7 of the largest singular value. */
partan_status pt_factors_balance(pt_factors *factors, double least, size_t most);
/* To full precision, of what is balanced already. */
partan_status pt_factors_polish(pt_factors *factors);

/* out = factor T, of a factor laid out as these are and T rank x rank. */
partan_status pt_factor_times(const pt_factors *factors, const double *factor, size_t rows, const double *T,
                              double *out);

/* factor' factor, rank x rank, of a factor laid out as these are; and the largest singular value of one. */
partan_status pt_factor_gram(const pt_factors *factors, const double *factor, size_t rows, double *out);
partan_status pt_factor_norm(const pt_factors *factors, const double *factor, size_t rows, double *norm);

#endif
