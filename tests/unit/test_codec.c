/* Compressed input is what was compressed, or it is refused: no byte may be missing, changed or added unnoticed. Nor
 * may it take more memory than there is. */
#include "testing.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>

#include "compressing.h"
#include "core/available.h"
#include "core/clock.h"
#include "core/random.h"
#include "data/read/lines.h"
#include "files.h"

enum { TEXT_SIZE = 6000 };

static char text[TEXT_SIZE];

static void make_text(void)
{
    pt_random random;
    pt_random_seed(&random, 7);
    for (size_t i = 0; i < TEXT_SIZE; i++)
        text[i] = "0123456789:. \n"[pt_random_below(&random, 14)];
}

/* The whole of what the input gives; 0 and its size, or the status of the failure. */
static partan_status read_all(partan_context *context, const char *path, char *out, size_t room, size_t *size)
{
    pt_input input;
    size_t got = 1;
    *size = 0;
    partan_status status = pt_input_open(context, path, path, &input);
    while (!status && got > 0 && *size < room) {
        status = pt_input_read(&input, out + *size, room - *size < 1000 ? room - *size : 1000, &got);
        *size += status ? 0 : got;
    }
    pt_input_close(&input);
    return status;
}

static void assert_text(partan_context *context, const char *path, size_t times)
{
    static char found[3 * TEXT_SIZE];
    size_t size;
    if (read_all(context, path, found, sizeof found, &size))
        fail_msg("%s", partan_error(context));
    assert_int_equal(size, times * TEXT_SIZE);
    for (size_t i = 0; i < times; i++)
        assert_memory_equal(found + i * TEXT_SIZE, text, TEXT_SIZE);
}

static void assert_broken(partan_context *context, const char *path, const char *name, const char *what, size_t where)
{
    static char found[3 * TEXT_SIZE];
    size_t size;
    partan_status status = read_all(context, path, found, sizeof found, &size);
    if (status != PARTAN_ERROR_IO)
        fail_msg("%s, %s at %zu: status %d, %zu bytes", name, what, where, status, size);
    assert_non_null(strstr(partan_error(context), "cannot be decompressed as "));
}

static void compressed_files_hold_the_same(void **state)
{
    char path[256];
    temporary_path(path, sizeof path, ".packed");
    make_text();
    for (size_t i = 0; i < COMPRESSIONS; i++) {
        size_t length = 0;
        char *bytes = compress_text(compressions[i], text, TEXT_SIZE, &length), *twice = malloc(2 * length);
        assert_true(length < TEXT_SIZE);
        put_bytes(path, bytes, length);
        assert_text(*state, path, 1);
        memcpy(twice, bytes, length);
        memcpy(twice + length, bytes, length);
        put_bytes(path, twice, 2 * length); /* as cat and the parallel programs make them */
        assert_text(*state, path, 2);
        compress_file(path, compressions[i], "", 0);
        assert_text(*state, path, 0);
        free(bytes);
        free(twice);
    }
    unlink(path);
}

static void cut_files_are_refused(void **state)
{
    char path[256];
    temporary_path(path, sizeof path, ".packed");
    make_text();
    for (size_t i = 0; i < COMPRESSIONS; i++) {
        size_t length = 0;
        char *bytes = compress_text(compressions[i], text, TEXT_SIZE, &length);
        for (size_t keep = 6; keep < length; keep += keep + 40 < length && keep > 40 ? 13 : 1) {
            put_bytes(path, bytes, keep);
            assert_broken(*state, path, compressions[i], "cut", keep);
        }
        free(bytes);
    }
    unlink(path);
}

