/* What processes that work together say to each other: the library's side of MPI (mpi/ has the other one). All of
 * them make the same calls in the same order, but for `requests`; every call but `deal` and `pass` returns the same to
 * all of those who make it. */
#ifndef PT_COMM_H
#define PT_COMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The least of all scores, and the lowest number that has it; and the greatest of all requests to stop. */
typedef struct pt_least {
    double score;
    int64_t number;
    int64_t stop;
} pt_least;

typedef struct pt_comm pt_comm;
struct pt_comm {
    int rank, size;
    void (*least)(pt_comm *comm, pt_least *least);
    void (*greatest)(pt_comm *comm, double *values, size_t count); /* of each value, that of all processes */
    void (*sum)(pt_comm *comm, double *values, size_t count);
    void (*sum_integers)(pt_comm *comm, uint64_t *values, size_t count); /* modulo 2^64 */
    void (*broadcast)(pt_comm *comm, int from, void *bytes, size_t size);
    /* To every process its own: things of `size` bytes, `counts` of them, one after the other by its rank. What comes
     * from the others is put in `theirs` in the same way. */
    void (*deal)(pt_comm *comm, const void *mine, const uint64_t *counts, void *theirs, const uint64_t *their_counts,
                 size_t size);
    /* Every process adds its own to what the one before it has got, in the order of their ranks: the last one's result
     * goes to all. */
    void (*in_turn)(pt_comm *comm, void (*add)(void *user, double *values), void *user, double *values, size_t count);
    /* From one process to another one; the others return at once. */
    void (*pass)(pt_comm *comm, int from, int to, void *bytes, size_t size);
    uint64_t calls, bytes; /* of these, and what this process had to send in them */
    bool failed;           /* together: a failure that all know of (core/agree.h) */

    /* Neighbours are processes on the same machine. Where there are any, what all would do alike is done by the first
     * one of each machine for all of them, with the threads of all, while the others sleep. */
    bool relays;
    int neighbour; /* which one of them this is, from 0 */
    int threads;   /* that they may use together */
    /* From the first one to the others, who sleep until it comes. Now and then they say whether to stop. */
    void (*relay)(pt_comm *comm, void *bytes, size_t size, int (*stop)(void *user), void *user);
    /* For the first ones, all of them: the greatest request to stop, the sleepers' too. */
    int (*requests)(pt_comm *comm, int stop);
};

#endif
