/* Writers: the text of LIBSVM, CSV and TSV files, to the byte; values that read back exactly; nothing half-written. */
#include "testing.h"

#include <float.h>
#include <math.h>
#include <sys/stat.h>

#include "core/number.h"
#include "core/random.h"
#include "data/data.h"
#include "data/endings.h"
#include "data/write.h"
#include "failing.h"
#include "files.h"

static partan_data *small(partan_context *context, const double *labels, partan_storage storage)
{
    float values[9] = {1, 0, 0, -0.5, 2.25, 0, 0, 0, 0};
    partan_data *data = NULL;
    for (int i = 0; i < 9; i++)
        values[i] = storable(storage, values[i]);
    assert_int_equal(dense_data(context, values, 3, 3, 3, labels, storage, &data), PARTAN_OK);
    return data;
}

/* Writes, compares the file with `wanted`, removes it. */
static void assert_written(partan_context *context, const partan_data *data, partan_format format,
                           const char *extension, const char *wanted)
{
    char path[256];
    temporary_path(path, sizeof path, extension);
    assert_int_equal(partan_data_write(context, data, path, format), PARTAN_OK);
    char *text = file_contents(path, NULL);
    assert_string_equal(text, wanted);
    free(text);
    unlink(path);
}

static const double signs[3] = {1, -1, 2.5};
static const double gaps[3] = {1, NAN, -1};

/* The last feature is zero everywhere: the first row names it. */
static void libsvm_text_is_as_expected(void **state)
{
    static const char *const text[STORAGES + 1] = {
        [PARTAN_STORAGE_DENSE] = "1 1:1 3:0\n-1 1:-0.5 2:2.25\n2.5\n",
        [PARTAN_STORAGE_SPARSE] = "1 1:1 3:0\n-1 1:-0.5 2:2.25\n2.5\n",
        [PARTAN_STORAGE_BITS] = "1 1:1 3:0\n-1 1:1 2:1\n2.5\n",
        [PARTAN_STORAGE_BYTES] = "1 1:1 3:0\n-1 2:2.25\n2.5\n",
    };
    FOR_EVERY_STORAGE(storage) {
        partan_data *data = small(*state, signs, (partan_storage)storage);
        assert_written(*state, data, PARTAN_FORMAT_LIBSVM, ".csv", text[storage]);
        assert_written(*state, data, PARTAN_FORMAT_AUTO, ".svm", text[storage]);
        partan_data_free(data);
    }
}

static void csv_text_is_as_expected(void **state)
{
    partan_data *data = small(*state, signs, PARTAN_STORAGE_SPARSE);
    assert_written(*state, data, PARTAN_FORMAT_AUTO, ".csv", "1,1,0,0\n-1,-0.5,2.25,0\n2.5,0,0,0\n");
    assert_written(*state, data, PARTAN_FORMAT_AUTO, ".tsv", "1\t1\t0\t0\n-1\t-0.5\t2.25\t0\n2.5\t0\t0\t0\n");
    partan_data_free(data);
}

