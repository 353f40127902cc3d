/* The interface on matrix completion, min 1/2 sum over known entries of (X_ij - B_ij)^2 over |X|_* <= t: vertices are
 * matrices t u v' with unit vectors u and v, minted by an oracle that knows the leading singular pair of the gradient
 * only to within a bound, and kept until they are forgotten. Every variant, also with a randomised oracle that takes a
 * few power steps from a random vector, finds the minimum of an independent solver, and its certificate, which includes
 * the bound, is true. */
#include "balls.h"

enum { ROWS = 12, COLUMNS = 8, MOST_SQUARINGS = 40, RANDOM_STEPS = 3 };

typedef double matrix[ROWS][COLUMNS];

typedef struct atom {
    int64_t id;
    double u[ROWS], v[COLUMNS];
} atom;

typedef struct completion {
    pt_problem problem; /* first: the variants see this */
    matrix B, known;    /* known: 1 or 0 */
    double radius;
    matrix now, previous; /* the state: X at the known entries */
    pt_random random;
    atom *atoms; /* minted and not forgotten */
    size_t count, capacity;
    int64_t minted;
    int inexact; /* answers with a slack */
    uint64_t work;
} completion;

/* ---- Matrices ---- */

static double inner(matrix X, matrix Y)
{
    double sum = 0;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLUMNS; j++)
            sum += X[i][j] * Y[i][j];
    return sum;
}

static void combine(double a, matrix X, double b, matrix Y, matrix out)
{
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLUMNS; j++)
            out[i][j] = a * X[i][j] + b * Y[i][j];
}

/* An atom at the known entries. */
static void expand(const completion *c, const atom *a, matrix out)
{
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLUMNS; j++)
            out[i][j] = c->radius * a->u[i] * a->v[j] * c->known[i][j];
}

/* ---- The problem ---- */

static atom *find(completion *c, int64_t id)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->atoms[i].id == id)
            return &c->atoms[i];
    fail_msg("vertex %lld is not known any more", (long long)id);
    return NULL;
}

static atom *mint(completion *c)
{
    if (c->count == c->capacity)
        c->atoms = realloc(c->atoms, (c->capacity = 2 * c->capacity + 16) * sizeof *c->atoms);
    c->atoms[c->count] = (atom){.id = c->minted++};
    return &c->atoms[c->count++];
}

static void completion_forget(pt_problem *problem, int64_t id)
{
    completion *c = (completion *)problem;
    *find(c, id) = c->atoms[c->count - 1];
    c->count--;
}

static void completion_measure(pt_problem *problem, const pt_iterate *iterate, pt_measure *measure)
{
    (void)iterate;
    completion *c = (completion *)problem;
    *measure = (pt_measure){.linear = -inner(c->B, c->now),
                            .cross = inner(c->now, c->previous),
                            .previous_linear = -inner(c->B, c->previous)};
    measure->objective = inner(c->now, c->now) / 2 + measure->linear;
    measure->previous_objective = inner(c->previous, c->previous) / 2 + measure->previous_linear;
}

static partan_status completion_start(pt_problem *problem, const pt_iterate *iterate, pt_measure *measure)
{
    completion *c = (completion *)problem;
    memset(c->now, 0, sizeof c->now);
    memset(c->previous, 0, sizeof c->previous);
    for (size_t i = 0; i < iterate->count; i++) {
        matrix X;
        expand(c, find(c, iterate->id[i]), X);
        combine(1, c->now, iterate->now[i], X, c->now);
    }
    completion_measure(problem, iterate, measure);
    return PARTAN_OK;
}

/* S = S^2 / trace(S)^2 of a symmetric S; returns that trace. */
static double square(double S[COLUMNS][COLUMNS])
{
    double T[COLUMNS][COLUMNS] = {{0}}, trace = 0;
    for (size_t i = 0; i < COLUMNS; i++)
        trace += S[i][i];
    for (size_t i = 0; i < COLUMNS; i++)
        for (size_t j = 0; j < COLUMNS; j++)
            for (size_t k = 0; k < COLUMNS; k++)
                T[i][j] += S[i][k] / trace * S[k][j] / trace;
    memcpy(S, T, sizeof T);
    return trace;
}

