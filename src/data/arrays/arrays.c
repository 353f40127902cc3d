/* Data sets from the caller's arrays. */
#include <math.h>
#include <string.h>

#include "core/require.h"
#include "core/sized.h"
#include "data/arrays/lent.h"
#include "data/arrays/rows.h"
#include "data/read/words.h"

PT_STRUCT_INIT(partan_dense, .row_stride = PARTAN_CONTIGUOUS, .column_stride = PARTAN_CONTIGUOUS)
PT_STRUCT_INIT(partan_sparse, .offset_type = PARTAN_INT64, .index_type = PARTAN_INT32)
PT_STRUCT_INIT(partan_array_options, .storage = PARTAN_STORAGE_AUTO)

void pt_array_rows_free(partan_context *context, pt_array_rows *rows)
{
    pt_free(context, rows->offsets);
    pt_free(context, rows->indices);
    pt_free(context, rows->values);
    *rows = (pt_array_rows){0};
}

partan_status pt_refuse_value(partan_context *context, size_t row, size_t feature, double value)
{
    if (isfinite(value))
        return pt_fail(context, PARTAN_ERROR_DATA,
                       "row %zu, feature %zu: found %g, expected a number that float32 can hold", row + 1, feature + 1,
                       value);
    return pt_fail(context, PARTAN_ERROR_DATA, "row %zu, feature %zu: found %s, expected a finite number", row + 1,
                   feature + 1, isnan(value) ? "NaN" : "an infinity");
}

partan_status pt_check_array(partan_context *context, const char *what, const void *array, partan_type type,
                             size_t count)
{
    size_t size = type == PARTAN_FLOAT32 || type == PARTAN_INT32 ? 4 : 8;
    if (count == 0)
        return PARTAN_OK;
    if (!array)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "%s: found NULL, expected an array", what);
    if ((uintptr_t)array % size != 0)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "%s: found an array that is not aligned to %zu bytes", what,
                       size);
    return PARTAN_OK;
}

/* ---- Labels and names ---- */

static partan_status take_numbers(partan_data *data, const double *labels, size_t rows)
{
    for (size_t row = 0; row < rows; row++)
        if (isinf(labels[row]))
            return pt_fail(data->context, PARTAN_ERROR_DATA, "row %zu: found an infinite label, expected a number",
                           row + 1);
    data->labels = pt_copy(data->context, labels, rows, sizeof *labels);
    return data->labels ? PARTAN_OK : pt_out_of_memory(data->context, "labels");
}

static partan_status number_words(partan_data *data, const char *const *labels, size_t rows, pt_words *words)
{
    data->labels = pt_alloc(data->context, rows, sizeof *data->labels);
    if (!data->labels)
        return pt_out_of_memory(data->context, "labels");
    for (size_t row = 0; row < rows; row++) {
        bool is_there = labels[row] && *labels[row];
        int32_t number = is_there ? pt_words_number(words, labels[row], strlen(labels[row])) : 0;
        if (number < 0)
            return pt_out_of_memory(data->context, "labels");
        data->labels[row] = is_there ? (double)number : (double)NAN;
    }
    return PARTAN_OK;
}

static partan_status take_words(partan_data *data, const char *const *labels, size_t rows)
{
    pt_words words;
    pt_words_init(&words, data->context);
    partan_status status = number_words(data, labels, rows, &words);
    if (!status) {
        data->words = words.texts;
        data->word_count = words.count;
        words.texts = NULL;
        words.count = 0;
    }
    pt_words_free(&words);
    return status;
}

static partan_status take_names(partan_data *data, const char *const *names, size_t features)
{
    partan_status status = PARTAN_OK;
    for (size_t i = 0; i < features && !status; i++) {
        if (!names[i])
            return pt_fail(data->context, PARTAN_ERROR_ARGUMENT, "feature %zu: found NULL, expected a name", i + 1);
        status = pt_feature_names_add(data->context, &data->source.names, names[i], strlen(names[i]), false);
    }
    return status;
}

/* ---- Values ---- */

/* The rows as they are, if they can be the matrix's own: sparse, without explicit zeros, and either copies that can be
 * taken over or the caller's, who lends them. */
static bool can_stay(const pt_array_rows *array, const pt_content *content, partan_storage storage, bool borrow)
{
    const pt_rows *rows = &array->rows;
    if (!rows->offsets || !rows->indices || !(array->indices || borrow))
        return false;
    if (storage == PARTAN_STORAGE_AUTO)
        storage = pt_storage_choose(rows->count, array->features, content);
    return storage == PARTAN_STORAGE_SPARSE && content->nonzeros == (uint64_t)rows->offsets[rows->count];
}

static partan_status keep_rows(partan_context *context, pt_array_rows *array, pt_matrix *matrix)
{
    *matrix = (pt_matrix){.context = context,
                          .storage = PARTAN_STORAGE_SPARSE,
                          .rows = array->rows.count,
                          .features = array->features,
                          .nonzeros = (uint64_t)array->offsets[array->rows.count],
                          .tiles = (array->rows.count + PT_TILE - 1) / PT_TILE,
                          .borrowed = array->indices == NULL,
                          .offsets = array->offsets,
                          /* never written to: the storage is only filled by those who made it */
                          .indices = (int32_t *)(uintptr_t)array->rows.indices,
                          .values = (float *)(uintptr_t)array->rows.values};
    array->offsets = NULL;
    array->indices = NULL;
    array->values = NULL;
    return pt_sparse_norms(matrix);
}

