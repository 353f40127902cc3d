/* The sampled simplex problem where rows live in several processes: all draw the same sample, each scores the part of
 * it that lives there. */
#include <string.h>

#include "core/collect.h"
#include "simplex/sampled.h"

partan_status pt_sampled_make_room(pt_sampled *s)
{
    partan_context *context = s->simplex.problem.context;
    size_t before = s->stored_room;
    if (pt_reserve(context, (void **)&s->stored, &s->stored_room, before, s->simplex.dual.vertices, 1))
        return pt_out_of_memory(context, "the sample");
    memset(s->stored + before, 0, s->stored_room - before);
    return PARTAN_OK;
}

partan_status pt_sampled_meet(pt_sampled *s, int64_t number, int64_t *vertex)
{
    bool news;
    partan_status status = pt_simplex_meet(&s->simplex, number, NULL, vertex, &news);
    return status ? status : pt_sampled_make_room(s);
}

/* The vertices of the sample that live here come first in ids; their places in it, in `places`. */
static size_t take_own(pt_sampled *s, const int64_t *numbers, size_t count, size_t *places)
{
    size_t mine = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t vertex = pt_simplex_find_own(&s->simplex, numbers[i]);
        if (vertex >= 0) {
            places[mine] = i;
            s->ids[mine++] = vertex;
        }
    }
    return mine;
}

partan_status pt_sampled_score_shared(pt_sampled *s, const pt_iterate *iterate, size_t count)
{
    partan_context *context = s->simplex.problem.context;
    pt_share *share = s->simplex.share;
    int64_t *numbers = pt_copy(context, s->ids, count, sizeof *numbers);
    size_t *places = pt_alloc(context, count, sizeof *places);
    double *all = pt_alloc_zero(context, 2 * count + 2, sizeof *all);
    partan_status status = numbers && places && all ? PARTAN_OK : pt_out_of_memory(context, "the sample");
    size_t mine = status ? 0 : take_own(s, numbers, count, places);
    uint64_t values = s->simplex.counters.kernel_values;
    if (!status)
        status = pt_sampled_score(s, iterate, mine);
    /* What all have computed together, as one process would count it. */
    s->simplex.counters.kernel_values = values + count * (s->stores[0].count + s->stores[1].count);
    if (!status) {
        for (size_t i = 0; i < mine; i++) {
            all[2 * places[i]] = s->scores[i];
            all[2 * places[i] + 1] = s->previous_scores[i];
        }
        int stop = pt_share_stop(share);
        all[2 * count] = stop == PT_STOP_TIME;
        all[2 * count + 1] = stop == PT_STOP_ASKED;
        share->comm->sum(share->comm, all, 2 * count + 2);
        pt_share_heed(share, all[2 * count + 1] > 0 ? PT_STOP_ASKED : all[2 * count] > 0 ? PT_STOP_TIME : PT_GO_ON);
        memcpy(s->ids, numbers, count * sizeof *numbers);
        for (size_t i = 0; i < count; i++) {
            s->scores[i] = all[2 * i];
            s->previous_scores[i] = all[2 * i + 1];
        }
    }
    pt_free(context, numbers);
    pt_free(context, places);
    pt_free(context, all);
    return status;
}

partan_status pt_sampled_gather_pools(pt_sampled *s, pt_scored **all, size_t *count)
{
    void *bytes;
    partan_status status = pt_collect(s->simplex.problem.context, s->simplex.share->comm, s->pool, s->pool_count,
                                      sizeof **all, &bytes, count);
    *all = bytes;
    return status;
}
