/* Numbers are read correctly rounded whatever the locale and the length, nothing beyond the end is looked at, and what
 * is written reads back as the same value in the fewest digits. */
#include "testing.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "core/random.h"

static double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Reads from an exact-size heap copy, so that a sanitizer sees any byte too far. */
static double parse_all(const char *text)
{
    size_t size = strlen(text);
    char *copy = malloc(size + !size);
    memcpy(copy, text, size);
    double value = NAN;
    assert_ptr_equal(pt_parse_real(copy, copy + size, &value), copy + size);
    free(copy);
    return value;
}

static void agrees_with_the_library(void **state)
{
    (void)state;
    static const char *const texts[] = {/* next to ties: wrong when twice the precision is trusted without doubt */
                                        "43482270615044627e-22",
                                        "15168699843939748e-21",
                                        "28906888213270121e-21",
                                        "14691862685736623e-21",
                                        "86964541230089254e-22",
                                        "0",
                                        "-0",
                                        "1",
                                        "+1",
                                        "-1",
                                        ".5",
                                        "5.",
                                        "0.1",
                                        "1e0",
                                        "1E5",
                                        "1e+5",
                                        "1e-5",
                                        "9007199254740992",
                                        "9007199254740993",
                                        "9007199254740993.0000000000000000000000000001",
                                        "123456789012345678",
                                        "1e22",
                                        "1e23",
                                        "8.5e22",
                                        "2.2250738585072011e-308",
                                        "2.2250738585072014e-308",
                                        "4.9406564584124654e-324",
                                        "2e-324",
                                        "3e-324",
                                        "1.7976931348623157e308",
                                        "1.7976931348623159e308",
                                        "1e400",
                                        "-1e400",
                                        "1e-400",
                                        "0e999999999999999999999",
                                        "1e999999999999999999999",
                                        "1e-999999999999999999999",
                                        "0.000000000000000000000000000000123456789e30",
                                        "179769313486231580793728971405301199e272",
                                        "1844674407370955161.5",
                                        "9999999999999999999",
                                        "0.30000000000000004",
                                        "0.1000000000000000055511151231257827",
                                        "1.00000000000000011102230246251565404236316680908203125",
                                        "1.00000000000000011102230246251565404236316680908203124",
                                        "1.00000000000000011102230246251565404236316680908203126"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double expected = strtod(texts[i], NULL), value = parse_all(texts[i]);
        if (memcmp(&expected, &value, sizeof value) != 0)
            fail_msg("%s: %.17g, expected %.17g", texts[i], value, expected);
    }
}

static void random_numbers_agree_with_the_library(void **state)
{
    (void)state;
    pt_random random;
    pt_random_seed(&random, 1);
    for (int i = 0; i < 200000; i++) {
        char text[64];
        double number = from_bits(pt_random_next(&random));
        if (i % 2)
            number = pt_random_normal(&random);
        if (!isfinite(number))
            continue;
        snprintf(text, sizeof text, "%.*g", 1 + i % 20, number);
        assert_true(parse_all(text) == strtod(text, NULL));
        snprintf(text, sizeof text, "%llue%d", (unsigned long long)pt_random_next(&random) / 2, i % 60 - 30);
        assert_true(parse_all(text) == strtod(text, NULL));
    }
}

/* Numbers exactly halfway between two doubles, or one part in 10^19 off, written with more digits than needed. */
static void near_ties_round_correctly(void **state)
{
    (void)state;
    pt_random random;
    pt_random_seed(&random, 3);
    for (int i = 0; i < 100000; i++) {
        char text[64];
        uint64_t half = ((uint64_t)1 << 53 | 1) + 2 * pt_random_below(&random, 400000000000000);
        int decimals = i % 3;
        for (int k = 0; k < decimals; k++)
            half *= 10;
        half += (uint64_t)(i / 3 % 3) - 1;
        snprintf(text, sizeof text, "%llue%d", (unsigned long long)half, i % 2 ? -decimals : i % 9 - 4);
        assert_true(parse_all(text) == strtod(text, NULL));
    }
}

/* Halfway between two doubles is decided by a digit a thousand places further on. */
static void long_digit_strings_round_correctly(void **state)
{
    (void)state;
    char text[3000] = "9007199254740993."; /* 2^53 + 1: halfway, to even gives 2^53 */
    size_t length = strlen(text);
    memset(text + length, '0', 2000);
    text[length + 2000] = '\0';
    assert_true(parse_all(text) == 9007199254740992.0);
    text[length + 1999] = '1';
    assert_true(parse_all(text) == 9007199254740994.0);

    memset(text, '0', sizeof text); /* 1 with 2,000 zeros before the dot, times 10^-2000 */
    text[0] = '1';
    strcpy(text + 2001, "e-2000");
    assert_true(parse_all(text) == 1);
    memset(text, '0', sizeof text);
    text[1] = '.';
    strcpy(text + 2001, "7e2000");
    assert_true(parse_all(text) == 7);
}

