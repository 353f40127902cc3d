/* Output files: complete or not there at all, with the rights of any new file, and devices stay devices. */
#include "testing.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/context.h"
#include "failing.h"
#include "files.h"

static partan_output begin(partan_context *context, const char *path, const char *text)
{
    partan_output output;
    assert_int_equal(partan_output_open(context, path, &output), PARTAN_OK);
    fputs(text, output.file);
    return output;
}

static partan_status write_whole(partan_context *context, const char *path, const char *text)
{
    partan_output output = begin(context, path, text);
    return partan_output_commit(&output);
}

static void assert_holds(const char *path, const char *expected)
{
    char *text = file_contents(path, NULL);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static void a_file_appears_when_it_is_complete(void **state)
{
    char path[256];
    make_file(temporary_path(path, sizeof path, ".out"), "before\n");
    partan_output output = begin(*state, path, "after\n");
    fflush(output.file);
    assert_holds(path, "before\n");
    assert_int_equal(partan_output_commit(&output), PARTAN_OK);
    assert_holds(path, "after\n");
    unlink(path);
}

static void what_is_abandoned_leaves_nothing(void **state)
{
    char path[256], aside[300];
    temporary_path(path, sizeof path, ".out");
    unlink(path);
    partan_output output = begin(*state, path, "half");
    strcpy(aside, output.temporary);
    assert_int_equal(access(aside, F_OK), 0);
    partan_output_abandon(&output);
    assert_int_not_equal(access(aside, F_OK), 0);
    assert_int_not_equal(access(path, F_OK), 0);
    partan_output_abandon(&output); /* has ended, and does nothing */
}

static void two_at_a_time_do_not_meet(void **state)
{
    char path[256];
    temporary_path(path, sizeof path, ".out");
    partan_output first = begin(*state, path, "first"), second = begin(*state, path, "second");
    assert_string_not_equal(first.temporary, second.temporary);
    assert_int_equal(partan_output_commit(&second), PARTAN_OK);
    assert_int_equal(partan_output_commit(&first), PARTAN_OK);
    assert_holds(path, "first");
    unlink(path);
}

static void rights_are_those_of_any_new_file(void **state)
{
    char path[256];
    struct stat status;
    mode_t masks[] = {022, 027, 0};
    temporary_path(path, sizeof path, ".out");
    for (size_t i = 0; i < 3; i++) {
        mode_t before = umask(masks[i]);
        assert_int_equal(write_whole(*state, path, "x"), PARTAN_OK);
        assert_int_equal(umask(before), masks[i]);
        assert_int_equal(stat(path, &status), 0);
        assert_int_equal(status.st_mode & 0777, 0666 & ~masks[i]);
    }
    unlink(path);
}

static void devices_stay_devices(void **state)
{
    struct stat status;
    assert_int_equal(partan_output_check(*state, "/dev/null"), PARTAN_OK);
    assert_int_equal(write_whole(*state, "/dev/null", "x"), PARTAN_OK);
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
}

/* As /dev/stdout is when it leads to a regular file. */
static void links_to_open_files_are_written_through(void **state)
{
    char path[256], name[64];
    struct stat before, after;
    make_file(temporary_path(path, sizeof path, ".out"), "");
    int descriptor = open(path, O_WRONLY);
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    if (lstat(name, &before) != 0)
        skip();
    assert_int_equal(stat(path, &before), 0);
    assert_int_equal(partan_output_check(*state, name), PARTAN_OK);
    assert_int_equal(write_whole(*state, name, "text"), PARTAN_OK);
    assert_int_equal(stat(path, &after), 0);
    assert_true(before.st_ino == after.st_ino);
    assert_holds(path, "text");
    close(descriptor);
    unlink(path);
}

static void a_full_disk_is_an_error(void **state)
{
    struct stat full;
    if (stat("/dev/full", &full) != 0 || !S_ISCHR(full.st_mode))
        skip();
    assert_int_equal(write_whole(*state, "/dev/full", "x"), PARTAN_ERROR_IO);
    assert_string_equal(partan_error(*state), "/dev/full: cannot be written: No space left on device");
}

static void a_missing_folder_is_an_error(void **state)
{
    partan_output output;
    assert_int_equal(partan_output_check(*state, "/no/such/folder/file"), PARTAN_ERROR_IO);
    assert_int_equal(partan_output_open(*state, "/no/such/folder/file", &output), PARTAN_ERROR_IO);
    partan_output_abandon(&output); /* never began */
    assert_null(output.file);
    assert_string_equal(partan_error(*state), "/no/such/folder/file: cannot be written: No such file or directory");
}

static partan_status write_one(partan_context *context)
{
    char path[256];
    partan_output output;
    partan_status status = partan_output_open(context, temporary_path(path, sizeof path, ".out"), &output);
    if (!status)
        status = partan_output_commit(&output);
    unlink(path);
    return status;
}

static void failed_allocations_leave_nothing(void **state)
{
    (void)state;
    check_every_allocation(write_one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_file_appears_when_it_is_complete),
        CONTEXT_TEST(what_is_abandoned_leaves_nothing),
        CONTEXT_TEST(two_at_a_time_do_not_meet),
        CONTEXT_TEST(rights_are_those_of_any_new_file),
        CONTEXT_TEST(devices_stay_devices),
        CONTEXT_TEST(links_to_open_files_are_written_through),
        CONTEXT_TEST(a_full_disk_is_an_error),
        CONTEXT_TEST(a_missing_folder_is_an_error),
        cmocka_unit_test(failed_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
