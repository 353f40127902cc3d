/* Data sets from arrays: every layout gives the values that are there, and only what can be is borrowed. */
#include "testing.h"

#include <sys/mman.h>
#include <unistd.h>

#include "core/random.h"
#include "data/data.h"
#include "failing.h"
#include "layouts.h"

static void random_layouts_give_the_values_that_are_there(void **state)
{
    for (uint64_t seed = 1; seed <= SOME_OF(4000); seed++) {
        uint8_t bytes[600];
        pt_random random;
        pt_random_seed(&random, seed);
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)pt_random_next(&random);
        byte_source source = {bytes, bytes + sizeof bytes};
        plain_matrix m = draw_matrix(&source);
        laid_out all = {0};
        bool is_right = false;
        partan_data *data = make_of_layout(*state, &m, &source, &all, &is_right);
        if (!is_right)
            fail_msg("seed %d: %s", (int)seed, partan_error(*state));
        partan_data_free(data);
        discard(&all);
    }
}

/* Large enough for several threads and blocks, against the same values in C order. */
static void many_rows_are_converted_alike_by_threads(void **state)
{
    enum { ROWS = 70001, FEATURES = 61 };
    double *columns = malloc((size_t)ROWS * FEATURES * sizeof *columns);
    float *rows = malloc((size_t)ROWS * FEATURES * sizeof *rows);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < FEATURES; j++) {
            columns[j * ROWS + i] = (double)(i * 31 + j * 7 % 1000) / 3;
            rows[i * FEATURES + j] = (float)columns[j * ROWS + i];
        }
    partan_dense array;
    partan_data *data, *same;
    partan_dense_init(&array);
    array.values = columns;
    array.type = PARTAN_FLOAT64;
    array.rows = ROWS;
    array.features = FEATURES;
    array.row_stride = 1;
    array.column_stride = ROWS;
    assert_int_equal(partan_data_from_dense(*state, &array, NULL, &data), PARTAN_OK);
    assert_int_equal(dense_data(*state, rows, ROWS, FEATURES, FEATURES, NULL, PARTAN_STORAGE_AUTO, &same), PARTAN_OK);
    assert_int_equal(partan_data_fingerprint(data), partan_data_fingerprint(same));
    partan_data_free(data);
    partan_data_free(same);

    columns[(size_t)60 * ROWS + 69999] = 1e300;
    columns[(size_t)3 * ROWS + 70000] = NAN;
    assert_int_equal(partan_data_from_dense(*state, &array, NULL, &data), PARTAN_ERROR_DATA);
    assert_string_equal(partan_error(*state),
                        "row 70000, feature 61: found 1e+300, expected a number that float32 can hold");
    free(columns);
    free(rows);
}

/* Rows without features, and strides of a view that repeats one row or one value. */
static void there_may_be_nothing_or_the_same_again(void **state)
{
    const float values[] = {1, 2, 3};
    partan_dense array;
    partan_data *data;
    float row[3];
    partan_dense_init(&array);
    array.rows = 5;
    assert_int_equal(partan_data_from_dense(*state, &array, NULL, &data), PARTAN_OK);
    assert_int_equal(partan_data_features(data), 0);
    partan_data_free(data);
    array.values = values;
    array.features = 3;
    array.row_stride = 0;
    assert_int_equal(partan_data_from_dense(*state, &array, NULL, &data), PARTAN_OK);
    partan_data_row(data, 4, row);
    assert_memory_equal(row, values, sizeof values);
    partan_data_free(data);
    array.column_stride = 0;
    assert_int_equal(partan_data_from_dense(*state, &array, NULL, &data), PARTAN_OK);
    partan_data_row(data, 4, row);
    assert_true(row[0] == 1 && row[1] == 1 && row[2] == 1);
    partan_data_free(data);
}

static void an_interruption_leaves_no_data(void **state)
{
    enum { ROWS = 1000, FEATURES = 10 };
    double *values = calloc((size_t)ROWS * FEATURES, sizeof *values);
    partan_dense array;
    partan_data *data;
    partan_dense_init(&array);
    array.values = values;
    array.type = PARTAN_FLOAT64;
    array.rows = ROWS;
    array.features = FEATURES;
    partan_interrupt(*state);
    assert_int_equal(partan_data_from_dense(*state, &array, NULL, &data), PARTAN_INTERRUPTED);
    assert_null(data);
    assert_int_equal(partan_data_from_dense(*state, &array, NULL, &data), PARTAN_OK); /* it is over */
    partan_data_free(data);
    free(values);
}

/* ---- What is borrowed ---- */

enum { SPARSE_ROWS = 300 };

