/* Each variant's step against direct computation: step sizes are the minimisers along their lines (found by golden
 * section), f, W and the gradient follow their recursions to rounding over thousands of steps, iterates stay in the
 * simplex and f never rises. On the SVM problem, and on a plain quadratic with a linear term. */
#include "quadratic.h"
#include "toy.h"

#include "simplex/simplex.h"

enum { STEPS = 3000 };

typedef struct walk {
    quadratic *q; /* what is minimised, in full */
    pt_fw fw;
    const pt_variant *variant;
    double x[QUADRATIC_SIZE], b[QUADRATIC_SIZE]; /* before the step: now and previous */
    double y[QUADRATIC_SIZE];                    /* after it */
    double gradient[QUADRATIC_SIZE];             /* at x */
    size_t u, v;                                 /* the best vertex at x, the worst active one */
    double scale;                                /* of f: what rounding is measured by */
    int types[5];                                /* how often each step type was seen */
    int blocked;                                 /* PARTAN steps that the ratio test cut short */
} walk;

#define NEAR(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static void along(const walk *w, const double *from, const double *direction, double t, double *out)
{
    for (size_t i = 0; i < w->q->n; i++)
        out[i] = from[i] + t * direction[i];
}

static double value_along(const walk *w, const double *from, const double *direction, double t)
{
    double x[QUADRATIC_SIZE];
    along(w, from, direction, t, x);
    return quadratic_value(w->q, x);
}

/* The step in [0, longest] of least value, by golden section. */
static double golden(const walk *w, const double *from, const double *direction, double longest)
{
    const double ratio = 0.6180339887498949;
    double low = 0, high = longest;
    for (int i = 0; i < 60; i++) {
        double a = high - ratio * (high - low), b = low + ratio * (high - low);
        if (value_along(w, from, direction, a) < value_along(w, from, direction, b))
            high = b;
        else
            low = a;
    }
    return (low + high) / 2;
}

/* The step taken is no worse than the best one on its line, and leads where it says. */
static void check_line(const walk *w, const double *from, const double *direction, double step, double longest)
{
    assert_true(step >= 0 && step <= longest * (1 + 1e-12));
    double best = golden(w, from, direction, longest);
    double taken = value_along(w, from, direction, step), least = value_along(w, from, direction, best);
    assert_true(taken <= least + 1e-13 * w->scale);
    double end = value_along(w, from, direction, longest);
    assert_true(taken <= end + 1e-13 * w->scale);
}

static void check_end(const walk *w, const double *from, const double *direction, double step)
{
    double expected[QUADRATIC_SIZE];
    along(w, from, direction, step, expected);
    for (size_t i = 0; i < w->q->n; i++)
        NEAR(w->y[i], expected[i], 1e-13);
}

/* ---- One checker for each type of step ---- */

static void check_toward(walk *w, bool closely)
{
    double d[QUADRATIC_SIZE];
    for (size_t i = 0; i < w->q->n; i++)
        d[i] = (i == w->u) - w->x[i];
    check_end(w, w->x, d, w->fw.lambda);
    if (w->fw.rule == PARTAN_STEP_CLASSIC)
        NEAR(w->fw.lambda, 2.0 / (double)(w->fw.iteration + 2), 0);
    else if (closely)
        check_line(w, w->x, d, w->fw.lambda, 1);
}

static void check_away(walk *w, bool closely)
{
    double d[QUADRATIC_SIZE], inner = 0;
    double longest = w->x[w->v] / (1 - w->x[w->v]);
    for (size_t i = 0; i < w->q->n; i++) {
        d[i] = w->x[i] - (i == w->v);
        inner += w->x[i] * w->gradient[i];
    }
    assert_true(w->gradient[w->v] - inner >= inner - w->gradient[w->u] - 1e-12 * w->scale);
    check_end(w, w->x, d, w->fw.lambda);
    if (closely)
        check_line(w, w->x, d, w->fw.lambda, longest);
    if (w->fw.lambda >= longest)
        assert_true(w->y[w->v] == 0);
}

