/* The problem on a set of members by Newton's method, where the kernel is of low rank.
 *
 * With factors psi = (phi, sqrt(bias)) of the kernel and the bias, the problem on the simplex is the dual of
 *
 *     min  1/2 |u|^2 + 1/2 sum_i C_i max(0, 1 - y_i u'psi_i)^2
 *
 * whose solution gives the weights, a_i in proportion to C_i max(0, 1 - y_i u'psi_i). It is piecewise quadratic in as
 * many unknowns as there are factors: Newton steps with exact line search reach the solution after a few of them,
 * whatever C is. A step costs rank^2 for each member that enters or leaves the sum.
 *
 * What the factors leave out of K can be corrected for (iterative refinement): where Ka is known precisely at the
 * starting point, the 1 of each member becomes less by what its score has beyond that of the factors. */
#ifndef PT_NEWTON_H
#define PT_NEWTON_H

#include "lowrank/lowrank.h"

/* Some of the points whose kernel has low-rank factors. */
typedef struct pt_newton_members {
    size_t count;
    const pt_matrix *rows;
    const int64_t *ids;  /* among the points */
    const float *signs;  /* y_i */
    const double *costs; /* C_i */
    double bias;         /* added to the kernel */
    size_t room;         /* bytes for their factors; where these are more, a part of them is held at a time */
    double *weights;     /* a starting point, sum 1, then the solution */
    bool precise;        /* the scores are Ka at the starting point, more precisely than factors give them */
    double *scores;      /* Ka at the solution */
    double objective;
    uint64_t steps;
    double error; /* the sum of weights times roots of residuals; times the root of a row's own residual, it bounds the
                     error of the row's score */
    bool solved;  /* false: weights and scores are as they were, and the rest is not set */
} pt_newton_members;

/* Newton steps until the gap over the members is at most `tol` relative to 2f or `eps`, or `most` steps are done, or
 * an interruption is asked for: PARTAN_INTERRUPTED. PARTAN_STALLED when the gap falls no more. Where a member has a
 * large residual, the low-rank factors are extended, or freed when they cannot be. */
partan_status pt_newton_solve(pt_newton_members *members, pt_lowrank *lowrank, double tol, double eps, uint64_t most);

#endif
