/* The inverted index of sparse rows: lists hold what the rows hold; values and sums have the bits of those that go row
 * by row, for every instruction set and kernel of a product, and the values are those of double precision. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failing.h"

#include "core/random.h"
#include "kernel/block.h"

enum { FEATURES = 90, VERTICES = 130, MOST_ROWS = 700 };

/* Feature f is in a row with a probability that falls with f: some are in most rows, some in few, some in none. */
static pt_matrix make_matrix(partan_context *context, size_t rows, size_t features, partan_storage storage,
                             uint64_t seed)
{
    pt_random random;
    pt_random_seed(&random, seed);
    pt_segment segment;
    pt_matrix matrix;
    pt_segment_init(&segment, context);
    for (size_t i = 0; i < rows; i++) {
        float values[2 * FEATURES] = {0};
        for (size_t f = 0; f < features && i % 11 != 5; f++) /* and some rows are empty */
            if (pt_random_uniform(&random) < 3.0 / (double)(f + 3) && f % 7 != 6)
                values[f] = (float)pt_random_normal(&random) / 4;
        assert_int_equal(pt_segment_add(&segment, NULL, values, features), PARTAN_OK);
    }
    assert_int_equal(pt_matrix_build(context, &segment, 1, storage, features, &matrix), PARTAN_OK);
    return matrix;
}

static void check_lists(const pt_index_part *p, const pt_matrix *matrix, size_t first, size_t rows)
{
    float *found = calloc(rows * FEATURES, sizeof *found);
    size_t dense_columns = 0, listed = 0;
    for (size_t f = 0; f < FEATURES; f++) {
        pt_index_list list = p->lists[f];
        dense_columns += list.count == PT_DENSE_COLUMN;
        listed += list.count != PT_DENSE_COLUMN && list.count > 0;
        for (size_t i = 0; list.count == PT_DENSE_COLUMN && i < rows; i++)
            found[i * FEATURES + f] = p->dense[list.start * p->stride + i];
        for (uint32_t i = 0; list.count != PT_DENSE_COLUMN && i < list.count; i++)
            found[p->where[list.start + i] * (size_t)FEATURES + f] = p->values[list.start + i];
    }
    assert_true(dense_columns > 0 && (listed > 0 || rows < 20));
    for (size_t i = 0; i < rows; i++) {
        for (int64_t k = matrix->offsets[first + i]; k < matrix->offsets[first + i + 1]; k++) {
            float *at = &found[i * FEATURES + (size_t)matrix->indices[k]];
            assert_true(*at == matrix->values[k]);
            *at = 0;
        }
        for (size_t f = 0; f < FEATURES; f++)
            assert_true(found[i * FEATURES + f] == 0);
    }
    free(found);
}

static void lists_hold_the_rows_of_the_last_filling(void **state)
{
    pt_matrix matrix = make_matrix(*state, 400, FEATURES, PARTAN_STORAGE_SPARSE, 1);
    pt_index_part p;
    assert_int_equal(pt_index_part_init(&p, *state, FEATURES), PARTAN_OK);
    static const size_t ranges[][2] = {{0, 400}, {16, 100}, {384, 16}, {0, 399}};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pt_index_part_fill(&p, &matrix, ranges[i][0], ranges[i][1]), PARTAN_OK);
        check_lists(&p, &matrix, ranges[i][0], ranges[i][1]);
    }
    pt_index_part_free(&p);
    pt_matrix_free(&matrix);
}

/* Ranges that begin and end inside parts. */
static void values_in_two(const pt_block *block, const pt_panel *panel, size_t middle, float *out, size_t stride)
{
    middle = middle < block->rows->tiles ? middle : block->rows->tiles;
    pt_block_values(block, panel, 0, middle, out, stride);
    pt_block_values(block, panel, middle, block->rows->tiles - middle, out + middle * PT_TILE, stride);
}

