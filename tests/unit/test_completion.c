/* Matrix completion through the public interface, against dense projected gradient with a dense SVD: every solver finds
 * the minimum, and what it claims is true of the dense matrix too. */
#include "completing.h"

/* ---- The minimum ---- */

/* Vertices are infinitely many: away and pairwise steps do not converge faster than the others here. */
static double asked_of(int solver)
{
    return solver == PARTAN_SOLVER_AUTO ? 1e-5 : 3e-3;
}

static void every_solver_finds_the_minimum(void **state)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        sketch s = sketch_make(40, 30, 3, 0.5, 0.3, seed);
        partan_ratings *ratings = sketch_ratings(*state, &s);
        double radius = 25.0 * (double)seed, least = dense_minimum(&s, s.value, radius);
        FOR_EVERY_SOLVER(solver) {
            partan_settings settings = solving(solver, asked_of(solver));
            partan_matrix_settings m = within(radius, PARTAN_CENTRE_NONE);
            partan_matrix *matrix = complete(*state, ratings, &settings, &m, PARTAN_OK);
            check_claims(&s, matrix, radius, least);
            partan_matrix_free(matrix);
        }
        partan_ratings_free(ratings);
        sketch_free(&s);
    }
}

static void note_objective(void *user, const partan_trace_row *row)
{
    *(double *)user = row->objective;
}

/* Wherever a run is stopped, the objective that its steps add up to is that of the matrix, but for the
 * precision of balancing. */
static void objectives_of_steps_are_true(void **state)
{
    (void)state;
    double traced = 0;
    partan_context_options options;
    partan_context_options_init(&options);
    options.trace = note_objective;
    options.user = &traced;
    partan_context *context = partan_create(&options);
    sketch s = sketch_make(40, 30, 3, 0.5, 0.3, 1);
    partan_ratings *ratings = sketch_ratings(context, &s);
    FOR_EVERY_SOLVER(solver) {
        for (int most = 1; most <= 20; most++) {
            partan_settings settings = solving(solver, 1e-12);
            partan_matrix_settings m = within(25, PARTAN_CENTRE_NONE);
            partan_matrix *matrix = NULL;
            settings.max_iter = most;
            assert_true(partan_matrix_fit(context, ratings, &settings, &m, NULL, &matrix) >= 0);
            double objective = partan_matrix_get_result(matrix)->objective;
            if (fabs(objective - traced) > 1e-7 * traced)
                fail_msg("%s, %d steps: the trace says %.12g, the matrix %.12g",
                         partan_solver_name((partan_solver)solver), most, traced, objective);
            partan_matrix_free(matrix);
        }
    }
    partan_ratings_free(ratings);
    sketch_free(&s);
    partan_destroy(context);
}

