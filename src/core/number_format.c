/* Numbers to text: the shortest that reads back. The digits come from double arithmetic, for doubles in twice the
 * precision; where its rounding could matter, the C library and a trial decide. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"

#if FLT_EVAL_METHOD != 0
#error "numbers are read and written by exact double arithmetic: compile with SSE2 or the like, not x87"
#endif

/* 10^0 .. 10^22 are exact. */
/* clang-format off */
static const double powers[] = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e23,
    1e24, 1e25, 1e26, 1e27, 1e28, 1e29, 1e30, 1e31, 1e32, 1e33, 1e34, 1e35,
    1e36, 1e37, 1e38, 1e39, 1e40, 1e41, 1e42, 1e43, 1e44, 1e45, 1e46, 1e47,
    1e48, 1e49, 1e50, 1e51, 1e52, 1e53,
};
/* clang-format on */

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* mantissa / 10^decimals in plain notation. */
static size_t put_decimal(char *buffer, bool negative, uint64_t mantissa, int decimals)
{
    char digits[PT_NUMBER_SIZE]; /* filled from its end */
    char *end = digits + sizeof digits, *p = end;
    if (decimals > 0) {
        for (; decimals > 0; decimals--, mantissa /= 10)
            *--p = (char)('0' + mantissa % 10);
        *--p = '.';
    }
    do
        *--p = (char)('0' + mantissa % 10);
    while (mantissa /= 10);
    if (negative)
        *--p = '-';
    size_t length = (size_t)(end - p);
    memcpy(buffer, p, length);
    buffer[length] = '\0';
    return length;
}

/* A number of `count` digits with a dot after the first of them and an exponent of two digits. */
static size_t put_scientific(char *buffer, bool negative, uint64_t digits, int count, int exponent)
{
    char *out = buffer;
    for (; count > 1 && digits % 10 == 0; count--)
        digits /= 10;
    if (negative)
        *out++ = '-';
    for (int i = count; i > 1; i--, digits /= 10)
        out[i] = (char)('0' + digits % 10);
    out[0] = (char)('0' + digits);
    if (count > 1)
        out[1] = '.';
    out += count > 1 ? count + 1 : 1;
    int size = exponent < 0 ? -exponent : exponent;
    out[0] = 'e';
    out[1] = exponent < 0 ? '-' : '+';
    out[2] = (char)('0' + size / 10);
    out[3] = (char)('0' + size % 10);
    out[4] = '\0';
    return (size_t)(out + 4 - buffer);
}

/* The greatest t with 10^t <= 2^(e + 1), where 2^e <= magnitude < 2^(e + 1): so 10^(t - 1) < magnitude < 10^(t + 1). */
static int upper_exponent(double magnitude)
{
    uint64_t bits;
    memcpy(&bits, &magnitude, sizeof bits);
    int e = (int)(bits >> 52) - 1023;
    return (int)((e + 1) * 0.30102999566398120 + 64) - 64; /* floor above -64, below which nobody needs it exactly */
}

/* ---- Doubles ---- */

/* Whole numbers and short decimals without the C library: the fewest decimals that read back, as long as the digits are
 * less than `most`. Returns 0 when this is not such a number. */
static size_t format_short(char *buffer, double value, double most)
{
    double magnitude = fabs(value);
    if (magnitude < 1e-4 && value != 0)
        return 0;
    for (int decimals = 0; decimals < 14; decimals++) {
        double scaled = magnitude * powers[decimals];
        if (!(scaled < most))
            return 0;
        uint64_t digits = (uint64_t)(scaled + 0.5);
        double back = (double)digits / powers[decimals];
        if (back == magnitude)
            return put_decimal(buffer, signbit(value), digits, decimals);
    }
    return 0;
}

/* The first 17 digits of a number, and what they leave out in units of the last one, to 1e-9 or better. */
typedef struct long_digits {
    uint64_t digits;
    double rest; /* from -0.5 to 0.5 */
    int exponent;
} long_digits;

/* magnitude * 10^power in twice the precision: high is a whole number when it is at least 2^53. */
static void times_power_wide(double magnitude, int power, double *high, double *low)
{
    int first = power < 22 ? power : 22; /* exact; so is the first product as a sum of two */
    double product = magnitude * powers[first];
    *low = fma(magnitude, powers[first], -product);
    *high = product;
    if (power > 22) {
        double second = powers[power - 22];
        *high = product * second;
        *low = fma(product, second, -*high) + *low * second;
    }
}

/* False where 17 digits are not found so. */
static bool find_digits(double magnitude, long_digits *found)
{
    double high, low;
    int exponent = upper_exponent(magnitude);
    if (exponent > 15 || exponent < -27)
        return false;
    times_power_wide(magnitude, 16 - exponent, &high, &low);
    if (high < 1e16)
        times_power_wide(magnitude, 16 - --exponent, &high, &low);
    int64_t whole = (int64_t)low;
    double rest = low - (double)whole;
    int64_t up = rest > 0.5 ? 1 : rest < -0.5 ? -1 : 0;
    int64_t digits = (int64_t)high + whole + up;
    *found = (long_digits){(uint64_t)digits, rest - (double)up, exponent};
    return digits >= 10000000000000000 && digits < 100000000000000000 && fabs(fabs(rest) - 0.5) > 1e-9;
}

