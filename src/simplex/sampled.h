/* The state of the sampled simplex problem, for its own files: sampled.c, the problem; sampled_store.c, the active rows
 * and scores by sums over them. */
#ifndef PT_SAMPLED_H
#define PT_SAMPLED_H

#include "core/random.h"
#include "core/thread_tuning.h"
#include "simplex/simplex.h"

/* Some rows, gathered, with their signed weights in the two iterates. */
typedef struct pt_store {
    pt_block block;
    pt_matrix matrix;
    pt_index index; /* of many sparse rows */
    int64_t *ids;
    size_t *slots; /* of the iterate, where each was found last */
    double *now, *previous;
    double *scores; /* at now, where the variant asks for the away vertex */
    size_t count, capacity;
} pt_store;

enum { PT_POOL_SIZE = 2048 };

typedef struct pt_scored {
    int64_t id;
    double score;
} pt_scored;

typedef struct pt_sampled {
    pt_simplex simplex;
    size_t size; /* of a sample */
    pt_random random;
    pt_store stores[2];    /* all but the newest active rows, and these */
    unsigned char *stored; /* which vertices are in a store */
    size_t stored_room;
    bool scored;                  /* the stores' scores are kept: the away vertex has been asked for */
    pt_panel column;              /* the vertex that a move names */
    double total, previous_total; /* of the signed weights */

    pt_tuning tuning; /* how many threads a sample is given */
    double cost;      /* nanoseconds of a kernel value */
    pt_panel *panels; /* one a thread */
    int64_t *ids;     /* the sample, by the numbers of its vertices, and its scores */
    double *scores, *previous_scores;

    pt_scored *pool; /* violators that a full pass found */
    size_t pool_count;
    double pool_level; /* a score at or above this is no violation any more */
} pt_sampled;

/* The stores hold the active rows, all in the first one. */
partan_status pt_sampled_store_all(pt_sampled *s, const pt_iterate *iterate);
/* Sees to it that a vertex that comes in is stored. */
partan_status pt_sampled_store_new(pt_sampled *s, const pt_iterate *iterate, int64_t id);

/* Scores of the first `count` ids of the sample. */
partan_status pt_sampled_score(pt_sampled *s, const pt_iterate *iterate, size_t count);

/* The stores' scores: from scratch, a sample's size at a time; and after a move, whose vertices are stored. */
partan_status pt_sampled_score_stores(pt_sampled *s, const pt_iterate *iterate);
partan_status pt_sampled_move_scores(pt_sampled *s, const pt_move *move);

/* ---- sampled_shared.c: rows that live in several processes ---- */

/* pt_sampled_score where ids are numbers: each process scores those that live there, and all get all scores. */
partan_status pt_sampled_score_shared(pt_sampled *s, const pt_iterate *iterate, size_t count);
/* The vertex of a number, which becomes a guest where it is new. */
partan_status pt_sampled_meet(pt_sampled *s, int64_t number, int64_t *vertex);
partan_status pt_sampled_make_room(pt_sampled *s); /* for the guests that there are */
/* The pools of all processes, one after the other, in *all, which the caller frees. */
partan_status pt_sampled_gather_pools(pt_sampled *s, pt_scored **all, size_t *count);

#endif
