/* What the grammars of ratings share: fields of a line, and what they become, names, numbers and entries. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "matrix/read/reader.h"

partan_status pt_ratings_trouble(pt_ratings_reader *reader, const char *at, const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return pt_fail(reader->context, PARTAN_ERROR_FORMAT, "%s:%zu:%zu: %s", reader->name, reader->number,
                   (size_t)(at - reader->line) + 1, what);
}

static partan_status note_line(pt_ratings_reader *reader)
{
    size_t entry = reader->triplets.count;
    const pt_line_run *last = reader->run_count > 0 ? &reader->runs[reader->run_count - 1] : NULL;
    if (last && last->line + (entry - last->entry) == reader->number)
        return PARTAN_OK;
    if (pt_reserve(reader->context, (void **)&reader->runs, &reader->run_capacity, reader->run_count,
                   reader->run_count + 1, sizeof *reader->runs))
        return pt_out_of_memory(reader->context, "ratings");
    reader->runs[reader->run_count++] = (pt_line_run){entry, reader->number};
    return PARTAN_OK;
}

partan_status pt_ratings_add(pt_ratings_reader *reader, size_t row, size_t column, double value)
{
    partan_status status = reader->grammar == &pt_ratings_table ? PARTAN_OK : note_line(reader);
    return status ? status : pt_triplets_add(reader->context, &reader->triplets, (int32_t)row, (int32_t)column, value);
}

partan_status pt_ratings_number(pt_ratings_reader *reader, const char *p, const char *end, double *value)
{
    char quote[PT_QUOTE_SIZE];
    if (p < end && pt_parse_real(p, end, value) == end && isfinite(*value))
        return PARTAN_OK;
    return pt_ratings_trouble(reader, p, "found %s, expected a rating, a finite number", pt_quote(quote, p, end));
}

/* A name between quotes, its doubled quotes undone. */
static partan_status unquote(pt_ratings_reader *reader, const pt_field *field, const char **text, size_t *size)
{
    *size = 0;
    if (pt_reserve(reader->context, (void **)&reader->unquoted, &reader->unquoted_capacity, 0,
                   (size_t)(field->end - field->text) + 1, 1))
        return pt_out_of_memory(reader->context, "a name");
    for (const char *p = field->text; p < field->end; p++) {
        reader->unquoted[(*size)++] = *p;
        if (*p == '"')
            p++;
    }
    *text = reader->unquoted;
    return PARTAN_OK;
}

partan_status pt_ratings_broken(pt_ratings_reader *reader, const pt_field *field)
{
    return pt_ratings_trouble(reader, field->next,
                              "found a field whose quotes do not close, expected a separator or the end of the line "
                              "after a closing quote");
}

partan_status pt_ratings_name(pt_ratings_reader *reader, pt_names *names, const pt_field *field, size_t *number)
{
    const char *text = field->text;
    size_t size = (size_t)(field->end - field->text);
    if (field->broken)
        return pt_ratings_broken(reader, field);
    if (size == 0)
        return pt_ratings_trouble(reader, text, "found an empty field, expected a name");
    if (memchr(text, '\0', size))
        return pt_ratings_trouble(reader, text, "found a zero byte in a name");
    partan_status status = field->quoted ? unquote(reader, field, &text, &size) : PARTAN_OK;
    if (status)
        return status;
    int32_t found = pt_words_number(&names->words, text, size);
    if (found < 0)
        return pt_out_of_memory(reader->context, "the names of rows and columns");
    names->worded = true;
    names->count = names->words.count;
    *number = (size_t)found;
    return PARTAN_OK;
}

/* ---- Fields ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Between blanks, or up to "::". */
static pt_field plain_field(const char *p, const char *end, char separator)
{
    while (p < end && is_blank(*p))
        p++;
    pt_field field = {.text = p};
    if (separator == ' ')
        while (p < end && !is_blank(*p))
            p++;
    else
        while (p < end && !(p[0] == ':' && p + 1 < end && p[1] == ':'))
            p++;
    field.end = field.next = p;
    while (field.end > field.text && is_blank(field.end[-1]))
        field.end--;
    return field;
}

pt_field pt_ratings_field(const char *p, const char *end, char separator)
{
    return separator == ' ' || separator == ':' ? plain_field(p, end, separator) : pt_field_at(p, separator);
}

const char *pt_ratings_next(const pt_field *field, const char *end, char separator)
{
    const char *p = field->next;
    if (separator == ' ') {
        while (p < end && is_blank(*p))
            p++;
        return p < end ? p : NULL;
    }
    if (p >= end || field->broken)
        return NULL;
    return p + (separator == ':' ? 2 : 1);
}

size_t pt_ratings_fields(const char *line, const char *end, char separator)
{
    size_t count = 0;
    for (const char *p = line; p; count++) {
        pt_field field = pt_ratings_field(p, end, separator);
        p = pt_ratings_next(&field, end, separator);
    }
    return count;
}
