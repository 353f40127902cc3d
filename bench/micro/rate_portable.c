/* What the baseline instruction set can do: 16-byte vectors, a population count by shifts and masks. */
#define VECTOR_BYTES  16
#define CHAINS        8
#define RATE(name)    rate_portable_##name
#define count_bits(v) portable_count(v)

typedef unsigned portable_vector __attribute__((vector_size(VECTOR_BYTES)));

static inline portable_vector portable_count(portable_vector v)
{
    v = v - ((v >> 1) & 0x55555555u);
    v = (v & 0x33333333u) + ((v >> 2) & 0x33333333u);
    v = (v + (v >> 4)) & 0x0f0f0f0fu;
    v = v + (v >> 8);
    return (v + (v >> 16)) & 0x3fu;
}

#include "rate.h"
