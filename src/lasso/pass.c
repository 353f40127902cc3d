/* Passes of the Lasso solver over all columns, and what they certify. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "lasso/state.h"

enum { LEAST_SAVING = 4 }; /* times fewer columns, or screening is not worth it */

typedef struct pass {
    pt_lasso_solver *solver;
    const double *lambdas;
    size_t count;
    bool keep; /* the last one's scores */
} pass;

static void look(void *user, size_t first, size_t columns, const double *products)
{
    const pass *p = user;
    pt_lasso_solver *s = p->solver;
    double largest[PT_COLUMN_VECTORS] = {0};
    for (size_t i = 0; i < columns; i++) {
        size_t column = s->alive_count > 0 ? (size_t)s->alive[first + i] : first + i;
        const double *score = products + i * p->count;
        double violation = 0;
        for (size_t v = 0; v < p->count; v++) {
            double size = fabs(score[v]), ratio = size / p->lambdas[v];
            largest[v] = size > largest[v] ? size : largest[v];
            violation = ratio > violation ? ratio : violation;
        }
        s->violation[column] = violation;
        if (p->keep)
            s->scores[column] = score[p->count - 1];
    }
    memcpy(s->chunk_largest + first / PT_SCAN_CHUNK * PT_COLUMN_VECTORS, largest, sizeof largest);
}

static size_t columns_of(const pt_lasso_solver *s)
{
    return s->alive_count > 0 ? s->alive_count : s->design->store->features;
}

static partan_status scan(pass *p)
{
    pt_lasso_solver *s = p->solver;
    const int64_t *which = s->alive_count > 0 ? s->alive : NULL;
    return pt_design_scan(s->design, which, columns_of(s), s->residuals, p->count, look, p, &s->progress);
}

partan_status pt_lasso_pass(pt_lasso_solver *s, const double *lambdas, size_t count, double *largest)
{
    size_t chunks = (columns_of(s) + PT_SCAN_CHUNK - 1) / PT_SCAN_CHUNK;
    pass p = {s, lambdas, count, lambdas[count - 1] <= s->lambda};
    partan_status status = s->stopped ? PARTAN_INTERRUPTED : scan(&p);
    if (status == PARTAN_INTERRUPTED) {
        s->stopped = s->stopped ? s->stopped : status;
        pt_defer_begin(s->context);
        status = scan(&p);
        pt_defer_end(s->context);
    }
    if (status)
        return status;
    if (p.keep)
        s->lambda = lambdas[count - 1];
    for (size_t v = 0; v < count; v++) {
        largest[v] = 0;
        for (size_t chunk = 0; chunk < chunks; chunk++)
            largest[v] = fmax(largest[v], s->chunk_largest[chunk * PT_COLUMN_VECTORS + v]);
    }
    return PARTAN_OK;
}

/* ---- Screening ---- */

/* The dual objective is strongly concave: u, the residual times its dual factor, is within sqrt(2 n gap) of the best
 * dual point, so that no solution has a column with |<column, u>| / n + sqrt(2 gap |column|^2 / n) < lambda. */
partan_status pt_lasso_screen(pt_lasso_solver *s, const pt_solved *solved, const double *residual, double largest)
{
    const pt_design *d = s->design;
    const pt_store *store = d->store;
    double n = (double)d->counted, square = store->ops->dot(residual, residual, store->padded) / n;
    double factor =
        pt_dual_factor(square, store->ops->dot(residual, d->target, store->padded) / n, solved->lambda, largest);
    if (!s->alive && !(s->alive = pt_alloc(s->context, store->features, sizeof *s->alive)))
        return pt_out_of_memory(s->context, "the columns that can be active");
    size_t count = columns_of(s), kept = 0;
    for (size_t i = 0; i < count; i++) {
        size_t column = s->alive_count > 0 ? (size_t)s->alive[i] : i;
        double reach = fabs(factor * s->scores[column]) + sqrt(2 * solved->gap * d->square[column]);
        kept += reach >= solved->lambda;
        s->violation[column] = reach >= solved->lambda ? s->violation[column] : 0;
    }
    if (kept == 0 || kept > count / LEAST_SAVING) /* or it would not be worth the pass over all at the end */
        return PARTAN_OK;
    bool all = s->alive_count == 0;
    s->alive_count = 0;
    for (size_t i = 0; i < count; i++) {
        size_t column = all ? i : (size_t)s->alive[i];
        if (fabs(factor * s->scores[column]) + sqrt(2 * solved->gap * d->square[column]) >= solved->lambda)
            s->alive[s->alive_count++] = (int64_t)column;
    }
    return PARTAN_OK;
}

