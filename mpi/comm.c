#include "comm.h"

#include <stdio.h>

enum { MOST_BYTES = 1 << 30 }; /* in one call: counts are int */

static MPI_Comm mpi_of(pt_comm *comm)
{
    return ((mpi_comm *)comm)->mpi;
}

static void count(pt_comm *comm, size_t bytes)
{
    comm->calls++;
    comm->bytes += bytes;
}

/* By score, then by number; the greatest request to stop. */
static void take_least(void *in, void *inout, int *length, MPI_Datatype *type)
{
    const pt_least *a = in;
    pt_least *b = inout;
    (void)type;
    for (int i = 0; i < *length; i++) {
        int64_t stop = a[i].stop > b[i].stop ? a[i].stop : b[i].stop;
        if (a[i].score < b[i].score || (a[i].score == b[i].score && a[i].number < b[i].number))
            b[i] = a[i];
        b[i].stop = stop;
    }
}

static void least(pt_comm *comm, pt_least *mine)
{
    mpi_comm *m = (mpi_comm *)comm;
    MPI_Allreduce(MPI_IN_PLACE, mine, 1, m->least_type, m->least, m->mpi);
    count(comm, sizeof *mine);
}

static void reduce(pt_comm *comm, void *values, size_t number, size_t size, MPI_Datatype type, MPI_Op op)
{
    char *at = values;
    for (size_t done = 0; done < number;) {
        size_t some = number - done < MOST_BYTES / size ? number - done : MOST_BYTES / size;
        MPI_Allreduce(MPI_IN_PLACE, at + done * size, (int)some, type, op, mpi_of(comm));
        count(comm, some * size);
        done += some;
    }
}

static void greatest(pt_comm *comm, double *values, size_t number)
{
    reduce(comm, values, number, sizeof *values, MPI_DOUBLE, MPI_MAX);
}

/* Of the values that are added up all but one are 0, or their order does not matter: sums are exact. */
static void sum(pt_comm *comm, double *values, size_t number)
{
    reduce(comm, values, number, sizeof *values, MPI_DOUBLE, MPI_SUM);
}

static void sum_integers(pt_comm *comm, uint64_t *values, size_t number)
{
    reduce(comm, values, number, sizeof *values, MPI_UINT64_T, MPI_SUM);
}

void mpi_broadcast(mpi_comm *m, MPI_Comm among, int from, void *bytes, size_t size)
{
    char *at = bytes;
    int rank;
    MPI_Comm_rank(among, &rank);
    for (size_t done = 0; done < size;) {
        size_t some = size - done < MOST_BYTES ? size - done : MOST_BYTES;
        MPI_Bcast(at + done, (int)some, MPI_BYTE, from, among);
        count(&m->comm, rank == from ? some : 0);
        done += some;
    }
}

static void broadcast(pt_comm *comm, int from, void *bytes, size_t size)
{
    mpi_broadcast((mpi_comm *)comm, mpi_of(comm), from, bytes, size);
}

/* Where the things of a process are. */
static size_t place(const uint64_t *counts, int rank, size_t size)
{
    size_t before = 0;
    for (int i = 0; i < rank; i++)
        before += counts[i];
    return before * size;
}

static int piece(size_t left)
{
    return (int)(left < MOST_BYTES ? left : MOST_BYTES);
}

/* To one process and from another one; who has nothing more to say or to hear is left alone. */
static void swap(pt_comm *comm, int to, const char *out, size_t out_size, int from, char *in, size_t in_size)
{
    while (out_size > 0 || in_size > 0) {
        int sent = piece(out_size), got = piece(in_size);
        MPI_Sendrecv(out, sent, MPI_BYTE, sent > 0 ? to : MPI_PROC_NULL, 0, in, got, MPI_BYTE,
                     got > 0 ? from : MPI_PROC_NULL, 0, mpi_of(comm), MPI_STATUS_IGNORE);
        comm->bytes += comm->rank == to ? 0 : (uint64_t)sent;
        out += sent;
        in += got;
        out_size -= (size_t)sent;
        in_size -= (size_t)got;
    }
}

static void deal(pt_comm *comm, const void *mine, const uint64_t *counts, void *theirs, const uint64_t *their_counts,
                 size_t size)
{
    for (int step = 0; step < comm->size; step++) {
        int to = (comm->rank + step) % comm->size, from = (comm->rank - step + comm->size) % comm->size;
        swap(comm, to, (const char *)mine + place(counts, to, size), counts[to] * size, from,
             (char *)theirs + place(their_counts, from, size), their_counts[from] * size);
    }
    count(comm, 0);
}

static void in_turn(pt_comm *comm, void (*add)(void *user, double *values), void *user, double *values, size_t number)
{
    for (int rank = 0; rank < comm->size; rank++) {
        if (rank == comm->rank)
            add(user, values);
        broadcast(comm, rank, values, number * sizeof *values);
    }
}

static void pass(pt_comm *comm, int from, int to, void *bytes, size_t size)
{
    char *at = bytes;
    for (size_t done = 0; done < size && (comm->rank == from) != (comm->rank == to);) {
        size_t some = size - done < MOST_BYTES ? size - done : MOST_BYTES;
        if (comm->rank == from)
            MPI_Send(at + done, (int)some, MPI_BYTE, to, 0, mpi_of(comm));
        else
            MPI_Recv(at + done, (int)some, MPI_BYTE, from, 0, mpi_of(comm), MPI_STATUS_IGNORE);
        done += some;
    }
}

void mpi_comm_open(mpi_comm *m, MPI_Comm mpi)
{
    *m = (mpi_comm){.comm = {.least = least,
                             .greatest = greatest,
                             .sum = sum,
                             .sum_integers = sum_integers,
                             .broadcast = broadcast,
                             .deal = deal,
                             .in_turn = in_turn,
                             .pass = pass}};
    MPI_Comm_dup(mpi, &m->mpi);
    MPI_Comm_rank(m->mpi, &m->comm.rank);
    MPI_Comm_size(m->mpi, &m->comm.size);
    MPI_Type_contiguous((int)sizeof(pt_least), MPI_BYTE, &m->least_type);
    MPI_Type_commit(&m->least_type);
    MPI_Op_create(take_least, 1, &m->least);
}

void mpi_abandon(const partan_context *context, const mpi_comm *m)
{
    fprintf(stderr, "partan-mpi: process %d of %d: %s; all processes end\n", m->comm.rank + 1, m->comm.size,
            context->error);
    MPI_Abort(m->mpi, 1);
}

void mpi_comm_close(mpi_comm *m)
{
    MPI_Op_free(&m->least);
    MPI_Type_free(&m->least_type);
    MPI_Comm_free(&m->mpi);
}
