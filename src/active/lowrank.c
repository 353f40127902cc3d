/* Kernels of low rank: the working set is solved by Newton's method in low-rank factors of the kernel, and the rows
 * outside are priced by their pivots. That pays when there are many members beside the square of the rank, and where
 * pair steps make no progress. */
#include <math.h>

#include "active/state.h"
#include "core/clock.h"
#include "core/team.h"
#include "simplex/rows.h"

#define RANK_SHARE      24.0  /* the square of the rank is at most this times the members, */
#define HARD_RANK_SHARE 400.0 /* or this, where pair steps make no progress */
#define RESIDUAL        5e-6  /* of the factors, relative to 2f when they are made, */
#define MOST_RESIDUAL   2e-5  /* and after it has become less */
#define USABLE          0.1 /* residuals, relative to 2f, that are too large for a certificate but better than float32 */
#define LEAST_RESIDUAL  1e-14 /* that can be told from rounding, relative to the largest k(x, x) */
enum {
    MOST_RANK = 1024,
    MOST_OWN = 1024, /* members that may have factors of their own, and their rank */
    TRY_AGAIN = 2,   /* after a failed attempt, factors are looked for again with so many times as many members */
    PATIENCE = 16,   /* pair steps for each member in a round, after which an attempt at factors is worth while */
    RESIDUAL_ROWS = 1 << 14, /* that are copied at a time */
};

/* ---- Making factors ---- */

/* Newton's method in factors is for a problem without linear terms, in which weights may be scaled, and a vertex a row;
 * others have their own (primal_newton.c). */
static bool may_have(const method *m)
{
    const pt_dual *dual = &m->simplex->dual;
    if (dual->linear || !pt_dual_plain(dual))
        return false;
    return pt_kernel_definite(&m->simplex->kernel);
}

/* Whether few factors may serve all rows: the laplacian kernel is not smooth enough for that. */
static bool may_serve_all(const method *m)
{
    return m->simplex->kernel.kind != PARTAN_KERNEL_LAPLACIAN;
}

uint64_t pt_active_set_patience(const method *m)
{
    bool hope = may_have(m) && m->lowrank.factors.rank == 0 && !m->lowrank.hard;
    return hope ? PATIENCE * (uint64_t)m->working.count : UINT64_MAX;
}

void pt_active_set_try_lowrank(method *m)
{
    m->lowrank.hard = true;
    m->lowrank.members = 0;
}

/* As it pays. Where memory is short, the members' factors are computed again and again, a part of them at a time. */
static size_t most_rank(const method *m)
{
    double most = sqrt((m->lowrank.hard ? HARD_RANK_SHARE : RANK_SHARE) * (double)m->working.count);
    return (size_t)(most < MOST_RANK ? most : MOST_RANK);
}

static bool affords_own(const method *m)
{
    return (double)MOST_OWN * (MOST_OWN + 3 * (double)MOST_OWN) * sizeof(double) <= (double)m->budget;
}

/* Makes factors, or makes them anew where they have become too coarse and can be finer. */
static partan_status make_factors(method *m)
{
    double twice = unit(m), members = (double)m->working.count;
    double residual = fmax(RESIDUAL * twice, LEAST_RESIDUAL * pt_simplex_largest(m->simplex));
    bool had = m->lowrank.factors.rank > 0, fine = m->lowrank.factors.residual <= fmax(MOST_RESIDUAL * twice, residual);
    if (had && fine)
        return PARTAN_OK;
    pt_lowrank_free(&m->lowrank.factors);
    bool own = m->lowrank.own;
    m->lowrank.own = false;
    if (residual > USABLE * twice)
        return PARTAN_OK;
    partan_status status = PARTAN_OK;
    if (may_serve_all(m) && ((had && !own) || members >= m->lowrank.members)) {
        m->lowrank.members = TRY_AGAIN * members;
        status = pt_simplex_factors(m->simplex, residual, most_rank(m), &m->lowrank.factors);
        if (!status)
            status = pt_active_set_make_room(m); /* pivots may be guests */
    }
    if (!status && m->lowrank.factors.rank == 0 && m->lowrank.hard && m->working.count <= MOST_OWN && affords_own(m)) {
        status = pt_simplex_factors_among(m->simplex, residual, m->working.ids, m->working.count, MOST_OWN,
                                          &m->lowrank.factors);
        m->lowrank.own = m->lowrank.factors.rank > 0;
    }
    if (m->lowrank.factors.rank > 0)
        pt_log(m->context, PARTAN_LOG_DEBUG, "%.3f s: the kernel has rank %zu to a residual of %.2g",
               pt_clock() - m->trace.start, m->lowrank.factors.rank, residual);
    return status;
}

/* ---- Using them ---- */

/* The working set takes over a solution, whose weights and scores it has. */
static void take_solution(pt_working *w, const pt_newton_members *solved)
{
    for (size_t i = 0; i < w->count; i++)
        w->diagonals[i] = w->weights[i] > 0 ? (float)pt_simplex_diagonal(w->simplex, w->ids[i]) : INFINITY;
    w->objective = solved->objective;
    w->least = -1;
    w->steps += solved->steps;
}

