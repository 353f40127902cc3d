/* Toy problems: a few random rows, their whole matrix K in double precision, and a plain solver to compare with.
 * Nothing here uses the library's kernels or solvers. */
#ifndef TOY_H
#define TOY_H

#include "machine.h"

enum { TOY_ROWS = 64, TOY_FEATURES = 40 };

typedef struct toy {
    size_t rows, features;
    float values[TOY_ROWS][TOY_FEATURES];
    double labels[TOY_ROWS];
    double K[TOY_ROWS][TOY_ROWS]; /* y_i y_j (k + 1) + [i=j] / C */
} toy;

/* Two overlapping clouds; about a third of the values are zero. Both classes are there. */
static inline void toy_fill(toy *t, size_t rows, size_t features, bool binary, uint64_t seed)
{
    pt_random random;
    pt_random_seed(&random, seed);
    t->rows = rows;
    t->features = features;
    for (size_t i = 0; i < rows; i++) {
        t->labels[i] = i % 2 || pt_random_uniform(&random) < 0.2 ? 1 : -1;
        if (i == 0)
            t->labels[i] = -1;
        for (size_t f = 0; f < features; f++) {
            double shift = f < 3 ? 0.7 * t->labels[i] : 0;
            bool zero = pt_random_uniform(&random) < (binary ? 0.5 - 0.4 * shift : 0.35);
            t->values[i][f] = zero ? 0 : binary ? 1 : (float)(shift + pt_random_normal(&random));
        }
    }
}

/* The same of values that the storage can hold. */
static inline void toy_fill_for(toy *t, size_t rows, size_t features, partan_storage storage, uint64_t seed)
{
    toy_fill(t, rows, features, storage == PARTAN_STORAGE_BITS, seed);
    for (size_t i = 0; i < rows; i++)
        for (size_t f = 0; f < features; f++)
            t->values[i][f] = storable(storage, t->values[i][f]);
}

static inline void toy_matrix(toy *t, const partan_settings *s)
{
    for (size_t i = 0; i < t->rows; i++)
        for (size_t j = 0; j < t->rows; j++) {
            double k = formula(s, t->values[i], t->values[j], t->features);
            if (s->kernel == PARTAN_KERNEL_PRECOMPUTED)
                k = (float)k;
            t->K[i][j] = t->labels[i] * t->labels[j] * (k + 1) + (i == j ? 1 / s->cost : 0);
        }
}

/* The rows as a data set; for the precomputed kernel the values of the rbf kernel, rounded to float32. */
static inline partan_data *toy_data(partan_context *context, const toy *t, const partan_settings *s,
                                    partan_storage storage)
{
    partan_data *data = NULL;
    if (s->kernel != PARTAN_KERNEL_PRECOMPUTED) {
        dense_data(context, t->values[0], t->rows, t->features, TOY_FEATURES, t->labels, storage, &data);
        return data;
    }
    static float kernel[TOY_ROWS][TOY_ROWS];
    for (size_t i = 0; i < t->rows; i++)
        for (size_t j = 0; j < t->rows; j++)
            kernel[i][j] = (float)formula(s, t->values[i], t->values[j], t->features);
    dense_data(context, kernel[0], t->rows, t->rows, TOY_ROWS, t->labels, PARTAN_STORAGE_DENSE, &data);
    if (data)
        data->serials = pt_alloc(context, t->rows, sizeof *data->serials);
    for (size_t i = 0; data && data->serials && i < t->rows; i++)
        data->serials[i] = (int64_t)i;
    return data;
}

/* f and gap of any weights, straight from the definition. */
static inline double toy_objective(const toy *t, const double *a, double *gap)
{
    double twice = 0, least = INFINITY;
    for (size_t i = 0; i < t->rows; i++) {
        double g = 0;
        for (size_t j = 0; j < t->rows; j++)
            g += t->K[i][j] * a[j];
        twice += a[i] * g;
        least = g < least ? g : least;
    }
    *gap = twice - least;
    return twice / 2;
}

/* The minimum by pairwise steps of second order on the whole matrix, to rounding: f* lies in [*lower, value]. */
static inline double toy_minimum(const toy *t, double *lower)
{
    size_t n = t->rows;
    double a[TOY_ROWS], g[TOY_ROWS], gap;
    for (size_t i = 0; i < n; i++)
        a[i] = 1 / (double)n;
    for (int step = 0; step < 200000; step++) {
        if (step % 1000 == 0)
            for (size_t i = 0; i < n; i++) {
                g[i] = 0;
                for (size_t j = 0; j < n; j++)
                    g[i] += t->K[i][j] * a[j];
            }
        size_t u = 0, v = n;
        for (size_t i = 1; i < n; i++)
            u = g[i] < g[u] ? i : u;
        double best = 0, twice = 0;
        for (size_t i = 0; i < n; i++) {
            double fall = g[i] - g[u], bend = t->K[u][u] + t->K[i][i] - 2 * t->K[u][i];
            twice += a[i] * g[i];
            if (a[i] > 0 && fall > 0 && fall * fall > best * (bend > 1e-300 ? bend : 1e-300)) {
                best = fall * fall / (bend > 1e-300 ? bend : 1e-300);
                v = i;
            }
        }
        if (v == n || twice - g[u] <= 1e-14 * twice)
            break;
        double bend = t->K[u][u] + t->K[v][v] - 2 * t->K[u][v], move = (g[v] - g[u]) / bend;
        bool all = !(bend > 0) || move >= a[v];
        move = all ? a[v] : move;
        a[u] += move;
        a[v] = all ? 0 : a[v] - move;
        for (size_t i = 0; i < n; i++)
            g[i] += move * (t->K[i][u] - t->K[i][v]);
    }
    double f = toy_objective(t, a, &gap);
    *lower = f - gap;
    return f;
}

/* The model's weights by row. */
static inline void toy_weights(const toy *t, const partan_model *model, double *a)
{
    memset(a, 0, t->rows * sizeof *a);
    for (size_t i = 0; i < partan_model_result(model)->support_vectors; i++) {
        double weight;
        int sign;
        int64_t row;
        assert_int_equal(partan_model_support(model, i, &weight, &sign, &row), PARTAN_OK);
        assert_true(row >= 0 && (size_t)row < t->rows);
        assert_true(sign == t->labels[row]);
        a[row] = weight;
    }
}

#endif
