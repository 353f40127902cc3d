/* Scaling inside a model is scaling before training: the same weights, the same decisions, also from a file; and data
 * of very different ranges gets a warning that says so. */
#include "training.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/random.h"
#include "failing.h"
#include "files.h"
#include "svm/scaled.h"

enum { ROWS = 80, FEATURES = 4 };

static const double lengths[FEATURES] = {1, 0.01, 3000, 1};

static partan_data *make_rows(partan_context *context, uint64_t seed, const double *scale)
{
    float values[ROWS][FEATURES];
    double labels[ROWS];
    pt_random random;
    pt_random_seed(&random, seed);
    for (size_t i = 0; i < ROWS; i++) {
        labels[i] = i % 2 ? 1 : -1;
        for (size_t f = 0; f < FEATURES; f++) {
            double x = pt_random_normal(&random) + (f == 1 ? labels[i] : 0);
            values[i][f] = f == 3 ? 7 : (float)((scale ? scale[f] : 1) * x); /* one is constant */
        }
    }
    partan_data *data = NULL;
    assert_int_equal(dense_data(context, values[0], ROWS, FEATURES, FEATURES, labels, PARTAN_STORAGE_DENSE, &data),
                     PARTAN_OK);
    return data;
}

static void it_is_scaling_before_training(void **state)
{
    char path[256];
    temporary_path(path, sizeof path, ".model");
    for (int scale = PARTAN_SCALE_MINMAX; scale <= PARTAN_SCALE_STANDARD; scale++)
        for (int solver = PARTAN_SOLVER_PARTAN; solver <= PARTAN_SOLVER_AUTO; solver++) {
            partan_data *data = make_rows(*state, 1, lengths), *other = make_rows(*state, 2, lengths), *scaled, *both;
            partan_scaling *scaling;
            partan_scaling_kind kind =
                scale == PARTAN_SCALE_MINMAX ? PARTAN_SCALING_MINMAX : PARTAN_SCALING_STANDARDISE;
            assert_int_equal(partan_scaling_fit(*state, data, kind, 0, 1, &scaling), PARTAN_OK);
            assert_int_equal(partan_scaling_apply(*state, scaling, data, PARTAN_STORAGE_AUTO, &scaled), PARTAN_OK);
            assert_int_equal(partan_scaling_apply(*state, scaling, other, PARTAN_STORAGE_AUTO, &both), PARTAN_OK);
            partan_settings settings = defaults((partan_solver)solver);
            settings.gamma_rule = PARTAN_GAMMA_AUTO;
            partan_model *outside = train(*state, scaled, &settings, NULL, PARTAN_OK);
            settings.scale = (partan_scale)scale;
            partan_model *inside = train(*state, data, &settings, NULL, PARTAN_OK), *back;
            assert_same_model(outside, inside);
            assert_int_equal(inside->fingerprint, partan_data_fingerprint(data));
            assert_int_equal(partan_model_write(*state, inside, path, PARTAN_MODEL_NATIVE), PARTAN_OK);
            if (partan_model_read(*state, path, &back))
                fail_msg("%s", partan_error(*state));
            assert_int_equal(partan_model_settings(back)->scale, scale);
            check_verified(*state, back, data);
            double expected[ROWS], decision[ROWS];
            assert_int_equal(partan_predict(*state, outside, both, expected), PARTAN_OK);
            for (int i = 0; i < 2; i++) {
                assert_int_equal(partan_predict(*state, i ? back : inside, other, decision), PARTAN_OK);
                assert_memory_equal(decision, expected, sizeof expected);
            }
            assert_int_equal(partan_model_write(*state, inside, path, PARTAN_MODEL_LIBSVM), PARTAN_ERROR_ARGUMENT);
            partan_model *again = train(*state, data, &settings, back, PARTAN_OK); /* goes on from it */
            partan_model_free(again);
            partan_model_free(outside);
            partan_model_free(inside);
            partan_model_free(back);
            partan_scaling_free(scaling);
            partan_data_free(data);
            partan_data_free(other);
            partan_data_free(scaled);
            partan_data_free(both);
        }
    unlink(path);
}

/* ---- Files ---- */

