/* Parallel tangents over the working set: the best point of the span of several previous iterates.
 *
 * Iterates come with their scores c - Gx, so that G(x - x_k) = score_k - score is known of every difference, and the
 * best combination is a system as small as the number of iterates kept. A coefficient must not change its sign on the
 * way; of the longest and shorter memories the one that lowers the objective most after that cut is taken. */
#ifndef PT_TANGENTS_H
#define PT_TANGENTS_H

#include "lasso/members.h"

enum { PT_TANGENTS = 5 };

typedef struct pt_tangents {
    partan_context *context;
    size_t room;   /* members that an iterate may have */
    size_t count;  /* iterates kept */
    size_t newest; /* of them */
    double *x[PT_TANGENTS];
    double *score[PT_TANGENTS];
} pt_tangents;

void pt_tangents_init(pt_tangents *tangents, partan_context *context);
void pt_tangents_free(pt_tangents *tangents);
void pt_tangents_forget(pt_tangents *tangents);

/* Keeps the members' present iterate; the oldest goes. */
partan_status pt_tangents_keep(pt_tangents *tangents, pt_members *members);

/* Moves the members to the best point found; false when that is where they are. */
bool pt_tangents_step(const pt_tangents *tangents, pt_members *members, double lambda);

#endif
