/* The simplex problem under random sampling (Section 4.2 of the paper): the oracle looks at a few vertices drawn anew
 * at every call, and their gradient entries are summed over the active set. No step does work or takes memory in
 * proportion to the number of rows.
 *
 * The active rows are kept gathered in a store of their own, so that the sums run over contiguous tiles. New ones go to
 * a short tail; when it is full, all are gathered anew, which also forgets those that have left. For the variants that
 * step away from an active vertex, the scores of the active rows follow the moves, at one kernel column over the store
 * for each vertex that a move names: the away vertex is the true one, and costs far less than a sample.
 *
 * When a full pass has shown that the samples missed violators, the worst of them are remembered in a pool, and half of
 * each following sample is drawn from it. */
#include "simplex/sampled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The oracle ---- */

/* Draws the sample, with replacement; all vertices when there are no more than its size. */
static size_t draw(pt_sampled *s)
{
    uint64_t vertices = pt_simplex_all(&s->simplex);
    size_t count = 0;
    if (s->size >= vertices) {
        for (; count < vertices; count++)
            s->ids[count] = (int64_t)count;
        return count;
    }
    if (s->pool_count > 0)
        for (; count < s->size / 2; count++)
            s->ids[count] = s->pool[pt_random_below(&s->random, s->pool_count)].id;
    for (; count < s->size; count++)
        s->ids[count] = (int64_t)pt_random_below(&s->random, vertices);
    return count;
}

/* Takes out of the pool what the sample has shown to be no violator any more. */
static void thin_pool(pt_sampled *s, size_t count)
{
    for (size_t i = 0; i < count && s->pool_count > 0; i++) {
        if (s->scores[i] < s->pool_level)
            continue;
        for (size_t p = 0; p < s->pool_count; p++)
            if (s->pool[p].id == s->ids[i])
                s->pool[p--] = s->pool[--s->pool_count];
    }
}

static partan_status sampled_toward(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    pt_sampled *s = (pt_sampled *)problem;
    size_t count = draw(s), least = 0;
    partan_status status =
        s->simplex.share ? pt_sampled_score_shared(s, iterate, count) : pt_sampled_score(s, iterate, count);
    if (status)
        return status;
    for (size_t i = 1; i < count; i++)
        if (s->scores[i] < s->scores[least])
            least = i;
    *vertex = (pt_vertex){.id = s->ids[least], .score = s->scores[least], .previous_score = s->previous_scores[least]};
    if (s->pool_count > 0)
        thin_pool(s, s->size / 2);
    return s->simplex.share ? pt_sampled_meet(s, s->ids[least], &vertex->id) : PARTAN_OK;
}

static partan_status sampled_away(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    pt_sampled *s = (pt_sampled *)problem;
    if (!s->scored) {
        partan_status status = pt_sampled_score_stores(s, iterate);
        if (status)
            return status;
        s->scored = true;
    }
    *vertex = (pt_vertex){.id = -1, .score = -INFINITY};
    for (int k = 0; k < 2; k++) {
        const pt_store *t = &s->stores[k];
        for (size_t i = 0; i < t->count; i++)
            if (t->scores[i] > vertex->score && pt_iterate_weight(iterate, t->ids[i]) > 0)
                *vertex = (pt_vertex){.id = t->ids[i], .score = t->scores[i]};
    }
    return PARTAN_OK;
}

/* ---- Single values ---- */

static double kernel_value(const pt_sampled *s, int64_t u, int64_t v)
{
    size_t row, other;
    pt_points rows = s->simplex.points, vertices = rows;
    rows.matrix = pt_simplex_matrix(&s->simplex, u, &row);
    vertices.matrix = pt_simplex_matrix(&s->simplex, v, &other);
    if (s->simplex.block.form == PT_FORM_PRECOMPUTED)
        vertices.matrix = NULL;
    return pt_kernel_value(&s->simplex.kernel, rows, row, vertices, other);
}

static partan_status sampled_inspect(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    (void)iterate;
    const pt_sampled *s = (const pt_sampled *)problem;
    vertex->diagonal = pt_dual_diagonal(&s->simplex.dual, vertex->id, kernel_value(s, vertex->id, vertex->id));
    vertex->linear = pt_dual_linear(&s->simplex.dual, vertex->id);
    return PARTAN_OK;
}

static partan_status sampled_product(pt_problem *problem, const pt_vertex *u, const pt_vertex *v, double *product)
{
    const pt_sampled *s = (const pt_sampled *)problem;
    *product = pt_dual_entry(&s->simplex.dual, u->id, v->id, kernel_value(s, u->id, v->id));
    return PARTAN_OK;
}

