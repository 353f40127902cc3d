/* Newton's method for the working set of a primal problem (simplex/tally.h) of two vertices a row, of which most rows
 * often have weight:
 *
 *     min P(b) = 1/2 b'Kb + 1/2 sum_r C_r max(0, |t_r - (Kb)_r| - epsilon)^2
 *
 * over the rows of the members, b_r being the weight of a row's first vertex less that of its second, and K without
 * the dual's signs and 1/C. A step solves the system of the rows that have a loss (primal_system.c), so far as the gap
 * that is wanted asks for it, and searches along the line to its solution. Every b gives weights of vertices, and so
 * the gap between them and P. */
#include <math.h>

#include "active/primal_newton.h"
#include "core/line_search.h"

enum { MOST_STEPS = 50 };

#define FORCING 0.1 /* of the gap, to which the system is solved, */
#define ENOUGH  0.3 /* or of the gap that is wanted */

static double primal(const pt_primal_newton *n, const double *point, const double *product)
{
    double sum = pt_primal_inner(n, point, product);
    for (size_t r = 0; r < n->count; r++) {
        double loss = pt_primal_loss(n, r, product[r]);
        sum += n->costs[r] * loss * loss;
    }
    return sum / 2;
}

/* The gap between P and the weights that the point gives: the sum of simplex/tally.h over both vertices. */
static double gap_of(const pt_primal_newton *n)
{
    double sum = 0;
    for (size_t r = 0; r < n->count; r++)
        for (int k = 0; k < 2; k++) {
            double sign = k ? -1 : 1, weight = fmax(sign * n->point[r], 0), own = weight / n->costs[r];
            sum += pt_dual_between(pt_primal_dual(n), n->w->ids[n->member[k][r]], weight,
                                   sign * n->product[r] - n->targets[k][r] + own);
        }
    return sum;
}

/* What the gap is relative to, at a point with this P and gap. */
static double unit_of(const pt_primal_newton *n, double gap)
{
    return fmax(pt_dual_unit(pt_primal_dual(n), gap - primal(n, n->point, n->product)),
                pt_dual_unit(pt_primal_dual(n), n->w->objective));
}

/* ---- Steps ---- */

/* Of P, at `t` along the line from the point to the system's solution. */
static double slope(const void *user, double t)
{
    const pt_primal_newton *n = user;
    double sum = 0;
    for (size_t r = 0; r < n->count; r++) {
        double change = n->solved[r] - n->product[r], moved = n->point[r] + t * (n->solution[r] - n->point[r]);
        sum += (moved - n->costs[r] * pt_primal_loss(n, r, n->product[r] + t * change)) * change;
    }
    return sum;
}

/* How far to go. All the way, if that lowers P, since the set of losses settles soonest by whole steps. 0 where P does
 * not fall at first. */
static double step_length(const pt_primal_newton *n)
{
    if (primal(n, n->solution, n->solved) < primal(n, n->point, n->product))
        return 1;
    return slope(n, 0) < 0 ? pt_slope_search(slope, n) : 0;
}

static partan_status take_step(pt_primal_newton *n, double gap, double wanted)
{
    partan_status status = pt_primal_system_solve(n, fmax(FORCING * gap, ENOUGH * wanted));
    double t = status ? 0 : step_length(n);
    if (!status && !(t > 0))
        return PARTAN_STALLED;
    for (size_t r = 0; r < n->count && !status; r++) {
        n->point[r] += t * (n->solution[r] - n->point[r]);
        n->product[r] += t * (n->solved[r] - n->product[r]);
    }
    return status;
}

/* Until the gap is as small as wanted. PARTAN_STALLED where nothing is gained any more. */
static partan_status run(pt_primal_newton *n, double eps, uint64_t most, bool *solved)
{
    uint64_t before = n->w->steps;
    partan_status status = PARTAN_OK;
    for (int k = 0; k < MOST_STEPS && !status; k++) {
        double gap = gap_of(n), wanted = fmax(n->m->inner_gap * unit_of(n, gap), eps);
        *solved = gap <= wanted || n->w->steps - before >= most;
        if (*solved)
            return PARTAN_OK;
        status = take_step(n, gap, wanted);
    }
    return status ? status : PARTAN_STALLED;
}

static bool serves(const method *m)
{
    return m->simplex->dual.primal && pt_kernel_definite(&m->simplex->kernel) && !m->primal.stalled;
}

partan_status pt_active_set_solve_primal(method *m, double eps, uint64_t most, bool *solved)
{
    pt_primal_newton n = {.m = m, .w = &m->working};
    bool found = false;
    *solved = false;
    if (!serves(m))
        return PARTAN_OK;
    partan_status status = pt_primal_rows_open(&n, &found);
    if (!status && found)
        status = pt_primal_system_precondition(&n);
    if (!status && found) {
        status = run(&n, eps, most, solved);
        if (status == PARTAN_OK || status == PARTAN_STALLED || status == PARTAN_INTERRUPTED)
            pt_primal_rows_give(&n); /* P is less than before, or what it was */
        pt_active_set_coarsen(m);
    }
    pt_primal_rows_free(&n);
    m->primal.stalled = !*solved;
    return status == PARTAN_STALLED ? PARTAN_OK : status;
}
