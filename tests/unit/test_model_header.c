/* Headers of model files by a table over any struct: what was written comes back, what is not of the kind is refused
 * with a sentence, and the kind of a file is known before it is read. */
#include "machine.h"

#include "core/names.h"
#include "failing.h"
#include "files.h"
#include "model/header.h"
#include "settings/settings.h"

/* ---- A kind of model of this test ---- */

typedef struct circle_settings {
    double radius;
    int64_t filled;
} circle_settings;

static const pt_setting circle_list[] = {
    {{"radius", 0, PARTAN_OPTION_REAL, "R", NULL, "1", 0, 10, "Radius."}, PT_FIELD(circle_settings, radius)},
    {{"filled", 0, PARTAN_OPTION_FLAG, NULL, "no", "yes", 0, 0, "Filled."}, PT_FIELD(circle_settings, filled)},
};
static const pt_settings_table circle_table = PT_SETTINGS_TABLE(circle_list, circle_settings);

typedef struct circle {
    char version[PT_VERSION_SIZE];
    partan_settings settings;
    circle_settings own;
    uint64_t fingerprint;
    int64_t open; /* a flag that is no setting */
    int dashed;   /* which may be left out */
    char *label;
} circle;

#define AT(member) offsetof(circle, member)

static const char *const yes_no[] = {"no", "yes", NULL};

static const pt_key keys[] = {
    {"version", PT_KEY_VERSION, AT(version), PT_KEY_ANY},
    {"solver", PT_KEY_SETTING, AT(settings), .of = &pt_settings},
    {"time_limit", PT_KEY_SETTING, AT(settings), .of = &pt_settings},
    {"radius", PT_KEY_SETTING, AT(own), .of = &circle_table},
    {"filled", PT_KEY_SETTING, AT(own), .of = &circle_table},
    {"fingerprint", PT_KEY_FINGERPRINT, AT(fingerprint), PT_KEY_ANY},
    {"open", PT_KEY_FLAG, AT(open), PT_KEY_ANY},
    {"dashed", PT_KEY_CHOICE, AT(dashed), PT_KEY_ANY, .names = yes_no, .optional = true},
    {"label", PT_KEY_LABEL, AT(label), PT_KEY_ANY},
};

static partan_status refuse_long(const pt_scan *scan, const pt_key *key, pt_word word, void *model)
{
    (void)model;
    bool is_long = key->type == PT_KEY_LABEL && word.end - word.start > 20;
    return is_long ? pt_scan_fail(scan, word, "a short label") : PARTAN_OK;
}

static const pt_model_kind circle_kind = {"partan-circle", "3", NULL, "a circle"};
static const pt_header circle_header = {
    .kind = &circle_kind, .keys = keys, .count = sizeof keys / sizeof keys[0], .check = refuse_long};

static const char text[] = "partan-circle 3\n"
                           "version 1.2.3\n"
                           "solver swap\n"
                           "time_limit 0.1\n"
                           "radius 2.5\n"
                           "filled no\n"
                           "fingerprint 00000000000000ff\n"
                           "open yes\n"
                           "label a\\x20b\\x5c\n"
                           "end\n";

static partan_status read_circle(partan_context *context, const char *from, circle *model)
{
    pt_scan scan;
    memset(model, 0, sizeof *model);
    pt_scan_init(&scan, context, "c", from, strlen(from));
    partan_status status = pt_header_read(&scan, &circle_header, model);
    return status ? status : pt_end_read(&scan, "point");
}

static void a_header_comes_back(void **state)
{
    circle model;
    char *written = NULL;
    size_t size;
    assert_int_equal(read_circle(*state, text, &model), PARTAN_OK);
    assert_string_equal(model.version, "1.2.3");
    assert_int_equal(model.settings.solver, PARTAN_SOLVER_SWAP);
    assert_true(model.settings.time_limit == 0.1 && model.own.radius == 2.5 && model.own.filled == 0);
    assert_true(model.fingerprint == 255 && model.open == 1);
    assert_string_equal(model.label, "a b\\");
    FILE *file = open_memstream(&written, &size);
    assert_int_equal(pt_header_write(*state, &circle_header, &model, file), PARTAN_OK);
    pt_end_write(file);
    fclose(file);
    assert_string_equal(written, text);
    free(written);
    pt_free(*state, model.label);
}

/* With a key that may be left out, past a line that informs: it comes back too, at its place and only there. */
static void a_key_may_be_left_out(void **state)
{
    static const char with[] = "open yes\ninfo.x 1\ndashed yes\nlabel a\n", late[] = "open yes\nlabel a\ndashed yes\n";
    const char *cut = strstr(text, "open yes");
    circle model;
    char whole[sizeof text + sizeof with], *written = NULL;
    size_t size;
    snprintf(whole, sizeof whole, "%.*s%send\n", (int)(cut - text), text, with);
    assert_int_equal(read_circle(*state, whole, &model), PARTAN_OK);
    assert_int_equal(model.dashed, 1);
    FILE *file = open_memstream(&written, &size);
    assert_int_equal(pt_header_write(*state, &circle_header, &model, file), PARTAN_OK);
    fclose(file);
    assert_non_null(strstr(written, "open yes\ndashed yes\nlabel a\n"));
    free(written);
    pt_free(*state, model.label);
    snprintf(whole, sizeof whole, "%.*s%send\n", (int)(cut - text), text, late);
    assert_int_equal(read_circle(*state, whole, &model), PARTAN_ERROR_FORMAT);
    pt_free(*state, model.label);
}

/* The text with one line of it replaced is refused with the sentence. */
static void assert_refused(partan_context *context, const char *line, const char *instead, const char *sentence)
{
    char changed[sizeof text + 100];
    circle model;
    const char *at = strstr(text, line);
    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, instead, at + strlen(line));
    assert_int_equal(read_circle(context, changed, &model), PARTAN_ERROR_FORMAT);
    assert_string_equal(partan_error(context), sentence);
    pt_free(context, model.label);
}

