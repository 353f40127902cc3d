/* Models of several kinds: what the commands that take a model do, by the kind of it. A kind is one file with a
 * `model_kind`, and one line in the table of kinds.c. */
#ifndef CLI_KINDS_H
#define CLI_KINDS_H

#include "command.h"

/* What is left of each command once its model file is read; all return an exit code. They take the file over, and free
 * it when they have the model, so that its text does not stand beside the data. */
typedef struct model_kind {
    int (*predict)(invocation *run, partan_model_file *file);
    int (*verify)(invocation *run, partan_model_file *file);
    int (*info)(invocation *run, partan_model_file *file);
    bool lists;   /* predict knows --top */
    bool curves;  /* predict knows --plot */
    bool weights; /* verify knows --weights */
    bool shared;  /* several processes can work with it together */
} model_kind;

/* Returns an exit code: EXIT_DONE with a file that the kind's function is to take over. */
int read_any_model(invocation *run, const char *path, partan_model_file **file, const model_kind **kind);

#endif
