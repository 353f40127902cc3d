/* The threads of all processes on a machine, in the hands of the first one, while the others sleep (core/comm.h). */
#ifndef PT_CREW_H
#define PT_CREW_H

#include "core/context.h"

typedef struct pt_crew {
    pt_team *team; /* NULL: the context's own threads are all there are */
    int size;      /* 0: nobody has been hired yet */
    pt_team *own;  /* the context's, while the crew is at work */
    int threads;
} pt_crew;

/* So many threads, if there are processors for more than the context's. */
void pt_crew_hire(pt_crew *crew, partan_context *context, int threads);
void pt_crew_dismiss(pt_crew *crew, partan_context *context);

/* Between the two what the context does is done by the crew, where there is one; the context's own threads sleep. */
void pt_crew_begin(pt_crew *crew, partan_context *context);
void pt_crew_end(pt_crew *crew, partan_context *context);

#endif
