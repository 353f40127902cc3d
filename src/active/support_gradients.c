#include "active/support_gradients.h"

#include <math.h>

#include "simplex/rows.h"

enum {
    MOST_RANK = 1024,    /* of the preconditioner */
    MOST_PRODUCTS = 400, /* of a system */
};

#define RANK_ROOT 10.0 /* its rank is the root of the members times this */
#define FACTOR    0.1  /* nanoseconds of a thread for each product in making it */
#define RESIDUAL  0.05 /* of 1 / C, below which factors have nothing more to gain */
#define GROWN     2.0  /* members, relative to those that the pivots were chosen for, that ask for another choice */

void pt_gradient_pivots_free(pt_gradient_pivots *pivots)
{
    pt_lowrank_free(&pivots->lowrank);
    *pivots = (pt_gradient_pivots){0};
}

void pt_support_gradients_free(pt_support_gradients *g)
{
    double *arrays[] = {g->costs, g->solution, g->rest, g->better, g->search, g->searched, g->weights, g->sums};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays && g->context; i++)
        pt_free(g->context, arrays[i]);
    if (g->context)
        pt_free(g->context, g->some);
    pt_preconditioner_free(&g->preconditioner);
    *g = (pt_support_gradients){0};
}

static partan_status allocate(pt_support_gradients *g, size_t count)
{
    double **arrays[] = {&g->costs,  &g->solution, &g->rest,    &g->better,
                         &g->search, &g->searched, &g->weights, &g->sums};
    bool done = true;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        done &= (*arrays[i] = pt_alloc_zero(g->context, count, sizeof(double))) != NULL;
    g->some = pt_alloc(g->context, count, sizeof *g->some);
    return done && g->some ? PARTAN_OK : pt_out_of_memory(g->context, "Newton's method");
}

/* ---- The preconditioner ---- */

static size_t wanted_rank(size_t members)
{
    size_t most = (size_t)(RANK_ROOT * sqrt((double)members));
    return most < MOST_RANK ? most : MOST_RANK;
}

double pt_support_gradients_bytes(size_t members)
{
    return pt_preconditioner_bytes(members, wanted_rank(members));
}

double pt_support_gradients_setup(size_t members)
{
    double rank = (double)wanted_rank(members);
    return FACTOR * (double)members * rank * rank;
}

partan_status pt_support_gradients_make(pt_support_gradients *g, pt_gradient_pivots *pivots, pt_simplex *simplex,
                                        const pt_working *w)
{
    *g = (pt_support_gradients){.context = w->context, .simplex = simplex, .working = w, .most = UINT64_MAX};
    partan_status status = allocate(g, w->count);
    if (!status
        && (pivots->lowrank.rank == 0 || (double)w->count > GROWN * pivots->members
            || GROWN * simplex->dual.inverse_cost < pivots->inverse_cost)) {
        pt_gradient_pivots_free(pivots);
        status = pt_lowrank_make_coarse(&pivots->lowrank, g->context, &simplex->kernel,
                                        (pt_lowrank_points){simplex->points, NULL}, &simplex->counters.kernel_values,
                                        RESIDUAL * simplex->dual.inverse_cost, wanted_rank(w->count), w->ids, w->count);
        pivots->members = (double)w->count;
        pivots->inverse_cost = simplex->dual.inverse_cost;
    }
    return status ? status
                  : pt_preconditioner_make(&g->preconditioner, &pivots->lowrank, &w->matrix, pt_simplex_bias(simplex));
}

/* ---- Products ---- */

/* g->sums is complete: with the bias, if nobody has asked to stop. */
static partan_status finish_product(pt_support_gradients *g, size_t rows, size_t count)
{
    double total = 0;
    for (size_t k = 0; k < count; k++)
        total += g->weights[k];
    for (size_t k = 0; k < rows; k++)
        g->sums[k] += g->simplex->dual.bias * total;
    return pt_interrupted(g->context) ? PARTAN_INTERRUPTED : PARTAN_OK;
}

/* sums[k] = the k-th row's sum over some members with values of y v, in `g->weights`. */
static partan_status multiply(pt_support_gradients *g, const pt_matrix *rows, const pt_matrix *vectors, size_t count)
{
    partan_status status =
        pt_simplex_row_sums(g->simplex, rows, (pt_points){vectors, NULL}, g->weights, count, g->sums);
    return status ? status : finish_product(g, rows->rows, count);
}

