/* Narrow matrices, which the default solver completes by their whole spectrum: against dense projected gradient with a
 * dense SVD, tall and wide. */
#include "completing.h"

#include "failing.h"
#include "matrix/narrow.h"

/* Rows and columns exchanged; what it points to is shared. */
static sketch transposed(const sketch *s)
{
    sketch t = *s;
    t.rows = s->columns;
    t.columns = s->rows;
    t.row = s->column;
    t.column = s->row;
    return t;
}

static bool is_narrow(partan_context *context, const partan_ratings *ratings)
{
    pt_sampling sampling;
    assert_int_equal(pt_sampling_make(context, ratings, &sampling), PARTAN_OK);
    bool narrow = pt_narrow_suits(&sampling);
    pt_sampling_free(&sampling);
    return narrow;
}

/* The matrix that is fitted to a sketch within a radius, its claims checked. */
static partan_matrix *fit(partan_context *context, const sketch *s, double radius, double tol)
{
    partan_ratings *ratings = sketch_ratings(context, s);
    partan_settings settings = solving(PARTAN_SOLVER_AUTO, tol);
    partan_matrix_settings m = within(radius, PARTAN_CENTRE_NONE);
    assert_true(is_narrow(context, ratings));
    partan_matrix *matrix = complete(context, ratings, &settings, &m, PARTAN_OK);
    partan_ratings_free(ratings);
    return matrix;
}

