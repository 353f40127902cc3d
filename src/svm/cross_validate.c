/* Cross-validation at one setting: each row is predicted by a model that was trained without it. */
#include <math.h>

#include "core/require.h"
#include "core/sized.h"
#include "svm/cross_validate.h"
#include "svm/folds.h"
#include "svm/many/many.h"
#include "svm/scaled.h"

typedef struct validation {
    partan_context *context;
    const partan_data *data;
    partan_settings settings;
    pt_folds folds;
    partan_fold_callback fold;
    partan_held_callback held;
    void *user;
    double *decision; /* of all rows, */
    size_t outputs;   /* so many of each */
    partan_evaluation sum;
    size_t done;
} validation;

/* The rows held out in a round, in their order. */
static size_t list_rows(const validation *v, size_t round, size_t *rows)
{
    size_t count = 0;
    for (size_t row = 0; row < v->data->matrix.rows; row++)
        if (v->folds.round[row] == (int32_t)round)
            rows[count++] = row;
    return count;
}

static void spread(const validation *v, const size_t *rows, size_t count, const double *decision)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < v->outputs; k++)
            v->decision[rows[i] * v->outputs + k] = decision[i * v->outputs + k];
}

/* Passes the predictions of a round on. */
static partan_status hand_out(const validation *v, size_t round, const partan_model *model, const double *decision)
{
    size_t outputs = partan_model_outputs(model);
    if (v->decision && outputs != v->outputs)
        return pt_fail(
            v->context, PARTAN_ERROR_DATA,
            "%s: the rows to train on for fold %zu have other classes with weight than all rows have classes",
            v->data->name, round + 1);
    size_t *rows = pt_alloc(v->context, v->data->matrix.rows, sizeof *rows);
    if (!rows)
        return pt_out_of_memory(v->context, "the rows of a fold");
    size_t count = list_rows(v, round, rows);
    if (v->decision)
        spread(v, rows, count, decision);
    if (v->held)
        v->held(v->user, model, rows, count, decision);
    pt_free(v->context, rows);
    return PARTAN_OK;
}

static partan_status test(void *user, size_t round, const partan_model *model, const partan_data *held)
{
    validation *v = user;
    partan_evaluation found;
    partan_evaluation_init(&found);
    double *decision = pt_alloc(v->context, held->matrix.rows * partan_model_outputs(model), sizeof *decision);
    if (!decision)
        return pt_out_of_memory(v->context, "decision values");
    partan_status status = partan_predict(v->context, model, held, decision);
    if (!status)
        status = partan_evaluate(v->context, model, held, decision, NULL, NULL, &found);
    if (!status)
        status = hand_out(v, round, model, decision);
    if (!status) {
        pt_evaluation_add(&v->sum, &found);
        v->done++;
        if (v->fold && v->fold(v->user, round, partan_model_result(model), &found))
            status = PARTAN_INTERRUPTED;
    }
    pt_free(v->context, decision);
    return status;
}

/* As many decision values of a row as a training on all rows would lead to. */
static partan_status prepare_decision(validation *v)
{
    v->outputs = 1;
    partan_status status = PARTAN_OK;
    if (!v->decision)
        return PARTAN_OK;
    if (pt_has_many(v->data, &v->settings))
        status = pt_outputs_for(v->data, v->settings.multiclass, &v->outputs);
    for (size_t i = 0; i < v->data->matrix.rows * v->outputs && !status; i++)
        v->decision[i] = (double)NAN;
    return status;
}

static partan_status prepare(validation *v, size_t folds, uint64_t seed)
{
    partan_status status = partan_gamma_value(v->context, &v->settings, v->data, &v->settings.gamma);
    if (!status)
        status = prepare_decision(v);
    if (status)
        return status;
    v->settings.gamma_rule = PARTAN_GAMMA_VALUE;
    if (folds == 0)
        return pt_fail(v->context, PARTAN_ERROR_ARGUMENT, "found 0 folds, expected 2 or more");
    return pt_folds_make(&v->folds, v->context, v->data, v->settings.problem, folds, 0, seed);
}

static partan_status validate(validation *v, size_t folds, uint64_t seed, partan_evaluation *evaluation)
{
    pt_warn_of_ranges(v->context, v->data, &v->settings);
    pt_evaluation_begin(&v->sum);
    pt_progress_whole_begin(v->context, "cv");
    partan_status status = prepare(v, folds, seed);
    pt_progress_points(v->context, v->folds.rounds);
    if (!status)
        status = pt_folds_run(&v->folds, &v->settings, true, test, v);
    pt_progress_whole_end(v->context);
    if (status >= 0) {
        pt_evaluation_finish(&v->sum, v->done); /* shares of nothing are NaN */
        pt_struct_give(evaluation, &v->sum, sizeof v->sum);
    }
    pt_folds_free(&v->folds);
    return status;
}

partan_status partan_cross_validate(partan_context *context, const partan_data *data, const partan_settings *settings,
                                    size_t folds, uint64_t seed, partan_fold_callback fold, void *user,
                                    double *decision, partan_evaluation *evaluation)
{
    PT_REQUIRE(context, context && data && settings && evaluation);
    PT_TAKE(context, partan_settings, settings);
    PT_CHECK_OUTPUT(context, partan_evaluation, evaluation);
    validation v = {
        .context = context, .data = data, .settings = *settings, .fold = fold, .user = user, .decision = decision};
    return validate(&v, folds, seed, evaluation);
}

partan_status partan_cross_predict(partan_context *context, const partan_data *data, const partan_settings *settings,
                                   size_t folds, uint64_t seed, partan_fold_callback fold, partan_held_callback held,
                                   void *user, partan_evaluation *evaluation)
{
    PT_REQUIRE(context, context && data && settings && held && evaluation);
    PT_TAKE(context, partan_settings, settings);
    PT_CHECK_OUTPUT(context, partan_evaluation, evaluation);
    validation v = {.context = context, .data = data, .settings = *settings, .fold = fold, .held = held, .user = user};
    return validate(&v, folds, seed, evaluation);
}

/* ---- Fold by fold ---- */

partan_status pt_cross_predict_fold(partan_context *context, const partan_data *data, const partan_settings *settings,
                                    size_t folds, uint64_t seed, size_t number, partan_fold_callback fold,
                                    partan_held_callback held, void *user)
{
    validation v = {.context = context, .data = data, .settings = *settings, .fold = fold, .held = held, .user = user};
    if (number == 0)
        pt_warn_of_ranges(context, data, settings);
    pt_progress_whole_begin(context, "cv");
    partan_status status = prepare(&v, folds, seed);
    if (!status && number >= folds)
        status = pt_fail(context, PARTAN_ERROR_ARGUMENT, "found fold %zu, expected one of %zu", number + 1, folds);
    if (!status)
        status = pt_folds_run_round(&v.folds, number, &v.settings, test, &v);
    pt_progress_whole_end(context);
    pt_folds_free(&v.folds);
    return status;
}

void pt_cross_evaluation(const partan_evaluation *folds, size_t count, partan_evaluation *sum)
{
    pt_evaluation_begin(sum);
    for (size_t i = 0; i < count; i++)
        pt_evaluation_add(sum, &folds[i]);
    pt_evaluation_finish(sum, count);
}
