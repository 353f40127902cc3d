/* Parallel tangents over the working set: the paper's extrapolation with more than one previous iterate.
 *
 * Weights and scores of the working set are remembered now and then. The differences e_k of consecutive weights have
 * K e_k known, the differences h_k of their scores; so the best point of a + span(e) is a system as small as their
 * number and costs no kernel value. A ratio test keeps the weights from becoming negative. */
#ifndef PT_TANGENTS_H
#define PT_TANGENTS_H

#include <stddef.h>

#include "core/context.h"

enum { PT_TANGENTS = 10 }; /* differences kept */

/* A direction: weights, and K times them. */
typedef struct pt_tangent {
    double *weights, *scores;
    double share; /* how far it goes, where it is a step */
} pt_tangent;

typedef struct pt_tangents {
    partan_context *context;
    size_t members;
    pt_tangent last;              /* weights and scores remembered last */
    pt_tangent kept[PT_TANGENTS]; /* e_k and h_k, the latest first */
    double gram[PT_TANGENTS][PT_TANGENTS];
    size_t count;
    pt_tangent best, trial; /* steps */
} pt_tangents;

partan_status pt_tangents_make(pt_tangents *tangents, partan_context *context, size_t members, const double *weights,
                               const double *scores);
void pt_tangents_free(pt_tangents *tangents);

/* Remembers the present weights and scores, and takes the best step from them, if any lowers the objective: *gain is by
 * how much. Weights that the ratio test makes 0 are 0 exactly. */
partan_status pt_tangents_step(pt_tangents *tangents, double *weights, double *scores, double *gain);

#endif
