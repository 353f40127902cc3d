/* Rows as text: LIBSVM lines, or comma and tab separated ones with the label first. */
#include "data/write.h"

#include <errno.h>
#include <string.h>

#include "core/number.h"
#include "core/output.h"
#include "data/endings.h"

enum {
    BUFFER_SIZE = 1 << 18,
    INDEX_SIZE = 20,                              /* digits of any 64-bit index */
    ENTRY_SIZE = PT_NUMBER_SIZE + INDEX_SIZE + 2, /* " index:value" */
};

/* ---- The buffer ---- */

static partan_status flush(pt_writer *writer)
{
    size_t written = fwrite(writer->buffer, 1, writer->used, writer->output.file);
    if (written != writer->used)
        return pt_fail(writer->context, PARTAN_ERROR_IO, "%s: cannot be written: %s",
                       pt_output_of(&writer->output)->path, strerror(errno));
    writer->used = 0;
    return PARTAN_OK;
}

static partan_status ensure(pt_writer *writer, size_t room)
{
    return writer->used + room <= BUFFER_SIZE ? PARTAN_OK : flush(writer);
}

static partan_status put_byte(pt_writer *writer, char byte)
{
    partan_status status = ensure(writer, 1);
    if (!status)
        writer->buffer[writer->used++] = byte;
    return status;
}

static partan_status put_text(pt_writer *writer, const char *text)
{
    partan_status status = PARTAN_OK;
    for (; *text && !status; text++)
        status = put_byte(writer, *text);
    return status;
}

/* The two below need room that the caller has ensured. */
static void put_index(pt_writer *writer, uint64_t index)
{
    char digits[INDEX_SIZE];
    size_t length = 0;
    do
        digits[length++] = (char)('0' + index % 10);
    while (index /= 10);
    while (length)
        writer->buffer[writer->used++] = digits[--length];
}

static void put_value(pt_writer *writer, float value)
{
    /* 0 and 1 are by far the most frequent values of sparse data. */
    if (value == 0 || value == 1)
        writer->buffer[writer->used++] = value == 0 ? '0' : '1';
    else
        writer->used += pt_format_float(writer->buffer + writer->used, value);
}

/* ---- LIBSVM text ---- */

static partan_status put_entry(pt_writer *writer, bool first, uint64_t index, float value)
{
    partan_status status = ensure(writer, ENTRY_SIZE);
    if (status)
        return status;
    if (!first)
        writer->buffer[writer->used++] = ' ';
    put_index(writer, index);
    writer->buffer[writer->used++] = ':';
    put_value(writer, value);
    return PARTAN_OK;
}

static partan_status libsvm_row(pt_writer *writer, const pt_row *row)
{
    bool empty = true; /* nothing on this line yet */
    uint64_t last = 0; /* index of the last entry, from 1 */
    partan_status status = PARTAN_OK;
    if (row->label && *row->label) {
        status = put_text(writer, row->label);
        empty = false;
    }
    if (!status && row->serial >= 0) {
        status = ensure(writer, ENTRY_SIZE);
        if (status)
            return status;
        if (!empty)
            writer->buffer[writer->used++] = ' ';
        writer->buffer[writer->used++] = '0';
        writer->buffer[writer->used++] = ':';
        put_index(writer, (uint64_t)row->serial + 1);
        empty = false;
    }
    for (size_t k = 0; k < row->count && !status; k++) {
        if (row->values[k] == 0 && row->serial < 0)
            continue;
        last = (row->indices ? (uint64_t)row->indices[k] : k) + 1;
        status = put_entry(writer, empty, last, row->values[k]);
        empty = false;
    }
    /* The number of features would be lost when the last one is zero everywhere; and a blank line is no row. */
    if (!status && ((!writer->begun && last < writer->features) || empty))
        status = put_entry(writer, empty, writer->features ? writer->features : 1, 0);
    return status ? status : put_byte(writer, '\n');
}

/* ---- CSV and TSV ---- */

static bool needs_quotes(const char *word, char separator)
{
    size_t length = strlen(word);
    if (length == 0)
        return false;
    return strchr(word, separator) || strpbrk(word, "\"\r\n") || word[0] == '#' || word[0] == ' ' || word[0] == '\t'
           || word[length - 1] == ' ' || word[length - 1] == '\t';
}

static partan_status put_field(pt_writer *writer, const char *word, char separator)
{
    if (!needs_quotes(word, separator))
        return put_text(writer, word);
    partan_status status = put_byte(writer, '"');
    for (; *word && !status; word++) {
        status = put_byte(writer, *word);
        if (!status && *word == '"')
            status = put_byte(writer, '"');
    }
    return status ? status : put_byte(writer, '"');
}

static char separator_of(const pt_writer *writer)
{
    return writer->format == PARTAN_FORMAT_TSV ? '\t' : ',';
}

static size_t count_columns(const pt_writer *writer, bool labels)
{
    return writer->features + labels + writer->weighted;
}

