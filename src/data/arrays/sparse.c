/* Compressed rows and columns with indices and values of either type as compressed rows of ours. */
#include <math.h>
#include <string.h>

#include "data/arrays/rows.h"

enum { LOOK = 1 << 20 }; /* entries between two looks whether to go on */

static int64_t integer_at(const void *array, partan_type type, size_t i)
{
    return type == PARTAN_INT32 ? ((const int32_t *)array)[i] : ((const int64_t *)array)[i];
}

static double value_at(const partan_sparse *array, size_t i)
{
    return array->value_type == PARTAN_FLOAT32 ? (double)((const float *)array->values)[i]
                                               : ((const double *)array->values)[i];
}

static bool is_by_columns(const partan_sparse *array)
{
    return array->order == PARTAN_CSC;
}

/* ---- Checks ---- */

static partan_status check_type(partan_context *context, const char *what, partan_type type, bool integers)
{
    partan_type first = integers ? PARTAN_INT32 : PARTAN_FLOAT32, second = integers ? PARTAN_INT64 : PARTAN_FLOAT64;
    if (type == first || type == second)
        return PARTAN_OK;
    return pt_fail(context, PARTAN_ERROR_ARGUMENT, "%s: found type %d, expected %s", what, (int)type,
                   integers ? "int32 or int64" : "float32 or float64");
}

static partan_status check_arrays(partan_context *context, const partan_sparse *array, size_t lists)
{
    if (array->order != PARTAN_CSR && array->order != PARTAN_CSC)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "found order %d, expected PARTAN_CSR or PARTAN_CSC",
                       (int)array->order);
    if (array->features > INT32_MAX || lists == SIZE_MAX)
        return pt_fail(context, PARTAN_ERROR_DATA, "found %zu features, at most 2147483647 are possible",
                       array->features);
    partan_status status = check_type(context, "offsets", array->offset_type, true);
    if (!status)
        status = check_type(context, "indices", array->index_type, true);
    if (!status)
        status = check_type(context, "values", array->value_type, false);
    if (!status)
        status = pt_check_array(context, "offsets", array->offsets, array->offset_type, lists + 1);
    if (!status)
        status = pt_check_array(context, "indices", array->indices, array->index_type, array->count);
    return status ? status : pt_check_array(context, "values", array->values, array->value_type, array->count);
}

/* All offsets, as 64 bits. */
static partan_status take_offsets(partan_context *context, const partan_sparse *array, size_t lists, int64_t *offsets)
{
    for (size_t i = 0; i <= lists; i++) {
        offsets[i] = integer_at(array->offsets, array->offset_type, i);
        if (offsets[i] < (i > 0 ? offsets[i - 1] : 0) || (uint64_t)offsets[i] > array->count)
            return pt_fail(context, PARTAN_ERROR_ARGUMENT,
                           "%s %zu: found an end at entry %lld, expected one from %lld to %zu",
                           is_by_columns(array) ? "column" : "row", i, (long long)offsets[i],
                           i > 0 ? (long long)offsets[i - 1] : 0, array->count);
    }
    return PARTAN_OK;
}

static partan_status check_index(partan_context *context, const partan_sparse *array, size_t list, int64_t index)
{
    bool by_columns = is_by_columns(array);
    size_t range = by_columns ? array->rows : array->features;
    if (index >= 0 && (uint64_t)index < range)
        return PARTAN_OK;
    return pt_fail(context, PARTAN_ERROR_ARGUMENT,
                   "%s %zu: found index %lld, expected one from 0 to %lld, as there "
                   "are %zu %s",
                   by_columns ? "column" : "row", list + 1, (long long)index, (long long)range - 1, range,
                   by_columns ? "rows" : "features");
}

static partan_status refuse_order(partan_context *context, size_t row, int64_t index, int64_t before)
{
    return pt_fail(context, PARTAN_ERROR_ARGUMENT, "row %zu: found index %lld after %lld, expected ascending indices",
                   row + 1, (long long)index, (long long)before);
}

/* ---- Rows ---- */

/* Checks one row, and copies it where there is something to copy to. */
static partan_status take_row(partan_context *context, const partan_sparse *array, size_t row, int64_t begin,
                              pt_array_rows *out)
{
    int64_t before = -1;
    for (int64_t k = out->offsets[row]; k < out->offsets[row + 1]; k++) {
        int64_t index = integer_at(array->indices, array->index_type, (size_t)(begin + k));
        double value = value_at(array, (size_t)(begin + k));
        partan_status status = check_index(context, array, row, index);
        if (status)
            return status;
        if (index <= before)
            return refuse_order(context, row, index, before);
        if (!isfinite((float)value))
            return pt_refuse_value(context, row, (size_t)index, value);
        before = index;
        if (out->values) {
            out->indices[k] = (int32_t)index;
            out->values[k] = (float)value;
        }
    }
    return PARTAN_OK;
}

