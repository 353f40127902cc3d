/* Cross-validation: the path of all rows' lambdas, fitted to all but one fold of the rows and tested on that one. */
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "core/random.h"
#include "core/require.h"
#include "core/sized.h"
#include "lasso/fitting.h"

typedef struct validation {
    pt_lasso_fitting *fitting;
    size_t points, folds;
    double *lambdas;
    unsigned char *held; /* 1 for the rows of the present fold */
    int64_t *order;      /* the rows by lot: fold k has those at k, k + folds, ... */
    double *predicted;
    double *errors;  /* mean squared error of [point * folds + fold] */
    double *weights; /* rows of each fold */
    double *nonzeros;

    pt_design design; /* of the rows that are not held out */
    size_t fold;
    partan_status stopped; /* by a limit or an interruption */
} validation;

static partan_status allocate(validation *v)
{
    partan_context *context = v->fitting->context;
    size_t rows = v->fitting->store.rows;
    v->lambdas = pt_alloc(context, v->points, sizeof *v->lambdas);
    v->held = pt_alloc_zero(context, rows, sizeof *v->held);
    v->order = pt_alloc(context, rows, sizeof *v->order);
    v->predicted = pt_alloc_zero(context, v->fitting->store.padded, sizeof *v->predicted);
    v->errors = pt_alloc_zero(context, v->points * v->folds, sizeof *v->errors);
    v->weights = pt_alloc_zero(context, v->folds, sizeof *v->weights);
    v->nonzeros = pt_alloc_zero(context, v->points, sizeof *v->nonzeros);
    if (v->lambdas && v->held && v->order && v->predicted && v->errors && v->weights && v->nonzeros)
        return PARTAN_OK;
    return pt_out_of_memory(context, "cross-validation");
}

static void release(validation *v)
{
    partan_context *context = v->fitting->context;
    pt_free(context, v->lambdas);
    pt_free(context, v->held);
    pt_free(context, v->order);
    pt_free(context, v->predicted);
    pt_free(context, v->errors);
    pt_free(context, v->weights);
    pt_free(context, v->nonzeros);
    pt_design_free(&v->design);
}

static void deal_rows(validation *v)
{
    size_t rows = v->fitting->store.rows;
    pt_random random;
    pt_random_seed(&random, v->fitting->settings.seed);
    for (size_t i = 0; i < rows; i++)
        v->order[i] = (int64_t)i;
    for (size_t i = rows; i > 1; i--) {
        size_t other = (size_t)pt_random_below(&random, i);
        int64_t swap = v->order[i - 1];
        v->order[i - 1] = v->order[other];
        v->order[other] = swap;
    }
}

/* ---- A fold ---- */

/* b0 + Xb of all rows, from the coefficients of the design's columns. */
static void predict(validation *v, const pt_solved *solved)
{
    const pt_design *d = &v->design;
    size_t padded = d->store->padded;
    double offset = d->target_mean;
    for (size_t i = 0; i < solved->count; i++)
        offset -= solved->coefficients[i] * d->inverse[solved->ids[i]] * d->centre[solved->ids[i]];
    for (size_t row = 0; row < padded; row++)
        v->predicted[row] = offset;
    for (size_t i = 0; i < solved->count; i++)
        pt_store_add(d->store, (size_t)solved->ids[i], solved->coefficients[i] * d->inverse[solved->ids[i]], 0,
                     padded / PT_TILE, v->predicted);
}

static partan_status test_point(void *user, size_t index, pt_solved *solved)
{
    validation *v = user;
    double sum = 0;
    predict(v, solved);
    for (size_t row = 0; row < v->fitting->store.rows; row++)
        if (v->held[row]) {
            double error = v->fitting->data->labels[row] - v->predicted[row];
            sum += error * error;
        }
    v->errors[index * v->folds + v->fold] = sum / v->weights[v->fold];
    v->nonzeros[index] += (double)solved->count / (double)v->folds;
    return PARTAN_OK;
}

