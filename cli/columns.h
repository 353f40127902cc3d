/* CSV files that partan wrote: numbers in columns with names. */
#ifndef CLI_COLUMNS_H
#define CLI_COLUMNS_H

#include "command.h"

typedef struct columns {
    size_t count, rows; /* columns that were asked for, and lines */
    double *values;     /* line by line; NaN where a field is empty or no number */
} columns;

/* The first line of a file that is no comment, without its end, into `line`; false when there is none. */
bool first_line(const char *path, char *line, size_t size);

/* Whether a file's first line that is no comment has a column of this name. */
bool columns_have(const char *path, const char *name);

/* Reads the columns of these names; a file that lacks one is a failure. Returns an exit code. To be freed in every
 * case. */
int columns_read(invocation *run, const char *path, const char *const *names, size_t count, columns *found);
void columns_free(columns *found);

static inline double columns_at(const columns *of, size_t row, size_t column)
{
    return of->values[row * of->count + column];
}

#endif