static void stops_at_what_is_no_number(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t taken;
    } cases[] = {{"", 0},    {"-", 0},     {"+", 0},     {".", 0},   {"-.", 0},   {"e5", 0},  {"nan", 0},
                 {"inf", 0}, {"1e", 1},    {"1e+", 1},   {"1ex", 1}, {"0x10", 1}, {"1:2", 1}, {"1 2", 1},
                 {"--1", 0}, {"1.5.2", 3}, {"1e5e5", 3}, {"+-1", 0}, {"1,5", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value;
        const char *end = cases[i].text + strlen(cases[i].text);
        assert_int_equal(pt_parse_real(cases[i].text, end, &value) - cases[i].text, (long)cases[i].taken);
    }
    double value;
    const char *text = "12345";
    assert_ptr_equal(pt_parse_real(text, text + 3, &value), text + 3);
    assert_true(value == 123);
}

static void whole_texts(void **state)
{
    (void)state;
    double real;
    int64_t integer;
    uint64_t whole;
    assert_true(pt_text_to_real("1.5", &real) && real == 1.5);
    assert_false(pt_text_to_real("", &real) || pt_text_to_real("1.5x", &real) || pt_text_to_real("1e999", &real));
    assert_true(pt_text_to_integer("-9223372036854775808", &integer) && integer == INT64_MIN);
    assert_true(pt_text_to_integer("+9223372036854775807", &integer) && integer == INT64_MAX);
    assert_false(pt_text_to_integer("9223372036854775808", &integer) || pt_text_to_integer("-", &integer)
                 || pt_text_to_integer("-9223372036854775809", &integer) || pt_text_to_integer("-+1", &integer)
                 || pt_text_to_integer("1.0", &integer) || pt_text_to_integer("", &integer));
    assert_true(pt_text_to_unsigned("18446744073709551615", &whole) && whole == UINT64_MAX);
    assert_false(pt_text_to_unsigned("18446744073709551616", &whole) || pt_text_to_unsigned("-1", &whole));
}

static void known_texts_come_out(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},
                 {-0.0, "-0"},
                 {1, "1"},
                 {-1, "-1"},
                 {0.1, "0.1"},
                 {0.25, "0.25"},
                 {1e6, "1000000"},
                 {123456, "123456"},
                 {1e22, "1e+22"},
                 {1e-7, "1e-07"},
                 {-0.5, "-0.5"},
                 {100.5, "100.5"},
                 {0.0001, "0.0001"},
                 {1.0 / 3, "0.3333333333333333"},
                 {DBL_MAX, "1.7976931348623157e+308"},
                 {INFINITY, "inf"},
                 {-INFINITY, "-inf"},
                 {NAN, "nan"}};
    char buffer[PT_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(pt_format_real(buffer, cases[i].value), strlen(cases[i].text));
        assert_string_equal(buffer, cases[i].text);
    }
    assert_int_equal(pt_format_float(buffer, 0.1f), 3);
    assert_string_equal(buffer, "0.1");
    pt_format_float(buffer, 1.0f / 3);
    assert_string_equal(buffer, "0.33333334");
    pt_format_float(buffer, FLT_MAX);
    assert_string_equal(buffer, "3.4028235e+38");
    assert_int_equal(pt_format_unsigned(buffer, 0), 1);
    assert_int_equal(pt_format_unsigned(buffer, UINT64_MAX), 20);
    assert_string_equal(buffer, "18446744073709551615");
}

static size_t significant_digits(const char *text)
{
    size_t digits = 0, zeros = 0;
    for (; *text && *text != 'e'; text++)
        if (*text >= '0' && *text <= '9' && (digits || *text != '0')) {
            digits++;
            zeros = *text == '0' ? zeros + 1 : 0;
        }
    return digits - zeros;
}

