/* Prediction for rows in arrays: the bits of prediction for the same rows in a data set, whatever their layout. */
#include "testing.h"

#include <pthread.h>

#include "core/random.h"
#include "failing.h"
#include "layouts.h"
#include "svm/model/model.h"
#include "training.h"

/* Rows with labels, of no particular kind: some zeros, some of them near each other. */
static plain_matrix some_rows(uint64_t seed, size_t rows, size_t features)
{
    plain_matrix m = {.rows = rows, .features = features};
    pt_random random;
    pt_random_seed(&random, seed);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < features; j++)
            m.values[i][j] = pt_random_below(&random, 3) ? pt_random_normal(&random) : 0;
    return m;
}

static partan_data *data_of(partan_context *context, const plain_matrix *m, partan_storage storage)
{
    double labels[MOST_ROWS];
    partan_array_options options;
    partan_array_options_init(&options);
    options.labels = labels;
    options.storage = storage;
    for (size_t i = 0; i < m->rows; i++)
        labels[i] = m->values[i][0] + m->values[i][1] > 0 ? 1 : -1;
    partan_dense array;
    partan_dense_init(&array);
    array.values = m->values;
    array.type = PARTAN_FLOAT64;
    array.rows = m->rows;
    array.features = m->features;
    array.row_stride = MOST_FEATURES;
    partan_data *data;
    assert_int_equal(partan_data_from_dense(context, &array, &options, &data), PARTAN_OK);
    return data;
}

static partan_model *model_of(partan_context *context, partan_kernel kernel, partan_storage storage, partan_scale scale)
{
    plain_matrix m = some_rows(7, MOST_ROWS, 9);
    partan_data *data = data_of(context, &m, storage);
    partan_settings settings;
    partan_settings_init(&settings);
    settings.kernel = kernel;
    settings.scale = scale;
    partan_model *model;
    assert_int_equal(partan_train(context, data, &settings, NULL, &model), PARTAN_OK);
    partan_data_free(data);
    return model;
}

/* Some rows in some layout, both ways. */
static void check_layout(partan_context *context, const partan_model *model, uint64_t seed)
{
    uint8_t bytes[16];
    pt_random random;
    pt_random_seed(&random, seed);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)pt_random_next(&random);
    byte_source source = {bytes, bytes + sizeof bytes};
    plain_matrix m = some_rows(seed, 1 + seed % MOST_ROWS, 9);
    laid_out all = {0};
    double expected[MOST_ROWS], found[MOST_ROWS];
    bool sparse = draw(&source, 2), zeros;
    partan_data *data = data_of(context, &m, sparse ? PARTAN_STORAGE_SPARSE : PARTAN_STORAGE_DENSE);
    assert_int_equal(partan_predict(context, model, data, expected), PARTAN_OK);
    if (sparse) {
        partan_sparse array = lay_sparse(&m, &source, &all, &zeros);
        assert_int_equal(partan_predict_sparse(context, model, &array, found), PARTAN_OK);
    } else {
        partan_dense array = lay_dense(&m, &source, &all);
        assert_int_equal(partan_predict_dense(context, model, &array, found), PARTAN_OK);
    }
    assert_memory_equal(expected, found, m.rows * sizeof *found);
    partan_data_free(data);
    discard(&all);
}

static void every_layout_gives_the_bits_of_a_data_set(void **state)
{
    static const partan_kernel kernels[] = {PARTAN_KERNEL_LINEAR, PARTAN_KERNEL_POLYNOMIAL, PARTAN_KERNEL_RBF,
                                            PARTAN_KERNEL_SIGMOID, PARTAN_KERNEL_LAPLACIAN};
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
        for (int storage = PARTAN_STORAGE_DENSE; storage <= PARTAN_STORAGE_SPARSE; storage++)
            for (int scale = PARTAN_SCALE_NONE; scale <= PARTAN_SCALE_STANDARD; scale++) {
                partan_model *model = model_of(*state, kernels[k], (partan_storage)storage, (partan_scale)scale);
                for (uint64_t seed = 1; seed <= SOME_OF(60); seed++)
                    check_layout(*state, model, seed);
                partan_model_free(model);
            }
}

/* A row's value does not depend on the rows beside it. */
static void one_row_gives_the_bits_of_many(void **state)
{
    plain_matrix m = some_rows(3, MOST_ROWS, 9);
    static const partan_kernel kernels[] = {PARTAN_KERNEL_LINEAR, PARTAN_KERNEL_RBF};
    for (size_t k = 0; k < 2; k++) {
        partan_model *model = model_of(*state, kernels[k], PARTAN_STORAGE_DENSE, PARTAN_SCALE_NONE);
        double all[MOST_ROWS], one;
        partan_dense array;
        partan_dense_init(&array);
        array.values = m.values;
        array.type = PARTAN_FLOAT64;
        array.rows = m.rows;
        array.features = 9;
        array.row_stride = MOST_FEATURES;
        assert_int_equal(partan_predict_dense(*state, model, &array, all), PARTAN_OK);
        array.rows = 1;
        for (size_t i = 0; i < m.rows; i++) {
            array.values = m.values[i];
            assert_int_equal(partan_predict_dense(*state, model, &array, &one), PARTAN_OK);
            assert_true(one == all[i]);
        }
        array.rows = 0;
        array.values = NULL;
        assert_int_equal(partan_predict_dense(*state, model, &array, NULL), PARTAN_ERROR_ARGUMENT);
        assert_int_equal(partan_predict_dense(*state, model, &array, &one), PARTAN_OK);
        partan_model_free(model);
    }
}

