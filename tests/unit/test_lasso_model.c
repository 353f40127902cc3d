/* Lasso model files: what is written is read back to the last bit, what is wrong is refused with its line; and names of
 * features on their way from a header to the model. */
#include "regression.h"

#include "failing.h"
#include "lasso/model_file.h"

#include "data/read/read.h"

static const char table[] = "y,\"gene \"\"A\"\"\",b c,,\\d\n"
                            "1,2,0.5,3,1\n2,4.5,0.25,1,7\n-1,-2,1,1,2\n0.5,1,1,0,3\n3,6,0,2,9\n";

static partan_lasso *fitted(partan_context *context, const char *text, double lambda, double radius)
{
    partan_data *data = NULL;
    partan_lasso *model = NULL;
    partan_read_options options;
    partan_read_options_init(&options);
    options.format = PARTAN_FORMAT_CSV;
    partan_lasso_settings lasso;
    partan_lasso_settings_init(&lasso);
    lasso.lambda = lambda;
    lasso.radius = radius;
    if (pt_data_parse(context, "table", text, strlen(text), &options, &data) == PARTAN_OK)
        partan_lasso_fit(context, data, &lasso, NULL, &model);
    partan_data_free(data);
    return model;
}

static void write_model(const partan_lasso *model, char **text, size_t *size)
{
    FILE *file = open_memstream(text, size);
    assert_non_null(file);
    assert_int_equal(pt_lasso_write(model, file), PARTAN_OK);
    fclose(file);
}

static partan_status parsed(partan_context *context, const char *text, partan_lasso **model)
{
    assert_int_equal(pt_lasso_create(context, model), PARTAN_OK);
    return pt_lasso_parse(context, "file", text, strlen(text), *model);
}

static void names_come_from_the_header(void **state)
{
    partan_data *data = NULL;
    partan_read_options options;
    partan_read_options_init(&options);
    options.format = PARTAN_FORMAT_CSV;
    assert_int_equal(pt_data_parse(*state, "table", table, strlen(table), &options, &data), PARTAN_OK);
    assert_string_equal(partan_data_feature_name(data, 0), "gene \"A\"");
    assert_string_equal(partan_data_feature_name(data, 1), "b c");
    assert_string_equal(partan_data_feature_name(data, 2), "");
    assert_string_equal(partan_data_feature_name(data, 3), "\\d");
    assert_null(partan_data_feature_name(data, 4));
    partan_data *first = NULL, *second = NULL;
    assert_int_equal(partan_data_split(*state, data, 0.4, 1, &first, &second), PARTAN_OK);
    assert_string_equal(partan_data_feature_name(second, 1), "b c");
    partan_data_free(first);
    partan_data_free(second);
    partan_data_free(data);
    const char *plain = "1,2\n3,4\n";
    assert_int_equal(pt_data_parse(*state, "table", plain, strlen(plain), &options, &data), PARTAN_OK);
    assert_null(partan_data_feature_name(data, 0));
    partan_data_free(data);
}

static void a_model_reads_back_exactly(void **state)
{
    for (int form = 0; form < 2; form++)
        for (int named = 0; named < 2; named++) {
            partan_lasso *model =
                             fitted(*state, named ? table : strchr(table, '\n') + 1, form ? 0 : 1e-3, form ? 1.5 : 0),
                         *again;
            assert_non_null(model);
            assert_true(model->result.nonzeros > 2);
            size_t size, other;
            char *text = NULL, *second = NULL;
            write_model(model, &text, &size);
            assert_int_equal(parsed(*state, text, &again), PARTAN_OK);
            write_model(again, &second, &other);
            assert_int_equal(size, other);
            assert_memory_equal(text, second, size);
            assert_memory_equal(model->coefficients, again->coefficients, model->result.nonzeros * sizeof(double));
            assert_true(again->intercept == model->intercept && again->result.gap == model->result.gap);
            if (named)
                for (size_t i = 0; i < model->result.nonzeros; i++)
                    assert_string_equal(model->names[i], again->names[i]);
            else
                assert_null(again->names);
            free(text);
            free(second);
            partan_lasso_free(model);
            partan_lasso_free(again);
        }
}

/* The text with one line replaced. */
static char *changed(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    assert_non_null(at);
    const char *end = strchr(at, '\n');
    char *out = malloc(strlen(text) + strlen(to) + 1);
    sprintf(out, "%.*s%s%s", (int)(at - text), text, to, end);
    return out;
}

static void what_is_wrong_is_refused_with_its_line(void **state)
{
    static const struct {
        const char *from, *to, *said;
    } cases[] = {
        {"partan-lasso 1", "partan-lasso 2", "format 1"},
        {"partan-lasso 1", "partan-model 1", "found an SVM model, expected a Lasso model"},
        {"radius ", "radius 1", "found lambda 0.001 and radius 1, expected one above 0"},
        {"tol ", "tol x", "file:9:"},
        {"nonzeros ", "nonzeros 5", "found 5 coefficients in the header"},
        {"nonzeros ", "nonzeros 2147483647", "coefficients in the header"},
        {"\n1 ", "\n0 1 x", "the number of a feature"},
        {"\n1 ", "\n1 0 x", "a coefficient, a number other than 0"},
        {"\n1 ", "\n1 nan x", "a coefficient, a number other than 0"},
        {"\n1 ", "\n1 1", "expected"},
        {"\n1 ", "\n1 1 x y", "expected the end of the line"},
        {"\nend", "\n", "expected"},
    };
    partan_lasso *model = fitted(*state, table, 1e-3, 0), *again;
    size_t size;
    char *text = NULL;
    write_model(model, &text, &size);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *wrong = changed(text, cases[i].from, cases[i].to);
        assert_int_equal(parsed(*state, wrong, &again), PARTAN_ERROR_FORMAT);
        if (!strstr(partan_error(*state), cases[i].said))
            fail_msg("%s: %s", cases[i].to, partan_error(*state));
        partan_lasso_free(again);
        free(wrong);
    }
    for (size_t cut = 0; cut + 1 < size; cut += 7) { /* every file that ends too early is refused */
        char *part = strndup(text, cut);
        assert_int_equal(parsed(*state, part, &again), PARTAN_ERROR_FORMAT);
        partan_lasso_free(again);
        free(part);
    }
    free(text);
    partan_lasso_free(model);
}

static partan_status read_and_write(partan_context *context)
{
    partan_lasso *model = fitted(context, table, 1e-3, 0), *again = NULL;
    if (!model)
        return PARTAN_ERROR_MEMORY;
    size_t size;
    char *text = NULL;
    write_model(model, &text, &size);
    partan_status status = pt_lasso_create(context, &again);
    if (!status)
        status = pt_lasso_parse(context, "file", text, size, again);
    partan_lasso_free(model);
    partan_lasso_free(again);
    free(text);
    return status;
}

static void memory_runs_out(void **state)
{
    (void)state;
    check_every_allocation(read_and_write);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(names_come_from_the_header),
        SERIAL_TEST(a_model_reads_back_exactly),
        SERIAL_TEST(what_is_wrong_is_refused_with_its_line),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
