/* The threads of a context, and work shared out among them.
 *
 * Work comes in chunks that are taken, not assigned: whoever is running takes the next one, the caller's thread too,
 * and the caller only waits for chunks that somebody has begun. So a thread that gets no core, because other programs
 * use it, costs nothing, and what a chunk's result is must not depend on who takes it. Each thread begins with a share
 * of neighbouring chunks, the same in every run of as many, whose data its cache may still have.
 *
 * The team starts with the first work that several threads are worth, and ends with the context. Threads that wait for
 * work spin for some microseconds and then sleep. In a child after fork() the team starts anew. Where threads cannot be
 * started, or not all of them, there are fewer: that is no error. No thread is bound to a core, and signals go to the
 * host's threads. */
#ifndef PT_TEAM_H
#define PT_TEAM_H

#include <stddef.h>

#include "core/context.h"

/* One chunk, on thread 0 (the caller's), 1, ...; threads that run at the same time have different numbers, below the
 * context's number of threads. */
typedef void pt_work(void *user, size_t chunk, size_t thread);

/* Runs chunks 0 .. count-1 on at most so many threads, and returns when all are done. Inside a chunk of the same
 * context, or while another of the host's threads has the team, it runs on the calling thread alone, as thread 0. */
void pt_team_run(partan_context *context, int threads, size_t count, pt_work *work, void *user);

/* How many threads are worth waking for work that takes one thread so many nanoseconds. */
int pt_team_for(const partan_context *context, double nanoseconds);

/* What each thread gets of an array that all of them write to: at least `count` elements of four bytes or more, and so
 * many that no two threads write to one cache line, or to two that the processor fetches together. */
static inline size_t pt_team_room(size_t count)
{
    return (count + 31) / 32 * 32;
}

/* Loops over many short items take them by the block, whose length must not depend on the number of threads where sums
 * do: blocks of `length` out of `total`, the last one shorter. */
typedef struct pt_span {
    size_t begin, end;
} pt_span;

static inline size_t pt_span_count(size_t total, size_t length)
{
    return total / length + (total % length != 0);
}

static inline pt_span pt_span_of(size_t total, size_t length, size_t chunk)
{
    size_t begin = chunk * length;
    return (pt_span){begin, total - begin < length ? total : begin + length};
}

/* The greatest and the least of values that several threads find. */
static inline void pt_atomic_greatest(_Atomic double *greatest, double value)
{
    double known = atomic_load_explicit(greatest, memory_order_relaxed);
    while (value > known && !atomic_compare_exchange_weak(greatest, &known, value))
        ;
}

static inline void pt_atomic_least(_Atomic double *least, double value)
{
    double known = atomic_load_explicit(least, memory_order_relaxed);
    while (value < known && !atomic_compare_exchange_weak(least, &known, value))
        ;
}

/* For the context: how many threads there can be of those asked for; the team's room, how it begins there, and its end.
 */
int pt_team_most(int threads);
size_t pt_team_bytes(int threads);
void pt_team_init(pt_team *team, int threads);
void pt_team_end(pt_team *team);

#endif