partan_status pt_support_gradients_multiply(pt_support_gradients *g, const double *v, const int64_t *of, size_t count,
                                            double *products)
{
    const pt_working *w = g->working;
    pt_matrix rows = {0}, vectors = {0};
    size_t support = 0;
    for (size_t i = 0; i < w->count; i++)
        if (v[i] != 0) {
            g->weights[support] = v[i] * (double)w->signs[i];
            g->some[support++] = (int64_t)i;
        }
    for (size_t k = 0; k < count; k++)
        products[of[k]] = 0;
    if (support == 0 || count == 0)
        return PARTAN_OK;
    partan_status status = pt_matrix_gather(&w->matrix, g->some, support, &vectors);
    if (!status)
        status = pt_matrix_gather(&w->matrix, of, count, &rows);
    if (!status)
        status = multiply(g, &rows, &vectors, support);
    for (size_t k = 0; k < count && !status; k++)
        products[of[k]] = g->sums[k] * (double)w->signs[of[k]];
    pt_matrix_free(&rows);
    pt_matrix_free(&vectors);
    return status;
}

/* ---- Conjugate gradients ---- */

static double inner(const pt_support_gradients *g, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < g->working->count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* searched = (Q + 1/C) search over the system's members. */
static partan_status apply(pt_support_gradients *g, const int64_t *members, size_t count, const pt_matrix *rows)
{
    for (size_t k = 0; k < count; k++)
        g->weights[k] = g->search[members[k]];
    partan_status status = pt_simplex_sums_among(g->simplex, rows, g->weights, g->sums);
    if (!status)
        status = finish_product(g, count, count);
    g->products++;
    for (size_t k = 0; k < count && !status; k++) {
        int64_t i = members[k];
        g->searched[i] = g->sums[k] + g->search[i] / g->costs[i];
    }
    return status;
}

static partan_status begin(pt_support_gradients *g, const int64_t *members, size_t count, const double *weights,
                           const double *products)
{
    const pt_working *w = g->working;
    for (size_t i = 0; i < w->count; i++)
        g->costs[i] = g->rest[i] = g->search[i] = g->searched[i] = 0;
    for (size_t k = 0; k < count; k++) {
        int64_t i = members[k];
        double sign = (double)w->signs[i];
        g->costs[i] = 1 / pt_dual_inverse_cost(&g->simplex->dual, w->ids[i]);
        g->solution[i] = sign * weights[i];
        g->rest[i] = sign * (1 - products[i] - weights[i] / g->costs[i]);
    }
    return pt_preconditioner_set(&g->preconditioner, g->costs);
}

partan_status pt_support_gradients_solve(pt_support_gradients *g, const int64_t *members, size_t count,
                                         const pt_matrix *rows, double enough, double share, double *weights,
                                         double *products)
{
    double before = 0;
    partan_status status = begin(g, members, count, weights, products);
    for (int k = 0; k < MOST_PRODUCTS && !status && g->products < g->most; k++) {
        status = pt_preconditioner_apply(&g->preconditioner, g->rest, g->better);
        double now = inner(g, g->rest, g->better);
        enough = k == 0 ? fmax(enough, share * now) : enough;
        if (status || now <= enough)
            break;
        for (size_t i = 0; i < g->working->count; i++)
            g->search[i] = g->better[i] + (k > 0 ? now / before * g->search[i] : 0);
        before = now;
        status = apply(g, members, count, rows);
        double curvature = status ? 0 : inner(g, g->search, g->searched);
        if (!status && !(curvature > 0))
            status = PARTAN_STALLED;
        for (size_t i = 0; i < g->working->count && !status; i++) {
            g->solution[i] += now / curvature * g->search[i];
            g->rest[i] -= now / curvature * g->searched[i];
        }
    }
    for (size_t k = 0; k < count && !status; k++) {
        int64_t i = members[k];
        double sign = (double)g->working->signs[i];
        weights[i] = sign * g->solution[i];
        products[i] = 1 - sign * g->rest[i] - weights[i] / g->costs[i];
    }
    return status;
}
