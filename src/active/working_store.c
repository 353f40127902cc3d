/* The columns that the working set keeps: those that a pass needs are completed before it, or all of them at once. */
#include <string.h>

#include "active/working.h"
#include "core/team.h"

enum {
    CACHED_TILES = 8,
    MOST_LOOKS = 1024 /* for members without a column: where most have theirs, the others are far apart */
};

/* Members whose columns are known up to the same row, and so are computed together. */
typedef struct batch {
    int64_t members[PT_WORKING_BATCH];
    size_t count;
    size_t known;
    bool mirrored; /* the members are those from `known` on: the rows behind them are given the same values */
} batch;

static size_t known_of(const pt_working *w, int64_t member)
{
    return w->store.values[member] ? w->store.known[member] : 0;
}

static bool has(const batch *b, int64_t member)
{
    for (size_t i = 0; i < b->count; i++)
        if (b->members[i] == member)
            return true;
    return false;
}

static void join(const pt_working *w, batch *b, int64_t member)
{
    bool fits = b->count < PT_WORKING_BATCH && !pt_column_store_complete(&w->store, member)
                && (b->count == 0 || known_of(w, member) == b->known);
    if (!fits || has(b, member))
        return;
    b->known = known_of(w, member);
    b->members[b->count++] = member;
}

/* Columns cost least by the panel, and by several panels while the rows are at hand: members that the next rounds may
 * want fill the batch up, those of low score and then those with weight. */
static void fill_up(pt_working *w, batch *b, const int64_t *low, size_t low_count)
{
    for (size_t i = 0; i < low_count; i++)
        join(w, b, low[i]);
    size_t looks = w->count < MOST_LOOKS ? w->count : MOST_LOOKS;
    for (size_t looked = 0; looked < looks && b->count < PT_WORKING_BATCH; looked++) {
        w->next = w->next + 1 < (int64_t)w->count ? w->next + 1 : 0;
        if (w->weights[w->next] > 0)
            join(w, b, w->next);
    }
}

/* k(row, member) = k(member, row): the columns of the rows behind the batch get the values of some of its members. */
static void mirror(const pt_working *w, const batch *b, size_t first, size_t count, const float *values, size_t stride,
                   size_t tile)
{
    size_t begin = tile * PT_TILE, end = begin + stride - PT_TILE, behind = b->known + b->count;
    for (size_t row = begin > behind ? begin : behind; row < end && row < w->count; row++)
        for (size_t c = 0; c < count; c++)
            w->store.values[row][b->known + first + c] = values[c * stride + row - begin];
}

/* A few tiles of all columns. */
static void compute_tiles(const pt_working *w, const batch *b, float *const *columns, size_t tile, size_t count)
{
    _Alignas(PT_ALIGNMENT) float fresh[PT_WORKING_VALUES];
    size_t width = w->panels[0].width, stride = (count + 1) * PT_TILE;
    for (size_t first = 0; first < b->count; first += width) {
        size_t wide = b->count - first < width ? b->count - first : width;
        pt_block_values(&w->block, &w->panels[first / width], tile, count, fresh, stride);
        for (size_t c = 0; c < wide; c++)
            memcpy(columns[first + c] + tile * PT_TILE, fresh + c * stride, count * PT_TILE * sizeof *fresh);
        if (b->mirrored)
            mirror(w, b, first, wide, fresh, stride, tile);
    }
}

/* An inverted index is looked up for all rows of a chunk at once; other rows stay in the processor's cache meanwhile.
 */
static void compute_chunk(const pt_working *w, const batch *b, float *const *columns, size_t first, size_t end)
{
    size_t most = w->block.index ? end - first : CACHED_TILES;
    for (size_t tile = first; tile < end; tile += most)
        compute_tiles(w, b, columns, tile, end - tile < most ? end - tile : most);
}

typedef struct computation {
    const pt_working *working;
    const batch *batch;
    float *const *columns;
} computation;

static void compute_part(void *user, size_t chunk, size_t thread)
{
    const computation *c = user;
    size_t first = pt_working_tile(c->working, chunk), end = pt_working_tile(c->working, chunk + 1);
    size_t from = c->batch->known / PT_TILE;
    (void)thread;
    if (end > from)
        compute_chunk(c->working, c->batch, c->columns, first > from ? first : from, end);
}

