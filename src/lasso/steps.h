/* Steps among the members of the working set: the Lasso restricted to them,
 *
 *     min 1/2 x'Gx - c'x + lambda |x|_1
 *
 * with G and c at hand. Coordinate descent finds who is active and with which sign; as soon as that settles, the
 * minimum over the active members with these signs is one linear system, and a step towards it goes as far as no
 * coefficient changes its sign. Where the system would be too large, or its columns depend on each other, extrapolation
 * from several previous iterates (parallel tangents) takes its place. */
#ifndef PT_STEPS_H
#define PT_STEPS_H

#include "lasso/factor.h"
#include "lasso/l1_tangents.h"

typedef struct pt_steps {
    pt_members *members;
    pt_factor factor;
    pt_l1_tangents tangents;
    int64_t iterations; /* sweeps and systems, since the beginning */
    int64_t most;       /* iterations allowed; 0: any number */
    double deadline;    /* 0: none */
    double *direction;  /* room for a system: its solution, and coefficients to return to */
    size_t capacity;
} pt_steps;

void pt_steps_init(pt_steps *steps, pt_members *members);
void pt_steps_free(pt_steps *steps);

/* The duality gap of the restricted problem. */
double pt_steps_gap(pt_members *members, double lambda);

/* Solves for one lambda to this gap, from the present coefficients; there may be none. Positive statuses are limits and
 * interruptions; PARTAN_STALLED says that rounding leaves no step. */
partan_status pt_steps_solve(pt_steps *steps, double lambda, double target);

/* Solves for the lambda at which |x|_1 is `norm`, and finds it; 0 where the norm is not reached. *lambda is where to
 * begin. */
partan_status pt_steps_solve_norm(pt_steps *steps, double norm, double target, double *lambda);

/* ---- systems.c ---- */

/* Brings the active members to their minimum with the signs they have, or those that are left when some must be 0.
 * *solved: all of them are there now. */
partan_status pt_steps_systems(pt_steps *steps, double lambda, bool *solved);

/* -d|x|_1 / d lambda along the path at a solution; 0 where nobody is active. */
partan_status pt_steps_slope(pt_steps *steps, double *slope);

/* ---- */

/* |x|_1 of the members. */
double pt_steps_norm(const pt_members *members);

/* Limits and interruption as they stand now. */
partan_status pt_steps_limit(const pt_steps *steps);

#endif
