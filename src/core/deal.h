/* Things that processes deal to each other, as many as they like. */
#ifndef PT_DEAL_H
#define PT_DEAL_H

#include "core/comm.h"
#include "core/context.h"

/* Those of a process: for every process some, one after the other. */
typedef struct pt_dealt {
    void *things;
    uint64_t *counts; /* for, or of, each process */
    size_t count;     /* together */
} pt_dealt;

/* Room for so many of `size` bytes in all, with counts of 0. To be freed also on failure. */
partan_status pt_dealt_make(pt_dealt *dealt, partan_context *context, const pt_comm *comm, size_t count, size_t size);
void pt_dealt_free(partan_context *context, pt_dealt *dealt);

/* What the others have for this process; its own are as counted. `theirs` is to be freed also on failure. */
partan_status pt_deal(partan_context *context, pt_comm *comm, const pt_dealt *mine, size_t size, pt_dealt *theirs);

#endif
