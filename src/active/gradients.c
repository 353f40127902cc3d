/* When the working set is solved by systems of its support (block_pivots.h): where pair steps have cost as much as
 * these would. */
#include <float.h>
#include <math.h>

#include "active/block_pivots.h"
#include "active/state.h"
#include "core/clock.h"

enum {
    LEAST_SUPPORT = 2000, /* below which pair steps, or a factor, do well enough */
    TELLING = 10,         /* products: a try that took fewer had little left to do */
};

/* Chosen by measurement: docs/notebook.md, "Systems of the support". */
#define PRODUCTS 10.0 /* with the kernel matrix of the support, after whose cost in pair steps systems are tried */
#define WORTH    2.0  /* see judge */
#define GROWTH   2.0  /* of what pair steps would cost, from one C of a path to the next */

static size_t room(const method *m)
{
    return m->budget / 2;
}

static bool serves(const method *m)
{
    const pt_simplex *simplex = m->simplex;
    const pt_dual *dual = &simplex->dual;
    return m->support >= LEAST_SUPPORT && pt_support_gradients_bytes(m->working.count) <= (double)room(m)
           && pt_kernel_definite(&simplex->kernel) && !dual->linear && pt_dual_plain(dual) && !simplex->share
           && simplex->block.form != PT_FORM_PRECOMPUTED;
}

/* Scores are precise, and steps only add to them. */
static bool refines(const method *m)
{
    return m->limits.refined > 0;
}

/* A gap below the rounding of kernel values in double is one that nothing makes smaller. */
void pt_active_set_try_gradients(method *m)
{
    m->gradients.due = m->certificate.gap > DBL_EPSILON * pt_simplex_largest(m->simplex);
}

/* Nanoseconds of a thread for a pair step, which has two columns, and for systems. */
static double cost(const method *m)
{
    double support = (double)m->support;
    return ldexp(pt_support_gradients_setup(m->working.count) + PRODUCTS * support * support * m->working.cost,
                 m->gradients.tries);
}

static double step_cost(const method *m)
{
    return 2 * (double)m->working.count * m->working.cost;
}

uint64_t pt_active_set_gradients_patience(const method *m)
{
    if (!serves(m) || refines(m))
        return UINT64_MAX;
    double steps = fmax(cost(m) - m->gradients.spent, 0) / step_cost(m);
    return steps < 1e18 ? (uint64_t)steps + 1 : UINT64_MAX;
}

void pt_active_set_gradients_spend(method *m, uint64_t steps)
{
    m->gradients.spent += (double)steps * step_cost(m);
    m->gradients.due |= serves(m) && !refines(m) && m->gradients.spent >= cost(m);
}

/* What a try has cost, as `cost` counts. */
static double spent_on(const method *m, uint64_t products)
{
    double support = (double)m->support;
    return pt_support_gradients_setup(m->working.count) + (double)products * support * support * m->working.cost;
}

/* Whether the next solve of a path begins with systems: these were no more than twice what pair steps had cost, or may
 * be taken to cost by now. A try that had little left to do tells nothing. */
static void judge(method *m, uint64_t products, bool better)
{
    pt_gradients_use *g = &m->gradients;
    if (products >= TELLING)
        g->used = better && spent_on(m, products) <= WORTH * g->worth;
}

static partan_status solve(method *m, uint64_t most)
{
    pt_support_gradients g;
    bool better = false;
    partan_status status = pt_support_gradients_make(&g, &m->gradients.pivots, m->simplex, &m->working);
    g.most = most;
    if (!status)
        status = (refines(m) ? pt_block_pivots_refine : pt_block_pivots)(&m->working, &g, &better);
    pt_log(m->context, PARTAN_LOG_DEBUG, "%.3f s: %llu products for systems of the support on %zu members, %s",
           pt_clock() - m->trace.start, (unsigned long long)g.products, m->working.count,
           better ? "better" : "no better");
    if (!status && !refines(m))
        judge(m, g.products, better);
    pt_support_gradients_free(&g);
    return status;
}

partan_status pt_active_set_solve_by_gradients(method *m, uint64_t most)
{
    pt_gradients_use *g = &m->gradients;
    if (!g->due || !serves(m))
        return PARTAN_OK;
    if (refines(m)) {
        g->due = false;
        return solve(m, most);
    }
    bool first = g->spent == 0 && g->tries == 0; /* of a solve on a path */
    g->worth = first ? GROWTH * g->worth : fmax(g->spent, g->worth);
    g->spent = 0;
    g->due = false;
    pt_working_refresh(&m->working);
    if (!pt_block_pivots_pay(&m->working))
        return PARTAN_OK;
    g->tries++;
    return solve(m, most);
}
