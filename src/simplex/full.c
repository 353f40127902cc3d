/* The simplex problem with its gradient kept for all vertices.
 *
 * A step is one pass over the rows, chunk by chunk: kernel values of the step's vertices (from the cache, or computed
 * into it, or into a scratch buffer where that is cheaper than remembering), the new gradient, and its minimum, which
 * answers the next call of the oracle. Entries are independent of each other, so the result does not depend on the
 * number of threads. Sparse rows have an inverted index where the memory allows it, and chunks are its parts: a column
 * then costs the rows that have the vertex's features instead of all nonzeros. */
#include <math.h>

#include "kernel/pass.h"
#include "simplex/full.h"
#include "simplex/rows.h"

#define PASS_NANOSECONDS 0.5 /* for a row's new gradient, without the kernel values */

/* ---- Columns ---- */

/* The panel that holds a row, packed now if need be; of the two, the one not used last gives way. */
static partan_status pack(pt_full *f, int64_t row, const pt_panel **panel)
{
    int i = f->packed[0] == row ? 0 : f->packed[1] == row ? 1 : !f->recent;
    f->recent = i;
    *panel = &f->panel[i];
    if (f->packed[i] == row)
        return PARTAN_OK;
    f->packed[i] = -1;
    int64_t vertex = pt_dual_vertex(&f->simplex.dual, row, 0);
    partan_status status = pt_simplex_pack(&f->simplex, &vertex, 1, &f->panel[i]);
    if (!status)
        f->packed[i] = row;
    return status;
}

/* The kernel value of two vertices, rounded exactly as it is in the first one's column. */
static partan_status kernel_value(pt_full *f, int64_t u, int64_t v, double *value)
{
    int64_t of = pt_dual_row(&f->simplex.dual, u), row = pt_dual_row(&f->simplex.dual, v);
    const float *column = pt_cache_find(&f->cache, of);
    if (column) {
        *value = column[row];
        return PARTAN_OK;
    }
    _Alignas(PT_ALIGNMENT) float tile[PT_TILE];
    const pt_panel *panel;
    partan_status status = pack(f, of, &panel);
    if (status)
        return status;
    size_t at;
    bool here = pt_simplex_row_matrix(&f->simplex, row, &at) == f->simplex.points.matrix;
    pt_block_values(here ? &f->simplex.block : &f->guest_block, panel, at / PT_TILE, 1, tile, PT_TILE);
    f->simplex.counters.kernel_values += PT_TILE;
    *value = tile[at % PT_TILE];
    return PARTAN_OK;
}

/* Where the values of one term's column come from during a move. */
typedef struct source {
    float *column;         /* the whole column, or NULL: a chunk at a time in scratch memory */
    const pt_panel *panel; /* NULL: the column is there already */
} source;

static size_t all_rows(const pt_full *f)
{
    return pt_simplex_rows(&f->simplex);
}

static partan_status find_source(pt_full *f, int64_t row, int64_t keep, source *s)
{
    *s = (source){.column = pt_cache_find(&f->cache, row)};
    if (s->column) {
        f->simplex.counters.cache_hits++;
        return PARTAN_OK;
    }
    partan_status status = pack(f, row, &s->panel);
    if (status)
        return status;
    s->column = pt_cache_add(&f->cache, row, keep);
    f->simplex.counters.kernel_columns++;
    f->simplex.counters.kernel_values += all_rows(f);
    return PARTAN_OK;
}

/* ---- The pass ---- */

/* Finds the vertex of a chunk's minimum when it is the least so far. */
static void note(pt_best *least, const double *gradient, size_t begin, size_t end, double score)
{
    if (!(score < least->score))
        return;
    size_t i = begin;
    while (i + 1 < end && gradient[i] != score)
        i++;
    least->score = score;
    least->id = (int64_t)i;
}

/* What the move adds to vertices begin .. end-1 beside kernel values: its vertices' diagonals, and the linear term's
 * part, since g = Ka + c and the factors add up to 1. Returns the least entry after it. */
static double add_others(const pt_full *f, const pt_move *move, double *next, size_t begin, size_t end, double least)
{
    const pt_dual *dual = &f->simplex.dual;
    double rest = 1 - move->now_factor - move->previous_factor;
    bool changed = dual->linear != NULL;
    for (size_t i = begin; i < end && changed; i++)
        next[i] += rest * dual->linear[i];
    for (int t = 0; t < move->terms; t++) {
        size_t vertex = (size_t)move->term[t].id;
        if (vertex >= begin && vertex < end) {
            next[vertex] += pt_dual_own(dual, move->term[t].id, move->term[t].factor);
            changed = true;
        }
    }
    if (!changed)
        return least;
    least = INFINITY;
    for (size_t i = begin; i < end; i++)
        least = next[i] < least ? next[i] : least;
    return least;
}

