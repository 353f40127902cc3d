#include "lasso/ball.h"

#include <math.h>
#include <string.h>

#include "core/random.h"

typedef struct best {
    double size; /* |<column, residual>| / n */
    int64_t id;  /* the vertex; -1: none */
} best;

typedef struct ball {
    pt_problem problem; /* first: the variants see this */
    const pt_design *design;
    double radius;
    size_t sample;
    pt_random random;
    double *now, *previous; /* Ax; the second only where the variant needs it */
    double *residual;       /* room for b - Ax, and for a column */
    double *column;
    best *found;   /* of each chunk of columns */
    int64_t *list; /* columns to look at */
    size_t list_room;
    double *scores; /* of the columns in the list */
    uint64_t work;  /* products of columns with vectors */
} ball;

/* ---- Vectors ---- */

static double inner(const ball *b, const double *x, const double *y)
{
    return b->design->store->ops->dot(x, y, b->design->store->padded);
}

static void make_residual(const ball *b, const double *product)
{
    for (size_t row = 0; row < b->design->store->padded; row++)
        b->residual[row] = b->design->target[row] - product[row];
}

/* vector += factor * vertex. */
static void add_vertex(ball *b, int64_t vertex, double factor, double *vector)
{
    pt_design_column(b->design, (size_t)(vertex / 2), b->column);
    b->design->store->ops->axpy(factor * pt_ball_coefficient(b->radius, vertex), b->column, b->design->store->padded,
                                vector);
    b->work++;
}

/* ---- The oracle ---- */

/* <gradient, vertex> of the better of a column's two vertices, from <column, residual> / n. */
static double score_of(const ball *b, double size)
{
    return -b->radius * (double)b->design->counted * size;
}

static void keep_best(void *user, size_t first, size_t count, const double *products)
{
    ball *b = user;
    best found = {-1, -1};
    for (size_t i = 0; i < count; i++)
        if (fabs(products[i]) > found.size)
            found = (best){fabs(products[i]), 2 * (int64_t)(first + i) + (products[i] < 0)};
    b->found[first / PT_SCAN_CHUNK] = found;
}

static partan_status look_at_all(ball *b, pt_vertex *vertex)
{
    size_t features = b->design->store->features;
    make_residual(b, b->now);
    partan_status status = pt_design_scan(b->design, NULL, features, b->residual, 1, keep_best, b, NULL);
    if (status)
        return status;
    best found = b->found[0];
    for (size_t chunk = 1; chunk < (features + PT_SCAN_CHUNK - 1) / PT_SCAN_CHUNK; chunk++)
        if (b->found[chunk].size > found.size)
            found = b->found[chunk];
    b->work += features;
    *vertex = (pt_vertex){.id = found.id, .score = score_of(b, found.size)};
    return PARTAN_OK;
}

static partan_status reserve(ball *b, size_t count)
{
    if (count <= b->list_room)
        return PARTAN_OK;
    partan_context *context = b->problem.context;
    pt_free(context, b->list);
    pt_free(context, b->scores);
    b->list_room = 0;
    b->list = pt_alloc(context, 2 * count, sizeof *b->list);
    b->scores = pt_alloc(context, 2 * count, sizeof *b->scores);
    if (!b->list || !b->scores)
        return pt_out_of_memory(context, "the scores of columns");
    b->list_room = 2 * count;
    return PARTAN_OK;
}

static void keep_scores(void *user, size_t first, size_t count, const double *products)
{
    memcpy(((ball *)user)->scores + first, products, count * sizeof *products);
}

/* Scores of the columns in the list. */
static partan_status look_at_list(ball *b, size_t count)
{
    make_residual(b, b->now);
    b->work += count;
    return pt_design_scan(b->design, b->list, count, b->residual, 1, keep_scores, b, NULL);
}

