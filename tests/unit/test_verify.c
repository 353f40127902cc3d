/* A true model is confirmed, with the numbers of an independent computation; every kind of falsification is found. */
#include "machine.h"

#include "failing.h"

static void true_models_are_confirmed(void **state)
{
    FOR_EVERY_KERNEL(kernel)
        FOR_EVERY_STORAGE(storage) {
            machine *m = machine_make(*state, (partan_kernel)kernel, (partan_storage)storage);
            partan_verification v;
            partan_verification_init(&v);
            assert_int_equal(partan_verify(*state, m->model, m->data, &v), PARTAN_OK);
            const partan_result *claimed = partan_model_result(m->model);
            if (!v.matches)
                fail_msg("%s: %s", partan_kernel_name((partan_kernel)kernel), v.reason);
            assert_string_equal(v.reason, "");
            assert_true(v.feasible && v.least_weight > 0 && fabs(v.weight_sum - 1) < 1e-12);
            assert_true(fabs(v.objective - claimed->objective) <= 1e-12 * v.objective);
            assert_true(fabs(v.gap - claimed->gap) <= 1e-12 * v.objective);
            assert_true(fabs(v.relative_gap - claimed->relative_gap) <= 1e-12);
            machine_free(m);
        }
}

static void the_storage_of_the_data_does_not_matter(void **state)
{
    machine *m = machine_make(*state, PARTAN_KERNEL_RBF, PARTAN_STORAGE_BITS);
    FOR_EVERY_STORAGE(storage)
        FOR_EVERY_STORAGE(vectors) {
            pt_matrix converted;
            assert_int_equal(pt_matrix_convert(&m->model->vectors, (partan_storage)vectors, 0, &converted), PARTAN_OK);
            pt_matrix_free(&m->model->vectors);
            m->model->vectors = converted;
            partan_data *data = NULL;
            assert_int_equal(dense_data(*state, m->values[0], MACHINE_ROWS, MACHINE_FEATURES, MACHINE_FEATURES,
                                        m->labels, (partan_storage)storage, &data),
                             PARTAN_OK);
            partan_verification v;
            partan_verification_init(&v);
            assert_int_equal(partan_verify(*state, m->model, data, &v), PARTAN_OK);
            assert_true(v.matches);
            partan_data_free(data);
        }
    machine_free(m);
}

/* ---- Falsifications ---- */

static void change_weight(machine *m)
{
    m->model->weights[0] *= 1 + 1e-6;
}

static void shift_weight(machine *m)
{
    double moved = m->model->weights[0] / 2;
    m->model->weights[0] -= moved;
    m->model->weights[1] += moved;
}

static void zero_weight(machine *m)
{
    m->model->weights[1] += m->model->weights[0];
    m->model->weights[0] = 0;
}

static void negative_weight(machine *m)
{
    m->model->weights[1] += 2 * m->model->weights[0];
    m->model->weights[0] *= -1;
}

static void nan_weight(machine *m)
{
    m->model->weights[0] = NAN;
}

static void change_objective(machine *m)
{
    m->model->result.objective *= 1.001;
}

static void change_gap(machine *m)
{
    m->model->result.gap -= 0.001 * 2 * m->model->result.objective;
}

static void change_relative_gap(machine *m)
{
    m->model->result.relative_gap -= 0.001;
}

static void claim_convergence(machine *m)
{
    m->model->settings.tol = m->model->result.relative_gap / 2;
    m->model->settings.eps = m->model->result.gap / 2;
    m->model->result.converged = 1;
}

static void swap_rows(machine *m)
{
    int64_t first = m->model->origin[0];
    m->model->origin[0] = m->model->origin[1];
    m->model->origin[1] = first;
}

static void unknown_row(machine *m)
{
    m->model->origin[0] = MACHINE_ROWS;
}

static void negative_row(machine *m)
{
    m->model->origin[0] = -1;
}

/* Rows 7 and 9 are equal and of different class; 7 counted twice must not pass for both. */
static void same_row_twice(machine *m)
{
    pt_matrix_free(&m->model->vectors);
    m->model->origin[1] = m->model->origin[0];
    m->model->signs[1] = m->model->signs[0];
    assert_int_equal(pt_matrix_gather(&m->data->matrix, m->model->origin, m->model->count, &m->model->vectors),
                     PARTAN_OK);
}

static void flip_sign(machine *m)
{
    m->model->signs[0] *= -1;
}

static void change_vector(machine *m)
{
    m->model->vectors.dense[0] += 0.001f;
}

static void change_cost(machine *m)
{
    m->model->settings.cost *= 1.01;
}

static void change_gamma(machine *m)
{
    m->model->settings.gamma *= 1.01;
}

static void change_kernel(machine *m)
{
    m->model->settings.kernel = PARTAN_KERNEL_LAPLACIAN;
}

static void change_bias(machine *m)
{
    m->model->bias += 1e-6;
}

static void change_scale(machine *m)
{
    m->model->scale *= 1.001;
    m->model->bias *= 1.001;
}

static void change_fingerprint(machine *m)
{
    m->model->fingerprint++;
}

static void other_labels(machine *m)
{
    m->model->classes.label[1] = 2;
}

static size_t bystander(const machine *m)
{
    size_t row = 0;
    while (m->weights[row] > 0)
        row++;
    return row;
}

/* A row that is no support vector: only the fingerprint, or the gap, can tell. */
static void change_other_row(machine *m)
{
    size_t row = bystander(m);
    m->data->matrix.dense[row / PT_TILE * MACHINE_FEATURES * PT_TILE + row % PT_TILE] += 0.001f;
}

