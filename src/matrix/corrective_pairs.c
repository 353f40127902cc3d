/* The oracle of the default solver: which pairs are worth adding to X, and the move toward them. */
#include <math.h>

#include "matrix/corrective.h"

enum {
    FIRST_PAIRS = 5,
    MOST_PAIRS = 16,
    TOGETHER = 5 /* rounds without progress, after which X's own vectors are looked at too */
};

#define PAIR_ERROR 0.1 /* of its residual, that the leading singular value is likely to be wrong by at most */

/* As many as were of use the last time, and some more. */
static size_t pairs_wanted(const pt_corrective *c)
{
    size_t wanted = c->x->rank == 0 ? FIRST_PAIRS : c->used + c->used / 2 + 2;
    return wanted > MOST_PAIRS ? MOST_PAIRS : wanted;
}

static partan_status ask_narrow(pt_corrective *c)
{
    double norm, upper;
    partan_status status = pt_narrow_norm(&c->narrow, c->gradient, &norm, &upper);
    c->gap = fmax(c->inner + c->recovery->radius * upper, 0);
    c->least_gap = fmax(c->inner + c->recovery->radius * norm, 0);
    return status;
}

partan_status pt_corrective_ask(pt_corrective *c)
{
    if (c->is_narrow)
        return ask_narrow(c);
    pt_pairs *pairs = &c->spectral.pairs;
    double radius = c->recovery->radius, tolerance = 0.1;
    pt_measurement_prepare(c->measurement, c->gradient);
    partan_status status = pt_deflation_make(&c->deflation, c->measurement, c->gradient, c->x);
    /* Sweeps turn the singular vectors of X, steps over the core do not: then what is worth adding has a part in them.
     */
    bool apart = c->measurement->sampling && c->stall.idle < TOGETHER;
    c->spectral.deflation = apart ? &c->deflation : NULL;
    for (; !status; tolerance /= 10) {
        status = pt_spectral_pairs(&c->spectral, c->gradient, pairs_wanted(c), tolerance);
        if (status)
            return status;
        double norm = apart ? pt_deflation_bound(&c->deflation, pairs->value[0] + PAIR_ERROR * pairs->error)
                            : pairs->value[0] + pairs->error;
        c->gap = fmax(c->inner + radius * norm, 0);
        c->least_gap = fmax(c->inner + radius * fmax(c->deflation.inside, pairs->value[0]), 0);
        if (radius * PAIR_ERROR * pairs->error <= fmax(c->gap, pt_corrective_target(c)) || tolerance <= 1e-12)
            break;
    }
    return status;
}

/* How many of the pairs are worth adding: those that beat what X itself has for the same norm. */
static size_t useful_pairs(const pt_corrective *c)
{
    const pt_pairs *pairs = &c->spectral.pairs;
    size_t count = 0, max_rank = c->recovery->max_rank, rank = c->x->rank;
    double lambda = -c->inner / c->recovery->radius;
    while (count < pairs->count && pairs->value[count] > lambda * (1 + 1e-6) && pairs->value[count] > 0)
        count++;
    if (max_rank > 0 && rank + count > max_rank)
        count = max_rank > rank ? max_rank - rank : 0;
    return count;
}

/* A move toward a combination of pairs, each by how much it beats X; the step by exact line search. */
partan_status pt_corrective_add_pairs(pt_corrective *c)
{
    const pt_pairs *pairs = &c->spectral.pairs;
    size_t count = useful_pairs(c), entries = c->measurement->map.count;
    double radius = c->recovery->radius, lambda = fmax(-c->inner / radius, 0), sum = 0;
    partan_status status = PARTAN_OK;
    pt_factors added;
    c->step = 0;
    c->used = count;
    if (count == 0)
        return PARTAN_OK;
    pt_factors_init(&added, c->context, c->x->rows, c->x->columns);
    for (size_t k = 0; k < count; k++)
        sum += pairs->value[k] - lambda;
    for (size_t k = 0; k < count && !status; k++) {
        double *left = pairs->left + k * c->x->rows;
        for (size_t i = 0; i < c->x->rows; i++)
            left[i] = -left[i];
        status = pt_factors_append(&added, left, pairs->right + k * c->x->columns,
                                   radius * (pairs->value[k] - lambda) / sum);
    }
    if (!status)
        status = pt_measurement_apply(c->measurement, &added, c->image);
    for (size_t k = 0; k < entries && !status; k++)
        c->image[k] -= c->values[k];
    double slope = pt_corrective_dot(c, c->gradient, c->image), bend = pt_corrective_dot(c, c->image, c->image);
    if (!status && slope < 0)
        c->step = bend > -slope ? -slope / bend : 1;
    if (c->step > 0) {
        pt_factors_scale(c->x, 1 - c->step);
        for (size_t k = 0; k < count && !status; k++)
            status = pt_factors_append(c->x, pairs->left + k * c->x->rows, pairs->right + k * c->x->columns,
                                       c->step * added.singular[k]);
        for (size_t k = 0; k < entries; k++)
            c->values[k] += c->step * c->image[k];
        pt_corrective_settle(c);
    }
    pt_factors_free(&added);
    return status;
}
