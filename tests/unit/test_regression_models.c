/* Models of regressions: their files, what verify finds, warm starts, errors of predictions, and choice by them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "generating.h"
#include "machine.h"
#include "training.h"

static void model_files_keep_what_is_predicted(void **state)
{
    partan_data *data = generate(*state, "friedman", 300);
    partan_settings s = friedman_settings();
    partan_model *model = train(*state, data, &s, NULL, PARTAN_OK), *again = NULL;
    double expected[300], found[300];
    assert_int_equal(partan_predict(*state, model, data, expected), PARTAN_OK);
    for (int format = PARTAN_MODEL_NATIVE; format <= PARTAN_MODEL_LIBSVM; format++) {
        char *bytes = NULL;
        size_t size = 0;
        assert_int_equal(partan_model_to_memory(*state, model, (partan_model_format)format, &bytes, &size), 0);
        assert_int_equal(partan_model_from_memory(*state, bytes, size, &again), PARTAN_OK);
        assert_int_equal(partan_model_settings(again)->problem, PARTAN_REGRESSION);
        assert_int_equal(partan_model_class_count(again), 0);
        assert_int_equal(partan_model_decide(again, expected), -1);
        assert_int_equal(partan_predict(*state, again, data, found), PARTAN_OK);
        for (size_t i = 0; i < 300; i++)
            assert_near(found[i], expected[i], 1e-4);
        if (format == PARTAN_MODEL_NATIVE) {
            assert_true(partan_model_settings(again)->epsilon == s.epsilon);
            check_verified(*state, again, data);
        }
        partan_free(*state, bytes);
        partan_model_free(again);
    }
    partan_model_free(model);
    partan_data_free(data);
}

static void files_of_other_problems_are_refused(void **state)
{
    static const char *const changes[][2] = {{"problem regression", "problem classification"},
                                             {"kernel rbf", "kernel precomputed"}};
    partan_data *data = generate(*state, "friedman", 30);
    partan_settings s = friedman_settings();
    for (size_t i = 0; i < 2; i++) {
        s.problem = i ? PARTAN_OUTLIER : PARTAN_REGRESSION;
        partan_model *model = train(*state, data, &s, NULL, PARTAN_OK), *again = NULL;
        char *bytes = NULL;
        size_t size = 0;
        assert_int_equal(partan_model_to_memory(*state, model, PARTAN_MODEL_NATIVE, &bytes, &size), PARTAN_OK);
        char *whole = calloc(size + 1, 1), *text = calloc(size + 64, 1);
        memcpy(whole, bytes, size); /* which has no NUL at its end */
        char *at = strstr(whole, changes[i][0]);
        assert_non_null(at);
        snprintf(text, size + 64, "%.*s%s%s", (int)(at - whole), whole, changes[i][1], at + strlen(changes[i][0]));
        free(whole);
        assert_int_equal(partan_model_from_memory(*state, text, strlen(text), &again), PARTAN_ERROR_FORMAT);
        assert_non_null(strstr(partan_error(*state),
                               i ? "found problem outlier with a precomputed kernel" : "found problem classification"));
        free(text);
        partan_free(*state, bytes);
        partan_model_free(model);
    }
    partan_data_free(data);
}

static void expect_refused(partan_context *context, const partan_model *model, const partan_data *data,
                           const char *reason)
{
    partan_verification found;
    partan_verification_init(&found);
    assert_int_equal(partan_verify(context, model, data, &found), PARTAN_OK);
    assert_false(found.matches);
    assert_non_null(strstr(found.reason, reason));
}

static void verify_refuses_what_is_not_so(void **state)
{
    partan_data *data = generate(*state, "friedman", 200);
    partan_settings s = friedman_settings();
    partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
    double kept = model->result.objective;
    model->result.objective *= 1.01;
    expect_refused(*state, model, data, "claims an objective");
    model->result.objective = kept;
    kept = model->result.gap;
    model->result.gap /= 2;
    expect_refused(*state, model, data, "claims a gap");
    model->result.gap = kept;
    model->bias += 1e-3;
    expect_refused(*state, model, data, "the bias is");
    model->bias -= 1e-3;
    model->settings.epsilon *= 2;
    expect_refused(*state, model, data, "claims an objective");
    model->settings.epsilon /= 2;
    model->scale *= 1.01;
    expect_refused(*state, model, data, "claims");
    model->scale /= 1.01;
    check_verified(*state, model, data);
    data->labels[7] += 1;
    expect_refused(*state, model, data, "");
    partan_model_free(model);
    partan_data_free(data);
}

