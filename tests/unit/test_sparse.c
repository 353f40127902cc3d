/* Few support vectors: models of at most so many, their certificates, and what partan_compress says of them. */
#include "svm/few.h"
#include "svm/sparse/sparse.h"

#include "interrupting.h"
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

/* ---- The certificate ---- */

static partan_data *data_of(partan_context *context, partan_problem problem)
{
    return generate(context, problem == PARTAN_REGRESSION ? "friedman" : "twonorm", ROWS);
}

static partan_settings settings_of(partan_problem problem, bool linear)
{
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.problem = problem;
    s.kernel = linear ? PARTAN_KERNEL_LINEAR : PARTAN_KERNEL_RBF;
    s.scale = PARTAN_SCALE_STANDARD;
    s.cost = problem == PARTAN_OUTLIER ? 0.02 : 3;
    s.epsilon = 0.2;
    s.tol = 1e-6;
    return s;
}

/* What the gap leaves for the primal objective's least value: from `least` to the model's own. */
static void enclosure(const partan_result *r, partan_problem problem, double *least, double *own)
{
    switch (problem) {
    case PARTAN_CLASSIFICATION:
        *least = 1 / (4 * r->objective);
        *own = 1 / (4 * (r->objective - r->gap));
        break;
    case PARTAN_REGRESSION:
        *least = -r->objective;
        *own = r->gap - r->objective;
        break;
    case PARTAN_OUTLIER:
        *least = -2 * r->objective;
        *own = 2 * r->gap - 2 * r->objective;
        break;
    }
}

/* The primal objective of classes and regression, value by value from the predictions and the weights. */
static double primal_of(partan_context *context, const partan_model *model, const partan_data *data)
{
    static double f[ROWS], at[ROWS];
    bool classes = model->settings.problem == PARTAN_CLASSIFICATION;
    double losses = 0, norm = 0, mean = 0;
    assert_int_equal(partan_predict(context, model, data, f), PARTAN_OK);
    for (size_t i = 0; i < ROWS; i++)
        mean += classes ? 0 : partan_data_label(data, i) / ROWS;
    for (size_t i = 0; i < ROWS; i++) {
        double t = partan_data_label(data, i),
               error = classes ? 1 - t * f[i] : fabs(t - f[i]) - model->settings.epsilon;
        losses += model->settings.cost * fmax(error, 0) * fmax(error, 0);
        at[i] = f[i] - mean;
    }
    for (size_t j = 0; j < model->count; j++)
        norm += model->scale * model->weights[j] * (double)model->signs[j] * at[model->origin[j]];
    return (norm + losses) / 2;
}

static void the_gap_encloses_the_least_objective(void **state)
{
    for (int problem = 0; problem < 3; problem++)
        for (int linear = 0; linear < 2; linear++) {
            partan_problem kind = (partan_problem)problem;
            partan_settings s = settings_of(kind, linear);
            partan_data *data = data_of(*state, kind);
            partan_model *whole = train(*state, data, &s, NULL, PARTAN_OK);
            double least, most, before = INFINITY;
            enclosure(&whole->result, kind, &least, &most);
            for (int64_t n = 12; n < 200 && n < (int64_t)whole->count; n *= 4) {
                double bound, own;
                partan_model *few = train_few(*state, data, s, n);
                assert_in_range(few->count, 1, n);
                enclosure(&few->result, kind, &bound, &own);
                assert_true(bound <= most * (1 + 1e-6) && own >= least * (1 - 1e-6));
                if (kind != PARTAN_OUTLIER)
                    assert_true(fabs(own - primal_of(*state, few, data)) <= 1e-5 * own);
                assert_true(kind != PARTAN_CLASSIFICATION || few->result.relative_gap < 0.5);
                assert_true(own - bound < before || linear);
                before = own - bound;
                /* Of another scale, another gap. */
                few->scale *= 1.1;
                few->bias *= 1.1;
                partan_verification v;
                partan_verification_init(&v);
                assert_int_equal(partan_verify(*state, few, data, &v), PARTAN_OK);
                assert_false(v.matches);
                partan_model_free(few);
            }
            assert_true(linear || before < (kind == PARTAN_OUTLIER ? 0.1 : 0.7) * most);
            partan_model_free(whole);
            partan_data_free(data);
        }
}

