/* Reading data sets from text that is already in memory; for tests and fuzzing. */
#ifndef PT_READ_H
#define PT_READ_H

#include "data/data.h"

/* As partan_data_read, from `size` bytes at text (no NUL needed, not compressed); options may be NULL. */
partan_status pt_data_parse(partan_context *context, const char *name, const char *text, size_t size,
                            const partan_read_options *options, partan_data **data);

/* The same with the sizes that decide where text is cut; the result does not depend on them. */
typedef struct pt_cuts {
    size_t chunk; /* bytes read at a time, at least */
    size_t piece; /* bytes that are worth a thread */
} pt_cuts;

partan_status pt_data_parse_cut(partan_context *context, const char *name, const char *text, size_t size,
                                const partan_read_options *options, pt_cuts cuts, partan_data **data);

#endif
