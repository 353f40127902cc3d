/* One entry of the table of settings, for those who read, write or check settings by their names. */
#ifndef PT_SETTINGS_H
#define PT_SETTINGS_H

#include "partan/partan.h"

/* What the field of partan_settings is in C. */
typedef enum pt_field { PT_FIELD_ENUM, PT_FIELD_INTEGER, PT_FIELD_UNSIGNED, PT_FIELD_REAL } pt_field;

/* Words in the place of a number, such as gamma's rules. A word is a position in the option's choices; -1: a number. */
typedef struct pt_words {
    void (*set)(partan_settings *settings, int word);
    int (*get)(const partan_settings *settings);
} pt_words;

typedef struct pt_setting {
    partan_option option;
    size_t offset; /* of the field in partan_settings */
    pt_field field;
    const char *const *names; /* of a choice's values */
    const char *aliases;      /* other words for choices: "alias=choice|..." */
    const pt_words *words;
} pt_setting;

const pt_setting *pt_setting_find(const char *name); /* max_iter and max-iter are the same name; NULL: there is none */

#endif
