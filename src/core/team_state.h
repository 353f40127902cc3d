/* The state of a team, for its own files: team.c, starting and running; team_member.c, what everybody in it does. */
#ifndef PT_TEAM_STATE_H
#define PT_TEAM_STATE_H

#include <pthread.h>
#include <sys/types.h>

#include "core/team.h"

/* A region of work, as whoever takes part sees it. */
typedef struct pt_region {
    uint32_t generation;
    uint32_t threads, count;
    pt_work *work;
    void *user;
} pt_region;

typedef struct pt_team_member {
    /* A generation, and the next chunk of this member's share in it: one word, so that a chunk can only be taken from
     * the region that it belongs to. */
    _Alignas(PT_ALIGNMENT) _Atomic uint64_t next;
    /* A generation, and how many of its chunks this member has done: nobody else writes to this line, so that those who
     * are done at the same time do not wait for each other. */
    _Alignas(PT_ALIGNMENT) _Atomic uint64_t done;
    _Alignas(PT_ALIGNMENT) atomic_bool asleep;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    pthread_t thread;
    pt_team *team;
} pt_team_member;

/* A region as it is published. Two take turns, so that the last one can still be read while the next is written. */
typedef struct pt_notice {
    _Atomic uint32_t threads;
    _Atomic uint32_t count;
    _Atomic(pt_work *) work;
    _Atomic(void *) user;
} pt_notice;

struct pt_team {
    /* What everybody who waits for work looks at, and then reads: one cache line. */
    _Alignas(PT_ALIGNMENT) _Atomic uint32_t generation;
    _Atomic uint32_t over; /* the last generation whose chunks are all done, as the caller has seen */
    pt_notice notices[2];
    _Alignas(PT_ALIGNMENT) atomic_bool waiting; /* the caller sleeps until all chunks are done */
    _Atomic uint32_t asleep;
    atomic_bool ended;
    _Alignas(PT_ALIGNMENT) atomic_bool running; /* whose what follows is, who has made this true */
    bool started;
    uint32_t size; /* members that there are, the caller included */
    uint32_t most;
    pid_t process;
    pthread_mutex_t mutex;
    pthread_cond_t done;
    pt_team_member members[];
};

/* A thread's life in the team. */
void *pt_team_serve(void *member);

/* What everybody does, and the caller too: wakes some of those who sleep and are wanted; takes all chunks that are to
 * be had. Then the caller waits until everything that others have begun is done. */
void pt_team_wake_some(pt_team *team, uint32_t threads);
void pt_team_take_part(pt_team *team, const pt_region *region, uint32_t me);
void pt_team_wait(pt_team *team, const pt_region *region);

#endif
