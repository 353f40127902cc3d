#include "active/tangents.h"

#include <math.h>
#include <string.h>

#define RANK_LIMIT  1e-10 /* of a difference's own curvature: less left of it beside the others is nothing */
#define ASYMMETRY   1e-3  /* of products that should be equal, beside their curvatures */
#define LEAST_GAIN  1e-12 /* of 2f: less cannot be told from rounding */
#define MOST_FACTOR 1e4   /* of a difference: more would make too much of its rounding */

static partan_status tangent_make(pt_tangent *tangent, partan_context *context, size_t members)
{
    tangent->weights = pt_alloc(context, members, sizeof *tangent->weights);
    tangent->scores = pt_alloc(context, members, sizeof *tangent->scores);
    return tangent->weights && tangent->scores ? PARTAN_OK : pt_out_of_memory(context, "parallel tangents");
}

static void tangent_free(partan_context *context, pt_tangent *tangent)
{
    pt_free(context, tangent->weights);
    pt_free(context, tangent->scores);
    *tangent = (pt_tangent){0};
}

partan_status pt_tangents_make(pt_tangents *t, partan_context *context, size_t members, const double *weights,
                               const double *scores)
{
    *t = (pt_tangents){.context = context, .members = members};
    partan_status status = tangent_make(&t->last, context, members);
    if (!status)
        status = tangent_make(&t->best, context, members);
    if (!status)
        status = tangent_make(&t->trial, context, members);
    if (status) {
        pt_tangents_free(t);
        return status;
    }
    memcpy(t->last.weights, weights, members * sizeof *weights);
    memcpy(t->last.scores, scores, members * sizeof *scores);
    return PARTAN_OK;
}

void pt_tangents_free(pt_tangents *t)
{
    if (!t->context)
        return;
    tangent_free(t->context, &t->last);
    tangent_free(t->context, &t->best);
    tangent_free(t->context, &t->trial);
    for (size_t k = 0; k < PT_TANGENTS; k++)
        tangent_free(t->context, &t->kept[k]);
    *t = (pt_tangents){0};
}

/* In several sums, so that they can be vectors. */
static double dot(const double *a, const double *b, size_t count)
{
    double part[8] = {0}, sum = 0;
    size_t k = 0;
    for (; k + 8 <= count; k += 8)
        for (size_t j = 0; j < 8; j++)
            part[j] += a[k + j] * b[k + j];
    for (; k < count; k++)
        sum += a[k] * b[k];
    for (size_t j = 0; j < 8; j++)
        sum += part[j];
    return sum;
}

/* ---- Remembering ---- */

/* Makes room for a difference at the front, where the oldest gives way. */
static partan_status shift(pt_tangents *t)
{
    size_t last = t->count < PT_TANGENTS ? t->count : PT_TANGENTS - 1;
    if (t->count < PT_TANGENTS) {
        tangent_free(t->context, &t->kept[last]);
        partan_status status = tangent_make(&t->kept[last], t->context, t->members);
        if (status)
            return status;
        t->count++;
    }
    pt_tangent front = t->kept[last];
    for (size_t k = last; k > 0; k--) {
        t->kept[k] = t->kept[k - 1];
        for (size_t l = last; l > 0; l--)
            t->gram[k][l] = t->gram[k - 1][l - 1];
    }
    t->kept[0] = front;
    return PARTAN_OK;
}

static partan_status remember(pt_tangents *t, const double *weights, const double *scores)
{
    partan_status status = shift(t);
    if (status)
        return status;
    const pt_tangent *latest = &t->kept[0];
    for (size_t i = 0; i < t->members; i++) {
        latest->weights[i] = weights[i] - t->last.weights[i];
        latest->scores[i] = scores[i] - t->last.scores[i];
    }
    memcpy(t->last.weights, weights, t->members * sizeof *weights);
    memcpy(t->last.scores, scores, t->members * sizeof *scores);
    for (size_t k = 0; k < t->count; k++) {
        double one = dot(latest->weights, t->kept[k].scores, t->members);
        double other = dot(t->kept[k].weights, latest->scores, t->members);
        t->gram[0][k] = t->gram[k][0] = (one + other) / 2;
        if (!(fabs(one - other) <= ASYMMETRY * sqrt(t->gram[0][0] * t->gram[k][k]))) {
            t->count = k; /* the older ones are no longer K times their weights, but for rounding */
            break;
        }
    }
    return PARTAN_OK;
}