static void check_swap(walk *w, bool closely)
{
    double d[QUADRATIC_SIZE] = {0}, toward[QUADRATIC_SIZE];
    d[w->u] = 1;
    d[w->v] = -1;
    check_end(w, w->x, d, w->fw.lambda);
    if (w->fw.lambda >= w->x[w->v])
        assert_true(w->y[w->v] == 0);
    if (!closely)
        return;
    check_line(w, w->x, d, w->fw.lambda, w->x[w->v]);
    /* The greedy rule: a step toward u would not have been better. */
    for (size_t i = 0; i < w->q->n; i++)
        toward[i] = (i == w->u) - w->x[i];
    double rival = value_along(w, w->x, toward, golden(w, w->x, toward, 1));
    assert_true(quadratic_value(w->q, w->y) <= rival + 1e-13 * w->scale);
}

static void check_partan(walk *w, bool closely, bool first)
{
    double d[QUADRATIC_SIZE], half[QUADRATIC_SIZE], longest = INFINITY;
    size_t blocking = 0;
    for (size_t i = 0; i < w->q->n; i++)
        d[i] = (i == w->u) - w->x[i];
    if (closely)
        check_line(w, w->x, d, w->fw.lambda, 1);
    along(w, w->x, d, w->fw.lambda, half);
    for (size_t i = 0; i < w->q->n; i++) {
        d[i] = half[i] - w->b[i];
        if (d[i] < 0 && half[i] / -d[i] < longest) {
            longest = half[i] / -d[i];
            blocking = i;
        }
    }
    if (first) {
        assert_true(w->fw.mu == 0);
        return;
    }
    check_end(w, half, d, w->fw.mu);
    assert_true(w->fw.mu <= longest * (1 + 1e-9) + 1e-12);
    if (w->fw.mu > 0 && w->fw.mu >= longest * (1 - 1e-12)) {
        assert_true(w->y[blocking] == 0);
        w->blocked++;
    }
    if (!closely)
        return;
    /* The best mu; a mu of 0 may also mean that the line was too short to be trusted. */
    if (w->fw.mu == 0 && quadratic_product(w->q, d, d) <= 1e-12 * w->scale)
        return;
    double best = value_along(w, half, d, golden(w, half, d, longest < 1e6 ? longest : 1e6));
    assert_true(value_along(w, half, d, w->fw.mu) <= best + 1e-12 * w->scale);
}

/* ---- What holds after every step ---- */

static void check_state(walk *w)
{
    quadratic *q = w->q;
    double sum = 0, f = quadratic_value(q, w->y);
    for (size_t i = 0; i < q->n; i++) {
        assert_true(w->y[i] >= 0);
        sum += w->y[i];
    }
    NEAR(sum, 1, 1e-10); /* PARTAN extrapolates rounding too */
    NEAR(w->fw.at.objective, f, 1e-9 * w->scale);
    NEAR(w->fw.at.linear, quadratic_linear(q, w->y), 1e-9 * w->scale);
    if (w->fw.rule == PARTAN_STEP_EXACT)
        assert_true(f <= quadratic_value(q, w->x) + 1e-13 * w->scale);
    if (w->variant->keeps_previous) {
        NEAR(w->fw.at.cross, quadratic_product(q, w->y, w->x), 1e-9 * w->scale);
        NEAR(w->fw.at.previous_objective, quadratic_value(q, w->x), 1e-9 * w->scale);
    }
}

/* The oracle's answer and what it says of the vertex, by differences. */
static void check_oracle(walk *w)
{
    quadratic *q = w->q;
    w->u = w->v = q->n;
    for (size_t i = 0; i < q->n; i++) {
        w->gradient[i] = quadratic_slope(q, w->x, i);
        if (w->u == q->n || w->gradient[i] < w->gradient[w->u])
            w->u = i;
        if (w->x[i] > 0 && (w->v == q->n || w->gradient[i] > w->gradient[w->v]))
            w->v = i;
    }
    NEAR(w->fw.toward.score, w->gradient[w->u], 1e-9 * w->scale);
    NEAR(w->fw.toward.score, w->gradient[w->fw.toward.id], 1e-9 * w->scale);
    w->u = (size_t)w->fw.toward.id; /* of near-equal ones, the one that was chosen */
    pt_vertex away;
    assert_int_equal(w->fw.problem->ops->away(w->fw.problem, &w->fw.iterate, &away), PARTAN_OK);
    NEAR(away.score, w->gradient[w->v], 1e-9 * w->scale);
    w->v = (size_t)away.id;
    double inner = 0;
    for (size_t i = 0; i < q->n; i++)
        inner += w->x[i] * w->gradient[i];
    NEAR(pt_gap(&w->fw), inner - w->gradient[w->u], 1e-9 * w->scale);
}

