/* What the files of the exact kernel values share: what each instruction set provides for kernels as functions of one
 * number, the product or the distance of two points (kernel/kinds.h). */
#ifndef PT_EXACT_H
#define PT_EXACT_H

#include "kernel/kinds.h"

typedef struct pt_exact_ops {
    /* Adds to u[i] the product of row i of some dense tiles and a point z, or their distance, over the features that
     * rows have. */
    void (*measure)(pt_metric metric, const float *x, const double *z, size_t features, size_t tiles, double *u);
    /* Adds to counts[lane] the bits that a tile of packed rows and a vertex have in common, or differ in. */
    void (*count)(bool differing, const uint32_t *x, const uint32_t *z, size_t words, uint32_t *counts);
    /* values[i] = exp(-rate values[i]), for values >= 0 and a count that is a multiple of PT_TILE. */
    void (*exponentials)(double *values, size_t count, double rate);
} pt_exact_ops;

const pt_exact_ops *pt_exact_ops_for(pt_isa isa);

#endif
