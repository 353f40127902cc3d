#include "svm/few.h"

#include <math.h>

#include "core/agree.h"
#include "simplex/share.h"
#include "svm/threshold.h"
#include "svm/weighty.h"

enum {
    MOST_ROWS = 1 << 14,    /* with losses, of which kernel values of each with each are computed in double, */
    MOST_STOPPED = 1 << 10, /* and of a training that somebody waits for the end of */
    MOST_FEATURES = 2048,   /* that a kernel value of sparse rows takes the time of */
    VALUE_FEATURES = 25     /* that it takes the time of beside its own */
};

#define MOST_WORK ((double)(UINT64_C(1) << 35)) /* features of these kernel values: seconds */

/* A point of the dual. */
typedef struct point {
    pt_weighty rows; /* with weights */
    double *weights; /* of the rows here: l, or signed as the row's vertex is */
} point;

static partan_status point_make(const pt_few *few, point *p)
{
    size_t rows = few->data->matrix.rows;
    *p = (point){.rows.rows = pt_alloc(few->context, rows, sizeof *p->rows.rows),
                 .weights = pt_alloc(few->context, rows, sizeof *p->weights)};
    return pt_agree(few->context, few->comm,
                    p->rows.rows && p->weights ? PARTAN_OK : pt_out_of_memory(few->context, "the certificate"));
}

static void point_free(const pt_few *few, point *p)
{
    pt_free(few->context, p->rows.rows);
    pt_free(few->context, p->weights);
}

static double cost_of(const pt_few *few, size_t row)
{
    double weight = few->signs ? pt_class_weight(&few->model->classes, few->signs[row] > 0) : 1;
    return few->model->settings.cost * pt_data_weight(few->data, row) * weight;
}

static void add(point *p, size_t row, double weight)
{
    p->rows.rows[p->rows.count++] = (int64_t)row;
    p->weights[row] = weight;
}

static size_t most_rows(const pt_few *few)
{
    partan_status status = few->model->result.status;
    double features = VALUE_FEATURES + fmin((double)few->model->features, MOST_FEATURES);
    if (status == PARTAN_INTERRUPTED || status == PARTAN_TIME_LIMIT)
        return MOST_STOPPED;
    return (size_t)fmin(MOST_ROWS, sqrt(MOST_WORK / features));
}

/* Leaves so many as there is time for. */
static void thin(const pt_few *few, point *p)
{
    size_t most = most_rows(few);
    p->rows.all = pt_count_all(few->comm, p->rows.count, &p->rows.first);
    pt_weighty_thin(&p->rows, p->rows.all < most ? (size_t)p->rows.all : most);
}

/* What this is about while sums over its rows go through the processes. */
typedef struct adding {
    const pt_few *few;
    point *p;
    const double *values; /* of the rows here, or of the point's among them; NULL: 0 */
} adding;

/* ---- The norm: sum l_i l_j k(x_i, x_j) ---- */

/* The point's rows of all processes, and those here, which are `all` where there is one process. */
typedef struct gathered {
    pt_matrix all, here;
    double *weights; /* of all, and of those here */
    double *own_weights;
    size_t count;
} gathered;

static void gathered_free(const pt_few *few, gathered *g)
{
    pt_matrix_free(&g->all);
    pt_matrix_free(&g->here);
    pt_free(few->context, g->weights);
    pt_free(few->context, g->own_weights);
}

/* The numbers of the point's rows, and their weights: each process knows its own. */
static void tell(const pt_few *few, const point *p, const pt_share *share, gathered *g, uint64_t *numbers)
{
    for (size_t i = 0; i < p->rows.count; i++) {
        numbers[p->rows.first + i] = (uint64_t)(pt_share_first(share) + p->rows.rows[i]);
        g->weights[p->rows.first + i] = g->own_weights[i];
    }
    few->comm->sum_integers(few->comm, numbers, g->count);
    few->comm->sum(few->comm, g->weights, g->count);
}

/* Of the rows of all processes, each with all. */
static partan_status meet(const pt_few *few, const point *p, gathered *g)
{
    pt_share share;
    g->count = (size_t)p->rows.all;
    g->weights = pt_alloc_zero(few->context, g->count, sizeof *g->weights);
    uint64_t *numbers = pt_alloc_zero(few->context, g->count, sizeof *numbers);
    bool room = g->weights && numbers;
    partan_status status =
        pt_agree(few->context, few->comm, room ? PARTAN_OK : pt_out_of_memory(few->context, "the certificate"));
    if (!status) {
        status = pt_share_open(&share, few->context, few->comm, &few->data->matrix);
        if (!status) {
            tell(few, p, &share, g, numbers);
            status = pt_share_gather(&share, (const int64_t *)numbers, g->count, &g->all);
        }
        pt_share_free(&share);
    }
    pt_free(few->context, numbers);
    return status;
}

