/* Work in pieces that do not need each other, such as the lines of a grid: done one after the other or, where several
 * processes run the command together, each by the process that is free next (mpi/queue.c). What comes of it is handed
 * in to the first process. */
#ifndef CLI_FARM_H
#define CLI_FARM_H

#include "command.h"

/* `work` and `settle` return exit codes: one that is not EXIT_DONE ends the work of all. */
typedef struct farm {
    void *user;
    size_t count;                                 /* of pieces */
    bool (*skip)(const void *user, size_t piece); /* asked in the first process; NULL: none */
    int (*work)(void *user, size_t piece);        /* in one of the processes */
    /* In the first process: something that one of them has handed in. It may be called while the library is at work, so
     * it must not use the context; what has to, does so in `settle`, which is called after the pieces of this process,
     * and may be called by `work` where the library allows it. settle may be NULL. */
    void (*take)(void *user, const void *bytes, size_t size);
    int (*settle)(void *user);
    bool stop;        /* set by work: this process takes no more pieces */
    bool interrupted; /* afterwards: one of the processes was */
} farm;

int farm_run(invocation *run, farm *work);
/* Why it ended early, else the first of the pieces' statuses, in their order, that is not OK. */
partan_status farm_status(const farm *work, const partan_status *of_pieces);
/* To be called by work. Things that one process hands in arrive in this order. */
void farm_hand_in(invocation *run, const farm *work, const void *bytes, size_t size);

/* A training that somebody or the time limit ended. */
static inline bool is_cut_short(partan_status status)
{
    return status == PARTAN_INTERRUPTED || status == PARTAN_TIME_LIMIT;
}

#endif
