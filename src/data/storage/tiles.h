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

/* Copies some rows to a tile, in which they are the rows from `first` on; returns the sum of `nonzeros` over their
 * units. All rows at once: what is written is then written line by line. */
static inline size_t pt_tiles_copy(void *tiles, size_t first, const void *source, const int64_t *rows, size_t count,
                                   size_t groups, unsigned (*nonzeros)(uint32_t unit))
{
    enum { UNIT = sizeof(uint32_t), NEXT = PT_TILE * UNIT };
    char *out = (char *)tiles + pt_tiles_place(groups, first) * UNIT;
    const char *in[PT_TILE];
    size_t sum = 0;
    for (size_t i = 0; i < count; i++)
        in[i] = (const char *)source + pt_tiles_place(groups, (size_t)rows[i]) * UNIT;
    for (size_t group = 0; group < groups; group++)
        for (size_t i = 0; i < count; i++) {
            uint32_t unit;
            memcpy(&unit, in[i] + group * NEXT, UNIT);
            memcpy(out + group * NEXT + i * UNIT, &unit, UNIT);
            sum += nonzeros(unit);
        }
    return sum;
}

#endif
