/* What the files of the exact kernel values share: what each instruction set provides for kernels as functions of one
 * number, the product or the distance of two points (kernel/kinds.h). */
#ifndef PT_EXACT_H
#define PT_EXACT_H

#include "kernel/kinds.h"

enum { PT_EXACT_POINTS = 4 }; /* that rows are met with at a time, at most */

/* Some points in double precision, over the features that rows have. */
typedef struct pt_exact_points {
    const double *values; /* [count][features] */
    size_t count, features;
} pt_exact_points;

typedef struct pt_exact_ops {
    /* Adds to u[k * PT_EXACT_ROWS + i] the product of row i of some dense tiles and point k, or their distance. */
    void (*measure)(pt_metric metric, const float *x, const pt_exact_points *z, size_t tiles, double *u);
    /* Adds to counts[lane] the bits that a tile of packed rows and a vertex have in common, or differ in. */
    void (*count)(bool differing, const uint32_t *x, const uint32_t *z, size_t words, uint32_t *counts);
    /* values[i] = exp(-rate values[i]), or that less 1, for values >= 0 and a count that is a multiple of PT_TILE. */
    void (*exponentials)(bool less_one, double *values, size_t count, double rate);
    /* sums[i] += weights[k] values[k * PT_EXACT_ROWS + i], k by k, for a count that is a multiple of PT_TILE. */
    void (*add)(const double *values, size_t points, const double *weights, size_t count, double *sums);
} pt_exact_ops;

const pt_exact_ops *pt_exact_ops_for(pt_isa isa);

#endif