/* Some bits mean nothing (the time in gzip's header), but those that do are checked. */
static void changed_bytes_are_refused_or_mean_nothing(void **state)
{
    static char found[3 * TEXT_SIZE];
    char path[256];
    temporary_path(path, sizeof path, ".packed");
    make_text();
    for (size_t i = 0; i < COMPRESSIONS; i++) {
        size_t length = 0, refused = 0, tried = 0, size;
        char *bytes = compress_text(compressions[i], text, TEXT_SIZE, &length);
        for (size_t k = 6; k < length; k += k + 40 < length && k > 40 ? 7 : 1, tried++) {
            bytes[k] ^= 0x11;
            put_bytes(path, bytes, length);
            bytes[k] ^= 0x11;
            partan_status status = read_all(*state, path, found, sizeof found, &size);
            refused += status != PARTAN_OK;
            if (!status && (size != TEXT_SIZE || memcmp(found, text, TEXT_SIZE) != 0))
                fail_msg("%s: byte %zu of %zu changed, and other text was read", compressions[i], k, length);
        }
        assert_true(refused + 10 >= tried);
        free(bytes);
    }
    unlink(path);
}

static void what_stands_behind_the_end_is_refused(void **state)
{
    static const char *const behind[] = {"\n", "garbage", "1 1:2\n", "\x1f\x8b", "BZh"};
    char path[256];
    temporary_path(path, sizeof path, ".packed");
    make_text();
    for (size_t i = 0; i < COMPRESSIONS; i++) {
        size_t length = 0;
        char *bytes = compress_text(compressions[i], text, TEXT_SIZE, &length);
        for (size_t k = 0; k < sizeof behind / sizeof behind[0]; k++) {
            memcpy(bytes + length, behind[k], strlen(behind[k]));
            put_bytes(path, bytes, length + strlen(behind[k]));
            assert_broken(*state, path, compressions[i], behind[k], length);
        }
        memcpy(bytes + length, "as long as a header is", 22);
        put_bytes(path, bytes, length + 22);
        assert_broken(*state, path, compressions[i], "garbage", length);
        assert_non_null(strstr(partan_error(*state), "unexpected data after its end"));
        bytes[length] = '\0';
        put_bytes(path, bytes, length + 1);
        assert_broken(*state, path, compressions[i], "a zero", length);
        free(bytes);
    }
    unlink(path);
}

static void what_was_compressed_twice_is_refused(void **state)
{
    char path[256], expected[512], found[64];
    temporary_path(path, sizeof path, ".packed");
    make_text();
    for (size_t i = 0; i < COMPRESSIONS; i++)
        for (size_t k = 0; k < COMPRESSIONS; k++) {
            size_t length = 0, size;
            char *bytes = compress_text(compressions[k], text, TEXT_SIZE, &length);
            compress_file(path, compressions[i], bytes, length);
            free(bytes);
            assert_int_equal(read_all(*state, path, found, sizeof found, &size), PARTAN_ERROR_FORMAT);
            snprintf(expected, sizeof expected, "%s: is compressed twice, with %s and then with %s: decompress it once",
                     path, compressions[k], compressions[i]);
            assert_string_equal(partan_error(*state), expected);
        }
    unlink(path);
}

/* ---- Memory ---- */

