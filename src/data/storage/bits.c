/* Packed bits: one bit a feature in 32-bit words, tiles of rows, word-major inside the tile. */
#include <string.h>

#include "data/storage/layout.h"

static size_t place(const pt_matrix *matrix, size_t row)
{
    return row / PT_TILE * matrix->words * PT_TILE + row % PT_TILE;
}

static partan_status allocate(pt_matrix *matrix)
{
    partan_context *context = matrix->context;
    matrix->words = matrix->features / 32 + (matrix->features % 32 != 0);
    size_t tile = matrix->words * PT_TILE; /* no overflow: at most half of features */
    if (tile == 0 || matrix->tiles <= SIZE_MAX / tile)
        matrix->bits = pt_alloc(context, matrix->tiles * tile, sizeof *matrix->bits);
    if (!matrix->bits)
        return pt_fail(context, PARTAN_ERROR_MEMORY, "out of memory for %zu x %zu values in packed bits", matrix->rows,
                       matrix->features);
    if (matrix->tiles > 0 && tile > 0)
        memset(matrix->bits + (matrix->tiles - 1) * tile, 0, tile * sizeof *matrix->bits);
    return PARTAN_OK;
}

static void clear(pt_matrix *matrix, size_t first, size_t count)
{
    pt_tiles_clear(matrix->bits, matrix->words, first, count);
}

static void put(pt_matrix *matrix, size_t row, const int32_t *indices, const float *values, size_t count)
{
    uint32_t *out = matrix->bits + place(matrix, row);
    for (size_t k = 0; k < count; k++) {
        size_t index = indices ? (size_t)indices[k] : k;
        out[index / 32 * PT_TILE] |= (uint32_t)(values[k] != 0) << index % 32;
    }
}

static size_t copy(pt_matrix *matrix, size_t row, const pt_matrix *source, size_t source_row)
{
    uint32_t *out = matrix->bits + place(matrix, row);
    const uint32_t *in = source->bits + place(source, source_row);
    size_t nonzeros = 0;
    for (size_t word = 0; word < matrix->words; word++) {
        uint32_t bits = in[word * PT_TILE];
        out[word * PT_TILE] = bits;
        for (; bits; bits &= bits - 1)
            nonzeros++;
    }
    return nonzeros;
}

/* The place of the lowest bit that is set, from the top five bits of its product with a de Bruijn sequence. */
static unsigned lowest_bit(uint32_t bits)
{
    static const unsigned char places[32] = {0,  1,  28, 2,  29, 14, 24, 3, 30, 22, 20, 15, 25, 17, 4,  8,
                                             31, 27, 13, 23, 21, 19, 16, 7, 26, 12, 18, 6,  11, 5,  10, 9};
    return places[((bits & (0 - bits)) * (uint32_t)0x077cb531u) >> 27];
}

static bool next(pt_cursor *cursor)
{
    const pt_matrix *matrix = cursor->matrix;
    const uint32_t *in = matrix->bits + place(matrix, cursor->row);
    for (size_t feature = cursor->position; feature < matrix->words * 32; feature = (feature | 31) + 1) {
        uint32_t rest = in[feature / 32 * PT_TILE] >> feature % 32;
        if (rest == 0)
            continue;
        feature += lowest_bit(rest);
        cursor->index = (int32_t)feature;
        cursor->value = 1;
        cursor->position = feature + 1;
        return true;
    }
    cursor->position = matrix->words * 32;
    return false;
}

const pt_layout pt_layout_bits = {.allocate = allocate, .clear = clear, .put = put, .copy = copy, .next = next};
