/* The simplex problem with its gradient, where rows live in several processes: guests have entries like own rows. */
#include <math.h>

#include "simplex/full.h"

partan_status pt_full_make_room(pt_full *f)
{
    partan_context *context = f->simplex.problem.context;
    size_t need = f->simplex.dual.vertices, used = need < f->room ? need : f->room;
    size_t room = f->room, same = f->room, most = f->most;
    if (pt_reserve(context, (void **)&f->gradient, &room, used, need, sizeof *f->gradient))
        return pt_out_of_memory(context, "the gradient");
    if (f->previous && pt_reserve(context, (void **)&f->previous, &same, used, need, sizeof *f->previous))
        return pt_out_of_memory(context, "the gradient");
    f->room = room;
    if (pt_reserve(context, (void **)&f->chunk_least, &most, f->most, pt_full_chunks(f), sizeof *f->chunk_least))
        return pt_out_of_memory(context, "the gradient");
    f->most = most;
    return PARTAN_OK;
}

/* A vertex by its number; if it is new here, with its entries. */
static partan_status meet(pt_full *f, int64_t number, int64_t *vertex)
{
    double entries[2] = {0};
    bool news;
    int64_t own = number - pt_share_first(f->simplex.share);
    if (own >= 0 && own < (int64_t)pt_share_own(f->simplex.share)) {
        entries[0] = f->gradient[own];
        entries[1] = f->previous ? f->previous[own] : 0;
    }
    partan_status status = pt_simplex_meet(&f->simplex, number, entries, 2, vertex, &news);
    bool guest = *vertex >= (int64_t)pt_share_own(f->simplex.share);
    if (status || !news || !guest)
        return status;
    f->packed[0] = f->packed[1] = -1; /* which may have been guests, whose rows have moved */
    status = pt_full_make_room(f);
    if (status)
        return status;
    f->gradient[*vertex] = entries[0];
    if (f->previous)
        f->previous[*vertex] = entries[1];
    return PARTAN_OK;
}

partan_status pt_full_shared_toward(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    (void)iterate;
    pt_full *f = (pt_full *)problem;
    pt_share *share = f->simplex.share;
    bool some = f->least.score < INFINITY;
    pt_least least = {f->least.score, some ? pt_share_number(share, f->least.id) : INT64_MAX, pt_share_stop(share)};
    share->comm->least(share->comm, &least);
    pt_share_heed(share, (int)least.stop);
    *vertex = (pt_vertex){.id = -1, .score = least.score};
    return meet(f, least.number, &vertex->id);
}
