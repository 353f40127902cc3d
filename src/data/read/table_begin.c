/* CSV and TSV: what the first line says about the rest. */
#include <string.h>

#include "data/read/table.h"

/* ---- The first line ---- */

/* Columns of a name. */
typedef struct named {
    size_t count;
    size_t last; /* of them */
} named;

typedef struct first_line {
    size_t columns;
    size_t words;      /* fields that can only be names of columns */
    size_t numbers;    /* fields that can only be values */
    bool label_word;   /* the field in the label's place is one of the first, */
    bool label_number; /* or of the second */
    named label, weight;
} first_line;

/* The names as they were asked for, or as the model's data had them. */
static const char *label_name(const pt_reader *reader)
{
    return reader->options.label_name ? reader->options.label_name : reader->like ? reader->like->label_name : NULL;
}

static const char *weight_name(const pt_reader *reader)
{
    return reader->options.weight_name ? reader->options.weight_name : reader->like ? reader->like->weight_name : NULL;
}

/* A name as it stands between quotes, with its quotes doubled, against one that is plain. */
static bool has_name(const pt_field *field, const char *name)
{
    const char *p = field->text;
    for (; p < field->end && *name && *name == *p; p++, name++)
        if (field->quoted && *p == '"')
            p++;
    return p == field->end && *name == '\0';
}

static void count_named(const pt_field *field, const char *name, size_t column, named *found)
{
    if (!name || !has_name(field, name))
        return;
    found->count++;
    found->last = column;
}

static first_line look(const pt_reader *reader, const char *line, size_t label)
{
    first_line found = {0};
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
        count_named(&field, label_name(reader), found.columns, &found.label);
        count_named(&field, weight_name(reader), found.columns, &found.weight);
        found.columns++;
        p = field.next;
        if (field.broken || pt_at_line_end(p))
            return found;
    }
}

/* ---- Columns that are no features ---- */

/* Column from 0 by its number as in the options; SIZE_MAX when it is none of them. */
static size_t numbered_column(int64_t number, size_t columns)
{
    if (number == 0)
        return columns;
    if (number > 0)
        return (uint64_t)number <= columns ? (size_t)number - 1 : SIZE_MAX;
    return (uint64_t) - (number + 1) < columns ? columns - 1 - (size_t) - (number + 1) : SIZE_MAX;
}

static partan_status find_numbered(pt_reader *reader, const char *what, int64_t given, size_t columns, size_t number,
                                   size_t *column)
{
    *column = numbered_column(given, columns);
    if (*column != SIZE_MAX)
        return PARTAN_OK;
    return pt_fail(reader->context, PARTAN_ERROR_ARGUMENT, "%s:%zu: found %zu columns, but the %s column is %lld",
                   reader->name, number, columns, what, (long long)given);
}

static partan_status find_named(pt_reader *reader, const named *found, const char *name, size_t number, size_t *column)
{
    *column = found->last;
    if (found->count == 1)
        return PARTAN_OK;
    return pt_fail(reader->context, PARTAN_ERROR_ARGUMENT,
                   "%s:%zu: found %s column named '%s' in the header, expected one", reader->name, number,
                   found->count ? "more than one" : "no", name);
}

/* ---- Data like that of a model ---- */

/* Whether columns are known by their names. */
static bool has_names(const pt_reader *reader, const first_line *found)
{
    return found->words > 0 && found->numbers == 0 && reader->options.header != 0;
}

/* Weights are in the column of the same name or, without names, where they were, if there are two columns more than
 * there are features. A table without such a column has no weights. */
static size_t weight_like(const pt_reader *reader, const first_line *found)
{
    const pt_source *like = reader->like;
    bool there = like->weight_column > 0 && (uint64_t)like->weight_column <= found->columns;
    if (has_names(reader, found) && like->names.count > 0)
        return found->weight.count == 1 ? found->weight.last : found->columns;
    return there && found->columns == reader->like_features + 2 ? (size_t)like->weight_column - 1 : found->columns;
}

/* Where the label was, counted without a column of weights there, and with one here. */
static size_t label_place(const pt_reader *reader)
{
    const pt_source *like = reader->like;
    size_t place = like->label_column > 0 ? (size_t)like->label_column - 1 : 0;
    place -= like->weight_column > 0 && like->weight_column < like->label_column;
    return place + (reader->table.weight <= place);
}

/* The label is in the column of the same name or, without names, where it was, if there is a column more than there are
 * features, weights aside. A table without such a column has no labels. */
static partan_status label_like(pt_reader *reader, const first_line *found, size_t number)
{
    const pt_source *like = reader->like;
    size_t columns = found->columns - pt_table_is_weighted(&reader->table);
    uint64_t features = reader->like_features;
    bool header = has_names(reader, found);
    reader->table.label = found->columns;
    if (header && found->label.count == 1)
        reader->table.label = found->label.last;
    else if ((header && like->names.count > 0) || columns == features)
        return PARTAN_OK;
    else if (columns == features + 1)
        reader->table.label = label_place(reader);
    else
        return pt_fail(reader->context, PARTAN_ERROR_DATA,
                       "%s:%zu: found %zu columns, expected the %llu features of the training data, with or without "
                       "a label%s",
                       reader->name, number, found->columns, (unsigned long long)features,
                       like->weight_column > 0 ? ", or with a label and a weight" : "");
    return PARTAN_OK;
}

