/* Gaps that are stated without a pass over all rows: no true one is larger, whatever the kernel. */
#include <math.h>
#include <string.h>

#include "core/random.h"
#include "data/data.h"
#include "every.h"
#include "simplex/rows.h"
#include "testing.h"

enum { ROWS = 40, FEATURES = 4, ACTIVE = 12 };

typedef struct problem {
    partan_data *data;
    float signs[ROWS];
    double weights[ROWS];
    pt_simplex simplex;
    pt_iterate iterate;
} problem;

static double entry(const problem *p, size_t i, size_t j)
{
    const pt_dual *dual = &p->simplex.dual;
    double value = pt_kernel_value(&p->simplex.kernel, p->simplex.points, i, p->simplex.points, j);
    return (double)p->signs[i] * (double)p->signs[j] * (value + dual->bias) + (i == j ? dual->inverse_cost : 0);
}

/* Objective and gap from a dense K. */
static pt_certificate dense(const problem *p)
{
    double inner = 0, least = INFINITY;
    for (size_t i = 0; i < ROWS; i++) {
        double score = 0;
        for (size_t j = 0; j < ROWS; j++)
            score += entry(p, i, j) * p->weights[j];
        inner += p->weights[i] * score;
        least = fmin(least, score);
    }
    return pt_certificate_of(inner, 0, least);
}

static void make(problem *p, partan_context *context, const pt_kernel *kernel, pt_random *random)
{
    float values[ROWS * FEATURES];
    int64_t ids[ACTIVE];
    double weights[ACTIVE], total = 0;
    *p = (problem){0};
    for (size_t i = 0; i < ROWS * FEATURES; i++)
        values[i] = (float)(2 * pt_random_normal(random));
    for (size_t i = 0; i < ROWS; i++)
        p->signs[i] = pt_random_uniform(random) < 0.5 ? 1 : -1;
    assert_int_equal(dense_data(context, values, ROWS, FEATURES, FEATURES, NULL, PARTAN_STORAGE_DENSE, &p->data),
                     PARTAN_OK);
    pt_dual dual = {.rows = ROWS, .layers = 1, .vertices = ROWS, .signs = p->signs, .bias = 1, .inverse_cost = 0.1};
    assert_int_equal(
        pt_simplex_init(&p->simplex, context, kernel, (pt_points){&p->data->matrix, p->data->serials}, &dual),
        PARTAN_OK);
    for (size_t i = 0; i < ACTIVE; i++)
        total += weights[i] = pt_random_uniform(random);
    for (size_t i = 0; i < ACTIVE; i++) {
        ids[i] = (int64_t)(3 * i);
        weights[i] /= total;
        p->weights[ids[i]] = weights[i];
    }
    pt_iterate_init(&p->iterate, context, false);
    assert_int_equal(pt_iterate_start(&p->iterate, ids, weights, ACTIVE), PARTAN_OK);
}

static void release(problem *p)
{
    pt_iterate_free(&p->iterate);
    partan_data_free(p->data);
}

static void no_true_gap_is_larger(void **state)
{
    static const pt_kernel kernels[] = {{.kind = PARTAN_KERNEL_LINEAR, .gamma = 1, .coef0 = 0, .degree = 1},
                                        {.kind = PARTAN_KERNEL_RBF, .gamma = 0.01, .coef0 = 0, .degree = 1},
                                        {.kind = PARTAN_KERNEL_RBF, .gamma = 3, .coef0 = 0, .degree = 1},
                                        {.kind = PARTAN_KERNEL_LAPLACIAN, .gamma = 0.1, .coef0 = 0, .degree = 1},
                                        {.kind = PARTAN_KERNEL_POLYNOMIAL, .gamma = 1, .coef0 = 1, .degree = 3},
                                        {.kind = PARTAN_KERNEL_POLYNOMIAL, .gamma = 0.5, .coef0 = -2, .degree = 3},
                                        {.kind = PARTAN_KERNEL_SIGMOID, .gamma = 0.5, .coef0 = 0.1, .degree = 1}};
    pt_random random;
    pt_random_seed(&random, 3);
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
        for (int round = 0; round < 20; round++) {
            static problem p;
            make(&p, *state, &kernels[k], &random);
            pt_certificate exact = dense(&p), bound = exact;
            bound.gap = INFINITY;
            pt_simplex_bound(&p.simplex.problem, &p.iterate, &bound);
            assert_true(bound.bound && isfinite(bound.gap) && bound.gap >= exact.gap);
            pt_certificate known = exact; /* but for rounding */
            pt_simplex_bound(&p.simplex.problem, &p.iterate, &known);
            assert_true(known.gap >= exact.gap && known.gap <= bound.gap);
            assert_true(known.gap - exact.gap <= 1e-6 * (pt_simplex_largest(&p.simplex) + 1) + 1e-12 * exact.gap);
            release(&p);
        }
}

/* One row at the end of a long ray, opposite to the others: w points there, and the bound is met. */
static void it_can_be_reached(void **state)
{
    problem p;
    pt_random random;
    pt_kernel kernel = {.kind = PARTAN_KERNEL_LINEAR, .gamma = 1, .degree = 1};
    pt_random_seed(&random, 4);
    make(&p, *state, &kernel, &random);
    release(&p);
    float values[ROWS * FEATURES] = {0};
    for (size_t i = 0; i < ROWS; i++) {
        values[i * FEATURES] = 100;
        p.signs[i] = i == 1 ? -1 : 1;
    }
    assert_int_equal(dense_data(*state, values, ROWS, FEATURES, FEATURES, NULL, PARTAN_STORAGE_DENSE, &p.data),
                     PARTAN_OK);
    pt_dual dual = p.simplex.dual;
    dual.signs = p.signs;
    assert_int_equal(pt_simplex_init(&p.simplex, *state, &kernel, (pt_points){&p.data->matrix, p.data->serials}, &dual),
                     PARTAN_OK);
    int64_t first = 0;
    double one = 1;
    memset(p.weights, 0, sizeof p.weights);
    p.weights[0] = 1;
    pt_iterate_init(&p.iterate, *state, false);
    assert_int_equal(pt_iterate_start(&p.iterate, &first, &one, 1), PARTAN_OK);
    pt_certificate exact = dense(&p), bound = exact;
    bound.gap = INFINITY;
    pt_simplex_bound(&p.simplex.problem, &p.iterate, &bound);
    assert_true(bound.gap >= exact.gap && bound.gap <= 1.01 * exact.gap);
    release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(no_true_gap_is_larger),
        SERIAL_TEST(it_can_be_reached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
