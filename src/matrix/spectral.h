/* Singular values of the gradient G = A*(values), which is known by products with vectors only.
 *
 * Leading pairs come from ARPACK (arpack.c), on G'G or GG', whichever is smaller. What it returns is good, but proves
 * less than one would like: a pair u, v with v'v = u'u = 1, Gv = s u and |G'u - s v| = e says that s <= |G|_2, and that
 * *some* singular value is within e of s. Not that it is the largest: a start vector without any part in the leading
 * direction would never show it. So the oracle's slack, which is e, is what steers the steps, and the certificate rests
 * on a bound of its own:
 *
 * An upper bound of |G|_2 (lanczos.c). Lanczos steps from a random z give the orthonormal polynomials q_0, q_1, ... of
 * the measure that z has on the eigenvalues of G'G. For every eigenvalue mu of weight w = <v, z>^2 / |z|^2 they obey
 *
 *     sum_j q_j(mu)^2 <= 1/w
 *
 * (Christoffel), and beyond the largest Ritz value the sum only grows. So where the sum exceeds 1/w, the largest
 * eigenvalue is not. w is not known, but for z drawn evenly from all directions of n dimensions it is below
 * pi/2 delta^2 / n with probability at most delta, whatever the matrix; PT_DELTA is what partan takes. This is proven
 * in exact arithmetic. In floating point the recurrence loses orthogonality, which amounts to moving eigenvalues by
 * rounding (Greenbaum 1989); PT_ROUNDING of the bound is added for it. Tests hold it against dense singular values. */
#ifndef PT_SPECTRAL_H
#define PT_SPECTRAL_H

#include "matrix/deflation.h"

#define PT_DELTA    1e-9
#define PT_ROUNDING 1e-12

typedef struct pt_pairs {
    size_t count, room;
    double *left, *right; /* pair k: left + k * rows, right + k * columns, both of length 1, */
    double *value;        /* and its singular value, descending: left' G right */
    double error;         /* of the first: |G'u - s v| */
} pt_pairs;

typedef struct pt_spectral {
    partan_context *context;
    pt_measurement *measurement;
    size_t dimension;      /* of the operator: the lesser number of rows and columns, */
    size_t other;          /* and the greater */
    bool by_rows;          /* the operator is G G' */
    uint64_t seed;         /* of random vectors */
    double *image;         /* `other` long: between the two products */
    double *start, *scrap; /* `dimension` long: the last leading vector; 0 at first */
    pt_pairs pairs;        /* the last ones asked for */
    /* What is projected out of G: pairs are then those of PGQ, and bounds are put together by deflation.h; NULL:
     * nothing is. The caller's. */
    const pt_deflation *deflation;
} pt_spectral;

partan_status pt_spectral_make(pt_spectral *spectral, pt_measurement *measurement, uint64_t seed);
void pt_spectral_free(pt_spectral *spectral);

/* out = (G'G) x or (GG') x, G deflated. The measurement must be prepared for the values. */
partan_status pt_spectral_product(pt_spectral *spectral, const double *values, const double *x, double *out);

/* Eigenvectors of the operator for its `count` largest eigenvalues, a column after the other, each to within
 * `tolerance` of its eigenvalue as ARPACK judges it. PARTAN_INTERRUPTED when asked to stop. (arpack.c) */
partan_status pt_arpack(pt_spectral *spectral, const double *values, size_t count, double tolerance, double *vectors);
partan_status pt_arpack_available(partan_context *context);

/* The `count` leading singular pairs of G = A*(values), or as many as there are, into spectral->pairs. */
partan_status pt_spectral_pairs(pt_spectral *spectral, const double *values, size_t count, double tolerance);

/* lower <= |G|_2, and |G|_2 <= upper as said above, until more steps could lower it by at most `enough`. */
partan_status pt_spectral_bound(pt_spectral *spectral, const double *values, double enough, double *lower,
                                double *upper);

/* The same from the recurrence's coefficients after `steps` steps, of the operator: alpha[0 ..], beta[1 ..]. */
void pt_lanczos_bounds(const double *alpha, const double *beta, size_t steps, size_t dimension, double *lower,
                       double *upper);

#endif
