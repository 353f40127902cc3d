/* Where tokens end: the bytes of a text that are blanks, control characters or colons, as bits. */
#ifndef PT_BREAKS_H
#define PT_BREAKS_H

#include <stddef.h>
#include <stdint.h>

#include "core/isa.h"

/* marks[i] gets bit j when the byte 64 i + j of the text is such a one, for i = 0 .. blocks-1. */
typedef void pt_mark_breaks(const char *text, size_t blocks, uint64_t *marks);

/* The fastest one that the instruction set allows. */
pt_mark_breaks *pt_breaks_for(pt_isa isa);
extern pt_mark_breaks pt_mark_breaks_portable, pt_mark_breaks_avx2, pt_mark_breaks_avx512;

/* Goes from break to break. */
typedef struct pt_breaks {
    const char *text;      /* of the block */
    const uint64_t *marks; /* of the block */
    uint64_t left;         /* what was not visited yet of them */
} pt_breaks;

static inline pt_breaks pt_breaks_from(const char *text, const uint64_t *marks, size_t place)
{
    return (pt_breaks){text + place / 64 * 64, marks + place / 64, marks[place / 64] & ~(uint64_t)0 << place % 64};
}

/* The place of the lowest bit that is set, of one at least. */
static inline unsigned pt_lowest_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(bits);
#else
    unsigned place = 0;
    while (!(bits >> place & 1))
        place++;
    return place;
#endif
}

/* The next one. There must be one. */
static inline const char *pt_breaks_next(pt_breaks *breaks)
{
    while (breaks->left == 0) {
        breaks->left = *++breaks->marks;
        breaks->text += 64;
    }
    const char *found = breaks->text + pt_lowest_bit(breaks->left);
    breaks->left &= breaks->left - 1;
    return found;
}

#endif
