/* What is no kernel matrix is not trained on: it has to be symmetric, and every row has a column of its own. */
#include "arrays.h"
#include "training.h"

#include "data/read/read.h"

static partan_status train_on(partan_context *context, const char *text)
{
    partan_read_options options;
    partan_read_options_init(&options);
    options.precomputed = 1;
    partan_data *data;
    partan_model *model = NULL;
    assert_int_equal(pt_data_parse(context, "it", text, strlen(text), &options, &data), PARTAN_OK);
    partan_settings settings = defaults(PARTAN_SOLVER_AUTO);
    settings.kernel = PARTAN_KERNEL_PRECOMPUTED;
    partan_status status = partan_train(context, data, &settings, NULL, &model);
    partan_model_free(model);
    partan_data_free(data);
    return status;
}

static void symmetric_ones_are_trained_on(void **state)
{
    static const char *const texts[] = {
        "1 0:1 1:2 2:.5 3:0\n-1 0:2 1:.5 2:2 3:1\n1 0:3 1:0 2:1 3:3\n",
        "1 0:2 1:.5 2:2 3:1\n-1 0:1 1:2 2:.5 3:0\n",      /* some rows, in another order */
        "1 0:1 1:2 2:.333333\n-1 0:2 1:0.33333331 2:2\n", /* to rounding */
    };
    for (size_t i = 0; i < 3; i++)
        if (train_on(*state, texts[i]))
            fail_msg("%s", partan_error(*state));
}

static void others_are_refused(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"1 0:1 1:2 2:.5\n-1 0:2 1:.6 2:2\n",
         "it: the kernel matrix is not symmetric: row 2 has 0.6 for row 1, which has 0.5 for row 2"},
        {"1 0:1 1:2 2:.5\n-1 0:1 1:2 2:.5\n", "it: rows 1 and 2 have the same serial number, 1"},
        {"1 0:1 1:2 2:.5\n-1 0:3 1:2 2:.5\n", "it: row 2 has serial number 3, but the kernel matrix has 2 columns"},
    };
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(train_on(*state, cases[i].text), PARTAN_ERROR_DATA);
        assert_string_equal(partan_error(*state), cases[i].says);
    }
}

static partan_status train_on_array(partan_context *context, const float *values, size_t rows, size_t columns,
                                    partan_model **model)
{
    static const double labels[] = {1, -1, 1};
    partan_array_options options = array_options(labels, PARTAN_STORAGE_AUTO);
    options.precomputed = 1;
    partan_dense array;
    partan_dense_init(&array);
    array.values = values;
    array.rows = rows;
    array.features = columns;
    partan_data *data;
    assert_int_equal(partan_data_from_dense(context, &array, &options, &data), PARTAN_OK);
    partan_settings settings = defaults(PARTAN_SOLVER_AUTO);
    settings.kernel = PARTAN_KERNEL_PRECOMPUTED;
    partan_status status = partan_train(context, data, &settings, NULL, model);
    partan_data_free(data);
    return status;
}

/* The same matrix as text, whose rows say which column is their own. */
static void arrays_are_trained_on_as_texts_are(void **state)
{
    static const float values[] = {2, .5f, 0, .5f, 2, 1, 0, 1, 3};
    partan_dense array;
    partan_model *model = NULL, *from_text = NULL;
    double decision[3], expected[3];
    partan_read_options options;
    partan_read_options_init(&options);
    options.precomputed = 1;
    const char *text = "1 0:1 1:2 2:.5 3:0\n-1 0:2 1:.5 2:2 3:1\n1 0:3 1:0 2:1 3:3\n";
    partan_data *data;
    partan_settings settings = defaults(PARTAN_SOLVER_AUTO);
    settings.kernel = PARTAN_KERNEL_PRECOMPUTED;
    assert_int_equal(pt_data_parse(*state, "it", text, strlen(text), &options, &data), PARTAN_OK);
    assert_int_equal(partan_train(*state, data, &settings, NULL, &from_text), PARTAN_OK);
    assert_int_equal(train_on_array(*state, values, 3, 3, &model), PARTAN_OK);
    assert_true(partan_model_fingerprint(model) == partan_model_fingerprint(from_text));
    partan_dense_init(&array);
    array.values = values;
    array.rows = array.features = 3;
    assert_int_equal(partan_predict_dense(*state, model, &array, decision), PARTAN_OK);
    assert_int_equal(partan_predict(*state, from_text, data, expected), PARTAN_OK);
    assert_memory_equal(decision, expected, sizeof decision);
    partan_data_free(data);
    partan_model_free(model);
    partan_model_free(from_text);
}

static void arrays_need_a_column_for_each_row(void **state)
{
    static const float values[] = {2, .5f, .5f, 2, 0, 1};
    partan_model *model = NULL;
    assert_int_equal(train_on_array(*state, values, 3, 2, &model), PARTAN_ERROR_DATA);
    assert_string_equal(partan_error(*state), "data: row 3 has serial number 3, but the kernel matrix has 2 columns");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(symmetric_ones_are_trained_on),
        CONTEXT_TEST(others_are_refused),
        CONTEXT_TEST(arrays_are_trained_on_as_texts_are),
        CONTEXT_TEST(arrays_need_a_column_for_each_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
