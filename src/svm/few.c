#include "svm/few.h"

#include <math.h>

#include "svm/threshold.h"

enum {
    MOST_ROWS = 1 << 14,    /* with losses, of which kernel values of each with each are computed in double, */
    MOST_STOPPED = 1 << 10, /* and of a training that somebody waits for the end of */
    MOST_FEATURES = 2048,   /* that a kernel value of sparse rows takes the time of */
    VALUE_FEATURES = 25     /* that it takes the time of beside its own */
};

#define MOST_WORK ((double)(UINT64_C(1) << 35)) /* features of these kernel values: seconds */

/* A point of the dual: rows with their weights. */
typedef struct point {
    int64_t *rows;
    double *weights; /* l, or signed as the row's vertex is */
    size_t count;
    double own; /* sum l_i^2 / C_i */
} point;

static partan_status point_make(const pt_few *few, point *p)
{
    size_t rows = few->data->matrix.rows;
    *p = (point){.rows = pt_alloc(few->context, rows, sizeof *p->rows),
                 .weights = pt_alloc(few->context, rows, sizeof *p->weights)};
    return p->rows && p->weights ? PARTAN_OK : pt_out_of_memory(few->context, "the certificate");
}

static void point_free(const pt_few *few, point *p)
{
    pt_free(few->context, p->rows);
    pt_free(few->context, p->weights);
}

static double cost_of(const pt_few *few, size_t row)
{
    double weight = few->signs ? pt_class_weight(&few->model->classes, few->signs[row] > 0) : 1;
    return few->model->settings.cost * pt_data_weight(few->data, row) * weight;
}

static void add(point *p, size_t row, double weight)
{
    p->rows[p->count] = (int64_t)row;
    p->weights[p->count++] = weight;
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
    size_t all = p->count, most = most_rows(few);
    p->count = all < most ? all : most;
    p->own = 0;
    for (size_t i = 0; i < p->count; i++) {
        size_t from = i * all / p->count;
        p->rows[i] = p->rows[from];
        p->weights[i] = p->weights[from];
        p->own += p->weights[i] * p->weights[i] / cost_of(few, (size_t)p->rows[i]);
    }
}

/* sum l_i l_j k(x_i, x_j) */
static partan_status find_norm(const pt_few *few, const point *p, double *norm)
{
    pt_matrix rows = {0};
    pt_kernel kernel = pt_model_kernel(few->model);
    double *sums = pt_alloc(few->context, p->count, sizeof *sums);
    partan_status status = sums ? PARTAN_OK : pt_out_of_memory(few->context, "the certificate");
    if (!status)
        status = pt_matrix_gather(&few->data->matrix, p->rows, p->count, &rows);
    pt_points points = {.matrix = &rows};
    if (!status)
        status = pt_kernel_sums_exact(few->context, &kernel, points, points, p->count, p->weights, sums);
    *norm = 0;
    for (size_t i = 0; i < p->count && !status; i++)
        *norm += p->weights[i] * sums[i];
    pt_matrix_free(&rows);
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

/* The best multiple of l: D(s l) = s L - s^2 Q / 2. */
static partan_status find_bound(const pt_few *few, point *p, double *bound)
{
    double sum = 0, linear = 0, norm = 0;
    thin(few, p);
    for (size_t i = 0; i < p->count; i++) {
        sum += p->weights[i];
        linear += p->weights[i] * target_of(few, (size_t)p->rows[i]) - epsilon_of(few) * fabs(p->weights[i]);
    }
    partan_status status = p->count > 0 ? find_norm(few, p, &norm) : PARTAN_OK;
    double bend = norm + sum * sum + p->own; /* the kernel has the bias's 1 */
    *bound = linear > 0 ? linear * linear / (2 * bend) : 0;
    return status;
}

/* The losses of a function, half their sum of squares and the point they make. NULL: of w = 0. */
static double find_losses(const pt_few *few, const double *values, point *p)
{
    double losses = 0;
    p->count = 0;
    for (size_t row = 0; row < few->data->matrix.rows; row++) {
        double cost = cost_of(few, row);
        if (!(cost > 0))
            continue;
        double lack = lack_of(few, row, values ? values[row] : 0);
        losses += cost * lack * lack / 2;
        if (lack != 0)
            add(p, row, cost * lack);
    }
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

/* R^2 that is best for the centre, and the losses of rows outside, which add up to 1 then. */
static partan_status find_ball(const pt_few *few, const double *distances, point *p, double *primal)
{
    partan_settings settings = few->model->settings;
    partan_model whole = {.context = few->context, .settings = settings}; /* all rows count here */
    int64_t *rows = NULL;
    size_t count = 0;
    double radius = 0;
    settings.outliers = 0;
    partan_status status = pt_threshold_rows(few->context, NULL, &whole, few->data, &rows, &count);
    double *chosen = status ? NULL : pt_alloc(few->context, count, sizeof *chosen);
    if (!status && !chosen)
        status = pt_out_of_memory(few->context, "the certificate");
    for (size_t i = 0; i < count && !status; i++)
        chosen[i] = distances[rows[i]];
    if (!status)
        status = pt_threshold(few->context, NULL, few->data, &settings, rows, count, chosen, &radius);
    *primal = radius;
    for (size_t i = 0; i < count && !status; i++) {
        double cost = cost_of(few, (size_t)rows[i]), excess = fmax(chosen[i] - radius, 0);
        *primal += cost * excess * excess / 4;
        if (excess > 0)
            add(p, (size_t)rows[i], cost * excess / 2);
    }
    pt_free(few->context, chosen);
    pt_free(few->context, rows);
    return status;
}

/* f(l) with l made to add up to 1. */
static partan_status find_objective(const pt_few *few, point *p, double *objective)
{
    pt_kernel kernel = pt_model_kernel(few->model);
    pt_points points = {.matrix = &few->data->matrix};
    double sum = 0, norm = 0, selves = 0;
    thin(few, p);
    for (size_t i = 0; i < p->count; i++) {
        sum += p->weights[i];
        selves += p->weights[i] * pt_kernel_self(&kernel, points, (size_t)p->rows[i]);
    }
    partan_status status = find_norm(few, p, &norm);
    *objective = ((norm + p->own) / sum - selves) / sum / 2;
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
