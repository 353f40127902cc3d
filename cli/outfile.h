/* Files the command line writes itself, by the library's way of writing them. */
#ifndef CLI_OUTFILE_H
#define CLI_OUTFILE_H

#include "command.h"

/* Both print what went wrong and return an exit code, EXIT_DONE when all is well. */
int outfile_open(invocation *run, const char *path, partan_output *out);
int outfile_commit(invocation *run, partan_output *out);

/* Whether a file could and may be written there, before hours of work are lost on it: the guard is told of it, so that
 * it replaces nothing that the run reads or writes, nor a model something that is none (guard.h). NULL: there is none.
 * outfile_open does the same for what was not checked before. */
int outfile_check(invocation *run, const char *path);
int outfile_check_model(invocation *run, const char *path);
int outfile_check_checkpoint(invocation *run, const char *path);
/* Several of them, of a command that reads `input`. */
int outfile_check_all(invocation *run, const char *const *paths, size_t count, const char *input);
/* Whether a path is "-", not a file's; NULL is not. */
bool is_standard_output(const char *path);
bool ends_in(const char *path, const char *ending); /* and is longer */

/* Where a model goes: the second argument or, where there is none, named after the data file: dir/a9a.xz -> a9a.model,
 * in the current directory as svm-train does. The guard is told of the data file. *own is that name, to be freed, or
 * NULL. An exit code as above. */
int outfile_choose_model(invocation *run, const char *data_path, const char **path, char **own);

#endif
