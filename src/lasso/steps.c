#include "lasso/steps.h"

#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "core/stall.h"

enum {
    LARGEST_SYSTEM = 3000, /* active members: above, tangents are cheaper */
    SWEEPS = 4,            /* over all members between two tangents */
    MOST_ROUNDS = 20,      /* of them before a system is tried */
    NEAR = 2,              /* times the gap to reach: near enough for sweeps */
    SYSTEM_COST = 6,       /* products for each pair of active members: factor, solution, and those that join */
    STALL_LIMIT = 20,      /* rounds without a lower gap after which rounding is blamed */
    NORM_LIMIT = 100       /* lambdas tried for a norm */
};

void pt_steps_init(pt_steps *s, pt_members *members)
{
    *s = (pt_steps){.members = members};
    pt_factor_init(&s->factor, members);
    pt_l1_tangents_init(&s->tangents, members->design->context);
}

void pt_steps_free(pt_steps *s)
{
    if (!s->members)
        return;
    pt_free(s->members->design->context, s->direction);
    pt_factor_free(&s->factor);
    pt_l1_tangents_free(&s->tangents);
    *s = (pt_steps){0};
}

partan_status pt_steps_limit(const pt_steps *s)
{
    if (s->most > 0 && s->iterations >= s->most)
        return PARTAN_ITERATION_LIMIT;
    if (s->deadline > 0 && pt_clock() >= s->deadline)
        return PARTAN_TIME_LIMIT;
    return pt_interrupted(s->members->design->context) ? PARTAN_INTERRUPTED : PARTAN_OK;
}

double pt_steps_norm(const pt_members *m)
{
    double sum = 0;
    for (size_t i = 0; i < m->count; i++)
        sum += fabs(m->x[i]);
    return sum;
}

double pt_steps_gap(pt_members *m, double lambda)
{
    pt_members_refresh(m);
    double square = m->design->target_square, fit = 0, norm = 0, largest = 0;
    for (size_t i = 0; i < m->count; i++) {
        fit += m->x[i] * m->linear[i];
        square -= m->x[i] * (m->linear[i] + m->score[i]);
        norm += fabs(m->x[i]);
        largest = fmax(largest, fabs(m->score[i]));
    }
    if (!(square > 0))
        square = 0;
    double along = m->design->target_square - fit;
    return square / 2 + lambda * norm - pt_dual_value(square, along, lambda, largest);
}

/* ---- Coordinate descent ---- */

static double soft_threshold(double z, double by)
{
    return z > by ? z - by : z < -by ? z + by : 0;
}

/* One sweep; `joining`: only over those at 0 whose score says that they should not be. Counts those that join. */
static size_t sweep(pt_steps *s, double lambda, bool joining, bool *changed)
{
    pt_members *m = s->members;
    size_t joined = 0;
    for (size_t i = 0; i < m->count; i++) {
        double square = m->square[i], before = m->x[i];
        if ((joining && before != 0) || !(square > 0))
            continue;
        double score = pt_members_score(m, i);
        if (before == 0 && fabs(score) <= lambda)
            continue;
        double after = soft_threshold(before + score / square, lambda / square);
        if (after == before)
            continue;
        pt_members_move(m, i, after - before);
        m->x[i] = after;
        joined += before == 0;
        *changed = true;
    }
    s->iterations++;
    return joined;
}

/* ---- The whole ---- */

static size_t active(const pt_members *m)
{
    size_t count = 0;
    for (size_t i = 0; i < m->count; i++)
        count += m->x[i] != 0;
    return count;
}

/* Sweeps over all members, and a tangent unless they were enough. */
static partan_status sweep_and_extrapolate(pt_steps *s, double lambda, double target, bool *changed)
{
    for (int i = 0; i < SWEEPS; i++) {
        sweep(s, lambda, false, changed);
        partan_status status = pt_steps_limit(s);
        if (status || pt_steps_gap(s->members, lambda) <= target)
            return status;
        status = pt_l1_tangents_keep(&s->tangents, s->members);
        if (status)
            return status;
    }
    if (pt_l1_tangents_step(&s->tangents, s->members, lambda))
        *changed = true;
    return PARTAN_OK;
}

