/* Decision values are those of the formula, whatever the storages and the numbers of features of rows and model. */
#include "machine.h"

#include "failing.h"

static void check_decision(partan_context *context, const machine *m, size_t features, partan_storage storage)
{
    static machine rows;
    machine_values(&rows, storage, 77);
    for (size_t i = 0; i < MACHINE_ROWS; i++)
        for (size_t f = features; f < MACHINE_FEATURES; f++)
            rows.values[i][f] = 0;
    partan_data *data = NULL;
    assert_int_equal(
        dense_data(context, rows.values[0], MACHINE_ROWS, features, MACHINE_FEATURES, NULL, storage, &data), PARTAN_OK);
    double decision[MACHINE_ROWS];
    data->source.counted = false; /* as rows of LIBSVM text, which may have fewer features */
    assert_int_equal(partan_predict(context, m->model, data, decision), PARTAN_OK);
    for (size_t i = 0; i < MACHINE_ROWS; i++) {
        double expected = 0, size = 0;
        for (size_t j = 0; j < MACHINE_ROWS; j++) {
            double value = formula(&m->model->settings, rows.values[i], m->values[j], MACHINE_FEATURES) + 1;
            expected += m->weights[j] * m->labels[j] * value;
            size += m->weights[j] * fabs(value);
        }
        double twice = 2 * m->model->result.objective;
        assert_true(fabs(decision[i] - expected / twice) <= 1e-5 * size / twice);
    }
    partan_data_free(data);
}

static void decision_values_follow_the_formula(void **state)
{
    FOR_EVERY_KERNEL(kernel) {
        if (kernel == PARTAN_KERNEL_PRECOMPUTED)
            continue;
        FOR_EVERY_STORAGE(a) {
            machine *m = machine_make(*state, (partan_kernel)kernel, (partan_storage)a);
            FOR_EVERY_STORAGE(b)
                for (size_t features = MACHINE_FEATURES; features > 0; features /= 6)
                    check_decision(*state, m, features, (partan_storage)b);
            machine_free(m);
        }
    }
}

enum { FEW = 20, FEW_FEATURES = 5 };

/* The formula with the coefficients that the model gives, to what rounding leaves in double. */
static void values_of_few_support_vectors_are_exact(void **state)
{
    float values[FEW][FEW_FEATURES], vectors[FEW][FEW_FEATURES];
    double labels[FEW], coefficients[FEW], decision[FEW];
    pt_random random;
    pt_random_seed(&random, 3);
    for (size_t i = 0; i < FEW; i++) {
        labels[i] = i % 2 ? 1 : -1;
        for (size_t f = 0; f < FEW_FEATURES; f++)
            values[i][f] = (float)pt_random_uniform(&random);
    }
    partan_data *data;
    partan_model *model;
    partan_settings settings;
    partan_settings_init(&settings);
    assert_int_equal(
        dense_data(*state, values[0], FEW, FEW_FEATURES, FEW_FEATURES, labels, PARTAN_STORAGE_DENSE, &data), PARTAN_OK);
    assert_int_equal(partan_train(*state, data, &settings, NULL, &model), PARTAN_OK);
    assert_int_equal(partan_predict(*state, model, data, decision), PARTAN_OK);
    assert_int_equal(partan_model_support_vectors(model, vectors[0]), PARTAN_OK);
    assert_int_equal(partan_model_coefficients(model, coefficients), PARTAN_OK);
    for (size_t i = 0; i < FEW; i++) {
        double expected = partan_model_bias(model);
        for (size_t j = 0; j < partan_model_support_count(model); j++)
            expected += coefficients[j] * formula(partan_model_settings(model), values[i], vectors[j], FEW_FEATURES);
        assert_true(fabs(decision[i] - expected) <= 1e-12 * (1 + fabs(expected)));
    }
    partan_model_free(model);
    partan_data_free(data);
}

/* tanh of small arguments is small, and so is its error: what float32 would leave of it is some 1e-5 off. */
static void small_sigmoids_are_exact(void **state)
{
    const double gammas[] = {1e-2, 1e-4, 1e-7};
    for (size_t g = 0; g < 3; g++) {
        machine *m = machine_make(*state, PARTAN_KERNEL_SIGMOID, PARTAN_STORAGE_DENSE);
        m->model->settings.gamma = gammas[g];
        m->model->settings.coef0 = 0;
        double decision[MACHINE_ROWS];
        assert_int_equal(partan_predict(*state, m->model, m->data, decision), PARTAN_OK);
        for (size_t i = 0; i < MACHINE_ROWS; i++) {
            double sum = 0, size = 0;
            for (size_t j = 0; j < MACHINE_ROWS; j++) {
                double value = formula(&m->model->settings, m->values[i], m->values[j], MACHINE_FEATURES);
                sum += m->model->scale * m->weights[j] * m->labels[j] * value;
                size += m->model->scale * m->weights[j] * fabs(value);
            }
            assert_true(fabs(decision[i] - m->model->bias - sum) <= 1e-9 * size + 1e-14 * fabs(m->model->bias));
        }
        machine_free(m);
    }
}

