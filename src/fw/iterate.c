#include "fw/iterate.h"

#include <string.h>

/* Of a table of 64 places, the least. */
#define FIRST_SHIFT 58

enum {
    SWEEP_INTERVAL = 64, /* moves between removals of slots that weigh nothing */
    RATIO_CHUNK = 256,   /* slots that the ratio test skips together */
};

void pt_iterate_init(pt_iterate *iterate, partan_context *context, bool keeps_previous)
{
    *iterate = (pt_iterate){.context = context, .keeps_previous = keeps_previous};
}

void pt_iterate_free(pt_iterate *iterate)
{
    if (!iterate->context)
        return;
    pt_free(iterate->context, iterate->id);
    pt_free(iterate->context, iterate->now);
    pt_free(iterate->context, iterate->previous);
    pt_free(iterate->context, iterate->next);
    pt_free(iterate->context, iterate->index);
    *iterate = (pt_iterate){0};
}

/* ---- The index ---- */

/* Ids are often numbers of rows: successive ones go far apart (Fibonacci hashing). */
static size_t home(const pt_iterate *iterate, int64_t id)
{
    return (size_t)(((uint64_t)id * 0x9e3779b97f4a7c15u) >> iterate->shift);
}

static size_t index_mask(const pt_iterate *iterate)
{
    return ((size_t)1 << (64 - iterate->shift)) - 1;
}

/* The place of a vertex, or the free one where it would be. There must be an index. */
static size_t find_place(const pt_iterate *iterate, int64_t id)
{
    size_t place = home(iterate, id), mask = index_mask(iterate);
    while (iterate->index[place] && iterate->id[iterate->index[place] - 1] != id)
        place = (place + 1) & mask;
    return place;
}

/* Slot + 1 of a vertex, 0 when it has none. */
static uint32_t find(const pt_iterate *iterate, int64_t id)
{
    return iterate->index ? iterate->index[find_place(iterate, id)] : 0;
}

static partan_status index_make(pt_iterate *iterate, size_t capacity)
{
    int shift = FIRST_SHIFT;
    while ((size_t)1 << (64 - shift) < 2 * capacity)
        shift--;
    if (iterate->index && shift == iterate->shift)
        return PARTAN_OK;
    uint32_t *index = pt_alloc_zero(iterate->context, (size_t)1 << (64 - shift), sizeof *index);
    if (!index)
        return PARTAN_ERROR_MEMORY;
    pt_free(iterate->context, iterate->index);
    iterate->index = index;
    iterate->shift = shift;
    for (size_t i = 0; i < iterate->count; i++)
        index[find_place(iterate, iterate->id[i])] = (uint32_t)i + 1;
    return PARTAN_OK;
}

/* Frees a place. Those behind it move up where they may, so that no search ends too early. */
static void index_remove(pt_iterate *iterate, size_t place)
{
    size_t mask = index_mask(iterate);
    for (size_t next = (place + 1) & mask; iterate->index[next]; next = (next + 1) & mask) {
        size_t wanted = home(iterate, iterate->id[iterate->index[next] - 1]);
        if (((next - wanted) & mask) < ((next - place) & mask))
            continue; /* it would be before its home */
        iterate->index[place] = iterate->index[next];
        place = next;
    }
    iterate->index[place] = 0;
}

/* ---- Slots ---- */

static partan_status grow(pt_iterate *iterate)
{
    if (iterate->count < iterate->capacity)
        return PARTAN_OK;
    partan_status status = PARTAN_OK;
    size_t used = iterate->count, capacity = iterate->capacity;
    void **arrays[] = {(void **)&iterate->id, (void **)&iterate->now, (void **)&iterate->previous,
                       (void **)&iterate->next};
    for (int i = 0; i < 4 && !status; i++) {
        capacity = iterate->capacity;
        status = pt_reserve(iterate->context, arrays[i], &capacity, used, used + 1, sizeof(double));
    }
    if (!status)
        status = index_make(iterate, capacity);
    if (status)
        return pt_out_of_memory(iterate->context, "the active set");
    iterate->capacity = capacity;
    return PARTAN_OK;
}

/* The slot of a vertex, made when there is none. */
static partan_status find_or_add(pt_iterate *iterate, int64_t id, size_t *slot)
{
    uint32_t found = find(iterate, id);
    if (found) {
        *slot = found - 1;
        return PARTAN_OK;
    }
    if (iterate->count >= UINT32_MAX - 1)
        return pt_fail(iterate->context, PARTAN_ERROR_DATA, "more than 2^32 active vertices");
    partan_status status = grow(iterate);
    if (status)
        return status;
    size_t place = find_place(iterate, id);
    *slot = iterate->count++;
    iterate->id[*slot] = id;
    iterate->now[*slot] = iterate->previous[*slot] = 0;
    iterate->index[place] = (uint32_t)*slot + 1;
    return PARTAN_OK;
}

static void remove_slot(pt_iterate *iterate, size_t slot)
{
    index_remove(iterate, find_place(iterate, iterate->id[slot]));
    size_t last = --iterate->count;
    if (slot == last)
        return;
    iterate->index[find_place(iterate, iterate->id[last])] = (uint32_t)slot + 1;
    iterate->id[slot] = iterate->id[last];
    iterate->now[slot] = iterate->now[last];
    iterate->previous[slot] = iterate->previous[last];
}

