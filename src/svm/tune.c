/* Choice of C, gamma and epsilon by rows held out, in one split or in folds: models trained on the one part, tested on
 * the other.
 *
 * By the active-set method, the costs are one path. The variants start each cost anew: what has once entered their
 * active set hardly leaves it, so that a point would tell more of those before it than of its cost. */
#include <math.h>

#include "core/clock.h"
#include "core/context.h"
#include "core/require.h"
#include "core/sized.h"
#include "data/data.h"
#include "svm/folds.h"
#include "svm/many/many.h"
#include "svm/training.h"

typedef struct tuning {
    partan_context *context;
    partan_settings settings;
    const partan_tune_options *options;
    pt_folds folds;
    size_t round;              /* the one under way */
    partan_data *train, *held; /* of this round */
    double *decision;          /* of the held rows */
    partan_tune_point *points; /* of this gamma, a cost each: sums over the rounds so far */
    double *squares;           /* of each one's scores */
    partan_tune_callback point;
    void *user;
    size_t first; /* cost of the path under way */
    size_t done;
    partan_tune_point best;
    partan_status status; /* of what failed, or stopped it, inside a point */
} tuning;

PT_STRUCT_INIT(partan_tune_options, .validation = 0.3, .seed = 1)
PT_STRUCT_INIT(partan_tune_point, .cost = 0)

static partan_status check_grid(partan_context *context, const partan_settings *settings,
                                const partan_tune_options *options)
{
    partan_settings point = *settings;
    partan_status status = PARTAN_OK;
    point.gamma_rule = options->gamma_count > 0 ? PARTAN_GAMMA_VALUE : point.gamma_rule;
    for (size_t i = 0; i < options->gamma_count && !status; i++) {
        point.gamma = options->gammas[i];
        status = partan_settings_check(context, &point);
    }
    for (size_t i = 0; i < options->epsilon_count && !status; i++) {
        point.epsilon = options->epsilons[i];
        status = partan_settings_check(context, &point);
    }
    if (!status && options->epsilon_count > 0 && settings->problem != PARTAN_REGRESSION)
        status = pt_fail(context, PARTAN_ERROR_ARGUMENT, "found values of epsilon, expected problem regression");
    return status;
}

static partan_status check_options(partan_context *context, const partan_settings *settings,
                                   const partan_tune_options *options)
{
    if (options->folds == 0 && (!(options->validation > 0) || !(options->validation < 1)))
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "found a validation share of %g, expected above 0 and below 1",
                       options->validation);
    if (!partan_score_name(options->score))
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "found score %d, expected one of partan_score",
                       (int)options->score);
    bool numbers = options->score >= PARTAN_SCORE_R2, wanted = settings->problem == PARTAN_REGRESSION;
    if (options->score != PARTAN_SCORE_ACCURACY && numbers != wanted)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "score %s is not one of %s", partan_score_name(options->score),
                       wanted ? "regression: use r2, mse or mae" : "classes: use accuracy, balanced, f1 or auc");
    if (options->cost_count == 0)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "tuning needs one cost or more");
    return check_grid(context, settings, options);
}

/* ---- Points ---- */

/* Ties go to the first in order of epsilon and gamma as given, then to the smaller cost, which is the simpler machine.
 */
int partan_tune_better(const partan_tune_point *point, const partan_tune_point *best)
{
    if (point->score != best->score)
        return point->score > best->score;
    return point->epsilon == best->epsilon && point->gamma == best->gamma && point->cost < best->cost;
}

/* What the scores so far have in common: their mean and standard deviation. */
static void finish_point(const tuning *t, partan_tune_point *point, double squares)
{
    double rounds = (double)t->folds.rounds;
    point->score /= rounds;
    double variance = rounds > 1 ? (squares - rounds * point->score * point->score) / (rounds - 1) : 0;
    point->deviation = sqrt(fmax(variance, 0));
    point->rows = point->evaluation.labelled;
    point->correct = point->evaluation.correct;
    pt_evaluation_finish(&point->evaluation, t->folds.rounds);
}

/* Adds one round to a point. */
static partan_status test(tuning *t, const partan_model *model, partan_tune_point *point, double *squares)
{
    partan_evaluation found;
    partan_evaluation_init(&found);
    double start = pt_clock();
    partan_status status = partan_predict(t->context, model, t->held, t->decision);
    point->predict_seconds += pt_clock() - start;
    if (!status)
        status = partan_evaluate(t->context, model, t->held, t->decision, NULL, NULL, &found);
    if (status)
        return status;
    double score = partan_score_of(t->options->score, &found);
    if (isnan(score) && t->options->score != PARTAN_SCORE_LOG_LOSS)
        score = 0; /* a class that is never predicted has no F1 */
    point->score += score;
    *squares += score * score;
    pt_evaluation_add(&point->evaluation, &found);
    pt_result_add(&point->result, partan_model_result(model), t->round);
    return PARTAN_OK;
}

