#include "lasso/steps.h"

#include <math.h>
#include <string.h>

#include "core/clock.h"

enum {
    LARGEST_SYSTEM = 3000, /* active members: above, tangents are cheaper */
    SWEEPS = 4,            /* over all members between two tangents */
    STALL_LIMIT = 20,      /* rounds without a lower gap after which rounding is blamed */
    NORM_LIMIT = 100       /* lambdas tried for a norm */
};

void pt_steps_init(pt_steps *s, pt_members *members)
{
    *s = (pt_steps){.members = members};
    pt_factor_init(&s->factor, members);
    pt_tangents_init(&s->tangents, members->design->context);
}

void pt_steps_free(pt_steps *s)
{
    if (!s->members)
        return;
    pt_free(s->members->design->context, s->direction);
    pt_free(s->members->design->context, s->vector);
    pt_factor_free(&s->factor);
    pt_tangents_free(&s->tangents);
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

/* The dual point is the residual, scaled by the best factor that keeps every score within lambda. */
double pt_steps_gap(const pt_members *m, double lambda)
{
    double square = m->design->target_square, fit = 0, norm = 0, largest = 0;
    for (size_t i = 0; i < m->count; i++) {
        fit += m->x[i] * m->linear[i];
        square -= m->x[i] * (m->linear[i] + m->score[i]);
        norm += fabs(m->x[i]);
        largest = fmax(largest, fabs(m->score[i]));
    }
    if (!(square > 0))
        square = 0;
    double along = m->design->target_square - fit, factor = largest > lambda ? lambda / largest : 1;
    if (square > 0 && along < factor * square)
        factor = along / square;
    return square / 2 + lambda * norm - (factor * along - factor * factor * square / 2);
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
        double square = pt_members_gram(m, i)[i], before = m->x[i];
        if ((before == 0 && fabs(m->score[i]) <= lambda) || (joining && before != 0) || !(square > 0))
            continue;
        double after = soft_threshold(before + m->score[i] / square, lambda / square);
        if (after == before)
            continue;
        m->x[i] = after;
        m->design->store->ops->axpy(before - after, pt_members_gram(m, i), m->count, m->score);
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

/* Sweeps over all members and a tangent, where there is no system to solve. */
static partan_status sweep_and_extrapolate(pt_steps *s, double lambda, bool *changed)
{
    for (int i = 0; i < SWEEPS; i++) {
        sweep(s, lambda, false, changed);
        partan_status status = pt_tangents_keep(&s->tangents, s->members);
        if (!status)
            status = pt_steps_limit(s);
        if (status)
            return status;
    }
    if (pt_tangents_step(&s->tangents, s->members, lambda))
        *changed = true;
    return PARTAN_OK;
}

static partan_status one_round(pt_steps *s, double lambda, bool *changed)
{
    size_t support = active(s->members);
    bool solved = false;
    partan_status status = PARTAN_OK;
    if (support <= LARGEST_SYSTEM)
        status = pt_steps_systems(s, lambda, &solved);
    if (status)
        return status;
    if (!solved && support > 0)
        return sweep_and_extrapolate(s, lambda, changed);
    size_t joined = sweep(s, lambda, true, changed);
    if (joined > 8 + support / 8)
        for (int i = 0; i < 2; i++)
            sweep(s, lambda, false, changed);
    return pt_steps_limit(s);
}

partan_status pt_steps_solve(pt_steps *s, double lambda, double target)
{
    double best = INFINITY;
    int idle = 0;
    pt_tangents_forget(&s->tangents);
    for (;;) {
        bool changed = false;
        partan_status status = one_round(s, lambda, &changed);
        double gap = pt_steps_gap(s->members, lambda);
        if (status || gap <= target || !changed)
            return status;
        idle = gap < best ? 0 : idle + 1;
        best = gap < best ? gap : best;
        if (idle == STALL_LIMIT)
            return PARTAN_STALLED;
    }
}

/* ---- A given norm ---- */

/* Where the present piece of the path has this norm, or else the middle. */
static double next_lambda(pt_steps *s, double norm, double found, double lambda, double low, double high)
{
    double slope = pt_steps_slope(s), next = slope > 0 ? lambda + (found - norm) / slope : -1;
    return next > low && next < high ? next : (low + high) / 2;
}

partan_status pt_steps_solve_norm(pt_steps *s, double norm, double target, double *lambda)
{
    double low = 0, high = s->members->design->largest;
    for (int i = 0; i < NORM_LIMIT; i++) {
        partan_status status = pt_steps_solve(s, *lambda, target / 16);
        double found = pt_steps_norm(s->members);
        if (status && status != PARTAN_STALLED)
            return status;
        if (fabs(found - norm) <= 1e-13 * norm || high - low <= 1e-15 * high)
            break;
        if (found > norm)
            low = *lambda;
        else
            high = *lambda;
        /* With no more than this to gain, the norm need not be reached. */
        if (found <= norm && *lambda * (norm - found) <= target / 4)
            break;
        *lambda = next_lambda(s, norm, found, *lambda, low, high);
    }
    return PARTAN_OK;
}
