/* Output files, written atomically as the library writes its own. */
#ifndef PARTAN_OUTPUT_H
#define PARTAN_OUTPUT_H

#include <stdio.h>

#include "partan/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A file that is written atomically: under a temporary name, and renamed when it is complete and on disk. Symbolic
 * links are followed, the permissions of an existing file are kept, and a file without write permission is not
 * replaced. "-" is standard output; pipes and devices are written directly. */
typedef struct partan_output {
    FILE *file;   /* write to this; commit checks it for errors */
    void *inside; /* internal */
} partan_output;

PARTAN_API partan_status partan_output_open(partan_context *context, const char *path, partan_output *output);

/* Both end the output. commit moves the complete file into place, or fails and leaves the previous file unchanged;
 * abandon removes the temporary file, and does nothing if the output has ended or was never opened (all zero). */
PARTAN_API partan_status partan_output_commit(partan_output *output);
PARTAN_API void partan_output_abandon(partan_output *output);

/* For the handler of a signal that will end the process: removes the temporary files of a context's outputs.
 * Async-signal-safe; nothing may be written afterwards. */
PARTAN_API void partan_outputs_drop(partan_context *context);

/* Checks that a file can be written there, before hours of work are lost on it. */
PARTAN_API partan_status partan_output_check(partan_context *context, const char *path);

#ifdef __cplusplus
}
#endif

#endif
