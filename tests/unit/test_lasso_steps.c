/* Parts of the Lasso solver: designs and their working sets against plain arrays, the factor under joins and leaves,
 * tangents, and steps where no system can be solved. */
#include "regression.h"

#include "lasso/state.h"

typedef struct made {
    regression g;
    partan_data *data;
    pt_store store;
    pt_design design;
    pt_members members;
} made;

static void make(made *m, partan_context *context, size_t rows, size_t features, double density, uint64_t seed)
{
    m->g = regression_make(rows, features, density, true, true, seed);
    m->data = regression_data(context, &m->g, PARTAN_STORAGE_DENSE);
    assert_int_equal(pt_store_make(&m->store, m->data), PARTAN_OK);
    assert_int_equal(pt_design_make(&m->design, &m->store, m->g.labels, NULL, true, true), PARTAN_OK);
    assert_int_equal(pt_members_init(&m->members, &m->design), PARTAN_OK);
}

static void drop(made *m)
{
    pt_members_free(&m->members);
    pt_design_free(&m->design);
    pt_store_free(&m->store);
    partan_data_free(m->data);
    regression_free(&m->g);
}

static double column_product(const regression *g, size_t i, size_t j)
{
    return regression_score(g, i, g->columns + j * g->rows);
}

static void add_all(made *m)
{
    int64_t ids[200];
    size_t count = 0;
    for (size_t j = 0; j < m->g.features; j++)
        if (m->design.inverse[j] > 0)
            ids[count++] = (int64_t)j;
    assert_int_equal(pt_members_add(&m->members, ids, count / 3), PARTAN_OK);
    assert_int_equal(pt_members_add(&m->members, ids + count / 3, count - count / 3), PARTAN_OK);
}

static void inner_products_are_those_of_the_columns(void **state)
{
    for (double density = 1; density > 0; density -= 0.93) {
        made m;
        make(&m, *state, 45, 60, density, 1);
        assert_int_equal(m.store.sparse, density < 0.5);
        for (size_t j = 0; j < m.g.features; j++) {
            assert_true(fabs(m.design.correlation[j] - regression_score(&m.g, j, m.g.target)) <= 1e-12);
            assert_true(fabs(m.design.square[j] - column_product(&m.g, j, j)) <= 1e-12);
        }
        add_all(&m);
        pt_members *w = &m.members;
        assert_int_equal(w->stored, density > 0.5);
        size_t all[100];
        double products[100];
        for (size_t i = 0; i < w->count; i++)
            all[i] = i;
        for (size_t i = 0; i < w->count; i++) {
            assert_int_equal(w->place[w->ids[i]], i + 1);
            pt_members_products(w, i, all, w->count, products);
            for (size_t j = 0; j < w->count; j++) {
                double expected = column_product(&m.g, (size_t)w->ids[i], (size_t)w->ids[j]);
                assert_true(fabs(products[j] - expected) <= 1e-12);
            }
        }
        drop(&m);
    }
}

/* L L' v for the members in the factor must be what the Gram matrix gives. */
static void check_factor(const pt_factor *f)
{
    double v[100], expected[100];
    for (size_t i = 0; i < f->count; i++)
        expected[i] = v[i] = 1 + (double)(i % 5);
    pt_factor_solve(f, v);
    for (size_t i = 0; i < f->count; i++) {
        double sum = 0, products[100];
        pt_members_products(f->members, f->which[i], f->which, f->count, products);
        for (size_t j = 0; j < f->count; j++)
            sum += products[j] * v[j];
        assert_true(fabs(sum - expected[i]) <= 1e-7);
    }
}

/* A member that was refused is the combination of the others that the shares say. */
static void check_shares(const pt_factor *f, size_t member, const double *share)
{
    for (size_t j = 0; j < f->members->count; j++) {
        double sum = 0, products[100], own;
        pt_members_products(f->members, j, f->which, f->count, products);
        pt_members_products(f->members, j, &member, 1, &own);
        for (size_t i = 0; i < f->count; i++)
            sum += share[i] * products[i];
        assert_true(fabs(sum - own) <= 1e-5);
    }
}

static void the_factor_follows_joins_and_leaves(void **state)
{
    made m;
    pt_factor f;
    pt_random random;
    make(&m, *state, 120, 80, 1, 2);
    add_all(&m);
    pt_factor_init(&f, &m.members);
    pt_random_seed(&random, 3);
    bool inside[100] = {false}, refused = false;
    double share[100];
    for (int step = 0; step < 400; step++) {
        size_t member = (size_t)pt_random_below(&random, m.members.count);
        bool joined = false;
        if (f.count > 0 && (inside[member] || pt_random_below(&random, 3) == 0)) {
            size_t line = (size_t)pt_random_below(&random, f.count);
            inside[f.which[line]] = false;
            pt_factor_remove(&f, line);
        } else if (!inside[member]) {
            assert_int_equal(pt_factor_append(&f, member, &joined, share), PARTAN_OK);
            if (!joined)
                check_shares(&f, member, share);
            inside[member] = joined;
            refused = refused || !joined;
        }
        check_factor(&f);
    }
    assert_true(refused); /* columns 4 and 5 are equal: not both */
    pt_factor_free(&f);
    drop(&m);
}

static double objective(const pt_members *m, double lambda)
{
    double sum = 0;
    for (size_t i = 0; i < m->count; i++) {
        sum += lambda * fabs(m->x[i]) - m->linear[i] * m->x[i];
        for (size_t j = 0; j < m->count; j++)
            sum += pt_members_gram(m, i)[j] * m->x[i] * m->x[j] / 2;
    }
    return sum;
}

