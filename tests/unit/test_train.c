/* Training through the public interface: targets, limits, interruption, threads, cache,
 * storage, and what happens when memory runs out. Whatever ends a run, the model is valid and its claims are true. */
#include "training.h"

#include <pthread.h>
#include <unistd.h>

#include "failing.h"

#include "simplex/simplex.h"

/* ---- Targets and limits ---- */

static void tol_and_eps_say_when_to_stop(void **state)
{
    partan_data *data = generate(*state, "twonorm", 500);
    FOR_EVERY_SOLVER(solver) {
        partan_settings s = defaults((partan_solver)solver);
        s.tol = 0.05;
        partan_model *loose = train(*state, data, &s, NULL, PARTAN_OK);
        assert_true(loose->result.relative_gap <= 0.05 && loose->result.relative_gap > 0);
        s.tol = 0;
        s.eps = loose->result.gap / 2;
        partan_model *tight = train(*state, data, &s, NULL, PARTAN_OK);
        assert_true(tight->result.gap <= s.eps);
        assert_true(tight->result.iterations > loose->result.iterations);
        s.tol = 0.05; /* the first to hold stops */
        partan_model *both = train(*state, data, &s, NULL, PARTAN_OK);
        assert_same_model(loose, both);
        partan_model_free(loose);
        partan_model_free(tight);
        partan_model_free(both);
    }
    partan_data_free(data);
}

static void max_iter_is_exact(void **state)
{
    partan_data *data = generate(*state, "ringnorm", 300);
    FOR_EVERY_SOLVER(solver)
        for (int sample = 0; sample <= 30; sample += 30) {
            partan_settings s = defaults((partan_solver)solver);
            s.tol = 1e-9;
            s.sample = sample;
            s.max_iter = 17;
            partan_model *model = train(*state, data, &s, NULL, PARTAN_ITERATION_LIMIT);
            assert_int_equal(model->result.iterations, 17);
            partan_model_free(model);
        }
    partan_data_free(data);
}

static void time_runs_out(void **state)
{
    partan_data *data = generate(*state, "ringnorm", 20000);
    FOR_EVERY_SOLVER(solver) {
        partan_settings s = defaults((partan_solver)solver);
        s.tol = 1e-13;
        s.cost = 1e5;
        s.time_limit = 1e-9;
        partan_model *model = train(*state, data, &s, NULL, PARTAN_TIME_LIMIT);
        partan_model_free(model);
        s.time_limit = 0.05;
        model = train(*state, data, &s, NULL, PARTAN_TIME_LIMIT);
        assert_true(model->result.iterations > 0);
        partan_model_free(model);
    }
    partan_data_free(data);
}

static void settings_out_of_range_are_refused(void **state)
{
    partan_data *data = generate(*state, "twonorm", 50);
    for (int i = 0; i < 14; i++) {
        partan_settings s = defaults(PARTAN_SOLVER_PARTAN);
        switch (i) {
        case 0:
            s.cost = 0;
            break;
        case 1:
            s.cost = NAN;
            break;
        case 2:
            s.cost = INFINITY;
            break;
        case 3:
            s.gamma = -1;
            break;
        case 4:
            s.gamma = NAN;
            break;
        case 5:
            s.degree = 0;
            break;
        case 6:
            s.coef0 = INFINITY;
            break;
        case 7:
            s.tol = 0;
            break;
        case 8:
            s.tol = -0.1;
            break;
        case 9:
            s.eps = NAN;
            break;
        case 10:
            s.sample = -1;
            break;
        case 11:
            s.step = PARTAN_STEP_CLASSIC;
            break;
        case 12:
            s.solver = (partan_solver)9;
            break;
        default:
            s.kernel = (partan_kernel)77;
            break;
        }
        partan_model *model = (partan_model *)&s;
        assert_int_equal(partan_train(*state, data, &s, NULL, &model), PARTAN_ERROR_ARGUMENT);
        assert_null(model);
        assert_true(*partan_error(*state));
    }
    partan_data_free(data);
}

static void unusable_data_is_refused(void **state)
{
    static const float values[] = {1, 2, 3};
    partan_settings s = defaults(PARTAN_SOLVER_PARTAN);
    for (int i = 0; i < 4; i++) {
        double labels[] = {1, i == 0 ? 1 : 2, i == 1 ? 2.5 : i == 2 ? NAN : 2}; /* regression, none */
        labels[2] = i == 0 ? 1 : labels[2];
        if (i == 3)
            s.kernel = PARTAN_KERNEL_PRECOMPUTED; /* of rows that were not read as such */
        partan_data *data = NULL;
        partan_model *model = NULL;
        assert_int_equal(dense_data(*state, values, 3, 1, 1, labels, PARTAN_STORAGE_DENSE, &data), PARTAN_OK);
        assert_int_equal(partan_train(*state, data, &s, NULL, &model), PARTAN_ERROR_DATA);
        assert_null(model);
        partan_data_free(data);
    }
}