static void other_headers_are_refused(void **state)
{
    assert_refused(*state, "partan-circle", "partan-square",
                   "c:1: found 'partan-square', expected 'partan-circle 3', the first line of a model");
    assert_refused(*state, "circle 3", "circle 4",
                   "c:1: found '4', expected format 3, the one that this version of partan reads");
    assert_refused(*state, "partan-circle 3", "partan-model 1", "c: found an SVM model, expected a circle");
    assert_refused(*state, "partan-circle 3", "svm_type c_svc", "c: found an SVM model, expected a circle");
    assert_refused(*state, "radius 2.5", "radius 11", "c:5: found '11', expected the radius, a number from 0 to 10");
    assert_refused(*state, "filled no", "filled 0", "c:6: found '0', expected the filled, one of no yes");
    assert_refused(*state, "open yes", "open 1", "c:8: found '1', expected the open, one of no yes");
    assert_refused(*state, "label a", "label aaaaaaaaaaaaaaaaaaaaaaa",
                   "c:9: found 'aaaaaaaaaaaaaaaaaaaaaaa\\x20b\\x5c', expected a short label");
    assert_refused(*state, "end\n", "",
                   "c:10: found the end of the file, expected the line 'end' after the last point");
    assert_refused(*state, "end\n", "end\nmore\n", "c:11: found 'more', expected the end of the file");
}

static void what_informs_is_skipped(void **state)
{
    char changed[sizeof text + 100];
    circle model;
    const char *at = strstr(text, "radius");
    snprintf(changed, sizeof changed, "%.*sinfo.colour red\n%s", (int)(at - text), text, at);
    assert_int_equal(read_circle(*state, changed, &model), PARTAN_OK);
    assert_true(model.own.radius == 2.5);
    pt_free(*state, model.label);
}

static partan_status read_one(partan_context *context)
{
    circle model;
    partan_status status = read_circle(context, text, &model);
    pt_free(context, model.label);
    return status;
}

static void failed_allocations_leave_nothing(void **state)
{
    (void)state;
    check_every_allocation(read_one);
}

/* ---- Kinds of files ---- */

/* A file of this text, given back as the library has it in memory. */
static partan_model_file *file_of(partan_context *context, const char *contents)
{
    char path[256];
    partan_model_file *file = NULL;
    make_file(temporary_path(path, sizeof path, ".model"), contents);
    assert_int_equal(partan_model_file_read(context, path, &file), PARTAN_OK);
    unlink(path);
    return file;
}

static void assert_svm(partan_context *context, const char *contents)
{
    partan_kind kind = (partan_kind)99;
    partan_model_file *file = file_of(context, contents);
    assert_int_equal(partan_model_file_kind(context, file, &kind), PARTAN_OK);
    assert_int_equal(kind, PARTAN_KIND_SVM);
    partan_model_file_free(file);
}

static void assert_no_model(partan_context *context, const char *contents, const char *sentence)
{
    partan_kind kind = (partan_kind)99;
    partan_model_file *file = file_of(context, contents);
    assert_int_equal(partan_model_file_kind(context, file, &kind), PARTAN_ERROR_FORMAT);
    assert_int_equal(kind, 99);
    assert_non_null(strstr(partan_error(context), sentence));
    partan_model_file_free(file);
}

static void the_first_line_says_the_kind(void **state)
{
    partan_model_file *file;
    assert_svm(*state, "partan-model 1\nversion x");
    assert_svm(*state, "partan-model 2\n"); /* its reader says what is wrong */
    assert_svm(*state, "svm_type c_svc\nkernel_type rbf\n");
    assert_no_model(*state, "", ":1: found the end of the file, expected 'partan-model 1'");
    assert_no_model(*state, "1 1:2\n", ":1: found '1', expected 'partan-model 1'");
    assert_int_equal(partan_model_file_read(*state, "/no/such/file", &file), PARTAN_ERROR_IO);
    assert_null(file);
    assert_string_equal(partan_error(*state), "/no/such/file: cannot be read: No such file or directory");
    partan_model_file_free(NULL);
}

/* From a pipe, which can be read only once. */
static void a_model_comes_from_its_file(void **state)
{
    size_t size = 0;
    int ends[2];
    char path[256];
    partan_kind kind;
    partan_model_file *file = NULL;
    partan_model *model = NULL;
    machine *m = machine_make(*state, PARTAN_KERNEL_RBF, PARTAN_STORAGE_DENSE);
    temporary_path(path, sizeof path, ".model");
    assert_int_equal(partan_model_write(*state, m->model, path, PARTAN_MODEL_NATIVE), PARTAN_OK);
    char *written = file_contents(path, &size);
    unlink(path);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], written, size), (ssize_t)size); /* a small model: the pipe holds it */
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_int_equal(partan_model_file_read(*state, path, &file), PARTAN_OK);
    assert_int_equal(partan_model_file_kind(*state, file, &kind), PARTAN_OK);
    assert_int_equal(partan_model_from_file(*state, file, &model), PARTAN_OK);
    partan_model_file_free(file);
    assert_int_equal(model->count, m->model->count);
    close(ends[0]);
    free(written);
    partan_model_free(model);
    machine_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_header_comes_back),
        CONTEXT_TEST(a_key_may_be_left_out),
        CONTEXT_TEST(other_headers_are_refused),
        CONTEXT_TEST(what_informs_is_skipped),
        cmocka_unit_test(failed_allocations_leave_nothing),
        CONTEXT_TEST(the_first_line_says_the_kind),
        CONTEXT_TEST(a_model_comes_from_its_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
