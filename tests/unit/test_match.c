/* Data that a model is applied to is the model's data in another order, or it is refused with what differs: by name
 * where there are names, else by number; for C callers as for files; and after the model was in a file. */
#include "training.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "failing.h"
#include "files.h"

enum { ROWS = 40 };

/* A table of which `order` lists the columns: y is the label, a to d are features; upper case is no name of them. */
static const char *write_table(char *path, const char *order, const char *separator, bool header)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int row = header ? -1 : 0; row < ROWS; row++) {
        for (const char *p = order; *p; p++) {
            int column = *p - 'a';
            fputs(p > order ? separator : "", file);
            if (row < 0)
                fprintf(file, *p == 'y' ? "class" : "f%c", *p);
            else if (*p == 'y')
                fputs(row % 2 ? "yes" : "no", file);
            else
                fprintf(file, "%d", (row * (7 + column) + column * column) % 23 - (row % 2) * 5);
        }
        fputc('\n', file);
    }
    fclose(file);
    return path;
}

static partan_data *read_table(partan_context *context, const char *path, const partan_model *model,
                               partan_status expected)
{
    partan_data *data = NULL;
    partan_status status =
        model ? partan_data_read_for(context, model, path, NULL, &data) : partan_data_read(context, path, NULL, &data);
    if (status != expected)
        fail_msg("status %d: %s", status, partan_error(context));
    return data;
}

/* A model of the columns yabc that was written to a file and read back. */
static partan_model *make_model(partan_context *context, const char *path, bool header, double decision[ROWS])
{
    partan_settings settings = defaults(PARTAN_SOLVER_AUTO);
    partan_data *data = read_table(context, write_table((char *)(uintptr_t)path, "yabc", ",", header), NULL, PARTAN_OK);
    partan_model *model = train(context, data, &settings, NULL, PARTAN_OK), *back = NULL;
    assert_int_equal(partan_predict(context, model, data, decision), PARTAN_OK);
    assert_int_equal(partan_model_write(context, model, path, PARTAN_MODEL_NATIVE), PARTAN_OK);
    assert_int_equal(partan_model_read(context, path, &back), PARTAN_OK);
    partan_model_free(model);
    partan_data_free(data);
    unlink(path);
    return back;
}

static void columns_are_matched_by_name(void **state)
{
    static const char *const orders[] = {"yabc", "abcy", "cyba", "abc", "bca"};
    char path[256];
    double expected[ROWS], decision[ROWS];
    partan_model *model = make_model(*state, temporary_path(path, sizeof path, ".csv"), true, expected);
    assert_string_equal(partan_model_feature_name(model, 2), "fc");
    assert_null(partan_model_feature_name(model, 3));
    assert_string_equal(partan_model_label_name(model), "class");
    assert_int_equal(partan_model_label_column(model), 1);
    assert_int_equal(partan_model_data_format(model), PARTAN_FORMAT_CSV);
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        for (int tabs = 0; tabs < 2; tabs++) {
            write_table(path, orders[i], tabs ? ";" : ",", true);
            partan_data *data = read_table(*state, path, model, PARTAN_OK);
            assert_int_equal(partan_predict(*state, model, data, decision), PARTAN_OK);
            assert_memory_equal(decision, expected, sizeof expected);
            uint64_t labelled, unknown;
            assert_int_equal(partan_model_check_labels(*state, model, data, &labelled, &unknown), PARTAN_OK);
            assert_int_equal(labelled, strchr(orders[i], 'y') ? ROWS : 0);
            assert_int_equal(unknown, 0);
            if (labelled)
                check_verified(*state, model, data);
            partan_data_free(data);
        }
    partan_model_free(model);
    unlink(path);
}

