/* Memory that runs out: every public call that allocates fails cleanly whichever allocation fails, those that return no
 * status do not allocate, and no call that the headers declare is left out. */
#include "allocations_data.h"
#include "allocations_others.h"
#include "allocations_svm.h"

#define WORK_TEST(work)                                                                                                \
    static void work##_without_memory(void **state)                                                                    \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        check_every_allocation(work);                                                                                  \
    }

WORK_TEST(work_on_arrays)
WORK_TEST(work_on_splits)
WORK_TEST(work_on_data_files)
WORK_TEST(work_on_generated_files)
WORK_TEST(work_on_scalings)
WORK_TEST(work_on_outputs)
WORK_TEST(work_on_training)
WORK_TEST(work_on_choices)
WORK_TEST(work_on_probabilities)
WORK_TEST(work_on_models)
WORK_TEST(work_on_model_bytes)
WORK_TEST(work_on_array_predictions)
WORK_TEST(work_on_lassos)
WORK_TEST(work_on_lasso_files)
WORK_TEST(work_on_lasso_bytes)
WORK_TEST(work_on_ratings)
#ifdef PARTAN_HAVE_ARPACK
WORK_TEST(work_on_matrices)
WORK_TEST(work_on_radii)
WORK_TEST(work_on_measurements)
#endif

static void a_context_without_memory_is_not_made(void **state)
{
    (void)state;
    partan_context_options options;
    CALL(partan_context_options_init)(&options);
    options.allocate = failing_allocate;
    options.release = failing_release;
    for (long k = 1;; k++) {
        failing allocator = {.fail_at = k};
        options.user = &allocator;
        partan_context *context = CALL(partan_create)(&options);
        assert_true((context == NULL) == (allocator.count >= k));
        CALL(partan_destroy)(context);
        assert_int_equal(allocator.alive, 0);
        if (context)
            return;
    }
}

/* ---- Calls that do not allocate ---- */

static void name_all(void)
{
    partan_status status;
    const char *description;
    CALL(partan_status_name)(PARTAN_OK);
    CALL(partan_status_from_name)("OK", &status);
    CALL(partan_version)();
    CALL(partan_format_name)(PARTAN_FORMAT_CSV);
    CALL(partan_storage_name)(PARTAN_STORAGE_BITS);
    CALL(partan_kernel_name)(PARTAN_KERNEL_RBF);
    CALL(partan_solver_name)(PARTAN_SOLVER_FW);
    CALL(partan_step_name)(PARTAN_STEP_EXACT);
    CALL(partan_stop_name)(PARTAN_STOP_SAMPLED);
    CALL(partan_init_name)(PARTAN_INIT_FIRST);
    CALL(partan_scale_name)(PARTAN_SCALE_NONE);
    CALL(partan_multiclass_name)(PARTAN_ONE_VS_ONE);
    CALL(partan_problem_name)(PARTAN_REGRESSION);
    CALL(partan_score_name)(PARTAN_SCORE_AUC);
    CALL(partan_step_type_name)(PARTAN_STEP_AWAY);
    CALL(partan_centre_name)(PARTAN_CENTRE_BOTH);
    CALL(partan_kernel_uses)(PARTAN_KERNEL_RBF, "gamma");
    CALL(partan_compression)("a9a.xz");
    CALL(partan_generator)(0, &description);
    CALL(partan_settings_option)(0);
    CALL(partan_read_option)(0);
    CALL(partan_lasso_settings_option)(0);
    CALL(partan_matrix_settings_option)(0);
}

