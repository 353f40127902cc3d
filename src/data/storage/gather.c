/* Copies of some rows. */
#include "data/storage/layout.h"

enum { GATHERED_ROWS = 4 * PT_TILE }; /* that a thread takes at a time: whole tiles */

/* What it costs to gather a row (measured). */
#define ROW_NANOSECONDS  15.0
#define BYTE_NANOSECONDS 0.3

typedef struct gathering {
    const pt_matrix *source;
    const pt_matrix *second; /* whose rows are counted on from those of the first; NULL: none */
    const int64_t *rows;
    pt_matrix *out;
    bool heed; /* an interruption */
    atomic_uint_least64_t nonzeros;
} gathering;

/* The matrix that a row is of, and which of its rows it is. */
static const pt_matrix *source_of(const pt_matrix *first, const pt_matrix *second, int64_t row, int64_t *own)
{
    bool later = second && row >= (int64_t)first->rows;
    *own = later ? row - (int64_t)first->rows : row;
    return later ? second : first;
}

static uint64_t sparse_length(const pt_matrix *first, const pt_matrix *second, int64_t row)
{
    int64_t own;
    const pt_matrix *source = source_of(first, second, row, &own);
    return (uint64_t)(source->offsets[own + 1] - source->offsets[own]);
}

/* Up to a tile of rows: all at once where they are of one matrix. */
static size_t gather_tile(const gathering *g, size_t at, size_t count)
{
    const pt_layout *layout = pt_layout_of(g->source->storage);
    if (!g->second)
        return layout->copy(g->out, at, g->source, g->rows + at, count);
    size_t nonzeros = 0;
    for (size_t i = at; i < at + count; i++) {
        int64_t own;
        const pt_matrix *source = source_of(g->source, g->second, g->rows[i], &own);
        nonzeros += layout->copy(g->out, i, source, &own, 1);
    }
    return nonzeros;
}

static void gather_rows(void *user, size_t chunk, size_t thread)
{
    gathering *g = user;
    pt_span span = pt_span_of(g->out->rows, GATHERED_ROWS, chunk);
    uint64_t nonzeros = 0;
    (void)thread;
    if (g->heed && pt_interrupted(g->source->context))
        return;
    for (size_t i = span.begin; i < span.end; i += PT_TILE)
        nonzeros += gather_tile(g, i, span.end - i < PT_TILE ? span.end - i : PT_TILE);
    atomic_fetch_add(&g->nonzeros, nonzeros);
}

static partan_status gather(const pt_matrix *source, const pt_matrix *second, const int64_t *rows, size_t count,
                            bool heed, pt_matrix *out)
{
    partan_context *context = source->context;
    const pt_layout *layout = pt_layout_of(source->storage);
    bool sparse = source->storage == PARTAN_STORAGE_SPARSE;
    uint64_t nonzeros = 0;
    for (size_t i = 0; i < count && sparse; i++)
        nonzeros += sparse_length(source, second, rows[i]);
    pt_content content = {.nonzeros = nonzeros, .binary = true, .steps = source->steps};
    partan_status status = pt_matrix_begin(context, source->storage, count, source->features, &content, out);
    if (status)
        return status;
    nonzeros = 0;
    for (size_t i = 0; i < count && sparse; i++) {
        layout->start(out, i, nonzeros);
        nonzeros += sparse_length(source, second, rows[i]);
    }
    gathering g = {.source = source, .second = second, .rows = rows, .out = out, .heed = heed};
    atomic_init(&g.nonzeros, 0);
    double each = ROW_NANOSECONDS + BYTE_NANOSECONDS * (double)pt_matrix_bytes(out) / (double)(count + 1);
    pt_team_run(context, pt_team_for(context, each * (double)count), pt_span_count(count, GATHERED_ROWS), gather_rows,
                &g);
    out->nonzeros = atomic_load(&g.nonzeros);
    out->row_room = source->row_room;
    if (!heed || !pt_interrupted(context)) /* some of it may have been left out */
        return PARTAN_OK;
    pt_matrix_free(out);
    return PARTAN_INTERRUPTED;
}

partan_status pt_matrix_gather(const pt_matrix *source, const int64_t *rows, size_t count, pt_matrix *out)
{
    return gather(source, NULL, rows, count, false, out);
}

partan_status pt_matrix_gather_both(const pt_matrix *first, const pt_matrix *second, const int64_t *rows, size_t count,
                                    pt_matrix *out)
{
    return gather(first, second, rows, count, false, out);
}

partan_status pt_matrix_gather_heeding(const pt_matrix *first, const pt_matrix *second, const int64_t *rows,
                                       size_t count, pt_matrix *out)
{
    return gather(first, second, rows, count, true, out);
}
