/* Every storage holds the same rows: what goes in comes out, copies and conversions agree, hashes and fingerprints do
 * not depend on the storage, and the layout in memory is the one the kernels count on. */
#include "testing.h"

#include <math.h>
#include <string.h>

#include "core/random.h"
#include "data/data.h"

enum { ROWS = 37, FEATURES = 70 };

/* Rows with about one value in four other than zero; row 5 is empty, rows 7 and 9 are equal. */
static void make_values(float *values, partan_storage storage)
{
    pt_random random;
    pt_random_seed(&random, 3);
    for (size_t i = 0; i < ROWS * FEATURES; i++) {
        bool zero = pt_random_below(&random, 4) != 0 || i / FEATURES == 5;
        values[i] = zero                              ? 0
                    : storage == PARTAN_STORAGE_BITS  ? 1
                    : storage == PARTAN_STORAGE_BYTES ? (float)pt_random_below(&random, 256) / 255
                                                      : (float)pt_random_normal(&random);
    }
    memcpy(values + 9 * FEATURES, values + 7 * FEATURES, FEATURES * sizeof *values);
}

static partan_data *make_data(partan_context *context, const float *values, partan_storage storage)
{
    double labels[ROWS];
    for (int i = 0; i < ROWS; i++)
        labels[i] = i % 3 ? 1 : -1;
    partan_data *data;
    assert_int_equal(dense_data(context, values, ROWS, FEATURES, FEATURES, labels, storage, &data), PARTAN_OK);
    assert_int_equal(partan_data_storage(data), storage);
    return data;
}

static void assert_rows(const pt_matrix *matrix, const float *values)
{
    int32_t indices[FEATURES];
    float row[FEATURES], found[FEATURES];
    assert_true(pt_matrix_row_room(matrix) <= matrix->features);
    uint64_t nonzeros = 0;
    for (size_t i = 0; i < matrix->rows; i++) {
        size_t count = pt_matrix_row(matrix, i, indices, found);
        memset(row, 0, sizeof row);
        for (size_t k = 0; k < count; k++) {
            assert_true(found[k] != 0 && (k == 0 || indices[k] > indices[k - 1]));
            row[indices[k]] = found[k];
        }
        nonzeros += count;
        double norm = 0;
        for (size_t f = 0; f < FEATURES; f++) {
            assert_true(row[f] == values[i * FEATURES + f]);
            norm += (double)row[f] * row[f];
        }
        if (matrix->norms)
            assert_true(matrix->norms[i] == (float)norm);
    }
    assert_true(nonzeros == matrix->nonzeros);
}

static void rows_round_trip(void **state)
{
    float values[ROWS * FEATURES];
    for (size_t s = 0; s < STORAGES; s++) {
        make_values(values, every_storage(s));
        partan_data *data = make_data(*state, values, every_storage(s));
        assert_rows(&data->matrix, values);
        partan_data_free(data);
    }
}

static void layout_is_tiled_and_padded(void **state)
{
    float values[ROWS * FEATURES];
    make_values(values, PARTAN_STORAGE_BITS);
    partan_data *dense = make_data(*state, values, PARTAN_STORAGE_DENSE);
    partan_data *bits = make_data(*state, values, PARTAN_STORAGE_BITS);
    assert_int_equal(dense->matrix.tiles, 3);
    assert_int_equal(bits->matrix.words, 3);
    for (size_t row = 0; row < 3 * PT_TILE; row++)
        for (size_t f = 0; f < FEATURES; f++) {
            float expected = row < ROWS ? values[row * FEATURES + f] : 0;
            size_t tile = row / PT_TILE, lane = row % PT_TILE;
            assert_true(dense->matrix.dense[(tile * FEATURES + f) * PT_TILE + lane] == expected);
            uint32_t word = bits->matrix.bits[(tile * 3 + f / 32) * PT_TILE + lane];
            assert_int_equal(word >> f % 32 & 1, expected == 1);
        }
    assert_true(dense->matrix.norms[ROWS] == 0 && dense->matrix.norms[3 * PT_TILE - 1] == 0);
    assert_null(bits->matrix.norms);
    partan_data_free(dense);
    partan_data_free(bits);
}

