/* The active-set method: the simplex problem solved on a working set of vertices, which full passes over the rows
 * extend by the worst violators until none is left that matters. The last pass is the certificate. */
#ifndef PT_ACTIVE_SET_H
#define PT_ACTIVE_SET_H

#include "fw/solve.h"
#include "simplex/simplex.h"

typedef struct pt_active_set pt_active_set;

/* Opens at the simplex problem's cost. `settings` must outlive it; the time limit counts from here, and settings->cost
 * is not used. */
partan_status pt_active_set_open(pt_simplex *simplex, const partan_settings *settings, pt_start start,
                                 pt_active_set **set);
void pt_active_set_close(pt_active_set *set);

/* The time limit counts from an earlier moment on. */
void pt_active_set_started(pt_active_set *set, double clock);

/* As pt_solve, at another cost than before if this is not the first solve: what the earlier solves have computed is
 * used again, and the simplex problem has the new cost from then on. `iterations` counts pair steps, and other limits
 * than time are those of each solve. The caller frees *iterate, also on failure. */
partan_status pt_active_set_solve(pt_active_set *set, double cost, pt_iterate *iterate, pt_solution *solution,
                                  int64_t *iterations);

#endif
