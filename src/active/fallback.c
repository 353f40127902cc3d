/* What a run that is stopped falls back on: the last solution of a sample, while a larger one has only begun.
 *
 * After a sample has grown, the worst violators among the new rows join the working set first, and for a while its
 * solution is one for them rather than for all: its objective is lower, but it predicts worse than the one before. */
#include <math.h>

#include "active/state.h"

#define SETTLED 0.5 /* a relative gap over the near rows with which the larger sample's solution counts */

void pt_active_set_forget(method *m)
{
    pt_iterate_free(&m->fallback.iterate);
    m->fallback = (pt_fallback){0};
}

/* A solution for another C than is asked for is none. */
partan_status pt_active_set_keep(method *m)
{
    pt_fallback *f = &m->fallback;
    if (pt_active_set_in_continuation(m))
        return PARTAN_OK;
    pt_active_set_forget(m);
    pt_iterate_init(&f->iterate, m->context, false);
    partan_status status = pt_active_set_take_weights(m, &f->iterate);
    f->certificate = m->certificate;
    f->certificate.gap = INFINITY; /* over all rows it is not known */
    f->better = status == PARTAN_OK;
    return status;
}

void pt_active_set_compare(method *m)
{
    if (relative_gap(m) <= SETTLED)
        m->fallback.better = false;
}

/* Its gap by a pass over all rows, whose scores are the pass's own: a path goes on from those of the working set. */
static partan_status certify(method *m)
{
    double *scores = pt_alloc(m->context, vertices(m), sizeof *scores);
    double needed = fmax(target(m), m->fallback.certificate.gap / unit(m)) * unit(m);
    partan_status status = scores ? pt_simplex_certify(m->simplex, m->iterate, isfinite(needed) ? needed : unit(m),
                                                       true, scores, &m->certificate)
                                  : pt_out_of_memory(m->context, "the certificate");
    pt_free(m->context, scores);
    return status;
}

partan_status pt_active_set_fall_back(method *m)
{
    pt_fallback *f = &m->fallback;
    pt_iterate_free(m->iterate);
    *m->iterate = f->iterate;
    f->iterate = (pt_iterate){0};
    m->certificate = f->certificate;
    partan_status status = certify(m);
    if (status == PARTAN_INTERRUPTED) {
        m->certificate = f->certificate;
        pt_simplex_bound(&m->simplex->problem, m->iterate, &m->certificate);
        status = PARTAN_OK;
    }
    pt_active_set_forget(m);
    return status;
}
