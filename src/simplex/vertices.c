#include "simplex/vertices.h"

#include <string.h>

/* An open hash table of vertices, by the hash of their rows. */
typedef struct table {
    uint64_t *hashes; /* of all rows */
    uint32_t *slots;  /* vertex + 1 */
    size_t mask;
    int64_t *first; /* row of each vertex */
    size_t count;
} table;

static void table_free(partan_context *context, table *t)
{
    pt_free(context, t->hashes);
    pt_free(context, t->slots);
    pt_free(context, t->first);
}

static partan_status table_make(partan_context *context, table *t, const pt_matrix *rows)
{
    size_t size = 16;
    while (size < rows->rows + rows->rows / 2)
        size *= 2;
    *t = (table){.mask = size - 1};
    t->hashes = pt_alloc(context, rows->rows, sizeof *t->hashes);
    t->slots = pt_alloc_zero(context, size, sizeof *t->slots);
    t->first = pt_alloc(context, rows->rows, sizeof *t->first);
    if (!t->hashes || !t->slots || !t->first)
        return pt_out_of_memory(context, "the merging of equal rows");
#pragma omp parallel for schedule(static) num_threads(context->threads)
    for (size_t row = 0; row < rows->rows; row++)
        t->hashes[row] = pt_matrix_row_hash(rows, row);
    return PARTAN_OK;
}

static uint32_t find_or_add(table *t, const pt_matrix *rows, const float *signs, size_t row)
{
    size_t place = t->hashes[row] & t->mask;
    for (; t->slots[place]; place = (place + 1) & t->mask) {
        uint32_t vertex = t->slots[place] - 1;
        size_t first = (size_t)t->first[vertex];
        if (t->hashes[first] == t->hashes[row] && signs[first] == signs[row]
            && pt_matrix_rows_equal(rows, first, rows, row))
            return vertex;
    }
    t->first[t->count] = (int64_t)row;
    t->slots[place] = (uint32_t)t->count + 1;
    return (uint32_t)t->count++;
}

static partan_status fill(pt_vertices *v, partan_context *context, const pt_matrix *rows, const float *signs,
                          const table *t)
{
    partan_status status = pt_matrix_gather(rows, t->first, t->count, &v->matrix);
    if (status)
        return status;
    v->copies = pt_alloc_zero(context, t->count, sizeof *v->copies);
    v->signs = pt_alloc_zero(context, v->matrix.tiles * PT_TILE, sizeof *v->signs);
    if (!v->copies || !v->signs)
        return pt_out_of_memory(context, "the merging of equal rows");
    for (size_t i = 0; i < t->count; i++)
        v->signs[i] = signs[t->first[i]];
    for (size_t row = 0; row < rows->rows; row++)
        v->copies[v->vertex[row]]++;
    v->merged = true;
    return PARTAN_OK;
}

static partan_status merge(pt_vertices *v, partan_context *context, const pt_matrix *rows, const float *signs,
                           size_t budget)
{
    table t;
    v->vertex = pt_alloc(context, rows->rows, sizeof *v->vertex);
    partan_status status = v->vertex ? table_make(context, &t, rows) : pt_out_of_memory(context, "the vertices");
    if (!v->vertex)
        return status;
    for (size_t row = 0; row < rows->rows && !status; row++)
        v->vertex[row] = find_or_add(&t, rows, signs, row);
    double share = (double)t.count / (double)rows->rows;
    if (!status && share <= 0.9 && share * (double)pt_matrix_bytes(rows) <= (double)budget)
        status = fill(v, context, rows, signs, &t);
    table_free(context, &t);
    return status;
}

partan_status pt_vertices_make(pt_vertices *v, partan_context *context, const pt_kernel *kernel, pt_points rows,
                               const float *signs, double cost, bool wanted, size_t budget)
{
    *v = (pt_vertices){.rows = rows.matrix->rows, .simplex.problem.context = context};
    partan_status status = PARTAN_OK;
    if (wanted && !rows.serials && rows.matrix->rows < UINT32_MAX)
        status = merge(v, context, rows.matrix, signs, budget);
    if (!status && v->merged)
        status = pt_simplex_init(&v->simplex, context, kernel, (pt_points){&v->matrix, NULL}, v->signs, cost);
    else if (!status)
        status = pt_simplex_init(&v->simplex, context, kernel, rows, signs, cost);
    v->simplex.dual.copies = v->copies;
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
    pt_free(context, v->copies);
    pt_free(context, v->signs);
    pt_matrix_free(&v->matrix);
    *v = (pt_vertices){0};
}

void pt_vertices_start(const pt_vertices *v, pt_start *start, int64_t *ids)
{
    for (size_t i = 0; i < start->count; i++)
        ids[i] = v->merged ? v->vertex[start->ids[i]] : start->ids[i];
    start->ids = ids;
}

partan_status pt_vertices_expand(const pt_vertices *v, const pt_iterate *weights, pt_iterate *iterate)
{
    partan_context *context = v->simplex.problem.context;
    int64_t *ids = pt_alloc(context, v->rows, sizeof *ids);
    double *shares = pt_alloc(context, v->rows, sizeof *shares);
    size_t count = 0;
    partan_status status = ids && shares ? PARTAN_OK : pt_out_of_memory(context, "the weights of the rows");
    for (size_t row = 0; row < v->rows && !status; row++) {
        size_t vertex = v->merged ? v->vertex[row] : row;
        double weight = pt_iterate_weight(weights, (int64_t)vertex);
        if (weight <= 0)
            continue;
        ids[count] = (int64_t)row;
        shares[count++] = v->merged ? weight / v->copies[vertex] : weight;
    }
    pt_iterate_init(iterate, context, false);
    if (!status)
        status = pt_iterate_start(iterate, ids, shares, count);
    pt_free(context, ids);
    pt_free(context, shares);
    return status;
}
