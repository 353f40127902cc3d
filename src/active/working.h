/* The working set: some vertices of the simplex problem with their rows gathered in one place, on which the problem is
 * solved by second-order pair steps, several pairs at a time.
 *
 * A pair step moves weight from v to u: u has a low score, v is the vertex with weight that gains most by it,
 * (g_v - g_u)^2 / (K_uu + K_vv - 2 K_uv). Kernel columns cost least by the panel, so a round takes several pairs: the
 * seekers u, found low in the pass before, with their columns; the best partner v of each; steps among these few
 * vertices, whose kernel values are known; and one pass over all members that computes the columns of the partners
 * and of the next round's seekers, updates all scores, and searches the next partners (pt_sweep).
 *
 * Where a kernel value costs more than its memory, columns are kept (column_store.h) and the pass reads them. */
#ifndef PT_WORKING_H
#define PT_WORKING_H

#include "active/column_store.h"
#include "core/thread_tuning.h"
#include "kernel/pass.h"
#include "simplex/simplex.h"

enum {
    PT_WORKING_VALUES = 16384, /* kernel values that a chunk may have: rows by the panel's width */
    PT_WORKING_BATCH = 32,     /* kept columns that are computed together */
    PT_WORKING_LOW = PT_WORKING_BATCH + PT_PANEL_WIDE, /* members of low score that a pass finds, at most */
    PT_WORKING_PANELS = 4,                             /* by panels of PT_PANEL at least */
};

typedef struct pt_working {
    partan_context *context;
    const pt_simplex *simplex;
    size_t count;
    int64_t *ids; /* vertices of the simplex problem */
    pt_matrix matrix;
    int64_t *serials; /* of its rows, where the kernel is precomputed */
    pt_index index;   /* inverted index of sparse rows, where that serves */
    pt_block block;
    float *signs;
    float *diagonals; /* K_ii of members with weight, INFINITY for the others */
    double *weights, *scores;
    double objective, linear; /* f, and its linear part c'a */
    int64_t least;            /* the member of least score; -1: not known */

    int64_t vertices[PT_PANEL_WIDE];    /* the members whose columns a pass has: partners, then seekers */
    size_t pairs;                       /* half of them */
    pt_panel panels[PT_WORKING_PANELS]; /* the first: these; or where columns are kept, those to be computed */
    pt_column_store store;
    int64_t next;                /* where the search for members without a column goes on */
    int64_t low[PT_WORKING_LOW]; /* of low score, lowest first, found by the last pass */
    size_t low_count;
    int64_t seekers[PT_PAIRS_MOST];
    size_t seeker_count;
    float *kept;     /* the seekers' kernel columns, [pairs][stride] */
    size_t stride;   /* members and padding */
    pt_swept *swept; /* what the last pass found, a chunk each */
    size_t chunks;
    pt_tuning tuning;    /* of passes */
    pt_tuning computing; /* of kept columns */
    double value_cost;   /* nanoseconds of one thread for a kernel value, */
    double cost;         /* and for what a pass does with it, from computing or reading it on */

    uint64_t steps;
    uint64_t values, computed; /* kernel values, and kernel columns */
} pt_working;

/* The rows of a pass are cut into chunks: the tiles from this one on, up to the next chunk's. */
static inline size_t pt_working_tile(const pt_working *working, size_t chunk)
{
    return working->matrix.tiles * chunk / working->chunks;
}

/* What a member brings along. */
typedef struct pt_member {
    int64_t id;
    double weight;
    double score;
} pt_member;

/* `budget`: bytes for kernel columns. */
void pt_working_init(pt_working *working, const pt_simplex *simplex, size_t budget);
void pt_working_free(pt_working *working);

/* Replaces the members. */
partan_status pt_working_set(pt_working *working, const pt_member *members, size_t count, double objective);
/* The same, but PARTAN_INTERRUPTED and the members as they are when asked to stop. */
partan_status pt_working_set_heeding(pt_working *working, const pt_member *members, size_t count, double objective);

/* Changes scores and diagonals as 1 / C of the simplex problem has changed by `change`. */
void pt_working_recost(pt_working *working, double change);

/* Takes the members' scores from those of all vertices. */
void pt_working_rescore(pt_working *working, const double *scores);

/* Pair steps until the gap over the working set is at most `tol` relative to 2f or `eps`, or `most` steps are done, or
 * an interruption is asked for: PARTAN_INTERRUPTED. PARTAN_STALLED when no pair gains any more. */
partan_status pt_working_solve(pt_working *working, double tol, double eps, uint64_t most);

void pt_working_refresh(pt_working *working);     /* its objective, from weights and scores */
double pt_working_gap(const pt_working *working); /* inner product - least score, over the working set */

/* working_store.c: computes what is not known of the columns of `vertices`, and of some others that may be asked for
 * next: members of low score are in `low`. */
partan_status pt_working_complete(pt_working *working, const int64_t *low, size_t low_count);

/* Whether columns of so many members would be kept, with room for all. */
bool pt_working_affords(const pt_working *working, size_t members);

/* working_store.c: computes the columns of all members, and from them the scores of those from `first` on. May be
 * interrupted: PARTAN_INTERRUPTED, and these scores are not known. */
partan_status pt_working_fill(pt_working *working, size_t first);

static inline bool pt_working_keeps(const pt_working *working)
{
    return working->store.most > 0;
}

/* working_round.c: finds the first seekers and their partners; and one round, of at most `most` steps. */
partan_status pt_working_seek(pt_working *working);
partan_status pt_working_round(pt_working *working, uint64_t most, size_t *steps);

#endif
