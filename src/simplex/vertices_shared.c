/* Vertices of rows that live in several processes. Merged rows are a share of their own: each process has those whose
 * first row is one of its rows, and they are numbered as in one process, in the order of these. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/collect.h"
#include "simplex/merging.h"
#include "simplex/support.h"
#include "simplex/vertices.h"

static partan_status no_room(const pt_vertices *v)
{
    return pt_out_of_memory(v->original->context, "the merging of equal rows");
}

static pt_comm *comm_of(const pt_vertices *v)
{
    return v->original->comm;
}

static double cost_of(const pt_share *share, size_t own)
{
    return share->cost_weights ? share->cost_weights[own] : 1;
}

/* ---- Merging ---- */

/* Whether merging pays, for the merged rows of all processes together, of which there are so many here. */
static bool pays(const pt_vertices *v, size_t count, size_t budget)
{
    double all[3] = {(double)count, (double)pt_matrix_bytes(v->original->rows), (double)budget};
    comm_of(v)->sum(comm_of(v), all, 3);
    return pt_merging_pays((size_t)all[0], pt_share_all(v->original), all[1], all[2]);
}

/* What the merged vertices have, of rows whose costs are known by own rows. */
static void fill(const pt_vertices *v, const int64_t *rows, size_t count, const double *cost_weights, pt_dual *dual)
{
    const pt_share *from = v->original;
    pt_dual whole = v->posed;
    size_t slack = pt_dual_slack(dual);
    pt_share_take(from, &whole);
    for (size_t id = 0; id < slack + dual->slack; id++) {
        size_t row = id < slack ? (size_t)rows[id % count] : 0;
        int64_t vertex = id < slack ? pt_dual_vertex(&whole, (int64_t)row, id / count) : (int64_t)pt_dual_slack(&whole);
        v->signs[id] = whole.signs[vertex];
        v->cost_weights[id] = id < slack ? cost_weights[row] : (double)INFINITY;
        if (v->linear)
            v->linear[id] = whole.linear[vertex];
    }
}

static void forget(pt_vertices *v)
{
    pt_free(v->original->context, v->signs);
    pt_free(v->original->context, v->cost_weights);
    pt_free(v->original->context, v->linear);
    v->signs = NULL;
    v->cost_weights = v->linear = NULL;
}

/* The share of the merged rows: their own rows are these. */
static partan_status open_share(pt_vertices *v, const int64_t *rows, size_t count, const double *cost_weights)
{
    const pt_share *from = v->original;
    partan_context *context = from->context;
    pt_dual dual = v->posed;
    dual.rows = count;
    size_t vertices = pt_dual_own_vertices(&dual);
    v->signs = pt_alloc_zero(context, vertices + PT_TILE, sizeof *v->signs);
    v->cost_weights = pt_alloc(context, vertices, sizeof *v->cost_weights);
    v->linear = dual.linear ? pt_alloc(context, vertices, sizeof *v->linear) : NULL;
    int64_t *origins = pt_alloc(context, count, sizeof *origins);
    partan_status status =
        v->signs && v->cost_weights && origins && (v->linear || !dual.linear) ? PARTAN_OK : no_room(v);
    if (!status)
        status = pt_matrix_gather(from->rows, rows, count, &v->matrix);
    if (!status)
        fill(v, rows, count, cost_weights, &dual);
    for (size_t i = 0; i < count && !status; i++)
        origins[i] = pt_share_first(from) + rows[i];
    dual.signs = v->signs;
    dual.cost_weights = v->cost_weights;
    dual.linear = v->linear;
    if (!status)
        status = pt_share_open(&v->share, context, from->comm, &v->matrix);
    if (!status)
        status = pt_share_pose(&v->share, &dual, origins);
    v->share.deadline = from->deadline;
    v->merged = !status;
    forget(v); /* the share has copies */
    pt_free(context, origins);
    return status;
}

