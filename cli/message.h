/* Messages on standard error, with the command's name before them and the progress line out of their way. */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include "command.h"

#if defined(__GNUC__)
#define CLI_FORMAT(position) __attribute__((format(printf, position, position + 1)))
#else
#define CLI_FORMAT(position)
#endif

int usage_error(invocation *run, const char *format, ...) CLI_FORMAT(2); /* returns EXIT_USAGE */
int failure(invocation *run, const char *format, ...) CLI_FORMAT(2);     /* returns EXIT_FAILED */
void warning(invocation *run, const char *format, ...) CLI_FORMAT(2);    /* unless it says what the last one did */
void note(invocation *run, const char *format, ...) CLI_FORMAT(2);

/* A library call that did not return PARTAN_OK: its sentence, or that it was interrupted. Returns the exit code. */
int library_failure(invocation *run, partan_status status);

#endif
