/* The linear algebra and the exponentials in double precision of every instruction set, against plain code. */
#include <math.h>
#include <string.h>

#include "core/random.h"
#include "kernel/instructions.h"
#include "testing.h"

enum { RANK = 83, STRIDE = 96, ROWS = 300 };

static bool close_to(double a, double b, double scale)
{
    return fabs(a - b) <= 1e-12 * scale;
}

static void systems_are_solved(void **state)
{
    (void)state;
    static double factor[RANK * STRIDE], values[RANK * PT_EXACT_ROWS], right[RANK * PT_EXACT_ROWS];
    pt_random random;
    pt_random_seed(&random, 3);
    for (size_t k = 0; k < RANK; k++)
        for (size_t l = 0; l <= k; l++)
            factor[k * STRIDE + l] = l == k ? 2 + pt_random_uniform(&random) : 0.1 * pt_random_normal(&random);
    for (size_t i = 0; i < RANK * PT_EXACT_ROWS; i++)
        right[i] = pt_random_normal(&random);
    for (int isa = 0; isa < PT_ISA_COUNT; isa++)
        for (size_t rank = 0; rank <= RANK && pt_isa_available((pt_isa)isa); rank += rank < 9 ? 1 : 37) {
            memcpy(values, right, sizeof values);
            pt_algebra_ops_for((pt_isa)isa)->substitute(factor, STRIDE, rank, values);
            for (size_t k = 0; k < rank; k++)
                for (size_t i = 0; i < PT_EXACT_ROWS; i++) {
                    double sum = 0;
                    for (size_t l = 0; l <= k; l++)
                        sum += factor[k * STRIDE + l] * values[l * PT_EXACT_ROWS + i];
                    assert_true(close_to(sum, right[k * PT_EXACT_ROWS + i], 10));
                }
            for (size_t i = rank * PT_EXACT_ROWS; i < RANK * PT_EXACT_ROWS; i++)
                assert_true(values[i] == right[i]);
        }
}

static void products_are_added(void **state)
{
    (void)state;
    static double rows[ROWS * STRIDE], weights[ROWS], out[STRIDE * STRIDE];
    static int64_t which[ROWS];
    pt_random random;
    pt_random_seed(&random, 4);
    for (size_t i = 0; i < ROWS * STRIDE; i++)
        rows[i] = pt_random_normal(&random);
    for (size_t i = 0; i < ROWS; i++) {
        which[i] = (int64_t)pt_random_below(&random, ROWS);
        weights[i] = pt_random_normal(&random);
    }
    for (int isa = 0; isa < PT_ISA_COUNT; isa++)
        for (size_t count = 0; count <= ROWS && pt_isa_available((pt_isa)isa); count += 75) {
            pt_gram gram = {rows, STRIDE, which, weights, count};
            for (size_t i = 0; i < STRIDE * STRIDE; i++)
                out[i] = 1;
            pt_algebra_ops_for((pt_isa)isa)->gram(&gram, 0, 16, out);
            pt_algebra_ops_for((pt_isa)isa)->gram(&gram, 16, STRIDE, out);
            for (size_t k = 0; k < STRIDE; k++)
                for (size_t l = 0; l <= k; l++) {
                    double sum = 1;
                    for (size_t i = 0; i < count; i++)
                        sum += weights[i] * rows[(size_t)which[i] * STRIDE + k] * rows[(size_t)which[i] * STRIDE + l];
                    assert_true(close_to(out[k * STRIDE + l], sum, 1000));
                }
        }
}

/* Any number of lines; lines beyond them stay as they are. */
static void matrices_are_multiplied(void **state)
{
    (void)state;
    enum { LINES = 11 };
    static double left[LINES * STRIDE], right[RANK * STRIDE], out[LINES * STRIDE];
    pt_random random;
    pt_random_seed(&random, 9);
    for (size_t i = 0; i < LINES * STRIDE; i++)
        left[i] = pt_random_normal(&random);
    for (size_t i = 0; i < RANK * STRIDE; i++)
        right[i] = pt_random_normal(&random);
    for (int isa = 0; isa < PT_ISA_COUNT; isa++)
        for (size_t lines = 0; lines <= LINES && pt_isa_available((pt_isa)isa); lines++) {
            size_t inner = lines * 7;
            for (size_t i = 0; i < LINES * STRIDE; i++)
                out[i] = 1;
            pt_algebra_ops_for((pt_isa)isa)->multiply(left, STRIDE, lines, right, inner, STRIDE, out);
            for (size_t i = 0; i < LINES; i++)
                for (size_t l = 0; l < STRIDE; l++) {
                    double sum = 1;
                    for (size_t k = 0; k < inner && i < lines; k++)
                        sum += left[i * STRIDE + k] * right[k * STRIDE + l];
                    assert_true(close_to(out[i * STRIDE + l], sum, 100));
                }
        }
}