static void conversions_agree(void **state)
{
    float values[ROWS * FEATURES];
    make_values(values, PARTAN_STORAGE_BITS);
    for (size_t from = 0; from < STORAGES; from++)
        for (size_t to = 0; to < STORAGES; to++) {
            partan_data *data = make_data(*state, values, every_storage(from));
            uint64_t fingerprint = partan_data_fingerprint(data);
            pt_matrix other;
            assert_int_equal(pt_matrix_convert(&data->matrix, every_storage(to), 100, &other), PARTAN_OK);
            assert_int_equal(other.storage, every_storage(to));
            assert_int_equal(other.features, 100);
            assert_rows(&other, values);
            for (size_t row = 0; row < ROWS; row++) {
                assert_true(pt_matrix_rows_equal(&data->matrix, row, &other, row));
                assert_int_equal(pt_matrix_row_hash(&data->matrix, row), pt_matrix_row_hash(&other, row));
            }
            assert_true(pt_matrix_rows_equal(&data->matrix, 7, &other, 9));
            assert_false(pt_matrix_rows_equal(&data->matrix, 7, &other, 8));
            assert_false(pt_matrix_rows_equal(&data->matrix, 7, &other, 5));
            pt_matrix_free(&data->matrix);
            data->matrix = other;
            assert_true(partan_data_fingerprint(data) == fingerprint); /* padding changes nothing */
            partan_data_free(data);
        }
}

static void fingerprint_notices_changes(void **state)
{
    float values[ROWS * FEATURES];
    make_values(values, PARTAN_STORAGE_DENSE);
    partan_data *data = make_data(*state, values, PARTAN_STORAGE_DENSE);
    uint64_t before = partan_data_fingerprint(data);
    data->labels[3] = 7;
    uint64_t label = partan_data_fingerprint(data);
    partan_data_free(data);
    values[11] += 1;
    data = make_data(*state, values, PARTAN_STORAGE_SPARSE);
    uint64_t value = partan_data_fingerprint(data);
    partan_data_free(data);
    assert_true(before != label && before != value && label != value);
}

static void gathered_rows_are_the_rows(void **state)
{
    static const int64_t rows[] = {36, 0, 5, 5, 20, 16, 15, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12};
    enum { COUNT = sizeof rows / sizeof rows[0] };
    float values[ROWS * FEATURES];
    make_values(values, PARTAN_STORAGE_BITS);
    for (size_t s = 0; s < STORAGES; s++) {
        partan_data *data = make_data(*state, values, every_storage(s));
        pt_matrix some;
        assert_int_equal(pt_matrix_gather(&data->matrix, rows, COUNT, &some), PARTAN_OK);
        assert_int_equal(some.storage, every_storage(s));
        float expected[COUNT * FEATURES];
        for (size_t i = 0; i < COUNT; i++)
            memcpy(expected + i * FEATURES, values + rows[i] * FEATURES, FEATURES * sizeof *values);
        assert_rows(&some, expected);
        pt_matrix_free(&some);
        assert_int_equal(pt_matrix_gather(&data->matrix, rows, 0, &some), PARTAN_OK);
        assert_int_equal(some.rows, 0);
        pt_matrix_free(&some);
        partan_data_free(data);
    }
}

/* Segments with and without gaps, explicit zeros, and empty ones. */
static void segments_become_the_matrix(void **state)
{
    partan_context *context = *state;
    float values[ROWS * FEATURES];
    for (size_t s = 0; s < STORAGES; s++) {
        make_values(values, every_storage(s));
        pt_segment segments[4];
        for (int i = 0; i < 4; i++)
            pt_segment_init(&segments[i], context);
        for (size_t row = 0; row < ROWS; row++) {
            int32_t indices[FEATURES];
            float nonzeros[FEATURES];
            size_t count = 0;
            for (size_t f = 0; f < FEATURES; f++)
                if (values[row * FEATURES + f] != 0 || f % 9 == 0) { /* some explicit zeros */
                    indices[count] = (int32_t)f;
                    nonzeros[count++] = values[row * FEATURES + f] == 0 ? -0.0f : values[row * FEATURES + f];
                }
            pt_segment *segment = &segments[row < 10 ? 0 : row < 30 ? 1 : 3];
            partan_status status = row < 15 ? pt_segment_add(segment, NULL, values + row * FEATURES, FEATURES)
                                            : pt_segment_add(segment, indices, nonzeros, count);
            assert_int_equal(status, PARTAN_OK);
            pt_segment_expect(segment, row % 7 * 9, row % 5 * 100); /* changes nothing but the room */
        }
        assert_null(segments[0].indices);
        assert_non_null(segments[1].indices);
        pt_matrix matrix;
        assert_int_equal(pt_matrix_build(context, segments, 4, every_storage(s), 80, &matrix), PARTAN_OK);
        assert_int_equal(matrix.features, 80);
        assert_rows(&matrix, values);
        pt_matrix_free(&matrix);
    }
}

