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
#include <math.h>
#include <omp.h>
#include <string.h>

#include "core/random.h"
#include "core/thread_tuning.h"
#include "simplex/simplex.h"

enum {
    TAIL_ROWS = 128,
    POOL_SIZE = 2048,
    CHUNK_TILES = 32,
    CHUNK_ROWS = CHUNK_TILES * PT_TILE,
};

/* Some rows, gathered, with their signed weights in the two iterates. */
typedef struct store {
    pt_block block;
    pt_matrix matrix;
    pt_index index; /* of many sparse rows */
    int64_t *ids;
    double *now, *previous;
    double *scores; /* at now, where the variant asks for the away vertex */
    size_t count, capacity;
} store;

typedef struct scored {
    int64_t id;
    double score;
} scored;

typedef struct sampled {
    pt_simplex simplex;
    size_t size; /* of a sample */
    pt_random random;
    store stores[2];       /* all but the newest active rows, and these */
    unsigned char *stored; /* which rows are in a store */
    bool scored;           /* the stores' scores are kept: the away vertex has been asked for */
    pt_panel column;       /* the vertex that a move names */
    double bias, previous_bias;

    pt_tuning tuning; /* how many threads a sample is given */
    pt_panel *panels; /* one a thread */
    int64_t *ids;     /* the sample, and its scores */
    double *scores, *previous_scores;

    scored *pool; /* violators that a full pass found */
    size_t pool_count;
    double pool_level; /* a score at or above this is no violation any more */
} sampled;

/* ---- The store of active rows ---- */

static void store_clear(sampled *s, store *t)
{
    for (size_t i = 0; i < t->count; i++)
        s->stored[t->ids[i]] = 0;
    t->count = 0;
}

static partan_status store_grow(sampled *s, store *t)
{
    partan_context *context = s->simplex.problem.context;
    size_t used = t->count, capacity = t->capacity;
    void **arrays[] = {(void **)&t->ids, (void **)&t->now, (void **)&t->previous, (void **)&t->scores};
    for (int i = 0; i < 4; i++) {
        capacity = t->capacity;
        if (pt_reserve(context, arrays[i], &capacity, used, used + 1, sizeof(double)))
            return pt_out_of_memory(context, "the active rows");
    }
    t->capacity = capacity;
    return PARTAN_OK;
}

static partan_status store_add(sampled *s, store *t, int64_t id, double score)
{
    partan_status status = t->count < t->capacity ? PARTAN_OK : store_grow(s, t);
    if (status)
        return status;
    t->scores[t->count] = score;
    t->ids[t->count++] = id;
    s->stored[id] = 1;
    return PARTAN_OK;
}

static partan_status store_gather(sampled *s, store *t)
{
    pt_matrix_free(&t->matrix);
    pt_index_free(&t->index);
    partan_status status = pt_matrix_gather(s->simplex.points.matrix, t->ids, t->count, &t->matrix);
    t->block = s->simplex.block;
    t->block.rows = &t->matrix;
    if (!status && t->count > TAIL_ROWS && pt_block_by_index(&t->block)) {
        status = pt_index_make(&t->index, &t->matrix, CHUNK_ROWS);
        t->block.index = &t->index;
    }
    return status;
}

/* The active rows, all in the first store. */
static partan_status store_all(sampled *s, const pt_iterate *iterate)
{
    store_clear(s, &s->stores[0]);
    store_clear(s, &s->stores[1]);
    s->scored = false;
    partan_status status = PARTAN_OK;
    for (size_t i = 0; i < iterate->count && !status; i++)
        if (iterate->now[i] > 0 || iterate->previous[i] > 0)
            status = store_add(s, &s->stores[0], iterate->id[i], 0);
    if (!status)
        status = store_gather(s, &s->stores[0]);
    if (!status)
        status = store_gather(s, &s->stores[1]);
    return status;
}

static bool in_use(const pt_iterate *iterate, int64_t id)
{
    return pt_iterate_weight(iterate, id) > 0 || pt_iterate_previous(iterate, id) > 0;
}

