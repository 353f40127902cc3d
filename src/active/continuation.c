/* Continuation in C: where a large C makes for a dense solution and many steps, the first rounds solve the problem for
 * a smaller C, which is raised step by step.
 *
 * C is on the diagonal of K alone, so another C costs no kernel values, only that the members' own shares of their
 * scores change; the views leave these out. */
#include "active/state.h"

#define COST_FACTOR    20.0   /* C is divided by this */
#define COST_STEP      4.5    /* and multiplied by this when solved to PT_CONTINUATION_GAP */
#define HARD_SHARE     0.75   /* of the members have weight, */
#define HARD_STEPS     1.8    /* a round takes this many steps for each of them, */
#define STIFF_STEPS    16.0   /* or this many steps, however few have weight */
#define HARD_VIOLATING 0.6    /* and this share of the rows outside violate optimality too: the problem is hard */
enum { HARD_MEMBERS = 1024 }; /* from which that tells something */

static void set_cost(method *m, double inverse_cost)
{
    double change = inverse_cost - m->simplex->dual.inverse_cost;
    m->simplex->dual.inverse_cost = inverse_cost;
    pt_working_recost(&m->working, change);
}

void pt_active_set_end_continuation(method *m)
{
    if (pt_active_set_in_continuation(m))
        set_cost(m, m->cost.inverse);
}

void pt_active_set_ask_cost(method *m, double inverse_cost)
{
    double last = m->simplex->dual.inverse_cost;
    m->cost.inverse = inverse_cost;
    m->cost.begun = m->solved && last >= inverse_cost && last <= COST_FACTOR * inverse_cost;
}

void pt_active_set_take_cost(method *m, double inverse_cost)
{
    if (inverse_cost <= m->cost.inverse)
        return;
    m->simplex->dual.inverse_cost = inverse_cost;
    m->cost.may_continue = false;
}

/* How many rows of a view would gain weight. */
static size_t violators(const method *m, const pt_view *view)
{
    size_t low = 0;
    double neutral = level(m, 0);
    for (size_t i = 0; i < view->count && view->weights.count > 0; i++)
        low += !m->members.inside[pt_view_vertex(view, i)] && view->scores[i] < neutral;
    return (size_t)pt_active_set_sum(m, low);
}

/* Among the rows outside that have been looked at, the share that would. */
static bool most_violate(const method *m, size_t low)
{
    double outside = m->outside.share * (double)all_vertices(m) - (double)m->working.count;
    return (double)low >= HARD_VIOLATING * outside;
}

/* Of a hard problem only the lesser part is solved, when other rows show it. */
static bool outgrown(const method *m)
{
    size_t low = violators(m, &m->outside.near) + violators(m, &m->outside.far);
    return m->cost.hard && !pt_active_set_in_continuation(m) && relative_gap(m) > 1 && low > m->support
           && most_violate(m, low);
}

/* Few members with weight, between which it is moved again and again. */
static bool stiff(const method *m, uint64_t steps)
{
    return relative_gap(m) > 1 && (double)steps >= STIFF_STEPS * (double)m->support;
}

static bool hard(const method *m, uint64_t steps)
{
    double members = (double)m->working.count, support = (double)m->support;
    return m->working.count >= HARD_MEMBERS && relative_gap(m) > 1 && support >= HARD_SHARE * members
           && (double)steps >= HARD_STEPS * support && most_violate(m, violators(m, &m->outside.near));
}

bool pt_active_set_change_cost(method *m, uint64_t steps, bool stuck, bool complete)
{
    double next = m->simplex->dual.inverse_cost / COST_STEP;
    stuck |= m->newton.due; /* which has no use for it */
    m->cost.may_continue &= !m->newton.due;
    bool may = m->cost.may_continue && !m->cost.begun, is_hard = may && hard(m, steps);
    if (is_hard || (may && stiff(m, steps)) || (!m->cost.begun && complete && outgrown(m))) {
        m->cost.may_continue = false;
        m->cost.hard |= is_hard;
        set_cost(m, COST_FACTOR * m->cost.inverse);
        return true;
    }
    if (!pt_active_set_in_continuation(m) || !(stuck || relative_gap(m) <= target(m)))
        return false;
    set_cost(m, next > m->cost.inverse && !stuck ? next : m->cost.inverse);
    return true;
}
