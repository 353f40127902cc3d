/* Gamma rules against brute force over all pairs; sums of kernel values against exact ones, for every pair of storages,
 * any number of vertices and threads. */
#include "toy.h"

#include "core/random.h"
#include "failing.h"

/* ---- Gamma ---- */

static double brute_auto(const toy *t)
{
    double sum = 0;
    for (size_t i = 0; i < t->rows; i++)
        for (size_t j = 0; j < t->rows; j++)
            for (size_t f = 0; f < t->features; f++) {
                double d = (double)t->values[i][f] - (double)t->values[j][f];
                sum += d * d;
            }
    return (double)(t->rows * t->rows) / sum;
}

static double brute_scale(const toy *t)
{
    double count = (double)(t->rows * t->features), mean = 0, variance = 0;
    for (size_t i = 0; i < t->rows; i++)
        for (size_t f = 0; f < t->features; f++)
            mean += (double)t->values[i][f] / count;
    for (size_t i = 0; i < t->rows; i++)
        for (size_t f = 0; f < t->features; f++)
            variance += ((double)t->values[i][f] - mean) * ((double)t->values[i][f] - mean) / count;
    return 1 / ((double)t->features * variance);
}

static void check_gamma(partan_context *context, const toy *t, partan_storage storage, double by_auto, double by_scale)
{
    partan_settings s = machine_settings(PARTAN_KERNEL_RBF);
    partan_data *data = toy_data(context, t, &s, storage);
    assert_non_null(data);
    assert_true(fabs(pt_gamma_of(PARTAN_GAMMA_AUTO, &data->matrix, data->matrix.features) - by_auto) <= 1e-6 * by_auto);
    assert_true(fabs(pt_gamma_of(PARTAN_GAMMA_SCALE, &data->matrix, data->matrix.features) - by_scale)
                <= 1e-6 * by_scale);
    pt_kernel kernel;
    s.gamma_rule = PARTAN_GAMMA_AUTO;
    assert_int_equal(pt_kernel_from_settings(context, &s, &data->matrix, &kernel), PARTAN_OK);
    assert_true(kernel.gamma == pt_gamma_of(PARTAN_GAMMA_AUTO, &data->matrix, data->matrix.features));
    partan_data_free(data);
}

static void gamma_rules_follow_their_definitions(void **state)
{
    static toy t;
    for (uint64_t seed = 1; seed <= 5; seed++)
        for (size_t i = 0; i < STORAGES; i++) {
            toy_fill_for(&t, 7 + 10 * seed, 3 + 6 * seed, every_storage(i), seed);
            check_gamma(*state, &t, every_storage(i), brute_auto(&t), brute_scale(&t));
        }
    toy_fill(&t, 40, 5, false, 9); /* far from the origin: little is left of the squares */
    for (size_t i = 0; i < t.rows; i++)
        for (size_t f = 0; f < t.features; f++)
            t.values[i][f] += 1000;
    check_gamma(*state, &t, PARTAN_STORAGE_DENSE, brute_auto(&t), brute_scale(&t));
}

static void data_without_spread_gives_1(void **state)
{
    static toy t;
    toy_fill(&t, 9, 4, false, 1);
    for (size_t i = 0; i < t.rows; i++)
        memcpy(t.values[i], t.values[0], sizeof t.values[0]);
    partan_settings s = machine_settings(PARTAN_KERNEL_RBF);
    partan_data *data = toy_data(*state, &t, &s, PARTAN_STORAGE_DENSE);
    assert_true(pt_gamma_of(PARTAN_GAMMA_AUTO, &data->matrix, data->matrix.features) == 1);
    partan_data_free(data);
    memset(t.values, 0, sizeof t.values);
    for (size_t i = 0; i < STORAGES; i++)
        check_gamma(*state, &t, every_storage(i), 1, 1);
}

