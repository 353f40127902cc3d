/* Fitting: from ratings, or measurements, and settings to a matrix with its certificate. */
#include "matrix/fit.h"

#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "core/require.h"
#include "core/sized.h"
#include "matrix/settings.h"
#include "matrix/spectral.h"

/* ---- Checks ---- */

static partan_status check_ratings(partan_context *context, const partan_ratings *ratings)
{
    for (size_t k = 0; k < ratings->count; k++)
        if (isnan(ratings->value[k]))
            return pt_fail(context, PARTAN_ERROR_DATA, "%s: an entry has no value: there is nothing to fit",
                           ratings->name);
    return PARTAN_OK;
}

static partan_status check_radius(partan_context *context, double radius)
{
    if (radius > 0 && isfinite(radius))
        return PARTAN_OK;
    return pt_fail(context, PARTAN_ERROR_ARGUMENT, "radius takes a number above 0, not %g", radius);
}

/* ---- Opening ---- */

static partan_status open_entries(pt_fit *fit)
{
    const partan_ratings *ratings = fit->ratings;
    partan_status status = check_ratings(fit->context, ratings);
    if (!status)
        status = pt_offsets_make(fit->context, &fit->offsets, ratings->rows.count, ratings->columns.count);
    if (status)
        return status;
    fit->b = pt_alloc(fit->context, ratings->count, sizeof *fit->b);
    if (!fit->b)
        return pt_out_of_memory(fit->context, "ratings");
    status = pt_offsets_find(ratings, fit->matrix_settings.centre, &fit->offsets, fit->b);
    if (!status)
        status = pt_sampling_make(fit->context, ratings, &fit->sampling);
    if (!status)
        pt_measurement_of_entries(&fit->measurement, &fit->sampling);
    return status;
}

static partan_status open_map(pt_fit *fit, const partan_measurements *map, const double *b)
{
    if (!map->apply || !map->times || !map->times_transposed || map->rows == 0 || map->columns == 0 || map->count == 0
        || map->rows > INT32_MAX || map->columns > INT32_MAX)
        return pt_fail(fit->context, PARTAN_ERROR_ARGUMENT,
                       "measurements need rows, columns and values, at most 2147483647 rows and columns, and the three "
                       "callbacks");
    for (size_t k = 0; k < map->count; k++)
        if (!isfinite(b[k]))
            return pt_fail(fit->context, PARTAN_ERROR_DATA, "measurement %zu is not finite", k);
    partan_status status = pt_offsets_make(fit->context, &fit->offsets, map->rows, map->columns);
    fit->b = pt_copy(fit->context, b, map->count, sizeof *b);
    if (!status && !fit->b)
        status = pt_out_of_memory(fit->context, "measurements");
    pt_measurement_of_map(&fit->measurement, fit->context, map);
    return status;
}

static partan_status open_fit(pt_fit *fit, partan_context *context, const partan_settings *settings,
                              const partan_matrix_settings *matrix_settings)
{
    *fit = (pt_fit){.context = context, .matrix_settings = *matrix_settings, .start = pt_clock()};
    fit->recovery.context = context;
    pt_progress_begin(context, "train");
    partan_status status = pt_matrix_solver_settings(context, settings, matrix_settings, &fit->recovery.settings);
    return status ? status : pt_arpack_available(context);
}

static partan_status open_recovery(pt_fit *fit)
{
    pt_recovery *r = &fit->recovery;
    r->measurement = &fit->measurement;
    r->b = fit->b;
    r->max_rank = (size_t)fit->matrix_settings.max_rank;
    pt_factors_init(&r->x, fit->context, fit->measurement.map.rows, fit->measurement.map.columns);
    return PARTAN_OK;
}

partan_status pt_fit_open(pt_fit *fit, partan_context *context, const partan_ratings *ratings,
                          const partan_settings *settings, const partan_matrix_settings *matrix_settings)
{
    partan_status status = open_fit(fit, context, settings, matrix_settings);
    fit->ratings = ratings;
    if (!status)
        status = open_entries(fit);
    return status ? status : open_recovery(fit);
}

void pt_fit_close(pt_fit *fit)
{
    pt_offsets_free(fit->context, &fit->offsets);
    pt_free(fit->context, fit->b);
    pt_sampling_free(&fit->sampling);
    pt_factors_free(&fit->recovery.x);
}

