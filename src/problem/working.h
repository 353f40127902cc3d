/* The working set: some vertices of the simplex problem with their rows gathered in one place, on which the problem is
 * solved by second-order pair steps.
 *
 * A step moves weight from v to u: u has the least score, v is the vertex with weight that gains most by it,
 * (g_v - g_u)^2 / (K_uu + K_vv - 2 K_uv). Both need a kernel row over the working set, computed on the spot where that
 * is cheaper than remembering it, else kept. */
#ifndef PT_WORKING_H
#define PT_WORKING_H

#include "core/pace.h"
#include "kernel/cache.h"
#include "problem/simplex.h"

typedef struct pt_working {
    partan_context *context;
    const pt_simplex *simplex;
    size_t count;
    int64_t *ids; /* vertices of the simplex problem */
    pt_matrix matrix;
    pt_block block;
    float *signs, *diagonals, *active;
    double *weights, *scores;
    double objective;

    float *column[2]; /* kernel rows of u and v */
    pt_panel panel[2];
    pt_cache rows; /* kernel rows by member */
    bool caches;
    size_t cache_bytes;

    pt_pace pace;
    struct pt_working_best *best; /* one a thread */
    int64_t least;                /* the member of least score; -1: not known */

    uint64_t steps;
    uint64_t values;         /* kernel values computed */
    uint64_t computed, hits; /* kernel rows computed, and found in the cache */
} pt_working;

/* What a member brings along. */
typedef struct pt_member {
    int64_t id;
    double weight;
    double score;
} pt_member;

void pt_working_init(pt_working *working, const pt_simplex *simplex, size_t cache_bytes);
void pt_working_free(pt_working *working);

/* Replaces the members. */
partan_status pt_working_set(pt_working *working, const pt_member *members, size_t count, double objective);

/* Pair steps until the gap over the working set is at most `tol` relative to 2f or `eps`, or `most` steps are done, or
 * `deadline` (on pt_clock; 0: none) has passed or an interruption is asked for: PARTAN_INTERRUPTED. PARTAN_STALLED when
 * no pair gains any more. */
partan_status pt_working_solve(pt_working *working, double tol, double eps, uint64_t most, double deadline);

double pt_working_gap(const pt_working *working); /* 2f - least score, over the working set */

#endif