static partan_status gather(const pt_few *few, const point *p, gathered *g)
{
    const pt_weighty *rows = &p->rows;
    *g = (gathered){.own_weights = pt_alloc(few->context, rows->count, sizeof *g->own_weights)};
    partan_status status = g->own_weights ? PARTAN_OK : pt_out_of_memory(few->context, "the certificate");
    for (size_t i = 0; i < rows->count && !status; i++)
        g->own_weights[i] = p->weights[rows->rows[i]];
    if (!status)
        status = pt_matrix_gather(&few->data->matrix, rows->rows, rows->count, &g->here);
    status = pt_agree(few->context, few->comm, status);
    return status || !few->comm ? status : meet(few, p, g);
}

static void add_products(void *user, double *norm)
{
    const adding *a = user;
    const pt_weighty *rows = &a->p->rows;
    for (size_t i = 0; i < rows->count; i++)
        *norm += a->p->weights[rows->rows[i]] * a->values[i];
}

static partan_status find_norm(const pt_few *few, point *p, double *norm)
{
    gathered g;
    pt_kernel kernel = pt_model_kernel(few->model);
    size_t count = p->rows.count;
    double *sums = pt_alloc(few->context, count, sizeof *sums);
    partan_status status = gather(few, p, &g);
    pt_points here = {.matrix = &g.here}, all = {.matrix = few->comm ? &g.all : &g.here};
    if (!status && !sums)
        status = pt_out_of_memory(few->context, "the certificate");
    if (!status && count > 0)
        status = pt_kernel_sums_exact(few->context, &kernel, here, all, few->comm ? g.count : count,
                                      few->comm ? g.weights : g.own_weights, sums);
    status = pt_agree(few->context, few->comm, status);
    *norm = 0;
    if (!status)
        pt_in_turn(few->comm, add_products, &(adding){.few = few, .p = p, .values = sums}, norm, 1);
    gathered_free(few, &g);
    pt_free(few->context, sums);
    return status;
}

/* ---- Classes and regression ---- */

double pt_few_lack(double label, double value, double epsilon)
{
    double error = label - value;
    return error > epsilon ? error - epsilon : error < -epsilon ? error + epsilon : 0;
}

/* What the function should be at a row: with classes, this or beyond it. */
static double target_of(const pt_few *few, size_t row)
{
    return few->signs ? (double)few->signs[row] : partan_data_label(few->data, row) - few->mean;
}

static double epsilon_of(const pt_few *few)
{
    return few->signs ? 0 : few->model->settings.epsilon;
}

static double lack_of(const pt_few *few, size_t row, double value)
{
    double target = target_of(few, row), lack = pt_few_lack(target, value, epsilon_of(few));
    return few->signs && target * lack < 0 ? 0 : lack;
}

enum { SUM, LINEAR, OWN, SUMS };

/* Sums over the point's rows: of l, of the dual's linear term, and of l_i^2 / C_i. */
static void add_point(void *user, double *sums)
{
    const adding *a = user;
    const pt_few *few = a->few;
    for (size_t i = 0; i < a->p->rows.count; i++) {
        size_t row = (size_t)a->p->rows.rows[i];
        double weight = a->p->weights[row];
        sums[SUM] += weight;
        sums[LINEAR] += weight * target_of(few, row) - epsilon_of(few) * fabs(weight);
        sums[OWN] += weight * weight / cost_of(few, row);
    }
}

/* The best multiple of l: D(s l) = s L - s^2 Q / 2. */
static partan_status find_bound(const pt_few *few, point *p, double *bound)
{
    double sums[SUMS] = {0}, norm = 0;
    thin(few, p);
    pt_in_turn(few->comm, add_point, &(adding){.few = few, .p = p}, sums, SUMS);
    partan_status status = p->rows.all > 0 ? find_norm(few, p, &norm) : PARTAN_OK;
    double linear = sums[LINEAR], bend = norm + sums[SUM] * sums[SUM] + sums[OWN]; /* the kernel has the bias's 1 */
    *bound = linear > 0 ? linear * linear / (2 * bend) : 0;
    return status;
}

static void add_losses(void *user, double *losses)
{
    const adding *a = user;
    a->p->rows.count = 0;
    for (size_t row = 0; row < a->few->data->matrix.rows; row++) {
        double cost = cost_of(a->few, row);
        if (!(cost > 0))
            continue;
        double lack = lack_of(a->few, row, a->values ? a->values[row] : 0);
        *losses += cost * lack * lack / 2;
        if (lack != 0)
            add(a->p, row, cost * lack);
    }
}

