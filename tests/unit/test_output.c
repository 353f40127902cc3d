/* Output files: complete or not there at all, with the rights of any new file, and devices stay devices. */
#include "testing.h"

#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/output.h"
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
    ((partan_context *)*state)->named_asides = true;
    partan_output output = begin(*state, path, "half");
    strcpy(aside, pt_output_of(&output)->temporary);
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
    for (int named = 0; named < 2; named++) {
        ((partan_context *)*state)->named_asides = named;
        partan_output first = begin(*state, path, "first"), second = begin(*state, path, "second");
        if (named)
            assert_string_not_equal(pt_output_of(&first)->temporary, pt_output_of(&second)->temporary);
        assert_int_equal(partan_output_commit(&second), PARTAN_OK);
        assert_int_equal(partan_output_commit(&first), PARTAN_OK);
        assert_holds(path, "first");
        unlink(path);
    }
}

/* ---- Files aside ---- */

static size_t count_asides(const char *path)
{
    glob_t found;
    char pattern[300];
    snprintf(pattern, sizeof pattern, "%s*.part", path);
    size_t count = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    globfree(&found);
    return count;
}

/* Whatever ends the process, even SIGKILL, leaves nothing then. */
static void what_is_aside_has_no_name(void **state)
{
    char path[256];
    temporary_path(path, sizeof path, ".out");
    partan_output output = begin(*state, path, "text");
    if (!pt_output_of(&output)->unnamed) {
        partan_output_abandon(&output);
        skip();
    }
    assert_int_equal(count_asides(path), 0);
    assert_int_equal(partan_output_commit(&output), PARTAN_OK);
    assert_int_equal(count_asides(path), 0);
    assert_holds(path, "text");
    unlink(path);
}

static void a_handler_can_remove_what_has_one(void **state)
{
    char path[256];
    temporary_path(path, sizeof path, ".out");
    partan_context *context = *state;
    context->named_asides = true;
    partan_output kept = begin(context, path, "kept");
    partan_output_commit(&kept);
    partan_output outputs[] = {begin(context, path, "one"), begin(context, path, "two"), begin(context, path, "three")};
    partan_output_abandon(&outputs[1]);
    assert_int_equal(count_asides(path), 2);
    partan_outputs_drop(context);
    assert_int_equal(count_asides(path), 0);
    partan_output_abandon(&outputs[0]);
    partan_output_abandon(&outputs[2]);
    for (size_t i = 0; i < PT_ASIDES; i++)
        assert_null(context->asides[i]);
    assert_holds(path, "kept");
    unlink(path);
}

/* ---- What is replaced ---- */

static void rights_stay_those_of_the_file_that_was_there(void **state)
{
    char path[256];
    struct stat status;
    const mode_t modes[] = {0600, 0640, 0666, 0755};
    temporary_path(path, sizeof path, ".out");
    for (int named = 0; named < 2; named++)
        for (size_t i = 0; i < 4; i++) {
            ((partan_context *)*state)->named_asides = named;
            make_file(path, "before");
            assert_int_equal(chmod(path, modes[i]), 0);
            assert_int_equal(write_whole(*state, path, "after"), PARTAN_OK);
            assert_int_equal(stat(path, &status), 0);
            assert_int_equal(status.st_mode & 0777, modes[i]);
            assert_holds(path, "after");
        }
    unlink(path);
}

static void what_must_not_be_written_is_not_replaced(void **state)
{
    char path[256];
    partan_output output;
    if (geteuid() == 0) /* who may do anything */
        skip();
    make_file(temporary_path(path, sizeof path, ".out"), "before");
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(partan_output_check(*state, path), PARTAN_ERROR_IO);
    assert_int_equal(partan_output_open(*state, path, &output), PARTAN_ERROR_IO);
    assert_non_null(strstr(partan_error(*state), "cannot be written: Permission denied"));
    assert_holds(path, "before");
    unlink(path);
}

static void links_are_followed(void **state)
{
    char path[256], link[256], chain[256];
    struct stat status;
    temporary_path(path, sizeof path, ".out");
    temporary_path(link, sizeof link, ".link");
    temporary_path(chain, sizeof chain, ".chain");
    unlink(path);
    unlink(link);
    unlink(chain);
    assert_int_equal(symlink(strrchr(path, '/') + 1, link), 0); /* relative, and nothing there yet */
    assert_int_equal(symlink(link, chain), 0);
    for (int i = 0; i < 2; i++) {
        const char *text = i ? "second" : "first";
        assert_int_equal(write_whole(*state, chain, text), PARTAN_OK);
        assert_holds(path, text);
        assert_true(lstat(link, &status) == 0 && S_ISLNK(status.st_mode));
        assert_true(lstat(chain, &status) == 0 && S_ISLNK(status.st_mode));
    }
    unlink(link);
    assert_int_equal(symlink(chain, link), 0);
    assert_int_equal(partan_output_check(*state, link), PARTAN_ERROR_IO);
    unlink(path);
    unlink(link);
    unlink(chain);
}

static void names_may_be_as_long_as_the_system_allows(void **state)
{
    char folder[256], path[600];
    mkdir(temporary_path(folder, sizeof folder, ".folder"), 0777);
    for (int named = 0; named < 2; named++)
        for (size_t length = 230; length <= 255; length++) {
            ((partan_context *)*state)->named_asides = named;
            size_t start = (size_t)snprintf(path, sizeof path, "%s/", folder);
            memset(path + start, 'n', length);
            path[start + length] = '\0';
            assert_int_equal(write_whole(*state, path, "text"), PARTAN_OK);
            assert_int_equal(write_whole(*state, path, "again"), PARTAN_OK);
            assert_holds(path, "again");
            unlink(path);
        }
    assert_int_equal(rmdir(folder), 0);
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
        unlink(path);
    }
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
        CONTEXT_TEST(what_is_aside_has_no_name),
        CONTEXT_TEST(a_handler_can_remove_what_has_one),
        CONTEXT_TEST(rights_stay_those_of_the_file_that_was_there),
        CONTEXT_TEST(what_must_not_be_written_is_not_replaced),
        CONTEXT_TEST(links_are_followed),
        CONTEXT_TEST(names_may_be_as_long_as_the_system_allows),
        CONTEXT_TEST(rights_are_those_of_any_new_file),
        CONTEXT_TEST(devices_stay_devices),
        CONTEXT_TEST(links_to_open_files_are_written_through),
        CONTEXT_TEST(a_full_disk_is_an_error),
        CONTEXT_TEST(a_missing_folder_is_an_error),
        cmocka_unit_test(failed_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
