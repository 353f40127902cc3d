/* Breaks for AVX2. */
#if defined(PT_HAVE_X86_ISA)

#include <immintrin.h>

#include "data/read/breaks.h"

void pt_mark_breaks_avx2(const char *text, size_t blocks, uint64_t *marks)
{
    const __m256i blank = _mm256_set1_epi8(' '), colon = _mm256_set1_epi8(':');
    for (size_t i = 0; i < blocks; i++) {
        uint64_t mark = 0;
        for (unsigned j = 0; j < 64; j += 32) {
            __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)(text + 64 * i + j));
            __m256i low = _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, blank), bytes);
            __m256i found = _mm256_or_si256(low, _mm256_cmpeq_epi8(bytes, colon));
            mark |= (uint64_t)(uint32_t)_mm256_movemask_epi8(found) << j;
        }
        marks[i] = mark;
    }
}

#else
typedef int pt_no_breaks_avx2; /* a file must not be empty */
#endif
