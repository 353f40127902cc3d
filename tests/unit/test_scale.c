/* Scaling: bounds are met, means and variances are right, training and test data get the same map whatever their
 * storage, files restore it exactly, and malformed ones are refused. */
#include "testing.h"

#include <math.h>

#include "data/data.h"
#include "data/scale.h"
#include "failing.h"
#include "files.h"

enum { ROWS = 5, FEATURES = 4 };

/* Feature 1 varies, 2 has zeros, 3 is a constant other than zero, 4 is zero. */
static const float sample[ROWS][FEATURES] = {
    {1, 0, 7, 0}, {3, -2, 7, 0}, {2, 0, 7, 0}, {6, 0, 7, 0}, {-2, 6, 7, 0},
};
static const double sample_labels[ROWS] = {1, -1, 1, -1, 1};

/* The sample, or what is most like it of values that the storage can hold. */
static partan_data *sample_data(partan_context *context, partan_storage storage)
{
    partan_data *data = NULL;
    float values[ROWS][FEATURES];
    for (size_t i = 0; i < ROWS; i++)
        for (size_t f = 0; f < FEATURES; f++)
            values[i][f] = storage == PARTAN_STORAGE_BITS ? sample[i][f] > 1 : storable(storage, sample[i][f]);
    assert_int_equal(dense_data(context, values[0], ROWS, FEATURES, FEATURES, sample_labels, storage, &data),
                     PARTAN_OK);
    return data;
}

static float value_at(const partan_data *data, size_t row, size_t feature)
{
    int32_t indices[64];
    float values[64];
    assert_true(pt_matrix_row_room(&data->matrix) <= 64);
    size_t count = pt_matrix_row(&data->matrix, row, indices, values);
    for (size_t k = 0; k < count; k++)
        if ((size_t)indices[k] == feature)
            return values[k];
    return 0;
}

static partan_scaling *fitted(partan_context *context, const partan_data *data, partan_scaling_kind kind, double lower,
                              double upper)
{
    partan_scaling *scaling = NULL;
    assert_int_equal(partan_scaling_fit(context, data, kind, lower, upper, &scaling), PARTAN_OK);
    return scaling;
}

static partan_data *applied(partan_context *context, const partan_scaling *scaling, const partan_data *data)
{
    partan_data *scaled = NULL;
    assert_int_equal(partan_scaling_apply(context, scaling, data, PARTAN_STORAGE_AUTO, &scaled), PARTAN_OK);
    return scaled;
}

/* ---- Properties ---- */

static void minmax_meets_its_bounds(void **state)
{
    partan_context *context = *state;
    static const double bounds[][2] = {{-1, 1}, {0, 1}, {0.1, 0.7}, {-3, -2}};
    /* Where the first value is in its feature: 1 in [-2, 6], for bytes in [0, 6], and for bits 0 in [0, 1]. */
    static const double place[STORAGES + 1] = {[PARTAN_STORAGE_DENSE] = 3.0 / 8,
                                               [PARTAN_STORAGE_SPARSE] = 3.0 / 8,
                                               [PARTAN_STORAGE_BITS] = 0,
                                               [PARTAN_STORAGE_BYTES] = 1.0 / 6};
    FOR_EVERY_STORAGE(storage)
        for (size_t b = 0; b < 4; b++) {
            partan_data *data = sample_data(context, (partan_storage)storage);
            partan_scaling *scaling = fitted(context, data, PARTAN_SCALING_MINMAX, bounds[b][0], bounds[b][1]);
            partan_data *scaled = applied(context, scaling, data);
            for (size_t f = 0; f < 2; f++) {
                float least = INFINITY, greatest = -INFINITY;
                for (size_t i = 0; i < ROWS; i++) {
                    least = fminf(least, value_at(scaled, i, f));
                    greatest = fmaxf(greatest, value_at(scaled, i, f));
                }
                assert_true(least == (float)bounds[b][0]);
                assert_true(greatest == (float)bounds[b][1]);
            }
            double middle = bounds[b][0] + (bounds[b][1] - bounds[b][0]) * place[storage];
            assert_true(fabs(value_at(scaled, 0, 0) - middle) < 1e-7);
            for (size_t i = 0; i < ROWS; i++) {
                assert_true(value_at(scaled, i, 2) == 0 && value_at(scaled, i, 3) == 0);
                assert_true(partan_data_label(scaled, i) == sample_labels[i]);
            }
            partan_data_free(scaled);
            partan_scaling_free(scaling);
            partan_data_free(data);
        }
}

