/* What is said about data: summaries against counting by hand, surveys of tables, files split line by line. */
#include <math.h>
#include <string.h>

#include "data/read/read.h"
#include "failing.h"
#include "files.h"
#include "training.h"

static void write_file(char *path, size_t size, const char *text)
{
    make_file(temporary_path(path, size, ".txt"), text);
}

/* ---- Summaries ---- */

typedef struct seen {
    double labels[8];
    char words[8][16];
    uint64_t rows[8];
    size_t classes;
    partan_feature features[8];
    size_t feature_count;
} seen;

static void see_class(void *user, double label, const char *word, uint64_t rows)
{
    seen *s = user;
    s->labels[s->classes] = label;
    snprintf(s->words[s->classes], sizeof s->words[0], "%s", word ? word : "");
    s->rows[s->classes++] = rows;
}

static void see_feature(void *user, const partan_feature *feature)
{
    seen *s = user;
    s->features[s->feature_count++] = *feature;
}

static partan_data_summary summarise(partan_context *context, const partan_data *data, seen *s)
{
    partan_data_summary found;
    partan_data_summary_init(&found);
    *s = (seen){0};
    assert_int_equal(partan_data_summarise(context, data, see_class, see_feature, s, &found), PARTAN_OK);
    return found;
}

/* The same values in every storage; zeros are values, -2 and 3 beside them. */
static void features_and_equal_rows_are_what_is_there(void **state)
{
    const float values[][3] = {{0, 3, 1}, {0, 0, 1}, {0, 3, 1}, {0, -2, 1}, {0, 3, 1}, {0, 0, 0}};
    const double labels[] = {1, -1, 1, 1, -1, NAN};
    for (int storage = PARTAN_STORAGE_DENSE; storage <= PARTAN_STORAGE_SPARSE; storage++) {
        partan_data *data = NULL;
        seen s;
        assert_int_equal(dense_data(*state, values[0], 6, 3, 3, labels, (partan_storage)storage, &data), PARTAN_OK);
        partan_data_summary found = summarise(*state, data, &s);
        assert_int_equal(found.labelled, 5);
        assert_int_equal(found.classes, 2);
        assert_true(s.labels[0] == -1 && s.rows[0] == 2 && s.labels[1] == 1 && s.rows[1] == 3);
        assert_int_equal(found.repeated_rows, 2);
        assert_int_equal(found.contradictory_rows, 1);
        assert_int_equal(found.empty_rows, 1);
        assert_int_equal(found.constant_features, 1);
        assert_true(found.least == -2 && found.greatest == 3);
        assert_int_equal(s.feature_count, 3);
        assert_true(s.features[1].least == -2 && s.features[1].greatest == 3 && s.features[1].nonzeros == 4);
        assert_true(fabs(s.features[1].mean - 7.0 / 6) < 1e-12);
        assert_true(s.features[2].least == 0 && s.features[2].greatest == 1);
        partan_data_free(data);
    }
}

/* Two values with a great index: memory goes by what is there. */
static void wide_rows_cost_what_they_hold(void **state)
{
    static const char text[] = "1 7:2 1000000000:-3\n-1 1000000000:1\n";
    partan_data *data = NULL;
    partan_read_options options;
    seen s;
    partan_read_options_init(&options);
    options.storage = PARTAN_STORAGE_SPARSE;
    assert_int_equal(pt_data_parse(*state, "wide", text, sizeof text - 1, &options, &data), PARTAN_OK);
    partan_data_summary found = summarise(*state, data, &s);
    assert_int_equal(s.feature_count, 2);
    assert_int_equal(s.features[0].index, 6);
    assert_true(s.features[0].least == 0 && s.features[0].greatest == 2 && s.features[0].mean == 1);
    assert_int_equal(s.features[1].index, 999999999);
    assert_true(s.features[1].least == -3 && s.features[1].greatest == 1);
    assert_int_equal(found.constant_features, 1000000000 - 2);
    assert_true(found.least == -3 && found.greatest == 2);
    partan_data_free(data);
}

static void words_are_counted_in_their_order(void **state)
{
    static const char text[] = "label,x\nspam,1\nham,2\nspam,3\neggs,4\n";
    partan_data *data = NULL;
    seen s;
    assert_int_equal(pt_data_parse(*state, "a.csv", text, sizeof text - 1, NULL, &data), PARTAN_OK);
    assert_int_equal(summarise(*state, data, &s).classes, 3);
    assert_string_equal(s.words[0], "eggs");
    assert_string_equal(s.words[2], "spam");
    assert_int_equal(s.rows[2], 2);
    assert_string_equal(s.features[0].name, "x");
    partan_data_free(data);
}

/* ---- Surveys ---- */

typedef struct columns {
    partan_column list[8];
    char names[8][16];
    size_t count;
} columns;

static void see_column(void *user, const partan_column *column)
{
    columns *c = user;
    snprintf(c->names[c->count], sizeof c->names[0], "%s", column->name ? column->name : "");
    c->list[c->count++] = *column;
}