/* Returns the gap before the step. */
static double take_step(walk *w, bool closely)
{
    pt_fw *fw = &w->fw;
    bool first = !fw->has_previous;
    quadratic_weights(w->q, &fw->iterate, w->x, w->b);
    assert_int_equal(fw->problem->ops->toward(fw->problem, &fw->iterate, &fw->toward), PARTAN_OK);
    check_oracle(w);
    double gap = pt_gap(fw);
    assert_int_equal(w->variant->step(fw), PARTAN_OK);
    double unused[QUADRATIC_SIZE];
    quadratic_weights(w->q, &fw->iterate, w->y, unused);
    w->types[fw->type]++;
    if (fw->type == PARTAN_STEP_TOWARD)
        check_toward(w, closely);
    else if (fw->type == PARTAN_STEP_AWAY)
        check_away(w, closely);
    else if (fw->type == PARTAN_STEP_SWAP)
        check_swap(w, closely);
    else
        check_partan(w, closely, first);
    check_state(w);
    fw->iteration++;
    return gap;
}

static void walk_on(walk *w, pt_problem *problem, quadratic *q, partan_solver solver, partan_step rule, int steps)
{
    int64_t first = (int64_t)q->n / 2;
    double one = 1;
    *w = (walk){.q = q, .variant = pt_variant_for(solver)};
    w->fw = (pt_fw){.context = problem->context, .problem = problem, .rule = rule};
    for (size_t i = 0; i < q->n; i++)
        w->scale = fmax(w->scale, fabs(q->Q[i][i]) + fabs(q->c[i]));
    problem->keeps_previous = w->variant->keeps_previous;
    pt_iterate_init(&w->fw.iterate, problem->context, w->variant->keeps_previous);
    assert_int_equal(pt_iterate_start(&w->fw.iterate, &first, &one, 1), PARTAN_OK);
    assert_int_equal(problem->ops->start(problem, &w->fw.iterate, &w->fw.at), PARTAN_OK);
    double gap = INFINITY;
    for (int step = 0; step < steps && gap > 1e-12 * w->scale; step++)
        gap = take_step(w, step < 100 || step % 100 == 0);
    pt_iterate_free(&w->fw.iterate);
}

/* ---- The plain quadratic ---- */

static void steps_on_a_quadratic_with_a_linear_term(void **state)
{
    static quadratic q;
    static walk w;
    int types[5] = {0}, blocked = 0;
    for (uint64_t seed = 1; seed <= 4; seed++)
        FOR_EVERY_VARIANT(solver) {
            quadratic_make(&q, *state, 25, seed == 1 ? 5 : 40, seed == 2 ? 0 : 0.3 * (double)seed, seed);
            walk_on(&w, &q.problem, &q, (partan_solver)solver, PARTAN_STEP_EXACT, STEPS / 3);
            for (int i = 0; i < 5; i++)
                types[i] += w.types[i];
            blocked += w.blocked;
        }
    for (int i = PARTAN_STEP_TOWARD; i <= PARTAN_STEP_PARTAN; i++)
        assert_true(types[i] > 0);
    assert_true(blocked > 0);
}

static void classic_steps_are_2_over_k_plus_2(void **state)
{
    static quadratic q;
    static walk w;
    quadratic_make(&q, *state, 25, 30, 0.5, 9);
    walk_on(&w, &q.problem, &q, PARTAN_SOLVER_FW, PARTAN_STEP_CLASSIC, 500);
}

/* ---- The SVM ---- */

/* The matrix that the problem works with, by its own inspect and product, and close to the formulas'. */
static void read_matrix(pt_problem *problem, const toy *t, quadratic *q)
{
    pt_iterate iterate;
    pt_measure measure;
    int64_t zero = 0;
    double one = 1;
    pt_iterate_init(&iterate, problem->context, false);
    assert_int_equal(pt_iterate_start(&iterate, &zero, &one, 1), PARTAN_OK);
    assert_int_equal(problem->ops->start(problem, &iterate, &measure), PARTAN_OK);
    *q = (quadratic){.n = t->rows};
    for (size_t i = 0; i < t->rows; i++)
        for (size_t j = 0; j < t->rows; j++) {
            pt_vertex u = {.id = (int64_t)i}, v = {.id = (int64_t)j};
            assert_int_equal(problem->ops->product(problem, &u, &v, &q->Q[i][j]), PARTAN_OK);
            if (i == j) {
                assert_int_equal(problem->ops->inspect(problem, &iterate, &u), PARTAN_OK);
                q->Q[i][i] = u.diagonal;
            }
            NEAR(q->Q[i][j], t->K[i][j], 2e-6 * (1 + fabs(t->K[i][i])));
        }
    pt_iterate_free(&iterate);
}