static void relabel_other_row(machine *m)
{
    m->data->labels[bystander(m)] *= -1;
}

static void relabel_all(machine *m)
{
    for (size_t i = 0; i < MACHINE_ROWS; i++)
        m->data->labels[i] *= 2;
}

static const struct {
    const char *name;
    void (*falsify)(machine *m);
    int feasible;
    const char *reason;
} cases[] = {
    {"change_weight", change_weight, 0, "the weights add up to"},
    {"shift_weight", shift_weight, 1, "the model claims an objective of"},
    {"zero_weight", zero_weight, 0, "a weight is 0, not above 0"},
    {"negative_weight", negative_weight, 0, "not above 0"},
    {"nan_weight", nan_weight, 0, "a weight is"},
    {"change_objective", change_objective, 1, "the model claims an objective of"},
    {"change_gap", change_gap, 1, "the model claims a gap of"},
    {"change_relative_gap", change_relative_gap, 1, "the model claims a relative gap of"},
    {"claim_convergence", claim_convergence, 1, "the model claims convergence"},
    {"swap_rows", swap_rows, 0, "which it says it is"},
    {"unknown_row", unknown_row, 0, "is row 62, which the data does not have"},
    {"negative_row", negative_row, 0, "is row 0, which the data does not have"},
    {"same_row_twice", same_row_twice, 0, "is a support vector twice"},
    {"flip_sign", flip_sign, 0, "different labels"},
    {"change_vector", change_vector, 0, "support vector 1 differs from row"},
    {"change_cost", change_cost, 1, "the model claims an objective of"},
    {"change_gamma", change_gamma, 1, "the model claims"},
    {"change_kernel", change_kernel, 1, "the model claims an objective of"},
    {"change_bias", change_bias, 1, "the bias is"},
    {"change_scale", change_scale, 1, "the scale of decision values is"},
    {"change_fingerprint", change_fingerprint, 1, "fingerprint"},
    {"other_labels", other_labels, 0, "the positive class is '1' in the model and '1' in the data"},
    {"change_other_row", change_other_row, 1, "fingerprint"},
    {"relabel_other_row", relabel_other_row, 1, "fingerprint"},
    {"relabel_all", relabel_all, 0, "the negative class is '-1' in the model and '-2' in the data"},
};

static void falsified_models_are_found_out(void **state)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine *m = machine_make(*state, PARTAN_KERNEL_RBF, PARTAN_STORAGE_DENSE);
        assert_true(m->model->count < MACHINE_ROWS);
        cases[i].falsify(m);
        partan_verification v;
        partan_verification_init(&v);
        assert_int_equal(partan_verify(*state, m->model, m->data, &v), PARTAN_OK);
        if (v.matches || v.feasible != cases[i].feasible || !strstr(v.reason, cases[i].reason))
            fail_msg("%s: matches %d, feasible %d, %s", cases[i].name, v.matches, v.feasible, v.reason);
        machine_free(m);
    }
}

static void data_that_cannot_be_audited_is_refused(void **state)
{
    machine *m = machine_make(*state, PARTAN_KERNEL_RBF, PARTAN_STORAGE_DENSE);
    machine *kernel = machine_make(*state, PARTAN_KERNEL_PRECOMPUTED, PARTAN_STORAGE_DENSE);
    partan_verification v;
    partan_verification_init(&v);
    assert_int_equal(partan_verify(*state, m->model, kernel->data, &v), PARTAN_ERROR_DATA);
    assert_int_equal(partan_verify(*state, kernel->model, m->data, &v), PARTAN_ERROR_DATA);
    for (size_t i = 0; i < MACHINE_ROWS; i++)
        m->data->labels[i] = 1;
    assert_int_equal(partan_verify(*state, m->model, m->data, &v), PARTAN_ERROR_DATA);
    kernel->data->serials[MACHINE_ROWS - 1] = 0; /* another column stands for the last row */
    kernel->model->origin[0] = MACHINE_ROWS - 1;
    assert_int_equal(partan_verify(*state, kernel->model, kernel->data, &v), PARTAN_ERROR_DATA);
    assert_non_null(strstr(partan_error(*state), "have the same serial number, 1"));
    machine_free(m);
    machine_free(kernel);
}

static void an_interrupt_stops_it_once(void **state)
{
    machine *m = machine_make(*state, PARTAN_KERNEL_RBF, PARTAN_STORAGE_DENSE);
    partan_verification v;
    partan_verification_init(&v);
    partan_interrupt(*state);
    assert_int_equal(partan_verify(*state, m->model, m->data, &v), PARTAN_INTERRUPTED);
    assert_false(v.matches);
    assert_int_equal(partan_verify(*state, m->model, m->data, &v), PARTAN_OK);
    assert_true(v.matches);
    machine_free(m);
}

static partan_status verify(partan_context *context)
{
    machine *m = machine_make(context, PARTAN_KERNEL_RBF, PARTAN_STORAGE_SPARSE);
    if (!m)
        return PARTAN_ERROR_MEMORY;
    partan_verification v;
    partan_verification_init(&v);
    partan_status status = partan_verify(context, m->model, m->data, &v);
    machine_free(m);
    return status;
}

static void failing_allocations_leak_nothing(void **state)
{
    (void)state;
    check_every_allocation(verify);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(true_models_are_confirmed),      CONTEXT_TEST(the_storage_of_the_data_does_not_matter),
        CONTEXT_TEST(falsified_models_are_found_out), CONTEXT_TEST(data_that_cannot_be_audited_is_refused),
        CONTEXT_TEST(an_interrupt_stops_it_once),     cmocka_unit_test(failing_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
