/* Processes for tests: threads that say things to each other, with a pt_comm over memory that they share. */
#ifndef TEST_HALL_H
#define TEST_HALL_H

#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "core/comm.h"
#include "data/parts.h"
#include "training.h"

enum { MOST = 5, ROOM = 1 << 22, MOST_ROWS = 50000 };

/* What a process passes to another one. */
typedef struct post {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const void *bytes; /* NULL: nothing */
    size_t size;
} post;

/* What the first process of a computer has for the others of it. */
typedef struct computer {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const void *bytes;
    size_t size;
    unsigned turn; /* relays that have begun */
    int waiting;   /* those who have not got it yet */
    int asleep;    /* those who wait for the next one, and have said whether to stop */
    int stop;      /* the greatest of their requests */
} computer;

typedef struct hall {
    pthread_barrier_t barrier, firsts;
    int size, together;     /* processes in all, and on a machine */
    char bytes[MOST][ROOM]; /* what each has to say */
    post posts[MOST];       /* by sender */
    computer computers[MOST];
    partan_context *sleeper; /* is interrupted when it sleeps; NULL: nobody is */
    int heard;               /* the greatest request that first ones heard of */
} hall;

typedef struct thread_comm {
    pt_comm comm; /* first */
    hall *hall;
    unsigned turns; /* of relays, by this process's count */
} thread_comm;

static inline void meet(pt_comm *comm)
{
    pthread_barrier_wait(&((thread_comm *)comm)->hall->barrier);
}

/* Everybody's bytes are there between `tell` and `leave`. */
static inline void tell(pt_comm *comm, const void *bytes, size_t size)
{
    assert_true(size <= ROOM);
    if (size > 0)
        memcpy(((thread_comm *)comm)->hall->bytes[comm->rank], bytes, size);
    comm->calls++;
    meet(comm);
}

static inline const void *told(pt_comm *comm, int rank)
{
    return ((thread_comm *)comm)->hall->bytes[rank];
}

static inline void take_least(pt_comm *comm, pt_least *mine)
{
    tell(comm, mine, sizeof *mine);
    int64_t stop = 0;
    for (int i = 0; i < comm->size; i++) {
        pt_least other;
        memcpy(&other, told(comm, i), sizeof other);
        stop = other.stop > stop ? other.stop : stop;
        if (other.score < mine->score || (other.score == mine->score && other.number < mine->number))
            *mine = other;
    }
    mine->stop = stop;
    meet(comm);
}

static inline void take_greatest(pt_comm *comm, double *values, size_t count)
{
    tell(comm, values, count * sizeof *values);
    for (int i = 0; i < comm->size; i++)
        for (size_t k = 0; k < count; k++) {
            double other;
            memcpy(&other, (const char *)told(comm, i) + k * sizeof other, sizeof other);
            values[k] = other > values[k] ? other : values[k];
        }
    meet(comm);
}

static inline void add_up(pt_comm *comm, double *values, size_t count)
{
    tell(comm, values, count * sizeof *values);
    memset(values, 0, count * sizeof *values);
    for (int i = 0; i < comm->size; i++)
        for (size_t k = 0; k < count; k++) {
            double other;
            memcpy(&other, (const char *)told(comm, i) + k * sizeof other, sizeof other);
            values[k] += other;
        }
    meet(comm);
}

static inline void add_integers(pt_comm *comm, uint64_t *values, size_t count)
{
    tell(comm, values, count * sizeof *values);
    memset(values, 0, count * sizeof *values);
    for (int i = 0; i < comm->size; i++)
        for (size_t k = 0; k < count; k++) {
            uint64_t other;
            memcpy(&other, (const char *)told(comm, i) + k * sizeof other, sizeof other);
            values[k] += other;
        }
    meet(comm);
}

static inline void broadcast(pt_comm *comm, int from, void *bytes, size_t size)
{
    tell(comm, bytes, comm->rank == from ? size : 0);
    if (size > 0 && comm->rank != from)
        memcpy(bytes, told(comm, from), size);
    meet(comm);
}