/* ---- Solving ---- */

/* Values that are all equal to their offsets: X = 0 is the answer, and there is nothing to prove. */
static void solve_nothing(pt_recovery *r)
{
    pt_factors_free(&r->x);
    r->solution = (pt_solution){.status = PARTAN_OK, .converged = true};
    r->iterations = 0;
}

partan_status pt_fit_solve(pt_fit *fit, double radius)
{
    pt_recovery *r = &fit->recovery;
    partan_status status = check_radius(fit->context, radius);
    if (status)
        return status;
    fit->products = fit->measurement.products;
    fit->matrix_settings.radius = r->radius = radius;
    double size = pt_dot(fit->context, fit->b, fit->b, fit->measurement.map.count);
    if (!isfinite(size))
        return pt_fail(fit->context, PARTAN_ERROR_NUMERIC, "values are too large: their squares are not finite");
    if (size == 0) {
        solve_nothing(r);
        return PARTAN_OK;
    }
    double norm = pt_factors_norm(&r->x);
    if (norm > radius)
        pt_factors_scale(&r->x, radius / norm);
    return r->settings.solver == PARTAN_SOLVER_AUTO ? pt_recover_correctively(r) : pt_recover_by_variant(r);
}

/* ---- The matrix ---- */

void pt_fit_result(const pt_fit *fit, partan_matrix_result *result)
{
    const pt_recovery *r = &fit->recovery;
    *result = (partan_matrix_result){.status = r->solution.status,
                                     .converged = r->solution.converged,
                                     .iterations = r->iterations,
                                     .objective = r->solution.certificate.objective,
                                     .gap = r->solution.certificate.gap,
                                     .relative_gap = r->solution.relative_gap,
                                     .nuclear_norm = pt_factors_norm(&r->x),
                                     .rank = r->x.rank,
                                     .products = fit->measurement.products - fit->products,
                                     .seconds = pt_clock() - fit->start};
    result->rmse = sqrt(2 * result->objective / (double)fit->measurement.map.count);
}

/* The mean absolute error at the measurements. */
static partan_status find_mae(const pt_fit *fit, double *mae)
{
    size_t count = fit->measurement.map.count;
    double *values = pt_alloc(fit->context, count, sizeof *values), sum = 0;
    if (!values)
        return pt_out_of_memory(fit->context, "measurements");
    partan_status status = pt_measurement_apply(&fit->measurement, &fit->recovery.x, values);
    for (size_t k = 0; k < count; k++)
        sum += fabs(values[k] - fit->b[k]);
    *mae = sum / (double)count;
    pt_free(fit->context, values);
    return status;
}

/* Columns of length 1 out of balanced ones, without the padding. */
static double *unit_columns(const pt_factors *x, const double *factor, size_t rows)
{
    double *out = pt_alloc(x->context, rows * x->rank, sizeof *out);
    for (size_t i = 0; i < rows && out; i++)
        for (size_t k = 0; k < x->rank; k++)
            out[i * x->rank + k] = factor[i * x->stride + k] / sqrt(x->singular[k]);
    return out;
}

static partan_status take_factors(const pt_fit *fit, partan_matrix *matrix)
{
    const pt_factors *x = &fit->recovery.x;
    matrix->left = unit_columns(x, x->left, x->rows);
    matrix->right = unit_columns(x, x->right, x->columns);
    matrix->singular = pt_copy(fit->context, x->singular, x->rank, sizeof *x->singular);
    return matrix->left && matrix->right && matrix->singular ? PARTAN_OK : pt_out_of_memory(fit->context, "a matrix");
}

static partan_status take_names(const pt_fit *fit, partan_matrix *matrix)
{
    matrix->rows.count = fit->measurement.map.rows;
    matrix->columns.count = fit->measurement.map.columns;
    if (!fit->ratings)
        return PARTAN_OK;
    matrix->fingerprint = partan_ratings_fingerprint(fit->ratings);
    partan_status status = pt_names_copy(&fit->ratings->rows, &matrix->rows);
    return status ? status : pt_names_copy(&fit->ratings->columns, &matrix->columns);
}

