#include "simplex/vertices.h"

#include <math.h>

#include "core/team.h"
#include "data/storage/row_table.h"
#include "simplex/support.h"

enum { PARTS = 32, PARTED_ROWS = 1 << 14 }; /* of the table of rows, and rows that are worth dividing it for */

/* Equal rows of one class on their way to a vertex. */
typedef struct merging {
    const pt_matrix *rows;
    const pt_dual *dual;
    pt_row_table table; /* the first row of each vertex */
    uint32_t *vertex;   /* of each row; before that, the first row that equals it */
    int64_t *first;     /* the same rows by vertex */
    size_t count;
    atomic_bool full;
} merging;

static partan_status merging_open(merging *m, const pt_matrix *rows, const pt_dual *dual, uint32_t *vertex)
{
    *m = (merging){.rows = rows, .dual = dual, .vertex = vertex};
    atomic_init(&m->full, false);
    partan_status status = pt_row_table_make_heeding(&m->table, rows);
    if (!status && !(m->first = pt_alloc(rows->context, rows->rows, sizeof *m->first)))
        status = pt_out_of_memory(rows->context, "the merging of equal rows");
    return status;
}

static void merging_close(merging *m)
{
    pt_row_table_free(&m->table);
    pt_free(m->rows->context, m->first);
}

/* Of two equal rows: all their vertices have the same signs and linear terms. */
static bool mergeable(const pt_dual *dual, size_t a, size_t b)
{
    for (size_t layer = 0, first = 0; layer < pt_dual_layers(dual); layer++, first += dual->rows)
        if (dual->signs[first + a] != dual->signs[first + b]
            || (dual->linear && dual->linear[first + a] != dual->linear[first + b]))
            return false;
    return true;
}

/* The first row that equals this one, given those of the rows before it. */
static uint32_t find_or_add(merging *m, size_t row)
{
    pt_row_search search = {.matrix = m->rows, .row = row, .hash = m->table.hashes[row]};
    size_t first;
    while (pt_row_table_next(&m->table, &search, &first))
        if (mergeable(m->dual, first, row))
            return (uint32_t)first;
    if (!pt_row_table_add(&m->table, row))
        atomic_store(&m->full, true);
    return (uint32_t)row;
}

enum { LOOK_INTERVAL = 1 << 14 }; /* rows between looks for interruptions */

static bool goes_on(const merging *m, size_t row)
{
    return !atomic_load_explicit(&m->full, memory_order_relaxed)
           && (row % LOOK_INTERVAL || !pt_interrupted(m->rows->context));
}

/* The rows of one part of the table. Equal ones are in the same. */
static void merge_part(void *user, size_t part, size_t thread)
{
    merging *m = user;
    (void)thread;
    for (size_t row = 0; row < m->rows->rows && goes_on(m, row); row++)
        if (pt_row_table_part(&m->table, m->table.hashes[row]) == part)
            m->vertex[row] = find_or_add(m, row);
}

/* By parts of the table; where hashes are so uneven that one of them is too small, by the whole. */
static void find_firsts(merging *m)
{
    partan_context *context = m->rows->context;
    pt_row_table_divide(&m->table, m->rows->rows < PARTED_ROWS ? 1 : PARTS);
    pt_team_run(context, context->threads, m->table.parts, merge_part, m);
    if (!atomic_load(&m->full))
        return;
    atomic_store(&m->full, false);
    pt_row_table_divide(&m->table, 1);
    merge_part(m, 0, 0);
}

/* Numbers the vertices in the order of their first rows. */
static void number_vertices(merging *m)
{
    for (size_t row = 0; row < m->rows->rows; row++) {
        uint32_t first = m->vertex[row];
        m->vertex[row] = first == row ? (uint32_t)m->count : m->vertex[first];
        if (first == row)
            m->first[m->count++] = (int64_t)row;
    }
}

/* A vertex of the rows as they are, as one of the merged rows. */
static int64_t merged_id(const pt_vertices *v, int64_t vertex)
{
    if (!v->merged)
        return vertex;
    size_t layer = (size_t)vertex / v->rows, row = (size_t)vertex % v->rows, count = v->matrix.rows;
    return (int64_t)(layer < v->layers ? layer * count + v->vertex[row] : v->layers * count);
}

static double vertex_weight(const pt_vertices *v, size_t vertex)
{
    return v->row_weights ? v->row_weights[vertex] : 1;
}

/* What the vertices have, each from those that were merged into it. */
static void fill_vertices(pt_vertices *v, const merging *m)
{
    v->merged = true;
    for (size_t vertex = 0; vertex < m->dual->vertices; vertex++) {
        int64_t id = merged_id(v, (int64_t)vertex);
        v->signs[id] = m->dual->signs[vertex];
        if (v->linear)
            v->linear[id] = m->dual->linear[vertex];
        v->cost_weights[id] += vertex_weight(v, vertex);
    }
}

