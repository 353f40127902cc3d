/* What matrices do whatever their storage: rows out, copies, comparison, hashes. */
#include "data/storage/matrix.h"

#include <string.h>

#include "data/storage/layout.h"
#include "data/storage/tile_hashes.h"

const pt_layout *pt_layout_of(partan_storage storage)
{
    switch (storage) {
    case PARTAN_STORAGE_DENSE:
        return &pt_layout_dense;
    case PARTAN_STORAGE_SPARSE:
        return &pt_layout_sparse;
    case PARTAN_STORAGE_BITS:
        return &pt_layout_bits;
    case PARTAN_STORAGE_BYTES:
        return &pt_layout_bytes;
    case PARTAN_STORAGE_AUTO:
        break;
    }
    return NULL;
}

void pt_matrix_free(pt_matrix *matrix)
{
    if (!matrix->context)
        return;
    pt_free(matrix->context, matrix->dense);
    pt_free(matrix->context, matrix->bits);
    pt_free(matrix->context, matrix->bytes);
    pt_free(matrix->context, matrix->squares);
    pt_free(matrix->context, matrix->offsets);
    if (!matrix->borrowed) {
        pt_free(matrix->context, matrix->indices);
        pt_free(matrix->context, matrix->values);
    }
    pt_free(matrix->context, matrix->norms);
    pt_free(matrix->context, matrix->hashes);
    *matrix = (pt_matrix){0};
}

partan_status pt_norms_allocate(pt_matrix *matrix)
{
    matrix->norms = pt_alloc(matrix->context, matrix->tiles * PT_TILE, sizeof *matrix->norms);
    if (!matrix->norms)
        return pt_out_of_memory(matrix->context, "the norms of the rows");
    for (size_t row = matrix->rows; row < matrix->tiles * PT_TILE; row++)
        matrix->norms[row] = 0;
    return PARTAN_OK;
}

/* ---- Rows ---- */

size_t pt_matrix_row(const pt_matrix *matrix, size_t row, int32_t *indices, float *values)
{
    const pt_layout *layout = pt_layout_of(matrix->storage);
    pt_cursor cursor = {.matrix = matrix, .row = row};
    size_t count = 0;
    if (layout->row)
        return layout->row(matrix, row, indices, values);
    for (; layout->next(&cursor); count++) {
        indices[count] = cursor.index;
        values[count] = cursor.value;
    }
    return count;
}

size_t pt_matrix_row_room(const pt_matrix *matrix)
{
    if (matrix->storage != PARTAN_STORAGE_SPARSE)
        return matrix->features;
    int64_t longest = (int64_t)matrix->row_room;
    for (size_t row = 0; row < matrix->rows; row++) {
        int64_t length = matrix->offsets[row + 1] - matrix->offsets[row];
        if (length > longest)
            longest = length;
    }
    return (size_t)longest;
}

bool pt_matrix_rows_equal(const pt_matrix *a, size_t row_a, const pt_matrix *b, size_t row_b)
{
    const pt_layout *layout_a = pt_layout_of(a->storage), *layout_b = pt_layout_of(b->storage);
    pt_cursor at = {.matrix = a, .row = row_a}, bt = {.matrix = b, .row = row_b};
    for (;;) {
        bool more_a = layout_a->next(&at), more_b = layout_b->next(&bt);
        if (!more_a || !more_b)
            return more_a == more_b;
        if (at.index != bt.index || at.value != bt.value)
            return false;
    }
}

uint64_t pt_matrix_row_hash(const pt_matrix *matrix, size_t row)
{
    const pt_layout *layout = pt_layout_of(matrix->storage);
    pt_cursor cursor = {.matrix = matrix, .row = row};
    uint64_t hash = 0;
    if (matrix->hashes)
        return matrix->hashes[row];
    if (layout->hash)
        return pt_hash_mix(layout->hash(matrix, row));
    while (layout->next(&cursor))
        hash += pt_entry_hash((size_t)cursor.index, cursor.value);
    return pt_hash_mix(hash);
}

uint64_t pt_matrix_row_second_hash(const pt_matrix *matrix, size_t row)
{
    const pt_layout *layout = pt_layout_of(matrix->storage);
    pt_cursor cursor = {.matrix = matrix, .row = row};
    uint64_t hash = 0;
    while (layout->next(&cursor))
        hash += pt_hash_mix(~pt_entry_hash((size_t)cursor.index, cursor.value));
    return pt_hash_mix(hash);
}

