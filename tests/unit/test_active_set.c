/* The active-set method on random small problems of every kind, on ones large enough for views and samples, and under
 * limits, interruptions and lack of memory: every model is valid, its claims are true, and every run ends. */
#include "training.h"

#include <pthread.h>
#include <unistd.h>

#include "failing.h"

/* ---- Random small problems ---- */

static const partan_kernel kernels[] = {PARTAN_KERNEL_RBF,       PARTAN_KERNEL_LINEAR,      PARTAN_KERNEL_POLYNOMIAL,
                                        PARTAN_KERNEL_LAPLACIAN, PARTAN_KERNEL_PRECOMPUTED, PARTAN_KERNEL_SIGMOID};

static double power_of_ten(pt_random *random, double low, double high)
{
    return pow(10, low + (high - low) * pt_random_uniform(random));
}

static bool one_in(pt_random *random, uint64_t n)
{
    return pt_random_below(random, n) == 0;
}

static partan_settings random_settings(pt_random *random)
{
    static const int64_t budgets[] = {0, 1, 1000, 3000, 20000, -1};
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.kernel = kernels[pt_random_below(random, 6)];
    s.gamma = one_in(random, 3) ? power_of_ten(random, -8, 8) : power_of_ten(random, -2, 0);
    s.degree = 1 + (int64_t)pt_random_below(random, 4);
    s.coef0 = one_in(random, 4) ? -1 : 1;
    s.cost = one_in(random, 2) ? power_of_ten(random, -6, 6) : power_of_ten(random, -1, 2);
    s.tol = one_in(random, 10) ? 1e-15 : power_of_ten(random, -8, 0);
    if (one_in(random, 5)) {
        s.eps = power_of_ten(random, -9, 0) / s.cost;
        s.tol = one_in(random, 2) ? 0 : s.tol;
    }
    s.merge = one_in(random, 2);
    s.cache_bytes = budgets[pt_random_below(random, 6)];
    s.seed = pt_random_below(random, 1000);
    s.init = one_in(random, 3) ? PARTAN_INIT_RANDOM : PARTAN_INIT_FIRST;
    s.max_iter = one_in(random, 6) ? 1 + (int64_t)pt_random_below(random, 300) : 0;
    return s;
}

/* Now and then with copies of rows, of either label, or with nothing but equal rows. */
static void random_rows(toy *t, pt_random *random, partan_storage storage)
{
    size_t rows = 2 + pt_random_below(random, TOY_ROWS - 2);
    toy_fill_for(t, rows, 1 + pt_random_below(random, 30), storage, pt_random_below(random, 1u << 30));
    bool copies = one_in(random, 3), equal = one_in(random, 20);
    for (size_t i = rows / 2; i < rows && copies; i++) {
        size_t other = pt_random_below(random, rows / 2);
        memcpy(t->values[i], t->values[other], sizeof t->values[i]);
        t->labels[i] = one_in(random, 2) ? t->labels[other] : t->labels[i];
    }
    for (size_t i = 1; i < rows && equal; i++)
        memcpy(t->values[i], t->values[0], sizeof t->values[i]);
    t->labels[1] = -t->labels[0];
}

static double largest(const toy *t)
{
    double diagonal = 0;
    for (size_t i = 0; i < t->rows; i++)
        diagonal = fmax(diagonal, t->K[i][i]);
    return diagonal;
}

/* What the weights themselves say, in double precision. */
static void check_claims(const toy *t, const partan_settings *s, const partan_model *model, uint64_t seed)
{
    const partan_result *r = &model->result;
    double a[TOY_ROWS], gap, lower;
    toy_weights(t, model, a);
    double f = toy_objective(t, a, &gap), ratio = 1 - gap / (2 * f);
    bool definite = s->kernel != PARTAN_KERNEL_SIGMOID && s->coef0 >= 0;
    bool wrong = fabs(r->objective - f) > 1e-4 * f || fabs(r->gap - gap) > 2e-4 * f;
    if (definite) {
        double least = toy_minimum(t, &lower);
        wrong |= f < lower * (1 - 1e-9) || f - gap > least * (1 + 1e-9);
        wrong |= ratio > 0 && ratio * ratio * f > least * (1 + 1e-9);
    }
    wrong |= r->status == PARTAN_OK && !(r->relative_gap <= s->tol || r->gap <= s->eps * (1 + 1e-12));
    wrong |= r->status == PARTAN_ITERATION_LIMIT && r->iterations != s->max_iter;
    wrong |= r->status == PARTAN_STALLED && definite && largest(t) < 1e5 * f && r->relative_gap > 1e-3;
    wrong |= r->converged != (r->status == PARTAN_OK);
    if (wrong)
        fail_msg("problem %d: objective %g (%g), gap %g (%g), %s", (int)seed, r->objective, f, r->gap, gap,
                 partan_status_name(r->status));
}

