/* Rows that are equal in values, signs and linear terms. */
#ifndef PT_MERGING_H
#define PT_MERGING_H

#include "simplex/dual.h"
#include "simplex/share.h"

/* Of each row the first one that equals it; there are fewer than UINT32_MAX. */
partan_status pt_merging_firsts(const pt_matrix *rows, const pt_dual *dual, uint32_t *firsts);

/* From a row's hash, with the signs and linear terms of its vertices: rows of one key are nearly always equal, and can
 * be merged. */
uint64_t pt_merging_key(const pt_dual *dual, size_t row, uint64_t hash);

/* The same of rows that live in several processes: of each own row, the number of the first of all
 * that equals it, and of those that are the first, the sum of the costs of all that equal it. Called by all. */
partan_status pt_merging_firsts_shared(const pt_share *share, int64_t *firsts, double *cost_weights);

#endif
