/* Blocks of kernel values: every instruction set that this machine has against the reference, and the reference
 * against single values in double precision, for all kernels, storages, panel widths and odd sizes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "testing.h"

#include "core/random.h"
#include "data/data.h"
#include "kernel/block.h"
#include "kernel/kinds.h"
#include "kernel/pass.h"

enum { VERTICES = 11, MOST_ROWS = 1000 };

typedef enum content {
    PLAIN,
    BINARY,
    FAR,   /* a large common offset, so that norms are large */
    STEPS, /* k / 255 */
    COUNTS /* 0 .. 255 */
} content;

static void fill(float *values, size_t count, content kind, pt_random *random)
{
    for (size_t i = 0; i < count; i++) {
        bool zero = pt_random_uniform(random) < 0.4;
        values[i] = kind == FAR      ? 100 + (float)pt_random_normal(random)
                    : zero           ? 0
                    : kind == BINARY ? 1
                    : kind == STEPS  ? (float)pt_random_below(random, 256) / 255
                    : kind == COUNTS ? (float)pt_random_below(random, 256)
                                     : (float)pt_random_normal(random);
    }
}

static pt_matrix make_matrix(partan_context *context, size_t rows, size_t features, content kind,
                             partan_storage storage, uint64_t seed)
{
    pt_random random;
    pt_random_seed(&random, seed);
    float *values = malloc(rows * features * sizeof *values);
    fill(values, rows * features, kind, &random);
    pt_segment segment;
    pt_matrix matrix;
    pt_segment_init(&segment, context);
    for (size_t i = 0; i < rows; i++)
        assert_int_equal(pt_segment_add(&segment, NULL, values + i * features, features), PARTAN_OK);
    assert_int_equal(pt_matrix_build(context, &segment, 1, storage, features, &matrix), PARTAN_OK);
    free(values);
    return matrix;
}

/* gamma so that exponents and powers are about 1. */
static pt_kernel make_kernel(partan_kernel kind, size_t features)
{
    double n = (double)features;
    return (pt_kernel){
        .kind = kind, .gamma = kind == PARTAN_KERNEL_LAPLACIAN ? 1 / n : 0.7 / n, .coef0 = 0.3, .degree = 3};
}

/* The same, so much smaller that all values are close to 1, and taken less 1. */
static pt_kernel near_one(pt_kernel kernel)
{
    kernel.gamma *= 1e-4;
    kernel.less_one = true;
    return kernel;
}

/* |x_i|^2 of all rows. */
static void take_norms(const pt_matrix *matrix, double *norms)
{
    pt_kernel linear = {.kind = PARTAN_KERNEL_LINEAR};
    pt_points points = {.matrix = matrix};
    for (size_t i = 0; i < matrix->rows; i++)
        norms[i] = pt_kernel_value(&linear, points, i, points, i);
}

/* What float32 may lose: a share of the kernel's scale that grows with the length of the sum. */
static double allowed(const pt_kernel *kernel, pt_form form, double x, double z, size_t features)
{
    double unit = 5e-7 * (1 + sqrt((double)features) / 10), product = sqrt(x * z);
    if (kernel->less_one) /* at most the exponent */
        unit *= kernel->gamma * (form == PT_FORM_LAPLACIAN ? sqrt(2 * (double)features * (x + z)) : 2 * (x + z));
    switch (form) {
    case PT_FORM_LINEAR:
        return unit * (product + 1e-6);
    case PT_FORM_POLYNOMIAL:
        return unit * kernel->degree * pow(kernel->gamma * product + fabs(kernel->coef0) + 0.1, kernel->degree);
    case PT_FORM_SIGMOID:
        return unit * (1 + kernel->gamma * product);
    case PT_FORM_RBF_DOT:
        return unit * (1 + kernel->gamma * (x + z));
    default:
        return unit;
    }
}

/* Weighed sums against those of the reference's values, for the instruction set that the block is set to. */
static void check_weighing(const pt_block *block, const pt_panel *panel, const float *expected, double unit)
{
    size_t tiles = block->rows->tiles, padded = tiles * PT_TILE, first = tiles / 3;
    float weights[PT_PANEL_WIDE];
    double *sums = pt_alloc(block->context, padded, sizeof *sums);
    for (size_t c = 0; c < panel->width; c++)
        weights[c] = c < panel->count ? (c % 2 ? 0.25f : -0.625f) : 0;
    for (size_t i = 0; i < padded; i++)
        sums[i] = (double)i;
    pt_block_weigh(block, panel, 0, first, weights, sums);
    pt_block_weigh(block, panel, first, tiles - first, weights, sums + first * PT_TILE);
    for (size_t i = 0; i < block->rows->rows; i++) {
        double sum = (double)i, size = 0;
        for (size_t c = 0; c < panel->count; c++) {
            sum += (double)weights[c] * (double)expected[c * padded + i];
            size += fabs((double)expected[c * padded + i]);
        }
        assert_true(fabs(sums[i] - sum) <= unit * (double)panel->width + 1e-6 * size);
    }
    pt_free(block->context, sums);
}

