/* The calls that train: where a training starts (a row, a model, a checkpoint), and which machines it has. */
#include "core/agree.h"
#include "core/require.h"
#include "core/sized.h"
#include "svm/checkpoint/checkpoint.h"
#include "svm/many/many.h"
#include "svm/pose.h"
#include "svm/probability/calibration.h"
#include "svm/sparse/compress.h"
#include "svm/together.h"
#include "svm/warm_start.h"

static partan_status check_start(const pt_training *t, const partan_model *model)
{
    if (model->settings.problem != t->settings.problem)
        return pt_fail(t->context, PARTAN_ERROR_DATA, "the initial model is one of %s, expected one of %s",
                       partan_problem_name(model->settings.problem), partan_problem_name(t->settings.problem));
    if (model->machine_count > 0)
        return pt_fail(t->context, PARTAN_ERROR_DATA, "the initial model has %zu classes, the data two",
                       model->labels.count);
    return PARTAN_OK;
}

static partan_status find_start(pt_training *t, const partan_model *model, pt_warm *warm)
{
    partan_status status = check_start(t, model);
    if (status || t->settled || model->count == 0) /* w = 0 says nothing of where to start */
        return status;
    status = pt_training_pose(t);
    return status ? status : pt_pose_of(t->settings.problem)->warm(t, model, warm);
}

partan_status pt_training_solve_from(pt_training *t, const partan_model *model, pt_checkpoint *checkpoint)
{
    pt_warm warm = {0};
    partan_status status = model ? find_start(t, model, &warm) : PARTAN_OK;
    status = pt_agree(t->context, pt_training_comm(t), status);
    pt_start start = {.ids = warm.ids, .weights = warm.weights, .count = warm.count};
    if (!status)
        status = pt_checkpoint_solve(checkpoint, 0, t, warm.count > 0 ? &start : NULL);
    pt_warm_free(t->context, &warm);
    return status;
}

/* From a model, from a checkpoint, or from a row. */
static partan_status solve_with(pt_training *t, const partan_train_options *options)
{
    if (!options->checkpoint && !options->resume)
        return pt_training_solve_from(t, options->start, NULL);
    pt_checkpoint checkpoint;
    pt_checkpoint_about about =
        pt_checkpoint_of(t->original, &t->settings, t->kernel.gamma, t->data->matrix.features, t->classes.weight, 2);
    partan_status status = pt_checkpoint_open(&checkpoint, t->context, options, &about);
    if (!status)
        status = pt_training_solve_from(t, options->start, &checkpoint);
    pt_checkpoint_close(&checkpoint);
    return status;
}

PT_STRUCT_INIT(partan_train_options, .checkpoint_every = 60)

partan_status pt_train_options_check(partan_context *context, const partan_train_options *options)
{
    if (options->start && options->resume)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT,
                       "found an initial model and a checkpoint to resume, expected one of the two");
    if (!(options->checkpoint_every >= 0))
        return pt_fail(context, PARTAN_ERROR_ARGUMENT,
                       "found %g seconds between checkpoints, expected a number not below 0",
                       options->checkpoint_every);
    return PARTAN_OK;
}

static partan_status train_one(partan_context *context, const partan_data *data, const partan_settings *settings,
                               const partan_train_options *options, partan_model **model)
{
    pt_training t;
    partan_status status = pt_training_open(&t, context, data, settings);
    if (!status)
        status = solve_with(&t, options);
    pt_training_finish(&t);
    if (!status)
        status = pt_training_model(&t, model);
    pt_training_close(&t);
    return status;
}

static partan_status find_many(partan_context *context, pt_comm *comm, const partan_data *data,
                               const partan_settings *settings, bool *many)
{
    *many = !comm && pt_has_many(data, settings);
    if (!comm || settings->problem != PARTAN_CLASSIFICATION)
        return PARTAN_OK;
    return pt_have_many(context, comm, data, many);
}

partan_status pt_train_with(partan_context *context, pt_comm *comm, const partan_data *data,
                            const partan_settings *settings, const partan_train_options *options, partan_model **model)
{
    pt_calibration calibration;
    bool many = false;
    *model = NULL;
    partan_status status = pt_train_options_check(context, options);
    if (!status)
        status = find_many(context, comm, data, settings, &many);
    if (status)
        return status;
    status = pt_calibration_open(&calibration, context, comm, data, settings);
    if (!status)
        status = many   ? pt_train_many(context, comm, data, settings, options, NULL, model)
                 : comm ? pt_train_one_together(context, comm, data, settings, options, model)
                        : train_one(context, data, settings, options, model);
    if (!status)
        status = pt_limit_vectors(context, comm, data, model);
    if (status >= 0 && *model)
        status = pt_calibrate(&calibration, *model);
    pt_calibration_close(&calibration);
    if (status < 0) {
        partan_model_free(*model);
        *model = NULL;
    }
    return status ? status : (*model)->result.status;
}

partan_status pt_train(partan_context *context, const partan_data *data, const partan_settings *settings,
                       const partan_model *start, partan_model **model)
{
    partan_train_options options;
    partan_train_options_init(&options);
    options.start = start;
    return pt_train_with(context, NULL, data, settings, &options, model);
}

partan_status partan_train_with(partan_context *context, const partan_data *data, const partan_settings *settings,
                                const partan_train_options *options, partan_model **model)
{
    PT_REQUIRE(context, context && data && settings && model);
    PT_TAKE(context, partan_settings, settings);
    PT_TAKE(context, partan_train_options, options);
    pt_warn_of_ranges(context, data, settings);
    return pt_train_with(context, NULL, data, settings, &options_taken, model);
}

partan_status partan_train(partan_context *context, const partan_data *data, const partan_settings *settings,
                           const partan_model *start, partan_model **model)
{
    PT_REQUIRE(context, context && data && settings && model);
    PT_TAKE(context, partan_settings, settings);
    pt_warn_of_ranges(context, data, settings);
    return pt_train(context, data, settings, start, model);
}
