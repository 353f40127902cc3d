/* CSV and TSV: one row a line, numbers but for the label, which may be a word; fields may be quoted. */
#include <math.h>
#include <string.h>

#include "data/read/reader.h"
#include "data/read/table.h"

/* ---- What is wrong, said at leisure ---- */

static bool refuse_field(pt_piece *piece, const pt_field *field, const char *expected)
{
    char quote[PT_QUOTE_SIZE];
    const char *start = field->text - field->quoted;
    if (field->broken && pt_at_line_end(field->next))
        return pt_piece_trouble(piece, start, "found an opening quote, expected a closing '\"' on the same line");
    if (field->broken) {
        pt_field rest = {.end = field->next};
        while (!pt_ends_field(rest.end, piece->reader->table.separator))
            rest.end++;
        return pt_piece_trouble(piece, field->next, "found %s after a closing quote, expected the end of the field",
                                pt_quote(quote, field->next, rest.end));
    }
    if (field->text == field->end)
        return pt_piece_trouble(piece, start, "found an empty field, expected %s", expected);
    return pt_piece_trouble(piece, start, "found %s, expected %s", pt_quote(quote, field->text, field->end), expected);
}

/* ---- Fields ---- */

/* A feature that is not plainly a number: quoted, or wrong. */
static const char *read_other_feature(pt_piece *piece, const char *p, float *value)
{
    pt_field field = pt_field_at(p, piece->reader->table.separator);
    double number = 0;
    bool numeric = !field.broken && pt_field_number(&field, &number);
    *value = (float)number;
    if (numeric && isfinite(*value))
        return field.next;
    refuse_field(piece, &field, numeric ? "a value of at most 3.4e38, the range of float32" : "a finite number");
    return NULL;
}

static inline const char *read_feature(pt_piece *piece, const char *p, char separator, float *value)
{
    double number;
    const char *q = pt_scan_real(p, piece->end, &number);
    if (q > p && pt_ends_field(q, separator) && isfinite((float)number)) {
        *value = (float)number;
        return q;
    }
    return read_other_feature(piece, p, value);
}

/* Whether a number is spelled as pt_format_real would do it, so that its text need not be kept. */
static bool is_usual_spelling(const char *text, size_t size, double value)
{
    const char *digits = text + (*text == '-');
    size_t count = size - (size_t)(digits - text);
    bool plain = count > 0 && count <= 15 && (*digits != '0' || count == 1);
    for (size_t i = 0; i < count && plain; i++)
        plain = digits[i] >= '0' && digits[i] <= '9';
    if (plain)
        return true;
    char usual[PT_NUMBER_SIZE];
    return pt_format_real(usual, value) == size && memcmp(usual, text, size) == 0;
}

/* Undoes doubled quotes, in place of the field's text. */
static bool unquote(pt_piece *piece, pt_field *field)
{
    size_t size = (size_t)(field->end - field->text);
    if (!field->quoted || !memchr(field->text, '"', size))
        return true;
    if (pt_reserve(piece->reader->context, (void **)&piece->unquoted, &piece->unquoted_capacity, 0, size, 1))
        return pt_piece_memory(piece);
    char *out = piece->unquoted;
    for (const char *p = field->text; p < field->end; p++) {
        *out++ = *p;
        p += *p == '"';
    }
    field->text = piece->unquoted;
    field->end = out;
    return true;
}

static bool is_text(const char *p, const char *end)
{
    for (; p < end; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            return false;
    return true;
}

/* A label: a number (with its spelling, should it turn out that others are words), a word, or nothing where allowed. */
static const char *read_label(pt_piece *piece, const char *p, double *label, int32_t *spelling)
{
    pt_field field = pt_field_at(p, piece->reader->table.separator), given = field;
    *label = (double)NAN;
    if (!field.broken && field.text == field.end && piece->reader->options.unlabelled)
        return field.next;
    if (field.broken || field.text == field.end) {
        refuse_field(piece, &field, "a label");
        return NULL;
    }
    double number;
    bool numeric = pt_field_number(&field, &number);
    bool infinite = numeric ? !isfinite(number) : pt_is_missing(field.text, field.end);
    if (infinite || !is_text(field.text, field.end)) {
        refuse_field(piece, &given, infinite ? "a finite number or a word as label" : "printable text as label");
        return NULL;
    }
    if (!unquote(piece, &field))
        return NULL;
    size_t size = (size_t)(field.end - field.text);
    if (numeric)
        *label = number;
    if (!numeric || !is_usual_spelling(field.text, size, number)) {
        *spelling = pt_words_number(&piece->batch.words, field.text, size);
        if (*spelling < 0) {
            pt_piece_memory(piece);
            return NULL;
        }
    }
    piece->batch.labelled = true;
    piece->batch.worded = piece->batch.worded || !numeric;
    return field.next;
}

/* A row's weight; data to predict may lack it. */
static const char *read_weight(pt_piece *piece, const char *p, double *weight)
{
    pt_field field = pt_field_at(p, piece->reader->table.separator);
    bool empty = field.text == field.end;
    if (!field.broken && empty && piece->reader->options.unlabelled)
        return field.next;
    if (!field.broken && pt_field_number(&field, weight) && *weight >= 0 && isfinite(*weight))
        return field.next;
    refuse_field(piece, &field, "a weight, a number that is 0 or more");
    return NULL;
}

/* ---- Lines ---- */

static bool refuse_count(pt_piece *piece, const char *p, size_t found)
{
    size_t expected = piece->reader->table.columns;
    return pt_piece_trouble(piece, p, "found %s%zu field%s, expected %zu as in the first line",
                            found > expected ? "more than " : "", found > expected ? expected : found,
                            (found > expected ? expected : found) == 1 ? "" : "s", expected);
}

static const char *read_row(pt_piece *piece, const char *p)
{
    const pt_table table = piece->reader->table;
    double label = (double)NAN, weight = 1;
    int32_t spelling = -1;
    size_t count = 0;
    float *values = piece->values + piece->count;
    for (size_t column = 0;; column++, p++) {
        if (column == table.columns) {
            refuse_count(piece, p, column + 1);
            return NULL;
        }
        if (column == table.label)
            p = read_label(piece, p, &label, &spelling);
        else if (column == table.weight)
            p = read_weight(piece, p, &weight);
        else
            p = read_feature(piece, p, table.separator, &values[count++]);
        if (!p)
            return NULL;
        if (*p == table.separator)
            continue;
        if (column + 1 < table.columns) {
            refuse_count(piece, p, column + 1);
            return NULL;
        }
        break;
    }
    if (piece->weights)
        piece->weights[piece->rows] = weight;
    pt_piece_spell(piece, spelling);
    pt_piece_add(piece, count, count, label, -1);
    return p;
}

/* Every line may have all its columns, but a text of n bytes has no more than n fields. */
static size_t count_values(const pt_piece *piece, size_t lines)
{
    size_t columns = piece->reader->table.columns, size = (size_t)(piece->end - piece->text);
    return columns < size / lines ? lines * columns : size;
}

static void parse(pt_piece *piece)
{
    for (const char *p = piece->text; p < piece->end; p++, piece->batch.lines++) {
        piece->line = p;
        const char *first = pt_skip_blanks(p);
        if (*first != '#' && !pt_at_line_end(first)) {
            p = read_row(piece, p);
            if (!p)
                return;
        }
        p = memchr(p, '\n', (size_t)(piece->end - p));
    }
}

const pt_grammar pt_grammar_table = {false, pt_table_begin, count_values, parse};
