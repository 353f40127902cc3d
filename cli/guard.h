/* The files of a run, so that none is lost: an output replaces no input and no other output of the same run, under
 * whatever name or link, and a model replaces only a file that is a model. Everything that reads or writes a file by
 * name tells the guard first. */
#ifndef CLI_GUARD_H
#define CLI_GUARD_H

#include "command.h"

typedef enum file_use {
    FILE_INPUT,
    FILE_START, /* a model or a checkpoint to go on from: that of the run may take its place */
    FILE_OUTPUT,
    FILE_MODEL,     /* an output that is a model, */
    FILE_CHECKPOINT /* or a checkpoint */
} file_use;

/* Returns an exit code, with a message when the file must not be used so. "-" is standard input or output. The text
 * of the path must stay where it is until the end of the run, by which an output is known when it comes again. */
int guard_file(invocation *run, const char *path, file_use use);

void guard_end(invocation *run);

#endif