static inline void in_turn(pt_comm *comm, void (*add)(void *user, double *values), void *user, double *values,
                           size_t count)
{
    for (int rank = 0; rank < comm->size; rank++) {
        if (rank == comm->rank)
            add(user, values);
        broadcast(comm, rank, values, count * sizeof *values);
    }
}

static inline void post_bytes(post *at, const void *bytes, size_t size)
{
    at->bytes = bytes;
    at->size = size;
    pthread_cond_broadcast(&at->changed);
    while (at->bytes)
        pthread_cond_wait(&at->changed, &at->lock);
}

static inline void take_bytes(post *at, void *bytes, size_t size)
{
    while (!at->bytes)
        pthread_cond_wait(&at->changed, &at->lock);
    assert_int_equal(at->size, size);
    memcpy(bytes, at->bytes, size);
    at->bytes = NULL;
    pthread_cond_broadcast(&at->changed);
}

static inline void pass(pt_comm *comm, int from, int to, void *bytes, size_t size)
{
    post *at = &((thread_comm *)comm)->hall->posts[from];
    if (from == to || (comm->rank != from && comm->rank != to))
        return;
    pthread_mutex_lock(&at->lock);
    if (comm->rank == from)
        post_bytes(at, bytes, size);
    else
        take_bytes(at, bytes, size);
    pthread_mutex_unlock(&at->lock);
}

/* What a process has for all of them follows its counts. */
static inline void deal(pt_comm *comm, const void *mine, const uint64_t *counts, void *theirs,
                        const uint64_t *their_counts, size_t size)
{
    static _Thread_local char packed[ROOM];
    size_t head = (size_t)comm->size * sizeof *counts, count = 0;
    for (int i = 0; i < comm->size; i++)
        count += counts[i];
    assert_true(head + count * size <= ROOM);
    memcpy(packed, counts, head);
    if (count > 0)
        memcpy(packed + head, mine, count * size);
    tell(comm, packed, head + count * size);
    char *at = theirs;
    for (int i = 0; i < comm->size; i++) {
        uint64_t of[MOST];
        const char *from = told(comm, i);
        memcpy(of, from, head);
        assert_int_equal(of[comm->rank], their_counts[i]);
        from += head;
        for (int k = 0; k < comm->rank; k++)
            from += of[k] * size;
        if (of[comm->rank] > 0)
            memcpy(at, from, of[comm->rank] * size);
        at += of[comm->rank] * size;
    }
    meet(comm);
}

/* ---- Neighbours ---- */

static inline computer *computer_of(pt_comm *comm)
{
    hall *h = ((thread_comm *)comm)->hall;
    return &h->computers[comm->rank / h->together];
}

static inline int neighbours(pt_comm *comm)
{
    hall *h = ((thread_comm *)comm)->hall;
    int first = comm->rank / h->together * h->together;
    return h->size - first < h->together ? h->size - first : h->together;
}

static inline void sleep_until(computer *m, unsigned turn, int (*stop)(void *user), void *user)
{
    for (bool asleep = false; m->turn != turn; asleep = true) {
        int asked = stop(user);
        m->stop = asked > m->stop ? asked : m->stop;
        m->asleep += !asleep;
        pthread_cond_broadcast(&m->changed);
        pthread_mutex_unlock(&m->lock);
        sched_yield();
        pthread_mutex_lock(&m->lock);
    }
}

static inline void relay(pt_comm *comm, void *bytes, size_t size, int (*stop)(void *user), void *user)
{
    computer *m = computer_of(comm);
    partan_context *sleeper = ((thread_comm *)comm)->hall->sleeper;
    unsigned turn = ++((thread_comm *)comm)->turns;
    if (sleeper && comm->rank == 1)
        partan_interrupt(sleeper);
    pthread_mutex_lock(&m->lock);
    if (comm->neighbour == 0) {
        m->bytes = bytes;
        m->size = size;
        m->turn = turn;
        m->waiting = neighbours(comm) - 1;
        m->asleep = 0;
        pthread_cond_broadcast(&m->changed);
        while (m->waiting > 0)
            pthread_cond_wait(&m->changed, &m->lock);
    } else {
        sleep_until(m, turn, stop, user);
        assert_int_equal(m->size, size);
        memcpy(bytes, m->bytes, size);
        m->waiting--;
        pthread_cond_broadcast(&m->changed);
    }
    pthread_mutex_unlock(&m->lock);
}

