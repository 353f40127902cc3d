/* Fitting a scaling to data, and its map. Zeros that sparse data leaves out take part as the values they are. */
#include "data/scale.h"

#include <float.h>
#include <math.h>

#include "core/require.h"
#include "data/data.h"
#include "data/storage/kept.h"

bool pt_scaling_bounds_valid(double lower, double upper)
{
    return lower >= -FLT_MAX && upper <= FLT_MAX && (float)lower < (float)upper;
}

int64_t pt_scaling_find(const partan_scaling *scaling, size_t feature)
{
    if (!scaling->indices)
        return feature < scaling->count ? (int64_t)feature : -1;
    size_t low = 0, high = scaling->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((size_t)scaling->indices[middle] < feature)
            low = middle + 1;
        else
            high = middle;
    }
    return low < scaling->count && (size_t)scaling->indices[low] == feature ? (int64_t)low : -1;
}

size_t pt_scaling_feature(const partan_scaling *scaling, size_t range)
{
    return scaling->indices ? (size_t)scaling->indices[range] : range;
}

double pt_scaling_map(const partan_scaling *scaling, size_t number, double value)
{
    const pt_range *range = &scaling->ranges[number];
    if (scaling->kind == PARTAN_SCALING_STANDARDISE)
        return range->b > 0 ? (value - range->a) / range->b : 0;
    if (range->a == range->b)
        return 0;
    /* The bounds are met exactly, not to rounding. */
    if (value == range->a)
        return scaling->lower;
    if (value == range->b)
        return scaling->upper;
    return scaling->lower + (scaling->upper - scaling->lower) * ((value - range->a) / (range->b - range->a));
}

partan_status pt_scaling_create(partan_context *context, partan_scaling_kind kind, partan_scaling **scaling)
{
    *scaling = pt_alloc_zero(context, 1, sizeof **scaling);
    if (!*scaling)
        return pt_out_of_memory(context, "a scaling");
    (*scaling)->context = context;
    (*scaling)->kind = kind;
    return PARTAN_OK;
}

void partan_scaling_free(partan_scaling *scaling)
{
    if (!scaling)
        return;
    partan_context *context = scaling->context;
    pt_free(context, scaling->ranges);
    pt_free(context, scaling->indices);
    pt_feature_names_free(context, &scaling->names);
    pt_free(context, scaling);
}

static partan_status copy_ranges(const partan_scaling *source, partan_scaling *copy)
{
    partan_context *context = source->context;
    copy->ranges = pt_copy(context, source->ranges, source->count, sizeof *source->ranges);
    copy->indices = source->indices ? pt_copy(context, source->indices, source->count, sizeof *source->indices) : NULL;
    partan_status status = pt_feature_names_copy(context, &source->names, &copy->names);
    bool done = copy->ranges && (copy->indices || !source->indices);
    return status || done ? status : pt_out_of_memory(context, "the ranges of features");
}

partan_status pt_scaling_copy(const partan_scaling *source, partan_scaling **copy)
{
    partan_status status = pt_scaling_create(source->context, source->kind, copy);
    if (status)
        return status;
    **copy = *source;
    status = copy_ranges(source, *copy);
    if (status) {
        partan_scaling_free(*copy);
        *copy = NULL;
    }
    return status;
}

partan_status pt_scaling_add(partan_scaling *scaling, size_t feature, pt_range range)
{
    partan_context *context = scaling->context;
    size_t count = scaling->count;
    if (pt_reserve(context, (void **)&scaling->ranges, &scaling->range_capacity, count, count + 1,
                   sizeof *scaling->ranges)
        || pt_reserve(context, (void **)&scaling->indices, &scaling->index_capacity, count, count + 1,
                      sizeof *scaling->indices))
        return pt_out_of_memory(context, "the ranges of features");
    scaling->ranges[count] = range;
    scaling->indices[count] = (int32_t)feature;
    scaling->count++;
    scaling->features = scaling->features > feature ? scaling->features : feature + 1;
    return PARTAN_OK;
}

void pt_scaling_settle(partan_scaling *scaling)
{
    if (scaling->count < scaling->features)
        return;
    pt_free(scaling->context, scaling->indices);
    scaling->indices = NULL;
}

/* ---- Fitting ---- */

typedef struct fit {
    const pt_matrix *matrix;
    int32_t *indices; /* of the row at hand */
    float *values;
    double *least, *greatest; /* of the nonzeros of each feature, then of all values */
    double *mean;             /* first sums */
    double *squares;          /* sums of squared deviations from the mean */
    uint64_t *nonzeros;
} fit;

static void fit_free(partan_context *context, fit *work)
{
    pt_free(context, work->indices);
    pt_free(context, work->values);
    pt_free(context, work->least);
    pt_free(context, work->greatest);
    pt_free(context, work->mean);
    pt_free(context, work->squares);
    pt_free(context, work->nonzeros);
}

static partan_status fit_make(partan_context *context, const pt_matrix *matrix, fit *work)
{
    size_t room = pt_matrix_row_room(matrix), features = matrix->features;
    *work = (fit){.matrix = matrix};
    work->indices = pt_alloc(context, room, sizeof *work->indices);
    work->values = pt_alloc(context, room, sizeof *work->values);
    work->least = pt_alloc(context, features, sizeof *work->least);
    work->greatest = pt_alloc(context, features, sizeof *work->greatest);
    work->mean = pt_alloc_zero(context, features, sizeof *work->mean);
    work->squares = pt_alloc_zero(context, features, sizeof *work->squares);
    work->nonzeros = pt_alloc_zero(context, features, sizeof *work->nonzeros);
    if (!work->indices || !work->values || !work->least || !work->greatest || !work->mean || !work->squares
        || !work->nonzeros)
        return pt_out_of_memory(context, "the ranges of features");
    for (size_t f = 0; f < features; f++) {
        work->least[f] = INFINITY;
        work->greatest[f] = -INFINITY;
    }
    return PARTAN_OK;
}

