/* Weights of rows from outside: a column of a table, a file of their own, arrays. The column is no feature, neither in
 * training nor in prediction, and is written back where it was. */
#include "compressing.h"
#include "files.h"
#include "reading.h"
#include "training.h"

static partan_read_options options_with(int64_t column, const char *name)
{
    partan_read_options options;
    partan_read_options_init(&options);
    options.format = PARTAN_FORMAT_CSV;
    options.weight_column = column;
    options.weight_name = name;
    return options;
}

static void assert_weights(const partan_data *data, const double *expected, size_t rows)
{
    assert_int_equal(partan_data_rows(data), rows);
    assert_true(partan_data_has_weights(data));
    for (size_t row = 0; row < rows; row++)
        assert_true(partan_data_weight(data, row) == expected[row]);
}

/* ---- Columns ---- */

static void a_column_of_weights_is_no_feature(void **state)
{
    static const double weights[] = {2, 0.5, 0};
    static const struct {
        const char *text;
        int64_t column;
        const char *name;
    } cases[] = {
        {"no,1,2,3\nyes,4,0.5,6\nno,7,0,9\n", 3, NULL},
        {"no,1,3,2\nyes,4,6,\"0.5\"\nno,7,9, 0 \n", -1, NULL},
        {"y,a,w,b\nno,1,2,3\nyes,4,0.5,6\nno,7,0,9\n", 0, "w"},
        {"y,\"w\"\"w\",a,b\nno,2,1,3\nyes,5e-1,4,6\nno,0,7,9\n", 0, "w\"w"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        partan_read_options options = options_with(cases[i].column, cases[i].name);
        sample one = {cases[i].text, "no 0:1 1:3;yes 0:4 1:6;no 0:7 1:9;", 0};
        assert_accepted(*state, &one, 1, &options);
        for (size_t block = 1; block < 60; block += 7) { /* however the text is cut */
            partan_data *data = NULL;
            assert_int_equal(pt_data_parse_cut(*state, "it", one.text, strlen(one.text), &options, block, &data),
                             PARTAN_OK);
            assert_weights(data, weights, 3);
            assert_int_equal(data->source.label_column, 1);
            assert_true(data->source.weight_column > 0);
            partan_data_free(data);
        }
    }
}

static void wrong_columns_are_refused(void **state)
{
    static const sample by_number[] = {
        {"no,1,-2\n", "1:6: found '-2', expected a weight, a number that is 0 or more", 0},
        {"no,1,2\nyes,1,nan\n", "2:7: found 'nan', expected a weight, a number that is 0 or more", 0},
        {"no,1,2\nyes,1,inf\n", "2:7: found 'inf', expected a weight, a number that is 0 or more", 0},
        {"no,1,\n", "1:6: found an empty field, expected a weight, a number that is 0 or more", 0},
        {"no,1,0\nyes,1,0\n", " all rows have weight 0, expected one above 0", 0},
        {"no,1\nyes,1\n", "1: found 2 columns, but the weight column is 3", 0},
    };
    static const sample by_name[] = {
        {"y,a,b\nno,1,2\n", "1: found no column named 'w' in the header, expected one", 0},
        {"y,w,w\nno,1,2\n", "1: found more than one column named 'w' in the header, expected one", 0},
        {"w,a,b\n1,1,2\n", "1: column 1 is both the label column and the weight column, expected two columns", 0},
    };
    static const sample libsvm = {"1 1:2\n",
                                  "1: found LIBSVM text, expected a table with a column of weights: LIBSVM text has "
                                  "none, but weights can be in a file of their own",
                                  0};
    static const sample same = {"no,1,2\n",
                                "1: column 1 is both the label column and the weight column, expected two columns", 0};
    partan_read_options third = options_with(3, NULL), named = options_with(0, "w"), first = options_with(1, NULL);
    assert_refused(*state, by_number, COUNT(by_number), &third);
    assert_refused(*state, by_name, COUNT(by_name), &named);
    assert_refused(*state, &same, 1, &first);
    third.format = PARTAN_FORMAT_LIBSVM;
    assert_refused(*state, &libsvm, 1, &third);
    named.header = 0;
    sample headless = {"no,1,2\n", " the weight column is given by name, 'w', which needs a header", 0};
    assert_refused(*state, &headless, 1, &named);
}

/* ---- Files of their own ---- */

static partan_data *three_rows(partan_context *context)
{
    partan_data *data = NULL;
    assert_int_equal(pt_data_parse(context, "it", "1 1:1\n-1 1:2\n1 1:3\n", 19, NULL, &data), PARTAN_OK);
    return data;
}

static void a_file_has_one_weight_a_line(void **state)
{
    static const char text[] = "# weights\n2\n\n 0.5 \r\n0";
    static const double weights[] = {2, 0.5, 0};
    char path[256], packed[1024];
    partan_data *data = three_rows(*state);
    temporary_path(path, sizeof path, ".weights");
    make_file(path, text);
    assert_int_equal(partan_data_read_weights(*state, data, path), PARTAN_OK);
    assert_weights(data, weights, 3);
    uint64_t weighted = partan_data_fingerprint(data);
    assert_int_equal(partan_data_set_weights(*state, data, NULL), PARTAN_OK);
    assert_false(partan_data_has_weights(data));
    assert_true(partan_data_fingerprint(data) != weighted);
    size_t size = compress_xz(text, sizeof text - 1, packed, sizeof packed);
    FILE *file = fopen(path, "wb");
    assert_int_equal(fwrite(packed, 1, size, file), size);
    fclose(file);
    assert_int_equal(partan_data_read_weights(*state, data, path), PARTAN_OK);
    assert_weights(data, weights, 3);
    partan_data_free(data);
    unlink(path);
}

static void a_wrong_file_is_refused_and_changes_nothing(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"1\n2\n", ":2: found the last of 2 weights, expected 3, one for each row of it"},
        {"1\n2\n3\n\n4\n", ":5: found a weight more than the 3 rows of it, expected one per row"},
        {"1\n-2\n3\n", ":2: found '-2', expected a weight, a number that is 0 or more"},
        {"1\nnan\n3\n", ":2: found 'nan', expected a weight, a number that is 0 or more"},
        {"1\n1 2\n3\n", ":2: found '1 2', expected a weight, a number that is 0 or more"},
        {"1,2,3\n", ":1: found '1,2,3', expected a weight, a number that is 0 or more"},
        {"0\n0\n0\n", ": all rows have weight 0, expected one above 0"},
        {"", ":0: found the last of 0 weights, expected 3, one for each row of it"},
    };
    char path[256], expected[512];
    partan_data *data = three_rows(*state);
    temporary_path(path, sizeof path, ".weights");
    for (size_t i = 0; i < COUNT(cases); i++) {
        make_file(path, cases[i].text);
        assert_true(partan_data_read_weights(*state, data, path) < 0);
        snprintf(expected, sizeof expected, "%s%s", path, cases[i].says);
        assert_string_equal(partan_error(*state), expected);
        assert_false(partan_data_has_weights(data));
    }
    unlink(path);
    assert_int_equal(partan_data_read_weights(*state, data, path), PARTAN_ERROR_IO);
    assert_int_equal(partan_data_read_weights(*state, data, "-"), PARTAN_ERROR_ARGUMENT);
    partan_data_free(data);
}

