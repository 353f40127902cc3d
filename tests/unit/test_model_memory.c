/* Models as bytes in memory, the same as those of their files; and the support vectors as arrays. */
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failing.h"
#include "files.h"
#include "svm/model/model.h"
#include "training.h"

/* All of a file; the caller frees. */
static char *contents(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *text = malloc(1 << 20);
    assert_non_null(file);
    *size = fread(text, 1, 1 << 20, file);
    fclose(file);
    return text;
}

static void assert_same_bytes(const char *path, const char *bytes, size_t size)
{
    size_t length;
    char *text = contents(path, &length);
    assert_int_equal(length, size);
    assert_memory_equal(text, bytes, size);
    free(text);
    remove(path);
}

static partan_model *some_model(partan_context *context, partan_kernel kernel, partan_scale scale)
{
    partan_data *data = generate(context, "twonorm", 60);
    partan_settings settings;
    partan_settings_init(&settings);
    settings.kernel = kernel;
    settings.scale = scale;
    partan_model *model;
    assert_int_equal(partan_train(context, data, &settings, NULL, &model), PARTAN_OK);
    partan_data_free(data);
    return model;
}

/* Rows of a program's arrays have no format, but they may have names. */
static void names_of_features_in_arrays_round_trip(void **state)
{
    static const float values[] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const double labels[] = {1, -1, 1, -1};
    static const char *const names[] = {"width", "two words"};
    partan_dense array;
    partan_dense_init(&array);
    array.values = values;
    array.rows = 4;
    array.features = 2;
    partan_array_options options;
    partan_array_options_init(&options);
    options.labels = labels;
    options.feature_names = names;
    partan_settings settings;
    partan_settings_init(&settings);
    partan_data *data;
    partan_model *model, *again;
    char *bytes;
    size_t size;
    assert_int_equal(partan_data_from_dense(*state, &array, &options, &data), PARTAN_OK);
    assert_int_equal(partan_train(*state, data, &settings, NULL, &model), PARTAN_OK);
    assert_int_equal(partan_model_to_memory(*state, model, PARTAN_MODEL_NATIVE, &bytes, &size), PARTAN_OK);
    assert_int_equal(partan_model_from_memory(*state, bytes, size, &again), PARTAN_OK);
    for (size_t i = 0; i < 2; i++)
        assert_string_equal(partan_model_feature_name(again, i), names[i]);
    assert_int_equal(partan_model_data_format(again), PARTAN_FORMAT_AUTO);
    partan_free(*state, bytes);
    partan_model_free(again);
    partan_model_free(model);
    partan_data_free(data);
}

static void machines_round_trip(void **state)
{
    char path[256], *bytes;
    size_t size;
    partan_model *model = some_model(*state, PARTAN_KERNEL_RBF, PARTAN_SCALE_STANDARD), *again;
    temporary_path(path, sizeof path, ".model");
    assert_int_equal(partan_model_write(*state, model, path, PARTAN_MODEL_NATIVE), PARTAN_OK);
    assert_int_equal(partan_model_to_memory(*state, model, PARTAN_MODEL_NATIVE, &bytes, &size), PARTAN_OK);
    assert_same_bytes(path, bytes, size);
    assert_int_equal(partan_model_from_memory(*state, bytes, size, &again), PARTAN_OK);
    assert_same_model(model, again);
    partan_model_free(again);

    partan_model_file *file;
    partan_kind kind;
    assert_int_equal(partan_model_file_from_memory(*state, bytes, size, &file), PARTAN_OK);
    assert_int_equal(partan_model_file_kind(*state, file, &kind), PARTAN_OK);
    assert_int_equal(kind, PARTAN_KIND_SVM);
    partan_model_file_free(file);

    assert_int_equal(partan_model_from_memory(*state, bytes, size - 2, &again), PARTAN_ERROR_FORMAT);
    assert_null(again);
    assert_int_equal(partan_model_from_memory(*state, NULL, 0, &again), PARTAN_ERROR_FORMAT);
    partan_free(*state, bytes);
    assert_int_equal(partan_model_to_memory(*state, model, (partan_model_format)9, &bytes, &size),
                     PARTAN_ERROR_ARGUMENT);
    partan_free(*state, NULL);
    partan_model_free(model);
}

