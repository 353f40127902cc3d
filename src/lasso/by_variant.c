/* The form with a radius by one of the Frank-Wolfe variants. */
#include <math.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/random.h"
#include "fw/solve.h"
#include "lasso/ball.h"
#include "lasso/fitting.h"

static int64_t first_vertex(const pt_lasso_fitting *f)
{
    const double *correlation = f->design.correlation;
    size_t found = 0;
    pt_random random;
    if (f->settings.init == PARTAN_INIT_RANDOM) {
        pt_random_seed(&random, f->settings.seed);
        return (int64_t)pt_random_below(&random, 2 * f->store.features);
    }
    for (size_t j = 1; j < f->store.features; j++)
        if (fabs(correlation[j]) > fabs(correlation[found]))
            found = j;
    return 2 * (int64_t)found + (correlation[found] < 0);
}

static int by_id(const void *a, const void *b)
{
    const pt_term *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

/* Coefficients from weights; the two vertices of a column may both have some. */
static partan_status take_coefficients(const pt_lasso_fitting *f, const pt_iterate *iterate, pt_solved *solved)
{
    partan_context *context = f->context;
    pt_term *terms = pt_alloc(context, iterate->count, sizeof *terms);
    solved->ids = pt_alloc(context, iterate->count, sizeof *solved->ids);
    solved->coefficients = pt_alloc(context, iterate->count, sizeof *solved->coefficients);
    if (!terms || !solved->ids || !solved->coefficients) {
        pt_free(context, terms);
        return pt_out_of_memory(context, "the coefficients of a model");
    }
    for (size_t i = 0; i < iterate->count; i++)
        terms[i] = (pt_term){iterate->id[i], iterate->now[i]};
    qsort(terms, iterate->count, sizeof *terms, by_id);
    for (size_t i = 0; i < iterate->count;) {
        int64_t column = terms[i].id / 2;
        double x = 0;
        for (; i < iterate->count && terms[i].id / 2 == column; i++)
            x += pt_ball_coefficient(f->lasso.radius, terms[i].id) * terms[i].factor;
        if (x != 0 && f->design.inverse[column] > 0) {
            solved->ids[solved->count] = column;
            solved->coefficients[solved->count++] = x;
            solved->norm += fabs(x);
        }
    }
    pt_free(context, terms);
    return PARTAN_OK;
}

static void take_solution(const pt_lasso_fitting *f, const pt_fw *fw, const pt_problem *problem,
                          const pt_solution *solution, pt_solved *solved)
{
    double n = (double)f->design.counted, square = 2 * (solution->certificate.objective + problem->constant);
    const pt_certificate *c = &solution->certificate;
    solved->square = square > 0 ? square / n : 0;
    solved->gap = c->gap / n;
    /* gap = <grad, x> + radius * max |score| */
    solved->lambda = (c->gap - pt_inner_product(c->objective, c->linear)) / f->lasso.radius / n;
    solved->status = solution->status;
    solved->converged = solution->converged;
    solved->iterations = fw->iteration;
}

partan_status pt_lasso_by_variant(pt_lasso_fitting *f, pt_solved *solved)
{
    partan_settings s = f->settings;
    pt_problem *problem;
    pt_fw fw = {0};
    pt_solution solution;
    int64_t first = first_vertex(f);
    double one = 1;
    if (s.time_limit > 0)
        s.time_limit = fmax(f->deadline - pt_clock(), 1e-9);
    partan_status status = pt_ball(&f->design, f->lasso.radius, (size_t)s.sample, s.seed, &problem);
    if (status)
        return status;
    status = pt_solve(problem, &s, (pt_start){.ids = &first, .weights = &one, .count = 1}, &fw, &solution);
    if (!status)
        status = take_coefficients(f, &fw.iterate, solved);
    if (!status)
        take_solution(f, &fw, problem, &solution, solved);
    pt_iterate_free(&fw.iterate);
    pt_problem_free(problem);
    return status;
}
