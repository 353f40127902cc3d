/* Bytes: multiples 0 .. 255 of one number are recognised, exactly and whatever the number, and nothing else is; sums
 * of kernel values do not depend on the storage or scale of either side; integer distances do not cancel. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testing.h"

#include "core/random.h"
#include "data/data.h"
#include "data/storage/layout.h"
#include "kernel/block.h"

enum { ROWS = 50, FEATURES = 30 };

static pt_matrix make_matrix(partan_context *context, const float *values, size_t rows, size_t features,
                             partan_storage storage)
{
    pt_segment segment;
    pt_matrix matrix;
    pt_segment_init(&segment, context);
    for (size_t i = 0; i < rows; i++)
        assert_int_equal(pt_segment_add(&segment, NULL, values + i * features, features), PARTAN_OK);
    assert_int_equal(pt_matrix_build(context, &segment, 1, storage, features, &matrix), PARTAN_OK);
    return matrix;
}

/* Random multiples low .. 255, every third value 0. */
static void fill(uint32_t *steps, uint32_t low, uint64_t seed)
{
    pt_random random;
    pt_random_seed(&random, seed);
    for (size_t i = 0; i < ROWS * FEATURES; i++)
        steps[i] = i % 3 == 0 ? 0 : low + (uint32_t)pt_random_below(&random, 256 - low);
}

static pt_byte_steps steps_of(partan_context *context, const float *values)
{
    pt_rows views[2] = {{.count = 20, .values = values, .width = FEATURES, .stride = FEATURES},
                        {.count = ROWS - 20, .values = values + 20 * FEATURES, .width = FEATURES, .stride = FEATURES}};
    return pt_bytes_steps(context, views, 2);
}

/* Whatever way the multiples were computed, and though the scale itself is not among the values. */
static void multiples_are_recognised(void **state)
{
    static uint32_t steps[ROWS * FEATURES];
    static float values[ROWS * FEATURES];
    static const double scales[] = {1, 1.0 / 255, 1.0 / 256, 0.1, 0.01, 3, 1e-20f, 12.5, 1.0 / 16, 0.125f};
    for (uint32_t low = 1; low <= 3; low++)
        for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++) {
            fill(steps, low, s + 1);
            for (size_t i = 0; i < ROWS * FEATURES; i++)
                values[i] = (float)(steps[i] * scales[s]);
            if (low > 1 && scales[s] < 1e-10)
                continue; /* rounded, and not the inverse of an integer: only the value of 1 tells */
            pt_byte_steps found = steps_of(*state, values);
            for (size_t i = 0; i < ROWS * FEATURES; i++)
                assert_true(found.unit > 0 && found.value[pt_byte_of(values[i], 1 / found.unit)] == values[i]);
            assert_true(fabs(found.unit - scales[s]) <= 1e-12 * scales[s]);
        }
    for (int way = 0; way < 3; way++) { /* pixels over 255 in float32, in double, times a rounded inverse */
        fill(steps, 1, 99);
        for (size_t i = 0; i < ROWS * FEATURES; i++)
            values[i] = way == 0   ? (float)steps[i] / 255.0f
                        : way == 1 ? (float)(steps[i] / 255.0)
                                   : (float)steps[i] * (1.0f / 255.0f);
        assert_true(steps_of(*state, values).unit > 0);
    }
}

/* As programs print them: the values are not multiples any more, and are kept as they are all the same. */
static void printed_multiples_are_recognised(void **state)
{
    static uint32_t steps[ROWS * FEATURES];
    static float values[ROWS * FEATURES];
    static const double units[] = {1.0 / 255, 1.0 / 256, 1.0 / 17, 0.1, 1.0 / 3};
    for (size_t u = 0; u < sizeof units / sizeof units[0]; u++)
        for (int digits = 4; digits <= 14; digits++) {
            char text[32];
            fill(steps, 1, u + 7);
            for (size_t i = 0; i < ROWS * FEATURES; i++) {
                snprintf(text, sizeof text, "%.*g", digits, steps[i] * units[u]);
                values[i] = strtof(text, NULL);
            }
            pt_byte_steps found = steps_of(*state, values);
            bool exact = units[u] == 0.1; /* any number of digits gives the multiple itself */
            assert_true(digits < 6 && !exact ? found.unit == 0 : fabs(found.unit - units[u]) <= 1e-12);
            if (!(found.unit > 0))
                continue;
            pt_matrix matrix = make_matrix(*state, values, ROWS, FEATURES, PARTAN_STORAGE_BYTES);
            int32_t indices[FEATURES];
            float back[FEATURES];
            for (size_t row = 0; row < ROWS; row++) {
                size_t count = pt_matrix_row(&matrix, row, indices, back);
                for (size_t k = 0; k < count; k++)
                    assert_true(back[k] == values[row * FEATURES + (size_t)indices[k]]);
            }
            pt_matrix_free(&matrix);
        }
}

