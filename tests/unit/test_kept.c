/* Memory and time go by what is there, not by the greatest index: the same rows with their features far apart make the
 * same models, predictions and scalings, bit for bit, in little memory. */
#include "training.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/available.h"
#include "core/random.h"
#include "data/scale.h"
#include "data/storage/kept.h"
#include "files.h"
#include "kernel/kernel.h"

enum { ROWS = 90, FEATURES = 40, APART = 50000000, SHIFT = 1000, LARGEST = 1 << 23 };

typedef struct watched {
    size_t largest; /* bytes asked for at once */
} watched;

static void *watch_allocate(void *user, size_t bytes, size_t alignment)
{
    watched *w = user;
    w->largest = bytes > w->largest ? bytes : w->largest;
    return bytes > LARGEST ? NULL : aligned_alloc(alignment, bytes);
}

static void watch_release(void *user, void *pointer)
{
    (void)user;
    free(pointer);
}

static partan_context *make_watched(watched *w)
{
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 1;
    options.allocate = watch_allocate;
    options.release = watch_release;
    options.user = w;
    return partan_create(&options);
}

/* The same values, with the features next to each other or far apart. */
static partan_data *make_rows(partan_context *context, uint64_t seed, bool apart, partan_storage storage)
{
    int64_t offsets[ROWS + 1] = {0};
    static int32_t indices[ROWS * FEATURES];
    static float values[ROWS * FEATURES];
    double labels[ROWS];
    pt_random random;
    pt_random_seed(&random, seed);
    size_t count = 0;
    for (size_t row = 0; row < ROWS; row++) {
        labels[row] = row % 2 ? 1 : -1;
        for (int32_t f = 0; f < FEATURES; f++)
            if (pt_random_below(&random, 3) == 0) {
                indices[count] = apart ? SHIFT + f * APART : f;
                values[count++] = (float)(pt_random_normal(&random) + labels[row]);
            }
        offsets[row + 1] = (int64_t)count;
    }
    size_t features = apart ? SHIFT + (size_t)(FEATURES - 1) * APART + 1 : FEATURES;
    partan_data *data = NULL;
    assert_int_equal(csr_data(context, ROWS, features, offsets, indices, values, labels, storage, &data), PARTAN_OK);
    return data;
}

static void models_are_the_same(void **state)
{
    (void)state;
    for (int kernel = 0; kernel <= PARTAN_KERNEL_LAPLACIAN; kernel++)
        for (int solver = PARTAN_SOLVER_FW; solver <= PARTAN_SOLVER_AUTO; solver++) {
            if (kernel == PARTAN_KERNEL_PRECOMPUTED || kernel == PARTAN_KERNEL_SIGMOID)
                continue;
            watched w = {0};
            partan_context *context = make_watched(&w);
            partan_data *near = make_rows(context, 1, false, PARTAN_STORAGE_SPARSE);
            partan_data *far = make_rows(context, 1, true, PARTAN_STORAGE_SPARSE);
            assert_true(pt_is_hollow(&far->matrix) && !pt_is_hollow(&near->matrix));
            partan_settings settings = defaults((partan_solver)solver);
            settings.kernel = (partan_kernel)kernel;
            settings.gamma_rule = PARTAN_GAMMA_AUTO;
            partan_model *a = train(context, near, &settings, NULL, PARTAN_OK);
            partan_model *b = train(context, far, &settings, NULL, PARTAN_OK);
            assert_same_model(a, b);
            assert_true(a->settings.gamma == b->settings.gamma);
            assert_int_equal(b->features, far->matrix.features);
            double decision[2][ROWS];
            assert_int_equal(partan_predict(context, a, near, decision[0]), PARTAN_OK);
            assert_int_equal(partan_predict(context, b, far, decision[1]), PARTAN_OK);
            assert_memory_equal(decision[0], decision[1], sizeof decision[0]);
            partan_model_free(a);
            partan_model_free(b);
            partan_data_free(near);
            partan_data_free(far);
            partan_destroy(context);
        }
}

