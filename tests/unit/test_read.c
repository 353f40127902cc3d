/* Files as a whole: where text is cut does not matter; the system's errors are told; memory that
 * runs out at any point leaves nothing behind; an interrupt stops; the well-known sets have their well-known sizes. */
#include "reading.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compressing.h"
#include "core/random.h"

/* ---- Text to read ---- */

enum { TEXT_SIZE = 1 << 16 };

/* Lines of all sorts: empty, comments, short and long rows, with and without gaps, CRLF. */
static size_t make_libsvm(char *text, int rows)
{
    pt_random random;
    pt_random_seed(&random, 5);
    char *p = text;
    for (int row = 0; row < rows; row++) {
        if (row % 7 == 3)
            p += sprintf(p, row % 2 ? "\n" : "# comment %d\r\n", row);
        p += sprintf(p, "%d", row % 3 ? 1 : -1);
        int index = 0;
        for (uint64_t k = pt_random_below(&random, 20); k > 0; k--) {
            index += row % 4 ? 1 : 1 + (int)pt_random_below(&random, 9);
            p += sprintf(p, " %d:%.*g", index, 1 + (int)(k % 9), pt_random_normal(&random));
        }
        p += sprintf(p, row % 5 ? "\n" : " \r\n");
    }
    return (size_t)(p - text);
}

static size_t make_csv(char *text, int rows)
{
    static const char *const labels[] = {"one", "1", "\"t\"\"wo\"", "1.0", "three"};
    pt_random random;
    pt_random_seed(&random, 6);
    char *p = text + sprintf(text, "# about\nlabel,a,\"b\",c\n");
    for (int row = 0; row < rows; row++) {
        if (row % 9 == 4)
            p += sprintf(p, row % 2 ? "\n" : "# comment, %d\r\n", row);
        const char *label = row < rows / 2 ? labels[1 + 2 * (row % 2)] : labels[row % 5]; /* words come late */
        p += sprintf(p, "%s,%.3g,%.9g,\"%d\"\n", label, pt_random_normal(&random), pt_random_normal(&random), row % 2);
    }
    return (size_t)(p - text);
}

static void assert_same(const partan_data *a, const partan_data *b)
{
    char text_a[64], text_b[64];
    assert_int_equal(a->matrix.rows, b->matrix.rows);
    assert_int_equal(a->matrix.features, b->matrix.features);
    assert_int_equal(a->matrix.nonzeros, b->matrix.nonzeros);
    assert_int_equal(a->word_count, b->word_count);
    for (size_t row = 0; row < a->matrix.rows; row++) {
        assert_true(pt_matrix_rows_equal(&a->matrix, row, &b->matrix, row));
        assert_string_equal(partan_data_label_text(a, row, text_a, sizeof text_a),
                            partan_data_label_text(b, row, text_b, sizeof text_b));
        assert_true(a->labels[row] == b->labels[row]);
    }
    assert_true(partan_data_fingerprint(a) == partan_data_fingerprint(b));
}

/* ---- Cuts ---- */

static void check_cuts(partan_context *context, const char *text, size_t size)
{
    partan_data *whole, *cut;
    assert_int_equal(pt_data_parse(context, "it", text, size, NULL, &whole), PARTAN_OK);
    static const size_t cuts[] = {1, 2, 7, 50, 64, 1000, 1001, 9000};
    for (size_t i = 0; i < COUNT(cuts); i++) {
        assert_int_equal(pt_data_parse_cut(context, "it", text, size, NULL, cuts[i], &cut), PARTAN_OK);
        assert_same(whole, cut);
        partan_data_free(cut);
    }
    partan_data_free(whole);
}

static void cuts_do_not_matter(void **state)
{
    static char text[TEXT_SIZE];
    check_cuts(*state, text, make_libsvm(text, 200));
    check_cuts(*state, text, make_csv(text, 200));
}

/* The first mistake of the file is reported, with its line, wherever the text is cut and whoever comes upon it first.
 */
