/* Who joins the working set of the Lasso solver. */
#include <math.h>
#include <stdlib.h>

#include "lasso/state.h"

typedef struct candidate {
    double priority;
    int64_t id;
} candidate;

#define EXPECTED 0.97 /* of lambda: columns whose score is expected to be this large are taken */

#define SLIGHT   0.05
#define ROUNDING 1e-12

static bool comes_before(const candidate *a, const candidate *b)
{
    return a->priority > b->priority || (a->priority == b->priority && a->id < b->id);
}

static int by_priority(const void *a, const void *b)
{
    return comes_before(a, b) ? -1 : comes_before(b, a);
}

/* Brings the `keep` first ones to the front, by partition as in quicksort. */
static void select_first(candidate *c, size_t count, size_t keep)
{
    size_t low = 0, high = count;
    while (high - low > 1) {
        candidate pivot = c[low + (high - low - 1) / 2]; /* never the last: both parts are shorter then */
        size_t i = low, j = high - 1;
        for (;; i++, j--) {
            while (comes_before(&c[i], &pivot))
                i++;
            while (comes_before(&pivot, &c[j]))
                j--;
            if (i >= j)
                break;
            candidate swap = c[i];
            c[i] = c[j];
            c[j] = swap;
        }
        if (keep <= j)
            high = j + 1;
        else
            low = j + 1;
    }
}

static double violation(const pt_lasso_solver *s, size_t column, double lambda)
{
    (void)lambda;
    return s->violation[column];
}

/* The score at lambda if it goes on as from the block before to the last, in units of lambda. */
static double expectation(const pt_lasso_solver *s, size_t column, double lambda)
{
    double score = s->scores[column];
    if (s->previous_lambda > s->lambda)
        score += (score - s->previous[column]) * (s->lambda - lambda) / (s->previous_lambda - s->lambda);
    return fabs(score) / lambda;
}

typedef double (*priority_of)(const pt_lasso_solver *, size_t, double);

static size_t collect(const pt_lasso_solver *s, double lambda, double least, priority_of priority, candidate *out)
{
    size_t count = 0;
    for (size_t j = 0; j < s->design->store->features; j++) {
        double found = priority(s, j, lambda);
        if (!(found > least) || s->members.place[j] || s->design->inverse[j] == 0)
            continue;
        if (out)
            out[count] = (candidate){found, (int64_t)j};
        count++;
    }
    return count;
}

/* The members' own priorities, in order. */
static void collect_members(const pt_lasso_solver *s, double lambda, priority_of priority, candidate *out)
{
    for (size_t i = 0; i < s->members.count; i++)
        out[i] = (candidate){priority(s, (size_t)s->members.ids[i], lambda), -1};
    qsort(out, s->members.count, sizeof *out, by_priority);
}

/* Equal columns have equal priorities, to the last bit, and one of them is enough: leaves out those that come after an
 * equal one, or that a member equals. Both lists are in order. Returns how many are left. */
static size_t leave_out_equals(candidate *c, size_t count, const candidate *members, size_t member_count)
{
    size_t kept = 0, m = 0;
    for (size_t i = 0; i < count; i++) {
        while (m < member_count && members[m].priority > c[i].priority)
            m++;
        bool equal = (m < member_count && members[m].priority == c[i].priority)
                     || (kept > 0 && c[kept - 1].priority == c[i].priority);
        if (!equal)
            c[kept++] = c[i];
    }
    return kept;
}

/* Brings the candidates that are to join to the front, in order; there is room for the members behind them. */
static size_t choose(const pt_lasso_solver *s, double lambda, size_t most, priority_of priority, candidate *candidates,
                     size_t count)
{
    /* Of equal columns there may be many: some more are looked at than can join. */
    size_t some = count > 4 * most ? 4 * most : count;
    candidate *members = candidates + count;
    if (some < count)
        select_first(candidates, count, some);
    qsort(candidates, some, sizeof *candidates, by_priority);
    collect_members(s, lambda, priority, members);
    some = leave_out_equals(candidates, some, members, s->members.count);
    return some < most ? some : most;
}

static partan_status join(pt_lasso_solver *s, double lambda, double least, size_t most, priority_of priority,
                          size_t *joined)
{
    size_t count = collect(s, lambda, least, priority, NULL);
    *joined = 0;
    if (count == 0 || most == 0)
        return PARTAN_OK;
    candidate *candidates = pt_alloc(s->context, count + s->members.count, sizeof *candidates);
    int64_t *ids = pt_alloc(s->context, count, sizeof *ids);
    partan_status status = candidates && ids ? PARTAN_OK : pt_out_of_memory(s->context, "the working set");
    if (!status) {
        collect(s, lambda, least, priority, candidates);
        *joined = choose(s, lambda, most, priority, candidates, count);
        for (size_t i = 0; i < *joined; i++)
            ids[i] = candidates[i].id;
        status = pt_lasso_heed(s, pt_members_add(&s->members, ids, *joined));
    }
    pt_free(s->context, candidates);
    pt_free(s->context, ids);
    return status;
}

partan_status pt_lasso_join_violators(pt_lasso_solver *s, size_t *joined)
{
    /* As many as are active, or as cost about as much as a pass: their inner products are not for nothing. */
    size_t most = 32 + s->steps.factor.count + s->design->store->features / (s->members.count + 64);
    /* What costs the dual less than a small share of the gap to reach is no violation worth a column. */
    double slight = SLIGHT * s->target.gap / s->design->target_square;
    return join(s, 0, 1 + (slight > ROUNDING ? slight : ROUNDING), most, violation, joined);
}

partan_status pt_lasso_join_expected(pt_lasso_solver *s, double lambda, size_t most)
{
    size_t joined;
    return join(s, lambda, EXPECTED, most, expectation, &joined);
}

void pt_lasso_next_block(pt_lasso_solver *s)
{
    double *swap = s->previous;
    s->previous = s->scores;
    s->scores = swap;
    s->previous_lambda = s->lambda;
}