static void check_panel(pt_block *block, const pt_kernel *kernel, const pt_matrix *vertices, size_t width, size_t count)
{
    static double norms[MOST_ROWS], vertex_norms[VERTICES];
    take_norms(block->rows, norms);
    take_norms(vertices, vertex_norms);
    partan_context *context = block->context;
    size_t padded = block->rows->tiles * PT_TILE;
    float *expected = pt_alloc(context, padded * width, sizeof *expected);
    float *found = pt_alloc(context, padded * width, sizeof *found);
    int64_t ids[PT_PANEL_WIDE], before[PT_PANEL_WIDE];
    for (size_t c = 0; c < width; c++) {
        ids[c] = (int64_t)((c * 7 + 2) % VERTICES);
        before[c] = (int64_t)((c * 3 + 1) % VERTICES);
    }
    pt_panel panel;
    assert_int_equal(pt_panel_init(&panel, block, vertices, width), PARTAN_OK);
    pt_points points = {.matrix = vertices};
    /* Packing twice: what was there before must not shine through. */
    assert_int_equal(pt_panel_pack(&panel, points, before, width), PARTAN_OK);
    assert_int_equal(pt_panel_pack(&panel, points, ids, count), PARTAN_OK);

    block->ops = pt_block_ops_for(PT_ISA_REFERENCE);
    pt_block_values(block, &panel, 0, block->rows->tiles, expected, padded);
    size_t features = block->rows->features > vertices->features ? block->rows->features : vertices->features;
    for (int isa = 0; isa < PT_ISA_COUNT; isa++) {
        if (!pt_isa_available((pt_isa)isa))
            continue;
        block->ops = pt_block_ops_for((pt_isa)isa);
        memset(found, 0xff, padded * width * sizeof *found);
        /* In two pieces, so that ranges that begin inside are seen too. */
        size_t first = block->rows->tiles / 3;
        pt_block_values(block, &panel, 0, first, found, padded);
        pt_block_values(block, &panel, first, block->rows->tiles - first, found + first * PT_TILE, padded);
        double most = 0;
        for (size_t c = 0; c < count; c++)
            for (size_t i = 0; i < block->rows->rows; i++) {
                double x = norms[i], z = vertex_norms[ids[c]];
                most = fmax(most, allowed(kernel, block->form, x, z, features));
                double difference = fabs((double)found[c * padded + i] - (double)expected[c * padded + i]);
                if (!(difference <= allowed(kernel, block->form, x, z, features)))
                    fail_msg("%s, %s, %s, %zu x %zu, width %zu: row %zu, column %zu is %g, expected %g",
                             pt_isa_name((pt_isa)isa), partan_kernel_name(kernel->kind),
                             partan_storage_name(block->rows->storage), block->rows->rows, block->rows->features, width,
                             i, c, (double)found[c * padded + i], (double)expected[c * padded + i]);
            }
        check_weighing(block, &panel, expected, most);
    }
    for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < block->rows->rows; i += 1 + block->rows->rows / 20) {
            double exact = pt_kernel_value(kernel, (pt_points){.matrix = block->rows}, i, points, (size_t)ids[c]);
            double x = norms[i], z = vertex_norms[ids[c]];
            assert_true(fabs((double)expected[c * padded + i] - exact) <= allowed(kernel, block->form, x, z, features));
        }
    pt_panel_free(&panel);
    pt_free(context, expected);
    pt_free(context, found);
}