static partan_status look_at_sample(ball *b, pt_vertex *vertex)
{
    partan_status status = reserve(b, b->sample);
    for (size_t i = 0; i < b->sample && !status; i++)
        b->list[i] = (int64_t)pt_random_below(&b->random, b->design->store->features);
    if (!status)
        status = look_at_list(b, b->sample);
    if (status)
        return status;
    best found = {-1, -1};
    for (size_t i = 0; i < b->sample; i++)
        if (fabs(b->scores[i]) > found.size)
            found = (best){fabs(b->scores[i]), 2 * b->list[i] + (b->scores[i] < 0)};
    *vertex = (pt_vertex){.id = found.id, .score = score_of(b, found.size)};
    return PARTAN_OK;
}

static partan_status ball_toward(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    (void)iterate;
    ball *b = (ball *)problem;
    return b->sample ? look_at_sample(b, vertex) : look_at_all(b, vertex);
}

static partan_status ball_away(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    ball *b = (ball *)problem;
    partan_status status = reserve(b, iterate->count);
    size_t count = 0;
    for (size_t i = 0; i < iterate->count && !status; i++)
        b->list[i] = iterate->id[i] / 2;
    if (!status)
        status = look_at_list(b, iterate->count);
    *vertex = (pt_vertex){.id = -1};
    for (size_t i = 0; i < iterate->count && !status; i++) {
        double score = score_of(b, iterate->id[i] % 2 ? -b->scores[i] : b->scores[i]);
        if (iterate->now[i] > 0 && (count++ == 0 || score > vertex->score))
            *vertex = (pt_vertex){.id = iterate->id[i], .score = score};
    }
    return status;
}

/* ---- The rest of a vertex ---- */

static partan_status ball_inspect(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    (void)iterate;
    ball *b = (ball *)problem;
    const pt_design *d = b->design;
    size_t column = (size_t)(vertex->id / 2);
    double factor = pt_ball_coefficient(b->radius, vertex->id), n = (double)d->counted;
    vertex->linear = -factor * n * d->correlation[column];
    vertex->diagonal = factor * factor * n * d->square[column];
    vertex->previous_score = 0;
    if (b->previous) {
        pt_design_column(d, column, b->column);
        vertex->previous_score = factor * inner(b, b->column, b->previous) + vertex->linear;
        b->work++;
    }
    return PARTAN_OK;
}

static partan_status ball_product(pt_problem *problem, const pt_vertex *u, const pt_vertex *v, double *product)
{
    ball *b = (ball *)problem;
    pt_design_column(b->design, (size_t)(u->id / 2), b->column);
    pt_design_column(b->design, (size_t)(v->id / 2), b->residual);
    *product = pt_ball_coefficient(b->radius, u->id) * pt_ball_coefficient(b->radius, v->id)
               * inner(b, b->column, b->residual);
    b->work += 2;
    return PARTAN_OK;
}

/* ---- The state ---- */

static void ball_measure(pt_problem *problem, const pt_iterate *iterate, pt_measure *measure)
{
    (void)iterate;
    const ball *b = (const ball *)problem;
    *measure = (pt_measure){.linear = -inner(b, b->design->target, b->now)};
    measure->objective = inner(b, b->now, b->now) / 2 + measure->linear;
    if (!b->previous)
        return;
    measure->cross = inner(b, b->now, b->previous);
    measure->previous_linear = -inner(b, b->design->target, b->previous);
    measure->previous_objective = inner(b, b->previous, b->previous) / 2 + measure->previous_linear;
}

static partan_status ball_start(pt_problem *problem, const pt_iterate *iterate, pt_measure *measure)
{
    ball *b = (ball *)problem;
    size_t padded = b->design->store->padded;
    if (problem->keeps_previous && !b->previous) {
        b->previous = pt_alloc_zero(problem->context, padded, sizeof *b->previous);
        if (!b->previous)
            return pt_out_of_memory(problem->context, "the previous iterate");
    }
    memset(b->now, 0, padded * sizeof *b->now);
    if (b->previous)
        memset(b->previous, 0, padded * sizeof *b->previous);
    for (size_t i = 0; i < iterate->count; i++)
        if (iterate->now[i] > 0)
            add_vertex(b, iterate->id[i], iterate->now[i], b->now);
    ball_measure(problem, iterate, measure);
    return PARTAN_OK;
}

