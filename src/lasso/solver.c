#include "lasso/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lasso/state.h"

#define INNER_SHARE 0.1 /* of the gap to reach is left to the steps among the members */
#define APPROACH    0.4 /* from one lambda to the next on the way to the first one asked for */

enum { LONGEST_BLOCK = PT_COLUMN_VECTORS };

partan_status pt_lasso_solver_make(const pt_design *design, const pt_lasso_target *target, pt_lasso_solver **solver)
{
    partan_context *context = design->context;
    size_t features = design->store->features, chunks = (features + PT_SCAN_CHUNK - 1) / PT_SCAN_CHUNK;
    pt_lasso_solver *s = *solver = pt_alloc_zero(context, 1, sizeof *s);
    if (!s)
        return pt_out_of_memory(context, "the solver");
    s->context = context;
    s->design = design;
    s->target = *target;
    s->residuals = pt_alloc_zero(context, design->store->padded * PT_COLUMN_VECTORS, sizeof *s->residuals);
    s->scores = pt_copy(context, design->correlation, features, sizeof *s->scores);
    s->previous = pt_alloc_zero(context, features, sizeof *s->previous);
    s->violation = pt_alloc_zero(context, features, sizeof *s->violation);
    s->chunk_largest = pt_alloc_zero(context, chunks * PT_COLUMN_VECTORS, sizeof *s->chunk_largest);
    s->lambda = design->largest;
    partan_status status = PARTAN_OK;
    if (!s->residuals || !s->scores || !s->previous || !s->violation || !s->chunk_largest)
        status = pt_out_of_memory(context, "the scores of all columns");
    if (!status)
        status = pt_members_init(&s->members, design);
    if (!status) {
        pt_steps_init(&s->steps, &s->members);
        s->steps.deadline = target->deadline;
    } else {
        pt_lasso_solver_free(s);
        *solver = NULL;
    }
    return status;
}

void pt_lasso_solver_free(pt_lasso_solver *s)
{
    if (!s)
        return;
    pt_steps_free(&s->steps);
    pt_members_free(&s->members);
    pt_free(s->context, s->residuals);
    pt_free(s->context, s->scores);
    pt_free(s->context, s->previous);
    pt_free(s->context, s->violation);
    pt_free(s->context, s->chunk_largest);
    pt_free(s->context, s);
}

static size_t active(const pt_lasso_solver *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->members.count; i++)
        count += s->members.x[i] != 0;
    return count;
}

/* ---- A block of lambdas ---- */

typedef struct block {
    size_t count;
    pt_solved points[LONGEST_BLOCK];
    bool pending[LONGEST_BLOCK];
    partan_status stopped; /* by a limit or an interruption */
} block;

static void block_free(pt_lasso_solver *s, block *b)
{
    for (size_t k = 0; k < LONGEST_BLOCK; k++)
        pt_solved_free(s->context, &b->points[k]);
}

/* Solves the restricted problems of what is pending, and computes the residuals one after the other. */
static partan_status solve_pending(pt_lasso_solver *s, block *b, const double *lambdas, bool again)
{
    size_t padded = s->design->store->padded, slot = 0;
    for (size_t k = 0; k < b->count; k++) {
        if (!b->pending[k])
            continue;
        pt_solved *point = &b->points[k];
        int64_t before = s->steps.iterations, earlier = point->iterations;
        if (again)
            pt_lasso_resume(s, point);
        s->steps.most = s->target.max_iter > 0 ? before + s->target.max_iter - earlier : 0;
        partan_status status = b->stopped ? PARTAN_OK : pt_steps_solve(&s->steps, lambdas[k], INNER_SHARE * s->target.gap);
        if (status < 0)
            return status;
        if (status != PARTAN_STALLED && status > 0)
            b->stopped = status;
        status = pt_lasso_note(s, lambdas[k], point, s->residuals + slot++ * padded);
        if (status)
            return status;
        point->iterations = earlier + s->steps.iterations - before;
        point->status = b->stopped;
        if (b->stopped)
            b->count = k + 1;
    }
    return PARTAN_OK;
}

