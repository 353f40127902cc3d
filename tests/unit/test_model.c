/* Native model files: everything comes back exactly, rewriting gives the same bytes, and whatever is not a model is
 * refused with a message that names file and line. */
#include "machine.h"

#include "failing.h"
#include "files.h"

static char *text_of(partan_context *context, const partan_model *model, size_t *size)
{
    char path[200];
    temporary_path(path, sizeof path, ".model");
    assert_int_equal(partan_model_write(context, model, path, PARTAN_MODEL_NATIVE), PARTAN_OK);
    char *text = file_contents(path, size);
    unlink(path);
    return text;
}

static partan_status parse(partan_context *context, const char *text, partan_model **model)
{
    assert_int_equal(pt_model_create(context, model), PARTAN_OK);
    return pt_model_parse_native(context, "m", text, strlen(text), *model);
}

static void assert_same_settings(const partan_settings *a, const partan_settings *b)
{
    assert_int_equal(a->kernel, b->kernel);
    assert_int_equal(a->gamma_rule, b->gamma_rule);
    assert_true(a->gamma == b->gamma && a->coef0 == b->coef0 && a->cost == b->cost);
    assert_true(a->tol == b->tol && a->eps == b->eps && a->time_limit == b->time_limit);
    assert_true(a->degree == b->degree && a->sample == b->sample && a->max_iter == b->max_iter);
    assert_true(a->solver == b->solver && a->step == b->step && a->stop == b->stop && a->init == b->init);
    assert_true(a->seed == b->seed && a->cache_bytes == b->cache_bytes);
}

static void assert_same_result(const partan_result *a, const partan_result *b)
{
    assert_int_equal(a->status, b->status);
    assert_true(a->converged == b->converged && a->iterations == b->iterations && a->seconds == b->seconds);
    assert_true(a->objective == b->objective && a->gap == b->gap && a->relative_gap == b->relative_gap);
    assert_true(a->support_vectors == b->support_vectors && a->kernel_columns == b->kernel_columns);
    assert_true(a->kernel_values == b->kernel_values && a->cache_hits == b->cache_hits);
}

static void assert_same_model(const partan_model *a, const partan_model *b)
{
    assert_same_settings(partan_model_settings(a), partan_model_settings(b));
    assert_same_result(partan_model_result(a), partan_model_result(b));
    assert_string_equal(partan_model_version(a), partan_model_version(b));
    assert_true(partan_model_fingerprint(a) == partan_model_fingerprint(b));
    assert_true(a->rows == b->rows && a->features == b->features && a->storage == b->storage);
    assert_true(a->scale == b->scale && partan_model_bias(a) == partan_model_bias(b));
    for (int class = 0; class < 2; class ++)
        assert_string_equal(partan_model_label_text(a, class), partan_model_label_text(b, class));
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        double weight[2];
        int sign[2];
        int64_t row[2];
        assert_int_equal(partan_model_support(a, i, &weight[0], &sign[0], &row[0]), PARTAN_OK);
        assert_int_equal(partan_model_support(b, i, &weight[1], &sign[1], &row[1]), PARTAN_OK);
        assert_true(weight[0] == weight[1] && sign[0] == sign[1] && row[0] == row[1]);
        if (a->serials)
            assert_int_equal(a->serials[i], b->serials[i]);
        else
            assert_true(pt_matrix_rows_equal(&a->vectors, i, &b->vectors, i));
    }
}

static void models_round_trip_exactly(void **state)
{
    FOR_EVERY_KERNEL(kernel)
        for (size_t s = 0; s < STORAGES; s++) {
            machine *m = machine_make(*state, (partan_kernel)kernel, every_storage(s));
            size_t size, again_size;
            char *text = text_of(*state, m->model, &size);
            partan_model *back;
            assert_int_equal(parse(*state, text, &back), PARTAN_OK);
            assert_int_equal(partan_model_get_format(back), PARTAN_MODEL_NATIVE);
            assert_int_equal(back->vectors.storage, m->model->vectors.storage);
            assert_same_model(m->model, back);
            char *again = text_of(*state, back, &again_size);
            assert_int_equal(size, again_size);
            assert_memory_equal(text, again, size);
            free(text);
            free(again);
            partan_model_free(back);
            machine_free(m);
        }
}