/* The losses of a function, half their sum of squares and the point they make. NULL: of w = 0. */
static double find_losses(const pt_few *few, const double *values, point *p)
{
    double losses = 0;
    pt_in_turn(few->comm, add_losses, &(adding){.few = few, .p = p, .values = values}, &losses, 1);
    return losses;
}

partan_status pt_few_certify(pt_few *few, const double *values, double norm)
{
    point p;
    double primal = norm / 2, bound = 0;
    partan_status status = point_make(few, &p);
    if (!status) {
        primal += find_losses(few, values, &p);
        status = find_bound(few, &p, &bound);
    }
    if (!status && !(bound > 0)) { /* a function without losses, or as good as none */
        find_losses(few, NULL, &p);
        status = find_bound(few, &p, &bound);
    }
    few->objective = few->signs ? 1 / (4 * bound) : -bound;
    few->gap = few->signs ? few->objective - 1 / (4 * primal) : primal - bound;
    point_free(few, &p);
    return status;
}

/* ---- Outliers ---- */

/* The rows that count, whose excesses over R^2 make the point. */
typedef struct ball {
    adding adding;
    const int64_t *rows;
    size_t count;
    const double *distances; /* of these */
    double radius;           /* R^2 */
} ball;

static void add_excesses(void *user, double *primal)
{
    const ball *b = user;
    for (size_t i = 0; i < b->count; i++) {
        double cost = cost_of(b->adding.few, (size_t)b->rows[i]), excess = fmax(b->distances[i] - b->radius, 0);
        *primal += cost * excess * excess / 4;
        if (excess > 0)
            add(b->adding.p, (size_t)b->rows[i], cost * excess / 2);
    }
}

/* R^2 that is best for the centre, and the losses of rows outside, which add up to 1 then. */
static partan_status find_ball(const pt_few *few, const double *distances, point *p, double *primal)
{
    partan_settings settings = few->model->settings;
    partan_model whole = {.context = few->context, .settings = settings}; /* all rows count here */
    int64_t *rows = NULL;
    size_t count = 0;
    double radius = 0;
    settings.outliers = 0;
    partan_status status = pt_threshold_rows(few->context, few->comm, &whole, few->data, &rows, &count);
    double *chosen = status ? NULL : pt_alloc(few->context, count, sizeof *chosen);
    if (!status && !chosen)
        status = pt_out_of_memory(few->context, "the certificate");
    status = pt_agree(few->context, few->comm, status);
    for (size_t i = 0; i < count && !status; i++)
        chosen[i] = distances[rows[i]];
    if (!status)
        status = pt_threshold(few->context, few->comm, few->data, &settings, rows, count, chosen, &radius);
    *primal = radius;
    if (!status)
        pt_in_turn(few->comm, add_excesses, &(ball){{.few = few, .p = p}, rows, count, chosen, radius}, primal, 1);
    pt_free(few->context, chosen);
    pt_free(few->context, rows);
    return status;
}

enum { WEIGHTS, SELVES, OWN_PARTS, BALL_SUMS };

static void add_ball(void *user, double *sums)
{
    const adding *a = user;
    const pt_weighty *rows = &a->p->rows;
    pt_kernel kernel = pt_model_kernel(a->few->model);
    pt_points points = {.matrix = &a->few->data->matrix};
    for (size_t i = 0; i < rows->count; i++) {
        size_t row = (size_t)rows->rows[i];
        double weight = a->p->weights[row];
        sums[WEIGHTS] += weight;
        sums[SELVES] += weight * pt_kernel_self(&kernel, points, row);
        sums[OWN_PARTS] += weight * weight / cost_of(a->few, row);
    }
}

/* f(l) with l made to add up to 1. */
static partan_status find_objective(const pt_few *few, point *p, double *objective)
{
    double sums[BALL_SUMS] = {0}, norm = 0;
    thin(few, p);
    pt_in_turn(few->comm, add_ball, &(adding){.few = few, .p = p}, sums, BALL_SUMS);
    partan_status status = find_norm(few, p, &norm);
    *objective = ((norm + sums[OWN_PARTS]) / sums[WEIGHTS] - sums[SELVES]) / sums[WEIGHTS] / 2;
    return status;
}

partan_status pt_few_outlier(pt_few *few, const double *distances)
{
    point p;
    double primal = 0;
    partan_status status = point_make(few, &p);
    if (!status)
        status = find_ball(few, distances, &p, &primal);
    if (!status)
        status = find_objective(few, &p, &few->objective);
    few->gap = primal / 2 + few->objective;
    point_free(few, &p);
    return status;
}
