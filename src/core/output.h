/* What is behind a partan_output. */
#ifndef PT_OUTPUT_H
#define PT_OUTPUT_H

#include "core/context.h"

typedef struct pt_output {
    partan_context *context;
    char *path;
    char *target;    /* where the path's links lead */
    char *temporary; /* its name while it is aside, */
    bool unnamed;    /* which it only gets at the end, where the file system can do that */
} pt_output;

/* Of an open output. */
static inline const pt_output *pt_output_of(const partan_output *output)
{
    return output->inside;
}

#endif
