/* Kernels of low rank: when the working set has become large beside the square of the rank, it is solved by Newton's
 * method in features of the kernel, and the rows outside are priced by the pivots of these. */
#include <math.h>

#include "core/clock.h"
#include "problem/active_set_state.h"

#define RANK_SHARE    24.0  /* the square of the rank is at most this times the members */
#define RESIDUAL      5e-6  /* of the features, relative to 2f when they are made, */
#define MOST_RESIDUAL 2e-5  /* and after it has become less */
#define LEAST         1e-13 /* residual that can be told from rounding, relative to the largest k(x, x) */
enum { TRY_AGAIN = 2 }; /* features that were looked for in vain are, when there are so many times as many members */

static bool may_have(const method *m)
{
    partan_kernel kind = m->simplex->kernel.kind;
    return kind == PARTAN_KERNEL_LINEAR || kind == PARTAN_KERNEL_RBF
           || (kind == PARTAN_KERNEL_POLYNOMIAL && m->simplex->kernel.coef0 >= 0);
}

static double largest_diagonal(const method *m)
{
    double largest = 0;
    for (size_t i = 0; i < m->working.count; i++)
        largest = fmax(largest, pt_simplex_diagonal(m->simplex, m->working.ids[i]));
    return largest;
}

static size_t most_rank(const method *m)
{
    return (size_t)sqrt(RANK_SHARE * (double)m->working.count);
}

/* Makes features, or makes them anew where they have become too coarse. */
static partan_status make_features(method *m)
{
    size_t members = m->working.count;
    double twice = 2 * m->certificate.objective;
    if (m->basis.rank > 0 && m->basis.residual <= MOST_RESIDUAL * twice)
        return PARTAN_OK;
    bool had = m->basis.rank > 0;
    pt_basis_free(&m->basis);
    double residual = fmax(RESIDUAL * twice, LEAST * largest_diagonal(m));
    if (!may_have(m) || (!had && (double)members < m->basis_members) || residual > MOST_RESIDUAL * twice)
        return PARTAN_OK;
    m->basis_members = TRY_AGAIN * (double)members;
    partan_status status = pt_basis_make(&m->basis, m->simplex, residual, most_rank(m));
    if (m->basis.rank > 0)
        pt_log(m->context, PARTAN_LOG_DEBUG, "%.3f s: the kernel has rank %zu to a residual of %.2g",
               pt_clock() - m->trace.start, m->basis.rank, residual);
    return status;
}

partan_status pt_active_set_solve_by_features(method *m, double eps, uint64_t most)
{
    m->simplex->basis = NULL; /* used for pricing only where the weights are of its making, and their error is known */
    partan_status status = make_features(m);
    if (status)
        return status;
    if (m->basis.rank == 0 || m->basis.rank > most_rank(m) || pt_newton_bytes(&m->basis, m->working.count) > m->budget)
        return PARTAN_STALLED;
    double error = INFINITY;
    status = pt_newton_solve(&m->working, &m->basis, m->inner, eps, most, m->deadline, &error);
    if (isfinite(error) && status != PARTAN_STALLED) {
        m->simplex->basis = &m->basis;
        m->basis_error = error;
    }
    return status;
}

/* How wrong scores may be that decide the gap. Rows that could have the least score, whatever their residuals are, are
 * looked at more closely. */
partan_status pt_active_set_error(method *m, double *error)
{
    double least = INFINITY, largest = 0;
    size_t count = 0;
    *error = 0;
    if (!m->simplex->basis)
        return PARTAN_OK;
    for (size_t i = 0; i < vertices(m); i++) {
        least = fmin(least, m->scores[i]);
        largest = fmax(largest, pt_simplex_diagonal(m->simplex, (int64_t)i));
    }
    double reach = least + 2 * sqrt(largest) * m->basis_error;
    for (size_t i = 0; i < vertices(m); i++)
        count += m->scores[i] <= reach;
    int64_t *ids = pt_alloc(m->context, count, sizeof *ids);
    double *residuals = pt_alloc(m->context, count, sizeof *residuals);
    partan_status status = ids && residuals ? PARTAN_OK : pt_out_of_memory(m->context, "the certificate");
    count = 0;
    for (size_t i = 0; i < vertices(m) && !status; i++)
        if (m->scores[i] <= reach)
            ids[count++] = (int64_t)i;
    pt_matrix rows = {0};
    if (!status)
        status = pt_matrix_gather(m->simplex->points.matrix, ids, count, &rows);
    if (!status)
        status = pt_basis_features(&m->basis, &rows, ids, NULL, 0, residuals);
    largest = 0;
    for (size_t i = 0; i < count && !status; i++)
        largest = fmax(largest, residuals[i]);
    *error = sqrt(largest) * m->basis_error;
    pt_log(m->context, PARTAN_LOG_DEBUG, "scores of %zu rows near the least one are known to %.2g of 2f", count,
           *error / (2 * m->certificate.objective));
    pt_matrix_free(&rows);
    pt_free(m->context, ids);
    pt_free(m->context, residuals);
    return status;
}