static void steps_on_the_svm(void **state)
{
    static const partan_kernel kernels[] = {PARTAN_KERNEL_PRECOMPUTED, PARTAN_KERNEL_RBF, PARTAN_KERNEL_LINEAR};
    static toy t;
    static quadratic q;
    static walk w;
    uint64_t hits = 0;
    for (int k = 0; k < 3; k++)
        FOR_EVERY_VARIANT(solver) {
            partan_settings s = machine_settings(kernels[k]);
            s.gamma = 0.2;
            s.cost = k == 1 ? 50 : 2;
            toy_fill(&t, 40, 5, false, 3 + (uint64_t)k);
            toy_matrix(&t, &s);
            partan_data *data = toy_data(*state, &t, &s, PARTAN_STORAGE_DENSE);
            pt_classes classes;
            float *signs;
            pt_kernel kernel = {.kind = s.kernel, .gamma = s.gamma, .coef0 = s.coef0, .degree = (int)s.degree};
            pt_problem *problem = NULL;
            assert_int_equal(pt_data_classes(data, &classes, &signs), PARTAN_OK);
            /* Room for three columns: steps meet cached and recomputed ones. */
            pt_dual dual = pt_dual_of_classes(data->matrix.rows, signs, s.cost);
            assert_int_equal(pt_simplex_full(*state, &kernel, (pt_points){&data->matrix, data->serials}, &dual, NULL,
                                             3 * 48 * 4, &problem),
                             PARTAN_OK);
            problem->keeps_previous = pt_variant_for((partan_solver)solver)->keeps_previous;
            read_matrix(problem, &t, &q);
            walk_on(&w, problem, &q, (partan_solver)solver, PARTAN_STEP_EXACT, STEPS);
            hits += ((pt_simplex *)problem)->counters.cache_hits;
            pt_problem_free(problem);
            pt_classes_free(*state, &classes);
            pt_free(*state, signs);
            partan_data_free(data);
        }
    assert_true(hits > 0);
}

/* ---- The loop around the steps ---- */

/* The whole of pt_solve on problems whose objective may be negative. */
static void the_loop_minimises_any_quadratic(void **state)
{
    static quadratic q;
    for (uint64_t seed = 1; seed <= 10; seed++)
        FOR_EVERY_VARIANT(solver) {
            partan_settings s;
            partan_settings_init(&s);
            s.solver = (partan_solver)solver;
            s.tol = 0;
            s.eps = reachable(solver, 1e-3, 1e-4, 1e-6);
            s.max_iter = 200000;
            quadratic_make(&q, *state, 30, 20, (double)seed - 1, seed);
            pt_fw fw;
            pt_solution solution;
            int64_t first = 3;
            double one = 1;
            assert_int_equal(
                pt_solve(&q.problem, &s, (pt_start){.ids = &first, .weights = &one, .count = 1}, &fw, &solution),
                PARTAN_OK);
            assert_int_equal(solution.status, PARTAN_OK);
            assert_true(solution.converged && solution.certificate.gap <= s.eps);
            double x[QUADRATIC_SIZE], b[QUADRATIC_SIZE], inner = 0, least = INFINITY;
            quadratic_weights(&q, &fw.iterate, x, b);
            for (size_t i = 0; i < q.n; i++) {
                double slope = quadratic_slope(&q, x, i);
                inner += x[i] * slope;
                least = fmin(least, slope);
            }
            NEAR(solution.certificate.gap, inner - least, 1e-10);
            NEAR(solution.certificate.objective, quadratic_value(&q, x), 1e-10);
            pt_iterate_free(&fw.iterate);
        }
}

typedef struct watched {
    quadratic q;
    pt_fw fw;
    int rows;
} watched;

