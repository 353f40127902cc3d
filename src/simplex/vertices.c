#include "simplex/vertices.h"

#include <math.h>

#include "core/weight_sum.h"
#include "simplex/merging.h"

#define LEAST_SHARE 0.9 /* of the rows, beyond which merging saves too few of them */

/* Numbers the vertices in the order of their first rows, which the rows name; *first: these rows. */
static partan_status number_vertices(pt_vertices *v, partan_context *context, int64_t **first, size_t *count)
{
    *count = 0;
    *first = pt_alloc(context, v->rows, sizeof **first);
    if (!*first)
        return pt_out_of_memory(context, "the merging of equal rows");
    for (size_t row = 0; row < v->rows; row++) {
        uint32_t same = v->vertex[row];
        v->vertex[row] = same == row ? (uint32_t)*count : v->vertex[same];
        if (same == row)
            (*first)[(*count)++] = (int64_t)row;
    }
    return PARTAN_OK;
}

/* A vertex of the rows as they are, as one of the merged rows. */
static int64_t merged_id(const pt_vertices *v, int64_t vertex)
{
    size_t layer = 0, row = (size_t)vertex, count = v->matrix.rows;
    if (!v->merged)
        return vertex;
    for (; layer < v->layers && row >= v->rows; layer++)
        row -= v->rows;
    return (int64_t)(layer < v->layers ? layer * count + v->vertex[row] : v->layers * count);
}

static double vertex_weight(const pt_vertices *v, size_t vertex)
{
    return v->row_weights ? v->row_weights[vertex] : 1;
}

/* Without weights, a cost is the number of those that were merged. */
static void count_costs(pt_vertices *v)
{
    for (size_t id = 0; id < v->layers * v->matrix.rows; id++)
        v->cost_weights[id] = 0;
    for (size_t vertex = 0; vertex < v->layers * v->rows; vertex++)
        v->cost_weights[merged_id(v, (int64_t)vertex)]++;
}

static partan_status sum_costs(pt_vertices *v)
{
    partan_context *context = v->matrix.context;
    size_t merged = v->layers * v->matrix.rows, vertices = v->layers * v->rows;
    double largest = 0;
    for (size_t vertex = 0; vertex < vertices; vertex++)
        largest = fmax(largest, vertex_weight(v, vertex));
    int scale = pt_weight_scale(largest);
    pt_weight_sum *sums = pt_alloc_zero(context, merged, sizeof *sums);
    if (!sums)
        return pt_out_of_memory(context, "the merging of equal rows");
    for (size_t vertex = 0; vertex < vertices; vertex++)
        pt_weight_sum_add(&sums[merged_id(v, (int64_t)vertex)], vertex_weight(v, vertex), scale);
    for (size_t id = 0; id < merged; id++)
        v->cost_weights[id] = pt_weight_sum_value(&sums[id], scale);
    pt_free(context, sums);
    return PARTAN_OK;
}

/* What the vertices have: signs and linear terms of the first of those that were merged into each, and the sum of their
 * costs. A slack is one by itself. */
static partan_status fill_vertices(pt_vertices *v, const pt_dual *dual, const int64_t *first)
{
    size_t count = v->matrix.rows, merged = v->layers * count;
    v->merged = true;
    for (size_t id = 0; id < merged + dual->slack; id++) {
        size_t vertex = id < merged ? id / count * v->rows + (size_t)first[id % count] : v->layers * v->rows;
        v->signs[id] = dual->signs[vertex];
        if (v->linear)
            v->linear[id] = dual->linear[vertex];
    }
    if (dual->slack)
        v->cost_weights[merged] = vertex_weight(v, v->layers * v->rows);
    if (v->row_weights)
        return sum_costs(v);
    count_costs(v);
    return PARTAN_OK;
}

static partan_status fill(pt_vertices *v, const pt_matrix *rows, const pt_dual *dual, const int64_t *first,
                          size_t count)
{
    partan_context *context = rows->context;
    size_t all = v->layers * count + dual->slack;
    partan_status status = pt_matrix_gather_heeding(rows, NULL, first, count, &v->matrix);
    if (status)
        return status;
    v->cost_weights = pt_alloc(context, all, sizeof *v->cost_weights);
    v->signs = pt_alloc_zero(context, all + PT_TILE, sizeof *v->signs);
    if (dual->linear)
        v->linear = pt_alloc(context, all, sizeof *v->linear);
    if (!v->cost_weights || !v->signs || (dual->linear && !v->linear))
        return pt_out_of_memory(context, "the merging of equal rows");
    return fill_vertices(v, dual, first);
}

bool pt_merging_pays(size_t count, size_t rows, double bytes, double budget)
{
    double share = (double)count / (double)rows;
    return share <= LEAST_SHARE && share * bytes <= budget;
}

/* Who asks to stop meanwhile is not kept waiting: the rows stay as they are. */
static partan_status merge(pt_vertices *v, partan_context *context, const pt_matrix *rows, const pt_dual *dual,
                           size_t budget)
{
    int64_t *first = NULL;
    size_t count = 0;
    v->vertex = pt_alloc(context, rows->rows, sizeof *v->vertex);
    if (!v->vertex)
        return pt_out_of_memory(context, "the vertices");
    partan_status status = pt_merging_firsts(rows, dual, v->vertex);
    if (!status)
        status = number_vertices(v, context, &first, &count);
    if (!status && pt_merging_pays(count, rows->rows, (double)pt_matrix_bytes(rows), (double)budget))
        status = fill(v, rows, dual, first, count);
    pt_free(context, first);
    return status == PARTAN_INTERRUPTED ? PARTAN_OK : status;
}

