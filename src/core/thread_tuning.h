/* How many threads to give to short pieces of work that come again and again, a few microseconds each.
 *
 * All threads pay off on an idle machine. Where other programs use the cores, a team waits at every piece's end for the
 * thread that is not running, and one thread is many times faster. So both are timed, the faster is used, and the other
 * is tried again now and then, more and more rarely while it keeps losing. Only for work whose result does not depend
 * on the number of threads. */
#ifndef PT_THREAD_TUNING_H
#define PT_THREAD_TUNING_H

#include <stdbool.h>
#include <stdint.h>

enum { PT_TUNING_TRIAL = 5 }; /* pieces */

typedef struct pt_tuning {
    int threads; /* of the full team */
    bool team;   /* in use now */
    bool trial;
    double start;
    double seconds[2]; /* for a unit of work: a running mean for one thread, and for the team; 0: not measured */
    double times[PT_TUNING_TRIAL];
    int tried, slow;   /* pieces of the trial, and how many of them were very slow */
    uint32_t left;     /* pieces until the other is tried */
    uint32_t interval; /* between trials of a team that has lost */
} pt_tuning;

void pt_tuning_init(pt_tuning *tuning, int threads);
int pt_tuning_begin(pt_tuning *tuning);             /* the number of threads for the piece that begins now */
void pt_tuning_end(pt_tuning *tuning, double work); /* how much it was, in any unit: pieces may differ in size */

#endif
