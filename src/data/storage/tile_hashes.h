/* Hashes of the rows of a dense tile, in the order of memory. The loop over its lanes is left to the compiler, which
 * makes vectors of it where 64-bit products have an instruction; every version gives the same numbers. */
#ifndef PT_TILE_HASHES_H
#define PT_TILE_HASHES_H

#include <string.h>

#include "core/hash.h"
#include "data/storage/matrix.h"

static inline uint64_t pt_entry_hash(size_t index, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return pt_hash_mix((uint64_t)index << 32 | bits);
}

static inline void pt_hash_tile(const float *tile, size_t features, uint64_t hashes[PT_TILE])
{
    uint64_t sums[PT_TILE] = {0};
    for (size_t feature = 0; feature < features; feature++)
        for (size_t lane = 0; lane < PT_TILE; lane++) {
            float value = tile[feature * PT_TILE + lane];
            sums[lane] += value != 0 ? pt_entry_hash(feature, value) : 0;
        }
    for (size_t lane = 0; lane < PT_TILE; lane++)
        hashes[lane] = pt_hash_mix(sums[lane]);
}

void pt_hash_tile_avx512(const float *tile, size_t features, uint64_t hashes[PT_TILE]);

#endif
