/* The exact kernels agree with the formulas, for every pair of storages and every kernel, also where rows and vertices
 * have different numbers of features; sums do not depend on the number of threads; work stops when asked. */
#include "machine.h"

#include "failing.h"

enum { VERTICES = 23 };

static pt_kernel kernel_of(partan_kernel kind)
{
    partan_settings s = machine_settings(kind);
    return (pt_kernel){.kind = kind, .gamma = s.gamma, .coef0 = s.coef0, .degree = (int)s.degree};
}

/* The first `features` of the machine's values; the rest count as zero in `values`. */
static partan_data *cut_data(partan_context *context, machine *m, size_t features, partan_storage storage)
{
    for (size_t i = 0; i < MACHINE_ROWS; i++)
        for (size_t f = features; f < MACHINE_FEATURES; f++)
            m->values[i][f] = 0;
    partan_data *data = NULL;
    assert_int_equal(
        dense_data(context, m->values[0], MACHINE_ROWS, features, MACHINE_FEATURES, m->labels, storage, &data),
        PARTAN_OK);
    return data;
}

static void check_pair(partan_context *context, partan_kernel kind, size_t row_features, partan_storage row_storage,
                       size_t vertex_features, partan_storage vertex_storage)
{
    static machine rows, vertices;
    machine_values(&rows, row_storage, 1);
    machine_values(&vertices, vertex_storage, 2);
    partan_data *x = cut_data(context, &rows, row_features, row_storage);
    partan_data *z = cut_data(context, &vertices, vertex_features, vertex_storage);
    pt_points left = {.matrix = &x->matrix}, right = {.matrix = &z->matrix};
    pt_kernel kernel = kernel_of(kind);
    partan_settings settings = machine_settings(kind);

    double weights[VERTICES], sums[MACHINE_ROWS], selves[MACHINE_ROWS];
    pt_kernel_selves(context, &kernel, left, selves);
    for (int v = 0; v < VERTICES; v++)
        weights[v] = (v % 2 ? -1 : 1) * (0.1 + v);
    assert_int_equal(pt_kernel_sums_exact(context, &kernel, left, right, VERTICES, weights, sums), PARTAN_OK);
    for (size_t i = 0; i < MACHINE_ROWS; i++) {
        double expected = 0, size = 0;
        assert_true(selves[i] == pt_kernel_value(&kernel, left, i, left, i)
                    && selves[i] == pt_kernel_self(&kernel, left, i));
        for (size_t v = 0; v < VERTICES; v++) {
            double value = formula(&settings, rows.values[i], vertices.values[v], MACHINE_FEATURES);
            assert_true(fabs(pt_kernel_value(&kernel, left, i, right, v) - value) <= 1e-13 * (1 + fabs(value)));
            expected += weights[v] * value;
            size += fabs(weights[v] * value);
        }
        assert_true(fabs(sums[i] - expected) <= 1e-13 * (1 + size));
    }
    partan_data_free(x);
    partan_data_free(z);
}

static void values_and_sums_follow_the_formulas(void **state)
{
    static const size_t features[][2] = {{37, 37}, {37, 20}, {20, 37}, {33, 1}, {1, 33}};
    FOR_EVERY_KERNEL(kind) {
        if (kind == PARTAN_KERNEL_PRECOMPUTED)
            continue;
        for (size_t a = 0; a < STORAGES; a++)
            for (size_t b = 0; b < STORAGES; b++)
                for (int f = 0; f < 5; f++)
                    check_pair(*state, (partan_kernel)kind, features[f][0], every_storage(a), features[f][1],
                               every_storage(b));
    }
}

static void precomputed_values_are_looked_up(void **state)
{
    machine *m = machine_make(*state, PARTAN_KERNEL_PRECOMPUTED, PARTAN_STORAGE_DENSE);
    for (size_t s = 0; s < 2; s++) { /* dense, sparse */
        pt_matrix matrix;
        assert_int_equal(pt_matrix_convert(&m->data->matrix, every_storage(s), 0, &matrix), PARTAN_OK);
        pt_points rows = {.matrix = &matrix};
        pt_points vertices = {.serials = (int64_t[]){3, 60, 3}};
        pt_kernel kernel = kernel_of(PARTAN_KERNEL_PRECOMPUTED);
        double weights[] = {2, -1, 0.5}, sums[MACHINE_ROWS];
        assert_int_equal(pt_kernel_sums_exact(*state, &kernel, rows, vertices, 3, weights, sums), PARTAN_OK);
        for (size_t i = 0; i < MACHINE_ROWS; i++) {
            assert_true(fabs(sums[i] - (2.5 * m->K[i][3] - m->K[i][60])) < 1e-13);
            assert_true(pt_kernel_value(&kernel, rows, i, vertices, 1) == m->K[i][60]);
        }
        vertices.serials = (int64_t[]){61};
        assert_int_equal(pt_kernel_sums_exact(*state, &kernel, rows, vertices, 1, weights, sums), PARTAN_ERROR_DATA);
        pt_matrix_free(&matrix);
    }
    machine_free(m);
}

