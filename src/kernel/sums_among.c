/* Weighted sums of kernel values among the rows of one matrix, where k(x, z) and k(z, x) are the same: each value is
 * computed once and added to two sums.
 *
 * Rows and vertices go by strips. A pair of strips, the rows' not above the vertices', is a piece of work with sums of
 * its own: what its rows get of its vertices, and what these get of the rows. Pieces' sums are added up in one order,
 * whoever computed them. */
#include <stdatomic.h>
#include <string.h>

#include "core/team.h"
#include "kernel/block.h"
#include "kernel/linear.h"

enum {
    STRIP_TILES = 32,
    STRIP = STRIP_TILES * PT_TILE,
    STRIP_PANELS = STRIP / PT_PANEL, /* at most; wide panels are half as many */
    GROUP_STRIPS = 8,                /* of vertices that are packed at a time */
};

/* What a piece adds up. */
typedef struct piece {
    double rows[STRIP], vertices[STRIP];
} piece;

typedef struct among {
    const pt_block *block;
    size_t width;                                 /* of panels */
    pt_panel panels[GROUP_STRIPS * STRIP_PANELS]; /* of the group */
    size_t made;                                  /* so many panels are there */
    size_t strips, first, end;                    /* of all rows; those of the group */
    double *weights;                              /* of whole strips */
    piece *pieces;                                /* of the group: see piece_of */
    atomic_bool stop;
} among;

static void among_free(among *a)
{
    partan_context *context = a->block->context;
    for (size_t i = 0; i < a->made; i++)
        pt_panel_free(&a->panels[i]);
    pt_free(context, a->weights);
    pt_free(context, a->pieces);
    pt_free(context, a);
}

static size_t group_strips(const among *a)
{
    return a->strips < GROUP_STRIPS ? a->strips : GROUP_STRIPS;
}

static partan_status among_init(among *a, const pt_block *block, const double *weights)
{
    partan_context *context = block->context;
    size_t rows = block->rows->rows;
    a->block = block;
    a->width = pt_block_width(block);
    a->strips = pt_span_count(rows, STRIP);
    a->weights = pt_alloc_zero(context, a->strips * STRIP, sizeof *a->weights);
    a->pieces = pt_alloc(context, a->strips * group_strips(a), sizeof *a->pieces);
    if (!a->weights || !a->pieces)
        return pt_out_of_memory(context, "sums of kernel values");
    memcpy(a->weights, weights, rows * sizeof *weights);
    partan_status status = PARTAN_OK;
    size_t wanted = pt_span_count(rows, a->width), most = group_strips(a) * STRIP / a->width;
    for (; a->made < wanted && a->made < most && !status; a->made++)
        status = pt_panel_init(&a->panels[a->made], block, block->rows, a->width);
    return status;
}

/* The pieces of a strip of rows stand together. */
static piece *piece_of(const among *a, size_t rows, size_t vertices)
{
    return &a->pieces[rows * group_strips(a) + (vertices - a->first)];
}

/* Packs the vertices of the group. */
static partan_status pack(among *a)
{
    size_t count = a->block->rows->rows, end = a->end * STRIP < count ? a->end * STRIP : count;
    partan_status status = PARTAN_OK;
    pt_panel *panel = a->panels;
    for (size_t at = a->first * STRIP; at < end && !status; at += a->width) {
        int64_t ids[PT_PANEL_WIDE];
        size_t n = end - at < a->width ? end - at : a->width;
        for (size_t c = 0; c < n; c++)
            ids[c] = (int64_t)(at + c);
        status = pt_panel_pack(panel++, (pt_points){a->block->rows, NULL}, ids, n);
    }
    return status;
}

/* A panel, whose vertices are those from `at` on, against the tiles begin .. end-1, of which it may have the first:
 * there all values are computed, and every row gets its own. */
