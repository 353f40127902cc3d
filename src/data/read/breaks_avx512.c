/* Breaks for AVX-512 (BW). */
#if defined(PT_HAVE_X86_ISA)

#include <immintrin.h>

#include "data/read/breaks.h"

void pt_mark_breaks_avx512(const char *text, size_t blocks, uint64_t *marks)
{
    const __m512i blank = _mm512_set1_epi8(' '), colon = _mm512_set1_epi8(':');
    for (size_t i = 0; i < blocks; i++) {
        __m512i bytes = _mm512_loadu_si512(text + 64 * i);
        marks[i] = _mm512_cmple_epu8_mask(bytes, blank) | _mm512_cmpeq_epi8_mask(bytes, colon);
    }
}

#else
typedef int pt_no_breaks_avx512; /* a file must not be empty */
#endif
