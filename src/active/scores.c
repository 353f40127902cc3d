/* The scores of all vertices as a round knows them: members' from the working set, the others' by pricing, and what
 * they give together, objective and gap. */
#include <math.h>
#include <string.h>

#include "active/state.h"
#include "core/clock.h"

/* Chosen by measurement; see docs/notebook.md. */
#define SAMPLE_GAP    0.3 /* when a random sample of near rows is solved to this gap, others are priced: */
#define SAMPLE_GROWTH 4.0 /* so many times as many at most, if all of them cost more than */
#define SAMPLE_WORK   1.0 /* this share of the work so far */

typedef struct taking {
    method *m;
    const pt_view *view;
} taking;

static void take_block(void *user, size_t block, size_t thread)
{
    const taking *t = user;
    method *m = t->m;
    pt_span span = pt_span_of(t->view->count, PT_VIEW_BLOCK, block);
    (void)thread;
    for (size_t i = span.begin; i < span.end; i++) {
        int64_t id = pt_view_vertex(t->view, i);
        if (!m->members.inside[id]) {
            m->scores[id] = t->view->scores[i];
            m->simplex->refined[id] = 0;
        }
    }
}

/* What it takes tells how long the last pass will take. */
static partan_status price(method *m, pt_view *view)
{
    double start = pt_clock();
    uint64_t before = m->simplex->counters.kernel_values;
    partan_status status = pt_view_price(view, m->simplex, &m->working, m->scratch);
    double values = (double)(m->simplex->counters.kernel_values - before);
    if (values > 0 && !status)
        m->limits.pace = (pt_clock() - start) / values;
    if (!status)
        pt_active_set_count_values(m, view, before);
    if (!status)
        pt_view_for_all(m->context, view, take_block, &(taking){m, view});
    return status;
}

void pt_active_set_coarsen(method *m)
{
    memset(m->simplex->refined, 0, vertices(m));
}

/* The scores of the working set by a pass over its rows. */
partan_status pt_active_set_score(method *m)
{
    const pt_working *w = &m->working;
    pt_view view = {0};
    int64_t *ids = pt_copy(m->context, w->ids, w->count, sizeof *ids);
    partan_status status = ids ? pt_view_make(&view, m->simplex, ids, w->count, NULL, NULL)
                               : pt_out_of_memory(m->context, "the working set");
    pt_defer_begin(m->context); /* without these scores there is nothing to go on from, or to stop at */
    if (!status)
        status = pt_view_price(&view, m->simplex, &m->working, m->scratch);
    pt_defer_end(m->context);
    for (size_t i = 0; i < w->count && !status; i++)
        m->scores[w->ids[i]] = view.scores[i] + pt_dual_own(&m->simplex->dual, w->ids[i], w->weights[i]);
    pt_view_free(m->context, &view);
    pt_active_set_coarsen(m);
    return status;
}

typedef struct tallying {
    const method *m;
    const pt_view *view;
    pt_tally *tally;
} tallying;

/* The vertices of a view from `begin` on before `end`, if it has been priced. */
static void tally_some(const tallying *t, size_t begin, size_t end)
{
    const pt_dual *dual = &t->m->simplex->dual;
    double most = dual->primal ? 0 : t->tally->least; /* above which a score without weight does not count */
    for (size_t i = begin; i < end && t->view->weights.count > 0; i++) {
        int64_t id = pt_view_vertex(t->view, i);
        if (t->view->scores[i] < most && !t->m->members.inside[id]) {
            pt_tally_add(t->tally, dual, id, 0, t->view->scores[i]);
            most = dual->primal ? 0 : t->tally->least;
        }
    }
}

