/* Several weighted sums of the same kernel values: each value is computed once, and added to every sum that its vertex
 * has a weight in. Vertices go by groups. In a group the weighted values of a sum are added in float32, a few at a
 * time, and from there on in double. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "core/team.h"
#include "kernel/block.h"

enum {
    CHUNK_TILES = 4,
    CHUNK_ROWS = CHUNK_TILES * PT_TILE,
    GROUP = 64,         /* vertices, whose values for a chunk fit into the first-level cache */
    FLOAT32_TERMS = 16, /* that are added before their sum is added in double: as many as a panel has at most */
    PACKED_GROUPS = 64, /* at a time */
    BLOCK_SUMS = 8,     /* that are transposed together: a line of the cache */
};

/* The terms that a group has in a sum: picks begin .. of the next share. */
typedef struct share {
    size_t sum, begin;
} share;

typedef struct several {
    const pt_block *block;
    const pt_terms *terms;
    double *largest; /* weight of each sum, by magnitude; picks are in units of it */
    size_t width;    /* of panels, of which a group has GROUP / width */
    pt_panel panels[PACKED_GROUPS * GROUP / PT_PANEL];
    size_t made;                     /* so many panels are there */
    size_t count;                    /* groups in use */
    size_t used[PACKED_GROUPS];      /* panels of each group in use */
    size_t begin[PACKED_GROUPS + 1]; /* of each group's shares, of which there is one more, for where its picks end */
    share *shares;
    size_t share_capacity, share_count;
    pt_pick *picks;
    size_t pick_capacity, pick_count;
    size_t *share_of; /* each sum's in the group that is packed, from 1; 0: none yet */
    double *own;      /* [thread][sum][CHUNK_ROWS] */
    double *sums;
    bool begun; /* there is something in them */
    atomic_bool stop;
} several;

static void several_free(several *s)
{
    partan_context *context = s->block->context;
    for (size_t i = 0; i < s->made; i++)
        pt_panel_free(&s->panels[i]);
    pt_free(context, s->largest);
    pt_free(context, s->shares);
    pt_free(context, s->picks);
    pt_free(context, s->share_of);
    pt_free(context, s->own);
    pt_free(context, s);
}

static partan_status several_init(several *s, size_t count)
{
    partan_context *context = s->block->context;
    const pt_terms *t = s->terms;
    s->width = pt_block_width(s->block);
    atomic_init(&s->stop, false);
    s->own = pt_alloc(context, (size_t)context->threads * t->sums, CHUNK_ROWS * sizeof *s->own);
    s->largest = pt_alloc_zero(context, t->sums, sizeof *s->largest);
    s->share_of = pt_alloc_zero(context, t->sums, sizeof *s->share_of);
    if (!s->own || !s->largest || !s->share_of)
        return pt_out_of_memory(context, "sums of kernel values");
    for (size_t k = t->begin[0]; k < t->begin[count]; k++)
        s->largest[t->sum[k]] = fmax(s->largest[t->sum[k]], fabs(t->weight[k]));
    return PARTAN_OK;
}

/* ---- Packing ---- */

/* Room for the shares and picks of a group of so many terms. */
static partan_status reserve(several *s, size_t terms)
{
    partan_context *context = s->block->context;
    partan_status status = pt_reserve(context, (void **)&s->shares, &s->share_capacity, s->share_count,
                                      s->share_count + terms + 1, sizeof *s->shares);
    if (!status)
        status = pt_reserve(context, (void **)&s->picks, &s->pick_capacity, s->pick_count, s->pick_count + terms,
                            sizeof *s->picks);
    return status ? pt_out_of_memory(context, "sums of kernel values") : PARTAN_OK;
}

