/* The state of the default solver, shared by its files: solver.c (paths in blocks), radius.c, approach.c, pass.c and
 * joiners.c. */
#ifndef PT_LASSO_STATE_H
#define PT_LASSO_STATE_H

#include "fw/trace.h"
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
    double lambda, previous_lambda; /* theirs; 0: there is none */
    double *violation;              /* of the last pass: the largest |score| / lambda of each column */
    double *chunk_largest;          /* the largest |score| of each chunk and residual */

    /* The columns that passes look at, where the others are known to be inactive at the lambda under way. */
    int64_t *alive;
    size_t alive_count; /* 0: all columns */

    partan_status stopped; /* by a limit or an interruption: what is left is to certify the present iterate */
    partan_progress progress;
    pt_trace trace;
};

/* Notes a positive status, which says to stop, unless it is PARTAN_STALLED; returns failures only. */
partan_status pt_lasso_heed(pt_lasso_solver *solver, partan_status status);

/* ---- pass.c ---- */

/* A pass with `count` residuals, whose lambdas descend. Leaves scores (of the last one, where its lambda is the lowest
 * so far), violations, and in `largest` the largest |score| for each. A pass that has been stopped, or is, is done to
 * its end: there is no true gap without it. */
partan_status pt_lasso_pass(pt_lasso_solver *solver, const double *lambdas, size_t count, double *largest);

/* Gap-safe screening: after a pass at one lambda, columns that its gap proves to be inactive in every solution are left
 * out of the next ones. Claims come from passes over all columns: pt_lasso_revive before the last. */
partan_status pt_lasso_screen(pt_lasso_solver *solver, const pt_solved *solved, const double *residual, double largest);
void pt_lasso_revive(pt_lasso_solver *solver);

/* Copies the members' coefficients, in ascending order of ids, and computes their residual, unless that is NULL. */
partan_status pt_lasso_note(pt_lasso_solver *solver, double lambda, pt_solved *solved, double *residual);

/* Makes the solution the members' present iterate. */
void pt_lasso_resume(pt_lasso_solver *solver, const pt_solved *solved);

/* The gap of the penalised form, given the largest |score| of the residual. */
double pt_lasso_gap(const pt_lasso_solver *solver, const pt_solved *solved, const double *residual, double largest);

/* Traces a certified iterate and has it reported; `unit` is that of objective and gap. */
void pt_lasso_show(pt_lasso_solver *solver, const pt_solved *solved, double objective, double unit);

/* ---- joiners.c ---- */

/* Columns that the last pass found to violate the conditions join the working set; *joined counts them. */
partan_status pt_lasso_join_violators(pt_lasso_solver *solver, size_t *joined);

/* Columns that are expected to be active at lambda join it, at most `most`. */
partan_status pt_lasso_join_expected(pt_lasso_solver *solver, double lambda, size_t most);

/* The scores of the next pass are those of another block. */
void pt_lasso_next_block(pt_lasso_solver *solver);

/* ---- approach.c ---- */

/* Lambdas that nobody asked for, on the way to the first one that somebody did, or (radius above 0) until |x|_1 is the
 * radius: each brings in who will be needed. Leaves in *lambda where it arrived. */
partan_status pt_lasso_approach(pt_lasso_solver *solver, double radius, double *lambda);

#endif