/* The tail joins the first store, and rows that have left are forgotten. */
static partan_status store_compact(sampled *s, const pt_iterate *iterate)
{
    store *all = &s->stores[0], *tail = &s->stores[1];
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++) {
        s->stored[all->ids[i]] = in_use(iterate, all->ids[i]);
        if (!s->stored[all->ids[i]])
            continue;
        all->ids[kept] = all->ids[i];
        all->scores[kept++] = all->scores[i];
    }
    all->count = kept;
    partan_status status = PARTAN_OK;
    for (size_t i = 0; i < tail->count && !status; i++) {
        s->stored[tail->ids[i]] = 0;
        if (in_use(iterate, tail->ids[i]))
            status = store_add(s, all, tail->ids[i], tail->scores[i]);
    }
    tail->count = 0;
    if (!status)
        status = store_gather(s, all);
    return status ? status : store_gather(s, tail);
}

static void take_weights(sampled *s, const pt_iterate *iterate)
{
    s->bias = s->previous_bias = 0;
    for (int k = 0; k < 2; k++) {
        store *t = &s->stores[k];
        for (size_t i = 0; i < t->count; i++) {
            double sign = (double)s->simplex.signs[t->ids[i]];
            t->now[i] = sign * pt_iterate_weight(iterate, t->ids[i]);
            t->previous[i] = sign * pt_iterate_previous(iterate, t->ids[i]);
            s->bias += t->now[i];
            s->previous_bias += t->previous[i];
        }
    }
}

/* ---- Scores of a sample ---- */

/* Kernel values are computed for a chunk of a store at a time; where the store has an index, for one of its parts. */
typedef struct chunk {
    size_t tile, tiles;
    size_t begin, rows;
} chunk;

static size_t store_chunks(const store *t)
{
    return t->block.index ? t->index.count : (t->matrix.tiles + CHUNK_TILES - 1) / CHUNK_TILES;
}

static chunk store_chunk(const store *t, size_t i)
{
    size_t all = t->matrix.tiles, chunks = store_chunks(t);
    chunk c = {.tile = all * i / chunks};
    c.tiles = all * (i + 1) / chunks - c.tile;
    c.begin = c.tile * PT_TILE;
    c.rows = t->count - c.begin < c.tiles * PT_TILE ? t->count - c.begin : c.tiles * PT_TILE;
    return c;
}

/* sums[c] += sum_i weights_i k(row_i, vertex c) over one store, for both iterates. */
static void add_store(const store *t, const pt_panel *panel, double *now, double *previous)
{
    _Alignas(PT_ALIGNMENT) float values[PT_PANEL * CHUNK_ROWS];
    for (size_t i = 0; i < store_chunks(t); i++) {
        chunk c = store_chunk(t, i);
        pt_block_values(&t->block, panel, c.tile, c.tiles, values, CHUNK_ROWS);
        t->block.ops->project(values, CHUNK_ROWS, t->now + c.begin, c.rows, now);
        t->block.ops->project(values, CHUNK_ROWS, t->previous + c.begin, c.rows, previous);
    }
}

/* Scores of up to PT_PANEL vertices. */
static partan_status score_panel(sampled *s, const pt_iterate *iterate, pt_panel *panel, const int64_t *ids,
                                 size_t count, double *scores, double *previous_scores)
{
    double now[PT_PANEL] = {0}, previous[PT_PANEL] = {0};
    partan_status status = pt_panel_pack(panel, s->simplex.points, ids, count);
    if (status)
        return status;
    add_store(&s->stores[0], panel, now, previous);
    add_store(&s->stores[1], panel, now, previous);
    for (size_t c = 0; c < count; c++) {
        double sign = (double)s->simplex.signs[ids[c]], diagonal = pt_simplex_inverse_cost(&s->simplex, ids[c]);
        scores[c] = sign * (now[c] + s->bias) + diagonal * pt_iterate_weight(iterate, ids[c]);
        previous_scores[c] = sign * (previous[c] + s->previous_bias) + diagonal * pt_iterate_previous(iterate, ids[c]);
    }
    return PARTAN_OK;
}