/* What the loop believes at every iteration, against its weights. */
static void check_row(void *user, const partan_trace_row *row)
{
    watched *w = user;
    double x[QUADRATIC_SIZE], b[QUADRATIC_SIZE], inner = 0, least = INFINITY;
    quadratic_weights(&w->q, &w->fw.iterate, x, b);
    for (size_t i = 0; i < w->q.n; i++) {
        double slope = quadratic_slope(&w->q, x, i);
        inner += x[i] * slope;
        least = fmin(least, slope);
    }
    NEAR(row->objective, quadratic_value(&w->q, x), 1e-9);
    NEAR(row->gap, inner - least, 1e-9);
    w->rows++;
}

/* Full passes that miss the target leave the loop's values as they should be. */
static void the_loop_goes_on_after_a_full_pass(void **state)
{
    (void)state;
    static watched w;
    FOR_EVERY_VARIANT(solver) {
        partan_context_options options;
        partan_context_options_init(&options);
        options.trace = check_row;
        options.user = &w;
        partan_context *context = partan_create(&options);
        partan_settings s;
        partan_settings_init(&s);
        s.solver = (partan_solver)solver;
        s.tol = 0;
        s.eps = 1e-2;
        s.trace_rows = 0;
        quadratic_make(&w.q, context, 30, 20, 1, 5);
        w.q.doubts = 3;
        w.rows = 0;
        pt_solution solution;
        int64_t first = 3;
        double one = 1;
        assert_int_equal(
            pt_solve(&w.q.problem, &s, (pt_start){.ids = &first, .weights = &one, .count = 1}, &w.fw, &solution),
            PARTAN_OK);
        assert_true(solution.converged && w.q.doubts < 0);
        assert_int_equal(w.rows, w.fw.iteration + 1);
        pt_iterate_free(&w.fw.iterate);
        partan_destroy(context);
    }
}

static void note_time(void *user, const partan_trace_row *row)
{
    *(double *)user = row->seconds;
}

/* The last row of the trace has the time at which the target was met, not that of the full pass after it. The pass
 * takes a tenth of a second here, far longer than the loop needs to get from reading its clock to the problem's start.
 */
static void the_trace_ends_before_the_full_pass(void **state)
{
    (void)state;
    static quadratic q;
    double seconds = 0;
    partan_context_options options;
    partan_context_options_init(&options);
    options.trace = note_time;
    options.user = &seconds;
    partan_context *context = partan_create(&options);
    partan_settings s;
    partan_settings_init(&s);
    s.solver = PARTAN_SOLVER_FW;
    s.tol = 0;
    s.eps = 1e-2;
    quadratic_make(&q, context, 30, 20, 1, 5);
    q.pause = 0.1;
    pt_fw fw;
    pt_solution solution;
    int64_t first = 3;
    double one = 1;
    assert_int_equal(pt_solve(&q.problem, &s, (pt_start){.ids = &first, .weights = &one, .count = 1}, &fw, &solution),
                     PARTAN_OK);
    assert_true(solution.converged && seconds > 0);
    assert_true(q.started + seconds <= q.certified);
    pt_iterate_free(&fw.iterate);
    partan_destroy(context);
}

/* A target below rounding ends in a stall, also where f is negative. */
static void rounding_ends_the_loop(void **state)
{
    static quadratic q;
    FOR_EVERY_VARIANT(solver)
        for (int c = 0; c < 2; c++) {
            if (solver == PARTAN_SOLVER_FW)
                continue; /* would take too many steps */
            partan_settings s;
            partan_settings_init(&s);
            s.solver = (partan_solver)solver;
            s.tol = 0;
            s.eps = 1e-300;
            s.max_iter = 3000000;
            quadratic_make(&q, *state, 10, 20, 5 * c, 4);
            pt_fw fw;
            pt_solution solution;
            int64_t first = 3;
            double one = 1;
            assert_int_equal(
                pt_solve(&q.problem, &s, (pt_start){.ids = &first, .weights = &one, .count = 1}, &fw, &solution),
                PARTAN_OK);
            assert_true(solution.status == PARTAN_STALLED || solution.status == PARTAN_OK);
            assert_true(solution.certificate.gap <= 1e-5);
            pt_iterate_free(&fw.iterate);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(steps_on_a_quadratic_with_a_linear_term),
        SERIAL_TEST(classic_steps_are_2_over_k_plus_2),
        SERIAL_TEST(steps_on_the_svm),
        SERIAL_TEST(the_loop_minimises_any_quadratic),
        cmocka_unit_test(the_loop_goes_on_after_a_full_pass),
        cmocka_unit_test(the_trace_ends_before_the_full_pass),
        SERIAL_TEST(rounding_ends_the_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
