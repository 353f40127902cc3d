/* Scanning of text in which every line is ended by a line feed, so that loops stop without looking for the end. */
#ifndef PT_SCAN_H
#define PT_SCAN_H

#include <string.h>

#include "core/number.h"

static inline const char *pt_skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

static inline bool pt_at_line_end(const char *p)
{
    return *p == '\n' || (*p == '\r' && p[1] == '\n');
}

/* ---- Eight bytes at a time ---- */

/* The first byte is the lowest. */
static inline uint64_t pt_eight_bytes(const char *p)
{
    uint64_t bytes = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(&bytes, p, sizeof bytes);
#else
    for (unsigned i = 0; i < 8; i++)
        bytes |= (uint64_t)(unsigned char)p[i] << 8 * i;
#endif
    return bytes;
}

/* How many bytes there are below the lowest one with its highest bit set, up to 8. Only highest bits may be set. */
static inline unsigned pt_bytes_below(uint64_t mark)
{
#if defined(__GNUC__)
    return mark ? (unsigned)__builtin_ctzll(mark) / 8 : 8;
#else
    uint64_t below = ((mark & (0 - mark)) >> 7) - 1, ones = 0x0101010101010101;
    return (unsigned)(((below & ones) * ones) >> 56);
#endif
}

/* Digits are 0 .. 9 in bytes of their own after an exclusive or with this, and all other characters are more. */
#define PT_ZERO_DIGITS ((uint64_t)0x3030303030303030)

/* The highest bit of every byte that is no digit, at least up to the first one. */
static inline uint64_t pt_other_than_digits(uint64_t digits)
{
    return (digits | (digits + 0x7676767676767676)) & 0x8080808080808080;
}

/* The number that eight digits are: tens and ones are added to pairs, pairs to fours, fours to all. */
static inline uint32_t pt_eight_digits(uint64_t digits)
{
    digits = digits * 10 + (digits >> 8);
    uint64_t even = digits & 0x000000ff000000ff, odd = digits >> 16 & 0x000000ff000000ff;
    uint64_t sum = even * (100 + ((uint64_t)1000000 << 32)) + odd * (1 + ((uint64_t)10000 << 32));
    return (uint32_t)(sum >> 32);
}

/* The `count` bytes before `end` as digits of a number with leading zeros. */
static inline uint64_t pt_digits_before(const char *end, size_t count)
{
    static const uint64_t last[] = {0,
                                    0xff00000000000000,
                                    0xffff000000000000,
                                    0xffffff0000000000,
                                    0xffffffff00000000,
                                    0xffffffffff000000,
                                    0xffffffffffff0000,
                                    0xffffffffffffff00,
                                    0xffffffffffffffff};
    return (pt_eight_bytes(end - 8) ^ PT_ZERO_DIGITS) & last[count];
}

/* A run of up to eight digits. */
typedef struct pt_digits {
    unsigned count;
    uint32_t value;
} pt_digits;

/* The digits at p, of which eight bytes may be read. */
static inline pt_digits pt_scan_digits(const char *p)
{
    uint64_t digits = pt_eight_bytes(p) ^ PT_ZERO_DIGITS;
    unsigned count = pt_bytes_below(pt_other_than_digits(digits));
    digits = count == 8 ? digits : digits << (56 - 8 * count) << 8; /* zeros lead */
    return (pt_digits){count, pt_eight_digits(digits)};
}

/* ---- Numbers ---- */

/* pt_parse_real, for text with eight bytes behind it that may be read, and for the numbers that make up most files: at
 * most 19 digits, up to 2^53 without their dot, and an exponent of at most two. Digits and power of ten are exact in
 * double then, so that one operation rounds correctly. */
static inline const char *pt_scan_real(const char *p, const char *end, double *value)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    static const uint32_t shifts[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    const char *start = p;
    bool negative = *p == '-';
    p += negative || *p == '+';
    const char *digits = p;
    uint64_t mantissa = 0;
    unsigned digit;
    for (; (digit = (unsigned)(*p - '0')) < 10; p++)
        mantissa = mantissa * 10 + digit;
    ptrdiff_t count = p - digits, decimals = 0;
    if (*p == '.') {
        const char *first = ++p;
        pt_digits run;
        do {
            run = pt_scan_digits(p);
            mantissa = mantissa * shifts[run.count] + run.value;
            p += run.count;
        } while (run.count == 8);
        decimals = p - first;
        count += decimals;
    }
    ptrdiff_t scale = -decimals;
    if ((*p | 0x20) == 'e') {
        const char *q = p + 1;
        bool down = *q == '-';
        q += down || *q == '+';
        pt_digits run = pt_scan_digits(q);
        if (run.count == 0 || run.count > 2)
            return pt_parse_real(start, end, value);
        scale += down ? -(ptrdiff_t)run.value : (ptrdiff_t)run.value;
        p = q + run.count;
    }
    if (count == 0 || count > 19 || mantissa > (uint64_t)1 << 53 || scale < -22 || scale > 22)
        return pt_parse_real(start, end, value);
    double magnitude = (double)(int64_t)mantissa;
    if (scale < 0)
        magnitude /= powers[-scale];
    else if (scale > 0)
        magnitude *= powers[scale];
    *value = negative ? -magnitude : magnitude;
    return p;
}

#endif
