/* LIBSVM text: `label index:value index:value ...`, indices from 1, ascending; # begins a comment. With precomputed
 * kernels the first pair is 0:serial. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "data/read/breaks.h"
#include "data/read/libsvm.h"
#include "data/read/scan.h"

static bool ends_token(const char *p)
{
    return *p == ' ' || *p == '\t' || *p == '#' || pt_at_line_end(p);
}

static const char *token_end(const char *p)
{
    while (!ends_token(p))
        p++;
    return p;
}

/* ---- What is wrong, said at leisure ---- */

static bool refuse(pt_piece *piece, const char *p, const char *end, const char *expected)
{
    char quote[PT_QUOTE_SIZE];
    if (p == end)
        return pt_piece_trouble(piece, p, "found %s, expected %s",
                                *p == '#'           ? "a comment"
                                : pt_at_line_end(p) ? "the end of the line"
                                                    : "a blank",
                                expected);
    return pt_piece_trouble(piece, p, "found %s, expected %s", pt_quote(quote, p, end), expected);
}

static bool refuse_label(pt_piece *piece, const char *p)
{
    const char *end = token_end(p);
    if (memchr(p, ':', (size_t)(end - p)))
        return refuse(piece, p, end, "a label before the first pair");
    if (memchr(p, ',', (size_t)(end - p)))
        return refuse(piece, p, end, "a single number as label (lists of labels are not supported)");
    return refuse(piece, p, end, "a finite number as label");
}

static bool refuse_index(pt_piece *piece, const char *p, const char *colon, int64_t last)
{
    const char *end = token_end(p);
    bool digits = colon > p;
    if (!digits || *colon != ':') {
        bool negative = *p == '-' && p[1] >= '0' && p[1] <= '9';
        return refuse(piece, p, end, negative ? "an index from 1 to 2147483647" : "a pair index:value");
    }
    char quote[PT_QUOTE_SIZE];
    double index; /* not for use, and so may be rounded */
    pt_parse_real(p, colon, &index);
    if (index < 1 || index > INT32_MAX)
        return refuse(piece, p, colon, "an index from 1 to 2147483647");
    if (index == (double)last)
        return pt_piece_trouble(piece, p, "found index %s twice, expected ascending indices",
                                pt_quote(quote, p, colon));
    return pt_piece_trouble(piece, p, "found index %s after %lld, expected ascending indices",
                            pt_quote(quote, p, colon), (long long)last);
}

static bool refuse_value(pt_piece *piece, const char *p)
{
    const char *end = token_end(p);
    double value;
    if (p < end && pt_parse_real(p, end, &value) == end)
        return refuse(piece, p, end, "a value of at most 3.4e38, the range of float32");
    return refuse(piece, p, end, p == end ? "a value after the colon" : "a finite number as value");
}

static bool refuse_serial(pt_piece *piece, const char *p)
{
    return refuse(piece, p, token_end(p), "0:serial, the number (from 1) of the row of a precomputed kernel");
}

/* ---- Lines ---- */

/* The label at the start of a line, NaN where it may be and is missing. */
static const char *read_label(pt_piece *piece, const char *p, double *label)
{
    const char *end = pt_scan_real(p, piece->end, label);
    if (end > p && ends_token(end) && isfinite(*label)) {
        piece->batch.labelled = true;
        return end;
    }
    if (!piece->reader->options.unlabelled || !memchr(p, ':', (size_t)(token_end(p) - p))) {
        refuse_label(piece, p);
        return NULL;
    }
    *label = (double)NAN;
    return p;
}

static const char *read_serial(pt_piece *piece, const char *p, int64_t *serial)
{
    double number;
    const char *q = p + 2, *end = p;
    if (p[0] == '0' && p[1] == ':')
        end = pt_scan_real(q, piece->end, &number);
    if (end <= q || !ends_token(end) || !(number >= 1 && number <= INT32_MAX) || number != floor(number)) {
        refuse_serial(piece, p);
        return NULL;
    }
    *serial = (int64_t)number - 1;
    return end;
}

