/* Corrections of all factors together: sweeps of least squares, and steps over the core. */
#include <math.h>

#include "matrix/corrective.h"

enum {
    MOST_SWEEPS = 12, /* of a round */
    CORE_STEPS = 10,  /* of a round */
    NARROW_STEPS = 4  /* of a round, which costs one more */
};

#define BEYOND      0.5  /* over-relaxation of sweeps, but the first after new pairs */
#define SWEEP_GAIN  2e-3 /* of the round's gap: a sweep that lowers the objective by less is the last */
#define SWEEP_SHARE 0.1  /* of the objective: where sweeps take away more, they are on the way to 0 by themselves */

/* The best multiple of X within the ball. */
static void rescale(pt_corrective *c)
{
    double norm = pt_factors_norm(c->x), square = pt_corrective_dot(c, c->values, c->values);
    double best = square > 0 ? pt_corrective_dot(c, c->values, c->recovery->b) / square : 1;
    double most = norm > 0 ? c->recovery->radius / norm : 1, factor = best < most ? best : most;
    factor = factor > 0 ? factor : 0;
    pt_factors_scale(c->x, factor);
    for (size_t k = 0; k < c->measurement->map.count; k++)
        c->values[k] *= factor;
    pt_corrective_settle(c);
}

/* The next multiplier: halfway to what X says, against oscillation, but at once where it falls far. */
static double next_lambda(const pt_corrective *c)
{
    double lambda = fmax(-c->inner / c->recovery->radius, 0);
    lambda = fmax(lambda, 1e-13 * sqrt(c->scale));
    return c->lambda > 0 && lambda > 0.3 * c->lambda ? (lambda + c->lambda) / 2 : lambda;
}

partan_status pt_corrective_undo(pt_corrective *c)
{
    partan_status status = pt_factors_copy(&c->kept, c->x);
    return status ? status : pt_corrective_evaluate(c);
}

/* Sweeps until one gains little. */
static partan_status correct_entries(pt_corrective *c)
{
    double gap = c->gap;
    c->lambda = 0;
    for (int n = 0; n < MOST_SWEEPS; n++) {
        double before = c->objective;
        partan_status status = pt_factors_copy(c->x, &c->kept);
        if (!status)
            status = pt_corrective_report(c);
        if (status)
            return status;
        c->lambda = next_lambda(c);
        status = pt_als_sweep(&c->als, c->x, c->lambda, n > 0 || c->step == 0 ? BEYOND : 0);
        if (!status)
            status = pt_factors_balance(c->x, PT_LEAST_SINGULAR, 0);
        if (!status)
            status = pt_corrective_evaluate(c);
        if (status) {
            partan_status undone = status > 0 ? pt_corrective_undo(c) : PARTAN_OK;
            return undone ? undone : status;
        }
        rescale(c);
        if (!(c->objective <= before))
            return pt_corrective_undo(c);
        double gain = before - c->objective;
        if (n > 0 && gain < SWEEP_GAIN * gap && gain < SWEEP_SHARE * before)
            return PARTAN_OK;
    }
    return PARTAN_OK;
}

static partan_status correct_core(pt_corrective *c)
{
    partan_status status = PARTAN_OK;
    if (!c->measurement->sampling) { /* pairs were added; sweeps would have balanced them */
        status = pt_factors_balance(c->x, PT_LEAST_SINGULAR, 0);
        if (!status)
            status = pt_corrective_evaluate(c);
    }
    if (!status)
        status = pt_core_descend(c->measurement, c->recovery->b, c->recovery->radius, c->x, c->values, CORE_STEPS,
                                 SWEEP_GAIN * c->gap, &c->core_curvature);
    if (!status)
        status = pt_factors_balance(c->x, PT_LEAST_SINGULAR, 0);
    if (!status) {
        status = pt_corrective_evaluate(c);
        rescale(c);
    }
    return status;
}

static partan_status correct_narrow(pt_corrective *c)
{
    partan_status status = pt_narrow_descend(&c->narrow, c->x, c->values, NARROW_STEPS, SWEEP_GAIN * c->gap);
    pt_corrective_settle(c);
    return status;
}

/* Sweeps move the singular vectors, steps over the core settle the weights between them, which sweeps do slowly. */
partan_status pt_corrective_correct(pt_corrective *c)
{
    if (c->is_narrow)
        return correct_narrow(c);
    partan_status status = c->measurement->sampling ? correct_entries(c) : PARTAN_OK;
    return status ? status : correct_core(c);
}
