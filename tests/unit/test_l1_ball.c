/* The interface on the Lasso, min 1/2 |Ax - b|^2 over |x|_1 <= t: vertices are the signed coordinates +-t e_j, there is
 * a linear term and a constant. Every variant, also with a sampled oracle, finds the minimum of an independent solver,
 * and its certificate is true. */
#include "balls.h"

enum { ROWS = 20, COLUMNS = 30, ATOMS = 2 * COLUMNS };

typedef struct lasso {
    pt_problem problem; /* first: the variants see this */
    double A[ROWS][COLUMNS], b[ROWS], radius;
    double now[ROWS], previous[ROWS]; /* the state: Ax */
    size_t sample;                    /* coordinates that the oracle looks at; 0: all */
    pt_random random;
    bool held[ATOMS]; /* the oracle's answers that are not forgotten */
    int forgotten;
    uint64_t work;
} lasso;

/* ---- The problem ---- */

/* Vertex 2j is +t e_j, vertex 2j + 1 is -t e_j. */
static double atom_entry(const lasso *l, int64_t id, size_t row)
{
    return (id % 2 ? -l->radius : l->radius) * l->A[row][id / 2];
}

/* <A atom, v>. */
static double along(const lasso *l, int64_t id, const double *v)
{
    double sum = 0;
    for (size_t r = 0; r < ROWS; r++)
        sum += atom_entry(l, id, r) * v[r];
    return sum;
}

static double dot(const double *x, const double *y)
{
    double sum = 0;
    for (size_t r = 0; r < ROWS; r++)
        sum += x[r] * y[r];
    return sum;
}

static double score(lasso *l, int64_t id, const double *product)
{
    l->work += ROWS;
    return along(l, id, product) - along(l, id, l->b);
}

static void lasso_measure(pt_problem *problem, const pt_iterate *iterate, pt_measure *measure)
{
    (void)iterate;
    const lasso *l = (const lasso *)problem;
    *measure = (pt_measure){
        .linear = -dot(l->b, l->now), .cross = dot(l->now, l->previous), .previous_linear = -dot(l->b, l->previous)};
    measure->objective = dot(l->now, l->now) / 2 + measure->linear;
    measure->previous_objective = dot(l->previous, l->previous) / 2 + measure->previous_linear;
}

static partan_status lasso_start(pt_problem *problem, const pt_iterate *iterate, pt_measure *measure)
{
    lasso *l = (lasso *)problem;
    for (size_t r = 0; r < ROWS; r++) {
        l->now[r] = l->previous[r] = 0;
        for (size_t i = 0; i < iterate->count; i++)
            l->now[r] += iterate->now[i] * atom_entry(l, iterate->id[i], r);
    }
    lasso_measure(problem, iterate, measure);
    return PARTAN_OK;
}

static void consider(lasso *l, int64_t id, bool greatest, pt_vertex *vertex)
{
    double found = score(l, id, l->now);
    if (vertex->id < 0 || (greatest ? found > vertex->score : found < vertex->score))
        *vertex = (pt_vertex){.id = id, .score = found};
}

static partan_status lasso_toward(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    (void)iterate;
    lasso *l = (lasso *)problem;
    vertex->id = -1;
    for (size_t i = 0; i < (l->sample ? 2 * l->sample : ATOMS); i++)
        consider(l, l->sample ? (int64_t)pt_random_below(&l->random, ATOMS) : (int64_t)i, false, vertex);
    l->held[vertex->id] = true;
    return PARTAN_OK;
}

static partan_status lasso_away(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    vertex->id = -1;
    for (size_t i = 0; i < iterate->count; i++)
        if (iterate->now[i] > 0)
            consider((lasso *)problem, iterate->id[i], true, vertex);
    return PARTAN_OK;
}

static partan_status lasso_product(pt_problem *problem, const pt_vertex *u, const pt_vertex *v, double *product)
{
    const lasso *l = (const lasso *)problem;
    double column[ROWS];
    for (size_t r = 0; r < ROWS; r++)
        column[r] = atom_entry(l, v->id, r);
    *product = along(l, u->id, column);
    return PARTAN_OK;
}