/* Sorts the terms of vertices first .. end - 1 by their sums. */
static partan_status share_terms(several *s, size_t first, size_t end)
{
    const pt_terms *t = s->terms;
    size_t from = s->share_count;
    partan_status status = reserve(s, t->begin[end] - t->begin[first]);
    if (status)
        return status;
    for (size_t k = t->begin[first]; k < t->begin[end]; k++) {
        size_t *at = &s->share_of[t->sum[k]];
        if (*at == 0) {
            s->shares[s->share_count] = (share){.sum = t->sum[k]};
            *at = ++s->share_count;
        }
        s->shares[*at - 1].begin++;
    }
    for (size_t i = from; i < s->share_count; i++) {
        size_t count = s->shares[i].begin;
        s->shares[i].begin = s->pick_count;
        s->pick_count += count;
    }
    for (size_t v = first; v < end; v++)
        for (size_t k = t->begin[v]; k < t->begin[v + 1]; k++) {
            double largest = s->largest[t->sum[k]];
            s->picks[s->shares[s->share_of[t->sum[k]] - 1].begin++] =
                (pt_pick){(uint32_t)(v - first), largest > 0 ? (float)(t->weight[k] / largest) : 0};
        }
    /* Each begin has come to the end of its share, which is where the next one begins. */
    for (size_t i = s->share_count; i > from; i--) {
        s->shares[i].begin = s->shares[i - 1].begin;
        s->share_of[s->shares[i - 1].sum] = 0;
    }
    s->shares[from].begin = from > 0 ? s->shares[from - 1].begin : 0;
    s->share_count++;
    return PARTAN_OK;
}

static partan_status pack_panel(several *s, size_t panel, pt_points vertices, size_t first, size_t end)
{
    int64_t ids[PT_PANEL_WIDE];
    partan_status status = PARTAN_OK;
    for (; s->made <= panel && !status; s->made += status == PARTAN_OK)
        status = pt_panel_init(&s->panels[s->made], s->block, vertices.matrix, s->width);
    for (size_t c = 0; c < end - first; c++)
        ids[c] = (int64_t)(first + c);
    return status ? status : pt_panel_pack(&s->panels[panel], vertices, ids, end - first);
}

static size_t lesser(size_t a, size_t b)
{
    return a < b ? a : b;
}

static partan_status pack(several *s, pt_points vertices, size_t *next, size_t count)
{
    partan_status status = PARTAN_OK;
    s->count = s->share_count = s->pick_count = 0;
    while (*next < count && s->count < PACKED_GROUPS && !status) {
        size_t end = lesser(count, *next + GROUP), panel = s->count * (GROUP / s->width), first = panel;
        for (size_t v = *next; v < end && !status; v += s->width)
            status = pack_panel(s, panel++, vertices, v, lesser(end, v + s->width));
        s->used[s->count] = panel - first;
        s->begin[s->count++] = s->share_count;
        if (!status)
            status = share_terms(s, *next, end);
        *next = end;
    }
    s->begin[s->count] = s->share_count;
    return status;
}

/* ---- Sums ---- */

static void add_group(const several *s, size_t group, size_t tile, size_t tiles, double *own)
{
    _Alignas(PT_ALIGNMENT) float values[GROUP * CHUNK_ROWS];
    const pt_panel *panels = s->panels + group * (GROUP / s->width);
    for (size_t p = 0; p < s->used[group]; p++)
        pt_block_values(s->block, &panels[p], tile, tiles, values + p * s->width * CHUNK_ROWS, CHUNK_ROWS);
    for (const share *one = s->shares + s->begin[group]; one + 1 < s->shares + s->begin[group + 1]; one++)
        for (size_t i = one[0].begin; i < one[1].begin; i += FLOAT32_TERMS)
            s->block->ops->accumulate_picked(own + one->sum * CHUNK_ROWS, values, CHUNK_ROWS, s->picks + i,
                                             lesser(one[1].begin - i, FLOAT32_TERMS), tiles * PT_TILE);
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
    for (size_t group = 0; group < s->count; group++)
        add_group(s, group, tile, tiles, own);
    for (size_t begin = 0; begin < sums; begin += BLOCK_SUMS)
        for (size_t row = 0; row < rows; row++)
            for (size_t o = begin; o < lesser(sums, begin + BLOCK_SUMS); o++) {
                double *sum = &s->sums[(first + row) * sums + o], part = s->largest[o] * own[o * CHUNK_ROWS + row];
                *sum = s->begun ? *sum + part : part;
            }
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
        s->begun = true;
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
    partan_status status = several_init(s, count);
    if (!status)
        status = run(s, vertices, count);
    several_free(s);
    return status;
}

partan_status pt_kernel_sums_several(partan_context *context, const pt_kernel *kernel, pt_points rows,
                                     pt_points vertices, size_t count, const pt_terms *terms, double *sums)
{
    pt_matrix converted = {0};
    pt_block block;
    if (count == 0)
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
