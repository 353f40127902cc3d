/* When the working set is solved by systems of its support (block_pivots.h): where pair steps have cost as much as
 * these would. */
#include <math.h>

#include "active/block_pivots.h"
#include "active/state.h"
#include "core/clock.h"

enum {
    LEAST_SUPPORT = 2000, /* below which pair steps, or a factor, do well enough */
};

#define PRODUCTS 10.0 /* of a kernel matrix of the support, that systems may take */

static size_t room(const method *m)
{
    return m->budget / 2;
}

static bool serves(const method *m)
{
    const pt_simplex *simplex = m->simplex;
    const pt_dual *dual = &simplex->dual;
    return m->support >= LEAST_SUPPORT && m->limits.refined == 0
           && pt_support_gradients_bytes(m->working.count) <= (double)room(m) && pt_kernel_definite(&simplex->kernel)
           && !dual->linear && dual->vertices == dual->rows && !simplex->share
           && simplex->block.form != PT_FORM_PRECOMPUTED;
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
    if (!serves(m))
        return UINT64_MAX;
    double steps = fmax(cost(m) - m->gradients.spent, 0) / step_cost(m);
    return steps < 1e18 ? (uint64_t)steps + 1 : UINT64_MAX;
}

void pt_active_set_gradients_spend(method *m, uint64_t steps)
{
    m->gradients.spent += (double)steps * step_cost(m);
    m->gradients.due |= serves(m) && m->gradients.spent >= cost(m);
}

/* Where it helped once, the next solve of a path begins with it: what is left for pair steps is little. */
partan_status pt_active_set_solve_by_gradients(method *m, uint64_t most)
{
    if (!m->gradients.due || !serves(m))
        return PARTAN_OK;
    pt_support_gradients g;
    bool better = false;
    partan_status status = pt_support_gradients_make(&g, &m->gradients.pivots, m->simplex, &m->working);
    g.most = most;
    if (!status)
        status = pt_block_pivots(&m->working, &g, &better);
    pt_log(m->context, PARTAN_LOG_DEBUG, "%.3f s: %llu products for systems of the support on %zu members, %s",
           pt_clock() - m->trace.start, (unsigned long long)g.products, m->working.count,
           better ? "better" : "no better");
    pt_support_gradients_free(&g);
    m->gradients.spent = 0;
    m->gradients.due = false;
    m->gradients.used |= better;
    m->gradients.tries++;
    return status;
}
