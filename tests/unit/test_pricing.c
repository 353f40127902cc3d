/* The working set and the views beside it, step by step: scores kept by steps and by differences are those of the
 * weights, computed from the definition in double precision. */
#include "active/pricing.h"
#include "working_set.h"

static const partan_kernel kernels[] = {PARTAN_KERNEL_RBF, PARTAN_KERNEL_LINEAR, PARTAN_KERNEL_POLYNOMIAL,
                                        PARTAN_KERNEL_LAPLACIAN, PARTAN_KERNEL_PRECOMPUTED};

static void check_working(const bench *b)
{
    const pt_working *w = &b->working;
    double a[TOY_ROWS], sum = 0, twice = 0, least = INFINITY;
    bench_weights(b, a);
    for (size_t i = 0; i < w->count; i++) {
        double score = bench_score(b, a, (size_t)w->ids[i], true);
        assert_true(fabs(w->scores[i] - score) <= 1e-5 * b->t.K[w->ids[i]][w->ids[i]]);
        assert_true(w->weights[i] >= 0 && (isfinite(w->diagonals[i]) != 0) == (w->weights[i] > 0));
        sum += w->weights[i];
        twice += w->weights[i] * w->scores[i];
        least = fmin(least, w->scores[i]);
    }
    assert_true(fabs(sum - 1) <= 1e-12);
    assert_true(fabs(twice - 2 * w->objective) <= 1e-5 * twice);
    assert_true(w->scores[w->least] == least && pt_working_gap(w) == 2 * w->objective - least);
}

static void steps_keep_the_scores(void **state)
{
    static bench b;
    for (size_t k = 0; k < 5; k++)
        for (int storage = 1; storage <= (k == 4 ? 1 : STORAGES); storage++) {
            bench_make(&b, *state, kernels[k], (partan_storage)storage, 3);
            set_members(&b, 10);
            double before = INFINITY;
            for (uint64_t done = 0; done < 300; done += 1 + done / 4) {
                uint64_t steps = b.working.steps;
                partan_status status = pt_working_solve(&b.working, 1e-9, 0, 1 + done / 4);
                assert_true(status == PARTAN_OK || status == PARTAN_STALLED);
                assert_true(b.working.steps - steps <= 1 + done / 4);
                assert_true(b.working.objective <= before * (1 + 1e-6));
                before = b.working.objective;
                check_working(&b);
            }
            bench_free(&b, *state);
        }
}

static void the_gap_or_the_number_of_steps_ends_it(void **state)
{
    static bench b;
    bench_make(&b, *state, PARTAN_KERNEL_RBF, PARTAN_STORAGE_DENSE, 3);
    set_members(&b, 4);
    assert_int_equal(pt_working_solve(&b.working, 0, 0, 3), PARTAN_OK);
    assert_int_equal(b.working.steps, 3);
    assert_int_equal(pt_working_solve(&b.working, 1e-2, 0, UINT64_MAX), PARTAN_OK);
    assert_true(pt_working_gap(&b.working) <= 1e-2 * 2 * b.working.objective);
    double eps = pt_working_gap(&b.working) / 10;
    assert_int_equal(pt_working_solve(&b.working, 0, eps, UINT64_MAX), PARTAN_OK);
    assert_true(pt_working_gap(&b.working) <= eps);
    uint64_t steps = b.working.steps;
    assert_int_equal(pt_working_solve(&b.working, 0, eps, UINT64_MAX), PARTAN_OK);
    assert_int_equal(b.working.steps, steps);
    pt_deadline_set(*state, 1e-9); /* long past */
    assert_int_equal(pt_working_solve(&b.working, 0, 0, UINT64_MAX), PARTAN_INTERRUPTED);
    pt_deadline_set(*state, 0);
    partan_interrupt(*state);
    assert_int_equal(pt_working_solve(&b.working, 0, 0, UINT64_MAX), PARTAN_INTERRUPTED);
    assert_int_equal(b.working.steps, steps);
    pt_interrupt_clear(*state);
    partan_status status = pt_working_solve(&b.working, 0, 0, UINT64_MAX); /* no target: ends all the same */
    assert_true(status == PARTAN_OK || status == PARTAN_STALLED);
    bench_free(&b, *state);
}

