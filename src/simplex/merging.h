/* Rows that are equal in values, signs and linear terms. */
#ifndef PT_MERGING_H
#define PT_MERGING_H

#include "simplex/dual.h"
#include "simplex/share.h"

/* Of each row the first one that equals it; there are fewer than UINT32_MAX. */
partan_status pt_merging_firsts(const pt_matrix *rows, const pt_dual *dual, uint32_t *firsts);

/* The same of rows that live in several processes, with a sign each: of each own row, the number of the first of all
 * that equals it, and of those that are the first, the sum of the costs of all that equal it. Called by all. */
partan_status pt_merging_firsts_shared(const pt_share *share, int64_t *firsts, double *cost_weights);

#endif
