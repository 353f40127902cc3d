/* LIBSVM model files: svm-predict gives every row the label that we give it, for models written here and for models
 * made by svm-train; what cannot be written or read is refused with a sentence. */
#include "machine.h"

#include "failing.h"
#include "files.h"

enum { TESTED = 400 };

static const char *const tools[] = {"/usr/bin/svm-predict", "/usr/bin/svm-train"};

static void need_tools(void)
{
    for (int i = 0; i < 2; i++)
        if (access(tools[i], X_OK) != 0) {
            print_message("skipped: %s is not installed (Debian package libsvm-tools)\n", tools[i]);
            skip();
        }
}

/* ---- A folder of files to exchange with LIBSVM's programs ---- */

typedef struct exchange {
    char train[100], test[100], model[100], output[100];
    float values[TESTED][MACHINE_FEATURES]; /* of the rows to predict */
} exchange;

static void exchange_open(exchange *e)
{
    temporary_path(e->train, sizeof e->train, ".train");
    temporary_path(e->test, sizeof e->test, ".test");
    temporary_path(e->model, sizeof e->model, ".model");
    temporary_path(e->output, sizeof e->output, ".output");
    pt_random random;
    pt_random_seed(&random, 99);
    for (size_t i = 0; i < TESTED; i++)
        for (size_t f = 0; f < MACHINE_FEATURES; f++)
            e->values[i][f] = pt_random_below(&random, 3) ? (float)(0.8 * pt_random_normal(&random)) : 0;
}

static void exchange_close(exchange *e)
{
    unlink(e->train);
    unlink(e->test);
    unlink(e->model);
    unlink(e->output);
}

static void write_rows(const char *path, const float *values, size_t rows, size_t features, const double *labels,
                       bool precomputed)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < rows; i++) {
        fprintf(file, "%g", labels ? labels[i] : 0);
        if (precomputed)
            fprintf(file, " 0:%zu", i + 1);
        for (size_t f = 0; f < features; f++)
            if (values[i * features + f] != 0 || precomputed)
                fprintf(file, " %zu:%.9g", f + 1, (double)values[i * features + f]);
        fputc('\n', file);
    }
    fclose(file);
}

/* Runs svm-predict on the test file and compares its labels with the signs of our decision values. */
static void compare(partan_context *context, exchange *e, const partan_model *model, const partan_data *data)
{
    double decision[TESTED];
    assert_int_equal(partan_predict(context, model, data, decision), PARTAN_OK);
    char command[500];
    snprintf(command, sizeof command, "svm-predict %s %s %s >/dev/null", e->test, e->model, e->output);
    assert_int_equal(system(command), 0);
    FILE *output = fopen(e->output, "r");
    int positive = 0;
    for (size_t i = 0; i < TESTED; i++) {
        double label;
        assert_int_equal(fscanf(output, "%lf", &label), 1);
        assert_true(label == partan_model_label(model, decision[i] > 0));
        positive += decision[i] > 0;
    }
    assert_true(positive > 0 && positive < TESTED); /* or the comparison says little */
    fclose(output);
}

/* The rows to predict, as features or as kernel values against the machine's rows, in the test file and as data. */
static partan_data *test_data(partan_context *context, exchange *e, const machine *m, const partan_settings *settings,
                              partan_storage storage)
{
    bool precomputed = settings->kernel == PARTAN_KERNEL_PRECOMPUTED;
    static float kernel[TESTED][MACHINE_ROWS];
    for (size_t i = 0; i < TESTED; i++)
        for (size_t j = 0; j < MACHINE_ROWS; j++)
            kernel[i][j] = (float)formula(settings, e->values[i], m->values[j], MACHINE_FEATURES);
    const float *values = precomputed ? kernel[0] : e->values[0];
    size_t width = precomputed ? MACHINE_ROWS : MACHINE_FEATURES;
    write_rows(e->test, values, TESTED, width, NULL, precomputed);
    partan_data *data = NULL;
    assert_int_equal(dense_data(context, values, TESTED, width, width, NULL, storage, &data), PARTAN_OK);
    return data;
}

