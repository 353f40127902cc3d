/* The active-set method: the simplex problem solved on a working set of vertices, which full passes over the rows
 * extend by the worst violators until none is left that matters. The last pass is the certificate. */
#ifndef PT_ACTIVE_SET_H
#define PT_ACTIVE_SET_H

#include "fw/solve.h"
#include "problem/simplex.h"

/* As pt_solve, for the simplex problem only; `iterations` counts pair steps. The caller frees *active. */
partan_status pt_active_set_solve(pt_simplex *simplex, const partan_settings *settings, pt_start start,
                                  pt_active *active, pt_solution *solution, int64_t *iterations);

#endif