static int take_point(void *user, size_t index, partan_model *model)
{
    tuning *t = user;
    size_t cost = t->first + index;
    bool incomplete = t->settings.probability && !model->calibrated; /* its folds were cut short */
    if (incomplete || pt_is_cut_short(partan_model_result(model)->status)) {
        partan_model_free(model);
        return 0; /* the path ends by itself */
    }
    partan_tune_point *point = &t->points[cost];
    point->cost = t->options->costs[cost];
    point->gamma = t->settings.gamma;
    point->epsilon = t->settings.epsilon;
    t->status = test(t, model, point, &t->squares[cost]);
    partan_model_free(model);
    if (t->status)
        return 1;
    if (t->round + 1 < t->folds.rounds)
        return 0;
    finish_point(t, point, t->squares[cost]);
    if (t->done++ == 0 || partan_tune_better(point, &t->best))
        t->best = *point;
    return t->point ? t->point(t->user, point) : 0;
}

/* ---- Rounds ---- */

static partan_status prepare(tuning *t, const partan_data *data)
{
    const partan_tune_options *o = t->options;
    pt_warn_of_ranges(t->context, data, &t->settings);
    /* Of all rows, as a training with the result will find it. */
    partan_status status = partan_gamma_value(t->context, &t->settings, data, &t->settings.gamma);
    if (status)
        return status;
    t->settings.gamma_rule = PARTAN_GAMMA_VALUE;
    t->points = pt_alloc(t->context, o->cost_count, sizeof *t->points);
    t->squares = pt_alloc(t->context, o->cost_count, sizeof *t->squares);
    status = pt_folds_make(&t->folds, t->context, data, t->settings.problem, o->folds, o->validation, o->seed);
    size_t outputs = 1;
    if (!status && t->settings.problem == PARTAN_CLASSIFICATION)
        status = pt_outputs_for(data, t->settings.multiclass, &outputs);
    if (status)
        return status;
    t->decision = pt_alloc(t->context, data->matrix.rows * outputs, sizeof *t->decision);
    if (!t->points || !t->squares || !t->decision)
        return pt_out_of_memory(t->context, "a tuning");
    return PARTAN_OK;
}

static void drop_round(tuning *t)
{
    partan_data_free(t->train);
    partan_data_free(t->held);
    t->train = t->held = NULL;
}

static bool is_final(partan_status status)
{
    return status < 0 || pt_is_cut_short(status);
}

/* All costs at one gamma, in one round. */
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

static partan_status run_gamma(tuning *t, double deadline)
{
    partan_status worst = PARTAN_OK;
    for (size_t i = 0; i < t->options->cost_count; i++) {
        partan_tune_point_init(&t->points[i]);
        pt_evaluation_begin(&t->points[i].evaluation);
        t->squares[i] = 0;
    }
    for (t->round = 0; t->round < t->folds.rounds; t->round++) {
        partan_status status = pt_folds_take(&t->folds, t->round, &t->train, &t->held);
        if (!status)
            status = run_costs(t, deadline);
        drop_round(t);
        if (is_final(status))
            return status;
        worst = worst ? worst : status;
    }
    return worst;
}

static partan_status run_gammas(tuning *t, double deadline)
{
    const partan_tune_options *o = t->options;
    if (o->gamma_count == 0)
        return run_gamma(t, deadline);
    partan_status worst = PARTAN_OK;
    for (size_t i = 0; i < o->gamma_count; i++) {
        t->settings.gamma = o->gammas[i];
        partan_status status = run_gamma(t, deadline);
        if (is_final(status))
            return status;
        worst = worst ? worst : status;
    }
    return worst;
}

static partan_status run(tuning *t)
{
    const partan_tune_options *o = t->options;
    double deadline = t->settings.time_limit > 0 ? pt_clock() + t->settings.time_limit : 0;
    partan_status worst = PARTAN_OK;
    for (size_t i = 0; i < o->epsilon_count || i == 0; i++) {
        t->settings.epsilon = o->epsilon_count > 0 ? o->epsilons[i] : t->settings.epsilon;
        partan_status status = run_gammas(t, deadline);
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
    PT_REQUIRE(context, context && data && settings && options);
    PT_TAKE(context, partan_settings, settings);
    PT_TAKE(context, partan_tune_options, options);
    PT_REQUIRE(context, (options->costs || options->cost_count == 0) && (options->gammas || options->gamma_count == 0)
                            && (options->epsilons || options->epsilon_count == 0));
    if (best)
        PT_CHECK_OUTPUT(context, partan_tune_point, best);
    tuning t = {.context = context, .settings = *settings, .options = options, .point = point, .user = user};
    if (options->score == PARTAN_SCORE_LOG_LOSS)
        t.settings.probability = 1;
    partan_status status = check_options(context, settings, options);
    pt_progress_whole_begin(context, "tune");
    if (!status)
        status = prepare(&t, data);
    size_t gammas = options->gamma_count > 0 ? options->gamma_count : 1;
    size_t epsilons = options->epsilon_count > 0 ? options->epsilon_count : 1;
    pt_progress_points(context, options->cost_count * gammas * epsilons * t.folds.rounds);
    if (!status)
        status = run(&t);
    pt_progress_whole_end(context);
    if (t.done > 0 && status >= 0 && best)
        pt_struct_give(best, &t.best, sizeof t.best);
    pt_free(context, t.decision);
    pt_free(context, t.points);
    pt_free(context, t.squares);
    pt_folds_free(&t.folds);
    return status;
}
