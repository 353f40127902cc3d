/* partan help, and the texts behind --help. Lines are 80 columns wide whatever the terminal, so that they can be
 * quoted. */
#include "help.h"

#include <string.h>

#include "message.h"
#include "options.h"
#include "runtime.h"
#include "suggest.h"

enum { WIDTH = 80, NAMES_WIDTH = 26, TEXT_SIZE = 1024 };

const help_entry help_exit_codes[] = {
    {"0", "Success. This includes training that was stopped early by a limit or a signal, with a warning."},
    {"1", "Error in a file or the data, or out of memory; for verify: the model's claims do not hold."},
    {"2", "Usage error: an unknown option or command, or an invalid value."},
    {NULL, NULL},
};

const help_entry help_environment[] = {
    {"PARTAN_ISA", "Instruction set to use: reference, portable, avx2 or avx512; by default the best one available."},
    {"OMP_NUM_THREADS", "Maximum number of threads unless --threads is given, like OMP_THREAD_LIMIT."},
    {"NO_COLOR", "If set and not empty, the progress line has no colours."},
    {NULL, NULL},
};

/* Words of one paragraph from column `column` on, filled to WIDTH, later lines indented to `indent`. */
static void wrap(FILE *file, const char *text, size_t length, size_t column, size_t indent)
{
    const char *end = text + length;
    bool first = true;
    while (text < end) {
        size_t word = strcspn(text, " ");
        if (word > (size_t)(end - text))
            word = (size_t)(end - text);
        if (!first && column + 1 + word > WIDTH) {
            fprintf(file, "\n%*s", (int)indent, "");
            column = indent;
            first = true;
        }
        fprintf(file, "%s%.*s", first ? "" : " ", (int)word, text);
        column += word + !first;
        first = false;
        text += word + (text + word < end);
    }
    fputc('\n', file);
}

static void print_paragraphs(FILE *file, const char *text)
{
    while (*text) {
        const char *end = strstr(text, "\n\n");
        size_t length = end ? (size_t)(end - text) : strlen(text);
        wrap(file, text, length, 0, 0);
        fputc('\n', file);
        text += length + (end ? 2 : 0);
    }
}

static void print_entry(FILE *file, const char *name, const char *text)
{
    size_t length = strlen(name) + 2;
    fprintf(file, "  %s", name);
    if (length + 2 > NAMES_WIDTH)
        fprintf(file, "\n%*s", NAMES_WIDTH, "");
    else
        fprintf(file, "%*s", (int)(NAMES_WIDTH - length), "");
    wrap(file, text, strlen(text), NAMES_WIDTH, NAMES_WIDTH);
}

void help_option_names(const partan_option *option, char *text, size_t size)
{
    const char *name = option->name;
    char letter[8] = "";
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    if (is_negatable(option))
        snprintf(text, size, "%s--%s, --no-%s", letter, name, name);
    else if (option->type == PARTAN_OPTION_FLAG)
        snprintf(text, size, "%s--%s", letter, name);
    else
        snprintf(text, size, "%s--%s %s", letter, name, option->argument);
}

void help_option_text(const partan_option *option, char *text, size_t size)
{
    int length = snprintf(text, size, "%s", option->help);
    if (option->type == PARTAN_OPTION_CHOICE) {
        length += snprintf(text + length, size - (size_t)length, " One of ");
        for (const char *p = option->choices; *p; p++)
            length += snprintf(text + length, size - (size_t)length, *p == '|' ? ", " : "%c", *p);
        length += snprintf(text + length, size - (size_t)length, ".");
    }
    if (option->initial)
        snprintf(text + length, size - (size_t)length, " Default: %s.", option->initial);
}

static void print_options(FILE *file, const command *of)
{
    const option_set *last = NULL, *set = NULL;
    const partan_option *option;
    char names[TEXT_SIZE], text[TEXT_SIZE];
    for (size_t i = 0; (option = command_option(of, i, &set)); i++) {
        if (set != last)
            fprintf(file, "%s%s:\n", last ? "\n" : "", set->title);
        last = set;
        help_option_names(option, names, sizeof names);
        help_option_text(option, text, sizeof text);
        print_entry(file, names, text);
    }
}

