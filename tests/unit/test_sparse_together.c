/* Few support vectors that processes choose together, each with a part of the rows: the models of one process with all
 * of them, to the last bit, and the same verdict on them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "same_model.h"
#include "svm/sparse/sparse.h"

enum { FEW = 24, CLASSES = 4 };

static const char *const kinds[] = {"ringnorm", "friedman", "ringnorm"}; /* by problem */

static partan_settings settings_of(partan_problem problem, partan_solver solver)
{
    partan_settings s = defaults(solver);
    s.problem = problem;
    s.cost = problem == PARTAN_OUTLIER ? 0.05 : 5;
    s.epsilon = 0.5;
    s.tol = 0.05;
    s.max_sv = FEW;
    return s;
}

static void every_problem_has_the_model_of_one_process(void **state)
{
    for (int problem = 0; problem < 3; problem++) {
        partan_data *data = generate(*state, kinds[problem], ROWS);
        for (int solver = 0; solver < 2; solver++) {
            partan_settings s = settings_of((partan_problem)problem, solver ? PARTAN_SOLVER_SWAP : PARTAN_SOLVER_AUTO);
            assert_same(*state, data, &s, NULL);
        }
        partan_data_free(data);
    }
}

static void kernels_and_scaling(void **state)
{
    static const partan_kernel others[] = {PARTAN_KERNEL_LINEAR, PARTAN_KERNEL_POLYNOMIAL, PARTAN_KERNEL_LAPLACIAN};
    for (int problem = 0; problem < 3; problem++) {
        partan_data *data = generate(*state, kinds[problem], ROWS);
        for (int kernel = 0; kernel < 3; kernel++) {
            partan_settings s = settings_of((partan_problem)problem, PARTAN_SOLVER_AUTO);
            s.kernel = others[kernel];
            s.degree = 2;
            s.gamma = 0.02;
            s.max_iter = 3000;
            s.scale = kernel == 0 ? PARTAN_SCALE_STANDARD : PARTAN_SCALE_NONE;
            assert_same(*state, data, &s, NULL);
        }
        partan_data_free(data);
    }
}

/* Values so close to 1 that solvers compute k - 1. */
static void kernels_that_are_almost_constant(void **state)
{
    for (int problem = 0; problem < 3; problem++) {
        partan_data *data = generate(*state, kinds[problem], ROWS);
        partan_settings s = settings_of((partan_problem)problem, PARTAN_SOLVER_AUTO);
        s.gamma = 1e-5;
        s.max_iter = 3000;
        assert_same(*state, data, &s, NULL);
        partan_data_free(data);
    }
}

static void storages(void **state)
{
    for (int storage = 0; storage < 3; storage++) {
        partan_data *data = generate(*state, storage == 2 ? "onehot" : "ringnorm", ROWS);
        pt_matrix sparse = {0};
        if (storage == 1) {
            assert_int_equal(pt_matrix_convert(&data->matrix, PARTAN_STORAGE_SPARSE, 0, &sparse), PARTAN_OK);
            pt_matrix_free(&data->matrix);
            data->matrix = sparse;
        }
        partan_settings s = settings_of(PARTAN_CLASSIFICATION, PARTAN_SOLVER_AUTO);
        assert_same(*state, data, &s, NULL);
        partan_data_free(data);
    }
}

