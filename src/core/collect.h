/* What all processes have, one after the other in the order of their ranks. */
#ifndef PT_COLLECT_H
#define PT_COLLECT_H

#include "core/comm.h"
#include "core/context.h"

/* `count` things of `size` bytes of this process; *all, in memory of the context, has those of all, *total. Freed by
 * the caller, also on failure. */
partan_status pt_collect(partan_context *context, pt_comm *comm, const void *mine, size_t count, size_t size,
                         void **all, size_t *total);

#endif
