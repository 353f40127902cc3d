/* Loops that do nothing but one kind of operation, in registers, with enough independent chains to keep every unit
 * busy. A template: each instruction set's file includes it once after defining
 *
 *   VECTOR_BYTES                size of a register
 *   CHAINS                      independent chains; registers must hold them
 *   RATE(name)                  the functions' names
 *   count_bits(v), add_products(sum, x, z) on vu, the second only with HAVE_PRODUCTS
 *
 * A function makes `rounds` rounds, adds what came out to *sink so that nothing can be left out, and returns how many
 * lane operations it made. One more only reads memory. */
#include <stdint.h>
#include <string.h>

#include "rates.h"

typedef float vf __attribute__((vector_size(VECTOR_BYTES)));
typedef uint32_t vu __attribute__((vector_size(VECTOR_BYTES)));

enum { LANES = VECTOR_BYTES / 4 };

#define UNROLL _Pragma("GCC unroll 32")

/* Numbers that the compiler does not know; a chain x -> x * factor + term converges to 2. */
static volatile float factor = 0.5F, term = 1;
static volatile uint32_t key = 0x5a5a5a5a;

double RATE(multiply)(uint64_t rounds, double *sink)
{
    vf chain[CHAINS], by = (vf){0} + factor, plus = (vf){0} + term;
    for (int i = 0; i < CHAINS; i++)
        chain[i] = (vf){0} + (float)i;
    for (uint64_t r = 0; r < rounds; r++) {
        UNROLL for (int i = 0; i < CHAINS; i++) chain[i] = chain[i] * by + plus;
    }
    for (int i = 0; i < CHAINS; i++)
        *sink += (double)chain[i][0];
    return (double)rounds * CHAINS * LANES;
}

double RATE(count)(uint64_t rounds, double *sink)
{
    vu chain[CHAINS], other = (vu){0} + key;
    for (int i = 0; i < CHAINS; i++)
        chain[i] = (vu){0} + (uint32_t)i;
    for (uint64_t r = 0; r < rounds; r++) {
        UNROLL for (int i = 0; i < CHAINS; i++) chain[i] += count_bits(chain[i] ^ other);
    }
    for (int i = 0; i < CHAINS; i++)
        *sink += (double)chain[i][0];
    return (double)rounds * CHAINS * LANES;
}

uint32_t RATE(read)(const char *from, size_t bytes)
{
    enum { LOADS = 8 };
    vu mixed[LOADS] = {0};
    for (size_t i = 0; i + LOADS * VECTOR_BYTES <= bytes; i += LOADS * VECTOR_BYTES) {
        UNROLL for (int l = 0; l < LOADS; l++)
        {
            vu v;
            memcpy(&v, from + i + (size_t)l * VECTOR_BYTES, sizeof v);
            mixed[l] ^= v;
        }
    }
    uint32_t result = 0;
    for (int l = 0; l < LOADS; l++)
        result ^= mixed[l][0] ^ mixed[l][LANES - 1];
    return result;
}

#if defined(HAVE_PRODUCTS)
double RATE(products)(uint64_t rounds, double *sink)
{
    vu chain[CHAINS], x = (vu){0} + key, z = (vu){0} + (key >> 1);
    for (int i = 0; i < CHAINS; i++)
        chain[i] = (vu){0} + (uint32_t)i;
    for (uint64_t r = 0; r < rounds; r++) {
        UNROLL for (int i = 0; i < CHAINS; i++) chain[i] = add_products(chain[i], x, z);
    }
    for (int i = 0; i < CHAINS; i++)
        *sink += (double)chain[i][0];
    return (double)rounds * CHAINS * LANES;
}
#endif