static void random_problems_are_solved(void **state)
{
    static toy t;
    int count[2] = {0};
    for (uint64_t seed = 1; seed <= SOME_OF(600u); seed++) {
        pt_random random;
        pt_random_seed(&random, seed);
        partan_settings s = random_settings(&random);
        partan_storage storage = every_storage(pt_random_below(&random, STORAGES));
        random_rows(&t, &random, storage);
        toy_matrix(&t, &s);
        if (s.max_iter == 0 && (largest(&t) * s.cost > 1e4 || s.kernel == PARTAN_KERNEL_SIGMOID))
            s.max_iter = 20000; /* converges, but slowly */
        partan_data *data = toy_data(*state, &t, &s, storage);
        partan_model *model = NULL;
        partan_status status = partan_train(*state, data, &s, NULL, &model);
        if (status < 0) {
            assert_int_equal(status, PARTAN_ERROR_NUMERIC);
            assert_true(s.kernel == PARTAN_KERNEL_SIGMOID || s.kernel == PARTAN_KERNEL_POLYNOMIAL);
        } else if (largest(&t) * 1e-11 < model->result.objective) { /* else double precision is not enough */
            check_verified(*state, model, data);
            check_claims(&t, &s, model, seed);
            count[status == PARTAN_OK]++;
        }
        partan_model_free(model);
        partan_data_free(data);
    }
    assert_true(count[1] > SOME_OF(350) && count[0] > SOME_OF(50));
}

/* Without any limit: the kernel matrix in float32 has no smaller gap to offer. */
static void targets_below_rounding_end(void **state)
{
    static toy t;
    for (size_t k = 0; k < 5; k++)
        for (int rows = 20; rows <= 60; rows += 20)
            for (size_t i = 0; i < STORAGES; i++) {
                partan_storage storage = every_storage(i);
                partan_settings s = defaults(PARTAN_SOLVER_AUTO);
                s.kernel = kernels[k];
                s.tol = 1e-17;
                s.cost = rows == 40 ? 0.1 : 5;
                s.degree = 2;
                s.coef0 = 1;
                toy_fill_for(&t, (size_t)rows, 5, storage, 3);
                partan_data *data = toy_data(*state, &t, &s, storage);
                partan_model *model = NULL;
                partan_status status = partan_train(*state, data, &s, NULL, &model);
                assert_true(status == PARTAN_STALLED || status == PARTAN_OK);
                assert_true(model->result.relative_gap <= 1e-4);
                check_verified(*state, model, data);
                partan_model_free(model);
                partan_data_free(data);
            }
}

/* Where all kernel values are close to 1, 2f may be less than their precision in float32. */
static void kernels_near_one_are_solved(void **state)
{
    enum { ROWS = 1500, FEATURES = 100 };
    float *values = malloc(ROWS * FEATURES * sizeof *values);
    double labels[ROWS];
    pt_random random;
    pt_random_seed(&random, 5);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < FEATURES; j++) {
            values[i * FEATURES + j] = one_in(&random, 3);
            labels[i] = one_in(&random, 2) ? 1 : -1;
        }
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.kernel = PARTAN_KERNEL_RBF;
    s.gamma = 3e-5;
    s.cost = 1e7;
    s.tol = SOME_OF(4) < 4 ? 0.5 : 1e-3; /* a first look is enough for a sanitizer */
    s.max_iter = 500000;
    partan_data *data = NULL;
    partan_model *model = NULL;
    assert_int_equal(dense_data(*state, values, ROWS, FEATURES, FEATURES, labels, PARTAN_STORAGE_BITS, &data),
                     PARTAN_OK);
    assert_int_equal(partan_train(*state, data, &s, NULL, &model), PARTAN_OK);
    assert_true(2 * model->result.objective < (double)FLT_EPSILON);
    check_verified(*state, model, data);
    partan_model_free(model);
    partan_data_free(data);
    free(values);
}

