/* Applying a scaling: a new data set with the features that were fitted and the labels of the old one. */
#include <math.h>
#include <string.h>

#include "core/require.h"
#include "data/match.h"
#include "data/scale.h"

/* Rows on their way. Where no zero has an image other than 0, only nonzeros are touched and sparse data stays sparse.
 */
typedef struct work {
    const partan_scaling *scaling;
    const partan_data *data;
    int32_t *indices; /* of the row at hand */
    float *values;
    float *zeros; /* images of zero; then the whole row */
    float *whole;
    size_t filled; /* features whose zeros become something else */
    pt_segment segment;
} work;

static void work_free(partan_context *context, work *job)
{
    pt_free(context, job->indices);
    pt_free(context, job->values);
    pt_free(context, job->zeros);
    pt_free(context, job->whole);
    pt_segment_free(&job->segment);
}

static partan_status work_make(partan_context *context, work *job)
{
    size_t count = job->scaling->count;
    /* A whole row has room for what has a range, a row of the source for its own. */
    size_t room = pt_matrix_row_room(&job->data->matrix);
    room = room > count ? room : count;
    job->indices = pt_alloc(context, room, sizeof *job->indices);
    job->values = pt_alloc(context, room, sizeof *job->values);
    job->zeros = pt_alloc(context, count, sizeof *job->zeros);
    job->whole = pt_alloc(context, count, sizeof *job->whole);
    if (!job->indices || !job->values || !job->zeros || !job->whole)
        return pt_out_of_memory(context, "scaled rows");
    return PARTAN_OK;
}

static partan_status map(partan_context *context, const work *job, size_t row, size_t range, double value, float *image)
{
    *image = (float)pt_scaling_map(job->scaling, range, value);
    if (isfinite(*image))
        return PARTAN_OK;
    return pt_fail(context, PARTAN_ERROR_NUMERIC,
                   "%s: row %zu, feature %zu: the value %g is too large for a float once scaled", job->data->name,
                   row + 1, pt_scaling_feature(job->scaling, range) + 1, value);
}

static partan_status map_zeros(partan_context *context, work *job)
{
    partan_status status = PARTAN_OK;
    for (size_t f = 0; f < job->scaling->count && !status; f++) {
        status = map(context, job, 0, f, 0, &job->zeros[f]);
        job->filled += job->zeros[f] != 0;
    }
    return status;
}

static partan_status add(partan_context *context, work *job, const int32_t *indices, const float *values, size_t count)
{
    if (pt_segment_add(&job->segment, indices, values, count))
        return pt_out_of_memory(context, "scaled rows"); /* a segment has no sentence of its own */
    return PARTAN_OK;
}

/* The nonzeros of a row mapped in place, less features that were not fitted and those that become 0. */
static partan_status map_sparse(partan_context *context, work *job, size_t row, size_t count)
{
    size_t kept = 0;
    for (size_t k = 0; k < count && (size_t)job->indices[k] < job->scaling->features; k++) {
        int64_t range = pt_scaling_find(job->scaling, (size_t)job->indices[k]);
        float image = 0;
        partan_status status = range < 0 ? PARTAN_OK : map(context, job, row, (size_t)range, job->values[k], &image);
        if (status)
            return status;
        job->indices[kept] = job->indices[k];
        job->values[kept] = image;
        kept += image != 0;
    }
    return add(context, job, job->indices, job->values, kept);
}

static partan_status map_whole(partan_context *context, work *job, size_t row, size_t count)
{
    const partan_scaling *scaling = job->scaling;
    size_t ranges = scaling->count;
    memcpy(job->whole, job->zeros, ranges * sizeof *job->whole);
    for (size_t k = 0; k < count; k++) {
        int64_t range = pt_scaling_find(scaling, (size_t)job->indices[k]);
        partan_status status =
            range < 0 ? PARTAN_OK : map(context, job, row, (size_t)range, job->values[k], &job->whole[range]);
        if (status)
            return status;
    }
    /* Indices cost as much as values: leave them out unless less than half of the row is there. */
    if (job->filled > scaling->features / 2 && !scaling->indices)
        return add(context, job, NULL, job->whole, ranges);
    size_t kept = 0;
    for (size_t f = 0; f < ranges; f++) {
        job->indices[kept] = (int32_t)pt_scaling_feature(scaling, f);
        job->values[kept] = job->whole[f];
        kept += job->whole[f] != 0;
    }
    return add(context, job, job->indices, job->values, kept);
}

static partan_status map_rows(partan_context *context, work *job)
{
    const pt_matrix *matrix = &job->data->matrix;
    partan_status status = map_zeros(context, job);
    for (size_t row = 0; row < matrix->rows && !status; row++) {
        size_t count = pt_matrix_row(matrix, row, job->indices, job->values);
        status = job->filled ? map_whole(context, job, row, count) : map_sparse(context, job, row, count);
    }
    return status;
}

static void warn(partan_context *context, const work *job, const partan_data *scaled)
{
    const pt_matrix *before = &job->data->matrix, *after = &scaled->matrix;
    if (before->features > job->scaling->features)
        pt_log(context, PARTAN_LOG_WARNING, "%s: features %zu to %zu are not part of the scaling; they are dropped",
               job->data->name, job->scaling->features + 1, before->features);
    if (before->storage != PARTAN_STORAGE_DENSE && after->nonzeros > before->nonzeros)
        pt_log(
            context, PARTAN_LOG_WARNING,
            "%s: scaling makes %llu nonzeros of %llu; min-max with lower bound 0 keeps the zeros of data that is not "
            "negative",
            job->data->name, (unsigned long long)after->nonzeros, (unsigned long long)before->nonzeros);
}

static partan_status scale(partan_context *context, work *job, partan_storage storage, partan_data *scaled)
{
    partan_status status = work_make(context, job);
    if (!status)
        status = map_rows(context, job);
    if (!status)
        status = pt_matrix_build(context, &job->segment, 1, storage, job->scaling->features, &scaled->matrix);
    return status;
}

static partan_status scale_matched(partan_context *context, const partan_scaling *scaling, const partan_data *data,
                                   partan_storage storage, partan_data **scaled)
{
    partan_data *made = NULL;
    partan_status status = pt_data_copy_rest(data, &made);
    if (status)
        return status;
    work job = {.scaling = scaling, .data = data};
    pt_segment_init(&job.segment, context);
    status = scale(context, &job, storage, made);
    if (!status) {
        warn(context, &job, made);
        *scaled = made;
    } else {
        partan_data_free(made);
    }
    work_free(context, &job);
    return status;
}

static bool is_table(const partan_data *data)
{
    return data->source.format == PARTAN_FORMAT_CSV || data->source.format == PARTAN_FORMAT_TSV;
}

partan_status partan_scaling_apply(partan_context *context, const partan_scaling *scaling, const partan_data *data,
                                   partan_storage storage, partan_data **scaled)
{
    PT_REQUIRE(context, context && scaling && data && scaled);
    *scaled = NULL;
    if (data->serials)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: rows of a kernel matrix cannot be scaled", data->name);
    pt_match match = {.data = data};
    pt_source fitted = {.names = scaling->names};
    partan_status status =
        is_table(data) ? pt_match_open(context, &fitted, scaling->features, data, &match) : PARTAN_OK;
    if (!status)
        status = scale_matched(context, scaling, match.data, storage, scaled);
    pt_match_close(&match);
    return status;
}