static void without_names_the_number_of_columns_tells(void **state)
{
    char path[256];
    double expected[ROWS], decision[ROWS];
    temporary_path(path, sizeof path, ".csv");
    for (int named = 0; named < 2; named++) {
        partan_model *model = make_model(*state, path, named, expected);
        for (int labelled = 0; labelled < 2; labelled++) {
            partan_data *data =
                read_table(*state, write_table(path, labelled ? "yabc" : "abc", ",", false), model, PARTAN_OK);
            assert_int_equal(data->labels != NULL, labelled);
            assert_int_equal(partan_predict(*state, model, data, decision), PARTAN_OK);
            assert_memory_equal(decision, expected, sizeof expected);
            partan_data_free(data);
        }
        read_table(*state, write_table(path, "yabcd", ",", false), model, PARTAN_ERROR_DATA);
        assert_non_null(
            strstr(partan_error(*state), ":1: found 5 columns, expected the 3 features of the training data"));
        read_table(*state, write_table(path, "ab", ",", false), model, PARTAN_ERROR_DATA);
        partan_model_free(model);
    }
    unlink(path);
}

static void what_differs_is_named(void **state)
{
    static const struct {
        const char *order, *says;
    } cases[] = {
        {"yab", "there is no column 'fc', which is a feature of the training data"},
        {"yabcd", "column 'fd' is neither a feature nor the label of the training data"},
        {"yabd", "there is no column 'fc', which is a feature of the training data"},
        {"yabbc", "column 'fb' is neither a feature nor the label of the training data"},
    };
    char path[256];
    double decision[ROWS];
    partan_verification found;
    partan_verification_init(&found);
    partan_model *model = make_model(*state, temporary_path(path, sizeof path, ".csv"), true, decision);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        partan_data *data = read_table(*state, write_table(path, cases[i].order, ",", true), model, PARTAN_OK);
        assert_int_equal(partan_predict(*state, model, data, decision), PARTAN_ERROR_DATA);
        assert_non_null(strstr(partan_error(*state), cases[i].says));
        assert_int_equal(partan_verify(*state, model, data, &found), PARTAN_ERROR_DATA);
        partan_data_free(data);
    }
    partan_model_free(model);
    unlink(path);
}

static void arrays_are_checked_too(void **state)
{
    static const float values[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    const int64_t offsets[] = {0, 1, 2};
    const int32_t indices[] = {1, 3};
    char path[256];
    double decision[ROWS];
    partan_model *model = make_model(*state, temporary_path(path, sizeof path, ".csv"), true, decision);
    for (size_t features = 1; features <= 4; features++) {
        partan_data *data;
        assert_int_equal(dense_data(*state, values[0], 2, features, 4, NULL, PARTAN_STORAGE_AUTO, &data), PARTAN_OK);
        assert_int_equal(partan_predict(*state, model, data, decision), features == 3 ? PARTAN_OK : PARTAN_ERROR_DATA);
        partan_data_free(data);
    }
    assert_string_equal(partan_error(*state), "data: found 4 features, expected the 3 of the training data");
    for (size_t features = 2; features <= 4; features += 2) { /* sparse rows may have fewer, but not more */
        partan_data *data;
        size_t rows = features / 2;
        assert_int_equal(
            csr_data(*state, rows, features, offsets, indices, values[0], NULL, PARTAN_STORAGE_AUTO, &data), PARTAN_OK);
        assert_int_equal(partan_predict(*state, model, data, decision), features <= 3 ? PARTAN_OK : PARTAN_ERROR_DATA);
        partan_data_free(data);
    }
    assert_string_equal(partan_error(*state),
                        "data: found feature 4, expected no more than the 3 of the training data");
    partan_model_free(model);
}

static void labels_of_another_problem_are_noticed(void **state)
{
    static const struct {
        const char *text;
        partan_status status;
        uint64_t labelled, unknown;
    } cases[] = {
        {"yes,1,2,3\nno,1,2,4\n", PARTAN_OK, 2, 0},       {"yes,1,2,3\nmaybe,1,2,4\n", PARTAN_OK, 2, 1},
        {"0,1,2,3\n0,1,2,4\n", PARTAN_OK, 2, 2}, /* as where no label is known */
        {"1,1,2,3\n-1,1,2,4\n", PARTAN_ERROR_DATA, 2, 2}, {"cat,1,2,3\ndog,1,2,4\n", PARTAN_ERROR_DATA, 2, 2},
    };
    char path[256];
    double decision[ROWS];
    partan_model *model = make_model(*state, temporary_path(path, sizeof path, ".csv"), false, decision);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t labelled, unknown;
        make_file(path, cases[i].text);
        partan_data *data = read_table(*state, path, model, PARTAN_OK);
        assert_int_equal(partan_model_check_labels(*state, model, data, &labelled, &unknown), cases[i].status);
        assert_int_equal(labelled, cases[i].labelled);
        assert_int_equal(unknown, cases[i].unknown);
        partan_data_free(data);
    }
    assert_non_null(
        strstr(partan_error(*state), "found labels 'cat' and 'dog', the model's classes are 'yes' and 'no'"));
    partan_model_free(model);
    unlink(path);
}