static void a_warm_start_needs_less(void **state)
{
    partan_data *data = generate(*state, "friedman", 1500);
    partan_settings s = friedman_settings();
    s.tol = 1e-4;
    partan_model *cold = train(*state, data, &s, NULL, PARTAN_OK), *warm = train(*state, data, &s, cold, PARTAN_OK);
    assert_true(warm->result.iterations < cold->result.iterations);
    partan_model_free(warm);
    s.cost *= 2; /* from another problem's solution */
    warm = train(*state, data, &s, cold, PARTAN_OK);
    partan_model_free(warm);
    s.problem = PARTAN_CLASSIFICATION;
    for (size_t i = 0; i < 1500; i++)
        data->labels[i] = data->labels[i] > 14 ? 1 : 0;
    assert_int_equal(partan_train(*state, data, &s, cold, &warm), PARTAN_ERROR_DATA);
    assert_non_null(strstr(partan_error(*state), "the initial model is one of regression"));
    partan_model_free(cold);
    partan_data_free(data);
}

/* ---- Evaluation and choice ---- */

static void errors_are_by_definition(void **state)
{
    partan_data *data = generate(*state, "friedman", 50);
    partan_settings s = friedman_settings();
    partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
    double decision[50], mean = 0, squares = 0, sizes = 0, variance = 0;
    partan_evaluation found;
    partan_evaluation_init(&found);
    assert_int_equal(partan_predict(*state, model, data, decision), PARTAN_OK);
    data->labels[9] = (double)NAN; /* a row without label does not count */
    assert_int_equal(partan_evaluate(*state, model, data, decision, NULL, NULL, &found), PARTAN_OK);
    for (size_t i = 0; i < 50; i++)
        mean += i == 9 ? 0 : data->labels[i] / 49;
    for (size_t i = 0; i < 50; i++) {
        if (i == 9)
            continue;
        squares += pow(data->labels[i] - decision[i], 2);
        sizes += fabs(data->labels[i] - decision[i]);
        variance += pow(data->labels[i] - mean, 2);
    }
    assert_int_equal(found.labelled, 49);
    assert_int_equal(found.classes, 0);
    assert_near(found.mse, squares / 49, 1e-12);
    assert_near(found.mae, sizes / 49, 1e-12);
    assert_near(found.r2, 1 - squares / variance, 1e-12);
    assert_true(isnan(found.accuracy) && isnan(found.auc));
    assert_true(partan_score_of(PARTAN_SCORE_MSE, &found) == -found.mse);
    partan_model_free(model);
    partan_data_free(data);
}

static int count_points(void *user, const partan_tune_point *point)
{
    (void)point;
    ++*(int *)user;
    return 0;
}

static void tuning_tries_every_epsilon(void **state)
{
    static const double costs[] = {1, 100}, epsilons[] = {0.1, 8};
    partan_data *data = generate(*state, "friedman", 300);
    partan_settings s = friedman_settings();
    partan_tune_options options;
    partan_tune_point best;
    int points = 0;
    partan_tune_options_init(&options);
    partan_tune_point_init(&best);
    options.folds = 3;
    options.costs = costs;
    options.epsilons = epsilons;
    options.cost_count = options.epsilon_count = 2;
    assert_int_equal(partan_tune(*state, data, &s, &options, count_points, &points, &best), PARTAN_OK);
    assert_int_equal(points, 4);
    assert_true(best.epsilon == 0.1 && best.score > 0.8 && best.score == best.evaluation.r2);
    assert_int_equal(best.rows, 300);
    options.score = PARTAN_SCORE_AUC;
    assert_int_equal(partan_tune(*state, data, &s, &options, NULL, NULL, &best), PARTAN_ERROR_ARGUMENT);
    options.score = PARTAN_SCORE_MSE;
    assert_int_equal(partan_tune(*state, data, &s, &options, NULL, NULL, &best), PARTAN_OK);
    assert_true(best.score < 0 && best.epsilon == 0.1);
    partan_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(model_files_keep_what_is_predicted),
        CONTEXT_TEST(files_of_other_problems_are_refused),
        CONTEXT_TEST(verify_refuses_what_is_not_so),
        CONTEXT_TEST(a_warm_start_needs_less),
        SERIAL_TEST(errors_are_by_definition),
        CONTEXT_TEST(tuning_tries_every_epsilon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
