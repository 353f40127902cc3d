/* Calibration by cross-fitting: the sigmoids are those of decision values by models that were trained without the row,
 * done by hand; probabilities come near the true ones; small classes, weights, limits and interruptions. */
#include <math.h>
#include <string.h>

#include "failing.h"
#include "svm/folds.h"
#include "svm/probability/fit.h"
#include "training.h"

enum { ROWS = 300, FEATURES = 3, FOLDS = 4 };

static partan_settings settings_of(partan_multiclass how)
{
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.gamma = 0.5;
    s.cost = 2;
    s.multiclass = how;
    s.probability = 1;
    s.probability_folds = FOLDS;
    s.seed = 3;
    return s;
}

/* Overlapping clouds; the features are on scales of their own. */
static partan_data *clouds(partan_context *context, size_t classes, size_t rows, const double *weights, uint64_t seed)
{
    float values[ROWS][FEATURES];
    double labels[ROWS];
    pt_random random;
    partan_data *data = NULL;
    pt_random_seed(&random, seed);
    for (size_t i = 0; i < rows; i++) {
        labels[i] = (double)(i % classes);
        for (size_t f = 0; f < FEATURES; f++)
            values[i][f] = (float)(pow(10, (double)f - 1) * (pt_random_normal(&random) + (f == i % classes ? 1.5 : 0)));
    }
    partan_dense array;
    partan_array_options options;
    partan_dense_init(&array);
    partan_array_options_init(&options);
    array.values = values;
    array.rows = rows;
    array.features = FEATURES;
    options.labels = labels;
    assert_int_equal(partan_data_from_dense(context, &array, &options, &data), PARTAN_OK);
    if (weights)
        assert_int_equal(partan_data_set_weights(context, data, weights), PARTAN_OK);
    return data;
}

/* ---- By hand ---- */

/* The sigmoid of machine m, from the rows that it tells apart and models that were trained without them. */
static pt_sigmoid fit_by_hand(partan_context *context, const partan_data *data, partan_settings s,
                              const partan_model *model, size_t m)
{
    pt_folds folds;
    pt_held values[ROWS];
    size_t count = 0, outputs = partan_model_outputs(model);
    partan_machine about;
    partan_machine_init(&about);
    assert_int_equal(partan_model_machine(model, m, &about), PARTAN_OK);
    double by_row[ROWS];
    s.probability = 0;
    s.gamma = partan_model_settings(model)->gamma;
    s.gamma_rule = PARTAN_GAMMA_VALUE;
    assert_int_equal(pt_folds_deal(&folds, context, NULL, data, FOLDS, 2, s.seed), PARTAN_OK);
    for (size_t k = 0; k < FOLDS; k++) {
        partan_data *part, *held;
        partan_model *without = NULL;
        double decision[ROWS * 6];
        size_t next = 0;
        assert_int_equal(pt_folds_take(&folds, k, &part, &held), PARTAN_OK);
        assert_int_equal(partan_train(context, part, &s, NULL, &without), PARTAN_OK);
        assert_int_equal(partan_predict(context, without, held, decision), PARTAN_OK);
        for (size_t row = 0; row < partan_data_rows(data); row++)
            if (folds.round[row] == (int32_t)k)
                by_row[row] = decision[outputs * next++ + m];
        partan_model_free(without);
        partan_data_free(part);
        partan_data_free(held);
    }
    for (size_t row = 0; row < partan_data_rows(data); row++) {
        int class = (int)partan_data_label(data, row);
        if (about.negative < 0 || class == about.negative || class == about.positive)
            values[count++] =
                (pt_held){by_row[row], partan_data_weight(data, row) * partan_model_class_weight(model, class),
                          class == about.positive};
    }
    pt_folds_free(&folds);
    return pt_sigmoid_fit(NULL, values, count);
}