static partan_status fill(pt_vertices *v, const merging *m)
{
    partan_context *context = m->rows->context;
    size_t count = v->layers * m->count + pt_dual_slacks(m->dual);
    partan_status status = pt_matrix_gather_heeding(m->rows, NULL, m->first, m->count, &v->matrix);
    if (status)
        return status;
    v->cost_weights = pt_alloc_zero(context, count, sizeof *v->cost_weights);
    v->signs = pt_alloc_zero(context, count + PT_TILE, sizeof *v->signs);
    if (m->dual->linear)
        v->linear = pt_alloc(context, count, sizeof *v->linear);
    if (!v->cost_weights || !v->signs || (m->dual->linear && !v->linear))
        return pt_out_of_memory(context, "the merging of equal rows");
    fill_vertices(v, m);
    return PARTAN_OK;
}

/* Who asks to stop meanwhile is not kept waiting: the rows stay as they are. */
static partan_status merge(pt_vertices *v, partan_context *context, const pt_matrix *rows, const pt_dual *dual,
                           size_t budget)
{
    merging m;
    v->vertex = pt_alloc(context, rows->rows, sizeof *v->vertex);
    if (!v->vertex)
        return pt_out_of_memory(context, "the vertices");
    partan_status status = merging_open(&m, rows, dual, v->vertex);
    if (!status)
        find_firsts(&m);
    if (!status && pt_interrupted(context)) /* some of them may have been left out */
        status = PARTAN_INTERRUPTED;
    if (!status)
        number_vertices(&m);
    double share = (double)m.count / (double)rows->rows;
    if (!status && share <= 0.9 && share * (double)pt_matrix_bytes(rows) <= (double)budget)
        status = fill(v, &m);
    merging_close(&m);
    return status == PARTAN_INTERRUPTED ? PARTAN_OK : status;
}

partan_status pt_vertices_make(pt_vertices *v, partan_context *context, const pt_kernel *kernel, pt_points rows,
                               const pt_dual *dual, bool wanted, size_t budget)
{
    *v = (pt_vertices){.rows = rows.matrix->rows,
                       .vertices = dual->vertices,
                       .layers = pt_dual_layers(dual),
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
        own.vertices = v->layers * own.rows + pt_dual_slacks(dual);
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

partan_status pt_vertices_share(pt_vertices *v, partan_context *context, const pt_kernel *kernel, const pt_dual *dual,
                                pt_share *share)
{
    pt_dual own = *dual;
    own.rows = own.vertices = pt_share_own(share) + share->guests.rows;
    own.signs = share->signs;
    own.cost_weights = share->cost_weights;
    *v = (pt_vertices){.rows = own.rows, .vertices = own.vertices, .layers = 1, .simplex.share = share};
    return pt_simplex_init(&v->simplex, context, kernel, (pt_points){share->rows, NULL}, &own);
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
    pt_matrix_free(&v->matrix);
    *v = (pt_vertices){0};
}

partan_status pt_vertices_rows(const pt_vertices *v, int64_t *ids, size_t count)
{
    partan_context *context = v->simplex.problem.context;
    if (!v->merged)
        return PARTAN_OK;
    int64_t *first = pt_alloc(context, v->matrix.rows, sizeof *first);
    if (!first)
        return pt_out_of_memory(context, "the rows of vertices");
    for (size_t row = v->rows; row-- > 0;)
        first[v->vertex[row]] = (int64_t)row;
    for (size_t i = 0; i < count; i++)
        ids[i] = first[ids[i]];
    pt_free(context, first);
    return PARTAN_OK;
}

void pt_vertices_start(const pt_vertices *v, pt_start *start, int64_t *ids)
{
    for (size_t i = 0; i < start->count; i++)
        ids[i] = merged_id(v, start->ids[i]);
    start->ids = ids;
}

/* The vertices of weight in the order of their numbers, as one process has them. */
static partan_status sort_shared(const pt_vertices *v, const pt_iterate *weights, pt_iterate *iterate)
{
    pt_support s;
    partan_status status = pt_support_gather(&v->simplex, weights, &s);
    for (size_t i = 0; i < s.count && !status; i++)
        s.weights[i] = pt_iterate_weight(weights, s.ids[i]);
    pt_iterate_init(iterate, v->simplex.problem.context, false);
    if (!status)
        status = pt_iterate_start(iterate, s.ids, s.weights, s.count);
    pt_support_free(v->simplex.problem.context, &s);
    return status;
}

partan_status pt_vertices_expand(const pt_vertices *v, const pt_iterate *weights, pt_iterate *iterate)
{
    partan_context *context = v->simplex.problem.context;
    if (v->simplex.share)
        return sort_shared(v, weights, iterate);
    int64_t *ids = pt_alloc(context, v->vertices, sizeof *ids);
    double *shares = pt_alloc(context, v->vertices, sizeof *shares);
    size_t count = 0;
    partan_status status = ids && shares ? PARTAN_OK : pt_out_of_memory(context, "the weights of the rows");
    for (size_t vertex = 0; vertex < v->vertices && !status; vertex++) {
        int64_t id = merged_id(v, (int64_t)vertex);
        double weight = pt_iterate_weight(weights, id);
        bool alone = !v->merged || isinf(v->cost_weights[id]); /* a slack's cost is infinite */
        if (weight <= 0)
            continue;
        ids[count] = (int64_t)vertex;
        shares[count++] = alone ? weight : weight * vertex_weight(v, vertex) / v->cost_weights[id];
    }
    pt_iterate_init(iterate, context, false);
    if (!status)
        status = pt_iterate_start(iterate, ids, shares, count);
    pt_free(context, ids);
    pt_free(context, shares);
    return status;
}