static void tangents_lower_the_objective_and_keep_signs(void **state)
{
    made m;
    make(&m, *state, 60, 40, 1, 4);
    add_all(&m);
    pt_members *w = &m.members;
    pt_l1_tangents t;
    pt_l1_tangents_init(&t, *state);
    double lambda = 0.02;
    int moved = 0;
    for (int round = 0; round < 60; round++) {
        for (size_t i = 0; i < w->count; i++) { /* a sweep of coordinate descent */
            double square = pt_members_gram(w, i)[i], z = w->x[i] + w->score[i] / square, by = lambda / square;
            double x = z > by ? z - by : z < -by ? z + by : 0, d = w->x[i] - x;
            w->x[i] = x;
            for (size_t j = 0; j < w->count; j++)
                w->score[j] += d * pt_members_gram(w, i)[j];
        }
        double x[100];
        memcpy(x, w->x, w->count * sizeof *x);
        double before = objective(w, lambda);
        assert_int_equal(pt_l1_tangents_keep(&t, w), PARTAN_OK);
        if (round % 4 == 3 && pt_l1_tangents_step(&t, w, lambda)) {
            moved++;
            for (size_t i = 0; i < w->count; i++)
                assert_true(w->x[i] * x[i] >= 0 && (x[i] != 0 || w->x[i] == 0));
            double score[100];
            memcpy(score, w->score, w->count * sizeof *score);
            pt_members_rescore(w);
            for (size_t i = 0; i < w->count; i++)
                assert_true(fabs(score[i] - w->score[i]) <= 1e-9);
            if (!(objective(w, lambda) <= before + 1e-12))
                fail_msg("round %d: %g more than %g", round, objective(w, lambda) - before, before);
        }
    }
    assert_true(moved > 3);
    pt_l1_tangents_free(&t);
    drop(&m);
}

static void steps_solve_the_restricted_problem(void **state)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        made m;
        make(&m, *state, 30, 70, 1, seed);
        add_all(&m);
        pt_steps steps;
        pt_steps_init(&steps, &m.members);
        double null = regression_null(&m.g), largest = regression_largest(&m.g), x[100];
        for (double lambda = largest; lambda > 1e-3 * largest; lambda *= 0.3) {
            assert_int_equal(pt_steps_solve(&steps, lambda, 1e-12 * null), PARTAN_OK);
            assert_true(pt_steps_gap(&m.members, lambda) <= 1e-12 * null);
            double objective = regression_descend(&m.g, lambda, x), norm = pt_steps_norm(&m.members), residual[30];
            memset(x, 0, sizeof x);
            for (size_t i = 0; i < m.members.count; i++)
                x[m.members.ids[i]] = m.members.x[i];
            double found = regression_residual(&m.g, x, residual) / 2 + lambda * norm;
            assert_true(fabs(found - objective) <= 1e-9 * null);
            double at = lambda * 1.7;
            assert_int_equal(pt_steps_solve_norm(&steps, norm, 1e-12 * null, &at), PARTAN_OK);
            assert_true(fabs(pt_steps_norm(&m.members) - norm) <= 1e-6 * norm + 1e-12);
        }
        pt_steps_free(&steps);
        drop(&m);
    }
}

/* What screening leaves out of the passes is 0 in the solution, whatever point the gap is that of. */
static void screened_columns_are_inactive(void **state)
{
    int screened = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        made m;
        make(&m, *state, 60, 90, 1, seed);
        pt_lasso_target target = {.gap = 1e-9};
        double null = regression_null(&m.g), residual[100], x[100], share = seed % 2 ? 0.97 : 0.6;
        double lambda = share * regression_largest(&m.g);
        pt_lasso_solver *s = NULL;
        assert_int_equal(pt_lasso_solver_make(&m.design, &target, &s), PARTAN_OK);
        regression_descend(&m.g, lambda * (seed % 3 ? 1.001 : 1), x); /* a point nearby */
        pt_solved solved = {.lambda = lambda};
        for (size_t j = 0; j < m.g.features; j++)
            solved.norm += fabs(x[j]);
        regression_residual(&m.g, x, residual);
        memcpy(s->residuals, residual, m.g.rows * sizeof *residual);
        double largest;
        s->lambda = INFINITY;
        assert_int_equal(pt_lasso_pass(s, &lambda, 1, &largest), PARTAN_OK);
        solved.gap = pt_lasso_gap(s, &solved, s->residuals, largest);
        assert_true(solved.gap <= 0.01 * null);
        assert_int_equal(pt_lasso_screen(s, &solved, s->residuals, largest), PARTAN_OK);
        regression_descend(&m.g, lambda, x);
        size_t alive = 0;
        for (size_t j = 0; j < m.g.features && s->alive_count > 0; j++) {
            bool inside = alive < s->alive_count && s->alive[alive] == (int64_t)j;
            assert_true(inside || x[j] == 0);
            alive += inside;
        }
        screened += s->alive_count > 0;
        pt_lasso_solver_free(s);
        drop(&m);
    }
    assert_true(screened > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(inner_products_are_those_of_the_columns),
        SERIAL_TEST(the_factor_follows_joins_and_leaves),
        SERIAL_TEST(tangents_lower_the_objective_and_keep_signs),
        SERIAL_TEST(steps_solve_the_restricted_problem),
        SERIAL_TEST(screened_columns_are_inactive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
