/* Fitting a scaling to data. Zeros that sparse data leaves out take part as the values they are. */
#include <math.h>

#include "core/agree.h"
#include "core/require.h"
#include "data/data.h"
#include "data/scale.h"
#include "data/storage/kept.h"

/* The rows may be a part of those of several processes (comm; NULL: they are all there are). Sums that go through all
 * rows in order, process after process, have the bits of one process. */
typedef struct fit {
    const pt_matrix *matrix;
    pt_comm *comm;
    uint64_t rows;    /* of all */
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

static partan_status fit_make(partan_context *context, pt_comm *comm, const pt_matrix *matrix, fit *work)
{
    size_t room = pt_matrix_row_room(matrix), features = matrix->features;
    *work = (fit){.matrix = matrix, .comm = comm, .rows = matrix->rows};
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

/* Sums of values; and, by the way, what else a pass can tell. */
static void add_rows(void *user, double *sums)
{
    fit *work = user;
    const pt_matrix *matrix = work->matrix;
    for (size_t row = 0; row < matrix->rows; row++) {
        size_t count = pt_matrix_row(matrix, row, work->indices, work->values);
        for (size_t k = 0; k < count; k++) {
            size_t f = (size_t)work->indices[k];
            double value = work->values[k];
            work->least[f] = fmin(work->least[f], value);
            work->greatest[f] = fmax(work->greatest[f], value);
            sums[f] += value;
            work->nonzeros[f]++;
        }
    }
}

/* Least and greatest value and nonzeros of each feature, in all processes. */
static void gather_ranges(fit *work)
{
    size_t features = work->matrix->features;
    pt_comm *comm = work->comm;
    if (!comm)
        return;
    for (size_t f = 0; f < features; f++)
        work->least[f] = -work->least[f];
    comm->greatest(comm, work->least, features);
    comm->greatest(comm, work->greatest, features);
    for (size_t f = 0; f < features; f++)
        work->least[f] = -work->least[f];
    pt_add_up(comm, work->nonzeros, features);
    pt_add_up(comm, &work->rows, 1);
}

static void first_pass(fit *work, bool means)
{
    size_t features = work->matrix->features;
    pt_in_turn(means ? work->comm : NULL, add_rows, work, work->mean, features);
    gather_ranges(work);
    for (size_t f = 0; f < features; f++) {
        work->mean[f] /= (double)work->rows;
        if (work->nonzeros[f] < work->rows) {
            work->least[f] = fmin(work->least[f], 0);
            work->greatest[f] = fmax(work->greatest[f], 0);
        }
    }
}

static void add_squares(void *user, double *sums)
{
    fit *work = user;
    const pt_matrix *matrix = work->matrix;
    for (size_t row = 0; row < matrix->rows; row++) {
        size_t count = pt_matrix_row(matrix, row, work->indices, work->values);
        for (size_t k = 0; k < count; k++) {
            double deviation = work->values[k] - work->mean[work->indices[k]];
            sums[work->indices[k]] += deviation * deviation;
        }
    }
}

/* Sums of (x - mean)^2, which do not cancel as sums of x^2 less a mean would. */
static void second_pass(fit *work)
{
    size_t features = work->matrix->features;
    for (size_t f = 0; f < features; f++)
        work->squares[f] = (double)(work->rows - work->nonzeros[f]) * work->mean[f] * work->mean[f];
    pt_in_turn(work->comm, add_squares, work, work->squares, features);
}

static pt_range range_of(const fit *work, partan_scaling_kind kind, size_t f)
{
    if (kind == PARTAN_SCALING_MINMAX)
        return (pt_range){work->least[f], work->greatest[f]};
    /* Rounding of the mean must not make a constant feature look as if it varied. */
    bool varies = work->least[f] < work->greatest[f];
    double variance = work->squares[f] / (double)work->rows;
    return (pt_range){varies ? work->mean[f] : work->least[f], varies ? sqrt(variance) : 0};
}

/* Of all features, or of those with nonzeros alone. */
static partan_status set_ranges(partan_scaling *scaling, const fit *work, bool hollow)
{
    size_t features = work->matrix->features;
    scaling->ranges = pt_alloc(scaling->context, features, sizeof *scaling->ranges);
    scaling->indices = hollow ? pt_alloc(scaling->context, features, sizeof *scaling->indices) : NULL;
    if (!scaling->ranges || (hollow && !scaling->indices))
        return pt_out_of_memory(scaling->context, "the ranges of features");
    for (size_t f = 0; f < features; f++) {
        if (hollow && work->nonzeros[f] == 0)
            continue;
        if (hollow)
            scaling->indices[scaling->count] = (int32_t)f;
        scaling->ranges[scaling->count++] = range_of(work, scaling->kind, f);
    }
    return PARTAN_OK;
}

static partan_status fit_ranges(partan_scaling *scaling, pt_comm *comm, const pt_matrix *matrix, bool hollow)
{
    partan_context *context = scaling->context;
    fit work;
    partan_status status = pt_agree(context, comm, fit_make(context, comm, matrix, &work));
    if (!status) {
        first_pass(&work, scaling->kind == PARTAN_SCALING_STANDARDISE);
        if (scaling->kind == PARTAN_SCALING_STANDARDISE)
            second_pass(&work);
        status = pt_agree(context, comm, set_ranges(scaling, &work, hollow));
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
        status = fit_ranges(scaling, NULL, &view, false);
    if (!status && !(scaling->indices = pt_alloc_zero(context, scaling->count, sizeof *scaling->indices)))
        status = pt_out_of_memory(context, "the ranges of features");
    if (!status)
        pt_kept_list(kept, scaling->indices);
    pt_kept_view_free(&view);
    pt_kept_free(kept);
    return status;
}

/* Whether most features of all rows are empty. */
static bool is_hollow(pt_comm *comm, const pt_matrix *part)
{
    pt_matrix all = {.storage = part->storage, .features = part->features, .nonzeros = part->nonzeros};
    pt_add_up(comm, &all.nonzeros, 1);
    return pt_is_hollow(&all);
}

static partan_status check(partan_context *context, const partan_data *data, uint64_t rows, partan_scaling_kind kind,
                           double lower, double upper)
{
    if (kind != PARTAN_SCALING_MINMAX && kind != PARTAN_SCALING_STANDARDISE)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "%d is not a kind of scaling; expected min-max or standardise",
                       (int)kind);
    if (kind == PARTAN_SCALING_MINMAX && !pt_scaling_bounds_valid(lower, upper))
        return pt_fail(context, PARTAN_ERROR_ARGUMENT,
                       "scaling from %g to %g: expected finite bounds, the lower one less than the upper", lower,
                       upper);
    if (rows == 0)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: a scaling cannot be fitted to data without rows", data->name);
    if (data->serials)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: rows of a kernel matrix cannot be scaled", data->name);
    return PARTAN_OK;
}

static partan_status fit_all(partan_scaling *scaling, pt_comm *comm, const partan_data *data)
{
    const pt_matrix *matrix = &data->matrix;
    partan_status status = pt_feature_names_copy(scaling->context, &data->source.names, &scaling->names);
    status = pt_agree(scaling->context, comm, status);
    if (status)
        return status;
    bool hollow = is_hollow(comm, matrix);
    return hollow && !comm ? fit_hollow(scaling, matrix) : fit_ranges(scaling, comm, matrix, hollow);
}

partan_status pt_scaling_fit(partan_context *context, pt_comm *comm, const partan_data *data, partan_scaling_kind kind,
                             double lower, double upper, partan_scaling **scaling)
{
    uint64_t rows = data->matrix.rows;
    partan_scaling *fitted = NULL;
    *scaling = NULL;
    pt_add_up(comm, &rows, 1);
    partan_status status = check(context, data, rows, kind, lower, upper);
    if (!status)
        status = pt_scaling_create(context, kind, &fitted);
    status = pt_agree(context, comm, status);
    if (!status) {
        fitted->lower = kind == PARTAN_SCALING_MINMAX ? lower : 0;
        fitted->upper = kind == PARTAN_SCALING_MINMAX ? upper : 0;
        fitted->features = data->matrix.features;
        status = fit_all(fitted, comm, data);
    }
    if (status)
        partan_scaling_free(fitted);
    else
        *scaling = fitted;
    return status;
}

partan_status partan_scaling_fit(partan_context *context, const partan_data *data, partan_scaling_kind kind,
                                 double lower, double upper, partan_scaling **scaling)
{
    PT_REQUIRE(context, context && data && scaling);
    return pt_scaling_fit(context, NULL, data, kind, lower, upper, scaling);
}