static void a_table_is_described_column_by_column_also_where_it_cannot_be_read(void **state)
{
    char path[256];
    columns c = {0};
    partan_file_survey found;
    partan_file_survey_init(&found);
    write_file(path, sizeof path, "y,a,b,c\n# no row\n1,2,x,\n0,NA,\"y, z\",4\n1,3,?\n");
    assert_int_equal(partan_data_survey(*state, path, NULL, see_column, &c, &found), PARTAN_OK);
    assert_int_equal(found.header, 1);
    assert_int_equal(found.columns, 4);
    assert_int_equal(found.label_column, 1);
    assert_int_equal(found.rows, 3);
    assert_int_equal(found.uneven, 1);
    assert_int_equal(c.count, 4);
    assert_string_equal(c.names[2], "b");
    assert_true(c.list[0].is_label && c.list[0].numbers == 3);
    assert_true(c.list[1].numbers == 2 && c.list[1].missing == 1 && c.list[1].words == 0);
    assert_true(c.list[2].words == 2 && c.list[2].missing == 1);
    assert_true(c.list[3].numbers == 1 && c.list[3].missing == 1);
    remove(path);
}

static void the_first_line_is_enough_for_the_format(void **state)
{
    static const struct {
        const char *text;
        partan_format format;
    } cases[] = {{"1 2:3\n", PARTAN_FORMAT_LIBSVM}, {"1\t2\n", PARTAN_FORMAT_TSV}, {"\n1,2\n", PARTAN_FORMAT_CSV}};
    for (size_t i = 0; i < 3; i++) {
        char path[256];
        partan_file_survey found;
        partan_file_survey_init(&found);
        write_file(path, sizeof path, cases[i].text);
        assert_int_equal(partan_data_survey(*state, path, NULL, NULL, NULL, &found), PARTAN_OK);
        assert_int_equal(found.format, cases[i].format);
        remove(path);
    }
}

/* ---- Models ---- */

static void models_are_recognised_by_their_first_word(void **state)
{
    static const struct {
        const char *text;
        int model;
    } cases[] = {{"partan-model 1\n", 1}, {"svm_type c_svc\n", 1}, {"partan-lasso 1\n", 1}, {"1 2:3\n", 0}, {"", 0},
                 {"svm_typed,x\n", 0}};
    int found;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[256];
        write_file(path, sizeof path, cases[i].text);
        assert_int_equal(partan_model_recognise(*state, path, &found), PARTAN_OK);
        assert_int_equal(found, cases[i].model);
        remove(path);
    }
    assert_int_equal(partan_model_recognise(*state, "/nowhere", &found), PARTAN_OK);
    assert_int_equal(found, 0);
}

static void gamma_is_that_of_the_training(void **state)
{
    partan_data *data = generate(*state, "twonorm", 100);
    partan_settings s;
    partan_settings_init(&s);
    for (int rule = PARTAN_GAMMA_AUTO; rule <= PARTAN_GAMMA_SCALE; rule++) {
        double gamma = 0;
        s.gamma_rule = (partan_gamma)rule;
        partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
        assert_int_equal(partan_gamma_value(*state, &s, data, &gamma), PARTAN_OK);
        assert_true(gamma == partan_model_settings(model)->gamma);
        partan_model_free(model);
    }
    partan_data_free(data);
}

static char small_table[256];

static partan_status survey_and_split(partan_context *context)
{
    char parts[2][272];
    columns c = {0};
    partan_file_survey found;
    partan_file_survey_init(&found);
    partan_split_options options;
    partan_split_options_init(&options);
    for (int i = 0; i < 2; i++)
        snprintf(parts[i], sizeof parts[i], "%s.%d", small_table, i);
    partan_status status = partan_data_survey(context, small_table, NULL, see_column, &c, &found);
    if (!status)
        status = partan_split_file(context, small_table, NULL, &options, parts[0], parts[1], NULL);
    remove(parts[0]);
    remove(parts[1]);
    return status;
}

static partan_status summarise_small(partan_context *context)
{
    const float values[] = {1, 2, 1, 2};
    const double labels[] = {1, -1};
    partan_data *data = NULL;
    partan_data_summary found;
    partan_data_summary_init(&found);
    partan_status status = dense_data(context, values, 2, 2, 2, labels, PARTAN_STORAGE_AUTO, &data);
    if (!status)
        status = partan_data_summarise(context, data, NULL, NULL, NULL, &found);
    partan_data_free(data);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_allocations(summarise_small, 1);
    write_file(small_table, sizeof small_table, "y,a\n1,2\n0,3\n1,2\n0,3\n");
    check_allocations(survey_and_split, 1);
    remove(small_table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(features_and_equal_rows_are_what_is_there),
        SERIAL_TEST(wide_rows_cost_what_they_hold),
        SERIAL_TEST(words_are_counted_in_their_order),
        SERIAL_TEST(a_table_is_described_column_by_column_also_where_it_cannot_be_read),
        SERIAL_TEST(the_first_line_is_enough_for_the_format),
        SERIAL_TEST(models_are_recognised_by_their_first_word),
        SERIAL_TEST(gamma_is_that_of_the_training),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
