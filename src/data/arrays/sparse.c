/* Compressed rows and columns with indices and values of either type as compressed rows of ours. */
#include <math.h>
#include <string.h>

#include "data/arrays/rows.h"

enum {
    LOOK = 1 << 20, /* entries of columns between two looks whether to go on */
    BLOCK = 1 << 22 /* and of rows, which are faster */
};

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

typedef struct row_job {
    const partan_sparse *array;
    const void *indices, *values; /* of the first row */
    pt_array_rows *out;
    size_t first, count; /* rows of this block */
    atomic_bool refused;
} row_job;

/* Checks one row of these types, and copies it where there is something to copy to. */
#define DEFINE_ROW(name, index_type, value_type)                                                                       \
    static bool name(const row_job *j, size_t row)                                                                     \
    {                                                                                                                  \
        const index_type *indices = j->indices;                                                                        \
        const value_type *values = j->values;                                                                          \
        int64_t before = -1, features = (int64_t)j->array->features;                                                   \
        bool sound = true;                                                                                             \
        for (int64_t k = j->out->offsets[row]; k < j->out->offsets[row + 1]; k++) {                                    \
            int64_t index = indices[k];                                                                                \
            float value = (float)values[k];                                                                            \
            sound &= (index > before) & (index < features) & (value - value == 0);                                     \
            before = index;                                                                                            \
            if (j->out->values) {                                                                                      \
                j->out->indices[k] = (int32_t)index;                                                                   \
                j->out->values[k] = value;                                                                             \
            }                                                                                                          \
        }                                                                                                              \
        return sound;                                                                                                  \
    }

DEFINE_ROW(take_int32_float, int32_t, float)
DEFINE_ROW(take_int32_double, int32_t, double)
DEFINE_ROW(take_int64_float, int64_t, float)
DEFINE_ROW(take_int64_double, int64_t, double)

static void take_chunk(void *user, size_t chunk, size_t thread)
{
    row_job *j = user;
    bool is_wide = j->array->index_type == PARTAN_INT64, is_double = j->array->value_type == PARTAN_FLOAT64;
    bool (*take)(const row_job *, size_t) = is_wide     ? is_double ? take_int64_double : take_int64_float
                                            : is_double ? take_int32_double
                                                        : take_int32_float;
    pt_span span = pt_span_of(j->count, PT_CHUNK_ROWS, chunk);
    bool sound = true;
    (void)thread;
    for (size_t row = span.begin; row < span.end; row++)
        sound &= take(j, j->first + row);
    if (!sound)
        atomic_store(&j->refused, true);
}

/* What is wrong with a row; PARTAN_OK: nothing. */
static partan_status judge_row(partan_context *context, const row_job *j, size_t row, int64_t begin)
{
    int64_t before = -1;
    for (int64_t k = j->out->offsets[row]; k < j->out->offsets[row + 1]; k++) {
        int64_t index = integer_at(j->array->indices, j->array->index_type, (size_t)(begin + k));
        double value = value_at(j->array, (size_t)(begin + k));
        partan_status status = check_index(context, j->array, row, index);
        if (status)
            return status;
        if (index <= before)
            return refuse_order(context, row, index, before);
        if (!isfinite((float)value))
            return pt_refuse_value(context, row, (size_t)index, value);
        before = index;
    }
    return PARTAN_OK;
}

static partan_status refuse_first(partan_context *context, const row_job *j, int64_t begin)
{
    partan_status status = PARTAN_OK;
    for (size_t row = j->first; !status; row++)
        status = judge_row(context, j, row, begin);
    return status;
}

/* Blocks of rows, between which interruptions are heard. */
static partan_status run_rows(partan_context *context, row_job *j, int64_t begin)
{
    const int64_t *offsets = j->out->offsets;
    size_t rows = j->array->rows;
    partan_status status = PARTAN_OK;
    for (j->first = 0; j->first < rows && !status; j->first += j->count) {
        for (j->count = 1; j->first + j->count < rows; j->count++)
            if (offsets[j->first + j->count] - offsets[j->first] >= BLOCK)
                break;
        double entries = (double)(offsets[j->first + j->count] - offsets[j->first]);
        pt_team_run(context, pt_team_for(context, entries + (double)j->count), pt_span_count(j->count, PT_CHUNK_ROWS),
                    take_chunk, j);
        status = atomic_load(&j->refused) ? refuse_first(context, j, begin)
                                          : pt_progress_share(context, (double)(j->first + j->count) / (double)rows);
    }
    return status;
}

static partan_status take_rows(partan_context *context, const partan_sparse *array, pt_array_rows *out)
{
    int64_t begin = out->offsets[0];
    for (size_t i = 0; i <= array->rows; i++)
        out->offsets[i] -= begin;
    row_job j = {.array = array, .out = out};
    atomic_init(&j.refused, false);
    if (array->count > 0) {
        j.indices = (const char *)array->indices + (size_t)begin * (array->index_type == PARTAN_INT32 ? 4 : 8);
        j.values = (const char *)array->values + (size_t)begin * (array->value_type == PARTAN_FLOAT32 ? 4 : 8);
    }
    out->rows.indices = j.indices;
    out->rows.values = j.values;
    if (array->index_type != PARTAN_INT32 || array->value_type != PARTAN_FLOAT32) {
        size_t count = (size_t)out->offsets[array->rows];
        out->rows.indices = out->indices = pt_alloc(context, count, sizeof *out->indices);
        out->rows.values = out->values = pt_alloc(context, count, sizeof *out->values);
        if (!out->indices || !out->values)
            return pt_out_of_memory(context, "values as float32");
    }
    return run_rows(context, &j, begin);
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
