/* Single fits and paths of the Lasso. */
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "core/require.h"
#include "core/sized.h"
#include "lasso/fitting.h"

/* ---- A single fit ---- */

static partan_status keep(void *user, size_t index, pt_solved *solved)
{
    (void)index;
    *(pt_solved *)user = *solved;
    *solved = (pt_solved){0};
    return PARTAN_OK;
}

static partan_status solve_auto(pt_lasso_fitting *f, pt_solved *solved)
{
    bool ball = f->lasso.radius > 0;
    pt_lasso_target target = pt_lasso_target_of(f, &f->design, ball ? 1 / (double)f->design.counted : 1);
    pt_lasso_solver *solver = NULL;
    partan_status stopped, status = pt_lasso_solver_make(&f->design, &target, &solver);
    if (!status && ball)
        status = pt_lasso_solve_radius(solver, f->lasso.radius, solved);
    else if (!status)
        status = pt_lasso_solve_path(solver, &f->lasso.lambda, 1, keep, solved, &stopped);
    pt_lasso_solver_free(solver);
    return status;
}

static partan_status refuse_variant(const pt_lasso_fitting *f, const char *what)
{
    return pt_fail(f->context, PARTAN_ERROR_ARGUMENT,
                   "solver %s only supports the form with a radius; %s needs solver auto",
                   partan_solver_name(f->settings.solver), what);
}

static partan_status solve_one(pt_lasso_fitting *f, pt_solved *solved)
{
    if (f->lasso.lambda == 0 && f->lasso.radius == 0)
        return pt_fail(f->context, PARTAN_ERROR_ARGUMENT,
                       "lambda and radius are both 0: a Lasso needs one of them above 0");
    if (f->settings.solver == PARTAN_SOLVER_AUTO)
        return solve_auto(f, solved);
    return f->lasso.radius > 0 ? pt_lasso_by_variant(f, solved) : refuse_variant(f, "lambda");
}

partan_status partan_lasso_fit(partan_context *context, const partan_data *data, const partan_lasso_settings *lasso,
                               const partan_settings *settings, partan_lasso **model)
{
    PT_REQUIRE(context, context && data && lasso && model);
    PT_TAKE(context, partan_lasso_settings, lasso);
    pt_lasso_fitting f;
    pt_solved solved = {0};
    *model = NULL;
    partan_status status = pt_lasso_open(&f, context, data, lasso, settings);
    if (!status)
        status = solve_one(&f, &solved);
    if (!status)
        status = pt_lasso_model(&f, &solved, model);
    pt_solved_free(context, &solved);
    pt_lasso_close(&f);
    if (!status && (*model)->result.status == PARTAN_INTERRUPTED)
        pt_interrupt_clear(context);
    return status ? status : (*model)->result.status;
}

/* ---- Paths ---- */

typedef struct path {
    pt_lasso_fitting *fitting;
    partan_lasso_callback point;
    void *user;
    partan_status worst;   /* the first positive status of a point */
    partan_status stopped; /* why the path ended early; PARTAN_OK: it did not */
    bool ended;            /* by the callback */
} path;

static partan_status take_point(void *user, size_t index, pt_solved *solved)
{
    path *p = user;
    partan_lasso *model = NULL;
    partan_status status = pt_lasso_model(p->fitting, solved, &model);
    if (status)
        return status;
    p->worst = p->worst ? p->worst : solved->status;
    p->fitting->start = pt_clock();
    p->ended = p->point(p->user, index, model) != 0;
    return p->ended ? PARTAN_INTERRUPTED : PARTAN_OK;
}

static partan_status check_lambdas(partan_context *context, const double *lambdas, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!(lambdas[i] > 0) || !isfinite(lambdas[i]))
            return pt_fail(context, PARTAN_ERROR_ARGUMENT, "found a lambda of %g, expected finite ones above 0",
                           lambdas[i]);
        if (i > 0 && !(lambdas[i] < lambdas[i - 1]))
            return pt_fail(context, PARTAN_ERROR_ARGUMENT, "found a lambda of %g after %g, expected descending ones",
                           lambdas[i], lambdas[i - 1]);
    }
    return count > 0 ? PARTAN_OK : pt_fail(context, PARTAN_ERROR_ARGUMENT, "a path needs one lambda or more");
}

static partan_status run_path(pt_lasso_fitting *f, const double *lambdas, size_t count, path *p)
{
    pt_lasso_target target = pt_lasso_target_of(f, &f->design, 1);
    pt_lasso_solver *solver = NULL;
    double *grid = NULL;
    partan_status status = PARTAN_OK;
    if (!lambdas) {
        count = (size_t)f->lasso.points;
        lambdas = grid = pt_alloc(f->context, count, sizeof *grid);
        status = grid ? PARTAN_OK : pt_out_of_memory(f->context, "the lambdas of a path");
        if (!status)
            pt_lasso_grid(f, grid);
    }
    if (!status)
        status = pt_lasso_solver_make(&f->design, &target, &solver);
    if (!status)
        status = pt_lasso_solve_path(solver, lambdas, count, take_point, p, &p->stopped);
    pt_lasso_solver_free(solver);
    pt_free(f->context, grid);
    return status;
}

partan_status partan_lasso_path(partan_context *context, const partan_data *data, const partan_lasso_settings *lasso,
                                const partan_settings *settings, const double *lambdas, size_t count,
                                partan_lasso_callback point, void *user)
{
    PT_REQUIRE(context, context && data && lasso && point);
    PT_TAKE(context, partan_lasso_settings, lasso);
    pt_lasso_fitting f;
    path p = {.fitting = &f, .point = point, .user = user};
    partan_lasso_settings penalised = *lasso;
    penalised.lambda = penalised.radius = 0;
    partan_status status = lambdas ? check_lambdas(context, lambdas, count) : PARTAN_OK;
    if (status)
        return status;
    status = pt_lasso_open(&f, context, data, &penalised, settings);
    if (!status && f.settings.solver != PARTAN_SOLVER_AUTO)
        status = refuse_variant(&f, "a path");
    if (!status)
        status = run_path(&f, lambdas, count, &p);
    pt_lasso_close(&f);
    if (status < 0 || p.ended)
        return status;
    if (p.stopped == PARTAN_INTERRUPTED)
        pt_interrupt_clear(context);
    return p.stopped ? p.stopped : p.worst;
}
