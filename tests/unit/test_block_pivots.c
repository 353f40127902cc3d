/* Systems of the support by conjugate gradients: what they leave is a better point of the simplex with the scores of
 * the definition; and a path over C uses them where pair steps are many, with the same bits for any number of threads.
 */
#include "active/block_pivots.h"

#include "training.h"
#include "working_set.h"

static const partan_kernel kernels[] = {PARTAN_KERNEL_RBF, PARTAN_KERNEL_LINEAR, PARTAN_KERNEL_POLYNOMIAL,
                                        PARTAN_KERNEL_LAPLACIAN};
static const double costs[] = {1, 30, 1e3};

/* All members have the same weight. */
static void spread_weights(bench *b)
{
    pt_member members[TOY_ROWS];
    size_t count = 0, all = 0;
    double a[TOY_ROWS] = {0}, sum = 0;
    for (size_t i = 0; i < b->t.rows; i++)
        all += i % 3 > 0;
    for (size_t i = 0; i < b->t.rows; i++)
        a[i] = i % 3 ? 1 / (double)all : 0;
    for (size_t i = 0; i < b->t.rows; i++)
        if (i % 3) {
            double score = bench_score(b, a, i, true);
            members[count++] = (pt_member){(int64_t)i, a[i], score};
            sum += a[i] * score;
        }
    assert_int_equal(pt_working_set(&b->working, members, count, sum / 2), PARTAN_OK);
}

typedef partan_status way(pt_working *working, pt_support_gradients *gradients, bool *better);

static partan_status improve(bench *b, way *by, uint64_t most, bool *better)
{
    pt_gradient_pivots pivots = {0};
    pt_support_gradients g;
    *better = false;
    partan_status status = pt_support_gradients_make(&g, &pivots, &b->vertices.simplex, &b->working);
    g.most = most;
    if (!status)
        status = by(&b->working, &g, better);
    assert_true(g.products <= most);
    pt_support_gradients_free(&g);
    pt_gradient_pivots_free(&pivots);
    return status;
}

static void check_point(const bench *b, double before)
{
    const pt_working *w = &b->working;
    double a[TOY_ROWS], sum = 0, twice = 0, largest = 0;
    bench_weights(b, a);
    for (size_t i = 0; i < w->count; i++) {
        double score = bench_score(b, a, (size_t)w->ids[i], true), own = b->t.K[w->ids[i]][w->ids[i]];
        assert_true(fabs(w->scores[i] - score) <= 1e-6 * own);
        assert_true(w->weights[i] >= 0 && (isfinite(w->diagonals[i]) != 0) == (w->weights[i] > 0));
        largest = fmax(largest, own);
        sum += a[w->ids[i]];
        twice += a[w->ids[i]] * score;
    }
    assert_true(fabs(sum - 1) <= 1e-12);
    assert_true(fabs(twice - 2 * w->objective) <= 1e-6 * largest);
    assert_true(w->objective < before);
}

/* The least objective of the members: pair steps to the end. */
static double least_objective(bench *b)
{
    (void)pt_working_solve(&b->working, 1e-3, 0, 1000000);
    return b->working.objective;
}

static void points_are_better_and_nearly_the_best(void **state)
{
    static bench b;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        for (int storage = 1; storage <= STORAGES; storage++)
            for (size_t c = 0; c < sizeof costs / sizeof *costs; c++) {
                bool better = false;
                bench_make(&b, *state, kernels[k], (partan_storage)storage, costs[c]);
                spread_weights(&b);
                double before = b.working.objective;
                assert_int_equal(improve(&b, pt_block_pivots, UINT64_MAX, &better), PARTAN_OK);
                assert_true(better && b.working.steps < 200);
                check_point(&b, before);
                double after = b.working.objective, least = least_objective(&b);
                assert_true(after - least <= 0.2 * (before - least));
                bench_free(&b, *state);
            }
}

static void an_interruption_leaves_the_set_as_it_was(void **state)
{
    static bench b;
    bool better = true;
    bench_make(&b, *state, PARTAN_KERNEL_RBF, PARTAN_STORAGE_DENSE, 3);
    spread_weights(&b);
    double before = b.working.objective, weight = b.working.weights[0];
    partan_interrupt(*state);
    assert_int_equal(improve(&b, pt_block_pivots, UINT64_MAX, &better), PARTAN_INTERRUPTED);
    pt_interrupt_clear(*state);
    assert_false(better);
    assert_true(b.working.objective == before);
    for (size_t i = 0; i < b.working.count; i++)
        assert_true(b.working.weights[i] == weight);
    bench_free(&b, *state);
}

static void products_are_no_more_than_allowed(void **state)
{
    static bench b;
    bool better = false;
    bench_make(&b, *state, PARTAN_KERNEL_LAPLACIAN, PARTAN_STORAGE_DENSE, 1e3);
    spread_weights(&b);
    assert_int_equal(improve(&b, pt_block_pivots, 1, &better), PARTAN_OK);
    assert_int_equal(b.working.steps, 1);
    bench_free(&b, *state);
}

/* Gives the members scores in double precision. */
static void take_exact_scores(bench *b)
{
    double a[TOY_ROWS], scores[TOY_ROWS];
    bench_weights(b, a);
    for (size_t i = 0; i < b->t.rows; i++)
        scores[i] = bench_score(b, a, i, true);
    pt_working_rescore(&b->working, scores);
    pt_working_refresh(&b->working);
}

static double gap_of(const pt_working *w)
{
    double least = INFINITY;
    for (size_t i = 0; i < w->count; i++)
        least = fmin(least, w->scores[i]);
    return 2 * w->objective - least;
}

