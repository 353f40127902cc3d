/* Bytes: multiples 0 .. 255 of one number. Tiles of rows; inside the tile groups of four features, and of each group
 * the four bytes of one row after those of another, as instructions for products of bytes take them. */
#include "data/storage/tiles.h"

#define GROUP_BYTES (PT_TILE * PT_BYTES_GROUP)

static size_t place(const pt_matrix *matrix, size_t row)
{
    return pt_tiles_place(matrix->groups, row) * PT_BYTES_GROUP;
}

static size_t offset(size_t feature)
{
    return feature / PT_BYTES_GROUP * GROUP_BYTES + feature % PT_BYTES_GROUP;
}

static partan_status allocate(pt_matrix *matrix)
{
    partan_context *context = matrix->context;
    if (matrix->features > PT_BYTES_FEATURES)
        return pt_fail(context, PARTAN_ERROR_DATA, "found %zu features, at most %d are possible in bytes",
                       matrix->features, PT_BYTES_FEATURES);
    matrix->groups = (matrix->features + PT_BYTES_GROUP - 1) / PT_BYTES_GROUP;
    matrix->bytes = pt_tiles_allocate(matrix, matrix->groups, "bytes");
    if (!matrix->bytes)
        return PARTAN_ERROR_MEMORY;
    matrix->squares = pt_alloc_zero(context, matrix->tiles * PT_TILE, sizeof *matrix->squares);
    return matrix->squares ? pt_norms_allocate(matrix) : pt_out_of_memory(context, "the norms of the rows");
}

static void clear(pt_matrix *matrix, size_t first, size_t count)
{
    pt_tiles_clear(matrix->bytes, matrix->groups, first, count);
}

static void put(pt_matrix *matrix, size_t row, const int32_t *indices, const float *values, size_t count)
{
    uint8_t *out = matrix->bytes + place(matrix, row);
    double inverse = 1 / matrix->steps.unit, sum = 0;
    uint32_t squares = 0;
    for (size_t k = 0; k < count; k++) {
        uint32_t byte = pt_byte_of(values[k], inverse);
        out[offset(indices ? (size_t)indices[k] : k)] = (uint8_t)byte;
        squares += byte * byte;
        sum += (double)values[k] * (double)values[k];
    }
    matrix->squares[row] = squares;
    matrix->norms[row] = (float)sum;
}

static unsigned nonzeros(uint32_t group)
{
    return (unsigned)((group & 0xff) != 0) + ((group & 0xff00) != 0) + ((group & 0xff0000) != 0) + (group > 0xffffff);
}

static size_t copy(pt_matrix *matrix, size_t first, const pt_matrix *source, const int64_t *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        matrix->squares[first + i] = source->squares[rows[i]];
        matrix->norms[first + i] = source->norms[rows[i]];
    }
    return pt_tiles_copy(matrix->bytes, first, source->bytes, rows, count, matrix->groups, nonzeros);
}

static bool next(pt_cursor *cursor)
{
    const pt_matrix *matrix = cursor->matrix;
    const uint8_t *in = matrix->bytes + place(matrix, cursor->row);
    for (size_t feature = cursor->position; feature < matrix->features; feature++)
        if (in[offset(feature)]) {
            cursor->index = (int32_t)feature;
            cursor->value = matrix->steps.value[in[offset(feature)]];
            cursor->position = feature + 1;
            return true;
        }
    cursor->position = matrix->features;
    return false;
}

const pt_layout pt_layout_bytes = {.allocate = allocate, .clear = clear, .put = put, .copy = copy, .next = next};
