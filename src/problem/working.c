#include "problem/working.h"

#include <float.h>
#include <math.h>
#include <omp.h>
#include <string.h>

#include "core/clock.h"

enum {
    CHUNK_TILES = 32,
    CHUNK_ROWS = CHUNK_TILES * PT_TILE,
    SERIAL_TILES = 64,      /* sets no larger than this are not worth waking other threads for */
    REFRESH_INTERVAL = 512, /* steps between recomputations of the objective */
    LOOK_INTERVAL = 64,     /* steps between looks at the clock and for interruptions */
    MOST_IDLE = 16,         /* refresh intervals without progress */
};

#define GAP_GAIN 0.99 /* a gap this much less is progress, where the objective's digits show none */

typedef struct pt_working_best {
    double value;
    int64_t member;
    char padding[PT_ALIGNMENT - sizeof(double) - sizeof(int64_t)]; /* threads write side by side */
} best;

void pt_working_init(pt_working *w, const pt_simplex *simplex, size_t cache_bytes)
{
    *w = (pt_working){.context = simplex->problem.context, .simplex = simplex, .cache_bytes = cache_bytes};
    pt_pace_init(&w->pace, w->context->threads);
}

static void release(pt_working *w)
{
    partan_context *context = w->context;
    pt_free(context, w->ids);
    pt_free(context, w->signs);
    pt_free(context, w->diagonals);
    pt_free(context, w->active);
    pt_free(context, w->weights);
    pt_free(context, w->scores);
    pt_free(context, w->column[0]);
    pt_free(context, w->column[1]);
    w->ids = NULL;
    w->signs = w->diagonals = w->active = w->column[0] = w->column[1] = NULL;
    w->weights = w->scores = NULL;
    pt_panel_free(&w->panel[0]);
    pt_panel_free(&w->panel[1]);
    pt_cache_free(&w->rows);
    pt_matrix_free(&w->matrix);
    w->count = 0;
}

void pt_working_free(pt_working *w)
{
    if (!w->context)
        return;
    release(w);
    pt_free(w->context, w->best);
    *w = (pt_working){0};
}

/* ---- Members ---- */

static pt_points points(const pt_working *w)
{
    return w->simplex->points;
}

static partan_status allocate(pt_working *w, size_t count)
{
    partan_context *context = w->context;
    size_t padded = (count + PT_TILE - 1) / PT_TILE * PT_TILE;
    w->ids = pt_alloc(context, count, sizeof *w->ids);
    w->signs = pt_alloc_zero(context, padded, sizeof *w->signs);
    w->diagonals = pt_alloc_zero(context, padded, sizeof *w->diagonals);
    w->active = pt_alloc_zero(context, padded, sizeof *w->active);
    w->weights = pt_alloc_zero(context, padded, sizeof *w->weights);
    w->scores = pt_alloc_zero(context, padded, sizeof *w->scores);
    w->column[0] = pt_alloc(context, padded, sizeof *w->column[0]);
    w->column[1] = pt_alloc(context, padded, sizeof *w->column[1]);
    if (!w->best)
        w->best = pt_alloc(context, (size_t)context->threads, sizeof *w->best);
    bool done = w->ids && w->signs && w->diagonals && w->active && w->weights && w->scores && w->column[0]
                && w->column[1] && w->best;
    return done ? PARTAN_OK : pt_out_of_memory(context, "the working set");
}

static partan_status gather(pt_working *w)
{
    partan_status status = pt_matrix_gather(points(w).matrix, w->ids, w->count, &w->matrix);
    w->block = w->simplex->block;
    w->block.rows = &w->matrix;
    for (int i = 0; i < 2 && !status; i++)
        status = pt_panel_init(&w->panel[i], &w->block, points(w).matrix, 1);
    if (!status && w->cache_bytes > 0)
        status = pt_cache_init(&w->rows, w->context, w->count, w->matrix.tiles * PT_TILE, w->cache_bytes);
    return status;
}

partan_status pt_working_set(pt_working *w, const pt_member *members, size_t count, double objective)
{
    release(w);
    partan_status status = allocate(w, count);
    if (status)
        return status;
    w->count = count;
    w->objective = objective;
    w->least = -1;
    for (size_t i = 0; i < count; i++) {
        int64_t id = members[i].id;
        w->ids[i] = id;
        w->signs[i] = w->simplex->signs[id];
        w->weights[i] = members[i].weight;
        w->active[i] = members[i].weight > 0;
        w->scores[i] = members[i].score;
        w->diagonals[i] = (float)pt_simplex_diagonal(w->simplex, id);
    }
    return gather(w);
}

