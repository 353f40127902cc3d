/* The kernels' instructions for AVX-512 (F, BW, DQ, VL, VPOPCNTDQ and VNNI). */
#if defined(PT_HAVE_X86_ISA)

#include <immintrin.h>

#include "kernel/block.h"

#define VECTOR_BYTES    64
#define WIDE_TILES      2
#define WIDE_COLUMNS    8
#define NARROW_TILES    4
#define INSTRUCTION_SET pt_instructions_avx512
#define HAVE_DIGITS

#define vector_max(a, b)        ((vf)_mm512_max_ps((__m512)(a), (__m512)(b)))
#define vector_min_double(a, b) ((vd)_mm512_min_pd((__m512d)(a), (__m512d)(b)))
#define vector_greater(a, b, x, y)                                                                                     \
    ((vf)_mm512_mask_mov_ps((__m512)(y), _mm512_cmp_ps_mask((__m512)(a), (__m512)(b), _CMP_GT_OQ), (__m512)(x)))
#define vector_widen(h) ((vd)_mm512_cvtps_pd((__m256)(h)))
#define vector_narrow(low, high)                                                                                       \
    ((vf)_mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps((__m512d)(low))), _mm512_cvtpd_ps((__m512d)(high)), \
                            1))
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

#define HAVE_DECAY
#define vector_decay(y) ((vf)decay((__m512)(y)))

/* 2^(i/32), i = 0 .. 31 */
static const float powers[32] = {
    0x1.0p0f,      0x1.059b0ep0f, 0x1.0b5586p0f, 0x1.11301ep0f, 0x1.172b84p0f, 0x1.1d4874p0f, 0x1.2387a6p0f,
    0x1.29e9ep0f,  0x1.306fep0f,  0x1.371a74p0f, 0x1.3dea64p0f, 0x1.44e086p0f, 0x1.4bfdaep0f, 0x1.5342b6p0f,
    0x1.5ab07ep0f, 0x1.6247ecp0f, 0x1.6a09e6p0f, 0x1.71f75ep0f, 0x1.7a1148p0f, 0x1.82589ap0f, 0x1.8ace54p0f,
    0x1.93737cp0f, 0x1.9c4918p0f, 0x1.a5503cp0f, 0x1.ae89fap0f, 0x1.b7f77p0f,  0x1.c199bep0f, 0x1.cb720ep0f,
    0x1.d5818ep0f, 0x1.dfc974p0f, 0x1.ea4afap0f, 0x1.f50766p0f};

/* 2^-y for y >= 0, infinity included: y = n + r with n a multiple of 1/32 and |r| <= 1/64. The fraction of -n picks
 * from a table in two registers, its integer part goes to the exponent, and 2^-r - 1 is a polynomial of degree 2 (error
 * below 6e-8); in all 1.6e-7 at most. */
static inline __m512 decay(__m512 y)
{
    const __m512 magic = _mm512_set1_ps(0x1.8p18f); /* rounds to 1/32: the low bits of the sum are the fraction of -n */
    __m512 shifted = _mm512_sub_ps(magic, y);
    __m512 n = _mm512_sub_ps(shifted, magic);
    __m512 r = _mm512_reduce_ps(y, 5 << 4);
    __m512 power =
        _mm512_permutex2var_ps(_mm512_loadu_ps(powers), _mm512_castps_si512(shifted), _mm512_loadu_ps(powers + 16));
    __m512 p = _mm512_fmadd_ps(r, _mm512_set1_ps(0.24022651f), _mm512_set1_ps(-0.69315734f));
    p = _mm512_fmadd_ps(power, _mm512_mul_ps(p, r), power);
    return _mm512_scalef_ps(p, n);
}

#include "kernel/isa/vector.h"

#else
typedef int pt_no_avx512; /* an empty translation unit is not C */
#endif
