#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "habits.h"
#include "help.h"
#include "message.h"
#include "suggest.h"
#include "weights.h"

typedef struct parser {
    invocation *run;
    char **words;
    int count, next;
    bool only_arguments; /* after -- */
    bool done;           /* *code is final */
    int code;
} parser;

static void stop(parser *at, int code)
{
    at->done = true;
    at->code = code;
}

static const partan_option *find_name(const command *of, const char *name, size_t length, bool *negated)
{
    const partan_option *option;
    for (size_t i = 0; (option = command_option(of, i, NULL)); i++) {
        if (strlen(option->name) == length && memcmp(option->name, name, length) == 0) {
            *negated = false;
            return option;
        }
        if (is_negatable(option) && length > 3 && memcmp(name, "no-", 3) == 0 && strlen(option->name) == length - 3
            && memcmp(option->name, name + 3, length - 3) == 0) {
            *negated = true;
            return option;
        }
    }
    return NULL;
}

static const partan_option *find_letter(const command *of, char letter)
{
    const partan_option *option;
    for (size_t i = 0; (option = command_option(of, i, NULL)); i++)
        if (option->letter == letter)
            return option;
    return NULL;
}

/* Keeps what was given; --help ends the parsing. There is room for one entry a letter of every word. */
static void keep(parser *at, const partan_option *option, const char *text, bool negated)
{
    invocation *run = at->run;
    if (strcmp(option->name, "help") == 0 && option->type == PARTAN_OPTION_FLAG) {
        help_command_text(run->command, stdout);
        stop(at, EXIT_DONE);
        return;
    }
    run->given[run->given_count++] = (given){.option = option, .text = text, .negated = negated};
}

static void unknown_long(parser *at, const char *name, size_t length)
{
    suggestion search;
    char wanted[64];
    const partan_option *option;
    size_t kept = length < sizeof wanted - 1 ? length : sizeof wanted - 1;
    memcpy(wanted, name, kept);
    wanted[kept] = '\0';
    suggest_begin(&search, wanted);
    for (size_t i = 0; (option = command_option(at->run->command, i, NULL)); i++)
        suggest_offer(&search, option->name);
    if (search.best)
        stop(at, usage_error(at->run, "unknown option '--%.*s'; did you mean '--%s'?", (int)length, name, search.best));
    else
        stop(at, usage_error(at->run, "unknown option '--%.*s'", (int)length, name));
}

/* The value after an option: the next word, whatever it begins with. */
static const char *next_value(parser *at, const partan_option *option, const char *shown)
{
    if (at->next < at->count)
        return at->words[at->next++];
    stop(at, usage_error(at->run, "option '%s' needs a value: %s %s", shown, shown, option->argument));
    return NULL;
}

static void parse_long(parser *at, const char *word)
{
    const char *name = word + 2;
    size_t length = strcspn(name, "=");
    const char *value = name[length] ? name + length + 1 : NULL;
    bool negated;
    const partan_option *option = find_name(at->run->command, name, length, &negated);
    if (!option) {
        unknown_long(at, name, length);
        return;
    }
    if (option->type == PARTAN_OPTION_FLAG) {
        if (value)
            stop(at, usage_error(at->run, "option '--%.*s' takes no value", (int)length, name));
        else
            keep(at, option, NULL, negated);
        return;
    }
    if (!value)
        value = next_value(at, option, word);
    if (value)
        keep(at, option, value, false);
}

/* What an option of LIBSVM's is called here, with a value that was made of its words. */
static void keep_meant(parser *at, const habit *found)
{
    bool negated;
    invocation *run = at->run;
    const partan_option *option = find_name(run->command, found->option, strlen(found->option), &negated);
    char *text = strdup(found->value);
    if (!option || !text) {
        free(text);
        stop(at, failure(run, "out of memory"));
        return;
    }
    bool flag = option->type == PARTAN_OPTION_FLAG;
    keep(at, option, flag ? NULL : text, false);
    run->given[run->given_count - 1].own = text;
}

/* True when the word was an option of LIBSVM's programs that is not one here. */
static bool parse_habit(parser *at, const char *word)
{
    habit found = habit_find(at->run->command, word, at->next < at->count ? at->words[at->next] : NULL);
    if (!found.known)
        return false;
    at->next += found.accepted ? found.words - 1 : 0;
    if (!found.accepted)
        stop(at, usage_error(at->run, "%s", found.sentence));
    else if (found.option)
        keep_meant(at, &found);
    return true;
}

/* -c1, -c 1, -qv */
static void parse_letters(parser *at, const char *word)
{
    if (parse_habit(at, word))
        return;
    for (const char *p = word + 1; *p && !at->done; p++) {
        const partan_option *option = find_letter(at->run->command, *p);
        if (!option) {
            stop(at, usage_error(at->run, "unknown option '-%c'%s%s", *p, p == word + 1 ? "" : " in ",
                                 p == word + 1 ? "" : word));
            return;
        }
        if (option->type == PARTAN_OPTION_FLAG) {
            keep(at, option, NULL, false);
            continue;
        }
        char shown[3] = {'-', *p, '\0'};
        const char *value = p[1] ? p + 1 : next_value(at, option, shown);
        if (value)
            keep(at, option, value, false);
        return;
    }
}

