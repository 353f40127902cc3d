#include "active/working.h"

#include <math.h>

#include "active/tangents.h"
#include "core/stall.h"
#include "fw/keeper.h"
#include "simplex/rows.h"
#include "simplex/tally.h"

enum {
    CHUNK_TILES = 32,
    CHUNKS = 16, /* at least, so that small sets too offer a choice of partners; of more a multiple, so that up to as
                    many threads get as many each */
    INDEX_ROWS = PT_WORKING_VALUES / PT_PANEL - PT_TILE, /* of a chunk, where rows have an inverted index */
    REFRESH_INTERVAL = 128,                              /* rounds between recomputations of the objective */
    GAP_INTERVAL = 8,                                    /* rounds between sums that give a primal gap */
    LOOK_INTERVAL = 16,                                  /* rounds between looks at the clock and for interruptions */
    ASK_INTERVAL = 128,                                  /* the same where all processes are asked */
    MOST_IDLE = 16,                                      /* refresh intervals without progress */
    TANGENT_SHARE = 10,  /* steps between extrapolations, for each so many members with weight, */
    LEAST_INTERVAL = 64, /* and at least */
    MOST_STILL = 3,      /* rounds without a step: new seekers each time, found by scores that have not changed */
};

#define SWEEP_NANOSECONDS 0.2 /* that the pass over a working set takes for a kernel value, once it is there */
#define KEEPING_NANOSECONDS                                                                                            \
    2.5 /* of a kernel value, from which on columns are kept: most are asked for again only once or twice */
#define READ_NANOSECONDS 0.3  /* that it takes to read one that is kept */
#define GAP_GAIN         0.99 /* a gap this much less is progress, where the objective's digits show none */

void pt_working_init(pt_working *w, const pt_simplex *simplex, size_t budget)
{
    *w = (pt_working){.context = simplex->problem.context, .simplex = simplex};
    pt_column_store_init(&w->store, w->context, budget);
    pt_tuning_init(&w->tuning, w->context);
    pt_tuning_init(&w->computing, w->context);
}

void pt_working_free(pt_working *w)
{
    partan_context *context = w->context;
    if (!context)
        return;
    pt_free(context, w->ids);
    pt_free(context, w->serials);
    pt_free(context, w->signs);
    pt_free(context, w->diagonals);
    pt_free(context, w->weights);
    pt_free(context, w->scores);
    pt_free(context, w->kept);
    pt_free(context, w->swept);
    pt_column_store_free(&w->store);
    for (size_t i = 0; i < PT_WORKING_PANELS; i++)
        pt_panel_free(&w->panels[i]);
    pt_index_free(&w->index);
    pt_matrix_free(&w->matrix);
    *w = (pt_working){0};
}

/* ---- Members ---- */

/* Frees all but what lasts from set to set. */
static void release(pt_working *w)
{
    pt_working lasting = {.context = w->context,
                          .simplex = w->simplex,
                          .tuning = w->tuning,
                          .computing = w->computing,
                          .store = w->store,
                          .steps = w->steps,
                          .values = w->values,
                          .computed = w->computed};
    w->store = (pt_column_store){0};
    pt_working_free(w);
    *w = lasting;
}

static size_t chunks_of(size_t tiles)
{
    size_t turns = tiles / (CHUNK_TILES * CHUNKS) + 1;
    return tiles < CHUNKS ? tiles : turns * CHUNKS;
}

/* For the members' rows, which have been copied together. By an inverted index, a column costs the same alone or in a
 * panel, and chunks are long since every list is looked up for each. */
static partan_status prepare_block(pt_working *w)
{
    partan_status status = pt_simplex_serials(w->simplex, w->ids, w->count, &w->serials);
    w->block = w->simplex->block;
    w->block.rows = &w->matrix;
    w->pairs = pt_block_width(&w->block) / 2;
    w->chunks = chunks_of(w->matrix.tiles);
    if (!status && pt_block_by_index(&w->block)) {
        status = pt_index_make(&w->index, &w->matrix, INDEX_ROWS);
        w->block.index = &w->index;
        w->pairs = PT_PANEL / 2;
        w->chunks = w->index.count;
    }
    return status ? status : pt_panel_init(&w->panels[0], &w->block, &w->matrix, 2 * w->pairs);
}

static partan_status allocate(pt_working *w)
{
    partan_context *context = w->context;
    w->stride = w->matrix.tiles * PT_TILE;
    w->signs = pt_alloc_zero(context, w->stride, sizeof *w->signs);
    w->diagonals = pt_alloc(context, w->stride, sizeof *w->diagonals);
    w->weights = pt_alloc_zero(context, w->stride, sizeof *w->weights);
    w->scores = pt_alloc(context, w->stride, sizeof *w->scores);
    w->kept = pt_alloc_zero(context, w->stride, w->pairs * sizeof *w->kept);
    w->swept = pt_alloc(context, w->chunks, sizeof *w->swept);
    bool done = w->signs && w->diagonals && w->weights && w->scores && w->kept && w->swept;
    return done ? PARTAN_OK : pt_out_of_memory(context, "the working set");
}