static void make_below(const char *root, const char *name, const char *contents)
{
    char path[512];
    snprintf(path, sizeof path, "%s%s", root, name);
    for (char *slash = strchr(path + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    make_file(path, contents);
}

static void remove_tree(const char *root)
{
    char command[512];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    assert_int_equal(system(command), 0);
}

static void the_memory_available_is_known(void **state)
{
    char root[256];
    (void)state;
    mkdir(temporary_path(root, sizeof root, ".root"), 0777);
    assert_true(pt_memory_available(root) == UINT64_MAX);
    make_below(root, "/proc/meminfo", "MemTotal: 9000 kB\nMemFree: 10 kB\nMemAvailable: 5000 kB\nSwapFree: 7 kB\n");
    assert_int_equal(pt_memory_available(root), 5007 * 1024);
    make_below(root, "/sys/fs/cgroup/memory.max", "max\n");
    make_below(root, "/sys/fs/cgroup/memory.current", "1000\n");
    assert_int_equal(pt_memory_available(root), 5007 * 1024);
    make_below(root, "/sys/fs/cgroup/memory.max", "4000\n");
    assert_int_equal(pt_memory_available(root), 3000);
    make_below(root, "/sys/fs/cgroup/memory.max", "max\n");
    make_below(root, "/sys/fs/cgroup/memory/memory.limit_in_bytes", "3000\n");
    make_below(root, "/sys/fs/cgroup/memory/memory.usage_in_bytes", "4000\n");
    assert_int_equal(pt_memory_available(root), 0);
    remove_tree(root);
    assert_true(pt_memory_available("") > 1 << 20);
}

static void a_line_takes_no_more_memory_than_there_is(void **state)
{
    static char line[100000];
    char path[256], expected[512];
    pt_input input;
    pt_lines lines;
    pt_text piece = {0};
    memset(line, '1', sizeof line);
    compress_file(temporary_path(path, sizeof path, ".packed"), "gzip", line, sizeof line);
    assert_int_equal(pt_input_open(*state, path, path, &input), PARTAN_OK);
    pt_lines_init(&lines, *state, &input, 1000);
    lines.available = 50000;
    assert_int_equal(pt_lines_take(&lines, &piece), PARTAN_ERROR_MEMORY);
    snprintf(expected, sizeof expected, "%s: its contents need more than the 5e-05 GB of available memory", path);
    assert_string_equal(partan_error(*state), expected);
    pt_lines_free(&lines);
    pt_input_close(&input);
    pt_free(*state, piece.buffer);
    unlink(path);
}

/* ---- Interruption ---- */

static void *interrupt_soon(void *context)
{
    usleep(100000);
    partan_interrupt(context);
    return NULL;
}

/* Nobody ever writes to the pipe. */
static void an_interruption_ends_the_wait_for_a_pipe(void **state)
{
    char path[256];
    partan_data *data;
    pthread_t thread;
    unlink(temporary_path(path, sizeof path, ".pipe"));
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(pthread_create(&thread, NULL, interrupt_soon, *state), 0);
    assert_int_equal(partan_data_read(*state, path, NULL, &data), PARTAN_INTERRUPTED);
    assert_null(data);
    assert_non_null(strstr(partan_error(*state), ": reading was interrupted"));
    pthread_join(thread, NULL);
    unlink(path);
}

static void *feed(void *path)
{
    int descriptor = open(path, O_WRONLY);
    usleep(60000);
    assert_int_equal(write(descriptor, "1 1:1\n", 6), 6);
    usleep(60000);
    assert_int_equal(write(descriptor, "-1 1:2\n", 7), 7);
    close(descriptor);
    return NULL;
}

static void a_slow_pipe_is_read_to_its_end(void **state)
{
    char path[256];
    partan_data *data;
    pthread_t thread;
    unlink(temporary_path(path, sizeof path, ".pipe"));
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(pthread_create(&thread, NULL, feed, path), 0);
    assert_int_equal(partan_data_read(*state, path, NULL, &data), PARTAN_OK);
    assert_int_equal(partan_data_rows(data), 2);
    partan_data_free(data);
    pthread_join(thread, NULL);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(compressed_files_hold_the_same),
        CONTEXT_TEST(cut_files_are_refused),
        CONTEXT_TEST(changed_bytes_are_refused_or_mean_nothing),
        CONTEXT_TEST(what_stands_behind_the_end_is_refused),
        CONTEXT_TEST(what_was_compressed_twice_is_refused),
        CONTEXT_TEST(the_memory_available_is_known),
        CONTEXT_TEST(a_line_takes_no_more_memory_than_there_is),
        CONTEXT_TEST(an_interruption_ends_the_wait_for_a_pipe),
        CONTEXT_TEST(a_slow_pipe_is_read_to_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
