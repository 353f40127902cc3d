/* Regression and outlier detection where rows live in several processes: the bits of one process, whatever the solver,
 * the rows and the shares. Threads stand for the processes (hall.h). */
#include "sharing.h"

enum { ROWS = 203, MANY = 2000, SAMPLED = MOST_ROWS };

static const size_t shares[][MOST + 1] = {{0, 203}, {0, 100, 203}, {0, 1, 17, 203}, {0, 0, 90, 90, 203, 203}};
static const size_t cuts[][MOST + 1] = {
    {0, MANY}, {0, MANY / 3, MANY}, {0, 10, MANY / 2, MANY}, {0, 0, 700, 700, 1900, MANY}};
static const int sizes[] = {1, 2, 3, 5};
static const partan_problem problems[] = {PARTAN_REGRESSION, PARTAN_OUTLIER};

static partan_data *rows_of(partan_context *context, partan_problem problem, size_t rows)
{
    return generate(context, problem == PARTAN_REGRESSION ? "friedman" : "ringnorm", rows);
}

static partan_settings settings_of(partan_problem problem, partan_solver solver)
{
    partan_settings s = defaults(solver);
    s.problem = problem;
    s.gamma_rule = PARTAN_GAMMA_AUTO;
    s.tol = 0.05;
    s.cost = problem == PARTAN_REGRESSION ? 10 : 1;
    return s;
}

static void every_solver_has_the_bits_of_one_process(void **state)
{
    for (size_t k = 0; k < 2; k++) {
        partan_data *data = rows_of(*state, problems[k], ROWS);
        FOR_EVERY_SOLVER(solver)
            for (int sampled = 0; sampled < 2; sampled++)
                for (size_t i = 0; i < SOME_OF(4); i++) {
                    partan_settings s = settings_of(problems[k], (partan_solver)solver);
                    s.sample = sampled ? 40 : 0;
                    s.max_iter = 400;
                    if (s.solver != PARTAN_SOLVER_AUTO || !sampled)
                        assert_same_bits(*state, data, &s, sizes[i], shares[i]);
                }
        partan_data_free(data);
    }
}

/* Labels are -1 and 1 here. */
static void every_storage_has_the_bits_of_one_process(void **state)
{
    for (size_t i = 0; i < STORAGES; i++) {
        partan_data *data = rows_in(*state, every_storage(i), ROWS);
        for (size_t k = 0; k < 2; k++) {
            partan_settings s = settings_of(problems[k], PARTAN_SOLVER_AUTO);
            assert_same_bits(*state, data, &s, 5, shares[3]);
            s.solver = PARTAN_SOLVER_PARTAN;
            s.max_iter = 300;
            assert_same_bits(*state, data, &s, 3, shares[2]);
            s.sample = 40;
            assert_same_bits(*state, data, &s, 3, shares[2]);
        }
        partan_data_free(data);
    }
}

/* Newton's method for a regression, and pair steps where the kernel leaves no other way; precise targets. */
static void the_default_solver_has_the_bits_of_one_process(void **state)
{
    static const partan_kernel kernels[2][3] = {{PARTAN_KERNEL_RBF, PARTAN_KERNEL_LINEAR, PARTAN_KERNEL_SIGMOID},
                                                {PARTAN_KERNEL_RBF, PARTAN_KERNEL_LINEAR, PARTAN_KERNEL_LAPLACIAN}};
    for (size_t k = 0; k < 2; k++) {
        partan_data *data = rows_of(*state, problems[k], MANY);
        for (size_t kernel = 0; kernel < 3; kernel++)
            for (size_t i = 0; i < SOME_OF(4); i++) {
                partan_settings s = settings_of(problems[k], PARTAN_SOLVER_AUTO);
                s.kernel = kernels[k][kernel];
                s.gamma_rule = PARTAN_GAMMA_VALUE;
                s.gamma = kernel == 2 ? 0.01 : problems[k] == PARTAN_OUTLIER ? 0.02 : 0.2; /* not all rows get weight */
                s.tol = kernel == 0 ? 1e-6 : 0.01;
                s.max_iter = 3000;
                assert_same_bits(*state, data, &s, sizes[i], cuts[i]);
            }
        partan_data_free(data);
    }
}

/* Values so close to 1 that solvers compute them less 1, which nobody else does. */
static void almost_constant_kernels_have_the_bits_of_one_process(void **state)
{
    for (size_t k = 0; k < 2; k++) {
        partan_data *data = rows_of(*state, problems[k], ROWS);
        for (int variant = 0; variant < 2; variant++) {
            partan_settings s = settings_of(problems[k], variant ? PARTAN_SOLVER_SWAP : PARTAN_SOLVER_AUTO);
            s.gamma_rule = PARTAN_GAMMA_VALUE;
            s.gamma = 1e-6;
            s.max_iter = 400;
            assert_same_bits(*state, data, &s, 3, shares[2]);
        }
        partan_data_free(data);
    }
}