static void malformed_scalings_are_refused(void **state)
{
    static const struct {
        const char *from, *to, *says;
    } cases[] = {
        {"scaling minmax 0 1", "scaling mimmax 0 1", "expected the kind of scaling"},
        {"scaling minmax 0 1", "scaling minmax 1 0", "expected an upper bound above the lower one"},
        {"scaling minmax 0 1", "scaling minmax 0", "expected the bounds of the scaling"},
        {"scaling minmax 0 1", "scaling minmax 0 1\nscaling standardise", "once"},
        {"scaling minmax 0 1\n", "", "after the kind of scaling"},
        {"range 2 ", "range 1 ", "the number of a feature, ascending"},
        {"range 4 ", "range 5 ", "found a scaling of feature 5, expected one of the 4 features"},
        {"range 4 7 7", "range 4 7", "a maximum that is not below the minimum"},
        {"range 4 7 7", "range 4 7 6", "a maximum that is not below the minimum"},
    };
    char path[256];
    temporary_path(path, sizeof path, ".model");
    partan_data *data = make_rows(*state, 1, NULL);
    partan_settings settings = defaults(PARTAN_SOLVER_AUTO);
    settings.scale = PARTAN_SCALE_MINMAX;
    partan_model *model = train(*state, data, &settings, NULL, PARTAN_OK), *back;
    assert_int_equal(partan_model_write(*state, model, path, PARTAN_MODEL_NATIVE), PARTAN_OK);
    char *text = file_contents(path, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *at = strstr(text, cases[i].from), *changed = malloc(strlen(text) + 100);
        assert_non_null(at);
        sprintf(changed, "%.*s%s%s", (int)(at - text), text, cases[i].to, at + strlen(cases[i].from));
        make_file(path, changed);
        assert_int_equal(partan_model_read(*state, path, &back), PARTAN_ERROR_FORMAT);
        if (!strstr(partan_error(*state), cases[i].says))
            fail_msg("'%s': %s", cases[i].to, partan_error(*state));
        free(changed);
    }
    free(text);
    partan_model_free(model);
    partan_data_free(data);
    unlink(path);
}

static partan_status train_and_predict(partan_context *context)
{
    partan_data *data = NULL;
    partan_model *model = NULL;
    double decision[ROWS];
    float values[6] = {1, 200, 3, 400, 5, 700};
    double labels[3] = {1, -1, 1};
    partan_settings settings = defaults(PARTAN_SOLVER_FW);
    settings.scale = PARTAN_SCALE_STANDARD;
    partan_status status = dense_data(context, values, 3, 2, 2, labels, PARTAN_STORAGE_DENSE, &data);
    if (!status)
        status = partan_train(context, data, &settings, NULL, &model);
    if (!status)
        status = partan_predict(context, model, data, decision);
    partan_data_free(data);
    partan_model_free(model);
    return status;
}

static void failed_allocations_leave_nothing(void **state)
{
    (void)state;
    check_every_allocation(train_and_predict);
}

/* ---- Ranges ---- */

static void keep_warning(void *user, partan_log_level level, const char *message)
{
    if (level == PARTAN_LOG_WARNING)
        snprintf(user, 512, "%s", message);
}

static void different_ranges_get_a_warning(void **state)
{
    (void)state;
    static const double narrow[FEATURES] = {1, 0.02, 1, 1}, near[FEATURES] = {1, 5, 0.2, 1};
    const struct {
        const double *lengths;
        partan_scale scale;
        bool warned;
    } cases[] = {{lengths, PARTAN_SCALE_NONE, true},
                 {lengths, PARTAN_SCALE_STANDARD, false},
                 {NULL, PARTAN_SCALE_NONE, false},
                 {narrow, PARTAN_SCALE_NONE, false},
                 {near, PARTAN_SCALE_NONE, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char message[512] = "";
        partan_context_options options;
        partan_context_options_init(&options);
        options.log = keep_warning;
        options.user = message;
        partan_context *context = partan_create(&options);
        partan_data *data = make_rows(context, 1, cases[i].lengths);
        partan_settings settings = defaults(PARTAN_SOLVER_AUTO);
        settings.scale = cases[i].scale;
        pt_warn_of_ranges(context, data, &settings);
        if ((strstr(message, "that of feature 3 is") != NULL) != cases[i].warned)
            fail_msg("case %zu: '%s'", i, message);
        assert_int_equal(*message != 0, cases[i].warned);
        partan_data_free(data);
        partan_destroy(context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(it_is_scaling_before_training),
        CONTEXT_TEST(malformed_scalings_are_refused),
        cmocka_unit_test(failed_allocations_leave_nothing),
        cmocka_unit_test(different_ranges_get_a_warning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
