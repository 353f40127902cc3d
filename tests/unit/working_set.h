/* A working set of a toy problem, whose whole matrix K is known in double precision. */
#ifndef WORKING_SET_H
#define WORKING_SET_H

#include "active/working.h"
#include "simplex/vertices.h"
#include "toy.h"

/* A toy problem as the solver sees it. */
typedef struct bench {
    toy t;
    partan_settings s;
    partan_data *data;
    float *signs;
    pt_classes classes;
    pt_vertices vertices;
    pt_working working;
    double scratch[TOY_ROWS];
} bench;

static inline void bench_make(bench *b, partan_context *context, partan_kernel kernel, partan_storage storage,
                              double cost)
{
    *b = (bench){0};
    partan_settings_init(&b->s);
    b->s.kernel = kernel;
    b->s.gamma = 0.1;
    b->s.degree = 2;
    b->s.coef0 = 1;
    b->s.cost = cost;
    toy_fill_for(&b->t, 60, 7, storage, (uint64_t)kernel + 1);
    toy_matrix(&b->t, &b->s);
    b->data = toy_data(context, &b->t, &b->s, storage);
    pt_kernel k = {.kind = b->s.kernel, .gamma = 0.1, .degree = 2, .coef0 = 1};
    assert_int_equal(pt_data_classes(b->data, &b->classes, &b->signs), PARTAN_OK);
    pt_dual dual = pt_dual_of_classes(b->data->matrix.rows, b->signs, b->s.cost);
    assert_int_equal(
        pt_vertices_make(&b->vertices, context, &k, (pt_points){&b->data->matrix, b->data->serials}, &dual, false, 0),
        PARTAN_OK);
    pt_working_init(&b->working, &b->vertices.simplex, 0);
}

static inline void bench_free(bench *b, partan_context *context)
{
    pt_working_free(&b->working);
    pt_vertices_free(&b->vertices);
    pt_classes_free(context, &b->classes);
    pt_free(context, b->signs);
    partan_data_free(b->data);
}

static inline void bench_weights(const bench *b, double *a)
{
    memset(a, 0, TOY_ROWS * sizeof *a);
    for (size_t i = 0; i < b->working.count; i++)
        a[b->working.ids[i]] = b->working.weights[i];
}

/* (Ka)_row, with the diagonal or without. */
static inline double bench_score(const bench *b, const double *a, size_t row, bool diagonal)
{
    double sum = diagonal ? 0 : -a[row] / b->s.cost;
    for (size_t j = 0; j < b->t.rows; j++)
        sum += b->t.K[row][j] * a[j];
    return sum;
}

/* All rows but every third, whose scores belong to a weight of 1 on row `first`. */
static inline void set_members(bench *b, size_t first)
{
    pt_member members[TOY_ROWS];
    size_t count = 0;
    double a[TOY_ROWS] = {0};
    a[first] = 1;
    for (size_t i = 0; i < b->t.rows; i++)
        if (i % 3 || i == first)
            members[count++] = (pt_member){(int64_t)i, a[i], bench_score(b, a, i, true)};
    assert_int_equal(pt_working_set(&b->working, members, count, b->t.K[first][first] / 2), PARTAN_OK);
}

#endif
