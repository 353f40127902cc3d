#include "message.h"

#include <stdarg.h>
#include <string.h>

#include "interrupt.h"
#include "progress.h"

static void print(invocation *run, const char *kind, const char *format, va_list arguments)
{
    if (is_silent(run)) {
        vsnprintf(run->together->unsaid, sizeof run->together->unsaid, format, arguments);
        if (*kind && run->together->warn)
            run->together->warn(run, run->together->unsaid);
        return;
    }
    progress_clear(run);
    fprintf(stderr, run->together ? "partan-mpi" : "partan");
    if (run->command)
        fprintf(stderr, " %s", run->command->name);
    fprintf(stderr, ": %s", kind);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

int usage_error(invocation *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(run, "", format, arguments);
    va_end(arguments);
    if (is_silent(run))
        return EXIT_USAGE;
    if (run->command)
        fprintf(stderr, "Try 'partan help %s'.\n", run->command->name);
    else
        fputs("Try 'partan help'.\n", stderr);
    return EXIT_USAGE;
}

int failure(invocation *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(run, "", format, arguments);
    va_end(arguments);
    return EXIT_FAILED;
}

/* What a call of the library says of the data, the next one says again: of each gamma, or each fold. */
static bool is_repeated(invocation *run, const char *format, va_list arguments)
{
    char text[sizeof run->warned];
    vsnprintf(text, sizeof text, format, arguments);
    bool repeated = strcmp(text, run->warned) == 0;
    memcpy(run->warned, text, sizeof text);
    return repeated;
}

void warning(invocation *run, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    if (!is_repeated(run, format, again))
        print(run, "warning: ", format, arguments);
    va_end(again);
    va_end(arguments);
}

void note(invocation *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(run, "", format, arguments);
    va_end(arguments);
}

int library_failure(invocation *run, partan_status status)
{
    if (status == PARTAN_INTERRUPTED || interrupt_seen())
        return failure(run, "interrupted");
    const char *sentence = partan_error(run->context);
    failure(run, "%s", *sentence ? sentence : partan_status_name(status));
    return status == PARTAN_ERROR_ARGUMENT ? EXIT_USAGE : EXIT_FAILED;
}
