/* The active rows of the sampled simplex problem, gathered, and scores by sums over them. */
#include <stdatomic.h>
#include <string.h>

#include "core/team.h"
#include "simplex/rows.h"
#include "simplex/sampled.h"

enum {
    TAIL_ROWS = 128,
    CHUNK_TILES = 32,
    CHUNK_ROWS = CHUNK_TILES * PT_TILE,
};

/* ---- The store of active rows ---- */

static void store_clear(pt_sampled *s, pt_store *t)
{
    for (size_t i = 0; i < t->count; i++)
        s->stored[t->ids[i]] = 0;
    t->count = 0;
}

static partan_status store_grow(pt_sampled *s, pt_store *t)
{
    partan_context *context = s->simplex.problem.context;
    size_t used = t->count, capacity = t->capacity;
    void **arrays[] = {(void **)&t->ids, (void **)&t->slots, (void **)&t->now, (void **)&t->previous,
                       (void **)&t->scores};
    for (int i = 0; i < 5; i++) {
        capacity = t->capacity;
        if (pt_reserve(context, arrays[i], &capacity, used, used + 1, sizeof(double)))
            return pt_out_of_memory(context, "the active rows");
    }
    t->capacity = capacity;
    return PARTAN_OK;
}

static partan_status store_add(pt_sampled *s, pt_store *t, int64_t id, double score)
{
    partan_status status = t->count < t->capacity ? PARTAN_OK : store_grow(s, t);
    if (status)
        return status;
    t->scores[t->count] = score;
    t->slots[t->count] = 0;
    t->ids[t->count++] = id;
    s->stored[id] = 1;
    return PARTAN_OK;
}

static partan_status store_gather(pt_sampled *s, pt_store *t)
{
    pt_matrix_free(&t->matrix);
    pt_index_free(&t->index);
    partan_status status = pt_simplex_gather(&s->simplex, t->ids, t->count, &t->matrix);
    t->block = s->simplex.block;
    t->block.rows = &t->matrix;
    if (!status && t->count > TAIL_ROWS && pt_block_by_index(&t->block)) {
        status = pt_index_make(&t->index, &t->matrix, CHUNK_ROWS);
        t->block.index = &t->index;
    }
    return status;
}

/* The active rows, all in the first store. */
partan_status pt_sampled_store_all(pt_sampled *s, const pt_iterate *iterate)
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
    double now, previous;
    pt_iterate_weights(iterate, id, &now, &previous);
    return now > 0 || previous > 0;
}

