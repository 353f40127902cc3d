/* Processes that share a machine: the first of them takes pair steps for all, and nothing else changes. Threads stand
 * for the processes (hall.h). */
#include "sharing.h"

enum { ROWS = 3000 };

static const size_t three[] = {0, 10, ROWS / 2, ROWS}, five[] = {0, 0, 700, 700, 2900, ROWS};

/* All on one machine, on two, and some alone. */
static void neighbours_have_the_bits_of_one_process(void **state)
{
    partan_data *data = generate(*state, "ringnorm", ROWS), *bits = generate(*state, "onehot", ROWS);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.gamma_rule = PARTAN_GAMMA_AUTO;
    s.tol = 1e-4;
    for (present.on_a_machine = 2; present.on_a_machine <= 5; present.on_a_machine++) {
        assert_same_bits(*state, data, &s, 3, three);
        assert_same_bits(*state, bits, &s, 5, five);
    }
    present.on_a_machine = 2;
    s.cost = 1e4;
    assert_same_bits(*state, data, &s, 5, five);
    present.on_a_machine = 1;
    partan_data_free(data);
    partan_data_free(bits);
}

/* Newton's method for primal problems, and pair steps of problems with a linear term. */
static void other_problems_have_the_bits_of_one_process(void **state)
{
    static const size_t cuts[] = {0, 0, 100, 250, 500};
    partan_data *data = generate(*state, "friedman", 500);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.problem = PARTAN_REGRESSION;
    s.epsilon = 0.5;
    s.cost = 10;
    s.tol = 1e-3;
    present.on_a_machine = 3;
    assert_same_bits(*state, data, &s, 4, cuts);
    s.problem = PARTAN_OUTLIER;
    assert_same_bits(*state, data, &s, 4, cuts);
    present.on_a_machine = 1;
    partan_data_free(data);
}

/* The first process fits the weights with the threads of its neighbours, while they sleep. */
static void few_support_vectors_have_the_bits_of_one_process(void **state)
{
    partan_data *data = generate(*state, "ringnorm", ROWS);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.max_sv = 50;
    for (present.on_a_machine = 2; present.on_a_machine <= 5; present.on_a_machine++) {
        assert_same_bits(*state, data, &s, 3, three);
        assert_same_bits(*state, data, &s, 5, five);
    }
    present.on_a_machine = 1;
    partan_data_free(data);
}

static void a_process_that_sleeps_can_be_interrupted(void **state)
{
    partan_data *data = generate(*state, "ringnorm", ROWS);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    present.interrupted = true;
    for (present.on_a_machine = 2; present.on_a_machine <= 5; present.on_a_machine++) {
        partan_model *model = train_in(data, &s, 5, five, PARTAN_INTERRUPTED, NULL);
        check_verified(*state, model, data);
        drop(model);
    }
    present = (circumstances){1, false};
    partan_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(neighbours_have_the_bits_of_one_process),
        CONTEXT_TEST(other_problems_have_the_bits_of_one_process),
        CONTEXT_TEST(few_support_vectors_have_the_bits_of_one_process),
        CONTEXT_TEST(a_process_that_sleeps_can_be_interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