/* A system of the active members, and those that it says should join them. */
static partan_status solve_and_join(pt_steps *s, double lambda, double target, bool *changed)
{
    size_t support = active(s->members);
    bool solved = false;
    partan_status status = pt_steps_systems(s, lambda, &solved);
    if (status)
        return status;
    if (!solved && support > 0)
        return sweep_and_extrapolate(s, lambda, target, changed);
    size_t joined = sweep(s, lambda, true, changed);
    if (joined > 8 + support / 8)
        for (int i = 0; i < 2; i++)
            sweep(s, lambda, false, changed);
    return pt_steps_limit(s);
}

/* Members that are active, or will be by their scores, which are up to date. */
static size_t expected(const pt_members *m, double lambda)
{
    size_t count = 0;
    for (size_t i = 0; i < m->count; i++)
        count += m->x[i] != 0 || fabs(m->score[i]) > lambda;
    return count;
}

/* Rounds of sweeps that come first: as many as a few systems would cost, with what their factor lacks, or more where
 * little is left to do, since they may be enough then. */
static int sweeps_first(const pt_steps *s, double lambda, bool near)
{
    size_t support = expected(s->members, lambda);
    double size = (double)support, missing = support > s->factor.count ? size - (double)s->factor.count : 0;
    double system = (near ? 8 : 1) * SYSTEM_COST * size * size;
    system += missing * size * (size / 2 + pt_members_product_cost(s->members));
    double rounds = system / (SWEEPS * pt_members_sweep_cost(s->members, support));
    return support > LARGEST_SYSTEM || rounds > MOST_ROUNDS ? MOST_ROUNDS : (int)rounds;
}

partan_status pt_steps_solve(pt_steps *s, double lambda, double target)
{
    double gap = pt_steps_gap(s->members, lambda);
    int sweeps = sweeps_first(s, lambda, gap <= NEAR * target);
    pt_stall stall = pt_stall_begin();
    partan_status status = gap <= target ? PARTAN_OK : pt_steps_limit(s);
    pt_l1_tangents_forget(&s->tangents);
    for (int round = 0; !status && gap > target; round++) {
        bool changed = false, large = active(s->members) > LARGEST_SYSTEM;
        status = round < sweeps || large ? sweep_and_extrapolate(s, lambda, target, &changed)
                                         : solve_and_join(s, lambda, target, &changed);
        gap = pt_steps_gap(s->members, lambda);
        if (status || gap <= target || !changed)
            return status;
        if (pt_stall_look(&stall, INFINITY, gap, 1) == STALL_LIMIT)
            return PARTAN_STALLED;
    }
    return status;
}

/* ---- A given norm ---- */

/* Where the present piece of the path has this norm, or else the middle. */
static double next_lambda(double slope, double excess, double lambda, double low, double high)
{
    double next = slope > 0 ? lambda + excess / slope : -1;
    return next > low && next < high ? next : (low + high) / 2;
}

/* The gap over the ball of this radius, as far as the members tell; x must be inside. */
static double ball_gap(pt_members *m, double radius)
{
    double inner = 0, largest = 0;
    pt_members_refresh(m);
    for (size_t i = 0; i < m->count; i++) {
        inner += m->x[i] * m->score[i];
        largest = fmax(largest, fabs(m->score[i]));
    }
    return radius * largest - inner;
}

/* Each time more exactly: where the fit is perfect, the penalised problem is solved long before the other one is. */
partan_status pt_steps_solve_norm(pt_steps *s, double norm, double target, double *lambda)
{
    double low = 0, high = s->members->design->largest, inner = target / 16;
    for (int i = 0; i < NORM_LIMIT; i++, inner /= 4) {
        partan_status status = pt_steps_solve(s, *lambda, inner);
        double found = pt_steps_norm(s->members);
        if (status && status != PARTAN_STALLED)
            return status;
        if (found <= norm * (1 + 1e-13) && ball_gap(s->members, norm) <= target)
            break;
        if (high - low <= 1e-15 * high)
            break;
        if (found > norm)
            low = *lambda;
        else
            high = *lambda;
        double slope;
        status = pt_steps_slope(s, &slope);
        if (status)
            return status;
        *lambda = next_lambda(slope, found - norm, *lambda, low, high);
    }
    return PARTAN_OK;
}