static void weights_scaling_and_equal_rows_have_the_bits_of_one_process(void **state)
{
    for (size_t k = 0; k < 2; k++) {
        partan_data *some = rows_of(*state, problems[k], MANY), *data = with_copies(*state, some, MANY, MANY / 2, 50);
        partan_settings s = settings_of(problems[k], PARTAN_SOLVER_AUTO);
        for (int weighted = 0; weighted < 2; weighted++) {
            s.scale = weighted ? PARTAN_SCALE_STANDARD : PARTAN_SCALE_NONE;
            s.outliers = problems[k] == PARTAN_OUTLIER && weighted ? 0.1 : 0;
            for (int merge = 0; merge < 2; merge++) {
                s.merge = merge;
                assert_same_bits(*state, data, &s, sizes[2 + merge], cuts[2 + merge]);
            }
            weigh(*state, data);
            for (size_t i = 0; i < 20; i++)
                data->weights[i * 37 % 11] = 0; /* all of the first of three processes */
        }
        partan_data_free(data);
        partan_data_free(some);
    }
}

/* So many rows that a sample of them is solved first. */
static void samples_of_rows_have_the_bits_of_one_process(void **state)
{
    static const size_t many[] = {0, 20000, 20001, SAMPLED};
    for (size_t k = 0; k < 2; k++) {
        partan_data *data = rows_of(*state, problems[k], SAMPLED);
        partan_settings s = settings_of(problems[k], PARTAN_SOLVER_AUTO);
        s.cost = problems[k] == PARTAN_REGRESSION ? 0.1 : 1e-3;
        s.epsilon = 3;
        s.tol = 0.3;
        s.max_iter = 2000;
        assert_same_bits(*state, data, &s, 3, many);
        partan_data_free(data);
    }
}

/* All labels within epsilon of their mean: there is nothing to solve. */
static void a_constant_is_that_of_one_process(void **state)
{
    partan_data *data = rows_of(*state, PARTAN_REGRESSION, ROWS);
    partan_settings s = settings_of(PARTAN_REGRESSION, PARTAN_SOLVER_AUTO);
    s.epsilon = 1000;
    assert_same_bits(*state, data, &s, 3, shares[2]);
    partan_data_free(data);
}

static void a_failure_is_that_of_all(void **state)
{
    char message[256];
    partan_data *data = rows_of(*state, PARTAN_REGRESSION, ROWS);
    partan_settings s = settings_of(PARTAN_REGRESSION, PARTAN_SOLVER_AUTO);
    data->labels[150] = (double)NAN; /* known to the last process alone */
    assert_null(train_in(data, &s, 3, shares[2], PARTAN_ERROR_DATA, message));
    assert_non_null(strstr(message, "row 151 has no label, expected a number"));
    data->labels[150] = 1e200;
    assert_null(train_in(data, &s, 3, shares[2], PARTAN_ERROR_DATA, message));
    assert_non_null(strstr(message, "the squares of the labels add up to no finite number"));
    partan_data_free(data);
}

static void a_time_limit_ends_all_at_the_same_step(void **state)
{
    static const size_t many[] = {0, 20000, 20001, SAMPLED};
    for (size_t k = 0; k < 2; k++) {
        partan_data *data = rows_of(*state, problems[k], SAMPLED);
        partan_settings s = settings_of(problems[k], PARTAN_SOLVER_AUTO);
        s.cost = problems[k] == PARTAN_REGRESSION ? 100 : 1e-3;
        s.tol = 1e-12;
        s.time_limit = 0.02;
        partan_model *model = train_in(data, &s, 3, many, PARTAN_TIME_LIMIT, NULL);
        check_verified(*state, model, data);
        drop(model);
        partan_data_free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(every_solver_has_the_bits_of_one_process),
        CONTEXT_TEST(every_storage_has_the_bits_of_one_process),
        CONTEXT_TEST(the_default_solver_has_the_bits_of_one_process),
        CONTEXT_TEST(almost_constant_kernels_have_the_bits_of_one_process),
        CONTEXT_TEST(weights_scaling_and_equal_rows_have_the_bits_of_one_process),
        CONTEXT_TEST(samples_of_rows_have_the_bits_of_one_process),
        CONTEXT_TEST(a_constant_is_that_of_one_process),
        CONTEXT_TEST(a_failure_is_that_of_all),
        CONTEXT_TEST(a_time_limit_ends_all_at_the_same_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
