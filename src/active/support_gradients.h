/* Systems K_SS b_S = 1 of the support by conjugate gradients, preconditioned by low-rank factors of the kernel: where a
 * Cholesky factor (support_newton.h) would cost too much or have no room. Kernel values are in float32, and computed
 * again for each product with K. */
#ifndef PT_SUPPORT_GRADIENTS_H
#define PT_SUPPORT_GRADIENTS_H

#include "active/working.h"
#include "lowrank/preconditioner.h"

/* What lasts from working set to working set: the pivots. */
typedef struct pt_gradient_pivots {
    pt_lowrank lowrank;
    double members, inverse_cost; /* that these were chosen for */
} pt_gradient_pivots;

typedef struct pt_support_gradients {
    partan_context *context;
    pt_simplex *simplex;
    const pt_working *working;
    pt_preconditioner preconditioner;
    double *costs;             /* C of the members of the system, 0 for others */
    double *solution;          /* y b, */
    double *rest;              /* y times what the system has left, */
    double *better;            /* that preconditioned, */
    double *search, *searched; /* the direction, and K times it */
    double *weights, *sums;    /* of a product */
    int64_t *some;
    uint64_t products, most; /* of systems so far; and how many there may be */
} pt_support_gradients;

/* Bytes that it takes for so many members, and nanoseconds of a thread to make it. */
double pt_support_gradients_bytes(size_t members);
double pt_support_gradients_setup(size_t members);

/* For the members of a working set. To be freed also on failure. */
partan_status pt_support_gradients_make(pt_support_gradients *gradients, pt_gradient_pivots *pivots,
                                        pt_simplex *simplex, const pt_working *working);
void pt_support_gradients_free(pt_support_gradients *gradients);
void pt_gradient_pivots_free(pt_gradient_pivots *pivots);

/* products[of[i]] = (Qv)_i, Q being K without 1 / C, for some members and a v of all that is 0 but for others. */
partan_status pt_support_gradients_multiply(pt_support_gradients *gradients, const double *v, const int64_t *of,
                                            size_t count, double *products);

/* Solves the system of `count` members, whose rows are gathered, so far that the rest r has r'M^-1 r at most `enough`,
 * or this share of what it was, M being the preconditioner: about what the objective b'Kb/2 - sum b is from its least,
 * twice. `weights` and `products` (Qb) of these members are the guess, b being 0 elsewhere, and the result. */
partan_status pt_support_gradients_solve(pt_support_gradients *gradients, const int64_t *members, size_t count,
                                         const pt_matrix *rows, double enough, double share, double *weights,
                                         double *products);

#endif
