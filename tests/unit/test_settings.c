/* The table of settings: every default text gives the default value, every bound holds for texts and for fields alike,
 * names and letters are unique, and what is refused is refused with a sentence that names the setting, what was found
 * and what was expected. */
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "settings/names.h"
#include "settings/settings.h"
#include "solvers.h"

static void names_and_letters_are_unique(void **state)
{
    (void)state;
    const partan_option *a, *b;
    for (size_t i = 0; (a = partan_settings_option(i)); i++)
        for (size_t j = i + 1; (b = partan_settings_option(j)); j++) {
            assert_string_not_equal(a->name, b->name);
            assert_true(!a->letter || a->letter != b->letter);
        }
}

static void entries_are_complete(void **state)
{
    (void)state;
    const partan_option *option;
    for (size_t i = 0; (option = partan_settings_option(i)); i++) {
        assert_true(option->name && option->initial && option->help);
        assert_true(option->argument || option->type == PARTAN_OPTION_FLAG);
        assert_int_equal(option->help[strlen(option->help) - 1], '.');
        assert_true(option->type != PARTAN_OPTION_CHOICE || option->choices);
        assert_true(option->least <= option->most);
    }
}

/* Setting a field to its default text changes nothing; were the default refused, init would leave zeros. */
static void default_texts_give_default_values(void **state)
{
    partan_settings fresh, other;
    partan_settings_init(&fresh);
    const partan_option *option;
    memset(&other, 0x55, sizeof other);
    other.struct_size = sizeof other;
    for (size_t i = 0; (option = partan_settings_option(i)); i++)
        assert_int_equal(partan_settings_set(*state, &other, option->name, option->initial), PARTAN_OK);
    other.gamma = fresh.gamma; /* a rule stands in its place */
    other.cache_bytes = fresh.cache_bytes;
    assert_memory_equal(&fresh, &other, offsetof(partan_settings, trace_rows) + sizeof fresh.trace_rows);
}

static void defaults_are_the_documented_ones(void **state)
{
    (void)state;
    partan_settings s;
    partan_settings_init(&s);
    assert_int_equal(s.kernel, PARTAN_KERNEL_RBF);
    assert_int_equal(s.gamma_rule, PARTAN_GAMMA_AUTO);
    assert_int_equal(s.degree, 3);
    assert_true(s.coef0 == 0 && s.cost == 1 && s.tol > 0 && s.tol < 1 && s.eps == 0 && s.time_limit == 0);
    assert_int_equal(s.solver, PARTAN_SOLVER_AUTO);
    assert_int_equal(s.step, PARTAN_STEP_EXACT);
    assert_int_equal(s.stop, PARTAN_STOP_CONFIRMED);
    assert_int_equal(s.init, PARTAN_INIT_FIRST);
    assert_true(s.seed == 1 && s.sample == 0 && s.max_iter == 0 && s.cache_bytes == -1 && s.merge == 1
                && s.trace_rows == 1000 && s.further_samples == 2);
}

/* Every choice and alias of the table reaches the enum whose name it is. */
static void choices_follow_the_enums(void **state)
{
    partan_settings s;
    partan_settings_init(&s);
    const char *name;
    for (int i = 0; (name = partan_kernel_name((partan_kernel)i)); i++) {
        assert_int_equal(partan_settings_set(*state, &s, "kernel", name), PARTAN_OK);
        assert_int_equal(s.kernel, i);
    }
    for (int i = 0; (name = partan_solver_name((partan_solver)i)); i++) {
        assert_int_equal(partan_settings_set(*state, &s, "solver", name), PARTAN_OK);
        assert_int_equal(s.solver, i);
    }
    for (int i = 0; i <= 4; i++) { /* LIBSVM's numbers */
        char text[2] = {(char)('0' + i), 0};
        assert_int_equal(partan_settings_set(*state, &s, "kernel", text), PARTAN_OK);
        assert_int_equal(s.kernel, i);
    }
    assert_int_equal(partan_settings_set(*state, &s, "kernel", "poly"), PARTAN_OK);
    assert_int_equal(s.kernel, PARTAN_KERNEL_POLYNOMIAL);
    assert_int_equal(partan_settings_set(*state, &s, "step", "classic"), PARTAN_OK);
    assert_int_equal(s.step, PARTAN_STEP_CLASSIC);
    assert_int_equal(partan_settings_set(*state, &s, "stop", "sampled"), PARTAN_OK);
    assert_int_equal(s.stop, PARTAN_STOP_SAMPLED);
    assert_int_equal(partan_settings_set(*state, &s, "init", "random"), PARTAN_OK);
    assert_int_equal(s.init, PARTAN_INIT_RANDOM);
}

