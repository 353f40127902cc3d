/* Tables of settings over a struct of one's own: all that partan_settings has, from one line a setting. */
#include "testing.h"

#include <string.h>

#include "settings/names.h"
#include "settings/table.h"

typedef struct own_settings {
    size_t struct_size;
    int64_t untouched; /* a field that no entry is about */
    double radius;
    int64_t radius_is_path;
    int64_t intercept;
    uint64_t salt;
    partan_step step;
} own_settings;

static void set_radius_word(void *settings, int word)
{
    ((own_settings *)settings)->radius_is_path = word >= 0;
}

static int get_radius_word(const void *settings)
{
    return ((const own_settings *)settings)->radius_is_path ? 0 : -1;
}

static const pt_setting_words radius_words = {set_radius_word, get_radius_word};

/* clang-format off */
#define FIELD(member) PT_FIELD(own_settings, member)

static const pt_setting list[] = {
    {{"radius", 'r', PARTAN_OPTION_REAL, "T", "path", "2.5", 0, 100, "Size of the ball."},
     FIELD(radius), .words = &radius_words},
    {{"intercept", 0, PARTAN_OPTION_FLAG, NULL, "no", "yes", 0, 0, "Fit an intercept."},
     FIELD(intercept)},
    {{"salt", 0, PARTAN_OPTION_INTEGER, "N", NULL, "7", 0, 1000, "Of the hash."},
     FIELD(salt)},
    {{"step-rule", 0, PARTAN_OPTION_CHOICE, "RULE", PT_CHOICES(PT_STEP_NAMES), "classic", 0, 0, "Rule of the step."},
     FIELD(step), .names = pt_step_names, .aliases = "line-search=exact"},
};
/* clang-format on */
static const pt_settings_table table = PT_SETTINGS_TABLE(list, own_settings);

static void defaults_fill_the_struct(void **state)
{
    (void)state;
    own_settings s;
    memset(&s, 0x55, sizeof s);
    pt_settings_init(&table, &s);
    assert_true(s.struct_size == sizeof s && s.untouched == 0 && s.radius == 2.5 && s.radius_is_path == 0
                && s.intercept == 1 && s.salt == 7);
    assert_int_equal(s.step, PARTAN_STEP_CLASSIC);
}

static void entries_are_numbered_and_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4; i++)
        assert_ptr_equal(pt_settings_option(&table, i), &list[i].option);
    assert_null(pt_settings_option(&table, 4));
    assert_ptr_equal(pt_setting_find(&table, "step_rule"), &list[3]);
    assert_null(pt_setting_find(&table, "tol"));
}

static void texts_reach_their_fields(void **state)
{
    own_settings s;
    pt_settings_init(&table, &s);
    assert_int_equal(pt_settings_set(*state, &table, &s, "radius", "0.25"), PARTAN_OK);
    assert_int_equal(pt_settings_set(*state, &table, &s, "intercept", "no"), PARTAN_OK);
    assert_int_equal(pt_settings_set(*state, &table, &s, "salt", "9"), PARTAN_OK);
    assert_int_equal(pt_settings_set(*state, &table, &s, "step-rule", "line-search"), PARTAN_OK);
    assert_true(s.radius == 0.25 && s.radius_is_path == 0 && s.intercept == 0 && s.salt == 9);
    assert_int_equal(s.step, PARTAN_STEP_EXACT);
    assert_int_equal(pt_settings_set(*state, &table, &s, "radius", "path"), PARTAN_OK);
    assert_int_equal(s.radius_is_path, 1);
}

static void assert_refused(partan_context *context, const char *name, const char *text, const char *sentence)
{
    own_settings before, after;
    pt_settings_init(&table, &before);
    after = before;
    assert_int_equal(pt_settings_set(context, &table, &after, name, text), PARTAN_ERROR_ARGUMENT);
    assert_string_equal(partan_error(context), sentence);
    assert_memory_equal(&before, &after, sizeof before);
}

static void what_is_no_value_is_refused(void **state)
{
    assert_refused(*state, "radius", "-1", "radius takes a number from 0 to 100, or path, not '-1'");
    assert_refused(*state, "intercept", "2", "intercept takes yes, or no, not '2'");
    assert_refused(*state, "step-rule", "none", "step-rule takes exact or classic, not 'none'");
    assert_refused(*state, "tol", "1", "unknown setting 'tol'");
}

static void assert_sentence(partan_context *context, const own_settings *s, const char *sentence)
{
    assert_int_equal(pt_settings_check(context, &table, s), PARTAN_ERROR_ARGUMENT);
    assert_string_equal(partan_error(context), sentence);
}

static void fields_are_checked(void **state)
{
    own_settings fresh, s;
    pt_settings_init(&table, &fresh);
    assert_int_equal(pt_settings_check(*state, &table, &fresh), PARTAN_OK);
    s = fresh;
    s.radius = 101;
    assert_sentence(*state, &s, "radius takes a number from 0 to 100, or path, not 101");
    s.radius_is_path = 1; /* the number is not used */
    assert_int_equal(pt_settings_check(*state, &table, &s), PARTAN_OK);
    s = fresh;
    s.intercept = 2;
    assert_sentence(*state, &s, "intercept takes yes, or no, not 2");
    s = fresh;
    s.step = (partan_step)5;
    assert_sentence(*state, &s, "step-rule takes exact or classic, not 5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_fill_the_struct), cmocka_unit_test(entries_are_numbered_and_named),
        CONTEXT_TEST(texts_reach_their_fields),     CONTEXT_TEST(what_is_no_value_is_refused),
        CONTEXT_TEST(fields_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
