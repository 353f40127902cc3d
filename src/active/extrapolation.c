#include "active/extrapolation.h"

#include <math.h>

/* Amplification of rounding at which products are computed from scratch. For packed bits kernel values are the same
 * whoever computes them, and what is amplified is the rounding of sums in double precision; elsewhere a single column
 * may be rounded otherwise than one of a panel, in float32. */
#define LARGEST_ERROR      300.0
#define LARGEST_ERROR_BITS 1e7
#define RANK_LIMIT         1e-10 /* of a direction's own curvature: less left of it beside the others is nothing */

enum { DIRECTIONS = PT_EXTRAPOLATION_POINTS - 1 };

void pt_path_point_free(partan_context *context, pt_path_point *point)
{
    pt_free(context, point->ids);
    pt_free(context, point->weights);
    pt_free(context, point->products);
    *point = (pt_path_point){0};
}

void pt_extrapolation_init(pt_extrapolation *e, pt_simplex *simplex, double *scratch)
{
    *e = (pt_extrapolation){.simplex = simplex, .scratch = scratch};
}

void pt_extrapolation_free(pt_extrapolation *e)
{
    for (size_t i = 0; i < e->count; i++)
        pt_path_point_free(e->simplex->problem.context, &e->points[i]);
    e->count = 0;
}

void pt_extrapolation_add(pt_extrapolation *e, pt_path_point point)
{
    if (e->count == PT_EXTRAPOLATION_POINTS)
        pt_path_point_free(e->simplex->problem.context, &e->points[--e->count]);
    for (size_t i = e->count++; i > 0; i--)
        e->points[i] = e->points[i - 1];
    e->points[0] = point;
}

/* ---- The combination ---- */

/* x'Ky at the cost of now. */
static double product(const pt_extrapolation *e, const pt_path_point *x, const pt_path_point *y)
{
    double sum = 0;
    for (size_t i = 0; i < y->count; i++)
        e->scratch[y->ids[i]] = y->weights[i];
    for (size_t i = 0; i < x->count; i++) {
        int64_t id = x->ids[i];
        double diagonal = pt_dual_own(&e->simplex->dual, id, e->scratch[id]);
        sum += x->weights[i] * (y->products[id] + diagonal);
    }
    for (size_t i = 0; i < y->count; i++)
        e->scratch[y->ids[i]] = 0;
    return sum;
}

/* c'x */
static double linear(const pt_extrapolation *e, const pt_path_point *x)
{
    double sum = 0;
    for (size_t i = 0; i < x->count; i++)
        sum += x->weights[i] * pt_dual_linear(&e->simplex->dual, x->ids[i]);
    return sum;
}

/* Minimises f(a_0 + sum_j t_j (a_0 - a_j)): elimination on the directions' products, where one that the others span
 * gets t = 0. Leaves the factors of all points. */
static void best_factors(const pt_extrapolation *e, double factors[PT_EXTRAPOLATION_POINTS])
{
    size_t n = e->count - 1;
    double gram[PT_EXTRAPOLATION_POINTS][PT_EXTRAPOLATION_POINTS], A[DIRECTIONS][DIRECTIONS + 1], own[DIRECTIONS];
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= i; j++)
            gram[i][j] = gram[j][i] = product(e, &e->points[i], &e->points[j]);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            A[i][j] = gram[0][0] - gram[0][i + 1] - gram[0][j + 1] + gram[i + 1][j + 1];
        A[i][n] = gram[0][i + 1] - gram[0][0] + linear(e, &e->points[i + 1]) - linear(e, &e->points[0]);
        own[i] = A[i][i];
    }
    for (size_t k = 0; k < n; k++)
        for (size_t i = k + 1; i < n && A[k][k] > RANK_LIMIT * own[k]; i++) {
            double ratio = A[i][k] / A[k][k];
            for (size_t j = k; j <= n; j++)
                A[i][j] -= ratio * A[k][j];
        }
    factors[0] = 1;
    for (size_t k = n; k-- > 0;) {
        double t = 0;
        if (A[k][k] > RANK_LIMIT * own[k]) {
            t = A[k][n];
            for (size_t j = k + 1; j < n; j++)
                t += A[k][j] * factors[j + 1];
            t /= A[k][k];
        }
        factors[0] += t;
        factors[k + 1] = -t;
    }
}

