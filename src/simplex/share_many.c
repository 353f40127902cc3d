/* Many rows that travel at once: each owner sends all of its new ones in one broadcast. */
#include <stdlib.h>
#include <string.h>

#include "core/agree.h"
#include "fw/iterate.h"
#include "simplex/share.h"

/* Rows as they travel, one after the other: the traveller, its indices, its values. */
typedef struct parcel {
    char *bytes;
    size_t size, capacity;
} parcel;

enum { NONZERO = sizeof(int32_t) + sizeof(float) };

static size_t most_nonzeros(const pt_share *s, size_t own)
{
    if (s->rows->storage != PARTAN_STORAGE_SPARSE)
        return s->rows->features;
    return (size_t)(s->rows->offsets[own + 1] - s->rows->offsets[own]);
}

static partan_status pack(pt_share *s, size_t own, parcel *p)
{
    size_t room = most_nonzeros(s, own), head = pt_share_traveller_size(s);
    if (pt_reserve(s->context, (void **)&p->bytes, &p->capacity, p->size, p->size + head + room * NONZERO, 1))
        return pt_out_of_memory(s->context, "rows of other processes");
    char *at = p->bytes + p->size;
    int32_t *indices = (int32_t *)(void *)(at + head);
    float *values = (float *)(void *)(indices + room);
    pt_traveller t = pt_share_traveller(s, own);
    t.nonzeros = pt_matrix_row(s->rows, own, indices, values);
    memmove(indices + t.nonzeros, values, t.nonzeros * sizeof *values);
    memcpy(at, &t, head);
    p->size += head + t.nonzeros * NONZERO;
    s->travelled[own] = 1;
    return PARTAN_OK;
}

/* Whether a row is new to the others. All processes say the same of it. */
static bool is_new(const pt_share *s, int64_t number)
{
    int64_t row = pt_share_find_row(s, number);
    bool own = row >= 0 && row < (int64_t)pt_share_own(s);
    return own ? !s->travelled[row] : row < 0;
}

/* The rows of the list's vertices that are new, once each. */
static partan_status find_new(const pt_share *s, const int64_t *numbers, size_t count, int64_t **fresh, size_t *found)
{
    int64_t all = (int64_t)pt_share_all(s);
    *found = 0;
    *fresh = pt_alloc(s->context, count, sizeof **fresh);
    if (!*fresh)
        return pt_out_of_memory(s->context, "rows of other processes");
    for (size_t i = 0; i < count; i++)
        if (!pt_share_is_slack(s, numbers[i]) && is_new(s, numbers[i] % all))
            (*fresh)[(*found)++] = numbers[i] % all;
    qsort(*fresh, *found, sizeof **fresh, pt_compare_ids);
    size_t kept = 0;
    for (size_t i = 0; i < *found; i++)
        if (i == 0 || (*fresh)[i] != (*fresh)[i - 1])
            (*fresh)[kept++] = (*fresh)[i];
    *found = kept;
    return PARTAN_OK;
}

static partan_status unpack(pt_share *s, int owner, const int64_t *fresh, size_t count, const parcel *p)
{
    size_t at = 0, head = pt_share_traveller_size(s);
    partan_status status = PARTAN_OK;
    for (size_t i = 0; i < count && !status; i++) {
        if (pt_share_owner(s, fresh[i]) != owner)
            continue;
        pt_traveller t = {0};
        memcpy(&t, p->bytes + at, head);
        const int32_t *indices = (const int32_t *)(const void *)(p->bytes + at + head);
        status = pt_share_add(s, fresh[i], &t, indices, (const float *)(const void *)(indices + t.nonzeros));
        at += head + t.nonzeros * NONZERO;
    }
    return status;
}

static partan_status pack_all(pt_share *s, const int64_t *fresh, size_t count, parcel *mine)
{
    partan_status status = PARTAN_OK;
    for (size_t i = 0; i < count && !status; i++)
        if (pt_share_owner(s, fresh[i]) == s->comm->rank)
            status = pack(s, (size_t)(fresh[i] - pt_share_first(s)), mine);
    return status;
}

