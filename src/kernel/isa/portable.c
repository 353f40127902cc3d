/* The kernels' instructions for any processor: 16-byte vectors, which every compiler maps to what it has. */
#define VECTOR_BYTES    16
#define WIDE_TILES      1
#define WIDE_COLUMNS    2
#define NARROW_TILES    2
#define INSTRUCTION_SET pt_instructions_portable

/* A lane-wise choice by mask: the generic vectors of C have comparisons but no conditional operator. */
#define vector_max(a, b)           choose(a, b, a, b)
#define vector_greater(a, b, x, y) choose(a, b, x, y)
#define vector_widen(h)            __builtin_convertvector(h, portable_d)
#define vector_narrow(low, high)   narrow(low, high)
#define vector_count(v)            count_bits(v)
#define vector_min_double(a, b)    choose_min(a, b)

#include <stdint.h>
#include <string.h>

typedef float portable_f __attribute__((vector_size(VECTOR_BYTES)));
typedef int32_t portable_i __attribute__((vector_size(VECTOR_BYTES)));
typedef uint32_t portable_u __attribute__((vector_size(VECTOR_BYTES)));
typedef double portable_d __attribute__((vector_size(VECTOR_BYTES)));
typedef int64_t portable_l __attribute__((vector_size(VECTOR_BYTES)));

static inline portable_f choose(portable_f a, portable_f b, portable_f x, portable_f y)
{
    portable_i mask = a > b;
    return (portable_f)((mask & (portable_i)x) | (~mask & (portable_i)y));
}

typedef float portable_h __attribute__((vector_size(VECTOR_BYTES / 2)));

static inline portable_f narrow(portable_d low, portable_d high)
{
    portable_h halves[2] = {__builtin_convertvector(low, portable_h), __builtin_convertvector(high, portable_h)};
    portable_f v;
    memcpy(&v, halves, sizeof v);
    return v;
}

static inline portable_d choose_min(portable_d a, portable_d b)
{
    portable_l mask = b < a;
    return (portable_d)((mask & (portable_l)b) | (~mask & (portable_l)a));
}

static inline portable_u count_bits(portable_u v)
{
    v = v - (v >> 1 & 0x55555555u);
    v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
    v = (v + (v >> 4)) & 0x0f0f0f0fu;
    return v * 0x01010101u >> 24;
}

#define bytes_start(sum)              0
#define bytes_prepare(row)            (row)
#define bytes_dot(sum, row, z)        add_products(sum, row, z)
#define bytes_difference(sum, row, z) add_differences(sum, row, z)

static inline portable_u add_products(portable_u sum, portable_u x, portable_u z)
{
    for (int shift = 0; shift < 32; shift += 8)
        sum += (x >> shift & 255) * (z >> shift & 255);
    return sum;
}

static inline portable_u add_differences(portable_u sum, portable_u x, portable_u z)
{
    for (int shift = 0; shift < 32; shift += 8) {
        portable_i difference = (portable_i)(x >> shift & 255) - (portable_i)(z >> shift & 255);
        portable_i sign = difference >> 31;
        sum += (portable_u)((difference ^ sign) - sign);
    }
    return sum;
}

#include "kernel/isa/vector.h"
