/* The path over C: trainings on the same data that begin where the last one ended. */
#include <math.h>

#include "core/clock.h"
#include "core/require.h"
#include "core/sized.h"
#include "svm/folds.h"
#include "svm/many/many.h"
#include "svm/probability/calibration.h"
#include "svm/sparse/compress.h"
#include "svm/training.h"

static partan_status solve_point(pt_training *t, double cost, partan_model **model)
{
    t->settings.cost = cost;
    t->start = pt_clock();
    pt_progress_next_point(t->context);
    partan_status status = pt_training_solve(t, NULL);
    return status ? status : pt_training_model(t, model);
}

static partan_status check_costs(partan_context *context, const partan_settings *settings, const double *costs,
                                 size_t count)
{
    partan_settings point = *settings;
    partan_status status = PARTAN_OK;
    for (size_t i = 0; i < count && !status; i++) {
        point.cost = costs[i];
        status = partan_settings_check(context, &point);
    }
    return count > 0 ? status : pt_fail(context, PARTAN_ERROR_ARGUMENT, "a path needs one cost or more");
}

/* Calibrates the model of a point and passes it on. Returns its status, or why the path is to end with it. */
static partan_status hand_over(pt_calibration *calibration, size_t i, partan_model *model, partan_path_callback point,
                               void *user)
{
    partan_status trained = model->result.status, status = pt_calibrate(calibration, model);
    if (status < 0) {
        partan_model_free(model);
        return status;
    }
    if (point(user, i, model))
        return PARTAN_INTERRUPTED;
    return status ? status : trained;
}

/* Points in order until one is stopped for good. */
static partan_status run(pt_training *t, const double *costs, size_t count, pt_calibration *calibration,
                         partan_path_callback point, void *user)
{
    partan_status worst = PARTAN_OK;
    for (size_t i = 0; i < count; i++) {
        partan_model *model = NULL;
        partan_status status = solve_point(t, costs[i], &model);
        if (status)
            return status;
        status = pt_limit_vectors(t->context, NULL, t->original, &model);
        if (!model)
            return status;
        status = hand_over(calibration, i, model, point, user);
        worst = worst ? worst : status;
        if (status < 0 || pt_is_cut_short(status))
            return status;
    }
    return worst;
}

/* More than two classes: every point is a training of its own, whose machines start from the last one's. */
static partan_status run_trainings(partan_context *context, const partan_data *data, partan_settings settings,
                                   const double *costs, size_t count, pt_calibration *calibration,
                                   pt_points_of_machines *last, partan_path_callback point, void *user)
{
    partan_status worst = PARTAN_OK;
    double deadline = settings.time_limit > 0 ? pt_clock() + settings.time_limit : 0;
    for (size_t i = 0; i < count; i++) {
        partan_model *model = NULL;
        settings.cost = costs[i];
        if (deadline > 0)
            settings.time_limit = fmax(deadline - pt_clock(), 1e-9);
        partan_status status = pt_train_many(context, NULL, data, &settings, NULL, last, &model);
        if (status)
            return status;
        status = pt_limit_vectors(context, NULL, data, &model);
        if (!model)
            return status;
        status = hand_over(calibration, i, model, point, user);
        worst = worst ? worst : status;
        if (status < 0 || pt_is_cut_short(status))
            return status;
    }
    return worst;
}

static partan_status run_many(partan_context *context, const partan_data *data, const partan_settings *settings,
                              const double *costs, size_t count, pt_calibration *calibration,
                              partan_path_callback point, void *user)
{
    pt_points_of_machines last = {0};
    partan_status status = run_trainings(context, data, *settings, costs, count, calibration, &last, point, user);
    pt_points_of_machines_free(context, &last);
    return status;
}

static partan_status run_one(partan_context *context, const partan_data *data, const partan_settings *settings,
                             const double *costs, size_t count, pt_calibration *calibration, partan_path_callback point,
                             void *user)
{
    pt_training t;
    partan_settings first = *settings;
    first.cost = costs[0];
    pt_progress_whole_begin(context, "path");
    pt_progress_points(context, count);
    partan_status status = pt_training_open(&t, context, data, &first);
    t.deadline = settings->time_limit > 0 ? pt_clock() + settings->time_limit : 0;
    if (!status)
        status = run(&t, costs, count, calibration, point, user);
    pt_training_close(&t);
    pt_progress_whole_end(context);
    return status;
}

partan_status pt_path(partan_context *context, const partan_data *data, const partan_settings *settings,
                      const double *costs, size_t count, partan_path_callback point, void *user)
{
    pt_calibration calibration;
    partan_status status = check_costs(context, settings, costs, count);
    if (status)
        return status;
    status = pt_calibration_open(&calibration, context, NULL, data, settings);
    if (!status && pt_has_many(data, settings))
        status = run_many(context, data, settings, costs, count, &calibration, point, user);
    else if (!status)
        status = run_one(context, data, settings, costs, count, &calibration, point, user);
    pt_calibration_close(&calibration);
    return status;
}

partan_status partan_path(partan_context *context, const partan_data *data, const partan_settings *settings,
                          const double *costs, size_t count, partan_path_callback point, void *user)
{
    PT_REQUIRE(context, context && data && settings && costs && point);
    PT_TAKE(context, partan_settings, settings);
    pt_warn_of_ranges(context, data, settings);
    return pt_path(context, data, settings, costs, count, point, user);
}
