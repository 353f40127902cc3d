/* Numbers from text, by the shortest exact way: one correctly rounded operation on exact operands (Clinger),
 * then twice the precision with a check that the rounding is certain (Ziv), then the C library on a normalised copy. */
#include "core/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if FLT_EVAL_METHOD != 0
#error "numbers are read and written by exact double arithmetic: compile with SSE2 or the like, not x87"
#endif

enum {
    WORD_DIGITS = 19,      /* decimal digits that always fit 64 bits */
    POWERS = 23,           /* 10^0 .. 10^22 are exact in double */
    DECISIVE_DIGITS = 800, /* no double needs more than 767 digits to be told from its neighbours */
    EXPONENT_LIMIT = 99999 /* beyond it everything is zero or infinite, whatever the digits */
};

static const double powers[POWERS] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* mantissa * 10^exponent10 in more than 90 bits, |exponent10| < POWERS; false when they do not decide the rounding. */
static bool scale_wide(uint64_t mantissa, int64_t exponent10, double *value)
{
    double high = (double)(mantissa & ~(uint64_t)0x7ff); /* 53 bits: exact */
    double low = (double)(mantissa & 0x7ff);
    double first, second;
    if (exponent10 < 0) {
        double divisor = powers[-exponent10];
        first = high / divisor;
        second = (fma(-first, divisor, high) + low) / divisor;
    } else {
        double factor = powers[exponent10];
        first = high * factor;
        second = fma(high, factor, -first) + low * factor;
    }
    double doubt = first * 0x1p-90; /* second is below 2^-41 first, and has a few roundings of 2^-53 in it */
    *value = first + (second + doubt);
    return *value == first + (second - doubt);
}

/* digits * 10^exponent10 by the C library; the exponent is written behind the digits. */
static double scale_text(char *digits, size_t count, int64_t exponent10)
{
    if (exponent10 > EXPONENT_LIMIT)
        exponent10 = EXPONENT_LIMIT;
    if (exponent10 < -EXPONENT_LIMIT)
        exponent10 = -EXPONENT_LIMIT;
    snprintf(digits + count, 16, "e%d", (int)exponent10);
    return strtod(digits, NULL); /* no decimal point in it: no locale matters */
}

/* The slow way: [p, end) holds digits with at most one dot, exponent10 is that of the whole number. */
static double read_digits(const char *p, const char *end, int64_t exponent10)
{
    char digits[DECISIVE_DIGITS + 1 + 16];
    size_t count = 0;
    int64_t dropped = 0, decimals = 0;
    bool after_dot = false, sticky = false;
    for (; p < end; p++) {
        if (*p == '.') {
            after_dot = true;
            continue;
        }
        decimals += after_dot;
        if (count == 0 && *p == '0')
            continue;
        if (count < DECISIVE_DIGITS) {
            digits[count++] = *p;
        } else {
            dropped++;
            sticky |= *p != '0';
        }
    }
    if (count == 0)
        return 0;
    int64_t scale = exponent10 - decimals + dropped;
    if (sticky) { /* something nonzero follows: one more digit says so */
        digits[count++] = '1';
        scale--;
    }
    return scale_text(digits, count, scale);
}

/* An exponent at p, its "e" included; returns p itself when there is none. */
static const char *read_exponent(const char *p, const char *end, int64_t *exponent10)
{
    const char *q = p + 1;
    bool negative = q < end && *q == '-';
    if (q < end && (*q == '-' || *q == '+'))
        q++;
    if (q == end || !is_digit(*q))
        return p;
    int64_t number = 0;
    for (; q < end && is_digit(*q); q++)
        if (number < INT64_MAX / 100)
            number = number * 10 + (*q - '0');
    *exponent10 = negative ? -number : number;
    return q;
}

const char *pt_parse_real(const char *p, const char *end, double *value)
{
    const char *start = p;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        p++;

    const char *digits = p;
    uint64_t mantissa = 0;
    while (p < end && is_digit(*p))
        mantissa = mantissa * 10 + (uint64_t)(*p++ - '0');
    int64_t count = p - digits, decimals = 0;
    if (p < end && *p == '.') {
        const char *dot = p++;
        while (p < end && is_digit(*p))
            mantissa = mantissa * 10 + (uint64_t)(*p++ - '0');
        decimals = p - dot - 1;
        count += decimals;
    }
    if (count == 0)
        return start;
    const char *digits_end = p;
    int64_t exponent10 = 0;
    if (p < end && (*p == 'e' || *p == 'E'))
        p = read_exponent(p, end, &exponent10);

    double magnitude;
    int64_t scale = exponent10 - decimals;
    if (count <= WORD_DIGITS && scale > -POWERS && scale < POWERS) {
        if (mantissa <= (uint64_t)1 << 53)
            magnitude = scale < 0 ? (double)mantissa / powers[-scale] : (double)mantissa * powers[scale];
        else if (!scale_wide(mantissa, scale, &magnitude))
            magnitude = read_digits(digits, digits_end, exponent10);
    } else {
        magnitude = read_digits(digits, digits_end, exponent10);
    }
    *value = negative ? -magnitude : magnitude;
    return p;
}

bool pt_text_to_real(const char *text, double *value)
{
    const char *end = text + strlen(text);
    double number;
    if (end == text || pt_parse_real(text, end, &number) != end || !isfinite(number))
        return false;
    *value = number;
    return true;
}

bool pt_text_to_unsigned(const char *text, uint64_t *value)
{
    if (*text == '+')
        text++;
    uint64_t number = 0;
    const char *p = text;
    for (; is_digit(*p); p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (number > (UINT64_MAX - digit) / 10)
            return false;
        number = number * 10 + digit;
    }
    if (p == text || *p)
        return false;
    *value = number;
    return true;
}

bool pt_text_to_integer(const char *text, int64_t *value)
{
    bool negative = *text == '-';
    uint64_t magnitude;
    if (negative && !is_digit(*++text))
        return false;
    if (!pt_text_to_unsigned(text, &magnitude) || magnitude > (uint64_t)INT64_MAX + negative)
        return false;
    *value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return true;
}
