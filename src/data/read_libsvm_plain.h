/* LIBSVM text as most files have it: single blanks, indices of at most eight digits, no comments. Such lines are read
 * without a branch for every byte: where tokens end is known beforehand (breaks.h), and the digits of an index and of
 * its value are taken all at once. Anything else, mistakes above all, is left to read_libsvm.c.
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

#include "data/breaks.h"
#include "data/read_libsvm.h"
#include "data/scan.h"

static inline bool read_index(const char *end, size_t count, uint32_t *index)
{
    uint64_t digits = pt_digits_before(end, count);
    *index = pt_eight_digits(digits);
    return !pt_other_than_digits(digits);
}

/* A value that is not written as d or d.ddd. */
static bool read_other_value(const pt_piece *piece, const char *p, const char *end, float *value)
{
    double number;
    if (pt_scan_real(p, piece->end, &number) != end || end == p)
        return false;
    *value = (float)number;
    return isfinite(*value);
}

/* The pair with its colon at `colon`, from p on up to `end`. */
static inline bool read_pair(const pt_piece *piece, const char *p, const char *colon, const char *end, uint32_t *index,
                             float *value)
{
    static const double powers[2][PLAIN_DECIMALS + 1] = {
        {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15},
        {-1e0, -1e1, -1e2, -1e3, -1e4, -1e5, -1e6, -1e7, -1e8, -1e9, -1e10, -1e11, -1e12, -1e13, -1e14, -1e15}};
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
    size_t length = (size_t)(colon - p), negative = colon[1] == '-';
    const char *number = colon + 1 + negative;
    size_t decimals = (size_t)(end - number) - 2;
    uint64_t first = (uint64_t)(*number - '0');
    struct digits found;
    if (length - 1 >= 8)
        return false;
    if (end - colon == 2) { /* one digit */
        *value = (float)(int64_t)first;
        return read_index(colon, length, index) && first < 10;
    }
    if (first < 10 && number[1] == '.' && decimals <= PLAIN_DECIMALS
        && read_digits(colon, length, end, decimals, &found)) {
        uint64_t mantissa = first * shifts[decimals] + found.fraction;
        *index = found.index;
        *value = (float)((double)(int64_t)mantissa / powers[negative][decimals]);
        if (mantissa <= (uint64_t)1 << 53) /* exact in double, as the power is: it was rounded correctly */
            return true;
    }
    return read_index(colon, length, index) && read_other_value(piece, colon + 1, end, value);
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
