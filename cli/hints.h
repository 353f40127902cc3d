/* What a user probably meant, where something else was found. */
#ifndef CLI_HINTS_H
#define CLI_HINTS_H

#include "command.h"

/* After a data file was refused by the reader: prints a sentence if the labels seem to be in the last column. */
void hint_label_column(invocation *run, const char *path, const partan_read_options *options);

/* Whether a path names a regular file, which may be looked into and then read from its beginning again. */
bool is_regular_file(const char *path);

/* "looks like a model", "looks like data": whether a file begins like a model. Pipes and missing files do not. */
bool looks_like_model(const invocation *run, const char *path);

#endif
