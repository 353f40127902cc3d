/* Where training starts and what it tells on its way: warm starts by row and by content, seeded starts, the trace. */
#include "training.h"

/* ---- Starting points ---- */

static void a_model_of_the_same_data_is_a_start(void **state)
{
    partan_data *data = generate(*state, "twonorm", 400);
    FOR_EVERY_SOLVER(solver) {
        partan_settings s = defaults((partan_solver)solver);
        s.tol = 0.02;
        partan_model *cold = train(*state, data, &s, NULL, PARTAN_OK);
        partan_model *again = train(*state, data, &s, cold, PARTAN_OK);
        assert_int_equal(again->result.iterations, 0);
        assert_true(fabs(again->result.objective - cold->result.objective) <= 1e-9 * cold->result.objective);
        s.tol = 0.015;
        partan_model *on = train(*state, data, &s, cold, PARTAN_OK);
        partan_model *all = train(*state, data, &s, NULL, PARTAN_OK);
        assert_true(on->result.iterations < all->result.iterations);
        s.sample = 50;
        partan_model *sampled = train(*state, data, &s, cold, PARTAN_OK);
        partan_model_free(cold);
        partan_model_free(again);
        partan_model_free(on);
        partan_model_free(all);
        partan_model_free(sampled);
    }
    partan_data_free(data);
}

static void a_model_of_other_rows_is_matched_by_content(void **state)
{
    static toy t;
    partan_settings s = defaults(PARTAN_SOLVER_SWAP);
    s.tol = 1e-3;
    toy_fill(&t, 60, 6, false, 4);
    partan_data *all = toy_data(*state, &t, &s, PARTAN_STORAGE_DENSE);
    partan_model *model = train(*state, all, &s, NULL, PARTAN_OK);
    /* The second half in reverse order, stored sparsely, and the labels' names exchanged: still found. */
    static toy half;
    half = t;
    half.rows = 30;
    for (size_t i = 0; i < 30; i++) {
        memcpy(half.values[i], t.values[59 - i], sizeof t.values[i]);
        half.labels[i] = t.labels[59 - i];
    }
    partan_data *some = toy_data(*state, &half, &s, PARTAN_STORAGE_SPARSE);
    s.max_iter = 1;
    s.tol = 1e-9;
    partan_model *warm = train(*state, some, &s, model, PARTAN_ITERATION_LIMIT);
    assert_true(warm->result.support_vectors > 5);
    toy_matrix(&half, &s);
    double a[TOY_ROWS];
    toy_weights(&half, warm, a);

    toy_fill(&half, 30, 6, false, 99); /* no row in common */
    partan_data *none = toy_data(*state, &half, &s, PARTAN_STORAGE_DENSE);
    partan_model *no_model = NULL;
    assert_int_equal(partan_train(*state, none, &s, model, &no_model), PARTAN_ERROR_DATA);
    assert_null(no_model);
    for (size_t i = 0; i < half.rows; i++)
        half.labels[i] *= 7; /* other classes */
    partan_data *others = toy_data(*state, &half, &s, PARTAN_STORAGE_DENSE);
    assert_int_equal(partan_train(*state, others, &s, model, &no_model), PARTAN_ERROR_DATA);
    assert_null(no_model);
    partan_model_free(model);
    partan_model_free(warm);
    partan_data_free(all);
    partan_data_free(some);
    partan_data_free(none);
    partan_data_free(others);
}

/* A file may say anything: row numbers beyond the data are not believed. */
static void a_model_with_wrong_rows_is_matched_by_content(void **state)
{
    partan_data *data = generate(*state, "twonorm", 100);
    partan_settings s = defaults(PARTAN_SOLVER_SWAP);
    partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
    model->rows = 1u << 30;
    model->origin[0] = (1 << 30) - 1;
    partan_model *again = train(*state, data, &s, model, PARTAN_OK);
    assert_int_equal(again->result.iterations, 0);
    partan_model_free(again);
    partan_model_free(model);
    partan_data_free(data);
}

static void a_seeded_start_is_that_of_the_seed(void **state)
{
    partan_data *data = generate(*state, "twonorm", 1000);
    partan_settings s = defaults(PARTAN_SOLVER_FW);
    s.init = PARTAN_INIT_RANDOM;
    s.max_iter = 1;
    s.tol = 1e-9;
    int64_t rows[4];
    for (uint64_t seed = 0; seed < 4; seed++) {
        s.seed = seed / 2;
        partan_interrupt(*state);
        partan_model *model = train(*state, data, &s, NULL, PARTAN_INTERRUPTED);
        rows[seed] = model->origin[0];
        partan_model_free(model);
    }
    assert_true(rows[0] == rows[1] && rows[2] == rows[3] && rows[0] != rows[2]);
    partan_data_free(data);
}

/* ---- Trace ---- */

typedef struct tracer {
    int64_t rows, last;
    double objective, seconds;
    bool dense; /* every iteration */
} tracer;

static void note_row(void *user, const partan_trace_row *row)
{
    tracer *t = user;
    assert_true(t->rows > 0 ? row->iteration > t->last : row->iteration == 0);
    assert_true(!t->dense || row->iteration == t->rows);
    assert_int_equal(row->type == PARTAN_STEP_START, row->iteration == 0);
    /* A pass that refuses the gap computes the objective more precisely than steps in float32 have kept it. */
    assert_true(t->rows == 0 || row->objective <= t->objective * (1 + 1e-6));
    assert_true(row->seconds >= t->seconds && row->active > 0);
    assert_true(fabs(row->relative_gap - row->gap / (2 * row->objective)) <= 1e-12);
    t->last = row->iteration;
    t->objective = row->objective;
    t->seconds = row->seconds;
    t->rows++;
}

static void the_trace_is_ordered_and_short(void **state)
{
    (void)state;
    static const int64_t wanted[] = {0, 20, 100, 500};
    for (int i = 0; i < 4; i++)
        FOR_EVERY_VARIANT(solver) {
            tracer t = {.dense = wanted[i] == 0};
            partan_context_options options;
            partan_context_options_init(&options);
            options.threads = 1;
            options.trace = note_row;
            options.user = &t;
            partan_context *context = partan_create(&options);
            partan_data *data = generate(context, "ringnorm", 200);
            partan_settings s = defaults((partan_solver)solver);
            s.trace_rows = wanted[i];
            s.tol = 1e-8;
            s.max_iter = 5000;
            partan_model *model = NULL;
            partan_train(context, data, &s, NULL, &model);
            check_verified(context, model, data);
            assert_int_equal(t.last, model->result.iterations);
            assert_true(wanted[i] == 0 ? t.rows == t.last + 1 : t.rows <= wanted[i] + 2);
            assert_true(wanted[i] == 0 || t.rows >= 10);
            partan_model_free(model);
            partan_data_free(data);
            partan_destroy(context);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(a_model_of_the_same_data_is_a_start),
        SERIAL_TEST(a_model_of_other_rows_is_matched_by_content),
        SERIAL_TEST(a_model_with_wrong_rows_is_matched_by_content),
        SERIAL_TEST(a_seeded_start_is_that_of_the_seed),
        cmocka_unit_test(the_trace_is_ordered_and_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
