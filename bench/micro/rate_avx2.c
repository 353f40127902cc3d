/* What AVX2 and FMA can do. Bits are counted by a table of 16 entries in a register, bytes multiplied in 16 bits. */
#include <immintrin.h>

#define VECTOR_BYTES          32
#define CHAINS                10
#define RATE(name)            rate_avx2_##name
#define count_bits(v)         ((vu)count_bits_avx2((__m256i)(v)))
#define add_products(s, x, z) ((vu)add_products_avx2((__m256i)(s), (__m256i)(x), (__m256i)(z)))
#define HAVE_PRODUCTS

static inline __m256i count_bits_avx2(__m256i v)
{
    const __m256i low = _mm256_set1_epi8(15);
    const __m256i table = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    __m256i nibbles = _mm256_shuffle_epi8(table, _mm256_and_si256(v, low));
    __m256i others = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), low));
    __m256i pairs = _mm256_maddubs_epi16(_mm256_add_epi8(nibbles, others), _mm256_set1_epi8(1));
    return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}

/* The operands stand for bytes already spread to 16 bits: two products of pairs for four bytes. The compiler is not to
 * know that they are always the same. */
static inline __m256i add_products_avx2(__m256i sum, __m256i x, __m256i z)
{
    __asm__ volatile("" : "+x"(x), "+x"(z));
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(x, z));
    __asm__ volatile("" : "+x"(x), "+x"(z));
    return _mm256_add_epi32(sum, _mm256_madd_epi16(x, z));
}

#include "rate.h"