/* Scores of the first `count` ids of the sample. */
static partan_status score(sampled *s, const pt_iterate *iterate, size_t count)
{
    size_t panels = (count + PT_PANEL - 1) / PT_PANEL;
    int failed = 0;
    take_weights(s, iterate);
    int threads = pt_tuning_begin(&s->tuning);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t p = 0; p < panels; p++) {
        size_t first = p * PT_PANEL, n = count - first < PT_PANEL ? count - first : PT_PANEL;
        pt_panel *panel = &s->panels[omp_get_thread_num()];
        if (score_panel(s, iterate, panel, s->ids + first, n, s->scores + first, s->previous_scores + first)) {
#pragma omp atomic write
            failed = 1;
        }
    }
    size_t values = count * (s->stores[0].count + s->stores[1].count);
    pt_tuning_end(&s->tuning, 1 + (double)values);
    s->simplex.problem.counters.kernel_values += values;
    return failed ? pt_out_of_memory(s->simplex.problem.context, "a panel of kernel columns") : PARTAN_OK;
}

static partan_status score_one(sampled *s, const pt_iterate *iterate, int64_t id, double *found)
{
    s->ids[0] = id;
    partan_status status = score(s, iterate, 1);
    *found = s->scores[0];
    return status;
}

/* Sees to it that a vertex that comes in is stored. */
static partan_status store_new(sampled *s, const pt_iterate *iterate, int64_t id)
{
    if (s->stored[id])
        return PARTAN_OK;
    if (s->stores[1].count == TAIL_ROWS) {
        partan_status status = store_compact(s, iterate);
        if (status)
            return status;
    }
    double score = 0;
    partan_status status = s->scored ? score_one(s, iterate, id, &score) : PARTAN_OK;
    if (!status)
        status = store_add(s, &s->stores[1], id, score);
    return status ? status : store_gather(s, &s->stores[1]);
}

/* ---- The oracle ---- */

/* Draws the sample, with replacement; all rows when there are no more than its size. */
static size_t draw(sampled *s)
{
    uint64_t rows = s->simplex.points.matrix->rows;
    size_t count = 0;
    if (s->size >= rows) {
        for (; count < rows; count++)
            s->ids[count] = (int64_t)count;
        return count;
    }
    if (s->pool_count > 0)
        for (; count < s->size / 2; count++)
            s->ids[count] = s->pool[pt_random_below(&s->random, s->pool_count)].id;
    for (; count < s->size; count++)
        s->ids[count] = (int64_t)pt_random_below(&s->random, rows);
    return count;
}

/* Takes out of the pool what the sample has shown to be no violator any more. */
static void thin_pool(sampled *s, size_t count)
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
    sampled *s = (sampled *)problem;
    size_t count = draw(s), least = 0;
    partan_status status = score(s, iterate, count);
    if (status)
        return status;
    for (size_t i = 1; i < count; i++)
        if (s->scores[i] < s->scores[least])
            least = i;
    *vertex = (pt_vertex){.id = s->ids[least], .score = s->scores[least], .previous_score = s->previous_scores[least]};
    if (s->pool_count > 0)
        thin_pool(s, s->size / 2);
    return PARTAN_OK;
}

/* ---- Scores of the active rows ---- */

/* From scratch, a sample's size at a time. */
static partan_status score_stores(sampled *s, const pt_iterate *iterate)
{
    for (int k = 0; k < 2; k++) {
        store *t = &s->stores[k];
        for (size_t first = 0; first < t->count; first += s->size) {
            size_t count = t->count - first < s->size ? t->count - first : s->size;
            memcpy(s->ids, t->ids + first, count * sizeof *s->ids);
            partan_status status = score(s, iterate, count);
            if (status)
                return status;
            memcpy(t->scores + first, s->scores, count * sizeof *s->scores);
        }
    }
    return PARTAN_OK;
}

/* scores += factor K_{., id} over one store, for the vertex in the panel. */
static void add_column(sampled *s, store *t, pt_term term)
{
    _Alignas(PT_ALIGNMENT) float values[CHUNK_ROWS];
    double factor = term.factor * (double)s->simplex.signs[term.id];
    for (size_t i = 0; i < store_chunks(t); i++) {
        chunk c = store_chunk(t, i);
        pt_block_values(&t->block, &s->column, c.tile, c.tiles, values, CHUNK_ROWS);
        for (size_t k = 0; k < c.rows; k++) {
            int64_t id = t->ids[c.begin + k];
            t->scores[c.begin + k] += factor * (double)s->simplex.signs[id] * ((double)values[k] + 1);
            if (id == term.id)
                t->scores[c.begin + k] += term.factor * pt_simplex_inverse_cost(&s->simplex, id);
        }
    }
}