static void add_panel(const among *a, const pt_panel *panel, size_t at, size_t begin, size_t end, double *rows,
                      double *vertices)
{
    _Alignas(PT_ALIGNMENT) float values[PT_PANEL_WIDE * STRIP];
    size_t own = at / PT_TILE == begin ? PT_TILE : 0, count = (end - begin) * PT_TILE;
    pt_block_values(a->block, panel, begin, end - begin, values, STRIP);
    for (size_t c = 0; c < a->width; c += PT_PANEL) {
        const float *columns = values + c * STRIP;
        a->block->ops->accumulate(rows, columns, STRIP, a->weights + at + c, count);
        a->block->ops->project(columns + own, STRIP, a->weights + begin * PT_TILE + own, count - own, vertices + c);
    }
}

static void add_piece(const among *a, size_t rows, size_t vertices)
{
    piece *p = piece_of(a, rows, vertices);
    pt_span tiles = pt_span_of(a->block->rows->tiles, STRIP_TILES, rows);
    pt_span columns = pt_span_of(a->block->rows->rows, STRIP, vertices);
    const pt_panel *panel = a->panels + (vertices - a->first) * (STRIP / a->width);
    *p = (piece){.rows = {0}};
    for (size_t at = columns.begin; at < columns.end; at += a->width) {
        size_t own = at / PT_TILE, begin = own > tiles.begin ? own : tiles.begin;
        add_panel(a, panel++, at, begin, tiles.end, p->rows + (begin - tiles.begin) * PT_TILE,
                  p->vertices + (at - columns.begin));
    }
}

static void run_piece(void *user, size_t chunk, size_t thread)
{
    among *a = user;
    size_t vertices = a->first + chunk % (a->end - a->first), rows = a->first + chunk / (a->end - a->first);
    (void)thread;
    if (atomic_load(&a->stop) || pt_interrupted(a->block->context))
        atomic_store(&a->stop, true);
    else if (rows >= vertices)
        add_piece(a, rows, vertices);
}

static void add_to(const pt_matrix *rows, size_t strip, const double *from, double *sums)
{
    pt_span span = pt_span_of(rows->rows, STRIP, strip);
    for (size_t i = span.begin; i < span.end; i++)
        sums[i] += from[i - span.begin];
}

static partan_status run_group(among *a, double *sums)
{
    partan_context *context = a->block->context;
    partan_status status = pack(a);
    if (status)
        return status;
    pt_team_run(context, context->threads, (a->strips - a->first) * (a->end - a->first), run_piece, a);
    if (atomic_load(&a->stop))
        return PARTAN_INTERRUPTED;
    for (size_t vertices = a->first; vertices < a->end; vertices++)
        for (size_t rows = vertices; rows < a->strips; rows++) {
            const piece *p = piece_of(a, rows, vertices);
            add_to(a->block->rows, rows, p->rows, sums);
            add_to(a->block->rows, vertices, p->vertices, sums);
        }
    return PARTAN_OK;
}

static partan_status sum_pieces(const pt_block *block, const double *weights, double *sums)
{
    among *a = pt_alloc_zero(block->context, 1, sizeof *a);
    if (!a)
        return pt_out_of_memory(block->context, "sums of kernel values");
    partan_status status = among_init(a, block, weights);
    for (; a->first < a->strips && !status; a->first = a->end) {
        a->end = a->first + group_strips(a) < a->strips ? a->first + group_strips(a) : a->strips;
        status = run_group(a, sums);
    }
    among_free(a);
    return status;
}

partan_status pt_kernel_sums_among(partan_context *context, const pt_kernel *kernel, const pt_matrix *rows,
                                   const double *weights, double *sums)
{
    pt_points points = {rows, NULL};
    pt_block block;
    memset(sums, 0, rows->rows * sizeof *sums);
    if (rows->rows == 0)
        return PARTAN_OK;
    if (pt_linear_pays(kernel, points, rows->rows))
        return pt_linear_sums(context, points, points, rows->rows, weights, sums);
    partan_status status = pt_block_init(&block, context, kernel, rows, rows);
    if (status)
        return status;
    return pt_sums_by_index_pay(&block, points, rows->rows)
               ? pt_sums_by_index(&block, points, rows->rows, weights, false, sums)
               : sum_pieces(&block, weights, sums);
}
