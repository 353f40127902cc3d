/* Matrix completion when something ends it early, or is wrong: whatever it is, a matrix that comes back is within the
 * ball and its claims are true. */
#include "completing.h"

#include <pthread.h>
#include <unistd.h>

#include "failing.h"
#include "matrix/matrix.h"

static partan_ratings *noisy(partan_context *context, size_t rows, size_t columns, double share)
{
    sketch s = sketch_make(rows, columns, 5, share, 1, 12);
    partan_ratings *ratings = sketch_ratings(context, &s);
    sketch_free(&s);
    return ratings;
}

/* ---- Limits ---- */

static void iterations_are_limited(void **state)
{
    partan_ratings *ratings = noisy(*state, 60, 50, 0.5);
    FOR_EVERY_SOLVER(solver) {
        for (int most = 1; most <= 3; most += 2) {
            partan_settings s = solving(solver, 1e-12);
            partan_matrix_settings m = within(200, PARTAN_CENTRE_MEAN);
            s.max_iter = most;
            partan_matrix *matrix = complete(*state, ratings, &s, &m, PARTAN_ITERATION_LIMIT);
            assert_int_equal(partan_matrix_get_result(matrix)->iterations, most);
            partan_matrix_free(matrix);
        }
    }
    partan_ratings_free(ratings);
}

static void time_runs_out(void **state)
{
    partan_ratings *ratings = noisy(*state, 300, 200, 0.5);
    FOR_EVERY_SOLVER(solver) {
        partan_settings s = solving(solver, 1e-14);
        partan_matrix_settings m = within(2000, PARTAN_CENTRE_MEAN);
        s.time_limit = 1e-9;
        partan_matrix_free(complete(*state, ratings, &s, &m, PARTAN_TIME_LIMIT));
    }
    partan_ratings_free(ratings);
}

/* A gap of 0 is not to be had: rounding ends it. */
static void rounding_ends_it(void **state)
{
    partan_ratings *ratings = noisy(*state, 20, 15, 0.7);
    partan_settings s = solving(PARTAN_SOLVER_AUTO, 0);
    partan_matrix_settings m = within(30, PARTAN_CENTRE_MEAN);
    s.eps = 1e-300;
    partan_matrix *matrix = complete(*state, ratings, &s, &m, PARTAN_STALLED);
    assert_true(partan_matrix_get_result(matrix)->relative_gap < 1e-8);
    partan_matrix_free(matrix);
    partan_ratings_free(ratings);
}

/* ---- Interruption ---- */

static int stop_at_once(void *user, const partan_progress *progress)
{
    (void)user;
    return strcmp(progress->phase, "train") == 0;
}

static void a_callback_stops_it(void **state)
{
    (void)state;
    FOR_EVERY_SOLVER(solver) {
        partan_context_options options;
        partan_context_options_init(&options);
        options.threads = 2;
        options.progress = stop_at_once;
        partan_context *context = partan_create(&options);
        partan_ratings *ratings = noisy(context, 400, 300, 0.5);
        partan_settings s = solving(solver, 1e-13);
        partan_matrix_settings m = within(5000, PARTAN_CENTRE_MEAN);
        partan_matrix *matrix = complete(context, ratings, &s, &m, PARTAN_INTERRUPTED);
        partan_matrix_free(matrix);
        partan_ratings_free(ratings);
        partan_destroy(context);
    }
}

static void *interrupt_later(void *context)
{
    usleep(20000);
    partan_interrupt(context);
    return NULL;
}

static void another_thread_stops_it(void **state)
{
    partan_ratings *ratings = noisy(*state, 400, 300, 0.5);
    FOR_EVERY_SOLVER(solver) {
        partan_settings s = solving(solver, 1e-14);
        partan_matrix_settings m = within(5000, PARTAN_CENTRE_MEAN);
        partan_matrix *matrix = NULL;
        partan_matrix_verification found;
        partan_matrix_verification_init(&found);
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, interrupt_later, *state), 0);
        partan_status status = partan_matrix_fit(*state, ratings, &s, &m, NULL, &matrix);
        pthread_join(thread, NULL);
        assert_true(status == PARTAN_INTERRUPTED || status == PARTAN_STALLED);
        if (status == PARTAN_STALLED)
            pt_interrupt_clear(*state);
        assert_int_equal(partan_matrix_verify(*state, matrix, ratings, &found), PARTAN_OK);
        assert_true(found.matches);
        partan_matrix_free(matrix);
    }
    partan_ratings_free(ratings);
}

/* ---- What is refused ---- */

