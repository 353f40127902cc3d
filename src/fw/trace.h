/* Which iterations are traced: all, or about so many at log-spaced numbers, so that a million of them stay readable. */
#ifndef PT_TRACE_H
#define PT_TRACE_H

#include "fw/fw.h"

typedef struct pt_trace {
    partan_context *context;
    double ratio; /* between successive traced iterations, in the long run */
    int64_t next; /* the first iteration not to skip */
    int64_t last; /* the last one traced; -1: none */
    double start;
} pt_trace;

void pt_trace_begin(pt_trace *trace, partan_context *context, int64_t rows, double start);
/* Calls the context's trace callback when the row's iteration is due, or when it is the final one and was not traced.
 * `clock` is when the iteration was as the row shows it. */
void pt_trace_row(pt_trace *trace, partan_trace_row *row, double clock, bool final);
void pt_trace_iteration(pt_trace *trace, const pt_fw *fw, double clock, bool final);

#endif