double pt_working_gap(const pt_working *w)
{
    return 2 * w->objective - w->scores[w->least];
}

/* ---- Passes over the working set ---- */

static void find_least(pt_working *w)
{
    w->least = 0;
    for (size_t i = 1; i < w->count; i++)
        if (w->scores[i] < w->scores[w->least])
            w->least = (int64_t)i;
}

static void refresh_objective(pt_working *w)
{
    double sum = 0;
    for (size_t i = 0; i < w->count; i++)
        sum += w->weights[i] * w->scores[i];
    w->objective = sum / 2;
}

/* One pass: the kernel row of a member where it is not there yet, and with it either the search for the best partner
 * or the step itself. */
typedef struct pass {
    const pt_panel *panel; /* NULL: the row is there */
    float *row;
    const pt_pairs *pairs;             /* the search, or */
    const pt_combination *combination; /* the step */
} pass;

static size_t locate(const double *scores, size_t begin, size_t end, double value)
{
    size_t i = begin;
    while (i + 1 < end && scores[i] != value)
        i++;
    return i;
}

static size_t locate_gain(const pt_block *block, const pt_pairs *pairs, size_t begin, size_t end)
{
    float gains[CHUNK_ROWS];
    block->ops->pair(pairs, begin, end, gains);
    size_t greatest = begin;
    for (size_t i = begin; i < end; i++)
        if (gains[i - begin] > gains[greatest - begin])
            greatest = i;
    return greatest;
}

static void run_range(pt_working *w, const pass *p, size_t first_tile, size_t last_tile, best *found)
{
    *found = (best){.value = p->pairs ? 0 : INFINITY, .member = -1};
    for (size_t tile = first_tile; tile < last_tile; tile += CHUNK_TILES) {
        size_t tiles = last_tile - tile < CHUNK_TILES ? last_tile - tile : CHUNK_TILES;
        size_t begin = tile * PT_TILE, end = begin + tiles * PT_TILE;
        end = end < w->count ? end : w->count;
        if (p->panel)
            pt_block_values(&w->block, p->panel, tile, tiles, p->row + begin, CHUNK_ROWS);
        if (p->pairs) {
            pt_pairs pairs = *p->pairs;
            pairs.column = p->row + begin;
            float gain = w->block.ops->pair(&pairs, begin, end, NULL);
            if ((double)gain > found->value)
                *found = (best){.value = (double)gain, .member = (int64_t)locate_gain(&w->block, &pairs, begin, end)};
        } else {
            pt_combination combination = *p->combination;
            combination.column[0] += begin;
            combination.column[1] += begin;
            double least = w->block.ops->combine(&combination, begin, end);
            if (least < found->value)
                *found = (best){.value = least, .member = (int64_t)locate(w->scores, begin, end, least)};
        }
    }
}

static best run(pt_working *w, const pass *p)
{
    size_t tiles = w->matrix.tiles;
    bool small = tiles <= SERIAL_TILES;
    int threads = small ? 1 : pt_pace_begin(&w->pace);
    for (int i = 0; i < threads; i++)
        w->best[i] = (best){.value = p->pairs ? 0 : INFINITY, .member = -1};
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        size_t me = (size_t)omp_get_thread_num(), team = (size_t)omp_get_num_threads();
        run_range(w, p, tiles * me / team, tiles * (me + 1) / team, &w->best[me]);
    }
    if (!small)
        pt_pace_end(&w->pace);
    best found = w->best[0];
    for (int i = 1; i < threads; i++)
        if (p->pairs ? w->best[i].value > found.value : w->best[i].value < found.value)
            found = w->best[i];
    return found;
}

/* ---- Steps ---- */

/* The kernel row of a member: from the cache, or to be computed in the coming pass, into the cache where there is room.
 */
static partan_status prepare(pt_working *w, int which, int64_t member, int64_t keep, pass *p)
{
    p->panel = NULL;
    p->row = pt_cache_find(&w->rows, member);
    if (p->row) {
        w->hits++;
        return PARTAN_OK;
    }
    p->row = pt_cache_add(&w->rows, member, keep);
    if (!p->row)
        p->row = w->column[which];
    p->panel = &w->panel[which];
    w->values += w->count;
    w->computed++;
    return pt_panel_pack(&w->panel[which], points(w), &w->ids[member], 1);
}

/* A vertex's own diagonal entry, which the pass leaves out; the least score may change by it. */
static void add_diagonal(pt_working *w, int64_t member, double factor)
{
    w->scores[member] += factor * pt_simplex_inverse_cost(w->simplex, w->ids[member]);
}