/* Rows without label and without values must not become blank lines, which readers skip. */
/* Reader and writer go by the same function. */
static void endings_mean_the_same_in_any_case(void **state)
{
    static const struct {
        const char *name;
        partan_format format;
    } cases[] = {
        {"x.csv", PARTAN_FORMAT_CSV},     {"x.CSV", PARTAN_FORMAT_CSV},    {"x.tsv", PARTAN_FORMAT_TSV},
        {"x.Tab", PARTAN_FORMAT_TSV},     {"x.csv.XZ", PARTAN_FORMAT_CSV}, {"a.csv/x", PARTAN_FORMAT_AUTO},
        {"x.svm", PARTAN_FORMAT_AUTO},    {"csv", PARTAN_FORMAT_AUTO},     {"x.csv.gz.gz", PARTAN_FORMAT_AUTO},
        {"x.tab.zst", PARTAN_FORMAT_TSV}, {"", PARTAN_FORMAT_AUTO},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(pt_format_by_ending(cases[i].name), cases[i].format);
    assert_string_equal(partan_compression("dir/a9a.Bz2"), ".Bz2");
    assert_null(partan_compression("a9a.gz/a9a"));
    partan_data *data = small(*state, signs, PARTAN_STORAGE_DENSE);
    assert_written(*state, data, PARTAN_FORMAT_AUTO, ".CSV", "1,1,0,0\n-1,-0.5,2.25,0\n2.5,0,0,0\n");
    assert_written(*state, data, PARTAN_FORMAT_AUTO, ".TAB", "1\t1\t0\t0\n-1\t-0.5\t2.25\t0\n2.5\t0\t0\t0\n");
    assert_int_equal(partan_data_write(*state, data, "x.svm.GZ", PARTAN_FORMAT_AUTO), PARTAN_ERROR_ARGUMENT);
    partan_data_free(data);
}

static void missing_labels_leave_no_blank_lines(void **state)
{
    partan_data *data = small(*state, NULL, PARTAN_STORAGE_AUTO);
    assert_written(*state, data, PARTAN_FORMAT_LIBSVM, ".svm", "1:1 3:0\n1:-0.5 2:2.25\n3:0\n");
    assert_written(*state, data, PARTAN_FORMAT_CSV, ".csv", "1,0,0\n-0.5,2.25,0\n0,0,0\n");
    partan_data_free(data);
    data = small(*state, gaps, PARTAN_STORAGE_AUTO);
    assert_written(*state, data, PARTAN_FORMAT_CSV, ".csv", "1,1,0,0\n,-0.5,2.25,0\n-1,0,0,0\n");
    partan_data_free(data);
}

/* ---- Words ---- */

static partan_data *with_words(partan_context *context, const char *const *words, size_t count)
{
    const double indices[3] = {0, 1, 2};
    partan_data *data = small(context, indices, PARTAN_STORAGE_AUTO);
    data->words = pt_alloc_zero(context, count, sizeof *data->words);
    data->word_count = count;
    for (size_t i = 0; i < count; i++)
        data->words[i] = pt_copy(context, words[i], strlen(words[i]) + 1, 1);
    return data;
}

static void words_are_quoted_when_needed(void **state)
{
    const char *const words[] = {"spam", "ham, \"cured\"", " #1"};
    partan_data *data = with_words(*state, words, 3);
    assert_written(*state, data, PARTAN_FORMAT_CSV, ".csv",
                   "spam,1,0,0\n\"ham, \"\"cured\"\"\",-0.5,2.25,0\n\" #1\",0,0,0\n");
    assert_written(*state, data, PARTAN_FORMAT_TSV, ".tsv",
                   "spam\t1\t0\t0\n\"ham, \"\"cured\"\"\"\t-0.5\t2.25\t0\n\" #1\"\t0\t0\t0\n");
    assert_int_equal(partan_data_write(*state, data, "/dev/null", PARTAN_FORMAT_LIBSVM), PARTAN_ERROR_ARGUMENT);
    assert_non_null(strstr(partan_error(*state), "spam"));
    partan_data_free(data);
}

/* ---- Kernel matrices ---- */

static void kernel_rows_are_written_whole_with_their_serials(void **state)
{
    partan_data *data = small(*state, signs, PARTAN_STORAGE_DENSE);
    const int64_t serials[3] = {0, 1, 2};
    data->serials = pt_copy(*state, serials, 3, sizeof *serials);
    assert_written(*state, data, PARTAN_FORMAT_LIBSVM, ".svm",
                   "1 0:1 1:1 2:0 3:0\n-1 0:2 1:-0.5 2:2.25 3:0\n2.5 0:3 1:0 2:0 3:0\n");
    partan_data_free(data);
}

/* ---- Exactness ---- */

/* A value of any size and number of digits, never zero. */
static float any_float(pt_random *random)
{
    float value;
    do {
        uint32_t bits = (uint32_t)(pt_random_next(random) >> 32);
        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value) || value == 0);
    return value;
}

/* More text than the buffer holds, checked by an independent reading of it: strtof on every field. */
static void values_of_all_sizes_read_back_exactly(void **state)
{
    partan_context *context = *state;
    enum { ROWS = 2000, FEATURES = 30 };
    float *values = malloc(ROWS * FEATURES * sizeof *values);
    pt_random random;
    pt_random_seed(&random, 5);
    for (size_t i = 0; i < ROWS * FEATURES; i++)
        values[i] = i % 3 ? any_float(&random) : (float)pt_random_normal(&random);
    partan_data *data;
    assert_int_equal(dense_data(context, values, ROWS, FEATURES, FEATURES, NULL, PARTAN_STORAGE_DENSE, &data),
                     PARTAN_OK);
    char path[256];
    assert_int_equal(partan_data_write(context, data, temporary_path(path, sizeof path, ".csv"), PARTAN_FORMAT_AUTO),
                     PARTAN_OK);
    char *text = file_contents(path, NULL), *p = text;
    for (size_t i = 0; i < ROWS * FEATURES; i++) {
        assert_true(strtof(p, &p) == values[i]);
        assert_true(*p == (i % FEATURES == FEATURES - 1 ? '\n' : ','));
        p++;
    }
    assert_int_equal(*p, '\0');
    free(text);
    free(values);
    partan_data_free(data);
    unlink(path);
}

/* ---- Round trips ---- */

/* Writes and reads back in every format: same rows, features, labels and values, whatever the storage. */
static void assert_round_trip(partan_context *context, const partan_data *data, bool labelled)
{
    for (int format = data->words ? PARTAN_FORMAT_CSV : PARTAN_FORMAT_LIBSVM; format <= PARTAN_FORMAT_TSV; format++) {
        char path[256], text[2][64];
        temporary_path(path, sizeof path, ".data");
        assert_int_equal(partan_data_write(context, data, path, (partan_format)format), PARTAN_OK);
        partan_read_options options;
        partan_read_options_init(&options);
        options.format = (partan_format)format;
        options.label_column = labelled ? 1 : 0;
        options.unlabelled = !labelled;
        partan_data *back = NULL;
        if (partan_data_read(context, path, &options, &back))
            fail_msg("%s", partan_error(context));
        assert_int_equal(partan_data_rows(back), partan_data_rows(data));
        assert_int_equal(partan_data_features(back), partan_data_features(data));
        assert_true(partan_data_fingerprint(back) == partan_data_fingerprint(data));
        for (size_t i = 0; i < partan_data_rows(data); i++) {
            assert_true(pt_matrix_rows_equal(&data->matrix, i, &back->matrix, i));
            assert_string_equal(partan_data_label_text(back, i, text[0], sizeof text[0]),
                                partan_data_label_text(data, i, text[1], sizeof text[1]));
        }
        partan_data_free(back);
        unlink(path);
    }
}

