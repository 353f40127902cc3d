/* The outer loop: oracle, stopping rules, step, until the gap is small enough or something else stops it. */
#ifndef PT_SOLVE_H
#define PT_SOLVE_H

#include "fw/variants.h"

typedef struct pt_start {
    const int64_t *ids;
    const double *weights;
    size_t count;
    int64_t iteration;   /* steps that have led there */
    double inverse_cost; /* 1 / C, where continuation in C has come to; 0: it has not begun */
} pt_start;

typedef struct pt_solution {
    partan_status status; /* why it ended: PARTAN_OK or a positive one */
    bool converged;       /* the certified gap meets the target */
    pt_certificate certificate;
    double relative_gap; /* the certified gap in the problem's scale */
} pt_solution;

/* Runs the variant of the settings on the problem. On return fw holds the final iterate; the caller frees fw->iterate.
 */
partan_status pt_solve(pt_problem *problem, const partan_settings *settings, pt_start start, pt_fw *fw,
                       pt_solution *solution);

#endif
