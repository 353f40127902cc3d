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
    size_t numbers;    /* fields that can only be values */
    bool label_word;   /* the field in the label's place is one of the first, */
    bool label_number; /* or of the second */
    size_t named;      /* columns of the label's name */
    size_t named_last; /* the last of them */
} first_line;

/* The label's name as it was asked for, or as the model's data had it. */
static const char *label_name(const pt_reader *reader)
{
    return reader->options.label_name ? reader->options.label_name : reader->like ? reader->like->label_name : NULL;
}

static first_line look(const pt_reader *reader, const char *line, size_t label)
{
    first_line found = {0};
    const char *name = label_name(reader);
    for (const char *p = line;; p++) {
        pt_field field = pt_field_at(p, reader->table.separator);
        double value;
        bool empty = field.end == field.text;
        bool number = !empty && (pt_field_number(&field, &value) || pt_is_missing(field.text, field.end));
        found.words += !empty && !number;
        found.numbers += number;
        if (found.columns == label) {
            found.label_word = !empty && !number;
            found.label_number = number;
        }
        if (name && has_name(&field, name)) {
            found.named++;
            found.named_last = found.columns;
        }
        found.columns++;
        p = field.next;
        if (field.broken || pt_at_line_end(p))
            return found;
    }
}

/* ---- The label ---- */

/* Column from 0 by its number as in the options; SIZE_MAX when it is none of them. */
static size_t numbered_column(int64_t number, size_t columns)
{
    if (number == 0)
        return columns;
    if (number > 0)
        return (uint64_t)number <= columns ? (size_t)number - 1 : SIZE_MAX;
    return (uint64_t) - (number + 1) < columns ? columns - 1 - (size_t) - (number + 1) : SIZE_MAX;
}

static partan_status find_named(pt_reader *reader, const first_line *found, size_t number)
{
    reader->table.label = found->named_last;
    if (found->named == 1)
        return PARTAN_OK;
    return pt_fail(reader->context, PARTAN_ERROR_ARGUMENT,
                   "%s:%zu: found %s column named '%s' in the header, expected one", reader->name, number,
                   found->named ? "more than one" : "no", reader->options.label_name);
}

/* Where the label is in data like that of a model: in the column of the same name or, without names, where it was, if
 * there is a column more than there are features. A table without such a column has no labels. */
static partan_status find_like(pt_reader *reader, const first_line *found, size_t number)
{
    const pt_source *like = reader->like;
    size_t columns = found->columns;
    uint64_t features = reader->like_features;
    bool header = found->words > 0 && found->numbers == 0 && reader->options.header != 0;
    reader->table.label = columns;
    if (header && found->named == 1)
        reader->table.label = found->named_last;
    else if ((header && like->names.count > 0) || columns == features)
        return PARTAN_OK;
    else if (columns == features + 1)
        reader->table.label = like->label_column > 0 ? (size_t)like->label_column - 1 : 0;
    else
        return pt_fail(reader->context, PARTAN_ERROR_DATA,
                       "%s:%zu: found %zu columns, expected the %llu features of the training data, with or without "
                       "a label",
                       reader->name, number, columns, (unsigned long long)features);
    return PARTAN_OK;
}

static partan_status find_label(pt_reader *reader, const first_line *found, size_t number)
{
    const partan_read_options *options = &reader->options;
    if (options->label_name)
        return find_named(reader, found, number);
    if (reader->like)
        return find_like(reader, found, number);
    reader->table.label = numbered_column(options->label_column, found->columns);
    if (reader->table.label != SIZE_MAX)
        return PARTAN_OK;
    return pt_fail(reader->context, PARTAN_ERROR_ARGUMENT, "%s:%zu: found %zu columns, but the label column is %lld",
                   reader->name, number, found->columns, (long long)options->label_column);
}

/* ---- The header ---- */

static partan_status add_name(pt_reader *reader, const pt_field *field, pt_feature_names *names)
{
    return pt_feature_names_add(reader->context, names, field->text, (size_t)(field->end - field->text), field->quoted);
}

static partan_status take_names(pt_reader *reader, const char *line)
{
    partan_status status = PARTAN_OK;
    size_t column = 0;
    pt_feature_names label = {0};
    for (const char *p = line; !status; p++, column++) {
        pt_field field = pt_field_at(p, reader->table.separator);
        status = add_name(reader, &field, column == reader->table.label ? &label : &reader->source.names);
        p = field.next;
        if (field.broken || pt_at_line_end(p))
            break;
    }
    if (!status && label.count > 0 && label.size > 1) {
        reader->source.label_name = label.text;
        label.text = NULL;
    }
    pt_feature_names_free(reader->context, &label);
    return status;
}

/* Whether the first line is a header: names only, of which a row of numbers has none. What is neither is for the caller
 * to say, lest a row be lost. */
static partan_status find_header(const pt_reader *reader, const first_line *found, size_t number, bool *taken)
{
    size_t words = found->words - found->label_word, numbers = found->numbers - found->label_number;
    *taken = reader->options.header > 0 || reader->options.label_name || words > 0;
    if (reader->options.header >= 0 || reader->options.label_name || words == 0 || numbers == 0)
        return PARTAN_OK;
    return pt_fail(reader->context, PARTAN_ERROR_FORMAT,
                   "%s:%zu: found words and numbers in the first line, expected column names or a row of numbers; "
                   "specify --header or --no-header",
                   reader->name, number);
}

partan_status pt_table_begin(pt_reader *reader, const char *line, const char *end, size_t number, bool *taken)
{
    (void)end;
    const partan_read_options *options = &reader->options;
    if (options->label_name && options->header == 0)
        return pt_fail(reader->context, PARTAN_ERROR_ARGUMENT,
                       "%s: the label column is given by name, '%s', which needs a header", reader->name,
                       options->label_name);
    first_line found = look(reader, line, SIZE_MAX);
    reader->table.columns = found.columns;
    partan_status status = find_label(reader, &found, number);
    if (status)
        return status;
    found = look(reader, line, reader->table.label);
    status = find_header(reader, &found, number, taken);
    if (options->header == 0)
        *taken = false;
    reader->source.format = reader->table.separator == '\t' ? PARTAN_FORMAT_TSV : PARTAN_FORMAT_CSV;
    reader->source.counted = true;
    reader->source.label_column = reader->table.label < found.columns ? (int64_t)reader->table.label + 1 : 0;
    return status || !*taken ? status : take_names(reader, line);
}
