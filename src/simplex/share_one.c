/* One row that travels, with what solvers know of its vertices. */
#include <string.h>

#include "simplex/share.h"

/* A row as it travels: the traveller, its indices, its values. */
typedef struct parcel {
    char *bytes;
    size_t head, size; /* of the traveller, and in all */
} parcel;

enum { NONZERO = sizeof(int32_t) + sizeof(float) };

static int32_t *indices_of(const parcel *p)
{
    return (int32_t *)(void *)(p->bytes + p->head);
}

static float *values_of(const parcel *p, uint64_t nonzeros)
{
    return (float *)(void *)(indices_of(p) + nonzeros);
}

static partan_status reserve(const pt_share *s, parcel *p, uint64_t nonzeros)
{
    p->head = pt_share_traveller_size(s);
    p->size = p->head + (size_t)nonzeros * NONZERO;
    p->bytes = pt_alloc(s->context, p->size, 1);
    return p->bytes ? PARTAN_OK : pt_out_of_memory(s->context, "rows of other processes");
}

/* An own row, with what comes with it. */
static void fill(pt_share *s, size_t own, double (*extra)[2], parcel *p)
{
    int32_t *indices = indices_of(p);
    float *values = values_of(p, (p->size - p->head) / NONZERO);
    pt_traveller t = pt_share_traveller(s, own);
    t.nonzeros = pt_matrix_row(s->rows, own, indices, values);
    for (size_t layer = 0; layer < s->layers && extra; layer++)
        memcpy(t.vertices[layer].extra, extra[layer], sizeof extra[layer]);
    memmove(values_of(p, t.nonzeros), values, t.nonzeros * sizeof *values);
    memcpy(p->bytes, &t, p->head);
    s->travelled[own] = 1;
}

/* From its owner to all others, which take it in: in one broadcast, where rows have no more nonzeros than all know,
 * else in two. */
static partan_status travel(pt_share *s, int64_t number, double (*extra)[2])
{
    pt_comm *comm = s->comm;
    int owner = pt_share_owner(s, number);
    bool mine = owner == comm->rank, sparse = s->rows->storage == PARTAN_STORAGE_SPARSE;
    size_t own = mine ? (size_t)(number - pt_share_first(s)) : 0;
    uint64_t room = s->rows->features;
    pt_traveller t = {0};
    parcel p;
    if (sparse) {
        room = mine ? (uint64_t)(s->rows->offsets[own + 1] - s->rows->offsets[own]) : 0;
        comm->broadcast(comm, owner, &room, sizeof room);
    }
    partan_status status = reserve(s, &p, room);
    if (status)
        return status;
    if (mine)
        fill(s, own, extra, &p);
    comm->broadcast(comm, owner, p.bytes, p.size);
    memcpy(&t, p.bytes, p.head);
    for (size_t layer = 0; layer < s->layers && extra; layer++)
        memcpy(extra[layer], t.vertices[layer].extra, sizeof extra[layer]);
    if (!mine)
        status = pt_share_add(s, number, &t, indices_of(&p), values_of(&p, t.nonzeros));
    pt_free(s->context, p.bytes);
    return status;
}

partan_status pt_share_meet(pt_share *s, int64_t number, double (*extra)[2], int64_t *vertex, bool *news)
{
    int64_t number_of_row = number % (int64_t)pt_share_all(s);
    *vertex = pt_share_find(s, number);
    int64_t own = number_of_row - pt_share_first(s);
    bool mine = own >= 0 && own < (int64_t)pt_share_own(s);
    *news = s->comm->size > 1 && !pt_share_is_slack(s, number) && (mine ? !s->travelled[own] : *vertex < 0);
    if (!*news)
        return PARTAN_OK;
    partan_status status = travel(s, number_of_row, extra);
    if (!status)
        *vertex = pt_share_find(s, number);
    return status;
}