static void expected_rows_find_room(void **state)
{
    static const int32_t indices[] = {1, 4, 5};
    static const float values[] = {1, 2, 3};
    pt_segment segment;
    pt_segment_init(&segment, *state);
    for (size_t row = 0; row < 20; row++)
        assert_int_equal(pt_segment_add(&segment, indices, values, 3), PARTAN_OK);
    pt_segment_expect(&segment, 5000, 15000);
    const void *kept[] = {segment.offsets, segment.indices, segment.values};
    for (size_t row = 20; row < 5000; row++)
        assert_int_equal(pt_segment_add(&segment, indices, values, 3), PARTAN_OK);
    assert_true(kept[0] == segment.offsets && kept[1] == segment.indices && kept[2] == segment.values);
    assert_true(segment.capacity == 15000);
    assert_int_equal(segment.rows, 5000);
    pt_segment_free(&segment);
}

static void bits_refuse_other_values(void **state)
{
    const float values[] = {0, 1, 1, 0.5f};
    partan_data *data;
    assert_int_equal(dense_data(*state, values, 2, 2, 2, NULL, PARTAN_STORAGE_BITS, &data), PARTAN_ERROR_DATA);
    assert_null(data);
    assert_int_equal(dense_data(*state, values, 2, 2, 2, NULL, PARTAN_STORAGE_DENSE, &data), PARTAN_OK);
    pt_matrix bits;
    assert_int_equal(pt_matrix_convert(&data->matrix, PARTAN_STORAGE_BITS, 0, &bits), PARTAN_ERROR_DATA);
    partan_data_free(data);
}

