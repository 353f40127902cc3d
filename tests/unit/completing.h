/* Small matrices to complete, and what is true of them by plain dense code: projected gradient with a dense SVD. */
#ifndef COMPLETING_H
#define COMPLETING_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "every.h"
#include "testing.h"

typedef struct sketch {
    size_t rows, columns, count;
    int64_t *row, *column; /* of the known entries */
    double *value;
    double *truth; /* the matrix that they are from, dense */
} sketch;

static inline void sketch_free(sketch *s)
{
    free(s->row);
    free(s->column);
    free(s->value);
    free(s->truth);
}

/* A matrix of some rank with noise, of which a share is known. */
static inline sketch sketch_make(size_t rows, size_t columns, size_t rank, double share, double noise, uint64_t seed)
{
    sketch s = {.rows = rows, .columns = columns};
    size_t all = rows * columns;
    double *u = malloc(rows * rank * sizeof *u), *v = malloc(columns * rank * sizeof *v);
    s.truth = calloc(all, sizeof *s.truth);
    s.row = malloc(all * sizeof *s.row);
    s.column = malloc(all * sizeof *s.column);
    s.value = malloc(all * sizeof *s.value);
    pt_random random;
    pt_random_seed(&random, seed);
    for (size_t i = 0; i < rows * rank; i++)
        u[i] = pt_random_normal(&random);
    for (size_t i = 0; i < columns * rank; i++)
        v[i] = pt_random_normal(&random);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) {
            for (size_t k = 0; k < rank; k++)
                s.truth[i * columns + j] += u[i * rank + k] * v[j * rank + k];
            if (pt_random_uniform(&random) >= share)
                continue;
            s.row[s.count] = (int64_t)i;
            s.column[s.count] = (int64_t)j;
            s.value[s.count++] = s.truth[i * columns + j] + noise * pt_random_normal(&random);
        }
    free(u);
    free(v);
    return s;
}

static inline partan_ratings *sketch_ratings(partan_context *context, const sketch *s)
{
    partan_ratings *ratings = NULL;
    if (partan_ratings_from_triplets(context, s->rows, s->columns, s->row, s->column, s->value, s->count, &ratings))
        fail_msg("%s", partan_error(context));
    return ratings;
}

/* ---- Dense singular values: Jacobi's one-sided method on columns ---- */

/* X, rows x columns with rows >= columns, becomes U diag(s); V is columns x columns. */
static inline void dense_svd(double *X, size_t rows, size_t columns, double *s, double *V)
{
    for (size_t i = 0; i < columns; i++)
        for (size_t j = 0; j < columns; j++)
            V[i * columns + j] = i == j;
    for (int sweep = 0; sweep < 40; sweep++)
        for (size_t p = 0; p < columns; p++)
            for (size_t q = p + 1; q < columns; q++) {
                double a = 0, b = 0, d = 0;
                for (size_t i = 0; i < rows; i++) {
                    a += X[i * columns + p] * X[i * columns + p];
                    b += X[i * columns + q] * X[i * columns + q];
                    d += X[i * columns + p] * X[i * columns + q];
                }
                if (fabs(d) <= 1e-16 * sqrt(a * b))
                    continue;
                double angle = atan2(2 * d, a - b) / 2, cosine = cos(angle), sine = sin(angle);
                for (size_t i = 0; i < rows + columns; i++) {
                    double *row = i < rows ? X + i * columns : V + (i - rows) * columns, x = row[p], y = row[q];
                    row[p] = cosine * x + sine * y;
                    row[q] = cosine * y - sine * x;
                }
            }
    for (size_t j = 0; j < columns; j++) {
        double norm = 0;
        for (size_t i = 0; i < rows; i++)
            norm += X[i * columns + j] * X[i * columns + j];
        s[j] = sqrt(norm);
    }
}

