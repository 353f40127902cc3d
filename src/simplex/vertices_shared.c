/* Vertices of rows that live in several processes. Merged rows are a share of their own: each process has those whose
 * first row is one of its rows, and they are numbered as in one process, in the order of these. */
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

/* The share of the merged rows: their own rows are these, their costs are known by own rows. */
static partan_status open_share(pt_vertices *v, const int64_t *rows, size_t count, const double *cost_weights)
{
    const pt_share *from = v->original;
    partan_context *context = from->context;
    float *signs = pt_alloc_zero(context, count + PT_TILE, sizeof *signs);
    double *costs = pt_alloc(context, count, sizeof *costs);
    int64_t *origins = pt_alloc(context, count, sizeof *origins);
    partan_status status = signs && costs && origins ? PARTAN_OK : no_room(v);
    if (!status)
        status = pt_matrix_gather(from->rows, rows, count, &v->matrix);
    for (size_t i = 0; i < count && !status; i++) {
        signs[i] = from->signs[rows[i]];
        costs[i] = cost_weights[rows[i]];
        origins[i] = pt_share_first(from) + rows[i];
    }
    if (!status)
        status = pt_share_init(&v->share, context, from->comm, &v->matrix, signs, costs, origins);
    v->share.deadline = from->deadline;
    v->merged = !status;
    pt_free(context, signs);
    pt_free(context, costs);
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
    pt_kernel own_kernel = *kernel;
    pt_dual own = *dual;
    *v = (pt_vertices){.layers = 1, .original = share, .simplex.problem.context = context};
    partan_status status = wanted ? merge(v, budget) : PARTAN_OK;
    if (!status && v->merged) {
        share = &v->share;
        own_kernel.less_one = false;
        status = pt_share_near_one(share, &own_kernel, &own_kernel.less_one);
    }
    v->simplex.share = share;
    v->rows = v->vertices = own.rows = own.vertices = pt_share_own(share) + share->guests.rows;
    own.signs = share->signs;
    own.cost_weights = share->cost_weights;
    if (!status)
        status = pt_simplex_init(&v->simplex, context, &own_kernel, (pt_points){share->rows, NULL}, &own);
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
    memcpy(ids, start->ids, start->count * sizeof *ids);
    if (!v->merged)
        return PARTAN_OK;
    uint64_t *known = pt_alloc_zero(v->original->context, start->count, sizeof *known);
    if (!known)
        return no_room(v);
    for (size_t i = 0; i < start->count; i++)
        if (ids[i] >= first && ids[i] < first + own)
            known[i] = (uint64_t)v->firsts[ids[i] - first];
    comm->sum_integers(comm, known, start->count);
    for (size_t i = 0; i < start->count; i++) {
        int64_t merged = own_merged(v, (int64_t)known[i]);
        known[i] = merged < 0 ? 0 : (uint64_t)(pt_share_first(&v->share) + merged);
    }
    comm->sum_integers(comm, known, start->count);
    for (size_t i = 0; i < start->count; i++)
        ids[i] = (int64_t)known[i];
    pt_free(v->original->context, known);
    return PARTAN_OK;
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

/* A merged row of weight, by its first row. */
typedef struct place {
    int64_t origin, vertex;
} place;

static int by_origin(const void *a, const void *b)
{
    const place *x = a, *y = b;
    return (x->origin > y->origin) - (x->origin < y->origin);
}

/* A row that gets weight. */
typedef struct copy {
    int64_t number, vertex; /* in the data; of its merged row, by number */
    double weight, cost_weight;
} copy;

static partan_status find_places(const pt_vertices *v, const pt_iterate *weights, place **places, size_t *count)
{
    *count = 0;
    *places = pt_alloc(v->original->context, weights->count, sizeof **places);
    if (!*places)
        return no_room(v);
    for (size_t i = 0; i < weights->count; i++)
        if (weights->now[i] > 0)
            (*places)[(*count)++] = (place){pt_share_origin(&v->share, weights->id[i]), weights->id[i]};
    qsort(*places, *count, sizeof **places, by_origin);
    return PARTAN_OK;
}

/* The own rows that get weight, each its part by its cost. */
static partan_status find_copies(const pt_vertices *v, const pt_iterate *weights, copy **copies, size_t *count)
{
    place *places;
    size_t own = pt_share_own(v->original), some, capacity = 0;
    partan_status status = find_places(v, weights, &places, &some);
    *copies = NULL;
    *count = 0;
    for (size_t row = 0; row < own && !status; row++) {
        const place *at = bsearch(&(place){v->firsts[row], 0}, places, some, sizeof *places, by_origin);
        if (!at)
            continue;
        double cost = cost_of(v->original, row), weight = pt_iterate_weight(weights, at->vertex);
        if (pt_reserve(v->original->context, (void **)copies, &capacity, *count, *count + 1, sizeof **copies))
            status = no_room(v);
        else
            (*copies)[(*count)++] = (copy){.number = pt_share_first(v->original) + (int64_t)row,
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
    size_t row;
    int64_t vertex = pt_share_find(original, one->number), merged = pt_share_find(&v->share, one->vertex);
    if (vertex >= 0 && vertex < (int64_t)pt_share_own(original))
        original->travelled[vertex] = 1;
    if (vertex >= 0)
        return PARTAN_OK;
    const pt_matrix *matrix = pt_share_matrix(&v->share, merged, &row);
    pt_traveller t = {.sign = (double)v->share.signs[merged],
                      .cost_weight = one->cost_weight,
                      .nonzeros = pt_matrix_row(matrix, row, indices, values)};
    return pt_share_add(original, one->number, &t, indices, values);
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

static partan_status expand(const pt_vertices *v, const pt_iterate *weights, pt_iterate *iterate)
{
    partan_context *context = v->original->context;
    copy *mine;
    void *bytes = NULL;
    size_t count, all = 0;
    partan_status status = find_copies(v, weights, &mine, &count);
    if (!status)
        status = pt_collect(context, comm_of(v), mine, count, sizeof *mine, &bytes, &all);
    const copy *copies = bytes; /* in the order of their numbers, as processes are */
    int64_t *ids = pt_alloc(context, all, sizeof *ids);
    double *parts = pt_alloc(context, all, sizeof *parts);
    if (!status && (!ids || !parts))
        status = no_room(v);
    if (!status)
        status = make_all_known(v, copies, all);
    for (size_t i = 0; i < all && !status; i++) {
        ids[i] = pt_share_find(v->original, copies[i].number);
        parts[i] = copies[i].weight;
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
