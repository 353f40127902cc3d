/* A preconditioner for systems of kernel matrices with a diagonal, from low-rank factors psi of the kernel with its
 * bias:
 *
 *     M = Psi Psi' + diag(1 / C),    M^-1 = C - C Psi (I + Psi' C Psi)^-1 Psi' C
 *
 * over the rows whose C is above 0; others are not in the system. */
#ifndef PT_PRECONDITIONER_H
#define PT_PRECONDITIONER_H

#include "lowrank/lowrank.h"

typedef struct pt_preconditioner {
    partan_context *context;
    const pt_algebra_ops *ops;
    size_t count, rank, stride;
    double *factors; /* [row][stride] */
    double *costs;   /* as the matrix has them */
    double *matrix;  /* Psi' C Psi, lower triangle by lines; */
    double *root;    /* of I + this */
    int64_t *which;  /* rows whose costs change, and by how much */
    double *changes;
    double *small; /* of `rank` */
} pt_preconditioner;

/* Of some rows, whose numbers among the points are `ids`. To be freed also on failure. */
partan_status pt_preconditioner_make(pt_preconditioner *p, const pt_lowrank *lowrank, const pt_matrix *rows,
                                     const int64_t *ids, double bias);
void pt_preconditioner_free(pt_preconditioner *p);

/* Sets C of all rows. False when rounding leaves no positive definite matrix. */
bool pt_preconditioner_set(pt_preconditioner *p, const double *costs);

/* out = M^-1 v. */
void pt_preconditioner_apply(pt_preconditioner *p, const double *v, double *out);

#endif