/* ---- Arrays ---- */

static void arrays_bring_their_weights(void **state)
{
    static const float values[] = {1, 2, 3};
    static const double weights[] = {2, 0.5, 0}, wrong[] = {1, -1, 1};
    partan_dense array;
    partan_array_options options;
    partan_data *data = NULL;
    partan_dense_init(&array);
    partan_array_options_init(&options);
    array.values = values;
    array.rows = 3;
    array.features = 1;
    options.weights = weights;
    assert_int_equal(partan_data_from_dense(*state, &array, &options, &data), PARTAN_OK);
    assert_weights(data, weights, 3);
    partan_data_free(data);
    options.weights = wrong;
    assert_int_equal(partan_data_from_dense(*state, &array, &options, &data), PARTAN_ERROR_DATA);
    assert_string_equal(partan_error(*state), "data: row 2 has weight -1, expected a number that is 0 or more");
    assert_null(data);
}

/* ---- Models and the data they are used on ---- */

enum { ROWS = 40 };

/* A table of which `order` lists the columns: y is the label, w the weight, a to c are features. */
static const char *write_table(char *path, const char *order, bool header)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int row = header ? -1 : 0; row < ROWS; row++) {
        for (const char *p = order; *p; p++) {
            fputs(p > order ? "," : "", file);
            if (row < 0)
                fprintf(file, "%c", *p);
            else if (*p == 'y')
                fputs(row % 2 ? "yes" : "no", file);
            else if (*p == 'w')
                fprintf(file, "%d.25", row % 5);
            else
                fprintf(file, "%d", (row * (*p - 'a' + 7)) % 23 - (row % 2) * 5);
        }
        fputc('\n', file);
    }
    fclose(file);
    return path;
}

/* A model of a table with labels and weights, which was written to a file and read back. */
static partan_model *make_model(partan_context *context, char *path, const char *order, bool header, double *decision)
{
    partan_settings settings = defaults(PARTAN_SOLVER_AUTO);
    partan_read_options options = options_with(strchr(order, 'w') - order + 1, header ? "w" : NULL);
    partan_data *data = NULL;
    partan_model *back = NULL;
    options.label_column = strchr(order, 'y') - order + 1;
    assert_int_equal(partan_data_read(context, write_table(path, order, header), &options, &data), PARTAN_OK);
    assert_int_equal(partan_data_features(data), 3);
    partan_model *model = train(context, data, &settings, NULL, PARTAN_OK);
    assert_int_equal(partan_predict(context, model, data, decision), PARTAN_OK);
    assert_int_equal(partan_model_write(context, model, path, PARTAN_MODEL_NATIVE), PARTAN_OK);
    assert_int_equal(partan_model_read(context, path, &back), PARTAN_OK);
    assert_int_equal(partan_model_weight_column(back), options.weight_column);
    if (header)
        assert_string_equal(partan_model_weight_name(back), "w");
    else
        assert_null(partan_model_weight_name(back));
    partan_model_free(model);
    partan_data_free(data);
    return back;
}

