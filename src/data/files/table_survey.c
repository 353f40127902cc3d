/* A data file before it is read: which format it would be taken for and, of CSV and TSV files, what is in each column,
 * also where the reader would refuse it (missing values, words among the features). */
#include <string.h>

#include "core/require.h"
#include "core/sized.h"
#include "data/read/binary.h"
#include "data/read/lines.h"
#include "data/read/reader.h"
#include "data/read/table.h"

enum { BLOCK = 1 << 17 };

typedef struct survey {
    pt_reader reader;
    const char *path;
    pt_input input;
    pt_lines lines;
    pt_text text;
    partan_column *columns; /* those of the first line */
    size_t line;            /* lines before the present one */
    bool whole;             /* not only the first line of data */
    bool done;
    partan_file_survey found;
} survey;

static partan_format format_of(const pt_reader *reader)
{
    if (reader->grammar == &pt_grammar_libsvm)
        return PARTAN_FORMAT_LIBSVM;
    return reader->table.separator == '\t' ? PARTAN_FORMAT_TSV : PARTAN_FORMAT_CSV;
}

static partan_status begin(survey *s, const char *line, const char *end, bool *taken)
{
    pt_reader *reader = &s->reader;
    pt_reader_choose(reader, s->path, line, end);
    partan_status status = reader->grammar->begin(reader, line, end, s->line + 1, taken);
    if (status)
        return status;
    s->found.format = format_of(reader);
    s->done = !s->whole || s->found.format == PARTAN_FORMAT_LIBSVM;
    if (s->found.format == PARTAN_FORMAT_LIBSVM)
        return PARTAN_OK;
    s->found.header = *taken;
    s->found.columns = reader->table.columns;
    s->found.label_column = reader->table.label < reader->table.columns ? reader->table.label + 1 : 0;
    s->found.weight_column = pt_table_is_weighted(&reader->table) ? reader->table.weight + 1 : 0;
    s->columns = pt_alloc_zero(reader->context, reader->table.columns, sizeof *s->columns);
    return s->columns ? PARTAN_OK : pt_out_of_memory(reader->context, "the columns of a table");
}

static void count_field(partan_column *column, const pt_field *field)
{
    double number;
    if (field->text == field->end || pt_is_missing(field->text, field->end))
        column->missing++;
    else if (pt_field_number(field, &number))
        column->numbers++;
    else
        column->words++;
}

/* Lines of another length than the first are counted, and looked at as far as they go. */
static void count_line(survey *s, const char *p)
{
    size_t column = 0;
    for (;; p++, column++) {
        pt_field field = pt_field_at(p, s->reader.table.separator);
        if (column < s->found.columns)
            count_field(&s->columns[column], &field);
        p = field.next;
        if (field.broken || *p != s->reader.table.separator)
            break;
    }
    s->found.rows++;
    s->found.uneven += column + 1 != s->found.columns;
}

static partan_status look_at_line(survey *s, const char *line, const char *end)
{
    bool taken = false;
    const char *first = pt_skip_blanks(line);
    if (*first == '#' || pt_at_line_end(first))
        return PARTAN_OK;
    if (!s->reader.grammar) {
        partan_status status = begin(s, line, end > line && end[-1] == '\r' ? end - 1 : end, &taken);
        if (status || s->done)
            return status;
    }
    if (!taken)
        count_line(s, line);
    return PARTAN_OK;
}

static partan_status look_at_text(survey *s)
{
    partan_status status = PARTAN_OK;
    const char *text = pt_text_begin(&s->text), *end = text + s->text.size;
    if (s->line == 0 && s->text.size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3; /* a byte order mark */
    while (text < end && !status && !s->done) {
        const char *line_end = memchr(text, '\n', (size_t)(end - text));
        status = look_at_line(s, text, line_end);
        text = line_end + 1;
        s->line++;
    }
    return status;
}

static partan_status look_at_all(survey *s)
{
    partan_context *context = s->reader.context;
    partan_progress unknown = {.done = -1, .seconds_left = -1};
    partan_status status;
    do {
        status = pt_lines_take(&s->lines, &s->text);
        if (!status && s->text.size > 0)
            status = look_at_text(s);
        if (!status)
            status = pt_progress_report(context, &unknown);
    } while (!status && !s->done && s->text.size > 0);
    if (status == PARTAN_INTERRUPTED)
        pt_interrupt_clear(context);
    return status;
}

/* The names of a header, which the reader has in one list but for those of label and weight. */
static void tell_columns(const survey *s, partan_column_callback column, void *user)
{
    size_t feature = 0;
    for (size_t i = 0; i < s->found.columns; i++) {
        partan_column one = s->columns[i];
        one.number = i + 1;
        one.is_label = i == s->reader.table.label;
        one.is_weight = i == s->reader.table.weight;
        one.name = one.is_label || one.is_weight ? NULL : pt_feature_name(&s->reader.source.names, feature);
        feature += !one.is_label && !one.is_weight;
        column(user, &one);
    }
}

PT_STRUCT_INIT(partan_file_survey, .format = PARTAN_FORMAT_AUTO)

partan_status partan_data_survey(partan_context *context, const char *path, const partan_read_options *options,
                                 partan_column_callback column, void *user, partan_file_survey *found)
{
    PT_REQUIRE(context, context && path && found);
    PT_TAKE(context, partan_read_options, options);
    PT_CHECK_OUTPUT(context, partan_file_survey, found);
    survey s = {.reader = {.context = context, .name = strcmp(path, "-") == 0 ? "standard input" : path},
                .path = path,
                .whole = column != NULL};
    partan_file_survey_init(&s.found);
    pt_struct_give(found, &s.found, sizeof s.found);
    if (pt_binary_recognise(path, &(const char *){NULL}) != PT_BINARY_NONE)
        return PARTAN_OK;
    partan_read_options_init(&s.reader.options);
    if (options)
        s.reader.options = *options;
    partan_status status = pt_input_open(context, path, s.reader.name, &s.input);
    if (status)
        return status;
    pt_lines_init(&s.lines, context, &s.input, BLOCK);
    pt_progress_begin(context, "read");
    status = look_at_all(&s);
    if (!status && !s.reader.grammar)
        status = pt_fail(context, PARTAN_ERROR_FORMAT, "%s: found no rows, expected at least one line of data",
                         s.reader.name);
    if (!status && column && s.columns)
        tell_columns(&s, column, user);
    if (!status)
        pt_struct_give(found, &s.found, sizeof s.found);
    pt_lines_free(&s.lines);
    pt_input_close(&s.input);
    pt_free(context, s.text.buffer);
    pt_free(context, s.columns);
    pt_source_free(context, &s.reader.source);
    return status;
}