static void written_models_work_with_svm_predict(void **state)
{
    need_tools();
    static exchange e;
    exchange_open(&e);
    for (int kernel = 0; kernel <= PARTAN_KERNEL_PRECOMPUTED; kernel++)
        FOR_EVERY_STORAGE(storage) {
            machine *m = machine_make(*state, (partan_kernel)kernel, (partan_storage)storage);
            partan_data *data = test_data(*state, &e, m, &m->model->settings, PARTAN_STORAGE_DENSE);
            assert_int_equal(partan_model_write(*state, m->model, e.model, PARTAN_MODEL_LIBSVM), PARTAN_OK);
            compare(*state, &e, m->model, data);
            partan_model *back = NULL;
            assert_int_equal(partan_model_read(*state, e.model, &back), PARTAN_OK);
            compare(*state, &e, back, data);
            partan_model_free(back);
            partan_data_free(data);
            machine_free(m);
        }
    exchange_close(&e);
}

static void models_of_svm_train_are_read(void **state)
{
    need_tools();
    static exchange e;
    exchange_open(&e);
    static const char *const options[] = {"-s 0 -c 2", "-s 1 -n 0.3", "-s 0 -b 1"};
    for (int kernel = 0; kernel <= PARTAN_KERNEL_PRECOMPUTED; kernel++)
        for (int o = 0; o < 3; o++) {
            machine *m = machine_make(*state, (partan_kernel)kernel, PARTAN_STORAGE_DENSE);
            bool precomputed = kernel == PARTAN_KERNEL_PRECOMPUTED;
            static float values[MACHINE_ROWS][MACHINE_ROWS];
            for (size_t i = 0; i < MACHINE_ROWS; i++)
                for (size_t j = 0; j < MACHINE_ROWS; j++)
                    values[i][j] = (float)m->K[i][j];
            write_rows(e.train, precomputed ? values[0] : m->values[0], MACHINE_ROWS,
                       precomputed ? MACHINE_ROWS : MACHINE_FEATURES, m->labels, precomputed);
            char command[500];
            snprintf(command, sizeof command, "svm-train -t %d -g 0.031 -r 0.5 -d 3 -q %s %s %s >/dev/null", kernel,
                     options[o], e.train, e.model);
            assert_int_equal(system(command), 0);
            partan_model *model = NULL;
            assert_int_equal(partan_model_read(*state, e.model, &model), PARTAN_OK);
            assert_int_equal(partan_model_get_format(model), PARTAN_MODEL_LIBSVM);
            partan_data *data = test_data(*state, &e, m, &m->model->settings, PARTAN_STORAGE_SPARSE);
            compare(*state, &e, model, data);
            partan_data_free(data);
            partan_model_free(model);
            machine_free(m);
        }
    exchange_close(&e);
}

/* ---- Without LIBSVM's programs ---- */

static const char example[] = "svm_type c_svc\n"         /* 1 */
                              "kernel_type polynomial\n" /* 2 */
                              "degree 2\n"               /* 3 */
                              "gamma 0.5\n"              /* 4 */
                              "coef0 1\n"                /* 5 */
                              "nr_class 2\n"             /* 6 */
                              "total_sv 3\n"             /* 7 */
                              "rho -0.25\n"              /* 8 */
                              "label 7 -3\n"             /* 9 */
                              "probA -1.5\n"             /* 10 */
                              "probB 0.1\n"              /* 11 */
                              "nr_sv 2 1\n"              /* 12 */
                              "SV\n"                     /* 13 */
                              "1 1:0.5 4:-2 \n"          /* 14 */
                              "0.5 2:1 \n"               /* 15 */
                              "-2.5 \n";                 /* 16 */

static partan_status parse(partan_context *context, const char *text, partan_model **model)
{
    assert_int_equal(pt_model_create(context, model), PARTAN_OK);
    return pt_model_parse_libsvm(context, "m", text, strlen(text), *model);
}

