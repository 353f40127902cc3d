/* The header of model files: lines of `key value`, every key once, in the order of a table over the model's struct.
 *
 * A kind of model has a first line, `magic version`, a table of keys, a body of its own, and the last line, `end`.
 *
 * What later releases may do. The number in the first line changes when a reader of this release would misread the
 * file. Keys that merely inform, and that a reader may skip without predicting or auditing anything else than the
 * writer meant, can be added under names that begin with "info."; this reader skips them wherever they stand in the
 * header. Any other unknown key is an error, since to ignore it might change the meaning of the rest. */
#ifndef PT_MODEL_HEADER_H
#define PT_MODEL_HEADER_H

#include <float.h>
#include <stdio.h>

#include "model/kinds.h"
#include "model/scan.h"
#include "settings/table.h"

typedef enum pt_key_type {
    PT_KEY_SETTING, /* of a table of settings, by its name; `offset` is that of the struct of settings */
    PT_KEY_REAL,
    PT_KEY_INTEGER,
    PT_KEY_UNSIGNED,
    PT_KEY_CHOICE,      /* an enum or flag, by the names of its values */
    PT_KEY_BOOL,        /* a bool, by its two names */
    PT_KEY_FLAG,        /* an int64_t, 0 or 1: no or yes */
    PT_KEY_VERSION,     /* one word into a char[PT_VERSION_SIZE] */
    PT_KEY_FINGERPRINT, /* a uint64_t as 16 hexadecimal digits */
    PT_KEY_LABEL        /* a char * that the reader allocates: any text that is not empty, escaped into one word */
} pt_key_type;

enum { PT_VERSION_SIZE = 32 };

typedef struct pt_key {
    const char *name;
    pt_key_type type;
    size_t offset;               /* in the model */
    double least, most;          /* of numbers, and of a choice's values */
    const char *const *names;    /* of choices, from 0 */
    const pt_settings_table *of; /* of a setting; NULL otherwise */
    bool optional;               /* may be left out, and is where it is 0: a number, or the first choice */
    const partan_option *option; /* of a setting, which has the bounds of its numbers; filled in from its table */
} pt_key;

#define PT_KEY_RANGE(l, m) .least = (l), .most = (m)
#define PT_KEY_ANY         PT_KEY_RANGE(-DBL_MAX, DBL_MAX)
#define PT_KEY_POSITIVE    PT_KEY_RANGE(DBL_MIN, DBL_MAX)
#define PT_KEY_COUNT       PT_KEY_RANGE(0, DBL_MAX)

typedef struct pt_header {
    const pt_model_kind *kind;
    const pt_key *keys;
    size_t count;
    /* Called after each value, for what its type does not say; NULL: nothing more to check. */
    partan_status (*check)(const pt_scan *scan, const pt_key *key, pt_word word, void *model);
    /* Lines that not every file has, before the last key: reads the rest of a line and its end if the key is one of
     * them, which *taken tells, and writes those that the model has. Both or neither. */
    partan_status (*read_other)(pt_scan *scan, pt_word key, void *model, bool *taken);
    void (*write_others)(FILE *file, const void *model);
} pt_header;

/* Up to and including the line of the last key, from the first line on. What was read before a failure stays in the
 * model, labels included, for its destructor. */
partan_status pt_header_read(pt_scan *scan, const pt_header *header, void *model);
partan_status pt_header_write(partan_context *context, const pt_header *header, const void *model, FILE *file);

/* The last line; a file without it was cut short. `what` is what the body is made of: "support vector". */
partan_status pt_end_read(pt_scan *scan, const char *what);
void pt_end_write(FILE *file);

/* Any text as one word, for bodies too: bytes up to the space, DEL and the backslash are written \xHH. A text that was
 * read is the caller's; it is NULL when the word is no label, which is a failure. */
partan_status pt_label_read(const pt_scan *scan, pt_word word, char **text);
void pt_label_write(FILE *file, const char *text);

#endif