/* The tail joins the first store, and rows that have left are forgotten. */
static partan_status store_compact(pt_sampled *s, const pt_iterate *iterate)
{
    pt_store *all = &s->stores[0], *tail = &s->stores[1];
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

/* Rows seldom change their slots: the last one is tried first. */
static size_t find_slot(const pt_iterate *iterate, pt_store *t, size_t i)
{
    size_t slot = t->slots[i];
    if (slot >= iterate->count || iterate->id[slot] != t->ids[i])
        t->slots[i] = slot = pt_iterate_slot(iterate, t->ids[i]);
    return slot;
}

static void take_weights(pt_sampled *s, const pt_iterate *iterate)
{
    s->total = s->previous_total = 0;
    for (int k = 0; k < 2; k++) {
        pt_store *t = &s->stores[k];
        for (size_t i = 0; i < t->count; i++) {
            double sign = pt_dual_sign(&s->simplex.dual, t->ids[i]);
            size_t slot = find_slot(iterate, t, i);
            t->now[i] = sign * (slot < iterate->count ? iterate->now[slot] : 0);
            t->previous[i] = sign * (slot < iterate->count ? iterate->previous[slot] : 0);
            s->total += t->now[i];
            s->previous_total += t->previous[i];
        }
    }
}

/* ---- Scores of a sample ---- */

/* Kernel values are computed for a chunk of a store at a time; where the store has an index, for one of its parts. */
typedef struct chunk {
    size_t tile, tiles;
    size_t begin, rows;
} chunk;

static size_t store_chunks(const pt_store *t)
{
    return t->block.index ? t->index.count : (t->matrix.tiles + CHUNK_TILES - 1) / CHUNK_TILES;
}

static chunk store_chunk(const pt_store *t, size_t i)
{
    size_t all = t->matrix.tiles, chunks = store_chunks(t);
    chunk c = {.tile = all * i / chunks};
    c.tiles = all * (i + 1) / chunks - c.tile;
    c.begin = c.tile * PT_TILE;
    c.rows = t->count - c.begin < c.tiles * PT_TILE ? t->count - c.begin : c.tiles * PT_TILE;
    return c;
}

/* sums[c] += sum_i weights_i k(row_i, vertex c) over one store, for both iterates. */
static void add_store(const pt_store *t, const pt_panel *panel, double *now, double *previous)
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
static partan_status score_panel(pt_sampled *s, const pt_iterate *iterate, pt_panel *panel, const int64_t *ids,
                                 size_t count, double *scores, double *previous_scores)
{
    double now[PT_PANEL] = {0}, previous[PT_PANEL] = {0};
    partan_status status = pt_simplex_pack(&s->simplex, ids, count, panel);
    if (status)
        return status;
    add_store(&s->stores[0], panel, now, previous);
    add_store(&s->stores[1], panel, now, previous);
    for (size_t c = 0; c < count; c++) {
        const pt_dual *dual = &s->simplex.dual;
        double own, own_previous;
        pt_iterate_weights(iterate, ids[c], &own, &own_previous);
        scores[c] = pt_dual_score(dual, ids[c], now[c], s->total) + pt_dual_own(dual, ids[c], own);
        previous_scores[c] =
            pt_dual_score(dual, ids[c], previous[c], s->previous_total) + pt_dual_own(dual, ids[c], own_previous);
    }
    return PARTAN_OK;
}

typedef struct scoring {
    pt_sampled *sampled;
    const pt_iterate *iterate;
    size_t count;
    atomic_bool failed;
} scoring;

static void score_some(void *user, size_t number, size_t thread)
{
    scoring *all = user;
    pt_sampled *s = all->sampled;
    pt_span span = pt_span_of(all->count, PT_PANEL, number);
    size_t first = span.begin;
    if (score_panel(s, all->iterate, &s->panels[thread], s->ids + first, span.end - first, s->scores + first,
                    s->previous_scores + first))
        atomic_store(&all->failed, true);
}

/* Scores of the first `count` ids of the sample. */
partan_status pt_sampled_score(pt_sampled *s, const pt_iterate *iterate, size_t count)
{
    partan_context *context = s->simplex.problem.context;
    scoring all = {.sampled = s, .iterate = iterate, .count = count};
    atomic_init(&all.failed, false);
    take_weights(s, iterate);
    size_t values = count * (s->stores[0].count + s->stores[1].count);
    int threads = pt_tuning_begin(&s->tuning, s->cost * (double)values);
    pt_team_run(context, threads, pt_span_count(count, PT_PANEL), score_some, &all);
    pt_tuning_end(&s->tuning, 1 + (double)values);
    s->simplex.counters.kernel_values += values;
    return atomic_load(&all.failed) ? pt_out_of_memory(context, "a panel of kernel columns") : PARTAN_OK;
}

static partan_status score_one(pt_sampled *s, const pt_iterate *iterate, int64_t id, double *found)
{
    s->ids[0] = id;
    partan_status status = pt_sampled_score(s, iterate, 1);
    *found = s->scores[0];
    return status;
}

/* Sees to it that a vertex that comes in is stored. */
partan_status pt_sampled_store_new(pt_sampled *s, const pt_iterate *iterate, int64_t id)
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

/* ---- Scores of the active rows ---- */

/* From scratch, a sample's size at a time. */
partan_status pt_sampled_score_stores(pt_sampled *s, const pt_iterate *iterate)
{
    for (int k = 0; k < 2; k++) {
        pt_store *t = &s->stores[k];
        for (size_t first = 0; first < t->count; first += s->size) {
            size_t count = t->count - first < s->size ? t->count - first : s->size;
            memcpy(s->ids, t->ids + first, count * sizeof *s->ids);
            partan_status status = pt_sampled_score(s, iterate, count);
            if (status)
                return status;
            memcpy(t->scores + first, s->scores, count * sizeof *s->scores);
        }
    }
    return PARTAN_OK;
}

/* scores += factor K_{., id} over one store, for the vertex in the panel. */
static void add_column(pt_sampled *s, pt_store *t, pt_term term)
{
    _Alignas(PT_ALIGNMENT) float values[CHUNK_ROWS];
    const pt_dual *dual = &s->simplex.dual;
    for (size_t i = 0; i < store_chunks(t); i++) {
        chunk c = store_chunk(t, i);
        pt_block_values(&t->block, &s->column, c.tile, c.tiles, values, CHUNK_ROWS);
        for (size_t k = 0; k < c.rows; k++) {
            int64_t id = t->ids[c.begin + k];
            t->scores[c.begin + k] += term.factor * pt_dual_entry(dual, id, term.id, (double)values[k]);
            if (id == term.id)
                t->scores[c.begin + k] += pt_dual_own(dual, id, term.factor);
        }
    }
}

/* The scores follow a move; its vertices are stored, and new ones have the score they had before it. */
partan_status pt_sampled_move_scores(pt_sampled *s, const pt_move *move)
{
    for (int k = 0; k < 2; k++) {
        pt_store *t = &s->stores[k];
        for (size_t i = 0; i < t->count; i++)
            t->scores[i] =
                move->now_factor * t->scores[i] + (1 - move->now_factor) * pt_dual_linear(&s->simplex.dual, t->ids[i]);
    }
    for (int t = 0; t < move->terms; t++) {
        partan_status status = pt_simplex_pack(&s->simplex, &move->term[t].id, 1, &s->column);
        if (status)
            return status;
        add_column(s, &s->stores[0], move->term[t]);
        add_column(s, &s->stores[1], move->term[t]);
        s->simplex.counters.kernel_values += s->stores[0].count + s->stores[1].count;
    }
    return PARTAN_OK;
}
