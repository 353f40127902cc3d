/* The system of the active members: the minimum with given signs, G d = score - lambda sign(x) over them.
 *
 * Where the solution of the system would change signs, the members concerned become 0, all at once, and the system of
 * the others is solved. That is no descent method; so the objective is looked at, and where it did not fall, steps
 * that go only as far as the first sign allows take its place. */
#include <math.h>
#include <string.h>

#include "lasso/steps.h"

#define NEGLIGIBLE 1e-9  /* share of one column in another */
#define STATIONARY 1e-14 /* of lambda: a system whose right-hand side is this small is solved */

enum { BLOCK_ROUNDS = 12 }; /* of members that become 0 together */

static partan_status make_room(pt_steps *s)
{
    const pt_members *m = s->members;
    partan_context *context = m->design->context;
    if (s->capacity >= m->capacity)
        return PARTAN_OK;
    pt_free(context, s->direction);
    s->direction = pt_alloc(context, 2 * m->capacity, sizeof *s->direction);
    s->capacity = s->direction ? m->capacity : 0;
    return s->direction ? PARTAN_OK : pt_out_of_memory(context, "the system of the active columns");
}

/* Exactly 0, where a step would leave rounding. */
static void make_zero(pt_members *m, size_t member)
{
    pt_members_move(m, member, -m->x[member]);
    m->x[member] = 0;
}

/* A member that the factor's columns combine to, with these shares, gives its coefficient to them, unless |x|_1 would
 * grow: the fit stays what it is. Of equal columns one gets it all. */
static bool absorb(pt_steps *s, size_t member, const double *share)
{
    pt_members *m = s->members;
    const pt_factor *f = &s->factor;
    double own = m->x[member], growth = -fabs(own);
    for (size_t i = 0; i < f->count; i++)
        growth += fabs(m->x[f->which[i]] + own * share[i]) - fabs(m->x[f->which[i]]);
    if (!(growth <= 1e-12 * fabs(own)))
        return false;
    for (size_t i = 0; i < f->count; i++)
        if (fabs(share[i]) > NEGLIGIBLE)
            pt_members_move(m, f->which[i], own * share[i]);
    make_zero(m, member);
    return true;
}

/* Those that are 0 leave the factor, those that are not join it; *whole: all of them could, or are 0 now. */
static partan_status update_factor(pt_steps *s, bool *whole)
{
    const pt_members *m = s->members;
    pt_factor *f = &s->factor;
    partan_status status = make_room(s);
    if (status)
        return status;
    double *inside = s->direction;
    memset(inside, 0, m->count * sizeof *inside);
    for (size_t line = f->count; line-- > 0;)
        if (m->x[f->which[line]] == 0)
            pt_factor_remove(f, line);
        else
            inside[f->which[line]] = 1;
    *whole = true;
    for (size_t i = 0; i < m->count && !status; i++)
        if (m->x[i] != 0 && inside[i] == 0) {
            bool joined;
            double *share = s->direction + m->capacity;
            status = pt_factor_append(f, i, &joined, share);
            *whole = *whole && !status && (joined || absorb(s, i, share));
        }
    return status;
}

/* 1/2 x'Gx - c'x + lambda |x|_1. */
static double objective(const pt_members *m, double lambda)
{
    double sum = 0;
    for (size_t i = 0; i < m->count; i++)
        if (m->x[i] != 0)
            sum += lambda * fabs(m->x[i]) - m->x[i] * (m->linear[i] + pt_members_score(m, i)) / 2;
    return sum;
}

/* The direction to the minimum with these signs. Returns the largest entry of the right-hand side. */
static double find_direction(pt_steps *s, double lambda)
{
    const pt_members *m = s->members;
    const pt_factor *f = &s->factor;
    double largest = 0;
    for (size_t i = 0; i < f->count; i++) {
        size_t member = f->which[i];
        s->direction[i] = pt_members_score(m, member) - copysign(lambda, m->x[member]);
        largest = fmax(largest, fabs(s->direction[i]));
    }
    pt_factor_solve(f, s->direction);
    return largest;
}

