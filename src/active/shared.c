/* The active-set method where rows live in several processes: what these tell each other. Where all rows are here there
 * is nobody to tell. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "active/state.h"
#include "core/collect.h"

#define LEAST_COPIES                                                                                                   \
    0.125 /* of the rows, which are copied however small the budget is: a sample of very many, near rows */

static pt_comm *comm_of(const method *m)
{
    return m->simplex->share->comm;
}

/* ---- Numbers that all have ---- */

uint64_t pt_active_set_sum(const method *m, uint64_t here)
{
    if (m->simplex->share)
        comm_of(m)->sum_integers(comm_of(m), &here, 1);
    return here;
}

double pt_active_set_greatest(const method *m, double here)
{
    if (m->simplex->share)
        comm_of(m)->greatest(comm_of(m), &here, 1);
    return here;
}

double pt_active_set_least(const method *m, double here)
{
    pt_share *share = m->simplex->share;
    if (!share)
        return here;
    pt_least least = {here, 0, pt_share_stop(share)};
    comm_of(m)->least(comm_of(m), &least);
    share->stopped = (int)least.stop > share->stopped ? (int)least.stop : share->stopped;
    return least.score;
}

void pt_active_set_signs(const method *m, const int64_t *numbers, size_t count, double *signs)
{
    for (size_t i = 0; i < count; i++) {
        int64_t own = pt_simplex_find_own(m->simplex, numbers[i]);
        signs[i] = own >= 0 ? pt_dual_sign(&m->simplex->dual, own) : 0;
    }
    if (m->simplex->share)
        comm_of(m)->sum(comm_of(m), signs, count);
}

/* A process's memory for what all have alike is that of the one with the least. */
void pt_active_set_agree_budget(method *m)
{
    double all[2] = {(double)pt_matrix_bytes(m->simplex->points.matrix), (double)m->budget};
    if (m->simplex->share) {
        comm_of(m)->sum(comm_of(m), all, 2);
        m->budget = (size_t)-pt_active_set_greatest(m, -(double)m->budget);
    }
    m->copies = (pt_copies){.bytes = all[0], .budget = fmax(all[1], LEAST_COPIES * all[0])};
}

/* A row of the view costs the same everywhere; by low-rank factors, the support costs something beside. */
void pt_active_set_count_values(method *m, const pt_view *view, uint64_t before)
{
    uint64_t *values = &m->simplex->counters.kernel_values, spent = *values - before, beside = 0;
    if (!m->simplex->share)
        return;
    if (pt_simplex_by_lowrank(m->simplex, m->support))
        beside = (uint64_t)m->support * m->simplex->lowrank->rank;
    bool some = view->count > 0 && spent > 0;
    size_t rows = some ? view->rows->rows : 0, all = view->ids ? view->total : pt_simplex_rows(m->simplex);
    double each = pt_active_set_greatest(m, rows > 0 ? (double)((spent - beside) / rows) : 0);
    *values = before + (uint64_t)each * all + (each > 0 ? beside : 0);
}

/* ---- Vertices that become known ---- */

/* All four arrays grow alike, to *room. */
static bool widen(method *m, void **array, size_t size, size_t *room)
{
    *room = m->room;
    if (pt_reserve(m->context, array, room, m->room, vertices(m), size))
        return false;
    memset((char *)*array + m->room * size, 0, (*room - m->room) * size);
    return true;
}

partan_status pt_active_set_make_room(method *m)
{
    size_t room = m->room;
    if (vertices(m) <= m->room)
        return PARTAN_OK;
    if (!widen(m, (void **)&m->scores, sizeof *m->scores, &room)
        || !widen(m, (void **)&m->scratch, sizeof *m->scratch, &room)
        || !widen(m, (void **)&m->members.inside, 1, &room) || !widen(m, (void **)&m->simplex->refined, 1, &room))
        return pt_out_of_memory(m->context, "the scores");
    m->extrapolation.scratch = m->scratch;
    m->room = room;
    return PARTAN_OK;
}

partan_status pt_active_set_meet(method *m, const int64_t *numbers, size_t count, int64_t *ids)
{
    if (!m->simplex->share) {
        memcpy(ids, numbers, count * sizeof *ids);
        return PARTAN_OK;
    }
    partan_status status = pt_simplex_meet_all(m->simplex, numbers, count, ids);
    return status ? status : pt_active_set_make_room(m);
}

void pt_active_set_hide_guests(method *m)
{
    size_t own = pt_dual_own_vertices(&m->simplex->dual);
    for (size_t i = own; i < vertices(m) && m->simplex->share; i++)
        if (!m->members.inside[i])
            m->scores[i] = DBL_MAX;
}

/* ---- Violators ---- */

/* A violator as all know it. */
typedef struct candidate {
    int64_t number;
    double score;
    int64_t far;
} candidate;

/* As one process has them: the near ones, then the far ones. */
static int near_first(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->far != y->far)
        return x->far < y->far ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int worse_first(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? -1 : 1;
    return near_first(a, b);
}

/* The `most` worst of all processes, or all if there are fewer, in the order in which one process would have them. */
static partan_status gather(method *m, const pt_member *found, size_t count, size_t near, size_t most, candidate **all,
                            size_t *total)
{
    void *bytes = NULL;
    candidate *mine = pt_alloc(m->context, count, sizeof *mine);
    *all = NULL;
    if (!mine)
        return pt_out_of_memory(m->context, "the violators");
    for (size_t i = 0; i < count; i++)
        mine[i] = (candidate){pt_simplex_number(m->simplex, found[i].id), found[i].score, i >= near};
    bool many = pt_active_set_sum(m, count) > most;
    if (many)
        qsort(mine, count, sizeof *mine, worse_first);
    partan_status status =
        pt_collect(m->context, comm_of(m), mine, many && count > most ? most : count, sizeof *mine, &bytes, total);
    pt_free(m->context, mine);
    *all = bytes;
    if (!status && many) {
        qsort(*all, *total, sizeof **all, worse_first);
        *total = *total < most ? *total : most;
    }
    if (!status)
        qsort(*all, *total, sizeof **all, near_first);
    return status;
}

partan_status pt_active_set_exchange(method *m, pt_member *found, size_t *count, size_t near, size_t most,
                                     pt_member **joining)
{
    candidate *all;
    size_t total = 0;
    *joining = NULL;
    partan_status status = gather(m, found, *count, near, most, &all, &total);
    *count = total;
    int64_t *ids = pt_alloc(m->context, *count, sizeof *ids);
    *joining = pt_alloc(m->context, *count, sizeof **joining);
    if (!status && (!ids || !*joining))
        status = pt_out_of_memory(m->context, "the violators");
    for (size_t i = 0; i < *count && !status; i++)
        ids[i] = all[i].number;
    if (!status)
        status = pt_active_set_meet(m, ids, *count, ids);
    for (size_t i = 0; i < *count && !status; i++)
        (*joining)[i] = (pt_member){ids[i], 0, all[i].score};
    pt_free(m->context, ids);
    pt_free(m->context, all);
    return status;
}