/* What is refused has its sentence without memory too. */
static void set_all(partan_context *context)
{
    partan_settings settings;
    partan_lasso_settings lasso;
    partan_matrix_settings matrix;
    partan_option_value value;
    partan_settings_init(&settings);
    partan_lasso_settings_init(&lasso);
    CALL(partan_matrix_settings_init)(&matrix);
    assert_int_equal(CALL(partan_settings_set)(context, &settings, "tol", "x"), PARTAN_ERROR_ARGUMENT);
    assert_int_equal(CALL(partan_lasso_settings_set)(context, &lasso, "lambda", "1"), PARTAN_OK);
    assert_int_equal(CALL(partan_matrix_settings_set)(context, &matrix, "radius", "1"), PARTAN_OK);
    assert_int_equal(CALL(partan_settings_check)(context, &settings), PARTAN_OK);
    assert_int_equal(CALL(partan_lasso_settings_check)(context, &lasso), PARTAN_OK);
    assert_int_equal(CALL(partan_matrix_settings_check)(context, &matrix), PARTAN_OK);
    assert_int_equal(CALL(partan_option_parse)(context, partan_settings_option(0), "?", &value), PARTAN_ERROR_ARGUMENT);
}

static void ask_context(partan_context *context)
{
    partan_limits limits;
    partan_evaluation evaluation;
    partan_tune_point point, best;
    partan_callbacks callbacks;
    CALL(partan_limits_init)(&limits);
    partan_evaluation_init(&evaluation);
    partan_tune_point_init(&point);
    partan_tune_point_init(&best);
    CALL(partan_callbacks_init)(&callbacks);
    evaluation.labelled = 2;
    evaluation.correct = 1;
    best.score = 2;
    assert_int_equal(CALL(partan_set_callbacks)(context, &callbacks), PARTAN_OK);
    assert_int_equal(partan_set_callbacks(context, NULL), PARTAN_OK);
    CALL(partan_error)(context);
    CALL(partan_threads)(context);
    CALL(partan_isa)(context);
    CALL(partan_interrupt)(context);
    CALL(partan_outputs_drop)(context);
    assert_int_equal(CALL(partan_limits_find)(&limits), PARTAN_OK);
    CALL(partan_evaluation_measure)(&evaluation);
    CALL(partan_score_of)(PARTAN_SCORE_ACCURACY, &evaluation);
    CALL(partan_tune_better)(&point, &best);
}

static void ask_data(const partan_data *data)
{
    char text[32];
    float row[2];
    CALL(partan_data_rows)(data);
    assert_int_equal(CALL(partan_data_features)(data), 2);
    CALL(partan_data_nonzeros)(data);
    CALL(partan_data_storage)(data);
    CALL(partan_data_label)(data, 0);
    CALL(partan_data_label_text)(data, 0, text, sizeof text);
    assert_true(CALL(partan_data_weight)(data, 0) == 1 && !CALL(partan_data_has_weights)(data));
    assert_false(CALL(partan_data_is_borrowed)(data));
    CALL(partan_data_row)(data, 0, row);
    CALL(partan_data_has_words)(data);
    CALL(partan_data_feature_name)(data, 0);
    CALL(partan_data_fingerprint)(data);
}

static void ask_model(const partan_model *model)
{
    double weight, coefficients[8];
    int sign;
    int64_t row, rows[8], offsets[9];
    int32_t indices[16];
    float values[16];
    CALL(partan_model_get_format)(model);
    CALL(partan_model_result)(model);
    CALL(partan_model_settings)(model);
    CALL(partan_model_version)(model);
    CALL(partan_model_fingerprint)(model);
    CALL(partan_model_rows)(model);
    CALL(partan_model_features)(model);
    CALL(partan_model_feature_name)(model, 0);
    CALL(partan_model_data_format)(model);
    CALL(partan_model_label_column)(model);
    CALL(partan_model_label_name)(model);
    CALL(partan_model_weight_column)(model);
    CALL(partan_model_weight_name)(model);
    CALL(partan_model_bias)(model);
    CALL(partan_model_label_text)(model, 1);
    CALL(partan_model_label)(model, 0);
    CALL(partan_model_has_words)(model);
    partan_machine machine;
    CALL(partan_machine_init)(&machine);
    assert_int_equal(CALL(partan_model_class_count)(model), 2);
    assert_int_equal(CALL(partan_model_outputs)(model), 1);
    assert_int_equal(CALL(partan_model_machine)(model, 0, &machine), PARTAN_OK);
    assert_int_equal(CALL(partan_model_decide)(model, (const double[]){0.5}), 1);
    assert_true(CALL(partan_model_class_weight)(model, 0) == 1);
    assert_false(CALL(partan_model_has_probability)(model));
    assert_int_equal(CALL(partan_model_probability_folds)(model), 0);
    assert_int_equal(CALL(partan_model_support)(model, 0, &weight, &sign, &row), PARTAN_OK);
    assert_true(CALL(partan_model_support_count)(model) <= 8); /* there are eight rows of two features */
    assert_int_equal(CALL(partan_model_coefficients)(model, coefficients), PARTAN_OK);
    assert_int_equal(CALL(partan_model_support_rows)(model, rows), PARTAN_OK);
    assert_int_equal(CALL(partan_model_support_vector)(model, 0, values), PARTAN_OK);
    assert_int_equal(CALL(partan_model_support_vectors)(model, values), PARTAN_OK);
    assert_int_equal(CALL(partan_model_support_sparse)(model, offsets, indices, values), PARTAN_OK);
}

