/* The queue of pieces of work. The first process hands them out and works itself: it answers the others between its own
 * pieces, and from the library's callback for progress, some times a second. So a free process waits a moment for its
 * next piece, which is little beside a piece.
 *
 * A process asks, and waits for a piece or the word to stop. That comes exactly once to each: when all are free, when
 * one has failed or was interrupted, or when the process has ended by itself. The first process answers until all have
 * ended, and its own messages wait for nobody. So nobody waits for ever. */
#include "queue.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "farm.h"
#include "interrupt.h"
#include "message.h"
#include "svm/cross_validate.h"

enum { ASK = 1, HAND, WARNING, INTERRUPTED, END, PIECE, STOP }; /* tags: the last two are the first process's */
enum { NAP = 1000000 /* nanoseconds between two looks */ };

/* How a process ended. */
typedef struct ending {
    int code;
    int rank;
    char text[sizeof((together *)0)->unsaid]; /* why it failed */
} ending;

/* What the first process keeps of another one. */
typedef struct member {
    uint64_t piece; /* on its way */
    MPI_Request handing, stopping;
    bool free; /* waits for a piece */
    bool told; /* to stop */
    bool ended;
} member;

typedef struct queue {
    farm *work;
    MPI_Comm mpi;
    int rank, size;
    bool stopped;     /* no more pieces */
    bool interrupted; /* this process; in the first one, any of them */
    bool busy;        /* the library is at work */
    bool unsettled;   /* settling has failed */
    ending mine;      /* of this process; in the first one, of whichever failed first */
    member *members;  /* of the first process */
    size_t next;      /* piece */
} queue;

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = NAP}, NULL);
}

/* ---- The first process ---- */

static void stop_one(queue *q, int rank)
{
    member *m = &q->members[rank];
    if (!m->told)
        MPI_Isend(NULL, 0, MPI_BYTE, rank, STOP, q->mpi, &m->stopping);
    m->told = true;
}

static void stop_all(queue *q)
{
    q->stopped = true;
    for (int rank = 1; rank < q->size; rank++)
        stop_one(q, rank);
}

static bool take_piece(queue *q, size_t *piece)
{
    while (q->next < q->work->count && q->work->skip && q->work->skip(q->work->user, q->next))
        q->next++;
    if (q->stopped || q->next >= q->work->count)
        return false;
    *piece = q->next++;
    return true;
}

static void answer(queue *q, int rank)
{
    member *m = &q->members[rank];
    size_t piece;
    m->free = !take_piece(q, &piece);
    if (m->free)
        return;
    MPI_Wait(&m->handing, MPI_STATUS_IGNORE); /* it has come: the process asks for another */
    m->piece = piece;
    MPI_Isend(&m->piece, 1, MPI_UINT64_T, rank, PIECE, q->mpi, &m->handing);
}

/* The first failure is the one that is told. */
static void keep_failure(queue *q, const ending *how)
{
    if (how->code != EXIT_DONE && q->mine.code == EXIT_DONE)
        q->mine = *how;
}

static void take_message(invocation *run, queue *q, const MPI_Status *from, const char *bytes, int size)
{
    ending how = {.code = EXIT_DONE};
    if (from->MPI_TAG == ASK)
        answer(q, from->MPI_SOURCE);
    else if (from->MPI_TAG == WARNING)
        warning(run, "%s", bytes);
    else if (from->MPI_TAG == INTERRUPTED)
        q->interrupted = true;
    else if (from->MPI_TAG == HAND)
        q->work->take(q->work->user, bytes, (size_t)size);
    else {
        memcpy(&how, bytes, sizeof how);
        q->members[from->MPI_SOURCE].ended = true;
        stop_one(q, from->MPI_SOURCE);
    }
    keep_failure(q, &how);
}

/* The next message, which was looked at. Its memory is the program's own: the library's may be in use. */
static void receive(invocation *run, queue *q, MPI_Status *from)
{
    int size;
    MPI_Get_count(from, MPI_BYTE, &size);
    char *bytes = malloc((size_t)size + 1);
    if (!bytes) {
        fprintf(stderr, "partan-mpi: out of memory for what another process has found; all processes end\n");
        MPI_Abort(q->mpi, EXIT_FAILED);
        return;
    }
    MPI_Recv(bytes, size, MPI_BYTE, from->MPI_SOURCE, from->MPI_TAG, q->mpi, from);
    take_message(run, q, from, bytes, size);
    free(bytes);
}

static bool has_come(const queue *q, MPI_Status *from)
{
    int there;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, q->mpi, &there, from);
    return there != 0;
}

static void settle(queue *q)
{
    if (q->busy || q->unsettled || !q->work->settle)
        return;
    ending how = {.code = q->work->settle(q->work->user)};
    q->unsettled = how.code != EXIT_DONE;
    keep_failure(q, &how);
}

/* Everything that has come by now. */
static void serve(invocation *run, queue *q)
{
    MPI_Status from;
    while (has_come(q, &from))
        receive(run, q, &from);
    settle(q);
    q->interrupted |= interrupt_seen();
    if (q->interrupted || q->mine.code != EXIT_DONE)
        stop_all(q);
}

static void work_on(queue *q, size_t piece)
{
    q->busy = true;
    ending how = {.code = q->work->work(q->work->user, piece)};
    q->busy = false;
    if (how.code != EXIT_DONE)
        q->mine = how;
}