static void sweep(pt_iterate *iterate)
{
    iterate->moves = 0;
    for (size_t i = iterate->count; i-- > 0;) {
        int64_t id = iterate->id[i];
        if (iterate->now[i] != 0 || iterate->previous[i] != 0)
            continue;
        remove_slot(iterate, i);
        if (iterate->left)
            iterate->left(iterate->owner, id);
    }
}

partan_status pt_iterate_start(pt_iterate *iterate, const int64_t *ids, const double *weights, size_t count)
{
    while (iterate->count > 0)
        remove_slot(iterate, iterate->count - 1);
    for (size_t i = 0; i < count; i++) {
        size_t slot = 0;
        partan_status status = find_or_add(iterate, ids[i], &slot);
        if (status)
            return status;
        iterate->now[slot] += weights[i];
    }
    pt_iterate_normalise(iterate);
    return PARTAN_OK;
}

bool pt_iterate_has(const pt_iterate *iterate, int64_t id)
{
    return find(iterate, id) != 0;
}

double pt_iterate_weight(const pt_iterate *iterate, int64_t id)
{
    uint32_t slot = find(iterate, id);
    return slot ? iterate->now[slot - 1] : 0;
}

double pt_iterate_previous(const pt_iterate *iterate, int64_t id)
{
    uint32_t slot = find(iterate, id);
    return slot ? iterate->previous[slot - 1] : 0;
}

void pt_iterate_weights(const pt_iterate *iterate, int64_t id, double *now, double *previous)
{
    uint32_t slot = find(iterate, id);
    *now = slot ? iterate->now[slot - 1] : 0;
    *previous = slot ? iterate->previous[slot - 1] : 0;
}

size_t pt_iterate_slot(const pt_iterate *iterate, int64_t id)
{
    uint32_t slot = find(iterate, id);
    return slot ? slot - 1 : iterate->count;
}

void pt_iterate_normalise(pt_iterate *iterate)
{
    double sum = 0;
    for (size_t i = 0; i < iterate->count; i++)
        sum += iterate->now[i];
    for (size_t i = 0; i < iterate->count; i++) {
        iterate->now[i] /= sum;
        iterate->previous[i] = 0;
    }
    sweep(iterate);
}

size_t pt_iterate_support(const pt_iterate *iterate)
{
    size_t support = 0;
    for (size_t i = 0; i < iterate->count; i++)
        support += iterate->now[i] > 0;
    return support;
}

/* ---- Moves ---- */

static double at_least_zero(double x)
{
    return x > 0 ? x : 0;
}

partan_status pt_iterate_move(pt_iterate *iterate, const pt_move *move)
{
    size_t slots[2] = {0};
    for (int t = 0; t < move->terms; t++) {
        partan_status status = find_or_add(iterate, move->term[t].id, &slots[t]);
        if (status)
            return status;
    }

    double *restrict next = iterate->next;
    const double *restrict now = iterate->now, *restrict previous = iterate->previous;
    const double c = move->now_factor, p = move->previous_factor;
    /* The step sizes keep weights feasible; what is negative here is rounding. */
    for (size_t i = 0; i < iterate->count; i++)
        next[i] = at_least_zero(c * now[i] + p * previous[i]);
    for (int t = 0; t < move->terms; t++)
        next[slots[t]] = c * now[slots[t]] + p * previous[slots[t]];
    for (int t = 0; t < move->terms; t++)
        next[slots[t]] += move->term[t].factor;
    for (int t = 0; t < move->terms; t++)
        next[slots[t]] = at_least_zero(next[slots[t]]);
    uint32_t dropped = move->drop >= 0 ? find(iterate, move->drop) : 0;
    if (dropped)
        next[dropped - 1] = 0;

    /* The arrays change places: now becomes previous where that is kept, and the oldest is written next time. */
    double *oldest = iterate->keeps_previous ? iterate->previous : iterate->now;
    if (iterate->keeps_previous)
        iterate->previous = iterate->now;
    iterate->now = iterate->next;
    iterate->next = oldest;
    if (++iterate->moves >= SWEEP_INTERVAL)
        sweep(iterate);
    return PARTAN_OK;
}

/* Whether any of the slots [begin, end) could limit mu; vertex u is looked at as if it gained nothing. Signs are
 * collected as bits, which compilers make vectors of; a minimum they may not take out of order. */
static bool may_block(const pt_iterate *iterate, size_t begin, size_t end, double keep, double mu)
{
    const double *restrict now = iterate->now, *restrict previous = iterate->previous;
    uint64_t signs = 0;
    for (size_t i = begin; i < end; i++) {
        double x = keep * now[i], room = x - mu * (previous[i] - x);
        uint64_t bits;
        memcpy(&bits, &room, sizeof bits);
        signs |= bits;
    }
    return signs >> 63 != 0;
}

double pt_iterate_ratio(const pt_iterate *iterate, double keep, int64_t u, double gain, double wanted,
                        int64_t *blocking)
{
    double mu = wanted;
    *blocking = -1;
    for (size_t begin = 0; begin < iterate->count; begin += RATIO_CHUNK) {
        size_t end = iterate->count - begin < RATIO_CHUNK ? iterate->count : begin + RATIO_CHUNK;
        if (!may_block(iterate, begin, end, keep, mu))
            continue;
        for (size_t i = begin; i < end; i++) {
            double x = keep * iterate->now[i] + (iterate->id[i] == u ? gain : 0);
            double fall = iterate->previous[i] - x;
            if (fall > 0 && x < mu * fall) {
                mu = x / fall;
                *blocking = iterate->id[i];
            }
        }
    }
    return mu;
}

int pt_compare_ids(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}