/* v to length 1, u = -Gv / |Gv|; returns |Gv|. */
static double take_pair(matrix G, const double *v, atom *a)
{
    double size = 0, norm = 0;
    for (size_t j = 0; j < COLUMNS; j++)
        norm += v[j] * v[j];
    for (size_t j = 0; j < COLUMNS; j++)
        a->v[j] = v[j] / sqrt(norm);
    for (size_t i = 0; i < ROWS; i++) {
        a->u[i] = 0;
        for (size_t j = 0; j < COLUMNS; j++)
            a->u[i] -= G[i][j] * a->v[j];
        size += a->u[i] * a->u[i];
    }
    for (size_t i = 0; i < ROWS; i++)
        a->u[i] /= sqrt(size);
    return sqrt(size);
}

/* The power method by repeated squaring of G'G, until the leading singular value is known to within `precision`: it is
 * at least |Gv|, and with p = 2^k at most trace((G'G)^p)^(1/2p). Returns how much more than |Gv| it may be. */
static double leading_pair(matrix G, double precision, atom *a, double *value)
{
    double S[COLUMNS][COLUMNS] = {{0}}, scale = 0, power = 1, slack = INFINITY;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLUMNS; j++)
            for (size_t k = 0; k < COLUMNS; k++)
                S[j][k] += G[i][j] * G[i][k];
    for (int n = 0; n < MOST_SQUARINGS && slack > precision; n++, power *= 2) {
        double trace = 0;
        size_t largest = 0;
        for (size_t j = 0; j < COLUMNS; j++) {
            trace += S[j][j];
            largest = S[j][j] > S[largest][largest] ? j : largest;
        }
        *value = take_pair(G, S[largest], a);
        slack = fmax(exp((scale + log(trace)) / (2 * power)) - *value, 0);
        scale = 2 * (scale + log(square(S)));
    }
    return slack;
}

/* A few power steps from a random vector. */
static double random_pair(completion *c, matrix G, atom *a)
{
    double v[COLUMNS], value = 0;
    for (size_t j = 0; j < COLUMNS; j++)
        v[j] = pt_random_normal(&c->random);
    for (int n = 0; n < RANDOM_STEPS; n++) {
        value = take_pair(G, v, a);
        memset(v, 0, sizeof v);
        for (size_t i = 0; i < ROWS; i++)
            for (size_t j = 0; j < COLUMNS; j++)
                v[j] -= G[i][j] * a->u[i];
    }
    return value;
}

static void gradient(completion *c, matrix G)
{
    combine(1, c->now, -1, c->B, G);
}

/* Precise to a tenth of the gap that it finds. */
static partan_status completion_toward(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    (void)iterate;
    completion *c = (completion *)problem;
    matrix G;
    double value = 0, slack = 0;
    gradient(c, G);
    double here = inner(G, c->now), precision = 0.1 * fabs(here) / c->radius;
    atom *a = mint(c);
    c->work += problem->sampled ? RANDOM_STEPS : MOST_SQUARINGS;
    if (problem->sampled)
        value = random_pair(c, G, a);
    else
        do {
            slack = leading_pair(G, precision, a, &value);
            precision /= 10;
        } while (c->radius * slack > 0.1 * (here + c->radius * value) && precision > 1e-12);
    c->inexact += slack > 0;
    *vertex = (pt_vertex){.id = a->id, .score = -c->radius * value, .slack = c->radius * slack};
    return PARTAN_OK;
}

static partan_status completion_away(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    completion *c = (completion *)problem;
    matrix G, X;
    gradient(c, G);
    *vertex = (pt_vertex){.id = -1, .score = -INFINITY};
    for (size_t i = 0; i < iterate->count; i++) {
        expand(c, find(c, iterate->id[i]), X);
        double score = inner(G, X);
        if (iterate->now[i] > 0 && score > vertex->score)
            *vertex = (pt_vertex){.id = iterate->id[i], .score = score};
    }
    return PARTAN_OK;
}

static partan_status completion_product(pt_problem *problem, const pt_vertex *u, const pt_vertex *v, double *product)
{
    completion *c = (completion *)problem;
    matrix X, Y;
    expand(c, find(c, u->id), X);
    expand(c, find(c, v->id), Y);
    *product = inner(X, Y);
    return PARTAN_OK;
}

static partan_status completion_inspect(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    (void)iterate;
    completion *c = (completion *)problem;
    matrix X;
    expand(c, find(c, vertex->id), X);
    vertex->linear = -inner(c->B, X);
    vertex->previous_score = inner(c->previous, X) + vertex->linear;
    return completion_product(problem, vertex, vertex, &vertex->diagonal);
}