/* ---- Interruption ---- */

/* Asks to stop in every report of the training, the final pass included. */
static int stop_at_once(void *user, const partan_progress *progress)
{
    int *calls = user;
    assert_true(progress->seconds >= 0);
    bool training = strcmp(progress->phase, "train") == 0 || strcmp(progress->phase, "certify") == 0;
    *calls += training;
    return training;
}

static void a_callback_stops_it(void **state)
{
    (void)state;
    for (int sample = 0; sample <= 20; sample += 20) {
        int calls = 0;
        partan_context_options options;
        partan_context_options_init(&options);
        options.progress = stop_at_once;
        options.user = &calls;
        partan_context *context = partan_create(&options);
        partan_data *data = generate(context, "ringnorm", 1000);
        partan_settings s = defaults(PARTAN_SOLVER_FW);
        s.tol = 1e-13;
        s.sample = sample;
        partan_model *model = train(context, data, &s, NULL, PARTAN_INTERRUPTED);
        assert_true(calls > 0);
        partan_model_free(model);
        partan_data_free(data);
        partan_destroy(context);
    }
}

typedef struct interrupter {
    partan_context *context;
    atomic_int stop;
    useconds_t pause;
} interrupter;

/* Interrupts again and again, so that every phase of the run is hit. */
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
    partan_settings s = defaults(PARTAN_SOLVER_PARTAN);
    s.tol = 1e-13;
    for (useconds_t pause = 1; pause <= 30000; pause = pause * 3 + 1) {
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

static void an_interruption_is_used_up(void **state)
{
    partan_data *data = generate(*state, "ringnorm", 500);
    FOR_EVERY_SOLVER(solver) {
        partan_settings s = defaults((partan_solver)solver);
        partan_interrupt(*state); /* before the start: the model is the starting point */
        partan_model *first = train(*state, data, &s, NULL, PARTAN_INTERRUPTED);
        assert_int_equal(first->result.iterations, 0);
        assert_int_equal(first->result.support_vectors, 1);
        partan_model *second = train(*state, data, &s, NULL, PARTAN_OK);
        partan_model_free(first);
        partan_model_free(second);
    }
    partan_data_free(data);
}

/* ---- Threads, cache, storage ---- */

static void threads_do_not_matter(void **state)
{
    partan_context *two = *state, *one;
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 1;
    one = partan_create(&options);
    partan_data *data = generate(two, "ringnorm", 3000); /* enough to wake threads */
    FOR_EVERY_SOLVER(solver)
        for (int sample = 0; sample <= 100; sample += 100) {
            partan_settings s = defaults((partan_solver)solver);
            s.gamma = 0.02;
            s.sample = sample;
            s.max_iter = 400;
            s.tol = 0.01;
            partan_model *a = NULL, *b = NULL;
            partan_status first = partan_train(one, data, &s, NULL, &a), second = partan_train(two, data, &s, NULL, &b);
            assert_int_equal(first, second);
            check_verified(two, b, data);
            assert_same_model(a, b);
            partan_model_free(a);
            partan_model_free(b);
        }
    partan_data_free(data);
    partan_destroy(one);
}

static void cache_budgets_do_not_matter(void **state)
{
    partan_data *data = generate(*state, "ringnorm", 300);
    const int64_t column = 304 * 4;
    const int64_t budgets[] = {0, 1, column - 1, column, 2 * column, 3 * column, 20 * column, 400 * column, -1};
    FOR_EVERY_VARIANT(solver) {
        partan_model *first = NULL;
        for (int i = 0; i < 9; i++) {
            partan_settings s = defaults((partan_solver)solver);
            s.cache_bytes = budgets[i];
            s.tol = 1e-6;
            s.max_iter = 3000;
            partan_model *model = NULL;
            assert_true(partan_train(*state, data, &s, NULL, &model) >= 0);
            check_verified(*state, model, data);
            if (first)
                assert_same_model(first, model);
            if (first)
                partan_model_free(model);
            else
                first = model;
        }
        partan_model_free(first);
    }
    partan_data_free(data);
}

/* Whether the problem of these settings has an inverted index of its rows. */
static bool indexed(partan_context *context, const partan_data *data, const float *signs, int64_t cache_bytes)
{
    pt_kernel kernel = {.kind = PARTAN_KERNEL_RBF, .gamma = 1};
    pt_problem *problem = NULL;
    pt_points points = {&data->matrix, data->serials};
    pt_dual dual = pt_dual_of_classes(data->matrix.rows, signs, 1);
    assert_int_equal(pt_simplex_full(context, &kernel, points, &dual, NULL, cache_bytes, &problem), PARTAN_OK);
    bool found = ((pt_simplex *)problem)->block.index != NULL;
    pt_problem_free(problem);
    return found;
}

/* Without room for an index of sparse rows, columns are made row by row, and have the same bits. */
static void an_index_does_not_matter(void **state)
{
    partan_data *data = generate(*state, "text", 6000);
    pt_classes classes;
    float *signs;
    assert_int_equal(pt_data_classes(data, &classes, &signs), PARTAN_OK);
    assert_true(indexed(*state, data, signs, -1) && !indexed(*state, data, signs, 100000));
    FOR_EVERY_VARIANT(solver) {
        partan_settings s = defaults((partan_solver)solver);
        s.gamma = 1;
        s.max_iter = 150;
        partan_model *with = train(*state, data, &s, NULL, PARTAN_ITERATION_LIMIT);
        s.cache_bytes = 0;
        partan_model *without = train(*state, data, &s, NULL, PARTAN_ITERATION_LIMIT);
        assert_same_model(with, without);
        partan_model_free(with);
        partan_model_free(without);
    }
    pt_classes_free(*state, &classes);
    pt_free(*state, signs);
    partan_data_free(data);
}

static void storages_agree(void **state)
{
    static toy t;
    toy_fill(&t, 60, 30, true, 3);
    FOR_EVERY_SOLVER(solver) {
        double objective = 0;
        for (size_t i = 0; i < STORAGES; i++) {
            partan_settings s = defaults((partan_solver)solver);
            s.tol = reachable(solver, 1e-3, 1e-5, 1e-5);
            partan_data *data = toy_data(*state, &t, &s, every_storage(i));
            partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
            if (i > 0)
                assert_true(fabs(model->result.objective - objective) <= 2 * s.tol * objective);
            objective = model->result.objective;
            partan_model_free(model);
            partan_data_free(data);
        }
    }
}

/* ---- Indefinite kernels, and rows of a kernel matrix that are none ---- */

static void indefinite_kernels_end_well(void **state)
{
    static toy t;
    int refused = 0, trained = 0;
    for (uint64_t seed = 1; seed <= 12; seed++)
        FOR_EVERY_SOLVER(solver)
            for (int sample = 0; sample <= 10; sample += 10) {
                partan_settings s = defaults((partan_solver)solver);
                s.kernel = PARTAN_KERNEL_SIGMOID;
                s.gamma = 0.02 * (double)(seed * seed);
                s.coef0 = seed % 3 ? -0.5 : 0.5;
                s.cost = seed % 2 ? 0.2 : 100;
                s.tol = 1e-3;
                s.sample = sample;
                s.max_iter = 20000;
                toy_fill(&t, 40, 5, false, seed);
                partan_data *data = toy_data(*state, &t, &s, PARTAN_STORAGE_DENSE);
                partan_model *model = NULL;
                partan_status status = partan_train(*state, data, &s, NULL, &model);
                if (status < 0) {
                    assert_int_equal(status, PARTAN_ERROR_NUMERIC);
                    assert_true(*partan_error(*state) && !model);
                    refused++;
                } else {
                    check_verified(*state, model, data);
                    trained++;
                }
                partan_model_free(model);
                partan_data_free(data);
            }
    assert_true(refused > 0 && trained > 0);
}

static void values_beyond_float32_are_an_error(void **state)
{
    static toy t;
    partan_settings s = defaults(PARTAN_SOLVER_PARTAN);
    s.kernel = PARTAN_KERNEL_POLYNOMIAL;
    s.degree = 30;
    s.gamma = 1;
    toy_fill(&t, 20, 5, false, 2);
    for (size_t i = 0; i < t.rows; i++)
        t.values[i][0] = 1000;
    for (int i = 0; i < 3; i++) {
        s.sample = i == 1 ? 5 : 0;
        s.solver = i == 2 ? PARTAN_SOLVER_AUTO : PARTAN_SOLVER_PARTAN;
        partan_data *data = toy_data(*state, &t, &s, PARTAN_STORAGE_DENSE);
        partan_model *model = NULL;
        assert_int_equal(partan_train(*state, data, &s, NULL, &model), PARTAN_ERROR_NUMERIC);
        assert_true(*partan_error(*state) && !model);
        partan_data_free(data);
    }
}

/* ---- Memory ---- */

static struct {
    partan_solver solver;
    int64_t sample, cache;
    partan_storage storage;
    bool warm;
} chosen;

static partan_status train_with_chosen(partan_context *context)
{
    static toy t;
    toy_fill_for(&t, 40, 12, chosen.storage, 3);
    partan_settings s = defaults(chosen.solver);
    s.gamma_rule = PARTAN_GAMMA_AUTO;
    s.sample = chosen.sample;
    s.cache_bytes = chosen.cache;
    s.tol = 0.1;
    partan_data *data = toy_data(context, &t, &s, chosen.storage);
    partan_model *model = NULL, *second = NULL;
    partan_status status = data ? partan_train(context, data, &s, NULL, &model) : PARTAN_ERROR_MEMORY;
    assert_int_equal(status >= 0, model != NULL);
    if (chosen.warm && status == PARTAN_OK) {
        partan_data *other = NULL;
        t.rows = 35; /* other data: matched by content */
        other = toy_data(context, &t, &s, PARTAN_STORAGE_SPARSE);
        status = other ? partan_train(context, other, &s, model, &second) : PARTAN_ERROR_MEMORY;
        partan_model_free(second);
        partan_data_free(other);
    }
    partan_model_free(model);
    partan_data_free(data);
    return status;
}

static void training_without_memory_fails_cleanly(void **state)
{
    (void)state;
    FOR_EVERY_SOLVER(solver)
        FOR_EVERY_STORAGE(storage) {
            chosen.solver = (partan_solver)solver;
            chosen.storage = (partan_storage)storage;
            chosen.warm = solver == PARTAN_SOLVER_PARTAN || solver == PARTAN_SOLVER_AUTO;
            chosen.sample = 0;
            chosen.cache = 0;
            check_every_allocation(train_with_chosen);
            chosen.sample = 10;
            check_every_allocation(train_with_chosen);
        }
}

/* Columns that cannot be allocated make the cache smaller; only then may a failed allocation not be seen. */
static void a_cache_without_memory_is_smaller(void **state)
{
    (void)state;
    chosen.solver = PARTAN_SOLVER_SWAP;
    chosen.storage = PARTAN_STORAGE_DENSE;
    chosen.sample = 0;
    chosen.warm = false;
    chosen.cache = 1 << 20;
    int unseen = 0;
    for (long k = 1;; k++) {
        failing allocator = {0};
        partan_context *context = failing_context(&allocator);
        allocator.fail_at = allocator.count + k;
        partan_status status = train_with_chosen(context);
        bool reached = allocator.count >= allocator.fail_at;
        assert_true(status == PARTAN_OK || (reached && status == PARTAN_ERROR_MEMORY));
        unseen += reached && status == PARTAN_OK;
        partan_destroy(context);
        assert_int_equal(allocator.alive, 0);
        if (!reached)
            break;
    }
    assert_true(unseen > 0);
}

/* Steps in float32 stall long before such a target: a full pass leaves precise scores, and they go on. */
static void variants_meet_targets_below_float32(void **state)
{
    partan_generator_options make;
    partan_generator_options_init(&make);
    make.kind = "ringnorm";
    make.rows = 1500;
    make.noise = 0.1;
    partan_data *data = NULL;
    assert_int_equal(partan_generate(*state, &make, PARTAN_STORAGE_AUTO, &data), PARTAN_OK);
    static const partan_solver solvers[] = {PARTAN_SOLVER_MFW, PARTAN_SOLVER_SWAP};
    for (size_t i = 0; i < 2; i++) {
        partan_settings s = defaults(solvers[i]);
        s.cost = 2;
        s.tol = 1e-9;
        partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
        assert_true(model->result.relative_gap <= 1e-9);
        partan_model_free(model);
    }
    partan_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(variants_meet_targets_below_float32),
        SERIAL_TEST(tol_and_eps_say_when_to_stop),
        SERIAL_TEST(max_iter_is_exact),
        SERIAL_TEST(time_runs_out),
        SERIAL_TEST(settings_out_of_range_are_refused),
        SERIAL_TEST(unusable_data_is_refused),
        cmocka_unit_test(a_callback_stops_it),
        CONTEXT_TEST(another_thread_stops_it_in_any_phase),
        SERIAL_TEST(an_interruption_is_used_up),
        CONTEXT_TEST(threads_do_not_matter),
        SERIAL_TEST(cache_budgets_do_not_matter),
        CONTEXT_TEST(an_index_does_not_matter),
        SERIAL_TEST(storages_agree),
        SERIAL_TEST(indefinite_kernels_end_well),
        SERIAL_TEST(values_beyond_float32_are_an_error),
        cmocka_unit_test(training_without_memory_fails_cleanly),
        cmocka_unit_test(a_cache_without_memory_is_smaller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
