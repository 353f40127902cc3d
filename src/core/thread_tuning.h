/* How many threads to give to short pieces of work that come again and again, a few microseconds each.
 *
 * All threads pay off on an idle machine. Where other programs use the cores, a team waits at every piece's end for the
 * thread that is not running, and one thread is many times faster. So both are timed, the faster is used, and the other
 * is tried again now and then, more and more rarely while it keeps losing. Only for work whose result does not depend
 * on the number of threads. */
#ifndef PT_PACE_H
#define PT_PACE_H

#include <stdbool.h>
#include <stdint.h>

enum { PT_PACE_TRIAL = 5 }; /* pieces */

typedef struct pt_pace {
    int threads; /* of the full team */
    bool team;   /* in use now */
    bool trial;
    double start;
    double seconds[2]; /* for a unit of work: a running mean for one thread, and for the team; 0: not measured */
    double times[PT_PACE_TRIAL];
    int tried, hopeless; /* pieces of the trial, and how many of them were very slow */
    uint32_t left;       /* pieces until the other is tried */
    uint32_t interval;   /* between trials of a team that has lost */
} pt_pace;

void pt_pace_init(pt_pace *pace, int threads);
int pt_pace_begin(pt_pace *pace);             /* the number of threads for the piece that begins now */
void pt_pace_end(pt_pace *pace, double work); /* how much it was, in any unit: pieces may differ in size */

#endif