static partan_status lasso_inspect(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    (void)iterate;
    lasso *l = (lasso *)problem;
    assert_true(l->held[vertex->id]);
    vertex->linear = -along(l, vertex->id, l->b);
    vertex->previous_score = score(l, vertex->id, l->previous);
    return lasso_product(problem, vertex, vertex, &vertex->diagonal);
}

static partan_status lasso_move(pt_problem *problem, const pt_iterate *iterate, const pt_move *move)
{
    (void)iterate;
    lasso *l = (lasso *)problem;
    for (size_t r = 0; r < ROWS; r++) {
        double next = move->now_factor * l->now[r] + move->previous_factor * l->previous[r];
        for (int t = 0; t < move->terms; t++)
            next += move->term[t].factor * atom_entry(l, move->term[t].id, r);
        l->previous[r] = l->now[r];
        l->now[r] = next;
    }
    return PARTAN_OK;
}

static partan_status lasso_certify(pt_problem *problem, const pt_iterate *iterate, double target,
                                   pt_certificate *certificate)
{
    (void)target;
    lasso *l = (lasso *)problem;
    pt_measure measure;
    pt_vertex least = {.id = -1};
    lasso_start(problem, iterate, &measure);
    for (int64_t id = 0; id < ATOMS; id++)
        consider(l, id, false, &least);
    *certificate = pt_certificate_of(pt_inner_product(measure.objective, measure.linear), measure.linear, least.score);
    return PARTAN_OK;
}

static void lasso_forget(pt_problem *problem, int64_t id)
{
    lasso *l = (lasso *)problem;
    assert_true(l->held[id]);
    l->held[id] = false;
    l->forgotten++;
}

static double lasso_scale(const pt_problem *problem, double objective)
{
    (void)objective;
    return problem->constant; /* 1/2 |b|^2, the objective at 0 */
}

static uint64_t lasso_work(const pt_problem *problem)
{
    return ((const lasso *)problem)->work;
}

static const pt_problem_ops lasso_ops = {.start = lasso_start,
                                         .toward = lasso_toward,
                                         .away = lasso_away,
                                         .inspect = lasso_inspect,
                                         .product = lasso_product,
                                         .move = lasso_move,
                                         .measure = lasso_measure,
                                         .certify = lasso_certify,
                                         .forget = lasso_forget,
                                         .scale = lasso_scale,
                                         .work = lasso_work,
                                         .not_finite = "the residual is not finite"};

/* ---- The tests ---- */

/* A sparse truth with noise; the ball is too small for it. */
static void make(lasso *l, partan_context *context, size_t sample, uint64_t seed)
{
    *l = (lasso){.problem = {.ops = &lasso_ops, .context = context, .sampled = sample > 0}, .sample = sample};
    pt_random_seed(&l->random, seed);
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t j = 0; j < COLUMNS; j++)
            l->A[r][j] = pt_random_normal(&l->random);
        l->b[r] = 2 * l->A[r][0] - 1.5 * l->A[r][3] + l->A[r][7] + 0.5 * pt_random_normal(&l->random);
    }
    l->radius = seed % 2 ? 3 : 0.5;
    l->problem.constant = dot(l->b, l->b) / 2;
    l->held[0] = true; /* where every run starts */
}

/* 1/2 |Ax - b|^2, its gradient, and the gap over the ball. */
static double evaluate(const lasso *l, const double *x, double *gradient, double *gap)
{
    double f = 0, inner = 0, largest = 0;
    memset(gradient, 0, COLUMNS * sizeof *gradient);
    for (size_t r = 0; r < ROWS; r++) {
        double residual = -l->b[r];
        for (size_t j = 0; j < COLUMNS; j++)
            residual += l->A[r][j] * x[j];
        f += residual * residual / 2;
        for (size_t j = 0; j < COLUMNS; j++)
            gradient[j] += residual * l->A[r][j];
    }
    for (size_t j = 0; j < COLUMNS; j++) {
        inner += gradient[j] * x[j];
        largest = fmax(largest, fabs(gradient[j]));
    }
    *gap = inner + l->radius * largest;
    return f;
}

