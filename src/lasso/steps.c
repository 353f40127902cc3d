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

#define STATIONARY 1e-14 /* of lambda: a system whose right-hand side is this small is solved */

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

/* ---- The system of the active members ---- */

/* Those that are 0 leave the factor, those that are not join it. */
static partan_status update_factor(pt_steps *s, bool *whole)
{
    pt_members *m = s->members;
    pt_factor *f = &s->factor;
    if (s->capacity < m->capacity) {
        pt_free(m->design->context, s->direction);
        s->direction = pt_alloc(m->design->context, 2 * m->capacity, sizeof *s->direction);
        s->capacity = s->direction ? m->capacity : 0;
        if (!s->direction)
            return pt_out_of_memory(m->design->context, "the system of the active columns");
    }
    double *inside = s->direction + m->capacity;
    memset(inside, 0, m->count * sizeof *inside);
    for (size_t line = f->count; line-- > 0;)
        if (m->x[f->which[line]] == 0)
            pt_factor_remove(f, line);
        else
            inside[f->which[line]] = 1;
    *whole = true;
    for (size_t i = 0; i < m->count; i++)
        if (m->x[i] != 0 && inside[i] == 0) {
            bool joined;
            partan_status status = pt_factor_append(f, i, &joined);
            if (status)
                return status;
            *whole = *whole && joined;
        }
    return PARTAN_OK;
}

/* The direction to the minimum with these signs, and how far it can be followed. */
static double find_direction(pt_steps *s, double lambda, double *largest, size_t *blocking)
{
    const pt_members *m = s->members;
    const pt_factor *f = &s->factor;
    double *d = s->direction, share = 1;
    *largest = 0;
    for (size_t i = 0; i < f->count; i++) {
        size_t member = f->which[i];
        d[i] = m->score[member] - copysign(lambda, m->x[member]);
        *largest = fmax(*largest, fabs(d[i]));
    }
    pt_factor_solve(f, d);
    *blocking = f->count;
    for (size_t i = 0; i < f->count; i++) {
        double x = m->x[f->which[i]];
        if (d[i] * x < 0 && fabs(d[i]) * share >= fabs(x)) {
            share = fabs(x / d[i]);
            *blocking = i;
        }
    }
    return share;
}

static void follow_direction(pt_steps *s, double share, size_t blocking)
{
    pt_members *m = s->members;
    const pt_factor *f = &s->factor;
    for (size_t i = 0; i < f->count; i++) {
        size_t member = f->which[i];
        double step = i == blocking ? -m->x[member] : share * s->direction[i];
        m->x[member] = i == blocking ? 0 : m->x[member] + step;
        m->design->store->ops->axpy(-step, pt_members_gram(m, member), m->count, m->score);
    }
}

/* Systems until none is blocked by a sign: *solved; or until there were too many. */
static partan_status solve_systems(pt_steps *s, double lambda, bool *solved)
{
    size_t most = 16 + s->factor.count;
    *solved = false;
    partan_status status = update_factor(s, solved);
    if (status || s->factor.count == 0)
        return status;
    bool whole = *solved;
    *solved = false;
    for (size_t i = 0; i < most && s->factor.count > 0; i++) {
        double largest;
        size_t blocking;
        double share = find_direction(s, lambda, &largest, &blocking);
        if (largest > STATIONARY * lambda)
            follow_direction(s, share, blocking);
        s->iterations++;
        if (blocking == s->factor.count || largest <= STATIONARY * lambda) {
            *solved = whole;
            return PARTAN_OK;
        }
        pt_factor_remove(&s->factor, blocking);
        if ((status = pt_steps_limit(s)))
            return status;
    }
    return PARTAN_OK;
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
        status = solve_systems(s, lambda, &solved);
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

/* -d|x|_1 / d lambda with the present signs: s' G^-1 s over the active members. */
static double norm_slope(pt_steps *s)
{
    const pt_members *m = s->members;
    const pt_factor *f = &s->factor;
    double sum = 0;
    for (size_t i = 0; i < f->count; i++)
        s->direction[i] = copysign(1, m->x[f->which[i]]);
    pt_factor_solve(f, s->direction);
    for (size_t i = 0; i < f->count; i++)
        sum += copysign(1, m->x[f->which[i]]) * s->direction[i];
    return sum;
}

/* Where the present piece of the path has this norm, or else the middle. */
static double next_lambda(pt_steps *s, double norm, double found, double lambda, double low, double high)
{
    double slope = s->factor.count > 0 ? norm_slope(s) : 0, next = slope > 0 ? lambda + (found - norm) / slope : -1;
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
        bool whole;
        status = update_factor(s, &whole);
        if (status)
            return status;
        /* With no more than this to gain, the norm need not be reached. */
        if (found <= norm && *lambda * (norm - found) <= target / 4)
            break;
        *lambda = next_lambda(s, norm, found, *lambda, low, high);
    }
    return PARTAN_OK;
}