/* The sum and the largest of the singular values of a matrix, of any shape. */
static inline double dense_norms(const double *X, size_t rows, size_t columns, double *largest)
{
    bool wide = rows < columns;
    size_t m = wide ? columns : rows, n = wide ? rows : columns;
    double *copy = malloc(m * n * sizeof *copy), *s = malloc(n * sizeof *s), *V = malloc(n * n * sizeof *V), sum = 0;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            copy[wide ? j * n + i : i * n + j] = X[i * columns + j];
    dense_svd(copy, m, n, s, V);
    *largest = 0;
    for (size_t j = 0; j < n; j++) {
        sum += s[j];
        *largest = fmax(*largest, s[j]);
    }
    free(copy);
    free(s);
    free(V);
    return sum;
}

static int falling(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The nearest point of the ball, in place; rows >= columns. */
static inline void dense_project(double *X, size_t rows, size_t columns, double radius)
{
    double *s = malloc(2 * columns * sizeof *s), *V = malloc(columns * columns * sizeof *V);
    double *sorted = s + columns, sum = 0, less = 0;
    dense_svd(X, rows, columns, s, V);
    memcpy(sorted, s, columns * sizeof *s);
    qsort(sorted, columns, sizeof *s, falling);
    for (size_t i = 0; i < columns && (sum + sorted[i] - radius) / (double)(i + 1) < sorted[i]; i++) {
        sum += sorted[i];
        less = (sum - radius) / (double)(i + 1);
    }
    less = less > 0 ? less : 0;
    double *row = malloc(columns * sizeof *row);
    for (size_t i = 0; i < rows; i++) {
        memset(row, 0, columns * sizeof *row);
        for (size_t k = 0; k < columns; k++) {
            double scale = s[k] > less ? (s[k] - less) / s[k] : 0;
            for (size_t j = 0; j < columns; j++)
                row[j] += X[i * columns + k] * scale * V[j * columns + k];
        }
        memcpy(X + i * columns, row, columns * sizeof *row);
    }
    free(row);
    free(s);
    free(V);
}

/* Objective, gradient and gap of a dense X at b, by their definitions. */
static inline double dense_evaluate(const sketch *s, const double *b, double radius, const double *X, double *G,
                                    double *gap)
{
    double f = 0, inner = 0, largest;
    memset(G, 0, s->rows * s->columns * sizeof *G);
    for (size_t k = 0; k < s->count; k++) {
        size_t at = (size_t)s->row[k] * s->columns + (size_t)s->column[k];
        double r = X[at] - b[k];
        G[at] = r;
        f += r * r / 2;
        inner += r * X[at];
    }
    dense_norms(G, s->rows, s->columns, &largest);
    *gap = inner + radius * largest;
    return f;
}

/* The minimum over the ball, to a gap of 1e-9 of 1/2 |b|^2: projected gradient with Nesterov's extrapolation, the
 * Hessian being at most the identity. rows >= columns. */
static inline double dense_minimum(const sketch *s, const double *b, double radius)
{
    size_t all = s->rows * s->columns;
    double *X = calloc(all, sizeof *X), *Y = calloc(all, sizeof *Y), *last = calloc(all, sizeof *last);
    double *G = malloc(all * sizeof *G), scale = 0, gap = INFINITY, f = 0, t = 1, before = INFINITY;
    for (size_t k = 0; k < s->count; k++)
        scale += b[k] * b[k] / 2;
    for (int n = 0; n < 5000 && gap > 1e-9 * scale; n++) {
        f = dense_evaluate(s, b, radius, X, G, &gap);
        t = f > before ? 1 : t;
        before = f;
        double unused, next = (1 + sqrt(1 + 4 * t * t)) / 2;
        for (size_t i = 0; i < all; i++)
            Y[i] = X[i] + (t - 1) / next * (X[i] - last[i]);
        t = next;
        dense_evaluate(s, b, radius, Y, G, &unused);
        memcpy(last, X, all * sizeof *X);
        for (size_t i = 0; i < all; i++)
            X[i] = Y[i] - G[i];
        dense_project(X, s->rows, s->columns, radius);
    }
    assert_true(gap <= 1e-9 * scale);
    free(X);
    free(Y);
    free(last);
    free(G);
    return f;
}

/* X of a fitted matrix, dense, without offsets. */
static inline double *dense_matrix(const partan_matrix *matrix)
{
    size_t rows = partan_matrix_rows(matrix), columns = partan_matrix_columns(matrix);
    size_t rank = (size_t)partan_matrix_get_result(matrix)->rank;
    double *X = calloc(rows * columns, sizeof *X);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            for (size_t k = 0; k < rank; k++)
                X[i * columns + j] += partan_matrix_singular(matrix)[k] * partan_matrix_left(matrix)[i * rank + k]
                                      * partan_matrix_right(matrix)[j * rank + k];
    return X;
}

/* The claims of a matrix against definitions, with b = value - offsets. */
static inline void check_claims(const sketch *s, const partan_matrix *matrix, double radius, double least)
{
    const partan_matrix_result *result = partan_matrix_get_result(matrix);
    size_t all = s->rows * s->columns;
    double *X = dense_matrix(matrix), *G = malloc(all * sizeof *G), *b = malloc(s->count * sizeof *b);
    double scale = 0, gap, largest;
    for (size_t k = 0; k < s->count; k++) {
        b[k] = s->value[k] - partan_matrix_mean(matrix) - partan_matrix_row_offset(matrix, (size_t)s->row[k])
               - partan_matrix_column_offset(matrix, (size_t)s->column[k]);
        scale += b[k] * b[k] / 2;
    }
    double f = dense_evaluate(s, b, radius, X, G, &gap), norm = dense_norms(X, s->rows, s->columns, &largest);
    assert_true(fabs(f - result->objective) <= 1e-9 * scale);
    assert_true(norm <= radius * (1 + 1e-9) && fabs(norm - result->nuclear_norm) <= 1e-8 * radius);
    assert_true(result->gap >= gap - 1e-10 * scale); /* the bound is one */
    assert_true(f - least <= result->gap + 1e-8 * scale && f >= least - 1e-8 * scale);
    assert_true(fabs(result->relative_gap - result->gap / scale) <= 1e-9 * result->relative_gap + 1e-15);
    assert_true(fabs(result->rmse - sqrt(2 * f / (double)s->count)) <= 1e-9 * sqrt(scale));
    free(X);
    free(G);
    free(b);
}

/* ---- Fits ---- */

static inline partan_settings solving(int solver, double tol)
{
    partan_settings s;
    partan_settings_init(&s);
    s.solver = (partan_solver)solver;
    s.tol = tol;
    return s;
}

static inline partan_matrix_settings within(double radius, partan_centre centre)
{
    partan_matrix_settings m;
    partan_matrix_settings_init(&m);
    m.radius = radius;
    m.centre = centre;
    return m;
}

static inline partan_matrix *complete(partan_context *context, const partan_ratings *ratings, const partan_settings *s,
                                      const partan_matrix_settings *m, partan_status expected)
{
    partan_matrix *matrix = NULL;
    partan_status status = partan_matrix_fit(context, ratings, s, m, NULL, &matrix);
    if (status != expected)
        fail_msg("status %s: %s (relative gap %g)", partan_status_name(status), partan_error(context),
                 matrix ? partan_matrix_get_result(matrix)->relative_gap : -1);
    if (status < 0)
        return NULL;
    const partan_matrix_result *result = partan_matrix_get_result(matrix);
    assert_int_equal(result->status, status);
    assert_int_equal(result->converged, status == PARTAN_OK);
    partan_matrix_verification found;
    partan_matrix_verification_init(&found);
    assert_int_equal(partan_matrix_verify(context, matrix, ratings, &found), PARTAN_OK);
    if (!found.matches)
        fail_msg("verify: %s", found.reason);
    return matrix;
}

#endif
