/* Whether an iteration still gets anywhere: near the end of what double precision holds, rounding can lead steps in
 * circles. Every loop that could go on for ever looks at its objective and its gap now and then. */
#ifndef PT_STALL_H
#define PT_STALL_H

#include <float.h>
#include <math.h>

typedef struct pt_stall {
    double objective, gap; /* the least so far that was progress */
    int idle;              /* looks since the last one */
} pt_stall;

static inline pt_stall pt_stall_begin(void)
{
    return (pt_stall){INFINITY, INFINITY, 0};
}

/* Returns the looks since there was progress: a lower objective in more than its last digits, or a gap of less than
 * `gain` times the least one. A loop that has only one of the two gives INFINITY for the other. */
static inline int pt_stall_look(pt_stall *stall, double objective, double gap, double gain)
{
    stall->idle++;
    if (stall->objective - objective > 4 * DBL_EPSILON * fabs(objective)) {
        stall->objective = objective;
        stall->idle = 0;
    }
    if (gap < gain * stall->gap) {
        stall->gap = gap;
        stall->idle = 0;
    }
    return stall->idle;
}

#endif