/* One pass over all columns for what is pending; what is good enough is not pending any more. */
static partan_status certify_pending(pt_lasso_solver *s, block *b)
{
    double lambdas[LONGEST_BLOCK], largest[LONGEST_BLOCK];
    size_t count = 0, padded = s->design->store->padded;
    for (size_t k = 0; k < b->count; k++)
        if (b->pending[k])
            lambdas[count++] = b->points[k].lambda;
    partan_status status = pt_lasso_pass(s, lambdas, count, largest);
    if (status)
        return status;
    for (size_t k = 0, slot = 0; k < b->count; k++) {
        if (!b->pending[k])
            continue;
        pt_solved *point = &b->points[k];
        const double *residual = s->residuals + slot * padded;
        point->gap = pt_lasso_gap(s, point, residual, largest[slot]);
        point->square = s->design->store->ops->dot(residual, residual, padded) / (double)s->design->counted;
        point->converged = point->gap <= s->target.gap;
        b->pending[k] = !point->converged;
        slot++;
    }
    return PARTAN_OK;
}

static bool any_pending(const block *b)
{
    for (size_t k = 0; k < b->count; k++)
        if (b->pending[k])
            return true;
    return false;
}

/* Rounds until all are certified. */
static partan_status solve_block(pt_lasso_solver *s, block *b, const double *lambdas, int *rounds)
{
    for (size_t k = 0; k < b->count; k++)
        b->pending[k] = true;
    pt_lasso_next_block(s);
    for (*rounds = 1;; ++*rounds) {
        size_t joined = 0;
        partan_status status = solve_pending(s, b, lambdas, *rounds > 1);
        if (b->stopped)
            pt_defer_begin(s->context);
        if (!status)
            status = certify_pending(s, b);
        if (b->stopped)
            pt_defer_end(s->context);
        if (status || b->stopped || !any_pending(b))
            return status;
        status = pt_lasso_join_violators(s, &joined);
        if (status)
            return status;
        if (joined == 0) { /* nobody is missing: rounding, or the steps were not exact enough */
            for (size_t k = 0; k < b->count; k++)
                b->points[k].status = b->pending[k] ? PARTAN_STALLED : PARTAN_OK;
            return PARTAN_OK;
        }
    }
}

/* ---- Paths ---- */

/* Lambdas that nobody asked for, on the way to the first: each brings in who will be needed. */
static partan_status approach(pt_lasso_solver *s, double lambda)
{
    partan_status status = PARTAN_OK;
    while (!status && s->lambda * APPROACH > lambda) {
        double next = s->lambda * APPROACH, largest[1];
        pt_solved point = {0};
        status = pt_lasso_join_expected(s, next, 32 + 2 * active(s));
        if (!status)
            status = pt_steps_solve(&s->steps, next, 1e-3 * s->design->target_square);
        if (status == PARTAN_STALLED)
            status = PARTAN_OK;
        if (!status)
            status = pt_lasso_note(s, next, &point, s->residuals);
        pt_lasso_next_block(s);
        if (!status)
            status = pt_lasso_pass(s, &next, 1, largest);
        pt_solved_free(s->context, &point);
    }
    return status;
}

static partan_status hand_over(pt_lasso_solver *s, block *b, size_t index, pt_solved_taker take, void *user)
{
    (void)s;
    for (size_t k = 0; k < b->count; k++) {
        partan_status status = take(user, index + k, &b->points[k]);
        if (status)
            return status;
    }
    return PARTAN_OK;
}

partan_status pt_lasso_solve_path(pt_lasso_solver *s, const double *lambdas, size_t count, pt_solved_taker take,
                                  void *user)
{
    size_t length = 1;
    partan_status status = approach(s, lambdas[0]);
    for (size_t i = 0; i < count && !status;) {
        block b = {.count = count - i < length ? count - i : length};
        int rounds = 0;
        double end = lambdas[i + b.count - 1];
        size_t tried = b.count;
        status = pt_lasso_join_expected(s, end, 64 + 2 * active(s) + s->design->store->features / (s->members.count + 64));
        if (!status)
            status = solve_block(s, &b, lambdas + i, &rounds);
        if (getenv("LASSO_DEBUG"))
            fprintf(stderr, "block at %zu of %zu: rounds %d, members %zu, active %zu, passes %llu, its %lld\n", i, b.count, rounds, s->members.count, active(s), (unsigned long long)s->passes, (long long)s->steps.iterations);
        if (!status)
            status = hand_over(s, &b, i, take, user);
        i += b.count;
        length = rounds > 1 ? (tried + 1) / 2 : tried * 2;
        length = length > LONGEST_BLOCK ? LONGEST_BLOCK : length;
        bool stopped = b.stopped;
        block_free(s, &b);
        if (stopped)
            break;
    }
    return status;
}
