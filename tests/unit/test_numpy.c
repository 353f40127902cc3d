/* NumPy's arrays: headers and elements against bytes written by hand. */
#include <math.h>
#include <string.h>
#include <zlib.h>

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
        status = pt_numpy_data(context, "a.npz", &options, (pt_numpy_parts){&array, &words, NULL, SIZE_MAX, SIZE_MAX},
                               &data);
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

/* ---- Zip archives, as plainly as can be ---- */

typedef struct archive {
    unsigned char text[4096], directory[1024];
    size_t size, length;
    unsigned members;
} archive;

static void put(unsigned char *at, size_t *size, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        at[(*size)++] = (unsigned char)(i < sizeof value ? value >> 8 * i : 0);
}

static size_t deflate_raw(const unsigned char *text, size_t length, unsigned char *out, size_t room)
{
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = (z_const Bytef *)text;
    stream.avail_in = (uInt)length;
    stream.next_out = out;
    stream.avail_out = (uInt)room;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    size_t made = room - stream.avail_out;
    deflateEnd(&stream);
    return made;
}

/* What a member's two headers share, from the version on; with zip64 the sizes are in an extra. */
static void put_common(unsigned char *at, size_t *size, bool packed, uint32_t sum, size_t length, size_t made,
                       size_t name, bool wide)
{
    put(at, size, 20, 2);
    put(at, size, 0, 2);
    put(at, size, packed ? 8 : 0, 2);
    put(at, size, 0, 4);
    put(at, size, sum, 4);
    put(at, size, wide ? UINT32_MAX : made, 4);
    put(at, size, wide ? UINT32_MAX : length, 4);
    put(at, size, name, 2);
    put(at, size, wide ? 20 : 0, 2);
}

static void put_extra(unsigned char *at, size_t *size, size_t length, size_t made)
{
    put(at, size, 1, 2);
    put(at, size, 16, 2);
    put(at, size, length, 8);
    put(at, size, made, 8);
}

static void add_member(archive *a, const char *name, const char *header, const void *elements, size_t size, bool packed,
                       bool wide)
{
    unsigned char text[1024], out[1024];
    size_t length = make(text, header, elements, size), at = a->size, known = strlen(name);
    uint32_t sum = (uint32_t)crc32(0, text, (uInt)length);
    size_t made = packed ? deflate_raw(text, length, out, sizeof out) : length;
    put(a->text, &a->size, 0x04034b50, 4);
    put_common(a->text, &a->size, packed, sum, length, made, known, wide);
    memcpy(a->text + a->size, name, known);
    a->size += known;
    if (wide)
        put_extra(a->text, &a->size, length, made);
    memcpy(a->text + a->size, packed ? out : text, made);
    a->size += made;
    put(a->directory, &a->length, 0x02014b50, 4);
    put(a->directory, &a->length, 20, 2);
    put_common(a->directory, &a->length, packed, sum, length, made, known, wide);
    put(a->directory, &a->length, 0, 2 + 2 + 2 + 4); /* no comment, disk 0, attributes */
    put(a->directory, &a->length, at, 4);
    memcpy(a->directory + a->length, name, known);
    a->length += known;
    if (wide)
        put_extra(a->directory, &a->length, length, made);
    a->members++;
}

static void end_archive(archive *a)
{
    size_t at = a->size;
    memcpy(a->text + a->size, a->directory, a->length);
    a->size += a->length;
    put(a->text, &a->size, 0x06054b50, 4);
    put(a->text, &a->size, 0, 4);
    put(a->text, &a->size, a->members, 2);
    put(a->text, &a->size, a->members, 2);
    put(a->text, &a->size, a->length, 4);
    put(a->text, &a->size, at, 4);
    put(a->text, &a->size, 0, 2);
}

static void make_archive(archive *a, bool packed, bool wide)
{
    static const double values[] = {1, 2, -1, 3};
    *a = (archive){.size = 0};
    add_member(a, "X.npy", HEADER("<f8", "False", "(2, 2)"), values, sizeof values, packed, wide);
    add_member(a, "y.npy", HEADER("|S1", "False", "(2,)"), "ab", 2, packed, wide);
    end_archive(a);
}

static void write_bytes(const unsigned char *text, size_t size)
{
    FILE *file = fopen(archive_path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void write_archive(void)
{
    archive a;
    make_archive(&a, true, false);
    temporary_path(archive_path, sizeof archive_path, ".npz");
    write_bytes(a.text, a.size);
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

static void archives_stored_deflated_and_wide(void **state)
{
    temporary_path(archive_path, sizeof archive_path, ".npz");
    for (int kind = 0; kind < 4; kind++) {
        archive a;
        make_archive(&a, kind & 1, kind & 2);
        write_bytes(a.text, a.size);
        assert_int_equal(read_archive(*state), PARTAN_OK);
        /* Cut anywhere, or with any byte changed: it is refused, or says the same (names of files, times, padding). */
        for (size_t cut = 0; cut < a.size; cut += 7) {
            write_bytes(a.text, cut);
            assert_true(read_archive(*state) < 0);
        }
        for (size_t i = 0; i < a.size; i += 3) {
            partan_data *data = NULL;
            a.text[i] ^= 0x41;
            write_bytes(a.text, a.size);
            partan_data_read(*state, archive_path, NULL, &data);
            partan_data_free(data);
            a.text[i] ^= 0x41;
        }
    }
    remove(archive_path);
}

/* Contents that are not what the checksum is of. */
static void a_wrong_checksum_is_refused(void **state)
{
    archive a;
    temporary_path(archive_path, sizeof archive_path, ".npz");
    make_archive(&a, false, false);
    size_t second = 4;
    while (memcmp(a.text + second, "PK\3\4", 4) != 0)
        second++;
    a.text[second - 1] ^= 1; /* the last byte of the first member */
    write_bytes(a.text, a.size);
    assert_int_equal(read_archive(*state), PARTAN_ERROR_FORMAT);
    assert_non_null(strstr(partan_error(*state), "checksum"));
    remove(archive_path);
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
        SERIAL_TEST(archives_stored_deflated_and_wide),
        SERIAL_TEST(a_wrong_checksum_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
