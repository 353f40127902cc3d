/* Making matrices out of rows: the choice of storage, and the copy into it. */
#include "data/storage/layout.h"

enum { WIDE_FEATURES = 128 };

/* The regular forms (bits, bytes, dense) are the cheaper ones for the kernels until most of what they touch is zero:
 * one vector operation covers 16 rows, a nonzero of a sparse row costs about one by itself. So take them as long as
 * they need no more than four times the memory of sparse rows, 8 bytes a nonzero and 8 a row. Wide rows of floats are
 * the exception: sparse ones meet only in the features that both have, and with a fifth of all nonzero that was
 * measured to be 1.6 times as fast. */
partan_storage pt_storage_choose(size_t rows, size_t features, const pt_content *content)
{
    double sparse = 8 * (double)content->nonzeros + 8 * (double)rows;
    double dense = 4 * (double)features * (double)rows;
    double bits = 4 * ((double)(features / 32) + 1) * (double)rows;
    if (content->binary && bits <= 4 * sparse)
        return PARTAN_STORAGE_BITS;
    if (content->steps.unit > 0 && features <= PT_BYTES_FEATURES && dense / 4 <= 4 * sparse)
        return PARTAN_STORAGE_BYTES;
    return dense <= (features < WIDE_FEATURES ? 4 : 2.5) * sparse ? PARTAN_STORAGE_DENSE : PARTAN_STORAGE_SPARSE;
}

void pt_content_steps(partan_context *context, partan_storage storage, size_t rows, size_t features,
                      const pt_rows *views, size_t count, pt_content *content)
{
    pt_content hoped = *content;
    hoped.steps.unit = 1;
    bool matters =
        storage == PARTAN_STORAGE_BYTES
        || (storage == PARTAN_STORAGE_AUTO && pt_storage_choose(rows, features, &hoped) == PARTAN_STORAGE_BYTES);
    content->steps = !matters          ? (pt_byte_steps){0}
                     : content->binary ? pt_byte_steps_of(1, 0)
                                       : pt_bytes_steps(context, views, count);
}

partan_status pt_matrix_begin(partan_context *context, partan_storage storage, size_t rows, size_t features,
                              const pt_content *content, pt_matrix *out)
{
    *out = (pt_matrix){0};
    if (features > INT32_MAX)
        return pt_fail(context, PARTAN_ERROR_DATA, "found %zu features, at most 2147483647 are possible", features);
    if (storage == PARTAN_STORAGE_AUTO)
        storage = pt_storage_choose(rows, features, content);
    if (!pt_layout_of(storage))
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "%d is not a storage", (int)storage);
    if (storage == PARTAN_STORAGE_BITS && !content->binary)
        return pt_fail(context, PARTAN_ERROR_DATA, "packed bits hold only the values 0 and 1, and the data has others");
    if (storage == PARTAN_STORAGE_BYTES && !(content->steps.unit > 0))
        return pt_fail(context, PARTAN_ERROR_DATA,
                       "bytes hold only multiples 0 .. 255 of one number, and the data has other values");
    pt_matrix matrix = {.context = context,
                        .storage = storage,
                        .rows = rows,
                        .features = features,
                        .nonzeros = content->nonzeros,
                        .steps = content->steps};
    matrix.tiles = rows / PT_TILE + (rows % PT_TILE != 0);
    partan_status status = pt_layout_of(storage)->allocate(&matrix);
    if (status)
        pt_matrix_free(&matrix);
    else
        *out = matrix;
    return status;
}

static size_t count_nonzeros(const float *values, size_t count)
{
    size_t nonzeros = 0;
    for (size_t k = 0; k < count; k++)
        nonzeros += values[k] != 0;
    return nonzeros;
}

typedef struct found {
    const pt_rows *rows;
    atomic_uint_least64_t nonzeros;
    atomic_bool others; /* values other than 0 and 1 */
} found;

static void survey_chunk(void *user, size_t chunk, size_t thread)
{
    found *f = user;
    pt_span span = pt_span_of(f->rows->count, PT_CHUNK_ROWS, chunk);
    uint64_t nonzeros = 0;
    int others = 0;
    (void)thread;
    for (size_t row = span.begin; row < span.end; row++) {
        const int32_t *indices;
        const float *values;
        size_t count = pt_rows_get(f->rows, row, &indices, &values);
        nonzeros += count_nonzeros(values, count);
        for (size_t k = 0; k < count; k++)
            others |= (values[k] != 0) & (values[k] != 1);
    }
    atomic_fetch_add(&f->nonzeros, nonzeros);
    if (others)
        atomic_store(&f->others, true);
}