static void check_by_hand(partan_context *context, const partan_data *data, const partan_settings *s)
{
    partan_model *model = train(context, data, s, NULL, PARTAN_OK);
    assert_int_equal(partan_model_probability_folds(model), FOLDS);
    for (size_t m = 0; m < partan_model_outputs(model); m++) {
        double slope, offset;
        pt_sigmoid hand = fit_by_hand(context, data, *s, model, m);
        assert_int_equal(partan_model_sigmoid(model, m, &slope, &offset), PARTAN_OK);
        assert_true(fabs(slope - hand.slope) <= 1e-4 * fabs(slope) && fabs(offset - hand.offset) <= 1e-4);
    }
    partan_model_free(model);
}

/* The scaling and the weights of classes are those of the rows that are trained on; gamma is the whole model's. */
static void sigmoids_are_fitted_on_rows_held_out(void **state)
{
    double weights[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        weights[i] = 0.5 + (double)(i % 7) / 3;
    for (size_t classes = 2; classes <= 3; classes++)
        for (int how = 0; how < 2; how++) {
            partan_data *plain = clouds(*state, classes, ROWS, NULL, 5),
                        *weighted = clouds(*state, classes, ROWS, weights, 6);
            partan_settings s = settings_of((partan_multiclass)how);
            s.tol = 1e-8; /* folds start elsewhere than by hand, and end at the same solution */
            check_by_hand(*state, plain, &s);
            s.scale = PARTAN_SCALE_STANDARD;
            s.gamma_rule = PARTAN_GAMMA_AUTO;
            s.balanced = 1;
            check_by_hand(*state, weighted, &s);
            partan_data_free(plain);
            partan_data_free(weighted);
        }
}

/* The model itself is the one without probabilities. */
static void the_machine_does_not_change(void **state)
{
    partan_data *data = clouds(*state, 2, ROWS, NULL, 7);
    partan_settings s = settings_of(PARTAN_ONE_VS_ONE);
    partan_model *with = train(*state, data, &s, NULL, PARTAN_OK);
    s.probability = 0;
    partan_model *without = train(*state, data, &s, NULL, PARTAN_OK);
    assert_same_model(with, without);
    partan_model_free(with);
    partan_model_free(without);
    partan_data_free(data);
}

/* Rows of weight 0 are no rows. */
static void rows_without_weight_do_not_count(void **state)
{
    double weights[ROWS];
    int64_t kept[ROWS];
    size_t count = 0;
    for (size_t i = 0; i < ROWS; i++) {
        weights[i] = i % 5 ? 1 : 0;
        if (i % 5)
            kept[count++] = (int64_t)i;
    }
    partan_data *all = clouds(*state, 2, ROWS, weights, 8), *some = NULL;
    assert_int_equal(pt_data_gather(all, kept, count, &some), PARTAN_OK);
    partan_settings s = settings_of(PARTAN_ONE_VS_ONE);
    partan_model *a = train(*state, all, &s, NULL, PARTAN_OK), *b = train(*state, some, &s, NULL, PARTAN_OK);
    assert_true(a->sigmoid.slope == b->sigmoid.slope && a->sigmoid.offset == b->sigmoid.offset);
    partan_model_free(a);
    partan_model_free(b);
    partan_data_free(all);
    partan_data_free(some);
}

/* ---- What they are worth ---- */

enum { MANY = 1500 };

/* One feature x from -3 to 3, and P(class 1) = 1 / (1 + exp(-0.7 x)). */
static double draw_known(partan_context *context, uint64_t seed, float *x, partan_data **data)
{
    static double labels[MANY];
    double share = 0;
    pt_random random;
    pt_random_seed(&random, seed);
    for (size_t i = 0; i < MANY; i++) {
        x[i] = (float)(6 * pt_random_uniform(&random) - 3);
        labels[i] = pt_random_uniform(&random) < 1 / (1 + exp(-0.7 * (double)x[i]));
        share += labels[i] / MANY;
    }
    partan_dense array;
    partan_array_options options;
    partan_dense_init(&array);
    partan_array_options_init(&options);
    array.values = x;
    array.rows = MANY;
    array.features = 1;
    options.labels = labels;
    assert_int_equal(partan_data_from_dense(context, &array, &options, data), PARTAN_OK);
    return share;
}

static double mean_error(const float *x, const double *decision, pt_sigmoid s)
{
    double sum = 0;
    for (size_t i = 0; i < MANY; i++)
        sum += fabs(pt_sigmoid_at(s, decision[i]) - 1 / (1 + exp(-0.7 * (double)x[i])));
    return sum / MANY;
}

/* A machine that fits its training rows too closely is sure of itself on these, and a sigmoid that was fitted on them
 * is as well: that is what held-out rows are for. */
static void probabilities_come_near_the_true_ones(void **state)
{
    static float x[2][MANY];
    static double own[MANY], decision[MANY];
    partan_data *data, *test;
    double share = draw_known(*state, 1, x[0], &data);
    draw_known(*state, 2, x[1], &test);
    partan_settings s = settings_of(PARTAN_ONE_VS_ONE);
    s.gamma = 2000;
    s.cost = 100;
    partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
    assert_int_equal(partan_predict(*state, model, data, own), PARTAN_OK);
    assert_int_equal(partan_predict(*state, model, test, decision), PARTAN_OK);
    pt_held values[MANY];
    for (size_t i = 0; i < MANY; i++)
        values[i] = (pt_held){own[i], 1, partan_data_label(data, i) > 0};
    double fitted = mean_error(x[1], decision, model->sigmoid);
    double naive = mean_error(x[1], decision, pt_sigmoid_fit(NULL, values, MANY));
    double constant = mean_error(x[1], decision, (pt_sigmoid){0, log(1 / share - 1)});
    assert_true(fitted < 0.85 * naive);
    assert_true(fitted < 0.85 * constant);
    partan_model_free(model);
    s.gamma = 0.3; /* a machine that fits */
    s.cost = 1;
    model = train(*state, data, &s, NULL, PARTAN_OK);
    assert_int_equal(partan_predict(*state, model, test, decision), PARTAN_OK);
    assert_true(mean_error(x[1], decision, model->sigmoid) < 0.05);
    partan_model_free(model);
    partan_data_free(data);
    partan_data_free(test);
}

/* ---- The same bits ---- */

static void results_do_not_depend_on_threads_or_arrays(void **state)
{
    (void)state;
    double first[3 * ROWS];
    for (int threads = 1; threads <= 3; threads++) {
        partan_context_options options;
        partan_context_options_init(&options);
        options.threads = threads;
        partan_context *context = partan_create(&options);
        partan_data *data = clouds(context, 3, ROWS, NULL, 9);
        partan_settings s = settings_of(PARTAN_ONE_VS_ONE);
        s.scale = PARTAN_SCALE_MINMAX;
        partan_model *model = train(context, data, &s, NULL, PARTAN_OK);
        double decision[3 * ROWS], p[3 * ROWS], from_arrays[3 * ROWS];
        assert_int_equal(partan_predict(context, model, data, decision), PARTAN_OK);
        assert_int_equal(partan_probabilities(context, model, decision, ROWS, p), PARTAN_OK);
        float values[ROWS][FEATURES];
        for (size_t i = 0; i < ROWS; i++)
            partan_data_row(data, i, values[i]);
        partan_dense array;
        partan_dense_init(&array);
        array.values = values;
        array.rows = ROWS;
        array.features = FEATURES;
        assert_int_equal(partan_predict_dense(context, model, &array, decision), PARTAN_OK);
        assert_int_equal(partan_probabilities(context, model, decision, ROWS, from_arrays), PARTAN_OK);
        assert_memory_equal(p, from_arrays, sizeof p);
        if (threads == 1)
            memcpy(first, p, sizeof p);
        assert_memory_equal(p, first, sizeof p);
        partan_model_free(model);
        partan_data_free(data);
        partan_destroy(context);
    }
}

/* ---- Small classes ---- */

static partan_data *few(partan_context *context, size_t rows, size_t positive)
{
    float values[20];
    double labels[20];
    partan_data *data = NULL;
    partan_dense array;
    partan_array_options options;
    partan_dense_init(&array);
    partan_array_options_init(&options);
    for (size_t i = 0; i < rows; i++) {
        labels[i] = i < positive ? 1 : -1;
        values[i] = (float)(labels[i] + 0.3 * sin(9 * (double)i));
    }
    array.values = values;
    array.rows = rows;
    array.features = 1;
    options.labels = labels;
    assert_int_equal(partan_data_from_dense(context, &array, &options, &data), PARTAN_OK);
    return data;
}

/* Two rows of a class are enough for any number of folds; one cannot be held out and trained on. */
static void classes_of_fewer_rows_than_folds(void **state)
{
    partan_settings s = settings_of(PARTAN_ONE_VS_ONE);
    s.probability_folds = 7;
    for (size_t rows = 4; rows <= 20; rows += 4) {
        partan_data *data = few(*state, rows, 2);
        partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
        assert_int_equal(partan_model_probability_folds(model), rows < 7 ? rows : 7);
        double decision[20], p[40];
        assert_int_equal(partan_predict(*state, model, data, decision), PARTAN_OK);
        assert_int_equal(partan_probabilities(*state, model, decision, rows, p), PARTAN_OK);
        for (size_t i = 0; i < 2 * rows; i++)
            assert_true(p[i] > 0 && p[i] < 1);
        partan_model_free(model);
        partan_data_free(data);
    }
    partan_data *data = few(*state, 10, 1);
    partan_model *model = NULL;
    assert_int_equal(partan_train(*state, data, &s, NULL, &model), PARTAN_ERROR_DATA);
    assert_null(model);
    assert_non_null(strstr(partan_error(*state), "class '1' has 1 row, expected at least 2"));
    partan_data_free(data);
}

/* ---- Limits and interruptions ---- */

typedef struct watch {
    const char *phase; /* in which to stop; NULL: never */
    bool seen;
} watch;

static int stop_in(void *user, const partan_progress *progress)
{
    watch *w = user;
    bool now = w->phase && strcmp(progress->phase, w->phase) == 0;
    w->seen |= now;
    return now;
}

static partan_data *slow_data(partan_context *context)
{
    return generate(context, "ringnorm", 4000);
}

static void an_interruption_of_the_folds_leaves_the_model(void **state)
{
    (void)state;
    watch w = {.phase = "calibrate"};
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 1;
    options.progress = stop_in;
    options.user = &w;
    partan_context *context = partan_create(&options);
    partan_data *data = slow_data(context);
    partan_settings s = settings_of(PARTAN_ONE_VS_ONE);
    s.gamma = 0.02;
    s.probability_folds = 200;
    partan_model *model = NULL;
    assert_int_equal(partan_train(context, data, &s, NULL, &model), PARTAN_INTERRUPTED);
    assert_true(w.seen);
    assert_non_null(model);
    assert_false(partan_model_has_probability(model));
    assert_int_equal(partan_model_settings(model)->probability, 0);
    assert_int_equal(partan_model_result(model)->status, PARTAN_OK);
    assert_true(partan_model_result(model)->converged);
    check_verified(context, model, data);
    partan_model_free(model);
    partan_data_free(data);
    partan_destroy(context);
}

static void a_time_limit_in_the_folds_leaves_the_model(void **state)
{
    partan_data *data = slow_data(*state);
    partan_settings s = settings_of(PARTAN_ONE_VS_ONE);
    s.gamma = 0.02;
    s.probability = 0;
    partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
    double seconds = partan_model_result(model)->seconds;
    partan_model_free(model);
    model = NULL;
    s.probability = 1;
    s.probability_folds = 1000;
    s.time_limit = 4 * seconds; /* the model has time, so many folds have not */
    assert_int_equal(partan_train(*state, data, &s, NULL, &model), PARTAN_TIME_LIMIT);
    assert_non_null(model);
    assert_false(partan_model_has_probability(model));
    partan_model_free(model);
    s.time_limit = 1e-3; /* nor has the model */
    assert_int_equal(partan_train(*state, data, &s, NULL, &model), PARTAN_TIME_LIMIT);
    assert_non_null(model);
    assert_false(partan_model_has_probability(model));
    partan_model_free(model);
    partan_data_free(data);
}

/* ---- Path, cross-validation and tuning ---- */

typedef struct points {
    partan_context *context;
    const partan_data *data;
    partan_settings settings;
    size_t count;
} points;

static int compare_point(void *user, size_t index, partan_model *model)
{
    static const double costs[] = {0.5, 5};
    points *p = user;
    partan_settings s = p->settings;
    (void)index;
    s.cost = costs[p->count++];
    double slope, offset;
    pt_sigmoid hand = fit_by_hand(p->context, p->data, s, model, 0);
    assert_int_equal(partan_model_sigmoid(model, 0, &slope, &offset), PARTAN_OK);
    assert_true(fabs(slope - hand.slope) <= 1e-4 * fabs(slope) && fabs(offset - hand.offset) <= 1e-4);
    partan_model_free(model);
    return 0;
}

static void points_of_a_path_are_calibrated(void **state)
{
    static const double costs[] = {0.5, 5};
    for (size_t classes = 2; classes <= 3; classes++) {
        partan_data *data = clouds(*state, classes, ROWS, NULL, 11);
        points p = {.context = *state, .data = data, .settings = settings_of(PARTAN_ONE_VS_REST)};
        p.settings.tol = 1e-8;
        assert_int_equal(partan_path(*state, data, &p.settings, costs, 2, compare_point, &p), PARTAN_OK);
        assert_int_equal(p.count, 2);
        partan_data_free(data);
    }
}

typedef struct losses {
    double sum, rows, least, found;
    size_t count;
} losses;

static int add_fold(void *user, size_t fold, const partan_result *result, const partan_evaluation *evaluation)
{
    losses *l = user;
    (void)fold, (void)result;
    l->sum += (double)evaluation->labelled * evaluation->log_loss;
    l->rows += (double)evaluation->labelled;
    return 0;
}

static int keep_least(void *user, const partan_tune_point *point)
{
    losses *l = user;
    assert_true(point->evaluation.log_loss > 0 && point->evaluation.brier > 0);
    assert_true(fabs(point->score + point->evaluation.log_loss) < 1e-3); /* means over folds and over rows */
    l->least = l->count++ == 0 ? -point->score : fmin(l->least, -point->score);
    return 0;
}

static void log_loss_is_validated_and_tuned_by(void **state)
{
    static const double costs[] = {0.01, 1, 1000};
    partan_data *data = clouds(*state, 2, ROWS, NULL, 12);
    partan_settings s = settings_of(PARTAN_ONE_VS_ONE);
    partan_evaluation evaluation;
    losses folds = {0}, tuned = {0};
    partan_evaluation_init(&evaluation);
    assert_int_equal(partan_cross_validate(*state, data, &s, 3, 1, add_fold, &folds, NULL, &evaluation), PARTAN_OK);
    assert_true(fabs(evaluation.log_loss - folds.sum / folds.rows) < 1e-12);
    assert_true(evaluation.brier > 0 && evaluation.brier < 0.25);
    s.probability = 0; /* the score asks for it */
    partan_tune_options options;
    partan_tune_point best;
    partan_tune_options_init(&options);
    partan_tune_point_init(&best);
    options.score = PARTAN_SCORE_LOG_LOSS;
    options.folds = 3;
    options.costs = costs;
    options.cost_count = 3;
    assert_int_equal(partan_tune(*state, data, &s, &options, keep_least, &tuned, &best), PARTAN_OK);
    assert_int_equal(tuned.count, 3);
    assert_true(-best.score == tuned.least);
    partan_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(sigmoids_are_fitted_on_rows_held_out),
        CONTEXT_TEST(the_machine_does_not_change),
        CONTEXT_TEST(rows_without_weight_do_not_count),
        CONTEXT_TEST(probabilities_come_near_the_true_ones),
        cmocka_unit_test(results_do_not_depend_on_threads_or_arrays),
        CONTEXT_TEST(classes_of_fewer_rows_than_folds),
        cmocka_unit_test(an_interruption_of_the_folds_leaves_the_model),
        CONTEXT_TEST(a_time_limit_in_the_folds_leaves_the_model),
        CONTEXT_TEST(points_of_a_path_are_calibrated),
        CONTEXT_TEST(log_loss_is_validated_and_tuned_by),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
