/* Sums of weights: exact where weights are of similar size, whatever their order, and never 0. */
#include "core/weight_sum.h"

#include "core/random.h"
#include "testing.h"

enum { COUNT = 1000 };

static void weights_at_random(double *weights, double smallest, uint64_t seed)
{
    pt_random random;
    pt_random_seed(&random, seed);
    for (size_t i = 0; i < COUNT; i++)
        weights[i] = pow(smallest, pt_random_uniform(&random));
}

/* Of weights begin, begin + step, ..., in a ring. */
static pt_weight_sum sum_of(const double *weights, size_t begin, size_t step, size_t count, int scale)
{
    pt_weight_sum sum = {0};
    for (size_t i = 0; i < count; i++)
        pt_weight_sum_add(&sum, weights[(begin + i * step) % COUNT], scale);
    return sum;
}

static void sums_do_not_depend_on_the_order(void **state)
{
    double weights[COUNT];
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        weights_at_random(weights, seed % 2 ? 0.1 : 1e-30, seed);
        int scale = pt_weight_scale(1);
        pt_weight_sum up = sum_of(weights, 0, 1, COUNT, scale),
                      down = sum_of(weights, COUNT - 1, COUNT - 1, COUNT, scale);
        pt_weight_sum parts = sum_of(weights, 0, 7, COUNT / 2, scale),
                      rest = sum_of(weights, COUNT / 2 * 7, 7, COUNT / 2, scale);
        pt_weight_sum_join(&parts, &rest);
        assert_memory_equal(&up, &down, sizeof up);
        assert_memory_equal(&up, &parts, sizeof up);
        long double exact = 0;
        for (size_t i = 0; i < COUNT; i++)
            exact += (long double)weights[i];
        assert_true(fabsl((long double)pt_weight_sum_value(&up, scale) / exact - 1) <= 3e-16L);
    }
}

static void single_weights_and_whole_numbers_are_kept(void **state)
{
    double weights[COUNT];
    (void)state;
    weights_at_random(weights, 1e-10, 1);
    for (size_t i = 0; i < COUNT; i++) {
        int scale = pt_weight_scale(1);
        pt_weight_sum one = {0};
        pt_weight_sum_add(&one, weights[i], scale);
        assert_true(pt_weight_sum_value(&one, scale) == weights[i]);
        one = (pt_weight_sum){0};
        scale = pt_weight_scale(3);
        for (size_t k = 0; k <= i; k++)
            pt_weight_sum_add(&one, 3, scale);
        assert_true(pt_weight_sum_value(&one, scale) == 3 * (double)(i + 1));
    }
}

static void extreme_weights_have_a_sum(void **state)
{
    static const double largest[] = {1e-300, 5e-324, 1, 1e300};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        int scale = pt_weight_scale(largest[i]);
        pt_weight_sum sum = {0};
        pt_weight_sum_add(&sum, largest[i] * 1e-200, scale);
        assert_true(sum.low == 1 && sum.high == 0);
        for (size_t k = 0; k < COUNT; k++)
            pt_weight_sum_add(&sum, largest[i], scale);
        assert_true(fabs(pt_weight_sum_value(&sum, scale) / (COUNT * largest[i]) - 1) <= 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_do_not_depend_on_the_order),
        cmocka_unit_test(single_weights_and_whole_numbers_are_kept),
        cmocka_unit_test(extreme_weights_have_a_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
