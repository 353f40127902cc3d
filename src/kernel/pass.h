/* Passes of the solvers over their rows, where kernel values become entries of K = y y' (k + bias) + 1/C: the step of
 * the Frank-Wolfe variants, and the step of the active-set solver with its search for the next pairs. A pass takes
 * columns of kernel values that are there already; the diagonal's 1/C is the caller's. */
#ifndef PT_PASS_H
#define PT_PASS_H

#include "kernel/block.h"

/* ---- A step of a variant ---- */

/* next_i = now_factor now_i + previous_factor previous_i + sign_i sum_t factor_t (column_t[i] + bias) */
typedef struct pt_combination {
    double *next; /* may be `now` or `previous` */
    const double *now;
    const double *previous; /* NULL: none */
    const float *signs;
    const float *column[2];
    double now_factor, previous_factor, factor[2], bias;
    int terms; /* 0, 1 or 2 */
} pt_combination;

/* ---- A round of pair steps ---- */

#define PT_PAIRS_MOST (PT_PANEL_WIDE / 2)

#define PT_LEAST_CURVATURE 1e-12f /* what stands for a pair's curvature where rounding leaves none */

/* One pass of the pair method over its rows: a step along several columns, and the search for the next step's pairs.
 *
 *     score_i += sign_i (shift + sum_c kept_factor_c kept_c[i] + sum_c step_factor_c k(i, step vertex c))
 *
 * Then, for each of `pairs` seekers u, the row whose weight would gain most by moving to u along e_u - e_i, without
 * regard to how much it has: d^2 / eta, d = score_i - score_u > 0, eta = K_uu + K_ii - 2 K_ui, K_ui = sign_u sign_i
 * (k_ui + bias). The kept columns are read, and then become those of the seekers. */
typedef struct pt_sweep {
    size_t pairs; /* half the width of a panel: step vertices and seekers */
    double *scores;
    const float *signs;
    const float *diagonals; /* K_ii; INFINITY where i has no weight to move */
    float *kept;            /* [pairs][stride] */
    size_t stride;
    double shift, kept_factor[PT_PAIRS_MOST], step_factor[PT_PAIRS_MOST];
    float bias;
    double origin, scale; /* the search sees float32 numbers, (score - origin) scale */
    float seeker_score[PT_PAIRS_MOST], seeker_sign[PT_PAIRS_MOST], seeker_diagonal[PT_PAIRS_MOST];
} pt_sweep;

/* What it found in a chunk of rows, which are counted from the chunk's begin. What is looked at in every chunk is in
 * one cache line, which comes from the core that swept the chunk. */
typedef struct pt_swept {
    _Alignas(PT_ALIGNMENT) float lowest; /* score of all rows, as seen by the search; INFINITY: none */
    float gain[PT_PAIRS_MOST];           /* the greatest of each seeker; 0: no row gains */
    int32_t gain_row[PT_PAIRS_MOST];
    float least[PT_TILE]; /* low scores, each the least of some rows; INFINITY: none */
    int32_t least_row[PT_TILE];
} pt_swept;

/* ---- What each instruction set provides (kernel/instructions.h) ---- */

typedef struct pt_pass_ops {
    /* Entries begin .. end-1 of the combination (arrays are indexed from their start, columns from `begin`); returns
     * the least of them. */
    double (*combine)(const pt_combination *combination, size_t begin, size_t end);
    /* Rows begin .. end-1, whole tiles. `fresh` has the step vertices' columns over these rows, then the seekers',
     * `stride` apart. Padding rows have sign 0, score and diagonal INFINITY. */
    void (*sweep)(const pt_sweep *sweep, const float *fresh, size_t stride, size_t begin, size_t end, pt_swept *found);
} pt_pass_ops;

const pt_pass_ops *pt_pass_ops_for(pt_isa isa);

#endif
