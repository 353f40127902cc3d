#include "active/pricing.h"

#include "simplex/rows.h"

#define NANOSECONDS 2.0 /* for a row, of little work whose numbers come from memory */

void pt_weights_free(partan_context *context, pt_weights *w)
{
    pt_free(context, w->ids);
    pt_free(context, w->values);
    *w = (pt_weights){0};
}

partan_status pt_weights_make(partan_context *context, pt_weights *w, size_t capacity)
{
    *w = (pt_weights){.ids = pt_alloc(context, capacity, sizeof *w->ids),
                      .values = pt_alloc(context, capacity, sizeof *w->values)};
    return w->ids && w->values ? PARTAN_OK : pt_out_of_memory(context, "the weights");
}

void pt_weights_add(pt_weights *w, int64_t id, double value)
{
    w->ids[w->count] = id;
    w->values[w->count++] = value;
    w->total += value;
}

/* ---- Views ---- */

void pt_view_free(partan_context *context, pt_view *view)
{
    pt_matrix_free(&view->gathered);
    pt_free(context, view->ids);
    pt_free(context, view->sums);
    pt_free(context, view->scores);
    pt_weights_free(context, &view->weights);
    *view = (pt_view){0};
}

static partan_status start(pt_view *view, const pt_simplex *simplex, const double *scores, const pt_weights *weights)
{
    partan_context *context = simplex->problem.context;
    partan_status status = pt_weights_make(context, &view->weights, weights->count);
    for (size_t i = 0; i < weights->count && !status; i++)
        pt_weights_add(&view->weights, weights->ids[i], weights->values[i]);
    for (size_t i = 0; i < view->count && !status; i++) {
        int64_t id = pt_view_vertex(view, i);
        view->scores[i] = scores[id];
        view->sums[i] = pt_dual_sum(&simplex->dual, id, scores[id], view->weights.total);
    }
    return status;
}

partan_status pt_view_make(pt_view *view, pt_simplex *simplex, int64_t *ids, size_t count, const double *scores,
                           const pt_weights *weights)
{
    partan_context *context = simplex->problem.context;
    *view = (pt_view){.ids = ids, .count = count, .total = count, .rows = ids ? NULL : simplex->points.matrix};
    view->sums = pt_alloc_zero(context, count, sizeof *view->sums);
    view->scores = pt_alloc_zero(context, count, sizeof *view->scores);
    partan_status status = view->sums && view->scores ? PARTAN_OK : pt_out_of_memory(context, "the scores");
    if (!status && weights)
        status = start(view, simplex, scores, weights);
    if (status)
        pt_view_free(context, view);
    return status;
}

/* Copies the rows together, when they are first priced. */
static partan_status gather(pt_view *view, pt_simplex *simplex)
{
    if (view->rows)
        return PARTAN_OK;
    partan_status status = pt_simplex_gather_heeding(simplex, view->ids, view->count, &view->gathered);
    if (!status)
        view->rows = &view->gathered;
    return status;
}

partan_status pt_view_shrink(pt_view *view, pt_simplex *simplex, const unsigned char *inside)
{
    partan_context *context = simplex->problem.context;
    size_t count = 0;
    for (size_t i = 0; i < view->count; i++)
        count += !inside[pt_view_vertex(view, i)];
    int64_t *ids = pt_alloc(context, count, sizeof *ids);
    if (!ids)
        return pt_out_of_memory(context, "the scores");
    count = 0;
    for (size_t i = 0; i < view->count; i++)
        if (!inside[pt_view_vertex(view, i)])
            ids[count++] = pt_view_vertex(view, i);
    pt_view rest;
    partan_status status = pt_view_make(&rest, simplex, ids, count, NULL, NULL);
    if (status)
        return status;
    for (size_t i = 0, k = 0; i < view->count; i++)
        if (!inside[pt_view_vertex(view, i)]) {
            rest.sums[k] = view->sums[i];
            rest.scores[k++] = view->scores[i];
        }
    rest.weights = view->weights;
    view->weights = (pt_weights){0};
    pt_view_free(context, view);
    *view = rest;
    return PARTAN_OK;
}

