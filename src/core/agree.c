#include "core/agree.h"

#include <stdio.h>
#include <string.h>

partan_status pt_agree(partan_context *context, pt_comm *comm, partan_status status)
{
    if (!comm)
        return status;
    struct {
        int64_t status;
        char sentence[PT_ERROR_SIZE];
    } failure = {.status = status};
    double first = status != PARTAN_OK ? comm->size - comm->rank : 0;
    comm->greatest(comm, &first, 1);
    if (first == 0)
        return PARTAN_OK;
    comm->failed = true;
    int from = comm->size - (int)first;
    memcpy(failure.sentence, context->error, sizeof failure.sentence);
    comm->broadcast(comm, from, &failure, sizeof failure);
    return pt_fail(context, (partan_status)failure.status, "%s", failure.sentence);
}

partan_status pt_agree_on_instructions(partan_context *context, pt_comm *comm)
{
    double range[2] = {(double)context->isa, -(double)context->isa};
    comm->greatest(comm, range, 2);
    if (range[0] == -range[1])
        return PARTAN_OK;
    comm->failed = true;
    return pt_fail(context, PARTAN_ERROR_ARGUMENT,
                   "found processes that compute by different instruction sets, expected one for all (set PARTAN_ISA)");
}

void pt_in_turn(pt_comm *comm, void (*add)(void *user, double *values), void *user, double *values, size_t count)
{
    if (comm)
        comm->in_turn(comm, add, user, values, count);
    else
        add(user, values);
}

void pt_add_up(pt_comm *comm, uint64_t *values, size_t count)
{
    if (comm)
        comm->sum_integers(comm, values, count);
}

typedef struct numbering {
    size_t count, first;
} numbering;

static void take_numbers(void *user, double *numbers)
{
    numbering *n = user;
    n->first = (size_t)*numbers;
    *numbers += (double)n->count;
}

size_t pt_numbered(pt_comm *comm, size_t count, size_t *all)
{
    numbering n = {.count = count};
    double numbers = 0;
    pt_in_turn(comm, take_numbers, &n, &numbers, 1);
    *all = (size_t)numbers;
    return n.first;
}