/* ---- Label and weight ---- */

static partan_status find_weight(pt_reader *reader, const first_line *found, size_t number)
{
    const partan_read_options *options = &reader->options;
    size_t *weight = &reader->table.weight;
    if (options->weight_name)
        return find_named(reader, &found->weight, options->weight_name, number, weight);
    if (options->weight_column != 0)
        return find_numbered(reader, "weight", options->weight_column, found->columns, number, weight);
    *weight = reader->like ? weight_like(reader, found) : found->columns;
    return PARTAN_OK;
}

static partan_status find_label(pt_reader *reader, const first_line *found, size_t number)
{
    const partan_read_options *options = &reader->options;
    size_t *label = &reader->table.label;
    if (options->label_name)
        return find_named(reader, &found->label, options->label_name, number, label);
    if (reader->like)
        return label_like(reader, found, number);
    return find_numbered(reader, "label", options->label_column, found->columns, number, label);
}

static partan_status find_columns(pt_reader *reader, const first_line *found, size_t number)
{
    pt_table *table = &reader->table;
    table->columns = found->columns;
    partan_status status = find_weight(reader, found, number);
    if (!status)
        status = find_label(reader, found, number);
    if (status)
        return status;
    if (pt_table_is_weighted(table) && table->weight == table->label)
        return pt_fail(reader->context, PARTAN_ERROR_ARGUMENT,
                       "%s:%zu: column %zu is both the label column and the weight column, expected two columns",
                       reader->name, number, table->label + 1);
    reader->source.label_column = table->label < table->columns ? (int64_t)table->label + 1 : 0;
    reader->source.weight_column = pt_table_is_weighted(table) ? (int64_t)table->weight + 1 : 0;
    return PARTAN_OK;
}

/* ---- The header ---- */

static partan_status add_name(pt_reader *reader, const pt_field *field, pt_feature_names *names)
{
    return pt_feature_names_add(reader->context, names, field->text, (size_t)(field->end - field->text), field->quoted);
}

/* The one name of a list, unless it is empty; frees the list. */
static char *only_name(partan_context *context, pt_feature_names *names)
{
    char *name = NULL;
    if (names->count > 0 && names->size > 1) {
        name = names->text;
        names->text = NULL;
    }
    pt_feature_names_free(context, names);
    return name;
}

static partan_status take_names(pt_reader *reader, const char *line)
{
    partan_status status = PARTAN_OK;
    size_t column = 0;
    pt_feature_names label = {0}, weight = {0};
    for (const char *p = line; !status; p++, column++) {
        pt_field field = pt_field_at(p, reader->table.separator);
        status = add_name(reader, &field,
                          column == reader->table.label    ? &label
                          : column == reader->table.weight ? &weight
                                                           : &reader->source.names);
        p = field.next;
        if (field.broken || pt_at_line_end(p))
            break;
    }
    reader->source.label_name = only_name(reader->context, &label);
    reader->source.weight_name = only_name(reader->context, &weight);
    return status;
}

/* Whether the first line is a header: names only, of which a row of numbers has none. What is neither is for the caller
 * to say, lest a row be lost. */
static partan_status find_header(const pt_reader *reader, const first_line *found, size_t number, bool *taken)
{
    const partan_read_options *options = &reader->options;
    size_t words = found->words - found->label_word, numbers = found->numbers - found->label_number;
    bool by_name = options->label_name || options->weight_name;
    *taken = options->header > 0 || by_name || words > 0;
    if (options->header >= 0 || by_name || words == 0 || numbers == 0)
        return PARTAN_OK;
    return pt_fail(reader->context, PARTAN_ERROR_FORMAT,
                   "%s:%zu: found words and numbers in the first line, expected column names or a row of numbers; "
                   "specify --header or --no-header",
                   reader->name, number);
}

/* A column by its name needs a header. */
static partan_status check_name(const pt_reader *reader, const char *what, const char *name)
{
    if (!name || reader->options.header != 0)
        return PARTAN_OK;
    return pt_fail(reader->context, PARTAN_ERROR_ARGUMENT,
                   "%s: the %s column is given by name, '%s', which needs a header", reader->name, what, name);
}

partan_status pt_table_begin(pt_reader *reader, const char *line, const char *end, size_t number, bool *taken)
{
    (void)end;
    partan_status status = check_name(reader, "label", reader->options.label_name);
    if (!status)
        status = check_name(reader, "weight", reader->options.weight_name);
    if (status)
        return status;
    first_line found = look(reader, line, SIZE_MAX);
    status = find_columns(reader, &found, number);
    if (status)
        return status;
    found = look(reader, line, reader->table.label);
    status = find_header(reader, &found, number, taken);
    if (reader->options.header == 0)
        *taken = false;
    reader->source.format = reader->table.separator == '\t' ? PARTAN_FORMAT_TSV : PARTAN_FORMAT_CSV;
    reader->source.counted = true;
    return status || !*taken ? status : take_names(reader, line);
}
