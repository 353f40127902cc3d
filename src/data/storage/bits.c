/* Packed bits: one bit a feature in 32-bit words, tiles of rows, word-major inside the tile. */
#include "data/storage/tile_hashes.h"
#include "data/storage/tiles.h"

static size_t place(const pt_matrix *matrix, size_t row)
{
    return pt_tiles_place(matrix->words, row);
}

static partan_status allocate(pt_matrix *matrix)
{
    matrix->words = matrix->features / 32 + (matrix->features % 32 != 0);
    matrix->bits = pt_tiles_allocate(matrix, matrix->words, "packed bits");
    return matrix->bits ? PARTAN_OK : PARTAN_ERROR_MEMORY;
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

static unsigned nonzeros(uint32_t bits)
{
    return (unsigned)__builtin_popcount(bits);
}

static size_t copy(pt_matrix *matrix, size_t first, const pt_matrix *source, const int64_t *rows, size_t count)
{
    return pt_tiles_copy(matrix->bits, first, source->bits, rows, count, matrix->words, nonzeros);
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

static size_t take_row(const pt_matrix *matrix, size_t row, int32_t *indices, float *values)
{
    const uint32_t *in = matrix->bits + place(matrix, row);
    size_t count = 0;
    for (size_t word = 0; word < matrix->words; word++)
        for (uint32_t rest = in [word * PT_TILE]; rest != 0; rest &= rest - 1) {
            indices[count] = (int32_t)(word * 32 + lowest_bit(rest));
            values[count++] = 1;
        }
    return count;
}

static uint64_t hash(const pt_matrix *matrix, size_t row)
{
    const uint32_t *in = matrix->bits + place(matrix, row);
    uint64_t sum = 0;
    for (size_t word = 0; word < matrix->words; word++)
        for (uint32_t rest = in [word * PT_TILE]; rest != 0; rest &= rest - 1)
            sum += pt_entry_hash(word * 32 + lowest_bit(rest), 1);
    return sum;
}

const pt_layout pt_layout_bits = {
    .allocate = allocate, .clear = clear, .put = put, .copy = copy, .next = next, .row = take_row, .hash = hash};