/* ---- Views ---- */

/* |f - f'| for two models proven to `tol`: each is within a factor (1 - tol)^2 of the minimum. */
static void assert_same_optimum(const partan_model *a, const partan_model *b, double tol)
{
    assert_true(fabs(a->result.objective - b->result.objective) <= 2.1 * tol * a->result.objective);
}

/* More rows than the first working set has, so that rows are priced, split, added and dropped. Copies of rows that do
 * not fit the budget leave the view of all rows. */
static void any_budget_gives_the_optimum(void **state)
{
    static const int64_t budgets[] = {0, 1, 1000, 30000, 100000, 250000, 1 << 20, -1};
    static const char *const kinds[] = {"twonorm", "ringnorm", "waveform", "checkerboard"};
    for (int k = 0; k < 4; k++) {
        partan_data *data = generate(*state, kinds[k], 1800);
        partan_settings s = defaults(PARTAN_SOLVER_SWAP);
        s.cost = k == 0 ? 1 : 10;
        s.tol = 5e-3;
        partan_model *swap = train(*state, data, &s, NULL, PARTAN_OK);
        s.solver = PARTAN_SOLVER_AUTO;
        for (int i = 0; i < 8; i++) {
            s.cache_bytes = budgets[i];
            partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
            assert_same_optimum(model, swap, s.tol);
            partan_model_free(model);
        }
        partan_model_free(swap);
        partan_data_free(data);
    }
}

/* Nearly all rows are support vectors, and so have nearly the least score, which float32 does not tell apart: a target
 * above its rounding, at which a few precise scores may refute a gap, and one far below it, which needs all of them. */
static void many_least_scores_are_told_apart(void **state)
{
    partan_generator_options make;
    partan_generator_options_init(&make);
    make.kind = "checkerboard";
    make.rows = 3000;
    make.features = 8;
    make.noise = 0.3;
    partan_data *data = NULL;
    assert_int_equal(partan_generate(*state, &make, PARTAN_STORAGE_AUTO, &data), PARTAN_OK);
    for (int tight = 0; tight < 2; tight++) {
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        s.gamma = 1.5;
        s.tol = tight ? 1e-6 : 1e-3;
        partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
        assert_true(model->count > 2500);
        assert_true(model->result.relative_gap <= s.tol);
        partan_model_free(model);
    }
    partan_data_free(data);
}

/* A few rows far out in the first working set are dropped while all others are members. */
static void dropped_members_are_priced(void **state)
{
    enum { ROWS = 440 };
    static float values[ROWS][2];
    double labels[ROWS];
    for (uint64_t seed = 1; seed <= 6; seed++) {
        pt_random random;
        pt_random_seed(&random, seed);
        for (int i = 0; i < ROWS; i++) {
            labels[i] = i % 2 ? 1 : -1;
            values[i][0] = (float)(labels[i] * (i % 10 < 2 ? 40 : 1) + pt_random_normal(&random));
            values[i][1] = (float)pt_random_normal(&random);
        }
        partan_data *data = NULL;
        dense_data(*state, values[0], ROWS, 2, 2, labels, PARTAN_STORAGE_DENSE, &data);
        for (int linear = 0; linear < 2; linear++)
            for (double tol = 1e-1; tol > 5e-5; tol /= 10) {
                partan_settings s = defaults(PARTAN_SOLVER_AUTO);
                s.kernel = linear ? PARTAN_KERNEL_LINEAR : PARTAN_KERNEL_RBF;
                s.tol = tol;
                partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
                partan_model_free(model);
            }
        partan_data_free(data);
    }
}

/* ---- Many rows: a random sample at the start ---- */

enum { MANY = 150000 };

static partan_data *many_rows(partan_context *context)
{
    float *values = malloc(sizeof(float[2]) * MANY);
    double *labels = malloc(sizeof(double) * MANY);
    pt_random random;
    pt_random_seed(&random, 5);
    for (int i = 0; i < MANY; i++) {
        labels[i] = pt_random_uniform(&random) < 0.3 ? 1 : -1;
        values[2 * i] = (float)(3 * labels[i] + pt_random_normal(&random));
        values[2 * i + 1] = (float)pt_random_normal(&random);
    }
    partan_data *data = NULL;
    assert_int_equal(dense_data(context, values, MANY, 2, 2, labels, PARTAN_STORAGE_DENSE, &data), PARTAN_OK);
    free(values);
    free(labels);
    return data;
}

