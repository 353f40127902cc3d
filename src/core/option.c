/* Texts to values: what an entry of a table of options accepts, and the sentence for what it does not. */
#include <string.h>
#include <strings.h>

#include "core/context.h"
#include "core/number.h"
#include "core/option.h"
#include "core/require.h"

/* Which of the words between bars `text` is, in either case of the letters; -1: none. */
static int find_choice(const char *choices, const char *text)
{
    size_t length = strlen(text);
    for (int i = 0; choices; i++) {
        size_t width = strcspn(choices, "|");
        if (width == length && strncasecmp(choices, text, length) == 0)
            return i;
        choices = choices[width] ? choices + width + 1 : NULL;
    }
    return -1;
}

/* Bytes, K, M, G or T (powers of 1024), either case, as in "64M" or "1.5GiB". */
static bool parse_size(const char *text, double most, int64_t *bytes)
{
    static const char units[] = "KMGT";
    const char *end = text + strlen(text);
    double number;
    const char *p = pt_parse_real(text, end, &number);
    if (p == text)
        return false;
    char unit = *p >= 'a' && *p <= 'z' ? (char)(*p - 'a' + 'A') : *p;
    const char *found = unit ? strchr(units, unit) : NULL;
    if (found) {
        number *= (double)(INT64_C(1) << (10 * (found - units + 1)));
        p++;
        if (*p == 'i' && p[1] == 'B')
            p++;
    }
    if (*p == 'B')
        p++;
    if (p != end || !(number >= 0 && number <= most))
        return false;
    *bytes = (int64_t)number;
    return true;
}

bool pt_option_within(const partan_option *option, double number)
{
    bool open = option->type != PARTAN_OPTION_REAL && option->most >= PT_NO_LIMIT;
    return number >= option->least && (open || number <= option->most);
}

static bool parse(const partan_option *option, const char *text, partan_option_value *value)
{
    *value = (partan_option_value){.choice = find_choice(option->choices, text)};
    if (value->choice >= 0)
        return true;
    switch (option->type) {
    case PARTAN_OPTION_INTEGER:
        return pt_text_to_integer(text, &value->integer) && pt_option_within(option, (double)value->integer);
    case PARTAN_OPTION_REAL:
        return pt_text_to_real(text, &value->real) && pt_option_within(option, value->real);
    case PARTAN_OPTION_SIZE:
        return parse_size(text, option->most, &value->integer) && pt_option_within(option, (double)value->integer);
    case PARTAN_OPTION_TEXT:
        return true;
    case PARTAN_OPTION_FLAG: /* "no" may be among the choices; it is understood in any case */
        value->integer = strcmp(text, "yes") == 0;
        return value->integer || strcmp(text, "no") == 0;
    case PARTAN_OPTION_CHOICE:
        break;
    }
    return false;
}

/* ---- The sentence ---- */

static void add(pt_phrase *sentence, const char *text, size_t length)
{
    size_t room = sizeof sentence->text - 1 - sentence->length;
    if (length > room)
        length = room;
    memcpy(sentence->text + sentence->length, text, length);
    sentence->length += length;
    sentence->text[sentence->length] = '\0';
}

static void add_text(pt_phrase *sentence, const char *text)
{
    add(sentence, text, strlen(text));
}

/* "a, b or c" */
static void add_words(pt_phrase *sentence, const char *choices)
{
    for (const char *p = choices; *p;) {
        size_t width = strcspn(p, "|");
        const char *next = p[width] ? p + width + 1 : p + width;
        if (p != choices)
            add_text(sentence, *next ? ", " : " or ");
        add(sentence, p, width);
        p = next;
    }
}

static void add_bounds(pt_phrase *sentence, const partan_option *option)
{
    char number[PT_NUMBER_SIZE];
    bool open = option->type == PARTAN_OPTION_INTEGER && option->most >= PT_NO_LIMIT;
    add_text(sentence, open ? " of at least " : " from ");
    pt_format_real(number, option->least);
    add_text(sentence, number);
    if (open)
        return;
    pt_format_real(number, option->most);
    add_text(sentence, " to ");
    add_text(sentence, number);
}

void pt_option_describe(const partan_option *option, pt_phrase *sentence)
{
    static const char *const nouns[] = {
        [PARTAN_OPTION_CHOICE] = "",       [PARTAN_OPTION_INTEGER] = "a whole number",
        [PARTAN_OPTION_REAL] = "a number", [PARTAN_OPTION_SIZE] = "a number of bytes (or of K, M, G or T)",
        [PARTAN_OPTION_FLAG] = "yes",      [PARTAN_OPTION_TEXT] = "a text",
    };
    const char *noun = nouns[option->type];
    *sentence = (pt_phrase){0};
    add_text(sentence, noun);
    if (option->type == PARTAN_OPTION_INTEGER || option->type == PARTAN_OPTION_REAL)
        add_bounds(sentence, option);
    if (option->choices) {
        if (*noun)
            add_text(sentence, ", or ");
        add_words(sentence, option->choices);
    }
}

partan_status partan_option_parse(partan_context *context, const partan_option *option, const char *text,
                                  partan_option_value *value)
{
    PT_REQUIRE(context, context && option && text && value);
    return pt_option_parse(context, option, text, value);
}

partan_status pt_option_parse(partan_context *context, const partan_option *option, const char *text,
                              partan_option_value *value)
{
    if (parse(option, text, value))
        return PARTAN_OK;
    pt_phrase expected;
    pt_option_describe(option, &expected);
    return pt_fail(context, PARTAN_ERROR_ARGUMENT, "%s takes %s, not '%s'", option->name, expected.text, text);
}
