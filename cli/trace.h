/* Trace files of train: CSV or JSON lines, by the name's ending. */
#ifndef CLI_TRACE_H
#define CLI_TRACE_H

#include "outfile.h"

typedef struct trace_file {
    partan_output out;
    bool lines; /* JSON lines */
} trace_file;

int trace_open(invocation *run, const char *path, trace_file *trace);
void trace_callback(void *user, const partan_trace_row *row); /* user is the invocation */
int trace_commit(invocation *run);                            /* closes run->trace, if there is one */
void trace_abandon(invocation *run);

#endif
