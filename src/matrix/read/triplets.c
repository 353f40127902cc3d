/* Lists of entries: row, column and rating, and perhaps a fourth field, which is not looked at. Names may be any words.
 * Separators are blanks, tabs, commas, semicolons or "::", by the first line. A first line is a header if its
 * third field is a word, and not both others are numbers. Where ratings may be lacking, lines may have two fields. */
#include <math.h>

#include "matrix/read/reader.h"

static partan_status begin(pt_ratings_reader *reader, const char *line, const char *end, bool *taken)
{
    size_t words = 0;
    double value;
    pt_field field = {0};
    const char *p = line;
    for (int i = 0; i < 3 && p; i++) {
        field = pt_ratings_field(p, end, reader->separator);
        p = pt_ratings_next(&field, end, reader->separator);
        words += !pt_field_number(&field, &value);
    }
    bool lacking =
        field.end == field.text || pt_is_missing(field.text, field.end); /* NaN, inf: no rating, nor a word */
    bool header = reader->fields >= 3 && words >= 2 && !lacking && !pt_field_number(&field, &value);
    *taken = reader->options.header > 0 || (reader->options.header < 0 && header);
    return PARTAN_OK;
}

static partan_status parse(pt_ratings_reader *reader, const char *line, const char *end)
{
    pt_field fields[3] = {0};
    size_t count = 0, row = 0, column = 0;
    double value = NAN;
    for (const char *p = line; p && count < 3; count++) {
        fields[count] = pt_ratings_field(p, end, reader->separator);
        if (fields[count].broken)
            return pt_ratings_broken(reader, &fields[count]);
        p = pt_ratings_next(&fields[count], end, reader->separator);
    }
    if (count < (reader->options.unvalued ? 2u : 3u))
        return pt_ratings_trouble(reader, end, "found %zu field%s, expected %s", count, count == 1 ? "" : "s",
                                  reader->options.unvalued ? "a row and a column" : "a row, a column and a rating");
    partan_status status = pt_ratings_name(reader, &reader->ratings->rows, &fields[0], &row);
    if (!status)
        status = pt_ratings_name(reader, &reader->ratings->columns, &fields[1], &column);
    bool valued = count == 3 && !(reader->options.unvalued && fields[2].end == fields[2].text);
    if (!status && valued)
        status = pt_ratings_number(reader, fields[2].text, fields[2].end, &value);
    return status ? status : pt_ratings_add(reader, row, column, value);
}

const pt_ratings_grammar pt_ratings_triplets = {.comment = '#', .begin = begin, .parse = parse};
