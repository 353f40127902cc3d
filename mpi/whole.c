/* What processes do each with all of the data: reading it, and folds of a cross-validation. */
#include <string.h>

#include "comm.h"
#include "core/agree.h"
#include "partan/partan.h"
#include "svm/cross_validate.h"

#include "queue.h"

static partan_status read_it(invocation *run, const pt_comm *comm, const char *path, const partan_read_options *options,
                             partan_data **data)
{
    if (comm->size > 1 && strcmp(path, "-") == 0)
        return pt_fail(run->context, PARTAN_ERROR_IO,
                       "standard input cannot be read by several processes; put the data into a file");
    return partan_data_read(run->context, path, options, data);
}

/* Other data or other instructions would make points that cannot be compared. */
static partan_status check_alike(partan_context *context, pt_comm *comm, const char *path, const partan_data *data)
{
    uint64_t mine[2] = {partan_data_fingerprint(data), context->isa}, first[2] = {mine[0], mine[1]};
    comm->broadcast(comm, 0, first, sizeof first);
    if (mine[0] != first[0])
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: process %d has found other data than the first one", path,
                       comm->rank + 1);
    if (mine[1] != first[1])
        return pt_fail(
            context, PARTAN_ERROR_ARGUMENT,
            "found processes that compute by different instruction sets, expected one for all (set PARTAN_ISA)");
    return PARTAN_OK;
}

partan_status mpi_read_whole(invocation *run, const char *path, const partan_read_options *options,
                             const partan_model *model, partan_data **data)
{
    (void)model; /* these commands have none */
    mpi_comm comm;
    mpi_comm_open(&comm, MPI_COMM_WORLD);
    partan_status status = pt_agree(run->context, &comm.comm, read_it(run, &comm.comm, path, options, data));
    if (!status)
        status = pt_agree(run->context, &comm.comm, check_alike(run->context, &comm.comm, path, *data));
    mpi_comm_close(&comm);
    return status;
}

partan_status mpi_run_fold(invocation *run, const partan_data *data, const partan_settings *settings, size_t folds,
                           uint64_t seed, size_t number, partan_fold_callback fold, partan_held_callback held,
                           void *user)
{
    return pt_cross_predict_fold(run->context, data, settings, folds, seed, number, fold, held, user);
}
