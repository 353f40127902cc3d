/* Plain LIBSVM lines for AVX2. */
#if defined(PT_HAVE_X86_ISA)

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLAIN_LINES pt_plain_lines_avx2
enum { PLAIN_DECIMALS = 15 };

struct digits {
    uint32_t index;
    uint64_t fraction;
};

static inline __m256i two(const void *low, const void *high)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)low)),
                                   _mm_loadu_si128((const __m128i *)high), 1);
}

/* Index and decimals in the two halves of a vector, 16 digits each with leading zeros: digits are added to pairs, pairs
 * to fours, fours to eights. */
static inline bool read_digits(const char *index_end, size_t index_digits, const char *value_end, size_t decimals,
                               struct digits *found)
{
    static const unsigned char last[32] = {0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
                                           0,   0,   0,   0,   0,   255, 255, 255, 255, 255, 255,
                                           255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    __m256i digits = _mm256_sub_epi8(two(index_end - 16, value_end - 16), _mm256_set1_epi8('0'));
    digits = _mm256_and_si256(digits, two(last + index_digits, last + decimals));
    __m256i others = _mm256_subs_epu8(digits, _mm256_set1_epi8(9));
    __m256i pairs = _mm256_maddubs_epi16(digits, _mm256_set1_epi16(10 | 1 << 8));
    __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(100 | 1 << 16));
    __m256i eights = _mm256_madd_epi16(_mm256_packus_epi32(fours, fours), _mm256_set1_epi32(10000 | 1 << 16));
    uint64_t decimal = (uint64_t)_mm_cvtsi128_si64(_mm256_extracti128_si256(eights, 1));
    found->index = (uint32_t)((uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(eights)) >> 32);
    found->fraction = (uint64_t)100000000 * (uint32_t)decimal + (decimal >> 32);
    return _mm256_testz_si256(others, others);
}

#include "data/read/libsvm_plain.h"

#else
typedef int pt_no_plain_lines_avx2; /* a file must not be empty */
#endif