static void interrupt_early(void *user, const partan_trace_row *row)
{
    partan_context **context = user;
    if (row->iteration > 0)
        partan_interrupt(*context);
}

static void many_rows_begin_with_a_sample(void **state)
{
    (void)state;
    partan_context *context = NULL;
    partan_context_options options;
    partan_context_options_init(&options);
    options.trace = interrupt_early;
    options.user = &context;
    options.threads = 2;
    context = partan_create(&options);
    partan_data *data = many_rows(context);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.kernel = PARTAN_KERNEL_LINEAR;
    s.cost = 1e-4;
    s.tol = 1e-2;
    partan_model *stopped = train(context, data, &s, NULL, PARTAN_INTERRUPTED);
    assert_true(stopped->result.relative_gap > s.tol);
    s.max_iter = 100;
    partan_model *limited = train(context, data, &s, NULL, PARTAN_ITERATION_LIMIT);
    partan_model_free(stopped);
    partan_model_free(limited);
    partan_data_free(data);
    partan_destroy(context);
}

static void many_rows_are_solved(void **state)
{
    partan_data *data = many_rows(*state);
    partan_model *first = NULL;
    for (int i = 0; i < 4; i++) {
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        s.cost = 10;
        s.gamma = 0.1;
        s.tol = 0.05;
        s.max_iter = 20000;
        s.cache_bytes = i == 1 ? 0 : i == 2 ? 900000 : -1; /* no copies, not of all rows, all */
        s.seed = i == 3 ? 7 : 1;
        s.kernel = PARTAN_KERNEL_RBF;
        partan_model *model = NULL;
        assert_true(partan_train(*state, data, &s, NULL, &model) >= 0);
        assert_true(model->result.converged);
        if (first)
            assert_same_optimum(first, model, s.tol);
        if (i == 0) {
            check_verified(*state, model, data);
            first = model;
        } else {
            partan_model_free(model);
        }
    }
    partan_model_free(first);
    partan_data_free(data);
}

/* ---- The same bits ---- */

static void threads_and_runs_do_not_matter(void **state)
{
    partan_context *two = *state;
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 1;
    partan_context *one = partan_create(&options);
    partan_data *data = generate(two, "ringnorm", 6000);
    for (int i = 0; i < 2; i++) {
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        s.gamma = i ? 0.5 : 0.05; /* the first keeps kernel rows or not, the second has thousands of members */
        s.cost = 1;
        s.max_iter = 6000;
        s.tol = 1e-3;
        partan_model *models[3] = {NULL};
        for (int k = 0; k < 3; k++)
            assert_true(partan_train(k ? two : one, data, &s, NULL, &models[k]) >= 0);
        assert_same_model(models[0], models[1]);
        assert_same_model(models[0], models[2]);
        assert_true(models[0]->result.objective == models[1]->result.objective);
        for (int k = 0; k < 3; k++)
            partan_model_free(models[k]);
    }
    partan_data_free(data);
    partan_destroy(one);
}

/* ---- Limits and interruptions ---- */

static void iterations_are_counted_over_rounds(void **state)
{
    partan_data *data = generate(*state, "ringnorm", 2000);
    for (int64_t most = 1; most < 3000; most = most * 2 + most % 3) {
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        s.tol = 1e-9;
        s.max_iter = most;
        partan_model *model = train(*state, data, &s, NULL, PARTAN_ITERATION_LIMIT);
        assert_int_equal(model->result.iterations, most);
        partan_model_free(model);
    }
    partan_data_free(data);
}

typedef struct observer {
    partan_context *context;
    int rows, stop_at;
    int64_t last;
    double objective, gap;
} observer;

static void observe(void *user, const partan_trace_row *row)
{
    observer *o = user;
    assert_true(o->rows > 0 ? row->iteration > o->last : row->iteration == 0);
    assert_int_equal(row->type, row->iteration ? PARTAN_STEP_SWAP : PARTAN_STEP_START);
    assert_true(o->rows == 0 || row->objective <= o->objective * (1 + 1e-6));
    assert_true(fabs(row->relative_gap - row->gap / (2 * row->objective)) <= 1e-12 && row->active > 0);
    o->last = row->iteration;
    o->objective = row->objective;
    o->gap = row->gap;
    if (++o->rows == o->stop_at)
        partan_interrupt(o->context);
}