static void bad_settings_are_refused(void **state)
{
    partan_ratings *ratings = noisy(*state, 10, 8, 0.5), *unvalued = NULL;
    for (int i = 0; i < 9; i++) {
        partan_settings s = solving(i == 6 ? PARTAN_SOLVER_FW : PARTAN_SOLVER_AUTO, i == 4 ? -1 : 1e-3);
        partan_matrix_settings m = within(i == 0   ? 0
                                          : i == 1 ? -1
                                          : i == 2 ? (double)INFINITY
                                          : i == 3 ? (double)NAN
                                                   : 5,
                                          (partan_centre)(i == 5 ? 17 : 0));
        partan_matrix *matrix = (partan_matrix *)&s;
        m.max_rank = i == 6 ? 3 : i == 7 ? -1 : 0;
        m.held_out = i == 8 ? 2 : m.held_out;
        assert_int_equal(partan_matrix_fit(*state, ratings, &s, &m, NULL, &matrix), PARTAN_ERROR_ARGUMENT);
        assert_null(matrix);
        assert_true(*partan_error(*state));
    }
    /* Kernel and cost are none of its business. */
    partan_settings s = solving(PARTAN_SOLVER_AUTO, 1e-3);
    partan_matrix_settings m = within(5, PARTAN_CENTRE_NONE);
    s.cost = -1;
    s.kernel = (partan_kernel)77;
    partan_matrix *matrix = complete(*state, ratings, &s, &m, PARTAN_OK), *none = NULL;
    /* Another shape to begin with, and entries without values. */
    partan_ratings *other = noisy(*state, 9, 8, 0.5);
    assert_int_equal(partan_matrix_fit(*state, other, &s, &m, matrix, &none), PARTAN_ERROR_DATA);
    static const int64_t place[] = {0, 1};
    assert_int_equal(partan_ratings_from_triplets(*state, 2, 2, place, place, NULL, 2, &unvalued), PARTAN_OK);
    assert_int_equal(partan_matrix_fit(*state, unvalued, &s, &m, NULL, &none), PARTAN_ERROR_DATA);
    assert_null(none);
    partan_matrix_free(matrix);
    partan_ratings_free(unvalued);
    partan_ratings_free(other);
    partan_ratings_free(ratings);
}

static void values_that_overflow_are_refused(void **state)
{
    static const int64_t row[] = {0, 1}, column[] = {1, 0};
    static const double value[] = {1e200, -1e200};
    partan_ratings *ratings = NULL;
    partan_matrix *matrix = NULL;
    assert_int_equal(partan_ratings_from_triplets(*state, 2, 2, row, column, value, 2, &ratings), PARTAN_OK);
    FOR_EVERY_SOLVER(solver) {
        partan_settings s = solving(solver, 1e-3);
        partan_matrix_settings m = within(1, PARTAN_CENTRE_NONE);
        assert_int_equal(partan_matrix_fit(*state, ratings, &s, &m, NULL, &matrix), PARTAN_ERROR_NUMERIC);
        assert_null(matrix);
    }
    partan_ratings_free(ratings);
}

/* ---- Tampering ---- */

static void expect(partan_context *context, const partan_matrix *matrix, const partan_ratings *ratings, int matches)
{
    partan_matrix_verification found;
    partan_matrix_verification_init(&found);
    assert_int_equal(partan_matrix_verify(context, matrix, ratings, &found), PARTAN_OK);
    assert_int_equal(found.matches, matches);
    assert_int_equal(found.reason[0] == '\0', matches);
}

/* Changes one number, expects the audit to fail, and puts it back. */
static void tamper(partan_context *context, partan_matrix *matrix, const partan_ratings *ratings, double *place,
                   double with)
{
    double kept = *place;
    *place = with;
    expect(context, matrix, ratings, 0);
    *place = kept;
    expect(context, matrix, ratings, 1);
}

static void the_audit_sees_what_was_changed(void **state)
{
    partan_ratings *ratings = noisy(*state, 60, 50, 0.5);
    partan_settings s = solving(PARTAN_SOLVER_AUTO, 1e-3);
    partan_matrix_settings m = within(150, PARTAN_CENTRE_BOTH);
    partan_matrix *matrix = complete(*state, ratings, &s, &m, PARTAN_OK);
    tamper(*state, matrix, ratings, &matrix->left[7], matrix->left[7] + 0.01);
    tamper(*state, matrix, ratings, &matrix->right[3], matrix->right[3] - 0.01);
    tamper(*state, matrix, ratings, &matrix->singular[0], 1.01 * matrix->singular[0]);
    tamper(*state, matrix, ratings, &matrix->singular[0], 0.99 * matrix->singular[0]);
    tamper(*state, matrix, ratings, &matrix->offsets.mean, matrix->offsets.mean + 0.01);
    tamper(*state, matrix, ratings, &matrix->offsets.row[5], matrix->offsets.row[5] + 0.01);
    tamper(*state, matrix, ratings, &matrix->offsets.column[5], matrix->offsets.column[5] + 0.01);
    tamper(*state, matrix, ratings, &matrix->result.objective, 0.999 * matrix->result.objective);
    tamper(*state, matrix, ratings, &matrix->result.gap, 0.1 * matrix->result.gap);
    tamper(*state, matrix, ratings, &matrix->result.relative_gap, 0.1 * matrix->result.relative_gap);
    tamper(*state, matrix, ratings, &matrix->result.rmse, 0.999 * matrix->result.rmse);
    tamper(*state, matrix, ratings, &matrix->result.nuclear_norm, 0.999 * matrix->result.nuclear_norm);
    tamper(*state, matrix, ratings, &matrix->matrix_settings.radius, 0.9 * matrix->matrix_settings.radius);
    tamper(*state, matrix, ratings, &matrix->settings.tol, 1e-7);
    partan_ratings *other = noisy(*state, 60, 50, 0.4);
    expect(*state, matrix, other, 0);
    partan_ratings_free(other);
    matrix->fingerprint++;
    expect(*state, matrix, ratings, 0);
    partan_matrix_free(matrix);
    partan_ratings_free(ratings);
}

