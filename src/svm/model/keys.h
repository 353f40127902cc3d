/* The header of a native model file: lines of `key value`, every key once, in the order of the table below.
 *
 * What later releases may do. The number in the first line changes when a reader of this release would misread the
 * file. Keys that merely inform, and that a reader may skip without predicting or auditing anything else than the
 * writer meant, can be added under names that begin with "info."; this reader skips them wherever they stand in the
 * header. Any other unknown key is an error, since to ignore it might change the meaning of the rest. */
#ifndef PT_MODEL_KEYS_H
#define PT_MODEL_KEYS_H

#include "svm/model/model.h"
#include "svm/model/scan.h"

#define PT_MODEL_MAGIC       "partan-model"
#define PT_MODEL_VERSION     "1"
#define PT_MODEL_SKIP_PREFIX "info."
#define PT_MODEL_END         "end" /* the last line: a file without it was cut short */

typedef enum pt_key_type {
    PT_KEY_SETTING, /* of the table of settings, by its name: pt_model_key_at fills in all the rest */
    PT_KEY_REAL,
    PT_KEY_INTEGER,
    PT_KEY_UNSIGNED,
    PT_KEY_CHOICE,      /* an enum or flag, by the names of its values */
    PT_KEY_BOOL,        /* a bool, by its two names */
    PT_KEY_VERSION,     /* one word into model->version */
    PT_KEY_FINGERPRINT, /* 16 hexadecimal digits */
    PT_KEY_LABEL
} pt_key_type;

typedef struct pt_model_key {
    const char *name;
    pt_key_type type;
    size_t offset; /* in partan_model */
    double least, most;
    const char *const *names;    /* of choices, from 0 */
    const partan_option *option; /* of a setting, which has the bounds of its numbers; NULL otherwise */
} pt_model_key;

enum { PT_MODEL_KEY_COUNT = 38 };
pt_model_key pt_model_key_at(int i);

/* Reads up to and including the line that names the number of support vectors. */
partan_status pt_model_header_read(pt_scan *scan, partan_model *model);

#endif