static void set_label(partan_model *model, int class, const char *text)
{
    pt_free(model->context, model->classes.text[class]);
    model->classes.text[class] = pt_copy(model->context, text, strlen(text) + 1, 1);
}

static void any_word_can_be_a_label(void **state)
{
    static const char *const words[] = {"spam", "two words", "tab\tand\nline", "\\x41", "gr\xc3\xbc\xc3\x9f",
                                        "#",    "\x7f"};
    machine *m = machine_make(*state, PARTAN_KERNEL_RBF, PARTAN_STORAGE_DENSE);
    m->model->classes.words = true;
    set_label(m->model, 0, "ham");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        set_label(m->model, 1, words[i]);
        size_t size;
        char *text = text_of(*state, m->model, &size);
        partan_model *back;
        assert_int_equal(parse(*state, text, &back), PARTAN_OK);
        assert_string_equal(partan_model_label_text(back, 1), words[i]);
        assert_string_equal(partan_model_label_text(back, 0), "ham");
        assert_int_equal(partan_model_has_words(back), 1);
        partan_model_free(back);
        free(text);
    }
    machine_free(m);
}

/* A small model by hand, as documented in docs/model-format.md. */
static const char example[] = "partan-model 1\n"               /* 1 */
                              "version 0.1.0\n"                /* 2 */
                              "kernel rbf\n"                   /* 3 */
                              "gamma 0.5\n"                    /* 4 */
                              "gamma_rule value\n"             /* 5 */
                              "degree 3\n"                     /* 6 */
                              "coef0 0\n"                      /* 7 */
                              "cost 10\n"                      /* 8 */
                              "solver partan\n"                /* 9 */
                              "step exact\n"                   /* 10 */
                              "tol 0.05\n"                     /* 11 */
                              "eps 0\n"                        /* 12 */
                              "sample 0\n"                     /* 13 */
                              "stop confirmed\n"               /* 14 */
                              "init first\n"                   /* 15 */
                              "seed 1\n"                       /* 16 */
                              "max_iter 0\n"                   /* 17 */
                              "time_limit 0\n"                 /* 18 */
                              "cache_bytes -1\n"               /* 19 */
                              "fingerprint 00000000deadbeef\n" /* 20 */
                              "rows 5\n"                       /* 21 */
                              "features 4\n"                   /* 22 */
                              "storage dense\n"                /* 23 */
                              "status OK\n"                    /* 24 */
                              "converged yes\n"                /* 25 */
                              "iterations 12\n"                /* 26 */
                              "objective 0.25\n"               /* 27 */
                              "gap 0.0125\n"                   /* 28 */
                              "relative_gap 0.025\n"           /* 29 */
                              "kernel_columns 12\n"            /* 30 */
                              "kernel_values 60\n"             /* 31 */
                              "cache_hits 3\n"                 /* 32 */
                              "seconds 0.001\n"                /* 33 */
                              "scale 2\n"                      /* 34 */
                              "bias 0.5\n"                     /* 35 */
                              "labels numbers\n"               /* 36 */
                              "negative_label -1\n"            /* 37 */
                              "positive_label 1\n"             /* 38 */
                              "support_vectors 3\n"            /* 39 */
                              "0.25 +1 3 1:0.5 4:-2\n"         /* 40 */
                              "0.375 -1 1\n"                   /* 41 */
                              "0.375 +1 5 2:1e-07\n"           /* 42 */
                              "end\n";                         /* 43 */

/* The example with the first `from` replaced by `to`. */
static char *changed(const char *from, const char *to)
{
    const char *at = strstr(example, from);
    assert_non_null(at);
    size_t before = (size_t)(at - example);
    char *text = malloc(sizeof example + strlen(to));
    memcpy(text, example, before);
    strcpy(text + before, to);
    strcat(text, at + strlen(from));
    return text;
}