/* The table is read as the training data was, predicted alike, and verified where all of that is there. */
static void check_table(partan_context *context, const partan_model *model, char *path, const char *order, bool header,
                        const double *expected)
{
    double decision[ROWS];
    partan_data *data = NULL;
    if (partan_data_read_for(context, model, write_table(path, order, header), NULL, &data))
        fail_msg("%s: %s", order, partan_error(context));
    assert_int_equal(data->labels != NULL, strchr(order, 'y') != NULL);
    assert_int_equal(partan_data_has_weights(data), strchr(order, 'w') != NULL);
    assert_int_equal(partan_predict(context, model, data, decision), PARTAN_OK);
    assert_memory_equal(decision, expected, sizeof decision);
    if (strchr(order, 'y') && strchr(order, 'w'))
        check_verified(context, model, data);
    partan_data_free(data);
}

static void data_to_predict_may_have_the_weights_or_not(void **state)
{
    static const char *const trained[] = {"yabcw", "wyabc", "aybwc", "abcwy"};
    static const char *const plain[] = {"yabc", "yabc", "aybc", "abcy"}; /* the same without weights */
    static const char *const named[] = {"yabc", "abc", "cbaw", "wycba", "abcyw"};
    char path[256];
    double expected[ROWS];
    temporary_path(path, sizeof path, ".csv");
    for (size_t i = 0; i < COUNT(trained); i++)
        for (int header = 0; header < 2; header++) {
            partan_model *model = make_model(*state, path, trained[i], header, expected);
            check_table(*state, model, path, trained[i], header, expected);
            check_table(*state, model, path, plain[i], header, expected);
            check_table(*state, model, path, "abc", header, expected);
            for (size_t k = 0; k < COUNT(named) && header; k++)
                check_table(*state, model, path, named[k], true, expected);
            partan_model_free(model);
        }
    unlink(path);
}

/* ---- Writing ---- */

static void a_weight_column_is_written_where_it_was(void **state)
{
    static const char *const texts[] = {"a,w,y,b\n1,2,no,3\n4,0.125,yes,6\n", "y,a,b,w\nno,1,3,2\nyes,4,6,0.125\n",
                                        "w,a,b,y\n2,1,3,no\n0.125,4,6,yes\n"};
    char path[256];
    temporary_path(path, sizeof path, ".csv");
    for (size_t i = 0; i < COUNT(texts); i++) {
        partan_read_options options = options_with(0, "w");
        partan_data *data = NULL;
        options.label_name = "y";
        assert_int_equal(pt_data_parse(*state, "it", texts[i], strlen(texts[i]), &options, &data), PARTAN_OK);
        assert_int_equal(partan_data_write(*state, data, path, PARTAN_FORMAT_CSV), PARTAN_OK);
        char *found = file_contents(path, NULL);
        assert_string_equal(found, texts[i]);
        free(found);
        /* Without weights there is no column of them. */
        assert_int_equal(partan_data_set_weights(*state, data, NULL), PARTAN_OK);
        assert_int_equal(partan_data_write(*state, data, path, PARTAN_FORMAT_CSV), PARTAN_OK);
        found = file_contents(path, NULL);
        assert_null(strchr(found, 'w'));
        assert_non_null(strstr(found, i == 0 ? "1,no,3\n" : i == 1 ? "no,1,3\n" : "1,3,no\n"));
        free(found);
        partan_data_free(data);
    }
    unlink(path);
}

static void other_data_has_its_weights_last_and_libsvm_text_has_none(void **state)
{
    static const double weights[] = {2, 0.5, 0};
    char path[256];
    partan_data *data = three_rows(*state);
    temporary_path(path, sizeof path, ".csv");
    assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
    assert_int_equal(partan_data_write(*state, data, path, PARTAN_FORMAT_CSV), PARTAN_OK);
    char *found = file_contents(path, NULL);
    assert_string_equal(found, "1,1,2\n-1,2,0.5\n1,3,0\n");
    free(found);
    assert_int_equal(partan_data_write(*state, data, path, PARTAN_FORMAT_LIBSVM), PARTAN_ERROR_ARGUMENT);
    assert_non_null(strstr(partan_error(*state), "LIBSVM text cannot hold weights of rows, which it has"));
    partan_data_free(data);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_column_of_weights_is_no_feature),
        CONTEXT_TEST(wrong_columns_are_refused),
        CONTEXT_TEST(a_file_has_one_weight_a_line),
        CONTEXT_TEST(a_wrong_file_is_refused_and_changes_nothing),
        CONTEXT_TEST(arrays_bring_their_weights),
        SERIAL_TEST(data_to_predict_may_have_the_weights_or_not),
        CONTEXT_TEST(a_weight_column_is_written_where_it_was),
        CONTEXT_TEST(other_data_has_its_weights_last_and_libsvm_text_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
