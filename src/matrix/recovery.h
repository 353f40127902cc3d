/* One problem of matrix recovery to be solved: what it is, where it begins, and its solution. */
#ifndef PT_RECOVERY_H
#define PT_RECOVERY_H

#include "fw/solve.h"
#include "matrix/measurement.h"

typedef struct pt_recovery {
    partan_context *context;
    pt_measurement *measurement;
    const double *b;
    double radius;
    size_t max_rank;          /* 0: none */
    partan_settings settings; /* of the solver; time_limit is what is left of it */

    pt_factors x; /* where to begin, balanced and within the ball, or rank 0; then the solution */
    pt_solution solution;
    int64_t iterations;
} pt_recovery;

/* By corrective steps: PARTAN_SOLVER_AUTO. (corrective.c) */
partan_status pt_recover_correctively(pt_recovery *recovery);
/* By one of the variants. (by_variant.c) */
partan_status pt_recover_by_variant(pt_recovery *recovery);

/* Steps of projected gradient over the core S of X = P S Q', |S|_* <= radius, with P and Q the singular vectors of
 * `x`: for measurements of any kind. `values` is A(X), before and after. At most `steps`, or until one lowers the
 * objective by less than `enough`; *curvature is kept from one call to the next, 0 at first. (core.c) */
partan_status pt_core_descend(pt_measurement *measurement, const double *b, double radius, pt_factors *x,
                              double *values, int steps, double enough, double *curvature);

#endif
