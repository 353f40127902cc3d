/* Things that processes have, each some of them, shown in the order of all. */
#ifndef PT_RANKED_H
#define PT_RANKED_H

#include "core/comm.h"
#include "core/context.h"

/* Those of this process. */
typedef struct pt_ranked pt_ranked;
struct pt_ranked {
    void *things;
    size_t count, size;                             /* how many, and of how many bytes each */
    int (*compare)(const void *a, const void *b);   /* as qsort's */
    void (*sort)(pt_ranked *ranked, size_t wanted); /* puts so many in order, the first ones; NULL: all are */
};

/* Shows them one after the other, until there are no more or `show` returns false. Of several processes (comm; NULL:
 * one), the first is shown those of all, which travel to it some thousand at a time, as far as they are asked for. All
 * call it; a failure is that of all. */
partan_status pt_ranked_show(partan_context *context, pt_comm *comm, pt_ranked *mine,
                             bool (*show)(void *user, const void *thing), void *user);

#endif