static partan_status sampled_move(pt_problem *problem, const pt_iterate *iterate, const pt_move *move)
{
    pt_sampled *s = (pt_sampled *)problem;
    partan_status status = PARTAN_OK;
    for (int t = 0; t < move->terms && !status; t++)
        status = pt_sampled_store_new(s, iterate, move->term[t].id);
    return !status && s->scored ? pt_sampled_move_scores(s, move) : status;
}

static partan_status sampled_start(pt_problem *problem, const pt_iterate *iterate, pt_measure *measure)
{
    pt_sampled *s = (pt_sampled *)problem;
    double inner = 0;
    *measure = (pt_measure){0};
    partan_status status = pt_sampled_make_room(s);
    if (!status)
        status = pt_sampled_store_all(s, iterate);
    for (size_t first = 0; first < iterate->count && !status; first += s->size) {
        size_t count = iterate->count - first < s->size ? iterate->count - first : s->size;
        memcpy(s->ids, iterate->id + first, count * sizeof *s->ids);
        status = pt_sampled_score(s, iterate, count);
        for (size_t i = 0; i < count && !status; i++)
            inner += iterate->now[first + i] * s->scores[i];
    }
    for (size_t i = 0; i < iterate->count; i++)
        measure->linear += iterate->now[i] * pt_dual_linear(&s->simplex.dual, iterate->id[i]);
    measure->objective = pt_objective(inner, measure->linear);
    return status;
}

/* ---- The full pass ---- */

/* Of two violators, whether the first is the less bad. */
static bool is_less_bad(const pt_scored *a, const pt_scored *b)
{
    return a->score > b->score || (a->score == b->score && a->id > b->id);
}

/* A heap with the least bad violator on top, so that the pool keeps the worst. */
static void pool_sift(pt_scored *pool, size_t count, size_t i)
{
    for (;;) {
        size_t top = i, left = 2 * i + 1, right = left + 1;
        if (left < count && is_less_bad(&pool[left], &pool[top]))
            top = left;
        if (right < count && is_less_bad(&pool[right], &pool[top]))
            top = right;
        if (top == i)
            return;
        pt_scored moved = pool[i];
        pool[i] = pool[top];
        pool[top] = moved;
        i = top;
    }
}

static int worst_first(const void *a, const void *b)
{
    return is_less_bad(a, b) ? 1 : is_less_bad(b, a) ? -1 : 0;
}

static void add_to_pool(pt_sampled *s, pt_scored found)
{
    if (s->pool_count < PT_POOL_SIZE) {
        s->pool[s->pool_count++] = found;
        for (size_t j = s->pool_count / 2; s->pool_count == PT_POOL_SIZE && j-- > 0;)
            pool_sift(s->pool, s->pool_count, j);
    } else if (is_less_bad(&s->pool[0], &found)) {
        s->pool[0] = found;
        pool_sift(s->pool, s->pool_count, 0);
    }
}

/* In an order that does not depend on how they were found: samples are drawn from it. */
static partan_status fill_pool(pt_sampled *s, const double *gradient, double level)
{
    size_t here = pt_simplex_own(&s->simplex);
    partan_status status = PARTAN_OK;
    s->pool_count = 0;
    s->pool_level = level;
    for (size_t i = 0; i < here; i++)
        if (gradient[i] < level)
            add_to_pool(s, (pt_scored){pt_simplex_number(&s->simplex, (int64_t)i), gradient[i]});
    if (s->simplex.share) {
        pt_scored *all = NULL;
        size_t count = 0;
        status = pt_sampled_gather_pools(s, &all, &count);
        s->pool_count = 0;
        for (size_t i = 0; i < count && !status; i++)
            add_to_pool(s, all[i]);
        pt_free(s->simplex.problem.context, all);
    }
    qsort(s->pool, s->pool_count, sizeof *s->pool, worst_first);
    return status;
}

static partan_status sampled_certify(pt_problem *problem, const pt_iterate *iterate, double target,
                                     pt_certificate *certificate)
{
    pt_sampled *s = (pt_sampled *)problem;
    partan_context *context = problem->context;
    double *gradient = pt_alloc(context, s->simplex.dual.vertices, sizeof *gradient);
    if (!gradient)
        return pt_out_of_memory(context, "the gradient");
    partan_status status = pt_simplex_certify(&s->simplex, iterate, target, true, gradient, certificate);
    if (!status && s->size < pt_simplex_all(&s->simplex))
        status = fill_pool(s, gradient, pt_inner_product(certificate->objective, certificate->linear) - target);
    pt_free(context, gradient);
    return status;
}