/* Of very many rows some are taken, at even distances; and of their parts the same ones, to the bit. */
static void gamma_of_very_many_rows_is_that_of_a_sample(void **state)
{
    enum { ALL = 700001, SAMPLE = 1 << 18, FIRST = 123456 };
    float *values = malloc(ALL * 2 * sizeof *values);
    double sum[2] = {0}, squares = 0, whole[3] = {0}, parts[3] = {0};
    pt_random random;
    assert_non_null(values);
    pt_random_seed(&random, 5);
    for (size_t i = 0; i < 2 * ALL; i++)
        values[i] = (float)(pt_random_normal(&random) + (double)(i % 2));
    for (uint64_t i = 0; i < SAMPLE; i++)
        for (size_t f = 0; f < 2; f++) {
            double value = (double)values[2 * (i * ALL / SAMPLE) + f];
            sum[f] += value / SAMPLE;
            squares += value * value / SAMPLE;
        }
    double distance = 2 * (squares - sum[0] * sum[0] - sum[1] * sum[1]);
    partan_data *data = NULL, *first = NULL, *rest = NULL;
    assert_int_equal(dense_data(*state, values, ALL, 2, 2, NULL, PARTAN_STORAGE_DENSE, &data), PARTAN_OK);
    assert_int_equal(dense_data(*state, values, FIRST, 2, 2, NULL, PARTAN_STORAGE_DENSE, &first), PARTAN_OK);
    assert_int_equal(dense_data(*state, values + 2 * FIRST, ALL - FIRST, 2, 2, NULL, PARTAN_STORAGE_DENSE, &rest),
                     PARTAN_OK);
    assert_true(fabs(pt_gamma_of(PARTAN_GAMMA_AUTO, &data->matrix, data->matrix.features) * distance - 1) < 1e-9);
    assert_true(pt_moments_add(&data->matrix, 0, ALL, whole));
    assert_true(pt_moments_add(&first->matrix, 0, ALL, parts) && pt_moments_add(&rest->matrix, FIRST, ALL, parts));
    assert_memory_equal(whole, parts, sizeof whole);
    partan_data_free(data);
    partan_data_free(first);
    partan_data_free(rest);
    free(values);
}

/* ---- Sums ---- */

static double allowed(const partan_settings *s, double size)
{
    return (s->kernel == PARTAN_KERNEL_POLYNOMIAL ? 1e-5 : 2e-6) * (1 + size);
}

static void check_sums(partan_context *context, const toy *x, partan_storage a, const toy *z, partan_storage b,
                       const partan_settings *s)
{
    partan_data *rows = toy_data(context, x, s, a), *vertices = toy_data(context, z, s, b);
    assert_non_null(rows);
    assert_non_null(vertices);
    pt_kernel kernel = {.kind = s->kernel, .gamma = s->gamma, .coef0 = s->coef0, .degree = (int)s->degree};
    pt_points left = {.matrix = &rows->matrix}, right = {.matrix = &vertices->matrix};
    double weights[TOY_ROWS], fast[TOY_ROWS], exact[TOY_ROWS];
    for (size_t count = 0; count <= z->rows; count += count < 3 ? 1 : 14) {
        for (size_t v = 0; v < count; v++)
            weights[v] = (v % 2 ? -1 : 1) * (0.1 + (double)v);
        assert_int_equal(pt_kernel_sums(context, &kernel, left, right, count, weights, fast), PARTAN_OK);
        assert_int_equal(pt_kernel_sums_exact(context, &kernel, left, right, count, weights, exact), PARTAN_OK);
        for (size_t i = 0; i < x->rows; i++) {
            double sum = 0, size = 0;
            for (size_t v = 0; v < count; v++) {
                double value = formula(s, x->values[i], z->values[v], TOY_FEATURES);
                sum += weights[v] * value;
                size += fabs(weights[v]) * (1 + fabs(value));
            }
            assert_true(fabs(exact[i] - sum) <= 1e-12 * (1 + size));
            assert_true(fabs(fast[i] - sum) <= allowed(s, size));
        }
    }
    partan_data_free(rows);
    partan_data_free(vertices);
}

