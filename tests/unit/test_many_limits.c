/* What ends trainings of more than two classes before all are done: limits, callbacks, no memory; and the number of
 * threads, which changes nothing. */
#include "failing.h"
#include "zoo.h"

static void limits_leave_every_machine(void **state)
{
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_data *data = generate(*state, "ringnorm", 4000);
    for (size_t i = 0; i < 4000; i++)
        data->labels[i] = (double)(i % 5); /* nothing to learn, and so much to do */
    s.tol = 1e-9;
    s.time_limit = 0.2;
    partan_model *model = train(*state, data, &s, NULL, PARTAN_TIME_LIMIT);
    assert_int_equal(partan_model_outputs(model), 10);
    partan_model_free(model);
    partan_interrupt(*state);
    s.time_limit = 0;
    model = train(*state, data, &s, NULL, PARTAN_INTERRUPTED);
    assert_int_equal(partan_model_outputs(model), 10);
    assert_int_equal(model->machines[9]->count, 2);
    assert_int_equal(model->machines[9]->result.status, PARTAN_INTERRUPTED);
    partan_model_free(model);
    s.max_iter = 3;
    model = train(*state, data, &s, NULL, PARTAN_ITERATION_LIMIT);
    assert_int_equal(partan_model_result(model)->iterations, 30);
    partan_model_free(model);
    partan_data_free(data);
}

/* What is left when a run is to end is made of two rows, and its gap is bounded: verify recomputes that. */
static void machines_that_are_not_trained_are_certified(void **state)
{
    static zoo z;
    FOR_EVERY_KERNEL(kernel)
        for (size_t i = 0; i < 2 * STORAGES; i++) {
            partan_settings s = defaults(PARTAN_SOLVER_AUTO);
            double weights[ROWS];
            s.kernel = (partan_kernel)kernel;
            s.multiclass = (partan_multiclass)(i % 2);
            s.coef0 = kernel == PARTAN_KERNEL_POLYNOMIAL;
            s.gamma = kernel == PARTAN_KERNEL_SIGMOID ? 0.01 : 0.2;
            if (kernel == PARTAN_KERNEL_PRECOMPUTED && i > 1)
                continue;
            zoo_fill(&z, every_storage(i / 2), 5 + i);
            partan_data *data = zoo_data(*state, &z, &s, every_storage(i / 2), false);
            for (size_t row = 0; row < ROWS; row++)
                weights[row] = 0.5 + (double)(row % 3);
            assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
            s.balanced = 1;
            s.time_limit = 1e-9;
            partan_model *model = train(*state, data, &s, NULL, PARTAN_TIME_LIMIT);
            for (size_t m = 0; m < model->machine_count; m++) {
                const partan_model *one = model->machines[m];
                assert_int_equal(one->count, 2);
                assert_int_equal(one->result.status, PARTAN_TIME_LIMIT);
                assert_true(one->result.gap_is_bound && !one->result.converged);
                assert_int_equal(one->result.iterations, 0);
            }
            partan_model_free(model);
            partan_data_free(data);
        }
}

/* Side by side on several threads, or one after the other: the same bits. */
static void threads_do_not_matter(void **state)
{
    partan_model *model[2] = {NULL, NULL};
    double *decision[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        partan_context_options options;
        partan_context_options_init(&options);
        options.threads = i ? 3 : 1;
        partan_context *context = partan_create(&options);
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        partan_data *data = generate(context, "ringnorm", 600);
        for (size_t row = 0; row < 600; row++)
            data->labels[row] += (double)(10 * (row % 4)); /* eight classes */
        model[i] = train(context, data, &s, NULL, PARTAN_OK);
        decision[i] = malloc(600 * 28 * sizeof(double));
        assert_int_equal(partan_model_outputs(model[i]), 28);
        assert_int_equal(partan_predict(context, model[i], data, decision[i]), PARTAN_OK);
        if (i)
            assert_memory_equal(decision[0], decision[1], 600 * 28 * sizeof(double));
        /* A failure of one machine has its sentence. */
        s.kernel = PARTAN_KERNEL_POLYNOMIAL;
        s.gamma = 1e30;
        partan_model *none = NULL;
        assert_int_equal(partan_train(context, data, &s, NULL, &none), PARTAN_ERROR_NUMERIC);
        assert_true(*partan_error(context));
        partan_model_free(model[i]);
        partan_data_free(data);
        partan_destroy(context);
    }
    free(decision[0]);
    free(decision[1]);
}

static int stop_at_once(void *user, const partan_progress *progress)
{
    (void)user, (void)progress;
    return 1;
}

static void a_callback_stops_all_machines(void **state)
{
    partan_context_options options;
    (void)state;
    partan_context_options_init(&options);
    options.threads = 2;
    options.progress = stop_at_once;
    partan_context *context = partan_create(&options);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_data *data = generate(context, "ringnorm", 3000);
    for (size_t row = 0; row < 3000; row++)
        data->labels[row] = (double)(row % 10);
    s.tol = 1e-9;
    s.cost = 1000;
    partan_model *model = NULL;
    assert_int_equal(partan_train(context, data, &s, NULL, &model), PARTAN_INTERRUPTED);
    assert_int_equal(partan_model_outputs(model), 45);
    context->options.progress = NULL;
    check_verified(context, model, data);
    partan_model_free(model);
    partan_data_free(data);
    partan_destroy(context);
}

static partan_status train_and_ask(partan_context *context)
{
    static zoo z;
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    double decision[ROWS * CLASSES * CLASSES];
    partan_model *model = NULL, *read = NULL, *again = NULL;
    char *bytes = NULL;
    size_t size;
    partan_verification found;
    partan_verification_init(&found);
    zoo_fill(&z, PARTAN_STORAGE_DENSE, 8);
    partan_data *data = NULL;
    partan_status status =
        dense_data(context, z.t.values[0], ROWS, FEATURES, TOY_FEATURES, z.t.labels, PARTAN_STORAGE_DENSE, &data);
    if (!status)
        status = partan_train(context, data, &s, NULL, &model);
    if (!status)
        status = partan_train(context, data, &s, model, &again);
    if (!status)
        status = partan_predict(context, model, data, decision);
    if (!status)
        status = partan_verify(context, model, data, &found);
    if (!status)
        status = partan_model_to_memory(context, model, PARTAN_MODEL_NATIVE, &bytes, &size);
    if (!status)
        status = partan_model_from_memory(context, bytes, size, &read);
    partan_free(context, bytes);
    partan_model_free(read);
    partan_model_free(again);
    partan_model_free(model);
    partan_data_free(data);
    return status;
}

static void without_memory_it_fails_cleanly(void **state)
{
    (void)state;
    check_every_allocation(train_and_ask);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(limits_leave_every_machine),          SERIAL_TEST(machines_that_are_not_trained_are_certified),
        cmocka_unit_test(threads_do_not_matter),           cmocka_unit_test(a_callback_stops_all_machines),
        cmocka_unit_test(without_memory_it_fails_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