/* The text of `count` of the digits, rounded as printf rounds; 0 where their end leaves a doubt. */
static size_t put_some_digits(char *buffer, bool negative, const long_digits *all, int count)
{
    uint64_t unit = (uint64_t)powers[17 - count], digits = all->digits / unit, tail = all->digits % unit;
    int exponent = all->exponent;
    if (unit > 1 && 2 * tail == unit && fabs(all->rest) < 1e-9)
        return 0;
    digits += unit > 1 && (2 * tail > unit || (2 * tail == unit && all->rest > 0));
    if (digits == (uint64_t)powers[count]) {
        digits /= 10;
        exponent++;
    }
    if (exponent < -4 || exponent >= count)
        return put_scientific(buffer, negative, digits, count, exponent);
    int decimals = count - 1 - exponent;
    for (; decimals > 0 && digits % 10 == 0; decimals--)
        digits /= 10;
    return put_decimal(buffer, negative, digits, decimals);
}

/* The fewest digits from 15 on that read back; 0 where it takes printf to know them. */
static size_t format_long(char *buffer, double value)
{
    long_digits all;
    if (!find_digits(fabs(value), &all))
        return 0;
    size_t length = 0;
    double back = 0;
    for (int count = 15; count <= 17 && (count == 15 || (length > 0 && back != value)); count++) {
        length = put_some_digits(buffer, signbit(value), &all, count);
        pt_parse_real(buffer, buffer + length, &back);
    }
    return length;
}

/* ---- Floats ---- */

/* Floats in plain notation. Up to six digits survive a float, so that rounding to six finds any shorter text with zeros
 * behind it, and the trials begin there. */
static size_t format_plain_float(char *buffer, float value)
{
    double magnitude = fabs((double)value);
    int decimals = 0;
    while (magnitude * powers[decimals] < 1e5)
        decimals++;
    for (;; decimals++) {
        double scaled = magnitude * powers[decimals];
        if (!(scaled < 1e9))
            return 0;
        uint64_t digits = (uint64_t)(int64_t)(scaled + 0.5);
        if ((float)((double)(int64_t)digits / powers[decimals]) != (float)magnitude)
            continue;
        for (; decimals > 0 && digits % 10 == 0; decimals--)
            digits /= 10;
        return put_decimal(buffer, signbit(value), digits, decimals);
    }
}

static double times_power(double number, int exponent)
{
    return exponent < 0 ? number / powers[-exponent] : number * powers[exponent];
}

/* Floats with an exponent. Products have relative errors below 2^-51: 1e-6 in the digits, of which there are at most
 * nine before the dot, and less than 2^-50 in what is read back. Returns 0 where that leaves a doubt. */
static size_t format_scientific_float(char *buffer, float value)
{
    double magnitude = fabs((double)value);
    int exponent = upper_exponent(magnitude);
    exponent -= times_power(magnitude, 5 - exponent) < 1e5;
    for (int count = 6; count <= 9; count++) {
        int power = count - 1 - exponent;
        double scaled = times_power(magnitude, power), whole = (double)(int64_t)scaled, rest = scaled - whole;
        if (fabs(rest - 0.5) < 1e-6)
            return 0;
        double digits = whole + (rest > 0.5), back = times_power(digits, -power);
        float low = (float)(back * (1 - 0x1p-50)), high = (float)(back * (1 + 0x1p-50));
        if (low != high)
            return 0;
        if (low != (float)magnitude)
            continue;
        bool carried = digits == powers[count];
        if (carried && exponent + 1 == -4) /* which has no exponent any more */
            return put_decimal(buffer, signbit(value), 1, 4);
        return put_scientific(buffer, signbit(value), (uint64_t)(carried ? digits / 10 : digits), count,
                              exponent + carried);
    }
    return 0;
}

static size_t format_special(char *buffer, double value)
{
    strcpy(buffer, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    return strlen(buffer);
}

/* %.*g with a dot for a decimal point, whatever the locale. */
static size_t format_general(char *buffer, int precision, double value)
{
    char text[PT_NUMBER_SIZE * 2];
    snprintf(text, sizeof text, "%.*g", precision, value);
    size_t length = 0;
    bool pointed = false;
    for (const char *p = text; *p && length < PT_NUMBER_SIZE - 1; p++) {
        bool plain = is_digit(*p) || *p == '-' || *p == '+' || *p == 'e';
        if (plain)
            buffer[length++] = *p;
        else if (!pointed)
            buffer[length++] = '.';
        pointed = pointed || !plain; /* a locale's decimal point may be several bytes long */
    }
    buffer[length] = '\0';
    return length;
}

size_t pt_format_real(char *buffer, double value)
{
    if (!isfinite(value))
        return format_special(buffer, value);
    size_t length = format_short(buffer, value, 1e15);
    if (length == 0)
        length = format_long(buffer, value);
    for (int precision = 15; length == 0; precision++) {
        double back;
        size_t attempt = format_general(buffer, precision, value);
        pt_parse_real(buffer, buffer + attempt, &back);
        if (back == value || precision == 17)
            length = attempt;
    }
    return length;
}

size_t pt_format_float(char *buffer, float value)
{
    if (!isfinite(value))
        return format_special(buffer, (double)value);
    float magnitude = fabsf(value);
    if (magnitude == 0)
        return put_decimal(buffer, signbit(value), 0, 0);
    bool plain = magnitude > 1e-4f && magnitude < 1e9f; /* 1e-4f is less than 0.0001 */
    size_t length = plain ? format_plain_float(buffer, value) : format_scientific_float(buffer, value);
    for (int precision = 6; length == 0; precision++) {
        double back;
        size_t attempt = format_general(buffer, precision, (double)value);
        pt_parse_real(buffer, buffer + attempt, &back);
        if ((float)back == value || precision == 9)
            length = attempt;
    }
    return length;
}

size_t pt_format_unsigned(char *buffer, uint64_t value)
{
    return put_decimal(buffer, false, value, 0);
}
