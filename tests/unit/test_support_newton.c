/* Newton's method on the members that fall short of their margin: the solution is that of the definition in double
 * precision, for every kernel and storage it serves, however large C is; and it is used where pair steps are many. */
#include "active/support_newton.h"

#include "failing.h"
#include "training.h"
#include "working_set.h"

static const partan_kernel kernels[] = {PARTAN_KERNEL_RBF, PARTAN_KERNEL_LINEAR, PARTAN_KERNEL_POLYNOMIAL,
                                        PARTAN_KERNEL_LAPLACIAN};
static const double costs[] = {0.01, 3, 1e4, 1e7};

/* Weights, scores and gap from the definition, over the members. */
static void check_solution(const bench *b, double tol)
{
    const pt_working *w = &b->working;
    double a[TOY_ROWS], sum = 0, twice = 0, least = INFINITY;
    bench_weights(b, a);
    for (size_t i = 0; i < w->count; i++) {
        double score = bench_score(b, a, (size_t)w->ids[i], true);
        assert_true(fabs(w->scores[i] - score) <= 1e-12 * b->t.K[w->ids[i]][w->ids[i]]);
        assert_true(w->weights[i] >= 0 && (isfinite(w->diagonals[i]) != 0) == (w->weights[i] > 0));
        sum += a[w->ids[i]];
        twice += a[w->ids[i]] * score;
        least = fmin(least, score);
    }
    assert_true(fabs(sum - 1) <= 1e-12);
    assert_true(fabs(twice - 2 * w->objective) <= 1e-9 * twice + 1e-13);
    assert_true(twice - least <= tol * twice + 1e-11);
}

static void solutions_are_those_of_the_definition(void **state)
{
    static bench b;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        for (int storage = 1; storage <= STORAGES; storage++)
            for (size_t c = 0; c < sizeof costs / sizeof *costs; c++) {
                bool solved = false;
                bench_make(&b, *state, kernels[k], (partan_storage)storage, costs[c]);
                set_members(&b, 10);
                assert_true(pt_support_newton_serves(&b.vertices.simplex));
                assert_int_equal(pt_support_newton(&b.working, SIZE_MAX, 1e-6, 0, 1000, &solved), PARTAN_OK);
                assert_true(solved && b.working.steps > 0 && b.working.steps < 40);
                check_solution(&b, 1e-6);
                bench_free(&b, *state);
            }
}

static void other_problems_are_left_alone(void **state)
{
    static bench b;
    bench_make(&b, *state, PARTAN_KERNEL_PRECOMPUTED, PARTAN_STORAGE_DENSE, 3);
    assert_false(pt_support_newton_serves(&b.vertices.simplex));
    bench_free(&b, *state);
    bench_make(&b, *state, PARTAN_KERNEL_RBF, PARTAN_STORAGE_DENSE, 3);
    double linear[TOY_ROWS] = {0};
    b.vertices.simplex.dual.linear = linear;
    assert_false(pt_support_newton_serves(&b.vertices.simplex));
    bench_free(&b, *state);
}

static void an_interruption_leaves_the_set_as_it_was(void **state)
{
    static bench b;
    bool solved = true;
    bench_make(&b, *state, PARTAN_KERNEL_RBF, PARTAN_STORAGE_DENSE, 3);
    set_members(&b, 10);
    partan_interrupt(*state);
    assert_int_equal(pt_support_newton(&b.working, SIZE_MAX, 1e-6, 0, 1000, &solved), PARTAN_INTERRUPTED);
    pt_interrupt_clear(*state);
    assert_false(solved);
    for (size_t i = 0; i < b.working.count; i++)
        assert_true(b.working.weights[i] == (b.working.ids[i] == 10));
    bench_free(&b, *state);
}

/* Nearly all members fall short of their margin at first, whatever the support is. */
static void systems_keep_to_their_room(void **state)
{
    static bench b;
    bool solved = true;
    bench_make(&b, *state, PARTAN_KERNEL_RBF, PARTAN_STORAGE_DENSE, 3);
    set_members(&b, 10);
    assert_int_equal(pt_support_newton(&b.working, 1000, 1e-6, 0, 1000, &solved), PARTAN_STALLED);
    assert_false(solved);
    for (size_t i = 0; i < b.working.count; i++)
        assert_true(b.working.weights[i] == (b.working.ids[i] == 10));
    bench_free(&b, *state);
}

/* ---- Training ---- */

typedef struct heard {
    int newton; /* messages of it */
} heard;

static void listen(void *user, partan_log_level level, const char *message)
{
    heard *h = user;
    (void)level;
    h->newton += strstr(message, "Newton steps") != NULL;
}

static partan_context *listening(heard *h, failing *allocator)
{
    partan_context_options options;
    partan_context_options_init(&options);
    options.log = listen;
    options.user = h;
    if (allocator) {
        options.threads = 1;
        options.allocate = failing_allocate;
        options.release = failing_release;
        options.user = allocator;
        options.log = NULL;
    }
    return partan_create(&options);
}

static partan_settings hard_settings(void)
{
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.gamma = 1;
    s.cost = 1e4;
    s.tol = 1e-6;
    return s;
}

/* Noisy labels and a large C: pair steps go to and fro. */
static partan_data *hard_data(partan_context *context)
{
    partan_generator_options make;
    partan_generator_options_init(&make);
    make.kind = "checkerboard";
    make.rows = 1500;
    make.features = 6;
    make.noise = 0.02;
    partan_data *data = NULL;
    return partan_generate(context, &make, PARTAN_STORAGE_AUTO, &data) ? NULL : data;
}

static void it_is_used_where_pair_steps_are_many(void **state)
{
    (void)state;
    heard h = {0};
    partan_context *context = listening(&h, NULL);
    partan_data *data = hard_data(context);
    partan_settings s = hard_settings();
    partan_model *model = train(context, data, &s, NULL, PARTAN_OK);
    assert_true(h.newton > 0);
    partan_model_free(model);
    partan_data_free(data);
    partan_destroy(context);
}

static partan_status train_hard(partan_context *context)
{
    partan_data *data = hard_data(context);
    partan_model *model = NULL;
    partan_settings s = hard_settings();
    s.tol = 0.05;
    partan_status status = data ? partan_train(context, data, &s, NULL, &model) : PARTAN_ERROR_MEMORY;
    partan_model_free(model);
    partan_data_free(data);
    return status;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_allocations(train_hard, 499);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(solutions_are_those_of_the_definition),    CONTEXT_TEST(other_problems_are_left_alone),
        CONTEXT_TEST(an_interruption_leaves_the_set_as_it_was), CONTEXT_TEST(systems_keep_to_their_room),
        cmocka_unit_test(it_is_used_where_pair_steps_are_many), cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
