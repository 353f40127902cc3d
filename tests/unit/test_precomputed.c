/* What is no kernel matrix is not trained on: it has to be symmetric, and every row has a column of its own. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(symmetric_ones_are_trained_on),
        CONTEXT_TEST(others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
