#include "core/collect.h"

#include <string.h>

partan_status pt_collect(partan_context *context, pt_comm *comm, const void *mine, size_t count, size_t size,
                         void **all, size_t *total)
{
    size_t processes = (size_t)comm->size, at = 0;
    uint64_t *counts = pt_alloc_zero(context, processes, sizeof *counts);
    *all = NULL;
    *total = 0;
    if (!counts)
        return pt_out_of_memory(context, "what other processes have");
    counts[comm->rank] = count;
    comm->sum_integers(comm, counts, processes);
    for (size_t i = 0; i < processes; i++)
        *total += (size_t)counts[i];
    char *bytes = pt_alloc(context, *total, size);
    for (size_t i = 0; i < processes && bytes; i++) {
        size_t some = (size_t)counts[i] * size;
        if ((int)i == comm->rank && count > 0)
            memcpy(bytes + at, mine, some);
        if (some > 0)
            comm->broadcast(comm, (int)i, bytes + at, some);
        at += some;
    }
    pt_free(context, counts);
    *all = bytes;
    return bytes ? PARTAN_OK : pt_out_of_memory(context, "what other processes have");
}
