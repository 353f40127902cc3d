/* The form with a radius: penalised problems at the lambda where |x|_1 is the radius.
 *
 * On the working set that lambda is found by following the pieces of the path, which costs no pass; a pass then
 * certifies the point by the Frank-Wolfe gap of the ball, or names the columns that are missing. */
#include <math.h>

#include "lasso/state.h"

/* Onto the ball, where rounding or an early end left it outside. */
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
    double largest, n = (double)s->design->counted;
    partan_status status = PARTAN_OK;
    if (!s->stopped)
        status = pt_lasso_heed(s, pt_steps_solve_norm(&s->steps, radius, s->target.gap / 4, lambda));
    shrink(s, radius);
    if (!status)
        status = pt_lasso_note(s, *lambda, solved, s->residuals);
    s->lambda = INFINITY; /* the scores are kept, whatever the lambda was before */
    if (!status)
        status = pt_lasso_pass(s, lambda, 1, &largest);
    if (status)
        return status;
    solved->square = s->design->store->ops->dot(s->residuals, s->residuals, s->design->store->padded) / n;
    solved->gap = ball_gap(s, solved, radius, largest);
    solved->lambda = largest;
    solved->converged = solved->gap <= s->target.gap;
    solved->iterations = s->steps.iterations;
    pt_lasso_show(s, solved, solved->square / 2, n);
    return PARTAN_OK;
}

partan_status pt_lasso_solve_radius(pt_lasso_solver *s, double radius, pt_solved *solved)
{
    double lambda = s->design->largest;
    s->steps.most = s->target.max_iter;
    partan_status status = pt_lasso_approach(s, radius, &lambda);
    while (!status) {
        size_t joined = 0;
        status = one_round(s, radius, &lambda, solved);
        solved->status = solved->converged ? PARTAN_OK : s->stopped;
        if (status || solved->converged || s->stopped)
            break;
        status = pt_lasso_join_violators(s, &joined);
        if (joined == 0 && !s->stopped) { /* nobody is missing: rounding leaves no more */
            solved->status = PARTAN_STALLED;
            break;
        }
    }
    return status;
}