static void follow(pt_steps *s, double share)
{
    for (size_t i = 0; i < s->factor.count; i++)
        s->direction[i] *= share;
    pt_members_move_all(s->members, s->factor.which, s->direction, s->factor.count);
}

/* ---- Members at 0 together ---- */

/* Makes 0 whoever would change its sign; returns how many. */
static size_t drop_crossers(pt_steps *s)
{
    pt_members *m = s->members;
    size_t dropped = 0;
    for (size_t line = s->factor.count; line-- > 0;) {
        size_t member = s->factor.which[line];
        if (m->x[member] * (m->x[member] + s->direction[line]) > 0)
            continue;
        make_zero(m, member);
        pt_factor_remove(&s->factor, line);
        dropped++;
    }
    return dropped;
}

/* Systems until no sign changes; false when that did not lower the objective, and everything is as before. */
static bool solve_at_once(pt_steps *s, double lambda)
{
    pt_members *m = s->members;
    double before = objective(m, lambda), *x = s->direction + s->capacity;
    memcpy(x, m->x, m->count * sizeof *x);
    for (int round = 0; round < BLOCK_ROUNDS && s->factor.count > 0; round++) {
        double largest = find_direction(s, lambda);
        s->iterations++;
        if (drop_crossers(s) > 0)
            continue;
        if (largest > STATIONARY * lambda)
            follow(s, 1);
        break;
    }
    if (objective(m, lambda) <= before + 1e-15 * m->design->target_square)
        return true;
    memcpy(m->x, x, m->count * sizeof *x);
    pt_members_rescore(m);
    return false;
}

/* ---- One after the other ---- */

/* How far the direction can be followed, and whose sign is in the way (`count`: nobody's). */
static double longest_step(const pt_steps *s, size_t *blocking)
{
    const pt_members *m = s->members;
    double share = 1;
    *blocking = s->factor.count;
    for (size_t i = 0; i < s->factor.count; i++) {
        double x = m->x[s->factor.which[i]], d = s->direction[i];
        if (d * x < 0 && fabs(d) * share >= fabs(x)) {
            share = fabs(x / d);
            *blocking = i;
        }
    }
    return share;
}

static partan_status solve_in_turn(pt_steps *s, double lambda, bool *solved)
{
    size_t most = 16 + s->factor.count;
    for (size_t i = 0; i < most && s->factor.count > 0; i++) {
        size_t blocking;
        double largest = find_direction(s, lambda), share = longest_step(s, &blocking);
        if (largest > STATIONARY * lambda)
            follow(s, share);
        s->iterations++;
        if (blocking == s->factor.count || largest <= STATIONARY * lambda) {
            *solved = true;
            return PARTAN_OK;
        }
        size_t member = s->factor.which[blocking];
        make_zero(s->members, member);
        pt_factor_remove(&s->factor, blocking);
        partan_status status = pt_steps_limit(s);
        if (status)
            return status;
    }
    return PARTAN_OK;
}

/* ---- */

partan_status pt_steps_systems(pt_steps *s, double lambda, bool *solved)
{
    bool whole;
    *solved = false;
    partan_status status = update_factor(s, &whole);
    if (status || s->factor.count == 0)
        return status;
    if (solve_at_once(s, lambda)) {
        *solved = whole;
        return PARTAN_OK;
    }
    status = update_factor(s, &whole);
    if (!status)
        status = solve_in_turn(s, lambda, solved);
    *solved = *solved && whole;
    return status;
}

partan_status pt_steps_slope(pt_steps *s, double *slope)
{
    const pt_members *m = s->members;
    const pt_factor *f = &s->factor;
    bool whole;
    partan_status status = update_factor(s, &whole);
    *slope = 0;
    if (status || f->count == 0)
        return status;
    for (size_t i = 0; i < f->count; i++)
        s->direction[i] = copysign(1, m->x[f->which[i]]);
    pt_factor_solve(f, s->direction);
    for (size_t i = 0; i < f->count; i++)
        *slope += copysign(1, m->x[f->which[i]]) * s->direction[i];
    return PARTAN_OK;
}