static void the_example_is_read(void **state)
{
    partan_model *model;
    assert_int_equal(parse(*state, example, &model), PARTAN_OK);
    assert_int_equal(model->count, 3);
    assert_true(model->weights[2] == 0.375 && model->signs[1] == -1 && model->origin[2] == 4);
    assert_true(model->vectors.dense[3 * PT_TILE] == -2 && model->fingerprint == 0xdeadbeef);
    assert_true(model->result.gap == 0.0125 && model->bias == 0.5 && model->result.converged == 1);
    size_t size;
    char *text = text_of(*state, model, &size);
    assert_string_equal(text, example);
    free(text);
    partan_model_free(model);
}

static void lines_may_end_in_carriage_returns(void **state)
{
    char *text = malloc(2 * sizeof example), *out = text;
    for (const char *p = example; *p; p++) {
        if (*p == '\n')
            *out++ = '\r';
        *out++ = *p;
    }
    *out = 0;
    partan_model *model;
    assert_int_equal(parse(*state, text, &model), PARTAN_OK);
    partan_model_free(model);
    free(text);
}

static void informing_keys_of_later_releases_are_skipped(void **state)
{
    char *text = changed("kernel rbf\n", "info.host some words\nkernel rbf\ninfo.x\n");
    partan_model *model;
    assert_int_equal(parse(*state, text, &model), PARTAN_OK);
    partan_model_free(model);
    free(text);
}