/* The scores follow a move; its vertices are stored, and new ones have the score they had before it. */
static partan_status move_scores(sampled *s, const pt_move *move)
{
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < s->stores[k].count; i++)
            s->stores[k].scores[i] *= move->now_factor;
    for (int t = 0; t < move->terms; t++) {
        partan_status status = pt_panel_pack(&s->column, s->simplex.points, &move->term[t].id, 1);
        if (status)
            return status;
        add_column(s, &s->stores[0], move->term[t]);
        add_column(s, &s->stores[1], move->term[t]);
        s->simplex.problem.counters.kernel_values += s->stores[0].count + s->stores[1].count;
    }
    return PARTAN_OK;
}

static partan_status sampled_away(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    sampled *s = (sampled *)problem;
    if (!s->scored) {
        partan_status status = score_stores(s, iterate);
        if (status)
            return status;
        s->scored = true;
    }
    *vertex = (pt_vertex){.id = -1, .score = -INFINITY};
    for (int k = 0; k < 2; k++) {
        const store *t = &s->stores[k];
        for (size_t i = 0; i < t->count; i++)
            if (t->scores[i] > vertex->score && pt_iterate_weight(iterate, t->ids[i]) > 0)
                *vertex = (pt_vertex){.id = t->ids[i], .score = t->scores[i]};
    }
    return PARTAN_OK;
}

/* ---- Single values ---- */

static double kernel_value(const sampled *s, int64_t u, int64_t v)
{
    pt_points vertices = s->simplex.points;
    if (s->simplex.block.form == PT_FORM_PRECOMPUTED)
        vertices.matrix = NULL;
    return pt_kernel_value(&s->simplex.kernel, s->simplex.points, (size_t)u, vertices, (size_t)v);
}

static partan_status sampled_inspect(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    (void)iterate;
    const sampled *s = (const sampled *)problem;
    vertex->diagonal = kernel_value(s, vertex->id, vertex->id) + 1 + pt_simplex_inverse_cost(&s->simplex, vertex->id);
    return PARTAN_OK;
}

static partan_status sampled_product(pt_problem *problem, const pt_vertex *u, const pt_vertex *v, double *product)
{
    const sampled *s = (const sampled *)problem;
    *product = (double)s->simplex.signs[u->id] * (double)s->simplex.signs[v->id] * (kernel_value(s, u->id, v->id) + 1);
    return PARTAN_OK;
}

static partan_status sampled_move(pt_problem *problem, const pt_iterate *iterate, const pt_move *move)
{
    sampled *s = (sampled *)problem;
    partan_status status = PARTAN_OK;
    for (int t = 0; t < move->terms && !status; t++)
        status = store_new(s, iterate, move->term[t].id);
    return !status && s->scored ? move_scores(s, move) : status;
}

static partan_status sampled_start(pt_problem *problem, const pt_iterate *iterate, pt_measure *measure)
{
    sampled *s = (sampled *)problem;
    *measure = (pt_measure){0};
    partan_status status = store_all(s, iterate);
    for (size_t first = 0; first < iterate->count && !status; first += s->size) {
        size_t count = iterate->count - first < s->size ? iterate->count - first : s->size;
        memcpy(s->ids, iterate->id + first, count * sizeof *s->ids);
        status = score(s, iterate, count);
        for (size_t i = 0; i < count && !status; i++)
            measure->objective += iterate->now[first + i] * s->scores[i] / 2;
    }
    return status;
}

/* ---- The full pass ---- */

/* A heap with the least bad violator on top, so that the pool keeps the worst. */
static void pool_sift(scored *pool, size_t count, size_t i)
{
    for (;;) {
        size_t top = i, left = 2 * i + 1, right = left + 1;
        if (left < count && pool[left].score > pool[top].score)
            top = left;
        if (right < count && pool[right].score > pool[top].score)
            top = right;
        if (top == i)
            return;
        scored moved = pool[i];
        pool[i] = pool[top];
        pool[top] = moved;
        i = top;
    }
}

