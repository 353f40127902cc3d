/* The working set by Newton's method, with systems of the members that fall short of their margin.
 *
 * With weights b = a / 2f, which need not add up to 1, the problem is the dual of
 *
 *     min  1/2 |w|^2 + 1/2 sum_i C_i max(0, 1 - m_i)^2,    m_i = y_i f(x_i) = (Kb)_i - b_i / C_i
 *
 * A Newton step takes the members S whose m_i are below 1, solves K_SS b_S = 1 by a Cholesky factor, and searches along
 * the line to there: after a few steps S stays the same, and b is the solution, whatever C is. All of it is in double,
 * kernel values too. A step costs |S|^3 / 3 products; pair steps need no such system, but ever more steps the larger C
 * is. */
#ifndef PT_SUPPORT_NEWTON_H
#define PT_SUPPORT_NEWTON_H

#include "active/working.h"

/* Whether the problem is one for it. */
bool pt_support_newton_serves(const pt_simplex *simplex);

/* Newton steps until the gap over the working set is at most `tol` relative to 2f or `eps`, or `most` steps are done,
 * or an interruption is asked for. *solved: the working set has new weights, and their scores in double precision;
 * otherwise it is as it was. PARTAN_STALLED: rounding leaves a system without solution, or steps no progress, or a
 * system takes more than `room` bytes: there are larger ones on the way than the support's. */
partan_status pt_support_newton(pt_working *working, size_t room, double tol, double eps, uint64_t most, bool *solved);

#endif
