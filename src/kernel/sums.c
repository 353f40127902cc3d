/* Weighted sums of kernel values over many vertices: prediction, and gradients from scratch.
 *
 * Vertices are packed into panels, a group of panels at a time; threads take chunks of rows and run all panels of the
 * group over each, so that a chunk's sums stay in the first-level cache. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "core/team.h"
#include "kernel/block.h"
#include "kernel/linear.h"

enum {
    CHUNK_TILES = 32,      /* at most; fewer where there would not be */
    CHUNKS_OF_THREAD = 4,  /* so many, since some take longer than others, */
    LEAST_CHUNK_TILES = 8, /* but panels must be worth reading */
    CHUNK_ROWS = CHUNK_TILES * PT_TILE,
    GROUP_BYTES = 4 << 20, /* packed vertices at a time */
};

typedef struct group {
    pt_panel *panels;
    double (*weights)[PT_PANEL_WIDE];
    float (*weights32)[PT_PANEL_WIDE]; /* the same in float32, where that is enough; else NULL */
    size_t width;                      /* of the panels */
    size_t capacity;                   /* panels allocated */
    size_t count;                      /* panels in use */
} group;

static size_t panel_bytes(const pt_block *block)
{
    partan_storage storage = block->rows->storage;
    size_t row = storage == PARTAN_STORAGE_BITS    ? block->rows->words
                 : storage == PARTAN_STORAGE_BYTES ? block->rows->groups
                                                   : block->rows->features;
    size_t width = pt_block_width(block);
    if (storage == PARTAN_STORAGE_SPARSE) /* the compact numbers of features, and the nonzeros of ordinary vertices */
        return row * 2 + width * width * 4 * (size_t)(block->rows->nonzeros / (block->rows->rows + 1)) + 1;
    return row * width * 4 + 1;
}

static void group_free(partan_context *context, group *g)
{
    for (size_t i = 0; g->panels && i < g->capacity; i++)
        pt_panel_free(&g->panels[i]);
    pt_free(context, g->panels);
    pt_free(context, g->weights);
    pt_free(context, g->weights32);
}

static partan_status group_init(group *g, const pt_block *block, const pt_matrix *vertices, size_t count, bool float32)
{
    partan_context *context = block->context;
    g->width = pt_block_width(block);
    size_t wanted = (count + g->width - 1) / g->width;
    g->capacity = GROUP_BYTES / panel_bytes(block);
    g->capacity = g->capacity < 1 ? 1 : g->capacity > wanted ? wanted : g->capacity;
    g->count = 0;
    g->panels = pt_alloc_zero(context, g->capacity, sizeof *g->panels);
    g->weights = pt_alloc(context, g->capacity, sizeof *g->weights);
    g->weights32 = float32 ? pt_alloc(context, g->capacity, sizeof *g->weights32) : NULL;
    if (!g->panels || !g->weights || (float32 && !g->weights32))
        return pt_out_of_memory(context, "panels of kernel columns");
    partan_status status = PARTAN_OK;
    for (size_t i = 0; i < g->capacity && !status; i++)
        status = pt_panel_init(&g->panels[i], block, vertices, g->width);
    return status;
}

/* Packs vertices first .. into the group, their weights in units of the largest; returns how many through *packed. */
static partan_status group_pack(group *g, pt_points vertices, size_t first, size_t count, const double *weights,
                                double largest, size_t *packed)
{
    size_t next = first;
    for (g->count = 0; g->count < g->capacity && next < count; g->count++) {
        int64_t ids[PT_PANEL_WIDE];
        size_t n = count - next < g->width ? count - next : g->width;
        for (size_t c = 0; c < g->width; c++) {
            ids[c] = (int64_t)(next + c);
            g->weights[g->count][c] = c < n ? weights[next + c] / largest : 0;
            if (g->weights32)
                g->weights32[g->count][c] = (float)g->weights[g->count][c];
        }
        partan_status status = pt_panel_pack(&g->panels[g->count], vertices, ids, n);
        if (status)
            return status;
        next += n;
    }
    *packed = next - first;
    return PARTAN_OK;
}

/* The same as pt_block_weigh with all sums in double. */
static void add_panel(const pt_block *block, const pt_panel *panel, size_t first, size_t tiles, const double *weights,
                      double *sums)
{
    _Alignas(PT_ALIGNMENT) float values[PT_PANEL_WIDE * CHUNK_ROWS];
    pt_block_values(block, panel, first, tiles, values, CHUNK_ROWS);
    for (size_t c = 0; c < panel->width; c += PT_PANEL)
        block->ops->accumulate(sums, values + c * CHUNK_ROWS, CHUNK_ROWS, weights + c, tiles * PT_TILE);
}

/* sums += the group's panels over some tiles of rows. Each sum goes on where the group before left it, so that the way
 * vertices are grouped makes no difference to its bits. */
static void add_group(const pt_block *block, const group *g, size_t first, size_t tiles, double *sums)
{
    _Alignas(PT_ALIGNMENT) double own[CHUNK_ROWS] = {0};
    size_t begin = first * PT_TILE;
    size_t rows = block->rows->rows - begin < tiles * PT_TILE ? block->rows->rows - begin : tiles * PT_TILE;
    memcpy(own, sums + begin, rows * sizeof *own);
    for (size_t p = 0; p < g->count; p++) {
        if (g->weights32)
            pt_block_weigh(block, &g->panels[p], first, tiles, g->weights32[p], own);
        else
            add_panel(block, &g->panels[p], first, tiles, g->weights[p], own);
    }
    memcpy(sums + begin, own, rows * sizeof *own);
}