partan_status pt_vertices_make(pt_vertices *v, partan_context *context, const pt_kernel *kernel, pt_points rows,
                               const pt_dual *dual, bool wanted, size_t budget)
{
    *v = (pt_vertices){.rows = rows.matrix->rows,
                       .vertices = dual->vertices,
                       .layers = dual->layers,
                       .row_weights = dual->cost_weights,
                       .simplex.problem.context = context};
    partan_status status = PARTAN_OK;
    pt_dual own = *dual;
    bool possible = !rows.serials && rows.matrix->rows < UINT32_MAX;
    if (wanted && possible)
        status = merge(v, context, rows.matrix, dual, budget);
    if (!status && v->merged) {
        rows = (pt_points){&v->matrix, NULL};
        own.rows = v->matrix.rows;
        own.vertices = pt_dual_own_vertices(&own);
        own.signs = v->signs;
        own.linear = v->linear;
        own.cost_weights = v->cost_weights;
    }
    if (!status)
        status = pt_simplex_init(&v->simplex, context, kernel, rows, &own);
    if (status)
        pt_vertices_free(v);
    return status;
}

void pt_vertices_free(pt_vertices *v)
{
    partan_context *context = v->simplex.problem.context;
    if (!context)
        return;
    pt_free(context, v->vertex);
    pt_free(context, v->cost_weights);
    pt_free(context, v->signs);
    pt_free(context, v->linear);
    pt_free(context, v->firsts);
    pt_matrix_free(&v->matrix);
    pt_share_free(&v->share);
    *v = (pt_vertices){0};
}

partan_status pt_vertices_rows(const pt_vertices *v, int64_t *ids, size_t count)
{
    partan_context *context = v->simplex.problem.context;
    if (v->simplex.share)
        pt_vertices_rows_shared(v, ids, count);
    if (!v->merged || v->simplex.share)
        return PARTAN_OK;
    int64_t *first = pt_alloc(context, v->matrix.rows, sizeof *first);
    if (!first)
        return pt_out_of_memory(context, "the rows of vertices");
    for (size_t row = v->rows; row-- > 0;)
        first[v->vertex[row]] = (int64_t)row;
    for (size_t i = 0; i < count; i++) {
        size_t merged = v->matrix.rows, layer = (size_t)ids[i] / merged;
        int64_t row = layer < v->layers ? first[(size_t)ids[i] % merged] : 0; /* of a slack, none */
        ids[i] = (int64_t)(layer * v->rows) + row;
    }
    pt_free(context, first);
    return PARTAN_OK;
}

partan_status pt_vertices_start(const pt_vertices *v, pt_start *start, int64_t *ids)
{
    partan_status status = PARTAN_OK;
    if (v->simplex.share)
        status = pt_vertices_start_shared(v, start, ids);
    for (size_t i = 0; i < start->count && !v->simplex.share; i++)
        ids[i] = merged_id(v, start->ids[i]);
    start->ids = ids;
    return status;
}

/* What a vertex gets of the weight of the one that it was merged into. */
static double share_of(const pt_vertices *v, size_t vertex, int64_t id, double weight)
{
    bool alone = !v->merged || isinf(v->cost_weights[id]); /* a slack's cost is infinite */
    return alone ? weight : weight * vertex_weight(v, vertex) / v->cost_weights[id];
}

partan_status pt_vertices_expand(const pt_vertices *v, const pt_iterate *weights, pt_iterate *iterate)
{
    partan_context *context = v->simplex.problem.context;
    if (v->simplex.share)
        return pt_vertices_expand_shared(v, weights, iterate);
    double *weight_of = pt_alloc_zero(context, v->simplex.dual.vertices, sizeof *weight_of);
    size_t count = 0, at = 0;
    for (size_t i = 0; weight_of && i < weights->count; i++)
        weight_of[weights->id[i]] = weights->now[i];
    for (size_t vertex = 0; weight_of && vertex < v->vertices; vertex++)
        count += weight_of[merged_id(v, (int64_t)vertex)] > 0;
    int64_t *ids = pt_alloc(context, count, sizeof *ids);
    double *shares = pt_alloc(context, count, sizeof *shares);
    partan_status status =
        weight_of && ids && shares ? PARTAN_OK : pt_out_of_memory(context, "the weights of the rows");
    for (size_t vertex = 0; vertex < v->vertices && !status; vertex++) {
        int64_t id = merged_id(v, (int64_t)vertex);
        if (weight_of[id] <= 0)
            continue;
        ids[at] = (int64_t)vertex;
        shares[at++] = share_of(v, vertex, id, weight_of[id]);
    }
    pt_iterate_init(iterate, context, false);
    if (!status)
        status = pt_iterate_start(iterate, ids, shares, count);
    pt_free(context, weight_of);
    pt_free(context, ids);
    pt_free(context, shares);
    return status;
}
