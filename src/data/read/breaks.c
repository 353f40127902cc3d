#include "data/read/breaks.h"

#include "data/read/scan.h"

/* The highest bit of every byte that is zero, of bytes below 128. */
static uint64_t zeros(uint64_t bytes)
{
    return (0x8080808080808080 - bytes) & 0x8080808080808080;
}

static uint64_t mark_eight(const char *text)
{
    const uint64_t ones = 0x0101010101010101, high = 0x80 * ones;
    uint64_t bytes = pt_eight_bytes(text), low = bytes & ~high;
    uint64_t above = low + (0x7f - 0x20) * ones; /* highest bit: more than a blank */
    uint64_t marks = (~above | zeros(low ^ ':' * ones)) & ~bytes & high;
    return ((marks >> 7) * 0x0102040810204080) >> 56; /* the highest bits, side by side */
}

void pt_mark_breaks_portable(const char *text, size_t blocks, uint64_t *marks)
{
    for (size_t i = 0; i < blocks; i++) {
        uint64_t mark = 0;
        for (unsigned j = 0; j < 64; j += 8)
            mark |= mark_eight(text + 64 * i + j) << j;
        marks[i] = mark;
    }
}

pt_mark_breaks *pt_breaks_for(pt_isa isa)
{
    switch (isa) {
#if defined(PT_HAVE_X86_ISA)
    case PT_ISA_AVX512:
        return pt_mark_breaks_avx512;
    case PT_ISA_AVX2:
        return pt_mark_breaks_avx2;
#endif
    default:
        return pt_mark_breaks_portable;
    }
}
