#include "data/match.h"

#include <stdlib.h>
#include <string.h>

/* ---- By place ---- */

static partan_status check_count(partan_context *context, uint64_t features, const partan_data *data)
{
    uint64_t found = data->matrix.features;
    if (found == features)
        return PARTAN_OK;
    if (data->source.counted)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: found %llu features, expected the %llu of the training data",
                       data->name, (unsigned long long)found, (unsigned long long)features);
    if (found > features)
        return pt_fail(context, PARTAN_ERROR_DATA,
                       "%s: found feature %llu, expected no more than the %llu of the training data", data->name,
                       (unsigned long long)found, (unsigned long long)features);
    pt_log(context, PARTAN_LOG_INFO, "%s: has %llu of the %llu features of the training data; the others are 0",
           data->name, (unsigned long long)found, (unsigned long long)features);
    return PARTAN_OK;
}

/* ---- By name ---- */

static bool are_equal(const pt_feature_names *a, const pt_feature_names *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(pt_feature_name(a, i), pt_feature_name(b, i)) != 0)
            return false;
    return true;
}

typedef struct named {
    const char *name;
    size_t column;
} named;

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

/* The columns in the order of their names; NULL when memory is out. */
static named *sort_names(partan_context *context, const pt_feature_names *names)
{
    named *sorted = pt_alloc(context, names->count, sizeof *sorted);
    if (!sorted)
        return NULL;
    for (size_t i = 0; i < names->count; i++)
        sorted[i] = (named){pt_feature_name(names, i), i};
    qsort(sorted, names->count, sizeof *sorted, compare_names);
    return sorted;
}

static partan_status check_unique(partan_context *context, const char *where, const named *sorted, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (strcmp(sorted[i - 1].name, sorted[i].name) == 0)
            return pt_fail(context, PARTAN_ERROR_DATA,
                           "%s has more than one column named '%s', and its columns are not in the order of the "
                           "training data: they cannot be matched",
                           where, sorted[i].name);
    return PARTAN_OK;
}

/* Both lists in order: the first name that only one of them has. */
static partan_status check_same(partan_context *context, const partan_data *data, const named *model,
                                size_t model_count, const named *given, size_t given_count)
{
    for (size_t i = 0; i < model_count || i < given_count; i++) {
        int order = i >= model_count ? 1 : i >= given_count ? -1 : strcmp(model[i].name, given[i].name);
        if (order < 0)
            return pt_fail(context, PARTAN_ERROR_DATA,
                           "%s: there is no column '%s', which is a feature of the training data", data->name,
                           model[i].name);
        if (order > 0)
            return pt_fail(context, PARTAN_ERROR_DATA,
                           "%s: column '%s' is neither a feature nor the label of the training data", data->name,
                           given[i].name);
    }
    return PARTAN_OK;
}

/* ---- Another order ---- */

/* Row by row through a whole row: tables are dense, or nearly. */
static partan_status put_rows(const partan_data *data, const size_t *place, pt_segment *segment)
{
    partan_context *context = data->context;
    const pt_matrix *matrix = &data->matrix;
    size_t room = pt_matrix_row_room(matrix);
    int32_t *indices = pt_alloc(context, room, sizeof *indices);
    float *values = pt_alloc(context, room, sizeof *values);
    float *whole = pt_alloc(context, matrix->features, sizeof *whole);
    partan_status status = indices && values && whole ? PARTAN_OK : PARTAN_ERROR_MEMORY;
    for (size_t row = 0; row < matrix->rows && !status; row++) {
        size_t count = pt_matrix_row(matrix, row, indices, values);
        memset(whole, 0, matrix->features * sizeof *whole);
        for (size_t k = 0; k < count; k++)
            whole[place[indices[k]]] = values[k];
        status = pt_segment_add(segment, NULL, whole, matrix->features);
    }
    pt_free(context, indices);
    pt_free(context, values);
    pt_free(context, whole);
    return status ? pt_out_of_memory(context, "columns in another order") : PARTAN_OK;
}

/* A copy whose column place[i] is the data's column i. */
static partan_status reorder(const partan_data *data, const size_t *place, const pt_feature_names *names,
                             partan_data **out)
{
    partan_context *context = data->context;
    pt_segment segment;
    pt_segment_init(&segment, context);
    partan_status status = pt_data_copy_rest(data, out);
    if (!status) {
        pt_feature_names_free(context, &(*out)->source.names);
        status = pt_feature_names_copy(context, names, &(*out)->source.names);
    }
    if (!status)
        status = put_rows(data, place, &segment);
    if (!status)
        status = pt_matrix_build(context, &segment, 1, data->matrix.storage, data->matrix.features, &(*out)->matrix);
    pt_segment_free(&segment);
    return status;
}

static partan_status match_names(partan_context *context, const pt_source *source, const partan_data *data,
                                 pt_match *match)
{
    const pt_feature_names *ours = &source->names, *theirs = &data->source.names;
    named *model = sort_names(context, ours), *given = sort_names(context, theirs);
    size_t *place = pt_alloc(context, theirs->count, sizeof *place);
    partan_status status = model && given && place ? PARTAN_OK : pt_out_of_memory(context, "the names of features");
    if (!status)
        status = check_same(context, data, model, ours->count, given, theirs->count);
    if (!status)
        status = check_unique(context, data->name, given, theirs->count);
    for (size_t i = 0; i < theirs->count && !status; i++)
        place[given[i].column] = model[i].column;
    if (!status) {
        pt_log(context, PARTAN_LOG_INFO,
               "%s: columns are in a different order from the training data, and are "
               "reordered",
               data->name);
        status = reorder(data, place, ours, &match->own);
        match->data = match->own;
    }
    pt_free(context, model);
    pt_free(context, given);
    pt_free(context, place);
    return status;
}

partan_status pt_match_open(partan_context *context, const pt_source *source, uint64_t features,
                            const partan_data *data, pt_match *match)
{
    *match = (pt_match){.data = data};
    if (source->names.count == 0 || data->source.names.count == 0)
        return check_count(context, features, data);
    return are_equal(&source->names, &data->source.names) ? PARTAN_OK : match_names(context, source, data, match);
}

void pt_match_close(pt_match *match)
{
    partan_data_free(match->own);
    *match = (pt_match){0};
}
