/* A Cholesky factor L L' of the inner products of some members, which members join and leave one at a time. */
#ifndef PT_FACTOR_H
#define PT_FACTOR_H

#include "lasso/members.h"

typedef struct pt_factor {
    pt_members *members;
    size_t count, capacity;
    size_t *which; /* the members, in the order of L's lines */
    double *lower; /* line i at lower + i * capacity */
    double *work;
} pt_factor;

void pt_factor_init(pt_factor *factor, pt_members *members);
void pt_factor_free(pt_factor *factor);

/* Appends a member. *joined is false where it depends on those that are there, to rounding: it is left out then, and
 * `share`, with room for all of them, tells how it is combined of them. */
partan_status pt_factor_append(pt_factor *factor, size_t member, bool *joined, double *share);
void pt_factor_remove(pt_factor *factor, size_t line);

/* Solves L L' v = v in place. */
void pt_factor_solve(const pt_factor *factor, double *v);

#endif
