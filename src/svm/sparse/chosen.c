/* The chosen rows in one place, wherever they live. */
#include <string.h>

#include "svm/sparse/sparse.h"

static partan_status make_room(pt_sparse *s)
{
    pt_matrix_free(&s->vectors);
    pt_free(s->context, s->own_signs);
    pt_free(s->context, s->own_targets);
    s->own_signs = pt_alloc(s->context, s->count, sizeof *s->own_signs);
    s->own_targets = pt_alloc(s->context, s->count, sizeof *s->own_targets);
    return s->own_signs && s->own_targets ? PARTAN_OK : pt_out_of_memory(s->context, "support vectors");
}

/* Their signs travel with them. */
static double sign_of(const pt_sparse *s, int64_t number)
{
    return (double)(s->share ? s->share->signs[pt_share_find(s->share, number)] : s->signs[number]);
}

partan_status pt_sparse_meet(pt_sparse *s)
{
    partan_status status = pt_agree(s->context, pt_sparse_comm(s), make_room(s));
    if (!status)
        status = s->share ? pt_share_gather(s->share, s->ids, s->count, &s->vectors)
                          : pt_matrix_gather(s->points.matrix, s->ids, s->count, &s->vectors);
    if (status)
        return status;
    for (size_t i = 0; i < s->count; i++)
        s->own_signs[i] = sign_of(s, s->ids[i]);
    pt_sparse_pick(s, s->targets, s->own_targets);
    return PARTAN_OK;
}

void pt_sparse_pick(const pt_sparse *s, const double *of_rows, double *of_chosen)
{
    pt_comm *comm = pt_sparse_comm(s);
    for (size_t i = 0; i < s->count; i++) {
        int64_t row = pt_sparse_own(s, s->ids[i]);
        of_chosen[i] = row < 0 ? 0 : of_rows[row];
    }
    if (comm)
        comm->sum(comm, of_chosen, s->count);
}

void pt_sparse_tell(pt_sparse *s)
{
    uint64_t count = s->count;
    pt_tell_all(pt_sparse_comm(s), &count, sizeof count);
    s->count = (size_t)count;
    pt_tell_all(pt_sparse_comm(s), s->ids, s->count * sizeof *s->ids);
}