/* Bits against values that are not 0 or 1, sparse against dense, more features on either side. */
static void sums_of_mixed_storages(void **state)
{
    static toy x, z;
    static const size_t features[][2] = {{33, 33}, {7, 40}, {40, 7}};
    for (int kind = 0; kind < 6; kind++) {
        if (kind == PARTAN_KERNEL_PRECOMPUTED)
            continue;
        partan_settings s = machine_settings((partan_kernel)kind);
        for (int f = 0; f < 3; f++)
            for (size_t a = 0; a < STORAGES; a++)
                for (size_t b = 0; b < 2 * STORAGES; b++) { /* the second time not packed, but fit for it */
                    partan_storage own = every_storage(a), other = every_storage(b % STORAGES);
                    memset(&x, 0, sizeof x);
                    memset(&z, 0, sizeof z);
                    toy_fill_for(&x, 50, features[f][0], own, 1);
                    toy_fill_for(&z, 45, features[f][1], other, 2);
                    check_sums(*state, &x, own, &z, b < STORAGES ? other : PARTAN_STORAGE_SPARSE, &s);
                }
    }
}

/* The same bits from one thread and from two, over many chunks and groups of panels. */
static void sums_do_not_depend_on_threads(void **state)
{
    partan_context *two = *state, *one;
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 1;
    one = partan_create(&options);
    partan_generator_options make;
    partan_generator_options_init(&make);
    make.kind = "twonorm";
    make.rows = 3001;
    partan_data *data = NULL;
    assert_int_equal(partan_generate(two, &make, PARTAN_STORAGE_DENSE, &data), PARTAN_OK);
    double *sums = malloc(2 * 3001 * sizeof *sums), *weights = malloc(3001 * sizeof *weights);
    for (int i = 0; i < 3001; i++)
        weights[i] = 1.0 / (1 + i);
    pt_kernel kernel = {.kind = PARTAN_KERNEL_RBF, .gamma = 0.02};
    pt_points points = {.matrix = &data->matrix};
    assert_int_equal(pt_kernel_sums(one, &kernel, points, points, 3001, weights, sums), PARTAN_OK);
    assert_int_equal(pt_kernel_sums(two, &kernel, points, points, 3001, weights, sums + 3001), PARTAN_OK);
    assert_memory_equal(sums, sums + 3001, 3001 * sizeof *sums);
    free(sums);
    free(weights);
    partan_data_free(data);
    partan_destroy(one);
}

/* More rows than a chunk, more vertices than are packed at a time; neighbours that are in the same sums, and that are
 * not. */
static void several_sums_are_single_ones(void **state)
{
    enum { ROWS = 300, VERTICES = 5003, SUMS = 7 };
    partan_context *context = *state;
    pt_kernel kernel = {.kind = PARTAN_KERNEL_RBF, .gamma = 0.02};
    partan_generator_options make;
    partan_generator_options_init(&make);
    make.kind = "twonorm";
    make.rows = VERTICES;
    partan_data *data = NULL, *some = NULL;
    assert_int_equal(partan_generate(context, &make, PARTAN_STORAGE_DENSE, &data), PARTAN_OK);
    make.rows = ROWS;
    make.seed = 2;
    assert_int_equal(partan_generate(context, &make, PARTAN_STORAGE_DENSE, &some), PARTAN_OK);
    pt_points rows = {.matrix = &some->matrix}, vertices = {.matrix = &data->matrix};
    static size_t begin[VERTICES + 1], sum[VERTICES * SUMS];
    static double weight[VERTICES * SUMS], single[SUMS][VERTICES], found[ROWS * SUMS], expected[ROWS];
    for (size_t v = 0; v < VERTICES; v++) {
        begin[v + 1] = begin[v];
        for (size_t s = 0; s < SUMS; s++)
            if ((v / 100 + s) % 3 > 0 || v % 41 == s) {
                sum[begin[v + 1]] = s;
                weight[begin[v + 1]++] = single[s][v] = 1.0 / (double)(1 + v + s);
            }
    }
    pt_terms terms = {SUMS, begin, sum, weight};
    assert_int_equal(pt_kernel_sums_several(context, &kernel, rows, vertices, VERTICES, &terms, found), PARTAN_OK);
    for (size_t s = 0; s < SUMS; s++) {
        assert_int_equal(pt_kernel_sums(context, &kernel, rows, vertices, VERTICES, single[s], expected), PARTAN_OK);
        for (size_t i = 0; i < ROWS; i++)
            assert_true(fabs(found[i * SUMS + s] - expected[i]) <= 1e-6 * expected[i]);
    }
    partan_data_free(some);
    partan_data_free(data);
}