/* A small gap is as well looked at as a large one. */
static void the_audit_sees_small_gaps_that_are_false(void **state)
{
    partan_ratings *ratings = noisy(*state, 60, 50, 0.5);
    partan_settings s = solving(PARTAN_SOLVER_AUTO, 1e-5);
    partan_matrix_settings m = within(150, PARTAN_CENTRE_BOTH);
    partan_matrix *matrix = complete(*state, ratings, &s, &m, PARTAN_OK);
    double scale = matrix->result.gap / matrix->result.relative_gap, gap = matrix->result.gap;
    matrix->result.gap = 0.1 * gap;
    matrix->result.relative_gap = 0.1 * gap / scale;
    expect(*state, matrix, ratings, 0);
    matrix->result.gap = 2 * gap; /* it is allowed to claim less than is true */
    matrix->result.relative_gap = 2 * gap / scale;
    expect(*state, matrix, ratings, 1);
    partan_matrix_free(matrix);
    partan_ratings_free(ratings);
}

/* ---- Memory ---- */

static partan_solver failing_solver;

static partan_status fit_and_predict(partan_context *context)
{
    enum { COUNT = 9 };
    static const int64_t row[COUNT] = {0, 0, 0, 1, 1, 2, 2, 3, 3}, column[COUNT] = {0, 1, 2, 0, 2, 1, 2, 0, 1};
    static const double value[COUNT] = {1, 2, 3, 2, 5, 1, 2, 4, 4};
    partan_ratings *ratings = NULL;
    partan_matrix *matrix = NULL;
    partan_matrix_settings m = within(3, PARTAN_CENTRE_BOTH);
    partan_settings s = solving((int)failing_solver, 0.05);
    double values[COUNT];
    partan_matrix_verification found;
    partan_matrix_verification_init(&found);
    size_t count = 2, best[2];
    partan_status status = partan_ratings_from_triplets(context, 4, 3, row, column, value, COUNT, &ratings);
    if (!status)
        status = partan_matrix_fit(context, ratings, &s, &m, NULL, &matrix);
    if (!status)
        status = partan_matrix_predict(context, matrix, ratings, values, NULL, NULL);
    if (!status)
        status = partan_matrix_top(context, matrix, 1, ratings, &count, best, values);
    if (!status)
        status = partan_matrix_verify(context, matrix, ratings, &found);
    partan_matrix_free(matrix);
    partan_ratings_free(ratings);
    return status;
}

static partan_status choose(partan_context *context)
{
    partan_ratings *ratings = noisy(context, 30, 28, 0.5);
    partan_matrix_settings m = within(0, PARTAN_CENTRE_BOTH);
    partan_matrix_point best;
    partan_matrix_point_init(&best);
    partan_settings s = solving(PARTAN_SOLVER_AUTO, 0.05);
    m.points = 2;
    partan_status status =
        ratings ? partan_matrix_choose(context, ratings, &s, &m, NULL, NULL, &best) : PARTAN_ERROR_MEMORY;
    partan_ratings_free(ratings);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    FOR_EVERY_SOLVER(solver) {
        failing_solver = (partan_solver)solver;
        check_every_allocation(fit_and_predict);
    }
}

/* Whether the ratings themselves could be made is tested elsewhere: only what comes after it fails here. */
static void memory_may_run_out_while_choosing(void **state)
{
    (void)state;
    failing allocator = {0};
    partan_context *context = failing_context(&allocator);
    partan_ratings *ratings = noisy(context, 30, 28, 0.5);
    long made = allocator.count;
    partan_ratings_free(ratings);
    partan_destroy(context);
    for (long k = made + 1;; k += 7) {
        allocator = (failing){0};
        context = failing_context(&allocator);
        allocator.fail_at = k;
        partan_status status = choose(context);
        bool reached = allocator.count >= k;
        assert_int_equal(status, reached ? PARTAN_ERROR_MEMORY : PARTAN_OK);
        partan_destroy(context);
        assert_int_equal(allocator.alive, 0);
        if (!reached)
            return;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(iterations_are_limited),
        SERIAL_TEST(time_runs_out),
        SERIAL_TEST(rounding_ends_it),
        SERIAL_TEST(a_callback_stops_it),
        CONTEXT_TEST(another_thread_stops_it),
        SERIAL_TEST(bad_settings_are_refused),
        SERIAL_TEST(values_that_overflow_are_refused),
        SERIAL_TEST(the_audit_sees_what_was_changed),
        SERIAL_TEST(the_audit_sees_small_gaps_that_are_false),
        SERIAL_TEST(memory_may_run_out_anywhere),
        SERIAL_TEST(memory_may_run_out_while_choosing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
