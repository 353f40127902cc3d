/* An argument that is NULL where it must not be is refused by every call that returns a status, before anything else is
 * looked at: the other arguments point to nothing that could be used. */
#include "testing.h"

#include <string.h>

/* Something of any type; as a struct that callers allocate, one of an older version that has nothing but its size. */
static size_t memory[512] = {sizeof(size_t)};
static void *const some = memory;

static void held(void *user, const partan_model *model, const size_t *rows, size_t count, const double *decision)
{
    (void)user, (void)model, (void)rows, (void)count, (void)decision;
}

static int take_model(void *user, size_t index, partan_model *model)
{
    (void)user, (void)index, (void)model;
    return 0;
}

static int take_lasso(void *user, size_t index, partan_lasso *model)
{
    (void)user, (void)index, (void)model;
    return 0;
}

#define REFUSED(expression)                                                                                            \
    if ((expression) != PARTAN_ERROR_ARGUMENT)                                                                         \
    fail_msg("%s is not refused", #expression)

static void every_call_refuses_them(void **state)
{
    partan_context *context = *state;
    REFUSED(partan_data_read(NULL, some, some, some));
    REFUSED(partan_data_read(context, NULL, some, some));
    REFUSED(partan_data_read(context, some, some, NULL));
    REFUSED(partan_data_from_dense(NULL, some, some, some));
    REFUSED(partan_data_from_dense(context, NULL, some, some));
    REFUSED(partan_data_from_dense(context, some, some, NULL));
    REFUSED(partan_data_from_sparse(NULL, some, some, some));
    REFUSED(partan_data_from_sparse(context, NULL, some, some));
    REFUSED(partan_data_from_sparse(context, some, some, NULL));
    REFUSED(partan_predict_dense(NULL, some, some, some));
    REFUSED(partan_predict_dense(context, NULL, some, some));
    REFUSED(partan_predict_dense(context, some, NULL, some));
    REFUSED(partan_predict_dense(context, some, some, NULL));
    REFUSED(partan_predict_sparse(NULL, some, some, some));
    REFUSED(partan_predict_sparse(context, NULL, some, some));
    REFUSED(partan_predict_sparse(context, some, NULL, some));
    REFUSED(partan_predict_sparse(context, some, some, NULL));
    REFUSED(partan_lasso_predict_dense(context, NULL, some, some));
    REFUSED(partan_lasso_predict_dense(context, some, NULL, some));
    REFUSED(partan_lasso_predict_dense(context, some, some, NULL));
    REFUSED(partan_lasso_predict_sparse(context, NULL, some, some));
    REFUSED(partan_lasso_predict_sparse(context, some, NULL, some));
    REFUSED(partan_lasso_predict_sparse(context, some, some, NULL));
    REFUSED(partan_model_to_memory(NULL, some, PARTAN_MODEL_NATIVE, some, some));
    REFUSED(partan_model_to_memory(context, NULL, PARTAN_MODEL_NATIVE, some, some));
    REFUSED(partan_model_to_memory(context, some, PARTAN_MODEL_NATIVE, NULL, some));
    REFUSED(partan_model_to_memory(context, some, PARTAN_MODEL_NATIVE, some, NULL));
    REFUSED(partan_model_from_memory(NULL, some, 1, some));
    REFUSED(partan_model_from_memory(context, NULL, 1, some));
    REFUSED(partan_model_from_memory(context, some, 1, NULL));
    REFUSED(partan_model_file_from_memory(context, NULL, 1, some));
    REFUSED(partan_model_file_from_memory(context, some, 1, NULL));
    REFUSED(partan_lasso_to_memory(context, NULL, some, some));
    REFUSED(partan_lasso_to_memory(context, some, NULL, some));
    REFUSED(partan_lasso_to_memory(context, some, some, NULL));
    REFUSED(partan_lasso_from_memory(context, NULL, 1, some));
    REFUSED(partan_lasso_from_memory(context, some, 1, NULL));
    REFUSED(partan_matrix_to_memory(context, NULL, some, some));
    REFUSED(partan_matrix_to_memory(context, some, NULL, some));
    REFUSED(partan_matrix_to_memory(context, some, some, NULL));
    REFUSED(partan_matrix_from_memory(context, NULL, 1, some));
    REFUSED(partan_matrix_from_memory(context, some, 1, NULL));
    REFUSED(partan_model_coefficients(NULL, some));
    REFUSED(partan_model_coefficients(some, NULL));
    REFUSED(partan_model_support_rows(NULL, some));
    REFUSED(partan_model_support_rows(some, NULL));
    REFUSED(partan_model_support_vector(NULL, 0, some));
    REFUSED(partan_model_support_vector(some, 0, NULL));
    REFUSED(partan_model_support_vectors(NULL, some));
    REFUSED(partan_model_support_vectors(some, NULL));
    REFUSED(partan_model_support_sparse(NULL, some, some, some));
    REFUSED(partan_model_support_sparse(some, NULL, some, some));
    REFUSED(partan_model_support_sparse(some, some, NULL, some));
    REFUSED(partan_set_callbacks(NULL, some));
    REFUSED(partan_limits_find(NULL));
    REFUSED(partan_model_sigmoid(NULL, 0, some, some));
    REFUSED(partan_model_sigmoid(some, 0, NULL, some));
    REFUSED(partan_model_sigmoid(some, 0, some, NULL));
    REFUSED(partan_model_use_probability(NULL, 1));
    REFUSED(partan_probabilities(NULL, some, some, 1, some));
    REFUSED(partan_probabilities(context, NULL, some, 1, some));
    REFUSED(partan_probabilities(context, some, NULL, 1, some));
    REFUSED(partan_probabilities(context, some, some, 1, NULL));
    REFUSED(partan_reliability(NULL, some, some, some, 1, some));
    REFUSED(partan_reliability(context, NULL, some, some, 1, some));
    REFUSED(partan_reliability(context, some, NULL, some, 1, some));
    REFUSED(partan_reliability(context, some, some, NULL, 1, some));
    REFUSED(partan_reliability(context, some, some, some, 1, NULL));
    REFUSED(partan_evaluate(NULL, some, some, some, NULL, some, some));
    REFUSED(partan_evaluate(context, NULL, some, some, NULL, some, some));
    REFUSED(partan_evaluate(context, some, NULL, some, NULL, some, some));
    REFUSED(partan_evaluate(context, some, some, NULL, NULL, some, some));
    REFUSED(partan_evaluate(context, some, some, some, NULL, some, NULL));
    REFUSED(partan_cross_validate(NULL, some, some, 2, 1, NULL, some, some, some));
    REFUSED(partan_cross_validate(context, NULL, some, 2, 1, NULL, some, some, some));
    REFUSED(partan_cross_validate(context, some, NULL, 2, 1, NULL, some, some, some));
    REFUSED(partan_cross_validate(context, some, some, 2, 1, NULL, some, some, NULL));
    REFUSED(partan_cross_predict(NULL, some, some, 2, 1, NULL, held, some, some));
    REFUSED(partan_cross_predict(context, NULL, some, 2, 1, NULL, held, some, some));
    REFUSED(partan_cross_predict(context, some, NULL, 2, 1, NULL, held, some, some));
    REFUSED(partan_cross_predict(context, some, some, 2, 1, NULL, NULL, some, some));
    REFUSED(partan_cross_predict(context, some, some, 2, 1, NULL, held, some, NULL));
    REFUSED(partan_data_summarise(context, NULL, NULL, NULL, some, some));
    REFUSED(partan_data_summarise(context, some, NULL, NULL, some, NULL));
    REFUSED(partan_data_survey(context, NULL, some, NULL, some, some));
    REFUSED(partan_data_survey(context, some, some, NULL, some, NULL));
    REFUSED(partan_split_file(context, NULL, some, some, some, some, NULL));
    REFUSED(partan_split_file(context, some, some, NULL, some, some, NULL));
    REFUSED(partan_split_file(context, some, some, some, NULL, some, NULL));
    REFUSED(partan_split_file(context, some, some, some, some, NULL, NULL));
    REFUSED(partan_data_set_weights(NULL, some, NULL));
    REFUSED(partan_data_set_weights(context, NULL, NULL));
    REFUSED(partan_data_read_weights(NULL, some, "w"));
    REFUSED(partan_data_read_weights(context, NULL, "w"));
    REFUSED(partan_data_read_weights(context, some, NULL));
    REFUSED(partan_data_split(NULL, some, 0.5, 1, some, some));
    REFUSED(partan_data_split(context, NULL, 0.5, 1, some, some));
    REFUSED(partan_data_split(context, some, 0.5, 1, NULL, some));
    REFUSED(partan_data_split(context, some, 0.5, 1, some, NULL));
    REFUSED(partan_data_write(NULL, some, some, 1));
    REFUSED(partan_data_write(context, NULL, some, 1));
    REFUSED(partan_data_write(context, some, NULL, 1));
    REFUSED(partan_settings_set(NULL, some, some, some));
    REFUSED(partan_settings_set(context, NULL, some, some));
    REFUSED(partan_settings_set(context, some, NULL, some));
    REFUSED(partan_settings_set(context, some, some, NULL));
    REFUSED(partan_settings_check(NULL, some));
    REFUSED(partan_settings_check(context, NULL));
    REFUSED(partan_train(NULL, some, some, some, some));
    REFUSED(partan_train(context, NULL, some, some, some));
    REFUSED(partan_train(context, some, NULL, some, some));
    REFUSED(partan_train(context, some, some, some, NULL));
    REFUSED(partan_train_with(NULL, some, some, some, some));
    REFUSED(partan_train_with(context, NULL, some, some, some));
    REFUSED(partan_train_with(context, some, NULL, some, some));
    REFUSED(partan_train_with(context, some, some, some, NULL));
    REFUSED(partan_path(NULL, some, some, some, 1, take_model, some));
    REFUSED(partan_path(context, NULL, some, some, 1, take_model, some));
    REFUSED(partan_path(context, some, NULL, some, 1, take_model, some));
    REFUSED(partan_path(context, some, some, NULL, 1, take_model, some));
    REFUSED(partan_path(context, some, some, some, 1, NULL, some));
    REFUSED(partan_tune(NULL, some, some, some, NULL, some, some));
    REFUSED(partan_tune(context, NULL, some, some, NULL, some, some));
    REFUSED(partan_tune(context, some, NULL, some, NULL, some, some));
    REFUSED(partan_tune(context, some, some, NULL, NULL, some, some));
    REFUSED(partan_data_read_for(NULL, some, some, some, some));
    REFUSED(partan_data_read_for(context, NULL, some, some, some));
    REFUSED(partan_data_read_for(context, some, NULL, some, some));
    REFUSED(partan_data_read_for(context, some, some, some, NULL));
    REFUSED(partan_predict(NULL, some, some, some));
    REFUSED(partan_predict(context, NULL, some, some));
    REFUSED(partan_predict(context, some, NULL, some));
    REFUSED(partan_predict(context, some, some, NULL));
    REFUSED(partan_model_check_labels(NULL, some, some, some, some));
    REFUSED(partan_model_check_labels(context, NULL, some, some, some));
    REFUSED(partan_model_check_labels(context, some, NULL, some, some));
    REFUSED(partan_model_check_labels(context, some, some, NULL, some));
    REFUSED(partan_model_check_labels(context, some, some, some, NULL));
    REFUSED(partan_compress(NULL, some, some, NULL, some, NULL));
    REFUSED(partan_compress(context, NULL, some, NULL, some, NULL));
    REFUSED(partan_compress(context, some, NULL, NULL, some, NULL));
    REFUSED(partan_compress(context, some, some, NULL, NULL, NULL));
    REFUSED(partan_verify(NULL, some, some, some));
    REFUSED(partan_verify(context, NULL, some, some));
    REFUSED(partan_verify(context, some, NULL, some));
    REFUSED(partan_verify(context, some, some, NULL));
    REFUSED(partan_model_read(NULL, some, some));
    REFUSED(partan_model_read(context, NULL, some));
    REFUSED(partan_model_read(context, some, NULL));
    REFUSED(partan_model_write(NULL, some, some, 1));
    REFUSED(partan_model_write(context, NULL, some, 1));
    REFUSED(partan_model_write(context, some, NULL, 1));
    REFUSED(partan_model_support(NULL, 1, some, some, some));
    REFUSED(partan_model_support(some, 1, NULL, some, some));
    REFUSED(partan_model_support(some, 1, some, NULL, some));
    REFUSED(partan_model_support(some, 1, some, some, NULL));
    REFUSED(partan_model_file_read(NULL, some, some));
    REFUSED(partan_model_file_read(context, NULL, some));
    REFUSED(partan_model_file_read(context, some, NULL));
    REFUSED(partan_model_file_kind(NULL, some, some));
    REFUSED(partan_model_file_kind(context, NULL, some));
    REFUSED(partan_model_file_kind(context, some, NULL));
    REFUSED(partan_model_kind_of(NULL, some, some));
    REFUSED(partan_model_kind_of(context, NULL, some));
    REFUSED(partan_model_kind_of(context, some, NULL));
    REFUSED(partan_model_from_file(NULL, some, some));
    REFUSED(partan_model_from_file(context, NULL, some));
    REFUSED(partan_model_from_file(context, some, NULL));
    REFUSED(partan_generate_file(NULL, some, some, 1));
    REFUSED(partan_generate_file(context, NULL, some, 1));
    REFUSED(partan_generate_file(context, some, NULL, 1));
    REFUSED(partan_generate(NULL, some, 1, some));
    REFUSED(partan_generate(context, NULL, 1, some));
    REFUSED(partan_generate(context, some, 1, NULL));
    REFUSED(partan_scaling_fit(NULL, some, 1, 0.5, 0.5, some));
    REFUSED(partan_scaling_fit(context, NULL, 1, 0.5, 0.5, some));
    REFUSED(partan_scaling_fit(context, some, 1, 0.5, 0.5, NULL));
    REFUSED(partan_scaling_apply(NULL, some, some, 1, some));
    REFUSED(partan_scaling_apply(context, NULL, some, 1, some));
    REFUSED(partan_scaling_apply(context, some, NULL, 1, some));
    REFUSED(partan_scaling_apply(context, some, some, 1, NULL));
    REFUSED(partan_scaling_read(NULL, some, some));
    REFUSED(partan_scaling_read(context, NULL, some));
    REFUSED(partan_scaling_read(context, some, NULL));
    REFUSED(partan_scaling_write(NULL, some, some));
    REFUSED(partan_scaling_write(context, NULL, some));
    REFUSED(partan_scaling_write(context, some, NULL));
    REFUSED(partan_option_parse(NULL, some, some, some));
    REFUSED(partan_option_parse(context, NULL, some, some));
    REFUSED(partan_option_parse(context, some, NULL, some));
    REFUSED(partan_option_parse(context, some, some, NULL));
    REFUSED(partan_output_open(NULL, some, some));
    REFUSED(partan_output_open(context, NULL, some));
    REFUSED(partan_output_open(context, some, NULL));
    REFUSED(partan_output_commit(NULL));
    REFUSED(partan_output_check(NULL, some));
    REFUSED(partan_output_check(context, NULL));
    REFUSED(partan_lasso_settings_set(NULL, some, some, some));
    REFUSED(partan_lasso_settings_set(context, NULL, some, some));
    REFUSED(partan_lasso_settings_set(context, some, NULL, some));
    REFUSED(partan_lasso_settings_set(context, some, some, NULL));
    REFUSED(partan_lasso_settings_check(NULL, some));
    REFUSED(partan_lasso_settings_check(context, NULL));
    REFUSED(partan_lasso_fit(NULL, some, some, some, some));
    REFUSED(partan_lasso_fit(context, NULL, some, some, some));
    REFUSED(partan_lasso_fit(context, some, NULL, some, some));
    REFUSED(partan_lasso_fit(context, some, some, some, NULL));
    REFUSED(partan_lasso_path(NULL, some, some, some, some, 1, take_lasso, some));
    REFUSED(partan_lasso_path(context, NULL, some, some, some, 1, take_lasso, some));
    REFUSED(partan_lasso_path(context, some, NULL, some, some, 1, take_lasso, some));
    REFUSED(partan_lasso_path(context, some, some, some, some, 1, NULL, some));
    REFUSED(partan_lasso_cv(NULL, some, some, some, NULL, some, some));
    REFUSED(partan_lasso_cv(context, NULL, some, some, NULL, some, some));
    REFUSED(partan_lasso_cv(context, some, NULL, some, NULL, some, some));
    REFUSED(partan_lasso_cv(context, some, some, some, NULL, some, NULL));
    REFUSED(partan_lasso_data_read(NULL, some, some, some, some));
    REFUSED(partan_lasso_data_read(context, NULL, some, some, some));
    REFUSED(partan_lasso_data_read(context, some, NULL, some, some));
    REFUSED(partan_lasso_data_read(context, some, some, some, NULL));
    REFUSED(partan_lasso_predict(NULL, some, some, some));
    REFUSED(partan_lasso_predict(context, NULL, some, some));
    REFUSED(partan_lasso_predict(context, some, NULL, some));
    REFUSED(partan_lasso_predict(context, some, some, NULL));
    REFUSED(partan_lasso_verify(NULL, some, some, some));
    REFUSED(partan_lasso_verify(context, NULL, some, some));
    REFUSED(partan_lasso_verify(context, some, NULL, some));
    REFUSED(partan_lasso_verify(context, some, some, NULL));
    REFUSED(partan_lasso_read(NULL, some, some));
    REFUSED(partan_lasso_read(context, NULL, some));
    REFUSED(partan_lasso_read(context, some, NULL));
    REFUSED(partan_lasso_from_file(NULL, some, some));
    REFUSED(partan_lasso_from_file(context, NULL, some));
    REFUSED(partan_lasso_from_file(context, some, NULL));
    REFUSED(partan_lasso_write(NULL, some, some));
    REFUSED(partan_lasso_write(context, NULL, some));
    REFUSED(partan_lasso_write(context, some, NULL));
    REFUSED(partan_lasso_coefficient(NULL, 1, some, some, some));
    REFUSED(partan_lasso_coefficient(some, 1, NULL, some, some));
    REFUSED(partan_lasso_coefficient(some, 1, some, NULL, some));
    REFUSED(partan_ratings_read(NULL, some, some, some));
    REFUSED(partan_ratings_read(context, NULL, some, some));
    REFUSED(partan_ratings_read(context, some, some, NULL));
    REFUSED(partan_ratings_from_triplets(NULL, 1, 1, some, some, some, 1, some));
    REFUSED(partan_ratings_split(NULL, some, 0.5, 1, some, some));
    REFUSED(partan_ratings_split(context, NULL, 0.5, 1, some, some));
    REFUSED(partan_ratings_split(context, some, 0.5, 1, NULL, some));
    REFUSED(partan_ratings_split(context, some, 0.5, 1, some, NULL));
    REFUSED(partan_ratings_write(NULL, some, some));
    REFUSED(partan_ratings_write(context, NULL, some));
    REFUSED(partan_ratings_write(context, some, NULL));
    REFUSED(partan_ratings_generate(NULL, some, some));
    REFUSED(partan_ratings_generate(context, NULL, some));
    REFUSED(partan_ratings_generate(context, some, NULL));
    REFUSED(partan_ratings_entry(NULL, 1, some, some, some));
    REFUSED(partan_ratings_entry(some, 1, NULL, some, some));
    REFUSED(partan_ratings_entry(some, 1, some, NULL, some));
    REFUSED(partan_ratings_entry(some, 1, some, some, NULL));
    REFUSED(partan_matrix_settings_set(NULL, some, some, some));
    REFUSED(partan_matrix_settings_set(context, NULL, some, some));
    REFUSED(partan_matrix_settings_set(context, some, NULL, some));
    REFUSED(partan_matrix_settings_set(context, some, some, NULL));
    REFUSED(partan_matrix_settings_check(NULL, some));
    REFUSED(partan_matrix_settings_check(context, NULL));
    REFUSED(partan_matrix_fit(NULL, some, some, some, some, some));
    REFUSED(partan_matrix_fit(context, NULL, some, some, some, some));
    REFUSED(partan_matrix_fit(context, some, some, NULL, some, some));
    REFUSED(partan_matrix_fit(context, some, some, some, some, NULL));
    REFUSED(partan_matrix_choose(NULL, some, some, some, NULL, some, some));
    REFUSED(partan_matrix_choose(context, NULL, some, some, NULL, some, some));
    REFUSED(partan_matrix_choose(context, some, some, NULL, NULL, some, some));
    REFUSED(partan_matrix_choose(context, some, some, some, NULL, some, NULL));
    REFUSED(partan_matrix_recover(NULL, some, some, some, some, some, some));
    REFUSED(partan_matrix_recover(context, NULL, some, some, some, some, some));
    REFUSED(partan_matrix_recover(context, some, NULL, some, some, some, some));
    REFUSED(partan_matrix_recover(context, some, some, some, NULL, some, some));
    REFUSED(partan_matrix_recover(context, some, some, some, some, some, NULL));
    REFUSED(partan_matrix_read(NULL, some, some));
    REFUSED(partan_matrix_read(context, NULL, some));
    REFUSED(partan_matrix_read(context, some, NULL));
    REFUSED(partan_matrix_from_file(NULL, some, some));
    REFUSED(partan_matrix_from_file(context, NULL, some));
    REFUSED(partan_matrix_from_file(context, some, NULL));
    REFUSED(partan_matrix_write(NULL, some, some));
    REFUSED(partan_matrix_write(context, NULL, some));
    REFUSED(partan_matrix_write(context, some, NULL));
    REFUSED(partan_matrix_predict(NULL, some, some, some, some, some));
    REFUSED(partan_matrix_predict(context, NULL, some, some, some, some));
    REFUSED(partan_matrix_predict(context, some, NULL, some, some, some));
    REFUSED(partan_matrix_predict(context, some, some, NULL, some, some));
    REFUSED(partan_matrix_top(NULL, some, 1, some, some, some, some));
    REFUSED(partan_matrix_top(context, NULL, 1, some, some, some, some));
    REFUSED(partan_matrix_top(context, some, 1, some, NULL, some, some));
    REFUSED(partan_matrix_top(context, some, 1, some, some, NULL, some));
    REFUSED(partan_matrix_top(context, some, 1, some, some, some, NULL));
    REFUSED(partan_matrix_verify(NULL, some, some, some));
    REFUSED(partan_matrix_verify(context, NULL, some, some));
    REFUSED(partan_matrix_verify(context, some, NULL, some));
    REFUSED(partan_matrix_verify(context, some, some, NULL));
}

static void the_sentence_names_the_call(void **state)
{
    partan_context *context = *state;
    REFUSED(partan_train(context, NULL, some, NULL, some));
    assert_string_equal(partan_error(context), "partan_train: a required argument is NULL");
    assert_string_equal(partan_error(NULL), "");
}

static void arrays_may_be_NULL_only_when_they_are_empty(void **state)
{
    partan_context *context = *state;
    const int64_t offsets[] = {0, 0, 1};
    partan_data *data;
    REFUSED(dense_data(context, NULL, 2, 3, 3, NULL, PARTAN_STORAGE_AUTO, &data));
    REFUSED(csr_data(context, 2, 3, offsets, NULL, NULL, NULL, PARTAN_STORAGE_AUTO, &data));
    assert_int_equal(csr_data(context, 1, 3, offsets, NULL, NULL, NULL, PARTAN_STORAGE_AUTO, &data), PARTAN_OK);
    partan_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(every_call_refuses_them),
        CONTEXT_TEST(the_sentence_names_the_call),
        CONTEXT_TEST(arrays_may_be_NULL_only_when_they_are_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