/* Solves the working set by Newton's method; *error as in pt_newton_members, or INFINITY. */
static partan_status solve_by_factors(method *m, double eps, uint64_t most, double *error)
{
    pt_working *w = &m->working;
    double *costs = pt_alloc(m->context, w->count, sizeof *costs);
    *error = INFINITY;
    if (!costs)
        return pt_out_of_memory(m->context, "Newton's method");
    for (size_t i = 0; i < w->count; i++)
        costs[i] = 1 / pt_dual_inverse_cost(&m->simplex->dual, w->ids[i]);
    pt_newton_members members = {.count = w->count,
                                 .rows = &w->matrix,
                                 .ids = w->ids,
                                 .signs = w->signs,
                                 .costs = costs,
                                 .bias = pt_simplex_bias(m->simplex),
                                 .room = m->budget,
                                 .weights = w->weights,
                                 .precise = m->lowrank.precise,
                                 .scores = w->scores};
    partan_status status = pt_newton_solve(&members, &m->lowrank.factors, m->inner_gap, eps, most);
    m->lowrank.precise = false;
    if (members.solved) {
        take_solution(w, &members);
        pt_active_set_coarsen(m);
        *error = members.error;
    }
    pt_free(m->context, costs);
    return status;
}

partan_status pt_active_set_solve_by_lowrank(method *m, double eps, uint64_t most, bool *solved)
{
    /* Rows are priced by the factors only where the weights are theirs, and so their error is known. */
    bool had = m->simplex->lowrank != NULL;
    m->simplex->lowrank = NULL;
    *solved = false;
    /* Where all kernel values are kept, pair steps cost less while they make progress. */
    if (!may_have(m) || (m->members.all && !m->lowrank.hard))
        return PARTAN_OK;
    double residual = m->lowrank.factors.residual, error = INFINITY;
    partan_status status = make_factors(m);
    if (status || m->lowrank.factors.rank == 0 || (m->lowrank.factors.rank > most_rank(m) && !m->lowrank.own))
        return status;
    status = solve_by_factors(m, eps, most, &error);
    bool as_before =
        had && status == PARTAN_INTERRUPTED && m->lowrank.factors.residual == residual; /* the weights, not touched */
    bool priced = !m->lowrank.own && !m->lowrank.refuted;
    if (m->lowrank.factors.rank > 0 && priced && (isfinite(error) || as_before))
        m->simplex->lowrank = &m->lowrank.factors;
    if (isfinite(error)) {
        m->lowrank.error = error;
        m->lowrank.scored |= priced;
        *solved = true;
    }
    return status == PARTAN_STALLED && !*solved ? PARTAN_OK : status;
}

/* ---- What they leave in doubt ---- */

/* The rows that could have the least score, whatever their residuals are. */
static partan_status rows_in_reach(method *m, int64_t **ids, size_t *count)
{
    double least = INFINITY;
    size_t own = own_vertices(m);
    for (size_t i = 0; i < own; i++)
        least = fmin(least, m->scores[i]);
    least = pt_active_set_least(m, least);
    double level = least + 2 * sqrt(pt_simplex_largest(m->simplex)) * m->lowrank.error;
    *count = 0;
    for (size_t i = 0; i < own; i++)
        *count += m->scores[i] <= level;
    *ids = pt_alloc(m->context, *count, sizeof **ids);
    if (!*ids)
        return pt_out_of_memory(m->context, "the certificate");
    size_t n = 0;
    for (size_t i = 0; i < own; i++)
        if (m->scores[i] <= level)
            (*ids)[n++] = (int64_t)i;
    return PARTAN_OK;
}

static partan_status look_at_residuals(method *m, const int64_t *ids, size_t count, double *residuals, double *largest)
{
    pt_matrix rows = {0};
    partan_status status = pt_simplex_gather(m->simplex, ids, count, &rows);
    if (!status)
        status = pt_lowrank_factors(&m->lowrank.factors, &rows, ids, NULL, 0, residuals);
    for (size_t i = 0; i < count && !status; i++)
        *largest = fmax(*largest, residuals[i]);
    pt_matrix_free(&rows);
    return status;
}

/* Some rows at a time, whatever the budget for copies: without it, all kernel values would be computed. */
static partan_status largest_residual(method *m, const int64_t *ids, size_t count, double *largest)
{
    double *residuals = pt_alloc(m->context, RESIDUAL_ROWS, sizeof *residuals);
    partan_status status = residuals ? PARTAN_OK : pt_out_of_memory(m->context, "the certificate");
    *largest = 0;
    for (size_t first = 0; first < count && !status; first += RESIDUAL_ROWS) {
        size_t some = count - first < RESIDUAL_ROWS ? count - first : RESIDUAL_ROWS;
        status = look_at_residuals(m, ids + first, some, residuals, largest);
    }
    pt_free(m->context, residuals);
    return status;
}

partan_status pt_active_set_lowrank_error(method *m, double *error)
{
    int64_t *ids = NULL;
    size_t count = 0;
    double largest = 0;
    *error = m->lowrank.scored ? INFINITY : 0;
    if (!m->simplex->lowrank)
        return PARTAN_OK;
    partan_status status = rows_in_reach(m, &ids, &count);
    size_t total = (size_t)pt_active_set_sum(m, count);
    if (!status) {
        uint64_t before = m->simplex->counters.kernel_values;
        status = largest_residual(m, ids, count, &largest);
        largest = pt_active_set_greatest(m, largest);
        m->simplex->counters.kernel_values = before + total * m->lowrank.factors.rank;
        *error = fmax(sqrt(largest), m->lowrank.error) * m->lowrank.error + m->lowrank.factors.rounding;
    }
    pt_log(m->context, PARTAN_LOG_DEBUG, "scores of %zu rows near the least one are known to %.2g of 2f", total,
           *error / unit(m));
    pt_free(m->context, ids);
    return status;
}
