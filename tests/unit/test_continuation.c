/* Problems with dense solutions begin with a smaller C, and end with the one that was asked for, whatever ends them. */
#include "sight.h"

typedef struct watch {
    partan_context *context;
    int rows, rises, stop_at;
    uint64_t stopped; /* the round of the interruption */
    sight sight;
    int64_t last;
    double objective;
} watch;

/* The objective only ever rises where C becomes smaller. */
static void look(void *user, const partan_trace_row *row)
{
    watch *w = user;
    assert_true(w->rows == 0 || row->iteration > w->last);
    w->rises += w->rows > 0 && row->objective > 1.5 * w->objective;
    w->objective = row->objective;
    w->last = row->iteration;
    if (++w->rows == w->stop_at) {
        partan_interrupt(w->context);
        w->stopped = w->sight.set ? w->sight.set->limits.rounds : 0;
    }
}

static partan_context *open_watched(watch *w)
{
    partan_context_options options;
    partan_context_options_init(&options);
    options.trace = look;
    options.user = w;
    options.threads = 1;
    return w->context = partan_create(&options);
}

static partan_data *checkerboard(partan_context *context, double noise)
{
    partan_generator_options make;
    partan_generator_options_init(&make);
    make.kind = "checkerboard";
    make.rows = 3000;
    make.features = noise > 0 ? 8 : 2; /* with 8 the kernel has no low rank */
    make.noise = noise;
    partan_data *data = NULL;
    assert_int_equal(partan_generate(context, &make, PARTAN_STORAGE_AUTO, &data), PARTAN_OK);
    return data;
}

static partan_settings dense_settings(void)
{
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.gamma = 1;
    s.cost = 10;
    s.tol = 0.05;
    return s;
}

static void noisy_data_is_solved_by_continuation(void **state)
{
    (void)state;
    for (int noisy = 0; noisy < 2; noisy++) {
        watch w = {.stop_at = -1};
        partan_data *data = checkerboard(open_watched(&w), noisy ? 0.3 : 0);
        partan_settings s = dense_settings();
        partan_model *model = train(w.context, data, &s, NULL, PARTAN_OK);
        assert_true(w.objective == model->result.objective && model->result.relative_gap <= s.tol);
        assert_int_equal(w.rises, noisy);

        /* A start that is good already is not taken back. */
        w = (watch){.context = w.context, .stop_at = -1};
        s.tol = 0.02;
        partan_model *better = train(w.context, data, &s, model, PARTAN_OK);
        assert_int_equal(w.rises, 0);
        partan_model_free(better);
        partan_model_free(model);
        partan_data_free(data);
        partan_destroy(w.context);
    }
}

/* The claims are those of the C that was asked for, also where the run ends during continuation. */
static void limits_and_interruptions_bring_the_cost_back(void **state)
{
    (void)state;
    int ended_early = 0;
    for (int stop_at = 2; stop_at <= 12; stop_at++)
        for (int limit = 0; limit < 2; limit++) {
            watch w = {.stop_at = limit ? -1 : stop_at};
            partan_data *data = checkerboard(open_watched(&w), 0.3);
            partan_settings s = dense_settings();
            s.max_iter = limit ? 2000 * stop_at : 0;
            partan_status status = sight_solve(&w.sight, w.context, data, &s, &s.cost, 1).status;
            assert_true(status == PARTAN_OK || status == (limit ? PARTAN_ITERATION_LIMIT : PARTAN_INTERRUPTED));
            assert_true(w.stopped == 0 || w.sight.rounds <= w.stopped + 1); /* at once */
            ended_early += status != PARTAN_OK && w.rises > 0;
            partan_data_free(data);
            partan_destroy(w.context);
        }
    assert_true(ended_early >= 4);
}

typedef struct points {
    partan_context *context;
    const partan_data *data;
    size_t count;
} points;

static int check_point(void *user, size_t index, partan_model *model)
{
    points *p = user;
    check_verified(p->context, model, p->data);
    assert_true(model->result.converged && index == p->count);
    p->count++;
    partan_model_free(model);
    return 0;
}

/* A path goes on from its first point, which was reached by continuation; the second is the first that is not. */
static void a_path_begins_by_continuation(void **state)
{
    (void)state;
    static const double costs[] = {10, 15, 20};
    for (size_t count = 1; count <= 3; count += 2) {
        watch w = {.stop_at = -1};
        partan_context *context = count == 1 ? open_watched(&w) : partan_create(NULL); /* one trace a point */
        partan_data *data = checkerboard(context, 0.3);
        partan_settings s = dense_settings();
        points p = {context, data, 0};
        assert_int_equal(partan_path(context, data, &s, costs, count, check_point, &p), PARTAN_OK);
        assert_int_equal(p.count, count);
        assert_int_equal(w.rises, count == 1);
        partan_data_free(data);
        partan_destroy(context);
    }
}

/* Whether continuation begins at a C that turns out hard, after the solution for another one. */
static bool begins_after(double last, double cost)
{
    partan_settings s = dense_settings();
    pt_simplex simplex = {.dual = {.inverse_cost = 1 / last}};
    struct pt_active_set set = {.simplex = &simplex,
                                .settings = &s,
                                .solved = true,
                                .cost = {.may_continue = true},
                                .certificate = {.objective = 1, .gap = 10},
                                .support = 10};
    pt_active_set_ask_cost(&set, 1 / cost);
    simplex.dual.inverse_cost = 1 / cost;
    return pt_active_set_change_cost(&set, 1000, false, false);
}

/* The solution for a C that is not much less is as good a start, and is not given up for one below it. */
static void a_path_goes_on_without_continuation(void **state)
{
    (void)state;
    assert_true(begins_after(1, 1000)); /* far apart */
    assert_false(begins_after(60, 1000));
    assert_true(begins_after(4000, 1000)); /* larger */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(noisy_data_is_solved_by_continuation),
                                       cmocka_unit_test(limits_and_interruptions_bring_the_cost_back),
                                       cmocka_unit_test(a_path_begins_by_continuation),
                                       cmocka_unit_test(a_path_goes_on_without_continuation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
