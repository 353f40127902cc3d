/* Rows that live in several processes: training together gives the bits of training alone, whatever the storage, solver
 * and shares. Threads stand for the processes (hall.h). */
#include "sharing.h"

enum { ROWS = 203, MANY = 3000, SAMPLED = MOST_ROWS };

/* ---- Tests ---- */

static const size_t shares[][MOST + 1] = {{0, 203}, {0, 100, 203}, {0, 1, 17, 203}, {0, 0, 90, 90, 203, 203}};
static const int sizes[] = {1, 2, 3, 5};

static void every_variant_has_the_bits_of_one_process(void **state)
{
    partan_data *data = generate(*state, "ringnorm", ROWS);
    FOR_EVERY_SOLVER(solver)
        for (int sampled = 0; sampled < 2; sampled++)
            for (size_t i = 0; i < SOME_OF(4); i++) {
                partan_settings s = defaults((partan_solver)solver);
                s.gamma_rule = PARTAN_GAMMA_AUTO;
                s.sample = sampled ? 40 : 0;
                s.tol = sampled ? 0.1 : 0.02;
                s.merge = 0;
                if (s.solver != PARTAN_SOLVER_AUTO || !sampled)
                    assert_same_bits(*state, data, &s, sizes[i], shares[i]);
            }
    partan_data_free(data);
}

static void every_storage_has_the_bits_of_one_process(void **state)
{
    for (size_t i = 0; i < STORAGES; i++)
        for (int sampled = 0; sampled < 2; sampled++) {
            partan_data *data = rows_in(*state, every_storage(i), ROWS);
            partan_settings s = defaults(PARTAN_SOLVER_PARTAN);
            s.gamma_rule = PARTAN_GAMMA_SCALE;
            s.sample = sampled ? 40 : 0;
            s.tol = 0.1;
            assert_same_bits(*state, data, &s, 3, shares[2]);
            s.solver = PARTAN_SOLVER_AUTO;
            s.merge = 0;
            if (!sampled)
                assert_same_bits(*state, data, &s, 3, shares[2]);
            partan_data_free(data);
        }
}

static void kernels_and_weights_have_the_bits_of_one_process(void **state)
{
    static const partan_kernel kernels[] = {PARTAN_KERNEL_LINEAR, PARTAN_KERNEL_POLYNOMIAL, PARTAN_KERNEL_LAPLACIAN};
    partan_data *data = generate(*state, "ringnorm", ROWS);
    partan_settings s = defaults(PARTAN_SOLVER_SWAP);
    s.max_iter = 500;
    for (size_t i = 0; i < 3; i++) {
        s.kernel = kernels[i];
        assert_same_bits(*state, data, &s, 5, shares[3]);
    }
    s = defaults(PARTAN_SOLVER_SWAP);
    s.gamma = 1e-6; /* values close to 1 */
    s.tol = 0.3;
    assert_same_bits(*state, data, &s, 3, shares[2]);
    s.gamma = 0.1;
    s.tol = 1e-8; /* beyond float32 */
    s.init = PARTAN_INIT_RANDOM;
    assert_same_bits(*state, data, &s, 3, shares[2]);
    double weights[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        weights[i] = 1 + 0.1 * (double)(i % 7);
    assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
    s.balanced = 1;
    s.tol = 0.05;
    assert_same_bits(*state, data, &s, 5, shares[3]);
    partan_data_free(data);
}

/* The active-set solver, where rows outside the working set are priced, join it and leave it. */
static void the_default_solver_has_the_bits_of_one_process(void **state)
{
    static const size_t cuts[][MOST + 1] = {
        {0, MANY}, {0, MANY / 3, MANY}, {0, 10, MANY / 2, MANY}, {0, 0, 700, 700, 2900, MANY}};
    static const partan_kernel kernels[] = {PARTAN_KERNEL_RBF, PARTAN_KERNEL_LINEAR, PARTAN_KERNEL_LAPLACIAN};
    partan_data *data = generate(*state, "ringnorm", MANY);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.merge = 0;
    s.gamma_rule = PARTAN_GAMMA_AUTO;
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < SOME_OF(4); i++) {
            s.kernel = kernels[k];
            s.tol = k == 1 ? 0.01 : 1e-4;
            assert_same_bits(*state, data, &s, sizes[i], cuts[i]);
        }
    s.kernel = PARTAN_KERNEL_RBF;
    s.cost = 1e4; /* pair steps are too many */
    s.tol = 1e-7; /* beyond float32 */
    assert_same_bits(*state, data, &s, 3, cuts[2]);
    partan_data_free(data);
    data = generate(*state, "onehot", MANY);
    s = defaults(PARTAN_SOLVER_AUTO);
    s.merge = 0;
    assert_same_bits(*state, data, &s, 3, cuts[2]);
    partan_data_free(data);
}