static void written_numbers_read_back(void **state)
{
    (void)state;
    pt_random random;
    pt_random_seed(&random, 2);
    char buffer[PT_NUMBER_SIZE], shortest[64];
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = pt_random_next(&random);
        double value = i % 2 ? pt_random_normal(&random) : from_bits(bits), back;
        if (!isfinite(value))
            continue;
        size_t length = pt_format_real(buffer, value);
        assert_int_equal(length, strlen(buffer));
        assert_ptr_equal(pt_parse_real(buffer, buffer + length, &back), buffer + length);
        assert_true(back == value);

        float single = i % 4 ? (float)pt_random_normal(&random) : (float)(bits % 100000) / 1000;
        length = pt_format_float(buffer, single);
        pt_parse_real(buffer, buffer + length, &back);
        assert_true((float)back == single);
        int precision = 1;
        while (snprintf(shortest, sizeof shortest, "%.*g", precision, (double)single), strtof(shortest, NULL) != single)
            precision++;
        assert_true(significant_digits(buffer) <= (size_t)precision);
    }
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* What it is by definition: the fewest digits from six on that read back, as printf writes them, or without an exponent
 * where the number is from 0.0001 to 10^9, then with all digits before the dot. */
static void check_float(float value)
{
    char buffer[PT_NUMBER_SIZE], expected[64];
    int precision = 6;
    while (snprintf(expected, sizeof expected, "%.*g", precision, (double)value), strtof(expected, NULL) != value)
        precision++;
    size_t length = pt_format_float(buffer, value);
    assert_int_equal(length, strlen(buffer));
    assert_true(strtof(buffer, NULL) == value);
    float magnitude = fabsf(value);
    if (magnitude >= 1e-4f && magnitude < 1e9f)
        assert_true(magnitude >= 1e6f || significant_digits(buffer) == significant_digits(expected));
    else
        assert_string_equal(buffer, expected);
}

static void floats_of_all_exponents_are_as_short_as_can_be(void **state)
{
    (void)state;
    pt_random random;
    pt_random_seed(&random, 3);
    for (uint32_t exponent = 0; exponent < 255; exponent++)
        for (uint32_t i = 0; i < 200; i++) {
            uint32_t near = i < 50 ? i : (uint32_t)0 - (i - 49);
            uint32_t mantissa = i < 100 ? near : (uint32_t)pt_random_next(&random);
            check_float(float_of(exponent << 23 | (mantissa & 0x7fffff) | (i & 1) << 31));
        }
    for (int power = -45; power < 39; power++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", power);
        float value = strtof(text, NULL);
        check_float(value);
        check_float(nextafterf(value, 0));
        check_float(nextafterf(value, FLT_MAX));
    }
}

/* By definition too: the fewest digits from 15 on that read back, as printf writes them. Numbers of fewer digits are
 * left out, which are written without an exponent up to 10^15. */
static void long_doubles_are_as_printf_writes_them(void **state)
{
    (void)state;
    pt_random random;
    pt_random_seed(&random, 4);
    char buffer[PT_NUMBER_SIZE], expected[64];
    for (uint64_t exponent = 1; exponent < 2046; exponent++)
        for (int i = 0; i < 40; i++) {
            uint64_t mantissa = i < 10 ? (uint64_t)i : i < 20 ? 0 - (uint64_t)i : pt_random_next(&random);
            double value = from_bits(exponent << 52 | (mantissa & 0xfffffffffffff) | (uint64_t)(i & 1) << 63);
            int precision = 15;
            while (snprintf(expected, sizeof expected, "%.*g", precision, value), strtod(expected, NULL) != value)
                precision++;
            pt_format_real(buffer, value);
            assert_true(strtod(buffer, NULL) == value);
            if (significant_digits(expected) >= 15)
                assert_string_equal(buffer, expected);
        }
}

static void a_comma_locale_changes_nothing(void **state)
{
    (void)state;
    if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8")) {
        print_message("no locale with a decimal comma on this machine\n");
        skip();
    }
    char buffer[PT_NUMBER_SIZE];
    pt_format_real(buffer, 1.0 / 3);
    assert_string_equal(buffer, "0.3333333333333333");
    assert_true(parse_all("0.10000000000000000000000000001") == 0.1);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_library),
        cmocka_unit_test(random_numbers_agree_with_the_library),
        cmocka_unit_test(near_ties_round_correctly),
        cmocka_unit_test(long_digit_strings_round_correctly),
        cmocka_unit_test(stops_at_what_is_no_number),
        cmocka_unit_test(whole_texts),
        cmocka_unit_test(known_texts_come_out),
        cmocka_unit_test(written_numbers_read_back),
        cmocka_unit_test(floats_of_all_exponents_are_as_short_as_can_be),
        cmocka_unit_test(long_doubles_are_as_printf_writes_them),
        cmocka_unit_test(a_comma_locale_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
