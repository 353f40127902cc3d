#include "simplex/share.h"

#include <stddef.h>
#include <string.h>

#include "core/agree.h"
#include "core/clock.h"
#include "core/hash.h"
#include "data/storage/layout.h"

enum { FIRST_GUESTS = 64 };

/* ---- Making and freeing ---- */

static partan_status count_rows(pt_share *s)
{
    size_t processes = s->comm ? (size_t)s->comm->size : 1, rank = s->comm ? (size_t)s->comm->rank : 0;
    uint64_t *counts = pt_alloc_zero(s->context, processes, sizeof *counts);
    s->firsts = pt_alloc_zero(s->context, processes + 1, sizeof *s->firsts);
    bool room = counts && s->firsts && s->travelled;
    partan_status status = room ? PARTAN_OK : pt_out_of_memory(s->context, "the shares of the rows");
    status = pt_agree(s->context, s->comm, status);
    if (status) {
        pt_free(s->context, counts);
        return status;
    }
    counts[rank] = s->rows->rows;
    pt_add_up(s->comm, counts, processes);
    for (size_t i = 0; i < processes; i++)
        s->firsts[i + 1] = s->firsts[i] + (int64_t)counts[i];
    pt_free(s->context, counts);
    return PARTAN_OK;
}

partan_status pt_share_open(pt_share *s, partan_context *context, pt_comm *comm, const pt_matrix *rows)
{
    *s = (pt_share){.context = context, .comm = comm, .rows = rows, .layers = 1};
    s->guests = (pt_matrix){.context = context, .storage = rows->storage, .features = rows->features};
    s->travelled = pt_alloc_zero(context, rows->rows, 1);
    return count_rows(s);
}

partan_status pt_share_pose(pt_share *s, const pt_dual *dual, const int64_t *origins)
{
    partan_context *context = s->context;
    size_t vertices = pt_dual_own_vertices(dual), rows = s->rows->rows;
    s->layers = dual->layers;
    s->slack = dual->slack;
    s->capacity = vertices + FIRST_GUESTS;
    s->origin_capacity = rows + FIRST_GUESTS;
    s->signs = pt_alloc_zero(context, s->capacity, sizeof *s->signs);
    s->cost_weights = dual->cost_weights ? pt_alloc(context, s->capacity, sizeof *s->cost_weights) : NULL;
    s->linear = dual->linear ? pt_alloc(context, s->capacity, sizeof *s->linear) : NULL;
    s->origins = origins ? pt_alloc(context, s->origin_capacity, sizeof *s->origins) : NULL;
    if (!s->signs || (dual->cost_weights && !s->cost_weights) || (dual->linear && !s->linear)
        || (origins && !s->origins))
        return pt_out_of_memory(context, "the shares of the rows");
    memcpy(s->signs, dual->signs, vertices * sizeof *s->signs);
    if (s->cost_weights)
        memcpy(s->cost_weights, dual->cost_weights, vertices * sizeof *s->cost_weights);
    if (s->linear)
        memcpy(s->linear, dual->linear, vertices * sizeof *s->linear);
    if (origins)
        memcpy(s->origins, origins, rows * sizeof *origins);
    if (!s->slack)
        return PARTAN_OK;
    partan_status status = pt_share_meet_all(s, &(int64_t){0}, 1, &s->slack_row); /* the same row everywhere */
    if (!status)
        s->slack_row = pt_share_find_row(s, 0);
    return status;
}

void pt_share_take(const pt_share *s, pt_dual *dual)
{
    dual->rows = pt_share_own(s);
    dual->vertices = pt_share_vertices(s);
    dual->slack_row = s->slack_row;
    dual->signs = s->signs;
    dual->cost_weights = s->cost_weights;
    dual->linear = s->linear;
}

void pt_share_free(pt_share *s)
{
    if (!s->context)
        return;
    pt_free(s->context, s->firsts);
    pt_free(s->context, s->signs);
    pt_free(s->context, s->cost_weights);
    pt_free(s->context, s->linear);
    pt_free(s->context, s->origins);
    pt_free(s->context, s->travelled);
    pt_free(s->context, s->numbers);
    pt_free(s->context, s->index);
    pt_matrix_free(&s->guests);
    *s = (pt_share){0};
}

int pt_share_stop(const pt_share *s)
{
    if (atomic_load(&s->context->interrupted))
        return PT_STOP_ASKED;
    return s->deadline > 0 && pt_clock() >= s->deadline ? PT_STOP_TIME : PT_GO_ON;
}

void pt_share_heed(pt_share *s, int stop)
{
    if (stop == PT_GO_ON)
        return;
    s->stopped = stop;
    pt_interrupt_deferred(s->context);
}