static void fill(pt_working *w, const pt_member *members)
{
    for (size_t i = 0; i < w->count; i++) {
        int64_t id = members[i].id;
        w->signs[i] = w->simplex->dual.signs[id];
        w->weights[i] = members[i].weight;
        w->scores[i] = members[i].score;
        w->diagonals[i] = members[i].weight > 0 ? (float)pt_simplex_diagonal(w->simplex, id) : INFINITY;
    }
    for (size_t i = w->count; i < w->stride; i++) {
        w->scores[i] = INFINITY;
        w->diagonals[i] = INFINITY;
    }
}

/* Which of the first members were there before, and where; the others follow them. Those that stay keep their order. */
static size_t find_stayed(const pt_working *w, const pt_member *members, size_t count, size_t *from)
{
    size_t stayed = 0;
    for (size_t old = 0; old < w->count && stayed < count; old++)
        if (w->ids[old] == members[stayed].id)
            from[stayed++] = old;
    return stayed;
}

/* The columns that are kept, where this pays, for a set that is gathered. */
static partan_status set_columns(pt_working *w, const size_t *from, size_t stayed)
{
    w->value_cost = pt_block_cost(&w->block);
    bool worth = w->value_cost >= KEEPING_NANOSECONDS;
    partan_status status = pt_column_store_set(&w->store, w->count, worth ? w->stride : 0, from, stayed);
    w->cost = SWEEP_NANOSECONDS + (pt_working_keeps(w) ? READ_NANOSECONDS : w->value_cost);
    for (size_t i = 1; i < PT_WORKING_PANELS && pt_working_keeps(w) && !status; i++)
        status = pt_panel_init(&w->panels[i], &w->block, &w->matrix, 2 * w->pairs);
    return status;
}

bool pt_working_affords(const pt_working *w, size_t members)
{
    double stride = (double)(members + PT_TILE), columns = (double)(members + PT_STORE_TURNS + 1);
    return pt_block_cost(&w->block) >= KEEPING_NANOSECONDS
           && stride * columns * sizeof(float) <= (double)w->store.budget;
}

/* The members' numbers, and their rows copied together; neither where that fails or is interrupted. */
static partan_status gather(const pt_working *w, const pt_member *members, size_t count, bool heed, int64_t **ids,
                            pt_matrix *rows)
{
    *ids = pt_alloc(w->context, count, sizeof **ids);
    if (!*ids)
        return pt_out_of_memory(w->context, "the working set");
    for (size_t i = 0; i < count; i++)
        (*ids)[i] = members[i].id;
    partan_status status = (heed ? pt_simplex_gather_heeding : pt_simplex_gather)(w->simplex, *ids, count, rows);
    if (status) {
        pt_free(w->context, *ids);
        pt_matrix_free(rows);
    }
    return status;
}

/* What there is is freed when it has been copied: an interruption leaves it. */
static partan_status replace(pt_working *w, const pt_member *members, size_t count, const size_t *from, size_t stayed,
                             bool heed)
{
    int64_t *ids;
    pt_matrix rows = {0};
    partan_status status = gather(w, members, count, heed, &ids, &rows);
    if (status)
        return status;
    release(w);
    w->ids = ids;
    w->matrix = rows;
    w->count = count;
    w->least = -1;
    status = prepare_block(w);
    if (!status)
        status = allocate(w);
    if (!status)
        status = set_columns(w, from, stayed);
    if (!status)
        fill(w, members);
    else
        w->count = 0; /* nothing that could be looked at */
    return status;
}

