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

void pt_tell_all(pt_comm *comm, void *bytes, size_t size)
{
    if (comm)
        comm->broadcast(comm, 0, bytes, size);
}

typedef struct counting {
    uint64_t count, before;
} counting;

static void add_count(void *user, double *all)
{
    counting *c = user;
    c->before = (uint64_t)*all;
    *all += (double)c->count;
}

uint64_t pt_count_all(pt_comm *comm, uint64_t count, uint64_t *before)
{
    counting c = {.count = count};
    double all = 0;
    pt_in_turn(comm, add_count, &c, &all, 1);
    *before = c.before;
    return (uint64_t)all;
}

partan_status pt_tell_numbers(partan_context *context, pt_comm *comm, int64_t *numbers, size_t count)
{
    if (!comm)
        return PARTAN_OK;
    uint64_t *sums = pt_alloc(context, count, sizeof *sums);
    partan_status status = pt_agree(context, comm, sums ? PARTAN_OK : pt_out_of_memory(context, "numbers of rows"));
    for (size_t i = 0; i < count && !status; i++)
        sums[i] = (uint64_t)(numbers[i] + 1);
    if (!status)
        comm->sum_integers(comm, sums, count);
    for (size_t i = 0; i < count && !status; i++)
        numbers[i] = (int64_t)sums[i] - 1;
    pt_free(context, sums);
    return status;
}