static const struct {
    const char *from, *to, *message;
} malformed[] = {
    {"partan-model 1", "partan-model 2", "m:1: found '2', expected format 1"},
    {"partan-model 1", "partan-data 1", "m:1: found 'partan-data', expected 'partan-model 1'"},
    {"partan-model 1", "partan-model", "m:1: found the end of the line"},
    {"partan-model 1", "partan-model 1 2", "m:1: found '2', expected the end of the line"},
    {"partan-model 1", "", "m:1: found the end of the line"},
    {"version 0.1.0", "version", "m:2: found the end of the line"},
    {"version 0.1.0", "version 0123456789012345678901234567890123456789", "m:2: found '0123"},
    {"kernel rbf", "kernel cubic", "m:3: found 'cubic', expected the kernel, one of linear polynomial rbf"},
    {"kernel rbf", "kernel rbf linear", "m:3: found 'linear', expected the end of the line"},
    {"kernel rbf\n", "", "m:3: found 'gamma', expected the key 'kernel'"},
    {"kernel rbf\n", "kernel rbf\nkernel rbf\n", "m:4: found 'kernel', expected the key 'gamma'"},
    {"kernel rbf\n", "colour red\nkernel rbf\n", "m:3: found 'colour', expected the key 'kernel'"},
    {"kernel rbf\n", "\nkernel rbf\n", "m:3: found the end of the line"},
    {"gamma 0.5", "gamma nan", "m:4: found 'nan', expected the gamma, a number"},
    {"gamma 0.5", "gamma 0", "m:4: found '0', expected the gamma, a number above 0"},
    {"gamma 0.5", "gamma -0.5", "m:4: found '-0.5', expected the gamma, a number above 0"},
    {"gamma 0.5", "gamma 1e999", "m:4: found '1e999'"},
    {"gamma 0.5", "gamma 0x1p3", "m:4: found '0x1p3'"},
    {"gamma 0.5", "gamma", "m:4: found the end of the line"},
    {"degree 3", "degree 3.5", "m:6: found '3.5', expected the degree, a whole number"},
    {"degree 3", "degree -1", "m:6: found '-1'"},
    {"degree 3", "degree 3000000000", "m:6: found '3000000000'"},
    {"cost 10", "cost 0", "m:8: found '0', expected the cost, a number from 1e-30 to 1e+30"},
    {"cost 10", "cost -1", "m:8: found '-1'"},
    {"tol 0.05", "tol -0.05", "m:11: found '-0.05', expected the tol, a number from 0 to 1"},
    {"sample 0", "sample -4", "m:13: found '-4'"},
    {"seed 1", "seed -1", "m:16: found '-1'"},
    {"seed 1", "seed 18446744073709551616", "m:16: found '18446744073709551616'"},
    {"cache_bytes -1", "cache_bytes -2", "m:19: found '-2'"},
    {"00000000deadbeef", "deadbeef", "m:20: found 'deadbeef', expected the data's fingerprint"},
    {"00000000deadbeef", "00000000DEADBEEF", "m:20: found '00000000DEADBEEF'"},
    {"rows 5", "rows 0", "m:21: found '0'"},
    {"rows 5", "rows 2", "m:39: found 3 support vectors, expected no more than the 2 rows"},
    {"rows 5", "rows 4", "m:42: found '5', expected the number of a row"},
    {"features 4", "features 3", "m:40: found '4:-2', expected an index no greater than the number of features"},
    {"features 4", "features 2147483648", "m:22: found '2147483648'"},
    {"storage dense", "storage auto", "m:23: found 'auto', expected the storage, one of dense sparse bits"},
    {"storage dense", "storage bits", "m:40: found '1:0.5', expected the value 1, as the storage is bits"},
    {"status OK", "status ERROR_MEMORY", "m:24: found 'ERROR_MEMORY'"},
    {"converged yes", "converged 1", "m:25: found '1', expected the converged, one of no yes"},
    {"objective 0.25", "objective 0", "m:27: found '0'"},
    {"objective 0.25", "objective inf", "m:27: found 'inf'"},
    {"scale 2", "scale -2", "m:34: found '-2'"},
    {"labels numbers", "labels colours", "m:36: found 'colours'"},
    {"negative_label -1", "negative_label ham", "m:37: found 'ham', expected a label that is a number"},
    {"negative_label -1", "negative_label", "m:37: found the end of the line, expected a label"},
    {"negative_label -1", "negative_label \\x0", "m:37: found '\\x0', expected a label"},
    {"negative_label -1", "negative_label \\x00", "m:37: found '\\x00', expected a label"},
    {"negative_label -1", "negative_label \\q31", "m:37: found '\\q31', expected a label"},
    {"negative_label -1", "negative_label 1.0", "m:38: found '1', expected a label other than the negative class's"},
    {"support_vectors 3", "support_vectors 0", "m:39: found '0'"},
    {"support_vectors 3", "support_vectors 2", "m:42: found '0.375', expected the line 'end'"},
    {"support_vectors 3", "support_vectors 4", "m:43: found 'end', expected a weight"},
    {"rows 5", "rows 1000000000000\n#", "m:22: found '#', expected the key 'features'"},
    {"0.25 +1", "0 +1", "m:40: found '0', expected a weight, a number above 0"},
    {"0.25 +1", "-0.25 +1", "m:40: found '-0.25'"},
    {"0.25 +1", "nan +1", "m:40: found 'nan'"},
    {"0.25 +1", "0.26 +1", "add up to 1.01, expected 1"},
    {"0.25 +1", "0.25 1", "m:40: found '1', expected a sign"},
    {"+1 3", "+1 0", "m:40: found '0', expected the number of a row"},
    {"+1 3", "+1 6", "m:40: found '6', expected the number of a row"},
    {"+1 3", "+1 3.0", "m:40: found '3.0'"},
    {"1:0.5", "0:0.5", "m:40: found '0:0.5', expected an index from 1"},
    {"1:0.5", "-1:0.5", "m:40: found '-1:0.5', expected an index from 1"},
    {"1:0.5", "4:0.5", "m:40: found '4:-2', expected an index greater than the one before"},
    {"1:0.5", "1:0", "m:40: found '1:0', expected a value other than 0"},
    {"1:0.5", "1:", "m:40: found '1:', expected a feature as index:value"},
    {"1:0.5", "1:1:1", "m:40: found '1:1:1', expected a feature as index:value"},
    {"1:0.5", "0.5", "m:40: found '0.5', expected a feature as index:value"},
    {"1:0.5", "1:1e39", "m:40: found '1:1e39', expected a value within the range of float32"},
    {"1:0.5", "1:\x1b[2J", "m:40: found '1:?[2J'"},
    {"0.375 -1 1\n", "0.375 -1 1\n\n", "m:42: found the end of the line, expected a weight"},
    {"end\n", "", "m:43: found the end of the file, expected the line 'end'"},
    {"end\n", "en", "m:43: found 'en', expected the line 'end'"},
    {"end\n", "end of it\n", "m:43: found 'of', expected the end of the line"},
    {"end\n", "end\nmore\n", "m:44: found 'more', expected the end of the file"},
    {"end\n", "end\n\n", "m:44: found the end of the line, expected the end of the file"},
};