/* Whether these are the members that there are already, in the same order. */
static bool unchanged(const pt_working *w, const pt_member *members, size_t count)
{
    if (count != w->count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (members[i].id != w->ids[i])
            return false;
    return true;
}

static partan_status set(pt_working *w, const pt_member *members, size_t count, double objective, bool heed)
{
    if (w->count > 0 && unchanged(w, members, count)) {
        fill(w, members);
        w->least = -1;
        w->objective = objective;
        return PARTAN_OK;
    }
    size_t *from = pt_alloc(w->context, count, sizeof *from);
    if (!from)
        return pt_out_of_memory(w->context, "the working set");
    partan_status status = replace(w, members, count, from, find_stayed(w, members, count, from), heed);
    if (!status)
        w->objective = objective;
    pt_free(w->context, from);
    return status;
}

partan_status pt_working_set(pt_working *w, const pt_member *members, size_t count, double objective)
{
    return set(w, members, count, objective, false);
}

partan_status pt_working_set_heeding(pt_working *w, const pt_member *members, size_t count, double objective)
{
    return set(w, members, count, objective, true);
}

void pt_working_recost(pt_working *w, double change)
{
    for (size_t i = 0; i < w->count; i++) {
        double own = pt_dual_part(&w->simplex->dual, w->ids[i], change);
        w->scores[i] += w->weights[i] * own;
        w->diagonals[i] += (float)own;
    }
    w->least = -1;
}

void pt_working_rescore(pt_working *w, const double *scores)
{
    for (size_t i = 0; i < w->count; i++)
        w->scores[i] = scores[w->ids[i]];
    w->least = -1;
}

double pt_working_gap(const pt_working *w)
{
    const pt_dual *dual = &w->simplex->dual;
    double between = 0;
    for (size_t i = 0; i < w->count && dual->primal; i++)
        between += pt_dual_between(dual, w->ids[i], w->weights[i], w->scores[i]);
    return dual->primal ? between : pt_inner_product(w->objective, w->linear) - w->scores[w->least];
}

/* ---- The loop ---- */

static void find_least(pt_working *w)
{
    w->least = 0;
    for (size_t i = 1; i < w->count; i++)
        if (w->scores[i] < w->scores[w->least])
            w->least = (int64_t)i;
}

void pt_working_refresh(pt_working *w)
{
    double sum = 0, linear = 0;
    for (size_t i = 0; i < w->count; i++) {
        sum += w->weights[i] * w->scores[i];
        linear += w->weights[i] * pt_dual_linear(&w->simplex->dual, w->ids[i]);
    }
    w->linear = linear;
    w->objective = pt_objective(sum, linear);
}

/* Members that have got weight have a diagonal to be found by, others have none. */
static size_t update_diagonals(pt_working *w)
{
    size_t support = 0;
    for (size_t i = 0; i < w->count; i++) {
        bool positive = w->weights[i] > 0;
        if (positive != (w->diagonals[i] < INFINITY))
            w->diagonals[i] = positive ? (float)pt_simplex_diagonal(w->simplex, w->ids[i]) : INFINITY;
        support += positive;
    }
    return support;
}

/* Extrapolates when there have been enough steps since the last time, and sets how many there must be until the next.
 */
static partan_status extrapolate(pt_working *w, pt_tangents *t, uint64_t done, uint64_t *next)
{
    double gain = 0;
    if (done < *next)
        return PARTAN_OK;
    partan_status status = t->context ? pt_tangents_step(t, w->weights, w->scores, &gain)
                                      : pt_tangents_make(t, w->context, w->count, w->weights, w->scores);
    size_t interval = update_diagonals(w) / TANGENT_SHARE;
    if (!status && gain > 0) {
        pt_working_refresh(w);
        find_least(w);
        status = pt_working_seek(w); /* what the last pass found is of the past */
    }
    *next = done + (interval > LEAST_INTERVAL ? interval : LEAST_INTERVAL);
    return status;
}

/* Rounds between looks at the gap, where it takes a sum over the members. */
static uint64_t gap_interval(const pt_working *w)
{
    return w->simplex->dual.primal ? GAP_INTERVAL : 1;
}

static partan_status keep(const pt_working *w)
{
    if (!pt_keeper_due(w->context))
        return PARTAN_OK;
    return pt_keep(w->context, &(pt_start){.ids = w->ids,
                                           .weights = w->weights,
                                           .count = w->count,
                                           .iteration = (int64_t)w->steps,
                                           .inverse_cost = w->simplex->dual.inverse_cost});
}

/* Now and then: what else there is to do than steps. Several processes ask each other less often. */
static partan_status look(const pt_working *w, uint64_t round)
{
    pt_share *share = w->simplex->share;
    partan_status status = keep(w);
    if (status || (share && round % ASK_INTERVAL != 0))
        return status;
    return pt_simplex_interrupted(w->simplex) ? PARTAN_INTERRUPTED : PARTAN_OK;
}

static partan_status solve(pt_working *w, pt_tangents *tangents, double tol, double eps, uint64_t most)
{
    pt_stall stall = pt_stall_begin();
    uint64_t done = 0, next = w->count / TANGENT_SHARE;
    int still = 0; /* rounds since the last step */
    if (w->least < 0)
        find_least(w);
    pt_working_refresh(w);
    for (uint64_t round = 0;; round++) {
        double gap = round % gap_interval(w) == 0 ? pt_working_gap(w) : INFINITY;
        if (gap <= tol * pt_dual_unit(&w->simplex->dual, w->objective) || gap <= eps || done >= most
            || (w->simplex->problem.positive && !(w->objective > 0)))
            return PARTAN_OK;
        partan_status status = round % LOOK_INTERVAL == 0 ? look(w, round) : PARTAN_OK;
        if (status)
            return status;
        if (round % REFRESH_INTERVAL == 0) {
            pt_working_refresh(w);
            if (pt_stall_look(&stall, w->objective, gap, GAP_GAIN) >= MOST_IDLE)
                return PARTAN_STALLED;
        }
        size_t steps = 0;
        status = round == 0 ? pt_working_seek(w) : PARTAN_OK;
        if (!status)
            status = pt_working_round(w, most - done, &steps);
        still = steps > 0 ? 0 : still + 1;
        if (status || still >= MOST_STILL)
            return status ? status : PARTAN_STALLED;
        done += steps;
        status = extrapolate(w, tangents, done, &next);
        if (status)
            return status;
    }
}

partan_status pt_working_solve(pt_working *w, double tol, double eps, uint64_t most)
{
    pt_tangents tangents = {0};
    partan_status status = solve(w, &tangents, tol, eps, most);
    pt_tangents_free(&tangents);
    return status;
}