/* Some of weight 0: all of some processes. */
static void weights_of_rows_and_classes_count(void **state)
{
    double weights[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        weights[i] = i < 17 || i % 5 == 0 ? 0 : 1 + 0.1 * (double)(i % 7);
    for (int problem = 0; problem < 3; problem++) {
        partan_data *data = generate(*state, kinds[problem], ROWS);
        partan_settings s = settings_of((partan_problem)problem, PARTAN_SOLVER_AUTO);
        assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
        s.scale = PARTAN_SCALE_MINMAX;
        s.gamma = 1;
        s.balanced = problem == PARTAN_CLASSIFICATION;
        s.outliers = problem == PARTAN_OUTLIER ? 0.1 : 0;
        assert_same(*state, data, &s, NULL);
        partan_data_free(data);
    }
}

/* The rows of the greatest losses, and a training on these. */
static void most_of_the_solution_stays(void **state)
{
    partan_data *data = generate(*state, "twonorm", ROWS);
    for (int solver = 0; solver < 2; solver++) {
        partan_settings s = settings_of(PARTAN_CLASSIFICATION, solver ? PARTAN_SOLVER_SWAP : PARTAN_SOLVER_AUTO);
        partan_model *whole = NULL;
        s.tol = 1e-3;
        s.max_sv = 0;
        assert_int_equal(partan_train(*state, data, &s, NULL, &whole), PARTAN_OK);
        s.max_sv = (int64_t)whole->count - 5;
        assert_same(*state, data, &s, NULL);
        s.max_sv = (int64_t)whole->count; /* which stays as it is */
        assert_same(*state, data, &s, NULL);
        partan_model_free(whole);
    }
    partan_data_free(data);
}

static partan_data *many_classes(partan_context *context)
{
    partan_data *data = generate(context, "ringnorm", ROWS);
    for (size_t i = 0; i < ROWS; i++)
        data->labels[i] = data->labels[i] > 0 && i % 11 != 0 ? (double)(i % CLASSES) : CLASSES - 1;
    return data;
}

static void more_than_two_classes(void **state)
{
    partan_data *data = many_classes(*state);
    double weights[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        weights[i] = i < 17 || i % 5 == 0 ? 0 : 1 + 0.1 * (double)(i % 7);
    for (int way = 0; way < 2; way++) {
        partan_settings s = settings_of(PARTAN_CLASSIFICATION, PARTAN_SOLVER_AUTO);
        s.multiclass = way ? PARTAN_ONE_VS_REST : PARTAN_ONE_VS_ONE;
        assert_same(*state, data, &s, NULL);
        s.max_sv = 3 * FEW;
        s.scale = PARTAN_SCALE_STANDARD;
        s.balanced = 1;
        assert_same(*state, data, &s, NULL);
        assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
    }
    partan_data_free(data);
}

static void probabilities(void **state)
{
    partan_data *data = generate(*state, "ringnorm", ROWS);
    partan_settings s = settings_of(PARTAN_CLASSIFICATION, PARTAN_SOLVER_AUTO);
    s.probability = 1;
    s.probability_folds = 3;
    assert_same(*state, data, &s, NULL);
    partan_data_free(data);
}

/* ---- What does not hold ---- */

static void weights_that_are_others_are_found(void **state)
{
    for (int problem = 0; problem < 4; problem++) {
        partan_data *data = problem == 3 ? many_classes(*state) : generate(*state, kinds[problem], ROWS);
        partan_settings s = settings_of((partan_problem)(problem % 3), PARTAN_SOLVER_AUTO);
        run(data, &s, NULL, 3, shares[0]);
        for (int i = 0; i < 3; i++) {
            partan_model *model = processes[i].model;
            assert_true(processes[i].found.matches);
            (model->machine_count > 0 ? model->machines[1] : model)->weights[0] *= 1.5;
        }
        verify_again(3);
        for (int i = 0; i < 3; i++) {
            assert_false(processes[i].found.matches);
            assert_string_equal(processes[i].found.reason, processes[0].found.reason);
        }
        end(3);
        partan_data_free(data);
    }
}

/* ---- The sample ---- */

/* The beginning of a shuffle. */
static void draw_plainly(uint64_t seed, size_t all, int64_t *numbers)
{
    pt_random random;
    pt_random_seed(&random, seed);
    for (size_t i = 0; i < all; i++)
        numbers[i] = (int64_t)i;
    for (size_t i = 0; i < all; i++) {
        size_t other = i + (size_t)pt_random_below(&random, all - i);
        int64_t number = numbers[other];
        numbers[other] = numbers[i];
        numbers[i] = number;
    }
}

static void a_sample_is_the_beginning_of_a_shuffle(void **state)
{
    static const size_t counts[] = {1, 2, 100, 200, 201, 350, ROWS - 1};
    int64_t expected[ROWS], found[ROWS];
    for (uint64_t seed = 1; seed < 20; seed++) {
        draw_plainly(seed, ROWS, expected);
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            assert_int_equal(pt_sample_draw(*state, seed, ROWS, found, counts[i]), PARTAN_OK);
            assert_memory_equal(found, expected, counts[i] * sizeof *found);
        }
        assert_int_equal(pt_sample_draw(*state, seed, ROWS, found, ROWS), PARTAN_OK);
        for (size_t i = 0; i < ROWS; i++) /* of all, no order is drawn */
            assert_int_equal(found[i], i);
    }
}

/* More rows than go to the first process at a time. */
static void samples_travel_in_pieces(void **state)
{
    enum { MANY = 20000, VECTORS = 120 };
    static const size_t cuts[] = {0, 1, 7000, MANY};
    partan_data *data = generate(*state, "ringnorm", MANY);
    partan_settings s = settings_of(PARTAN_CLASSIFICATION, PARTAN_SOLVER_SWAP);
    partan_model *one = NULL;
    s.tol = 0.5;
    s.max_sv = VECTORS;
    assert_int_equal(partan_train(*state, data, &s, NULL, &one), PARTAN_OK);
    char *expected = text_of(*state, one);
    run(data, &s, NULL, 3, cuts);
    assert_same_as(one, expected, 3);
    end(3);
    free(expected);
    partan_model_free(one);
    partan_data_free(data);
}

/* ---- Interruptions ---- */

/* A process that is interrupted while the others are not: all end with the same model, whose certificate holds. */
static void a_request_to_one_process_ends_all(void **state)
{
    for (int problem = 0; problem < 4; problem++)
        for (long k = 1, more = true; more; k += k < 10 ? 3 : k / 2) {
            partan_data *data = problem == 3 ? many_classes(*state) : generate(*state, kinds[problem], ROWS);
            partan_settings s = settings_of((partan_problem)(problem % 3), PARTAN_SOLVER_AUTO);
            interrupting_at = k;
            run(data, &s, NULL, 3, shares[0]);
            more = reached;
            char *first = text_of(processes[0].context, processes[0].model);
            for (int i = 0; i < 3; i++) {
                assert_int_equal(processes[i].status, processes[0].status);
                assert_true(processes[i].status == PARTAN_OK || processes[i].status == PARTAN_INTERRUPTED);
                assert_true(processes[i].found.matches);
                char *other = text_of(processes[i].context, processes[i].model);
                assert_string_equal(first, other);
                free(other);
            }
            free(first);
            check_verified(*state, processes[0].model, data);
            end(3);
            interrupting_at = 0;
            partan_data_free(data);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(every_problem_has_the_model_of_one_process),
        CONTEXT_TEST(kernels_and_scaling),
        CONTEXT_TEST(kernels_that_are_almost_constant),
        CONTEXT_TEST(storages),
        CONTEXT_TEST(weights_of_rows_and_classes_count),
        CONTEXT_TEST(most_of_the_solution_stays),
        CONTEXT_TEST(more_than_two_classes),
        CONTEXT_TEST(probabilities),
        CONTEXT_TEST(weights_that_are_others_are_found),
        CONTEXT_TEST(a_sample_is_the_beginning_of_a_shuffle),
        CONTEXT_TEST(samples_travel_in_pieces),
        CONTEXT_TEST(a_request_to_one_process_ends_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