/* So many rows that a sample of them is solved first. */
static void samples_of_rows_have_the_bits_of_one_process(void **state)
{
    static const size_t cuts[] = {0, 20000, 20001, SAMPLED};
    partan_data *data = generate(*state, "ringnorm", SAMPLED);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.merge = 0;
    s.gamma_rule = PARTAN_GAMMA_AUTO;
    assert_same_bits(*state, data, &s, 3, cuts);
    partan_data_free(data);
}

static const size_t merged_cuts[][MOST + 1] = {
    {0, MANY}, {0, MANY / 3, MANY}, {0, 10, MANY / 2, MANY}, {0, 0, 700, 700, 2900, MANY}};

/* Rows equal within and across processes, weighted or not: one vertex each, as in one process. */
static void equal_rows_are_merged_as_in_one_process(void **state)
{
    for (size_t k = 0; k < STORAGES; k++) {
        partan_data *some = rows_in(*state, every_storage(k), MANY);
        partan_data *data = with_copies(*state, some, MANY, MANY / 2, 50);
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        s.gamma = 0.01; /* by which not nearly all rows get weight */
        s.tol = 1e-3;
        for (int weighted = 0; weighted < 2; weighted++) {
            s.balanced = weighted;
            for (size_t i = 0; i < SOME_OF(4); i++)
                assert_same_bits(*state, data, &s, sizes[i], merged_cuts[i]);
            weigh(*state, data);
        }
        partan_data_free(data);
        partan_data_free(some);
    }
}

/* In all sets merging is what makes the difference: without it, support and steps are others. */
static void merging_takes_place_in_several_processes(void **state)
{
    partan_data *some = generate(*state, "ringnorm", ROWS), *data = with_copies(*state, some, MANY, ROWS, 17);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_model *merged = train_in(data, &s, 3, merged_cuts[2], PARTAN_OK, NULL);
    s.merge = 0;
    partan_model *apart = train_in(data, &s, 3, merged_cuts[2], PARTAN_OK, NULL);
    assert_true(3 * merged->result.iterations < apart->result.iterations);
    assert_same_bits(*state, data, &s, 3, merged_cuts[2]);
    drop(merged);
    drop(apart);
    partan_data_free(data);
    partan_data_free(some);
}

/* The form of the kernel is that for the merged rows, also where nearly all rows are copies of one. */
static void the_form_of_the_kernel_is_that_of_merged_rows(void **state)
{
    static int64_t chosen[MANY] = {0};
    partan_data *some = generate(*state, "ringnorm", MANY), *data = NULL;
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    for (int64_t i = 0; i < MANY; i++)
        chosen[i] = i < MANY * 15 / 16 + 1 ? 0 : i;
    assert_int_equal(pt_data_gather(some, chosen, MANY, &data), PARTAN_OK);
    assert_same_bits(*state, data, &s, 3, merged_cuts[2]);
    partan_data_free(data);
    partan_data_free(some);
}

/* Settings by which all looks at merged rows differ: kernels whose values are close to 1, low rank, other starts, and
 * a tenth of the rows saved or not. */
static void merged_rows_have_the_bits_of_one_process(void **state)
{
    partan_data *some = generate(*state, "ringnorm", MANY), *data = with_copies(*state, some, MANY, 2000, 500);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.gamma_rule = PARTAN_GAMMA_SCALE;
    s.init = PARTAN_INIT_RANDOM;
    s.tol = 1e-5;
    assert_same_bits(*state, data, &s, 3, merged_cuts[2]);
    s.gamma_rule = PARTAN_GAMMA_VALUE;
    s.gamma = 1e-6;
    s.tol = 0.3;
    assert_same_bits(*state, data, &s, 5, merged_cuts[3]);
    s.kernel = PARTAN_KERNEL_LINEAR;
    s.tol = 0.01;
    assert_same_bits(*state, data, &s, 3, merged_cuts[2]);
    partan_data_free(data);
    partan_data_free(some);
    some = generate(*state, "ringnorm", 20000);
    s = defaults(PARTAN_SOLVER_AUTO);
    for (size_t distinct = 12000; distinct <= 20000; distinct += 8000) { /* 0.89 and 0.93 of the rows are left */
        data = with_copies(*state, some, MANY, distinct, MANY);
        assert_same_bits(*state, data, &s, 3, merged_cuts[2]);
        partan_data_free(data);
    }
    partan_data_free(some);
}

