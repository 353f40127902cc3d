/* A quadratic over the unit simplex as plainly as can be: Q and c given in full, every state a pair of vectors. The
 * variants are tested on it beside the SVM, with a linear term and with objectives of any sign. */
#ifndef QUADRATIC_H
#define QUADRATIC_H

#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "core/random.h"
#include "fw/solve.h"
#include "testing.h"

enum { QUADRATIC_SIZE = 64 };

typedef struct quadratic {
    pt_problem problem; /* first: the variants see this */
    size_t n;
    double Q[QUADRATIC_SIZE][QUADRATIC_SIZE];
    double c[QUADRATIC_SIZE];
    double gradient[QUADRATIC_SIZE], previous[QUADRATIC_SIZE];
    uint64_t work;
    int doubts;                /* so many certificates claim a gap that is too large */
    double pause;              /* seconds that a certificate takes */
    double started, certified; /* the clock at the start, and at the end of the last certificate */
} quadratic;

/* ---- Straight from the definition ---- */

static inline double quadratic_product(const quadratic *q, const double *x, const double *z)
{
    double sum = 0;
    for (size_t i = 0; i < q->n; i++)
        for (size_t j = 0; j < q->n; j++)
            sum += x[i] * q->Q[i][j] * z[j];
    return sum;
}

static inline double quadratic_linear(const quadratic *q, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < q->n; i++)
        sum += q->c[i] * x[i];
    return sum;
}

static inline double quadratic_value(const quadratic *q, const double *x)
{
    return quadratic_product(q, x, x) / 2 + quadratic_linear(q, x);
}

/* By central differences, which are exact for a quadratic but for rounding. */
static inline double quadratic_slope(const quadratic *q, const double *x, size_t i)
{
    double beside[QUADRATIC_SIZE], h = 0.125;
    memcpy(beside, x, q->n * sizeof *x);
    beside[i] = x[i] + h;
    double up = quadratic_value(q, beside);
    beside[i] = x[i] - h;
    return (up - quadratic_value(q, beside)) / (2 * h);
}

/* ---- The problem interface ---- */

static inline void quadratic_weights(const quadratic *q, const pt_iterate *iterate, double *now, double *previous)
{
    for (size_t i = 0; i < q->n; i++) {
        now[i] = pt_iterate_weight(iterate, (int64_t)i);
        previous[i] = pt_iterate_previous(iterate, (int64_t)i);
    }
}

static inline void quadratic_measure(pt_problem *problem, const pt_iterate *iterate, pt_measure *measure)
{
    const quadratic *q = (const quadratic *)problem;
    double x[QUADRATIC_SIZE], b[QUADRATIC_SIZE];
    quadratic_weights(q, iterate, x, b);
    *measure = (pt_measure){.objective = quadratic_value(q, x),
                            .linear = quadratic_linear(q, x),
                            .cross = quadratic_product(q, x, b),
                            .previous_objective = quadratic_value(q, b),
                            .previous_linear = quadratic_linear(q, b)};
}

static inline void quadratic_gradient(quadratic *q, const pt_iterate *iterate)
{
    double x[QUADRATIC_SIZE], b[QUADRATIC_SIZE];
    quadratic_weights(q, iterate, x, b);
    for (size_t i = 0; i < q->n; i++) {
        q->gradient[i] = q->c[i];
        for (size_t j = 0; j < q->n; j++)
            q->gradient[i] += q->Q[i][j] * x[j];
    }
}

static inline partan_status quadratic_start(pt_problem *problem, const pt_iterate *iterate, pt_measure *measure)
{
    ((quadratic *)problem)->started = pt_clock();
    quadratic_gradient((quadratic *)problem, iterate);
    quadratic_measure(problem, iterate, measure);
    return PARTAN_OK;
}

static inline partan_status quadratic_toward(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    (void)iterate;
    const quadratic *q = (const quadratic *)problem;
    size_t least = 0;
    for (size_t i = 1; i < q->n; i++)
        least = q->gradient[i] < q->gradient[least] ? i : least;
    *vertex = (pt_vertex){.id = (int64_t)least, .score = q->gradient[least]};
    return PARTAN_OK;
}

