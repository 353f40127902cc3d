/* What AVX-512 can do, with its population count (VPOPCNTDQ) and its sums of products of bytes (VNNI). */
#include <immintrin.h>

#define VECTOR_BYTES          64
#define CHAINS                16
#define RATE(name)            rate_avx512_##name
#define count_bits(v)         ((vu)_mm512_popcnt_epi32((__m512i)(v)))
#define add_products(s, x, z) ((vu)_mm512_dpbusd_epi32((__m512i)(s), (__m512i)(x), (__m512i)(z)))
#define HAVE_PRODUCTS

#include "rate.h"