pt_content pt_rows_survey(partan_context *context, const pt_rows *rows)
{
    found f = {.rows = rows};
    atomic_init(&f.nonzeros, 0);
    atomic_init(&f.others, false);
    pt_team_run(context, pt_rows_threads(context, rows->count), pt_span_count(rows->count, PT_CHUNK_ROWS), survey_chunk,
                &f);
    return (pt_content){.nonzeros = atomic_load(&f.nonzeros), .binary = !atomic_load(&f.others)};
}

static size_t nonzeros_of(const pt_rows *rows, size_t row)
{
    const int32_t *indices;
    const float *values;
    size_t count = pt_rows_get(rows, row, &indices, &values);
    return count_nonzeros(values, count);
}

static void put_row(pt_matrix *matrix, const pt_layout *layout, size_t place, const pt_rows *rows, size_t row)
{
    const int32_t *indices;
    const float *values;
    size_t count = pt_rows_get(rows, row, &indices, &values);
    layout->put(matrix, place, indices, values, count);
}

void pt_matrix_put_part(pt_matrix *matrix, size_t first, uint64_t nonzeros, const pt_rows *rows)
{
    const pt_layout *layout = pt_layout_of(matrix->storage);
    if (layout->clear)
        layout->clear(matrix, first, rows->count);
    for (size_t row = 0; row < rows->count; row++) {
        if (layout->start) {
            layout->start(matrix, first + row, nonzeros);
            nonzeros += nonzeros_of(rows, row);
        }
        put_row(matrix, layout, first + row, rows, row);
    }
}

typedef struct putting {
    pt_matrix *matrix;
    size_t first;
    const pt_rows *rows;
} putting;

static void put_chunk(void *user, size_t chunk, size_t thread)
{
    const putting *p = user;
    const pt_layout *layout = pt_layout_of(p->matrix->storage);
    pt_span span = pt_span_of(p->rows->count, PT_CHUNK_ROWS, chunk);
    (void)thread;
    for (size_t begin = span.begin; begin < span.end; begin += PT_TILE) {
        size_t end = begin + PT_TILE < span.end ? begin + PT_TILE : span.end;
        if (layout->clear)
            layout->clear(p->matrix, p->first + begin, end - begin);
        for (size_t row = begin; row < end; row++)
            put_row(p->matrix, layout, p->first + row, p->rows, row);
    }
}

uint64_t pt_matrix_put(pt_matrix *matrix, size_t first, uint64_t nonzeros, const pt_rows *rows)
{
    const pt_layout *layout = pt_layout_of(matrix->storage);
    if (layout->start)
        for (size_t row = 0; row < rows->count; row++) {
            layout->start(matrix, first + row, nonzeros);
            nonzeros += nonzeros_of(rows, row);
        }
    pt_team_run(matrix->context, pt_rows_threads(matrix->context, rows->count),
                pt_span_count(rows->count, PT_CHUNK_ROWS), put_chunk, &(putting){matrix, first, rows});
    return nonzeros;
}

partan_status pt_matrix_build(partan_context *context, pt_segment *segments, size_t count, partan_storage storage,
                              size_t min_features, pt_matrix *out)
{
    *out = (pt_matrix){0};
    pt_rows *views = pt_alloc(context, count, sizeof *views);
    if (!views)
        return pt_out_of_memory(context, "the parts of a matrix");
    size_t rows = 0, features = min_features;
    pt_content content = {.binary = true};
    for (size_t i = 0; i < count; i++) {
        views[i] = (pt_rows){.count = segments[i].rows,
                             .offsets = segments[i].offsets,
                             .indices = segments[i].indices,
                             .values = segments[i].values};
        rows += segments[i].rows;
        content.nonzeros += segments[i].nonzeros;
        content.binary = content.binary && segments[i].binary;
        features = segments[i].features > features ? segments[i].features : features;
    }
    pt_content_steps(context, storage, rows, features, views, count, &content);
    partan_status status = pt_matrix_begin(context, storage, rows, features, &content, out);
    uint64_t nonzeros = 0;
    for (size_t i = 0, first = 0; i < count && !status; i++) {
        nonzeros = pt_matrix_put(out, first, nonzeros, &views[i]);
        first += segments[i].rows;
        pt_segment_free(&segments[i]);
    }
    pt_free(context, views);
    return status;
}