static double largest_own(const bench *b)
{
    double largest = 0;
    for (size_t i = 0; i < b->t.rows; i++)
        largest = fmax(largest, b->t.K[i][i]);
    return largest;
}

/* Pair steps to a gap of 1e-3, then systems only: far below what scores from float32 kernel values could show. */
static void precise_scores_are_refined(void **state)
{
    static bench b;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        for (size_t c = 0; c < sizeof costs / sizeof *costs; c++) {
            bool better = true;
            bench_make(&b, *state, kernels[k], PARTAN_STORAGE_DENSE, costs[c]);
            spread_weights(&b);
            (void)pt_working_solve(&b.working, 1e-3, 0, 1000000);
            for (int tries = 0; tries < 8 && better; tries++) {
                take_exact_scores(&b);
                double before = gap_of(&b.working);
                assert_int_equal(improve(&b, pt_block_pivots_refine, UINT64_MAX, &better), PARTAN_OK);
                double said = gap_of(&b.working);
                take_exact_scores(&b);
                assert_true(said < before / 2 || !better);
                assert_true(fabs(gap_of(&b.working) - said) <= 1e-4 * before + 1e-13 * largest_own(&b));
            }
            assert_true(gap_of(&b.working) <= 1e-9 * 2 * b.working.objective + 1e-13 * largest_own(&b));
            bench_free(&b, *state);
        }
}

/* What the support's system has left, by its bound, in double precision. */
static double rest_of(const bench *b)
{
    double a[TOY_ROWS], twice = 0, rest = 0;
    bench_weights(b, a);
    for (size_t i = 0; i < b->t.rows; i++)
        twice += a[i] * bench_score(b, a, i, true);
    for (size_t i = 0; i < b->t.rows; i++)
        rest += a[i] > 0 ? b->s.cost * pow(1 - bench_score(b, a, i, true) / twice, 2) : 0;
    return rest * twice;
}

static void systems_pay_where_something_is_left(void **state)
{
    static bench b;
    int seen[2] = {0, 0};
    for (size_t c = 0; c < sizeof costs / sizeof *costs; c++) {
        bench_make(&b, *state, PARTAN_KERNEL_RBF, PARTAN_STORAGE_DENSE, costs[c]);
        spread_weights(&b);
        for (int steps = 0; steps < 40; steps++) {
            double rest = rest_of(&b);
            pt_working_refresh(&b.working);
            bool pays = pt_block_pivots_pay(&b.working);
            assert_true(pays == (rest > 0.03) || fabs(rest - 0.03) < 1e-4);
            seen[pays]++;
            (void)pt_working_solve(&b.working, 1e-9, 0, 10);
        }
        bench_free(&b, *state);
    }
    assert_true(seen[0] > 0 && seen[1] > 0);
}

/* ---- Paths ---- */

enum { POINTS = 3 };

typedef struct heard {
    int tries, helped; /* by messages */
} heard;

static void listen(void *user, partan_log_level level, const char *message)
{
    heard *h = user;
    (void)level;
    h->tries += strstr(message, "systems of the support") != NULL;
    h->helped += strstr(message, ", better") != NULL;
}

typedef struct walk {
    partan_context *context;
    const partan_data *data;
    double objectives[POINTS];
    int64_t iterations;
} walk;

static int take(void *user, size_t index, partan_model *model)
{
    walk *w = user;
    const partan_result *result = partan_model_result(model);
    check_verified(w->context, model, w->data);
    assert_true(result->relative_gap <= 0.05);
    w->objectives[index] = result->objective;
    w->iterations += result->iterations;
    partan_model_free(model);
    return 0;
}

/* Noisy labels, of which a large C takes notice. */
static void follow(int threads, heard *h, walk *w)
{
    const double path[POINTS] = {100, 1000, 10000};
    partan_context_options options;
    partan_context_options_init(&options);
    options.log = listen;
    options.user = h;
    options.threads = threads;
    partan_generator_options make;
    partan_generator_options_init(&make);
    make.kind = "checkerboard";
    make.rows = 2600;
    make.features = 20;
    make.noise = 0.2;
    partan_data *data = NULL;
    *w = (walk){.context = partan_create(&options)};
    assert_int_equal(partan_generate(w->context, &make, PARTAN_STORAGE_AUTO, &data), PARTAN_OK);
    w->data = data;
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.gamma = 0.2;
    s.tol = 0.05;
    assert_int_equal(partan_path(w->context, data, &s, path, POINTS, take, w), PARTAN_OK);
    partan_data_free(data);
    partan_destroy(w->context);
}

static void a_path_uses_them_and_threads_change_nothing(void **state)
{
    (void)state;
    heard one = {0}, two = {0};
    walk first, second;
    follow(1, &one, &first);
    assert_true(one.tries >= 2 && one.helped >= 1);
    if (SOME_OF(4) < 4) /* a sanitizer, with which it takes long */
        return;
    follow(2, &two, &second);
    assert_int_equal(one.tries, two.tries);
    assert_int_equal(first.iterations, second.iterations);
    for (size_t i = 0; i < POINTS; i++)
        assert_true(first.objectives[i] == second.objectives[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(points_are_better_and_nearly_the_best),
        CONTEXT_TEST(an_interruption_leaves_the_set_as_it_was),
        CONTEXT_TEST(products_are_no_more_than_allowed),
        CONTEXT_TEST(precise_scores_are_refined),
        CONTEXT_TEST(systems_pay_where_something_is_left),
        cmocka_unit_test(a_path_uses_them_and_threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
