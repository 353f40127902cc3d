/* Data sets from the caller's arrays. */
#include <math.h>
#include <string.h>

#include "core/require.h"
#include "data/data.h"
#include "data/storage/layout.h"

static partan_status check_labels(partan_context *context, const double *labels, size_t rows)
{
    for (size_t row = 0; labels && row < rows; row++)
        if (isinf(labels[row]))
            return pt_fail(context, PARTAN_ERROR_DATA, "row %zu: found an infinite label, expected a number", row);
    return PARTAN_OK;
}

/* Finiteness, and for compressed rows their shape. Rows and features are counted from 0, as the caller's arrays are. */
static partan_status check_row(partan_context *context, size_t row, const int32_t *indices, const float *values,
                               size_t count, size_t features)
{
    for (size_t k = 0; k < count; k++) {
        if (indices && (indices[k] < 0 || (size_t)indices[k] >= features))
            return pt_fail(context, PARTAN_ERROR_ARGUMENT, "row %zu: found index %d, expected one of 0 .. %zu", row,
                           indices[k], features - 1);
        if (indices && k > 0 && indices[k] <= indices[k - 1])
            return pt_fail(context, PARTAN_ERROR_ARGUMENT,
                           "row %zu: found index %d after %d, expected ascending indices", row, indices[k],
                           indices[k - 1]);
        if (!isfinite(values[k]))
            return pt_fail(context, PARTAN_ERROR_DATA, "row %zu, feature %zu: found %s, expected a finite number", row,
                           indices ? (size_t)indices[k] : k, isnan(values[k]) ? "NaN" : "an infinity");
    }
    return PARTAN_OK;
}

static partan_status check_rows(partan_context *context, const pt_rows *rows, size_t features)
{
    for (size_t row = 0; row < rows->count; row++) {
        const int32_t *indices;
        const float *values;
        if (rows->offsets && (rows->offsets[row] < 0 || rows->offsets[row + 1] < rows->offsets[row]))
            return pt_fail(context, PARTAN_ERROR_ARGUMENT,
                           "row %zu: found offsets %lld and %lld, expected ascending ones", row,
                           (long long)rows->offsets[row], (long long)rows->offsets[row + 1]);
        size_t count = pt_rows_get(rows, row, &indices, &values);
        partan_status status = check_row(context, row, indices, values, count, features);
        if (status)
            return status;
    }
    return PARTAN_OK;
}

static partan_status from_rows(partan_context *context, const pt_rows *rows, size_t features, const double *labels,
                               partan_storage storage, partan_data **data)
{
    *data = NULL;
    if (rows->count == 0)
        return pt_fail(context, PARTAN_ERROR_DATA, "the data has no rows");
    partan_status status = check_rows(context, rows, features);
    if (!status)
        status = check_labels(context, labels, rows->count);
    if (status)
        return status;

    partan_data *made;
    status = pt_data_create(context, "data", &made);
    if (status)
        return status;
    pt_content content = pt_rows_survey(context, rows);
    pt_content_steps(context, storage, rows->count, features, rows, 1, &content);
    status = pt_matrix_begin(context, storage, rows->count, features, &content, &made->matrix);
    if (!status && labels) {
        made->labels = pt_copy(context, labels, rows->count, sizeof *labels);
        if (!made->labels)
            status = pt_out_of_memory(context, "labels");
    }
    if (status) {
        partan_data_free(made);
        return status;
    }
    pt_matrix_put(&made->matrix, 0, 0, rows);
    made->source.counted = !rows->offsets;
    *data = made;
    return PARTAN_OK;
}

partan_status partan_data_from_dense(partan_context *context, const float *values, size_t rows, size_t features,
                                     size_t stride, const double *labels, partan_storage storage, partan_data **data)
{
    PT_REQUIRE(context, context && data && (values || rows == 0 || features == 0));
    *data = NULL;
    if (stride < features && rows > 1)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "found a stride of %zu, expected at least %zu, the features",
                       stride, features);
    pt_rows view = {.count = rows, .values = values, .width = features, .stride = stride};
    return from_rows(context, &view, features, labels, storage, data);
}

partan_status partan_data_from_csr(partan_context *context, size_t rows, size_t features, const int64_t *offsets,
                                   const int32_t *indices, const float *values, const double *labels,
                                   partan_storage storage, partan_data **data)
{
    PT_REQUIRE(context, context && offsets && data && (rows == 0 || (indices && values) || offsets[rows] == 0));
    pt_rows view = {.count = rows, .offsets = offsets, .indices = indices, .values = values};
    return from_rows(context, &view, features, labels, storage, data);
}
