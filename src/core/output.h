/* Output files: written aside and renamed into place when complete, so that nothing half-written is left behind.
 * "-" is standard output; a path that exists and is no regular file (a pipe, a device) is written directly. */
#ifndef PT_OUTPUT_H
#define PT_OUTPUT_H

#include <stdio.h>

#include "core/context.h"

typedef struct pt_output {
    partan_context *context;
    FILE *file;
    char *path;      /* as named by the caller */
    char *temporary; /* written aside; NULL when written directly */
} pt_output;

partan_status pt_output_open(partan_context *context, const char *path, pt_output *output);
/* Flushes, closes, renames. On failure, or instead of it, abandon removes what was written aside. Both end the output.
 */
partan_status pt_output_commit(pt_output *output);
void pt_output_abandon(pt_output *output);

#endif