/* 1 / C is far below the kernel values' last digit in float, yet it alone says how equal rows share their weight. */
static void equal_rows_share_at_any_cost(void **state)
{
    static bench b;
    for (double cost = 1; cost < 1e10; cost *= 100) {
        bench_make(&b, *state, PARTAN_KERNEL_LINEAR, PARTAN_STORAGE_BITS, 3); /* dot products of bits are exact */
        b.vertices.simplex.dual.inverse_cost = 1 / cost;
        pt_matrix rows = {0};
        static const int64_t twice[] = {0, 0, 1, 1};
        assert_int_equal(pt_matrix_gather(&b.data->matrix, twice, 4, &rows), PARTAN_OK);
        b.vertices.simplex.points.matrix = &rows;
        static const float signs[PT_TILE] = {-1, -1, 1, 1};
        b.vertices.simplex.dual.signs = signs;
        double own = formula(&b.s, b.t.values[0], b.t.values[0], b.t.features) + 1;
        double cross = -formula(&b.s, b.t.values[0], b.t.values[1], b.t.features) - 1;
        pt_member members[] = {{0, 1, own + 1 / cost}, {1, 0, own}, {2, 0, cross}, {3, 0, cross}};
        assert_int_equal(pt_working_set(&b.working, members, 4, (own + 1 / cost) / 2), PARTAN_OK);
        partan_status status = pt_working_solve(&b.working, 0, 0, 20000);
        assert_true(status == PARTAN_OK || status == PARTAN_STALLED);
        const double *a = b.working.weights;
        assert_true(fabs(a[0] - a[1]) <= 1e-3 && fabs(a[2] - a[3]) <= 1e-3 && a[0] > 0.1 && a[2] > 0.1);
        pt_working_free(&b.working);
        pt_matrix_free(&rows);
        bench_free(&b, *state);
    }
}

static void check_view(const bench *b, const pt_view *view)
{
    double a[TOY_ROWS];
    bench_weights(b, a);
    for (size_t i = 0; i < view->count; i++) {
        size_t row = view->ids ? (size_t)view->ids[i] : i;
        double score = bench_score(b, a, row, false);
        assert_true(fabs(view->scores[i] - score) <= 1e-5 * b->t.K[row][row]);
    }
    for (size_t i = 0; i < TOY_ROWS; i++)
        assert_true(b->scratch[i] == 0);
}

/* A view of all rows, one of some, and one that starts off with the first one's scores, over many changes of weights,
 * some of few vertices and some of most. */
static void differences_add_up(void **state)
{
    static bench b;
    for (size_t k = 0; k < 5; k++)
        for (int storage = 1; storage <= (k == 4 ? 1 : STORAGES); storage++) {
            bench_make(&b, *state, kernels[k], (partan_storage)storage, 3);
            pt_simplex *simplex = &b.vertices.simplex;
            set_members(&b, 7);
            pt_view all = {0}, some = {0}, late = {0}, none = {0};
            int64_t *ids = pt_alloc(*state, 20, sizeof *ids), *more = pt_alloc(*state, 9, sizeof *more);
            for (int64_t i = 0; i < 20; i++)
                ids[i] = 59 - 3 * i;
            for (int64_t i = 0; i < 9; i++)
                more[i] = 5 * i;
            assert_int_equal(pt_view_make(&all, simplex, NULL, b.t.rows, NULL, NULL), PARTAN_OK);
            assert_int_equal(pt_view_make(&some, simplex, ids, 20, NULL, NULL), PARTAN_OK);
            assert_int_equal(pt_view_make(&none, simplex, pt_alloc(*state, 0, 8), 0, NULL, NULL), PARTAN_OK);
            for (uint64_t round = 0; round < 120; round++) {
                assert_true(pt_working_solve(&b.working, 0, 0, round % 7 == 0 ? 40 : round % 3) >= 0);
                if (round % 50 == 49)
                    set_members(&b, round % 5 + 3);
                assert_int_equal(pt_view_price(&all, simplex, &b.working, b.scratch), PARTAN_OK);
                check_view(&b, &all);
                /* Again costs nothing, and a few steps only what they changed. */
                uint64_t before = simplex->counters.kernel_values;
                assert_int_equal(pt_view_price(&all, simplex, &b.working, b.scratch), PARTAN_OK);
                assert_int_equal(simplex->counters.kernel_values, before);
                assert_int_equal(pt_view_price(&none, simplex, &b.working, b.scratch), PARTAN_OK);
                if (round % 4 == 0) {
                    assert_int_equal(pt_view_price(&some, simplex, &b.working, b.scratch), PARTAN_OK);
                    check_view(&b, &some);
                }
                if (round == 30) {
                    pt_weights weights;
                    assert_int_equal(pt_weights_of(&b.working, &weights), PARTAN_OK);
                    assert_int_equal(pt_view_make(&late, simplex, more, 9, all.scores, &weights), PARTAN_OK);
                    pt_weights_free(*state, &weights);
                    check_view(&b, &late);
                }
                if (round > 30) {
                    assert_int_equal(pt_view_price(&late, simplex, &b.working, b.scratch), PARTAN_OK);
                    check_view(&b, &late);
                }
            }
            pt_view_free(*state, &all);
            pt_view_free(*state, &some);
            pt_view_free(*state, &late);
            pt_view_free(*state, &none);
            bench_free(&b, *state);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(steps_keep_the_scores),
        SERIAL_TEST(the_gap_or_the_number_of_steps_ends_it),
        SERIAL_TEST(equal_rows_share_at_any_cost),
        SERIAL_TEST(differences_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
