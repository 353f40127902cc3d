/* Small regression problems, with everything about them in plain double arrays: columns centred and scaled by formula,
 * coordinate descent for the penalised form, projected gradient for the ball. Nothing here uses the library's design or
 * solver. */
#ifndef REGRESSION_H
#define REGRESSION_H

#include "balls.h"
#include "partan/partan.h"

typedef struct regression {
    size_t rows, features;
    float *values; /* row after row */
    double *labels;
    bool intercept, standardise;
    double *columns; /* centred and scaled, column after column */
    double *mean, *scale;
    double *target; /* centred */
    double target_mean;
} regression;

static inline void regression_free(regression *g)
{
    free(g->values);
    free(g->labels);
    free(g->columns);
    free(g->mean);
    free(g->scale);
    free(g->target);
}

/* Columns and target by their definitions; a constant column is 0. */
static inline void regression_standardise(regression *g)
{
    double n = (double)g->rows;
    g->target_mean = 0;
    for (size_t i = 0; i < g->rows; i++)
        g->target_mean += g->intercept ? g->labels[i] / n : 0;
    for (size_t i = 0; i < g->rows; i++)
        g->target[i] = g->labels[i] - g->target_mean;
    for (size_t j = 0; j < g->features; j++) {
        double mean = 0, square = 0;
        bool constant = true;
        for (size_t i = 0; i < g->rows; i++) {
            mean += (double)g->values[i * g->features + j] / n;
            constant = constant && g->values[i * g->features + j] == g->values[j];
        }
        for (size_t i = 0; i < g->rows; i++)
            square += pow((double)g->values[i * g->features + j] - mean, 2) / n;
        g->mean[j] = g->intercept ? mean : 0;
        g->scale[j] = g->standardise ? sqrt(square) : 1;
        for (size_t i = 0; i < g->rows; i++)
            g->columns[j * g->rows + i] =
                constant ? 0 : ((double)g->values[i * g->features + j] - g->mean[j]) / g->scale[j];
    }
}

/* A sparse truth with noise. Some columns are special, where there is room: 3 is constant, 5 equals 4, 6 is 0. */
static inline regression regression_make(size_t rows, size_t features, double density, bool intercept, bool standardise,
                                         uint64_t seed)
{
    regression g = {.rows = rows, .features = features, .intercept = intercept, .standardise = standardise};
    pt_random random;
    pt_random_seed(&random, seed);
    g.values = calloc(rows * features, sizeof *g.values);
    g.labels = calloc(rows, sizeof *g.labels);
    g.columns = calloc(rows * features, sizeof *g.columns);
    g.mean = calloc(features, sizeof *g.mean);
    g.scale = calloc(features, sizeof *g.scale);
    g.target = calloc(rows, sizeof *g.target);
    for (size_t i = 0; i < rows; i++) {
        float *row = g.values + i * features;
        for (size_t j = 0; j < features; j++)
            if (pt_random_uniform(&random) < density)
                row[j] = (float)((1 + (double)(j % 3)) * (pt_random_normal(&random) + (j % 2 ? 2 : 0)));
        if (features > 6) {
            row[3] = 7.25f;
            row[5] = row[4];
            row[6] = 0;
        }
        g.labels[i] = 3 + 0.5 * pt_random_normal(&random);
        for (size_t j = 0; j < features && j < 9; j += 2)
            g.labels[i] += (j % 4 ? -1.0 : 1.5) * (double)row[j];
    }
    regression_standardise(&g);
    return g;
}

static inline partan_data *regression_data(partan_context *context, const regression *g, partan_storage storage)
{
    partan_data *data = NULL;
    assert_int_equal(dense_data(context, g->values, g->rows, g->features, g->features, g->labels, storage, &data),
                     PARTAN_OK);
    return data;
}

/* ---- Solvers ---- */

/* residual = target - columns x; returns |residual|^2 / n. */
static inline double regression_residual(const regression *g, const double *x, double *residual)
{
    double square = 0;
    memcpy(residual, g->target, g->rows * sizeof *residual);
    for (size_t j = 0; j < g->features; j++)
        for (size_t i = 0; i < g->rows; i++)
            residual[i] -= x[j] * g->columns[j * g->rows + i];
    for (size_t i = 0; i < g->rows; i++)
        square += residual[i] * residual[i] / (double)g->rows;
    return square;
}

static inline double regression_score(const regression *g, size_t j, const double *residual)
{
    double sum = 0;
    for (size_t i = 0; i < g->rows; i++)
        sum += g->columns[j * g->rows + i] * residual[i] / (double)g->rows;
    return sum;
}

static inline double regression_largest(const regression *g)
{
    double largest = 0;
    for (size_t j = 0; j < g->features; j++)
        largest = fmax(largest, fabs(regression_score(g, j, g->target)));
    return largest;
}

static inline double regression_null(const regression *g)
{
    double square = 0;
    for (size_t i = 0; i < g->rows; i++)
        square += g->target[i] * g->target[i] / (double)g->rows;
    return square / 2;
}

/* Plain cyclic coordinate descent until nothing moves; x has room for all features. Returns the objective. */
static inline double regression_descend(const regression *g, double lambda, double *x)
{
    double *residual = malloc(g->rows * sizeof *residual), norm = 0, moved = 1;
    memset(x, 0, g->features * sizeof *x);
    memcpy(residual, g->target, g->rows * sizeof *residual);
    for (int sweep = 0; sweep < 20000 && moved > 1e-14; sweep++) {
        moved = 0;
        for (size_t j = 0; j < g->features; j++) {
            const double *column = g->columns + j * g->rows;
            double square = 0;
            for (size_t i = 0; i < g->rows; i++)
                square += column[i] * column[i] / (double)g->rows;
            if (square == 0)
                continue;
            double z = x[j] + regression_score(g, j, residual) / square, by = lambda / square;
            double after = z > by ? z - by : z < -by ? z + by : 0;
            for (size_t i = 0; i < g->rows; i++)
                residual[i] += (x[j] - after) * column[i];
            moved = fmax(moved, fabs(after - x[j]));
            x[j] = after;
        }
    }
    double square = regression_residual(g, x, residual);
    for (size_t j = 0; j < g->features; j++)
        norm += fabs(x[j]);
    free(residual);
    return square / 2 + lambda * norm;
}

#endif
