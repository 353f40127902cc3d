/* Writing a data set in memory to a file. */
#include <math.h>

#include "core/number.h"
#include "core/require.h"
#include "data/data.h"
#include "data/endings.h"
#include "data/write.h"

enum { REPORT_ROWS = 1024 }; /* rows between two looks at the progress */

/* Scratch for one row. Rows of a kernel matrix are written whole, zeros included, as svm-train wants them. */
typedef struct scratch {
    int32_t *indices;
    float *values;
    float *whole; /* precomputed kernels only */
} scratch;

static void scratch_free(partan_context *context, scratch *room)
{
    pt_free(context, room->indices);
    pt_free(context, room->values);
    pt_free(context, room->whole);
}

static partan_status scratch_make(partan_context *context, const partan_data *data, scratch *room)
{
    size_t entries = pt_matrix_row_room(&data->matrix);
    *room = (scratch){.indices = pt_alloc(context, entries, sizeof *room->indices),
                      .values = pt_alloc(context, entries, sizeof *room->values)};
    if (data->serials)
        room->whole = pt_alloc(context, data->matrix.features, sizeof *room->whole);
    if (room->indices && room->values && (room->whole || !data->serials))
        return PARTAN_OK;
    return pt_out_of_memory(context, "a row to write");
}

static const char *label_text(const partan_data *data, size_t row, char *buffer)
{
    if (!data->labels)
        return NULL;
    double label = data->labels[row];
    if (isnan(label))
        return "";
    if (data->words)
        return data->words[(size_t)label];
    buffer[pt_format_real(buffer, label)] = '\0';
    return buffer;
}

static partan_status write_row(pt_writer *writer, const partan_data *data, size_t i, scratch *room)
{
    char buffer[PT_NUMBER_SIZE + 1];
    pt_row row = {.label = label_text(data, i, buffer),
                  .serial = -1,
                  .weight = pt_data_weight(data, i),
                  .indices = room->indices,
                  .values = room->values};
    row.count = pt_matrix_row(&data->matrix, i, room->indices, room->values);
    if (room->whole) {
        for (size_t f = 0; f < data->matrix.features; f++)
            room->whole[f] = 0;
        for (size_t k = 0; k < row.count; k++)
            room->whole[room->indices[k]] = room->values[k];
        row.serial = data->serials[i];
        row.indices = NULL;
        row.values = room->whole;
        row.count = data->matrix.features;
    }
    return pt_writer_row(writer, &row);
}

/* What LIBSVM text cannot hold. */
static partan_status check_libsvm(partan_context *context, const partan_data *data, const char *path)
{
    if (data->words)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT,
                       "%s: LIBSVM text holds labels that are numbers, but %s has words (\"%s\"); expected CSV or TSV",
                       path, data->name, data->word_count ? data->words[0] : "");
    if (data->weights)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT,
                       "%s: LIBSVM text cannot hold weights of rows, which %s has; expected CSV or TSV", path,
                       data->name);
    return PARTAN_OK;
}

partan_status partan_data_write(partan_context *context, const partan_data *data, const char *path,
                                partan_format format)
{
    PT_REQUIRE(context, context && data && path);
    pt_writer writer;
    bool table = data->source.format == PARTAN_FORMAT_CSV || data->source.format == PARTAN_FORMAT_TSV;
    if (format == PARTAN_FORMAT_AUTO && pt_format_by_ending(path) == PARTAN_FORMAT_AUTO && table)
        format = data->source.format;
    partan_status status = pt_writer_open(context, path, format, data->matrix.features, &writer);
    if (status)
        return status;
    scratch room = {0};
    if (writer.format == PARTAN_FORMAT_LIBSVM)
        status = check_libsvm(context, data, path);
    if (!status)
        status = pt_writer_like(&writer, &data->source, data->labels != NULL, data->weights != NULL);
    if (!status)
        status = scratch_make(context, data, &room);

    pt_progress_begin(context, "write");
    size_t rows = data->matrix.rows;
    for (size_t i = 0; i < rows && !status; i++) {
        if (i % REPORT_ROWS == 0)
            status = pt_progress_share(context, (double)i / (double)rows);
        if (!status)
            status = write_row(&writer, data, i, &room);
    }
    scratch_free(context, &room);
    if (!status)
        return pt_writer_commit(&writer);
    if (status == PARTAN_INTERRUPTED) {
        pt_interrupt_clear(context);
        pt_fail(context, status, "%s: interrupted before all %zu rows were written", path, rows);
    }
    pt_writer_abandon(&writer);
    return status;
}