typedef struct sparse_arrays {
    int32_t offsets[SPARSE_ROWS + 1];
    int32_t indices[SPARSE_ROWS];
    float values[SPARSE_ROWS];
    double labels[SPARSE_ROWS];
} sparse_arrays;

static partan_sparse one_a_row(sparse_arrays *a)
{
    partan_sparse array;
    for (int i = 0; i < SPARSE_ROWS; i++) {
        a->offsets[i + 1] = i + 1;
        a->indices[i] = (i * 37) % 500;
        a->values[i] = (float)(i % 7) - 2.5f;
        a->labels[i] = i % 2 ? 1 : -1;
    }
    a->offsets[0] = 0;
    partan_sparse_init(&array);
    array.rows = SPARSE_ROWS;
    array.features = 500;
    array.count = SPARSE_ROWS;
    array.offsets = a->offsets;
    array.offset_type = PARTAN_INT32;
    array.indices = a->indices;
    array.values = a->values;
    return array;
}

/* Training and prediction with arrays in memory that cannot be written to, and the same model as from a copy. */
static void borrowed_arrays_are_only_read(void **state)
{
    size_t size = (sizeof(sparse_arrays) / 4096 + 1) * 4096;
    sparse_arrays *arrays = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(arrays != MAP_FAILED);
    partan_sparse array = one_a_row(arrays);
    assert_int_equal(mprotect(arrays, size, PROT_READ), 0);
    partan_array_options options = array_options(arrays->labels, PARTAN_STORAGE_SPARSE);
    double decision[2][SPARSE_ROWS];
    for (int borrow = 0; borrow < 2; borrow++) {
        partan_data *data;
        partan_model *model;
        partan_settings settings;
        partan_settings_init(&settings);
        options.borrow = borrow;
        assert_int_equal(partan_data_from_sparse(*state, &array, &options, &data), PARTAN_OK);
        assert_int_equal(partan_data_is_borrowed(data), borrow);
        assert_int_equal(partan_train(*state, data, &settings, NULL, &model), PARTAN_OK);
        assert_int_equal(partan_predict(*state, model, data, decision[borrow]), PARTAN_OK);
        partan_model_free(model);
        partan_data_free(data);
    }
    assert_memory_equal(decision[0], decision[1], sizeof decision[0]);
    munmap(arrays, size);
}

typedef struct counting {
    size_t bytes;
} counting;

