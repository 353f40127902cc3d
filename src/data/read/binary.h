/* Data files that are not text, told by their first bytes. */
#ifndef PT_BINARY_H
#define PT_BINARY_H

#include "data/data.h"

typedef enum pt_binary {
    PT_BINARY_NONE = 0, /* text, as far as this goes */
    PT_BINARY_NPY,
    PT_BINARY_NPZ,
    PT_BINARY_FOREIGN /* of another program, which is not read */
} pt_binary;

/* Looks at regular files only; `foreign` gets the name of the format. */
pt_binary pt_binary_recognise(const char *path, const char **foreign);

/* Reads what pt_binary_recognise found, other than NONE, or says what to do instead. */
partan_status pt_binary_read(partan_context *context, const char *path, const partan_read_options *options,
                             partan_data **data);

#endif