static partan_status take_rows(partan_context *context, const partan_sparse *array, pt_array_rows *out)
{
    int64_t begin = out->offsets[0], seen = 0;
    partan_status status = PARTAN_OK;
    for (size_t i = 0; i <= array->rows; i++)
        out->offsets[i] -= begin;
    if (array->index_type == PARTAN_INT32 && array->value_type == PARTAN_FLOAT32) {
        out->rows.indices = array->count > 0 ? (const int32_t *)array->indices + begin : NULL;
        out->rows.values = array->count > 0 ? (const float *)array->values + begin : NULL;
    } else {
        size_t count = (size_t)out->offsets[array->rows];
        out->rows.indices = out->indices = pt_alloc(context, count, sizeof *out->indices);
        out->rows.values = out->values = pt_alloc(context, count, sizeof *out->values);
        if (!out->indices || !out->values)
            return pt_out_of_memory(context, "values as float32");
    }
    for (size_t row = 0; row < array->rows && !status; row++) {
        status = take_row(context, array, row, begin, out);
        if (!status && out->offsets[row + 1] - seen >= LOOK) {
            seen = out->offsets[row + 1];
            status = pt_progress_share(context, (double)row / (double)array->rows);
        }
    }
    return status;
}

/* ---- Columns ---- */

/* How many entries each row has, to starts[row + 1]. */
static partan_status count_entries(partan_context *context, const partan_sparse *array, const int64_t *offsets,
                                   int64_t *starts)
{
    memset(starts, 0, (array->rows + 1) * sizeof *starts);
    for (size_t column = 0; column < array->features; column++)
        for (int64_t k = offsets[column]; k < offsets[column + 1]; k++) {
            int64_t row = integer_at(array->indices, array->index_type, (size_t)k);
            partan_status status = check_index(context, array, column, row);
            if (!status && !isfinite((float)value_at(array, (size_t)k)))
                status = pt_refuse_value(context, (size_t)row, column, value_at(array, (size_t)k));
            if (!status && (k + 1) % LOOK == 0)
                status = pt_progress_share(context, 0.5 * (double)column / (double)array->features);
            if (status)
                return status;
            starts[row + 1]++;
        }
    for (size_t row = 0; row < array->rows; row++)
        starts[row + 1] += starts[row];
    return PARTAN_OK;
}

/* Every entry to the end of its row so far: columns come in order, and so do the indices of rows. starts[row] is where
 * the next entry of a row goes, and at the end where the next row begins. */
static partan_status scatter(partan_context *context, const partan_sparse *array, const int64_t *offsets,
                             pt_array_rows *out)
{
    int64_t *starts = out->offsets;
    for (size_t column = 0; column < array->features; column++)
        for (int64_t k = offsets[column]; k < offsets[column + 1]; k++) {
            int64_t row = integer_at(array->indices, array->index_type, (size_t)k), at = starts[row]++;
            out->indices[at] = (int32_t)column;
            out->values[at] = (float)value_at(array, (size_t)k);
            if ((k + 1) % LOOK == 0) {
                partan_status status = pt_progress_share(context, 0.5 + 0.5 * (double)column / (double)array->features);
                if (status)
                    return status;
            }
        }
    memmove(starts + 1, starts, array->rows * sizeof *starts);
    starts[0] = 0;
    for (size_t row = 0; row < array->rows; row++)
        for (int64_t k = starts[row] + 1; k < starts[row + 1]; k++)
            if (out->indices[k] == out->indices[k - 1])
                return pt_fail(context, PARTAN_ERROR_ARGUMENT, "column %d: found row index %zu twice",
                               out->indices[k] + 1, row);
    return PARTAN_OK;
}

static partan_status take_columns(partan_context *context, const partan_sparse *array, const int64_t *offsets,
                                  pt_array_rows *out)
{
    out->offsets = pt_alloc(context, array->rows + 1, sizeof *out->offsets);
    if (!out->offsets)
        return pt_out_of_memory(context, "the offsets of rows");
    partan_status status = count_entries(context, array, offsets, out->offsets);
    if (status)
        return status;
    size_t count = (size_t)out->offsets[array->rows];
    out->rows.indices = out->indices = pt_alloc(context, count, sizeof *out->indices);
    out->rows.values = out->values = pt_alloc(context, count, sizeof *out->values);
    if (!out->indices || !out->values)
        return pt_out_of_memory(context, "values as rows");
    return scatter(context, array, offsets, out);
}

partan_status pt_sparse_rows(partan_context *context, const partan_sparse *array, pt_array_rows *out)
{
    *out = (pt_array_rows){.features = array->features, .rows = {.count = array->rows}};
    size_t lists = is_by_columns(array) ? array->features : array->rows;
    partan_status status = check_arrays(context, array, lists);
    if (status)
        return status;
    int64_t *offsets = pt_alloc(context, lists + 1, sizeof *offsets);
    if (!offsets)
        return pt_out_of_memory(context, "offsets");
    status = take_offsets(context, array, lists, offsets);
    if (!is_by_columns(array)) {
        out->offsets = offsets;
        offsets = NULL;
    }
    if (!status)
        status = offsets ? take_columns(context, array, offsets, out) : take_rows(context, array, out);
    out->rows.offsets = out->offsets;
    pt_free(context, offsets);
    return status;
}