static void *count_bytes(void *user, size_t bytes, size_t alignment)
{
    ((counting *)user)->bytes += bytes;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release_bytes(void *user, void *pointer)
{
    (void)user;
    free(pointer);
}

static void borrowing_takes_no_memory_for_values(void **state)
{
    enum { ROWS = 10, EACH = 5000 };
    counting counted = {0};
    partan_context_options how;
    (void)state;
    partan_context_options_init(&how);
    how.allocate = count_bytes;
    how.release = release_bytes;
    how.user = &counted;
    partan_context *context = partan_create(&how);
    int64_t offsets[ROWS + 1] = {0};
    int32_t *indices = malloc(ROWS * EACH * sizeof *indices);
    float *values = malloc(ROWS * EACH * sizeof *values);
    for (int i = 0; i < ROWS * EACH; i++) {
        indices[i] = 3 * (i % EACH);
        values[i] = 0.3f;
        offsets[i / EACH + 1] = i + 1;
    }
    partan_sparse array;
    partan_sparse_init(&array);
    array.rows = ROWS;
    array.features = 3 * EACH;
    array.count = ROWS * EACH;
    array.offsets = offsets;
    array.indices = indices;
    array.values = values;
    partan_array_options options = array_options(NULL, PARTAN_STORAGE_SPARSE);
    size_t taken[2];
    for (int borrow = 0; borrow < 2; borrow++) {
        partan_data *data;
        size_t before = counted.bytes;
        options.borrow = borrow;
        assert_int_equal(partan_data_from_sparse(context, &array, &options, &data), PARTAN_OK);
        taken[borrow] = counted.bytes - before;
        partan_data_free(data);
    }
    assert_true(taken[0] > ROWS * EACH * 8);
    assert_true(taken[1] < 4096);
    partan_destroy(context);
    free(indices);
    free(values);
}

/* ---- Labels and names ---- */

static void words_are_labels(void **state)
{
    const float values[] = {1, 2, 3, 4};
    const char *const words[] = {"spam", "ham", "", "spam"};
    const char *const names[] = {"length"};
    partan_dense array;
    partan_array_options options;
    partan_data *data;
    char text[16];
    partan_dense_init(&array);
    partan_array_options_init(&options);
    array.values = values;
    array.rows = 4;
    array.features = 1;
    options.words = words;
    options.feature_names = names;
    assert_int_equal(partan_data_from_dense(*state, &array, &options, &data), PARTAN_OK);
    assert_true(partan_data_has_words(data));
    for (size_t row = 0; row < 4; row++)
        assert_string_equal(partan_data_label_text(data, row, text, sizeof text), words[row]);
    assert_true(isnan(partan_data_label(data, 2)) && partan_data_label(data, 0) == partan_data_label(data, 3));
    assert_string_equal(partan_data_feature_name(data, 0), "length");
    partan_data_free(data);

    options.labels = (const double[]){1, 2, 3, 4};
    assert_int_equal(partan_data_from_dense(*state, &array, &options, &data), PARTAN_ERROR_ARGUMENT);
    assert_string_equal(partan_error(*state), "found labels and words, expected one of them");
}

/* ---- Sentences ---- */

static void refused(partan_context *context, const partan_sparse *array, const char *sentence)
{
    partan_data *data;
    assert_true(partan_data_from_sparse(context, array, NULL, &data) < 0);
    assert_null(data);
    assert_string_equal(partan_error(context), sentence);
}

static void sentences_count_from_one(void **state)
{
    int32_t offsets[] = {0, 2, 3}, indices[] = {0, 2, 1};
    double values[] = {1, 2, 3};
    partan_sparse good, array;
    partan_sparse_init(&good);
    good.rows = 2;
    good.features = 3;
    good.count = 3;
    good.offsets = offsets;
    good.offset_type = PARTAN_INT32;
    good.indices = indices;
    good.values = values;
    good.value_type = PARTAN_FLOAT64;
    array = good;
    values[2] = -1e40;
    refused(*state, &array, "row 2, feature 2: found -1e+40, expected a number that float32 can hold");
    values[2] = 3;
    indices[1] = 3;
    refused(*state, &array, "row 1: found index 3, expected one from 0 to 2, as there are 3 features");
    indices[1] = 0;
    refused(*state, &array, "row 1: found index 0 after 0, expected ascending indices");
    indices[1] = 2;
    array.count = 2;
    refused(*state, &array, "row 2: found an end at entry 3, expected one from 2 to 2");
    array = good;
    array.index_type = PARTAN_FLOAT64;
    refused(*state, &array, "indices: found type 1, expected int32 or int64");
    array = good;
    array.values = (const char *)values + 2;
    refused(*state, &array, "values: found an array that is not aligned to 8 bytes");
    array = good;
    array.order = PARTAN_CSC; /* offsets of two columns: one is missing, and what comes behind is no offset */
    array.features = 2;
    array.rows = 1;
    refused(*state, &array, "column 1: found index 2, expected one from 0 to 0, as there are 1 rows");
    array.rows = 3;
    indices[1] = 0;
    refused(*state, &array, "column 1: found row index 0 twice");
}

/* ---- Memory ---- */

static partan_status make_all(partan_context *context)
{
    static const double values[] = {1, 0.25, 0, 0, 3, 0.1};
    static const int64_t offsets[] = {0, 2, 2, 3}, indices[] = {0, 1, 1};
    static const char *const words[] = {"a", "b"}, *const names[] = {"x", "y", "z"};
    partan_dense dense;
    partan_sparse sparse;
    partan_array_options options;
    partan_data *data;
    partan_dense_init(&dense);
    dense.values = values;
    dense.type = PARTAN_FLOAT64;
    dense.rows = 2;
    dense.features = 3;
    partan_array_options_init(&options);
    options.words = words;
    options.feature_names = names;
    partan_status status = partan_data_from_dense(context, &dense, &options, &data);
    partan_data_free(data);
    partan_sparse_init(&sparse);
    sparse.order = PARTAN_CSC;
    sparse.rows = 2;
    sparse.features = 3;
    sparse.count = 3;
    sparse.offsets = offsets;
    sparse.indices = indices;
    sparse.index_type = PARTAN_INT64;
    sparse.values = values;
    sparse.value_type = PARTAN_FLOAT64;
    options.storage = PARTAN_STORAGE_SPARSE;
    if (!status) {
        status = partan_data_from_sparse(context, &sparse, &options, &data);
        partan_data_free(data);
    }
    sparse.order = PARTAN_CSR;
    if (!status) {
        status = partan_data_from_sparse(context, &sparse, NULL, &data);
        partan_data_free(data);
    }
    return status;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_every_allocation(make_all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(random_layouts_give_the_values_that_are_there),
        CONTEXT_TEST(many_rows_are_converted_alike_by_threads),
        CONTEXT_TEST(there_may_be_nothing_or_the_same_again),
        CONTEXT_TEST(an_interruption_leaves_no_data),
        CONTEXT_TEST(borrowed_arrays_are_only_read),
        cmocka_unit_test(borrowing_takes_no_memory_for_values),
        CONTEXT_TEST(words_are_labels),
        CONTEXT_TEST(sentences_count_from_one),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