static void fill_pool(sampled *s, const double *gradient, double level)
{
    s->pool_count = 0;
    s->pool_level = level;
    for (size_t i = 0; i < s->simplex.points.matrix->rows; i++) {
        if (gradient[i] >= level)
            continue;
        scored found = {(int64_t)i, gradient[i]};
        if (s->pool_count < POOL_SIZE) {
            s->pool[s->pool_count++] = found;
            for (size_t j = s->pool_count / 2; s->pool_count == POOL_SIZE && j-- > 0;)
                pool_sift(s->pool, s->pool_count, j);
        } else if (found.score < s->pool[0].score) {
            s->pool[0] = found;
            pool_sift(s->pool, s->pool_count, 0);
        }
    }
}

static partan_status sampled_certify(pt_problem *problem, const pt_iterate *iterate, double target,
                                     pt_certificate *certificate)
{
    sampled *s = (sampled *)problem;
    partan_context *context = problem->context;
    double *gradient = pt_alloc(context, s->simplex.points.matrix->rows, sizeof *gradient);
    if (!gradient)
        return pt_out_of_memory(context, "the gradient");
    partan_status status = pt_simplex_certify(&s->simplex, iterate, gradient, certificate);
    if (!status && s->size < s->simplex.points.matrix->rows)
        fill_pool(s, gradient, 2 * certificate->objective - target);
    pt_free(context, gradient);
    return status;
}

static const pt_problem_ops sampled_ops = {.start = sampled_start,
                                           .toward = sampled_toward,
                                           .away = sampled_away,
                                           .inspect = sampled_inspect,
                                           .product = sampled_product,
                                           .move = sampled_move,
                                           .certify = sampled_certify};

/* ---- Making and freeing ---- */

void pt_simplex_sampled_free(pt_problem *problem)
{
    sampled *s = (sampled *)problem;
    partan_context *context = problem->context;
    for (int k = 0; k < 2; k++) {
        pt_matrix_free(&s->stores[k].matrix);
        pt_index_free(&s->stores[k].index);
        pt_free(context, s->stores[k].ids);
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

static partan_status sampled_init(sampled *s, const pt_kernel *kernel, pt_points points, const float *signs,
                                  double cost)
{
    partan_context *context = s->simplex.problem.context;
    partan_status status = pt_simplex_init(&s->simplex, context, kernel, points, signs, cost);
    if (status)
        return status;
    pt_tuning_init(&s->tuning, context->threads);
    s->stores[0].block = s->simplex.block; /* the panels are packed for it */
    s->panels = pt_alloc_zero(context, (size_t)context->threads, sizeof *s->panels);
    s->stored = pt_alloc_zero(context, points.matrix->rows, sizeof *s->stored);
    s->ids = pt_alloc(context, s->size, sizeof *s->ids);
    s->scores = pt_alloc(context, s->size, sizeof *s->scores);
    s->previous_scores = pt_alloc(context, s->size, sizeof *s->previous_scores);
    s->pool = pt_alloc(context, POOL_SIZE, sizeof *s->pool);
    if (!s->panels || !s->stored || !s->ids || !s->scores || !s->previous_scores || !s->pool)
        return pt_out_of_memory(context, "the sample");
    for (int i = 0; i < context->threads && !status; i++)
        status = pt_panel_init(&s->panels[i], &s->stores[0].block, points.matrix, PT_PANEL);
    return status ? status : pt_panel_init(&s->column, &s->stores[0].block, points.matrix, 1);
}

partan_status pt_simplex_sampled(partan_context *context, const pt_kernel *kernel, pt_points points, const float *signs,
                                 double cost, size_t sample, uint64_t seed, pt_problem **problem)
{
    sampled *s = pt_alloc_zero(context, 1, sizeof *s);
    if (!s)
        return pt_out_of_memory(context, "the problem");
    s->simplex.problem.ops = &sampled_ops;
    s->simplex.problem.context = context;
    s->simplex.problem.sampled = true;
    s->size = sample < points.matrix->rows ? sample : points.matrix->rows;
    pt_random_seed(&s->random, seed);
    partan_status status = sampled_init(s, kernel, points, signs, cost);
    if (status)
        pt_simplex_sampled_free(&s->simplex.problem);
    else
        *problem = &s->simplex.problem;
    return status;
}
