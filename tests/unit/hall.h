/* Processes for tests: threads that say things to each other, with a pt_comm over memory that they share. */
#ifndef TEST_HALL_H
#define TEST_HALL_H

#include <pthread.h>
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

typedef struct hall {
    pthread_barrier_t barrier;
    int size;
    char bytes[MOST][ROOM]; /* what each has to say */
    post posts[MOST];       /* by sender */
} hall;

typedef struct thread_comm {
    pt_comm comm; /* first */
    hall *hall;
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

/* ---- Opening and closing ---- */

static inline void hall_open(hall *h, int size)
{
    h->size = size;
    assert_int_equal(pthread_barrier_init(&h->barrier, NULL, (unsigned)size), 0);
    for (int i = 0; i < size; i++) {
        h->posts[i] = (post){.bytes = NULL};
        assert_int_equal(pthread_mutex_init(&h->posts[i].lock, NULL), 0);
        assert_int_equal(pthread_cond_init(&h->posts[i].changed, NULL), 0);
    }
}

static inline void hall_close(hall *h)
{
    pthread_barrier_destroy(&h->barrier);
    for (int i = 0; i < h->size; i++) {
        pthread_mutex_destroy(&h->posts[i].lock);
        pthread_cond_destroy(&h->posts[i].changed);
    }
}

static inline thread_comm hall_comm(hall *h, int rank)
{
    return (thread_comm){{.rank = rank,
                          .size = h->size,
                          .least = take_least,
                          .greatest = take_greatest,
                          .sum = add_up,
                          .sum_integers = add_integers,
                          .broadcast = broadcast,
                          .deal = deal,
                          .in_turn = in_turn,
                          .pass = pass},
                         h};
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