/* Stops after the start, after the first round, the second ...; large costs need the certificate in double precision,
 * which is then asked to stop as well. The trace's last row is the model's claim. */
static void every_round_can_be_the_last(void **state)
{
    (void)state;
    for (int precise = 0; precise < 2; precise++)
        for (int stop_at = 1;; stop_at++) {
            observer o = {.stop_at = stop_at};
            partan_context_options options;
            partan_context_options_init(&options);
            options.trace = observe;
            options.user = &o;
            options.threads = 1;
            o.context = partan_create(&options);
            partan_data *data = generate(o.context, "twonorm", 1500);
            partan_settings s = defaults(PARTAN_SOLVER_AUTO);
            s.tol = 1e-3;
            s.kernel = precise ? PARTAN_KERNEL_POLYNOMIAL : PARTAN_KERNEL_RBF;
            s.gamma = precise ? 1 : 0.1;
            s.cost = precise ? 0.1 : 10;
            s.max_iter = 5000;
            partan_model *model = NULL;
            partan_status status = partan_train(o.context, data, &s, NULL, &model);
            pt_interrupt_clear(o.context);
            assert_true(status >= 0);
            check_verified(o.context, model, data);
            assert_int_equal(o.last, model->result.iterations);
            if (status == PARTAN_INTERRUPTED)
                assert_true(o.rows == stop_at || o.rows == stop_at + 1);
            else
                assert_true(o.gap == model->result.gap && o.objective == model->result.objective);
            partan_model_free(model);
            partan_data_free(data);
            partan_destroy(o.context);
            if (o.rows < stop_at)
                break;
        }
}

typedef struct interrupter {
    partan_context *context;
    atomic_int stop;
    useconds_t pause;
} interrupter;

static void *interrupt_all_the_time(void *user)
{
    interrupter *i = user;
    while (!atomic_load(&i->stop)) {
        usleep(i->pause);
        partan_interrupt(i->context);
    }
    return NULL;
}

static void another_thread_stops_it_in_any_phase(void **state)
{
    partan_data *data = generate(*state, "ringnorm", 3000);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.tol = 1e-13;
    s.cost = 1e4;
    for (useconds_t pause = 1; pause <= 30000; pause = pause * 2 + 1) {
        interrupter i = {.context = *state, .pause = pause};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, interrupt_all_the_time, &i), 0);
        partan_model *model = NULL;
        partan_status status = partan_train(*state, data, &s, NULL, &model);
        atomic_store(&i.stop, 1);
        pthread_join(thread, NULL);
        pt_interrupt_clear(*state); /* one may have come after the end */
        assert_int_equal(status, PARTAN_INTERRUPTED);
        check_verified(*state, model, data);
        partan_model_free(model);
    }
    partan_data_free(data);
}

/* ---- Memory ---- */

static partan_status train_with_views(partan_context *context)
{
    partan_generator_options make;
    partan_generator_options_init(&make);
    make.kind = "twonorm";
    make.rows = 700;
    partan_data *data = NULL;
    partan_model *model = NULL;
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.tol = 0.05;
    s.cost = 1;
    s.cache_bytes = 300000;
    partan_status status = partan_generate(context, &make, PARTAN_STORAGE_AUTO, &data);
    if (!status)
        status = partan_train(context, data, &s, NULL, &model);
    assert_int_equal(status >= 0, model != NULL);
    partan_model_free(model);
    partan_data_free(data);
    return status;
}

static void training_without_memory_fails_cleanly(void **state)
{
    (void)state;
    check_every_allocation(train_with_views);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(random_problems_are_solved),
        SERIAL_TEST(targets_below_rounding_end),
        SERIAL_TEST(kernels_near_one_are_solved),
        SERIAL_TEST(any_budget_gives_the_optimum),
        SERIAL_TEST(many_least_scores_are_told_apart),
        SERIAL_TEST(dropped_members_are_priced),
        cmocka_unit_test(many_rows_begin_with_a_sample),
        CONTEXT_TEST(many_rows_are_solved),
        CONTEXT_TEST(threads_and_runs_do_not_matter),
        SERIAL_TEST(iterations_are_counted_over_rounds),
        cmocka_unit_test(every_round_can_be_the_last),
        CONTEXT_TEST(another_thread_stops_it_in_any_phase),
        cmocka_unit_test(training_without_memory_fails_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