/* The lines of the table of solvers are in the order of the enum. */
static void solvers_have_their_own_names(void **state)
{
    (void)state;
#define OWN(unused, SOLVER, name)                        assert_string_equal(partan_solver_name(PARTAN_SOLVER_##SOLVER), #name);
#define VARIANT(unused, SOLVER, name, previous, classic) OWN(unused, SOLVER, name)
    PT_SOLVERS(VARIANT, OWN, )
}

static void gamma_is_a_rule_or_a_number(void **state)
{
    partan_settings s;
    partan_settings_init(&s);
    assert_int_equal(partan_settings_set(*state, &s, "gamma", "0.0652"), PARTAN_OK);
    assert_int_equal(s.gamma_rule, PARTAN_GAMMA_VALUE);
    assert_true(s.gamma == 0.0652);
    assert_int_equal(partan_settings_set(*state, &s, "gamma", "scale"), PARTAN_OK);
    assert_int_equal(s.gamma_rule, PARTAN_GAMMA_SCALE);
    assert_int_equal(partan_settings_set(*state, &s, "gamma", "auto"), PARTAN_OK);
    assert_int_equal(s.gamma_rule, PARTAN_GAMMA_AUTO);
}

static void sizes_take_units(void **state)
{
    static const struct {
        const char *text;
        int64_t bytes;
    } cases[] = {
        {"0", 0},
        {"4096", 4096},
        {"4096B", 4096},
        {"1K", 1024},
        {"64m", INT64_C(64) << 20},
        {"1.5G", INT64_C(3) << 29},
        {"2GiB", INT64_C(2) << 30},
        {"1TB", INT64_C(1) << 40},
        {"auto", -1},
    };
    partan_settings s;
    partan_settings_init(&s);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        partan_settings_init(&s);
        assert_int_equal(partan_settings_set(*state, &s, "cache", cases[i].text), PARTAN_OK);
        assert_true(s.cache_bytes == cases[i].bytes);
    }
}

/* Refused, nothing changed, and the sentence names the setting and the text. */
static void assert_refused(partan_context *context, const char *name, const char *text)
{
    partan_settings before, after;
    partan_settings_init(&before);
    after = before;
    assert_int_equal(partan_settings_set(context, &after, name, text), PARTAN_ERROR_ARGUMENT);
    assert_memory_equal(&before, &after, sizeof before);
    assert_non_null(strstr(partan_error(context), name));
    assert_non_null(strstr(partan_error(context), text));
    assert_non_null(strstr(partan_error(context), " takes "));
}

static void bounds_are_enforced(void **state)
{
    const partan_option *option;
    for (size_t i = 0; (option = partan_settings_option(i)); i++) {
        char text[64];
        partan_settings s;
        partan_settings_init(&s);
        if (option->type != PARTAN_OPTION_REAL && option->type != PARTAN_OPTION_INTEGER)
            continue;
        bool whole = option->type == PARTAN_OPTION_INTEGER;
        snprintf(text, sizeof text, whole ? "%.0f" : "%.17g", option->least);
        assert_int_equal(partan_settings_set(*state, &s, option->name, text), PARTAN_OK);
        snprintf(text, sizeof text, whole ? "%.0f" : "%.17g",
                 whole ? option->least - 1 : nextafter(option->least, -1e308));
        assert_refused(*state, option->name, text);
        snprintf(text, sizeof text, whole ? "%.0f" : "%.17g", option->most);
        assert_int_equal(partan_settings_set(*state, &s, option->name, text), PARTAN_OK);
        snprintf(text, sizeof text, whole ? "%.0f" : "%.17g",
                 whole ? option->most * 1.1 + 1 : nextafter(option->most, 1e308));
        assert_refused(*state, option->name, text);
    }
}