/* Wide and tall, hardly known and all known, a row that nobody rated, and a single column. */
static void the_default_solver_reaches_small_gaps(void **state)
{
    static const struct {
        size_t rows, columns, rank;
        double share, noise, radius;
    } cases[] = {{30, 12, 2, 0.9, 0.1, 20},  {60, 40, 5, 0.3, 0.5, 60}, {50, 45, 2, 1, 1, 40},
                 {40, 30, 3, 0.15, 0.1, 30}, {25, 1, 1, 0.8, 0.2, 2},   {1, 1, 1, 1, 0, 0.1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sketch s = sketch_make(cases[i].rows, cases[i].columns, cases[i].rank, cases[i].share, cases[i].noise, 7 + i);
        partan_ratings *ratings = sketch_ratings(*state, &s);
        partan_settings settings = solving(PARTAN_SOLVER_AUTO, 1e-7);
        partan_matrix_settings m = within(cases[i].radius, PARTAN_CENTRE_NONE);
        partan_matrix *matrix = complete(*state, ratings, &settings, &m, PARTAN_OK);
        check_claims(&s, matrix, cases[i].radius, dense_minimum(&s, s.value, cases[i].radius));
        partan_matrix_free(matrix);
        partan_ratings_free(ratings);
        sketch_free(&s);
    }
}

/* More rows than columns, or fewer, is the same problem. */
static void the_transpose_has_the_same_minimum(void **state)
{
    sketch s = sketch_make(40, 30, 3, 0.5, 0.3, 11), t = s;
    t.rows = s.columns;
    t.columns = s.rows;
    t.row = s.column;
    t.column = s.row;
    partan_settings settings = solving(PARTAN_SOLVER_AUTO, 1e-8);
    partan_matrix_settings m = within(40, PARTAN_CENTRE_NONE);
    partan_ratings *here = sketch_ratings(*state, &s), *there = sketch_ratings(*state, &t);
    partan_matrix *a = complete(*state, here, &settings, &m, PARTAN_OK);
    partan_matrix *b = complete(*state, there, &settings, &m, PARTAN_OK);
    double scale = partan_matrix_get_result(a)->gap / partan_matrix_get_result(a)->relative_gap;
    assert_true(fabs(partan_matrix_get_result(a)->objective - partan_matrix_get_result(b)->objective) <= 1e-7 * scale);
    partan_matrix_free(a);
    partan_matrix_free(b);
    partan_ratings_free(here);
    partan_ratings_free(there);
    sketch_free(&s);
}

/* Without noise and with enough entries, the matrix itself is the answer within a ball of its own norm: rank r, about
 * 20 r (m + n) entries. */
static void low_rank_is_recovered_exactly(void **state)
{
    sketch s = sketch_make(150, 120, 2, 0.4, 0, 5);
    double largest, radius = dense_norms(s.truth, s.rows, s.columns, &largest), error = 0, size = 0;
    partan_ratings *ratings = sketch_ratings(*state, &s);
    partan_settings settings = solving(PARTAN_SOLVER_AUTO, 1e-7);
    partan_matrix_settings m = within(radius, PARTAN_CENTRE_NONE);
    partan_matrix *matrix = complete(*state, ratings, &settings, &m, PARTAN_OK);
    double *X = dense_matrix(matrix);
    for (size_t i = 0; i < s.rows * s.columns; i++) {
        error += (X[i] - s.truth[i]) * (X[i] - s.truth[i]);
        size += s.truth[i] * s.truth[i];
    }
    assert_true(sqrt(error / size) <= 1e-3);
    assert_int_equal(partan_matrix_get_result(matrix)->rank, 2);
    free(X);
    partan_matrix_free(matrix);
    partan_ratings_free(ratings);
    sketch_free(&s);
}

/* ---- Offsets ---- */

static void offsets_are_means(void **state)
{
    static const int64_t row[] = {0, 0, 1, 2}, column[] = {0, 1, 1, 0};
    static const double value[] = {1, 3, 5, 7};
    static const double expected[][7] = {/* mean, rows, columns */
                                         {0},
                                         {4},
                                         {4, -2, 1, 3},
                                         {4, 0, 0, 0, 0, 0},
                                         {4, -2, 1, 3, -0.5, 0.5}};
    partan_ratings *ratings = NULL;
    assert_int_equal(partan_ratings_from_triplets(*state, 4, 2, row, column, value, 4, &ratings), PARTAN_OK);
    for (int centre = PARTAN_CENTRE_NONE; centre <= PARTAN_CENTRE_BOTH; centre++) {
        partan_settings settings = solving(PARTAN_SOLVER_AUTO, 1e-3);
        partan_matrix_settings m = within(1, (partan_centre)centre);
        partan_matrix *matrix = complete(*state, ratings, &settings, &m, PARTAN_OK);
        assert_true(fabs(partan_matrix_mean(matrix) - expected[centre][0]) <= 1e-14);
        for (size_t i = 0; i < 3; i++)
            assert_true(fabs(partan_matrix_row_offset(matrix, i) - expected[centre][1 + i]) <= 1e-14);
        for (size_t j = 0; j < 2; j++)
            assert_true(fabs(partan_matrix_column_offset(matrix, j) - expected[centre][4 + j]) <= 1e-14);
        assert_true(partan_matrix_row_offset(matrix, 3) == 0); /* nobody rated it */
        partan_matrix_free(matrix);
    }
    partan_ratings_free(ratings);
}

static void centred_values_are_what_is_fitted(void **state)
{
    sketch s = sketch_make(40, 30, 2, 0.5, 0.3, 21);
    for (size_t k = 0; k < s.count; k++)
        s.value[k] += 10 + (double)s.row[k] - 2 * (double)s.column[k];
    partan_ratings *ratings = sketch_ratings(*state, &s);
    partan_settings settings = solving(PARTAN_SOLVER_AUTO, 1e-6);
    for (int centre = PARTAN_CENTRE_NONE; centre <= PARTAN_CENTRE_BOTH; centre++) {
        partan_matrix_settings m = within(30, (partan_centre)centre);
        partan_matrix *matrix = complete(*state, ratings, &settings, &m, PARTAN_OK);
        double *b = malloc(s.count * sizeof *b);
        for (size_t k = 0; k < s.count; k++)
            b[k] = s.value[k] - partan_matrix_mean(matrix) - partan_matrix_row_offset(matrix, (size_t)s.row[k])
                   - partan_matrix_column_offset(matrix, (size_t)s.column[k]);
        check_claims(&s, matrix, 30, dense_minimum(&s, b, 30));
        free(b);
        partan_matrix_free(matrix);
    }
    partan_ratings_free(ratings);
    sketch_free(&s);
}

/* All values are equal: the offsets say everything. */
static void nothing_is_left_to_fit(void **state)
{
    static const int64_t row[] = {0, 1, 1}, column[] = {0, 0, 1};
    static const double value[] = {3, 3, 3};
    partan_ratings *ratings = NULL;
    assert_int_equal(partan_ratings_from_triplets(*state, 2, 2, row, column, value, 3, &ratings), PARTAN_OK);
    FOR_EVERY_SOLVER(solver) {
        partan_settings settings = solving(solver, 1e-3);
        partan_matrix_settings m = within(1, PARTAN_CENTRE_MEAN);
        partan_matrix *matrix = complete(*state, ratings, &settings, &m, PARTAN_OK);
        assert_int_equal(partan_matrix_get_result(matrix)->rank, 0);
        double prediction[3], rmse;
        assert_int_equal(partan_matrix_predict(*state, matrix, ratings, prediction, &rmse, NULL), PARTAN_OK);
        assert_true(prediction[2] == 3 && rmse == 0);
        partan_matrix_free(matrix);
    }
    partan_ratings_free(ratings);
}

/* ---- Rank, threads, starts ---- */

static void the_rank_can_be_limited(void **state)
{
    sketch s = sketch_make(60, 50, 6, 0.6, 0.5, 3);
    partan_ratings *ratings = sketch_ratings(*state, &s);
    partan_settings settings = solving(PARTAN_SOLVER_AUTO, 1e-5);
    partan_matrix_settings m = within(150, PARTAN_CENTRE_NONE);
    partan_matrix *free_rank = complete(*state, ratings, &settings, &m, PARTAN_OK);
    assert_true(partan_matrix_get_result(free_rank)->rank > 4);
    double last = INFINITY;
    for (m.max_rank = 1; m.max_rank <= 4; m.max_rank++) {
        partan_matrix *matrix = complete(*state, ratings, &settings, &m, PARTAN_RANK_LIMIT);
        const partan_matrix_result *result = partan_matrix_get_result(matrix);
        assert_true(result->rank <= (uint64_t)m.max_rank && result->objective < last);
        last = result->objective;
        partan_matrix_free(matrix);
    }
    m.max_rank = 1000; /* more than it takes */
    partan_matrix_free(complete(*state, ratings, &settings, &m, PARTAN_OK));
    partan_matrix_free(free_rank);
    partan_ratings_free(ratings);
    sketch_free(&s);
}

static void threads_make_no_difference(void **state)
{
    (void)state;
    sketch s = sketch_make(1500, 800, 4, 0.5, 0.3, 9); /* enough for threads to be worth it */
    FOR_EVERY_SOLVER(solver) {
        double singular[2][64] = {{0}}, left[2] = {0};
        for (int threads = 1; threads <= 2; threads++) {
            partan_context_options options;
            partan_context_options_init(&options);
            options.threads = threads == 1 ? 1 : 3;
            partan_context *context = partan_create(&options);
            partan_ratings *ratings = sketch_ratings(context, &s);
            partan_settings settings = solving(solver, solver == PARTAN_SOLVER_AUTO ? 1e-3 : 2e-2);
            partan_matrix_settings m = within(3000, PARTAN_CENTRE_BOTH);
            partan_matrix *matrix = complete(context, ratings, &settings, &m, PARTAN_OK);
            size_t rank = (size_t)partan_matrix_get_result(matrix)->rank;
            for (size_t k = 0; k < rank && k < 64; k++)
                singular[threads - 1][k] = partan_matrix_singular(matrix)[k];
            for (size_t i = 0; i < 1500 * rank; i++)
                left[threads - 1] += (double)(i % 17) * partan_matrix_left(matrix)[i];
            partan_matrix_free(matrix);
            partan_ratings_free(ratings);
            partan_destroy(context);
        }
        assert_memory_equal(singular[0], singular[1], sizeof singular[0]);
        assert_true(left[0] == left[1]);
    }
    sketch_free(&s);
}

static void a_start_shortens_the_way(void **state)
{
    sketch s = sketch_make(80, 60, 4, 0.4, 0.3, 2);
    partan_ratings *ratings = sketch_ratings(*state, &s);
    FOR_EVERY_SOLVER(solver) {
        partan_settings settings = solving(solver, solver == PARTAN_SOLVER_AUTO ? 1e-3 : 2e-2);
        partan_matrix_settings m = within(100, PARTAN_CENTRE_NONE);
        partan_matrix *first = complete(*state, ratings, &settings, &m, PARTAN_OK), *second = NULL;
        assert_int_equal(partan_matrix_fit(*state, ratings, &settings, &m, first, &second), PARTAN_OK);
        assert_true(partan_matrix_get_result(second)->iterations <= 2
                    && partan_matrix_get_result(first)->iterations > partan_matrix_get_result(second)->iterations);
        partan_matrix_free(second);
        m.radius = 60; /* what is too large for the ball is scaled */
        assert_int_equal(partan_matrix_fit(*state, ratings, &settings, &m, first, &second), PARTAN_OK);
        assert_true(partan_matrix_get_result(second)->nuclear_norm <= 60 * (1 + 1e-9));
        partan_matrix_free(first);
        partan_matrix_free(second);
    }
    partan_ratings_free(ratings);
    sketch_free(&s);
}

/* ---- The radius ---- */

typedef struct points {
    partan_matrix_point list[64];
    size_t count, stop_after;
} points;

static int note(void *user, const partan_matrix_point *point)
{
    points *p = user;
    p->list[p->count++] = *point;
    return p->count == p->stop_after;
}

static void the_radius_is_chosen_by_entries_held_out(void **state)
{
    sketch s = sketch_make(120, 90, 3, 0.4, 1, 4);
    partan_ratings *ratings = sketch_ratings(*state, &s);
    partan_settings settings = solving(PARTAN_SOLVER_AUTO, 1e-3);
    partan_matrix_settings m = within(0, PARTAN_CENTRE_NONE);
    partan_matrix_point best;
    partan_matrix_point_init(&best);
    points p = {0};
    assert_int_equal(partan_matrix_choose(*state, ratings, &settings, &m, note, &p, &best), PARTAN_OK);
    assert_true(p.count >= 6 && p.count < 40);
    for (size_t i = 0; i < p.count; i++) {
        assert_true(p.list[i].held_rmse >= best.held_rmse && p.list[i].held == (s.count + 5) / 10);
        assert_true(p.list[i].result.converged && p.list[i].held_mae < p.list[i].held_rmse);
        assert_true(i == 0 || p.list[i].radius > p.list[i - 1].radius);
    }
    assert_true(best.held_rmse < 1.6 && best.held_rmse < 0.9 * p.list[0].held_rmse); /* the noise is 1 */
    /* Ended by its callback. */
    p = (points){.stop_after = 2};
    assert_int_equal(partan_matrix_choose(*state, ratings, &settings, &m, note, &p, &best), PARTAN_INTERRUPTED);
    assert_int_equal(p.count, 2);
    partan_ratings_free(ratings);
    sketch_free(&s);
}

/* ---- Predictions ---- */

static void predictions_go_by_names(void **state)
{
    sketch s = sketch_make(30, 20, 2, 0.6, 0.1, 6);
    partan_ratings *ratings = sketch_ratings(*state, &s), *asked = NULL;
    partan_settings settings = solving(PARTAN_SOLVER_AUTO, 1e-3);
    partan_matrix_settings m = within(30, PARTAN_CENTRE_BOTH);
    partan_matrix *matrix = complete(*state, ratings, &settings, &m, PARTAN_OK);
    double *X = dense_matrix(matrix), values[4], rmse, mae;
    /* Rows and columns are named by their numbers from 1: row 31 and column 21 are not known. */
    static const int64_t row[] = {29, 30, 3, 30}, column[] = {4, 7, 20, 20};
    static const double value[] = {1, 2, 3, 4};
    assert_int_equal(partan_ratings_from_triplets(*state, 31, 21, row, column, value, 4, &asked), PARTAN_OK);
    assert_int_equal(partan_matrix_predict(*state, matrix, asked, values, &rmse, &mae), PARTAN_OK);
    double mean = partan_matrix_mean(matrix);
    double expected[] = {
        mean + partan_matrix_row_offset(matrix, 29) + partan_matrix_column_offset(matrix, 4) + X[29 * 20 + 4],
        mean + partan_matrix_column_offset(matrix, 7), mean + partan_matrix_row_offset(matrix, 3), mean};
    double squares = 0, sum = 0;
    for (size_t k = 0; k < 4; k++) {
        assert_true(fabs(values[k] - expected[k]) <= 1e-12);
        squares += (values[k] - value[k]) * (values[k] - value[k]);
        sum += fabs(values[k] - value[k]);
    }
    assert_true(fabs(rmse - sqrt(squares / 4)) <= 1e-12 && fabs(mae - sum / 4) <= 1e-12);
    partan_ratings_free(asked);
    /* Without values there are no errors. */
    assert_int_equal(partan_ratings_from_triplets(*state, 31, 21, row, column, NULL, 4, &asked), PARTAN_OK);
    assert_int_equal(partan_matrix_predict(*state, matrix, asked, values, &rmse, &mae), PARTAN_OK);
    assert_true(isnan(rmse) && isnan(mae) && fabs(values[0] - expected[0]) <= 1e-12);
    partan_ratings_free(asked);
    free(X);
    partan_matrix_free(matrix);
    partan_ratings_free(ratings);
    sketch_free(&s);
}

static void the_best_columns_come_first(void **state)
{
    sketch s = sketch_make(30, 20, 2, 0.6, 0.1, 6);
    partan_ratings *ratings = sketch_ratings(*state, &s);
    partan_settings settings = solving(PARTAN_SOLVER_AUTO, 1e-3);
    partan_matrix_settings m = within(30, PARTAN_CENTRE_BOTH);
    partan_matrix *matrix = complete(*state, ratings, &settings, &m, PARTAN_OK);
    double *X = dense_matrix(matrix);
    for (size_t row = 0; row < 30; row += 7)
        for (int leave = 0; leave < 2; leave++) {
            size_t columns[20], count = leave ? 3 : 20, known = 0;
            double values[20];
            bool seen[20] = {0};
            for (size_t k = 0; k < s.count; k++)
                if ((size_t)s.row[k] == row) {
                    seen[s.column[k]] = true;
                    known++;
                }
            assert_int_equal(partan_matrix_top(*state, matrix, row, leave ? ratings : NULL, &count, columns, values),
                             PARTAN_OK);
            assert_int_equal(count, leave ? (20 - known < 3 ? 20 - known : 3) : 20);
            for (size_t k = 0; k < count; k++) {
                size_t j = columns[k];
                double expected = partan_matrix_mean(matrix) + partan_matrix_row_offset(matrix, row)
                                  + partan_matrix_column_offset(matrix, j) + X[row * 20 + j];
                assert_true(fabs(values[k] - expected) <= 1e-12 && (k == 0 || values[k] <= values[k - 1]));
                assert_false(leave && seen[j]);
            }
        }
    size_t count = 1, column;
    double value;
    assert_int_equal(partan_matrix_top(*state, matrix, 30, NULL, &count, &column, &value), PARTAN_ERROR_ARGUMENT);
    free(X);
    partan_matrix_free(matrix);
    partan_ratings_free(ratings);
    sketch_free(&s);
}

/* ---- General measurements ---- */

typedef struct gaussian {
    size_t rows, columns, count;
    double *weights; /* of all entries, for each measurement */
    int failing;     /* calls that succeed before one fails; 0: all do */
} gaussian;

static int lapse(gaussian *g)
{
    return g->failing > 0 && --g->failing == 0;
}

static int apply_gaussian(void *user, size_t rank, size_t stride, const double *left, const double *right,
                          double *values)
{
    gaussian *g = user;
    for (size_t k = 0; k < g->count; k++) {
        values[k] = 0;
        for (size_t i = 0; i < g->rows; i++)
            for (size_t j = 0; j < g->columns; j++)
                for (size_t r = 0; r < rank; r++)
                    values[k] +=
                        g->weights[(k * g->rows + i) * g->columns + j] * left[i * stride + r] * right[j * stride + r];
    }
    return lapse(g);
}

static int times_gaussian(void *user, const double *values, const double *x, double *out)
{
    gaussian *g = user;
    memset(out, 0, g->rows * sizeof *out);
    for (size_t k = 0; k < g->count; k++)
        for (size_t i = 0; i < g->rows; i++)
            for (size_t j = 0; j < g->columns; j++)
                out[i] += values[k] * g->weights[(k * g->rows + i) * g->columns + j] * x[j];
    return lapse(g);
}

static int transposed_gaussian(void *user, const double *values, const double *x, double *out)
{
    gaussian *g = user;
    memset(out, 0, g->columns * sizeof *out);
    for (size_t k = 0; k < g->count; k++)
        for (size_t i = 0; i < g->rows; i++)
            for (size_t j = 0; j < g->columns; j++)
                out[j] += values[k] * g->weights[(k * g->rows + i) * g->columns + j] * x[i];
    return lapse(g);
}

/* Random sums of all entries instead of entries: the matrix is recovered from fewer of them than it has entries, by
 * every solver to its gap, and a callback that fails ends the fit. */
static void measurements_may_be_of_any_kind(void **state)
{
    sketch s = sketch_make(30, 26, 1, 1, 0, 8);
    gaussian g = {.rows = 30, .columns = 26, .count = 400};
    g.weights = malloc(g.count * g.rows * g.columns * sizeof *g.weights);
    pt_random random;
    pt_random_seed(&random, 3);
    for (size_t i = 0; i < g.count * g.rows * g.columns; i++)
        g.weights[i] = pt_random_normal(&random) / sqrt((double)g.count);
    double *b = calloc(g.count, sizeof *b), largest, norm = dense_norms(s.truth, 30, 26, &largest);
    for (size_t k = 0; k < g.count; k++)
        for (size_t i = 0; i < g.rows * g.columns; i++)
            b[k] += g.weights[k * g.rows * g.columns + i] * s.truth[i];
    partan_measurements map = {.struct_size = sizeof map,
                               .rows = g.rows,
                               .columns = g.columns,
                               .count = g.count,
                               .apply = apply_gaussian,
                               .times = times_gaussian,
                               .times_transposed = transposed_gaussian,
                               .user = &g};
    FOR_EVERY_SOLVER(solver) {
        partan_settings settings = solving(solver, solver == PARTAN_SOLVER_AUTO ? 1e-6 : 0.05);
        partan_matrix_settings m = within(norm, PARTAN_CENTRE_NONE);
        partan_matrix *matrix = NULL;
        g.failing = 0;
        assert_int_equal(partan_matrix_recover(*state, &map, b, &settings, &m, NULL, &matrix), PARTAN_OK);
        assert_true(partan_matrix_get_result(matrix)->nuclear_norm <= norm * (1 + 1e-9));
        if (solver == PARTAN_SOLVER_AUTO) {
            double *X = dense_matrix(matrix), error = 0;
            for (size_t i = 0; i < g.rows * g.columns; i++)
                error += (X[i] - s.truth[i]) * (X[i] - s.truth[i]);
            assert_true(sqrt(error) <= 0.02 * norm);
            free(X);
        }
        partan_matrix_free(matrix);
        for (int n = 1; n < 40; n += 6) {
            g.failing = n;
            assert_int_equal(partan_matrix_recover(*state, &map, b, &settings, &m, NULL, &matrix), PARTAN_ERROR_DATA);
            assert_null(matrix);
        }
    }
    free(b);
    free(g.weights);
    sketch_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(every_solver_finds_the_minimum),
        SERIAL_TEST(objectives_of_steps_are_true),
        SERIAL_TEST(the_default_solver_reaches_small_gaps),
        SERIAL_TEST(the_transpose_has_the_same_minimum),
        SERIAL_TEST(low_rank_is_recovered_exactly),
        SERIAL_TEST(offsets_are_means),
        SERIAL_TEST(centred_values_are_what_is_fitted),
        SERIAL_TEST(nothing_is_left_to_fit),
        SERIAL_TEST(the_rank_can_be_limited),
        SERIAL_TEST(threads_make_no_difference),
        SERIAL_TEST(a_start_shortens_the_way),
        SERIAL_TEST(the_radius_is_chosen_by_entries_held_out),
        SERIAL_TEST(predictions_go_by_names),
        SERIAL_TEST(the_best_columns_come_first),
        SERIAL_TEST(measurements_may_be_of_any_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