static void check_values(pt_block *block, const pt_kernel *kernel, const pt_matrix *vertices, size_t width)
{
    enum { STRIDE = MOST_ROWS + PT_TILE };
    static _Alignas(PT_ALIGNMENT) float expected[PT_PANEL_WIDE * STRIDE], found[PT_PANEL_WIDE * STRIDE];
    int64_t ids[PT_PANEL_WIDE];
    size_t count = width < 12 ? width : 11;
    pt_panel panel;
    assert_int_equal(pt_panel_init(&panel, block, vertices, width), PARTAN_OK);
    for (int64_t first = 0; first < 12; first += 5) {
        for (size_t c = 0; c < count; c++)
            ids[c] = (first + (int64_t)c) % 12;
        assert_int_equal(pt_panel_pack(&panel, (pt_points){.matrix = vertices}, ids, count), PARTAN_OK);
        assert_true(panel.listed == (block->index != NULL));
        bool listed = panel.listed;
        panel.listed = false;
        pt_block_values(block, &panel, 0, block->rows->tiles, expected, STRIDE);
        panel.listed = listed;
        memset(found, 0xff, sizeof found);
        values_in_two(block, &panel, block->rows->tiles / 3 + (size_t)first % 3, found, STRIDE);
        for (size_t c = 0; c < width; c++)
            assert_memory_equal(found + c * STRIDE, expected + c * STRIDE, block->rows->rows * sizeof *found);
        for (size_t i = 0; i < block->rows->rows * count; i++) {
            size_t row = i / count, c = i % count;
            double exact = pt_kernel_value(kernel, (pt_points){.matrix = block->rows}, row,
                                           (pt_points){.matrix = vertices}, (size_t)ids[c]);
            assert_true(fabs((double)found[c * STRIDE + row] - exact) <= 3e-6 * (1 + fabs(exact)));
        }
    }
    pt_panel_free(&panel);
}

static const partan_kernel kernels[] = {PARTAN_KERNEL_LINEAR, PARTAN_KERNEL_POLYNOMIAL, PARTAN_KERNEL_RBF,
                                        PARTAN_KERNEL_SIGMOID};

static void values_have_the_bits_of_those_row_by_row(void **state)
{
    partan_context *context = *state;
    static const size_t rows[] = {1, 17, 250, MOST_ROWS}, features[] = {FEATURES, FEATURES + 40, FEATURES - 30};
    for (int isa = 0; isa < PT_ISA_COUNT; isa++)
        for (int r = 0; r < 4 && pt_isa_available((pt_isa)isa); r++)
            for (int k = 0; k < 4; k++) {
                context->isa = (pt_isa)isa;
                pt_matrix x = make_matrix(context, rows[r], FEATURES, PARTAN_STORAGE_SPARSE, 2);
                pt_matrix z = make_matrix(context, 12, features[(r + k) % 3], PARTAN_STORAGE_SPARSE, 3);
                pt_kernel kernel = {.kind = kernels[k], .gamma = 0.3, .coef0 = 0.2, .degree = 3};
                pt_block block;
                pt_index index = {0};
                assert_int_equal(pt_block_init(&block, context, &kernel, &x, &z), PARTAN_OK);
                if (pt_block_by_index(&block)) {
                    assert_int_equal(pt_index_make(&index, &x, 96), PARTAN_OK);
                    block.index = &index;
                }
                assert_true(block.index || isa == PT_ISA_REFERENCE);
                check_values(&block, &kernel, &z, 1);
                check_values(&block, &kernel, &z, PT_PANEL);
                check_values(&block, &kernel, &z, PT_PANEL_WIDE);
                pt_index_free(&index);
                pt_matrix_free(&x);
                pt_matrix_free(&z);
            }
}

static void distances_go_row_by_row(void **state)
{
    pt_matrix x = make_matrix(*state, 50, FEATURES, PARTAN_STORAGE_SPARSE, 2);
    pt_block block;
    pt_kernel laplacian = {.kind = PARTAN_KERNEL_LAPLACIAN, .gamma = 1},
              far = {.kind = PARTAN_KERNEL_RBF, .gamma = 1e4};
    assert_int_equal(pt_block_init(&block, *state, &laplacian, &x, &x), PARTAN_OK);
    assert_false(pt_block_by_index(&block));
    assert_int_equal(pt_block_init(&block, *state, &far, &x, &x), PARTAN_OK);
    assert_false(pt_block_by_index(&block));
    pt_matrix_free(&x);
}