/* k(member, the pass's vertex), as it stands or will stand in the row. */
static double entry(const pt_working *w, const pass *p, int64_t member)
{
    if (!p->panel)
        return (double)p->row[member];
    _Alignas(PT_ALIGNMENT) float tile[PT_TILE];
    pt_block_values(&w->block, p->panel, (size_t)member / PT_TILE, 1, tile, PT_TILE);
    return (double)tile[member % PT_TILE];
}

/* K_uu + K_vv - 2 K_uv from the entries by which the step will change the scores: where rounding makes them differ from
 * exact ones, a step of another length would overshoot, and the next would come back. */
static double curvature(const pt_working *w, const pass *of_u, const pass *of_v, int64_t u, int64_t v)
{
    double sign = (double)(w->signs[u] * w->signs[v]);
    double diagonals = (double)of_u->row[u] + entry(w, of_v, v) + 2;
    double products = (double)of_u->row[v] + entry(w, of_v, u) + 2;
    return diagonals - sign * products + pt_simplex_inverse_cost(w->simplex, w->ids[u])
           + pt_simplex_inverse_cost(w->simplex, w->ids[v]);
}

static partan_status step(pt_working *w)
{
    int64_t u = w->least;
    pass search = {0};
    partan_status status = prepare(w, 0, u, -1, &search);
    if (status)
        return status;
    pt_pairs pairs = {.scores = w->scores,
                      .signs = w->signs,
                      .diagonals = w->diagonals,
                      .active = w->active,
                      .score = w->scores[u],
                      .sign = w->signs[u],
                      .diagonal = w->diagonals[u]};
    search.pairs = &pairs;
    int64_t v = run(w, &search).member;
    if (v < 0)
        return PARTAN_STALLED;

    pass update = {0};
    status = prepare(w, 1, v, u, &update);
    if (status)
        return status;
    double eta = curvature(w, &search, &update, u, v);
    double slope = w->scores[u] - w->scores[v];
    double lambda = eta > 0 && -slope / eta < w->weights[v] ? -slope / eta : w->weights[v];
    if (!(lambda > 0))
        return PARTAN_STALLED;

    /* u's and v's own scores jump by the diagonal: they are set before the pass, so that it sees them in the minimum.
     */
    pt_combination combination = {.next = w->scores,
                                  .now = w->scores,
                                  .signs = w->signs,
                                  .now_factor = 1,
                                  .terms = 2,
                                  .column = {search.row, update.row},
                                  .factor = {lambda * (double)w->signs[u], -lambda * (double)w->signs[v]}};
    add_diagonal(w, u, lambda);
    add_diagonal(w, v, -lambda);
    update.combination = &combination;
    w->objective += lambda * (slope + lambda * eta / 2);
    w->weights[u] += lambda;
    w->active[u] = 1;
    if (lambda >= w->weights[v]) {
        w->weights[v] = 0;
        w->active[v] = 0;
    } else {
        w->weights[v] -= lambda;
    }
    best least = run(w, &update);
    w->least = least.member < 0 ? u : least.member; /* none: no score is a number, nor will the gap be one */
    w->steps++;
    return PARTAN_OK;
}

/* Rounding can lead steps in circles. */
typedef struct progress {
    double objective, gap; /* the least so far */
    int idle;              /* intervals since either became less */
} progress;

static bool circling(progress *p, double objective, double gap)
{
    if (objective < p->objective * (1 - 4 * DBL_EPSILON) || gap < GAP_GAIN * p->gap)
        p->idle = 0;
    else
        p->idle++;
    p->objective = objective < p->objective ? objective : p->objective;
    p->gap = gap < p->gap ? gap : p->gap;
    return p->idle >= MOST_IDLE;
}

partan_status pt_working_solve(pt_working *w, double tol, double eps, uint64_t most, double deadline)
{
    progress so_far = {INFINITY, INFINITY, 0};
    if (w->least < 0)
        find_least(w);
    refresh_objective(w);
    for (uint64_t i = 0;; i++) {
        double gap = pt_working_gap(w);
        if (gap <= tol * 2 * w->objective || gap <= eps || i >= most || !(w->objective > 0))
            return PARTAN_OK;
        if (i % LOOK_INTERVAL == 0 && ((deadline > 0 && pt_clock() > deadline) || pt_interrupted(w->context)))
            return PARTAN_INTERRUPTED;
        if (i % REFRESH_INTERVAL == 0) {
            refresh_objective(w);
            if (circling(&so_far, w->objective, gap))
                return PARTAN_STALLED;
        }
        partan_status status = step(w);
        if (status)
            return status;
    }
}
