/* The way of the Lasso solver to its first lambda. */
#include <float.h>

#include "lasso/state.h"

#define STEP  0.4  /* from one lambda to the next */
#define ROUGH 1e-3 /* gap, relative to |target|^2 / n: nobody asked for these points */
#define LEAST 1e-6 /* of the largest lambda: where the norm has not reached the radius by then, it hardly will */
enum { FIRST_JOINERS = 32 };

static partan_status one_lambda(pt_lasso_solver *s, double lambda)
{
    double largest;
    pt_solved point = {0};
    partan_status status = pt_lasso_join_expected(s, lambda, FIRST_JOINERS + 2 * s->steps.factor.count);
    if (!status && !s->stopped)
        status = pt_lasso_heed(s, pt_steps_solve(&s->steps, lambda, ROUGH * s->design->target_square));
    if (!status && !s->stopped)
        status = pt_lasso_note(s, lambda, &point, s->residuals);
    if (!status && !s->stopped) {
        pt_lasso_next_block(s);
        status = pt_lasso_pass(s, &lambda, 1, &largest);
    }
    pt_solved_free(s->context, &point);
    return status;
}

static bool arrived(const pt_lasso_solver *s, double radius, double lambda, double goal)
{
    if (s->stopped)
        return true;
    return radius > 0 ? pt_steps_norm(&s->members) >= radius || lambda < goal : lambda * STEP <= goal;
}

partan_status pt_lasso_approach(pt_lasso_solver *s, double radius, double *lambda)
{
    partan_status status = PARTAN_OK;
    double at = s->lambda, goal = radius > 0 ? LEAST * s->design->largest : *lambda;
    while (!status && at > 0 && !arrived(s, radius, at, goal)) {
        at *= STEP;
        status = one_lambda(s, at);
    }
    if (radius > 0)
        *lambda = at;
    return status;
}
