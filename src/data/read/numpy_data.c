/* Data sets from arrays: features and labels, together in one array or apart. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/read/input.h"
#include "data/read/numpy.h"
#include "data/read/words.h"
#include "data/weights.h"

enum { LABEL_SIZE = 4096 * 4 };

/* ---- Features and labels ---- */

typedef struct making {
    partan_context *context;
    const char *path;
    pt_numpy_parts parts;
    size_t rows, width, stride;
    float *values;
    double *labels, *weights;
    pt_words words;
} making;

static partan_status copy_row(making *m, size_t row)
{
    float *out = m->values + row * m->stride;
    for (size_t column = 0; column < m->parts.features->shape[1]; column++) {
        if (column == m->parts.label || column == m->parts.weight)
            continue;
        double value = pt_array_number(m->parts.features, row, column);
        *out = (float)value;
        if (!isfinite(*out++))
            return pt_fail(m->context, PARTAN_ERROR_DATA,
                           "%s: row %zu, column %zu: found %s, expected a finite number%s", m->path, row + 1,
                           column + 1,
                           isnan(value)      ? "NaN"
                           : isfinite(value) ? "a value above 3.4e38"
                                             : "an infinity",
                           isfinite(value) ? " in the range of float32" : "");
    }
    return PARTAN_OK;
}

static bool is_printable(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            return false;
    return true;
}

/* An empty text is no label. */
static partan_status copy_word(making *m, const pt_array *from, size_t row)
{
    char text[LABEL_SIZE + 8];
    size_t length = pt_array_text(from, row, text, sizeof text);
    m->labels[row] = (double)NAN;
    if (length == 0)
        return PARTAN_OK;
    if (!is_printable(text))
        return pt_fail(m->context, PARTAN_ERROR_DATA,
                       "%s: row %zu: found a label with control characters, expected printable text", m->path, row + 1);
    int32_t number = pt_words_number(&m->words, text, length);
    m->labels[row] = number;
    return number < 0 ? pt_out_of_memory(m->context, "labels") : PARTAN_OK;
}

static partan_status copy_label(making *m, size_t row)
{
    const pt_array *from = m->parts.labels ? m->parts.labels : m->parts.features;
    size_t column = m->parts.labels ? 0 : m->parts.label;
    if (pt_array_is_text(from))
        return copy_word(m, from, row);
    m->labels[row] = pt_array_number(from, row, column);
    if (isinf(m->labels[row]))
        return pt_fail(m->context, PARTAN_ERROR_DATA, "%s: row %zu: found an infinite label, expected a number",
                       m->path, row + 1);
    return PARTAN_OK;
}

static void copy_weight(making *m, size_t row)
{
    const pt_numpy_parts *parts = &m->parts;
    m->weights[row] =
        parts->weights ? pt_array_number(parts->weights, row, 0) : pt_array_number(parts->features, row, parts->weight);
}

static partan_status copy_rows(making *m)
{
    bool labelled = m->parts.labels || m->parts.label != SIZE_MAX;
    bool weighted = m->parts.weights || m->parts.weight != SIZE_MAX;
    m->values = pt_alloc_zero(m->context, m->rows * m->stride, sizeof *m->values);
    m->labels = labelled ? pt_alloc(m->context, m->rows, sizeof *m->labels) : NULL;
    m->weights = weighted ? pt_alloc(m->context, m->rows, sizeof *m->weights) : NULL;
    if (!m->values || (labelled && !m->labels) || (weighted && !m->weights))
        return pt_out_of_memory(m->context, "rows of data");
    partan_status status = PARTAN_OK;
    for (size_t row = 0; row < m->rows && !status; row++) {
        status = copy_row(m, row);
        if (!status && labelled)
            status = copy_label(m, row);
        if (weighted)
            copy_weight(m, row);
        if (!status && row % 1024 == 0)
            status = pt_progress_share(m->context, (double)row / (double)m->rows);
    }
    return status;
}

/* Gives the words and the weights, which must be good ones where they are used, to the data set. */
static partan_status finish(making *m, const partan_read_options *options, partan_data *data)
{
    partan_status status = m->weights ? pt_weights_check(m->context, m->path, m->weights, m->rows) : PARTAN_OK;
    if (!status && m->weights && !options->unlabelled)
        status = pt_weights_check_sum(m->context, m->path, m->weights, m->rows);
    if (status)
        return status;
    data->weights = m->weights;
    m->weights = NULL;
    if (m->parts.labels && pt_array_is_text(m->parts.labels)) {
        data->words = pt_copy(m->context, m->words.texts, m->words.count, sizeof *data->words);
        if (!data->words)
            return pt_out_of_memory(m->context, "labels");
        data->word_count = m->words.count;
        m->words.count = 0; /* they are the data set's now */
    }
    pt_free(m->context, data->name);
    data->name = pt_copy(m->context, m->path, strlen(m->path) + 1, 1);
    return data->name ? PARTAN_OK : pt_out_of_memory(m->context, "the name of a data set");
}