/* Of so many rows gamma is made of some: of the same ones whether features are left out or not. */
static void gamma_by_scale_counts_features_that_are_empty(void **state)
{
    enum { MANY = 300000, WIDE = 1 << 21 };
    static int32_t indices[MANY];
    static float values[MANY];
    static double labels[MANY];
    static int64_t offsets[MANY + 1];
    pt_random random;
    pt_random_seed(&random, 1);
    for (size_t row = 0; row < MANY; row++) {
        indices[row] = (int32_t)pt_random_below(&random, 3) * (WIDE / 2 - 1);
        values[row] = (float)(1 + pt_random_normal(&random));
        labels[row] = row % 2 ? 1 : -1;
        offsets[row + 1] = (int64_t)row + 1;
    }
    partan_data *data = NULL;
    partan_settings settings = defaults(PARTAN_SOLVER_AUTO);
    settings.gamma_rule = PARTAN_GAMMA_SCALE;
    double gamma = 0;
    assert_int_equal(csr_data(*state, MANY, WIDE, offsets, indices, values, labels, PARTAN_STORAGE_SPARSE, &data),
                     PARTAN_OK);
    assert_true(pt_is_hollow(&data->matrix));
    assert_int_equal(partan_gamma_value(*state, &settings, data, &gamma), PARTAN_OK);
    assert_true(gamma == pt_gamma_of(PARTAN_GAMMA_SCALE, &data->matrix, WIDE));
    partan_data_free(data);
}

static void linear_models_are_the_same(void **state)
{
    (void)state;
    for (int form = 0; form < 2; form++) {
        watched w = {0};
        partan_context *context = make_watched(&w);
        partan_lasso_settings lasso;
        partan_lasso_settings_init(&lasso);
        lasso.lambda = form ? 0 : 0.02;
        lasso.radius = form ? 3 : 0;
        double values[2][ROWS];
        partan_lasso *models[2];
        for (int apart = 0; apart < 2; apart++) {
            partan_data *data = make_rows(context, 4, apart, PARTAN_STORAGE_SPARSE);
            partan_lasso_verification found;
            partan_lasso_verification_init(&found);
            if (partan_lasso_fit(context, data, &lasso, NULL, &models[apart]))
                fail_msg("%s", partan_error(context));
            assert_int_equal(partan_lasso_features(models[apart]), data->matrix.features);
            assert_int_equal(partan_lasso_predict(context, models[apart], data, values[apart]), PARTAN_OK);
            assert_int_equal(partan_lasso_verify(context, models[apart], data, &found), PARTAN_OK);
            if (!found.matches)
                fail_msg("%s", found.reason);
            partan_data_free(data);
        }
        assert_memory_equal(values[0], values[1], sizeof values[0]);
        size_t count = partan_lasso_get_result(models[0])->nonzeros;
        assert_true(count > 0 && count == partan_lasso_get_result(models[1])->nonzeros);
        for (size_t i = 0; i < count; i++) {
            size_t features[2];
            double coefficients[2];
            for (int k = 0; k < 2; k++)
                partan_lasso_coefficient(models[k], i, &features[k], &coefficients[k], NULL);
            assert_true(coefficients[0] == coefficients[1]);
            assert_int_equal(SHIFT + features[0] * APART, features[1]);
        }
        partan_lasso_free(models[0]);
        partan_lasso_free(models[1]);
        partan_destroy(context);
    }
}