static void standardised_data_has_mean_0_and_variance_1(void **state)
{
    partan_context *context = *state;
    partan_generator_options options;
    partan_generator_options_init(&options);
    options.kind = "waveform";
    partan_data *data;
    assert_int_equal(partan_generate(context, &options, PARTAN_STORAGE_AUTO, &data), PARTAN_OK);
    partan_scaling *scaling = fitted(context, data, PARTAN_SCALING_STANDARDISE, 0, 0);
    partan_data *scaled = applied(context, scaling, data);
    for (size_t f = 0; f < 21; f++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < 1000; i++) {
            sum += value_at(scaled, i, f);
            squares += (double)value_at(scaled, i, f) * value_at(scaled, i, f);
        }
        assert_true(fabs(sum / 1000) < 1e-6);
        assert_true(fabs(squares / 1000 - 1) < 1e-6);
    }
    partan_data_free(scaled);
    partan_scaling_free(scaling);
    partan_data_free(data);
}

/* A mean far from 0 leaves few digits to the deviations: sums of squares would lose them all. */
static void a_large_mean_does_not_spoil_the_variance(void **state)
{
    partan_context *context = *state;
    float values[4] = {16777210, 16777212, 16777214, 16777216};
    float constant[4] = {0.1f, 0.1f, 0.1f, 0.1f};
    const float *columns[2] = {values, constant};
    for (int c = 0; c < 2; c++) {
        partan_data *data;
        assert_int_equal(dense_data(context, columns[c], 4, 1, 1, NULL, PARTAN_STORAGE_DENSE, &data), PARTAN_OK);
        partan_scaling *scaling = fitted(context, data, PARTAN_SCALING_STANDARDISE, 0, 0);
        assert_true(fabs(scaling->ranges[0].b - (c ? 0 : sqrt(5))) < 1e-12);
        partan_data *scaled = applied(context, scaling, data);
        assert_true(fabs(value_at(scaled, 0, 0) - (c ? 0 : -3 / sqrt(5))) < 1e-6);
        partan_data_free(scaled);
        partan_scaling_free(scaling);
        partan_data_free(data);
    }
}

static void storages_agree(void **state)
{
    partan_context *context = *state;
    partan_data *dense = sample_data(context, PARTAN_STORAGE_DENSE);
    partan_data *sparse = sample_data(context, PARTAN_STORAGE_SPARSE);
    for (int kind = PARTAN_SCALING_MINMAX; kind <= PARTAN_SCALING_STANDARDISE; kind++) {
        partan_scaling *a = fitted(context, dense, (partan_scaling_kind)kind, 0, 1);
        partan_scaling *b = fitted(context, sparse, (partan_scaling_kind)kind, 0, 1);
        partan_data *scaled_a = applied(context, a, sparse), *scaled_b = applied(context, b, dense);
        assert_true(partan_data_fingerprint(scaled_a) == partan_data_fingerprint(scaled_b));
        partan_data_free(scaled_a);
        partan_data_free(scaled_b);
        partan_scaling_free(a);
        partan_scaling_free(b);
    }
    partan_data_free(dense);
    partan_data_free(sparse);
}

