/* A preconditioner for systems of kernel matrices with a diagonal, from low-rank factors psi of the kernel with its
 * bias:
 *
 *     M = Psi Psi' + diag(1 / C),    M^-1 = C - C Psi (I + Psi' C Psi)^-1 Psi' C
 *
 * over the rows whose C is above 0; others are not in the system. Psi is held in float32, since applying M^-1 is mostly
 * reading it; all sums are in double, so that M^-1 is that of the Psi that is held. */
#ifndef PT_PRECONDITIONER_H
#define PT_PRECONDITIONER_H

#include "kernel/block.h"
#include "kernel/cholesky.h"
#include "lowrank/lowrank.h"

typedef struct pt_preconditioner {
    partan_context *context;
    const pt_algebra_ops *ops;
    const pt_block_ops *sums; /* of float32 numbers in double */
    size_t count, rank, stride;
    float *factors;   /* [row][stride] */
    double *costs;    /* as the matrix has them */
    double *matrix;   /* Psi' C Psi, lower triangle by lines */
    pt_cholesky root; /* of I + this */
    int64_t *which;   /* rows whose costs change, and by how much */
    double *changes;
    double *spelt; /* factors of some of these in double */

    /* The rows of the system: their numbers, and their factors together, of whole panels. */
    size_t held;
    int64_t *rows;
    float *together;
    double *small; /* of `stride`: what the small system is solved for */
    double *parts; /* of it, from each chunk of rows */
} pt_preconditioner;

/* Of some rows. To be freed also on failure. */
partan_status pt_preconditioner_make(pt_preconditioner *p, const pt_lowrank *lowrank, const pt_matrix *rows,
                                     double bias);
void pt_preconditioner_free(pt_preconditioner *p);

/* Sets C of all rows. PARTAN_STALLED when rounding leaves no positive definite matrix. */
partan_status pt_preconditioner_set(pt_preconditioner *p, const double *costs);

/* out = M^-1 v. */
partan_status pt_preconditioner_apply(pt_preconditioner *p, const double *v, double *out);

/* Bytes for so many rows and this rank. */
double pt_preconditioner_bytes(size_t rows, size_t rank);

#endif