static void malformed_models_are_refused(void **state)
{
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        char *text = changed(malformed[i].from, malformed[i].to);
        partan_model *model;
        assert_int_equal(parse(*state, text, &model), PARTAN_ERROR_FORMAT);
        if (!strstr(partan_error(*state), malformed[i].message))
            fail_msg("'%s' for '%s' gave: %s", malformed[i].to, malformed[i].from, partan_error(*state));
        partan_model_free(model);
        free(text);
    }
}

/* Cut anywhere, but for the last line feed, the file is not a model. */
static void truncated_models_are_refused(void **state)
{
    for (size_t size = 0; size + 1 < sizeof example - 1; size++) {
        char *text = malloc(size + 1);
        memcpy(text, example, size);
        text[size] = 0;
        partan_model *model;
        assert_int_equal(parse(*state, text, &model), PARTAN_ERROR_FORMAT);
        partan_model_free(model);
        free(text);
    }
}

static void *modest_allocate(void *user, size_t bytes, size_t alignment)
{
    (void)user;
    assert_true(bytes < 32000000);
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void modest_release(void *user, void *pointer)
{
    (void)user;
    free(pointer);
}

static void lying_headers_allocate_little(void **state)
{
    (void)state;
    static const char *const lies[][2] = {
        {"support_vectors 3", "support_vectors 9000000000000000000"},
        {"features 4", "features 2147483647"},
        {"features 4\nstorage dense", "features 2147483647\nstorage bits"},
        {"rows 5\n", "rows 9000000000000000000\n"},
    };
    partan_context_options options;
    partan_context_options_init(&options);
    options.allocate = modest_allocate;
    options.release = modest_release;
    partan_context *context = partan_create(&options);
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        char *text = changed(lies[i][0], lies[i][1]);
        partan_model *model;
        parse(context, text, &model);
        partan_model_free(model);
        free(text);
    }
    partan_destroy(context);
}

static void missing_files_are_named(void **state)
{
    partan_model *model = (partan_model *)state;
    assert_int_equal(partan_model_read(*state, "/no/such/model", &model), PARTAN_ERROR_IO);
    assert_null(model);
    assert_non_null(strstr(partan_error(*state), "/no/such/model"));
}

static partan_status write_and_read(partan_context *context)
{
    machine *m = machine_make(context, PARTAN_KERNEL_RBF, PARTAN_STORAGE_SPARSE);
    if (!m)
        return PARTAN_ERROR_MEMORY;
    char path[200];
    temporary_path(path, sizeof path, ".model");
    partan_status status = partan_model_write(context, m->model, path, PARTAN_MODEL_NATIVE);
    partan_model *back = NULL;
    if (status == PARTAN_OK)
        status = partan_model_read(context, path, &back);
    partan_model_free(back);
    unlink(path);
    machine_free(m);
    return status;
}

static void failing_allocations_leak_nothing(void **state)
{
    (void)state;
    check_every_allocation(write_and_read);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(models_round_trip_exactly),
        CONTEXT_TEST(any_word_can_be_a_label),
        CONTEXT_TEST(the_example_is_read),
        CONTEXT_TEST(lines_may_end_in_carriage_returns),
        CONTEXT_TEST(informing_keys_of_later_releases_are_skipped),
        CONTEXT_TEST(malformed_models_are_refused),
        CONTEXT_TEST(truncated_models_are_refused),
        cmocka_unit_test(lying_headers_allocate_little),
        CONTEXT_TEST(missing_files_are_named),
        cmocka_unit_test(failing_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
