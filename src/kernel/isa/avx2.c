/* The kernels' instructions for AVX2 with FMA. */
#if defined(PT_HAVE_X86_ISA)

#include <immintrin.h>

#define VECTOR_BYTES    32
#define WIDE_TILES      1
#define WIDE_COLUMNS    4
#define NARROW_TILES    4
#define INSTRUCTION_SET pt_instructions_avx2

#define vector_max(a, b)        ((vf)_mm256_max_ps((__m256)(a), (__m256)(b)))
#define vector_min_double(a, b) ((vd)_mm256_min_pd((__m256d)(a), (__m256d)(b)))
#define vector_greater(a, b, x, y)                                                                                     \
    ((vf)_mm256_blendv_ps((__m256)(y), (__m256)(x), _mm256_cmp_ps((__m256)(a), (__m256)(b), _CMP_GT_OQ)))
#define vector_widen(h) ((vd)_mm256_cvtps_pd((__m128)(h)))
#define vector_narrow(low, high)                                                                                       \
    ((vf)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps((__m256d)(low))),                                 \
                              _mm256_cvtpd_ps((__m256d)(high)), 1))
#define vector_count(v) ((vu)count_bits((__m256i)(v)))

/* Counts of the two nibbles of each byte by table, then bytes summed into 32-bit lanes. */
static inline __m256i count_bits(__m256i v)
{
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2,
                                           2, 3, 2, 3, 3, 4);
    const __m256i nibble = _mm256_set1_epi8(15);
    __m256i low = _mm256_shuffle_epi8(table, _mm256_and_si256(v, nibble));
    __m256i high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble));
    __m256i pairs = _mm256_maddubs_epi16(_mm256_add_epi8(low, high), _mm256_set1_epi8(1));
    return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}

#define bytes_start(sum)              0
#define bytes_prepare(row)            (row)
#define bytes_dot(sum, row, z)        ((vu)add_products((__m256i)(sum), (__m256i)(row), (__m256i)(z)))
#define bytes_difference(sum, row, z) ((vu)add_differences((__m256i)(sum), (__m256i)(row), (__m256i)(z)))

/* Even and odd bytes apart, as 16-bit numbers: products of bytes in pairs would not fit into 16 bits. */
static inline __m256i add_products(__m256i sum, __m256i x, __m256i z)
{
    const __m256i low = _mm256_set1_epi16(255);
    __m256i even = _mm256_madd_epi16(_mm256_and_si256(x, low), _mm256_and_si256(z, low));
    __m256i odd = _mm256_madd_epi16(_mm256_srli_epi16(x, 8), _mm256_srli_epi16(z, 8));
    return _mm256_add_epi32(_mm256_add_epi32(sum, even), odd);
}

static inline __m256i add_differences(__m256i sum, __m256i x, __m256i z)
{
    __m256i difference = _mm256_sub_epi8(_mm256_max_epu8(x, z), _mm256_min_epu8(x, z));
    __m256i pairs = _mm256_maddubs_epi16(difference, _mm256_set1_epi8(1));
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

#include "kernel/isa/vector.h"

#else
typedef int pt_no_avx2; /* an empty translation unit is not C */
#endif
