/* Equal rows of one class as one vertex: the same optimum and the same decisions as without merging, and weights shared
 * equally; what is not equal stays apart. */
#include "training.h"
#include <stdlib.h>

#include "core/hash.h"
#include "simplex/vertices.h"

/* Rows 0 .. distinct-1 at random, the others copies of them with the same label, or the other one. */
static void fill_with_copies(toy *t, size_t rows, size_t distinct, bool opposite, partan_storage storage, uint64_t seed)
{
    toy_fill_for(t, rows, 6, storage, seed);
    for (size_t i = distinct; i < rows; i++) {
        memcpy(t->values[i], t->values[i * i % distinct], sizeof t->values[i]);
        t->labels[i] = t->labels[i * i % distinct];
        if (opposite && i % 3 == 0)
            t->labels[i] *= -1;
    }
}

static bool equal(const toy *t, size_t i, size_t j)
{
    return t->labels[i] == t->labels[j] && memcmp(t->values[i], t->values[j], t->features * sizeof(float)) == 0;
}

static void merging_is_exact(void **state)
{
    static toy t;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        partan_storage storage = every_storage(seed / 4 % STORAGES);
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        s.kernel = seed % 4 == 0 ? PARTAN_KERNEL_LINEAR : PARTAN_KERNEL_RBF;
        s.cost = seed % 2 ? 0.3 : 20;
        s.tol = 1e-7;
        fill_with_copies(&t, 60, 5 + seed, seed % 5 == 0, storage, seed);
        partan_data *data = toy_data(*state, &t, &s, storage);
        partan_model *model[2];
        double decision[2][TOY_ROWS], a[TOY_ROWS];
        for (int merge = 0; merge < 2; merge++) {
            s.merge = merge;
            assert_true(partan_train(*state, data, &s, NULL, &model[merge]) >= 0);
            check_verified(*state, model[merge], data);
            assert_true(model[merge]->result.relative_gap <= 1e-4);
            assert_int_equal(partan_predict(*state, model[merge], data, decision[merge]), PARTAN_OK);
        }
        double f = model[0]->result.objective;
        assert_true(fabs(model[1]->result.objective - f) <= 2e-5 * f);
        for (size_t i = 0; i < t.rows; i++)
            assert_true(fabs(decision[0][i] - decision[1][i]) <= 2e-2);
        toy_weights(&t, model[1], a);
        for (size_t i = 0; i < t.rows; i++)
            for (size_t j = 0; j < i; j++)
                assert_true(!equal(&t, i, j) || a[i] == a[j]);
        /* A start from either needs next to no steps, and the merged one's weights are all found again. */
        s.tol = 1e-3;
        partan_model *again = train(*state, data, &s, model[1], PARTAN_OK);
        assert_int_equal(again->result.iterations, 0);
        partan_model *other = train(*state, data, &s, model[0], PARTAN_OK);
        assert_true(other->result.iterations < 60);
        partan_model_free(again);
        partan_model_free(other);
        partan_model_free(model[0]);
        partan_model_free(model[1]);
        partan_data_free(data);
    }
}