/* Tiles of a block's matrix, of own rows or of guests. */
typedef struct part {
    const pt_block *block;
    pt_span tiles;
    bool guests;
} part;

static part part_of(const pt_full *f, size_t chunk)
{
    const pt_index *index = f->simplex.block.index;
    size_t own = pt_full_own_chunks(f);
    if (chunk >= own)
        return (part){&f->guest_block, pt_span_of(f->guest_block.rows->tiles, PT_FULL_TILES, chunk - own), true};
    return (part){&f->simplex.block,
                  index ? (pt_span){pt_index_tile(index, chunk), pt_index_tile(index, chunk + 1)}
                        : pt_span_of(f->simplex.points.matrix->tiles, PT_FULL_TILES, chunk),
                  false};
}

/* The combination of vertices from `first` on. */
static pt_combination from(pt_combination combination, size_t first)
{
    combination.next += first;
    combination.now += first;
    combination.previous = combination.previous ? combination.previous + first : NULL;
    combination.signs += first;
    return combination;
}

/* The vertices of rows begin .. end-1, the first of each row or the second, from the rows' columns. */
static void combine(const pt_full *f, const pt_move *move, const pt_combination *combination, size_t begin, size_t end,
                    pt_best *least)
{
    const pt_pass_ops *ops = pt_pass_ops_for(f->simplex.problem.context->isa);
    const pt_dual *dual = &f->simplex.dual;
    for (size_t first = 0; first < pt_dual_slack(dual); first += dual->rows) {
        pt_combination mine = from(*combination, first);
        double score = ops->combine(&mine, begin, end);
        score = add_others(f, move, combination->next, first + begin, first + end, score);
        note(least, combination->next, first + begin, first + end, score);
    }
}

/* One of the vertices of each guest of a chunk, which lie apart: by way of copies that lie together. */
static void combine_apart(const pt_full *f, const pt_combination *combination, size_t rows)
{
    enum { ROWS = PT_FULL_TILES * PT_TILE };
    const pt_pass_ops *ops = pt_pass_ops_for(f->simplex.problem.context->isa);
    _Alignas(PT_ALIGNMENT) double now[ROWS], previous[ROWS];
    _Alignas(PT_ALIGNMENT) float signs[ROWS];
    size_t apart = f->simplex.dual.layers;
    if (apart == 1) {
        (void)ops->combine(combination, 0, rows);
        return;
    }
    for (size_t i = 0; i < rows; i++) {
        now[i] = combination->now[i * apart];
        previous[i] = combination->previous ? combination->previous[i * apart] : 0;
        signs[i] = combination->signs[i * apart];
    }
    pt_combination mine = *combination;
    mine.now = mine.next = now;
    mine.previous = combination->previous ? previous : NULL;
    mine.signs = signs;
    (void)ops->combine(&mine, 0, rows);
    for (size_t i = 0; i < rows; i++)
        combination->next[i * apart] = now[i];
}

/* The vertices of guests begin .. end-1. */
static void combine_guests(const pt_full *f, const pt_move *move, const pt_combination *combination, size_t begin,
                           size_t end, pt_best *least)
{
    size_t layers = f->simplex.dual.layers, own = pt_dual_own_vertices(&f->simplex.dual);
    size_t first = own + begin * layers, after = own + end * layers;
    double score = INFINITY;
    for (size_t layer = 0; layer < layers; layer++) {
        pt_combination mine = from(*combination, first + layer);
        combine_apart(f, &mine, end - begin);
    }
    for (size_t i = first; i < after; i++)
        score = combination->next[i] < score ? combination->next[i] : score;
    score = add_others(f, move, combination->next, first, after, score);
    note(least, combination->next, first, after, score);
}

typedef struct pass {
    const pt_full *full;
    const pt_move *move;
    const source *sources;
    const pt_combination *combination;
} pass;