/* Projected gradient; the trace of A'A is a step that never overshoots. */
static double minimum(const lasso *l)
{
    double x[COLUMNS] = {0}, gradient[COLUMNS], gap = INFINITY, f = 0, trace = 0;
    for (size_t r = 0; r < ROWS; r++)
        for (size_t j = 0; j < COLUMNS; j++)
            trace += l->A[r][j] * l->A[r][j];
    for (int i = 0; i < 1000000 && gap > 1e-12 * l->problem.constant; i++) {
        f = evaluate(l, x, gradient, &gap);
        for (size_t j = 0; j < COLUMNS; j++)
            x[j] -= gradient[j] / trace;
        project_l1(x, COLUMNS, l->radius);
    }
    assert_true(gap <= 1e-12 * l->problem.constant);
    return f;
}

static void check_answer(const lasso *l, const pt_fw *fw, const pt_solution *solution, double least)
{
    double x[COLUMNS] = {0}, gradient[COLUMNS], gap, norm = 0;
    for (size_t i = 0; i < fw->iterate.count; i++)
        x[fw->iterate.id[i] / 2] += fw->iterate.now[i] * (fw->iterate.id[i] % 2 ? -l->radius : l->radius);
    for (size_t j = 0; j < COLUMNS; j++)
        norm += fabs(x[j]);
    assert_true(norm <= l->radius * (1 + 1e-12));
    double f = evaluate(l, x, gradient, &gap);
    ball_check(&l->problem, solution, f, gap, least);
    /* The problem is left with the vertices of the answer and no others. */
    for (int64_t id = 0; id < ATOMS; id++)
        assert_int_equal(l->held[id], pt_iterate_has(&fw->iterate, id));
}

static void every_variant_solves_the_lasso(void **state)
{
    static lasso l;
    int forgotten = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        make(&l, *state, 0, seed);
        double least = minimum(&l);
        FOR_EVERY_VARIANT(solver)
            for (size_t sample = 0; sample <= 5; sample += 5) {
                pt_fw fw;
                pt_solution solution;
                make(&l, *state, sample, seed);
                ball_solve(&l.problem, solver, reachable(solver, 1e-2, 1e-3, 1e-6), &fw, &solution);
                check_answer(&l, &fw, &solution, least);
                forgotten += l.forgotten;
                pt_iterate_free(&fw.iterate);
            }
    }
    assert_true(forgotten > 0);
}

/* auto is a method of each problem's own. */
static void no_variant_is_refused(void **state)
{
    static lasso l;
    pt_fw fw;
    pt_solution solution;
    int64_t first = 0;
    double one = 1;
    partan_settings s;
    partan_settings_init(&s);
    make(&l, *state, 0, 1);
    assert_int_equal(pt_solve(&l.problem, &s, (pt_start){.ids = &first, .weights = &one, .count = 1}, &fw, &solution),
                     PARTAN_ERROR_ARGUMENT);
    assert_non_null(strstr(partan_error(*state), "auto"));
    pt_iterate_free(&fw.iterate);
}

static void keep_row(void *user, const partan_trace_row *row)
{
    *(partan_trace_row *)user = *row;
}

/* What is shown has the constant, the problem's scale, and nothing of a kernel. */
static void the_trace_is_the_problems_own(void **state)
{
    (void)state;
    static lasso l;
    partan_trace_row last;
    partan_context_options options;
    partan_context_options_init(&options);
    options.trace = keep_row;
    options.user = &last;
    partan_context *context = partan_create(&options);
    pt_fw fw;
    pt_solution solution;
    make(&l, context, 0, 1);
    ball_solve(&l.problem, PARTAN_SOLVER_SWAP, 1e-6, &fw, &solution);
    assert_true(fabs(last.objective - solution.certificate.objective - l.problem.constant) <= 1e-9);
    assert_true(last.objective > 0 && fabs(last.relative_gap - last.gap / l.problem.constant) <= 1e-15);
    assert_int_equal(last.kernel_columns, 0);
    pt_iterate_free(&fw.iterate);
    partan_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(every_variant_solves_the_lasso),
        SERIAL_TEST(no_variant_is_refused),
        cmocka_unit_test(the_trace_is_the_problems_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