static partan_status merge(pt_vertices *v, size_t budget)
{
    partan_context *context = v->original->context;
    size_t own = pt_share_own(v->original), count = 0;
    int64_t *rows = pt_alloc(context, own, sizeof *rows);
    double *cost_weights = pt_alloc(context, own, sizeof *cost_weights);
    v->firsts = pt_alloc(context, own, sizeof *v->firsts);
    partan_status status = rows && cost_weights && v->firsts ? PARTAN_OK : no_room(v);
    if (!status)
        status = pt_merging_firsts_shared(v->original, v->firsts, cost_weights);
    for (size_t row = 0; row < own && !status; row++)
        if (v->firsts[row] == pt_share_first(v->original) + (int64_t)row)
            rows[count++] = (int64_t)row;
    if (!status && pays(v, count, budget))
        status = open_share(v, rows, count, cost_weights);
    if (!v->merged) {
        pt_free(context, v->firsts);
        v->firsts = NULL;
    }
    pt_free(context, rows);
    pt_free(context, cost_weights);
    return status;
}

partan_status pt_vertices_share(pt_vertices *v, partan_context *context, const pt_kernel *kernel, const pt_dual *dual,
                                pt_share *share, bool wanted, size_t budget)
{
    pt_dual own = *dual;
    *v = (pt_vertices){.layers = dual->layers, .posed = *dual, .original = share, .simplex.problem.context = context};
    partan_status status = wanted ? merge(v, budget) : PARTAN_OK;
    if (!status && v->merged) {
        share = &v->share;
        status = pt_share_near_one(share, kernel);
    }
    v->simplex.share = share;
    pt_share_take(share, &own);
    v->rows = own.rows;
    v->vertices = own.vertices;
    if (!status)
        status = pt_simplex_init(&v->simplex, context, kernel, (pt_points){share->rows, NULL}, &own);
    if (status)
        pt_vertices_free(v);
    return status;
}

/* ---- Starting points ---- */

/* The own merged row of a first row, or -1. */
static int64_t own_merged(const pt_vertices *v, int64_t first)
{
    size_t low = 0, high = v->matrix.rows;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (v->share.origins[middle] < first)
            low = middle + 1;
        else
            high = middle;
    }
    return low < v->matrix.rows && v->share.origins[low] == first ? (int64_t)low : -1;
}

/* Who has a row says which is the first that equals it, and who has that one, its number among the merged ones. */
partan_status pt_vertices_start_shared(const pt_vertices *v, const pt_start *start, int64_t *ids)
{
    pt_comm *comm = comm_of(v);
    int64_t first = pt_share_first(v->original), own = (int64_t)pt_share_own(v->original);
    int64_t all = (int64_t)pt_share_all(v->original), slack = (int64_t)v->layers * all;
    memcpy(ids, start->ids, start->count * sizeof *ids);
    if (!v->merged)
        return PARTAN_OK;
    uint64_t *known = pt_alloc_zero(v->original->context, start->count, sizeof *known);
    if (!known)
        return no_room(v);
    for (size_t i = 0; i < start->count; i++) {
        int64_t row = ids[i] % all - first;
        if (row >= 0 && row < own)
            known[i] = (uint64_t)v->firsts[row];
    }
    comm->sum_integers(comm, known, start->count);
    for (size_t i = 0; i < start->count; i++) {
        int64_t merged = own_merged(v, (int64_t)known[i]);
        known[i] = merged < 0 ? 0 : (uint64_t)(pt_share_first(&v->share) + merged);
    }
    comm->sum_integers(comm, known, start->count);
    int64_t merged = (int64_t)pt_share_all(&v->share);
    for (size_t i = 0; i < start->count; i++)
        ids[i] = ids[i] == slack ? (int64_t)v->layers * merged : ids[i] / all * merged + (int64_t)known[i];
    pt_free(v->original->context, known);
    return PARTAN_OK;
}

