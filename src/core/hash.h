/* Hashing, for fingerprints and look-up; not against an adversary. */
#ifndef PT_HASH_H
#define PT_HASH_H

#include <stddef.h>
#include <stdint.h>

/* A permutation of 64 bits in which every bit depends on every other (the finaliser of splitmix64). Not 0 at 0, so that
 * sums of mixed numbers notice a zero. */
static inline uint64_t pt_hash_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Eight bytes at a time, put together by their places, so that every machine finds the same. */
static inline uint64_t pt_hash_text(const char *text, size_t size)
{
    uint64_t hash = pt_hash_mix(size);
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        for (size_t k = 0; k < 8 && i + k < size; k++)
            word |= (uint64_t)(unsigned char)text[i + k] << 8 * k;
        hash = pt_hash_mix(hash ^ word);
    }
    return hash;
}

#endif
