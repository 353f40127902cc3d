/* The active-set method's views of the rows outside the working set: near ones, whose scores are low, and far ones. */
#include <math.h>

#include "active/state.h"
#include "core/choose.h"

#define NEAR_LEVEL   0.3   /* rows are near up to 1 + this times 2f */
#define INSIDE_SHARE 0.125 /* members among a view's rows that are worth a smaller copy */

double pt_active_set_near(const method *m)
{
    return level(m, NEAR_LEVEL);
}

/* Copies of rows are made as far as the budget goes; beyond it, one view of all rows serves. */
bool pt_active_set_affordable(const method *m, size_t count)
{
    double share = (double)count / (double)pt_simplex_rows(m->simplex);
    return share * m->copies.bytes <= m->copies.budget;
}

partan_status pt_active_set_view_all(method *m)
{
    partan_status status = pt_view_make(&m->outside.near, m->simplex, NULL, own_vertices(m), NULL, NULL);
    m->outside.near.total = all_vertices(m);
    return status;
}

static partan_status make_view(method *m, pt_view *view, int64_t *ids, size_t count, const pt_weights *weights)
{
    size_t total = (size_t)pt_active_set_sum(m, count);
    if (total > 0 && !pt_active_set_affordable(m, total)) {
        pt_free(m->context, ids);
        ids = NULL;
        count = own_vertices(m);
        total = all_vertices(m);
        weights = NULL; /* members among the rows have scores with a diagonal: start from nothing */
    }
    partan_status status = pt_view_make(view, m->simplex, ids, count, m->scores, weights);
    view->total = total;
    return status;
}

typedef struct side {
    const method *m;
    double near;
    bool far;
} side;

static size_t find_side(const void *user, size_t begin, size_t end, int64_t *out)
{
    const side *s = user;
    size_t count = 0;
    for (size_t i = begin; i < end; i++) {
        if (s->m->members.inside[i] || (s->m->scores[i] >= s->near) != s->far)
            continue;
        if (out)
            out[count] = (int64_t)i;
        count++;
    }
    return count;
}

/* Splits the rows outside the working set by their scores. `weights`: the weights these belong to; of far rows beyond
 * the sample nothing is known. */
partan_status pt_active_set_split(method *m, double near, const pt_weights *weights)
{
    int64_t *ids[2] = {NULL, NULL};
    size_t count[2] = {0, 0};
    partan_status status = PARTAN_OK;
    for (int far = 0; far < 2 && !status; far++)
        status = pt_choose(m->context, own_vertices(m), find_side, &(side){m, near, far}, &ids[far], &count[far]);
    if (status) {
        pt_free(m->context, ids[0]);
        return status;
    }
    status = make_view(m, &m->outside.near, ids[0], count[0], weights);
    if (!status && !m->outside.near.ids) { /* has all rows */
        pt_free(m->context, ids[1]);
        return PARTAN_OK;
    }
    partan_status other = make_view(m, &m->outside.far, ids[1], count[1], m->outside.share < 1 ? NULL : weights);
    return status ? status : other;
}

partan_status pt_active_set_sample(method *m, double share)
{
    pt_random lots = m->outside.lots;
    pt_view_free(m->context, &m->outside.near);
    pt_view_free(m->context, &m->outside.far);
    if (!pt_active_set_affordable(m, (size_t)(share * (double)all_vertices(m)))) {
        m->outside.share = 1;
        return pt_active_set_view_all(m);
    }
    m->outside.share = share;
    for (int64_t number = 0; number < (int64_t)all_vertices(m); number++) { /* others' have their draws, too */
        bool drawn = pt_random_uniform(&lots) < share;
        int64_t id = pt_simplex_find_own(m->simplex, number);
        if (id >= 0 && !m->members.inside[id])
            m->scores[id] = drawn ? 0 : INFINITY;
    }
    return pt_active_set_split(m, 1, NULL);
}

/* New views after a pricing of all rows, or of a new sample, which start off with its scores. These belong to the
 * current weights; the old views may have been empty and know nothing of them. */
partan_status pt_active_set_renew(method *m)
{
    pt_weights weights = {0};
    pt_view_free(m->context, &m->outside.near);
    pt_view_free(m->context, &m->outside.far);
    partan_status status = pt_weights_of(&m->working, &weights);
    if (!status)
        status = pt_active_set_split(m, pt_active_set_near(m), &weights);
    pt_weights_free(m->context, &weights);
    return status;
}

static partan_status shrink(method *m, pt_view *view)
{
    size_t inside = 0;
    for (size_t i = 0; i < view->count; i++)
        inside += m->members.inside[pt_view_vertex(view, i)];
    inside = (size_t)pt_active_set_sum(m, inside);
    size_t outside = view->total - inside;
    if ((double)inside < INSIDE_SHARE * (double)view->total || !pt_active_set_affordable(m, outside))
        return PARTAN_OK;
    partan_status status = pt_view_shrink(view, m->simplex, m->members.inside);
    if (!status)
        view->total = outside;
    return status;
}

/* Members keep their own scores, and none leaves the working set before the views are made anew. */
partan_status pt_active_set_shrink(method *m)
{
    partan_status status = shrink(m, &m->outside.near);
    return status ? status : shrink(m, &m->outside.far);
}
