/* The working set of the Lasso solver: some columns of a design with their coefficients and scores. Members never
 * leave, and what was computed of them serves every lambda.
 *
 * Where columns are long, all inner products of members are kept, and a step touches no row: scores follow it by a line
 * of the Gram matrix. Where columns are short, or members too many for that, a residual is kept instead, and scores are
 * computed from it when somebody asks. */
#ifndef PT_MEMBERS_H
#define PT_MEMBERS_H

#include "lasso/design.h"

typedef struct pt_members {
    const pt_design *design;
    size_t count, capacity;
    int64_t *ids;
    int32_t *place; /* of every feature: its number among the members from 1 on; 0: it is none */
    double *linear; /* <column, target> / n */
    double *square; /* |column|^2 / n */
    double *x;      /* coefficients */
    double *score;  /* <column, target - sum of x_i column_i> / n; without inner products, once refreshed */

    bool stored;  /* inner products are kept: */
    float *panel; /* of a dense design: copies of the columns, one after the other */
    double *gram; /* <column i, column j> / n at [i * capacity + j] */

    bool stale;       /* they are not, and scores are not up to date */
    double *residual; /* but for a constant, and with the columns as they are, not centred; 0 on rows left out */
    double sum;       /* of it */

    double *fresh; /* room for new columns written out, and for the same row by row */
    double *rows_first;
} pt_members;

partan_status pt_members_init(pt_members *members, const pt_design *design);
void pt_members_free(pt_members *members);

/* Adds features that are no members yet, with coefficients 0. */
partan_status pt_members_add(pt_members *members, const int64_t *ids, size_t count);

/* Scores from the coefficients, against drift, or when these have been set. */
void pt_members_rescore(pt_members *members);

/* All scores are up to date afterwards. */
void pt_members_refresh(pt_members *members);

static inline const double *pt_members_gram(const pt_members *members, size_t i)
{
    return members->gram + i * members->capacity;
}

/* ---- member_steps.c ---- */

double pt_members_score(const pt_members *members, size_t i); /* of one member, up to date */

/* x_i += step. */
void pt_members_move(pt_members *members, size_t i, double step);

/* x[which[k]] += steps[k] for several different members. */
void pt_members_move_all(pt_members *members, const size_t *which, const double *steps, size_t count);

/* <column i, column which[k]> / n. */
void pt_members_products(pt_members *members, size_t i, const size_t *which, size_t count, double *out);

/* What a sweep over all members costs, with `active` of them moving, and what an inner product of two does; in the time
 * of a product of two numbers side by side with others. */
double pt_members_sweep_cost(const pt_members *members, size_t active);
double pt_members_product_cost(const pt_members *members);

#endif
