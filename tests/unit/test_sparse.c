/* Few support vectors: models of at most so many, their certificates, and what partan_compress says of them. */
#include "svm/sparse/sparse.h"

#include "partan/svm.h"
#include "training.h"

enum { ROWS = 500, FEW = 24 };

static double accuracy(partan_context *context, const partan_model *model, const partan_data *data)
{
    partan_evaluation found;
    partan_evaluation_init(&found);
    size_t outputs = partan_model_outputs(model), rows = partan_data_rows(data);
    double *decision = malloc(rows * outputs * sizeof *decision);
    assert_non_null(decision);
    assert_int_equal(partan_predict(context, model, data, decision), PARTAN_OK);
    assert_int_equal(partan_evaluate(context, model, data, decision, NULL, NULL, &found), PARTAN_OK);
    free(decision);
    return found.accuracy;
}

static partan_model *train_few(partan_context *context, const partan_data *data, partan_settings s, int64_t most)
{
    partan_model *model = NULL;
    s.max_sv = most;
    if (partan_train(context, data, &s, NULL, &model) != PARTAN_OK)
        fail_msg("%s", partan_error(context));
    check_verified(context, model, data);
    return model;
}

static void few_support_vectors_decide_as_many_do(void **state)
{
    for (int solver = 0; solver < 2; solver++) {
        partan_settings s = defaults(solver ? PARTAN_SOLVER_PARTAN : PARTAN_SOLVER_AUTO);
        partan_data *data = generate(*state, "twonorm", ROWS);
        partan_model *whole = train(*state, data, &s, NULL, PARTAN_OK), *few = train_few(*state, data, s, FEW);
        assert_true(whole->count > 4 * FEW);
        assert_in_range(few->count, 2, FEW);
        assert_true(accuracy(*state, few, data) >= accuracy(*state, whole, data) - 0.02);
        assert_true(few->result.relative_gap > whole->result.relative_gap);
        partan_model *enough = train_few(*state, data, s, ROWS); /* the solution itself */
        assert_same_model(whole, enough);
        partan_model_free(enough);
        partan_model_free(few);
        partan_model_free(whole);
        partan_data_free(data);
    }
}

/* Most of the solution's rows: then its gap is one that proves something. */
static void most_support_vectors_keep_a_certificate(void **state)
{
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.tol = 1e-3;
    partan_data *data = generate(*state, "twonorm", ROWS);
    partan_model *whole = train(*state, data, &s, NULL, PARTAN_OK);
    partan_model *most = train_few(*state, data, s, (int64_t)whole->count - 10);
    assert_in_range(most->count, 2, whole->count - 10);
    assert_true(most->result.relative_gap < 1);
    partan_model_free(most);
    partan_model_free(whole);
    partan_data_free(data);
}

