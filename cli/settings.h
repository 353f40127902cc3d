/* The library's settings from the command line, for the commands that train. */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include "command.h"

/* Sets what was given, but for the settings `others`, which the command reads itself (a list that ends with NULL, or
 * NULL), and checks what only shows in their combination. Returns an exit code. */
int settings_apply(invocation *run, const char *const *others, partan_settings *settings);

/* How a command's table of settings differs from the library's; a list of them ends with one without name. */
typedef struct settings_change {
    const char *name;
    const partan_option *replacement; /* NULL: the command has no such option */
} settings_change;

const partan_option *settings_option(const settings_change *changes, size_t index); /* NULL past the last */
const partan_option *settings_find(const char *name);                               /* in the library's table */

#endif
