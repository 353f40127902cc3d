/* The library's settings from the command line, for the commands that train. */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include "command.h"

/* Sets what was given, but for the settings `others`, which the command reads itself (a list that ends with NULL, or
 * NULL), and checks what only shows in their combination. Returns an exit code. */
int settings_apply(invocation *run, const char *const *others, partan_settings *settings);

#endif