/* The derivative of 1/2 |w|^2 + C/2 sum of squared losses by the weight of each row chosen, value by value. */
static void weights_minimise_the_primal_problem(void **state)
{
    partan_data *data = generate(*state, "ringnorm", ROWS);
    static float signs[ROWS + PT_TILE];
    static double targets[ROWS];
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_model *whole = train(*state, data, &s, NULL, PARTAN_OK);
    assert_int_equal(partan_predict(*state, whole, data, targets), PARTAN_OK);
    for (size_t i = 0; i < ROWS; i++)
        signs[i] = partan_data_label(data, i) > 0 ? 1 : -1;
    pt_sparse sparse = {.context = *state,
                        .kernel = pt_model_kernel(whole),
                        .points = {.matrix = &data->matrix},
                        .signs = signs,
                        .cost = s.cost,
                        .targets = targets,
                        .most = FEW,
                        .seed = 1};
    assert_int_equal(pt_sparse_choose(&sparse), PARTAN_OK);
    assert_in_range(sparse.count, 2, FEW);
    static double margins[ROWS], values[FEW][ROWS];
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < sparse.count; j++) {
            double k = pt_kernel_value(&sparse.kernel, sparse.points, i, sparse.points, (size_t)sparse.ids[j]);
            values[j][i] = (double)(signs[i] * signs[sparse.ids[j]]) * (k + 1);
            margins[i] += sparse.weights[j] * values[j][i];
        }
    for (size_t j = 0; j < sparse.count; j++) {
        double slope = margins[sparse.ids[j]], size = fabs(slope);
        assert_true(sparse.weights[j] > 0);
        for (size_t i = 0; i < ROWS; i++) {
            double loss = fmax(0, 1 - margins[i]);
            slope -= s.cost * loss * values[j][i];
            size += fabs(s.cost * loss * values[j][i]);
        }
        assert_true(fabs(slope) <= 0.03 * size);
    }
    pt_sparse_free(&sparse);
    partan_model_free(whole);
    partan_data_free(data);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_model *models[2];
    partan_context *contexts[2];
    for (int i = 0; i < 2; i++) {
        partan_context_options options;
        partan_context_options_init(&options);
        options.threads = 1 + 2 * i;
        contexts[i] = partan_create(&options);
        assert_non_null(contexts[i]);
        partan_data *own = generate(contexts[i], "ringnorm", 3000);
        models[i] = train_few(contexts[i], own, s, 100);
        partan_data_free(own);
    }
    assert_same_model(models[0], models[1]);
    for (int i = 0; i < 2; i++) {
        partan_model_free(models[i]);
        partan_destroy(contexts[i]);
    }
}

/* ---- partan_compress ---- */

/* Three classes by a feature, and weights of rows. */
static partan_data *three_classes(partan_context *context)
{
    partan_data *data = generate(context, "twonorm", ROWS);
    static double labels[ROWS], weights[ROWS];
    float row[20];
    int32_t indices[20];
    for (size_t i = 0; i < ROWS; i++) {
        assert_int_equal(pt_matrix_row(&data->matrix, i, indices, row), 20);
        labels[i] = row[0] < -0.5F ? 1 : row[1] < 0 ? 2 : 3;
        weights[i] = i % 7 == 0 ? 0 : 1 + (double)(i % 3);
        data->labels[i] = labels[i];
    }
    assert_int_equal(partan_data_set_weights(context, data, weights), PARTAN_OK);
    return data;
}

static void check_result(partan_context *context, const partan_model *before, const partan_model *after,
                         const partan_data *data, const partan_compress_result *found)
{
    size_t outputs = partan_model_outputs(before), rows = partan_data_rows(data);
    double *d = malloc(2 * rows * outputs * sizeof *d), sum = 0, most = 0;
    size_t changed = 0;
    assert_non_null(d);
    assert_int_equal(partan_predict(context, before, data, d), PARTAN_OK);
    assert_int_equal(partan_predict(context, after, data, d + rows * outputs), PARTAN_OK);
    for (size_t i = 0; i < rows * outputs; i++) {
        double difference = fabs(d[i] - d[rows * outputs + i]);
        sum += difference;
        most = fmax(most, difference);
        if (i % outputs == 0)
            changed += partan_model_decide(before, d + i) != partan_model_decide(after, d + rows * outputs + i);
    }
    assert_int_equal(found->vectors_before, before->count);
    assert_int_equal(found->vectors_after, after->count);
    assert_int_equal(found->rows, rows);
    assert_int_equal(found->changed, changed);
    assert_true(found->accuracy_before == accuracy(context, before, data));
    assert_true(found->accuracy_after == accuracy(context, after, data));
    assert_true(found->relative_gap_after == after->result.relative_gap);
    assert_true(fabs(found->mean_difference - sum / (double)(rows * outputs)) <= 1e-9);
    assert_true(fabs(found->max_difference - most) <= 1e-9);
    free(d);
}

