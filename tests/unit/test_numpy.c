/* NumPy's arrays: headers and elements against bytes written by hand. */
#include <archive.h>
#include <archive_entry.h>
#include <math.h>
#include <string.h>

#include "data/read/numpy.h"
#include "failing.h"
#include "files.h"

/* A version 1 file with this dictionary and these elements. */
static size_t make(unsigned char *out, const char *dictionary, const void *elements, size_t size)
{
    size_t length = strlen(dictionary);
    memcpy(out, "\x93NUMPY\x01\x00", 8);
    out[8] = (unsigned char)(length & 255);
    out[9] = (unsigned char)(length >> 8);
    memcpy(out + 10, dictionary, length);
    if (size)
        memcpy(out + 10 + length, elements, size);
    return 10 + length + size;
}

static partan_status parse(partan_context *context, const char *dictionary, const void *elements, size_t size,
                           pt_array *array)
{
    unsigned char text[1024];
    size_t length = make(text, dictionary, elements, size);
    unsigned char *copy = pt_copy(context, text, length, 1);
    if (!copy) {
        *array = (pt_array){0};
        return pt_out_of_memory(context, "a test");
    }
    return pt_array_parse(context, "a.npy", copy, length, array);
}

#define HEADER(type, order, shape) "{'descr': '" type "', 'fortran_order': " order ", 'shape': " shape ", }\n"

static void elements_of_every_type(void **state)
{
    static const struct {
        const char *header;
        const char *bytes;
        size_t size;
        double value;
    } cases[] = {
        {HEADER("|i1", "False", "(1, 1)"), "\xff", 1, -1},
        {HEADER("|u1", "False", "(1, 1)"), "\xff", 1, 255},
        {HEADER("|b1", "False", "(1, 1)"), "\x01", 1, 1},
        {HEADER("<i2", "False", "(1, 1)"), "\xfe\xff", 2, -2},
        {HEADER(">i2", "False", "(1, 1)"), "\x01\x00", 2, 256},
        {HEADER("<u4", "False", "(1, 1)"), "\x00\x00\x00\x80", 4, 2147483648.0},
        {HEADER("<i4", "False", "(1, 1)"), "\x00\x00\x00\x80", 4, -2147483648.0},
        {HEADER(">i8", "False", "(1, 1)"), "\xff\xff\xff\xff\xff\xff\xff\xfe", 8, -2},
        {HEADER("<i8", "False", "(1, 1)"), "\x00\x00\x00\x00\x00\x00\x00\x80", 8, -9223372036854775808.0},
        {HEADER("<f2", "False", "(1, 1)"), "\x00\xc0", 2, -2},
        {HEADER("<f2", "False", "(1, 1)"), "\x01\x00", 2, 0x1p-24},
        {HEADER("<f4", "False", "(1, 1)"), "\x00\x00\xc0\x3f", 4, 1.5},
        {HEADER(">f8", "False", "(1, 1)"), "\x3f\xf8\x00\x00\x00\x00\x00\x00", 8, 1.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pt_array array;
        assert_int_equal(parse(*state, cases[i].header, cases[i].bytes, cases[i].size, &array), PARTAN_OK);
        assert_true(pt_array_number(&array, 0, 0) == cases[i].value);
        pt_array_free(*state, &array);
    }
}

static void rows_and_columns_in_both_orders(void **state)
{
    static const unsigned char bytes[] = {1, 2, 3, 4, 5, 6};
    for (int by_columns = 0; by_columns < 2; by_columns++) {
        pt_array array;
        const char *header = by_columns ? HEADER("|u1", "True", "(2, 3)") : HEADER("|u1", "False", "(2, 3)");
        assert_int_equal(parse(*state, header, bytes, 6, &array), PARTAN_OK);
        for (size_t row = 0; row < 2; row++)
            for (size_t column = 0; column < 3; column++)
                assert_true(pt_array_number(&array, row, column)
                            == (double)(by_columns ? column * 2 + row + 1 : row * 3 + column + 1));
        pt_array_free(*state, &array);
    }
}

static void texts_become_utf8(void **state)
{
    static const char wide[] = "n\0\0\0\xe9\0\0\0\x34\xd8\1\0";
    char text[64];
    pt_array array;
    assert_int_equal(parse(*state, HEADER("<U3", "False", "(1,)"), wide, 12, &array), PARTAN_OK);
    assert_int_equal(pt_array_text(&array, 0, text, sizeof text), 7);
    assert_string_equal(text, "n\xc3\xa9\xf0\x9d\xa0\xb4");
    pt_array_free(*state, &array);
    assert_int_equal(parse(*state, HEADER("|S4", "False", "(2,)"), "ab\0\0abcd", 8, &array), PARTAN_OK);
    assert_int_equal(pt_array_text(&array, 0, text, sizeof text), 2);
    assert_int_equal(pt_array_text(&array, 1, text, sizeof text), 4);
    pt_array_free(*state, &array);
}

static void what_is_no_array_is_refused(void **state)
{
    static const char *const headers[] = {
        HEADER("|O", "False", "(1,)"),
        HEADER("<f3", "False", "(1,)"),
        HEADER("<f8", "False", "(2, 2, 2)"),
        HEADER("<f8", "False", "(-1,)"),
        HEADER("<f8", "False", "(3,)"), /* there are two elements */
        HEADER("<f8", "False", "(9223372036854775807, 9223372036854775807)"),
        HEADER("<f8", "False", "3"),
        "{'descr': '<f8'}\n",
        "\n",
    };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        pt_array array;
        double elements[2] = {1, 2};
        assert_int_equal(parse(*state, headers[i], elements, sizeof elements, &array), PARTAN_ERROR_FORMAT);
        assert_non_null(strstr(partan_error(*state), "a.npy: found"));
        pt_array_free(*state, &array);
    }
}