static void ask_lasso(const partan_lasso *model)
{
    size_t feature;
    double value;
    const char *name;
    CALL(partan_lasso_get_result)(model);
    CALL(partan_lasso_get_settings)(model);
    CALL(partan_lasso_get_solver)(model);
    CALL(partan_lasso_version)(model);
    CALL(partan_lasso_fingerprint)(model);
    CALL(partan_lasso_rows)(model);
    CALL(partan_lasso_features)(model);
    CALL(partan_lasso_intercept)(model);
    assert_int_equal(CALL(partan_lasso_coefficient)(model, 0, &feature, &value, &name), PARTAN_OK);
}

static void ask_ratings(const partan_ratings *ratings)
{
    char text[32];
    size_t row, column;
    double value;
    CALL(partan_ratings_rows)(ratings);
    CALL(partan_ratings_columns)(ratings);
    CALL(partan_ratings_count)(ratings);
    assert_int_equal(CALL(partan_ratings_entry)(ratings, 0, &row, &column, &value), PARTAN_OK);
    CALL(partan_ratings_row_name)(ratings, 0, text, sizeof text);
    CALL(partan_ratings_column_name)(ratings, 0, text, sizeof text);
    CALL(partan_ratings_fingerprint)(ratings);
}

static void ask_matrix(const partan_matrix *matrix)
{
    char text[32];
    CALL(partan_matrix_get_result)(matrix);
    CALL(partan_matrix_solver_settings)(matrix);
    CALL(partan_matrix_get_settings)(matrix);
    CALL(partan_matrix_version)(matrix);
    CALL(partan_matrix_fingerprint)(matrix);
    CALL(partan_matrix_entries)(matrix);
    CALL(partan_matrix_rows)(matrix);
    CALL(partan_matrix_columns)(matrix);
    CALL(partan_matrix_left)(matrix);
    CALL(partan_matrix_right)(matrix);
    CALL(partan_matrix_singular)(matrix);
    CALL(partan_matrix_mean)(matrix);
    CALL(partan_matrix_row_offset)(matrix, 0);
    CALL(partan_matrix_column_offset)(matrix, 0);
    CALL(partan_matrix_row_name)(matrix, 0, text, sizeof text);
    CALL(partan_matrix_column_name)(matrix, 0, text, sizeof text);
    CALL(partan_matrix_find_row)(matrix, "1");
    CALL(partan_matrix_find_column)(matrix, "?");
}

