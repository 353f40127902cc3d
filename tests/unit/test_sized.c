/* Structs that callers allocate may be those of an older or a newer header. */
#include "testing.h"

#include <math.h>
#include <string.h>

#include "core/sized.h"
#include "training.h"

/* ---- The copying, with a struct of three versions ---- */

typedef struct version1 {
    size_t struct_size;
    double a;
} version1;

typedef struct version2 {
    size_t struct_size;
    double a;
    int64_t b;
} version2;

typedef struct version3 {
    size_t struct_size;
    double a;
    int64_t b;
    double c;
} version3;

static const version2 initial = {.a = 1.5, .b = 7}; /* of a library of version 2 */

static void an_older_struct_gets_defaults_and_no_byte_more(void **state)
{
    struct {
        version1 given;
        unsigned char behind[16];
    } old;
    memset(&old, 0xa5, sizeof old);
    pt_struct_init(&old.given, sizeof old.given, &initial, sizeof initial);
    assert_int_equal(old.given.struct_size, sizeof(version1));
    assert_true(old.given.a == 1.5);

    version2 own = initial;
    old.given.a = 2;
    assert_int_equal(pt_struct_take(*state, "version", &old.given, &own, sizeof own), PARTAN_OK);
    assert_true(own.a == 2 && own.b == 7);
    own = (version2){.a = 3, .b = 4};
    pt_struct_give(&old.given, &own, sizeof own);
    assert_true(old.given.a == 3);
    assert_int_equal(old.given.struct_size, sizeof(version1));
    for (size_t i = 0; i < sizeof old.behind; i++)
        assert_int_equal(old.behind[i], 0xa5);
}

static void a_newer_struct_is_taken_unless_it_asks_for_what_is_not_there(void **state)
{
    version3 given;
    memset(&given, 0xa5, sizeof given);
    pt_struct_init(&given, sizeof given, &initial, sizeof initial);
    assert_true(given.a == 1.5 && given.b == 7 && given.c == 0);
    version2 own = initial;
    given.b = 9;
    assert_int_equal(pt_struct_take(*state, "version", &given, &own, sizeof own), PARTAN_OK);
    assert_int_equal(own.b, 9);
    given.c = 1;
    assert_int_equal(pt_struct_take(*state, "version", &given, &own, sizeof own), PARTAN_ERROR_ARGUMENT);
    assert_non_null(strstr(partan_error(*state), "version: found 32 bytes with fields that this version, partan "));
}

static void sizes_that_were_never_set_are_refused(void **state)
{
    static const size_t sizes[] = {0, 1, 7, 13, 4104, SIZE_MAX, 0xa5a5a5a5a5a5a5a5};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        version2 given = {.struct_size = sizes[i]}, own = initial;
        assert_int_equal(pt_struct_take(*state, "version", &given, &own, sizeof own), PARTAN_ERROR_ARGUMENT);
        assert_non_null(strstr(partan_error(*state), "call version_init first"));
    }
}

/* ---- Programs that were compiled with an older header ---- */

/* partan_settings as it was before the field scale. */
typedef struct old_settings {
    unsigned char bytes[offsetof(partan_settings, scale)];
} old_settings;

static void an_old_program_trains_and_verifies(void **state)
{
    union {
        old_settings old;
        partan_settings whole;
    } settings;
    memset(&settings, 0xa5, sizeof settings);
    partan_settings_init_sized(&settings.whole, sizeof settings.old);
    settings.whole.tol = 0.01;
    assert_int_not_equal(settings.whole.scale, PARTAN_SCALE_NONE); /* not the old program's memory */

    partan_data *data = generate(*state, "twonorm", 200);
    partan_model *model;
    assert_int_equal(partan_train(*state, data, &settings.whole, NULL, &model), PARTAN_OK);
    assert_int_equal(partan_model_settings(model)->scale, PARTAN_SCALE_NONE);
    assert_true(partan_model_settings(model)->tol == 0.01);

    union {
        unsigned char bytes[sizeof(partan_verification)];
        partan_verification whole;
    } found;
    memset(&found, 0xa5, sizeof found);
    enum { OLD_SIZE = offsetof(partan_verification, feasible) };
    partan_verification_init_sized(&found.whole, OLD_SIZE);
    assert_int_equal(partan_verify(*state, model, data, &found.whole), PARTAN_OK);
    assert_true(found.whole.relative_gap > 0 && found.whole.relative_gap <= 0.01);
    for (size_t i = OLD_SIZE; i < sizeof found; i++)
        assert_int_equal(found.bytes[i], 0xa5);
    partan_model_free(model);
    partan_data_free(data);
}

static void a_setting_that_the_program_does_not_have_is_not_written(void **state)
{
    partan_settings settings;
    partan_settings_init_sized(&settings, offsetof(partan_settings, scale));
    assert_int_equal(partan_settings_set(*state, &settings, "cost", "3"), PARTAN_OK);
    assert_int_equal(partan_settings_set(*state, &settings, "scale", "minmax"), PARTAN_ERROR_ARGUMENT);
    assert_string_equal(partan_error(*state), "setting 'scale' is not part of the partan_settings of the version that "
                                              "the program was compiled for");
}

static void structs_without_init_are_refused(void **state)
{
    partan_settings settings = {0};
    partan_read_options reading = {0};
    partan_context_options options = {0};
    partan_data *data;
    partan_limits limits = {0};
    assert_int_equal(partan_settings_check(*state, &settings), PARTAN_ERROR_ARGUMENT);
    assert_non_null(strstr(partan_error(*state), "partan_settings_init first"));
    assert_int_equal(partan_data_read(*state, "x", &reading, &data), PARTAN_ERROR_ARGUMENT);
    assert_null(partan_create(&options));
    assert_int_equal(partan_limits_find(&limits), PARTAN_ERROR_ARGUMENT);
}

static void embedded_results_fit_their_room(void **state)
{
    (void)state;
    partan_tune_point point;
    partan_matrix_point matrix;
    assert_true(sizeof point.result < sizeof point.result_room);
    assert_true(sizeof point.evaluation < sizeof point.evaluation_room);
    assert_true(sizeof matrix.result < sizeof matrix.result_room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(an_older_struct_gets_defaults_and_no_byte_more),
        CONTEXT_TEST(a_newer_struct_is_taken_unless_it_asks_for_what_is_not_there),
        CONTEXT_TEST(sizes_that_were_never_set_are_refused),
        CONTEXT_TEST(an_old_program_trains_and_verifies),
        CONTEXT_TEST(a_setting_that_the_program_does_not_have_is_not_written),
        CONTEXT_TEST(structs_without_init_are_refused),
        cmocka_unit_test(embedded_results_fit_their_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
