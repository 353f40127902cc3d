/* The path over C: every point is certified, is the optimum that a training of its own finds, and costs less. */
#include "failing.h"
#include "training.h"

enum { MOST_POINTS = 32 };

/* A path and what became of it. */
typedef struct walk {
    partan_context *context;
    partan_model *models[MOST_POINTS];
    size_t count;
    size_t stop_after;      /* points; 0: do not stop */
    size_t interrupt_after; /* points; 0: do not */
} walk;

static int keep_point(void *user, size_t index, partan_model *model)
{
    walk *w = user;
    assert_int_equal(index, w->count);
    w->models[w->count++] = model;
    if (w->count == w->interrupt_after)
        partan_interrupt(w->context);
    return w->count == w->stop_after;
}

static void walk_free(walk *w)
{
    for (size_t i = 0; i < w->count; i++)
        partan_model_free(w->models[i]);
    w->count = 0;
}

static void spaced(double low, double high, size_t count, double *costs)
{
    for (size_t i = 0; i < count; i++)
        costs[i] = low * pow(high / low, (double)i / (double)(count - 1));
}

static void follow(walk *w, const partan_data *data, const partan_settings *s, const double *costs, size_t count,
                   partan_status expected)
{
    partan_status status = partan_path(w->context, data, s, costs, count, keep_point, w);
    if (status != expected)
        fail_msg("status %s: %s", partan_status_name(status), partan_error(w->context));
    for (size_t i = 0; i < w->count; i++) {
        check_verified(w->context, w->models[i], data);
        assert_true(w->models[i]->settings.cost == costs[i]);
    }
}

/* Points of a path against trainings: both lie between f* and f* / (1 - tol)^2. Returns the steps saved. */
static int64_t compare_with_trainings(const walk *w, const partan_data *data, const partan_settings *settings)
{
    int64_t saved = 0;
    partan_settings s = *settings;
    double bound = 1 / ((1 - s.tol) * (1 - s.tol)) + 1e-6;
    for (size_t i = 0; i < w->count; i++) {
        s.cost = w->models[i]->settings.cost;
        partan_model *own = train(w->context, data, &s, NULL, PARTAN_OK);
        double ratio = w->models[i]->result.objective / own->result.objective;
        assert_true(ratio <= bound && 1 / ratio <= bound);
        assert_true(w->models[i]->result.converged);
        saved += own->result.iterations - w->models[i]->result.iterations;
        partan_model_free(own);
    }
    return saved;
}

static void points_are_what_trainings_find_for_less(void **state)
{
    const char *kinds[] = {"twonorm", "checkerboard", "onehot"};
    double costs[12];
    spaced(0.1, 100, 12, costs);
    for (size_t k = 0; k < 3; k++) {
        walk w = {.context = *state};
        partan_data *data = generate(*state, kinds[k], 700);
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        s.tol = 1e-3;
        follow(&w, data, &s, costs, 12, PARTAN_OK);
        assert_int_equal(w.count, 12);
        assert_true(compare_with_trainings(&w, data, &s) > 0);
        walk_free(&w);
        partan_data_free(data);
    }
}

static void every_kernel_and_storage_has_a_path(void **state)
{
    static toy t;
    double costs[5];
    spaced(0.5, 200, 5, costs);
    toy_fill(&t, 60, 12, true, 7);
    FOR_EVERY_KERNEL(kernel)
        FOR_EVERY_STORAGE(storage) {
            if (kernel == PARTAN_KERNEL_SIGMOID)
                continue; /* not positive semidefinite */
            walk w = {.context = *state};
            partan_settings s = defaults(PARTAN_SOLVER_AUTO);
            s.kernel = (partan_kernel)kernel;
            s.tol = 1e-3;
            partan_data *data = toy_data(*state, &t, &s, (partan_storage)storage);
            follow(&w, data, &s, costs, 5, PARTAN_OK);
            compare_with_trainings(&w, data, &s);
            walk_free(&w);
            partan_data_free(data);
        }
}

/* With lambda = 1 / C the optimum f*(lambda) is a minimum of functions that are linear in lambda, grow, and start at 0
 * or above: it grows, and f* / lambda falls. */
static void objectives_fall_with_the_cost_and_not_too_fast(void **state)
{
    double costs[20];
    spaced(0.01, 100, 20, costs);
    walk w = {.context = *state};
    partan_data *data = generate(*state, "ringnorm", 500);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.tol = 1e-5;
    follow(&w, data, &s, costs, 20, PARTAN_OK);
    for (size_t i = 1; i < 20; i++) {
        double before = w.models[i - 1]->result.objective, after = w.models[i]->result.objective;
        assert_true(after < before * (1 + 1e-4));
        assert_true(after * costs[i] > before * costs[i - 1] * (1 - 1e-4));
    }
    walk_free(&w);
    partan_data_free(data);
}

static void costs_come_in_any_order(void **state)
{
    const double costs[] = {10, 0.1, 0.1, 100, 3, 3.0001, 50};
    walk w = {.context = *state};
    partan_data *data = generate(*state, "checkerboard", 500);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.tol = 1e-3;
    follow(&w, data, &s, costs, 7, PARTAN_OK);
    compare_with_trainings(&w, data, &s);
    assert_true(w.models[2]->result.iterations < w.models[1]->result.iterations / 4); /* the same cost again */
    walk_free(&w);
    follow(&w, data, &s, costs, 1, PARTAN_OK);
    assert_int_equal(w.count, 1);
    s.cost = costs[0];
    partan_model *own = train(*state, data, &s, NULL, PARTAN_OK);
    assert_same_model(own, w.models[0]);
    partan_model_free(own);
    walk_free(&w);
    partan_data_free(data);
}