static void gamma_counts_empty_features_too(void **state)
{
    (void)state;
    watched w = {0};
    partan_context *context = make_watched(&w);
    partan_data *data = make_rows(context, 2, true, PARTAN_STORAGE_SPARSE);
    partan_settings settings = defaults(PARTAN_SOLVER_AUTO);
    settings.gamma_rule = PARTAN_GAMMA_SCALE;
    partan_model *model = train(context, data, &settings, NULL, PARTAN_OK);
    double sum = 0, squares = 0, all = (double)ROWS * (double)data->matrix.features;
    for (uint64_t k = 0; k < data->matrix.nonzeros; k++) {
        sum += (double)data->matrix.values[k];
        squares += (double)data->matrix.values[k] * (double)data->matrix.values[k];
    }
    double variance = squares / all - sum / all * sum / all;
    double expected = 1 / ((double)data->matrix.features * variance);
    assert_true(fabs(model->settings.gamma - expected) <= 1e-12 * expected);
    partan_model_free(model);
    partan_data_free(data);
    partan_destroy(context);
}

static void scalings_are_the_same(void **state)
{
    (void)state;
    const struct {
        partan_scaling_kind kind;
        double lower;
    } cases[] = {{PARTAN_SCALING_MINMAX, 0}, {PARTAN_SCALING_MINMAX, -1}, {PARTAN_SCALING_STANDARDISE, 0}};
    char path[256];
    temporary_path(path, sizeof path, ".scaling");
    for (size_t c = 0; c < 3; c++) {
        watched w = {0};
        partan_context *context = make_watched(&w);
        partan_data *data[2], *scaled[2];
        for (int apart = 0; apart < 2; apart++) {
            partan_scaling *scaling, *back;
            data[apart] = make_rows(context, 3, apart, PARTAN_STORAGE_SPARSE);
            assert_int_equal(partan_scaling_fit(context, data[apart], cases[c].kind, cases[c].lower, 1, &scaling),
                             PARTAN_OK);
            assert_int_equal(partan_scaling_write(context, scaling, path), PARTAN_OK);
            if (partan_scaling_read(context, path, &back))
                fail_msg("%s", partan_error(context));
            assert_int_equal(back->count, FEATURES);
            assert_memory_equal(back->ranges, scaling->ranges, FEATURES * sizeof *back->ranges);
            if (partan_scaling_apply(context, back, data[apart], PARTAN_STORAGE_SPARSE, &scaled[apart]))
                fail_msg("%s", partan_error(context));
            partan_scaling_free(scaling);
            partan_scaling_free(back);
        }
        assert_int_equal(scaled[0]->matrix.nonzeros, scaled[1]->matrix.nonzeros);
        assert_int_equal(scaled[1]->matrix.features, data[1]->matrix.features);
        for (uint64_t k = 0; k < scaled[0]->matrix.nonzeros; k++) {
            assert_true(scaled[0]->matrix.values[k] == scaled[1]->matrix.values[k]);
            assert_int_equal(SHIFT + scaled[0]->matrix.indices[k] * APART, scaled[1]->matrix.indices[k]);
        }
        for (int i = 0; i < 2; i++) {
            partan_data_free(data[i]);
            partan_data_free(scaled[i]);
        }
        partan_destroy(context);
    }
    unlink(path);
}

/* What the system would promise and not keep. */
static void more_memory_than_there_is_is_refused(void **state)
{
    const int64_t offsets[] = {0, 1, 2};
    const int32_t indices[] = {INT32_MAX - 1, 0};
    const float values[] = {1, 2};
    partan_data *data;
    if (pt_memory_available("") > (uint64_t)100 << 30)
        skip(); /* there might be as much */
    assert_int_equal(csr_data(*state, 2, INT32_MAX, offsets, indices, values, NULL, PARTAN_STORAGE_DENSE, &data),
                     PARTAN_ERROR_MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_are_the_same),
        cmocka_unit_test(linear_models_are_the_same),
        cmocka_unit_test(gamma_counts_empty_features_too),
        cmocka_unit_test(scalings_are_the_same),
        CONTEXT_TEST(gamma_by_scale_counts_features_that_are_empty),
        CONTEXT_TEST(more_memory_than_there_is_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
