/* Choice of C and gamma by one validation split: models trained on the one part, tested on the other.
 *
 * By the active-set method, the costs are one path. The variants start each cost anew: what has once entered their
 * active set hardly leaves it, so that a point would tell more of those before it than of its cost. */
#include <math.h>

#include "core/clock.h"
#include "core/context.h"
#include "core/require.h"
#include "data/data.h"
#include "kernel/kernel.h"
#include "svm/training.h"

typedef struct tuning {
    partan_context *context;
    partan_settings settings;
    const partan_tune_options *options;
    partan_data *train, *held;
    double *decision; /* of the held rows */
    partan_tune_callback point;
    void *user;
    size_t first; /* cost of the path under way */
    size_t done;
    partan_tune_point best;
    partan_status status; /* of what failed, or stopped it, inside a point */
} tuning;

void partan_tune_options_init(partan_tune_options *options)
{
    *options = (partan_tune_options){.validation = 0.3, .seed = 1};
}

static partan_status check_gammas(partan_context *context, const partan_settings *settings,
                                  const partan_tune_options *options)
{
    partan_settings point = *settings;
    partan_status status = PARTAN_OK;
    point.gamma_rule = PARTAN_GAMMA_VALUE;
    for (size_t i = 0; i < options->gamma_count && !status; i++) {
        point.gamma = options->gammas[i];
        status = partan_settings_check(context, &point);
    }
    return status;
}

static partan_status check_options(partan_context *context, const partan_settings *settings,
                                   const partan_tune_options *options)
{
    if (!(options->validation > 0) || !(options->validation < 1))
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "found a validation share of %g, expected above 0 and below 1",
                       options->validation);
    if (options->cost_count == 0)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "tuning needs one cost or more");
    return check_gammas(context, settings, options);
}

/* Both parts have the label numbers of the whole, so a label that is a word is told by its number too. */
static uint64_t count_correct(const tuning *t, const partan_model *model)
{
    uint64_t correct = 0;
    for (size_t row = 0; row < t->held->matrix.rows; row++)
        correct += t->held->labels[row] == model->classes.label[t->decision[row] > 0];
    return correct;
}

/* Of equal ones the first in order of gamma as given and cost: a smaller cost is the simpler machine. */
static bool better(const partan_tune_point *point, const partan_tune_point *best)
{
    if (point->correct != best->correct)
        return point->correct > best->correct;
    return point->gamma == best->gamma && point->cost < best->cost;
}

static int take_point(void *user, size_t index, partan_model *model)
{
    tuning *t = user;
    partan_tune_point point = {.cost = t->options->costs[t->first + index], .gamma = t->settings.gamma};
    point.result = *partan_model_result(model);
    point.rows = t->held->matrix.rows;
    double start = pt_clock();
    t->status = partan_predict(t->context, model, t->held, t->decision);
    point.predict_seconds = pt_clock() - start;
    if (!t->status)
        point.correct = count_correct(t, model);
    partan_model_free(model);
    if (t->status)
        return 1;
    if (t->done++ == 0 || better(&point, &t->best))
        t->best = point;
    return t->point ? t->point(t->user, &point) : 0;
}

/* Of all rows, as a training with the result will find it. */
static partan_status find_kernel(tuning *t, const partan_data *data, pt_kernel *kernel)
{
    partan_scaling *scaling = NULL;
    partan_data *scaled = NULL;
    partan_status status = PARTAN_OK;
    if (t->settings.scale != PARTAN_SCALE_NONE)
        status = pt_scale_to_train(t->context, data, t->settings.scale, &scaling, &scaled);
    if (!status)
        status = pt_training_kernel(t->context, &t->settings, scaled ? &scaled->matrix : &data->matrix, kernel);
    partan_scaling_free(scaling);
    partan_data_free(scaled);
    return status;
}

static partan_status prepare(tuning *t, const partan_data *data)
{
    pt_kernel kernel;
    pt_warn_of_ranges(t->context, data, &t->settings);
    partan_status status = find_kernel(t, data, &kernel);
    if (status)
        return status;
    t->settings.gamma_rule = PARTAN_GAMMA_VALUE;
    t->settings.gamma = kernel.gamma;
    status = partan_data_split(t->context, data, t->options->validation, t->options->seed, &t->train, &t->held);
    if (!status && !(t->decision = pt_alloc(t->context, t->held->matrix.rows, sizeof *t->decision)))
        status = pt_out_of_memory(t->context, "decision values");
    return status;
}

static bool is_final(partan_status status)
{
    return status < 0 || status == PARTAN_INTERRUPTED || status == PARTAN_TIME_LIMIT;
}

/* All costs at one gamma. */
static partan_status run_costs(tuning *t, double deadline)
{
    const partan_tune_options *o = t->options;
    size_t length = pt_way_of(&t->settings)->continues ? o->cost_count : 1;
    partan_status worst = PARTAN_OK;
    for (t->first = 0; t->first < o->cost_count; t->first += length) {
        if (deadline > 0)
            t->settings.time_limit = fmax(deadline - pt_clock(), 1e-9);
        partan_status status = pt_path(t->context, t->train, &t->settings, o->costs + t->first, length, take_point, t);
        if (t->status || is_final(status))
            return t->status ? t->status : status;
        worst = worst ? worst : status;
    }
    return worst;
}

static partan_status run(tuning *t)
{
    const partan_tune_options *o = t->options;
    double deadline = t->settings.time_limit > 0 ? pt_clock() + t->settings.time_limit : 0;
    if (o->gamma_count == 0)
        return run_costs(t, deadline);
    partan_status worst = PARTAN_OK;
    for (size_t i = 0; i < o->gamma_count; i++) {
        t->settings.gamma = o->gammas[i];
        partan_status status = run_costs(t, deadline);
        if (is_final(status))
            return status;
        worst = worst ? worst : status;
    }
    return worst;
}

partan_status partan_tune(partan_context *context, const partan_data *data, const partan_settings *settings,
                          const partan_tune_options *options, partan_tune_callback point, void *user,
                          partan_tune_point *best)
{
    PT_REQUIRE(context, context && data && settings && options && (options->costs || options->cost_count == 0)
                            && (options->gammas || options->gamma_count == 0));
    tuning t = {.context = context, .settings = *settings, .options = options, .point = point, .user = user};
    partan_status status = check_options(context, settings, options);
    if (!status)
        status = prepare(&t, data);
    if (!status)
        status = run(&t);
    if (t.done > 0 && status >= 0 && best)
        *best = t.best;
    pt_free(context, t.decision);
    partan_data_free(t.train);
    partan_data_free(t.held);
    return status;
}