static partan_status put_separator(pt_writer *writer, size_t column)
{
    return column > 0 ? put_byte(writer, separator_of(writer)) : PARTAN_OK;
}

static partan_status put_weight(pt_writer *writer, double weight)
{
    char text[PT_NUMBER_SIZE + 1];
    text[pt_format_real(text, weight)] = '\0';
    return put_text(writer, text);
}

static partan_status csv_row(pt_writer *writer, const pt_row *row)
{
    size_t columns = count_columns(writer, row->label != NULL);
    size_t feature = 0, next = 0; /* feature and entry to come */
    partan_status status = PARTAN_OK;
    for (size_t column = 0; column < columns && !status; column++) {
        status = put_separator(writer, column);
        if (!status)
            status = ensure(writer, ENTRY_SIZE);
        if (status)
            break;
        if (row->label && column == writer->label) {
            status = put_field(writer, row->label, separator_of(writer));
        } else if (writer->weighted && column == writer->weight) {
            status = put_weight(writer, row->weight);
        } else {
            bool present = next < row->count && (!row->indices || (size_t)row->indices[next] == feature);
            put_value(writer, present ? row->values[next++] : 0);
            feature++;
        }
    }
    return status ? status : put_byte(writer, '\n');
}

static partan_status put_header(pt_writer *writer, const pt_source *source, bool labels)
{
    size_t columns = count_columns(writer, labels), feature = 0;
    partan_status status = PARTAN_OK;
    for (size_t column = 0; column < columns && !status; column++) {
        const char *name = labels && column == writer->label              ? source->label_name
                           : writer->weighted && column == writer->weight ? source->weight_name
                                                                          : pt_feature_name(&source->names, feature++);
        status = put_separator(writer, column);
        if (!status && name)
            status = put_field(writer, name, separator_of(writer));
    }
    return status ? status : put_byte(writer, '\n');
}

/* A column of the source from 0, where another column of it is left out. */
static size_t column_without(int64_t column, int64_t other, bool left_out)
{
    return (size_t)column - 1 - (left_out && other > 0 && other < column);
}

partan_status pt_writer_like(pt_writer *writer, const pt_source *source, bool labels, bool weights)
{
    if (writer->format == PARTAN_FORMAT_LIBSVM)
        return PARTAN_OK;
    writer->weighted = weights;
    size_t last = count_columns(writer, labels) - 1;
    writer->weight = last;
    if (source->weight_column > 0)
        writer->weight = column_without(source->weight_column, source->label_column, !labels);
    if (source->label_column > 0)
        writer->label = column_without(source->label_column, source->weight_column, !weights);
    if (writer->weight > last)
        writer->weight = last;
    if (writer->label > last)
        writer->label = last;
    if (labels && weights && writer->label == writer->weight) /* one of them was not in the source */
        writer->label = writer->weight > 0 ? writer->weight - 1 : 1;
    return source->names.count > 0 ? put_header(writer, source, labels) : PARTAN_OK;
}

/* ---- Opening and ending ---- */

static partan_status check_path(partan_context *context, const char *path)
{
    const char *compression = partan_compression(path);
    if (!compression)
        return PARTAN_OK;
    return pt_fail(context, PARTAN_ERROR_ARGUMENT,
                   "%s: data is written as plain text; expected a name without %s, or - piped to a compressor", path,
                   compression);
}

partan_status pt_writer_open(partan_context *context, const char *path, partan_format format, size_t features,
                             pt_writer *writer)
{
    *writer = (pt_writer){.context = context, .format = format, .features = features};
    if (format < PARTAN_FORMAT_AUTO || format > PARTAN_FORMAT_TSV)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "%d is not a data format; expected LIBSVM, CSV or TSV",
                       (int)format);
    if (writer->format == PARTAN_FORMAT_AUTO)
        writer->format = pt_format_by_ending(path);
    if (writer->format == PARTAN_FORMAT_AUTO)
        writer->format = PARTAN_FORMAT_LIBSVM;
    partan_status status = check_path(context, path);
    if (status)
        return status;
    writer->buffer = pt_alloc(context, BUFFER_SIZE, 1);
    if (!writer->buffer)
        return pt_out_of_memory(context, "an output buffer");
    status = partan_output_open(context, path, &writer->output);
    if (status)
        pt_writer_abandon(writer);
    return status;
}

partan_status pt_writer_row(pt_writer *writer, const pt_row *row)
{
    partan_status status = writer->format == PARTAN_FORMAT_LIBSVM ? libsvm_row(writer, row) : csv_row(writer, row);
    writer->begun = true;
    return status;
}

partan_status pt_writer_commit(pt_writer *writer)
{
    partan_status status = flush(writer);
    if (status) {
        pt_writer_abandon(writer);
        return status;
    }
    pt_free(writer->context, writer->buffer);
    writer->buffer = NULL;
    return partan_output_commit(&writer->output);
}

void pt_writer_abandon(pt_writer *writer)
{
    pt_free(writer->context, writer->buffer);
    writer->buffer = NULL;
    partan_output_abandon(&writer->output);
}