/* Of other processes, of which this is the largest parcel. */
static size_t largest(const pt_share *s, const uint64_t *sizes)
{
    size_t most = 0;
    for (int owner = 0; owner < s->comm->size; owner++)
        if (owner != s->comm->rank && sizes[owner] > most)
            most = (size_t)sizes[owner];
    return most;
}

/* From each owner to all others, who go on to hear them if they fail to take one in. */
static partan_status exchange(pt_share *s, const int64_t *fresh, size_t count, const uint64_t *sizes, parcel *mine)
{
    pt_comm *comm = s->comm;
    parcel theirs = {.bytes = pt_alloc(s->context, largest(s, sizes), 1)};
    partan_status status = theirs.bytes ? PARTAN_OK : pt_out_of_memory(s->context, "rows of other processes");
    status = pt_agree(s->context, comm, status);
    bool agreed = !status;
    for (int owner = 0; owner < comm->size && agreed; owner++) {
        if (sizes[owner] > 0)
            comm->broadcast(comm, owner, owner == comm->rank ? mine->bytes : theirs.bytes, (size_t)sizes[owner]);
        if (sizes[owner] > 0 && owner != comm->rank && !status)
            status = unpack(s, owner, fresh, count, &theirs);
    }
    pt_free(s->context, theirs.bytes);
    return agreed ? pt_agree(s->context, comm, status) : status;
}

static partan_status send_all(pt_share *s, const int64_t *fresh, size_t count)
{
    pt_comm *comm = s->comm;
    parcel mine = {0};
    uint64_t *sizes = pt_alloc_zero(s->context, (size_t)comm->size, sizeof *sizes);
    partan_status status =
        sizes ? pack_all(s, fresh, count, &mine) : pt_out_of_memory(s->context, "rows of other processes");
    status = pt_agree(s->context, comm, status);
    if (!status) {
        sizes[comm->rank] = mine.size;
        comm->sum_integers(comm, sizes, (size_t)comm->size);
        status = exchange(s, fresh, count, sizes, &mine);
    }
    pt_free(s->context, mine.bytes);
    pt_free(s->context, sizes);
    return status;
}

partan_status pt_share_meet_all(pt_share *s, const int64_t *numbers, size_t count, int64_t *vertices)
{
    int64_t *fresh = NULL;
    size_t found = 0;
    partan_status status = PARTAN_OK;
    if (s->comm->size > 1)
        status = pt_agree(s->context, s->comm, find_new(s, numbers, count, &fresh, &found));
    if (!status && found > 0)
        status = send_all(s, fresh, found);
    for (size_t i = 0; i < count && !status; i++)
        vertices[i] = pt_share_find(s, numbers[i]);
    pt_free(s->context, fresh);
    return status;
}

partan_status pt_share_gather(pt_share *s, const int64_t *numbers, size_t count, pt_matrix *rows)
{
    int64_t *places = pt_alloc(s->context, count, sizeof *places);
    partan_status status = places ? PARTAN_OK : pt_out_of_memory(s->context, "rows of other processes");
    status = pt_agree(s->context, s->comm, status);
    if (!status)
        status = pt_share_meet_all(s, numbers, count, places);
    for (size_t i = 0; i < count && !status; i++)
        places[i] = pt_share_find_row(s, numbers[i]);
    if (!status)
        status = pt_agree(s->context, s->comm, pt_matrix_gather_both(s->rows, &s->guests, places, count, rows));
    pt_free(s->context, places);
    return status;
}

partan_status pt_share_near_one(pt_share *s, const pt_kernel *kernel)
{
    pt_share share; /* of its own: these rows need not be known afterwards */
    int64_t ids[PT_NEAR_SAMPLE];
    pt_matrix some = {0};
    partan_status status = pt_share_open(&share, s->context, s->comm, s->rows);
    size_t all = status ? 0 : pt_share_all(&share), count = all < PT_NEAR_SAMPLE ? all : PT_NEAR_SAMPLE;
    for (size_t i = 0; i < count; i++)
        ids[i] = (int64_t)(i * all / count);
    if (!status)
        status = pt_share_gather(&share, ids, count, &some);
    if (!status)
        s->near_one = pt_kernel_near_one(kernel, &some);
    pt_matrix_free(&some);
    pt_share_free(&share);
    return status;
}