/* Test data goes through the map of the training data, undone by its inverse; it may leave the bounds. */
static void test_data_gets_the_map_of_the_training_data(void **state)
{
    partan_context *context = *state;
    partan_data *data = sample_data(context, PARTAN_STORAGE_DENSE);
    const float others[2][FEATURES] = {{14, -4, 9, 2}, {0.5, 1.25, 7, 0}};
    partan_data *test;
    assert_int_equal(dense_data(context, &others[0][0], 2, FEATURES, FEATURES, NULL, PARTAN_STORAGE_AUTO, &test),
                     PARTAN_OK);
    for (int kind = PARTAN_SCALING_MINMAX; kind <= PARTAN_SCALING_STANDARDISE; kind++) {
        partan_scaling *scaling = fitted(context, data, (partan_scaling_kind)kind, -1, 1);
        partan_data *scaled = applied(context, scaling, test);
        for (size_t i = 0; i < 2; i++)
            for (size_t f = 0; f < FEATURES; f++) {
                pt_range range = scaling->ranges[f];
                double image = value_at(scaled, i, f);
                double back = kind == PARTAN_SCALING_MINMAX ? range.a + (image + 1) / 2 * (range.b - range.a)
                                                            : range.a + image * range.b;
                if (f < 2)
                    assert_true(fabs(back - others[i][f]) < 1e-5);
                else
                    assert_true(image == 0); /* constant when fitted */
            }
        assert_true(isnan(partan_data_label(scaled, 0)));
        partan_data_free(scaled);
        partan_scaling_free(scaling);
    }
    partan_data_free(test);
    partan_data_free(data);
}

/* ---- Warnings ---- */

static void remember(void *user, partan_log_level level, const char *message)
{
    assert_int_equal(level, PARTAN_LOG_WARNING);
    snprintf(user, 512, "%s", message);
}

static partan_context *remembering(char *message)
{
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 1;
    options.log = remember;
    options.user = message;
    *message = '\0';
    return partan_create(&options);
}

static void filling_sparse_data_is_warned_of(void **state)
{
    (void)state;
    char message[512];
    partan_context *context = remembering(message);
    float values[3] = {0, 2, 4.5};
    partan_data *data;
    assert_int_equal(dense_data(context, values, 3, 1, 1, NULL, PARTAN_STORAGE_SPARSE, &data), PARTAN_OK);
    partan_scaling *scaling = fitted(context, data, PARTAN_SCALING_MINMAX, -1, 1);
    partan_data_free(applied(context, scaling, data));
    assert_non_null(strstr(message, "3 nonzeros of 2"));
    partan_scaling_free(scaling);

    /* Data that is not negative keeps its zeros with lower bound 0, and nothing is said. */
    message[0] = '\0';
    scaling = fitted(context, data, PARTAN_SCALING_MINMAX, 0, 1);
    partan_data *scaled = applied(context, scaling, data);
    assert_int_equal(partan_data_nonzeros(scaled), 2);
    assert_string_equal(message, "");
    partan_data_free(scaled);
    partan_scaling_free(scaling);
    partan_data_free(data);
    partan_destroy(context);
}

static void other_numbers_of_features_are_fitted_in(void **state)
{
    (void)state;
    char message[512];
    partan_context *context = remembering(message);
    partan_data *data = sample_data(context, PARTAN_STORAGE_DENSE), *narrow, *wide;
    partan_scaling *scaling = fitted(context, data, PARTAN_SCALING_MINMAX, -1, 1);
    /* Features that are missing are zeros, and mapped as such. */
    float one[1] = {1};
    assert_int_equal(dense_data(context, one, 1, 1, 1, NULL, PARTAN_STORAGE_DENSE, &narrow), PARTAN_OK);
    partan_data *scaled = applied(context, scaling, narrow);
    assert_int_equal(partan_data_features(scaled), FEATURES);
    assert_true(value_at(scaled, 0, 1) == -0.5f); /* 0 in [-2, 6] */
    assert_string_equal(message, "");
    partan_data_free(scaled);
    /* Those beyond the fitted ones are left out, with a warning. */
    float six[6] = {1, 0, 7, 0, 5, 6};
    assert_int_equal(dense_data(context, six, 1, 6, 6, NULL, PARTAN_STORAGE_DENSE, &wide), PARTAN_OK);
    scaled = applied(context, scaling, wide);
    assert_int_equal(partan_data_features(scaled), FEATURES);
    assert_non_null(strstr(message, "features 5 to 6"));
    partan_data_free(scaled);
    partan_data_free(wide);
    partan_data_free(narrow);
    partan_scaling_free(scaling);
    partan_data_free(data);
    partan_destroy(context);
}