static partan_status take_values(partan_context *context, pt_array_rows *array, partan_storage storage, bool borrow,
                                 pt_matrix *matrix)
{
    const pt_rows *rows = &array->rows;
    pt_content content = pt_rows_survey(context, rows);
    pt_content_steps(context, storage, rows->count, array->features, rows, 1, &content);
    if (can_stay(array, &content, storage, borrow))
        return keep_rows(context, array, matrix);
    partan_status status = pt_matrix_begin(context, storage, rows->count, array->features, &content, matrix);
    if (!status)
        pt_matrix_put(matrix, 0, 0, rows);
    return status;
}

/* ---- All ---- */

/* Rows of a kernel matrix stand in the order of its columns. */
static partan_status number_rows(partan_data *data, size_t rows)
{
    data->serials = pt_alloc(data->context, rows, sizeof *data->serials);
    if (!data->serials)
        return pt_out_of_memory(data->context, "serial numbers");
    for (size_t row = 0; row < rows; row++)
        data->serials[row] = (int64_t)row;
    return PARTAN_OK;
}

static partan_status fill(partan_data *data, pt_array_rows *array, const partan_array_options *options)
{
    size_t rows = array->rows.count, features = array->features;
    partan_storage storage = options->precomputed ? PARTAN_STORAGE_DENSE : options->storage;
    partan_status status = PARTAN_OK;
    if (options->labels && options->words)
        return pt_fail(data->context, PARTAN_ERROR_ARGUMENT, "found labels and words, expected one of them");
    if (options->labels)
        status = take_numbers(data, options->labels, rows);
    else if (options->words)
        status = take_words(data, options->words, rows);
    if (!status && options->feature_names)
        status = take_names(data, options->feature_names, features);
    data->source.counted = !array->rows.offsets;
    if (!status && options->precomputed)
        status = number_rows(data, rows);
    if (!status)
        status = take_values(data->context, array, storage, options->borrow != 0, &data->matrix);
    return status || !options->weights ? status : partan_data_set_weights(data->context, data, options->weights);
}

/* Of rows that were taken, with this status. */
static partan_status make(partan_context *context, partan_status status, pt_array_rows *array,
                          const partan_array_options *options, partan_data **data)
{
    if (!status && array->rows.count == 0)
        status = pt_fail(context, PARTAN_ERROR_DATA, "the data has no rows");
    if (!status)
        status = pt_data_create(context, "data", data);
    if (!status)
        status = fill(*data, array, options);
    if (status) {
        partan_data_free(*data);
        *data = NULL;
    }
    if (status == PARTAN_INTERRUPTED)
        pt_interrupt_clear(context);
    pt_array_rows_free(context, array);
    return status;
}

partan_status partan_data_from_dense(partan_context *context, const partan_dense *array,
                                     const partan_array_options *options, partan_data **data)
{
    PT_REQUIRE(context, context && array && data);
    PT_TAKE(context, partan_dense, array);
    PT_TAKE(context, partan_array_options, options);
    *data = NULL;
    pt_array_rows rows;
    pt_progress_begin(context, "read");
    partan_status status = pt_dense_rows(context, array, &rows);
    return make(context, status, &rows, options ? options : &options_taken, data);
}

partan_status partan_data_from_sparse(partan_context *context, const partan_sparse *array,
                                      const partan_array_options *options, partan_data **data)
{
    PT_REQUIRE(context, context && array && data);
    PT_TAKE(context, partan_sparse, array);
    PT_TAKE(context, partan_array_options, options);
    *data = NULL;
    pt_array_rows rows;
    pt_progress_begin(context, "read");
    partan_status status = pt_sparse_rows(context, array, &rows);
    return make(context, status, &rows, options ? options : &options_taken, data);
}

int partan_data_is_borrowed(const partan_data *data)
{
    return data->matrix.borrowed;
}

/* ---- For the length of a call ---- */

/* Packed bits are far faster and, beside a dense array, small. Sparse rows of many features may be smaller as they are.
 */
static partan_storage storage_of(partan_context *context, const pt_array_rows *array, partan_storage meets)
{
    bool sparse = array->rows.offsets != NULL;
    if (meets == PARTAN_STORAGE_BITS) {
        pt_content content = pt_rows_survey(context, &array->rows);
        if (sparse ? pt_storage_choose(array->rows.count, array->features, &content) == PARTAN_STORAGE_BITS
                   : content.binary)
            return PARTAN_STORAGE_BITS;
    }
    return sparse ? PARTAN_STORAGE_SPARSE : PARTAN_STORAGE_DENSE;
}

static partan_status lend(partan_context *context, partan_status status, pt_array_rows *array, partan_storage meets,
                          pt_lent_data *lent)
{
    *lent = (pt_lent_data){.context = context, .rows = *array};
    lent->data.context = context;
    lent->data.name = lent->name;
    memcpy(lent->name, "data", sizeof "data");
    lent->data.source.counted = !array->rows.offsets;
    if (!status)
        status = take_values(context, &lent->rows, storage_of(context, array, meets), true, &lent->data.matrix);
    return status;
}

partan_status pt_lend_dense(partan_context *context, const partan_dense *array, partan_storage meets,
                            pt_lent_data *lent)
{
    pt_array_rows rows;
    partan_status status = pt_dense_rows(context, array, &rows);
    return lend(context, status, &rows, meets, lent);
}

partan_status pt_lend_sparse(partan_context *context, const partan_sparse *array, partan_storage meets,
                             pt_lent_data *lent)
{
    pt_array_rows rows;
    partan_status status = pt_sparse_rows(context, array, &rows);
    return lend(context, status, &rows, meets, lent);
}

void pt_lent_data_free(pt_lent_data *lent)
{
    pt_matrix_free(&lent->data.matrix);
    pt_array_rows_free(lent->context, &lent->rows);
}
