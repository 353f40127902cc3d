/* Hashes of tiles for AVX-512 (DQ). */
#if defined(PT_HAVE_X86_ISA)

#include "data/storage/tile_hashes.h"

void pt_hash_tile_avx512(const float *tile, size_t features, uint64_t hashes[PT_TILE])
{
    pt_hash_tile(tile, features, hashes);
}

#else
typedef int pt_no_tile_hashes_avx512; /* a file must not be empty */
#endif