static void pass_chunk(void *user, size_t chunk, size_t thread)
{
    _Alignas(PT_ALIGNMENT) float scratch[2][PT_FULL_ROWS];
    const pass *p = user;
    const pt_full *f = p->full;
    pt_combination combination = *p->combination;
    part at = part_of(f, chunk);
    pt_span tiles = at.tiles;
    size_t begin = tiles.begin * PT_TILE, end = tiles.end * PT_TILE, rows = at.block->rows->rows;
    (void)thread;
    for (int t = 0; t < p->move->terms; t++) {
        const source *from = &p->sources[t];
        float *values = from->column ? from->column + begin : scratch[t];
        if (from->panel)
            pt_block_values(at.block, from->panel, tiles.begin, tiles.end - tiles.begin, values, PT_FULL_ROWS);
        combination.column[t] = values;
    }
    pt_best least = {.score = INFINITY};
    end = end < rows ? end : rows;
    (at.guests ? combine_guests : combine)(f, p->move, &combination, begin, end, &least);
    f->chunk_least[chunk] = least;
}

/* Of equal ones the first, in the order in which several processes take them. */
static bool is_less(const pt_best *a, const pt_best *b)
{
    return a->score < b->score || (a->score == b->score && a->id < b->id);
}

static void run_pass(pt_full *f, const pt_move *move, const source *sources, const pt_combination *combination)
{
    size_t chunks = pt_full_chunks(f);
    int computed = 0;
    for (int t = 0; t < move->terms; t++)
        computed += sources[t].panel != NULL;
    double each = PASS_NANOSECONDS + computed * f->cost;
    int threads = pt_tuning_begin(&f->tuning, each * (double)f->simplex.points.matrix->rows);
    pt_team_run(f->simplex.problem.context, threads, chunks, pass_chunk, &(pass){f, move, sources, combination});
    pt_tuning_end(&f->tuning, 1 + computed);
    f->least = (pt_best){.score = INFINITY};
    for (size_t i = 0; i < chunks; i++)
        if (is_less(&f->chunk_least[i], &f->least))
            f->least = f->chunk_least[i];
    if (f->simplex.dual.slack && 0 < f->least.score) /* its score is always 0 */
        f->least = (pt_best){.id = (int64_t)pt_dual_slack(&f->simplex.dual)};
}

static partan_status full_move(pt_problem *problem, const pt_iterate *iterate, const pt_move *move)
{
    (void)iterate;
    pt_full *f = (pt_full *)problem;
    source sources[2];
    pt_combination combination = {.now = f->gradient,
                                  .previous = move->previous_factor != 0 ? f->previous : NULL,
                                  .next = f->previous ? f->previous : f->gradient,
                                  .signs = f->simplex.dual.signs,
                                  .now_factor = move->now_factor,
                                  .previous_factor = move->previous_factor,
                                  .bias = f->simplex.dual.bias,
                                  .terms = move->terms};
    const pt_dual *dual = &f->simplex.dual;
    for (int t = 0; t < move->terms; t++) {
        int64_t other = move->terms == 2 ? pt_dual_row(dual, move->term[!t].id) : -1;
        partan_status status = find_source(f, pt_dual_row(dual, move->term[t].id), other, &sources[t]);
        if (status)
            return status;
        combination.factor[t] = move->term[t].factor * pt_dual_sign(dual, move->term[t].id);
    }
    run_pass(f, move, sources, &combination);
    f->work += (uint64_t)move->terms * all_rows(f);
    if (f->previous) {
        double *now = f->previous;
        f->previous = f->gradient;
        f->gradient = now;
    }
    return PARTAN_OK;
}

/* ---- The oracle and its kin ---- */

static partan_status full_toward(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    (void)iterate;
    const pt_full *f = (const pt_full *)problem;
    *vertex = (pt_vertex){.id = f->least.id, .score = f->least.score};
    return PARTAN_OK;
}

static partan_status full_away(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    const pt_full *f = (const pt_full *)problem;
    *vertex = (pt_vertex){.id = -1, .score = -INFINITY};
    for (size_t i = 0; i < iterate->count; i++)
        if (iterate->now[i] > 0 && f->gradient[iterate->id[i]] > vertex->score)
            *vertex = (pt_vertex){.id = iterate->id[i], .score = f->gradient[iterate->id[i]]};
    return PARTAN_OK;
}

