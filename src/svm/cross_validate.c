/* Cross-validation at one setting: each row is predicted by a model that was trained without it. */
#include <math.h>

#include "core/require.h"
#include "core/sized.h"
#include "svm/folds.h"
#include "svm/scaled.h"

typedef struct validation {
    partan_context *context;
    const partan_data *data;
    partan_settings settings;
    pt_folds folds;
    partan_fold_callback fold;
    void *user;
    double *decision; /* of all rows */
    partan_evaluation sum;
    size_t done;
} validation;

/* Of the rows held out, in their order, to all rows. */
static void spread(const validation *v, size_t round, const double *decision, size_t outputs)
{
    size_t next = 0;
    for (size_t row = 0; row < v->data->matrix.rows; row++)
        if (v->folds.round[row] == (int32_t)round)
            for (size_t i = 0; i < outputs; i++)
                v->decision[row * outputs + i] = decision[next++];
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
    if (!status) {
        if (v->decision)
            spread(v, round, decision, partan_model_outputs(model));
        pt_evaluation_add(&v->sum, &found);
        v->done++;
        if (v->fold && v->fold(v->user, round, partan_model_result(model), &found))
            status = PARTAN_INTERRUPTED;
    }
    pt_free(v->context, decision);
    return status;
}

static partan_status prepare(validation *v, size_t folds, uint64_t seed)
{
    partan_status status = partan_gamma_value(v->context, &v->settings, v->data, &v->settings.gamma);
    if (status)
        return status;
    v->settings.gamma_rule = PARTAN_GAMMA_VALUE;
    for (size_t row = 0; v->decision && row < v->data->matrix.rows; row++)
        v->decision[row] = (double)NAN;
    if (folds == 0)
        return pt_fail(v->context, PARTAN_ERROR_ARGUMENT, "found 0 folds, expected 2 or more");
    return pt_folds_make(&v->folds, v->context, v->data, v->settings.problem, folds, 0, seed);
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
    pt_warn_of_ranges(context, data, settings);
    pt_evaluation_begin(&v.sum);
    pt_progress_whole_begin(context, "cv");
    partan_status status = prepare(&v, folds, seed);
    pt_progress_points(context, v.folds.rounds);
    if (!status)
        status = pt_folds_run(&v.folds, &v.settings, true, test, &v);
    pt_progress_whole_end(context);
    if (status >= 0) {
        pt_evaluation_finish(&v.sum, v.done); /* shares of nothing are NaN */
        pt_struct_give(evaluation, &v.sum, sizeof v.sum);
    }
    pt_folds_free(&v.folds);
    return status;
}