/* One row against itself and against a far one, in 2^24 + 2 features: too many to scatter a vertex. */
static void very_many_features_are_merged(void **state)
{
    const int64_t offsets[] = {0, 2, 3};
    const int32_t indices[] = {1, (1 << 24) + 1, 1};
    const float values[] = {1, 2, 3};
    partan_data *data = NULL;
    assert_int_equal(csr_data(*state, 2, (1 << 24) + 2, offsets, indices, values, NULL, PARTAN_STORAGE_SPARSE, &data),
                     PARTAN_OK);
    pt_points points = {.matrix = &data->matrix};
    pt_kernel kernel = {.kind = PARTAN_KERNEL_LINEAR};
    double weights[] = {1, 10}, sums[2];
    assert_int_equal(pt_kernel_sums_exact(*state, &kernel, points, points, 2, weights, sums), PARTAN_OK);
    assert_true(sums[0] == 35 && sums[1] == 93);
    partan_data_free(data);
}

/* More packed words than one run of byte counts holds. */
static void wide_bits_are_counted(void **state)
{
    enum { WIDTH = 2500, COUNT = 3 };
    static float values[COUNT][WIDTH];
    for (size_t f = 0; f < WIDTH; f++) {
        values[0][f] = 1;
        values[1][f] = f % 3 == 0;
    }
    partan_data *data = NULL;
    assert_int_equal(dense_data(*state, values[0], COUNT, WIDTH, WIDTH, NULL, PARTAN_STORAGE_BITS, &data), PARTAN_OK);
    pt_points points = {.matrix = &data->matrix};
    pt_kernel linear = {.kind = PARTAN_KERNEL_LINEAR}, rbf = {.kind = PARTAN_KERNEL_RBF, .gamma = 1e-3};
    double one = 1, sums[COUNT];
    assert_int_equal(pt_kernel_sums_exact(*state, &linear, points, points, 1, &one, sums), PARTAN_OK);
    assert_true(sums[0] == 2500 && sums[1] == 834 && sums[2] == 0);
    assert_int_equal(pt_kernel_sums_exact(*state, &rbf, points, points, 1, &one, sums), PARTAN_OK);
    assert_true(sums[0] == 1 && fabs(sums[1] - exp(-1.666)) < 1e-15 && fabs(sums[2] - exp(-2.5)) < 1e-15);
    partan_data_free(data);
}

static partan_data *many_rows(partan_context *context, partan_storage storage)
{
    enum { ROWS = 700, FEATURES = 9 };
    static float values[ROWS * FEATURES];
    pt_random random;
    pt_random_seed(&random, 5);
    for (size_t i = 0; i < ROWS * FEATURES; i++)
        values[i] = (float)pt_random_below(&random, 2);
    partan_data *data = NULL;
    assert_int_equal(dense_data(context, values, ROWS, FEATURES, FEATURES, NULL, storage, &data), PARTAN_OK);
    return data;
}

static void threads_do_not_change_the_sums(void **state)
{
    (void)state;
    double weights[700], sums[2][700];
    for (int i = 0; i < 700; i++)
        weights[i] = 1.0 / (i + 1);
    for (size_t s = 0; s < STORAGES; s++) {
        for (int threads = 1; threads <= 3; threads += 2) {
            partan_context_options options;
            partan_context_options_init(&options);
            options.threads = threads;
            partan_context *context = partan_create(&options);
            partan_data *data = many_rows(context, every_storage(s));
            pt_points points = {.matrix = &data->matrix};
            pt_kernel kernel = kernel_of(PARTAN_KERNEL_RBF);
            assert_int_equal(pt_kernel_sums_exact(context, &kernel, points, points, 700, weights, sums[threads / 2]),
                             PARTAN_OK);
            partan_data_free(data);
            partan_destroy(context);
        }
        assert_memory_equal(sums[0], sums[1], sizeof sums[0]);
    }
}

