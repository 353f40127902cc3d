/* Sparse storage: compressed rows with 64-bit offsets, nonzeros only. */
#include <string.h>

#include "data/storage/layout.h"
#include "data/storage/tile_hashes.h"

static partan_status allocate(pt_matrix *matrix)
{
    partan_context *context = matrix->context;
    if (matrix->nonzeros <= SIZE_MAX) {
        matrix->offsets = pt_alloc(context, matrix->rows + 1, sizeof *matrix->offsets);
        matrix->indices = pt_alloc(context, (size_t)matrix->nonzeros, sizeof *matrix->indices);
        matrix->values = pt_alloc(context, (size_t)matrix->nonzeros, sizeof *matrix->values);
    }
    if (!matrix->offsets || !matrix->indices || !matrix->values)
        return pt_fail(context, PARTAN_ERROR_MEMORY, "out of memory for %zu rows with %llu nonzeros in sparse storage",
                       matrix->rows, (unsigned long long)matrix->nonzeros);
    matrix->offsets[0] = 0; /* there may be no rows */
    matrix->offsets[matrix->rows] = (int64_t)matrix->nonzeros;
    return pt_norms_allocate(matrix);
}

static void start(pt_matrix *matrix, size_t row, uint64_t nonzeros)
{
    matrix->offsets[row] = (int64_t)nonzeros;
}

static void put(pt_matrix *matrix, size_t row, const int32_t *indices, const float *values, size_t count)
{
    int64_t at = matrix->offsets[row];
    double sum = 0;
    for (size_t k = 0; k < count; k++) {
        sum += (double)values[k] * (double)values[k];
        if (values[k] != 0) {
            matrix->indices[at] = indices ? indices[k] : (int32_t)k;
            matrix->values[at++] = values[k];
        }
    }
    matrix->norms[row] = (float)sum;
}

static void measure_rows(void *user, size_t chunk, size_t thread)
{
    const pt_matrix *matrix = user;
    pt_span span = pt_span_of(matrix->rows, PT_CHUNK_ROWS, chunk);
    (void)thread;
    for (size_t row = span.begin; row < span.end; row++) {
        double sum = 0;
        for (int64_t k = matrix->offsets[row]; k < matrix->offsets[row + 1]; k++)
            sum += (double)matrix->values[k] * (double)matrix->values[k];
        matrix->norms[row] = (float)sum;
    }
}

partan_status pt_sparse_norms(pt_matrix *matrix)
{
    partan_status status = pt_norms_allocate(matrix);
    if (!status)
        pt_team_run(matrix->context, pt_rows_threads(matrix->context, matrix->rows),
                    pt_span_count(matrix->rows, PT_CHUNK_ROWS), measure_rows, matrix);
    return status;
}

static size_t copy_row(pt_matrix *matrix, size_t row, const pt_matrix *source, size_t source_row)
{
    int64_t to = matrix->offsets[row], from = source->offsets[source_row];
    size_t count = (size_t)(source->offsets[source_row + 1] - from);
    memcpy(matrix->indices + to, source->indices + from, count * sizeof *matrix->indices);
    memcpy(matrix->values + to, source->values + from, count * sizeof *matrix->values);
    matrix->norms[row] = source->norms[source_row];
    return count;
}

static size_t copy(pt_matrix *matrix, size_t first, const pt_matrix *source, const int64_t *rows, size_t count)
{
    size_t nonzeros = 0;
    for (size_t i = 0; i < count; i++)
        nonzeros += copy_row(matrix, first + i, source, (size_t)rows[i]);
    return nonzeros;
}

static bool next(pt_cursor *cursor)
{
    const pt_matrix *matrix = cursor->matrix;
    size_t at = (size_t)matrix->offsets[cursor->row] + cursor->position;
    if (at >= (size_t)matrix->offsets[cursor->row + 1])
        return false;
    cursor->index = matrix->indices[at];
    cursor->value = matrix->values[at];
    cursor->position++;
    return true;
}

static size_t take_row(const pt_matrix *matrix, size_t row, int32_t *indices, float *values)
{
    size_t first = (size_t)matrix->offsets[row], count = (size_t)matrix->offsets[row + 1] - first;
    for (size_t k = 0; k < count; k++) {
        indices[k] = matrix->indices[first + k];
        values[k] = matrix->values[first + k];
    }
    return count;
}

static uint64_t hash(const pt_matrix *matrix, size_t row)
{
    uint64_t sum = 0;
    for (int64_t k = matrix->offsets[row]; k < matrix->offsets[row + 1]; k++)
        sum += pt_entry_hash((size_t)matrix->indices[k], matrix->values[k]);
    return sum;
}

const pt_layout pt_layout_sparse = {
    .allocate = allocate, .start = start, .put = put, .copy = copy, .next = next, .row = take_row, .hash = hash};