static void check_kernel(partan_context *context, pt_kernel kernel, const pt_matrix *x, const pt_matrix *z,
                         content kind)
{
    pt_block block;
    assert_int_equal(pt_block_init(&block, context, &kernel, x, z), PARTAN_OK);
    if (kernel.kind == PARTAN_KERNEL_RBF && kind != BINARY && kind != STEPS && kind != COUNTS)
        assert_int_equal(block.form, kind == FAR && !kernel.less_one ? PT_FORM_RBF : PT_FORM_RBF_DOT);
    check_panel(&block, &kernel, z, 1, 1);
    check_panel(&block, &kernel, z, PT_PANEL, PT_PANEL);
    check_panel(&block, &kernel, z, PT_PANEL, 3);
    assert_int_equal(pt_block_width(&block), x->storage == PARTAN_STORAGE_SPARSE ? PT_PANEL_WIDE : PT_PANEL);
    if (x->storage == PARTAN_STORAGE_SPARSE)
        check_panel(&block, &kernel, z, PT_PANEL_WIDE, 13);
}

static void check_block(partan_context *context, size_t rows, size_t features, size_t vertex_features, content kind,
                        partan_storage storage)
{
    pt_matrix x = make_matrix(context, rows, features, kind, storage, 1);
    pt_matrix z = make_matrix(context, VERTICES, vertex_features, kind, storage, 2);
    FOR_EVERY_KERNEL(k) {
        if (k == PARTAN_KERNEL_PRECOMPUTED)
            continue;
        if (kind == FAR && k == PARTAN_KERNEL_POLYNOMIAL)
            continue; /* 5000^3: nothing but its own rounding */
        pt_kernel kernel = make_kernel((partan_kernel)k, features);
        check_kernel(context, kernel, &x, &z, kind);
        if (pt_kernel_kind_of(kernel.kind)->decays)
            check_kernel(context, near_one(kernel), &x, &z, kind);
    }
    pt_matrix_free(&x);
    pt_matrix_free(&z);
}

static void all_instruction_sets_agree(void **state)
{
    static const size_t sizes[][2] = {{1, 1},    {15, 2},   {16, 31},   {17, 32},  {1000, 33}, {100, 123},
                                      {33, 300}, {50, 784}, {17, 5000}, {97, 255}, {33, 256},  {40, 4096}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        size_t rows = sizes[i][0], features = sizes[i][1];
        check_block(*state, rows, features, features, PLAIN, PARTAN_STORAGE_DENSE);
        check_block(*state, rows, features, features, PLAIN, PARTAN_STORAGE_SPARSE);
        check_block(*state, rows, features, features, BINARY, PARTAN_STORAGE_BITS);
        check_block(*state, rows, features, features, STEPS, PARTAN_STORAGE_BYTES);
        check_block(*state, rows, features, features, COUNTS, PARTAN_STORAGE_BYTES);
        check_block(*state, rows, features, features, FAR, PARTAN_STORAGE_DENSE);
        check_block(*state, rows, features, features, FAR, PARTAN_STORAGE_SPARSE);
    }
}

static void vertices_may_have_more_or_fewer_features(void **state)
{
    static const size_t sizes[][2] = {{20, 37}, {37, 20}, {33, 1}, {1, 33}, {250, 300}, {32, 64}};
    for (size_t i = 0; i < 6; i++) {
        check_block(*state, 49, sizes[i][0], sizes[i][1], PLAIN, PARTAN_STORAGE_DENSE);
        check_block(*state, 49, sizes[i][0], sizes[i][1], PLAIN, PARTAN_STORAGE_SPARSE);
        check_block(*state, 49, sizes[i][0], sizes[i][1], BINARY, PARTAN_STORAGE_BITS);
        check_block(*state, 49, sizes[i][0], sizes[i][1], STEPS, PARTAN_STORAGE_BYTES);
        check_block(*state, 49, sizes[i][0], sizes[i][1], FAR, PARTAN_STORAGE_DENSE);
    }
}

/* The exponent is a float32 itself. */
static double allowed_of_exponential(double x, bool less_one)
{
    double unit = 0x1p-24 * (3 - 2 * x);
    if (less_one)
        return -unit * expm1(x);
    return x > -87 ? unit * exp(x) : 1.3e-38;
}