/* Rows of 0 and 1, for a model that has packed bits. */
static void zeros_and_ones_give_the_bits_of_packed_bits(void **state)
{
    plain_matrix m = some_rows(5, MOST_ROWS, 9);
    for (size_t i = 0; i < m.rows; i++)
        for (size_t j = 0; j < m.features; j++)
            m.values[i][j] = m.values[i][j] > 0.3;
    partan_data *bits = data_of(*state, &m, PARTAN_STORAGE_BITS), *dense = data_of(*state, &m, PARTAN_STORAGE_DENSE);
    partan_settings settings;
    partan_settings_init(&settings);
    settings.gamma_rule = PARTAN_GAMMA_VALUE;
    settings.gamma = 0.1;
    partan_model *model;
    assert_int_equal(partan_train(*state, bits, &settings, NULL, &model), PARTAN_OK);
    assert_int_equal(model->vectors.storage, PARTAN_STORAGE_BITS);
    double expected[MOST_ROWS], others[MOST_ROWS], found[MOST_ROWS], one;
    assert_int_equal(partan_predict(*state, model, bits, expected), PARTAN_OK);
    assert_int_equal(partan_predict(*state, model, dense, others), PARTAN_OK);
    assert_memory_not_equal(expected, others, sizeof others); /* or there would be nothing to see */
    static const uint8_t bytes[16] = {0};
    byte_source source = {bytes, bytes + sizeof bytes};
    laid_out laid = {0};
    bool zeros;
    partan_sparse sparse = lay_sparse(&m, &source, &laid, &zeros);
    assert_int_equal(partan_predict_sparse(*state, model, &sparse, found), PARTAN_OK);
    assert_memory_equal(expected, found, sizeof found);
    partan_dense array;
    partan_dense_init(&array);
    array.values = m.values;
    array.type = PARTAN_FLOAT64;
    array.rows = m.rows;
    array.features = 9;
    array.row_stride = MOST_FEATURES;
    assert_int_equal(partan_predict_dense(*state, model, &array, found), PARTAN_OK);
    assert_memory_equal(expected, found, sizeof found);
    array.rows = 1;
    for (size_t i = 0; i < m.rows; i++) {
        array.values = m.values[i];
        assert_int_equal(partan_predict_dense(*state, model, &array, &one), PARTAN_OK);
        assert_true(one == expected[i]);
    }
    discard(&laid);
    partan_model_free(model);
    partan_data_free(bits);
    partan_data_free(dense);
}

static void another_number_of_features_is_refused(void **state)
{
    partan_model *model = model_of(*state, PARTAN_KERNEL_RBF, PARTAN_STORAGE_DENSE, PARTAN_SCALE_NONE);
    float row[12] = {0};
    double value;
    partan_dense array;
    partan_dense_init(&array);
    array.values = row;
    array.rows = 1;
    array.features = 8;
    assert_int_equal(partan_predict_dense(*state, model, &array, &value), PARTAN_ERROR_DATA);
    assert_string_equal(partan_error(*state), "data: found 8 features, expected the 9 of the training data");
    row[2] = NAN;
    array.features = 9;
    assert_int_equal(partan_predict_dense(*state, model, &array, &value), PARTAN_ERROR_DATA);
    assert_string_equal(partan_error(*state), "row 1, feature 3: found NaN, expected a finite number");
    partan_model_free(model);
}

/* ---- Contexts of several threads with one model ---- */

typedef struct sharing {
    const partan_model *model;
    double value;
} sharing;

static void *predict_often(void *user)
{
    sharing *s = user;
    float row[9] = {1, 0, 2, 0, 0.5f};
    partan_context *context = partan_create(NULL);
    partan_dense array;
    partan_dense_init(&array);
    array.values = row;
    array.rows = 1;
    array.features = 9;
    for (int i = 0; i < 200; i++)
        if (partan_predict_dense(context, s->model, &array, &s->value) != PARTAN_OK)
            s->value = NAN;
    partan_destroy(context);
    return NULL;
}

static void several_contexts_may_share_a_model(void **state)
{
    enum { THREADS = 4 };
    for (int i = 0; i < 6; i++) {
        partan_model *model =
            model_of(*state, (partan_kernel)(i % 3), i < 3 ? PARTAN_STORAGE_DENSE : PARTAN_STORAGE_SPARSE,
                     i % 2 ? PARTAN_SCALE_NONE : PARTAN_SCALE_MINMAX);
        pthread_t threads[THREADS];
        sharing each[THREADS];
        for (int k = 0; k < THREADS; k++) {
            each[k] = (sharing){.model = model};
            assert_int_equal(pthread_create(&threads[k], NULL, predict_often, &each[k]), 0);
        }
        for (int k = 0; k < THREADS; k++)
            pthread_join(threads[k], NULL);
        for (int k = 0; k < THREADS; k++)
            assert_true(each[k].value == each[0].value);
        partan_model_free(model);
    }
}

