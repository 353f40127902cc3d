/* Pair steps on a few vertices whose kernel values are all known. */
#ifndef PT_PAIRS_H
#define PT_PAIRS_H

#include <stddef.h>

#include "kernel/pass.h"

typedef struct pt_pairs {
    size_t count;
    double kernel[PT_PANEL_WIDE][PT_PANEL_WIDE]; /* K, symmetric */
    double weights[PT_PANEL_WIDE];
    double scores[PT_PANEL_WIDE]; /* entries of Ka, by the weights of all vertices, these and others */
} pt_pairs;

/* Moves weight from vertex to vertex, second-order pairs, until the difference between the greatest score of a vertex
 * with weight and the least score is at most `share` of what it was, or `most` steps are done; returns how many. */
size_t pt_pairs_solve(pt_pairs *pairs, double share, size_t most);

#endif
