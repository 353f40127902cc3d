/* What a user probably meant, where something else was found. */
#ifndef CLI_HINTS_H
#define CLI_HINTS_H

#include "command.h"

/* After a data file was refused by the reader: prints a sentence if it is a model, or if the labels
 * seem to be in the last column. */
void hint_refused_data(invocation *run, const char *path, const partan_read_options *options);

/* Whether a path names a regular file, which may be looked into and then read from its beginning again. */
bool is_regular_file(const char *path);

/* Whether the file given as a model is none, and the one given as data is. */
bool looks_swapped(const invocation *run, const char *model, const char *data);
/* Whether a file begins like a model. Pipes and missing files do not. */
bool looks_like_model(const invocation *run, const char *path);

#endif
