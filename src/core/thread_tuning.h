/* How many threads to give to short pieces of work that come again and again, some microseconds each.
 *
 * All threads pay off for long pieces on an idle machine. Short pieces are not worth so many, and where other programs
 * use the cores, a piece's end may have to wait for a thread that was stopped in the middle of a chunk. So numbers of
 * threads are timed, all and then half as many and so on, 2 or 1 in the end: the fastest is used, and its neighbours
 * are tried again now and then, more and more rarely while they keep losing. Only for work whose result does not depend
 * on the number of threads.
 *
 * Where other programs use the cores, a few pieces say nothing: the system moves programs from core to core, and what a
 * number of threads is worth shows when it has done so. Trials take longer there, and fewer threads need not be faster.
 */
#ifndef PT_THREAD_TUNING_H
#define PT_THREAD_TUNING_H

#include "core/crowd.h"
#include "core/team.h"

enum {
    PT_TUNING_LEVELS = 13, /* 1, 2, 4 .. 4,096 threads */
    PT_TUNING_TRIAL = 5    /* pieces */
};

typedef struct pt_tuning {
    const partan_context *context;
    int levels;
    int home;                         /* the level that was the fastest, */
    int level;                        /* and the one in use now: the same, unless another one is tried */
    int toward;                       /* 1 or -1: the neighbour to be tried next */
    double seconds[PT_TUNING_LEVELS]; /* for a unit of work at each level; 0: not measured */
    double nanoseconds;               /* of the pieces that they were measured with, by one thread */
    bool timed;                       /* the piece under way */
    double start;
    double times[PT_TUNING_TRIAL];
    int tried, slow;               /* pieces of the trial, and how many of them were very slow */
    double trial_time, trial_work; /* of all of them */
    bool crowded;                  /* others use the cores, as far as is known */
    double rest;                   /* until when, on the clock, no trial begins while they do */
    pt_crowd crowd;
    uint32_t left;     /* pieces until the next trial */
    uint32_t interval; /* between trials */
} pt_tuning;

void pt_tuning_init(pt_tuning *tuning, const partan_context *context);

/* The number of threads for a piece that begins now and would take one thread about so long. */
int pt_tuning_begin(pt_tuning *tuning, double nanoseconds);
void pt_tuning_end(pt_tuning *tuning, double work); /* how much it was, in any unit: pieces may differ in size */

#endif
