/* Extrapolation along the path over C: a starting point for the next C as a combination of the last solutions.
 *
 * C is on the diagonal of K = Q + D / C alone, so Qa of a solution serves every C. Where x is a combination of
 * solutions whose Qa is known, so are Qx, f(x) at the new C and, by a system as small as their number, the best such x.
 * A path is smooth but for the vertices that join or leave: weights that the combination makes negative become 0, and
 * only these cost kernel values (extrapolation_clip.c). */
#ifndef PT_EXTRAPOLATION_H
#define PT_EXTRAPOLATION_H

#include "simplex/simplex.h"

enum { PT_EXTRAPOLATION_POINTS = 3 };

/* A point of the simplex. */
typedef struct pt_path_point {
    int64_t *ids; /* of positive weight */
    double *weights;
    size_t count;
    double *products; /* Qa, of all vertices */
    double error;     /* of the products by rounding, where 1 is that of Qa from scratch */
} pt_path_point;

typedef struct pt_extrapolation {
    pt_simplex *simplex;
    double *scratch;                               /* a zero for each vertex, between uses; not owned */
    pt_path_point points[PT_EXTRAPOLATION_POINTS]; /* the latest first */
    size_t count;
} pt_extrapolation;

void pt_extrapolation_init(pt_extrapolation *extrapolation, pt_simplex *simplex, double *scratch);
void pt_extrapolation_free(pt_extrapolation *extrapolation);
void pt_path_point_free(partan_context *context, pt_path_point *point);

/* Takes the point over; the oldest is forgotten when there are too many. */
void pt_extrapolation_add(pt_extrapolation *extrapolation, pt_path_point point);

/* The start for the cost that the simplex problem now has; there is at least one point. The caller frees it. */
partan_status pt_extrapolation_next(pt_extrapolation *extrapolation, pt_path_point *next);

/* Parts of it: brings a point whose weights may be negative back into the simplex, and computes its products from
 * scratch. */
partan_status pt_extrapolation_clip(const pt_extrapolation *extrapolation, pt_path_point *point);
partan_status pt_extrapolation_renew(const pt_extrapolation *extrapolation, pt_path_point *point);

#endif
