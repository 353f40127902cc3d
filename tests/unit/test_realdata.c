/* Real data: on three known sets PARTAN takes the known numbers of iterations and support vectors, and verify confirms
 * the models. */
#include <math.h>

#include "realdata.h"

static void check_set(partan_context *context, const char *set, double cost, double gamma, double iterations,
                      double vectors)
{
    partan_data *data = read_real_data(context, set, set, 0);
    partan_settings s;
    partan_settings_init(&s);
    s.solver = PARTAN_SOLVER_PARTAN;
    s.gamma_rule = PARTAN_GAMMA_VALUE;
    s.gamma = gamma;
    s.cost = cost;
    s.tol = 0;
    s.eps = 5e-5;
    partan_model *model = NULL;
    assert_int_equal(partan_train(context, data, &s, NULL, &model), PARTAN_OK);
    const partan_result *result = partan_model_result(model);
    assert_true(result->converged && result->gap <= s.eps);
    assert_true(fabs((double)result->iterations / iterations - 1) <= 0.15);
    assert_true(fabs((double)result->support_vectors / vectors - 1) <= 0.15);
    partan_verification found;
    partan_verification_init(&found);
    assert_int_equal(partan_verify(context, model, data, &found), PARTAN_OK);
    if (!found.matches)
        fail_msg("verify: %s", found.reason);
    partan_model_free(model);
    partan_data_free(data);
}

static void a9a(void **state)
{
    check_set(*state, "a9a", 1, 0.0652, 16800, 13700);
}

static void w8a(void **state)
{
    check_set(*state, "w8a", 10, 0.0485, 4700, 2800);
}

static void ijcnn1(void **state)
{
    check_set(*state, "ijcnn1", 10, 2, 5000, 3500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {CONTEXT_TEST(a9a), CONTEXT_TEST(w8a), CONTEXT_TEST(ijcnn1)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
