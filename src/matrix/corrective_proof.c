/* The certificate of the default solver: X without useless directions, and a gap that is proven. */
#include <math.h>

#include "matrix/corrective.h"

#define BOUND_SHARE 0.1  /* of the target that the bound of the spectral norm may be away from it */
#define PRECISION   0.01 /* of a gap that is far from the target */
#define TAIL_SHARE  0.01 /* of the target that leaving out the least singular values may cost */

/* How many singular values matter: leaving out the others should cost no more than TAIL_SHARE of the target, by what
 * the objective's slope and its mean curvature along X say. */
static size_t rank_that_matters(const pt_corrective *c)
{
    double lambda = fmax(-c->inner / c->recovery->radius, 0), norm = 0, tail = 0;
    size_t rank = c->x->rank;
    for (size_t k = 0; k < rank; k++)
        norm += c->x->singular[k] * c->x->singular[k];
    double curvature = norm > 0 ? pt_corrective_dot(c, c->values, c->values) / norm : 0;
    for (; rank > 1; rank--) {
        tail += c->x->singular[rank - 1];
        if (lambda * tail + curvature * tail * tail > TAIL_SHARE * pt_corrective_target(c))
            break;
    }
    return rank;
}

/* Leaves out the tail of singular values, unless that costs more than it should. */
static partan_status cut_tail(pt_corrective *c)
{
    double before = c->objective;
    size_t rank = rank_that_matters(c);
    if (rank == c->x->rank)
        return PARTAN_OK;
    partan_status status = pt_factors_copy(c->x, &c->kept);
    if (!status)
        status = pt_factors_balance(c->x, 0, rank);
    if (!status)
        status = pt_corrective_evaluate(c);
    if (!status && c->objective > before + 2 * TAIL_SHARE * pt_corrective_target(c))
        status = pt_corrective_undo(c);
    return status;
}

/* X without useless directions, its singular values to full precision, within the ball. */
static partan_status tidy(pt_corrective *c)
{
    partan_status status = pt_factors_balance(c->x, PT_LEAST_SINGULAR, 0);
    if (!status)
        status = pt_corrective_evaluate(c);
    if (!status)
        status = cut_tail(c);
    if (!status)
        status = pt_factors_polish(c->x);
    double norm = pt_factors_norm(c->x);
    if (!status && norm > c->recovery->radius)
        pt_factors_scale(c->x, c->recovery->radius / norm);
    return status ? status : pt_corrective_evaluate(c);
}

/* The gap that is proven, with X's own vectors treated apart or not. Apart is faster, but proves a little less. */
static partan_status prove(pt_corrective *c, bool apart, double *gap)
{
    double radius = c->recovery->radius, lower, upper;
    double near = fmax(BOUND_SHARE * pt_corrective_target(c), PRECISION * c->least_gap);
    c->spectral.deflation = apart ? &c->deflation : NULL;
    partan_status status = pt_spectral_bound(&c->spectral, c->gradient, near / radius, &lower, &upper);
    *gap = fmin(*gap, fmax(c->inner + radius * upper, 0));
    return status;
}

/* The whole spectrum of the gradient is at hand. */
static partan_status prove_narrow(pt_corrective *c, double *gap)
{
    double norm, upper;
    partan_status status = pt_narrow_norm(&c->narrow, c->gradient, &norm, &upper);
    *gap = fmax(c->inner + c->recovery->radius * upper, 0);
    return status;
}

partan_status pt_corrective_certify(pt_corrective *c)
{
    pt_solution *solution = &c->recovery->solution;
    double gap = INFINITY;
    partan_status status = tidy(c);
    if (!status && c->is_narrow)
        status = prove_narrow(c, &gap);
    pt_measurement_prepare(c->measurement, c->gradient);
    if (!status && gap > pt_corrective_target(c))
        status = pt_deflation_make(&c->deflation, c->measurement, c->gradient, c->x);
    if (!status && gap > pt_corrective_target(c))
        status = prove(c, true, &gap);
    if (!status && gap > pt_corrective_target(c))
        status = prove(c, false, &gap);
    if (status)
        return status;
    solution->certificate = (pt_certificate){.objective = c->objective, .gap = gap};
    solution->relative_gap = gap / c->scale;
    solution->converged = gap <= pt_corrective_target(c);
    return PARTAN_OK;
}