/* How many of a view's vertices, which are in ascending order, come before this one. */
static size_t place_of(const pt_view *view, size_t vertex)
{
    size_t low = 0, high = view->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (pt_view_vertex(view, middle) < (int64_t)vertex)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void tally_range(void *user, size_t begin, size_t end, double *between)
{
    const tallying *t = user;
    t->tally->between = *between;
    tally_some(t, place_of(t->view, begin), place_of(t->view, end));
    *between = t->tally->between;
}

/* The gap of a primal problem is a sum over all vertices, to which all processes add. */
static void tally_view(const method *m, const pt_view *view, pt_tally *tally)
{
    tallying t = {m, view, tally};
    double between = tally->between;
    if (m->simplex->dual.primal)
        pt_simplex_add_up(m->simplex, tally_range, &t, &between, 1);
    else
        tally_some(&t, 0, view->count);
    tally->between = between;
}

/* Objective, support and gap over the working set, the near rows and, when priced, the far ones. */
void pt_active_set_measure(method *m, bool far)
{
    const pt_working *w = &m->working;
    pt_tally tally = pt_tally_begin();
    m->support = 0;
    for (size_t i = 0; i < w->count; i++) {
        m->scores[w->ids[i]] = w->scores[i];
        pt_tally_add(&tally, &m->simplex->dual, w->ids[i], w->weights[i], w->scores[i]);
        m->support += w->weights[i] > 0;
        if (w->weights[i] > 0 && (double)w->diagonals[i] > m->largest)
            m->largest = (double)w->diagonals[i];
    }
    tally_view(m, &m->outside.near, &tally);
    if (far)
        tally_view(m, &m->outside.far, &tally);
    tally.least = pt_active_set_least(m, tally.least);
    m->certificate = pt_tally_certificate(&tally, &m->simplex->dual);
}

static partan_status price_near(method *m)
{
    partan_status status = price(m, &m->outside.near);
    if (!status)
        pt_active_set_measure(m, false);
    if (!status)
        pt_active_set_compare(m);
    return status;
}

/* Whether the near rows have nothing more to tell. Where the working set is solved by Newton's method, pricing the far
 * ones costs less than that, and near ones are not what they were from solution to solution. */
static bool exhausted(const method *m)
{
    if (m->newton.due)
        return true;
    double enough = m->outside.share < 1 && target(m) < SAMPLE_GAP ? SAMPLE_GAP : target(m);
    return m->outside.far.total == 0 || (relative_gap(m) <= enough && !pt_active_set_in_continuation(m));
}

/* Whether pricing all rows costs more than what has been done on the sample, in kernel values. A run that is stopped
 * then has a model of what it has looked at, which is nearly as good as time allows. */
static bool too_many(const method *m)
{
    double work = pt_active_set_work(m);
    size_t width = m->simplex->lowrank ? m->simplex->lowrank->rank : m->support;
    return m->outside.share * SAMPLE_GROWTH < 1 && (double)m->outside.far.total * (double)width > SAMPLE_WORK * work;
}

/* Prices the near rows, and the far ones when it is their turn: first a larger sample of them, where all are too many.
 */
partan_status pt_active_set_price(method *m, bool all, bool due, bool *complete)
{
    partan_status status = price_near(m);
    m->outside.grown = false;
    for (bool more = due; !status && !all && (more || exhausted(m)) && too_many(m); more = false) {
        m->outside.grown = true;
        status = pt_active_set_keep(m);
        if (!status)
            status = pt_active_set_sample(m, m->outside.share * SAMPLE_GROWTH);
        if (!status)
            status = price_near(m);
    }
    *complete = !status && (all || (due && !m->outside.grown) || exhausted(m));
    if (!*complete)
        return status;
    bool solved = m->outside.share < 1 && !all && !pt_active_set_in_continuation(m);
    if (solved)
        status = pt_active_set_keep(m);
    if (!status)
        status = price(m, &m->outside.far);
    m->outside.share = 1;
    if (!status)
        pt_active_set_measure(m, true);
    if (!status && solved && !m->lowrank.scored) /* whose errors are others than rounding */
        m->fallback.certificate.gap = m->certificate.gap;
    return status;
}