static void mistakes_are_found_in_order(void **state)
{
    static char text[TEXT_SIZE];
    size_t size = 0;
    for (int line = 1; line <= 500; line++)
        size += (size_t)sprintf(text + size, line == 200 || line == 300 || line == 499 ? "1 1:x\n" : "1 1:%d\n", line);
    for (size_t chunk = 1; chunk < 6000; chunk += 1 + chunk / 3) {
        partan_data *data;
        assert_int_equal(pt_data_parse_cut(*state, "it", text, size, NULL, chunk, &data), PARTAN_ERROR_FORMAT);
        assert_string_equal(partan_error(*state), "it:200:5: found 'x', expected a finite number as value");
    }
}

static void lines_longer_than_chunks(void **state)
{
    enum { PAIRS = 100000 };
    char *text = malloc(PAIRS * 16), *p = text;
    p += sprintf(p, "1 1:1\n-1");
    for (int i = 1; i <= PAIRS; i++)
        p += sprintf(p, " %d:2", i);
    p += sprintf(p, "\n1 2:1\n");
    partan_data *data;
    assert_int_equal(pt_data_parse_cut(*state, "it", text, (size_t)(p - text), NULL, 100, &data), PARTAN_OK);
    assert_int_equal(partan_data_rows(data), 3);
    assert_int_equal(partan_data_nonzeros(data), PAIRS + 2);
    partan_data_free(data);
    free(text);
}

/* ---- Files ---- */

static char directory[] = "/tmp/partan-test-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static int make_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) ? 0 : -1;
}

static int drop_directory(void **state)
{
    (void)state;
    return rmdir(directory);
}

