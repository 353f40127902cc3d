#include "simplex/share.h"

#include <string.h>

#include "core/clock.h"
#include "core/hash.h"
#include "data/storage/layout.h"

enum { FIRST_GUESTS = 64 };

/* ---- Making and freeing ---- */

static partan_status count_rows(pt_share *s)
{
    pt_comm *comm = s->comm;
    uint64_t *counts = pt_alloc_zero(s->context, (size_t)comm->size, sizeof *counts);
    s->firsts = pt_alloc_zero(s->context, (size_t)comm->size + 1, sizeof *s->firsts);
    if (!counts || !s->firsts) {
        pt_free(s->context, counts);
        return pt_out_of_memory(s->context, "the shares of the rows");
    }
    counts[comm->rank] = s->rows->rows;
    comm->sum_integers(comm, counts, (size_t)comm->size);
    for (int i = 0; i < comm->size; i++)
        s->firsts[i + 1] = s->firsts[i] + (int64_t)counts[i];
    pt_free(s->context, counts);
    return PARTAN_OK;
}

partan_status pt_share_init(pt_share *s, partan_context *context, pt_comm *comm, const pt_matrix *rows,
                            const float *signs, const double *cost_weights, const int64_t *origins)
{
    *s = (pt_share){.context = context, .comm = comm, .rows = rows, .capacity = rows->rows + FIRST_GUESTS};
    partan_status status = count_rows(s);
    if (status)
        return status;
    s->signs = pt_alloc_zero(context, s->capacity, sizeof *s->signs);
    s->cost_weights = cost_weights ? pt_alloc(context, s->capacity, sizeof *s->cost_weights) : NULL;
    s->origins = origins ? pt_alloc(context, s->capacity, sizeof *s->origins) : NULL;
    s->travelled = pt_alloc_zero(context, rows->rows, 1);
    if (!s->signs || !s->travelled || (cost_weights && !s->cost_weights) || (origins && !s->origins))
        return pt_out_of_memory(context, "the shares of the rows");
    memcpy(s->signs, signs, rows->rows * sizeof *signs);
    if (cost_weights)
        memcpy(s->cost_weights, cost_weights, rows->rows * sizeof *cost_weights);
    if (origins)
        memcpy(s->origins, origins, rows->rows * sizeof *origins);
    s->guests = (pt_matrix){.context = context, .storage = rows->storage, .features = rows->features};
    return PARTAN_OK;
}

