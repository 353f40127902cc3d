/* Scanning of text in which every line is ended by a line feed, so that loops stop without looking for the end. */
#ifndef PT_SCAN_H
#define PT_SCAN_H

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

/* pt_parse_real for the numbers that make up most files: up to 15 digits, at most 15 of them decimals, no exponent.
 * The digits and the power of ten are exact in double, so one division rounds correctly. */
static inline const char *pt_scan_real(const char *p, const char *end, double *value)
{
    static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
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
        for (; (digit = (unsigned)(*p - '0')) < 10; p++)
            mantissa = mantissa * 10 + digit;
        decimals = p - first;
        count += decimals;
    }
    if (count == 0 || count > 15 || *p == 'e' || *p == 'E')
        return pt_parse_real(start, end, value);
    double magnitude = (double)(int64_t)mantissa;
    if (decimals > 0)
        magnitude /= powers[decimals];
    *value = negative ? -magnitude : magnitude;
    return p;
}

#endif