static void coefficients_become_weights(void **state)
{
    partan_model *model;
    assert_int_equal(parse(*state, example, &model), PARTAN_OK);
    assert_true(model->scale == 4 && model->bias == 0.25);
    assert_true(model->weights[0] == 0.25 && model->weights[1] == 0.125 && model->weights[2] == 0.625);
    assert_true(model->signs[0] == 1 && model->signs[1] == 1 && model->signs[2] == -1);
    assert_true(partan_model_label(model, 1) == 7 && partan_model_label(model, 0) == -3);
    assert_string_equal(partan_model_label_text(model, 1), "7");
    double weight;
    int sign;
    int64_t row;
    assert_int_equal(partan_model_support(model, 0, &weight, &sign, &row), PARTAN_OK);
    assert_int_equal(row, -1);
    assert_int_equal(partan_model_support(model, 3, &weight, &sign, &row), PARTAN_ERROR_ARGUMENT);
    assert_int_equal(partan_model_features(model), 4);

    /* The row (0, 2, 0, 1): dots -2, 2, 0, with (0.5 dot + 1)^2 of 0, 4, 1. */
    const float values[] = {0, 2, 0, 1};
    partan_data *data = NULL;
    assert_int_equal(dense_data(*state, values, 1, 4, 4, NULL, PARTAN_STORAGE_DENSE, &data), PARTAN_OK);
    double decision;
    assert_int_equal(partan_predict(*state, model, data, &decision), PARTAN_OK);
    assert_true(fabs(decision - (0.5 * 4 - 2.5 + 0.25)) < 1e-6);

    partan_verification verification;
    partan_verification_init(&verification);
    assert_int_equal(partan_verify(*state, model, data, &verification), PARTAN_ERROR_DATA);
    assert_non_null(strstr(partan_error(*state), "certificate"));
    assert_int_equal(partan_model_write(*state, model, "/dev/null", PARTAN_MODEL_NATIVE), PARTAN_ERROR_ARGUMENT);
    partan_data_free(data);
    partan_model_free(model);
}

static const struct {
    const char *from, *to, *message;
} malformed[] = {
    {"c_svc", "two_class", "m:1: found 'two_class', expected c_svc, nu_svc, one_class, epsilon_svr or nu_svr"},
    {"c_svc\n", "epsilon_svr\nrho 1 2\n", "m:9: found 'rho', expected every line of the header once"},
    {"polynomial", "laplacian", "m:2: found 'laplacian', expected linear, polynomial"},
    {"degree 2", "degree -2", "m:3: found '-2'"},
    {"degree 2\n", "", "m:12: found 'SV', expected the line 'degree' before"},
    {"gamma 0.5", "gamma half", "m:4: found 'half', expected the gamma, a number above 0"},
    {"gamma 0.5", "gamma inf", "m:4: found 'inf', expected the gamma, a number above 0"},
    {"gamma 0.5", "gamma 0", "m:4: found '0', expected the gamma, a number above 0"},
    {"gamma 0.5", "gamma -0.5", "m:4: found '-0.5', expected the gamma, a number above 0"},
    {"gamma 0.5", "gamma 0.5\ngamma 0.5", "m:5: found 'gamma', expected every line of the header once"},
    {"nr_class 2", "nr_class 1", "m:6: found '1', expected a number of classes, 2 or more"},
    {"total_sv 3", "total_sv 0", "m:13: found 'SV'"},
    {"total_sv 3", "total_sv 2", "m:13: found 'SV', expected numbers in nr_sv that add up to total_sv"},
    {"total_sv 3\n", "", "m:12: found 'SV', expected the line 'total_sv'"},
    {"rho -0.25", "rho -0.25 1", "m:13: found 'SV', expected a rho for each pair of classes"},
    {"rho -0.25\n", "", "m:12: found 'SV', expected the line 'rho'"},
    {"label 7 -3", "label 7 7", "m:13: found 'SV', expected labels that differ"},
    {"label 7 -3", "label 7", "m:13: found 'SV', expected as many labels as classes"},
    {"label 7 -3", "label 7 1.5", "m:9: found '1.5', expected labels that are whole numbers"},
    {"label 7 -3", "label 7 -3 2", "m:13: found 'SV', expected as many labels as classes"},
    {"probA", "probC", "m:10: found 'probC', expected a line of a LIBSVM model's header"},
    {"nr_sv 2 1", "nr_sv 18446744073709551615 4",
     "m:12: found '18446744073709551615', expected a number of support vectors"},
    {"nr_sv 2 1\n", "nr_sv 2 1\n\n", "m:13: found the end of the line"},
    {"SV\n", "", "m:13: found '1', expected a line of a LIBSVM model's header"},
    {"0.5 2:1", "x 2:1", "m:15: found 'x', expected the coefficient of a support vector"},
    {"0.5 2:1", "nan 2:1", "m:15: found 'nan', expected the coefficient of a support vector"},
    {"0.5 2:1", "0.5 2:nan", "m:15: found '2:nan', expected a feature"},
    {"0.5 2:1", "0.5 2:1 2:1", "m:15: found '2:1', expected an index greater"},
    {"0.5 2:1 \n", "", "m:16: found the end of the file, expected a support vector"},
    {"-2.5 \n", "-2.5 \n3\n", "m:17: found '3', expected the end of the file"},
    {"total_sv 3", "total_sv 1000000000000000", "m:13: found 'SV'"},
};