/* The table itself: each row's vertex has its values and class, copies are counted, and no two vertices are equal. */
static void only_equal_rows_are_merged(void **state)
{
    static toy t;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        partan_storage storage = every_storage(seed / 2 % STORAGES);
        fill_with_copies(&t, 64, 1 + 2 * seed, seed % 2 == 0, storage, seed);
        partan_data *data = toy_data(*state, &t, &s, storage);
        float *signs;
        pt_classes classes;
        pt_vertices v;
        pt_kernel kernel = {.kind = PARTAN_KERNEL_RBF, .gamma = 0.1};
        assert_int_equal(pt_data_classes(data, &classes, &signs), PARTAN_OK);
        pt_points points = {&data->matrix, NULL};
        pt_dual dual = pt_dual_of_classes(data->matrix.rows, signs, 2);
        assert_int_equal(pt_vertices_make(&v, *state, &kernel, points, &dual, true, 1 << 20), PARTAN_OK);
        size_t distinct = 0;
        double total = 0;
        for (size_t i = 0; i < t.rows; i++) {
            size_t j = 0;
            while (j < i && !equal(&t, i, j))
                j++;
            distinct += j == i;
            for (j = 0; j < i && v.merged; j++)
                assert_int_equal(v.vertex[i] == v.vertex[j], equal(&t, i, j));
            assert_true(!v.merged || v.signs[v.vertex[i]] == signs[i]);
            assert_true(!v.merged || pt_matrix_rows_equal(&v.matrix, v.vertex[i], &data->matrix, i));
        }
        assert_int_equal(v.merged, (double)distinct <= 0.9 * (double)t.rows);
        for (size_t i = 0; i < distinct && v.merged; i++) {
            total += v.cost_weights[i];
            assert_true(fabs(pt_dual_inverse_cost(&v.simplex.dual, (int64_t)i) - 0.5 / v.cost_weights[i]) <= 1e-15);
        }
        assert_true(total == (v.merged ? (double)t.rows : 0));
        pt_vertices_free(&v);
        /* No room for the copy, or not wanted: rows as they are. */
        /* Equal rows with other linear terms are other vertices; those with the same ones merge. */
        double *linear = malloc(data->matrix.rows * sizeof *linear);
        assert_non_null(linear);
        for (size_t i = 0; i < data->matrix.rows; i++)
            linear[i] = (double)i;
        pt_dual other = dual;
        other.linear = linear;
        assert_int_equal(pt_vertices_make(&v, *state, &kernel, points, &other, true, 1 << 20), PARTAN_OK);
        assert_false(v.merged);
        pt_vertices_free(&v);
        for (size_t i = 0; i < data->matrix.rows; i++)
            linear[i] = 0.5;
        assert_int_equal(pt_vertices_make(&v, *state, &kernel, points, &other, true, 1 << 20), PARTAN_OK);
        assert_true(v.merged && v.simplex.dual.linear[v.simplex.dual.vertices - 1] == 0.5);
        pt_vertices_free(&v);
        free(linear);
        assert_int_equal(pt_vertices_make(&v, *state, &kernel, points, &dual, true, 10), PARTAN_OK);
        assert_false(v.merged);
        assert_int_equal(v.simplex.points.matrix->rows, t.rows);
        pt_vertices_free(&v);
        assert_int_equal(pt_vertices_make(&v, *state, &kernel, points, &dual, false, 1 << 20), PARTAN_OK);
        assert_false(v.merged);
        pt_vertices_free(&v);
        pt_free(*state, signs);
        pt_classes_free(*state, &classes);
        partan_data_free(data);
    }
}

/* Of two vertices a row and a slack: what a checkpoint names, and a run goes on from. */
static void merged_vertices_are_named_by_their_first_rows(void **state)
{
    enum { ROWS = 60, DISTINCT = 20, VERTICES = 2 * ROWS + 1, MERGED = 2 * DISTINCT + 1 };
    float values[ROWS], signs[VERTICES + PT_TILE] = {0};
    double costs[VERTICES];
    int64_t ids[MERGED], back[MERGED];
    partan_data *data = NULL;
    for (size_t i = 0; i < VERTICES; i++) {
        signs[i] = i < ROWS ? 1 : i < 2 * ROWS ? -1 : 0;
        costs[i] = i < 2 * ROWS ? 1 : (double)INFINITY;
        values[i % ROWS] = (float)(i % ROWS % DISTINCT);
    }
    assert_int_equal(dense_data(*state, values, ROWS, 1, 1, NULL, PARTAN_STORAGE_DENSE, &data), PARTAN_OK);
    pt_dual dual = {.rows = ROWS,
                    .layers = 2,
                    .slack = true,
                    .vertices = VERTICES,
                    .signs = signs,
                    .inverse_cost = 1,
                    .cost_weights = costs,
                    .unit_slope = 2};
    pt_kernel kernel = {.kind = PARTAN_KERNEL_RBF, .gamma = 0.1};
    pt_vertices v;
    assert_int_equal(pt_vertices_make(&v, *state, &kernel, (pt_points){&data->matrix, NULL}, &dual, true, 1 << 20),
                     PARTAN_OK);
    assert_int_equal(v.simplex.dual.vertices, MERGED);
    for (int64_t i = 0; i < MERGED; i++)
        ids[i] = i;
    assert_int_equal(pt_vertices_rows(&v, ids, MERGED), PARTAN_OK);
    for (int64_t i = 0; i < MERGED; i++)
        assert_int_equal(ids[i], i < DISTINCT ? i : i < 2 * DISTINCT ? i + ROWS - DISTINCT : 2 * ROWS);
    pt_start start = {.ids = ids, .count = MERGED};
    assert_int_equal(pt_vertices_start(&v, &start, back), PARTAN_OK);
    for (int64_t i = 0; i < MERGED; i++)
        assert_int_equal(back[i], i);
    pt_vertices_free(&v);
    partan_data_free(data);
}