void pt_share_free(pt_share *s)
{
    if (!s->context)
        return;
    pt_free(s->context, s->firsts);
    pt_free(s->context, s->signs);
    pt_free(s->context, s->cost_weights);
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

int64_t pt_share_find(const pt_share *s, int64_t number)
{
    int64_t own = number - pt_share_first(s);
    if (own >= 0 && own < (int64_t)pt_share_own(s))
        return own;
    uint32_t found = s->index_size > 0 ? s->index[slot_of(s, number)] : 0;
    return found > 0 ? (int64_t)(pt_share_own(s) + found - 1) : -1;
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

/* One of the arrays of own rows and guests, with room for so many. */
static partan_status widen(const pt_share *s, void **array, size_t all, size_t size, size_t *capacity)
{
    *capacity = s->capacity;
    return *array && pt_reserve(s->context, array, capacity, all - 1, all, size)
               ? pt_out_of_memory(s->context, "rows of other processes")
               : PARTAN_OK;
}

static partan_status make_room(pt_share *s, size_t nonzeros)
{
    size_t rows = s->guests.rows, all = pt_share_own(s) + rows + 1, capacity = s->capacity, same, numbers = rows;
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
    if (all <= s->capacity)
        return PARTAN_OK;
    if (widen(s, (void **)&s->cost_weights, all, sizeof *s->cost_weights, &same)
        || widen(s, (void **)&s->origins, all, sizeof *s->origins, &same)
        || widen(s, (void **)&s->signs, all, sizeof *s->signs, &capacity))
        return PARTAN_ERROR_MEMORY;
    s->capacity = capacity;
    return PARTAN_OK;
}

/* ---- Rows that travel ---- */

typedef pt_traveller traveller;

partan_status pt_share_add(pt_share *s, int64_t number, const pt_traveller *t, const int32_t *indices,
                           const float *values)
{
    const pt_layout *layout = pt_layout_of(s->rows->storage);
    partan_status status = make_room(s, t->nonzeros);
    if (status)
        return status;
    pt_matrix *m = &s->guests;
    size_t row = m->rows++, all = pt_share_own(s) + row;
    m->tiles = (m->rows + PT_TILE - 1) / PT_TILE;
    layout->put(m, row, indices, values, t->nonzeros);
    m->nonzeros += t->nonzeros;
    if (layout->start)
        layout->start(m, row + 1, m->nonzeros);
    s->signs[all] = (float)t->sign;
    if (s->cost_weights)
        s->cost_weights[all] = t->cost_weight;
    if (s->origins)
        s->origins[all] = t->origin;
    s->numbers[row] = number;
    s->index[slot_of(s, number)] = (uint32_t)row + 1;
    return PARTAN_OK;
}

pt_traveller pt_share_traveller(const pt_share *s, size_t own)
{
    return (traveller){.sign = (double)s->signs[own],
                       .cost_weight = s->cost_weights ? s->cost_weights[own] : 1,
                       .origin = pt_share_origin(s, (int64_t)own)};
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

/* A row as it travels: the traveller, its indices, its values. */
typedef struct parcel {
    char *bytes;
    size_t size;
} parcel;

static int32_t *indices_of(const parcel *p)
{
    return (int32_t *)(void *)(p->bytes + sizeof(traveller));
}

static float *values_of(const parcel *p, uint64_t nonzeros)
{
    return (float *)(void *)(indices_of(p) + nonzeros);
}

static size_t parcel_size(uint64_t nonzeros)
{
    return sizeof(traveller) + (size_t)nonzeros * (sizeof(int32_t) + sizeof(float));
}

static partan_status reserve(const pt_share *s, parcel *p, uint64_t nonzeros)
{
    p->size = parcel_size(nonzeros);
    p->bytes = pt_alloc(s->context, p->size, 1);
    return p->bytes ? PARTAN_OK : pt_out_of_memory(s->context, "rows of other processes");
}

/* An own row, with what comes with it. */
static void fill(pt_share *s, size_t own, const double *extra, size_t extra_count, parcel *p, traveller *t)
{
    int32_t *indices = indices_of(p);
    float *values = values_of(p, (p->size - sizeof *t) / (sizeof *indices + sizeof *values));
    *t = pt_share_traveller(s, own);
    t->nonzeros = pt_matrix_row(s->rows, own, indices, values);
    for (size_t i = 0; i < extra_count; i++)
        t->extra[i] = extra[i];
    memmove(values_of(p, t->nonzeros), values, t->nonzeros * sizeof *values);
    memcpy(p->bytes, t, sizeof *t);
    s->travelled[own] = 1;
}

/* From its owner to all others, which take it in: in one broadcast, where rows have no more nonzeros than all know,
 * else in two. */
static partan_status travel(pt_share *s, int64_t number, double *extra, size_t extra_count)
{
    pt_comm *comm = s->comm;
    int owner = pt_share_owner(s, number);
    bool mine = owner == comm->rank, sparse = s->rows->storage == PARTAN_STORAGE_SPARSE;
    size_t own = mine ? (size_t)(number - pt_share_first(s)) : 0;
    uint64_t room = s->rows->features;
    traveller t = {0};
    parcel p;
    if (sparse) {
        room = mine ? (uint64_t)(s->rows->offsets[own + 1] - s->rows->offsets[own]) : 0;
        comm->broadcast(comm, owner, &room, sizeof room);
    }
    partan_status status = reserve(s, &p, room);
    if (status)
        return status;
    if (mine)
        fill(s, own, extra, extra_count, &p, &t);
    comm->broadcast(comm, owner, p.bytes, p.size);
    memcpy(&t, p.bytes, sizeof t);
    for (size_t i = 0; i < extra_count; i++)
        extra[i] = t.extra[i];
    if (!mine)
        status = pt_share_add(s, number, &t, indices_of(&p), values_of(&p, t.nonzeros));
    pt_free(s->context, p.bytes);
    return status;
}

partan_status pt_share_meet(pt_share *s, int64_t number, double *extra, size_t extra_count, int64_t *vertex, bool *news)
{
    *vertex = pt_share_find(s, number);
    bool own = *vertex >= 0 && *vertex < (int64_t)pt_share_own(s);
    *news = s->comm->size > 1 && (own ? !s->travelled[*vertex] : *vertex < 0);
    if (!*news)
        return PARTAN_OK;
    partan_status status = travel(s, number, extra, extra_count);
    if (!status && !own)
        *vertex = pt_share_find(s, number);
    return status;
}
