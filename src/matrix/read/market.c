/* Matrix Market's coordinate files: "%%MatrixMarket matrix coordinate real general", comments, a line with the numbers
 * of rows, columns and entries, and a line for each entry with its row and column, from 1, and its value. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "matrix/read/reader.h"

static bool is_word(const pt_field *field, const char *word)
{
    return (size_t)(field->end - field->text) == strlen(word) && strncasecmp(field->text, word, strlen(word)) == 0;
}

/* The fields of a line, at most `room`; returns how many there are. */
static size_t split(const char *line, const char *end, pt_field *fields, size_t room)
{
    size_t count = 0;
    for (const char *p = line; p; count++) {
        pt_field field = pt_ratings_field(p, end, ' ');
        if (count < room)
            fields[count] = field;
        p = pt_ratings_next(&field, end, ' ');
    }
    return count;
}

static partan_status begin(pt_ratings_reader *reader, const char *line, const char *end, bool *taken)
{
    enum { BANNER, OBJECT, FORMAT, FIELD, SYMMETRY, WORDS };
    static const char *const wanted[WORDS] = {"%%MatrixMarket", "matrix", "coordinate", "real", "general"};
    pt_field fields[WORDS];
    char quote[PT_QUOTE_SIZE];
    *taken = true;
    reader->fields = 0; /* of the size line, which is still to come */
    if (split(line, end, fields, WORDS) != WORDS)
        return pt_ratings_trouble(reader, line,
                                  "found %s, expected '%%%%MatrixMarket matrix coordinate real general' or integer",
                                  pt_quote(quote, line, end));
    if (is_word(&fields[FIELD], "pattern"))
        return pt_ratings_trouble(reader, fields[FIELD].text,
                                  "a pattern file says which entries there are but not their values: there is nothing "
                                  "to fit");
    for (int i = BANNER; i < WORDS; i++) {
        bool number = i == FIELD && (is_word(&fields[i], "integer") || is_word(&fields[i], "double"));
        if (!is_word(&fields[i], wanted[i]) && !number)
            return pt_ratings_trouble(reader, fields[i].text, "found %s, expected '%s'%s",
                                      pt_quote(quote, fields[i].text, fields[i].end), wanted[i],
                                      i == FIELD ? " or 'integer'" : "");
    }
    return PARTAN_OK;
}

static partan_status take_count(pt_ratings_reader *reader, const pt_field *field, size_t most, size_t *number)
{
    char quote[PT_QUOTE_SIZE];
    uint64_t value = 0;
    bool digits = field->end > field->text && field->end - field->text <= 18;
    for (const char *p = field->text; p < field->end && digits; p++) {
        digits = *p >= '0' && *p <= '9';
        value = value * 10 + (uint64_t)(*p - '0');
    }
    *number = (size_t)value;
    if (digits && value > 0 && value <= most)
        return PARTAN_OK;
    return pt_ratings_trouble(reader, field->text, "found %s, expected a whole number from 1 to %zu",
                              pt_quote(quote, field->text, field->end), most);
}

static partan_status take_size(pt_ratings_reader *reader, const char *end, const pt_field *fields, size_t count)
{
    partan_ratings *ratings = reader->ratings;
    if (count != 3)
        return pt_ratings_trouble(reader, end, "found %zu fields, expected the numbers of rows, columns and entries",
                                  count);
    partan_status status = take_count(reader, &fields[0], INT32_MAX, &ratings->rows.count);
    if (!status)
        status = take_count(reader, &fields[1], INT32_MAX, &ratings->columns.count);
    if (!status)
        status = take_count(reader, &fields[2], SIZE_MAX / 2, &reader->expected);
    reader->fields = 3;
    return status;
}

static partan_status parse(pt_ratings_reader *reader, const char *line, const char *end)
{
    pt_field fields[3] = {0};
    size_t count = split(line, end, fields, 3), row = 0, column = 0;
    double value = 0;
    if (reader->fields == 0)
        return take_size(reader, end, fields, count);
    if (count != 3)
        return pt_ratings_trouble(reader, end, "found %zu field%s, expected a row, a column and a value", count,
                                  count == 1 ? "" : "s");
    if (reader->triplets.count == reader->expected)
        return pt_ratings_trouble(reader, line, "found one entry more than the %zu announced", reader->expected);
    partan_status status = take_count(reader, &fields[0], reader->ratings->rows.count, &row);
    if (!status)
        status = take_count(reader, &fields[1], reader->ratings->columns.count, &column);
    if (!status)
        status = pt_ratings_number(reader, fields[2].text, fields[2].end, &value);
    return status ? status : pt_ratings_add(reader, row - 1, column - 1, value);
}

static partan_status finish(pt_ratings_reader *reader)
{
    if (reader->triplets.count == reader->expected)
        return PARTAN_OK;
    return pt_fail(reader->context, PARTAN_ERROR_FORMAT, "%s: found %zu entries, the size line announces %zu",
                   reader->name, reader->triplets.count, reader->expected);
}

const pt_ratings_grammar pt_ratings_market = {.comment = '%', .begin = begin, .parse = parse, .finish = finish};