/* One feature, the vertex at 0: the value is exp(-gamma x) of every kind of exponent. */
static void check_exponentials(partan_context *context, bool less_one)
{
    enum { COUNT = 4000 };
    pt_segment segment;
    pt_matrix rows;
    pt_segment_init(&segment, context);
    float zero = 0;
    assert_int_equal(pt_segment_add(&segment, NULL, &zero, 1), PARTAN_OK);
    for (int i = 1; i < COUNT; i++) {
        float x = i < 3000 ? (float)i * 0.03f : (float)pow(10, (i - 3000) / 30.0 - 12);
        assert_int_equal(pt_segment_add(&segment, NULL, &x, 1), PARTAN_OK);
    }
    assert_int_equal(pt_matrix_build(context, &segment, 1, PARTAN_STORAGE_DENSE, 1, &rows), PARTAN_OK);
    pt_kernel kernel = {.kind = PARTAN_KERNEL_LAPLACIAN, .gamma = 1, .less_one = less_one};
    pt_block block;
    pt_panel panel;
    assert_int_equal(pt_block_init(&block, context, &kernel, &rows, &rows), PARTAN_OK);
    assert_int_equal(pt_panel_init(&panel, &block, &rows, 1), PARTAN_OK);
    assert_int_equal(pt_panel_pack(&panel, (pt_points){.matrix = &rows}, (int64_t[]){0}, 1), PARTAN_OK);
    float *out = pt_alloc(context, rows.tiles * PT_TILE, sizeof *out);
    for (int isa = 0; isa < PT_ISA_COUNT; isa++) {
        if (!pt_isa_available((pt_isa)isa))
            continue;
        block.ops = pt_block_ops_for((pt_isa)isa);
        pt_block_values(&block, &panel, 0, rows.tiles, out, rows.tiles * PT_TILE);
        for (size_t i = 0; i < COUNT; i++) {
            double x = -(double)rows.dense[i / PT_TILE * PT_TILE + i % PT_TILE];
            double error = fabs((double)out[i] - (less_one ? expm1(x) : exp(x)));
            assert_true(error <= allowed_of_exponential(x, less_one));
        }
        assert_true(out[0] == (less_one ? 0 : 1));
    }
    pt_panel_free(&panel);
    pt_free(context, out);
    pt_matrix_free(&rows);
}

static void exponentials_are_those_of_the_library(void **state)
{
    check_exponentials(*state, false);
    check_exponentials(*state, true);
}

/* k(x_i, x_j) = k(x_j, x_i) to the last bit: a solver may take either. */
static void kernels_are_symmetric(void **state)
{
    static const struct {
        content kind;
        partan_storage storage;
    } cases[] = {{PLAIN, PARTAN_STORAGE_DENSE},
                 {FAR, PARTAN_STORAGE_DENSE},
                 {PLAIN, PARTAN_STORAGE_SPARSE},
                 {BINARY, PARTAN_STORAGE_BITS},
                 {STEPS, PARTAN_STORAGE_BYTES}};
    enum { COUNT = PT_PANEL, FEATURES = 37 };
    for (int k = 0; k < 5; k++)
        for (int isa = 0; isa < PT_ISA_COUNT; isa++) {
            if (!pt_isa_available((pt_isa)isa))
                continue;
            pt_matrix x = make_matrix(*state, COUNT, FEATURES, cases[k].kind, cases[k].storage, 5);
            pt_kernel kernel = make_kernel(PARTAN_KERNEL_RBF, FEATURES);
            pt_block block;
            pt_panel panel;
            float out[PT_PANEL * PT_TILE];
            int64_t ids[COUNT] = {0, 1, 2, 3, 4, 5, 6, 7};
            assert_int_equal(pt_block_init(&block, *state, &kernel, &x, &x), PARTAN_OK);
            block.ops = pt_block_ops_for((pt_isa)isa);
            assert_int_equal(pt_panel_init(&panel, &block, &x, PT_PANEL), PARTAN_OK);
            assert_int_equal(pt_panel_pack(&panel, (pt_points){.matrix = &x}, ids, COUNT), PARTAN_OK);
            pt_block_values(&block, &panel, 0, 1, out, PT_TILE);
            for (size_t i = 0; i < COUNT; i++)
                for (size_t j = 0; j < i; j++)
                    if (out[i * PT_TILE + j] != out[j * PT_TILE + i])
                        fail_msg("%s, case %d: k(%zu, %zu) is %.9g and %.9g", pt_isa_name((pt_isa)isa), k, i, j,
                                 (double)out[i * PT_TILE + j], (double)out[j * PT_TILE + i]);
            pt_panel_free(&panel);
            pt_matrix_free(&x);
        }
}