static void print_examples(FILE *file, const char *examples)
{
    fputs("\nExamples:\n", file);
    while (*examples) {
        size_t length = strcspn(examples, "\n");
        fprintf(file, "  %.*s\n", (int)length, examples);
        examples += length + (examples[length] == '\n');
    }
}

void help_command_text(const command *of, FILE *file)
{
    fprintf(file, "Usage: partan %s [options]%s%s\n\n", of->name, *of->arguments ? " " : "", of->arguments);
    print_paragraphs(file, of->details);
    print_options(file, of);
    if (of->examples)
        print_examples(file, of->examples);
    fputs("\nExit status: 0 success, 1 failure, 2 usage error.\n", file);
}

static void print_entries(FILE *file, const char *title, const help_entry *entries)
{
    fprintf(file, "\n%s:\n", title);
    for (size_t i = 0; entries[i].name; i++)
        print_entry(file, entries[i].name, entries[i].text);
}

void help_summary(FILE *file)
{
    char name[TEXT_SIZE];
    fputs("Usage: partan COMMAND [options] ...\n\n"
          "Train kernel machines on large data with Frank-Wolfe methods and a certificate.\n\nCommands:\n",
          file);
    for (size_t i = 0; commands[i]; i++) {
        snprintf(name, sizeof name, "%s %s", commands[i]->name, commands[i]->arguments);
        print_entry(file, name, commands[i]->summary);
    }
    fputs("\npartan help COMMAND, or partan COMMAND --help, shows the options of a command.\n", file);
}

void help_overview(FILE *file)
{
    help_summary(file);
    fputs("\nResults go to standard output, progress and messages to standard error. With\n"
          "--json a successful run prints exactly one JSON object; a failed run prints\nnothing on standard output and "
          "an error message on standard error.\n",
          file);
    print_entries(file, "Exit status", help_exit_codes);
    print_entries(file, "Environment", help_environment);
}

static int help(invocation *run)
{
    const char *shell = option_text(run, "completions");
    if (option_flag(run, "man", false)) {
        man_page(stdout);
        return EXIT_DONE;
    }
    if (shell) {
        completions(shell, stdout);
        return EXIT_DONE;
    }
    if (run->argument_count == 0) {
        help_overview(stdout);
        return EXIT_DONE;
    }
    const command *found = find_command(run->arguments[0]);
    if (found) {
        help_command_text(found, stdout);
        return EXIT_DONE;
    }
    suggestion search;
    suggest_begin(&search, run->arguments[0]);
    for (size_t i = 0; commands[i]; i++)
        suggest_offer(&search, commands[i]->name);
    if (search.best)
        return usage_error(run, "unknown command '%s'; did you mean '%s'?", run->arguments[0], search.best);
    return usage_error(run, "unknown command '%s'", run->arguments[0]);
}

/* clang-format off */
static const partan_option list[] = {
    {"man", 0, PARTAN_OPTION_FLAG, NULL, NULL, NULL, 0, 0, "Print the manual page, for man -l."},
    {"completions", 0, PARTAN_OPTION_CHOICE, "SHELL", "bash|zsh|fish", NULL, 0, 0,
     "Print the completion script of a shell, to be sourced."},
    OPTION_END,
};
/* clang-format on */
static const option_set own = {.title = "Documents", .list = list};
static const option_set *const sets[] = {&own, &help_set, NULL};

const command help_command = {
    .name = "help",
    .arguments = "[COMMAND]",
    .summary = "Show help on a command, or list all commands.",
    .details = "Prints the options of COMMAND, or the list of commands, or the manual page, or completion scripts.",
    .examples = "$ partan help train\n$ partan help --man > partan.1\n$ source <(partan help --completions bash)",
    .sets = sets,
    .most = 1,
    .bare = true,
    .run = help,
};