static partan_status completion_move(pt_problem *problem, const pt_iterate *iterate, const pt_move *move)
{
    (void)iterate;
    completion *c = (completion *)problem;
    matrix next, X;
    combine(move->now_factor, c->now, move->previous_factor, c->previous, next);
    for (int t = 0; t < move->terms; t++) {
        expand(c, find(c, move->term[t].id), X);
        combine(1, next, move->term[t].factor, X, next);
    }
    memcpy(c->previous, c->now, sizeof next);
    memcpy(c->now, next, sizeof next);
    return PARTAN_OK;
}

static partan_status completion_certify(pt_problem *problem, const pt_iterate *iterate, double target,
                                        pt_certificate *certificate)
{
    completion *c = (completion *)problem;
    pt_measure at;
    atom unused;
    matrix G;
    double value;
    completion_start(problem, iterate, &at);
    gradient(c, G);
    c->work += MOST_SQUARINGS;
    double slack = leading_pair(G, 0.01 * target / c->radius, &unused, &value);
    *certificate =
        pt_certificate_of(pt_inner_product(at.objective, at.linear), at.linear, -c->radius * (value + slack));
    return PARTAN_OK;
}

static double completion_scale(const pt_problem *problem, double objective)
{
    (void)objective;
    return problem->constant; /* 1/2 |B|^2 */
}

static uint64_t completion_work(const pt_problem *problem)
{
    return ((const completion *)problem)->work;
}

static const pt_problem_ops completion_ops = {.start = completion_start,
                                              .toward = completion_toward,
                                              .away = completion_away,
                                              .inspect = completion_inspect,
                                              .product = completion_product,
                                              .move = completion_move,
                                              .measure = completion_measure,
                                              .certify = completion_certify,
                                              .forget = completion_forget,
                                              .scale = completion_scale,
                                              .work = completion_work,
                                              .not_finite = "the matrix is not finite"};

/* ---- The tests ---- */

/* A matrix of rank two with noise, three quarters of it known; the ball is too small for it. */
static void make(completion *c, partan_context *context, bool sampled, uint64_t seed)
{
    *c = (completion){.problem = {.ops = &completion_ops, .context = context, .sampled = sampled}, .radius = 6};
    pt_random_seed(&c->random, seed);
    for (int rank = 0; rank < 2; rank++) {
        double u[ROWS], v[COLUMNS];
        for (size_t i = 0; i < ROWS; i++)
            u[i] = pt_random_normal(&c->random);
        for (size_t j = 0; j < COLUMNS; j++)
            v[j] = pt_random_normal(&c->random);
        for (size_t i = 0; i < ROWS; i++)
            for (size_t j = 0; j < COLUMNS; j++)
                c->B[i][j] += u[i] * v[j] + 0.1 * pt_random_normal(&c->random);
    }
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLUMNS; j++) {
            c->known[i][j] = pt_random_below(&c->random, 4) > 0;
            c->B[i][j] *= c->known[i][j];
        }
    c->problem.constant = inner(c->B, c->B) / 2;
    atom *first = mint(c);
    first->u[0] = first->v[0] = 1;
}

/* One-sided Jacobi: X = U diag(s) V', U in place of X. */
static void decompose(matrix X, double s[COLUMNS], double V[COLUMNS][COLUMNS])
{
    for (size_t i = 0; i < COLUMNS; i++)
        for (size_t j = 0; j < COLUMNS; j++)
            V[i][j] = i == j;
    for (int sweep = 0; sweep < 30; sweep++)
        for (size_t p = 0; p < COLUMNS; p++)
            for (size_t q = p + 1; q < COLUMNS; q++) {
                double a = 0, b = 0, d = 0;
                for (size_t i = 0; i < ROWS; i++) {
                    a += X[i][p] * X[i][p];
                    b += X[i][q] * X[i][q];
                    d += X[i][p] * X[i][q];
                }
                if (fabs(d) <= 1e-17 * sqrt(a * b))
                    continue;
                double angle = atan2(2 * d, a - b) / 2, cosine = cos(angle), sine = sin(angle);
                for (size_t i = 0; i < ROWS + COLUMNS; i++) {
                    double *row = i < ROWS ? X[i] : V[i - ROWS], x = row[p], y = row[q];
                    row[p] = cosine * x + sine * y;
                    row[q] = cosine * y - sine * x;
                }
            }
    for (size_t j = 0; j < COLUMNS; j++) {
        double norm = 0;
        for (size_t i = 0; i < ROWS; i++)
            norm += X[i][j] * X[i][j];
        s[j] = sqrt(norm);
        for (size_t i = 0; i < ROWS; i++)
            X[i][j] = s[j] > 0 ? X[i][j] / s[j] : 0;
    }
}

