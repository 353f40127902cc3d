/* What a run that is stopped falls back on: the last solution of a sample, while a larger one has only begun.
 *
 * After a sample has grown, the worst violators among the new rows join the working set first, and for a while its
 * solution is one for them rather than for all: its objective is lower, but it predicts worse than the one before. */
#include <math.h>

#include "active/state.h"

#define SETTLED 0.5 /* a relative gap over the near rows with which the larger sample's solution counts */

void pt_active_set_forget(method *m)
{
    pt_free(m->context, m->fallback.ids);
    pt_free(m->context, m->fallback.weights);
    m->fallback = (pt_fallback){0};
}

partan_status pt_active_set_keep(method *m)
{
    const pt_working *w = &m->working;
    pt_active_set_forget(m);
    pt_fallback *f = &m->fallback;
    f->ids = pt_alloc(m->context, m->support, sizeof *f->ids);
    f->weights = pt_alloc(m->context, m->support, sizeof *f->weights);
    if (!f->ids || !f->weights)
        return pt_out_of_memory(m->context, "the solution of a sample");
    for (size_t i = 0; i < w->count; i++)
        if (w->weights[i] > 0) {
            f->ids[f->count] = w->ids[i];
            f->weights[f->count++] = w->weights[i];
        }
    f->certificate = m->certificate;
    f->certificate.gap = INFINITY; /* over all rows it is not known */
    return PARTAN_OK;
}

void pt_active_set_compare(method *m)
{
    if (relative_gap(m) <= SETTLED)
        m->fallback.better = false;
}