static partan_status run_fold(validation *v)
{
    pt_lasso_fitting *f = v->fitting;
    pt_lasso_solver *solver = NULL;
    size_t rows = f->store.rows;
    memset(v->held, 0, rows);
    for (size_t i = v->fold; i < rows; i += v->folds) {
        v->held[v->order[i]] = 1;
        v->weights[v->fold]++;
    }
    partan_status status = pt_design_make(&v->design, &f->store, f->data->labels, v->held, f->lasso.intercept != 0,
                                          f->lasso.standardise != 0);
    pt_lasso_target target = pt_lasso_target_of(f, &v->design, 1);
    if (!status)
        status = pt_lasso_solver_make(&v->design, &target, &solver);
    if (!status)
        status = pt_lasso_solve_path(solver, v->lambdas, v->points, test_point, v, &v->stopped);
    pt_lasso_solver_free(solver);
    pt_design_free(&v->design);
    return status;
}

/* ---- The choice ---- */

/* Mean over the folds, weighted by their rows, and its standard error, as glmnet has them. */
static partan_lasso_cv_point judge(const validation *v, size_t index)
{
    const double *errors = v->errors + index * v->folds;
    double mean = 0, variance = 0, rows = (double)v->fitting->store.rows;
    for (size_t k = 0; k < v->folds; k++)
        mean += v->weights[k] / rows * errors[k];
    for (size_t k = 0; k < v->folds; k++)
        variance += v->weights[k] / rows * (errors[k] - mean) * (errors[k] - mean);
    return (partan_lasso_cv_point){.lambda = v->lambdas[index],
                                   .error = mean,
                                   .standard_error = sqrt(variance / (double)(v->folds - 1)),
                                   .nonzeros = v->nonzeros[index]};
}

static void choose(const validation *v, partan_lasso_cv_callback point, void *user, partan_lasso_cv_result *result)
{
    partan_lasso_cv_point best = judge(v, 0);
    partan_lasso_cv_result_init(result);
    result->points = v->points;
    for (size_t i = 0; i < v->points; i++) {
        partan_lasso_cv_point found = judge(v, i);
        if (found.error < best.error) {
            best = found;
            result->best = i;
        }
        if (point)
            point(user, i, &found);
    }
    while (judge(v, result->one_standard_error).error > best.error + best.standard_error)
        result->one_standard_error++;
}

static partan_status run(validation *v, partan_lasso_cv_callback point, void *user, partan_lasso_cv_result *result)
{
    partan_status status = allocate(v);
    if (status)
        return status;
    pt_lasso_grid(v->fitting, v->lambdas);
    deal_rows(v);
    for (v->fold = 0; v->fold < v->folds && !status; v->fold++) {
        status = run_fold(v);
        if (!status)
            status = v->stopped;
        if (!status)
            status = pt_progress_share(v->fitting->context, (double)(v->fold + 1) / (double)v->folds);
    }
    if (!status)
        choose(v, point, user, result);
    return status;
}

PT_STRUCT_INIT(partan_lasso_cv_result, .points = 0)

partan_status partan_lasso_cv(partan_context *context, const partan_data *data, const partan_lasso_settings *lasso,
                              const partan_settings *settings, partan_lasso_cv_callback point, void *user,
                              partan_lasso_cv_result *result)
{
    PT_REQUIRE(context, context && data && lasso && result);
    PT_TAKE(context, partan_lasso_settings, lasso);
    PT_CHECK_OUTPUT(context, partan_lasso_cv_result, result);
    partan_lasso_cv_result found;
    pt_lasso_fitting f;
    partan_lasso_settings penalised = *lasso;
    penalised.lambda = penalised.radius = 0;
    partan_status status = pt_lasso_open(&f, context, data, &penalised, settings);
    validation v = {.fitting = &f, .points = (size_t)f.lasso.points, .folds = (size_t)f.lasso.folds};
    if (!status && f.settings.solver != PARTAN_SOLVER_AUTO)
        status = pt_fail(context, PARTAN_ERROR_ARGUMENT, "cross-validation fits paths, which need solver auto");
    if (!status && v.folds > f.store.rows)
        status =
            pt_fail(context, PARTAN_ERROR_ARGUMENT, "%s: found %zu rows, expected one or more for each of %zu folds",
                    data->name, f.store.rows, v.folds);
    if (!status)
        status = run(&v, point, user, &found);
    if (!status)
        pt_struct_give(result, &found, sizeof found);
    release(&v);
    pt_lasso_close(&f);
    if (status == PARTAN_INTERRUPTED)
        pt_interrupt_clear(context);
    return status;
}
