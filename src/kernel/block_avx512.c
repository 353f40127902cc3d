/* Kernel blocks for AVX-512 (F, BW, DQ, VL, VPOPCNTDQ and VNNI). */
#if defined(PT_HAVE_X86_ISA)

#include <immintrin.h>

#include "kernel/block.h"

#define VECTOR_BYTES 64
#define WIDE_TILES   2
#define WIDE_COLUMNS 8
#define NARROW_TILES 4
#define OPS          pt_block_avx512
#define HAVE_DIGITS

#define vector_max(a, b)        ((vf)_mm512_max_ps((__m512)(a), (__m512)(b)))
#define vector_min_double(a, b) ((vd)_mm512_min_pd((__m512d)(a), (__m512d)(b)))
#define vector_count(v)         ((vu)_mm512_popcnt_epi32((__m512i)(v)))
#define vector_digits(block, v) ((vf)digits(block, (__m512i)(v)))

/* exp(-gamma d) as a product of table entries for d's hexadecimal digits; the permutation looks at the low four bits.
 */
static inline __m512 digits(const pt_block *block, __m512i d)
{
    __m512 value = _mm512_permutexvar_ps(d, _mm512_loadu_ps(block->digit[0]));
    __m512 next = _mm512_permutexvar_ps(_mm512_srli_epi32(d, 4), _mm512_loadu_ps(block->digit[1]));
    value = _mm512_mul_ps(value, next);
    if (block->digits == 3) {
        next = _mm512_permutexvar_ps(_mm512_srli_epi32(d, 8), _mm512_loadu_ps(block->digit[2]));
        value = _mm512_mul_ps(value, next);
    }
    return value;
}

/* Products of unsigned with signed bytes: the rows' bytes are taken less 128, and the sum starts at what that loses. */
#define bytes_start(sum)              ((sum)*128u)
#define bytes_prepare(row)            ((row) ^ 0x80808080u)
#define bytes_dot(sum, row, z)        ((vu)_mm512_dpbusd_epi32((__m512i)(sum), (__m512i)(z), (__m512i)(row)))
#define bytes_difference(sum, row, z) ((vu)add_differences((__m512i)(sum), (__m512i)(row), (__m512i)(z)))

static inline __m512i add_differences(__m512i sum, __m512i x, __m512i z)
{
    __m512i difference = _mm512_sub_epi8(_mm512_max_epu8(x, z), _mm512_min_epu8(x, z));
    return _mm512_dpbusd_epi32(sum, difference, _mm512_set1_epi8(1));
}

#include "kernel/block_vector.h"

#else
typedef int pt_no_avx512; /* an empty translation unit is not C */
#endif
