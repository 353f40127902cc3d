/* Settings from the command line, for the commands that train: the library's, all or some of them, and those of a
 * problem's own table. */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include "command.h"

/* ---- partan_settings ---- */

/* Sets what was given, weights of classes included, but for the settings `others`, which the command reads itself (a
 * list that ends with NULL, or NULL), and checks what only shows in their combination. Returns an exit code. */
int settings_apply(invocation *run, const char *const *others, partan_settings *settings);

/* How a command's table of settings differs from the library's; a list of them ends with one without name. */
typedef struct settings_change {
    const char *name;
    const partan_option *replacement; /* NULL: the command has no such option */
} settings_change;

const partan_option *settings_option(const settings_change *changes, size_t index); /* NULL past the last */
const partan_option *settings_find(const char *name);                               /* in the library's table */

/* For a command that has only some of the library's settings: those it has, in the order of its help, with texts of its
 * own where the library's speak of SVMs. A list ends with one without name. */
typedef struct settings_kept {
    const char *name;
    const char *help;     /* NULL: the library's */
    const char *initial;  /* the default; NULL: the library's */
    partan_option option; /* what settings_kept_option makes of it */
} settings_kept;

const partan_option *settings_kept_option(settings_kept *kept, size_t index); /* NULL past the last */
int settings_kept_apply(invocation *run, const settings_kept *kept, partan_settings *settings);

/* ---- A problem's own ---- */

/* The public functions of a table, for whatever struct it is. */
typedef struct settings_table {
    const partan_option *(*option)(size_t index); /* also the `at` of an option_set, with checked_later */
    void (*init)(void *settings);
    partan_status (*set)(partan_context *context, void *settings, const char *name, const char *text);
    partan_status (*check)(partan_context *context, const void *settings);
} settings_table;

/* Defines `table` for a struct `type` whose functions are type_option, type_init, type_set and type_check. */
#define SETTINGS_TABLE(table, type)                                                                                    \
    static void table##_init(void *settings)                                                                           \
    {                                                                                                                  \
        type##_init(settings);                                                                                         \
    }                                                                                                                  \
    static partan_status table##_set(partan_context *context, void *settings, const char *name, const char *text)      \
    {                                                                                                                  \
        return type##_set(context, settings, name, text);                                                              \
    }                                                                                                                  \
    static partan_status table##_check(partan_context *context, const void *settings)                                  \
    {                                                                                                                  \
        return type##_check(context, settings);                                                                        \
    }                                                                                                                  \
    static const settings_table table = {type##_option, table##_init, table##_set, table##_check}

/* All defaults, what was given, and the check. Returns an exit code. */
int settings_table_apply(invocation *run, const settings_table *table, void *settings);

#endif
