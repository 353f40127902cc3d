/* The vertices of the simplex problem: the rows, with those that are equal in values, sign and linear term merged.
 *
 * For the L2 loss merging is exact: at the optimum equal rows share their weight in proportion to their costs, and each
 * then has the same score, so that one vertex with the sum of the costs has the objective and the gap of them all. */
#ifndef PT_VERTICES_H
#define PT_VERTICES_H

#include "fw/solve.h"
#include "simplex/simplex.h"

typedef struct pt_vertices {
    pt_simplex simplex; /* over the vertices */
    size_t rows;
    bool merged;               /* false: vertices are rows, and nothing below is used */
    uint32_t *vertex;          /* of each row */
    const double *row_weights; /* C_u / C of each row, the caller's; NULL: 1 each */
    double *cost_weights;      /* of each vertex, their sum over its rows */
    pt_matrix matrix;          /* one row of each */
    float *signs;
    double *linear; /* NULL where there are no linear terms */
} pt_vertices;

/* The problem that a dual poses on the rows. Merges, where that is wanted and a row has one vertex, when it saves a
 * tenth of the rows or more and their copy fits the budget. */
partan_status pt_vertices_make(pt_vertices *vertices, partan_context *context, const pt_kernel *kernel, pt_points rows,
                               const pt_dual *dual, bool merge, size_t budget);
void pt_vertices_free(pt_vertices *vertices);

/* The first row of each vertex of a list, written over the vertices. */
partan_status pt_vertices_rows(const pt_vertices *vertices, int64_t *ids, size_t count);

/* A starting point over rows as one over vertices; `ids` has room for start->count. */
void pt_vertices_start(const pt_vertices *vertices, pt_start *start, int64_t *ids);

/* Weights over vertices as weights over rows, in `iterate`, which is not initialised yet. */
partan_status pt_vertices_expand(const pt_vertices *vertices, const pt_iterate *weights, pt_iterate *iterate);

#endif
