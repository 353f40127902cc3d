/* Processes on one machine. The first one works for all of them (core/comm.h); the others sleep, and look now and then
 * at a board in memory that they share: MPI's own waiting would keep their processors busy. */
#if defined(__linux__)
#define _GNU_SOURCE /* sched_setaffinity */
#endif
#include "comm.h"

#include <stdatomic.h>
#include <time.h>

#include "partan/partan.h"
#include "simplex/share.h"

#if defined(__linux__)
#include <sched.h>
#endif

enum {
    LOOKS = 200,          /* before the first sleep: what comes at once is not waited for */
    NANOSECONDS = 100000, /* of a sleep */
    LINE = 64             /* bytes, so that nobody's writing is in the way of others' reading */
};

struct mpi_board {
    _Alignas(LINE) _Atomic uint32_t turn; /* relays that have begun */
    struct {
        _Alignas(LINE) _Atomic int stop; /* what each asks for */
    } places[];
};

static mpi_comm *of(pt_comm *comm)
{
    return (mpi_comm *)comm;
}

/* ---- Waiting ---- */

/* What it asked for is over when it wakes: the first one may look before it sleeps again, in another training. */
static void doze(mpi_comm *m, int (*stop)(void *user), void *user)
{
    const struct timespec pause = {.tv_nsec = NANOSECONDS};
    _Atomic int *own = &m->board->places[m->comm.neighbour].stop;
    for (int looks = 0; (int32_t)(atomic_load(&m->board->turn) - m->turns) < 0; looks++) {
        atomic_store(own, stop(user));
        if (looks >= LOOKS)
            nanosleep(&pause, NULL);
    }
    atomic_store(own, PT_GO_ON);
}

static void relay(pt_comm *comm, void *bytes, size_t size, int (*stop)(void *user), void *user)
{
    mpi_comm *m = of(comm);
    m->turns++;
    if (comm->neighbour == 0)
        atomic_store(&m->board->turn, m->turns);
    else
        doze(m, stop, user);
    mpi_broadcast(m, m->here, 0, bytes, size);
}

static int requests(pt_comm *comm, int stop)
{
    mpi_comm *m = of(comm);
    for (int i = 1; i < m->neighbours; i++) {
        int other = atomic_load(&m->board->places[i].stop);
        stop = other > stop ? other : stop;
    }
    MPI_Allreduce(MPI_IN_PLACE, &stop, 1, MPI_INT, MPI_MAX, m->firsts);
    comm->calls++;
    comm->bytes += sizeof stop;
    return stop;
}

/* ---- Opening and closing ---- */

static bool share_memory(mpi_comm *m)
{
    MPI_Aint bytes = (MPI_Aint)(sizeof(mpi_board) + (size_t)m->neighbours * sizeof m->board->places[0]);
    int unit, failed;
    void *base = NULL;
    MPI_Comm_set_errhandler(m->here, MPI_ERRORS_RETURN);
    m->window = MPI_WIN_NULL;
    failed = MPI_Win_allocate_shared(m->comm.neighbour == 0 ? bytes : 0, 1, MPI_INFO_NULL, m->here, &base, &m->window)
             != MPI_SUCCESS;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, m->here);
    MPI_Comm_set_errhandler(m->here, MPI_ERRORS_ARE_FATAL);
    if (failed)
        return false;
    MPI_Win_shared_query(m->window, 0, &bytes, &unit, &base);
    m->board = base;
    if (m->comm.neighbour == 0)
        atomic_init(&m->board->turn, 0);
    atomic_init(&m->board->places[m->comm.neighbour].stop, PT_GO_ON);
    MPI_Barrier(m->here);
    return true;
}

void mpi_neighbours_open(mpi_comm *m, int threads)
{
    pt_comm *comm = &m->comm;
    MPI_Comm_split_type(m->mpi, MPI_COMM_TYPE_SHARED, comm->rank, MPI_INFO_NULL, &m->here);
    MPI_Comm_rank(m->here, &comm->neighbour);
    MPI_Comm_size(m->here, &m->neighbours);
    MPI_Allreduce(&threads, &comm->threads, 1, MPI_INT, MPI_SUM, m->here);
    MPI_Comm_split(m->mpi, comm->neighbour == 0 ? 0 : MPI_UNDEFINED, comm->rank, &m->firsts);
    m->turns = 0;
    comm->relay = relay;
    comm->requests = requests;
    bool shared = share_memory(m);
    /* All machines or none: a process that is alone relays to nobody. */
    int any[2] = {m->neighbours > 1, !shared};
    MPI_Allreduce(MPI_IN_PLACE, any, 2, MPI_INT, MPI_MAX, m->mpi);
    comm->relays = any[0] && !any[1];
}

void mpi_neighbours_close(mpi_comm *m)
{
    if (m->window != MPI_WIN_NULL)
        MPI_Win_free(&m->window);
    if (m->firsts != MPI_COMM_NULL)
        MPI_Comm_free(&m->firsts);
    MPI_Comm_free(&m->here);
}

/* ---- Processors ---- */

#if defined(__linux__)
/* The first of the neighbours may run wherever one of them may: mpirun often gives each a processor of its own. */
static void spread(MPI_Comm here, bool first)
{
    cpu_set_t sets[8]; /* of 1,024 each */
    CPU_ZERO_S(sizeof sets, sets);
    sched_getaffinity(0, sizeof sets, sets);
    MPI_Allreduce(MPI_IN_PLACE, sets, (int)sizeof sets, MPI_BYTE, MPI_BOR, here);
    if (first)
        sched_setaffinity(0, sizeof sets, sets);
}
#else
static void spread(MPI_Comm here, bool first)
{
    (void)here;
    (void)first;
}
#endif

static int limited(int threads, int limit)
{
    return limit > 0 && limit < threads ? limit : threads;
}

int mpi_part_of_processors(MPI_Comm mpi)
{
    MPI_Comm here;
    int neighbour, neighbours, processors;
    partan_limits found;
    MPI_Comm_split_type(mpi, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_rank(here, &neighbour);
    MPI_Comm_size(here, &neighbours);
    spread(here, neighbour == 0);
    partan_limits_init(&found);
    partan_limits_find(&found);
    processors = limited(found.affinity > 0 ? found.affinity : found.processors, found.quota);
    MPI_Bcast(&processors, 1, MPI_INT, 0, here);
    MPI_Comm_free(&here);
    int part = processors > neighbours ? processors / neighbours : 1;
    return limited(limited(part, found.omp_num_threads), found.omp_thread_limit);
}