static partan_status full_inspect(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    (void)iterate;
    pt_full *f = (pt_full *)problem;
    double value;
    partan_status status = kernel_value(f, vertex->id, vertex->id, &value);
    if (status)
        return status;
    vertex->diagonal = pt_dual_diagonal(&f->simplex.dual, vertex->id, value);
    vertex->linear = pt_dual_linear(&f->simplex.dual, vertex->id);
    vertex->previous_score = f->previous ? f->previous[vertex->id] : 0;
    return PARTAN_OK;
}

static partan_status full_product(pt_problem *problem, const pt_vertex *u, const pt_vertex *v, double *product)
{
    pt_full *f = (pt_full *)problem;
    double value = 0;
    partan_status status = kernel_value(f, u->id, v->id, &value);
    *product = pt_dual_entry(&f->simplex.dual, u->id, v->id, value);
    return status;
}

static void full_measure(pt_problem *problem, const pt_iterate *iterate, pt_measure *measure)
{
    const pt_full *f = (const pt_full *)problem;
    double now = 0, cross = 0, previous = 0;
    *measure = (pt_measure){0};
    for (size_t i = 0; i < iterate->count; i++) {
        int64_t id = iterate->id[i];
        measure->linear += iterate->now[i] * pt_dual_linear(&f->simplex.dual, id);
        measure->previous_linear += iterate->previous[i] * pt_dual_linear(&f->simplex.dual, id);
        now += iterate->now[i] * f->gradient[id];
        cross += iterate->previous[i] * f->gradient[id];
        if (f->previous)
            previous += iterate->previous[i] * f->previous[id];
    }
    measure->objective = pt_objective(now, measure->linear);
    measure->previous_objective = pt_objective(previous, measure->previous_linear);
    measure->cross = cross - measure->previous_linear;
}

/* ---- From scratch ---- */

static void find_least(pt_full *f)
{
    f->least = (pt_best){.score = INFINITY};
    for (size_t i = 0; i < f->simplex.dual.vertices; i++)
        if (f->gradient[i] < f->least.score)
            f->least = (pt_best){.score = f->gradient[i], .id = (int64_t)i};
}

static partan_status full_certify(pt_problem *problem, const pt_iterate *iterate, double target,
                                  pt_certificate *certificate)
{
    pt_full *f = (pt_full *)problem;
    uint64_t before = f->simplex.counters.kernel_values;
    partan_status status = pt_simplex_certify(&f->simplex, iterate, target, true, f->gradient, certificate);
    f->work += f->simplex.counters.kernel_values - before;
    if (!status)
        find_least(f);
    return status;
}

static partan_status full_start(pt_problem *problem, const pt_iterate *iterate, pt_measure *measure)
{
    pt_full *f = (pt_full *)problem;
    partan_status made = f->simplex.share ? pt_full_make_room(f) : PARTAN_OK;
    if (made)
        return made;
    if (problem->keeps_previous && !f->previous) {
        f->previous = pt_alloc_zero(problem->context, f->room, sizeof *f->previous);
        if (!f->previous)
            return pt_out_of_memory(problem->context, "the previous gradient");
    }
    partan_status status = pt_simplex_gradient(&f->simplex, iterate, f->gradient);
    if (status)
        return status;
    find_least(f);
    full_measure(problem, iterate, measure);
    return PARTAN_OK;
}

static uint64_t full_work(const pt_problem *problem)
{
    return ((const pt_full *)problem)->work;
}

/* ---- The tables ---- */

const pt_problem_ops pt_full_ops = {.start = full_start,
                                    .toward = full_toward,
                                    .away = full_away,
                                    .inspect = full_inspect,
                                    .product = full_product,
                                    .move = full_move,
                                    .measure = full_measure,
                                    .certify = full_certify,
                                    .bound = pt_simplex_bound,
                                    .scale = pt_simplex_scale,
                                    .work = full_work,
                                    .trace = pt_simplex_trace,
                                    .free = pt_full_free,
                                    .not_finite = PT_SIMPLEX_NOT_FINITE};

/* Where rows live in several processes, all of them end at the same step, with a certificate: no bound stands for it.
 */
const pt_problem_ops pt_full_shared_ops = {.start = full_start,
                                           .toward = pt_full_shared_toward,
                                           .away = full_away,
                                           .inspect = full_inspect,
                                           .product = full_product,
                                           .move = full_move,
                                           .measure = full_measure,
                                           .certify = full_certify,
                                           .scale = pt_simplex_scale,
                                           .work = full_work,
                                           .trace = pt_simplex_trace,
                                           .free = pt_full_free,
                                           .not_finite = PT_SIMPLEX_NOT_FINITE};
