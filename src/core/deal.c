#include "core/deal.h"

static partan_status no_room(partan_context *context)
{
    return pt_out_of_memory(context, "what other processes have");
}

partan_status pt_dealt_make(pt_dealt *dealt, partan_context *context, const pt_comm *comm, size_t count, size_t size)
{
    *dealt = (pt_dealt){.count = count};
    dealt->things = pt_alloc(context, count, size);
    dealt->counts = pt_alloc_zero(context, (size_t)comm->size, sizeof *dealt->counts);
    return dealt->things && dealt->counts ? PARTAN_OK : no_room(context);
}

void pt_dealt_free(partan_context *context, pt_dealt *dealt)
{
    pt_free(context, dealt->things);
    pt_free(context, dealt->counts);
    *dealt = (pt_dealt){0};
}

/* How many the others have for this process. */
static partan_status deal_counts(partan_context *context, pt_comm *comm, const uint64_t *mine, uint64_t *theirs)
{
    uint64_t *ones = pt_alloc(context, (size_t)comm->size, sizeof *ones);
    if (!ones)
        return no_room(context);
    for (int i = 0; i < comm->size; i++)
        ones[i] = 1;
    comm->deal(comm, mine, ones, theirs, ones, sizeof *mine);
    pt_free(context, ones);
    return PARTAN_OK;
}

partan_status pt_deal(partan_context *context, pt_comm *comm, const pt_dealt *mine, size_t size, pt_dealt *theirs)
{
    *theirs = (pt_dealt){.counts = pt_alloc_zero(context, (size_t)comm->size, sizeof *theirs->counts)};
    partan_status status = theirs->counts ? PARTAN_OK : no_room(context);
    if (!status)
        status = deal_counts(context, comm, mine->counts, theirs->counts);
    for (int i = 0; i < comm->size && !status; i++)
        theirs->count += theirs->counts[i];
    if (!status && !(theirs->things = pt_alloc(context, theirs->count, size)))
        status = no_room(context);
    if (!status)
        comm->deal(comm, mine->things, mine->counts, theirs->things, theirs->counts, size);
    return status;
}