static void garbage_is_refused(void **state)
{
    static const char *const texts[] = {"",    "x",   "nan", "NaN",   "inf", "-inf", "infinity", "1x",   "1 ",
                                        "0x1", "1,5", "--",  "1e999", "1e+", ".",    "+",        "auto "};
    const partan_option *option;
    for (size_t i = 0; (option = partan_settings_option(i)); i++)
        for (size_t j = 0; j < sizeof texts / sizeof texts[0]; j++)
            assert_refused(*state, option->name, texts[j]);
    assert_refused(*state, "degree", "2.5");
    assert_refused(*state, "cache", "-1");
    assert_refused(*state, "cache", "1KK");
    assert_refused(*state, "cache", "9999999T");
    assert_refused(*state, "kernel", "9");
    assert_refused(*state, "kernel", "rbf|");
    assert_refused(*state, "kernel", "linear|polynomial");
}

static void sentences_say_what_is_expected(void **state)
{
    partan_settings s;
    partan_settings_init(&s);
    partan_settings_set(*state, &s, "tol", "x");
    assert_string_equal(partan_error(*state), "tol takes a number from 0 to 1, not 'x'");
    partan_settings_set(*state, &s, "max-iter", "-1");
    assert_string_equal(partan_error(*state), "max-iter takes a whole number of at least 0, not '-1'");
    partan_settings_set(*state, &s, "solver", "sgd");
    assert_string_equal(partan_error(*state), "solver takes fw, mfw, swap, partan or auto, not 'sgd'");
    partan_settings_set(*state, &s, "gamma", "-1");
    assert_string_equal(partan_error(*state), "gamma takes a number from 1e-300 to 1e+300, or auto or scale, not '-1'");
}

/* A list of names and the choices made of it are the same words in the same order. */
static void assert_listed(const partan_option *option, const char *const *names)
{
    char joined[256] = "";
    for (size_t i = 0; names[i]; i++) {
        strcat(joined, i > 0 ? "|" : "");
        strcat(joined, names[i]);
    }
    assert_string_equal(option->choices, joined);
}

static void choices_are_the_names(void **state)
{
    (void)state;
    const partan_option *option;
    for (size_t i = 0; (option = partan_settings_option(i)); i++)
        if (option->type == PARTAN_OPTION_CHOICE)
            assert_listed(option, pt_setting_find(&pt_settings, option->name)->names);
    assert_listed(partan_read_option(1), pt_storage_names);
    assert_string_equal(partan_step_name(PARTAN_STEP_CLASSIC), "classic");
    assert_string_equal(partan_stop_name(PARTAN_STOP_SAMPLED), "sampled");
    assert_string_equal(partan_init_name(PARTAN_INIT_RANDOM), "random");
    assert_string_equal(partan_step_type_name(PARTAN_STEP_PARTAN), "partan");
    assert_null(partan_kernel_name((partan_kernel)6));
    assert_null(partan_kernel_name((partan_kernel)-1));
}

/* ---- Fields ---- */

/* The number into the field; false when there is no such value. */
static bool put(partan_settings *s, const pt_setting *entry, double number)
{
    char *field = (char *)s + entry->offset;
    int64_t integer = fabs(number) < 9e18 ? (int64_t)number : 0;
    int value = (int)integer;
    s->gamma_rule = PARTAN_GAMMA_VALUE;
    if (entry->field == PT_FIELD_REAL)
        memcpy(field, &number, sizeof number);
    else if (entry->field == PT_FIELD_ENUM)
        memcpy(field, &value, sizeof value);
    else if ((double)integer == number)
        memcpy(field, &integer, sizeof integer);
    return entry->field == PT_FIELD_REAL || (double)integer == number;
}

static void assert_field_refused(partan_context *context, const pt_setting *entry, double number)
{
    partan_settings s;
    partan_settings_init(&s);
    s.gamma = 1;
    if (!put(&s, entry, number))
        return;
    assert_int_equal(partan_settings_check(context, &s), PARTAN_ERROR_ARGUMENT);
    assert_ptr_equal(strstr(partan_error(context), entry->option.name), partan_error(context));
    assert_non_null(strstr(partan_error(context), " takes "));
}