static void precomputed_values_are_copied(void **state)
{
    partan_context *context = *state;
    pt_matrix rows = make_matrix(context, 19, 7, PLAIN, PARTAN_STORAGE_DENSE, 8);
    pt_kernel kernel = {.kind = PARTAN_KERNEL_PRECOMPUTED};
    pt_block block;
    pt_panel panel;
    float out[PT_PANEL * 32];
    int64_t serials[] = {6, 0, 3};
    assert_int_equal(pt_block_init(&block, context, &kernel, &rows, NULL), PARTAN_OK);
    assert_int_equal(pt_panel_init(&panel, &block, NULL, PT_PANEL), PARTAN_OK);
    assert_int_equal(pt_panel_pack(&panel, (pt_points){.serials = serials}, (int64_t[]){0, 1, 2}, 3), PARTAN_OK);
    pt_block_values(&block, &panel, 0, 2, out, 32);
    for (size_t i = 0; i < 19; i++)
        for (size_t c = 0; c < 3; c++)
            assert_true(
                (double)out[c * 32 + i]
                == pt_kernel_value(&kernel, (pt_points){.matrix = &rows}, i, (pt_points){.serials = serials}, c));
    pt_panel_free(&panel);
    pt_matrix_free(&rows);
}

/* ---- Sums and combinations ---- */

enum { LONGEST = 131, STRIDE = 160 };

static void sums_agree(void **state)
{
    (void)state;
    static float block[PT_PANEL * STRIDE];
    pt_random random;
    pt_random_seed(&random, 21);
    fill(block, PT_PANEL * STRIDE, PLAIN, &random);
    double weights[LONGEST];
    for (int i = 0; i < LONGEST; i++)
        weights[i] = pt_random_normal(&random);
    for (size_t count = 0; count <= LONGEST; count += count < 20 ? 1 : 37)
        for (int isa = 0; isa < PT_ISA_COUNT; isa++) {
            if (!pt_isa_available((pt_isa)isa))
                continue;
            const pt_block_ops *ops = pt_block_ops_for((pt_isa)isa), *plain = pt_block_ops_for(PT_ISA_REFERENCE);
            double expected[LONGEST + 1], found[LONGEST + 1];
            for (int i = 0; i <= LONGEST; i++)
                expected[i] = found[i] = i;
            plain->accumulate(expected, block, STRIDE, weights, count);
            ops->accumulate(found, block, STRIDE, weights, count);
            for (int i = 0; i <= LONGEST; i++)
                assert_true(fabs(expected[i] - found[i]) <= 1e-13 * (1 + i));
            size_t tiled = count / PT_TILE * PT_TILE;
            pt_pick picks[3] = {{1, 0.5F}, {6, -2}, {3, 0.25F}};
            plain->accumulate_picked(expected, block, STRIDE, picks, 3, tiled);
            ops->accumulate_picked(found, block, STRIDE, picks, 3, tiled);
            for (int i = 0; i <= LONGEST; i++)
                assert_true(fabs(expected[i] - found[i]) <= 1e-6 * (1 + i));
            double left[PT_PANEL] = {1, 2, 3}, right[PT_PANEL] = {1, 2, 3};
            plain->project(block, STRIDE, weights, count, left);
            ops->project(block, STRIDE, weights, count, right);
            for (int c = 0; c < PT_PANEL; c++)
                assert_true(fabs(left[c] - right[c]) <= 1e-12);
        }
}

/* next is an array of its own, `now` or `previous`. */
static void check_combination(const pt_pass_ops *ops, int terms, bool with_previous, int place, size_t begin,
                              size_t end)
{
    pt_random random;
    pt_random_seed(&random, 4);
    double now[LONGEST], previous[LONGEST], apart[LONGEST], kept[2][LONGEST], expected[LONGEST];
    float signs[LONGEST], columns[2][LONGEST];
    for (int i = 0; i < LONGEST; i++) {
        kept[0][i] = now[i] = pt_random_normal(&random);
        kept[1][i] = previous[i] = pt_random_normal(&random);
        apart[i] = 77;
        signs[i] = pt_random_uniform(&random) < 0.5 ? 1 : -1;
        columns[0][i] = (float)pt_random_normal(&random);
        columns[1][i] = (float)pt_random_normal(&random);
    }
    double *next = place == 0 ? apart : place == 1 ? now : previous;
    pt_combination m = {.next = next,
                        .now = now,
                        .previous = with_previous ? previous : NULL,
                        .signs = signs,
                        .column = {columns[0], columns[1]},
                        .now_factor = 0.7,
                        .previous_factor = -0.2,
                        .factor = {0.4, -0.3},
                        .bias = end % 2 ? 1 : 0.25,
                        .terms = terms};
    double least = INFINITY;
    for (size_t i = begin; i < end; i++) {
        expected[i] = 0.7 * now[i] + (with_previous ? -0.2 * previous[i] : 0);
        for (int t = 0; t < terms; t++)
            expected[i] += (double)signs[i] * m.factor[t] * ((double)columns[t][i - begin] + m.bias);
        least = expected[i] < least ? expected[i] : least;
    }
    double found = ops->combine(&m, begin, end), smallest = INFINITY;
    for (size_t i = 0; i < LONGEST; i++) {
        bool inside = i >= begin && i < end;
        double before = place == 0 ? 77 : kept[place - 1][i];
        assert_true(fabs(next[i] - (inside ? expected[i] : before)) <= 1e-14);
        smallest = inside && next[i] < smallest ? next[i] : smallest;
    }
    assert_true(found == smallest); /* exactly one of the entries: the caller looks for it */
    assert_true(begin == end || fabs(found - least) <= 1e-14);
}