static void compute(pt_working *w, const batch *b, float *const *columns)
{
    size_t known = b->known < w->count ? b->known : w->count, values = (w->count - known) * b->count;
    int threads = pt_tuning_begin(&w->computing, w->value_cost * (double)values);
    pt_team_run(w->context, threads, w->chunks, compute_part, &(computation){w, b, columns});
    pt_tuning_end(&w->computing, (double)values + 1);
    w->values += values;
    w->computed += b->known == 0 && !b->mirrored ? b->count : 0;
}

/* Finds room for the batch's columns. Where memory is short, some of them may have lost theirs to others: these leave.
 */
static partan_status find_room(pt_working *w, batch *b, float **columns)
{
    size_t kept = 0;
    for (size_t c = 0; c < b->count; c++)
        if (!pt_column_store_room(&w->store, b->members[c]))
            return pt_out_of_memory(w->context, "kernel columns");
    for (size_t c = 0; c < b->count; c++)
        if (w->store.values[b->members[c]] && known_of(w, b->members[c]) == b->known) {
            columns[kept] = w->store.values[b->members[c]];
            b->members[kept++] = b->members[c];
        }
    b->count = kept;
    return PARTAN_OK;
}

static partan_status complete(pt_working *w, batch *b)
{
    float *columns[PT_WORKING_BATCH];
    partan_status status = find_room(w, b, columns);
    for (size_t c = 0, width = w->panels[0].width; c < b->count && !status; c += width) {
        size_t count = b->count - c < width ? b->count - c : width;
        status = pt_panel_pack(&w->panels[c / width], (pt_points){&w->matrix, w->serials}, b->members + c, count);
    }
    if (status)
        return status;
    compute(w, b, columns);
    for (size_t c = 0; c < b->count; c++)
        w->store.known[b->members[c]] = w->stride;
    return PARTAN_OK;
}

partan_status pt_working_complete(pt_working *w, const int64_t *low, size_t low_count)
{
    for (;;) {
        batch b = {.count = 0};
        for (size_t c = 0; c < 2 * w->pairs; c++)
            join(w, &b, w->vertices[c]);
        if (b.count == 0)
            return PARTAN_OK;
        if (w->store.count + PT_STORE_TURNS + PT_WORKING_BATCH < w->store.most)
            fill_up(w, &b, low, low_count);
        partan_status status = complete(w, &b);
        if (status)
            return status;
    }
}

/* Every value is computed once: the columns of a batch from its own rows on, which gives those behind it the beginning
 * of theirs. */
static partan_status compute_all(pt_working *w)
{
    partan_status status = PARTAN_OK;
    for (size_t i = 0; i < w->count; i++)
        (void)pt_column_store_room(&w->store, (int64_t)i);
    for (size_t i = 0; i < w->count; i++)
        if (!w->store.values[i]) /* or it has lost its place to another */
            return pt_out_of_memory(w->context, "kernel columns");
    for (size_t first = 0; first < w->count && !status; first += PT_WORKING_BATCH) {
        batch b = {.known = first, .mirrored = true};
        for (size_t i = first; i < w->count; i++) {
            w->store.known[i] = first;
            if (b.count < PT_WORKING_BATCH)
                b.members[b.count++] = (int64_t)i;
        }
        status = pt_interrupted(w->context) ? PARTAN_INTERRUPTED : complete(w, &b);
    }
    return status;
}

/* The scores of the members from `first` on, which have no weight. */
static partan_status score(pt_working *w, size_t first)
{
    double total = 0, *sums = pt_alloc_zero(w->context, w->count, sizeof *sums);
    if (!sums)
        return pt_out_of_memory(w->context, "the scores");
    for (size_t j = 0; j < first; j++) {
        double weight = w->weights[j] * (double)w->signs[j];
        const float *column = w->store.values[j];
        total += weight;
        for (size_t i = first; i < w->count && weight != 0; i++)
            sums[i] += weight * (double)column[i];
    }
    for (size_t i = first; i < w->count; i++)
        w->scores[i] = pt_dual_score(&w->simplex->dual, w->ids[i], sums[i], total);
    pt_free(w->context, sums);
    return PARTAN_OK;
}

partan_status pt_working_fill(pt_working *w, size_t first)
{
    partan_status status = compute_all(w);
    w->computed += status ? 0 : w->count;
    w->least = -1;
    return status ? status : score(w, first);
}
