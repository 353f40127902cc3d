/* Tables of settings: one line a setting, over the fields of one struct. partan_settings has one (settings.h), and a
 * problem may have another over a small public struct of its own. Defaults, texts, checks, the command line, its help
 * and its manual page, and the model files that record a setting, all come from its line. */
#ifndef PT_SETTINGS_TABLE_H
#define PT_SETTINGS_TABLE_H

#include <stddef.h>

#include "partan/partan.h"

/* What the field is in C. */
typedef enum pt_field { PT_FIELD_ENUM, PT_FIELD_INTEGER, PT_FIELD_UNSIGNED, PT_FIELD_REAL } pt_field;

/* Words in the place of a number, such as gamma's rules. A word is a position in the option's choices; -1: a number. */
typedef struct pt_setting_words {
    void (*set)(void *settings, int word);
    int (*get)(const void *settings);
} pt_setting_words;

typedef struct pt_setting {
    partan_option option; /* a flag's field is an int64_t: 0 or 1 */
    size_t offset;        /* of the field in the struct */
    pt_field field;
    const char *const *names; /* of a choice's values */
    const char *aliases;      /* other words for choices: "alias=choice|..." */
    const pt_setting_words *words;
} pt_setting;

/* The part of a line that says which member it is about: {{"tol", ...}, PT_FIELD(partan_settings, tol)}. */
/* clang-format off */
#define PT_FIELD(type, member)                                                                                         \
    .offset = offsetof(type, member),                                                                                  \
    .field = _Generic(((type *)0)->member, double: PT_FIELD_REAL, int64_t: PT_FIELD_INTEGER,                           \
                      uint64_t: PT_FIELD_UNSIGNED, default: PT_FIELD_ENUM)
/* clang-format on */

typedef struct pt_settings_table {
    const pt_setting *list;
    size_t count;
    size_t size; /* of the struct, which begins with its struct_size */
    const char *name;
} pt_settings_table;

#define PT_SETTINGS_TABLE(list, type)                                                                                  \
    {                                                                                                                  \
        list, sizeof(list) / sizeof((list)[0]), sizeof(type), #type                                                    \
    }

/* max_iter and max-iter are the same name; NULL: there is none. */
const pt_setting *pt_setting_find(const pt_settings_table *table, const char *name);

/* What a struct's public functions are made of: entry i (NULL past the last), all defaults, one field by name and text,
 * and all fields against their ranges. `settings` is the table's struct. */
const partan_option *pt_settings_option(const pt_settings_table *table, size_t i);
void pt_settings_init(const pt_settings_table *table, void *settings);
partan_status pt_settings_set(partan_context *context, const pt_settings_table *table, void *settings, const char *name,
                              const char *text);
partan_status pt_settings_check(partan_context *context, const pt_settings_table *table, const void *settings);

#endif
