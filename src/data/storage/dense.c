/* Dense storage: float32, tiles of rows, feature-major inside the tile. */
#include "data/storage/tiles.h"

static size_t place(const pt_matrix *matrix, size_t row)
{
    return pt_tiles_place(matrix->features, row);
}

static partan_status allocate(pt_matrix *matrix)
{
    matrix->dense = pt_tiles_allocate(matrix, matrix->features, "dense storage");
    return matrix->dense ? pt_norms_allocate(matrix) : PARTAN_ERROR_MEMORY;
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

/* Zeros have no sign here, and so no bit. */
static unsigned nonzeros(uint32_t unit)
{
    return unit != 0;
}

static size_t copy(pt_matrix *matrix, size_t first, const pt_matrix *source, const int64_t *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        matrix->norms[first + i] = source->norms[rows[i]];
    return pt_tiles_copy(matrix->dense, first, source->dense, rows, count, matrix->features, nonzeros);
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

/* Every value is written, and kept if it is not 0: there is room for all. */
static size_t take_row(const pt_matrix *matrix, size_t row, int32_t *indices, float *values)
{
    const float *in = matrix->dense + place(matrix, row);
    size_t count = 0;
    for (size_t feature = 0; feature < matrix->features; feature++) {
        indices[count] = (int32_t)feature;
        values[count] = in[feature * PT_TILE];
        count += in[feature * PT_TILE] != 0;
    }
    return count;
}

const pt_layout pt_layout_dense = {
    .allocate = allocate, .clear = clear, .put = put, .copy = copy, .next = next, .row = take_row};
