/* pt_comm by MPI. */
#ifndef MPI_COMM_H
#define MPI_COMM_H

#include <mpi.h>

#include "core/comm.h"
#include "core/context.h"

typedef struct mpi_comm {
    pt_comm comm; /* first */
    MPI_Comm mpi;
    MPI_Op least;
    MPI_Datatype least_type;
} mpi_comm;

void mpi_comm_open(mpi_comm *comm, MPI_Comm mpi);
void mpi_comm_close(mpi_comm *comm);

/* A failure that the others do not know of, and may wait for ever for: ends all processes, after a word on standard
 * error. */
void mpi_abandon(const partan_context *context, const mpi_comm *comm);

#endif
