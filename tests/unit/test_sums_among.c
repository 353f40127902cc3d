/* Sums of kernel values among the rows of one matrix: those of every pair by its formula, for every storage and kernel,
 * over several strips and groups of strips; the same bits for any number of threads. */
#include "toy.h"

#include "failing.h"

static pt_kernel kernel_of(const partan_settings *s)
{
    return (pt_kernel){.kind = s->kernel, .gamma = s->gamma, .coef0 = s->coef0, .degree = (int)s->degree};
}

static double weight(size_t i)
{
    return (i % 2 ? -1 : 1) * (0.1 + (double)(i % 19));
}

static void few_rows_follow_the_formulas(void **state)
{
    static toy t;
    FOR_EVERY_KERNEL(kind)
        FOR_EVERY_STORAGE(storage)
            for (size_t rows = 1; rows <= TOY_ROWS && kind != PARTAN_KERNEL_PRECOMPUTED; rows += rows < 18 ? 8 : 17) {
                partan_settings s = machine_settings((partan_kernel)kind);
                pt_kernel kernel = kernel_of(&s);
                double weights[TOY_ROWS], sums[TOY_ROWS];
                memset(&t, 0, sizeof t);
                toy_fill_for(&t, rows, 33, (partan_storage)storage, 1);
                for (size_t i = 0; i < rows; i++)
                    weights[i] = weight(i);
                partan_data *data = toy_data(*state, &t, &s, (partan_storage)storage);
                assert_int_equal(pt_kernel_sums_among(*state, &kernel, &data->matrix, weights, sums), PARTAN_OK);
                for (size_t i = 0; i < rows; i++) {
                    double sum = 0, size = 0;
                    for (size_t j = 0; j < rows; j++) {
                        double value = formula(&s, t.values[i], t.values[j], TOY_FEATURES);
                        sum += weights[j] * value;
                        size += fabs(weights[j]) * (1 + fabs(value));
                    }
                    assert_true(fabs(sums[i] - sum) <= (kind == PARTAN_KERNEL_POLYNOMIAL ? 1e-5 : 2e-6) * (1 + size));
                }
                partan_data_free(data);
            }
}

/* More rows than a group has strips, and a part of a strip, of a tile and of a panel. */
enum { ROWS = 9 * 512 + 77 };

static partan_data *many_rows(partan_context *context, const char *kind, partan_storage storage)
{
    partan_generator_options make;
    partan_generator_options_init(&make);
    make.kind = kind;
    make.rows = ROWS;
    partan_data *data = NULL;
    assert_int_equal(partan_generate(context, &make, storage, &data), PARTAN_OK);
    return data;
}

static void check_many(partan_context *context, const char *kind, partan_storage storage, double gamma)
{
    static double weights[ROWS], sums[ROWS], exact[ROWS], again[ROWS];
    partan_data *data = many_rows(context, kind, storage);
    pt_points points = {.matrix = &data->matrix};
    pt_kernel kernel = {.kind = PARTAN_KERNEL_RBF, .gamma = gamma};
    for (size_t i = 0; i < ROWS; i++)
        weights[i] = weight(i);
    assert_int_equal(pt_kernel_sums_among(context, &kernel, &data->matrix, weights, sums), PARTAN_OK);
    assert_int_equal(pt_kernel_sums_exact(context, &kernel, points, points, ROWS, weights, exact), PARTAN_OK);
    double size = 0;
    for (size_t i = 0; i < ROWS; i++)
        size += fabs(weights[i]);
    for (size_t i = 0; i < ROWS; i++)
        assert_true(fabs(sums[i] - exact[i]) <= 1e-6 * size);
    int threads = context->threads;
    context->threads = 1;
    assert_int_equal(pt_kernel_sums_among(context, &kernel, &data->matrix, weights, again), PARTAN_OK);
    context->threads = threads;
    assert_memory_equal(sums, again, sizeof sums);
    partan_data_free(data);
}

static void many_rows_have_exact_sums_and_threads_change_nothing(void **state)
{
    check_many(*state, "twonorm", PARTAN_STORAGE_DENSE, 0.02);
    check_many(*state, "text", PARTAN_STORAGE_SPARSE, 0.5);
}

static void an_interruption_is_heard(void **state)
{
    static double weights[ROWS], sums[ROWS];
    partan_data *data = many_rows(*state, "twonorm", PARTAN_STORAGE_DENSE);
    pt_kernel kernel = {.kind = PARTAN_KERNEL_RBF, .gamma = 0.1};
    partan_interrupt(*state);
    assert_int_equal(pt_kernel_sums_among(*state, &kernel, &data->matrix, weights, sums), PARTAN_INTERRUPTED);
    pt_interrupt_clear(*state);
    partan_data_free(data);
}

static partan_status sum_among(partan_context *context)
{
    static toy t;
    partan_settings s = machine_settings(PARTAN_KERNEL_RBF);
    pt_kernel kernel = kernel_of(&s);
    double weights[30] = {1}, sums[30];
    toy_fill(&t, 30, 20, false, 1);
    partan_data *data = toy_data(context, &t, &s, PARTAN_STORAGE_DENSE);
    partan_status status =
        data ? pt_kernel_sums_among(context, &kernel, &data->matrix, weights, sums) : PARTAN_ERROR_MEMORY;
    partan_data_free(data);
    return status;
}

static void out_of_memory_is_reported(void **state)
{
    (void)state;
    check_every_allocation(sum_among);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(few_rows_follow_the_formulas),
        CONTEXT_TEST(many_rows_have_exact_sums_and_threads_change_nothing),
        CONTEXT_TEST(an_interruption_is_heard),
        cmocka_unit_test(out_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
