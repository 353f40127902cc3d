#include "fw/iterate.h"

#include <string.h>

enum {
    SWEEP_INTERVAL = 64, /* moves between removals of slots that weigh nothing */
    RATIO_CHUNK = 256,   /* slots that the ratio test dismisses together */
};

partan_status pt_active_init(pt_active *active, partan_context *context, int64_t domain, bool keeps_previous)
{
    *active = (pt_active){.context = context, .domain = domain, .keeps_previous = keeps_previous};
    active->slot = pt_alloc_zero(context, (size_t)domain, sizeof *active->slot);
    return active->slot ? PARTAN_OK : pt_out_of_memory(context, "the index of active vertices");
}

void pt_active_free(pt_active *active)
{
    if (!active->context)
        return;
    pt_free(active->context, active->id);
    pt_free(active->context, active->now);
    pt_free(active->context, active->previous);
    pt_free(active->context, active->next);
    pt_free(active->context, active->slot);
    *active = (pt_active){0};
}

static partan_status grow(pt_active *active)
{
    if (active->count < active->capacity)
        return PARTAN_OK;
    partan_status status = PARTAN_OK;
    size_t used = active->count, capacity = active->capacity;
    void **arrays[] = {(void **)&active->id, (void **)&active->now, (void **)&active->previous, (void **)&active->next};
    for (int i = 0; i < 4 && !status; i++) {
        capacity = active->capacity;
        status = pt_reserve(active->context, arrays[i], &capacity, used, used + 1, sizeof(double));
    }
    if (status)
        return pt_out_of_memory(active->context, "the active set");
    active->capacity = capacity;
    return PARTAN_OK;
}

/* The slot of a vertex, made when there is none. */
static partan_status find_or_add(pt_active *active, int64_t id, size_t *slot)
{
    if (active->slot[id]) {
        *slot = active->slot[id] - 1;
        return PARTAN_OK;
    }
    if (active->count >= UINT32_MAX - 1)
        return pt_fail(active->context, PARTAN_ERROR_DATA, "more than 2^32 active vertices");
    partan_status status = grow(active);
    if (status)
        return status;
    *slot = active->count++;
    active->id[*slot] = id;
    active->now[*slot] = active->previous[*slot] = 0;
    active->slot[id] = (uint32_t)*slot + 1;
    return PARTAN_OK;
}

static void remove_slot(pt_active *active, size_t slot)
{
    size_t last = --active->count;
    active->slot[active->id[slot]] = 0;
    if (slot == last)
        return;
    active->id[slot] = active->id[last];
    active->now[slot] = active->now[last];
    active->previous[slot] = active->previous[last];
    active->slot[active->id[slot]] = (uint32_t)slot + 1;
}

static void sweep(pt_active *active)
{
    active->moves = 0;
    for (size_t i = active->count; i-- > 0;)
        if (active->now[i] == 0 && active->previous[i] == 0)
            remove_slot(active, i);
}

partan_status pt_active_start(pt_active *active, const int64_t *ids, const double *weights, size_t count)
{
    while (active->count > 0)
        remove_slot(active, active->count - 1);
    for (size_t i = 0; i < count; i++) {
        size_t slot = 0;
        partan_status status = find_or_add(active, ids[i], &slot);
        if (status)
            return status;
        active->now[slot] += weights[i];
    }
    pt_active_normalise(active);
    return PARTAN_OK;
}

double pt_active_weight(const pt_active *active, int64_t id)
{
    return active->slot[id] ? active->now[active->slot[id] - 1] : 0;
}

double pt_active_previous(const pt_active *active, int64_t id)
{
    return active->slot[id] ? active->previous[active->slot[id] - 1] : 0;
}

void pt_active_normalise(pt_active *active)
{
    double sum = 0;
    for (size_t i = 0; i < active->count; i++)
        sum += active->now[i];
    for (size_t i = 0; i < active->count; i++) {
        active->now[i] /= sum;
        active->previous[i] = 0;
    }
    sweep(active);
}

size_t pt_active_support(const pt_active *active)
{
    size_t support = 0;
    for (size_t i = 0; i < active->count; i++)
        support += active->now[i] > 0;
    return support;
}

/* ---- Moves ---- */

static double at_least_zero(double x)
{
    return x > 0 ? x : 0;
}

partan_status pt_active_move(pt_active *active, const pt_move *move)
{
    size_t slots[2] = {0};
    for (int t = 0; t < move->terms; t++) {
        partan_status status = find_or_add(active, move->term[t].id, &slots[t]);
        if (status)
            return status;
    }

    double *restrict next = active->next;
    const double *restrict now = active->now, *restrict previous = active->previous;
    const double c = move->now_factor, p = move->previous_factor;
    /* The step sizes keep weights feasible; what is negative here is rounding. */
    for (size_t i = 0; i < active->count; i++)
        next[i] = at_least_zero(c * now[i] + p * previous[i]);
    for (int t = 0; t < move->terms; t++)
        next[slots[t]] = c * now[slots[t]] + p * previous[slots[t]];
    for (int t = 0; t < move->terms; t++)
        next[slots[t]] += move->term[t].factor;
    for (int t = 0; t < move->terms; t++)
        next[slots[t]] = at_least_zero(next[slots[t]]);
    if (move->drop >= 0 && active->slot[move->drop])
        next[active->slot[move->drop] - 1] = 0;

    /* The arrays change places: now becomes previous where that is kept, and the oldest is written next time. */
    double *oldest = active->keeps_previous ? active->previous : active->now;
    if (active->keeps_previous)
        active->previous = active->now;
    active->now = active->next;
    active->next = oldest;
    if (++active->moves >= SWEEP_INTERVAL)
        sweep(active);
    return PARTAN_OK;
}

/* Whether any of the slots [begin, end) could limit mu; vertex u is looked at as if it gained nothing. Signs are
 * collected as bits, which compilers make vectors of; a minimum they may not take out of order. */
static bool may_block(const pt_active *active, size_t begin, size_t end, double keep, double mu)
{
    const double *restrict now = active->now, *restrict previous = active->previous;
    uint64_t signs = 0;
    for (size_t i = begin; i < end; i++) {
        double x = keep * now[i], room = x - mu * (previous[i] - x);
        uint64_t bits;
        memcpy(&bits, &room, sizeof bits);
        signs |= bits;
    }
    return signs >> 63 != 0;
}

double pt_active_ratio(const pt_active *active, double keep, int64_t u, double gain, double wanted, int64_t *blocking)
{
    double mu = wanted;
    *blocking = -1;
    for (size_t begin = 0; begin < active->count; begin += RATIO_CHUNK) {
        size_t end = active->count - begin < RATIO_CHUNK ? active->count : begin + RATIO_CHUNK;
        if (!may_block(active, begin, end, keep, mu))
            continue;
        for (size_t i = begin; i < end; i++) {
            double x = keep * active->now[i] + (active->id[i] == u ? gain : 0);
            double fall = active->previous[i] - x;
            if (fall > 0 && x < mu * fall) {
                mu = x / fall;
                *blocking = active->id[i];
            }
        }
    }
    return mu;
}