static void compressed_models_are_models_of_the_data(void **state)
{
    for (int kind = 0; kind < 3; kind++) {
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        partan_data *data = kind ? three_classes(*state) : generate(*state, "twonorm", ROWS);
        partan_model *model = NULL, *few = NULL;
        s.scale = PARTAN_SCALE_STANDARD;
        s.multiclass = kind == 2 ? PARTAN_ONE_VS_REST : PARTAN_ONE_VS_ONE;
        s.balanced = 1;
        assert_int_equal(partan_train(*state, data, &s, NULL, &model), PARTAN_OK);
        partan_compress_options options;
        partan_compress_options_init(&options);
        partan_compress_result found;
        partan_compress_result_init(&found);
        options.max_sv = kind ? 90 : 45;
        assert_int_equal(partan_compress(*state, model, data, &options, &few, &found), PARTAN_OK);
        assert_in_range(few->count, 3, options.max_sv);
        assert_true(model->count > 100);
        assert_true(found.accuracy_after >= found.accuracy_before - 0.1);
        check_result(*state, model, few, data, &found);
        check_verified(*state, few, data);
        /* Of weights that are not those of the fit, verification says so. */
        (few->machine_count > 0 ? few->machines[0] : few)->weights[0] *= 1.5;
        partan_verification v;
        partan_verification_init(&v);
        assert_int_equal(partan_verify(*state, few, data, &v), PARTAN_OK);
        assert_false(v.matches);
        partan_model_free(few);
        partan_model_free(model);
        partan_data_free(data);
    }
}

static void as_few_as_a_loss_allows(void **state)
{
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_data *data = generate(*state, "twonorm", ROWS);
    partan_model *model = train(*state, data, &s, NULL, PARTAN_OK), *few[2];
    partan_compress_options options;
    partan_compress_options_init(&options);
    for (int i = 0; i < 2; i++) {
        partan_compress_result found;
        partan_compress_result_init(&found);
        options.max_loss = i ? 0.2 : 0.005;
        assert_int_equal(partan_compress(*state, model, data, &options, &few[i], &found), PARTAN_OK);
        assert_true(found.accuracy_before - found.accuracy_after <= options.max_loss);
        check_verified(*state, few[i], data);
    }
    assert_true(few[0]->count < model->count / 2);
    assert_true(few[1]->count <= few[0]->count);
    for (int i = 0; i < 2; i++)
        partan_model_free(few[i]);
    partan_model_free(model);
    partan_data_free(data);
}

static void what_cannot_be_compressed_is_refused(void **state)
{
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_data *data = generate(*state, "twonorm", 100);
    partan_model *model = train(*state, data, &s, NULL, PARTAN_OK), *few = NULL;
    partan_compress_options options;
    partan_compress_options_init(&options);
    options.max_sv = 1;
    assert_int_equal(partan_compress(*state, model, data, &options, &few, NULL), PARTAN_ERROR_ARGUMENT);
    assert_non_null(strstr(partan_error(*state), "at least 2 support vectors"));
    assert_null(few);
    options.max_sv = 0;
    options.max_loss = -0.5;
    assert_int_equal(partan_compress(*state, model, data, &options, &few, NULL), PARTAN_ERROR_ARGUMENT);
    partan_compress_options_init(&options);
    data->labels[3] = NAN;
    assert_int_equal(partan_compress(*state, model, data, &options, &few, NULL), PARTAN_ERROR_DATA);
    assert_non_null(strstr(partan_error(*state), "row 4 has no label"));
    model->format = PARTAN_MODEL_LIBSVM;
    assert_int_equal(partan_compress(*state, model, data, NULL, &few, NULL), PARTAN_ERROR_DATA);
    assert_non_null(strstr(partan_error(*state), "LIBSVM"));
    partan_model_free(model);
    s.max_sv = 10;
    s.problem = PARTAN_REGRESSION;
    assert_int_equal(partan_train(*state, data, &s, NULL, &model), PARTAN_ERROR_ARGUMENT);
    assert_non_null(strstr(partan_error(*state), "max-sv is for classification"));
    partan_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(few_support_vectors_decide_as_many_do),    CONTEXT_TEST(most_support_vectors_keep_a_certificate),
        CONTEXT_TEST(weights_minimise_the_primal_problem),      CONTEXT_TEST(threads_change_nothing),
        CONTEXT_TEST(compressed_models_are_models_of_the_data), CONTEXT_TEST(as_few_as_a_loss_allows),
        CONTEXT_TEST(what_cannot_be_compressed_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