/* When all neighbours are asleep. */
static inline int requests(pt_comm *comm, int stop)
{
    hall *h = ((thread_comm *)comm)->hall;
    computer *m = computer_of(comm);
    assert_int_equal(comm->neighbour, 0);
    pthread_mutex_lock(&m->lock);
    while (m->asleep < neighbours(comm) - 1)
        pthread_cond_wait(&m->changed, &m->lock);
    m->stop = stop > m->stop ? stop : m->stop;
    pthread_mutex_unlock(&m->lock);
    pthread_barrier_wait(&h->firsts);
    for (int i = 0; i * h->together < h->size; i++) {
        pthread_mutex_lock(&h->computers[i].lock);
        stop = h->computers[i].stop > stop ? h->computers[i].stop : stop;
        pthread_mutex_unlock(&h->computers[i].lock);
    }
    pthread_barrier_wait(&h->firsts);
    if (comm->rank == 0)
        h->heard = stop;
    return stop;
}

/* ---- Opening and closing ---- */

/* So many processes on a machine. */
static inline void hall_open_on(hall *h, int size, int together)
{
    h->size = size;
    h->together = together;
    h->sleeper = NULL;
    h->heard = 0;
    assert_int_equal(pthread_barrier_init(&h->barrier, NULL, (unsigned)size), 0);
    assert_int_equal(pthread_barrier_init(&h->firsts, NULL, (unsigned)((size + together - 1) / together)), 0);
    for (int i = 0; i < size; i++) {
        h->computers[i] = (computer){.bytes = NULL};
        assert_int_equal(pthread_mutex_init(&h->computers[i].lock, NULL), 0);
        assert_int_equal(pthread_cond_init(&h->computers[i].changed, NULL), 0);
    }
    for (int i = 0; i < size; i++) {
        h->posts[i] = (post){.bytes = NULL};
        assert_int_equal(pthread_mutex_init(&h->posts[i].lock, NULL), 0);
        assert_int_equal(pthread_cond_init(&h->posts[i].changed, NULL), 0);
    }
}

static inline void hall_open(hall *h, int size)
{
    hall_open_on(h, size, 1);
}

static inline void hall_close(hall *h)
{
    pthread_barrier_destroy(&h->barrier);
    pthread_barrier_destroy(&h->firsts);
    for (int i = 0; i < h->size; i++) {
        pthread_mutex_destroy(&h->computers[i].lock);
        pthread_cond_destroy(&h->computers[i].changed);
        pthread_mutex_destroy(&h->posts[i].lock);
        pthread_cond_destroy(&h->posts[i].changed);
    }
}

static inline thread_comm hall_comm(hall *h, int rank)
{
    return (thread_comm){{.rank = rank,
                          .size = h->size,
                          .relays = h->together > 1,
                          .neighbour = rank % h->together,
                          .threads = h->together,
                          .relay = relay,
                          .requests = requests,
                          .least = take_least,
                          .greatest = take_greatest,
                          .sum = add_up,
                          .sum_integers = add_integers,
                          .broadcast = broadcast,
                          .deal = deal,
                          .in_turn = in_turn,
                          .pass = pass},
                         h,
                         0};
}

/* ---- Their rows ---- */

/* Rows begin .. end-1, as a process would have read them: in a storage of its own choice. */
static inline partan_data *part_of(partan_context *context, const partan_data *data, size_t begin, size_t end)
{
    static int64_t rows[MOST_ROWS] = {0};
    partan_data *part = NULL, lent = *data;
    pt_matrix own = {0};
    for (size_t i = begin; i < end; i++)
        rows[i - begin] = (int64_t)i;
    lent.context = lent.matrix.context = context;
    assert_int_equal(pt_data_gather(&lent, rows, end - begin, &part), PARTAN_OK);
    if (end > begin) {
        assert_int_equal(pt_matrix_convert(&part->matrix, PARTAN_STORAGE_AUTO, 0, &own), PARTAN_OK);
        pt_matrix_free(&part->matrix);
        part->matrix = own;
    }
    return part;
}

#endif
