/* The points of a tuning as a CSV file, from which it can be resumed and plotted. */
#ifndef CLI_TUNE_TABLE_H
#define CLI_TUNE_TABLE_H

#include "tune_report.h"

#define TUNE_TABLE_MAGIC "# partan tune"

/* The points of a table. */
typedef struct tune_table {
    char *identity; /* the first line: what was tuned, and how */
    partan_tune_point *points;
    size_t count;
} tune_table;

/* Returns an exit code; a file that is no such table is a failure that says so. To be freed in every case. */
int tune_table_read(invocation *run, const char *path, tune_table *table);
void tune_table_free(tune_table *table);

/* Takes over the gammas that a table of the same tuning has complete; a file that is not there is no table. */
int tune_table_resume(invocation *run, tuning *at);
/* Writes all gammas that are complete. */
int tune_table_write(invocation *run, const tuning *at);

#endif