/* What the works wrote is read, and asked while every allocation would be counted. */
static void questions_do_not_allocate(void **state)
{
    (void)state;
    failing allocator = {0};
    partan_context *context = failing_context(&allocator);
    partan_data *data = NULL;
    partan_model *model = NULL;
    partan_lasso *lasso = NULL;
    partan_ratings *ratings = NULL;
    partan_matrix *matrix = NULL;
    assert_int_equal(partan_data_read(context, work_path(".csv"), NULL, &data), PARTAN_OK);
    assert_int_equal(partan_model_read(context, work_path(".model"), &model), PARTAN_OK);
    assert_int_equal(partan_lasso_read(context, work_path(".lasso"), &lasso), PARTAN_OK);
    assert_int_equal(partan_ratings_read(context, work_path(".ratings"), NULL, &ratings), PARTAN_OK);
#ifdef PARTAN_HAVE_ARPACK
    assert_int_equal(partan_matrix_read(context, work_path(".matrix"), &matrix), PARTAN_OK);
#endif
    long count = allocator.count;
    name_all();
    set_all(context);
    ask_context(context);
    ask_data(data);
    ask_model(model);
    ask_lasso(lasso);
    ask_ratings(ratings);
    if (matrix)
        ask_matrix(matrix);
    assert_int_equal(allocator.count, count);
    partan_data_free(data);
    partan_model_free(model);
    partan_lasso_free(lasso);
    partan_ratings_free(ratings);
    partan_matrix_free(matrix);
    partan_destroy(context);
}

/* Comes last. */
static void no_public_call_is_left_out(void **state)
{
    static public_names declared;
    size_t missing = 0;
    (void)state;
    public_declared(&declared);
    assert_true(declared.count > 100);
    for (size_t i = 0; i < declared.count; i++) {
        bool covered = public_is_among(&called, declared.list[i]);
#ifndef PARTAN_HAVE_ARPACK
        covered = covered || strncmp(declared.list[i], "partan_matrix_", 14) == 0
                  || strcmp(declared.list[i], "partan_measurements_init") == 0;
#endif
        if (!covered)
            print_error("%s is called by no test of this file\n", declared.list[i]);
        missing += !covered;
    }
    assert_int_equal(missing, 0);
}

static int make_files(void **state)
{
    (void)state;
    make_table();
    make_file(work_path(".weights"), "1\n0.5\n2\n1\n0\n1\n3\n1\n");
    make_file(work_path(".numbers"), "1,1,2\n2.5,2,1\n0.5,0,3\n3,3,0.5\n1.5,1,2.5\n4,4,0\n");
    return 0;
}

static int remove_files(void **state)
{
    static const char *const names[] = {".csv",   ".checkpoint", ".weights", ".numbers", ".written",
                                        ".first", ".second",     ".made",    ".scaling", ".output",
                                        ".model", ".lasso",      ".ratings", ".matrix"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unlink(work_path(names[i]));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_context_without_memory_is_not_made),
        cmocka_unit_test(work_on_arrays_without_memory),
        cmocka_unit_test(work_on_splits_without_memory),
        cmocka_unit_test(work_on_data_files_without_memory),
        cmocka_unit_test(work_on_generated_files_without_memory),
        cmocka_unit_test(work_on_scalings_without_memory),
        cmocka_unit_test(work_on_outputs_without_memory),
        cmocka_unit_test(work_on_training_without_memory),
        cmocka_unit_test(work_on_choices_without_memory),
        cmocka_unit_test(work_on_probabilities_without_memory),
        cmocka_unit_test(work_on_models_without_memory),
        cmocka_unit_test(work_on_model_bytes_without_memory),
        cmocka_unit_test(work_on_array_predictions_without_memory),
        cmocka_unit_test(work_on_lassos_without_memory),
        cmocka_unit_test(work_on_lasso_files_without_memory),
        cmocka_unit_test(work_on_lasso_bytes_without_memory),
        cmocka_unit_test(work_on_ratings_without_memory),
#ifdef PARTAN_HAVE_ARPACK
        cmocka_unit_test(work_on_matrices_without_memory),
        cmocka_unit_test(work_on_radii_without_memory),
        cmocka_unit_test(work_on_measurements_without_memory),
#endif
        cmocka_unit_test(questions_do_not_allocate),
        cmocka_unit_test(no_public_call_is_left_out),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
