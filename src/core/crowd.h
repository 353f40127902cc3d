/* Whether other programs want the processors that this thread works on: it then is without one for a part of the time,
 * although it waits for nothing. */
#ifndef PT_CROWD_H
#define PT_CROWD_H

#include <stdbool.h>

typedef struct pt_crowd {
    double begin, processor; /* of the window under way: on the clock, and of processor time */
    double until;            /* on the clock, when what was seen is forgotten */
} pt_crowd;

/* To be called often from work that has all that it needs. */
bool pt_crowd_look(pt_crowd *crowd, double now);

/* What one window says, of which the thread had a processor for a part; and what is remembered. */
void pt_crowd_see(pt_crowd *crowd, double now, double processor);
static inline bool pt_crowd_is(const pt_crowd *crowd, double now)
{
    return now < crowd->until;
}

#endif