static void fields_have_the_bounds_of_the_texts(void **state)
{
    const partan_option *option;
    for (size_t i = 0; (option = partan_settings_option(i)); i++) {
        const pt_setting *entry = pt_setting_find(&pt_settings, option->name);
        partan_settings s;
        partan_settings_init(&s);
        s.gamma = 1;
        s.eps = 1;
        assert_ptr_equal(&entry->option, option);
        if (option->type == PARTAN_OPTION_CHOICE) {
            assert_field_refused(*state, entry, -1);
            assert_field_refused(*state, entry, 99);
            continue;
        }
        if (option->type == PARTAN_OPTION_FLAG) {
            assert_field_refused(*state, entry, 2);
            continue;
        }
        if (put(&s, entry, option->least))
            assert_int_equal(partan_settings_check(*state, &s), PARTAN_OK);
        if (put(&s, entry, option->most))
            assert_int_equal(partan_settings_check(*state, &s), PARTAN_OK);
        if (entry->field == PT_FIELD_UNSIGNED)
            continue;
        assert_field_refused(*state, entry, option->least - 2 - fabs(option->least));
        assert_field_refused(*state, entry, option->most * 2);
        if (entry->field == PT_FIELD_REAL) {
            assert_field_refused(*state, entry, (double)NAN);
            assert_field_refused(*state, entry, (double)INFINITY);
        }
    }
}

static void defaults_and_ends_of_types_pass(void **state)
{
    partan_settings s;
    partan_settings_init(&s);
    assert_int_equal(partan_settings_check(*state, &s), PARTAN_OK);
    s.seed = UINT64_MAX;
    s.max_iter = s.sample = s.trace_rows = s.cache_bytes = INT64_MAX;
    assert_int_equal(partan_settings_check(*state, &s), PARTAN_OK);
}

static void assert_sentence(partan_context *context, const partan_settings *s, const char *sentence)
{
    assert_int_equal(partan_settings_check(context, s), PARTAN_ERROR_ARGUMENT);
    assert_string_equal(partan_error(context), sentence);
}

static void checks_say_what_was_found(void **state)
{
    partan_settings fresh, s;
    partan_settings_init(&fresh);
    s = fresh;
    s.degree = 1001;
    assert_sentence(*state, &s, "degree takes a whole number from 1 to 1000, not 1001");
    s = fresh;
    s.cost = -0.5;
    assert_sentence(*state, &s, "cost takes a number from 1e-30 to 1e+30, not -0.5");
    s = fresh;
    s.solver = (partan_solver)9;
    assert_sentence(*state, &s, "solver takes fw, mfw, swap, partan or auto, not 9");
    s = fresh;
    s.gamma_rule = (partan_gamma)7;
    assert_sentence(*state, &s, "gamma takes a number from 1e-300 to 1e+300, or auto or scale, not an unknown rule");
    s = fresh;
    s.tol = 1.1;
    assert_sentence(*state, &s, "tol takes a number from 0 to 1, not 1.1");
    s = fresh;
    s.tol = 0;
    assert_sentence(*state, &s, "tol 0 needs an eps above 0");
    s = fresh;
    s.step = PARTAN_STEP_CLASSIC;
    assert_sentence(*state, &s, "step classic needs solver fw, not auto");
    s.solver = PARTAN_SOLVER_FW;
    assert_int_equal(partan_settings_check(*state, &s), PARTAN_OK);
}

static void names_take_either_dash(void **state)
{
    partan_settings s;
    partan_settings_init(&s);
    assert_int_equal(partan_settings_set(*state, &s, "max_iter", "5"), PARTAN_OK);
    assert_true(s.max_iter == 5);
    assert_int_equal(partan_settings_set(*state, &s, "max-iter", "6"), PARTAN_OK);
    assert_true(s.max_iter == 6);
    assert_int_equal(partan_settings_set(*state, &s, "max", "6"), PARTAN_ERROR_ARGUMENT);
    assert_int_equal(partan_settings_set(*state, &s, "", "6"), PARTAN_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_letters_are_unique),
        cmocka_unit_test(entries_are_complete),
        CONTEXT_TEST(default_texts_give_default_values),
        cmocka_unit_test(defaults_are_the_documented_ones),
        CONTEXT_TEST(choices_follow_the_enums),
        cmocka_unit_test(solvers_have_their_own_names),
        CONTEXT_TEST(gamma_is_a_rule_or_a_number),
        CONTEXT_TEST(sizes_take_units),
        CONTEXT_TEST(bounds_are_enforced),
        CONTEXT_TEST(garbage_is_refused),
        CONTEXT_TEST(sentences_say_what_is_expected),
        CONTEXT_TEST(names_take_either_dash),
        cmocka_unit_test(choices_are_the_names),
        CONTEXT_TEST(fields_have_the_bounds_of_the_texts),
        CONTEXT_TEST(defaults_and_ends_of_types_pass),
        CONTEXT_TEST(checks_say_what_was_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
