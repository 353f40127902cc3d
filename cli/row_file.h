/* Files with a text for each row. Of several processes each has its rows: the first one writes the file, and gets the
 * others' texts in turn, a piece at a time. */
#ifndef CLI_ROW_FILE_H
#define CLI_ROW_FILE_H

#include "command.h"

typedef struct row_file {
    const void *of;                                      /* what the functions are called with */
    void (*head)(const void *of, FILE *file);            /* what comes before the rows; NULL: nothing */
    bool (*row)(const void *of, size_t row, FILE *file); /* false: out of memory */
    size_t rows;                                         /* of this process */
} row_file;

/* Returns an exit code. */
int write_row_file(invocation *run, const row_file *what, const char *path);

#endif