/* Blocks of sparse rows need room for their nonzeros wherever they begin. */
static void rows_may_differ_in_length(void **state)
{
    (void)state;
    enum { ROWS = 220, LONG = 100 };
    static int64_t offsets[ROWS + 1];
    static int32_t indices[ROWS * LONG];
    static float values[ROWS * LONG];
    double labels[ROWS], weights[ROWS], sums[ROWS];
    for (int i = 0; i < ROWS; i++) {
        int count = i < 112 ? 1 : i < 128 ? LONG : 15;
        offsets[i + 1] = offsets[i] + count;
        labels[i] = i % 2;
        weights[i] = 1.0 / (i + 1);
        for (int k = 0; k < count; k++) {
            indices[offsets[i] + k] = (i % 3) + 3 * k;
            values[offsets[i] + k] = (float)(1 + (i + k) % 7) / 20;
        }
    }
    for (int threads = 1; threads <= 5; threads++) {
        partan_context_options options;
        partan_context_options_init(&options);
        options.threads = threads;
        partan_context *context = partan_create(&options);
        partan_data *data = NULL;
        assert_int_equal(
            csr_data(context, ROWS, 3 * LONG, offsets, indices, values, labels, PARTAN_STORAGE_SPARSE, &data),
            PARTAN_OK);
        pt_points points = {.matrix = &data->matrix};
        pt_kernel kernel = kernel_of(PARTAN_KERNEL_RBF);
        assert_int_equal(pt_kernel_sums_exact(context, &kernel, points, points, ROWS, weights, sums), PARTAN_OK);
        for (size_t i = 0; i < ROWS; i++) {
            double sum = 0;
            for (size_t j = 0; j < ROWS; j++)
                sum += weights[j] * pt_kernel_value(&kernel, points, i, points, j);
            assert_true(fabs(sum - sums[i]) <= 1e-12);
        }
        partan_data_free(data);
        partan_destroy(context);
    }
}

static void an_interrupt_stops_the_sums(void **state)
{
    partan_context *context = *state;
    partan_data *data = many_rows(context, PARTAN_STORAGE_DENSE);
    pt_points points = {.matrix = &data->matrix};
    pt_kernel kernel = kernel_of(PARTAN_KERNEL_RBF);
    double weights[700] = {0}, sums[700];
    partan_interrupt(context);
    assert_int_equal(pt_kernel_sums_exact(context, &kernel, points, points, 700, weights, sums), PARTAN_INTERRUPTED);
    partan_data_free(data);
}

static partan_status sum_somehow(partan_context *context, partan_storage rows, partan_storage vertices)
{
    const float values[] = {1, 0, 1, 1};
    partan_data *x = NULL, *z = NULL;
    partan_status status = dense_data(context, values, 2, 2, 2, NULL, rows, &x);
    if (status == PARTAN_OK)
        status = dense_data(context, values, 2, 2, 2, NULL, vertices, &z);
    pt_kernel kernel = kernel_of(PARTAN_KERNEL_RBF);
    double weights[2] = {1, 1}, sums[2];
    if (status == PARTAN_OK)
        status = pt_kernel_sums_exact(context, &kernel, (pt_points){.matrix = &x->matrix},
                                      (pt_points){.matrix = &z->matrix}, 2, weights, sums);
    partan_data_free(x);
    partan_data_free(z);
    return status;
}

static partan_status sum_bits(partan_context *context)
{
    return sum_somehow(context, PARTAN_STORAGE_BITS, PARTAN_STORAGE_BITS);
}

static partan_status sum_mixed(partan_context *context)
{
    return sum_somehow(context, PARTAN_STORAGE_BITS, PARTAN_STORAGE_DENSE);
}

static partan_status sum_bytes(partan_context *context)
{
    return sum_somehow(context, PARTAN_STORAGE_BYTES, PARTAN_STORAGE_BYTES);
}

static void failing_allocations_leak_nothing(void **state)
{
    (void)state;
    check_every_allocation(sum_bits);
    check_every_allocation(sum_mixed);
    check_every_allocation(sum_bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(values_and_sums_follow_the_formulas), CONTEXT_TEST(precomputed_values_are_looked_up),
        CONTEXT_TEST(very_many_features_are_merged),       CONTEXT_TEST(wide_bits_are_counted),
        cmocka_unit_test(threads_do_not_change_the_sums),  cmocka_unit_test(rows_may_differ_in_length),
        CONTEXT_TEST(an_interrupt_stops_the_sums),         cmocka_unit_test(failing_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