/* ---- Making and freeing ---- */

static void sampled_free(pt_problem *problem)
{
    pt_sampled *s = (pt_sampled *)problem;
    partan_context *context = problem->context;
    for (int k = 0; k < 2; k++) {
        pt_matrix_free(&s->stores[k].matrix);
        pt_index_free(&s->stores[k].index);
        pt_free(context, s->stores[k].ids);
        pt_free(context, s->stores[k].slots);
        pt_free(context, s->stores[k].now);
        pt_free(context, s->stores[k].previous);
        pt_free(context, s->stores[k].scores);
    }
    for (int i = 0; s->panels && i < context->threads; i++)
        pt_panel_free(&s->panels[i]);
    pt_free(context, s->panels);
    pt_panel_free(&s->column);
    pt_free(context, s->stored);
    pt_free(context, s->ids);
    pt_free(context, s->scores);
    pt_free(context, s->previous_scores);
    pt_free(context, s->pool);
    pt_free(context, s);
}

static const pt_problem_ops sampled_ops = {.start = sampled_start,
                                           .toward = sampled_toward,
                                           .away = sampled_away,
                                           .inspect = sampled_inspect,
                                           .product = sampled_product,
                                           .move = sampled_move,
                                           .certify = sampled_certify,
                                           .bound = pt_simplex_bound,
                                           .scale = pt_simplex_scale,
                                           .work = pt_simplex_work,
                                           .trace = pt_simplex_trace,
                                           .free = sampled_free,
                                           .not_finite = PT_SIMPLEX_NOT_FINITE};

static const pt_problem_ops shared_ops = {.start = sampled_start,
                                          .toward = sampled_toward,
                                          .away = sampled_away,
                                          .inspect = sampled_inspect,
                                          .product = sampled_product,
                                          .move = sampled_move,
                                          .certify = sampled_certify,
                                          .scale = pt_simplex_scale,
                                          .work = pt_simplex_work,
                                          .trace = pt_simplex_trace,
                                          .free = sampled_free,
                                          .not_finite = PT_SIMPLEX_NOT_FINITE};

static partan_status sampled_init(pt_sampled *s, const pt_kernel *kernel, pt_points points, const pt_dual *dual)
{
    partan_context *context = s->simplex.problem.context;
    partan_status status = pt_simplex_init(&s->simplex, context, kernel, points, dual);
    if (status)
        return status;
    pt_tuning_init(&s->tuning, context);
    s->cost = pt_block_cost(&s->simplex.block);
    s->stores[0].block = s->simplex.block; /* the panels are packed for it */
    s->panels = pt_alloc_zero(context, (size_t)context->threads, sizeof *s->panels);
    s->stored_room = dual->vertices;
    s->stored = pt_alloc_zero(context, s->stored_room, sizeof *s->stored);
    s->ids = pt_alloc(context, s->size, sizeof *s->ids);
    s->scores = pt_alloc(context, s->size, sizeof *s->scores);
    s->previous_scores = pt_alloc(context, s->size, sizeof *s->previous_scores);
    s->pool = pt_alloc(context, PT_POOL_SIZE, sizeof *s->pool);
    if (!s->panels || !s->stored || !s->ids || !s->scores || !s->previous_scores || !s->pool)
        return pt_out_of_memory(context, "the sample");
    for (int i = 0; i < context->threads && !status; i++)
        status = pt_panel_init(&s->panels[i], &s->stores[0].block, points.matrix, PT_PANEL);
    return status ? status : pt_panel_init(&s->column, &s->stores[0].block, points.matrix, 1);
}

partan_status pt_simplex_sampled(partan_context *context, const pt_kernel *kernel, pt_points points,
                                 const pt_dual *dual, pt_share *share, size_t sample, uint64_t seed,
                                 pt_problem **problem)
{
    pt_sampled *s = pt_alloc_zero(context, 1, sizeof *s);
    if (!s)
        return pt_out_of_memory(context, "the problem");
    s->simplex.problem.ops = share ? &shared_ops : &sampled_ops;
    s->simplex.problem.context = context;
    s->simplex.problem.sampled = true;
    s->simplex.share = share;
    s->simplex.dual = *dual;
    s->size = sample < pt_simplex_all(&s->simplex) ? sample : pt_simplex_all(&s->simplex);
    pt_random_seed(&s->random, seed);
    partan_status status = sampled_init(s, kernel, points, dual);
    if (status)
        pt_problem_free(&s->simplex.problem);
    else
        *problem = &s->simplex.problem;
    return status;
}
