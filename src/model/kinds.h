/* The kinds of models that have files, told apart by the first word of the first line. */
#ifndef PT_MODEL_KINDS_H
#define PT_MODEL_KINDS_H

#include "model/scan.h"

typedef struct pt_model_kind {
    const char *magic;   /* first word of its files */
    const char *version; /* of their format: the second word */
    const char *foreign; /* first word of other programs' files that are read too; NULL: none */
    const char *title;   /* for messages */
} pt_model_kind;

extern const pt_model_kind pt_model_kinds[]; /* by partan_kind */

/* Moves to the first line and fails unless it is that of the kind. */
partan_status pt_kind_first_line(pt_scan *scan, const pt_model_kind *kind);

#endif