void pt_vertices_rows_shared(const pt_vertices *v, int64_t *ids, size_t count)
{
    const pt_dual *dual = &v->simplex.dual;
    int64_t all = (int64_t)pt_share_all(v->original), slack = (int64_t)pt_dual_slack(dual);
    for (size_t i = 0; i < count; i++) {
        int64_t layer = ids[i] == slack && dual->slack ? (int64_t)v->layers : (int64_t)pt_dual_layer(dual, ids[i]);
        int64_t row = layer == (int64_t)v->layers ? 0 : pt_share_origin(v->simplex.share, pt_dual_row(dual, ids[i]));
        ids[i] = layer * all + row;
    }
}

/* ---- Weights ---- */

/* The vertices of weight in the order of their numbers, as one process has them. */
static partan_status sort_shared(const pt_vertices *v, const pt_iterate *weights, pt_iterate *iterate)
{
    pt_support s;
    partan_status status = pt_support_gather(&v->simplex, weights, &s);
    for (size_t i = 0; i < s.count && !status; i++)
        s.weights[i] = pt_iterate_weight(weights, s.ids[i]);
    if (!status)
        status = pt_iterate_start(iterate, s.ids, s.weights, s.count);
    pt_support_free(v->simplex.problem.context, &s);
    return status;
}

/* A merged vertex of weight, by its first row. */
typedef struct place {
    int64_t origin, layer, vertex;
} place;

static int by_origin(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->origin != y->origin)
        return x->origin < y->origin ? -1 : 1;
    return (x->layer > y->layer) - (x->layer < y->layer);
}

/* A vertex that gets weight. */
typedef struct copy {
    int64_t number, vertex; /* in the data; of its merged vertex, by number */
    double weight, cost_weight;
} copy;