static double nuclear_norm(matrix X, double *largest)
{
    matrix U;
    double s[COLUMNS], V[COLUMNS][COLUMNS], sum = 0;
    memcpy(U, X, sizeof U);
    decompose(U, s, V);
    *largest = 0;
    for (size_t j = 0; j < COLUMNS; j++) {
        sum += s[j];
        *largest = fmax(*largest, s[j]);
    }
    return sum;
}

static void project(const completion *c, matrix X)
{
    double s[COLUMNS], V[COLUMNS][COLUMNS];
    decompose(X, s, V);
    project_l1(s, COLUMNS, c->radius);
    for (size_t i = 0; i < ROWS; i++) {
        double row[COLUMNS] = {0};
        for (size_t k = 0; k < COLUMNS; k++)
            for (size_t j = 0; j < COLUMNS; j++)
                row[j] += X[i][k] * s[k] * V[j][k];
        memcpy(X[i], row, sizeof row);
    }
}

/* The objective by its definition, its gradient, and the gap over the ball. */
static double evaluate(completion *c, matrix X, matrix G, double *gap)
{
    double largest;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLUMNS; j++)
            G[i][j] = c->known[i][j] * (X[i][j] - c->B[i][j]);
    nuclear_norm(G, &largest);
    *gap = inner(G, X) + c->radius * largest;
    return inner(G, G) / 2;
}

/* Projected gradient with unit steps, the Hessian being at most the identity. */
static double minimum(completion *c)
{
    matrix X = {{0}}, G;
    double gap = INFINITY, f = 0;
    for (int i = 0; i < 20000 && gap > 1e-11 * c->problem.constant; i++) {
        f = evaluate(c, X, G, &gap);
        combine(1, X, -1, G, X);
        project(c, X);
    }
    assert_true(gap <= 1e-11 * c->problem.constant);
    return f;
}

static void check_answer(completion *c, const pt_fw *fw, const pt_solution *solution, double least)
{
    matrix X = {{0}}, G;
    double gap, unused;
    for (size_t n = 0; n < fw->iterate.count; n++) {
        const atom *a = find(c, fw->iterate.id[n]);
        for (size_t i = 0; i < ROWS; i++)
            for (size_t j = 0; j < COLUMNS; j++)
                X[i][j] += fw->iterate.now[n] * c->radius * a->u[i] * a->v[j];
    }
    assert_true(nuclear_norm(X, &unused) <= c->radius * (1 + 1e-9));
    double f = evaluate(c, X, G, &gap);
    ball_check(&c->problem, solution, f, gap, least);
    /* The problem is left with the vertices of the answer and no others. */
    assert_int_equal(c->count, fw->iterate.count);
}

static void every_variant_completes_a_matrix(void **state)
{
    static completion c;
    int inexact = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        make(&c, *state, false, seed);
        double least = minimum(&c);
        free(c.atoms);
        FOR_EVERY_VARIANT(solver)
            for (int sampled = 0; sampled < 2; sampled++) {
                pt_fw fw;
                pt_solution solution;
                make(&c, *state, sampled, seed);
                ball_solve(&c.problem, solver, sampled ? 1e-2 : reachable(solver, 1e-2, 1e-3, 1e-3), &fw, &solution);
                check_answer(&c, &fw, &solution, least);
                assert_true(solver == PARTAN_SOLVER_FW || c.minted > (int64_t)c.count);
                inexact += c.inexact;
                pt_iterate_free(&fw.iterate);
                free(c.atoms);
            }
    }
    assert_true(inexact > 0);
}

/* The bound holds whatever precision is asked for. */
static void the_oracles_bound_is_true(void **state)
{
    static completion c;
    make(&c, *state, false, 5);
    for (double precision = 100; precision > 1e-10; precision /= 10) {
        atom a;
        double value = 0, largest;
        double slack = leading_pair(c.B, precision, &a, &value);
        nuclear_norm(c.B, &largest);
        assert_true(slack <= precision);
        assert_true(value <= largest * (1 + 1e-12) && largest <= (value + slack) * (1 + 1e-12));
    }
    free(c.atoms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(the_oracles_bound_is_true),
        SERIAL_TEST(every_variant_completes_a_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
