/* Command lines against a command's table of options. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "command.h"

/* Reads the words after the command's name into run. Returns true to go on; false when all is said (a usage error, or
 * --help), with the exit code. */
bool options_parse(invocation *run, int count, char **words, int *code);
void options_free(invocation *run);

/* What was given last under a name. */
const given *option_given(const invocation *run, const char *name); /* NULL: not given */
const char *option_text(const invocation *run, const char *name);   /* NULL: not given */
bool option_flag(const invocation *run, const char *name, bool otherwise);
size_t option_times(const invocation *run, const char *name);
/* True and the value when given; texts have passed the checks of the table before a command runs. */
bool option_value(const invocation *run, const char *name, partan_option_value *value);
int option_choice(const invocation *run, const char *name, int otherwise);

/* A value that a setting or option refused, with the library's sentence. Returns EXIT_USAGE. */
int refused_value(invocation *run, const partan_option *option, const char *text, const char *sentence);

#endif