/* ---- Pricing ---- */

partan_status pt_weights_of(const pt_working *w, pt_weights *weights)
{
    partan_status status = pt_weights_make(w->context, weights, w->count);
    for (size_t i = 0; i < w->count && !status; i++)
        if (w->weights[i] > 0)
            pt_weights_add(weights, w->ids[i], w->weights[i] * (double)w->signs[i]);
    return status;
}

/* The current weights, and their difference from the view's. */
static partan_status difference(const pt_view *view, const pt_working *w, double *scratch, pt_weights *now,
                                pt_weights *delta)
{
    const pt_weights *before = &view->weights;
    partan_status status = pt_weights_of(w, now);
    if (!status)
        status = pt_weights_make(w->context, delta, w->count + before->count);
    if (status)
        return status;
    for (size_t i = 0; i < now->count; i++)
        scratch[now->ids[i]] = now->values[i];
    for (size_t i = 0; i < before->count; i++)
        scratch[before->ids[i]] -= before->values[i];
    for (size_t i = 0; i < now->count + before->count; i++) {
        int64_t id = i < now->count ? now->ids[i] : before->ids[i - now->count];
        if (scratch[id] != 0)
            pt_weights_add(delta, id, scratch[id]);
        scratch[id] = 0;
    }
    return PARTAN_OK;
}

/* From scratch, or by what has changed, whichever is less. By low-rank factors both cost the same. */
static partan_status update_sums(pt_view *view, pt_simplex *simplex, const pt_weights *now, const pt_weights *delta)
{
    if (delta->count >= now->count || pt_simplex_by_lowrank(simplex, delta->count))
        return pt_simplex_sums(simplex, view->rows, now->ids, now->values, now->count, view->sums);
    if (delta->count == 0)
        return PARTAN_OK;
    double *change = view->scores; /* its room, until the scores are written */
    partan_status status = pt_simplex_sums(simplex, view->rows, delta->ids, delta->values, delta->count, change);
    for (size_t i = 0; i < view->count && !status; i++)
        view->sums[i] += change[i];
    return status;
}

/* Scores of the sums, by the block of rows. */
typedef struct scoring {
    pt_view *view;
    const pt_dual *dual;
    double total;
} scoring;

static void score_block(void *user, size_t block, size_t thread)
{
    const scoring *s = user;
    pt_span span = pt_span_of(s->view->count, PT_VIEW_BLOCK, block);
    (void)thread;
    for (size_t i = span.begin; i < span.end; i++)
        s->view->scores[i] = pt_dual_score(s->dual, pt_view_vertex(s->view, i), s->view->sums[i], s->total);
}

void pt_view_for_all(partan_context *context, const pt_view *view, pt_work *work, void *user)
{
    pt_team_run(context, pt_team_for(context, NANOSECONDS * (double)view->count),
                pt_span_count(view->count, PT_VIEW_BLOCK), work, user);
}

partan_status pt_view_price(pt_view *view, pt_simplex *simplex, const pt_working *working, double *scratch)
{
    partan_context *context = simplex->problem.context;
    if (view->count == 0)
        return PARTAN_OK;
    pt_weights now = {0}, delta = {0};
    partan_status status = gather(view, simplex);
    if (!status)
        status = difference(view, working, scratch, &now, &delta);
    if (!status)
        status = update_sums(view, simplex, &now, &delta);
    if (!status)
        pt_view_for_all(context, view, score_block, &(scoring){view, &simplex->dual, now.total});
    pt_weights_free(context, &delta);
    pt_weights_free(context, &view->weights);
    if (status) /* some of the sums may belong to them, others not */
        pt_weights_free(context, &now);
    view->weights = now;
    return status;
}