typedef struct some_chunks {
    const pt_block *block;
    const group *group;
    size_t begin, tiles; /* the first chunk, and tiles of each */
    double *sums;
    atomic_bool stop;
} some_chunks;

static void run_chunk(void *user, size_t chunk, size_t thread)
{
    some_chunks *r = user;
    pt_span span = pt_span_of(r->block->rows->tiles, r->tiles, r->begin + chunk);
    (void)thread;
    if (atomic_load(&r->stop) || pt_interrupted(r->block->context))
        atomic_store(&r->stop, true);
    else
        add_group(r->block, r->group, span.begin, span.end - span.begin, r->sums);
}

static size_t chunk_tiles(const pt_block *block)
{
    size_t share = block->rows->tiles / (CHUNKS_OF_THREAD * (size_t)block->context->threads);
    return share > CHUNK_TILES ? CHUNK_TILES : share < LEAST_CHUNK_TILES ? LEAST_CHUNK_TILES : share;
}

static partan_status run_group(const pt_block *block, const group *g, double *sums, double done, double share)
{
    partan_context *context = block->context;
    size_t tiles = chunk_tiles(block), chunks = pt_span_count(block->rows->tiles, tiles);
    partan_status status = PARTAN_OK;
    /* Chunks are dealt out round after round, so that the caller's reports come evenly. */
    size_t most = 64 * (size_t)context->threads;
    for (size_t begin = 0; begin < chunks && !status; begin += most) {
        size_t end = chunks - begin < most ? chunks : begin + most;
        some_chunks r = {block, g, begin, tiles, sums, false};
        pt_team_run(context, context->threads, end - begin, run_chunk, &r);
        status = pt_progress_share(context, done + share * (double)end / (double)chunks);
        if (!status && atomic_load(&r.stop))
            status = PARTAN_INTERRUPTED;
    }
    return status;
}

static partan_status sum_blocks(const pt_block *block, pt_points vertices, size_t count, const double *weights,
                                bool float32, double *sums)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = float32 ? fmax(largest, fabs(weights[i])) : 1;
    if (!(largest > 0))
        return PARTAN_OK;
    group g = {0};
    partan_status status = group_init(&g, block, vertices.matrix, count, float32);
    for (size_t first = 0, packed = 0; first < count && !status; first += packed) {
        status = group_pack(&g, vertices, first, count, weights, largest, &packed);
        if (!status)
            status = run_group(block, &g, sums, (double)first / (double)count, (double)packed / (double)count);
    }
    for (size_t i = 0; i < block->rows->rows; i++)
        sums[i] *= largest;
    group_free(block->context, &g);
    return status;
}

partan_status pt_points_match(pt_points *rows, pt_points *vertices, pt_matrix *converted)
{
    const pt_matrix *x = rows->matrix, *z = vertices->matrix;
    bool bits = x->storage == PARTAN_STORAGE_BITS, bytes = x->storage == PARTAN_STORAGE_BYTES;
    if (!z || (!bits && !bytes) || (x->storage == z->storage && (bits || pt_byte_steps_same(&x->steps, &z->steps))))
        return PARTAN_OK;
    partan_status status =
        bits ? pt_matrix_convert(z, PARTAN_STORAGE_BITS, 0, converted) : pt_matrix_to_bytes(z, &x->steps, 0, converted);
    if (status != PARTAN_ERROR_DATA) {
        vertices->matrix = converted;
        return status;
    }
    bool sparse = z->storage == PARTAN_STORAGE_SPARSE;
    status = pt_matrix_convert(x, sparse ? PARTAN_STORAGE_SPARSE : PARTAN_STORAGE_DENSE, 0, converted);
    rows->matrix = converted;
    return status;
}

static partan_status sum_matched(partan_context *context, const pt_kernel *kernel, pt_points rows, pt_points vertices,
                                 size_t count, const double *weights, bool float32, double *sums)
{
    memset(sums, 0, rows.matrix->rows * sizeof *sums);
    if (count == 0 || rows.matrix->rows == 0)
        return PARTAN_OK;
    if (pt_linear_pays(kernel, rows, count))
        return pt_linear_sums(context, rows, vertices, count, weights, sums);

    pt_matrix converted = {0};
    partan_status status = pt_points_match(&rows, &vertices, &converted);
    pt_block block;
    if (!status)
        status = pt_block_init(&block, context, kernel, rows.matrix, vertices.matrix);
    if (!status)
        status = (pt_sums_by_index_pay(&block, vertices, count) ? pt_sums_by_index : sum_blocks)(
            &block, vertices, count, weights, float32, sums);
    pt_matrix_free(&converted);
    return status;
}

partan_status pt_kernel_sums(partan_context *context, const pt_kernel *kernel, pt_points rows, pt_points vertices,
                             size_t count, const double *weights, double *sums)
{
    return sum_matched(context, kernel, rows, vertices, count, weights, false, sums);
}

partan_status pt_kernel_sums_float32(partan_context *context, const pt_kernel *kernel, pt_points rows,
                                     pt_points vertices, size_t count, const double *weights, double *sums)
{
    return sum_matched(context, kernel, rows, vertices, count, weights, true, sums);
}