static void malformed_models_are_refused(void **state)
{
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        const char *at = strstr(example, malformed[i].from);
        char text[2000];
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - example), example, malformed[i].to,
                 at + strlen(malformed[i].from));
        partan_model *model;
        assert_int_equal(parse(*state, text, &model), PARTAN_ERROR_FORMAT);
        if (!strstr(partan_error(*state), malformed[i].message))
            fail_msg("'%s' for '%s' gave: %s", malformed[i].to, malformed[i].from, partan_error(*state));
        partan_model_free(model);
    }
}

static void what_libsvm_cannot_hold_is_not_written(void **state)
{
    machine *m = machine_make(*state, PARTAN_KERNEL_LAPLACIAN, PARTAN_STORAGE_DENSE);
    char path[100];
    temporary_path(path, sizeof path, ".model");
    assert_int_equal(partan_model_write(*state, m->model, path, PARTAN_MODEL_LIBSVM), PARTAN_ERROR_ARGUMENT);
    assert_non_null(strstr(partan_error(*state), "laplacian"));
    m->model->settings.kernel = PARTAN_KERNEL_RBF;
    m->model->classes.label[1] = 1.5;
    assert_int_equal(partan_model_write(*state, m->model, path, PARTAN_MODEL_LIBSVM), PARTAN_ERROR_ARGUMENT);
    assert_non_null(strstr(partan_error(*state), "whole numbers"));
    m->model->classes.label[1] = 1;
    m->model->classes.words = true;
    assert_int_equal(partan_model_write(*state, m->model, path, PARTAN_MODEL_LIBSVM), PARTAN_ERROR_ARGUMENT);
    assert_int_not_equal(access(path, F_OK), 0);
    machine_free(m);
}

static partan_status write_and_read(partan_context *context)
{
    machine *m = machine_make(context, PARTAN_KERNEL_PRECOMPUTED, PARTAN_STORAGE_DENSE);
    if (!m)
        return PARTAN_ERROR_MEMORY;
    char path[100];
    temporary_path(path, sizeof path, ".model");
    partan_status status = partan_model_write(context, m->model, path, PARTAN_MODEL_LIBSVM);
    partan_model *back = NULL;
    if (status == PARTAN_OK)
        status = partan_model_read(context, path, &back);
    partan_model_free(back);
    unlink(path);
    machine_free(m);
    return status;
}

static partan_status read_example(partan_context *context)
{
    partan_model *model = NULL;
    partan_status status = pt_model_create(context, &model);
    if (status == PARTAN_OK)
        status = pt_model_parse_libsvm(context, "m", example, sizeof example - 1, model);
    partan_model_free(model);
    return status;
}

static void failing_allocations_leak_nothing(void **state)
{
    (void)state;
    check_every_allocation(write_and_read);
    check_every_allocation(read_example);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(written_models_work_with_svm_predict),
        CONTEXT_TEST(models_of_svm_train_are_read),
        CONTEXT_TEST(coefficients_become_weights),
        CONTEXT_TEST(malformed_models_are_refused),
        CONTEXT_TEST(what_libsvm_cannot_hold_is_not_written),
        cmocka_unit_test(failing_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