/* The pairs up to the line's end; returns where they end, NULL in case of trouble. */
static const char *read_pairs(pt_piece *piece, const char *p, size_t *pairs, size_t *features)
{
    int64_t last = 0;
    size_t count = 0;
    int32_t *indices = piece->indices + piece->count;
    float *values = piece->values + piece->count;
    for (;; count++) {
        p = pt_skip_blanks(p);
        if ((unsigned)(*p - '0') >= 10 && (*p == '#' || pt_at_line_end(p)))
            break;
        const char *token = p;
        int64_t index = 0;
        unsigned digit;
        for (; (digit = (unsigned)(*p - '0')) < 10 && index <= INT32_MAX; p++)
            index = index * 10 + digit;
        if (*p != ':' || index <= last || index > INT32_MAX) {
            while (*p >= '0' && *p <= '9')
                p++;
            refuse_index(piece, token, p, last);
            return NULL;
        }
        double value;
        const char *number = p + 1;
        p = pt_scan_real(number, piece->end, &value);
        if (p == number || !ends_token(p) || !isfinite((float)value)) {
            refuse_value(piece, number);
            return NULL;
        }
        indices[count] = (int32_t)(index - 1);
        values[count] = (float)value;
        last = index;
    }
    *pairs = count;
    *features = (size_t)last;
    return p;
}

static const char *read_row(pt_piece *piece, const char *p)
{
    double label;
    int64_t serial = 0;
    size_t count, features;
    p = read_label(piece, p, &label);
    if (p && piece->reader->options.precomputed)
        p = read_serial(piece, pt_skip_blanks(p), &serial);
    if (p)
        p = read_pairs(piece, p, &count, &features);
    if (p)
        pt_piece_add(piece, count, features, label, serial);
    return p;
}

/* Every pair has a colon. */
static size_t count_values(const pt_piece *piece, size_t lines)
{
    (void)lines;
    return pt_count_byte(piece->text, piece->end, ':');
}

/* Reads any one line, and returns the next; NULL in case of trouble. */
static const char *read_line(pt_piece *piece, const char *p)
{
    piece->line = p;
    p = pt_skip_blanks(p);
    if (*p != '#' && !pt_at_line_end(p))
        p = read_row(piece, p);
    if (!p)
        return NULL;
    piece->batch.lines++;
    return (const char *)memchr(p, '\n', (size_t)(piece->end - p)) + 1;
}

/* The reference does it all by the book. */
static bool mark_breaks(pt_piece *piece)
{
    const pt_reader *reader = piece->reader;
    size_t blocks = (size_t)(piece->end - piece->text) / 64 + 1;
    if (reader->options.precomputed || reader->context->isa == PT_ISA_REFERENCE)
        return false;
    if (pt_reserve(reader->context, (void **)&piece->marks, &piece->mark_capacity, 0, blocks, sizeof *piece->marks))
        return false; /* slower, but nothing is lost */
    pt_breaks_for(reader->context->isa)(piece->text, blocks, piece->marks);
    return true;
}

static pt_plain_lines *plain_lines_for(pt_isa isa)
{
#if defined(PT_HAVE_X86_ISA)
    if (isa == PT_ISA_AVX2 || isa == PT_ISA_AVX512)
        return pt_plain_lines_avx2;
#endif
    (void)isa;
    return pt_plain_lines_portable;
}

static void parse(pt_piece *piece)
{
    pt_plain_lines *plain_lines = plain_lines_for(piece->reader->context->isa);
    bool marked = mark_breaks(piece);
    const char *p = piece->text;
    while (p && p < piece->end) {
        if (marked)
            p = plain_lines(piece, p);
        if (p < piece->end)
            p = read_line(piece, p);
    }
}

static partan_status begin(pt_reader *reader, const char *line, const char *end, size_t number, bool *taken)
{
    (void)line, (void)end;
    reader->source.format = PARTAN_FORMAT_LIBSVM;
    *taken = false;
    if (reader->options.weight_column == 0 && !reader->options.weight_name)
        return PARTAN_OK;
    return pt_fail(reader->context, PARTAN_ERROR_ARGUMENT,
                   "%s:%zu: found LIBSVM text, expected a table with a column of weights: LIBSVM text has none, but "
                   "weights can be in a file of their own",
                   reader->name, number);
}

const pt_grammar pt_grammar_libsvm = {true, begin, count_values, parse};
