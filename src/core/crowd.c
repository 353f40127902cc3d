#include "core/crowd.h"

#include "core/clock.h"

#define WINDOW 0.01 /* seconds: several turns of the scheduler */
#define LONGEST                                                                                                        \
    0.03 /* of a window that counts: in a longer one something else was done, perhaps a file was waited for */
#define ENOUGH   0.8 /* of a window, that one thread has where nobody disturbs */
#define REMEMBER 1.0 /* second */

void pt_crowd_see(pt_crowd *crowd, double now, double processor)
{
    double window = now - crowd->begin;
    if (window <= LONGEST && processor - crowd->processor < ENOUGH * window)
        crowd->until = now + REMEMBER;
    crowd->begin = now;
    crowd->processor = processor;
}

bool pt_crowd_look(pt_crowd *crowd, double now)
{
    if (now - crowd->begin >= WINDOW)
        pt_crowd_see(crowd, now, pt_clock_processor());
    return pt_crowd_is(crowd, now);
}