static void generated_data_round_trips(void **state)
{
    const char *kind;
    for (size_t i = 0; (kind = partan_generator(i, NULL)); i++) {
        partan_generator_options options;
        partan_generator_options_init(&options);
        options.kind = kind;
        options.rows = 300;
        options.features = i >= 5 ? 400 : 0;
        partan_data *data;
        assert_int_equal(partan_generate(*state, &options, PARTAN_STORAGE_AUTO, &data), PARTAN_OK);
        assert_round_trip(*state, data, true);
        partan_data_free(data);
    }
}

static void labels_of_all_kinds_round_trip(void **state)
{
    const double numbers[3] = {1.0 / 3, -1e300, 0};
    const char *const words[] = {"spam", "ham, \"cured\"", "#2"};
    partan_data *data = small(*state, numbers, PARTAN_STORAGE_AUTO);
    assert_round_trip(*state, data, true);
    partan_data_free(data);
    data = small(*state, NULL, PARTAN_STORAGE_AUTO);
    assert_round_trip(*state, data, false);
    partan_data_free(data);
    data = with_words(*state, words, 3);
    assert_round_trip(*state, data, true);
    partan_data_free(data);
}

/* ---- Failures ---- */

static void failures_leave_an_existing_file_alone(void **state)
{
    partan_context *context = *state;
    char path[256];
    make_file(temporary_path(path, sizeof path, ".svm"), "precious\n");
    partan_data *data = small(context, signs, PARTAN_STORAGE_AUTO);
    partan_interrupt(context);
    assert_int_equal(partan_data_write(context, data, path, PARTAN_FORMAT_AUTO), PARTAN_INTERRUPTED);
    char *text = file_contents(path, NULL);
    assert_string_equal(text, "precious\n");
    free(text);
    unlink(path);

    assert_int_equal(partan_data_write(context, data, "/nowhere/at/all", PARTAN_FORMAT_AUTO), PARTAN_ERROR_IO);
    assert_non_null(strstr(partan_error(context), "/nowhere/at/all"));
    assert_int_equal(partan_data_write(context, data, path, (partan_format)9), PARTAN_ERROR_ARGUMENT);
    assert_int_equal(partan_data_write(context, data, "data.svm.gz", PARTAN_FORMAT_AUTO), PARTAN_ERROR_ARGUMENT);
    assert_non_null(strstr(partan_error(context), ".gz"));
    partan_data_free(data);
}

static void a_full_device_is_reported(void **state)
{
    struct stat full;
    if (stat("/dev/full", &full) != 0 || !S_ISCHR(full.st_mode))
        skip();
    partan_data *data = small(*state, signs, PARTAN_STORAGE_AUTO);
    assert_int_equal(partan_data_write(*state, data, "/dev/full", PARTAN_FORMAT_LIBSVM), PARTAN_ERROR_IO);
    assert_non_null(strstr(partan_error(*state), "/dev/full"));
    partan_data_free(data);
}

static partan_status make_and_write(partan_context *context)
{
    static const float values[2] = {1, 2};
    static const double labels[2] = {1, -1};
    partan_data *data = NULL;
    partan_status status = dense_data(context, values, 2, 1, 1, labels, PARTAN_STORAGE_SPARSE, &data);
    char path[256];
    if (!status)
        status = partan_data_write(context, data, temporary_path(path, sizeof path, ".svm"), PARTAN_FORMAT_AUTO);
    unlink(temporary_path(path, sizeof path, ".svm"));
    partan_data_free(data);
    return status;
}

static void failed_allocations_are_survived(void **state)
{
    (void)state;
    check_every_allocation(make_and_write);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(libsvm_text_is_as_expected),
        CONTEXT_TEST(csv_text_is_as_expected),
        CONTEXT_TEST(endings_mean_the_same_in_any_case),
        CONTEXT_TEST(missing_labels_leave_no_blank_lines),
        CONTEXT_TEST(words_are_quoted_when_needed),
        CONTEXT_TEST(kernel_rows_are_written_whole_with_their_serials),
        CONTEXT_TEST(values_of_all_sizes_read_back_exactly),
        CONTEXT_TEST(generated_data_round_trips),
        CONTEXT_TEST(labels_of_all_kinds_round_trip),
        CONTEXT_TEST(failures_leave_an_existing_file_alone),
        CONTEXT_TEST(a_full_device_is_reported),
        cmocka_unit_test(failed_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