static void few_support_vectors_predict_numbers_as_many_do(void **state)
{
    partan_settings s = settings_of(PARTAN_REGRESSION, false);
    s.scale = PARTAN_SCALE_NONE;
    s.gamma = 1;
    partan_data *data = data_of(*state, PARTAN_REGRESSION);
    partan_model *whole = train(*state, data, &s, NULL, PARTAN_OK), *few = train_few(*state, data, s, 60);
    partan_evaluation found[2];
    static double f[ROWS];
    for (int i = 0; i < 2; i++) {
        partan_evaluation_init(&found[i]);
        assert_int_equal(partan_predict(*state, i ? few : whole, data, f), PARTAN_OK);
        assert_int_equal(partan_evaluate(*state, i ? few : whole, data, f, NULL, NULL, &found[i]), PARTAN_OK);
    }
    assert_true(whole->count > 120);
    if (!(found[1].r2 > found[0].r2 - 0.12))
        fail_msg("R^2 of few support vectors is %g, of all %g", found[1].r2, found[0].r2);
    /* The derivative of the primal objective by the weight of each row chosen, value by value. */
    double mean = 0;
    pt_kernel kernel = pt_model_kernel(few);
    pt_points points = {.matrix = &data->matrix};
    for (size_t i = 0; i < ROWS; i++)
        mean += partan_data_label(data, i) / ROWS;
    for (size_t j = 0; j < few->count; j++) {
        double slope = f[few->origin[j]] - mean, size = fabs(slope);
        for (size_t i = 0; i < ROWS; i++) {
            double pull = s.cost * pt_few_lack(partan_data_label(data, i), f[i], s.epsilon)
                          * (pt_kernel_value(&kernel, points, i, points, (size_t)few->origin[j]) + 1);
            slope -= pull;
            size += fabs(pull);
        }
        assert_true(fabs(slope) <= 0.01 * size);
    }
    int signs[2] = {0, 0};
    for (size_t i = 0; i < few->count; i++)
        signs[few->signs[i] > 0]++;
    assert_true(signs[0] > 0 && signs[1] > 0);
    partan_model_free(few);
    partan_model_free(whole);
    partan_data_free(data);
}

/* Who stops the choice, or the fit, has a model with a true certificate. */
static void an_interruption_leaves_a_certificate(void **state)
{
    (void)state;
    for (int problem = 0; problem < 3; problem++)
        for (long k = 1, reached = true; reached; k += k < 20 ? 1 : k / 3) {
            interrupting i;
            interrupting_begin(&i);
            partan_data *data = data_of(i.context, (partan_problem)problem);
            partan_settings s = settings_of((partan_problem)problem, false);
            partan_model *model = NULL;
            s.max_sv = 20;
            i.at = i.allocator.count + k;
            partan_status status = partan_train(i.context, data, &s, NULL, &model);
            reached = i.allocator.count >= i.at;
            i.at = 0;
            assert_true(status == PARTAN_OK || (reached && status == PARTAN_INTERRUPTED));
            pt_interrupt_clear(i.context);
            check_verified(i.context, model, data);
            assert_in_range(model->count, 1, 20);
            partan_model_free(model);
            partan_data_free(data);
            interrupting_end(&i);
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
    partan_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(few_support_vectors_decide_as_many_do),
        CONTEXT_TEST(most_support_vectors_keep_a_certificate),
        CONTEXT_TEST(weights_minimise_the_primal_problem),
        CONTEXT_TEST(threads_change_nothing),
        CONTEXT_TEST(the_gap_encloses_the_least_objective),
        CONTEXT_TEST(few_support_vectors_predict_numbers_as_many_do),
        cmocka_unit_test(an_interruption_leaves_a_certificate),
        CONTEXT_TEST(compressed_models_are_models_of_the_data),
        CONTEXT_TEST(as_few_as_a_loss_allows),
        CONTEXT_TEST(what_cannot_be_compressed_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
