/* The Lasso as a problem for the Frank-Wolfe variants (fw/problem.h): min 1/2 |Ax - b|^2 over |x|_1 <= radius, with the
 * columns of a design for A and its target for b. Vertex 2j is radius * e_j, vertex 2j + 1 is -radius * e_j. The state
 * is Ax. */
#ifndef PT_BALL_H
#define PT_BALL_H

#include "fw/problem.h"
#include "lasso/design.h"

/* sample: columns that the oracle looks at in each iteration; 0: all. */
partan_status pt_ball(const pt_design *design, double radius, size_t sample, uint64_t seed, pt_problem **problem);

static inline double pt_ball_coefficient(double radius, int64_t vertex)
{
    return vertex % 2 ? -radius : radius;
}

#endif
