/* Products of columns with vectors: every instruction set against the plain one, in every place a column may be. */
#include "testing.h"

#include <math.h>
#include <stdlib.h>

#include "core/random.h"
#include "kernel/columns.h"

enum { LINES = 5, ROWS = LINES * PT_TILE, COLUMNS = 41 };

static void fill(pt_random *random, float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = (float)pt_random_normal(random);
}

static void fill_double(pt_random *random, double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = pt_random_normal(random);
}

static void same(double a, double b)
{
    assert_true(fabs(a - b) <= 1e-12 * (1 + fabs(b)) * ROWS);
}

/* Columns one after the other, or line by line as tiles of rows have them. */
static pt_columns layout(const float *values, bool tiled)
{
    return (pt_columns){values, tiled ? PT_TILE : ROWS, tiled ? COLUMNS * PT_TILE : PT_TILE, LINES};
}

static void every_instruction_set_has_the_same_products(void **state)
{
    (void)state;
    static float values[COLUMNS * ROWS];
    static double vectors[PT_COLUMN_VECTORS * ROWS], out[COLUMNS * PT_COLUMN_VECTORS],
        plain[COLUMNS * PT_COLUMN_VECTORS];
    const pt_columns_ops *reference = pt_columns_ops_for(PT_ISA_REFERENCE);
    pt_random random;
    pt_random_seed(&random, 1);
    fill(&random, values, COLUMNS * ROWS);
    fill_double(&random, vectors, PT_COLUMN_VECTORS * ROWS);
    int64_t which[COLUMNS];
    for (size_t i = 0; i < COLUMNS; i++)
        which[i] = (int64_t)((i * 7) % COLUMNS);
    for (int isa = 1; isa < PT_ISA_COUNT; isa++) {
        if (!pt_isa_available((pt_isa)isa))
            continue;
        const pt_columns_ops *ops = pt_columns_ops_for((pt_isa)isa);
        for (int tiled = 0; tiled < 2; tiled++)
            for (int listed = 0; listed < 2; listed++)
                for (size_t count = 1; count <= PT_COLUMN_VECTORS; count++) {
                    pt_columns c = layout(values, tiled);
                    for (size_t i = 0; i < COLUMNS * PT_COLUMN_VECTORS; i++)
                        out[i] = plain[i] = (double)i;
                    ops->dots(&c, listed ? which : NULL, 2, COLUMNS - 2, vectors, ROWS, count, out);
                    reference->dots(&c, listed ? which : NULL, 2, COLUMNS - 2, vectors, ROWS, count, plain);
                    for (size_t i = 0; i < COLUMNS * PT_COLUMN_VECTORS; i++)
                        same(out[i], plain[i]);
                }
    }
}

static void single_columns_and_vectors_too(void **state)
{
    (void)state;
    static float values[COLUMNS * ROWS];
    static double vectors[2][ROWS], other[2][ROWS], ones[ROWS];
    const pt_columns_ops *reference = pt_columns_ops_for(PT_ISA_REFERENCE);
    pt_random random;
    pt_random_seed(&random, 2);
    fill(&random, values, COLUMNS * ROWS);
    for (size_t i = 0; i < ROWS; i++)
        ones[i] = i % 3 > 0;
    for (int isa = 1; isa < PT_ISA_COUNT; isa++) {
        if (!pt_isa_available((pt_isa)isa))
            continue;
        const pt_columns_ops *ops = pt_columns_ops_for((pt_isa)isa);
        for (int tiled = 0; tiled < 2; tiled++)
            for (size_t column = 0; column < COLUMNS; column += 8) {
                pt_columns c = layout(values, tiled);
                double sums[2], plain[2];
                ops->moments(&c, column, ones, 0.3, sums);
                reference->moments(&c, column, ones, 0.3, plain);
                same(sums[0], plain[0]);
                same(sums[1], plain[1]);
                fill_double(&random, vectors[0], ROWS);
                for (size_t i = 0; i < ROWS; i++)
                    vectors[1][i] = vectors[0][i];
                ops->add(&c, column, -1.7, vectors[0]);
                reference->add(&c, column, -1.7, vectors[1]);
                for (size_t i = 0; i < ROWS; i++)
                    same(vectors[0][i], vectors[1][i]);
            }
        for (size_t count = 0; count < ROWS; count++) {
            fill_double(&random, other[0], ROWS);
            for (size_t i = 0; i < ROWS; i++)
                vectors[1][i] = vectors[0][i];
            ops->axpy(0.7, other[0], count, vectors[0]);
            reference->axpy(0.7, other[0], count, vectors[1]);
            for (size_t i = 0; i < ROWS; i++)
                same(vectors[0][i], vectors[1][i]);
            same(ops->dot(other[0], vectors[0], count), reference->dot(other[0], vectors[0], count));
        }
    }
}

static void and_compressed_columns(void **state)
{
    (void)state;
    enum { NONZEROS = 400 };
    static float values[NONZEROS];
    static int32_t rows[NONZEROS];
    static double vectors[PT_COLUMN_VECTORS * ROWS], out[COLUMNS * PT_COLUMN_VECTORS],
        plain[COLUMNS * PT_COLUMN_VECTORS];
    int64_t offsets[COLUMNS + 1] = {0}, which[COLUMNS];
    const pt_columns_ops *reference = pt_columns_ops_for(PT_ISA_REFERENCE);
    pt_random random;
    pt_random_seed(&random, 3);
    fill(&random, values, NONZEROS);
    fill_double(&random, vectors, PT_COLUMN_VECTORS * ROWS);
    for (size_t i = 0; i < NONZEROS; i++)
        rows[i] = (int32_t)pt_random_below(&random, ROWS);
    for (size_t j = 0; j < COLUMNS; j++) {
        int64_t left = NONZEROS - offsets[j], some = (int64_t)pt_random_below(&random, 20);
        offsets[j + 1] = offsets[j] + (some < left ? some : left);
        which[j] = (int64_t)(COLUMNS - 1 - j);
    }
    pt_sparse_columns c = {offsets, rows, values};
    for (int isa = 1; isa < PT_ISA_COUNT; isa++) {
        if (!pt_isa_available((pt_isa)isa))
            continue;
        for (size_t count = 1; count <= PT_COLUMN_VECTORS; count++)
            for (int listed = 0; listed < 2; listed++) {
                for (size_t i = 0; i < COLUMNS * PT_COLUMN_VECTORS; i++)
                    out[i] = plain[i] = (double)i;
                pt_columns_ops_for((pt_isa)isa)
                    ->sparse_dots(&c, listed ? which : NULL, 1, COLUMNS - 1, vectors, count, out);
                reference->sparse_dots(&c, listed ? which : NULL, 1, COLUMNS - 1, vectors, count, plain);
                for (size_t i = 0; i < COLUMNS * PT_COLUMN_VECTORS; i++)
                    same(out[i], plain[i]);
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_set_has_the_same_products),
        cmocka_unit_test(single_columns_and_vectors_too),
        cmocka_unit_test(and_compressed_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
