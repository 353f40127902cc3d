#include "comm.h"
#include "core/require.h"
#include "core/sized.h"
#include "partan_mpi.h"
#include "svm/together.h"

PT_STRUCT_INIT(partan_mpi_traffic, .calls = 0)

partan_status partan_mpi_train(partan_context *context, MPI_Comm mpi, const partan_data *data,
                               const partan_settings *settings, const partan_train_options *options,
                               partan_mpi_traffic *traffic, partan_model **model)
{
    PT_REQUIRE(context, context && data && settings && model);
    PT_TAKE(context, partan_settings, settings);
    PT_TAKE(context, partan_train_options, options);
    if (traffic)
        PT_CHECK_OUTPUT(context, partan_mpi_traffic, traffic);
    mpi_comm comm;
    mpi_comm_open(&comm, mpi);
    mpi_neighbours_open(&comm, partan_threads(context));
    partan_status status = pt_train_together(context, &comm.comm, data, settings, options, model);
    if (status < 0 && !comm.comm.failed)
        mpi_abandon(context, &comm);
    partan_mpi_traffic sent = {.struct_size = sizeof sent, .calls = comm.comm.calls, .bytes = comm.comm.bytes};
    if (traffic)
        pt_struct_give(traffic, &sent, sizeof sent);
    mpi_neighbours_close(&comm);
    mpi_comm_close(&comm);
    return status;
}