static void variants_follow_from_point_to_point(void **state)
{
    double costs[4];
    spaced(1, 30, 4, costs);
    partan_data *data = generate(*state, "twonorm", 300);
    FOR_EVERY_VARIANT(solver) {
        walk w = {.context = *state};
        partan_settings s = defaults((partan_solver)solver);
        follow(&w, data, &s, costs, 4, PARTAN_OK);
        assert_int_equal(w.count, 4);
        assert_true(compare_with_trainings(&w, data, &s) > 0);
        walk_free(&w);
    }
    partan_data_free(data);
}

/* ---- Ends ---- */

static void limits_of_points_do_not_end_the_path(void **state)
{
    double costs[6];
    spaced(0.1, 1000, 6, costs);
    walk w = {.context = *state};
    partan_data *data = generate(*state, "checkerboard", 600);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.tol = 1e-6;
    s.max_iter = 40;
    follow(&w, data, &s, costs, 6, PARTAN_ITERATION_LIMIT);
    assert_int_equal(w.count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(w.models[i]->result.status, PARTAN_ITERATION_LIMIT);
        assert_int_equal(w.models[i]->result.iterations, 40);
    }
    walk_free(&w);
    partan_data_free(data);
}

static void the_time_limit_is_one_of_the_path(void **state)
{
    const double costs[] = {1, 10, 100};
    partan_data *data = generate(*state, "checkerboard", 600);
    FOR_EVERY_SOLVER(solver) {
        walk w = {.context = *state};
        partan_settings s = defaults((partan_solver)solver);
        s.tol = 1e-13;
        s.time_limit = 1e-6;
        follow(&w, data, &s, costs, 3, PARTAN_TIME_LIMIT);
        assert_int_equal(w.count, 1);
        walk_free(&w);
    }
    partan_data_free(data);
}

static void the_callback_ends_the_path(void **state)
{
    const double costs[] = {1, 10, 100, 1000};
    walk w = {.context = *state, .stop_after = 2};
    partan_data *data = generate(*state, "twonorm", 300);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    follow(&w, data, &s, costs, 4, PARTAN_INTERRUPTED);
    assert_int_equal(w.count, 2);
    assert_int_equal(w.models[1]->result.status, PARTAN_OK);
    walk_free(&w);
    partan_data_free(data);
}

static void an_interruption_ends_inside_a_point_with_its_true_gap(void **state)
{
    const double costs[] = {1, 10, 100, 1000};
    partan_data *data = generate(*state, "checkerboard", 600);
    FOR_EVERY_SOLVER(solver) {
        walk w = {.context = *state, .interrupt_after = 2};
        partan_settings s = defaults((partan_solver)solver);
        s.tol = 0.01;
        follow(&w, data, &s, costs, 4, PARTAN_INTERRUPTED);
        assert_int_equal(w.count, 3);
        assert_int_equal(w.models[2]->result.status, PARTAN_INTERRUPTED);
        assert_false(w.models[2]->result.converged);
        walk_free(&w);
        w.interrupt_after = 0;
        follow(&w, data, &s, costs, 2, PARTAN_OK); /* it was consumed */
        walk_free(&w);
    }
    partan_data_free(data);
}

static void wrong_costs_are_refused(void **state)
{
    const double wrong[][2] = {{1, 0}, {-1, 1}, {NAN, 1}, {1, INFINITY}};
    walk w = {.context = *state};
    partan_data *data = generate(*state, "twonorm", 50);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    for (size_t i = 0; i < 4; i++)
        follow(&w, data, &s, wrong[i], 2, PARTAN_ERROR_ARGUMENT);
    follow(&w, data, &s, wrong[0], 0, PARTAN_ERROR_ARGUMENT);
    assert_int_equal(w.count, 0);
    partan_data_free(data);
}

static partan_status small_path(partan_context *context)
{
    static toy t;
    const double costs[] = {0.1, 1, 10, 100, 1000};
    walk w = {.context = context};
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    toy_fill(&t, 40, 3, true, 3);
    partan_data *data = NULL;
    partan_status status =
        dense_data(context, t.values[0], t.rows, t.features, TOY_FEATURES, t.labels, PARTAN_STORAGE_AUTO, &data);
    if (!status)
        status = partan_path(context, data, &s, costs, 5, keep_point, &w);
    walk_free(&w);
    partan_data_free(data);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(small_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(points_are_what_trainings_find_for_less),
        SERIAL_TEST(every_kernel_and_storage_has_a_path),
        SERIAL_TEST(objectives_fall_with_the_cost_and_not_too_fast),
        SERIAL_TEST(costs_come_in_any_order),
        SERIAL_TEST(variants_follow_from_point_to_point),
        SERIAL_TEST(limits_of_points_do_not_end_the_path),
        SERIAL_TEST(the_time_limit_is_one_of_the_path),
        SERIAL_TEST(the_callback_ends_the_path),
        SERIAL_TEST(an_interruption_ends_inside_a_point_with_its_true_gap),
        SERIAL_TEST(wrong_costs_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
