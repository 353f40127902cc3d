/* Reading data sets like those that models were trained on, and from text that is already in memory; the latter for
 * tests and fuzzing. */
#ifndef PT_READ_H
#define PT_READ_H

#include "data/data.h"

/* As partan_data_read, of data like that of `features` features that was read as `like` says: where it is a table, and
 * options name no label column, the label is where it was, by name or number, or there is none. */
partan_status pt_data_read_like(partan_context *context, const char *path, const partan_read_options *options,
                                const pt_source *like, uint64_t features, partan_data **data);

/* As partan_data_read, from `size` bytes at text (no NUL needed, not compressed); options may be NULL. */
partan_status pt_data_parse(partan_context *context, const char *name, const char *text, size_t size,
                            const partan_read_options *options, partan_data **data);

/* The same of a part of a data set, which may have no rows, or rows of weight 0 only; `like` as for pt_data_read_like,
 * or NULL. */
partan_status pt_data_parse_part(partan_context *context, const char *name, const char *text, size_t size,
                                 const partan_read_options *options, const pt_source *like, uint64_t features,
                                 partan_data **data);

/* As pt_data_parse, with the number of bytes that are read at a time, at least 1; the result does not depend on it. */
partan_status pt_data_parse_cut(partan_context *context, const char *name, const char *text, size_t size,
                                const partan_read_options *options, size_t block, partan_data **data);

#endif