/* Whether all others have ended or, at least, wait. */
static bool have_all(const queue *q, bool ended)
{
    bool all = true;
    for (int rank = 1; rank < q->size; rank++)
        all &= q->members[rank].ended || (!ended && q->members[rank].free);
    return all;
}

static int lead(invocation *run, queue *q)
{
    size_t piece;
    while (!q->work->stop && take_piece(q, &piece)) {
        work_on(q, piece);
        serve(run, q);
    }
    while (!have_all(q, true)) {
        serve(run, q);
        if (have_all(q, false))
            stop_all(q);
        nap();
    }
    settle(q);
    for (int rank = 1; rank < q->size; rank++) {
        MPI_Wait(&q->members[rank].handing, MPI_STATUS_IGNORE);
        MPI_Wait(&q->members[rank].stopping, MPI_STATUS_IGNORE);
    }
    if (q->mine.rank > 0)
        failure(run, "process %d of %d: %s", q->mine.rank + 1, q->size, q->mine.text);
    return q->mine.code;
}

/* ---- The others ---- */

static void tell_interruption(queue *q)
{
    if (interrupt_seen() && !q->interrupted)
        MPI_Send(NULL, 0, MPI_BYTE, 0, INTERRUPTED, q->mpi);
    q->interrupted = interrupt_seen();
}

static void take_stop(queue *q)
{
    MPI_Recv(NULL, 0, MPI_BYTE, 0, STOP, q->mpi, MPI_STATUS_IGNORE);
    q->stopped = true;
}

static void look_for_stop(queue *q)
{
    int there = 0;
    if (!q->stopped)
        MPI_Iprobe(0, STOP, q->mpi, &there, MPI_STATUS_IGNORE);
    if (there)
        take_stop(q);
}

/* False: there are no more pieces. A process that waits leaves its core to others. */
static bool ask(queue *q, size_t *piece)
{
    int there = 0;
    MPI_Status what;
    uint64_t number;
    MPI_Send(NULL, 0, MPI_BYTE, 0, ASK, q->mpi);
    while (!there) {
        nap();
        tell_interruption(q);
        MPI_Iprobe(0, MPI_ANY_TAG, q->mpi, &there, &what);
    }
    if (what.MPI_TAG == STOP) {
        take_stop(q);
        return false;
    }
    MPI_Recv(&number, 1, MPI_UINT64_T, 0, PIECE, q->mpi, MPI_STATUS_IGNORE);
    *piece = (size_t)number;
    return true;
}

static int follow(const invocation *run, queue *q)
{
    size_t piece;
    while (!q->stopped && !q->work->stop && q->mine.code == EXIT_DONE && ask(q, &piece)) {
        q->busy = true;
        q->mine.code = q->interrupted ? EXIT_DONE : q->work->work(q->work->user, piece);
        q->busy = false;
        look_for_stop(q);
        tell_interruption(q);
    }
    q->mine.rank = q->rank;
    memcpy(q->mine.text, run->together->unsaid, sizeof q->mine.text);
    MPI_Send(&q->mine, (int)sizeof q->mine, MPI_BYTE, 0, END, q->mpi);
    if (!q->stopped)
        take_stop(q);
    return q->mine.code;
}

/* ---- What the command line calls ---- */

static void poll(invocation *run)
{
    queue *q = run->together->queue;
    if (!q)
        return;
    if (q->rank == 0)
        serve(run, q);
    else
        look_for_stop(q);
    if (q->stopped && q->busy)
        partan_interrupt(run->context);
}

static void hand_in(invocation *run, const void *bytes, size_t size)
{
    queue *q = run->together->queue;
    MPI_Send(bytes, (int)size, MPI_BYTE, 0, HAND, q->mpi);
}

static void warn(invocation *run, const char *text)
{
    queue *q = run->together->queue;
    if (q)
        MPI_Send(text, (int)strlen(text) + 1, MPI_CHAR, 0, WARNING, q->mpi);
}

static bool prepare(queue *q)
{
    if (q->rank == 0)
        q->members = calloc((size_t)q->size, sizeof *q->members);
    for (int rank = 0; rank < q->size && q->members; rank++)
        q->members[rank].handing = q->members[rank].stopping = MPI_REQUEST_NULL;
    return q->rank > 0 || q->members;
}

static int farm_out(invocation *run, farm *work)
{
    queue q = {.work = work};
    MPI_Comm_dup(MPI_COMM_WORLD, &q.mpi);
    MPI_Comm_rank(q.mpi, &q.rank);
    MPI_Comm_size(q.mpi, &q.size);
    int code = run->together->agree(run, prepare(&q) ? EXIT_DONE : failure(run, "out of memory"));
    run->together->queue = &q;
    if (code == EXIT_DONE)
        code = q.rank == 0 ? lead(run, &q) : follow(run, &q);
    run->together->queue = NULL;
    work->interrupted = q.interrupted;
    free(q.members);
    MPI_Comm_free(&q.mpi);
    return code;
}

void mpi_queue_offer(together *all)
{
    all->read = mpi_read_whole;
    all->fold = mpi_run_fold;
    all->join = pt_cross_evaluation;
    all->farm = farm_out;
    all->hand_in = hand_in;
    all->poll = poll;
    all->warn = warn;
}