static partan_status make_data(partan_context *context)
{
    static const double values[] = {1, 2, -1, 3};
    partan_read_options options;
    partan_data *data = NULL;
    pt_array array, words = {0};
    partan_read_options_init(&options);
    partan_status status = parse(context, HEADER("<f8", "False", "(2, 2)"), values, sizeof values, &array);
    if (!status)
        status = parse(context, HEADER("|S1", "False", "(2,)"), "ab", 2, &words);
    if (!status)
        status = pt_numpy_data(context, "a.npz", &options, &array, &words, SIZE_MAX, &data);
    if (!status) {
        assert_int_equal(data->word_count, 2);
        assert_string_equal(data->words[1], "b");
        assert_int_equal(partan_data_features(data), 2);
        assert_string_equal(data->name, "a.npz");
    }
    partan_data_free(data);
    pt_array_free(context, &array);
    pt_array_free(context, &words);
    return status;
}

static char archive_path[256];

static void add_member(struct archive *archive, const char *name, const char *header, const void *elements, size_t size)
{
    unsigned char text[1024];
    size_t length = make(text, header, elements, size);
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, name);
    archive_entry_set_size(entry, (la_int64_t)length);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0600);
    assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
    assert_int_equal(archive_write_data(archive, text, length), (la_ssize_t)length);
    archive_entry_free(entry);
}

static void write_archive(void)
{
    static const double values[] = {1, 2, -1, 3};
    struct archive *archive = archive_write_new();
    archive_write_set_format_zip(archive);
    assert_int_equal(archive_write_open_filename(archive, temporary_path(archive_path, sizeof archive_path, ".npz")),
                     ARCHIVE_OK);
    add_member(archive, "X.npy", HEADER("<f8", "False", "(2, 2)"), values, sizeof values);
    add_member(archive, "y.npy", HEADER("|S1", "False", "(2,)"), "ab", 2);
    archive_write_close(archive);
    archive_write_free(archive);
}

static partan_status read_archive(partan_context *context)
{
    partan_data *data = NULL;
    partan_status status = partan_data_read(context, archive_path, NULL, &data);
    if (!status) {
        assert_int_equal(partan_data_rows(data), 2);
        assert_string_equal(data->words[0], "a");
    }
    partan_data_free(data);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_allocations(make_data, 1);
    write_archive();
    check_allocations(read_archive, 1);
    remove(archive_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(elements_of_every_type),
        SERIAL_TEST(rows_and_columns_in_both_orders),
        SERIAL_TEST(texts_become_utf8),
        SERIAL_TEST(what_is_no_array_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
