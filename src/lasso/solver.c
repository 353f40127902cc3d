#include "lasso/solver.h"

#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "lasso/state.h"

#define INNER_SHARE 0.6 /* of the gap to reach is left to the steps among the members */

enum { LONGEST_BLOCK = PT_COLUMN_VECTORS };

static partan_status allocate(pt_lasso_solver *s)
{
    partan_context *context = s->context;
    const pt_store *store = s->design->store;
    size_t features = store->features, chunks = (features + PT_SCAN_CHUNK - 1) / PT_SCAN_CHUNK;
    s->residuals = pt_alloc_zero(context, store->padded * PT_COLUMN_VECTORS, sizeof *s->residuals);
    s->scores = pt_copy(context, s->design->correlation, features, sizeof *s->scores);
    s->previous = pt_alloc_zero(context, features, sizeof *s->previous);
    s->violation = pt_alloc_zero(context, features, sizeof *s->violation);
    s->chunk_largest = pt_alloc_zero(context, chunks * PT_COLUMN_VECTORS, sizeof *s->chunk_largest);
    if (s->residuals && s->scores && s->previous && s->violation && s->chunk_largest)
        return pt_members_init(&s->members, s->design);
    return pt_out_of_memory(context, "the scores of all columns");
}

partan_status pt_lasso_solver_make(const pt_design *design, const pt_lasso_target *target, pt_lasso_solver **solver)
{
    partan_context *context = design->context;
    pt_lasso_solver *s = pt_alloc_zero(context, 1, sizeof *s);
    *solver = NULL;
    if (!s)
        return pt_out_of_memory(context, "the solver");
    s->context = context;
    s->design = design;
    s->target = *target;
    s->lambda = design->largest;
    s->progress = (partan_progress){.done = -1, .seconds_left = -1};
    pt_trace_begin(&s->trace, context, target->trace_rows, target->start);
    partan_status status = allocate(s);
    if (status) {
        pt_lasso_solver_free(s);
        return status;
    }
    pt_steps_init(&s->steps, &s->members);
    s->steps.deadline = target->deadline;
    *solver = s;
    return PARTAN_OK;
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
    pt_free(s->context, s->alive);
    pt_free(s->context, s);
}

partan_status pt_lasso_heed(pt_lasso_solver *s, partan_status status)
{
    if (status < 0)
        return status;
    if (status > 0 && status != PARTAN_STALLED)
        s->stopped = status;
    return PARTAN_OK;
}

/* ---- A block of lambdas ---- */

typedef struct block {
    size_t count;
    pt_solved points[LONGEST_BLOCK];
    bool pending[LONGEST_BLOCK];
    size_t slot[LONGEST_BLOCK]; /* of a pending point's residual; a point that needed no step shares that before it */
    size_t slots;
    bool confirm; /* good enough by a pass over some columns: what is left is one over all */
} block;

static void block_free(pt_lasso_solver *s, block *b)
{
    for (size_t k = 0; k < LONGEST_BLOCK; k++)
        pt_solved_free(s->context, &b->points[k]);
}

/* Solves the restricted problem of point k, and computes its residual unless it has that of the point before. */
static partan_status solve_point(pt_lasso_solver *s, block *b, size_t k, double lambda, bool again)
{
    pt_solved *point = &b->points[k];
    int64_t before = s->steps.iterations, earlier = point->iterations;
    partan_status status = PARTAN_OK;
    s->steps.most = s->target.max_iter > 0 ? before + s->target.max_iter - earlier : 0;
    if (!s->stopped)
        status = pt_lasso_heed(s, pt_steps_solve(&s->steps, lambda, INNER_SHARE * s->target.gap));
    bool same = !again && k > 0 && s->steps.iterations == before;
    b->slot[k] = same ? b->slot[k - 1] : b->slots++;
    if (!status)
        status = pt_lasso_note(s, lambda, point, same ? NULL : s->residuals + b->slot[k] * s->design->store->padded);
    point->iterations = earlier + s->steps.iterations - before;
    return status;
}

/* What is pending; where that is stopped, the block ends. */
static partan_status solve_pending(pt_lasso_solver *s, block *b, const double *lambdas, bool again)
{
    partan_status status = PARTAN_OK;
    b->slots = 0;
    for (size_t k = 0; k < b->count && !status; k++) {
        if (!b->pending[k])
            continue;
        if (again)
            pt_lasso_resume(s, &b->points[k]);
        status = solve_point(s, b, k, lambdas[k], again);
        if (s->stopped)
            b->count = k + 1;
    }
    return status;
}

static void certify_point(pt_lasso_solver *s, pt_solved *point, const double *residual, double largest)
{
    const pt_store *store = s->design->store;
    point->gap = pt_lasso_gap(s, point, residual, largest);
    point->square = store->ops->dot(residual, residual, store->padded) / (double)s->design->counted;
    point->converged = point->gap <= s->target.gap;
    point->status = point->converged ? PARTAN_OK : s->stopped;
    pt_lasso_show(s, point, point->square / 2 + point->lambda * point->norm, 1);
}