static partan_status point_make(const pt_extrapolation *e, size_t capacity, pt_path_point *point)
{
    partan_context *context = e->simplex->problem.context;
    *point = (pt_path_point){.ids = pt_alloc(context, capacity, sizeof *point->ids),
                             .weights = pt_alloc(context, capacity, sizeof *point->weights),
                             .products = pt_alloc_zero(context, e->simplex->dual.vertices, sizeof(double))};
    if (point->ids && point->weights && point->products)
        return PARTAN_OK;
    pt_path_point_free(context, point);
    return pt_out_of_memory(context, "the path over C");
}

/* The combination as it is; weights may be negative. */
static partan_status combine(const pt_extrapolation *e, const double *factors, pt_path_point *next)
{
    size_t capacity = 0, vertices = e->simplex->dual.vertices;
    for (size_t i = 0; i < e->count; i++)
        capacity += e->points[i].count;
    partan_status status = point_make(e, capacity, next);
    if (status)
        return status;
    for (size_t i = 0; i < e->count; i++) {
        const pt_path_point *point = &e->points[i];
        next->error = hypot(next->error, factors[i] * point->error);
        for (size_t j = 0; j < point->count; j++)
            e->scratch[point->ids[j]] += factors[i] * point->weights[j];
        for (size_t j = 0; j < vertices; j++)
            next->products[j] += factors[i] * point->products[j];
    }
    for (size_t i = 0; i < e->count; i++)
        for (size_t j = 0; j < e->points[i].count; j++) {
            int64_t id = e->points[i].ids[j];
            if (e->scratch[id] != 0) {
                next->ids[next->count] = id;
                next->weights[next->count++] = e->scratch[id];
            }
            e->scratch[id] = 0;
        }
    return PARTAN_OK;
}

/* ---- The start ---- */

/* The best point between the last solution and x, which takes its place: cutting weights off may have cost more than
 * the combination had gained. */
static void blend(const pt_extrapolation *e, pt_path_point *x)
{
    const pt_path_point *last = &e->points[0];
    double ends[2] = {product(e, last, last), product(e, x, x)}, cross = product(e, x, last);
    double curvature = ends[0] - 2 * cross + ends[1], slope = ends[0] - cross + linear(e, last) - linear(e, x);
    double share = curvature > 0 ? slope / curvature : 1;
    share = share > 0 ? share : 0;
    if (share >= 1)
        return;
    for (size_t i = 0; i < last->count; i++)
        e->scratch[last->ids[i]] = (1 - share) * last->weights[i];
    for (size_t i = 0; i < x->count; i++) {
        x->weights[i] = share * x->weights[i] + e->scratch[x->ids[i]];
        e->scratch[x->ids[i]] = 0;
    }
    for (size_t i = 0; i < last->count; i++) { /* those that x had cut off */
        int64_t id = last->ids[i];
        if (e->scratch[id] > 0) {
            x->ids[x->count] = id;
            x->weights[x->count++] = e->scratch[id];
        }
        e->scratch[id] = 0;
    }
    for (size_t i = 0; i < e->simplex->dual.vertices; i++)
        x->products[i] = share * x->products[i] + (1 - share) * last->products[i];
}

partan_status pt_extrapolation_next(pt_extrapolation *e, pt_path_point *next)
{
    double factors[PT_EXTRAPOLATION_POINTS] = {0};
    best_factors(e, factors);
    partan_status status = combine(e, factors, next);
    if (!status)
        status = pt_extrapolation_clip(e, next);
    if (!status)
        blend(e, next);
    bool bits = e->simplex->points.matrix->storage == PARTAN_STORAGE_BITS;
    if (!status && next->error > (bits ? LARGEST_ERROR_BITS : LARGEST_ERROR))
        status = pt_extrapolation_renew(e, next);
    if (status)
        pt_path_point_free(e->simplex->problem.context, next);
    return status;
}
