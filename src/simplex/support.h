/* The support of an iterate, gathered, and gradients by sums over it. */
#ifndef PT_SUPPORT_H
#define PT_SUPPORT_H

#include "simplex/simplex.h"

/* The vertices of positive weight, gathered: their rows and signed weights. */
typedef struct pt_support {
    size_t count;
    int64_t *ids;
    double *weights;
    int64_t *serials;
    pt_matrix vectors;
    double total;  /* of the signed weights */
    double linear; /* c'a */
} pt_support;

/* In the order of the rows, so that the same weights give the same sums however they came about. The caller frees it,
 * also on failure. */
partan_status pt_support_gather(const pt_simplex *simplex, const pt_iterate *iterate, pt_support *support);
void pt_support_free(partan_context *context, pt_support *support);

/* The support as points of the kernel. */
pt_points pt_support_points(const pt_support *support);

/* g = Ka + c over all vertices, with kernel values in float32. */
partan_status pt_support_gradient(pt_simplex *simplex, const pt_iterate *iterate, const pt_support *support,
                                  double *gradient);

/* g = Ka + c over some vertices (NULL: all, in order) from sums of kernel values over the support, in place. */
void pt_support_finish(const pt_simplex *simplex, const pt_iterate *iterate, const pt_support *support,
                       const int64_t *ids, size_t count, double *sums);

#endif
