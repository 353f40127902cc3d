/* When the working set is solved by Newton's method (support_newton.h): where pair steps have cost as much as it would.
 */
#include <float.h>
#include <math.h>

#include "active/state.h"
#include "active/support_newton.h"
#include "core/clock.h"
#include "kernel/cholesky.h"

/* Systems that it takes: on the way there are larger ones than the support's, and new members time and again. Chosen by
 * measurement: docs/notebook.md, "Newton's method on the support". */
#define EARLY_SYSTEMS 256.0
#define LATE_SYSTEMS  64.0
#define LATE_GAP      0.1  /* the relative gap from which on there are fewer */
#define DOUBTFUL      8.0  /* roundings of the largest kernel value: what a gap may be that float32 makes of none */
#define LEAST_SHARE   0.25 /* of the members, which a first support may yet grow to */

static size_t room(const method *m)
{
    return m->budget / 2;
}

/* Nanoseconds of a thread for a pair step, which has two columns, and for Newton's method. */
static double step_cost(const method *m)
{
    return 2 * (double)m->working.count * m->working.cost;
}

static double newton_cost(const method *m)
{
    size_t least = (size_t)(LEAST_SHARE * (double)m->working.count), size = m->support > least ? m->support : least;
    return (relative_gap(m) > LATE_GAP ? EARLY_SYSTEMS : LATE_SYSTEMS) * pt_cholesky_cost(size);
}

static bool serves(const method *m)
{
    return pt_support_newton_serves(m->simplex) && pt_cholesky_bytes(m->support) <= (double)room(m);
}

uint64_t pt_active_set_newton_patience(const method *m)
{
    if (m->newton.failed || !serves(m))
        return UINT64_MAX;
    double steps = fmax(newton_cost(m) - m->newton.spent, 0) / step_cost(m);
    return steps < 1e18 ? (uint64_t)steps : UINT64_MAX;
}

void pt_active_set_spend(method *m, uint64_t steps)
{
    m->newton.spent += (double)steps * step_cost(m);
}

void pt_active_set_try_newton(method *m)
{
    m->newton.due = !m->newton.failed && serves(m);
}

/* Once a problem has turned out hard, every round is solved by it. */
partan_status pt_active_set_solve_by_newton(method *m, double eps, uint64_t most, bool *solved)
{
    *solved = false;
    if (pt_active_set_newton_patience(m) == 0)
        pt_active_set_try_newton(m);
    if (!m->newton.due || !serves(m))
        return PARTAN_OK;
    uint64_t before = m->working.steps;
    partan_status status = pt_support_newton(&m->working, room(m), m->inner_gap, eps, most, solved);
    pt_log(m->context, PARTAN_LOG_DEBUG, "%.3f s: %llu Newton steps on %zu members, %s", pt_clock() - m->trace.start,
           (unsigned long long)(m->working.steps - before), m->working.count, *solved ? "solved" : "no solution");
    m->newton.failed = !*solved && status == PARTAN_STALLED;
    m->newton.due = !m->newton.failed;
    return status == PARTAN_STALLED && !*solved ? PARTAN_OK : status;
}

/* The members' scores are precise then, but not those of the rows outside, where pricing takes float32 kernel values.
 */
bool pt_active_set_in_doubt(method *m)
{
    return m->newton.due && m->certificate.gap <= DOUBTFUL * FLT_EPSILON * pt_simplex_largest(m->simplex);
}
