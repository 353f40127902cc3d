/* LIBSVM text as most files have it: single blanks, indices of at most eight digits, no comments. Such lines are read
 * without a branch for every byte: where tokens end is known beforehand (breaks.h), and the digits of an index and of
 * its value are taken all at once. Anything else, mistakes above all, is left to libsvm.c.
 *
 * A template, included once for each instruction set by a file that defines PLAIN_LINES, the name of the function, and
 * before it
 *
 *     static inline bool read_digits(const char *index_end, size_t index_digits,
 *                                    const char *value_end, size_t decimals, struct digits *found);
 *
 * which makes numbers of up to eight and up to PLAIN_DECIMALS digits, 32 bytes before which may be read; false when
 * some are none. */
#include <math.h>

#include "data/read/breaks.h"
#include "data/read/libsvm.h"
#include "data/read/scan.h"

/* The `count` digits before `end`, up to eight. */
static inline bool read_number(const char *end, size_t count, uint32_t *number)
{
    uint64_t digits = pt_digits_before(end, count);
    *number = pt_eight_digits(digits);
    return !pt_other_than_digits(digits);
}

/* The number d.ddd or -d.ddd after the colon, with its decimals up to `end`, times 10^-down; and the index before the
 * colon, of `length` digits. Digits and power of ten are exact in double, so that the quotient is rounded correctly. */
static inline bool read_decimals(const char *colon, size_t length, const char *end, size_t down, uint32_t *index,
                                 float *value)
{
    static const double powers[2][23] = {{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                          1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22},
                                         {-1e0,  -1e1,  -1e2,  -1e3,  -1e4,  -1e5,  -1e6,  -1e7,
                                          -1e8,  -1e9,  -1e10, -1e11, -1e12, -1e13, -1e14, -1e15,
                                          -1e16, -1e17, -1e18, -1e19, -1e20, -1e21, -1e22}};
    static const uint64_t shifts[PLAIN_DECIMALS + 1] = {1,
                                                        10,
                                                        100,
                                                        1000,
                                                        10000,
                                                        100000,
                                                        1000000,
                                                        10000000,
                                                        100000000,
                                                        1000000000,
                                                        10000000000,
                                                        100000000000,
                                                        1000000000000,
                                                        10000000000000,
                                                        100000000000000,
                                                        1000000000000000};
    size_t negative = colon[1] == '-';
    const char *p = colon + 1 + negative;
    size_t decimals = (size_t)(end - p) - 2;
    uint64_t first = (uint64_t)(*p - '0');
    struct digits found;
    if (first >= 10 || p[1] != '.' || decimals > PLAIN_DECIMALS || decimals + down > 22
        || !read_digits(colon, length, end, decimals, &found))
        return false;
    uint64_t mantissa = first * shifts[decimals] + found.fraction;
    *index = found.index;
    *value = (float)((double)(int64_t)mantissa / powers[negative][decimals + down]);
    return mantissa <= (uint64_t)1 << 53;
}

/* A whole number of at most eight digits after the colon. */
static inline bool read_whole(const char *colon, const char *end, float *value)
{
    static const float signs[2] = {1, -1};
    size_t negative = colon[1] == '-', count = (size_t)(end - colon) - 1 - negative;
    if (count - 1 >= 8)
        return false;
    uint32_t number;
    bool right = read_number(end, count, &number);
    *value = signs[negative] * (float)number;
    return right;
}

/* The exponent e-dd at p, as a positive number; 99, which is too large, when there is none. */
static inline size_t read_exponent(const char *p)
{
    unsigned ten = (unsigned)(p[2] - '0'), one = (unsigned)(p[3] - '0');
    return (p[0] | 0x20) == 'e' && p[1] == '-' && ten < 10 && one < 10 ? 10 * ten + one : 99;
}

/* The pair from p on up to `end`. */
static inline bool read_pair(const pt_piece *piece, const char *p, const char *colon, const char *end, uint32_t *index,
                             float *value)
{
    size_t length = (size_t)(colon - p);
    if (length - 1 >= 8)
        return false;
    if (end - colon == 2) { /* one digit */
        unsigned digit = (unsigned)(colon[1] - '0');
        *value = (float)(int)digit;
        return read_number(colon, length, index) && digit < 10;
    }
    if (read_decimals(colon, length, end, 0, index, value)
        || read_decimals(colon, length, end - 4, read_exponent(end - 4), index, value))
        return true;
    double number;
    if (!read_number(colon, length, index))
        return false;
    if (read_whole(colon, end, value))
        return true;
    if (end - colon < 2 || pt_scan_real(colon + 1, piece->end, &number) != end)
        return false;
    *value = (float)number;
    return isfinite(*value);
}

/* The label [p, end), most often one digit with or without a sign, which nobody could guess. */
static inline bool read_label(const pt_piece *piece, const char *p, const char *end, double *label)
{
    int negative = *p == '-';
    int digit = p[negative | (*p == '+')] - '0';
    if ((unsigned)digit < 10 && end - p == 1 + (negative | (*p == '+'))) {
        *label = (double)(negative ? -1 : 1) * digit; /* -0 for -0 */
        return true;
    }
    return end > p && pt_scan_real(p, piece->end, label) == end && isfinite(*label);
}

/* The line at *line, after which *line is the next; false, and nothing is changed, when it is not plain. */
static inline bool read_line(pt_piece *piece, pt_breaks *breaks, const char **line)
{
    const char *p = *line, *stop = pt_breaks_next(breaks);
    double label;
    if (!read_label(piece, p, stop, &label))
        return false;
    int32_t *indices = piece->indices + piece->count;
    float *values = piece->values + piece->count;
    size_t count = 0;
    uint32_t last = 0;
    while (*stop == ' ') {
        p = stop + 1;
        stop = pt_breaks_next(breaks);
        if (stop == p) /* a blank at the end of the line, if it is one */
            break;
        const char *colon = stop;
        stop = pt_breaks_next(breaks);
        uint32_t index;
        if (*colon != ':' || !read_pair(piece, p, colon, stop, &index, &values[count]) || index <= last)
            return false;
        indices[count++] = (int32_t)(index - 1);
        last = index;
    }
    if (*stop != '\n')
        return false;
    piece->batch.labelled = true;
    pt_piece_add(piece, count, last, label, -1);
    piece->batch.lines++;
    *line = stop + 1;
    return true;
}

const char *PLAIN_LINES(pt_piece *piece, const char *line)
{
    pt_breaks breaks = pt_breaks_from(piece->text, piece->marks, (size_t)(line - piece->text));
    while (line < piece->end && read_line(piece, &breaks, &line)) {
    }
    return line;
}
