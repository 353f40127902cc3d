/* pt_comm by MPI. */
#ifndef MPI_COMM_H
#define MPI_COMM_H

#include <mpi.h>

#include "core/comm.h"
#include "core/context.h"

typedef struct mpi_board mpi_board; /* neighbours.c */

typedef struct mpi_comm {
    pt_comm comm; /* first */
    MPI_Comm mpi;
    MPI_Op least;
    MPI_Datatype least_type;
    MPI_Comm here;   /* neighbours, */
    int neighbours;  /* how many they are, */
    MPI_Comm firsts; /* and the first ones of all machines, for these */
    MPI_Win window;  /* memory that neighbours share, for the board */
    mpi_board *board;
    uint32_t turns; /* relays so far */
} mpi_comm;

void mpi_comm_open(mpi_comm *comm, MPI_Comm mpi);
void mpi_comm_close(mpi_comm *comm);

/* MPI_Bcast of any size. */
void mpi_broadcast(mpi_comm *comm, MPI_Comm among, int from, void *bytes, size_t size);

/* neighbours.c: makes it known to the library which processes are on one machine, and their threads, of which this one
 * has so many. Where they cannot share memory, each is alone. */
void mpi_neighbours_open(mpi_comm *comm, int threads);
void mpi_neighbours_close(mpi_comm *comm);

/* Threads for a process where nobody says how many: its part of the processors that neighbours may use, and no more
 * than the environment's OMP_NUM_THREADS and OMP_THREAD_LIMIT. The first neighbour may run on all of these processors
 * from then on. For a program, whose threads are its own. */
int mpi_part_of_processors(MPI_Comm mpi);

/* A failure that the others do not know of, and may wait for ever for: ends all processes, after a word on standard
 * error. */
void mpi_abandon(const partan_context *context, const mpi_comm *comm);

#endif