static void dense_tile_hashes(const pt_matrix *matrix, size_t tile, uint64_t hashes[PT_TILE])
{
    const float *values = matrix->dense + tile * matrix->features * PT_TILE;
#if defined(PT_HAVE_X86_ISA)
    if (matrix->context->isa == PT_ISA_AVX512) {
        pt_hash_tile_avx512(values, matrix->features, hashes);
        return;
    }
#endif
    pt_hash_tile(values, matrix->features, hashes);
}

void pt_matrix_tile_hashes(const pt_matrix *matrix, size_t tile, uint64_t hashes[PT_TILE])
{
    if (matrix->storage == PARTAN_STORAGE_DENSE && !matrix->hashes) {
        dense_tile_hashes(matrix, tile, hashes);
        return;
    }
    for (size_t lane = 0; lane < PT_TILE && tile * PT_TILE + lane < matrix->rows; lane++)
        hashes[lane] = pt_matrix_row_hash(matrix, tile * PT_TILE + lane);
}

typedef struct hashing {
    const pt_matrix *matrix;
    uint64_t *hashes; /* of whole tiles */
} hashing;

static void hash_tiles(void *user, size_t chunk, size_t thread)
{
    const hashing *h = user;
    pt_span span = pt_span_of(h->matrix->tiles, PT_CHUNK_ROWS / PT_TILE, chunk);
    (void)thread;
    if (pt_interrupted(h->matrix->context))
        return;
    for (size_t tile = span.begin; tile < span.end; tile++)
        pt_matrix_tile_hashes(h->matrix, tile, h->hashes + tile * PT_TILE);
}

partan_status pt_matrix_hash_rows(pt_matrix *matrix)
{
    partan_context *context = matrix->context;
    hashing h = {matrix, pt_alloc(context, matrix->tiles * PT_TILE, sizeof *h.hashes)};
    if (!h.hashes)
        return pt_out_of_memory(context, "the hashes of the rows");
    pt_team_run(context, pt_rows_threads(context, matrix->rows), pt_span_count(matrix->tiles, PT_CHUNK_ROWS / PT_TILE),
                hash_tiles, &h);
    if (pt_interrupted(context)) { /* some of them may have been left out */
        pt_free(context, h.hashes);
        return PARTAN_INTERRUPTED;
    }
    matrix->hashes = h.hashes;
    return PARTAN_OK;
}

partan_status pt_matrix_take_hashes(pt_matrix *matrix, const pt_matrix *source, const int64_t *rows)
{
    matrix->hashes = pt_alloc(matrix->context, matrix->rows, sizeof *matrix->hashes);
    if (!matrix->hashes)
        return pt_out_of_memory(matrix->context, "the hashes of the rows");
    for (size_t i = 0; i < matrix->rows; i++)
        matrix->hashes[i] = source->hashes[rows[i]];
    return PARTAN_OK;
}

/* ---- Copies ---- */

typedef struct look {
    const pt_matrix *matrix;
    atomic_bool others; /* values other than 0 and 1 */
} look;

static void look_at_rows(void *user, size_t chunk, size_t thread)
{
    look *l = user;
    const pt_layout *layout = pt_layout_of(l->matrix->storage);
    pt_span span = pt_span_of(l->matrix->rows, PT_CHUNK_ROWS, chunk);
    bool others = atomic_load(&l->others);
    (void)thread;
    for (size_t row = span.begin; row < span.end && !others; row++) {
        pt_cursor cursor = {.matrix = l->matrix, .row = row};
        while (!others && layout->next(&cursor))
            others = cursor.value != 1;
    }
    if (others)
        atomic_store(&l->others, true);
}

static bool is_binary(const pt_matrix *matrix)
{
    if (matrix->storage == PARTAN_STORAGE_BITS)
        return true;
    look l = {.matrix = matrix};
    atomic_init(&l.others, false);
    pt_team_run(matrix->context, pt_rows_threads(matrix->context, matrix->rows),
                pt_span_count(matrix->rows, PT_CHUNK_ROWS), look_at_rows, &l);
    return !atomic_load(&l.others);
}

/* Where the nonzeros of every row begin goes ahead of the rows. */
static void start_rows(pt_matrix *matrix, const pt_matrix *source)
{
    const pt_layout *from = pt_layout_of(source->storage), *to = pt_layout_of(matrix->storage);
    uint64_t nonzeros = 0;
    for (size_t row = 0; to->start && row < source->rows; row++) {
        to->start(matrix, row, nonzeros);
        pt_cursor cursor = {.matrix = source, .row = row};
        while (from->next(&cursor))
            nonzeros++;
    }
}