static partan_status sum_mixed(partan_context *context)
{
    static toy t;
    partan_settings s = machine_settings(PARTAN_KERNEL_RBF);
    pt_kernel kernel = {.kind = PARTAN_KERNEL_RBF, .gamma = 0.1};
    toy_fill(&t, 30, 20, true, 1);
    partan_data *rows = toy_data(context, &t, &s, PARTAN_STORAGE_BITS);
    t.values[3][3] = 0.5;
    partan_data *vertices = toy_data(context, &t, &s, PARTAN_STORAGE_SPARSE);
    double weights[30] = {1}, sums[30];
    partan_status status = PARTAN_ERROR_MEMORY;
    if (rows && vertices)
        status = pt_kernel_sums(context, &kernel, (pt_points){.matrix = &rows->matrix},
                                (pt_points){.matrix = &vertices->matrix}, 30, weights, sums);
    partan_data_free(rows);
    partan_data_free(vertices);
    return status;
}

static void sums_without_memory_fail_cleanly(void **state)
{
    (void)state;
    check_every_allocation(sum_mixed);
}

/* The parameters that the public header says a kernel depends on are those that change its values. */
static void kernels_use_what_changes_them(void **state)
{
    static toy t;
    static const char *const parameters[] = {"gamma", "coef0", "degree"};
    toy_fill(&t, 10, 4, false, 3);
    FOR_EVERY_KERNEL(kind) {
        if (kind == PARTAN_KERNEL_PRECOMPUTED)
            continue;
        partan_settings s = machine_settings((partan_kernel)kind);
        partan_data *data = toy_data(*state, &t, &s, PARTAN_STORAGE_DENSE);
        pt_points points = {.matrix = &data->matrix};
        for (int i = 0; i < 3; i++) {
            pt_kernel one = {.kind = s.kernel, .gamma = 0.3, .coef0 = 0.5, .degree = 2}, other = one;
            other.gamma = i == 0 ? 0.4 : one.gamma;
            other.coef0 = i == 1 ? 0.6 : one.coef0;
            other.degree = i == 2 ? 3 : one.degree;
            bool differ = pt_kernel_value(&one, points, 1, points, 2) != pt_kernel_value(&other, points, 1, points, 2);
            assert_int_equal(partan_kernel_uses(s.kernel, parameters[i]), differ);
        }
        assert_false(partan_kernel_uses(s.kernel, "cost"));
        partan_data_free(data);
    }
    assert_false(partan_kernel_uses(PARTAN_KERNEL_PRECOMPUTED, "gamma"));
    assert_false(partan_kernel_uses((partan_kernel)KERNELS, "gamma"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(gamma_rules_follow_their_definitions),
        SERIAL_TEST(data_without_spread_gives_1),
        SERIAL_TEST(gamma_of_very_many_rows_is_that_of_a_sample),
        SERIAL_TEST(kernels_use_what_changes_them),
        SERIAL_TEST(sums_of_mixed_storages),
        CONTEXT_TEST(several_sums_are_single_ones),
        CONTEXT_TEST(sums_do_not_depend_on_threads),
        cmocka_unit_test(sums_without_memory_fail_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
