/* Matrix recovery behind the problem interface of fw/: min 1/2 |A(X)|^2 - <b, A(X)> over the nuclear-norm ball, whose
 * vertices radius * u v' the oracle mints. The state is A(X). */
#ifndef PT_NUCLEAR_H
#define PT_NUCLEAR_H

#include "fw/problem.h"
#include "matrix/spectral.h"

typedef struct pt_atom {
    int64_t id;
    double *u, *v; /* of length 1; the vertex is radius * u v' */
} pt_atom;

enum { PT_NUCLEAR_IMAGES = 2 }; /* a swap has two vertices */

typedef struct pt_nuclear {
    pt_problem problem; /* first: the variants see this */
    pt_measurement *measurement;
    pt_spectral spectral;
    const double *b;
    double radius;
    double *now, *previous, *next; /* A(X) */
    double *gradient;              /* A(now) - b, as of the last look */
    double last_gap;               /* by which the oracle chooses its tolerance */

    pt_atom *atoms; /* by ascending id */
    size_t count, capacity;
    int64_t minted;

    double *image[PT_NUCLEAR_IMAGES]; /* A(vertex) of those looked at last */
    int64_t image_id[PT_NUCLEAR_IMAGES];
    int oldest;
} pt_nuclear;

partan_status pt_nuclear_make(pt_nuclear *ball, pt_measurement *measurement, const double *b, double radius,
                              uint64_t seed);
void pt_nuclear_free(pt_nuclear *ball);

/* A vertex of one's own, for a starting point. Copies u and v. */
partan_status pt_nuclear_mint(pt_nuclear *ball, const double *u, const double *v, double sign, int64_t *id);

const pt_atom *pt_nuclear_atom(const pt_nuclear *ball, int64_t id);

#endif