static void one_bad_value_is_enough(void **state)
{
    static uint32_t steps[ROWS * FEATURES];
    static float values[ROWS * FEATURES];
    const float bad[] = {-1, 0.5f, 256, 1e30f, 1e-30f, nextafterf(7, 8), nextafterf(200, 100)};
    for (size_t b = 0; b < sizeof bad / sizeof bad[0]; b++)
        for (int place = 0; place < 2; place++) {
            fill(steps, 1, 5);
            for (size_t i = 0; i < ROWS * FEATURES; i++)
                values[i] = (float)steps[i];
            values[1] = 255;
            assert_true(steps_of(*state, values).unit == 1);
            values[place ? ROWS * FEATURES - 1 : 4] = bad[b];
            assert_true(steps_of(*state, values).unit == 0);
            pt_matrix matrix = make_matrix(*state, values, ROWS, FEATURES, PARTAN_STORAGE_AUTO);
            assert_int_equal(matrix.storage, PARTAN_STORAGE_DENSE);
            pt_matrix other;
            assert_int_equal(pt_matrix_convert(&matrix, PARTAN_STORAGE_BYTES, 0, &other), PARTAN_ERROR_DATA);
            assert_string_equal(partan_error(*state),
                                "bytes hold only multiples 0 .. 255 of one number, and the data has other values");
            pt_matrix_free(&matrix);
        }
}

static void automatic_choice_takes_bytes(void **state)
{
    static uint32_t steps[ROWS * FEATURES];
    static float values[ROWS * FEATURES];
    fill(steps, 1, 6);
    for (size_t i = 0; i < ROWS * FEATURES; i++)
        values[i] = (float)steps[i] / 255;
    partan_data *data;
    partan_context *context = *state;
    assert_int_equal(dense_data(context, values, ROWS, FEATURES, FEATURES, NULL, PARTAN_STORAGE_AUTO, &data),
                     PARTAN_OK);
    assert_int_equal(partan_data_storage(data), PARTAN_STORAGE_BYTES);
    assert_string_equal(partan_storage_name(PARTAN_STORAGE_BYTES), "bytes");
    const pt_matrix *matrix = &data->matrix;
    assert_int_equal(matrix->groups, 8);
    for (size_t row = 0; row < matrix->tiles * PT_TILE; row++) {
        uint32_t squares = 0;
        for (size_t f = 0; f < 32; f++) {
            uint32_t step = row < ROWS && f < FEATURES ? steps[row * FEATURES + f] : 0;
            size_t group = row / PT_TILE * 8 + f / 4;
            assert_int_equal(matrix->bytes[(group * PT_TILE + row % PT_TILE) * 4 + f % 4], step);
            squares += step * step;
        }
        assert_int_equal(matrix->squares[row], squares);
    }
    partan_data_free(data);
}

static void too_many_features_are_refused(void **state)
{
    enum { MANY = PT_BYTES_FEATURES + 1 };
    float *values = malloc(MANY * sizeof *values);
    for (size_t i = 0; i < MANY; i++)
        values[i] = 255;
    partan_context *context = *state;
    partan_data *data;
    assert_int_equal(dense_data(context, values, 1, MANY, MANY, NULL, PARTAN_STORAGE_BYTES, &data), PARTAN_ERROR_DATA);
    assert_int_equal(dense_data(context, values, 1, MANY, MANY, NULL, PARTAN_STORAGE_AUTO, &data), PARTAN_OK);
    assert_int_equal(partan_data_storage(data), PARTAN_STORAGE_DENSE);
    partan_data_free(data);
    free(values);
}

/* The largest sums that there may be. */
static void sums_do_not_overflow(void **state)
{
    partan_context *context = *state;
    float *values = calloc(2 * PT_BYTES_FEATURES, sizeof *values);
    for (size_t i = 0; i < PT_BYTES_FEATURES; i++)
        values[i] = 255;
    pt_matrix matrix = make_matrix(context, values, 2, PT_BYTES_FEATURES, PARTAN_STORAGE_BYTES);
    const double largest = 65025.0 * PT_BYTES_FEATURES;
    const pt_kernel kernels[] = {{.kind = PARTAN_KERNEL_LINEAR}, {.kind = PARTAN_KERNEL_RBF, .gamma = 1 / largest}};
    const double expected[2][2][2] = {{{largest, 0}, {0, 0}}, {{1, exp(-1)}, {exp(-1), 1}}};
    for (int k = 0; k < 2; k++)
        for (int isa = 0; isa < PT_ISA_COUNT; isa++) {
            if (!pt_isa_available((pt_isa)isa))
                continue;
            pt_block block;
            pt_panel panel;
            float out[PT_PANEL * PT_TILE];
            assert_int_equal(pt_block_init(&block, context, &kernels[k], &matrix, &matrix), PARTAN_OK);
            assert_int_equal(pt_panel_init(&panel, &block, &matrix, PT_PANEL), PARTAN_OK);
            assert_int_equal(pt_panel_pack(&panel, (pt_points){.matrix = &matrix}, (int64_t[]){0, 1}, 2), PARTAN_OK);
            block.ops = pt_block_ops_for((pt_isa)isa);
            pt_block_values(&block, &panel, 0, 1, out, PT_TILE);
            for (size_t row = 0; row < 2; row++)
                for (size_t c = 0; c < 2; c++)
                    assert_true(fabs((double)out[c * PT_TILE + row] - expected[k][c][row])
                                <= 3e-7 * expected[k][c][row]);
            pt_panel_free(&panel);
        }
    pt_matrix_free(&matrix);
    free(values);
}

