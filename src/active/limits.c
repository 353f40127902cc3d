/* Limits of time and steps, interruptions, and progress towards the end. */
#include <math.h>

#include "active/state.h"
#include "core/clock.h"

#define GAP_A_STEP    6.6  /* by which the gap falls in about one pair step for each member */
#define WORK_POWER    1.5  /* of the rows, with which the work grows */
#define LEAST_DONE    0.02 /* before which nothing is said of the time left */
#define GRACE         0.15 /* seconds for the certificate of a run that is stopped; without it the gap is a bound */
#define RESERVE_SHARE 0.2  /* of the time limit is kept for the last pricing, at most */
#define RESERVE       1.3  /* times what it should take */

/* What a score costs by the sum over the support, or by low-rank factors. */
static double score_width(const method *m)
{
    return (double)(m->simplex->lowrank ? m->simplex->lowrank->rank : m->support);
}

/* Kernel values that are still needed, an estimate: two columns over the working set for each member and each
 * GAP_A_STEP by which the gap must fall, and a pricing of all rows outside; for a sample, so many times more as the
 * work grows with the rows. */
static double work_left(const method *m)
{
    double members = (double)m->working.count, sample = pow(m->outside.share, WORK_POWER);
    double steps = fmax(log(relative_gap(m) / wanted(m)) / log(GAP_A_STEP), 0);
    double outside = m->outside.share * (double)all_vertices(m) - members;
    double column = m->simplex->lowrank ? score_width(m) : members;
    return (2 * members * column * steps + fmax(outside, 0) * score_width(m)) / sample;
}

static partan_status report(method *m)
{
    double work = pt_active_set_work(m), all = work + work_left(m), done = all > 0 ? work / all : 0;
    double seconds = pt_clock() - m->trace.start;
    partan_progress progress = {.done = done,
                                .seconds_left = done > LEAST_DONE ? seconds * (1 - done) / done : -1,
                                .iterations = (int64_t)pt_active_set_steps(m),
                                .gap = m->certificate.gap,
                                .relative_gap = relative_gap(m),
                                .target = wanted(m),
                                .active = m->support};
    return pt_progress_report(m->context, &progress);
}

/* Seconds that it should take to price all rows. */
static double pricing_time(const method *m)
{
    return m->limits.pace * (double)(m->outside.near.count + m->outside.far.count) * score_width(m);
}

/* Until when the run goes on: early enough to price all rows once more, if that is not too long before the end. */
static double deadline(const method *m)
{
    double reserve = RESERVE * pricing_time(m);
    bool is_short = reserve < RESERVE_SHARE * m->settings->time_limit;
    return m->limits.deadline - (is_short && m->limits.deadline > 0 ? reserve : 0);
}

void pt_active_set_set_deadline(method *m)
{
    m->limits.until = m->limits.deadline > 0 ? deadline(m) : 0;
    if (m->simplex->share) /* who reaches it first says so to all */
        m->simplex->share->deadline = m->limits.until;
    else
        pt_deadline_set(m->context, m->limits.until);
}

partan_status pt_active_set_limit(method *m)
{
    if (m->settings->max_iter > 0 && pt_active_set_steps(m) >= (uint64_t)m->settings->max_iter)
        return PARTAN_ITERATION_LIMIT;
    const pt_share *share = m->simplex->share;
    if (share ? share->stopped == PT_STOP_TIME : m->limits.until > 0 && pt_clock() >= m->limits.until)
        return PARTAN_TIME_LIMIT;
    if (share && share->stopped == PT_STOP_ASKED)
        return PARTAN_INTERRUPTED;
    return report(m);
}

partan_status pt_active_set_interruption(method *m)
{
    partan_status stop = pt_active_set_limit(m);
    return stop ? stop : PARTAN_INTERRUPTED;
}

/* ---- The end ---- */

/* Who waits for a run to end does not wait long for its certificate. Several processes do not know how long the others
 * need: they have a pass over all rows. */
static bool is_awaited(const method *m, partan_status stop)
{
    return !m->simplex->share && (stop == PARTAN_TIME_LIMIT || stop == PARTAN_INTERRUPTED);
}

/* Seconds that are left for it. */
static double time_left(const method *m, partan_status stop)
{
    return GRACE + (stop == PARTAN_TIME_LIMIT ? fmax(m->limits.deadline - pt_clock(), 0) : 0);
}

void pt_active_set_hurry_begin(method *m, partan_status stop)
{
    if (is_awaited(m, stop))
        pt_grace_begin(m->context, time_left(m, stop));
}

void pt_active_set_hurry_end(method *m, partan_status stop)
{
    if (is_awaited(m, stop))
        pt_grace_end(m->context);
}

bool pt_active_set_has_time(const method *m, partan_status stop)
{
    return !is_awaited(m, stop) || pricing_time(m) <= time_left(m, stop);
}
