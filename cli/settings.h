/* The library's settings from the command line, for the commands that train. */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include "command.h"

/* Sets what was given, but for the setting `other`, which the command reads itself (NULL: none), and checks what only
 * shows in their combination. Returns an exit code. */
int settings_apply(invocation *run, const char *other, partan_settings *settings);

#endif