/* Rows in one storage, vertices in another, scales that agree, can be made to agree, or cannot. */
static void sums_are_the_same_for_all_storages(void **state)
{
    static const float units[] = {1.0f / 255, 2.0f / 255, 0.3f, 1};
    partan_context *context = *state;
    static uint32_t steps[ROWS * FEATURES];
    static float x[ROWS * FEATURES], z[ROWS * FEATURES];
    double weights[ROWS], expected[ROWS], found[ROWS], float32[ROWS];
    for (int i = 0; i < ROWS; i++)
        weights[i] = i % 2 ? 1.0 / ROWS : -0.5 / ROWS;
    pt_kernel kernel = {.kind = PARTAN_KERNEL_RBF, .gamma = 0.1};
    FOR_EVERY_STORAGE(left)
        FOR_EVERY_STORAGE(right)
            for (int u = 0; u < 4; u++) {
                fill(steps, 1, 7);
                for (size_t i = 0; i < ROWS * FEATURES; i++) {
                    x[i] = left == PARTAN_STORAGE_BITS ? steps[i] > 99 : (float)steps[i] / 255;
                    z[i] = right == PARTAN_STORAGE_BITS ? steps[i] > 55 : (float)(steps[i] % 99) * units[u];
                }
                pt_matrix rows = make_matrix(context, x, ROWS, FEATURES, (partan_storage)left);
                pt_matrix vertices = make_matrix(context, z, ROWS, FEATURES, (partan_storage)right);
                pt_points a = {.matrix = &rows}, b = {.matrix = &vertices};
                assert_int_equal(pt_kernel_sums_exact(context, &kernel, a, b, ROWS, weights, expected), PARTAN_OK);
                assert_int_equal(pt_kernel_sums(context, &kernel, a, b, ROWS, weights, found), PARTAN_OK);
                assert_int_equal(pt_kernel_sums_float32(context, &kernel, a, b, ROWS, weights, float32), PARTAN_OK);
                for (size_t i = 0; i < ROWS; i++) {
                    double sum = 0;
                    for (size_t j = 0; j < ROWS; j++)
                        sum += weights[j] * pt_kernel_value(&kernel, a, i, b, j);
                    assert_true(fabs(expected[i] - sum) <= 1e-14);
                    assert_true(fabs(found[i] - sum) <= 2e-6);
                    assert_true(fabs(float32[i] - found[i]) <= 1e-6);
                }
                pt_matrix_free(&rows);
                pt_matrix_free(&vertices);
            }
}

/* Training on the same values held as bytes and as float32: the same machine to rounding. */
static void models_are_the_same_for_all_storages(void **state)
{
    partan_context *context = *state;
    static uint32_t steps[ROWS * FEATURES];
    static float values[ROWS * FEATURES];
    double labels[ROWS], decision[2][ROWS], objective[2];
    fill(steps, 1, 8);
    for (size_t i = 0; i < ROWS * FEATURES; i++)
        values[i] = (float)steps[i] / 255;
    for (size_t i = 0; i < ROWS; i++)
        labels[i] = values[i * FEATURES + 1] + values[i * FEATURES + 2] > 1 ? 1 : -1;
    for (int k = 0; k < 2; k++) {
        partan_storage storage = k ? PARTAN_STORAGE_BYTES : PARTAN_STORAGE_DENSE;
        partan_settings settings;
        partan_settings_init(&settings);
        settings.gamma_rule = PARTAN_GAMMA_VALUE;
        settings.gamma = 0.1;
        settings.tol = 1e-5;
        partan_data *data;
        partan_model *model;
        assert_int_equal(dense_data(context, values, ROWS, FEATURES, FEATURES, labels, storage, &data), PARTAN_OK);
        assert_int_equal(partan_train(context, data, &settings, NULL, &model), PARTAN_OK);
        assert_int_equal(partan_predict(context, model, data, decision[k]), PARTAN_OK);
        objective[k] = partan_model_result(model)->objective;
        partan_model_free(model);
        partan_data_free(data);
    }
    assert_true(fabs(objective[0] - objective[1]) <= 1e-5 * objective[0]);
    for (size_t i = 0; i < ROWS; i++)
        assert_true(fabs(decision[0][i] - decision[1][i]) <= 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(multiples_are_recognised),
        CONTEXT_TEST(printed_multiples_are_recognised),
        CONTEXT_TEST(one_bad_value_is_enough),
        CONTEXT_TEST(automatic_choice_takes_bytes),
        CONTEXT_TEST(too_many_features_are_refused),
        CONTEXT_TEST(sums_do_not_overflow),
        CONTEXT_TEST(sums_are_the_same_for_all_storages),
        CONTEXT_TEST(models_are_the_same_for_all_storages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