static void write_file(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void standard_input_is_a_file_too(void **state)
{
    const char *path = path_of("file");
    compress_file(path, "gzip", "1 1:2\n-1 1:3\n", 13);
    int kept = dup(STDIN_FILENO);
    assert_non_null(freopen(path, "r", stdin));
    partan_data *data;
    assert_int_equal(partan_data_read(*state, "-", NULL, &data), PARTAN_OK);
    assert_int_equal(partan_data_rows(data), 2);
    assert_string_equal(data->name, "standard input");
    partan_data_free(data);
    dup2(kept, STDIN_FILENO);
    close(kept);
    unlink(path);
}

static void the_system_errors_are_told(void **state)
{
    partan_data *data;
    char expected[256];
    const char *path = path_of("missing");
    assert_int_equal(partan_data_read(*state, path, NULL, &data), PARTAN_ERROR_IO);
    snprintf(expected, sizeof expected, "%s: cannot be read: No such file or directory", path);
    assert_string_equal(partan_error(*state), expected);
    assert_int_equal(partan_data_read(*state, directory, NULL, &data), PARTAN_ERROR_IO);
    snprintf(expected, sizeof expected, "%s: cannot be read: Is a directory", directory);
    assert_string_equal(partan_error(*state), expected);
    assert_null(data);
}

/* ---- Interruption and memory ---- */

static void an_interrupt_stops(void **state)
{
    partan_data *data;
    partan_interrupt(*state);
    assert_int_equal(pt_data_parse(*state, "it", "1 1:2\n", 6, NULL, &data), PARTAN_INTERRUPTED);
    assert_null(data);
    assert_int_equal(pt_data_parse(*state, "it", "1 1:2\n", 6, NULL, &data), PARTAN_OK); /* it was for one call */
    partan_data_free(data);
}

struct scarcity {
    long left; /* allocations that still succeed; negative: all */
    long alive;
};

static void *scarce_allocate(void *user, size_t bytes, size_t alignment)
{
    struct scarcity *scarcity = user;
    if (scarcity->left == 0)
        return NULL;
    if (scarcity->left > 0)
        scarcity->left--;
    scarcity->alive++;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void scarce_release(void *user, void *pointer)
{
    ((struct scarcity *)user)->alive--;
    free(pointer);
}

/* Fails the k-th allocation for k = 0, 1, ... until the call succeeds. */
static void exhaust(partan_status (*call)(partan_context *, partan_data **))
{
    struct scarcity scarcity = {.left = -1};
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 2;
    options.allocate = scarce_allocate;
    options.release = scarce_release;
    options.user = &scarcity;
    partan_context *context = partan_create(&options);
    long before = scarcity.alive;
    partan_status status = PARTAN_ERROR_MEMORY;
    for (long k = 0; status == PARTAN_ERROR_MEMORY; k++) {
        assert_true(k < 100000);
        partan_data *data;
        scarcity.left = k;
        status = call(context, &data);
        scarcity.left = -1;
        if (status) {
            assert_int_equal(status, PARTAN_ERROR_MEMORY);
            assert_non_null(strstr(partan_error(context), "out of memory"));
            assert_null(data);
        }
        partan_data_free(data);
        assert_int_equal(scarcity.alive, before);
    }
    assert_int_equal(status, PARTAN_OK);
    partan_destroy(context);
    assert_int_equal(scarcity.alive, 0);
}

static char scarce_text[TEXT_SIZE];
static size_t scarce_size;

static partan_status parse_scarce(partan_context *context, partan_data **data)
{
    return pt_data_parse_cut(context, "it", scarce_text, scarce_size, NULL, 700, data);
}

static partan_status read_scarce(partan_context *context, partan_data **data)
{
    return partan_data_read(context, path_of("file"), NULL, data);
}

static partan_status copy_scarce(partan_context *context, partan_data **data)
{
    const int64_t offsets[] = {0, 2, 3};
    const int32_t indices[] = {0, 2, 1};
    const float values[] = {1, 2, 3};
    const double labels[] = {1, -1};
    return csr_data(context, 2, 3, offsets, indices, values, labels, PARTAN_STORAGE_SPARSE, data);
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    const char *path = path_of("file");
    scarce_size = make_libsvm(scarce_text, 60);
    exhaust(parse_scarce);
    write_file(path, scarce_text, scarce_size);
    exhaust(read_scarce);
    for (size_t i = 0; i < COMPRESSIONS; i++) {
        compress_file(path, compressions[i], scarce_text, scarce_size);
        exhaust(read_scarce);
    }
    unlink(path);
    scarce_size = make_csv(scarce_text, 60);
    exhaust(parse_scarce);
    exhaust(copy_scarce);
}

/* ---- Real data ---- */

static void check_real(partan_context *context, const char *name, size_t rows, size_t features, uint64_t nonzeros,
                       partan_storage storage)
{
    char path[1024];
    const char *root = getenv("PARTAN_DATA");
    snprintf(path, sizeof path, "%s/%s.xz", root ? root : PT_SOURCE_DIR "/../shared/data", name);
    if (access(path, R_OK) != 0)
        path[strlen(path) - 3] = '\0'; /* not compressed */
    if (access(path, R_OK) != 0) {
        print_message("%s is not here\n", path);
        skip();
    }
    partan_data *data;
    if (partan_data_read(context, path, NULL, &data))
        fail_msg("%s", partan_error(context));
    assert_int_equal(partan_data_rows(data), rows);
    assert_int_equal(partan_data_features(data), features);
    assert_int_equal(partan_data_nonzeros(data), nonzeros);
    assert_int_equal(partan_data_storage(data), storage);
    partan_data_free(data);
}

static void real_a9a(void **state)
{
    check_real(*state, "a9a/a9a", 32561, 123, 451592, PARTAN_STORAGE_BITS);
}

static void real_w8a(void **state)
{
    check_real(*state, "w8a/w8a", 49749, 300, 579586, PARTAN_STORAGE_BITS);
}

static void real_ijcnn1(void **state)
{
    check_real(*state, "ijcnn1/ijcnn1", 49990, 22, 649869, PARTAN_STORAGE_DENSE); /* and one explicit zero */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(cuts_do_not_matter),
        CONTEXT_TEST(mistakes_are_found_in_order),
        CONTEXT_TEST(lines_longer_than_chunks),
        CONTEXT_TEST(standard_input_is_a_file_too),
        CONTEXT_TEST(the_system_errors_are_told),
        CONTEXT_TEST(an_interrupt_stops),
        cmocka_unit_test(memory_may_run_out_anywhere),
        CONTEXT_TEST(real_a9a),
        CONTEXT_TEST(real_w8a),
        CONTEXT_TEST(real_ijcnn1),
    };
    return cmocka_run_group_tests(tests, make_directory, drop_directory);
}
