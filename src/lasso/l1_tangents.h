/* Parallel tangents over the working set of the Lasso: the best point of the span of several previous iterates. (The
 * same on weights that must not be negative is active/tangents.h; here signs may be either, and 0 stays 0.)
 *
 * Iterates come with their scores c - Gx, so that G(x - x_k) = score_k - score is known of every difference, and the
 * best combination is a system as small as the number of iterates kept. A coefficient must not change its sign on the
 * way; of the longest and shorter memories the one that lowers the objective most after that cut is taken. */
#ifndef PT_L1_TANGENTS_H
#define PT_L1_TANGENTS_H

#include "lasso/members.h"

enum { PT_L1_TANGENTS = 5 };

typedef struct pt_l1_tangents {
    partan_context *context;
    size_t room;   /* members that an iterate may have */
    size_t count;  /* iterates kept */
    size_t newest; /* of them */
    double *x[PT_L1_TANGENTS];
    double *score[PT_L1_TANGENTS];
} pt_l1_tangents;

void pt_l1_tangents_init(pt_l1_tangents *tangents, partan_context *context);
void pt_l1_tangents_free(pt_l1_tangents *tangents);
void pt_l1_tangents_forget(pt_l1_tangents *tangents);

/* Keeps the members' present iterate; the oldest goes. */
partan_status pt_l1_tangents_keep(pt_l1_tangents *tangents, pt_members *members);

/* Moves the members to the best point found; false when that is where they are. */
bool pt_l1_tangents_step(const pt_l1_tangents *tangents, pt_members *members, double lambda);

#endif