static partan_status ball_move(pt_problem *problem, const pt_iterate *iterate, const pt_move *move)
{
    (void)iterate;
    ball *b = (ball *)problem;
    size_t padded = b->design->store->padded;
    double *next = b->previous ? b->residual : b->now;
    for (size_t row = 0; row < padded; row++)
        next[row] = move->now_factor * b->now[row] + (b->previous ? move->previous_factor * b->previous[row] : 0);
    for (int t = 0; t < move->terms; t++)
        add_vertex(b, move->term[t].id, move->term[t].factor, next);
    if (b->previous) { /* now becomes the previous one, whose room is free for the next residual */
        b->residual = b->previous;
        b->previous = b->now;
        b->now = next;
    }
    return PARTAN_OK;
}

static partan_status ball_certify(pt_problem *problem, const pt_iterate *iterate, double target,
                                  pt_certificate *certificate)
{
    (void)target;
    ball *b = (ball *)problem;
    pt_measure measure;
    pt_vertex least;
    partan_status status = ball_start(problem, iterate, &measure);
    if (!status)
        status = look_at_all(b, &least);
    if (!status)
        *certificate =
            pt_certificate_of(pt_inner_product(measure.objective, measure.linear), measure.linear, least.score);
    return status;
}

/* ---- The problem ---- */

/* 1/2 |b|^2, the objective at 0. */
static double ball_scale(const pt_problem *problem, double objective)
{
    (void)objective;
    return problem->constant > 0 ? problem->constant : 1;
}

static uint64_t ball_work(const pt_problem *problem)
{
    return ((const ball *)problem)->work;
}

static void ball_free(pt_problem *problem)
{
    ball *b = (ball *)problem;
    partan_context *context = problem->context;
    pt_free(context, b->now);
    pt_free(context, b->previous);
    pt_free(context, b->residual);
    pt_free(context, b->column);
    pt_free(context, b->found);
    pt_free(context, b->list);
    pt_free(context, b->scores);
    pt_free(context, b);
}

static const pt_problem_ops ball_ops = {.start = ball_start,
                                        .toward = ball_toward,
                                        .away = ball_away,
                                        .inspect = ball_inspect,
                                        .product = ball_product,
                                        .move = ball_move,
                                        .measure = ball_measure,
                                        .certify = ball_certify,
                                        .scale = ball_scale,
                                        .work = ball_work,
                                        .free = ball_free,
                                        .not_finite = "the residual is not finite"};

partan_status pt_ball(const pt_design *design, double radius, size_t sample, uint64_t seed, pt_problem **problem)
{
    partan_context *context = design->context;
    size_t padded = design->store->padded, chunks = design->store->features / PT_SCAN_CHUNK + 1;
    ball *b = pt_alloc_zero(context, 1, sizeof *b);
    *problem = NULL;
    if (!b)
        return pt_out_of_memory(context, "the problem");
    b->problem = (pt_problem){.ops = &ball_ops,
                              .context = context,
                              .sampled = sample > 0,
                              .constant = design->target_square * (double)design->counted / 2};
    b->design = design;
    b->radius = radius;
    b->sample = sample;
    pt_random_seed(&b->random, seed);
    b->now = pt_alloc_zero(context, padded, sizeof *b->now);
    b->residual = pt_alloc_zero(context, padded, sizeof *b->residual);
    b->column = pt_alloc_zero(context, padded, sizeof *b->column);
    b->found = pt_alloc(context, chunks, sizeof *b->found);
    if (!b->now || !b->residual || !b->column || !b->found) {
        ball_free(&b->problem);
        return pt_out_of_memory(context, "the problem");
    }
    *problem = &b->problem;
    return PARTAN_OK;
}
