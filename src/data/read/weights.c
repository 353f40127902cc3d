/* Weights of rows from a file of their own: one number a line. Of processes that work together (partan_mpi.h) each
 * reads all of it, and keeps what its rows have. */
#include <math.h>
#include <string.h>

#include "core/agree.h"
#include "core/require.h"
#include "data/read/lines.h"
#include "data/read/reader.h"
#include "data/read/scan.h"
#include "data/weights.h"

enum { BLOCK = 1 << 17 };

typedef struct weights_file {
    partan_context *context;
    const char *path;
    const partan_data *data; /* that they are for */
    double *weights;
    size_t first, all; /* the number of its first row, and of all rows how many there are */
    size_t count;      /* so far */
    size_t line;       /* lines so far */
    bool positive;     /* one of them at least */
} weights_file;

static void take_numbers(void *user, double *rows)
{
    weights_file *file = user;
    file->first = (size_t)*rows;
    *rows += (double)file->data->matrix.rows;
}

static const char *end_of_number(const char *p, const char *end)
{
    while (end > p && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    return end;
}

/* The line [p, end), without its line feed. */
static partan_status take_line(weights_file *file, const char *p, const char *end)
{
    double weight;
    char quote[PT_QUOTE_SIZE];
    p = pt_skip_blanks(p);
    end = end_of_number(p, end);
    if (p == end || *p == '#')
        return PARTAN_OK;
    if (file->count == file->all)
        return pt_fail(file->context, PARTAN_ERROR_FORMAT,
                       "%s:%zu: found a weight more than the %zu rows of %s, expected one per row", file->path,
                       file->line, file->count, file->data->name);
    if (pt_parse_real(p, end, &weight) != end || !(weight >= 0) || isinf(weight))
        return pt_fail(file->context, PARTAN_ERROR_FORMAT,
                       "%s:%zu: found %s, expected a weight, a number that is 0 or "
                       "more",
                       file->path, file->line, pt_quote(quote, p, end));
    size_t number = file->count++;
    if (number >= file->first && number - file->first < file->data->matrix.rows)
        file->weights[number - file->first] = weight;
    file->positive |= weight > 0;
    return PARTAN_OK;
}

static partan_status take_text(weights_file *file, const pt_text *text)
{
    const char *line = pt_text_begin(text), *end = line + text->size;
    partan_status status = PARTAN_OK;
    if (file->line == 0 && text->size >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0)
        line += 3; /* a byte order mark */
    while (line < end && !status) {
        const char *feed = memchr(line, '\n', (size_t)(end - line));
        file->line++;
        status = take_line(file, line, feed);
        line = feed + 1;
    }
    return status;
}

static partan_status take_all(weights_file *file, pt_input *input)
{
    partan_progress unknown = {.done = -1, .seconds_left = -1};
    pt_text text = {0};
    pt_lines lines;
    partan_status status;
    pt_lines_init(&lines, file->context, input, BLOCK);
    do {
        status = pt_lines_take(&lines, &text);
        if (!status)
            status = take_text(file, &text);
        if (!status)
            status = pt_progress_report(file->context, &unknown);
    } while (!status && text.size > 0);
    pt_lines_free(&lines);
    pt_free(file->context, text.buffer);
    if (!status && file->count < file->all)
        status = pt_fail(file->context, PARTAN_ERROR_FORMAT,
                         "%s:%zu: found the last of %zu weights, expected %zu, one for each row of %s", file->path,
                         file->line, file->count, file->all, file->data->name);
    return status;
}

static partan_status read_file(weights_file *file)
{
    pt_input input;
    partan_status status = pt_input_open(file->context, file->path, file->path, &input);
    if (status)
        return status;
    pt_progress_begin(file->context, "read");
    status = take_all(file, &input);
    pt_input_close(&input);
    if (!status && !file->positive)
        status =
            pt_fail(file->context, PARTAN_ERROR_DATA, "%s: all rows have weight 0, expected one above 0", file->path);
    if (status == PARTAN_INTERRUPTED) {
        pt_interrupt_clear(file->context);
        pt_fail(file->context, status, "%s: reading was interrupted", file->path);
    }
    return status;
}

partan_status partan_data_read_weights(partan_context *context, partan_data *data, const char *path)
{
    PT_REQUIRE(context, context && data && path);
    if (strcmp(path, "-") == 0)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "weights are read from a file, found '-', standard input");
    weights_file file = {.context = context, .path = path, .data = data};
    double all = 0;
    pt_in_turn(context->comm, take_numbers, &file, &all, 1);
    file.all = (size_t)all;
    file.weights = pt_alloc(data->context, data->matrix.rows, sizeof *file.weights);
    partan_status status = file.weights ? read_file(&file) : pt_out_of_memory(context, "weights");
    status = pt_agree(context, context->comm, status);
    if (status) {
        pt_free(data->context, file.weights);
        return status;
    }
    pt_free(data->context, data->weights);
    data->weights = file.weights;
    return PARTAN_OK;
}