/* ---- Refusals ---- */

static void impossible_requests_are_refused(void **state)
{
    partan_context *context = *state;
    partan_data *data = sample_data(context, PARTAN_STORAGE_DENSE);
    partan_scaling *scaling;
    static const double bounds[][2] = {{1, 1}, {1, -1}, {NAN, 1}, {0, INFINITY}, {-1e300, 1}, {1, 1 + 1e-12}};
    for (size_t b = 0; b < 6; b++) {
        assert_int_equal(partan_scaling_fit(context, data, PARTAN_SCALING_MINMAX, bounds[b][0], bounds[b][1], &scaling),
                         PARTAN_ERROR_ARGUMENT);
        assert_null(scaling);
        assert_non_null(strstr(partan_error(context), "expected"));
    }
    assert_int_equal(partan_scaling_fit(context, data, (partan_scaling_kind)7, 0, 1, &scaling), PARTAN_ERROR_ARGUMENT);
    partan_data_free(data);
}

static void values_that_overflow_are_refused(void **state)
{
    partan_context *context = *state;
    float close[2] = {1, 1.0000001f}, far[2] = {1, 3e38f};
    partan_data *data, *test, *scaled;
    assert_int_equal(dense_data(context, close, 2, 1, 1, NULL, PARTAN_STORAGE_DENSE, &data), PARTAN_OK);
    assert_int_equal(dense_data(context, far, 2, 1, 1, NULL, PARTAN_STORAGE_DENSE, &test), PARTAN_OK);
    partan_scaling *scaling = fitted(context, data, PARTAN_SCALING_MINMAX, 0, 1);
    assert_int_equal(partan_scaling_apply(context, scaling, test, PARTAN_STORAGE_AUTO, &scaled), PARTAN_ERROR_NUMERIC);
    assert_null(scaled);
    assert_non_null(strstr(partan_error(context), "row 2, feature 1"));
    partan_scaling_free(scaling);
    partan_data_free(test);
    partan_data_free(data);
}

/* ---- Files ---- */

static void files_restore_a_scaling_exactly(void **state)
{
    partan_context *context = *state;
    char path[256];
    temporary_path(path, sizeof path, ".scale");
    partan_generator_options options;
    partan_generator_options_init(&options);
    options.kind = "spirals";
    partan_data *data;
    assert_int_equal(partan_generate(context, &options, PARTAN_STORAGE_AUTO, &data), PARTAN_OK);
    for (int kind = PARTAN_SCALING_MINMAX; kind <= PARTAN_SCALING_STANDARDISE; kind++) {
        partan_scaling *scaling = fitted(context, data, (partan_scaling_kind)kind, -1.0 / 3, 0.1), *back;
        assert_int_equal(partan_scaling_write(context, scaling, path), PARTAN_OK);
        assert_int_equal(partan_scaling_read(context, path, &back), PARTAN_OK);
        assert_int_equal(back->kind, kind);
        assert_true(back->lower == scaling->lower && back->upper == scaling->upper);
        assert_int_equal(back->features, scaling->features);
        assert_memory_equal(back->ranges, scaling->ranges, back->features * sizeof *back->ranges);
        partan_scaling_free(back);
        partan_scaling_free(scaling);
    }
    partan_data_free(data);
    unlink(path);
}