static partan_status check(const making *m, const partan_read_options *options)
{
    const pt_array *x = m->parts.features, *y = m->parts.labels, *weights = m->parts.weights;
    if (x->dimensions != 2 || pt_array_is_text(x))
        return pt_fail(m->context, PARTAN_ERROR_FORMAT,
                       "%s: found an array of %zu dimension%s%s, expected features as rows and columns of numbers",
                       m->path, x->dimensions, x->dimensions == 1 ? "" : "s", pt_array_is_text(x) ? " of texts" : "");
    if (y && y->shape[0] != x->shape[0])
        return pt_fail(m->context, PARTAN_ERROR_FORMAT, "%s: found %zu labels for %zu rows", m->path, y->shape[0],
                       x->shape[0]);
    if (weights && (pt_array_is_text(weights) || weights->shape[0] != x->shape[0]))
        return pt_fail(m->context, PARTAN_ERROR_FORMAT, "%s: found %zu weights%s, expected %zu numbers, one per row",
                       m->path, weights->shape[0], pt_array_is_text(weights) ? " that are texts" : "", x->shape[0]);
    if (options->precomputed)
        return pt_fail(m->context, PARTAN_ERROR_ARGUMENT,
                       "%s: precomputed kernels are read from text; expected a LIBSVM or CSV file", m->path);
    if (!y && m->parts.label == SIZE_MAX && !options->unlabelled)
        return pt_fail(m->context, PARTAN_ERROR_FORMAT,
                       "%s: found no labels, expected an array of one dimension with them", m->path);
    return PARTAN_OK;
}

static partan_status hand_over(const making *m, partan_storage storage, partan_data **data)
{
    partan_dense array;
    partan_array_options how;
    partan_dense_init(&array);
    partan_array_options_init(&how);
    array.values = m->values;
    array.rows = m->rows;
    array.features = m->stride;
    how.labels = m->labels;
    how.storage = storage;
    return partan_data_from_dense(m->context, &array, &how, data);
}

partan_status pt_numpy_data(partan_context *context, const char *path, const partan_read_options *options,
                            pt_numpy_parts parts, partan_data **data)
{
    making m = {.context = context, .path = path, .parts = parts};
    partan_status status = check(&m, options);
    if (status)
        return status;
    pt_words_init(&m.words, context);
    m.rows = parts.features->shape[0];
    m.width = parts.features->shape[1] - (parts.label != SIZE_MAX) - (parts.weight != SIZE_MAX);
    m.stride = m.width > options->min_features ? m.width : (size_t)options->min_features;
    status = copy_rows(&m);
    if (!status)
        status = hand_over(&m, options->storage, data);
    if (!status)
        status = finish(&m, options, *data);
    if (status && *data) {
        partan_data_free(*data);
        *data = NULL;
    }
    pt_words_free(&m.words);
    pt_free(context, m.values);
    pt_free(context, m.labels);
    pt_free(context, m.weights);
    return status;
}

/* ---- .npy ---- */

static partan_status read_all(partan_context *context, const char *path, unsigned char **text, size_t *size)
{
    enum { CHUNK = 1 << 20 };
    pt_input input;
    size_t capacity = 0, got = CHUNK;
    partan_status status = pt_input_open(context, path, path, &input);
    if (status)
        return status;
    while (!status && got == CHUNK) {
        if (pt_reserve(context, (void **)text, &capacity, *size, *size + CHUNK, 1))
            status = pt_out_of_memory(context, "an array");
        else
            status = pt_input_read(&input, (char *)*text + *size, CHUNK, &got);
        *size += status ? 0 : got;
        if (!status)
            status = pt_progress_share(context, 0);
    }
    pt_input_close(&input);
    return status;
}

/* A column from 0 by its number in the options; SIZE_MAX: none. */
static partan_status find_column(partan_context *context, const char *path, const char *what, const char *name,
                                 int64_t number, size_t columns, size_t *column)
{
    *column = SIZE_MAX;
    if (name)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "%s: columns of an array have no names such as '%s'", path,
                       name);
    if (number > (int64_t)columns || -number > (int64_t)columns)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "%s: found %zu columns, but the %s column is %lld", path,
                       columns, what, (long long)number);
    if (number != 0)
        *column = number > 0 ? (size_t)(number - 1) : columns - (size_t)-number;
    return PARTAN_OK;
}

static partan_status find_columns(partan_context *context, const char *path, const partan_read_options *options,
                                  pt_numpy_parts *parts)
{
    size_t columns = parts->features->shape[1];
    partan_status status =
        find_column(context, path, "label", options->label_name, options->label_column, columns, &parts->label);
    if (!status)
        status =
            find_column(context, path, "weight", options->weight_name, options->weight_column, columns, &parts->weight);
    if (!status && parts->weight != SIZE_MAX && parts->weight == parts->label)
        status = pt_fail(context, PARTAN_ERROR_ARGUMENT,
                         "%s: column %zu is both the label column and the weight column, expected two columns", path,
                         parts->label + 1);
    return status;
}

partan_status pt_numpy_read_npy(partan_context *context, const char *path, const partan_read_options *options,
                                partan_data **data)
{
    unsigned char *text = NULL;
    size_t size = 0;
    pt_array array = {0};
    pt_numpy_parts parts = {.features = &array};
    partan_status status = read_all(context, path, &text, &size);
    if (status)
        pt_free(context, text);
    else
        status = pt_array_parse(context, path, text, size, &array);
    if (!status)
        status = find_columns(context, path, options, &parts);
    if (!status)
        status = pt_numpy_data(context, path, options, parts, data);
    pt_array_free(context, &array);
    return status;
}
