/* Processes that judge a model together. */
#include "comm.h"
#include "core/agree.h"
#include "core/require.h"
#include "partan_mpi.h"

partan_status partan_mpi_join(partan_context *context, MPI_Comm mpi)
{
    PT_REQUIRE(context, context);
    mpi_comm comm, *kept = pt_alloc(context, 1, sizeof *kept);
    mpi_comm_open(&comm, mpi);
    partan_status status = kept ? PARTAN_OK : pt_out_of_memory(context, "the other processes");
    if (!status && context->comm)
        status = pt_fail(context, PARTAN_ERROR_ARGUMENT, "the context has joined processes already");
    status = pt_agree(context, &comm.comm, status);
    if (!status)
        status = pt_agree_on_instructions(context, &comm.comm);
    if (status) {
        mpi_comm_close(&comm);
        pt_free(context, kept);
        return status;
    }
    *kept = comm;
    context->comm = &kept->comm;
    return PARTAN_OK;
}

void partan_mpi_leave(partan_context *context)
{
    mpi_comm *kept = context ? (mpi_comm *)context->comm : NULL;
    if (!kept)
        return;
    context->comm = NULL;
    mpi_comm_close(kept);
    pt_free(context, kept);
}