/* So many rows that judges are asked in rounds. */
static void many_rows_are_merged_in_rounds(void **state)
{
    static const size_t cuts[] = {0, 9000, 9001, SAMPLED};
    partan_data *some = generate(*state, "ringnorm", SAMPLED), *data = with_copies(*state, some, SAMPLED, 40000, 9000);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.gamma_rule = PARTAN_GAMMA_AUTO;
    assert_same_bits(*state, data, &s, 3, cuts);
    partan_data_free(data);
    partan_data_free(some);
}

static void rows_of_weight_0_and_scaling_have_the_bits_of_one_process(void **state)
{
    partan_data *data = generate(*state, "ringnorm", ROWS);
    double weights[ROWS];
    for (size_t i = 0; i < ROWS; i++) /* the first of three processes has none with weight */
        weights[i] = i < 17 || i % 3 == 0 ? 0 : 1 + 0.1 * (double)(i % 7);
    for (int weighted = 0; weighted < 2; weighted++)
        for (int scale = PARTAN_SCALE_NONE; scale <= PARTAN_SCALE_STANDARD; scale++) {
            partan_settings s = defaults(weighted ? PARTAN_SOLVER_AUTO : PARTAN_SOLVER_SWAP);
            s.tol = 0.05;
            s.gamma_rule = PARTAN_GAMMA_SCALE;
            s.scale = (partan_scale)scale;
            assert_int_equal(partan_data_set_weights(*state, data, weighted ? weights : NULL), PARTAN_OK);
            assert_same_bits(*state, data, &s, 3, shares[2]);
            assert_same_bits(*state, data, &s, 5, shares[3]);
        }
    partan_data_free(data);
}

static void a_failure_is_that_of_all(void **state)
{
    char message[256];
    partan_data *data = generate(*state, "ringnorm", ROWS);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.kernel = PARTAN_KERNEL_PRECOMPUTED;
    assert_null(train_in(data, &s, 3, shares[2], PARTAN_ERROR_ARGUMENT, message));
    assert_non_null(strstr(message, "several processes cannot share a precomputed kernel"));
    s = defaults(PARTAN_SOLVER_SWAP);
    data->labels[150] = (double)NAN; /* known to the last process alone */
    assert_null(train_in(data, &s, 3, shares[2], PARTAN_ERROR_DATA, message));
    assert_non_null(strstr(message, "has no label"));
    partan_data_free(data);
}

static void a_time_limit_ends_all_at_the_same_step(void **state)
{
    partan_data *data = generate(*state, "ringnorm", ROWS);
    partan_settings s = defaults(PARTAN_SOLVER_FW);
    s.tol = 1e-12;
    s.time_limit = 0.05;
    partan_model *model = train_in(data, &s, 3, shares[2], PARTAN_TIME_LIMIT, NULL);
    check_verified(*state, model, data);
    drop(model);
    partan_data_free(data);
    static const size_t cuts[] = {0, 20000, 20001, SAMPLED};
    data = generate(*state, "ringnorm", SAMPLED);
    s = defaults(PARTAN_SOLVER_AUTO);
    s.time_limit = 0.02; /* while a sample is solved */
    model = train_in(data, &s, 3, cuts, PARTAN_TIME_LIMIT, NULL);
    check_verified(*state, model, data);
    drop(model);
    partan_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(every_variant_has_the_bits_of_one_process),
        CONTEXT_TEST(every_storage_has_the_bits_of_one_process),
        CONTEXT_TEST(kernels_and_weights_have_the_bits_of_one_process),
        CONTEXT_TEST(the_default_solver_has_the_bits_of_one_process),
        CONTEXT_TEST(samples_of_rows_have_the_bits_of_one_process),
        CONTEXT_TEST(equal_rows_are_merged_as_in_one_process),
        CONTEXT_TEST(merging_takes_place_in_several_processes),
        CONTEXT_TEST(the_form_of_the_kernel_is_that_of_merged_rows),
        CONTEXT_TEST(merged_rows_have_the_bits_of_one_process),
        CONTEXT_TEST(many_rows_are_merged_in_rounds),
        CONTEXT_TEST(rows_of_weight_0_and_scaling_have_the_bits_of_one_process),
        CONTEXT_TEST(a_failure_is_that_of_all),
        CONTEXT_TEST(a_time_limit_ends_all_at_the_same_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
