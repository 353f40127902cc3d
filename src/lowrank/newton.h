/* The working set by Newton's method, where the kernel is of low rank.
 *
 * With features psi = (phi, 1) of the kernel and the bias, the problem on the simplex is the dual of
 *
 *     min  1/2 |u|^2 + 1/2 sum_i C_i max(0, 1 - y_i u'psi_i)^2
 *
 * whose solution gives the weights, a_i in proportion to C_i max(0, 1 - y_i u'psi_i). It is piecewise quadratic in as
 * many unknowns as there are features: Newton steps with exact line search reach the solution after a few of them,
 * whatever C is. A step costs rank^2 for each member that enters or leaves the sum. */
#ifndef PT_NEWTON_H
#define PT_NEWTON_H

#include "active/working.h"
#include "lowrank/lowrank.h"

/* As pt_working_solve. Where a member is beyond the basis, this is
 * extended, or freed when it cannot be. `error`: the sum of weights times roots of residuals; times the root of a row's
 * own residual, it bounds the error of the row's score. Where the weights are left as they are, so is `error`. */
partan_status pt_newton_solve(pt_working *working, pt_basis *basis, double tol, double eps, uint64_t most,
                              double deadline, double *error);

#endif