static void combinations_agree(void **state)
{
    (void)state;
    for (int isa = 0; isa < PT_ISA_COUNT; isa++)
        for (int terms = 0; terms <= 2 && pt_isa_available((pt_isa)isa); terms++)
            for (int place = 0; place < 3; place++)
                for (size_t end = 0; end <= LONGEST; end += end < 40 ? 1 : 13) {
                    check_combination(pt_pass_ops_for((pt_isa)isa), terms, true, place, end / 3, end);
                    check_combination(pt_pass_ops_for((pt_isa)isa), terms, false, place, end / 3, end);
                }
}

static float value_for(partan_storage storage, pt_random *random)
{
    return storage == PARTAN_STORAGE_BITS    ? 1
           : storage == PARTAN_STORAGE_BYTES ? (float)pt_random_below(random, 256) / 64
                                             : (float)pt_random_normal(random);
}

/* The variants take one column at a time, a pass over all rows has eight: both must see the same matrix. (For sparse
 * rows the last bits may differ.) */
static void one_column_has_the_bits_of_many(void **state)
{
    pt_random random;
    pt_random_seed(&random, 9);
    static float values[64 * 37];
    double labels[64];
    FOR_EVERY_STORAGE(storage)
        FOR_EVERY_KERNEL(k) {
            if (storage == PARTAN_STORAGE_SPARSE || k == PARTAN_KERNEL_PRECOMPUTED)
                continue;
            for (int i = 0; i < 64 * 37; i++)
                values[i] = pt_random_uniform(&random) < 0.4 ? 0 : value_for((partan_storage)storage, &random);
            for (int i = 0; i < 64; i++)
                labels[i] = i;
            partan_data *data = NULL;
            assert_int_equal(dense_data(*state, values, 64, 37, 37, labels, (partan_storage)storage, &data), PARTAN_OK);
            pt_kernel kernel = {.kind = (partan_kernel)k, .gamma = 0.05, .degree = 3, .coef0 = 0.5};
            pt_block block;
            pt_panel one = {0}, eight = {0};
            pt_points points = {&data->matrix, NULL};
            static const int64_t ids[PT_PANEL] = {3, 60, 7, 7, 21, 44, 0, 63};
            static float narrow[64], wide[PT_PANEL][64];
            assert_int_equal(pt_block_init(&block, *state, &kernel, &data->matrix, &data->matrix), PARTAN_OK);
            assert_int_equal(pt_panel_init(&one, &block, &data->matrix, 1), PARTAN_OK);
            assert_int_equal(pt_panel_init(&eight, &block, &data->matrix, PT_PANEL), PARTAN_OK);
            assert_int_equal(pt_panel_pack(&eight, points, ids, PT_PANEL), PARTAN_OK);
            pt_block_values(&block, &eight, 0, 4, wide[0], 64);
            for (int c = 0; c < PT_PANEL; c++) {
                assert_int_equal(pt_panel_pack(&one, points, &ids[c], 1), PARTAN_OK);
                pt_block_values(&block, &one, 0, 4, narrow, 64);
                for (int i = 0; i < 64; i++)
                    if (memcmp(&narrow[i], &wide[c][i], 4) != 0)
                        fail_msg("storage %d, kernel %d: %.9g is not %.9g", storage, k, (double)narrow[i],
                                 (double)wide[c][i]);
            }
            pt_panel_free(&one);
            pt_panel_free(&eight);
            partan_data_free(data);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(all_instruction_sets_agree),
        SERIAL_TEST(vertices_may_have_more_or_fewer_features),
        SERIAL_TEST(exponentials_are_those_of_the_library),
        SERIAL_TEST(kernels_are_symmetric),
        SERIAL_TEST(precomputed_values_are_copied),
        SERIAL_TEST(sums_agree),
        SERIAL_TEST(combinations_agree),
        SERIAL_TEST(one_column_has_the_bits_of_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
