/* The working set of the Lasso solver: some columns of a design with all their inner products, so that steps among them
 * touch no row. Members never leave, and what was computed of them serves every lambda. */
#ifndef PT_MEMBERS_H
#define PT_MEMBERS_H

#include "lasso/design.h"

typedef struct pt_members {
    const pt_design *design;
    size_t count, capacity;
    int64_t *ids;
    int32_t *place; /* of every feature: its number among the members from 1 on; 0: it is none */
    float *panel;   /* of a dense design: copies of the columns, one after the other */
    double *gram;   /* <column i, column j> / n at [i * capacity + j] */
    double *linear; /* <column, target> / n */
    double *x;      /* coefficients */
    double *score;  /* linear - gram x: <column, residual> / n */
    double *fresh;  /* room for new columns written out, and for the same row by row */
    double *rows_first;
} pt_members;

partan_status pt_members_init(pt_members *members, const pt_design *design);
void pt_members_free(pt_members *members);

/* Adds features that are no members yet, with coefficients 0; scores are those of the present x. */
partan_status pt_members_add(pt_members *members, const int64_t *ids, size_t count);

/* Scores from the coefficients, against drift. */
void pt_members_rescore(pt_members *members);

static inline const double *pt_members_gram(const pt_members *members, size_t i)
{
    return members->gram + i * members->capacity;
}

#endif