static inline partan_status quadratic_away(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    const quadratic *q = (const quadratic *)problem;
    *vertex = (pt_vertex){.id = -1, .score = -INFINITY};
    for (size_t i = 0; i < q->n; i++)
        if (pt_iterate_weight(iterate, (int64_t)i) > 0 && q->gradient[i] > vertex->score)
            *vertex = (pt_vertex){.id = (int64_t)i, .score = q->gradient[i]};
    return PARTAN_OK;
}

static inline partan_status quadratic_inspect(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    (void)iterate;
    const quadratic *q = (const quadratic *)problem;
    vertex->diagonal = q->Q[vertex->id][vertex->id];
    vertex->linear = q->c[vertex->id];
    vertex->previous_score = q->previous[vertex->id];
    return PARTAN_OK;
}

static inline partan_status quadratic_between(pt_problem *problem, const pt_vertex *u, const pt_vertex *v,
                                              double *product)
{
    *product = ((const quadratic *)problem)->Q[u->id][v->id];
    return PARTAN_OK;
}

/* The factors add up to 1, so the gradient, affine in x, is combined as x is. */
static inline partan_status quadratic_move(pt_problem *problem, const pt_iterate *iterate, const pt_move *move)
{
    (void)iterate;
    quadratic *q = (quadratic *)problem;
    for (size_t i = 0; i < q->n; i++) {
        double next = move->now_factor * q->gradient[i] + move->previous_factor * q->previous[i];
        for (int t = 0; t < move->terms; t++)
            next += move->term[t].factor * (q->Q[i][move->term[t].id] + q->c[i]);
        q->previous[i] = q->gradient[i];
        q->gradient[i] = next;
    }
    return PARTAN_OK;
}

static inline partan_status quadratic_certify(pt_problem *problem, const pt_iterate *iterate, double target,
                                              pt_certificate *certificate)
{
    (void)target;
    quadratic *q = (quadratic *)problem;
    double x[QUADRATIC_SIZE], b[QUADRATIC_SIZE], inner = 0;
    quadratic_weights(q, iterate, x, b);
    quadratic_gradient(q, iterate);
    pt_vertex least;
    quadratic_toward(problem, iterate, &least);
    for (size_t i = 0; i < q->n; i++)
        inner += x[i] * q->gradient[i];
    *certificate = (pt_certificate){
        .objective = quadratic_value(q, x), .linear = quadratic_linear(q, x), .gap = inner - least.score};
    q->work += q->n * q->n; /* moves cost none, as if every column were cached */
    if (q->doubts-- > 0)
        certificate->gap += 1;
    double begun = pt_clock();
    do
        q->certified = pt_clock();
    while (q->certified < begun + q->pause);
    return PARTAN_OK;
}

static inline double quadratic_scale(const pt_problem *problem, double objective)
{
    (void)problem;
    return fabs(objective);
}

static inline uint64_t quadratic_work(const pt_problem *problem)
{
    return ((const quadratic *)problem)->work;
}

static const pt_problem_ops quadratic_ops = {.start = quadratic_start,
                                             .toward = quadratic_toward,
                                             .away = quadratic_away,
                                             .inspect = quadratic_inspect,
                                             .product = quadratic_between,
                                             .move = quadratic_move,
                                             .measure = quadratic_measure,
                                             .certify = quadratic_certify,
                                             .scale = quadratic_scale,
                                             .work = quadratic_work,
                                             .not_finite = "the quadratic is not finite"};

/* Q = B'B / rank of random B, c random of the size given. */
static inline void quadratic_make(quadratic *q, partan_context *context, size_t n, size_t rank, double c, uint64_t seed)
{
    *q = (quadratic){.problem = {.ops = &quadratic_ops, .context = context}, .n = n};
    pt_random random;
    pt_random_seed(&random, seed);
    for (size_t r = 0; r < rank; r++) {
        double row[QUADRATIC_SIZE];
        for (size_t i = 0; i < n; i++)
            row[i] = pt_random_normal(&random);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                q->Q[i][j] += row[i] * row[j] / (double)rank;
    }
    for (size_t i = 0; i < n; i++)
        q->c[i] = c * pt_random_normal(&random);
}

#endif
