/* When the library looks whether somebody asks it to stop: the longest stretches of processor time between two looks of
 * a thread that could have stopped it. Linked with --wrap, these take the place of the library's own looks. */
#ifndef LOOKS_H
#define LOOKS_H

#include <stddef.h>

enum { LOOK_FRAMES = 12, LONGEST = 6 };

typedef struct stretch {
    double seconds, end;       /* of the thread's processor time, from looks_begin on */
    void *before[LOOK_FRAMES]; /* who looked, outwards; NULL ends it */
    void *after[LOOK_FRAMES];
} stretch;

void looks_begin(void);                                  /* the calling thread is watched from here, */
void looks_end(stretch longest[LONGEST], size_t *count); /* to here; the longest ones first */

#endif