static void parse_word(parser *at)
{
    const char *word = at->words[at->next++];
    if (at->only_arguments || word[0] != '-' || word[1] == '\0')
        at->run->arguments[at->run->argument_count++] = word;
    else if (strcmp(word, "--") == 0)
        at->only_arguments = true;
    else if (word[1] == '-')
        parse_long(at, word);
    else
        parse_letters(at, word);
}

static void check_arguments(parser *at)
{
    const invocation *run = at->run;
    const command *of = run->command;
    if (run->argument_count < of->least)
        stop(at, usage_error(at->run, "%s is missing; usage: partan %s [options] %s",
                             run->argument_count == 0 ? "an argument" : "one more argument", of->name, of->arguments));
    else if (run->argument_count > of->most)
        stop(at, usage_error(at->run, "unexpected argument '%s'; usage: partan %s [options] %s",
                             run->arguments[of->most], of->name, of->arguments));
}

int refused_value(invocation *run, const partan_option *option, const char *text, const char *sentence)
{
    suggestion search;
    suggest_begin(&search, text);
    char word[64];
    char best[64] = "";
    for (const char *p = option->choices; p && *p;) {
        size_t width = strcspn(p, "|");
        if (width < sizeof word) {
            memcpy(word, p, width);
            word[width] = '\0';
            search.best = NULL;
            suggest_offer(&search, word);
            if (search.best)
                memcpy(best, word, width + 1);
        }
        p += width + (p[width] == '|');
    }
    if (*best && *text)
        return usage_error(run, "--%s; did you mean '%s'?", sentence, best);
    return usage_error(run, "--%s", sentence);
}

/* Values, but for the sets whose command checks them. */
static void check_values(parser *at)
{
    partan_context_options options;
    partan_context_options_init(&options);
    options.isa = "reference"; /* whatever the environment says: this context only carries sentences */
    options.threads = 1;
    partan_context *context = partan_create(&options);
    invocation *run = at->run;
    if (!context)
        stop(at, failure(run, "out of memory"));
    for (size_t i = 0; i < run->given_count && !at->done; i++) {
        const given *one = &run->given[i];
        const option_set *set = NULL;
        const partan_option *option;
        for (size_t j = 0; (option = command_option(run->command, j, &set)) && option != one->option;)
            j++;
        partan_option_value value;
        if (one->text && set && !set->checked_later && partan_option_parse(context, one->option, one->text, &value))
            stop(at, refused_value(run, one->option, one->text, partan_error(context)));
    }
    partan_destroy(context);
}

bool options_parse(invocation *run, int count, char **words, int *code)
{
    size_t room = 1;
    for (int i = 0; i < count; i++)
        room += strlen(words[i]) + 1;
    run->given = calloc(room, sizeof *run->given);
    run->arguments = calloc((size_t)count + 1, sizeof *run->arguments);
    parser at = {.run = run, .words = words, .count = count};
    if (!run->given || !run->arguments)
        stop(&at, failure(run, "out of memory"));
    while (!at.done && at.next < at.count)
        parse_word(&at);
    if (!at.done)
        check_values(&at);
    if (!at.done)
        check_arguments(&at);
    *code = at.code;
    return !at.done;
}

void options_free(invocation *run)
{
    class_weights_free(run);
    for (size_t i = 0; i < run->given_count; i++)
        free(run->given[i].own);
    free(run->given);
    free(run->arguments);
}

/* ---- Questions ---- */

const given *option_given(const invocation *run, const char *name)
{
    for (size_t i = run->given_count; i-- > 0;)
        if (strcmp(run->given[i].option->name, name) == 0)
            return &run->given[i];
    return NULL;
}

const char *option_text(const invocation *run, const char *name)
{
    const given *found = option_given(run, name);
    return found ? found->text : NULL;
}

bool option_flag(const invocation *run, const char *name, bool otherwise)
{
    const given *found = option_given(run, name);
    return found ? !found->negated : otherwise;
}

size_t option_times(const invocation *run, const char *name)
{
    size_t times = 0;
    for (size_t i = 0; i < run->given_count; i++)
        times += strcmp(run->given[i].option->name, name) == 0;
    return times;
}

bool option_value(const invocation *run, const char *name, partan_option_value *value)
{
    const given *found = option_given(run, name);
    return found && partan_option_parse(run->context, found->option, found->text, value) == PARTAN_OK;
}

int option_choice(const invocation *run, const char *name, int otherwise)
{
    partan_option_value value;
    return option_value(run, name, &value) ? value.choice : otherwise;
}