void pt_lasso_revive(pt_lasso_solver *s)
{
    s->alive_count = 0;
}

/* ---- Solutions ---- */

void pt_solved_free(partan_context *context, pt_solved *solved)
{
    pt_free(context, solved->ids);
    pt_free(context, solved->coefficients);
    *solved = (pt_solved){0};
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

partan_status pt_lasso_note(pt_lasso_solver *s, double lambda, pt_solved *solved, double *residual)
{
    const pt_members *m = &s->members;
    pt_solved_free(s->context, solved);
    solved->lambda = lambda;
    solved->ids = pt_alloc(s->context, m->count, sizeof *solved->ids);
    solved->coefficients = pt_alloc(s->context, m->count, sizeof *solved->coefficients);
    if (!solved->ids || !solved->coefficients)
        return pt_out_of_memory(s->context, "a solution");
    for (size_t i = 0; i < m->count; i++)
        if (m->x[i] != 0)
            solved->ids[solved->count++] = m->ids[i];
    qsort(solved->ids, solved->count, sizeof *solved->ids, ascending);
    for (size_t i = 0; i < solved->count; i++) {
        solved->coefficients[i] = m->x[m->place[solved->ids[i]] - 1];
        solved->norm += fabs(solved->coefficients[i]);
    }
    if (residual)
        pt_design_residual(s->design, solved->ids, solved->coefficients, solved->count, residual);
    return PARTAN_OK;
}

void pt_lasso_resume(pt_lasso_solver *s, const pt_solved *solved)
{
    pt_members *m = &s->members;
    memset(m->x, 0, m->count * sizeof *m->x);
    for (size_t i = 0; i < solved->count; i++)
        m->x[m->place[solved->ids[i]] - 1] = solved->coefficients[i];
    pt_members_rescore(m);
}

double pt_lasso_gap(const pt_lasso_solver *s, const pt_solved *solved, const double *residual, double largest)
{
    const pt_design *d = s->design;
    double n = (double)d->counted;
    double square = d->store->ops->dot(residual, residual, d->store->padded) / n;
    double along = d->store->ops->dot(residual, d->target, d->store->padded) / n;
    double gap = square / 2 + solved->lambda * solved->norm - pt_dual_value(square, along, solved->lambda, largest);
    return gap > 0 ? gap : 0;
}

void pt_lasso_show(pt_lasso_solver *s, const pt_solved *solved, double objective, double unit)
{
    double scale = s->design->target_square / 2, relative = scale > 0 ? solved->gap / scale : 0;
    partan_trace_row row = {.iteration = s->steps.iterations,
                            .type = s->trace.last < 0 ? PARTAN_STEP_START : PARTAN_STEP_TOWARD,
                            .objective = unit * objective,
                            .gap = unit * solved->gap,
                            .relative_gap = relative,
                            .active = solved->count};
    pt_trace_row(&s->trace, &row, pt_clock(), solved->converged || s->stopped);
    s->progress = (partan_progress){.done = -1,
                                    .seconds_left = -1,
                                    .iterations = s->steps.iterations,
                                    .gap = unit * solved->gap,
                                    .relative_gap = relative,
                                    .target = scale > 0 ? s->target.gap / scale : 0,
                                    .active = solved->count};
}
