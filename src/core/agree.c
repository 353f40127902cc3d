#include "core/agree.h"

#include <stdio.h>
#include <string.h>

partan_status pt_agree(partan_context *context, pt_comm *comm, partan_status status)
{
    struct {
        int64_t status;
        char sentence[PT_ERROR_SIZE];
    } failure = {.status = status};
    double first = status < 0 ? comm->size - comm->rank : 0;
    comm->greatest(comm, &first, 1);
    if (first == 0)
        return PARTAN_OK;
    comm->failed = true;
    int from = comm->size - (int)first;
    memcpy(failure.sentence, context->error, sizeof failure.sentence);
    comm->broadcast(comm, from, &failure, sizeof failure);
    return pt_fail(context, (partan_status)failure.status, "%s", failure.sentence);
}