/* A header may have columns without a name, and quoted names that end with a space. */
static void files_keep_names_with_blanks(void **state)
{
    partan_context *context = *state;
    char table[256], path[256];
    partan_data *data = NULL;
    partan_scaling *back = NULL;
    make_file(temporary_path(table, sizeof table, ".csv"), "y,\"a \",,\" b\"\n1,2,3,4\n0,3,4,1\n");
    temporary_path(path, sizeof path, ".scale");
    assert_int_equal(partan_data_read(context, table, NULL, &data), PARTAN_OK);
    partan_scaling *scaling = fitted(context, data, PARTAN_SCALING_MINMAX, 0, 1);
    assert_int_equal(partan_scaling_write(context, scaling, path), PARTAN_OK);
    assert_int_equal(partan_scaling_read(context, path, &back), PARTAN_OK);
    for (size_t f = 0; f < 3; f++)
        assert_string_equal(pt_feature_name(&back->names, f), partan_data_feature_name(data, f));
    partan_data_free(applied(context, back, data));
    partan_scaling_free(scaling);
    partan_scaling_free(back);
    partan_data_free(data);
    unlink(table);
    unlink(path);
}

/* C would take it for the end of the name. */
static void a_name_with_a_nul_byte_is_refused(void **state)
{
    static const char text[] = "partan-scaling 1\nstandardise\nfeatures 1 named\n1 0 1 a\0b\n";
    partan_scaling *scaling = NULL;
    assert_int_equal(pt_scaling_parse(*state, "file", text, sizeof text - 1, &scaling), PARTAN_ERROR_FORMAT);
    assert_null(scaling);
    assert_non_null(strstr(partan_error(*state), "file:4:1: "));
}

static void files_of_svm_scale_are_read(void **state)
{
    char path[256];
    make_file(temporary_path(path, sizeof path, ".scale"), "x\n-1 1\n1 1 3\n3 0 2.5\n");
    partan_scaling *scaling;
    assert_int_equal(partan_scaling_read(*state, path, &scaling), PARTAN_OK);
    assert_int_equal(scaling->features, 3);
    assert_true(pt_scaling_map(scaling, 0, 2) == 0);
    assert_int_equal(pt_scaling_find(scaling, 1), -1); /* constant, and so 0 */
    assert_int_equal(pt_scaling_find(scaling, 2), 1);
    assert_true(pt_scaling_map(scaling, 1, 2.5) == 1);
    partan_scaling_free(scaling);
    unlink(path);
}

