/* Matrix recovery by one of the variants: from and to factors. */
#include <math.h>

#include "matrix/nuclear.h"
#include "matrix/recovery.h"

enum { MERGED = 64 }; /* vertices that are added to the factors before they are balanced */

/* ---- The starting point ---- */

/* Singular triplets as vertices with their weights. What they lack of the radius is shared by the first vertex and its
 * opposite, which add up to nothing. */
static partan_status start_from_factors(pt_nuclear *ball, const pt_factors *x, int64_t *ids, double *weights)
{
    partan_context *context = x->context;
    double *u = pt_alloc(context, x->rows, sizeof *u), *v = pt_alloc(context, x->columns, sizeof *v);
    partan_status status = u && v ? PARTAN_OK : pt_out_of_memory(context, "the starting point");
    double left = 1;
    for (size_t k = x->rank; k-- > 0 && !status;) {
        double root = sqrt(x->singular[k]);
        for (size_t i = 0; i < x->rows; i++)
            u[i] = x->left[i * x->stride + k] / root;
        for (size_t j = 0; j < x->columns; j++)
            v[j] = x->right[j * x->stride + k] / root;
        weights[k] = x->singular[k] / ball->radius;
        left -= weights[k];
        status = pt_nuclear_mint(ball, u, v, 1, &ids[k]);
    }
    left = left > 0 ? left : 0;
    weights[0] += left / 2;
    weights[x->rank] = left / 2;
    if (!status)
        status = pt_nuclear_mint(ball, u, v, -1, &ids[x->rank]);
    pt_free(context, u);
    pt_free(context, v);
    return status;
}

/* From nothing: the vertex that the oracle answers at 0. */
static partan_status start_from_nothing(pt_nuclear *ball, int64_t *ids, double *weights)
{
    for (size_t k = 0; k < ball->measurement->map.count; k++)
        ball->gradient[k] = -ball->b[k];
    pt_measurement_prepare(ball->measurement, ball->gradient);
    pt_defer_begin(ball->problem.context);
    partan_status status = pt_spectral_pairs(&ball->spectral, ball->gradient, 1, 0.1);
    pt_defer_end(ball->problem.context);
    weights[0] = 1;
    return status ? status : pt_nuclear_mint(ball, ball->spectral.pairs.left, ball->spectral.pairs.right, -1, ids);
}

/* ---- The solution ---- */

static partan_status to_factors(const pt_nuclear *ball, const pt_iterate *iterate, pt_factors *x)
{
    partan_status status = PARTAN_OK;
    pt_factors_free(x);
    for (size_t i = 0; i < iterate->count && !status; i++) {
        if (!(iterate->now[i] > 0))
            continue;
        const pt_atom *atom = pt_nuclear_atom(ball, iterate->id[i]);
        status = pt_factors_append(x, atom->u, atom->v, ball->radius * iterate->now[i]);
        if (!status && x->rank >= 2 * MERGED)
            status = pt_factors_balance(x, 0, 0);
    }
    if (!status)
        status = pt_factors_balance(x, 0, 0);
    if (!status)
        status = pt_factors_polish(x);
    double norm = pt_factors_norm(x);
    if (!status && norm > ball->radius) /* by rounding */
        pt_factors_scale(x, ball->radius / norm);
    return status;
}

/* The certificate is that of the weights. The factors are the same matrix but for rounding; their objective is computed
 * again, and with d = A(X) of the factors less that of the weights, |G|_2 is greater by |d| at most. */
static partan_status settle_claims(pt_nuclear *ball, pt_recovery *r)
{
    pt_certificate *claim = &r->solution.certificate;
    size_t count = r->measurement->map.count;
    double before = pt_dot(r->context, ball->gradient, ball->now, count);
    partan_status status = pt_measurement_apply(r->measurement, &r->x, ball->next);
    if (status)
        return status;
    double squares = 0, inner = 0, moved = 0;
    for (size_t k = 0; k < count; k++) {
        double residual = ball->next[k] - r->b[k], d = ball->next[k] - ball->now[k];
        squares += residual * residual;
        inner += residual * ball->next[k];
        moved += d * d;
    }
    claim->objective = squares / 2;
    claim->gap = fmax(claim->gap + inner - before + r->radius * sqrt(moved), 0);
    r->solution.relative_gap = claim->gap / ball->problem.constant;
    return PARTAN_OK;
}

partan_status pt_recover_by_variant(pt_recovery *r)
{
    pt_nuclear ball;
    pt_fw fw = {0};
    size_t count = r->x.rank > 0 ? r->x.rank + 1 : 1;
    int64_t *ids = pt_alloc(r->context, count, sizeof *ids);
    double *weights = pt_alloc(r->context, count, sizeof *weights);
    partan_status status = pt_nuclear_make(&ball, r->measurement, r->b, r->radius, r->settings.seed);
    if (!status && (!ids || !weights))
        status = pt_out_of_memory(r->context, "the starting point");
    if (!status)
        status =
            r->x.rank > 0 ? start_from_factors(&ball, &r->x, ids, weights) : start_from_nothing(&ball, ids, weights);
    if (!status)
        status = pt_solve(&ball.problem, &r->settings, (pt_start){.ids = ids, .weights = weights, .count = count}, &fw,
                          &r->solution);
    if (!status)
        status = to_factors(&ball, &fw.iterate, &r->x);
    if (!status)
        status = settle_claims(&ball, r);
    r->iterations = fw.iteration;
    pt_iterate_free(&fw.iterate);
    pt_nuclear_free(&ball);
    pt_free(r->context, ids);
    pt_free(r->context, weights);
    return status;
}
