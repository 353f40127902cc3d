/* CSV and TSV: fields, and what the first line says about the rest. */
#include "data/read/table.h"

#include <string.h>
#include <strings.h>

static pt_field quoted_field(const char *p, char separator)
{
    pt_field field = {.text = p + 1, .quoted = true};
    for (p++; !pt_at_line_end(p); p++) {
        if (*p != '"')
            continue;
        if (p[1] != '"')
            break;
        p++; /* a doubled quote is one, and does not end the field */
    }
    field.end = p;
    field.broken = *p != '"';
    if (!field.broken)
        p++;
    while (pt_is_padding(*p, separator))
        p++;
    field.next = p;
    field.broken = field.broken || !pt_ends_field(p, separator);
    return field;
}

pt_field pt_field_at(const char *p, char separator)
{
    while (pt_is_padding(*p, separator))
        p++;
    if (*p == '"')
        return quoted_field(p, separator);
    pt_field field = {.text = p};
    while (!pt_ends_field(p, separator))
        p++;
    field.next = field.end = p;
    while (field.end > field.text && pt_is_padding(field.end[-1], separator))
        field.end--;
    return field;
}

bool pt_field_number(const pt_field *field, double *value)
{
    const char *p = field->text, *end = field->end;
    while (p < end && *p == ' ') /* between quotes */
        p++;
    while (end > p && end[-1] == ' ')
        end--;
    return p < end && pt_parse_real(p, end, value) == end;
}

bool pt_is_missing(const char *p, const char *end)
{
    static const char *const texts[] = {"nan", "inf", "infinity", "na", "n/a", "null", "?"};
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if ((size_t)(end - p) == strlen(texts[i]) && strncasecmp(p, texts[i], (size_t)(end - p)) == 0)
            return true;
    return false;
}

/* ---- The first line ---- */

/* A name as it stands between quotes, with its quotes doubled, against one that is plain. */
static bool has_name(const pt_field *field, const char *name)
{
    const char *p = field->text;
    for (; p < field->end && *name && *name == *p; p++, name++)
        if (field->quoted && *p == '"')
            p++;
    return p == field->end && *name == '\0';
}

typedef struct first_line {
    size_t columns;
    size_t words;      /* fields that can only be names of columns */
    bool label_word;   /* the field in the label's place is one of them */
    size_t named;      /* columns of the label's name */
    size_t named_last; /* the last of them */
} first_line;

static first_line look(const pt_reader *reader, const char *line, size_t label)
{
    first_line found = {0};
    for (const char *p = line;; p++) {
        pt_field field = pt_field_at(p, reader->table.separator);
        double number;
        bool word =
            field.end > field.text && !pt_field_number(&field, &number) && !pt_is_missing(field.text, field.end);
        found.words += word;
        if (found.columns == label)
            found.label_word = word;
        if (reader->options.label_name && has_name(&field, reader->options.label_name)) {
            found.named++;
            found.named_last = found.columns;
        }
        found.columns++;
        p = field.next;
        if (field.broken || pt_at_line_end(p))
            return found;
    }
}

/* Column from 0 by its number as in the options; SIZE_MAX when it is none of them. */
static size_t numbered_column(int64_t number, size_t columns)
{
    if (number == 0)
        return columns;
    if (number > 0)
        return (uint64_t)number <= columns ? (size_t)number - 1 : SIZE_MAX;
    return (uint64_t) - (number + 1) < columns ? columns - 1 - (size_t) - (number + 1) : SIZE_MAX;
}

static partan_status find_label(pt_reader *reader, const first_line *found, size_t number)
{
    partan_context *context = reader->context;
    const partan_read_options *options = &reader->options;
    if (!options->label_name) {
        reader->table.label = numbered_column(options->label_column, found->columns);
        if (reader->table.label != SIZE_MAX)
            return PARTAN_OK;
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "%s:%zu: found %zu columns, the label is to be in column %lld",
                       reader->name, number, found->columns, (long long)options->label_column);
    }
    reader->table.label = found->named_last;
    if (found->named == 1)
        return PARTAN_OK;
    return pt_fail(context, PARTAN_ERROR_ARGUMENT, "%s:%zu: found %s column named '%s' in the header, expected one",
                   reader->name, number, found->named ? "more than one" : "no", options->label_name);
}

static partan_status take_names(pt_reader *reader, const char *line)
{
    partan_status status = PARTAN_OK;
    size_t column = 0;
    for (const char *p = line; !status; p++, column++) {
        pt_field field = pt_field_at(p, reader->table.separator);
        if (column != reader->table.label)
            status = pt_feature_names_add(reader->context, &reader->names, field.text, (size_t)(field.end - field.text),
                                          field.quoted);
        p = field.next;
        if (field.broken || pt_at_line_end(p))
            break;
    }
    return status;
}

partan_status pt_table_begin(pt_reader *reader, const char *line, const char *end, size_t number, bool *taken)
{
    (void)end;
    const partan_read_options *options = &reader->options;
    if (options->label_name && options->header == 0)
        return pt_fail(reader->context, PARTAN_ERROR_ARGUMENT,
                       "%s: a label column is named '%s', but the file is said to have no header", reader->name,
                       options->label_name);
    first_line found = look(reader, line, SIZE_MAX);
    reader->table.columns = found.columns;
    partan_status status = find_label(reader, &found, number);
    if (status)
        return status;
    found = look(reader, line, reader->table.label);
    bool named = options->label_name != NULL, words = found.words > found.label_word;
    *taken = options->header > 0 || named || (options->header < 0 && words);
    return *taken ? take_names(reader, line) : PARTAN_OK;
}
