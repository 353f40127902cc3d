/* What a run gives back: the weights of the working set, or the solution to fall back on, with their certificate. */
#include <math.h>

#include "active/state.h"

#define DRIFT_LEVEL   1e7  /* a diagonal of so many times 2f may leave rounding in scores that shows in the gap */
#define LOWRANK_ERROR 3e-5 /* that low-rank factors may leave in scores, relative to 2f, for a certificate, */
#define LOWRANK_SHARE 0.1  /* and relative to the gap that is wanted */

partan_status pt_active_set_take_weights(const method *m, pt_iterate *iterate)
{
    const pt_working *w = &m->working;
    int64_t *ids = pt_alloc(m->context, w->count, sizeof *ids);
    double *weights = pt_alloc(m->context, w->count, sizeof *weights);
    size_t count = 0;
    partan_status status = ids && weights ? PARTAN_OK : pt_out_of_memory(m->context, "the active set");
    for (size_t i = 0; i < w->count && !status; i++)
        if (w->weights[i] > 0) {
            ids[count] = w->ids[i];
            weights[count++] = w->weights[i];
        }
    if (!status)
        status = pt_iterate_start(iterate, ids, weights, count);
    pt_free(m->context, ids);
    pt_free(m->context, weights);
    return status;
}

/* The iterate's certificate; unless it is final, steps may go on instead. */
static partan_status certify(method *m, bool final)
{
    /* A run that ends before its target is not worth more precision than its gap. */
    double error = 0, needed = fmax(target(m), final ? relative_gap(m) : 0) * unit(m);
    partan_status status = pt_active_set_lowrank_error(m, &error);
    bool drifted = m->largest > DRIFT_LEVEL * score_unit(m) /* see DRIFT_LEVEL */
                   || error > fmin(LOWRANK_ERROR * unit(m), LOWRANK_SHARE * needed);
    bool whole = final || m->simplex->share; /* a few entries are those of all processes */
    pt_active_set_hide_guests(m);
    if (!status)
        status = (drifted ? pt_simplex_certify : pt_simplex_check)(m->simplex, m->iterate, needed, whole, m->scores,
                                                                   &m->certificate);
    m->lowrank.scored = m->lowrank.scored && !drifted;
    return status;
}

partan_status pt_active_set_publish(method *m, partan_status stop, bool complete, bool *met)
{
    pt_certificate measured = m->certificate;
    bool final = stop != PARTAN_OK;
    *met = false;
    if (final && stop != PARTAN_STALLED && m->fallback.better)
        return pt_active_set_fall_back(m);
    partan_status status = pt_active_set_take_weights(m, m->iterate);
    if (!status && (complete || !final))
        status = certify(m, final);
    bool interrupted = status == PARTAN_INTERRUPTED || (final && !complete);
    if (interrupted && final) {
        m->certificate = measured;
        if (!complete || m->lowrank.scored) /* whose errors are others than rounding */
            m->certificate.gap = INFINITY;
        pt_simplex_bound(&m->simplex->problem, m->iterate, &m->certificate);
        status = PARTAN_OK;
    }
    *met = !status && relative_gap(m) <= target(m);
    return status;
}