enum { MANY = 40000, KEYS = 9001 };

static uint32_t key_of(size_t row)
{
    return row % 3 == 0 ? 0 : (uint32_t)(row * 7919 % KEYS); /* a third of the rows are equal */
}

/* So many that the table of rows is divided among threads. `shared`: so many different rows have one hash. */
static void merge_many(partan_context *context, size_t shared)
{
    float *values = malloc(MANY * 2 * sizeof *values);
    double *labels = malloc(MANY * sizeof *labels);
    uint32_t *first[2] = {calloc(KEYS, sizeof **first), calloc(KEYS, sizeof **first)}; /* vertex + 1, by class */
    assert_true(values && labels && first[0] && first[1]);
    for (size_t row = 0; row < MANY; row++) {
        values[2 * row] = (float)(key_of(row) % 100);
        values[2 * row + 1] = (float)(key_of(row) / 100);
        labels[row] = row % 5 == 0 ? -1 : 1;
    }
    partan_data *data = NULL;
    pt_classes classes;
    float *signs;
    assert_int_equal(dense_data(context, values, MANY, 2, 2, labels, PARTAN_STORAGE_DENSE, &data), PARTAN_OK);
    assert_int_equal(pt_data_classes(data, &classes, &signs), PARTAN_OK);
    if (shared > 1)
        data->matrix.hashes = pt_alloc(context, MANY, sizeof *data->matrix.hashes);
    for (size_t row = 0; row < MANY && shared > 1; row++)
        data->matrix.hashes[row] = pt_hash_mix(key_of(row) / shared);
    pt_dual dual = pt_dual_of_classes(MANY, signs, 1);
    pt_kernel kernel = {.kind = PARTAN_KERNEL_RBF, .gamma = 0.5};
    pt_vertices v;
    assert_int_equal(pt_vertices_make(&v, context, &kernel, (pt_points){.matrix = &data->matrix}, &dual, true, 1 << 24),
                     PARTAN_OK);
    assert_true(v.merged);
    uint32_t count = 0;
    for (size_t row = 0; row < MANY; row++) {
        uint32_t *vertex = &first[row % 5 == 0][key_of(row)];
        if (*vertex == 0)
            *vertex = ++count;
        assert_int_equal(v.vertex[row], *vertex - 1);
    }
    assert_int_equal(v.simplex.dual.vertices, count);
    pt_vertices_free(&v);
    pt_free(context, signs);
    pt_classes_free(context, &classes);
    partan_data_free(data);
    free(values);
    free(labels);
    free(first[0]);
    free(first[1]);
}

static void many_rows_are_merged_in_order(void **state)
{
    merge_many(*state, 1);
}

static void different_rows_of_one_hash_stay_apart(void **state)
{
    merge_many(*state, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {SERIAL_TEST(merging_is_exact), SERIAL_TEST(only_equal_rows_are_merged),
                                       CONTEXT_TEST(merged_vertices_are_named_by_their_first_rows),
                                       CONTEXT_TEST(many_rows_are_merged_in_order),
                                       CONTEXT_TEST(different_rows_of_one_hash_stay_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