/* On the rows it was trained on, a model has y_i (decision) = g_i / 2f, but for the share of the diagonal. */
static void training_rows_have_their_gradient(void **state)
{
    FOR_EVERY_KERNEL(kernel) {
        machine *m = machine_make(*state, (partan_kernel)kernel, PARTAN_STORAGE_SPARSE);
        double decision[MACHINE_ROWS], twice = 2 * m->model->result.objective;
        assert_int_equal(partan_predict(*state, m->model, m->data, decision), PARTAN_OK);
        for (size_t i = 0; i < MACHINE_ROWS; i++) {
            double expected = (m->gradient[i] - m->weights[i] / m->model->settings.cost) / twice;
            assert_true(fabs(m->labels[i] * decision[i] - expected) <= 1e-4 * (1 + fabs(expected)));
        }
        machine_free(m);
    }
}

/* The bias is set so that one row lies on the boundary but for 1e-9: its sign must be that of double arithmetic. */
static void signs_near_the_boundary_are_certain(void **state)
{
    FOR_EVERY_KERNEL(kernel)
        FOR_EVERY_STORAGE(storage) {
            machine *m = machine_make(*state, (partan_kernel)kernel, (partan_storage)storage);
            double scale = m->model->scale;
            for (size_t i = 0; i < MACHINE_ROWS; i += 7) {
                double value = 0, decision[MACHINE_ROWS];
                for (size_t j = 0; j < MACHINE_ROWS; j++)
                    value += scale * m->weights[j] * m->labels[j] * m->K[i][j];
                for (int sign = -1; sign <= 1; sign += 2) {
                    m->model->bias = sign * 1e-9 * scale - value;
                    assert_int_equal(partan_predict(*state, m->model, m->data, decision), PARTAN_OK);
                    assert_true(fabs(decision[i] / (sign * 1e-9 * scale) - 1) < 1e-2);
                }
            }
            machine_free(m);
        }
}

static void rows_of_another_kind_are_refused(void **state)
{
    machine *features = machine_make(*state, PARTAN_KERNEL_RBF, PARTAN_STORAGE_DENSE);
    machine *kernel = machine_make(*state, PARTAN_KERNEL_PRECOMPUTED, PARTAN_STORAGE_DENSE);
    double decision[MACHINE_ROWS];
    assert_int_equal(partan_predict(*state, features->model, kernel->data, decision), PARTAN_ERROR_DATA);
    assert_non_null(strstr(partan_error(*state), "precomputed"));
    assert_int_equal(partan_predict(*state, kernel->model, features->data, decision), PARTAN_ERROR_DATA);
    assert_non_null(strstr(partan_error(*state), "found 37 kernel values per row, expected at least"));
    machine_free(features);
    machine_free(kernel);
}

static void overflow_is_an_error(void **state)
{
    machine *m = machine_make(*state, PARTAN_KERNEL_POLYNOMIAL, PARTAN_STORAGE_DENSE);
    m->model->settings.degree = 90;
    m->model->settings.gamma = 1e9;
    double decision[MACHINE_ROWS];
    assert_int_equal(partan_predict(*state, m->model, m->data, decision), PARTAN_ERROR_NUMERIC);
    assert_non_null(strstr(partan_error(*state), "not finite"));
    machine_free(m);
}

static void an_interrupt_stops_it_once(void **state)
{
    machine *m = machine_make(*state, PARTAN_KERNEL_RBF, PARTAN_STORAGE_DENSE);
    double decision[MACHINE_ROWS];
    partan_interrupt(*state);
    assert_int_equal(partan_predict(*state, m->model, m->data, decision), PARTAN_INTERRUPTED);
    assert_int_equal(partan_predict(*state, m->model, m->data, decision), PARTAN_OK);
    machine_free(m);
}

static partan_status predict(partan_context *context)
{
    machine *m = machine_make(context, PARTAN_KERNEL_RBF, PARTAN_STORAGE_SPARSE);
    if (!m)
        return PARTAN_ERROR_MEMORY;
    double decision[MACHINE_ROWS];
    partan_status status = partan_predict(context, m->model, m->data, decision);
    machine_free(m);
    return status;
}

static void failing_allocations_leak_nothing(void **state)
{
    (void)state;
    check_every_allocation(predict);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(decision_values_follow_the_formula),
        CONTEXT_TEST(values_of_few_support_vectors_are_exact),
        CONTEXT_TEST(small_sigmoids_are_exact),
        CONTEXT_TEST(training_rows_have_their_gradient),
        CONTEXT_TEST(signs_near_the_boundary_are_certain),
        CONTEXT_TEST(rows_of_another_kind_are_refused),
        CONTEXT_TEST(overflow_is_an_error),
        CONTEXT_TEST(an_interrupt_stops_it_once),
        cmocka_unit_test(failing_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
