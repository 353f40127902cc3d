/* Making matrices out of rows: the choice of storage, and the copy into it. */
#include "data/layout.h"

/* The regular forms (bits, dense) are the cheaper ones for the kernels until most of what they touch is zero: one
 * vector operation covers 16 rows, a nonzero of a sparse row costs about one by itself. So take them as long as they
 * need no more than four times the memory of sparse rows, 8 bytes a nonzero and 8 a row. */
partan_storage pt_storage_choose(size_t rows, size_t features, uint64_t nonzeros, bool binary)
{
    double sparse = 8 * (double)nonzeros + 8 * (double)rows;
    double dense = 4 * (double)features * (double)rows;
    double bits = 4 * ((double)(features / 32) + 1) * (double)rows;
    if (binary && bits <= 4 * sparse)
        return PARTAN_STORAGE_BITS;
    return dense <= 4 * sparse ? PARTAN_STORAGE_DENSE : PARTAN_STORAGE_SPARSE;
}

partan_status pt_matrix_begin(partan_context *context, partan_storage storage, size_t rows, size_t features,
                              uint64_t nonzeros, bool binary, pt_matrix *out)
{
    *out = (pt_matrix){0};
    if (features > INT32_MAX)
        return pt_fail(context, PARTAN_ERROR_DATA, "found %zu features, at most 2147483647 are possible", features);
    if (storage == PARTAN_STORAGE_AUTO)
        storage = pt_storage_choose(rows, features, nonzeros, binary);
    if (!pt_layout_of(storage))
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "%d is no storage", (int)storage);
    if (storage == PARTAN_STORAGE_BITS && !binary)
        return pt_fail(context, PARTAN_ERROR_DATA,
                       "packed bits hold the values 0 and 1 only, and the data has other ones");
    pt_matrix matrix = {
        .context = context, .storage = storage, .rows = rows, .features = features, .nonzeros = nonzeros};
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

void pt_rows_survey(partan_context *context, const pt_rows *rows, uint64_t *nonzeros, bool *binary)
{
    uint64_t found = 0;
    int others = 0;
#pragma omp parallel for num_threads(context->threads) if (rows->count > PT_PARALLEL_ROWS) reduction(+ : found)           \
    reduction(| : others) schedule(static)
    for (size_t row = 0; row < rows->count; row++) {
        const int32_t *indices;
        const float *values;
        size_t count = pt_rows_get(rows, row, &indices, &values);
        found += count_nonzeros(values, count);
        for (size_t k = 0; k < count; k++)
            others |= (values[k] != 0) & (values[k] != 1);
    }
    *nonzeros = found;
    *binary = !others;
}

void pt_matrix_put(pt_matrix *matrix, size_t first, const pt_rows *rows)
{
    const pt_layout *layout = pt_layout_of(matrix->storage);
    if (layout->reserve)
        for (size_t row = 0; row < rows->count; row++) {
            const int32_t *indices;
            const float *values;
            size_t count = pt_rows_get(rows, row, &indices, &values);
            layout->reserve(matrix, first + row, count_nonzeros(values, count));
        }
#pragma omp parallel for num_threads(matrix->context->threads) if (rows->count > PT_PARALLEL_ROWS) schedule(static)
    for (size_t row = 0; row < rows->count; row++) {
        const int32_t *indices;
        const float *values;
        size_t count = pt_rows_get(rows, row, &indices, &values);
        layout->put(matrix, first + row, indices, values, count);
    }
}

partan_status pt_matrix_build(partan_context *context, pt_segment *segments, size_t count, partan_storage storage,
                              size_t min_features, pt_matrix *out)
{
    size_t rows = 0, features = min_features;
    uint64_t nonzeros = 0;
    bool binary = true;
    for (size_t i = 0; i < count; i++) {
        rows += segments[i].rows;
        nonzeros += segments[i].nonzeros;
        binary = binary && segments[i].binary;
        if (segments[i].features > features)
            features = segments[i].features;
    }
    partan_status status = pt_matrix_begin(context, storage, rows, features, nonzeros, binary, out);
    if (status)
        return status;
    size_t first = 0;
    for (size_t i = 0; i < count; i++) {
        pt_rows view = {.count = segments[i].rows,
                        .offsets = segments[i].offsets,
                        .indices = segments[i].indices,
                        .values = segments[i].values};
        pt_matrix_put(out, first, &view);
        first += segments[i].rows;
        pt_segment_free(&segments[i]);
    }
    return PARTAN_OK;
}