/* Symmetric positive definite systems; and one that is not definite is refused. */
static void symmetric_systems_are_solved(void **state)
{
    (void)state;
    static double given[STRIDE * STRIDE], A[STRIDE * STRIDE], x[RANK], b[RANK];
    pt_random random;
    pt_random_seed(&random, 6);
    for (size_t k = 0; k < RANK; k++)
        for (size_t l = 0; l <= k; l++)
            given[k * STRIDE + l] = l == k ? 10 + pt_random_uniform(&random) : 0.5 * pt_random_normal(&random);
    for (size_t k = 0; k < RANK; k++)
        b[k] = pt_random_normal(&random);
    for (int isa = 0; isa < PT_ISA_COUNT; isa++)
        for (size_t n = 1; n <= RANK && pt_isa_available((pt_isa)isa); n++) {
            const pt_algebra_ops *ops = pt_algebra_ops_for((pt_isa)isa);
            memcpy(A, given, sizeof A);
            memcpy(x, b, sizeof x);
            assert_true(ops->solve(A, STRIDE, n, x));
            for (size_t k = 0; k < n; k++) {
                double sum = 0;
                for (size_t l = 0; l < n; l++)
                    sum += given[l <= k ? k * STRIDE + l : l * STRIDE + k] * x[l];
                assert_true(close_to(sum, b[k], 10));
            }
            memcpy(A, given, sizeof A);
            A[(n - 1) * STRIDE + n - 1] = -1;
            assert_false(ops->solve(A, STRIDE, n, x));
        }
}

static double plain_measure(int metric, const float *x, const double *z, size_t features, double sum)
{
    for (size_t f = 0; f < features; f++) {
        double row = (double)x[f * PT_TILE], difference = row - z[f];
        sum += metric == PT_METRIC_DOT       ? row * z[f]
               : metric == PT_METRIC_SQUARES ? difference * difference
                                             : fabs(difference);
    }
    return sum;
}

static void measures_agree(void **state)
{
    (void)state;
    enum { FEATURES = 37, TILES = 7 };
    static float x[TILES * FEATURES * PT_TILE];
    double z[PT_EXACT_POINTS * FEATURES];
    pt_random random;
    pt_random_seed(&random, 5);
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        x[i] = (float)pt_random_normal(&random);
    for (size_t f = 0; f < PT_EXACT_POINTS * FEATURES; f++)
        z[f] = pt_random_normal(&random);
    for (int isa = 0; isa < PT_ISA_COUNT; isa++)
        for (size_t features = 0; features <= FEATURES && pt_isa_available((pt_isa)isa); features++)
            for (int metric = PT_METRIC_DOT; metric <= PT_METRIC_ABSOLUTE; metric++) {
                static double u[PT_EXACT_POINTS * PT_EXACT_ROWS];
                size_t tiles = features % (TILES + 1);
                pt_exact_points met = {z, features % (PT_EXACT_POINTS + 1), features};
                for (size_t i = 0; i < PT_EXACT_POINTS * PT_EXACT_ROWS; i++)
                    u[i] = (double)i;
                pt_exact_ops_for((pt_isa)isa)->measure((pt_metric)metric, x, &met, tiles, u);
                for (size_t i = 0; i < PT_EXACT_POINTS * PT_EXACT_ROWS; i++) {
                    size_t point = i / PT_EXACT_ROWS, row = i % PT_EXACT_ROWS;
                    bool is_met = row / PT_TILE < tiles && point < met.count;
                    const float *values = x + row / PT_TILE * features * PT_TILE + row % PT_TILE;
                    double sum = plain_measure(metric, values, z + point * features, is_met ? features : 0, (double)i);
                    assert_true(close_to(u[i], sum, 100));
                }
            }
}

