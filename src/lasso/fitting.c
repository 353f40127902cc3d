#include "lasso/fitting.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "core/sized.h"
#include "data/storage/kept.h"
#include "fw/variants.h"

#define DEFAULT_TOL 1e-6

static partan_status check_settings(pt_lasso_fitting *f, const partan_settings *settings)
{
    partan_settings_init(&f->settings);
    partan_status status = PARTAN_OK;
    if (settings)
        status = pt_struct_take(f->context, "partan_settings", settings, &f->settings, sizeof f->settings);
    else
        f->settings.tol = DEFAULT_TOL;
    if (!status)
        status = partan_lasso_settings_check(f->context, &f->lasso);
    if (!status)
        status = partan_settings_check(f->context, &f->settings);
    if (!status)
        f->settings.solver = pt_variant_resolve(&f->settings)->solver;
    return status;
}

/* Features that no row has get no coefficient: they are left out. */
static partan_status compact(pt_lasso_fitting *f)
{
    pt_kept *kept;
    partan_status status = pt_kept_make(f->context, &f->data->matrix, NULL, &kept);
    f->compact = *f->data;
    f->compact.matrix = (pt_matrix){0};
    if (!status)
        status = pt_kept_view(kept, &f->data->matrix, &f->compact.matrix);
    if (!status && !(f->features = pt_alloc_zero(f->context, f->compact.matrix.features, sizeof *f->features)))
        status = pt_out_of_memory(f->context, "the features that are there");
    if (!status)
        pt_kept_list(kept, f->features);
    pt_kept_free(kept);
    return status;
}

partan_status pt_lasso_open(pt_lasso_fitting *f, partan_context *context, const partan_data *data,
                            const partan_lasso_settings *lasso, const partan_settings *settings)
{
    *f = (pt_lasso_fitting){.context = context, .data = data, .lasso = *lasso, .start = pt_clock()};
    pt_progress_begin(context, "fit");
    partan_status status = check_settings(f, settings);
    if (!status)
        status = pt_lasso_check_target(context, data);
    f->deadline = f->settings.time_limit > 0 ? f->start + f->settings.time_limit : 0;
    if (!status && pt_is_hollow(&data->matrix))
        status = compact(f);
    if (!status)
        status = pt_store_make(&f->store, f->features ? &f->compact : data);
    if (status)
        return status;
    return pt_design_make(&f->design, &f->store, data->labels, NULL, lasso->intercept != 0, lasso->standardise != 0);
}

void pt_lasso_close(pt_lasso_fitting *f)
{
    pt_design_free(&f->design);
    pt_store_free(&f->store);
    pt_kept_view_free(&f->compact.matrix);
    pt_free(f->context, f->features);
}

pt_lasso_target pt_lasso_target_of(const pt_lasso_fitting *f, const pt_design *design, double scale)
{
    double relative = f->settings.tol * design->target_square / 2, absolute = f->settings.eps * scale;
    return (pt_lasso_target){.gap = relative > absolute ? relative : absolute,
                             .deadline = f->deadline,
                             .max_iter = f->settings.max_iter,
                             .start = f->start,
                             .trace_rows = f->settings.trace_rows};
}

void pt_lasso_grid(const pt_lasso_fitting *f, double *lambdas)
{
    size_t points = (size_t)f->lasso.points;
    double ratio = f->lasso.ratio > 0 ? f->lasso.ratio : f->design.counted < f->data->matrix.features ? 1e-2 : 1e-4;
    double largest = f->design.largest > 0 ? f->design.largest : 1; /* where all coefficients are 0 anyway */
    for (size_t i = 0; i < points; i++)
        lambdas[i] = points > 1 ? largest * pow(ratio, (double)i / (double)(points - 1)) : largest;
}

/* ---- Models ---- */

/* A feature whose name is empty, or that the header does not reach, is called by its number. */
static partan_status copy_name(partan_lasso *model, size_t i, const char *name)
{
    char number[32];
    snprintf(number, sizeof number, "%" PRId64, model->ids[i] + 1);
    name = name && *name ? name : number;
    model->names[i] = pt_copy(model->context, name, strlen(name) + 1, 1);
    return model->names[i] ? PARTAN_OK : pt_out_of_memory(model->context, "the names of features");
}

/* Coefficients of the features as they are, and the intercept that goes with them. */
static partan_status take_coefficients(const pt_lasso_fitting *f, const pt_solved *solved, partan_lasso *model)
{
    const pt_design *d = &f->design;
    model->named = partan_data_feature_name(f->data, 0) != NULL;
    model->result.nonzeros = solved->count;
    partan_status status = pt_lasso_reserve(model);
    model->intercept = d->target_mean;
    for (size_t i = 0; i < solved->count && !status; i++) {
        int64_t id = solved->ids[i];
        model->ids[i] = f->features ? f->features[id] : id;
        model->coefficients[i] = solved->coefficients[i] * d->inverse[id];
        model->intercept -= model->coefficients[i] * d->centre[id];
        if (model->named)
            status = copy_name(model, i, partan_data_feature_name(f->data, (size_t)model->ids[i]));
    }
    return status;
}

static void take_result(const pt_lasso_fitting *f, const pt_solved *solved, partan_lasso_result *result)
{
    const pt_design *d = &f->design;
    bool ball = f->lasso.radius > 0;
    double scale = ball ? (double)d->counted : 1, total = d->target_square;
    result->status = solved->status;
    result->converged = solved->converged;
    result->iterations = solved->iterations;
    result->lambda = solved->lambda;
    result->radius = ball ? f->lasso.radius : solved->norm;
    result->objective = scale * (solved->square / 2 + (ball ? 0 : solved->lambda * solved->norm));
    result->gap = scale * solved->gap;
    result->relative_gap = total > 0 ? solved->gap / (total / 2) : result->gap;
    result->r2 = total > 0 ? 1 - solved->square / total : 1;
    result->seconds = pt_clock() - f->start;
}

partan_status pt_lasso_model(pt_lasso_fitting *f, const pt_solved *solved, partan_lasso **out)
{
    partan_lasso *model;
    partan_status status = pt_lasso_create(f->context, &model);
    if (status)
        return status;
    if (f->fingerprint == 0)
        f->fingerprint = partan_data_fingerprint(f->data);
    memcpy(model->version, PARTAN_VERSION, sizeof PARTAN_VERSION);
    model->lasso = f->lasso;
    if (f->lasso.radius == 0)
        model->lasso.lambda = solved->lambda;
    model->settings = f->settings;
    model->fingerprint = f->fingerprint;
    model->rows = f->store.rows;
    model->features = f->data->matrix.features;
    status = pt_source_copy(f->context, &f->data->source, &model->source);
    if (!status)
        status = take_coefficients(f, solved, model);
    take_result(f, solved, &model->result);
    if (status)
        partan_lasso_free(model);
    else
        *out = model;
    return status;
}