static void first_pass(fit *work)
{
    const pt_matrix *matrix = work->matrix;
    for (size_t row = 0; row < matrix->rows; row++) {
        size_t count = pt_matrix_row(matrix, row, work->indices, work->values);
        for (size_t k = 0; k < count; k++) {
            size_t f = (size_t)work->indices[k];
            double value = work->values[k];
            work->least[f] = fmin(work->least[f], value);
            work->greatest[f] = fmax(work->greatest[f], value);
            work->mean[f] += value;
            work->nonzeros[f]++;
        }
    }
    for (size_t f = 0; f < matrix->features; f++) {
        work->mean[f] /= (double)matrix->rows;
        if (work->nonzeros[f] < matrix->rows) {
            work->least[f] = fmin(work->least[f], 0);
            work->greatest[f] = fmax(work->greatest[f], 0);
        }
    }
}

/* Sums of (x - mean)^2, which do not cancel as sums of x^2 less a mean would. */
static void second_pass(fit *work)
{
    const pt_matrix *matrix = work->matrix;
    for (size_t f = 0; f < matrix->features; f++)
        work->squares[f] = (double)(matrix->rows - work->nonzeros[f]) * work->mean[f] * work->mean[f];
    for (size_t row = 0; row < matrix->rows; row++) {
        size_t count = pt_matrix_row(matrix, row, work->indices, work->values);
        for (size_t k = 0; k < count; k++) {
            double deviation = work->values[k] - work->mean[work->indices[k]];
            work->squares[work->indices[k]] += deviation * deviation;
        }
    }
}

static void set_ranges(partan_scaling *scaling, fit *work)
{
    for (size_t f = 0; f < scaling->count; f++) {
        pt_range *range = &scaling->ranges[f];
        if (scaling->kind == PARTAN_SCALING_MINMAX) {
            *range = (pt_range){work->least[f], work->greatest[f]};
        } else {
            /* Rounding of the mean must not make a constant feature look as if it varied. */
            bool varies = work->least[f] < work->greatest[f];
            double variance = work->squares[f] / (double)work->matrix->rows;
            *range = (pt_range){varies ? work->mean[f] : work->least[f], varies ? sqrt(variance) : 0};
        }
    }
}

static partan_status fit_ranges(partan_scaling *scaling, const pt_matrix *matrix)
{
    partan_context *context = scaling->context;
    fit work;
    partan_status status = fit_make(context, matrix, &work);
    scaling->ranges = pt_alloc(context, matrix->features, sizeof *scaling->ranges);
    scaling->count = matrix->features;
    if (!status && !scaling->ranges)
        status = pt_out_of_memory(context, "the ranges of features");
    if (!status) {
        first_pass(&work);
        if (scaling->kind == PARTAN_SCALING_STANDARDISE)
            second_pass(&work);
        set_ranges(scaling, &work);
    }
    fit_free(context, &work);
    return status;
}

/* Where most features are empty, those that are not alone have ranges. */
static partan_status fit_hollow(partan_scaling *scaling, const pt_matrix *matrix)
{
    partan_context *context = scaling->context;
    pt_kept *kept;
    pt_matrix view = {0};
    partan_status status = pt_kept_make(context, matrix, NULL, &kept);
    if (!status)
        status = pt_kept_view(kept, matrix, &view);
    if (!status)
        status = fit_ranges(scaling, &view);
    if (!status && !(scaling->indices = pt_alloc_zero(context, scaling->count, sizeof *scaling->indices)))
        status = pt_out_of_memory(context, "the ranges of features");
    if (!status)
        pt_kept_list(kept, scaling->indices);
    pt_kept_view_free(&view);
    pt_kept_free(kept);
    return status;
}

static partan_status check(partan_context *context, const partan_data *data, partan_scaling_kind kind, double lower,
                           double upper)
{
    if (kind != PARTAN_SCALING_MINMAX && kind != PARTAN_SCALING_STANDARDISE)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "%d is not a kind of scaling; expected min-max or standardise",
                       (int)kind);
    if (kind == PARTAN_SCALING_MINMAX && !pt_scaling_bounds_valid(lower, upper))
        return pt_fail(context, PARTAN_ERROR_ARGUMENT,
                       "scaling from %g to %g: expected finite bounds, the lower one less than the upper", lower,
                       upper);
    if (data->matrix.rows == 0)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: a scaling cannot be fitted to data without rows", data->name);
    if (data->serials)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: rows of a kernel matrix cannot be scaled", data->name);
    return PARTAN_OK;
}

partan_status partan_scaling_fit(partan_context *context, const partan_data *data, partan_scaling_kind kind,
                                 double lower, double upper, partan_scaling **scaling)
{
    PT_REQUIRE(context, context && data && scaling);
    *scaling = NULL;
    partan_status status = check(context, data, kind, lower, upper);
    partan_scaling *fitted = NULL;
    if (!status)
        status = pt_scaling_create(context, kind, &fitted);
    if (status)
        return status;
    if (kind == PARTAN_SCALING_MINMAX) {
        fitted->lower = lower;
        fitted->upper = upper;
    }
    fitted->features = data->matrix.features;
    status = pt_feature_names_copy(context, &data->source.names, &fitted->names);
    if (!status)
        status = pt_is_hollow(&data->matrix) ? fit_hollow(fitted, &data->matrix) : fit_ranges(fitted, &data->matrix);
    if (status)
        partan_scaling_free(fitted);
    else
        *scaling = fitted;
    return status;
}