bool pt_share_ask(pt_share *s)
{
    pt_least none = {.stop = pt_share_stop(s)};
    if (s->relaying)
        none.stop = s->comm->requests(s->comm, (int)none.stop);
    else
        s->comm->least(s->comm, &none);
    s->stopped = (int)none.stop > s->stopped ? (int)none.stop : s->stopped;
    return s->stopped != PT_GO_ON;
}

/* ---- Guests ---- */

static size_t slot_of(const pt_share *s, int64_t number)
{
    size_t at = (size_t)pt_hash_mix((uint64_t)number) & (s->index_size - 1);
    while (s->index[at] != 0 && s->numbers[s->index[at] - 1] != number)
        at = (at + 1) & (s->index_size - 1);
    return at;
}

int64_t pt_share_find_row(const pt_share *s, int64_t number)
{
    int64_t own = number - pt_share_first(s);
    if (own >= 0 && own < (int64_t)pt_share_own(s))
        return own;
    uint32_t found = s->index_size > 0 ? s->index[slot_of(s, number)] : 0;
    return found > 0 ? (int64_t)(pt_share_own(s) + found - 1) : -1;
}

/* The vertices as a dual counts them. */
static pt_dual shape_of(const pt_share *s)
{
    return (pt_dual){.rows = pt_share_own(s), .layers = s->layers, .slack = s->slack, .slack_row = s->slack_row};
}

int64_t pt_share_number(const pt_share *s, int64_t vertex)
{
    pt_dual shape = shape_of(s);
    if (s->slack && vertex == (int64_t)pt_dual_slack(&shape))
        return (int64_t)(pt_share_all_vertices(s) - 1);
    return (int64_t)(pt_dual_layer(&shape, vertex) * pt_share_all(s))
           + pt_share_row_number(s, pt_dual_row(&shape, vertex));
}

int64_t pt_share_find(const pt_share *s, int64_t number)
{
    pt_dual shape = shape_of(s);
    int64_t all = (int64_t)pt_share_all(s);
    if (pt_share_is_slack(s, number))
        return (int64_t)pt_dual_slack(&shape);
    int64_t row = pt_share_find_row(s, number % all);
    return row < 0 ? -1 : pt_dual_vertex(&shape, row, (size_t)(number / all));
}

int64_t pt_share_find_own(const pt_share *s, int64_t number)
{
    int64_t row = number % (int64_t)pt_share_all(s) - pt_share_first(s);
    bool own = pt_share_is_slack(s, number) ? s->comm->rank == 0 : row >= 0 && row < (int64_t)pt_share_own(s);
    return own ? pt_share_find(s, number) : -1;
}

static partan_status grow_index(pt_share *s)
{
    size_t size = s->index_size > 0 ? 2 * s->index_size : 4 * FIRST_GUESTS;
    uint32_t *larger = pt_alloc_zero(s->context, size, sizeof *larger);
    if (!larger)
        return pt_out_of_memory(s->context, "rows of other processes");
    pt_free(s->context, s->index);
    s->index = larger;
    s->index_size = size;
    for (size_t i = 0; i < s->guests.rows; i++)
        s->index[slot_of(s, s->numbers[i])] = (uint32_t)i + 1;
    return PARTAN_OK;
}

/* The matrix of guests with room for more; rows stay where they are in it. */
static partan_status grow_matrix(pt_share *s, size_t nonzeros)
{
    const pt_layout *layout = pt_layout_of(s->rows->storage);
    size_t rows = s->guests.rows, room = s->guest_capacity > rows ? s->guest_capacity : 2 * rows + FIRST_GUESTS;
    size_t values = 2 * ((size_t)s->guests.nonzeros + nonzeros) + FIRST_GUESTS;
    pt_content content = {.nonzeros = values, .binary = true, .steps = s->rows->steps};
    pt_matrix larger;
    partan_status status = pt_matrix_begin(s->context, s->rows->storage, room, s->rows->features, &content, &larger);
    if (status)
        return status;
    if (layout->clear)
        layout->clear(&larger, 0, room);
    for (size_t i = 0; i < rows; i++) {
        int64_t row = (int64_t)i;
        if (layout->start)
            layout->start(&larger, i, (uint64_t)s->guests.offsets[i]);
        layout->copy(&larger, i, &s->guests, &row, 1);
    }
    if (layout->start)
        layout->start(&larger, rows, s->guests.nonzeros);
    if (larger.squares)
        memset(larger.squares + rows, 0, (larger.tiles * PT_TILE - rows) * sizeof *larger.squares);
    if (larger.norms)
        memset(larger.norms + rows, 0, (larger.tiles * PT_TILE - rows) * sizeof *larger.norms);
    larger.nonzeros = s->guests.nonzeros;
    larger.rows = rows;
    larger.tiles = (rows + PT_TILE - 1) / PT_TILE;
    pt_matrix_free(&s->guests);
    s->guests = larger;
    s->guest_capacity = room;
    s->nonzero_capacity = values;
    return PARTAN_OK;
}

