/* The vertices of the simplex problem, with those of rows merged that are equal in values, signs and linear terms.
 *
 * For the L2 loss merging is exact: at the optimum equal rows share their weight in proportion to their costs, and each
 * then has the same score, so that one vertex with the sum of the costs has the objective and the gap of them all. */
#ifndef PT_VERTICES_H
#define PT_VERTICES_H

#include "fw/solve.h"
#include "simplex/simplex.h"

typedef struct pt_vertices {
    pt_simplex simplex;            /* over the vertices */
    size_t rows, vertices, layers; /* as they are; vertices that a row has */
    bool merged;                   /* false: the vertices are as they are, and nothing below is used */
    uint32_t *vertex;              /* the merged row of each row */
    const double *row_weights;     /* C_u / C of each vertex as it is, the caller's; NULL: 1 each */
    double *cost_weights;          /* of each merged vertex, their sum */
    pt_matrix matrix;              /* the merged rows */
    float *signs;
    double *linear; /* NULL where there are no linear terms */

    /* Where rows live in several processes: vertices_shared.c. */
    pt_dual posed;      /* as it was posed on */
    pt_share *original; /* the rows as they are */
    pt_share share;     /* the merged ones, which the simplex has */
    int64_t *firsts;    /* of each own row, the number of the first of all that equals it; NULL: not merged */
} pt_vertices;

/* The problem that a dual poses on the rows. Merges, where that is wanted, when it saves a tenth of the rows or more
 * and their copy fits the budget. */
partan_status pt_vertices_make(pt_vertices *vertices, partan_context *context, const pt_kernel *kernel, pt_points rows,
                               const pt_dual *dual, bool merge, size_t budget);
/* The same on rows that live in several processes; all call it, and merge or do not as one would with all the rows. */
partan_status pt_vertices_share(pt_vertices *vertices, partan_context *context, const pt_kernel *kernel,
                                const pt_dual *dual, pt_share *share, bool merge, size_t budget);
void pt_vertices_free(pt_vertices *vertices);

/* Whether so many merged rows are solved instead of the rows, which have so many bytes together. */
bool pt_merging_pays(size_t count, size_t rows, double bytes, double budget);

/* Of each vertex of a list that of its first row, among the vertices as they are, written over it; in several processes
 * its number. */
partan_status pt_vertices_rows(const pt_vertices *vertices, int64_t *ids, size_t count);

/* A starting point over the vertices as they are as one over merged ones; `ids` has room for start->count. */
partan_status pt_vertices_start(const pt_vertices *vertices, pt_start *start, int64_t *ids);

/* Weights over merged vertices as weights over those as they are, in `iterate`, which is not initialised yet. */
partan_status pt_vertices_expand(const pt_vertices *vertices, const pt_iterate *weights, pt_iterate *iterate);

/* Parts of these two, of all processes together. Starting points are those of numbers; rows that get weight become
 * known to all in the share that has them as they are, whose vertices the weights are then those of. */
partan_status pt_vertices_start_shared(const pt_vertices *vertices, const pt_start *start, int64_t *ids);
void pt_vertices_rows_shared(const pt_vertices *vertices, int64_t *ids, size_t count);
partan_status pt_vertices_expand_shared(const pt_vertices *vertices, const pt_iterate *weights, pt_iterate *iterate);

#endif
