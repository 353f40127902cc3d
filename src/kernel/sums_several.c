/* Several weighted sums of the same kernel values: each value is computed once, and added to every sum that its vertex
 * has a weight in. */
#include <stdatomic.h>
#include <string.h>

#include "core/team.h"
#include "kernel/block.h"

enum {
    CHUNK_TILES = 8,
    CHUNK_ROWS = CHUNK_TILES * PT_TILE,
    GROUP_PANELS = 512, /* packed at a time */
};

/* What the vertices of a panel have in a sum: a weight for each column. */
typedef struct share {
    size_t sum;
    double weights[PT_PANEL_WIDE];
} share;

typedef struct several {
    const pt_block *block;
    const pt_terms *terms;
    size_t width;                   /* of panels */
    pt_panel panels[GROUP_PANELS];  /* of which so many are made, */
    size_t made, count;             /* and in use */
    size_t begin[GROUP_PANELS + 1]; /* of each panel's shares */
    share *shares;
    size_t share_capacity;
    double *own; /* [thread][sum][CHUNK_ROWS] */
    double *sums;
    atomic_bool stop;
} several;

static void several_free(several *s)
{
    partan_context *context = s->block->context;
    for (size_t i = 0; i < s->made; i++)
        pt_panel_free(&s->panels[i]);
    pt_free(context, s->shares);
    pt_free(context, s->own);
    pt_free(context, s);
}

/* ---- Packing ---- */

/* The place of a sum among the shares of the panel; -1: memory is out. Vertices that stand together are mostly in the
 * same sums, in the same order. */
static int64_t find_share(several *s, size_t first, size_t guess, size_t sum)
{
    size_t *end = &s->begin[s->count + 1];
    if (first + guess < *end && s->shares[first + guess].sum == sum)
        return (int64_t)(first + guess);
    for (size_t i = first; i < *end; i++)
        if (s->shares[i].sum == sum)
            return (int64_t)i;
    if (pt_reserve(s->block->context, (void **)&s->shares, &s->share_capacity, *end, *end + 1, sizeof *s->shares))
        return -1;
    s->shares[*end] = (share){.sum = sum};
    return (int64_t)(*end)++;
}

static partan_status pack_panel(several *s, pt_points vertices, size_t first, size_t count)
{
    const pt_terms *t = s->terms;
    int64_t ids[PT_PANEL_WIDE];
    size_t from = s->begin[s->count];
    s->begin[s->count + 1] = from;
    for (size_t c = 0; c < count; c++) {
        ids[c] = (int64_t)(first + c);
        for (size_t k = t->begin[first + c]; k < t->begin[first + c + 1]; k++) {
            int64_t at = find_share(s, from, k - t->begin[first + c], t->sum[k]);
            if (at < 0)
                return pt_out_of_memory(s->block->context, "sums of kernel values");
            s->shares[at].weights[c] = t->weight[k];
        }
    }
    return pt_panel_pack(&s->panels[s->count++], vertices, ids, count);
}

static partan_status pack(several *s, pt_points vertices, size_t *next, size_t count)
{
    partan_status status = PARTAN_OK;
    s->count = 0;
    s->begin[0] = 0;
    while (*next < count && s->count < GROUP_PANELS && !status) {
        size_t n = count - *next < s->width ? count - *next : s->width;
        if (s->count == s->made) {
            status = pt_panel_init(&s->panels[s->made], s->block, vertices.matrix, s->width);
            s->made += status == PARTAN_OK;
        }
        if (!status)
            status = pack_panel(s, vertices, *next, n);
        *next += n;
    }
    return status;
}

/* ---- Sums ---- */

static void add_panel(const several *s, size_t p, size_t tile, size_t tiles, double *own)
{
    _Alignas(PT_ALIGNMENT) float values[PT_PANEL_WIDE * CHUNK_ROWS];
    const pt_panel *panel = &s->panels[p];
    pt_block_values(s->block, panel, tile, tiles, values, CHUNK_ROWS);
    for (size_t i = s->begin[p]; i < s->begin[p + 1]; i++)
        for (size_t c = 0; c < panel->width; c += PT_PANEL)
            s->block->ops->accumulate(own + s->shares[i].sum * CHUNK_ROWS, values + c * CHUNK_ROWS, CHUNK_ROWS,
                                      s->shares[i].weights + c, tiles * PT_TILE);
}

static void add_chunk(void *user, size_t chunk, size_t thread)
{
    several *s = user;
    const pt_matrix *matrix = s->block->rows;
    size_t sums = s->terms->sums, tile = chunk * CHUNK_TILES, first = tile * PT_TILE;
    size_t tiles = matrix->tiles - tile < CHUNK_TILES ? matrix->tiles - tile : CHUNK_TILES;
    size_t rows = matrix->rows - first < CHUNK_ROWS ? matrix->rows - first : CHUNK_ROWS;
    double *own = s->own + thread * sums * CHUNK_ROWS;
    if (atomic_load(&s->stop) || pt_interrupted(s->block->context)) {
        atomic_store(&s->stop, true);
        return;
    }
    memset(own, 0, sums * CHUNK_ROWS * sizeof *own);
    for (size_t p = 0; p < s->count; p++)
        add_panel(s, p, tile, tiles, own);
    for (size_t row = 0; row < rows; row++)
        for (size_t o = 0; o < sums; o++)
            s->sums[(first + row) * sums + o] += own[o * CHUNK_ROWS + row];
}

static partan_status run(several *s, pt_points vertices, size_t count)
{
    partan_context *context = s->block->context;
    size_t chunks = pt_span_count(s->block->rows->tiles, CHUNK_TILES);
    partan_status status = PARTAN_OK;
    for (size_t next = 0; next < count && !status;) {
        status = pack(s, vertices, &next, count);
        if (!status)
            pt_team_run(context, context->threads, chunks, add_chunk, s);
        if (!status)
            status = pt_progress_share(context, (double)next / (double)count);
        if (!status && atomic_load(&s->stop))
            status = PARTAN_INTERRUPTED;
    }
    return status;
}

static partan_status sum(const pt_block *block, pt_points vertices, size_t count, const pt_terms *terms, double *sums)
{
    partan_context *context = block->context;
    several *s = pt_alloc_zero(context, 1, sizeof *s);
    if (!s)
        return pt_out_of_memory(context, "sums of kernel values");
    s->block = block;
    s->terms = terms;
    s->sums = sums;
    s->width = pt_block_width(block);
    atomic_init(&s->stop, false);
    s->own = pt_alloc(context, (size_t)context->threads * terms->sums, CHUNK_ROWS * sizeof *s->own);
    partan_status status = s->own ? run(s, vertices, count) : pt_out_of_memory(context, "sums of kernel values");
    several_free(s);
    return status;
}

partan_status pt_kernel_sums_several(partan_context *context, const pt_kernel *kernel, pt_points rows,
                                     pt_points vertices, size_t count, const pt_terms *terms, double *sums)
{
    pt_matrix converted = {0};
    pt_block block;
    memset(sums, 0, rows.matrix->rows * terms->sums * sizeof *sums);
    if (count == 0 || rows.matrix->rows == 0)
        return PARTAN_OK;
    partan_status status = pt_points_match(&rows, &vertices, &converted);
    if (!status)
        status = pt_block_init(&block, context, kernel, rows.matrix, vertices.matrix);
    if (!status)
        status = sum(&block, vertices, count, terms, sums);
    pt_matrix_free(&converted);
    return status;
}
