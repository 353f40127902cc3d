/* The default solver of the Lasso: a working set, steps among its members (steps.h), and passes over all columns that
 * certify the result and say who is missing.
 *
 * A pass takes the residuals of several lambdas at once, since reading the columns is what it costs. So a path goes in
 * blocks: the working set is filled up with the columns that the last two passes, continued along a straight line,
 * expect to be active by the end of the block (the path is piecewise linear); the restricted problems of all its
 * lambdas are solved; and one pass certifies them all, but for those where a column was missing. */
#ifndef PT_LASSO_SOLVER_H
#define PT_LASSO_SOLVER_H

#include "lasso/steps.h"

/* A solution: coefficients of the design's columns, centred and scaled as they are. All values are per row. */
typedef struct pt_solved {
    double lambda;
    size_t count;
    int64_t *ids;
    double *coefficients;
    double norm;   /* |x|_1 */
    double square; /* |residual|^2 / n */
    double gap;    /* of the form that was asked for */
    bool converged;
    partan_status status; /* why it ended: PARTAN_OK or a positive one */
    int64_t iterations;
} pt_solved;

void pt_solved_free(partan_context *context, pt_solved *solved);

typedef struct pt_lasso_solver pt_lasso_solver;

/* The gap to stop at, and limits. */
typedef struct pt_lasso_target {
    double gap;
    double deadline;  /* 0: none */
    int64_t max_iter; /* of each point; 0: none */
    double start;     /* of the clock, for the trace */
    int64_t trace_rows;
} pt_lasso_target;

partan_status pt_lasso_solver_make(const pt_design *design, const pt_lasso_target *target, pt_lasso_solver **solver);
void pt_lasso_solver_free(pt_lasso_solver *solver);

/* What is done with a point, which the function may empty to keep it; other than PARTAN_OK ends the path. */
typedef partan_status (*pt_solved_taker)(void *user, size_t index, pt_solved *solved);

/* The penalised form at each lambda, in descending order. A limit or an interruption leaves the point it hits with its
 * true gap, and ends the path: *stopped says which (PARTAN_OK: none). Returns failures only, and what `take` does. */
partan_status pt_lasso_solve_path(pt_lasso_solver *solver, const double *lambdas, size_t count, pt_solved_taker take,
                                  void *user, partan_status *stopped);

/* The form with |x|_1 <= radius. */
partan_status pt_lasso_solve_radius(pt_lasso_solver *solver, double radius, pt_solved *solved);

#endif