/* ---- Lasso ---- */

static void linear_models_predict_arrays_too(void **state)
{
    plain_matrix m = some_rows(11, MOST_ROWS, 9);
    partan_data *data = data_of(*state, &m, PARTAN_STORAGE_DENSE);
    partan_lasso_settings settings;
    partan_lasso *model;
    double expected[MOST_ROWS], found[MOST_ROWS];
    partan_lasso_settings_init(&settings);
    settings.lambda = 0.01;
    assert_int_equal(partan_lasso_fit(*state, data, &settings, NULL, &model), PARTAN_OK);
    assert_int_equal(partan_lasso_predict(*state, model, data, expected), PARTAN_OK);
    for (uint8_t i = 0; i < 40; i++) {
        uint8_t bytes[] = {i, i / 2, i / 3, i / 4, i / 5, i / 7};
        byte_source source = {bytes, bytes + sizeof bytes};
        laid_out all = {0};
        bool zeros;
        partan_status status;
        if (i % 2) {
            partan_dense array = lay_dense(&m, &source, &all);
            status = partan_lasso_predict_dense(*state, model, &array, found);
        } else {
            partan_sparse array = lay_sparse(&m, &source, &all, &zeros);
            status = partan_lasso_predict_sparse(*state, model, &array, found);
        }
        assert_int_equal(status, PARTAN_OK);
        assert_memory_equal(expected, found, m.rows * sizeof *found);
        discard(&all);
    }
    partan_lasso_free(model);
    partan_data_free(data);
}

/* ---- Memory ---- */

static partan_status predict_some(partan_context *context, partan_kernel kernel)
{
    plain_matrix m = some_rows(5, 6, 3);
    double labels[6], decision[6];
    for (size_t i = 0; i < m.rows; i++)
        labels[i] = i % 2 ? 1 : -1;
    partan_dense array;
    partan_array_options options = array_options(labels, PARTAN_STORAGE_AUTO);
    partan_settings settings;
    partan_data *data;
    partan_model *model = NULL;
    partan_dense_init(&array);
    array.values = m.values;
    array.type = PARTAN_FLOAT64;
    array.rows = m.rows;
    array.features = 3;
    array.row_stride = MOST_FEATURES;
    partan_settings_init(&settings);
    settings.kernel = kernel;
    settings.solver = PARTAN_SOLVER_FW;
    partan_status status = partan_data_from_dense(context, &array, &options, &data);
    if (!status)
        status = partan_train(context, data, &settings, NULL, &model);
    if (!status)
        status = partan_predict_dense(context, model, &array, decision);
    partan_model_free(model);
    partan_data_free(data);
    return status;
}

static partan_status predict_linear(partan_context *context)
{
    return predict_some(context, PARTAN_KERNEL_LINEAR);
}

static partan_status predict_rbf(partan_context *context)
{
    return predict_some(context, PARTAN_KERNEL_RBF);
}

/* A linear model there and back as bytes, and predictions from arrays by it. */
static partan_status predict_lasso(partan_context *context)
{
    plain_matrix m = some_rows(5, 6, 3);
    double target[6] = {1, 2, 0, 1, -1, 3}, values[6];
    partan_dense array;
    partan_array_options options = array_options(target, PARTAN_STORAGE_AUTO);
    partan_lasso_settings settings;
    partan_data *data;
    partan_lasso *model = NULL, *again = NULL;
    char *bytes = NULL;
    size_t size = 0;
    partan_dense_init(&array);
    array.values = m.values;
    array.type = PARTAN_FLOAT64;
    array.rows = m.rows;
    array.features = 3;
    array.row_stride = MOST_FEATURES;
    partan_lasso_settings_init(&settings);
    settings.lambda = 0.1;
    partan_status status = partan_data_from_dense(context, &array, &options, &data);
    if (!status)
        status = partan_lasso_fit(context, data, &settings, NULL, &model);
    if (!status)
        status = partan_lasso_to_memory(context, model, &bytes, &size);
    if (!status)
        status = partan_lasso_from_memory(context, bytes, size, &again);
    if (!status)
        status = partan_lasso_predict_dense(context, again, &array, values);
    partan_free(context, bytes);
    partan_lasso_free(again);
    partan_lasso_free(model);
    partan_data_free(data);
    return status;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_every_allocation(predict_lasso);
    check_every_allocation(predict_linear);
    check_every_allocation(predict_rbf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(every_layout_gives_the_bits_of_a_data_set),
        CONTEXT_TEST(one_row_gives_the_bits_of_many),
        CONTEXT_TEST(zeros_and_ones_give_the_bits_of_packed_bits),
        CONTEXT_TEST(another_number_of_features_is_refused),
        CONTEXT_TEST(several_contexts_may_share_a_model),
        CONTEXT_TEST(linear_models_predict_arrays_too),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
