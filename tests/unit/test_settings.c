/* The table of settings: every default text gives the default value, every bound holds, names and letters are unique,
 * and what is refused is refused with a sentence that names the setting, the text and what was expected. */
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
    partan_settings_set(*state, &s, "tol", "x");
    assert_string_equal(partan_error(*state), "tol takes a number from 0 to 1, not 'x'");
    partan_settings_set(*state, &s, "max-iter", "-1");
    assert_string_equal(partan_error(*state), "max-iter takes a whole number of at least 0, not '-1'");
    partan_settings_set(*state, &s, "solver", "sgd");
    assert_string_equal(partan_error(*state), "solver takes fw, mfw, swap, partan or auto, not 'sgd'");
    partan_settings_set(*state, &s, "gamma", "-1");
    assert_string_equal(partan_error(*state), "gamma takes a number from 1e-30 to 1e+30, or auto or scale, not '-1'");
}

static void names_take_either_dash(void **state)
{
    partan_settings s;
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
        CONTEXT_TEST(gamma_is_a_rule_or_a_number),
        CONTEXT_TEST(sizes_take_units),
        CONTEXT_TEST(bounds_are_enforced),
        CONTEXT_TEST(garbage_is_refused),
        CONTEXT_TEST(sentences_say_what_is_expected),
        CONTEXT_TEST(names_take_either_dash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
