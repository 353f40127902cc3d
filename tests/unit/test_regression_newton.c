/* Regressions as Newton's method solves them (active/primal_newton.c), and pair steps where it does not. */
#include "training.h"

static void every_kernel_meets_a_tight_target(void **state)
{
    static const partan_kernel kernels[] = {PARTAN_KERNEL_RBF, PARTAN_KERNEL_LINEAR, PARTAN_KERNEL_POLYNOMIAL,
                                            PARTAN_KERNEL_LAPLACIAN, PARTAN_KERNEL_SIGMOID};
    partan_data *data = generate(*state, "friedman", SOME_OF(1600));
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        for (int noisy = 0; noisy < 2; noisy++) {
            partan_settings s = friedman_settings();
            s.kernel = kernels[k];
            s.degree = 2;
            s.coef0 = 1;
            s.epsilon = noisy ? 0 : 2;
            s.cost = s.kernel == PARTAN_KERNEL_SIGMOID ? 0.01 : noisy ? 100 : 1;
            s.gamma = s.kernel == PARTAN_KERNEL_SIGMOID ? 0.01 : 0.3;
            s.tol = 1e-5;
            partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
            partan_model_free(model);
        }
    partan_data_free(data);
}

/* The preconditioner's rank grows where products turn out to be many: about 55 of them then, else 190. */
static void hard_systems_take_few_products(void **state)
{
    partan_data *data = generate(*state, "friedman", 4000);
    partan_settings s = friedman_settings();
    s.cost = 100;
    s.gamma = 0.5;
    partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
    assert_true(model->result.iterations < 120);
    partan_model_free(model);
    partan_data_free(data);
}

/* Weights on the way to a solution that is close to 0 may be worse than none. */
static void an_objective_above_zero_proves_nothing(void **state)
{
    partan_data *data = generate(*state, "friedman", 1000);
    partan_settings s = friedman_settings();
    int above = 0;
    s.epsilon = 8;
    s.cost = 100;
    for (int64_t most = 1; most <= 31; most += 10) {
        s.max_iter = most;
        partan_model *model = train(*state, data, &s, NULL, PARTAN_ITERATION_LIMIT);
        const partan_result *r = &model->result;
        assert_false(r->converged);
        assert_true(r->relative_gap > (r->objective > 0 ? 1e6 : s.tol));
        above += r->objective > 0;
        check_verified(*state, model, data);
        partan_model_free(model);
    }
    assert_true(above > 1);
    partan_data_free(data);
}

/* Pair steps alone, without Newton's method: the kernel is not definite. The rows' number is none of whole tiles. */
static void pair_steps_leave_an_objective_above_zero(void **state)
{
    partan_data *data = generate(*state, "friedman", 203);
    partan_settings s = friedman_settings();
    s.kernel = PARTAN_KERNEL_SIGMOID;
    s.gamma = 0.01;
    s.cost = 1;
    partan_model *other = train(*state, data, &s, NULL, PARTAN_OK);
    s.epsilon = 8;
    s.tol = 1e-3;
    s.max_iter = 1;
    partan_model *first = train(*state, data, &s, other, PARTAN_ITERATION_LIMIT);
    assert_true(first->result.objective > 0 && !first->result.converged);
    s.max_iter = 0;
    partan_model *last = train(*state, data, &s, other, PARTAN_OK);
    assert_true(last->result.converged && last->result.objective < 0 && last->result.relative_gap >= 0);
    check_verified(*state, last, data);
    partan_model_free(last);
    partan_model_free(first);
    partan_model_free(other);
    partan_data_free(data);
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    partan_model *models[2];
    partan_context *contexts[2];
    partan_data *data[2];
    for (int k = 0; k < 2; k++) {
        partan_context_options options;
        partan_context_options_init(&options);
        options.threads = k + 1;
        contexts[k] = partan_create(&options);
        data[k] = generate(contexts[k], "friedman", SOME_OF(3000));
        partan_settings s = friedman_settings();
        models[k] = train(contexts[k], data[k], &s, NULL, PARTAN_OK);
    }
    assert_same_model(models[0], models[1]);
    for (int k = 0; k < 2; k++) {
        partan_model_free(models[k]);
        partan_data_free(data[k]);
        partan_destroy(contexts[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(every_kernel_meets_a_tight_target),
        CONTEXT_TEST(hard_systems_take_few_products),
        CONTEXT_TEST(an_objective_above_zero_proves_nothing),
        CONTEXT_TEST(pair_steps_leave_an_objective_above_zero),
        cmocka_unit_test(threads_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
