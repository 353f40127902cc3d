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

/* A vertex by its number; if its row is new here, with the entries of all the row's vertices. */
static partan_status meet(pt_full *f, int64_t number, int64_t *vertex)
{
    double entries[PT_MOST_LAYERS][2] = {0};
    bool news;
    const pt_dual *dual = &f->simplex.dual;
    int64_t own = pt_share_find_own(f->simplex.share, number);
    int64_t row = own >= 0 ? pt_dual_row(dual, own) : -1;
    for (size_t layer = 0; layer < dual->layers && row >= 0; layer++) {
        int64_t id = pt_dual_vertex(dual, row, layer);
        entries[layer][0] = f->gradient[id];
        entries[layer][1] = f->previous ? f->previous[id] : 0;
    }
    partan_status status = pt_simplex_meet(&f->simplex, number, entries, vertex, &news);
    bool guest = *vertex >= (int64_t)pt_dual_own_vertices(dual);
    if (status || !news || !guest)
        return status;
    f->packed[0] = f->packed[1] = -1; /* which may have been guests, whose rows have moved */
    status = pt_full_make_room(f);
    row = pt_dual_row(dual, *vertex);
    for (size_t layer = 0; layer < dual->layers && !status; layer++) {
        int64_t id = pt_dual_vertex(dual, row, layer);
        f->gradient[id] = entries[layer][0];
        if (f->previous)
            f->previous[id] = entries[layer][1];
    }
    return status;
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
