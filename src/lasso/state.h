/* The state of the default solver, shared by its files: solver.c (paths in blocks), radius.c, pass.c, joiners.c. */
#ifndef PT_LASSO_STATE_H
#define PT_LASSO_STATE_H

#include "lasso/solver.h"

struct pt_lasso_solver {
    partan_context *context;
    const pt_design *design;
    pt_lasso_target target;
    pt_members members;
    pt_steps steps;
    double *residuals; /* of a block, store->padded apart */

    /* Scores of all columns at the end of the last block, and of the one before. */
    double *scores, *previous;
    double lambda, previous_lambda; /* 0: there is none */
    double *violation;              /* of the last pass: the largest |score| / lambda of each column */
    double *chunk_largest;          /* the largest |score| of each chunk and residual */
    uint64_t passes, vectors;       /* over all columns, and the residuals they took */
};

/* ---- pass.c ---- */

/* A pass with `count` residuals, whose lambdas descend. Leaves scores (of the last one, where its lambda is the lowest so
 * far), violations, and in `largest` the largest |score| for each. */
partan_status pt_lasso_pass(pt_lasso_solver *solver, const double *lambdas, size_t count, double *largest);

/* Copies the members' coefficients, in ascending order of ids, and computes their residual. */
partan_status pt_lasso_note(pt_lasso_solver *solver, double lambda, pt_solved *solved, double *residual);

/* Makes the solution the members' present iterate. */
void pt_lasso_resume(pt_lasso_solver *solver, const pt_solved *solved);

/* The gap of the penalised form, given the largest |score| of the residual. */
double pt_lasso_gap(const pt_lasso_solver *solver, const pt_solved *solved, const double *residual, double largest);

/* ---- joiners.c ---- */

/* Columns that the last pass found to violate the conditions join the working set; *joined counts them. */
partan_status pt_lasso_join_violators(pt_lasso_solver *solver, size_t *joined);

/* Columns that are expected to be active at lambda join it, at most `most`. */
partan_status pt_lasso_join_expected(pt_lasso_solver *solver, double lambda, size_t most);

/* The present iterate is the path's now: next scores are those of another block. */
void pt_lasso_next_block(pt_lasso_solver *solver);

#endif