/* The values as rows for those to whom their order does not matter: tiles, where there are any. */
static pt_rows values_of(const pt_matrix *matrix)
{
    if (matrix->storage == PARTAN_STORAGE_SPARSE)
        return (pt_rows){.count = matrix->rows, .offsets = matrix->offsets, .values = matrix->values};
    size_t tile = matrix->features * PT_TILE;
    return (pt_rows){.count = matrix->tiles, .values = matrix->dense, .width = tile, .stride = tile};
}

static pt_content content_of(const pt_matrix *matrix)
{
    return (pt_content){.nonzeros = matrix->nonzeros, .binary = is_binary(matrix)};
}

#define CONVERSION 1.0 /* nanoseconds, of a value */

/* Rows on their way into another storage, with room for one row a thread. */
typedef struct conversion {
    const pt_matrix *source;
    pt_matrix *out;
    size_t room;
    int32_t *indices;
    float *values;
} conversion;

static void convert_rows(void *user, size_t chunk, size_t thread)
{
    const conversion *c = user;
    const pt_layout *layout = pt_layout_of(c->out->storage);
    int32_t *indices = c->indices + thread * c->room;
    float *values = c->values + thread * c->room;
    pt_span span = pt_span_of(c->source->rows, PT_CHUNK_ROWS, chunk);
    if (layout->clear)
        layout->clear(c->out, span.begin, span.end - span.begin);
    for (size_t row = span.begin; row < span.end; row++) {
        size_t count = pt_matrix_row(c->source, row, indices, values);
        layout->put(c->out, row, indices, values, count);
    }
}

static partan_status convert(const pt_matrix *source, partan_storage storage, size_t features,
                             const pt_content *content, pt_matrix *out)
{
    partan_context *context = source->context;
    size_t room = pt_team_room(pt_matrix_row_room(source)), threads = (size_t)context->threads;
    int32_t *indices = pt_alloc(context, room * sizeof *indices, threads);
    float *values = pt_alloc(context, room * sizeof *values, threads);
    partan_status status = PARTAN_OK;
    if (!indices || !values)
        status = pt_out_of_memory(context, "rows in another storage");
    else
        status = pt_matrix_begin(context, storage, source->rows, features, content, out);
    if (status)
        goto done;

    start_rows(out, source);
    conversion c = {source, out, room, indices, values};
    int wanted = pt_team_for(context, CONVERSION * (double)source->rows * (double)room);
    pt_team_run(context, wanted, pt_span_count(source->rows, PT_CHUNK_ROWS), convert_rows, &c);

done:
    pt_free(context, indices);
    pt_free(context, values);
    return status;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

partan_status pt_matrix_convert(const pt_matrix *source, partan_storage storage, size_t features, pt_matrix *out)
{
    *out = (pt_matrix){0};
    features = larger(features, source->features);
    pt_content content = content_of(source);
    pt_rows view = values_of(source);
    if (source->storage == PARTAN_STORAGE_BYTES)
        content.steps = source->steps;
    else
        pt_content_steps(source->context, storage, source->rows, features, &view, 1, &content);
    return convert(source, storage, features, &content, out);
}

partan_status pt_matrix_to_bytes(const pt_matrix *source, const pt_byte_steps *steps, size_t features, pt_matrix *out)
{
    partan_context *context = source->context;
    *out = (pt_matrix){0};
    float one = 1;
    pt_rows view = values_of(source);
    if (source->storage == PARTAN_STORAGE_BITS)
        view = (pt_rows){.count = 1, .values = &one, .width = 1};
    if (source->storage == PARTAN_STORAGE_BYTES) /* all the values that there may be */
        view = (pt_rows){.count = 1, .values = source->steps.value, .width = 256};
    pt_content content = {.nonzeros = source->nonzeros};
    if (pt_bytes_fit(context, &view, 1, steps))
        content.steps = *steps;
    return convert(source, PARTAN_STORAGE_BYTES, larger(features, source->features), &content, out);
}

size_t pt_matrix_bytes(const pt_matrix *matrix)
{
    size_t padded = matrix->tiles * PT_TILE;
    switch (matrix->storage) {
    case PARTAN_STORAGE_SPARSE:
        return (size_t)matrix->nonzeros * (sizeof *matrix->values + sizeof *matrix->indices)
               + matrix->rows * sizeof *matrix->offsets;
    case PARTAN_STORAGE_BITS:
        return padded * matrix->words * sizeof *matrix->bits;
    case PARTAN_STORAGE_BYTES:
        return padded * matrix->groups * PT_BYTES_GROUP;
    default:
        return padded * matrix->features * sizeof *matrix->dense;
    }
}
