/* Files the command line writes itself, by the library's way of writing them. */
#ifndef CLI_OUTFILE_H
#define CLI_OUTFILE_H

#include "command.h"

/* Both print what went wrong and return an exit code, EXIT_DONE when all is well. */
int outfile_open(invocation *run, const char *path, partan_output *out);
int outfile_commit(invocation *run, partan_output *out);

/* Whether a file could be written there, before hours of work are lost on it. */
int outfile_check(invocation *run, const char *path);
/* Refuses to replace a file that is read: a slip of the fingers must not cost a data set. */
int outfile_protect(invocation *run, const char *path, const char *input);

/* Both, of several files that a command may write; NULL: none. */
int outfile_check_all(invocation *run, const char *const *paths, size_t count, const char *input);
/* Whether a path is "-", not a file's; NULL is not. */
bool is_standard_output(const char *path);

/* Where a model goes: the second argument or, where there is none, named after the data file: dir/a9a.xz -> a9a.model,
 * in the current directory as svm-train does. *own is that name, to be freed, or NULL. An exit code as above. */
int outfile_choose_model(invocation *run, const char *data_path, const char **path, char **own);

#endif