/* Dense vertices make panels; the same ones held sparse go by the inverted index. */
static void sums_have_the_bits_of_those_by_panels(void **state)
{
    partan_context *context = *state;
    pt_matrix x = make_matrix(context, 3000, FEATURES, PARTAN_STORAGE_SPARSE, 4);
    pt_matrix sparse = make_matrix(context, VERTICES, FEATURES, PARTAN_STORAGE_SPARSE, 5);
    pt_matrix dense = make_matrix(context, VERTICES, FEATURES, PARTAN_STORAGE_DENSE, 5);
    double weights[VERTICES], *expected = malloc(3000 * sizeof *expected), *found = malloc(3000 * sizeof *found);
    for (int i = 0; i < VERTICES; i++)
        weights[i] = (i % 2 ? 1.0 : -0.7) / (i + 1);
    for (int isa = 0; isa < PT_ISA_COUNT; isa++)
        for (int k = 0; k < 4 && pt_isa_available((pt_isa)isa); k++) {
            context->isa = (pt_isa)isa;
            pt_kernel kernel = {.kind = kernels[k], .gamma = 0.3, .coef0 = 0.2, .degree = 3};
            pt_points rows = {.matrix = &x}, by_index = {.matrix = &sparse}, by_panels = {.matrix = &dense};
            assert_int_equal(pt_kernel_sums(context, &kernel, rows, by_panels, VERTICES, weights, expected), PARTAN_OK);
            assert_int_equal(pt_kernel_sums(context, &kernel, rows, by_index, VERTICES, weights, found), PARTAN_OK);
            assert_memory_equal(found, expected, 3000 * sizeof *found);
            assert_int_equal(pt_kernel_sums_float32(context, &kernel, rows, by_panels, VERTICES, weights, expected),
                             PARTAN_OK);
            assert_int_equal(pt_kernel_sums_float32(context, &kernel, rows, by_index, VERTICES, weights, found),
                             PARTAN_OK);
            assert_memory_equal(found, expected, 3000 * sizeof *found);
        }
    free(expected);
    free(found);
    pt_matrix_free(&x);
    pt_matrix_free(&sparse);
    pt_matrix_free(&dense);
}

static partan_status index_and_sum(partan_context *context)
{
    partan_context *own = partan_create(NULL);
    assert_non_null(own);
    own->threads = 1;
    pt_matrix x = make_matrix(own, 200, FEATURES, PARTAN_STORAGE_SPARSE, 4);
    double weights[VERTICES] = {1}, sums[200];
    pt_index index = {0};
    pt_kernel kernel = {.kind = PARTAN_KERNEL_RBF, .gamma = 0.3};
    x.context = context;
    partan_status status = pt_index_make(&index, &x, 64);
    if (!status)
        status = pt_kernel_sums(context, &kernel, (pt_points){.matrix = &x}, (pt_points){.matrix = &x}, VERTICES,
                                weights, sums);
    if (!status)
        status = pt_kernel_sums_exact(context, &kernel, (pt_points){.matrix = &x}, (pt_points){.matrix = &x}, VERTICES,
                                      weights, sums);
    pt_index_free(&index);
    x.context = own;
    pt_matrix_free(&x);
    partan_destroy(own);
    return status;
}

static void out_of_memory_is_reported(void **state)
{
    (void)state;
    check_every_allocation(index_and_sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(lists_hold_the_rows_of_the_last_filling),
        SERIAL_TEST(values_have_the_bits_of_those_row_by_row),
        SERIAL_TEST(distances_go_row_by_row),
        CONTEXT_TEST(sums_have_the_bits_of_those_by_panels),
        cmocka_unit_test(out_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