static void weighted_values_are_added(void **state)
{
    (void)state;
    static double values[PT_EXACT_POINTS * PT_EXACT_ROWS];
    const double weights[PT_EXACT_POINTS] = {0.5, -3, 7, 0.25};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        values[i] = (double)(i * i % 1001);
    for (int isa = 0; isa < PT_ISA_COUNT; isa++)
        for (size_t points = 0; points <= PT_EXACT_POINTS && pt_isa_available((pt_isa)isa); points++)
            for (size_t count = 0; count <= PT_EXACT_ROWS; count += PT_TILE) {
                double sums[PT_EXACT_ROWS];
                for (size_t i = 0; i < PT_EXACT_ROWS; i++)
                    sums[i] = (double)i;
                pt_exact_ops_for((pt_isa)isa)->add(values, points, weights, count, sums);
                for (size_t i = 0; i < PT_EXACT_ROWS; i++) {
                    double expected = (double)i;
                    for (size_t k = 0; k < points && i < count; k++)
                        expected += weights[k] * values[k * PT_EXACT_ROWS + i];
                    assert_true(sums[i] == expected); /* small numbers of few bits: no rounding */
                }
            }
}

static void bits_are_counted(void **state)
{
    (void)state;
    enum { WORDS = 70 };
    uint32_t x[WORDS * PT_TILE], z[WORDS];
    pt_random random;
    pt_random_seed(&random, 8);
    for (size_t i = 0; i < WORDS * PT_TILE; i++)
        x[i] = i % 5 ? (uint32_t)pt_random_below(&random, 1ull << 32) : UINT32_MAX;
    for (size_t w = 0; w < WORDS; w++)
        z[w] = w % 7 ? (uint32_t)pt_random_below(&random, 1ull << 32) : UINT32_MAX;
    for (int isa = 0; isa < PT_ISA_COUNT; isa++)
        for (size_t words = 0; words <= WORDS && pt_isa_available((pt_isa)isa); words++)
            for (int differing = 0; differing < 2; differing++) {
                uint32_t counts[PT_TILE];
                for (uint32_t lane = 0; lane < PT_TILE; lane++)
                    counts[lane] = lane;
                pt_exact_ops_for((pt_isa)isa)->count(differing, x, z, words, counts);
                for (uint32_t lane = 0; lane < PT_TILE; lane++) {
                    uint32_t expected = lane;
                    for (size_t bit = 0; bit < 32 * words; bit++) {
                        uint32_t a = x[bit / 32 * PT_TILE + lane] >> bit % 32 & 1, b = z[bit / 32] >> bit % 32 & 1;
                        expected += differing ? a != b : a && b;
                    }
                    assert_int_equal(counts[lane], expected);
                }
            }
}

/* To a few units in the last place over the whole range. */
static void exponentials_are_those_of_the_library(void **state)
{
    (void)state;
    enum { COUNT = 4096 };
    static double values[COUNT], less_one[COUNT], arguments[COUNT];
    pt_random random;
    pt_random_seed(&random, 6);
    for (size_t i = 0; i < COUNT; i++)
        arguments[i] = i == 0 ? 0 : i < 100 ? pow(2, -(double)i) : pow(10, -6 + 8.8 * pt_random_uniform(&random));
    arguments[1] = 1e300;
    arguments[2] = INFINITY;
    for (int isa = 0; isa < PT_ISA_COUNT; isa++)
        for (double rate = 0.5; rate <= 2 && pt_isa_available((pt_isa)isa); rate *= 2) {
            memcpy(values, arguments, sizeof values);
            memcpy(less_one, arguments, sizeof values);
            pt_exact_ops_for((pt_isa)isa)->exponentials(false, values, COUNT, rate);
            pt_exact_ops_for((pt_isa)isa)->exponentials(true, less_one, COUNT, rate);
            for (size_t i = 0; i < COUNT; i++) {
                double expected = exp(-rate * arguments[i]);
                double error = fabs(values[i] - expected);
                if (!(error <= 1e-15 * expected || (rate * arguments[i] > 708 && values[i] < 1e-307)))
                    fail_msg("isa %d: exp(-%.17g) is %.17g, not %.17g", isa, rate * arguments[i], values[i], expected);
                expected = expm1(-rate * arguments[i]);
                if (!(fabs(less_one[i] - expected) <= -1e-15 * expected))
                    fail_msg("isa %d: exp(-%.17g) - 1 is %.17g, not %.17g", isa, rate * arguments[i], less_one[i],
                             expected);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(systems_are_solved),      SERIAL_TEST(products_are_added),
        SERIAL_TEST(matrices_are_multiplied), SERIAL_TEST(symmetric_systems_are_solved),
        SERIAL_TEST(measures_agree),          SERIAL_TEST(weighted_values_are_added),
        SERIAL_TEST(bits_are_counted),        SERIAL_TEST(exponentials_are_those_of_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
