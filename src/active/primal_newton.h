/* Newton's method for primal problems, for its own files: primal_newton.c, its steps; primal_rows.c, the rows of a
 * working set and their weights; primal_system.c, a step's system of equations. */
#ifndef PT_ACTIVE_PRIMAL_NEWTON_H
#define PT_ACTIVE_PRIMAL_NEWTON_H

#include "active/state.h"
#include "lowrank/preconditioner.h"

typedef struct pt_primal_newton {
    method *m;
    pt_working *w;
    size_t count;      /* rows */
    size_t *member[2]; /* that are a row's vertices */
    int64_t *ids;      /* the rows among all */
    pt_matrix rows;
    bool shares;         /* processes share the rows of products out: of this one are */
    pt_span part;        /* these, */
    pt_matrix part_rows; /* of which it has a copy */
    pt_preconditioner preconditioner;
    double spent;              /* nanoseconds of products since it has its rank */
    double *costs;             /* C of the rows */
    double *targets[2];        /* t - epsilon, and -t - epsilon: -c of the vertices */
    double *point, *product;   /* b, and K b */
    double *counted;           /* C of the rows of the system, 0 for others */
    double *rest;              /* what the system's right side has left, 0 for others */
    double *solution, *solved; /* of the system, and K times it */
    double *search, *searched; /* conjugate gradients' direction, and K times it */
    double *better;            /* the preconditioned rest */
    double *weights;           /* of a support */
    int64_t *support;
} pt_primal_newton;

/* The rows of the working set, with their weights. `found`: whether both vertices of each are members. */
partan_status pt_primal_rows_open(pt_primal_newton *n, bool *found);
void pt_primal_rows_free(pt_primal_newton *n);

/* The point's weights, to the working set. The slack has what they leave of 1. */
void pt_primal_rows_give(const pt_primal_newton *n);

/* Its pivots stay while the set does not grow much. */
partan_status pt_primal_system_precondition(pt_primal_newton *n);

/* The system of the rows of a loss at the point, until its rest is no more than `enough` of the gap. PARTAN_STALLED
 * where rounding leaves no step. */
partan_status pt_primal_system_solve(pt_primal_newton *n, double enough);

static inline const pt_dual *pt_primal_dual(const pt_primal_newton *n)
{
    return &n->m->simplex->dual;
}

static inline double pt_primal_inner(const pt_primal_newton *n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t r = 0; r < n->count; r++)
        sum += a[r] * b[r];
    return sum;
}

/* By how much a row is beyond epsilon where its prediction is this; negative where it is too high. */
static inline double pt_primal_loss(const pt_primal_newton *n, size_t r, double predicted)
{
    double below = n->targets[0][r] - predicted, above = n->targets[1][r] + predicted;
    return below > 0 ? below : above > 0 ? -above : 0;
}

#endif