/* One of the arrays of vertices, with room for so many, those of one more row. */
static partan_status widen(const pt_share *s, void **array, size_t all, size_t size, size_t *capacity)
{
    return *array && pt_reserve(s->context, array, capacity, all - s->layers, all, size)
               ? pt_out_of_memory(s->context, "rows of other processes")
               : PARTAN_OK;
}

/* For one more guest. */
static partan_status make_room(pt_share *s, size_t nonzeros)
{
    size_t rows = s->guests.rows, vertices = pt_share_vertices(s) + s->layers, numbers = rows;
    size_t costs = s->capacity, linear = s->capacity;
    bool sparse = s->rows->storage == PARTAN_STORAGE_SPARSE;
    if (rows == s->guest_capacity || (sparse && s->guests.nonzeros + nonzeros > s->nonzero_capacity)) {
        partan_status status = grow_matrix(s, nonzeros);
        if (status)
            return status;
        if (pt_reserve(s->context, (void **)&s->numbers, &numbers, rows, s->guest_capacity, sizeof *s->numbers))
            return pt_out_of_memory(s->context, "rows of other processes");
    }
    if (2 * (rows + 1) > s->index_size && grow_index(s))
        return PARTAN_ERROR_MEMORY;
    if (s->origins
        && pt_reserve(s->context, (void **)&s->origins, &s->origin_capacity, pt_share_own(s) + rows,
                      pt_share_own(s) + rows + 1, sizeof *s->origins))
        return pt_out_of_memory(s->context, "rows of other processes");
    if (vertices <= s->capacity)
        return PARTAN_OK;
    if (widen(s, (void **)&s->cost_weights, vertices, sizeof *s->cost_weights, &costs)
        || widen(s, (void **)&s->linear, vertices, sizeof *s->linear, &linear)
        || widen(s, (void **)&s->signs, vertices, sizeof *s->signs, &s->capacity))
        return PARTAN_ERROR_MEMORY;
    return PARTAN_OK;
}

/* ---- Rows that travel ---- */

size_t pt_share_traveller_size(const pt_share *s)
{
    return offsetof(pt_traveller, vertices) + s->layers * sizeof((pt_traveller *)NULL)->vertices[0];
}

static void set_vertices(pt_share *s, size_t row, const pt_traveller *t)
{
    pt_dual shape = shape_of(s);
    for (size_t layer = 0; layer < s->layers; layer++) {
        int64_t vertex = pt_dual_vertex(&shape, (int64_t)row, layer);
        if (s->signs)
            s->signs[vertex] = (float)t->vertices[layer].sign;
        if (s->cost_weights)
            s->cost_weights[vertex] = t->cost_weight;
        if (s->linear)
            s->linear[vertex] = t->vertices[layer].linear;
    }
}

partan_status pt_share_add(pt_share *s, int64_t number, const pt_traveller *t, const int32_t *indices,
                           const float *values)
{
    const pt_layout *layout = pt_layout_of(s->rows->storage);
    partan_status status = make_room(s, t->nonzeros);
    if (status)
        return status;
    pt_matrix *m = &s->guests;
    size_t row = m->rows++;
    m->tiles = (m->rows + PT_TILE - 1) / PT_TILE;
    layout->put(m, row, indices, values, t->nonzeros);
    m->nonzeros += t->nonzeros;
    if (layout->start)
        layout->start(m, row + 1, m->nonzeros);
    set_vertices(s, pt_share_own(s) + row, t);
    if (s->origins)
        s->origins[pt_share_own(s) + row] = t->origin;
    s->numbers[row] = number;
    s->index[slot_of(s, number)] = (uint32_t)row + 1;
    return PARTAN_OK;
}

pt_traveller pt_share_traveller(const pt_share *s, size_t own)
{
    pt_dual shape = shape_of(s);
    pt_traveller t = {.cost_weight = s->cost_weights ? s->cost_weights[own] : 1,
                      .origin = pt_share_origin(s, (int64_t)own)};
    for (size_t layer = 0; layer < s->layers; layer++) {
        int64_t vertex = pt_dual_vertex(&shape, (int64_t)own, layer);
        t.vertices[layer].sign = s->signs ? (double)s->signs[vertex] : 0;
        t.vertices[layer].linear = s->linear ? s->linear[vertex] : 0;
    }
    return t;
}

int pt_share_owner(const pt_share *s, int64_t number)
{
    int low = 0, high = s->comm->size - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (s->firsts[middle] <= number)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}
