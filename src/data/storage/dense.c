/* Dense storage: float32, tiles of rows, feature-major inside the tile. */
#include <string.h>

#include "data/storage/layout.h"

static size_t place(const pt_matrix *matrix, size_t row)
{
    return row / PT_TILE * matrix->features * PT_TILE + row % PT_TILE;
}

static partan_status allocate(pt_matrix *matrix)
{
    partan_context *context = matrix->context;
    size_t tile = matrix->features * PT_TILE;
    if (matrix->features <= SIZE_MAX / PT_TILE / sizeof(float) && (tile == 0 || matrix->tiles <= SIZE_MAX / tile))
        matrix->dense = pt_alloc(context, matrix->tiles * tile, sizeof *matrix->dense);
    if (!matrix->dense)
        return pt_fail(context, PARTAN_ERROR_MEMORY, "out of memory for %zu x %zu values in dense storage",
                       matrix->rows, matrix->features);
    if (matrix->tiles > 0 && tile > 0)
        memset(matrix->dense + (matrix->tiles - 1) * tile, 0, tile * sizeof *matrix->dense);
    return pt_norms_allocate(matrix);
}

static void clear(pt_matrix *matrix, size_t first, size_t count)
{
    pt_tiles_clear(matrix->dense, matrix->features, first, count);
}

static void put(pt_matrix *matrix, size_t row, const int32_t *indices, const float *values, size_t count)
{
    float *out = matrix->dense + place(matrix, row);
    double sum = 0;
    for (size_t k = 0; k < count; k++) {
        size_t index = indices ? (size_t)indices[k] : k;
        out[index * PT_TILE] = values[k] + 0.0f; /* turns -0 into 0 */
        sum += (double)values[k] * (double)values[k];
    }
    matrix->norms[row] = (float)sum;
}

static size_t copy(pt_matrix *matrix, size_t row, const pt_matrix *source, size_t source_row)
{
    float *out = matrix->dense + place(matrix, row);
    const float *in = source->dense + place(source, source_row);
    size_t nonzeros = 0;
    for (size_t feature = 0; feature < matrix->features; feature++) {
        out[feature * PT_TILE] = in[feature * PT_TILE];
        nonzeros += in[feature * PT_TILE] != 0;
    }
    matrix->norms[row] = source->norms[source_row];
    return nonzeros;
}

static bool next(pt_cursor *cursor)
{
    const pt_matrix *matrix = cursor->matrix;
    const float *in = matrix->dense + place(matrix, cursor->row);
    for (size_t feature = cursor->position; feature < matrix->features; feature++)
        if (in[feature * PT_TILE] != 0) {
            cursor->index = (int32_t)feature;
            cursor->value = in[feature * PT_TILE];
            cursor->position = feature + 1;
            return true;
        }
    cursor->position = matrix->features;
    return false;
}

const pt_layout pt_layout_dense = {.allocate = allocate, .clear = clear, .put = put, .copy = copy, .next = next};
