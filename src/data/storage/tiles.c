#include "data/storage/tiles.h"

void *pt_tiles_allocate(const pt_matrix *matrix, size_t groups, const char *storage)
{
    enum { ROWS = PT_TILE * sizeof(uint32_t) }; /* bytes of one unit of all rows of a tile */
    size_t tile = groups * ROWS;
    char *tiles = groups <= SIZE_MAX / ROWS ? pt_alloc(matrix->context, matrix->tiles, tile) : NULL;
    if (!tiles)
        pt_fail(matrix->context, PARTAN_ERROR_MEMORY, "out of memory for %zu x %zu values in %s", matrix->rows,
                matrix->features, storage);
    else if (matrix->tiles > 0)
        memset(tiles + (matrix->tiles - 1) * tile, 0, tile);
    return tiles;
}

void pt_tiles_clear(void *tiles, size_t groups, size_t first, size_t count)
{
    uint32_t *out = tiles;
    size_t end = first + count;
    while (first < end) {
        size_t lane = first % PT_TILE, next = first - lane + PT_TILE;
        uint32_t *tile = out + first / PT_TILE * groups * PT_TILE;
        if (lane == 0 && next <= end)
            memset(tile, 0, groups * PT_TILE * sizeof *tile);
        else
            for (size_t group = 0; group < groups; group++)
                memset(tile + group * PT_TILE + lane, 0, ((next < end ? next : end) - first) * sizeof *tile);
        first = next;
    }
}