partan_status pt_fit_matrix(pt_fit *fit, partan_matrix **out)
{
    partan_matrix *matrix = NULL;
    partan_status status = pt_matrix_create(fit->context, &matrix);
    if (status)
        return status;
    matrix->settings = fit->recovery.settings;
    matrix->matrix_settings = fit->matrix_settings;
    matrix->entries = fit->measurement.map.count;
    status = take_factors(fit, matrix);
    if (!status)
        status = take_names(fit, matrix);
    if (!status)
        status = pt_offsets_make(fit->context, &matrix->offsets, matrix->rows.count, matrix->columns.count);
    if (!status) {
        matrix->offsets.mean = fit->offsets.mean;
        memcpy(matrix->offsets.row, fit->offsets.row, matrix->rows.count * sizeof(double));
        memcpy(matrix->offsets.column, fit->offsets.column, matrix->columns.count * sizeof(double));
        pt_fit_result(fit, &matrix->result);
        status = find_mae(fit, &matrix->result.mae);
    }
    if (status)
        partan_matrix_free(matrix);
    else
        *out = matrix;
    return status;
}

/* A matrix to begin with. Its offsets may be others; its factors are as good a start as any. */
static partan_status begin_at(pt_fit *fit, const partan_matrix *start)
{
    pt_factors *x = &fit->recovery.x;
    if (start->rows.count != x->rows || start->columns.count != x->columns)
        return pt_fail(fit->context, PARTAN_ERROR_DATA,
                       "the initial matrix has %zu rows and %zu columns, the ratings have %zu and %zu",
                       start->rows.count, start->columns.count, x->rows, x->columns);
    size_t rank = (size_t)start->result.rank;
    partan_status status = pt_factors_reserve(x, rank);
    if (status)
        return status;
    x->rank = rank;
    for (size_t k = 0; k < rank; k++) {
        double root = sqrt(start->singular[k]);
        x->singular[k] = start->singular[k];
        for (size_t i = 0; i < x->rows; i++)
            x->left[i * x->stride + k] = root * start->left[i * rank + k];
        for (size_t j = 0; j < x->columns; j++)
            x->right[j * x->stride + k] = root * start->right[j * rank + k];
    }
    return PARTAN_OK;
}

static partan_status solve_and_take(pt_fit *fit, const partan_matrix *start, partan_matrix **matrix)
{
    partan_status status = start ? begin_at(fit, start) : PARTAN_OK;
    if (!status)
        status = pt_fit_solve(fit, fit->matrix_settings.radius);
    return status ? status : pt_fit_matrix(fit, matrix);
}

partan_status partan_matrix_fit(partan_context *context, const partan_ratings *ratings, const partan_settings *settings,
                                const partan_matrix_settings *matrix_settings, const partan_matrix *start,
                                partan_matrix **matrix)
{
    PT_REQUIRE(context, context && ratings && matrix_settings && matrix);
    PT_TAKE(context, partan_settings, settings);
    PT_TAKE(context, partan_matrix_settings, matrix_settings);
    pt_fit fit;
    *matrix = NULL;
    partan_status status = pt_fit_open(&fit, context, ratings, settings, matrix_settings);
    if (!status)
        status = solve_and_take(&fit, start, matrix);
    pt_fit_close(&fit);
    return status ? status : (*matrix)->result.status;
}

PT_STRUCT_INIT(partan_measurements, .rows = 0)

partan_status partan_matrix_recover(partan_context *context, const partan_measurements *measurements, const double *b,
                                    const partan_settings *settings, const partan_matrix_settings *matrix_settings,
                                    const partan_matrix *start, partan_matrix **matrix)
{
    PT_REQUIRE(context, context && measurements && b && matrix_settings && matrix);
    PT_TAKE(context, partan_settings, settings);
    PT_TAKE(context, partan_matrix_settings, matrix_settings);
    PT_TAKE(context, partan_measurements, measurements);
    PT_REQUIRE(context, measurements->apply && measurements->times && measurements->times_transposed);
    pt_fit fit;
    *matrix = NULL;
    partan_status status = open_fit(&fit, context, settings, matrix_settings);
    if (!status)
        status = open_map(&fit, measurements, b);
    if (!status)
        status = open_recovery(&fit);
    if (!status)
        status = solve_and_take(&fit, start, matrix);
    pt_fit_close(&fit);
    return status ? status : (*matrix)->result.status;
}
