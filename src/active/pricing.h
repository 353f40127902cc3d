/* Pricing: the scores of rows outside the working set.
 *
 * A view is a set of rows with their sums of kernel values over the support vectors. The sums are kept with the weights
 * they belong to, so that pricing again costs only what has changed since. */
#ifndef PT_PRICING_H
#define PT_PRICING_H

#include "active/working.h"
#include "core/team.h"

/* Signed weights of some vertices. */
typedef struct pt_weights {
    int64_t *ids;
    double *values;
    size_t count;
    double total;
} pt_weights;

typedef struct pt_view {
    pt_matrix gathered;
    const pt_matrix *rows; /* gathered, or the rows of the whole problem; NULL: not yet */
    int64_t *ids;
    size_t count;
    size_t total; /* of all processes' */
    double *sums;
    double *scores;
    pt_weights weights; /* what the sums belong to */
} pt_view;

/* The vertex of a view's row. */
static inline int64_t pt_view_vertex(const pt_view *view, size_t i)
{
    return view->ids ? view->ids[i] : (int64_t)i;
}

/* Little work for each row of a view, by blocks of them. */
enum { PT_VIEW_BLOCK = 1 << 12 };
void pt_view_for_all(partan_context *context, const pt_view *view, pt_work *work, void *user);

/* Those of the working set. The caller frees them, also on failure. */
partan_status pt_weights_of(const pt_working *working, pt_weights *weights);
partan_status pt_weights_make(partan_context *context, pt_weights *weights, size_t capacity);
void pt_weights_add(pt_weights *weights, int64_t id, double value);
void pt_weights_free(partan_context *context, pt_weights *weights);

/* A view of `count` vertices; takes `ids` over, also on failure. NULL ids: all vertices, without a copy of their rows.
 * `scores` of all vertices and `weights`, the weights they belong to, start it off; NULL: all sums are 0. */
partan_status pt_view_make(pt_view *view, pt_simplex *simplex, int64_t *ids, size_t count, const double *scores,
                           const pt_weights *weights);
void pt_view_free(partan_context *context, pt_view *view);

/* Leaves out the vertices marked in `inside`; the others keep their sums. A failure leaves the view as it was. */
partan_status pt_view_shrink(pt_view *view, pt_simplex *simplex, const unsigned char *inside);

/* Scores of the view's rows for the weights of the working set; without weights after a failure, or when it is
 * interrupted, since they are of no use then. They leave out the diagonal, which belongs to members,
 * whose scores the working set has. `scratch` holds a zero for each vertex. */
partan_status pt_view_price(pt_view *view, pt_simplex *simplex, const pt_working *working, double *scratch);

#endif
