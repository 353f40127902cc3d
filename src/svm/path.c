/* The path over C: trainings on the same data that begin where the last one ended. */
#include <math.h>

#include "core/clock.h"
#include "core/require.h"
#include "core/sized.h"
#include "svm/many/many.h"
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

/* Points in order until one is stopped for good. */
static partan_status run(pt_training *t, const double *costs, size_t count, partan_path_callback point, void *user)
{
    partan_status worst = PARTAN_OK;
    for (size_t i = 0; i < count; i++) {
        partan_model *model = NULL;
        partan_status status = solve_point(t, costs[i], &model);
        if (status)
            return status;
        status = t->solution.status;
        worst = worst ? worst : status;
        if (point(user, i, model))
            return PARTAN_INTERRUPTED;
        if (status == PARTAN_INTERRUPTED || status == PARTAN_TIME_LIMIT)
            return status;
    }
    return worst;
}

/* More than two classes: every point is a training of its own. */
static partan_status run_many(partan_context *context, const partan_data *data, partan_settings settings,
                              const double *costs, size_t count, partan_path_callback point, void *user)
{
    partan_status worst = PARTAN_OK;
    double deadline = settings.time_limit > 0 ? pt_clock() + settings.time_limit : 0;
    for (size_t i = 0; i < count; i++) {
        partan_model *model = NULL;
        settings.cost = costs[i];
        if (deadline > 0)
            settings.time_limit = fmax(deadline - pt_clock(), 1e-9);
        partan_status status = pt_train_many(context, data, &settings, NULL, &model);
        if (status)
            return status;
        status = partan_model_result(model)->status;
        worst = worst ? worst : status;
        if (point(user, i, model))
            return PARTAN_INTERRUPTED;
        if (status == PARTAN_INTERRUPTED || status == PARTAN_TIME_LIMIT)
            return status;
    }
    return worst;
}

partan_status pt_path(partan_context *context, const partan_data *data, const partan_settings *settings,
                      const double *costs, size_t count, partan_path_callback point, void *user)
{
    pt_training t;
    partan_settings first = *settings;
    partan_status status = check_costs(context, settings, costs, count);
    if (status)
        return status;
    if (pt_has_many(data, settings))
        return run_many(context, data, *settings, costs, count, point, user);
    first.cost = costs[0];
    pt_progress_whole_begin(context, "path");
    pt_progress_points(context, count);
    status = pt_training_open(&t, context, data, &first);
    t.deadline = settings->time_limit > 0 ? pt_clock() + settings->time_limit : 0;
    if (!status)
        status = run(&t, costs, count, point, user);
    pt_training_close(&t);
    pt_progress_whole_end(context);
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