static void storage_follows_density(void **state)
{
    (void)state;
    static const struct {
        size_t rows, features;
        uint64_t nonzeros;
        bool binary;
        double unit; /* of bytes */
        partan_storage storage;
    } cases[] = {
        {32561, 123, 451592, true, 0, PARTAN_STORAGE_BITS},         /* a9a */
        {49749, 300, 579586, true, 0, PARTAN_STORAGE_BITS},         /* w8a */
        {49990, 22, 649870, false, 0, PARTAN_STORAGE_DENSE},        /* ijcnn1 */
        {60000, 784, 8994156, false, 0, PARTAN_STORAGE_SPARSE},     /* mnist, brightened at random */
        {60000, 784, 14112000, false, 0, PARTAN_STORAGE_DENSE},     /* and blurred */
        {395216, 38, 2252731, false, 0, PARTAN_STORAGE_DENSE},      /* few features, most of them 0 */
        {60000, 784, 8994156, false, 1, PARTAN_STORAGE_BYTES},      /* mnist */
        {20242, 47236, 1498952, false, 0, PARTAN_STORAGE_SPARSE},   /* text */
        {10000, 30000, 1000000, false, 1, PARTAN_STORAGE_SPARSE},   /* counts of words */
        {100, 40000, 4000000, false, 1, PARTAN_STORAGE_DENSE},      /* sums would not fit */
        {100000, 3000000, 1000000, true, 0, PARTAN_STORAGE_SPARSE}, /* hashed clicks */
        {1000000, 2147483647, 10000, false, 0, PARTAN_STORAGE_SPARSE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pt_content content = {.nonzeros = cases[i].nonzeros, .binary = cases[i].binary, .steps.unit = cases[i].unit};
        assert_int_equal(pt_storage_choose(cases[i].rows, cases[i].features, &content), cases[i].storage);
    }
}

static void bad_arrays_are_refused(void **state)
{
    const float values[] = {1, 2, 3, NAN};
    const int64_t offsets[] = {0, 2, 3}, backwards[] = {0, 2, 1};
    const int32_t good[] = {0, 2, 1}, unsorted[] = {2, 0, 1}, beyond[] = {0, 3, 1}, twice[] = {1, 1, 1};
    const double labels[] = {1, INFINITY};
    partan_data *data;
    partan_context *context = *state;
    const struct {
        const int64_t *offsets;
        const int32_t *indices;
        const double *labels;
        partan_status status;
    } cases[] = {{offsets, good, NULL, PARTAN_OK},
                 {backwards, good, NULL, PARTAN_ERROR_ARGUMENT},
                 {offsets, unsorted, NULL, PARTAN_ERROR_ARGUMENT},
                 {offsets, beyond, NULL, PARTAN_ERROR_ARGUMENT},
                 {offsets, twice, NULL, PARTAN_ERROR_ARGUMENT},
                 {offsets, good, labels, PARTAN_ERROR_DATA}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(csr_data(context, 2, 3, cases[i].offsets, cases[i].indices, values, cases[i].labels,
                                  PARTAN_STORAGE_AUTO, &data),
                         cases[i].status);
        partan_data_free(data);
    }
    assert_int_equal(dense_data(context, values, 2, 2, 2, NULL, PARTAN_STORAGE_AUTO, &data), PARTAN_ERROR_DATA);
    assert_string_equal(partan_error(context), "row 2, feature 2: found NaN, expected a finite number");
    assert_int_equal(dense_data(context, values, 0, 2, 2, NULL, PARTAN_STORAGE_AUTO, &data), PARTAN_ERROR_DATA);
}

static void classes_are_ordered(void **state)
{
    partan_context *context = *state;
    const float values[] = {1, 2, 3};
    const double labels[] = {3, -2, 3};
    partan_data *data;
    assert_int_equal(dense_data(context, values, 3, 1, 1, labels, PARTAN_STORAGE_AUTO, &data), PARTAN_OK);
    pt_classes classes;
    float *signs;
    assert_int_equal(pt_data_classes(data, &classes, &signs), PARTAN_OK);
    assert_true(classes.label[0] == -2 && classes.label[1] == 3 && !classes.words);
    assert_string_equal(classes.text[0], "-2");
    assert_string_equal(classes.text[1], "3");
    assert_true(signs[0] == 1 && signs[1] == -1 && signs[2] == 1 && signs[3] == 0 && signs[PT_TILE - 1] == 0);
    pt_classes_free(context, &classes);
    pt_free(context, signs);

    char buffer[8];
    assert_string_equal(partan_data_label_text(data, 1, buffer, sizeof buffer), "-2");
    data->labels[1] = 3;
    assert_int_equal(pt_data_classes(data, &classes, &signs), PARTAN_ERROR_DATA);
    assert_string_equal(partan_error(context), "data: training needs two classes, found only '3'");
    data->labels[1] = 4;
    data->labels[2] = 5;
    assert_int_equal(pt_data_classes(data, &classes, &signs), PARTAN_ERROR_DATA);
    assert_string_equal(partan_error(context), "data: found 3 classes, expected two");
    data->labels[2] = NAN;
    assert_int_equal(pt_data_classes(data, &classes, &signs), PARTAN_ERROR_DATA);
    assert_string_equal(partan_error(context), "data: row 3 has no label");
    assert_string_equal(partan_data_label_text(data, 2, buffer, sizeof buffer), "");
    partan_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(rows_round_trip),
        CONTEXT_TEST(layout_is_tiled_and_padded),
        CONTEXT_TEST(conversions_agree),
        CONTEXT_TEST(fingerprint_notices_changes),
        CONTEXT_TEST(gathered_rows_are_the_rows),
        CONTEXT_TEST(segments_become_the_matrix),
        CONTEXT_TEST(expected_rows_find_room),
        CONTEXT_TEST(bits_refuse_other_values),
        cmocka_unit_test(storage_follows_density),
        CONTEXT_TEST(bad_arrays_are_refused),
        CONTEXT_TEST(classes_are_ordered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
