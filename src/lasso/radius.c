/* The form with a radius: penalised problems at the lambda where |x|_1 is the radius.
 *
 * On the working set that lambda is found by following the pieces of the path, which costs no pass; a pass then
 * certifies the point by the Frank-Wolfe gap of the ball, or names the columns that are missing. */
#include <math.h>

#include "lasso/state.h"

#define APPROACH 0.4 /* from one lambda to the next until the norm is reached */

/* Onto the ball, where rounding left it. */
static void shrink(pt_lasso_solver *s, double radius)
{
    pt_members *m = &s->members;
    double norm = pt_steps_norm(m);
    if (norm <= radius)
        return;
    for (size_t i = 0; i < m->count; i++)
        m->x[i] *= radius / norm;
    pt_members_rescore(m);
}

/* radius * max |score| - <x, scores>, per row. */
static double ball_gap(const pt_lasso_solver *s, const pt_solved *solved, double radius, double largest)
{
    double inner = 0;
    for (size_t i = 0; i < solved->count; i++)
        inner += solved->coefficients[i] * s->scores[solved->ids[i]];
    double gap = radius * largest - inner;
    return gap > 0 ? gap : 0;
}

/* Solves on the working set, and passes over all columns. */
static partan_status one_round(pt_lasso_solver *s, double radius, double *lambda, pt_solved *solved)
{
    double largest;
    size_t padded = s->design->store->padded;
    partan_status stopped = pt_steps_solve_norm(&s->steps, radius, s->target.gap / 4, lambda);
    if (stopped < 0)
        return stopped;
    shrink(s, radius);
    partan_status status = pt_lasso_note(s, *lambda, solved, s->residuals);
    if (status)
        return status;
    s->lambda = INFINITY; /* the scores are kept, whatever the lambda was before */
    if (stopped)
        pt_defer_begin(s->context);
    status = pt_lasso_pass(s, lambda, 1, &largest);
    if (stopped)
        pt_defer_end(s->context);
    if (status)
        return status;
    solved->square = s->design->store->ops->dot(s->residuals, s->residuals, padded) / (double)s->design->counted;
    solved->gap = ball_gap(s, solved, radius, largest);
    solved->lambda = largest;
    solved->converged = solved->gap <= s->target.gap;
    solved->status = solved->converged ? PARTAN_OK : stopped;
    return PARTAN_OK;
}

/* Brings in who is active on the way, until the norm is reached. */
static partan_status approach(pt_lasso_solver *s, double radius, double *lambda)
{
    partan_status status = PARTAN_OK;
    *lambda = s->design->largest;
    while (!status && pt_steps_norm(&s->members) < radius && *lambda > 1e-6 * s->design->largest) {
        double next = *lambda * APPROACH, largest;
        pt_solved point = {0};
        status = pt_lasso_join_expected(s, next, 32 + s->members.count);
        if (!status)
            status = pt_steps_solve(&s->steps, next, 1e-3 * s->design->target_square);
        status = status == PARTAN_STALLED ? PARTAN_OK : status;
        if (!status && pt_steps_norm(&s->members) < radius) {
            status = pt_lasso_note(s, next, &point, s->residuals);
            pt_lasso_next_block(s);
            if (!status)
                status = pt_lasso_pass(s, &next, 1, &largest);
        }
        *lambda = next;
        pt_solved_free(s->context, &point);
    }
    return status;
}

partan_status pt_lasso_solve_radius(pt_lasso_solver *s, double radius, pt_solved *solved)
{
    double lambda;
    s->steps.most = s->target.max_iter;
    partan_status status = approach(s, radius, &lambda);
    for (;;) {
        if (status < 0)
            return status;
        size_t joined;
        partan_status stopped = status;
        status = one_round(s, radius, &lambda, solved);
        if (status)
            return status;
        solved->iterations = s->steps.iterations;
        if (stopped && !solved->converged)
            solved->status = stopped;
        if (solved->converged || solved->status)
            return PARTAN_OK;
        status = pt_lasso_join_violators(s, &joined);
        if (!status && joined == 0)
            solved->status = PARTAN_STALLED;
        if (!status && joined == 0)
            return PARTAN_OK;
    }
}