static void linear_models_match_too(void **state)
{
    char path[256];
    double expected[ROWS], values[ROWS];
    partan_lasso_settings lasso;
    partan_lasso_settings_init(&lasso);
    lasso.lambda = 0.01;
    make_file(temporary_path(path, sizeof path, ".csv"), "y,a,b\n1,1,5\n2,3,1\n4,5,2\n3,2,8\n");
    partan_data *data = read_table(*state, path, NULL, PARTAN_OK);
    partan_lasso *model, *back;
    assert_int_equal(partan_lasso_fit(*state, data, &lasso, NULL, &model), PARTAN_OK);
    assert_int_equal(partan_lasso_predict(*state, model, data, expected), PARTAN_OK);
    assert_int_equal(partan_lasso_write(*state, model, path), PARTAN_OK);
    assert_int_equal(partan_lasso_read(*state, path, &back), PARTAN_OK);
    partan_data_free(data);
    make_file(path, "b,a\n5,1\n1,3\n2,5\n8,2\n");
    assert_int_equal(partan_lasso_data_read(*state, back, path, NULL, &data), PARTAN_OK);
    assert_int_equal(partan_lasso_predict(*state, back, data, values), PARTAN_OK);
    assert_memory_equal(values, expected, 4 * sizeof *values);
    partan_data_free(data);
    make_file(path, "b,c\n5,1\n");
    assert_int_equal(partan_lasso_data_read(*state, back, path, NULL, &data), PARTAN_OK);
    assert_int_equal(partan_lasso_predict(*state, back, data, values), PARTAN_ERROR_DATA);
    assert_non_null(strstr(partan_error(*state), "there is no column 'a'"));
    partan_data_free(data);
    partan_lasso_free(model);
    partan_lasso_free(back);
    unlink(path);
}

static partan_status match_one(partan_context *context)
{
    static const char table[] = "y,a,b\n1,1,5\n-1,3,1\n1,5,2\n-1,2,8\n", other[] = "b,a\n5,1\n1,3\n";
    partan_data *data = NULL, *rows = NULL;
    partan_model *model = NULL;
    double decision[2];
    partan_settings settings = defaults(PARTAN_SOLVER_FW);
    char path[256];
    make_file(temporary_path(path, sizeof path, ".csv"), table);
    partan_status status = partan_data_read(context, path, NULL, &data);
    if (!status)
        status = partan_train(context, data, &settings, NULL, &model);
    make_file(path, other);
    if (!status)
        status = partan_data_read_for(context, model, path, NULL, &rows);
    if (!status)
        status = partan_predict(context, model, rows, decision);
    partan_data_free(data);
    partan_data_free(rows);
    partan_model_free(model);
    unlink(path);
    return status;
}

static void failed_allocations_leave_nothing(void **state)
{
    (void)state;
    check_every_allocation(match_one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(columns_are_matched_by_name),
        CONTEXT_TEST(without_names_the_number_of_columns_tells),
        CONTEXT_TEST(what_differs_is_named),
        CONTEXT_TEST(arrays_are_checked_too),
        CONTEXT_TEST(labels_of_another_problem_are_noticed),
        CONTEXT_TEST(linear_models_match_too),
        cmocka_unit_test(failed_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