static void the_bytes_are_freed_by_the_context_that_made_them(void **state)
{
    char *bytes;
    size_t size;
    partan_model *model = some_model(*state, PARTAN_KERNEL_LINEAR, PARTAN_SCALE_NONE), *again;
    failing allocator = {0};
    partan_context *other = failing_context(&allocator);
    long alive = allocator.alive;
    assert_int_equal(partan_model_to_memory(other, model, PARTAN_MODEL_LIBSVM, &bytes, &size), PARTAN_OK);
    assert_int_equal(allocator.alive, alive + 1);
    assert_int_equal(partan_model_from_memory(other, bytes, size, &again), PARTAN_OK);
    assert_int_equal(partan_model_get_format(again), PARTAN_MODEL_LIBSVM);
    partan_free(other, bytes);
    /* A failure inside the model is told to the context that was asked. */
    assert_int_equal(partan_model_to_memory(*state, again, PARTAN_MODEL_NATIVE, &bytes, &size), PARTAN_ERROR_ARGUMENT);
    assert_null(bytes);
    assert_non_null(strstr(partan_error(*state), "has no certificate"));
    partan_model_free(again);
    assert_int_equal(allocator.alive, alive);
    partan_destroy(other);
    partan_model_free(model);
}

static void linear_models_round_trip(void **state)
{
    char path[256], *bytes;
    size_t size;
    partan_data *data = generate(*state, "twonorm", 80);
    partan_lasso_settings settings;
    partan_lasso *lasso, *again;
    partan_lasso_settings_init(&settings);
    settings.lambda = 0.05;
    assert_int_equal(partan_lasso_fit(*state, data, &settings, NULL, &lasso), PARTAN_OK);
    temporary_path(path, sizeof path, ".lasso");
    assert_int_equal(partan_lasso_write(*state, lasso, path), PARTAN_OK);
    assert_int_equal(partan_lasso_to_memory(*state, lasso, &bytes, &size), PARTAN_OK);
    assert_same_bytes(path, bytes, size);
    assert_int_equal(partan_lasso_from_memory(*state, bytes, size, &again), PARTAN_OK);
    assert_true(partan_lasso_intercept(again) == partan_lasso_intercept(lasso));
    partan_free(*state, bytes);
    partan_lasso_free(again);
    partan_lasso_free(lasso);
    partan_data_free(data);
}

#if defined(PARTAN_HAVE_ARPACK)
static void matrices_round_trip(void **state)
{
    char path[256], *bytes;
    size_t size;
    partan_ratings_generator make;
    partan_ratings *ratings;
    partan_matrix_settings settings;
    partan_matrix *matrix, *again;
    partan_ratings_generator_init(&make);
    make.rows = 30;
    make.columns = 20;
    make.entries = 300;
    assert_int_equal(partan_ratings_generate(*state, &make, &ratings), PARTAN_OK);
    partan_matrix_settings_init(&settings);
    settings.radius = 20;
    assert_int_equal(partan_matrix_fit(*state, ratings, NULL, &settings, NULL, &matrix), PARTAN_OK);
    temporary_path(path, sizeof path, ".matrix");
    assert_int_equal(partan_matrix_write(*state, matrix, path), PARTAN_OK);
    assert_int_equal(partan_matrix_to_memory(*state, matrix, &bytes, &size), PARTAN_OK);
    assert_same_bytes(path, bytes, size);
    assert_int_equal(partan_matrix_from_memory(*state, bytes, size, &again), PARTAN_OK);
    assert_true(partan_matrix_mean(again) == partan_matrix_mean(matrix));
    partan_free(*state, bytes);
    partan_matrix_free(again);
    partan_matrix_free(matrix);
    partan_ratings_free(ratings);
}
#endif

/* ---- Support vectors ---- */

