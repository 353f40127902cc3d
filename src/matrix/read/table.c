/* Tables: a line is a row of the matrix, separated by commas, tabs or semicolons. An empty cell, NA, NaN, null, ? or
 * the number that the options name says that there is no value. A first line with a word in it is a header and names
 * the columns. The first column may be something else than ratings: to be left out, or the rows' names. */
#include "matrix/read/reader.h"

static bool has_word(const pt_ratings_reader *reader, const char *line, const char *end)
{
    bool first = true;
    double number;
    for (const char *p = line; p;) {
        pt_field field = pt_ratings_field(p, end, reader->separator);
        bool rating = !first || reader->options.first_column == PARTAN_FIRST_RATINGS;
        if (rating && field.end > field.text && !pt_field_number(&field, &number)
            && !pt_is_missing(field.text, field.end))
            return true;
        first = false;
        p = pt_ratings_next(&field, end, reader->separator);
    }
    return false;
}

static partan_status take_header(pt_ratings_reader *reader, const char *line, const char *end)
{
    char quote[PT_QUOTE_SIZE];
    pt_names *columns = &reader->ratings->columns;
    bool first = true;
    for (const char *p = line; p; first = false) {
        size_t before = columns->count, number = 0;
        pt_field field = pt_ratings_field(p, end, reader->separator);
        p = pt_ratings_next(&field, end, reader->separator);
        if (first && reader->options.first_column != PARTAN_FIRST_RATINGS)
            continue;
        partan_status status = pt_ratings_name(reader, columns, &field, &number);
        if (status)
            return status;
        if (columns->count == before)
            return pt_ratings_trouble(reader, field.text, "found a second column named %s",
                                      pt_quote(quote, field.text, field.end));
    }
    return PARTAN_OK;
}

static partan_status begin(pt_ratings_reader *reader, const char *line, const char *end, bool *taken)
{
    size_t other = reader->options.first_column != PARTAN_FIRST_RATINGS;
    if (reader->separator == ' ' || reader->separator == ':') {
        reader->separator = ','; /* a table of one column */
        reader->fields = 1;
    }
    if (reader->fields <= other)
        return pt_ratings_trouble(reader, line, "found no column of ratings beside the first one");
    *taken = reader->options.header > 0 || (reader->options.header < 0 && has_word(reader, line, end));
    if (*taken)
        return take_header(reader, line, end);
    reader->ratings->columns.count = reader->fields - other;
    return PARTAN_OK;
}

static bool is_absent(const pt_ratings_reader *reader, const pt_field *field)
{
    double number;
    if (field->end == field->text)
        return true;
    if (pt_field_number(field, &number))
        return number == reader->options.missing;
    bool infinite = field->text[0] == 'i' || field->text[0] == 'I' || field->text[0] == '-' || field->text[0] == '+';
    return pt_is_missing(field->text, field->end) && !infinite;
}

static partan_status take_row_name(pt_ratings_reader *reader, const pt_field *field)
{
    char quote[PT_QUOTE_SIZE];
    pt_names *rows = &reader->ratings->rows;
    size_t before = rows->count, number = 0;
    partan_status status = pt_ratings_name(reader, rows, field, &number);
    if (!status && rows->count == before)
        status = pt_ratings_trouble(reader, field->text, "found a second row named %s",
                                    pt_quote(quote, field->text, field->end));
    return status;
}

static partan_status parse(pt_ratings_reader *reader, const char *line, const char *end)
{
    partan_status status = PARTAN_OK;
    size_t other = reader->options.first_column != PARTAN_FIRST_RATINGS, count = 0;
    if (reader->ratings->rows.count >= INT32_MAX)
        return pt_ratings_trouble(reader, line, "found more than 2147483647 rows");
    if (reader->options.first_column != PARTAN_FIRST_NAMES)
        reader->ratings->rows.count++;
    for (const char *p = line; p && !status; count++) {
        double value;
        pt_field field = pt_ratings_field(p, end, reader->separator);
        p = pt_ratings_next(&field, end, reader->separator);
        if (field.broken)
            return pt_ratings_broken(reader, &field);
        if (count >= reader->fields)
            continue;
        if (count == 0 && other) {
            if (reader->options.first_column == PARTAN_FIRST_NAMES)
                status = take_row_name(reader, &field);
        } else if (!is_absent(reader, &field)) {
            status = pt_ratings_number(reader, field.text, field.end, &value);
            if (!status)
                status = pt_ratings_add(reader, reader->ratings->rows.count - 1, count - other, value);
        }
    }
    if (!status && count != reader->fields)
        status = pt_ratings_trouble(reader, line, "found %zu fields, expected %zu as in the first line", count,
                                    reader->fields);
    return status;
}

const pt_ratings_grammar pt_ratings_table = {.comment = '#', .begin = begin, .parse = parse};