static void the_minimum_is_found(void **state)
{
    static const struct {
        size_t rows, columns, rank;
        double share, noise, radius;
    } cases[] = {{200, 12, 3, 0.5, 0.3, 90}, {160, 10, 2, 0.9, 1, 60},  {300, 7, 1, 0.2, 0.1, 20},
                 {100, 3, 3, 1, 0.5, 30},    {64, 4, 2, 0.7, 0.2, 500}, {40, 1, 1, 0.5, 0.1, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sketch s = sketch_make(cases[i].rows, cases[i].columns, cases[i].rank, cases[i].share, cases[i].noise, 31 + i);
        sketch t = transposed(&s);
        double least = dense_minimum(&s, s.value, cases[i].radius);
        partan_matrix *tall = fit(*state, &s, cases[i].radius, 1e-7), *wide = fit(*state, &t, cases[i].radius, 1e-7);
        check_claims(&s, tall, cases[i].radius, least);
        check_claims(&t, wide, cases[i].radius, least);
        partan_matrix_free(tall);
        partan_matrix_free(wide);
        sketch_free(&s);
    }
}

static void norms_are_those_of_a_dense_svd(void **state)
{
    sketch s = sketch_make(210, 9, 2, 0.3, 1, 5), t = transposed(&s);
    for (int wide = 0; wide < 2; wide++) {
        sketch *at = wide ? &t : &s;
        partan_ratings *ratings = sketch_ratings(*state, at);
        pt_sampling sampling;
        pt_narrow narrow;
        double *dense = calloc(210 * 9, sizeof *dense), *values = malloc(s.count * sizeof *values);
        double largest, norm, upper;
        assert_int_equal(pt_sampling_make(*state, ratings, &sampling), PARTAN_OK);
        for (size_t k = 0; k < s.count; k++)
            dense[(size_t)at->row[k] * at->columns + (size_t)at->column[k]] = at->value[k];
        for (size_t k = 0, i = 0; i < at->rows; i++) /* the ratings' order is that of rows */
            for (; k < (size_t)sampling.row_starts[i + 1]; k++)
                values[k] = dense[i * at->columns + (size_t)sampling.column[k]];
        dense_norms(dense, at->rows, at->columns, &largest);
        assert_int_equal(pt_narrow_make(&narrow, &sampling, values, 1, 0), PARTAN_OK);
        assert_int_equal(pt_narrow_norm(&narrow, values, &norm, &upper), PARTAN_OK);
        assert_true(fabs(norm - largest) <= 1e-12 * largest && upper >= largest && upper <= (1 + 1e-10) * largest);
        pt_narrow_free(&narrow);
        pt_sampling_free(&sampling);
        partan_ratings_free(ratings);
        free(dense);
        free(values);
    }
    sketch_free(&s);
}

/* Of full rank is the least squares solution; fewer singular values may be asked for. */
static void the_rank_is_limited(void **state)
{
    sketch s = sketch_make(200, 8, 8, 0.8, 0.5, 17);
    partan_ratings *ratings = sketch_ratings(*state, &s);
    double last = INFINITY;
    for (int64_t most = 1; most <= 20; most += most < 4 ? 1 : 16) {
        partan_settings settings = solving(PARTAN_SOLVER_AUTO, 1e-5);
        partan_matrix_settings m = within(200, PARTAN_CENTRE_NONE);
        m.max_rank = most;
        partan_matrix *matrix = complete(*state, ratings, &settings, &m, most < 8 ? PARTAN_RANK_LIMIT : PARTAN_OK);
        assert_true(partan_matrix_get_result(matrix)->rank <= (uint64_t)most);
        assert_true(partan_matrix_get_result(matrix)->objective < last);
        last = partan_matrix_get_result(matrix)->objective;
        partan_matrix_free(matrix);
    }
    partan_ratings_free(ratings);
    sketch_free(&s);
}

static void threads_make_no_difference(void **state)
{
    (void)state;
    sketch s = sketch_make(3000, 40, 4, 0.3, 0.5, 9); /* enough for threads to be worth it */
    double *found[2];
    for (int i = 0; i < 2; i++) {
        partan_context_options options;
        partan_context_options_init(&options);
        options.threads = i == 0 ? 1 : 3;
        partan_context *context = partan_create(&options);
        partan_matrix *matrix = fit(context, &s, 500, 1e-4);
        found[i] = dense_matrix(matrix);
        partan_matrix_free(matrix);
        partan_destroy(context);
    }
    assert_memory_equal(found[0], found[1], 3000 * 40 * sizeof **found);
    free(found[0]);
    free(found[1]);
    sketch_free(&s);
}

static int stop_at_once(void *user, const partan_progress *progress)
{
    (void)user;
    return strcmp(progress->phase, "train") == 0;
}

static void a_fit_that_is_stopped_is_true(void **state)
{
    (void)state;
    partan_context_options options;
    partan_context_options_init(&options);
    options.progress = stop_at_once;
    partan_context *context = partan_create(&options);
    sketch s = sketch_make(6000, 80, 4, 0.4, 0.5, 9); /* enough for progress to be reported */
    partan_ratings *ratings = sketch_ratings(context, &s);
    partan_settings settings = solving(PARTAN_SOLVER_AUTO, 0);
    partan_matrix_settings m = within(500, PARTAN_CENTRE_NONE);
    settings.eps = 1e-300; /* not to be had */
    partan_matrix_free(complete(context, ratings, &settings, &m, PARTAN_INTERRUPTED));
    settings.time_limit = 1e-9;
    partan_matrix_free(complete(context, ratings, &settings, &m, PARTAN_TIME_LIMIT));
    partan_ratings_free(ratings);
    sketch_free(&s);
    partan_destroy(context);
}

/* A gap of 0 is not to be had: rounding ends it. */
static void rounding_ends_it(void **state)
{
    sketch s = sketch_make(200, 9, 3, 0.5, 1, 9);
    partan_ratings *ratings = sketch_ratings(*state, &s);
    partan_settings settings = solving(PARTAN_SOLVER_AUTO, 0);
    partan_matrix_settings m = within(60, PARTAN_CENTRE_NONE);
    settings.eps = 1e-300;
    partan_matrix *matrix = complete(*state, ratings, &settings, &m, PARTAN_STALLED);
    assert_true(partan_matrix_get_result(matrix)->relative_gap < 1e-8);
    partan_matrix_free(matrix);
    partan_ratings_free(ratings);
    sketch_free(&s);
}

static partan_status fit_somehow(partan_context *context)
{
    enum { COUNT = 40 };
    int64_t row[COUNT], column[COUNT];
    double value[COUNT];
    partan_ratings *ratings = NULL;
    partan_matrix *matrix = NULL;
    partan_settings settings = solving(PARTAN_SOLVER_AUTO, 1e-3);
    partan_matrix_settings m = within(3, PARTAN_CENTRE_NONE);
    for (int64_t k = 0; k < COUNT; k++) {
        row[k] = k;
        column[k] = k % 2;
        value[k] = (double)(k % 7);
    }
    partan_status status = partan_ratings_from_triplets(context, COUNT, 2, row, column, value, COUNT, &ratings);
    if (!status)
        status = partan_matrix_fit(context, ratings, &settings, &m, NULL, &matrix);
    partan_matrix_free(matrix);
    partan_ratings_free(ratings);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    check_every_allocation(fit_somehow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(the_minimum_is_found),          SERIAL_TEST(norms_are_those_of_a_dense_svd),
        SERIAL_TEST(the_rank_is_limited),           SERIAL_TEST(threads_make_no_difference),
        SERIAL_TEST(a_fit_that_is_stopped_is_true), SERIAL_TEST(rounding_ends_it),
        SERIAL_TEST(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
