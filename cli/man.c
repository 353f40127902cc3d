/* The manual page, partan(1), in the man macros of roff. */
#include <string.h>

#include "help.h"

enum { TEXT_SIZE = 1024 };

/* Text with what roff would take for itself escaped. */
static void put(FILE *file, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\')
            fputs("\\e", file);
        else if (text[i] == '-')
            fputs("\\-", file);
        else if ((text[i] == '.' || text[i] == '\'') && (i == 0 || text[i - 1] == '\n'))
            fprintf(file, "\\&%c", text[i]);
        else
            fputc(text[i], file);
    }
}

static void put_text(FILE *file, const char *text)
{
    put(file, text, strlen(text));
}

static void entry(FILE *file, const char *name, const char *text)
{
    fputs(".TP\n\\fB", file);
    put_text(file, name);
    fputs("\\fR\n", file);
    put_text(file, text);
    fputc('\n', file);
}

static void paragraphs(FILE *file, const char *text)
{
    while (*text) {
        const char *end = strstr(text, "\n\n");
        size_t length = end ? (size_t)(end - text) : strlen(text);
        fputs(".PP\n", file);
        put(file, text, length);
        fputc('\n', file);
        text += length + (end ? 2 : 0);
    }
}

/* "-t, --kernel NAME" with the argument in italics. */
static void option_entry(FILE *file, const partan_option *option)
{
    char text[TEXT_SIZE];
    help_option_names(option, text, sizeof text);
    const char *argument = option->type == PARTAN_OPTION_FLAG ? NULL : strrchr(text, ' ');
    size_t length = argument ? (size_t)(argument - text) : strlen(text);
    fputs(".TP\n\\fB", file);
    put(file, text, length);
    fputs("\\fR", file);
    if (argument) {
        fputs(" \\fI", file);
        put_text(file, argument + 1);
        fputs("\\fR", file);
    }
    fputc('\n', file);
    help_option_text(option, text, sizeof text);
    put_text(file, text);
    fputc('\n', file);
}

static void examples(FILE *file, const char *text)
{
    fputs(".PP\nExamples:\n.PP\n.nf\n", file);
    while (*text) {
        size_t length = strcspn(text, "\n");
        fputs("    ", file);
        put(file, text, length);
        fputc('\n', file);
        text += length + (text[length] == '\n');
    }
    fputs(".fi\n", file);
}

static void command_section(FILE *file, const command *of)
{
    const option_set *last = NULL, *set = NULL;
    const partan_option *option;
    fprintf(file, ".SS partan %s [options] %s\n", of->name, of->arguments);
    paragraphs(file, of->details);
    for (size_t i = 0; (option = command_option(of, i, &set)); i++) {
        if (set != last)
            fprintf(file, ".PP\n\\fI%s\\fR\n", set->title);
        last = set;
        option_entry(file, option);
    }
    if (of->examples)
        examples(file, of->examples);
}

void man_page(FILE *file)
{
    fprintf(file, ".TH PARTAN 1 \"\" \"partan %s\" \"User Commands\"\n", partan_version());
    fputs(".SH NAME\npartan \\- train kernel machines on large data with Frank\\-Wolfe methods and a certificate\n",
          file);
    fputs(".SH SYNOPSIS\n", file);
    for (size_t i = 0; commands[i]; i++)
        fprintf(file, "%s\\fBpartan %s\\fR [\\fIoptions\\fR] %s\n", i ? ".br\n" : "", commands[i]->name,
                commands[i]->arguments);
    fputs(".SH DESCRIPTION\n", file);
    paragraphs(
        file,
        "partan trains kernel support vector machines with squared hinge loss by Frank-Wolfe methods. Every "
        "model includes a duality gap that can be recomputed from the data: it bounds how far the margin is from the "
        "best possible one.\n\n"
        "Options and arguments may come in any order; -- ends the options. Results go to standard output, progress "
        "and messages to standard error. With --json a successful run prints exactly one JSON object; a failed run "
        "prints nothing on standard output. Output files are written atomically.");
    fputs(".SH COMMANDS\n", file);
    for (size_t i = 0; commands[i]; i++)
        command_section(file, commands[i]);
    fputs(".SH EXIT STATUS\n", file);
    for (size_t i = 0; help_exit_codes[i].name; i++)
        entry(file, help_exit_codes[i].name, help_exit_codes[i].text);
    fputs(".SH ENVIRONMENT\n", file);
    for (size_t i = 0; help_environment[i].name; i++)
        entry(file, help_environment[i].name, help_environment[i].text);
    fputs(".SH SEE ALSO\n.BR svm\\-train (1),\n.BR svm\\-predict (1),\n.BR svm\\-scale (1)\n", file);
}
