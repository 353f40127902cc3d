/* The state of the simplex problem with its gradient, for its own files: full.c, the problem; full_make.c, making and
 * freeing; full_shared.c, rows that live in several processes. */
#ifndef PT_FULL_H
#define PT_FULL_H

#include "core/team.h"
#include "core/thread_tuning.h"
#include "kernel/cache.h"
#include "simplex/simplex.h"

enum {
    PT_FULL_TILES = 64,
    PT_FULL_ROWS = 8192, /* at most, of a part of the index */
};

/* The least entry of a part of the gradient. */
typedef struct pt_best {
    double score;
    int64_t id;
    char padding[PT_ALIGNMENT - sizeof(double) - sizeof(int64_t)]; /* threads write side by side */
} pt_best;

typedef struct pt_full {
    pt_simplex simplex;
    double *gradient; /* at now */
    double *previous; /* at the previous iterate; NULL where the variant has no use for it */
    pt_best least;
    pt_best *chunk_least;
    pt_tuning tuning; /* how many threads a pass is given */
    double cost;      /* nanoseconds of a kernel value */
    uint64_t work;    /* kernel values used, whether they were computed or found in the cache */
    pt_cache cache;
    pt_index index; /* of sparse rows */
    pt_panel panel[2];
    int64_t packed[2]; /* the row in each panel; -1: none */
    int recent;        /* the panel used last */

    /* Where rows live in several processes. */
    pt_block guest_block;
    size_t room; /* of the gradients, */
    size_t most; /* and of the chunks */
} pt_full;

extern const pt_problem_ops pt_full_ops;        /* full.c: all rows are here, */
extern const pt_problem_ops pt_full_shared_ops; /* or in several processes */

/* Chunks of a pass. With an index, they are its parts. Rows of other processes have chunks of their own behind them. */
static inline size_t pt_full_own_chunks(const pt_full *f)
{
    const pt_index *index = f->simplex.block.index;
    return index ? index->count : pt_span_count(f->simplex.points.matrix->tiles, PT_FULL_TILES);
}

static inline size_t pt_full_chunks(const pt_full *f)
{
    const pt_share *share = f->simplex.share;
    return pt_full_own_chunks(f) + (share ? pt_span_count(share->guests.tiles, PT_FULL_TILES) : 0);
}

void pt_full_free(pt_problem *problem); /* full_make.c */

/* full_shared.c: room for the guests that there are; and the oracle, for the least of all processes. */
partan_status pt_full_make_room(pt_full *f);
partan_status pt_full_shared_toward(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex);

#endif
