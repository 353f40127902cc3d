/* The factor of a positive definite matrix: L L' is the matrix, systems are solved, whatever the size and the threads,
 * and a matrix that is not positive definite is found out. */
#include <math.h>

#include "core/random.h"
#include "failing.h"
#include "kernel/cholesky.h"

/* Entries of B B' + I, by rows of B that are the same for each call. */
static double entry(size_t size, size_t i, size_t j, double *b)
{
    enum { INNER = 7 };
    if (b[0] == 0) {
        pt_random random;
        pt_random_seed(&random, 5);
        for (size_t k = 0; k < size * INNER; k++)
            b[k] = pt_random_uniform(&random) - 0.5;
    }
    double sum = i == j ? 0.01 : 0;
    for (size_t k = 0; k < INNER; k++)
        sum += b[i * INNER + k] * b[j * INNER + k];
    return sum;
}

static void fill(pt_cholesky *c, size_t size, double *b)
{
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j <= i; j++)
            *pt_cholesky_entry(c, i, j) = entry(size, i, j, b);
}

static void check_solution(const pt_cholesky *factor, size_t size, double *b)
{
    double *x = calloc(size, sizeof *x), *right = calloc(size, sizeof *right);
    for (size_t i = 0; i < size; i++)
        x[i] = right[i] = (double)(i % 11) - 4;
    assert_int_equal(pt_cholesky_solve(factor, x), PARTAN_OK);
    for (size_t i = 0; i < size; i++) {
        double sum = 0;
        for (size_t j = 0; j < size; j++)
            sum += entry(size, i, j, b) * x[j];
        assert_true(fabs(sum - right[i]) < 1e-9);
    }
    free(x);
    free(right);
}

static const size_t sizes[] = {1, 2, 95, 96, 97, 200, 500};

static void the_factor_solves(void **state)
{
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        size_t size = sizes[s];
        double *b = calloc(size * 7, sizeof *b);
        pt_cholesky c;
        assert_int_equal(pt_cholesky_make(&c, *state, size), PARTAN_OK);
        fill(&c, size, b);
        assert_int_equal(pt_cholesky_factorise(&c), PARTAN_OK);
        for (size_t i = 0; i < size; i += 13)
            for (size_t j = 0; j <= i; j += 7) {
                double sum = 0;
                for (size_t k = 0; k <= j; k++)
                    sum += *pt_cholesky_entry(&c, i, k) * *pt_cholesky_entry(&c, j, k);
                assert_true(fabs(sum - entry(size, i, j, b)) < 1e-12);
            }
        check_solution(&c, size, b);
        pt_cholesky_free(&c);
        free(b);
    }
}

static void threads_change_no_bit(void **state)
{
    enum { SIZE = 700 };
    double *b = calloc(SIZE * 7, sizeof *b);
    pt_cholesky factors[2];
    partan_context *contexts[2] = {*state, NULL};
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 5;
    contexts[1] = partan_create(&options);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pt_cholesky_make(&factors[i], contexts[i], SIZE), PARTAN_OK);
        fill(&factors[i], SIZE, b);
        assert_int_equal(pt_cholesky_factorise(&factors[i]), PARTAN_OK);
    }
    for (size_t i = 0; i < SIZE; i++)
        for (size_t j = 0; j <= i; j++)
            assert_true(*pt_cholesky_entry(&factors[0], i, j) == *pt_cholesky_entry(&factors[1], i, j));
    for (int i = 0; i < 2; i++)
        pt_cholesky_free(&factors[i]);
    partan_destroy(contexts[1]);
    free(b);
}

static void what_is_not_positive_definite_is_found_out(void **state)
{
    for (size_t bad = 0; bad < 300; bad += 99) {
        double *b = calloc(300 * 7, sizeof *b);
        pt_cholesky c;
        assert_int_equal(pt_cholesky_make(&c, *state, 300), PARTAN_OK);
        fill(&c, 300, b);
        *pt_cholesky_entry(&c, bad, bad) = -1;
        assert_int_equal(pt_cholesky_factorise(&c), PARTAN_STALLED);
        pt_cholesky_free(&c);
        free(b);
    }
}

static void an_interruption_ends_it(void **state)
{
    double *b = calloc(300 * 7, sizeof *b);
    pt_cholesky c;
    assert_int_equal(pt_cholesky_make(&c, *state, 300), PARTAN_OK);
    fill(&c, 300, b);
    partan_interrupt(*state);
    assert_int_equal(pt_cholesky_factorise(&c), PARTAN_INTERRUPTED);
    pt_interrupt_clear(*state);
    pt_cholesky_free(&c);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_factor_solves),
        SERIAL_TEST(threads_change_no_bit),
        CONTEXT_TEST(what_is_not_positive_definite_is_found_out),
        CONTEXT_TEST(an_interruption_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