/* One pass over all columns for what is pending; what is good enough is not pending any more. */
static partan_status certify_pending(pt_lasso_solver *s, block *b)
{
    double lambdas[LONGEST_BLOCK], largest[LONGEST_BLOCK];
    for (size_t k = 0; k < b->count; k++)
        if (b->pending[k])
            lambdas[b->slot[k]] = b->points[k].lambda; /* the least of those that share it */
    partan_status status = pt_lasso_pass(s, lambdas, b->slots, largest);
    bool all = s->alive_count == 0;
    for (size_t k = 0; k < b->count && !status; k++)
        if (b->pending[k]) {
            const double *residual = s->residuals + b->slot[k] * s->design->store->padded;
            certify_point(s, &b->points[k], residual, largest[b->slot[k]]);
            b->pending[k] = !b->points[k].converged || !all;
        }
    b->confirm = !all && !status && b->points[0].converged;
    if (!status && b->count == 1 && b->pending[0] && !b->confirm)
        status = pt_lasso_screen(s, &b->points[0], s->residuals, largest[0]);
    return status;
}

static bool any_pending(const block *b)
{
    for (size_t k = 0; k < b->count; k++)
        if (b->pending[k])
            return true;
    return false;
}

/* Nobody is missing, and the gap is still too large: rounding. */
static void give_up(block *b)
{
    for (size_t k = 0; k < b->count; k++)
        b->points[k].status = b->pending[k] ? PARTAN_STALLED : PARTAN_OK;
}

/* Rounds until all are certified; *rounds counts them. */
static partan_status solve_block(pt_lasso_solver *s, block *b, const double *lambdas, int *rounds)
{
    for (size_t k = 0; k < b->count; k++)
        b->pending[k] = true;
    pt_lasso_revive(s);
    pt_lasso_next_block(s);
    for (*rounds = 1;; ++*rounds) {
        size_t joined = 0;
        partan_status status = b->confirm ? PARTAN_OK : solve_pending(s, b, lambdas, *rounds > 1);
        if (s->stopped || b->confirm)
            pt_lasso_revive(s);
        if (!status)
            status = certify_pending(s, b);
        if (status || s->stopped || !any_pending(b))
            return status;
        if (b->confirm)
            continue;
        status = pt_lasso_join_violators(s, &joined);
        if (status)
            return status;
        if (joined == 0 && !s->stopped) {
            give_up(b);
            return PARTAN_OK;
        }
    }
}

/* ---- Paths ---- */

/* As many columns may join as cost about as much as the pass that they may save. */
static size_t most_joiners(const pt_lasso_solver *s)
{
    size_t features = s->design->store->features;
    return 64 + 2 * s->steps.factor.count + features / (s->members.count + 64);
}

static partan_status hand_over(block *b, size_t index, pt_solved_taker take, void *user)
{
    partan_status status = PARTAN_OK;
    for (size_t k = 0; k < b->count && !status; k++)
        status = take(user, index + k, &b->points[k]);
    return status;
}

/* The next length: longer while nobody is missing. */
static size_t next_length(size_t length, int rounds)
{
    size_t next = rounds > 1 ? (length + 1) / 2 : length * 2;
    return next < LONGEST_BLOCK ? next : LONGEST_BLOCK;
}

partan_status pt_lasso_solve_path(pt_lasso_solver *s, const double *lambdas, size_t count, pt_solved_taker take,
                                  void *user, partan_status *stopped)
{
    size_t length = 1;
    double first = lambdas[0];
    s->steps.most = s->target.max_iter;
    partan_status status = pt_lasso_approach(s, 0, &first);
    for (size_t i = 0, next; i < count && !status && (i == 0 || !s->stopped); i = next) {
        block b = {.count = count - i < length ? count - i : length};
        int rounds = 0;
        if (i == 0)
            b.points[0].iterations = s->steps.iterations;
        if (!s->stopped)
            status = pt_lasso_join_expected(s, lambdas[i + b.count - 1], most_joiners(s));
        if (!status)
            status = solve_block(s, &b, lambdas + i, &rounds);
        next = i + b.count; /* it may have been cut short */
        pt_log(s->context, PARTAN_LOG_DEBUG,
               "lambda %zu to %zu: %d passes, the last with %zu residuals, %zu members, %zu active", i + 1, next,
               rounds, b.slots, s->members.count, b.points[b.count - 1].count);
        if (!status)
            status = hand_over(&b, i, take, user);
        block_free(s, &b);
        length = next_length(next - i, rounds);
        if (s->stopped == PARTAN_ITERATION_LIMIT) /* of this point only */
            s->stopped = PARTAN_OK;
    }
    *stopped = s->stopped;
    return status;
}