/* Decision values from the arrays alone, by the formula of the header. */
static void the_arrays_are_the_machine(void **state)
{
    for (int read = 0; read < 2; read++) {
        partan_model *model = some_model(*state, PARTAN_KERNEL_RBF, PARTAN_SCALE_NONE);
        if (read) { /* LIBSVM's numbers have fewer digits */
            char *bytes;
            size_t size;
            assert_int_equal(partan_model_to_memory(*state, model, PARTAN_MODEL_LIBSVM, &bytes, &size), PARTAN_OK);
            partan_model_free(model);
            assert_int_equal(partan_model_from_memory(*state, bytes, size, &model), PARTAN_OK);
            partan_free(*state, bytes);
        }
        size_t count = partan_model_support_count(model), features = partan_model_features(model);
        assert_true(count > 2 && features == 20);
        double *coefficients = malloc(count * sizeof *coefficients);
        float *vectors = malloc(count * features * sizeof *vectors), one[20];
        assert_int_equal(partan_model_coefficients(model, coefficients), PARTAN_OK);
        assert_int_equal(partan_model_support_vectors(model, vectors), PARTAN_OK);
        partan_data *data = generate(*state, "twonorm", 60);
        double decision[60];
        assert_int_equal(partan_predict(*state, model, data, decision), PARTAN_OK);
        for (size_t row = 0; row < 60; row++) {
            float x[20];
            double sum = partan_model_bias(model);
            partan_data_row(data, row, x);
            for (size_t i = 0; i < count; i++) {
                double square = 0;
                for (size_t j = 0; j < features; j++)
                    square += ((double)x[j] - (double)vectors[i * features + j])
                              * ((double)x[j] - (double)vectors[i * features + j]);
                sum += coefficients[i] * exp(-partan_model_settings(model)->gamma * square);
            }
            assert_true(fabs(sum - decision[row]) <= 1e-5 * (1 + fabs(sum)));
        }
        assert_int_equal(partan_model_support_vector(model, 2, one), PARTAN_OK);
        assert_memory_equal(one, vectors + 2 * features, sizeof one);
        assert_int_equal(partan_model_support_vector(model, count, one), PARTAN_ERROR_ARGUMENT);
        free(coefficients);
        free(vectors);
        partan_data_free(data);
        partan_model_free(model);
    }
}

static void compressed_rows_are_the_same_vectors(void **state)
{
    partan_model *model = some_model(*state, PARTAN_KERNEL_LINEAR, PARTAN_SCALE_MINMAX);
    size_t count = partan_model_support_count(model), features = partan_model_features(model);
    int64_t *offsets = malloc((count + 1) * sizeof *offsets), *rows = malloc(count * sizeof *rows);
    assert_int_equal(partan_model_support_sparse(model, offsets, NULL, NULL), PARTAN_OK);
    size_t entries = (size_t)offsets[count];
    int32_t *indices = malloc(entries * sizeof *indices);
    float *values = malloc(entries * sizeof *values), *dense = calloc(count * features, sizeof *dense);
    float *expected = malloc(count * features * sizeof *expected);
    assert_int_equal(partan_model_support_sparse(model, offsets, indices, values), PARTAN_OK);
    assert_int_equal(partan_model_support_vectors(model, expected), PARTAN_OK);
    for (size_t i = 0; i < count; i++)
        for (int64_t k = offsets[i]; k < offsets[i + 1]; k++)
            dense[i * features + (size_t)indices[k]] = values[k];
    assert_memory_equal(dense, expected, count * features * sizeof *dense);
    assert_int_equal(partan_model_support_rows(model, rows), PARTAN_OK);
    for (size_t i = 0; i < count; i++) {
        double weight;
        int sign;
        int64_t row;
        assert_int_equal(partan_model_support(model, i, &weight, &sign, &row), PARTAN_OK);
        assert_int_equal(row, rows[i]);
    }
    free(offsets);
    free(rows);
    free(indices);
    free(values);
    free(dense);
    free(expected);
    partan_model_free(model);
}

/* ---- Memory ---- */

static partan_status there_and_back(partan_context *context)
{
    static const char text[] = "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0.5\nlabel 1 -1\n"
                               "nr_sv 1 1\nSV\n1 1:1\n-1 2:3\n";
    partan_model *model = NULL;
    char *bytes = NULL;
    size_t size;
    partan_status status = partan_model_from_memory(context, text, sizeof text - 1, &model);
    if (!status)
        status = partan_model_to_memory(context, model, PARTAN_MODEL_LIBSVM, &bytes, &size);
    partan_free(context, bytes);
    partan_model_free(model);
    return status;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_every_allocation(there_and_back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(machines_round_trip),
        CONTEXT_TEST(names_of_features_in_arrays_round_trip),
        CONTEXT_TEST(the_bytes_are_freed_by_the_context_that_made_them),
        CONTEXT_TEST(linear_models_round_trip),
#if defined(PARTAN_HAVE_ARPACK)
        CONTEXT_TEST(matrices_round_trip),
#endif
        CONTEXT_TEST(the_arrays_are_the_machine),
        CONTEXT_TEST(compressed_rows_are_the_same_vectors),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
