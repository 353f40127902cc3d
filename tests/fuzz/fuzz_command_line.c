/* Command lines of any words, one a line, the first a command: parsed and asked for what they say, but not carried out.
 * What is accepted has as many arguments as the command takes, and values that its options allow. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gamma_grid.h"
#include "grid.h"
#include "options.h"
#include "runtime.h"
#include "settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { MOST_WORDS = 64 };

static void require(int condition)
{
    if (!condition)
        abort();
}

static void ask_about(invocation *run, const given *one)
{
    const char *name = one->option->name;
    const option_set *set = NULL;
    partan_option_value value;
    require(option_given(run, name) != NULL && option_times(run, name) > 0);
    require((one->option->type == PARTAN_OPTION_FLAG) == (one->text == NULL));
    if (!one->text) {
        (void)option_flag(run, name, true);
        return;
    }
    for (size_t i = 0; command_option(run->command, i, &set) != one->option;)
        i++;
    bool allowed = partan_option_parse(run->context, one->option, one->text, &value) == PARTAN_OK;
    require(allowed || set->checked_later);
    require(option_choice(run, name, -1) < 100);
}

static void ask_for_grids(invocation *run)
{
    double *values = NULL, ends[5];
    gamma_grid grid;
    const char *cost = option_text(run, "cost"), *gamma = option_text(run, "gamma");
    if (cost) {
        size_t count = grid_list(run, "cost", cost, &values);
        for (size_t i = 0; i < count; i++)
            require(values[i] > 0);
        free(values);
        if (grid_range(run, "cost", cost, 5, ends))
            for (size_t i = 1; i < 5; i++)
                require(ends[i] >= ends[i - 1]);
    }
    if (gamma) {
        require(!gamma_grid_parse(run, gamma, &grid) || grid.count > 0);
        gamma_grid_free(&grid);
    }
}

static void ask(invocation *run)
{
    partan_settings settings;
    require(run->argument_count >= run->command->least && run->argument_count <= run->command->most);
    for (size_t i = 0; i < run->given_count; i++)
        ask_about(run, &run->given[i]);
    int code = settings_apply(run, NULL, &settings);
    require(code != EXIT_DONE || partan_settings_check(run->context, &settings) == PARTAN_OK);
    (void)reading_options(run, (reading){0});
    ask_for_grids(run);
}

static int split_words(char *text, char **words)
{
    int count = 0;
    for (char *next = text; next && count < MOST_WORDS;) {
        words[count++] = next;
        char *end = strchr(next, '\n');
        next = end ? end + 1 : NULL;
        if (end)
            *end = '\0';
    }
    return count;
}

static void parse_line(char *text)
{
    char *words[MOST_WORDS];
    int code = -1, count = split_words(text, words);
    invocation run = {.command = find_command(words[0])};
    if (!run.command)
        return;
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 1;
    run.context = partan_create(&options);
    require(run.context != NULL);
    if (options_parse(&run, count - 1, words + 1, &code))
        ask(&run);
    else
        require(code == EXIT_DONE || code == EXIT_USAGE);
    options_free(&run);
    partan_destroy(run.context);
}

/* Help and complaints go nowhere; what a sanitizer finds is not written by these streams. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    FILE *out = stdout, *err = stderr, *nowhere = fopen("/dev/null", "w");
    char *text = malloc(size + 1);
    require(text && nowhere);
    memcpy(text, bytes, size);
    text[size] = '\0';
    stdout = stderr = nowhere;
    parse_line(text);
    stdout = out;
    stderr = err;
    fclose(nowhere);
    free(text);
    return 0;
}