/* ---- The step ---- */

/* Minimises f over a + span of the latest n differences: gram x = -slopes, by elimination; one that the others span
 * gets 0. */
static void best_factors(const pt_tangents *t, const double *slopes, size_t n, double *x)
{
    double A[PT_TANGENTS][PT_TANGENTS + 1];
    for (size_t i = 0; i < n; i++) {
        memcpy(A[i], t->gram[i], n * sizeof *A[i]);
        A[i][n] = -slopes[i];
    }
    for (size_t k = 0; k < n; k++)
        for (size_t i = k + 1; i < n && A[k][k] > RANK_LIMIT * t->gram[k][k]; i++) {
            double ratio = A[i][k] / A[k][k];
            for (size_t j = k; j <= n; j++)
                A[i][j] -= ratio * A[k][j];
        }
    for (size_t k = n; k-- > 0;) {
        x[k] = 0;
        if (!(A[k][k] > RANK_LIMIT * t->gram[k][k]))
            continue;
        x[k] = A[k][n];
        for (size_t j = k + 1; j < n; j++)
            x[k] -= A[k][j] * x[j];
        x[k] /= A[k][k];
    }
}

/* How far along a direction the weights stay positive, at most `most`. */
static double ratio_test(const double *weights, const double *direction, size_t members, double most)
{
    for (size_t i = 0; i < members; i++)
        if (direction[i] < 0 && weights[i] < -most * direction[i])
            most = weights[i] / -direction[i];
    return most;
}

static void combine(const pt_tangents *t, const double *x, size_t n, pt_tangent *to)
{
    memset(to->weights, 0, t->members * sizeof *to->weights);
    memset(to->scores, 0, t->members * sizeof *to->scores);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < t->members && x[k] != 0; i++) {
            to->weights[i] += x[k] * t->kept[k].weights[i];
            to->scores[i] += x[k] * t->kept[k].scores[i];
        }
}

/* The step along the latest n differences: its direction, how far, and what it gains, by the direction itself, so that
 * rounding in the small system does no harm. */
static double try_step(const pt_tangents *t, const double *weights, const double *scores, const double *slopes,
                       size_t n, pt_tangent *to)
{
    double x[PT_TANGENTS], largest = 0;
    best_factors(t, slopes, n, x);
    for (size_t k = 0; k < n; k++)
        largest = fmax(largest, fabs(x[k]));
    if (!(largest <= MOST_FACTOR))
        return 0;
    combine(t, x, n, to);
    double slope = dot(to->weights, scores, t->members), curvature = dot(to->weights, to->scores, t->members);
    if (!(slope < 0) || !(curvature > 0))
        return 0;
    to->share = ratio_test(weights, to->weights, t->members, -slope / curvature);
    return -to->share * slope - to->share * to->share * curvature / 2;
}

static void apply(const pt_tangent *step, size_t members, double *weights, double *scores)
{
    for (size_t i = 0; i < members; i++) {
        double weight = weights[i] + step->share * step->weights[i];
        bool blocks = step->weights[i] < 0 && weights[i] <= -step->share * step->weights[i];
        weights[i] = blocks || weight < 0 ? 0 : weight;
        scores[i] += step->share * step->scores[i];
    }
}

partan_status pt_tangents_step(pt_tangents *t, double *weights, double *scores, double *gain)
{
    double slopes[PT_TANGENTS];
    *gain = 0;
    partan_status status = remember(t, weights, scores);
    if (status)
        return status;
    for (size_t k = 0; k < t->count; k++)
        slopes[k] = dot(t->kept[k].weights, scores, t->members);
    for (size_t n = t->count; n > 0; n /= 2) {
        double found = try_step(t, weights, scores, slopes, n, &t->trial);
        if (!(found > *gain))
            continue;
        pt_tangent better = t->trial;
        *gain = found;
        t->trial = t->best;
        t->best = better;
    }
    if (!(*gain > LEAST_GAIN * fabs(dot(weights, scores, t->members))))
        *gain = 0;
    else
        apply(&t->best, t->members, weights, scores);
    return PARTAN_OK;
}