static void malformed_files_are_refused(void **state)
{
    static const struct {
        const char *text, *where, *says;
    } table[] = {
        {"", ":1: ", "partan-scaling 1"},
        {"partan-scaling 2\n", ":1:1: ", "partan-scaling 1"},
        {"partan-model 1\n", ":1:1: ", "partan-scaling 1"},
        {"partan-scaling 1\n", ":2: ", "minmax"},
        {"partan-scaling 1\nminmax\n", ":2:7: ", "bound"},
        {"partan-scaling 1\nminmax 1 0\n", ":2:1: ", "less"},
        {"partan-scaling 1\nminmax 0 inf\n", ":2:10: ", "finite"},
        {"partan-scaling 1\nminmax 0 1e999\n", ":2:10: ", "finite"},
        {"partan-scaling 1\nminmax 0 1 2\n", ":2:12: ", "end of the line"},
        {"partan-scaling 1\nstandardize\n", ":2:1: ", "standardise"},
        {"partan-scaling 1\nstandardise\n", ":3: ", "features"},
        {"partan-scaling 1\nstandardise\nfeatures -1\n", ":3:", "features"},
        {"partan-scaling 1\nstandardise\nfeatures 1.5\n", ":3:", "features"},
        {"partan-scaling 1\nstandardise\nfeatures 99999999999\n", ":3:", "features"},
        {"partan-scaling 1\nstandardise\nfeatures 2\n1 0 1\n", ":5: ", "feature 2 of 2"},
        {"partan-scaling 1\nstandardise\nfeatures 1\n2 0 1\n", ":4:1: ", "in order"},
        {"partan-scaling 1\nstandardise\nfeatures 1\n1 0\n", ":4:4: ", "standard deviation"},
        {"partan-scaling 1\nstandardise\nfeatures 1\n1 0 -1\n", ":4:1: ", "not negative"},
        {"partan-scaling 1\nstandardise\nfeatures 1\n1 0 1x\n", ":4:5: ", "standard deviation"},
        {"partan-scaling 1\nminmax 0 1\nfeatures 1\n1 5 4\n", ":4:1: ", "maximum"},
        {"partan-scaling 1\nminmax 0 1\nfeatures 1\n1 4 5\n2 4 5\n", ":5:1: ", "end of the file"},
        {"x\n", ":2: ", "bound"},
        {"x\n0 1\n2 0 1\n2 0 1\n", ":4:1: ", "ascending"},
        {"x\n0 1\n0 0 1\n", ":3:1: ", "ascending"},
        {"y\n0 1\n0 1\nx\n0 1\n", ":1:1: ", "-y"},
    };
    partan_context *context = *state;
    char path[256];
    temporary_path(path, sizeof path, ".scale");
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        make_file(path, table[i].text);
        partan_scaling *scaling;
        assert_int_equal(partan_scaling_read(context, path, &scaling), PARTAN_ERROR_FORMAT);
        assert_null(scaling);
        char where[300];
        snprintf(where, sizeof where, "%s%s", path, table[i].where);
        if (!strstr(partan_error(context), where) || !strstr(partan_error(context), table[i].says))
            fail_msg("case %zu says: %s", i, partan_error(context));
    }
    unlink(path);
    partan_scaling *scaling;
    assert_int_equal(partan_scaling_read(context, path, &scaling), PARTAN_ERROR_IO);
    assert_non_null(strstr(partan_error(context), path));
}

/* ---- Allocations ---- */

static partan_status fit_write_read_apply(partan_context *context)
{
    char path[256];
    temporary_path(path, sizeof path, ".scale");
    partan_data *data = NULL, *scaled = NULL;
    partan_scaling *scaling = NULL, *back = NULL;
    partan_status status =
        dense_data(context, &sample[0][0], ROWS, FEATURES, FEATURES, sample_labels, PARTAN_STORAGE_DENSE, &data);
    if (!status)
        status = partan_scaling_fit(context, data, PARTAN_SCALING_STANDARDISE, 0, 0, &scaling);
    if (!status)
        status = partan_scaling_write(context, scaling, path);
    if (!status)
        status = partan_scaling_read(context, path, &back);
    if (!status)
        status = partan_scaling_apply(context, back, data, PARTAN_STORAGE_SPARSE, &scaled);
    partan_data_free(scaled);
    partan_scaling_free(back);
    partan_scaling_free(scaling);
    partan_data_free(data);
    unlink(path);
    return status;
}

static void failed_allocations_are_survived(void **state)
{
    (void)state;
    check_every_allocation(fit_write_read_apply);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(minmax_meets_its_bounds),
        CONTEXT_TEST(standardised_data_has_mean_0_and_variance_1),
        CONTEXT_TEST(a_large_mean_does_not_spoil_the_variance),
        CONTEXT_TEST(storages_agree),
        CONTEXT_TEST(test_data_gets_the_map_of_the_training_data),
        cmocka_unit_test(filling_sparse_data_is_warned_of),
        cmocka_unit_test(other_numbers_of_features_are_fitted_in),
        CONTEXT_TEST(impossible_requests_are_refused),
        CONTEXT_TEST(values_that_overflow_are_refused),
        CONTEXT_TEST(files_restore_a_scaling_exactly),
        CONTEXT_TEST(files_keep_names_with_blanks),
        CONTEXT_TEST(a_name_with_a_nul_byte_is_refused),
        CONTEXT_TEST(files_of_svm_scale_are_read),
        CONTEXT_TEST(malformed_files_are_refused),
        cmocka_unit_test(failed_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
