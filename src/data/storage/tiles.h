/* What the tiled storages share. A row is `groups` units of four bytes (a float, a word of bits, four bytes); a tile
 * holds the first unit of all its rows side by side, then the second, and so on. */
#ifndef PT_TILES_H
#define PT_TILES_H

#include <string.h>

#include "data/storage/layout.h"

/* Where the first unit of a row is, counted in units; the next one is PT_TILE further. */
static inline size_t pt_tiles_place(size_t groups, size_t row)
{
    return row / PT_TILE * groups * PT_TILE + row % PT_TILE;
}

/* Room for all tiles, the last one zeroed, since it may be padded; NULL when there is none, with a sentence that says
 * what the storage is called. */
void *pt_tiles_allocate(const pt_matrix *matrix, size_t groups, const char *storage);

/* Makes rows zeros. */
void pt_tiles_clear(void *tiles, size_t groups, size_t first, size_t count);

/* Copies one row; returns the sum of `nonzeros` over its units. */
static inline size_t pt_tiles_copy(void *tiles, size_t row, const void *source, size_t source_row, size_t groups,
                                   unsigned (*nonzeros)(uint32_t unit))
{
    enum { UNIT = sizeof(uint32_t) };
    char *out = (char *)tiles + pt_tiles_place(groups, row) * UNIT;
    const char *in = (const char *)source + pt_tiles_place(groups, source_row) * UNIT;
    size_t sum = 0;
    for (size_t group = 0; group < groups; group++) {
        uint32_t unit;
        memcpy(&unit, in + group * PT_TILE * UNIT, UNIT);
        memcpy(out + group * PT_TILE * UNIT, &unit, UNIT);
        sum += nonzeros(unit);
    }
    return sum;
}

#endif