static int by_number(const void *a, const void *b)
{
    const copy *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static bool is_slack(const pt_vertices *v, int64_t vertex)
{
    const pt_dual *dual = &v->simplex.dual;
    return dual->slack && vertex == (int64_t)pt_dual_slack(dual);
}

static partan_status find_places(const pt_vertices *v, const pt_iterate *weights, place **places, size_t *count)
{
    *count = 0;
    *places = pt_alloc(v->original->context, weights->count, sizeof **places);
    if (!*places)
        return no_room(v);
    for (size_t i = 0; i < weights->count; i++)
        if (weights->now[i] > 0 && !is_slack(v, weights->id[i])) {
            int64_t id = weights->id[i], row = pt_dual_row(&v->simplex.dual, id);
            int64_t layer = (int64_t)pt_dual_layer(&v->simplex.dual, id);
            (*places)[(*count)++] = (place){pt_share_origin(&v->share, row), layer, id};
        }
    qsort(*places, *count, sizeof **places, by_origin);
    return PARTAN_OK;
}

/* The own vertices that get weight, each its part by its cost. */
static partan_status find_copies(const pt_vertices *v, const pt_iterate *weights, copy **copies, size_t *count)
{
    place *places;
    size_t own = pt_share_own(v->original), some, capacity = 0;
    int64_t first = pt_share_first(v->original), all = (int64_t)pt_share_all(v->original);
    partan_status status = find_places(v, weights, &places, &some);
    *copies = NULL;
    *count = 0;
    for (size_t i = 0; i < own * v->layers && !status; i++) {
        size_t row = i % own;
        int64_t layer = (int64_t)(i / own);
        const place *at = bsearch(&(place){v->firsts[row], layer, 0}, places, some, sizeof *places, by_origin);
        if (!at)
            continue;
        double cost = cost_of(v->original, row), weight = pt_iterate_weight(weights, at->vertex);
        if (pt_reserve(v->original->context, (void **)copies, &capacity, *count, *count + 1, sizeof **copies))
            status = no_room(v);
        else
            (*copies)[(*count)++] = (copy){.number = layer * all + first + (int64_t)row,
                                           .vertex = pt_share_number(&v->share, at->vertex),
                                           .weight = weight * cost / v->share.cost_weights[at->vertex],
                                           .cost_weight = cost};
    }
    pt_free(v->original->context, places);
    return status;
}

/* Makes a row known in the share of rows as they are. Nothing has to travel: its values are those of its merged row. */
static partan_status make_known(const pt_vertices *v, const copy *one, int32_t *indices, float *values)
{
    pt_share *original = v->original;
    size_t at;
    int64_t number = one->number % (int64_t)pt_share_all(original), row = pt_share_find_row(original, number);
    int64_t merged = pt_dual_row(&v->simplex.dual, pt_share_find(&v->share, one->vertex));
    if (row >= 0 && row < (int64_t)pt_share_own(original))
        original->travelled[row] = 1;
    if (row >= 0)
        return PARTAN_OK;
    const pt_matrix *matrix = pt_share_matrix(&v->share, merged, &at);
    pt_traveller t = {.cost_weight = one->cost_weight, .nonzeros = pt_matrix_row(matrix, at, indices, values)};
    for (size_t layer = 0; layer < v->layers; layer++) {
        int64_t vertex = pt_dual_vertex(&v->simplex.dual, merged, layer);
        t.vertices[layer].sign = pt_dual_sign(&v->simplex.dual, vertex);
        t.vertices[layer].linear = pt_dual_linear(&v->simplex.dual, vertex);
    }
    return pt_share_add(original, number, &t, indices, values);
}

static partan_status make_all_known(const pt_vertices *v, const copy *copies, size_t count)
{
    partan_context *context = v->original->context;
    size_t room = pt_matrix_row_room(&v->matrix), guests = pt_matrix_row_room(&v->share.guests);
    room = guests > room ? guests : room;
    int32_t *indices = pt_alloc(context, room, sizeof *indices);
    float *values = pt_alloc(context, room, sizeof *values);
    partan_status status = indices && values ? PARTAN_OK : no_room(v);
    for (size_t i = 0; i < count && !status; i++)
        status = make_known(v, &copies[i], indices, values);
    pt_free(context, indices);
    pt_free(context, values);
    return status;
}

/* What the slack has, it keeps. */
static double slack_weight(const pt_vertices *v, const pt_iterate *weights)
{
    const pt_dual *dual = &v->simplex.dual;
    return dual->slack ? pt_iterate_weight(weights, (int64_t)pt_dual_slack(dual)) : 0;
}

static partan_status expand(const pt_vertices *v, const pt_iterate *weights, pt_iterate *iterate)
{
    partan_context *context = v->original->context;
    copy *mine;
    void *bytes = NULL;
    size_t count, all = 0;
    double slack = slack_weight(v, weights);
    partan_status status = find_copies(v, weights, &mine, &count);
    if (!status)
        status = pt_collect(context, comm_of(v), mine, count, sizeof *mine, &bytes, &all);
    copy *copies = bytes;
    int64_t *ids = pt_alloc(context, all + 1, sizeof *ids);
    double *parts = pt_alloc(context, all + 1, sizeof *parts);
    if (!status && (!ids || !parts))
        status = no_room(v);
    if (!status) {
        qsort(copies, all, sizeof *copies, by_number);
        status = make_all_known(v, copies, all);
    }
    for (size_t i = 0; i < all && !status; i++) {
        ids[i] = pt_share_find(v->original, copies[i].number);
        parts[i] = copies[i].weight;
    }
    if (!status && slack > 0) {
        ids[all] = pt_share_find(v->original, (int64_t)(pt_share_all_vertices(v->original) - 1));
        parts[all++] = slack;
    }
    if (!status)
        status = pt_iterate_start(iterate, ids, parts, all);
    pt_free(context, ids);
    pt_free(context, parts);
    pt_free(context, mine);
    pt_free(context, bytes);
    return status;
}

partan_status pt_vertices_expand_shared(const pt_vertices *v, const pt_iterate *weights, pt_iterate *iterate)
{
    pt_iterate_init(iterate, v->simplex.problem.context, false);
    return v->merged ? expand(v, weights, iterate) : sort_shared(v, weights, iterate);
}
