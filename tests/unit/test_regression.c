/* Regression against a plain solver of its primal problem on a dense kernel matrix in double:
 *
 *     P(b) = 1/2 b'Kb + 1/2 sum_i C w_i max(0, |t_i - (Kb)_i| - epsilon)^2,    K_ij = k(x_i, x_j) + 1
 *
 * t_i being the label less the mean of all. A model claims -P* <= objective, and P* <= gap - objective. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "data/data.h"
#include "generating.h"
#include "machine.h"
#include "training.h"

enum { MOST = 60, FEATURES = 4, PROBLEMS = 120, NEWTON_STEPS = 400 };

typedef struct problem {
    size_t rows;
    float values[MOST * FEATURES];
    double labels[MOST], weights[MOST], targets[MOST];
    double K[MOST][MOST];
    double b[MOST], f[MOST]; /* the point, and K b */
    partan_settings settings;
} problem;

/* ---- By definition ---- */

static void set_kernel(problem *p)
{
    double mean = 0, weights = 0;
    for (size_t i = 0; i < p->rows; i++) {
        mean += p->weights[i] * p->labels[i];
        weights += p->weights[i];
        for (size_t j = 0; j < p->rows; j++)
            p->K[i][j] = formula(&p->settings, p->values + i * FEATURES, p->values + j * FEATURES, FEATURES) + 1;
    }
    for (size_t i = 0; i < p->rows; i++)
        p->targets[i] = p->labels[i] - mean / weights;
}

static double loss(const problem *p, size_t i, double f)
{
    double error = p->targets[i] - f;
    return error > p->settings.epsilon    ? error - p->settings.epsilon
           : error < -p->settings.epsilon ? error + p->settings.epsilon
                                          : 0;
}

static double primal(const problem *p, const double *b, const double *f)
{
    double sum = 0;
    for (size_t i = 0; i < p->rows; i++)
        sum += b[i] * f[i] + p->settings.cost * p->weights[i] * pow(loss(p, i, f[i]), 2);
    return sum / 2;
}

static void multiply(const problem *p, const double *b, double *f)
{
    for (size_t i = 0; i < p->rows; i++) {
        f[i] = 0;
        for (size_t j = 0; j < p->rows; j++)
            f[i] += p->K[i][j] * b[j];
    }
}

/* Gaussian elimination with pivots. */
static void eliminate(double A[MOST][MOST], double *x, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k; i < n; i++)
            best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
        for (size_t j = 0; j < n; j++) {
            double kept = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = kept;
        }
        double kept = x[k];
        x[k] = x[best];
        x[best] = kept;
        for (size_t i = k + 1; i < n; i++) {
            double factor = A[i][k] / A[k][k];
            for (size_t j = k; j < n; j++)
                A[i][j] -= factor * A[k][j];
            x[i] -= factor * x[k];
        }
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; j++)
            x[k] -= A[k][j] * x[j];
        x[k] /= A[k][k];
    }
}

/* The solution of the system of the rows that have a loss. */
static void newton_point(const problem *p, double *b)
{
    static double A[MOST][MOST];
    double x[MOST];
    size_t rows[MOST], n = 0;
    for (size_t i = 0; i < p->rows; i++)
        if (loss(p, i, p->f[i]) != 0 && p->weights[i] > 0)
            rows[n++] = i;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            A[i][j] = p->K[rows[i]][rows[j]] + (i == j ? 1 / (p->settings.cost * p->weights[rows[i]]) : 0);
        x[i] = p->targets[rows[i]] - copysign(p->settings.epsilon, loss(p, rows[i], p->f[rows[i]]));
    }
    eliminate(A, x, n);
    memset(b, 0, p->rows * sizeof *b);
    for (size_t i = 0; i < n; i++)
        b[rows[i]] = x[i];
}

/* P*: Newton steps, each halved until P falls. */
static double solve(problem *p)
{
    double next[MOST], b[MOST], f[MOST];
    memset(p->b, 0, sizeof p->b);
    memset(p->f, 0, sizeof p->f);
    for (int k = 0; k < NEWTON_STEPS; k++) {
        double now = primal(p, p->b, p->f), step = 1;
        newton_point(p, next);
        for (; step > 1e-12; step /= 2) {
            for (size_t i = 0; i < p->rows; i++)
                b[i] = p->b[i] + step * (next[i] - p->b[i]);
            multiply(p, b, f);
            if (primal(p, b, f) < now)
                break;
        }
        if (!(step > 1e-12))
            return now;
        memcpy(p->b, b, sizeof b);
        memcpy(p->f, f, sizeof f);
    }
    return primal(p, p->b, p->f);
}

/* ---- Problems ---- */

static double pick(pt_random *random, const double *list, size_t count)
{
    return list[pt_random_below(random, count)];
}

static void fill(problem *p, pt_random *random)
{
    static const double rows[] = {8, 25, MOST}, epsilons[] = {0, 0.01, 0.3, 1};
    static const partan_kernel kernels[] = {PARTAN_KERNEL_RBF, PARTAN_KERNEL_LINEAR, PARTAN_KERNEL_POLYNOMIAL,
                                            PARTAN_KERNEL_LAPLACIAN};
    bool weighted = pt_random_below(random, 2), copies = pt_random_below(random, 2);
    double offset = pick(random, (double[]){0, 100}, 2), noise = pick(random, (double[]){0.1, 1}, 2);
    memset(p, 0, sizeof *p);
    p->rows = (size_t)pick(random, rows, 3);
    for (size_t i = 0; i < p->rows; i++) {
        for (size_t j = 0; j < FEATURES; j++)
            p->values[i * FEATURES + j] =
                copies && i > 4 ? p->values[(i - 5) * FEATURES + j] : (float)pt_random_normal(random);
        double clean = sin(2 * (double)p->values[i * FEATURES]) + (double)p->values[i * FEATURES + 1];
        p->labels[i] = copies && i > 4 && i % 3 ? p->labels[i - 5] : offset + clean + noise * pt_random_normal(random);
        p->weights[i] = weighted ? 0.2 + 3 * pt_random_uniform(random) : 1;
    }
    partan_settings *s = &p->settings;
    *s = defaults(PARTAN_SOLVER_AUTO);
    s->problem = PARTAN_REGRESSION;
    s->kernel = kernels[pt_random_below(random, 4)];
    s->degree = 2;
    s->gamma = pow(10, -2 + 2 * pt_random_uniform(random));
    s->cost = pow(10, -2 + 6 * pt_random_uniform(random));
    s->epsilon = pick(random, epsilons, 4);
    s->tol = pick(random, (double[]){0.05, 1e-3, 1e-6}, 3);
    set_kernel(p);
}

static partan_data *data_of(partan_context *context, problem *p)
{
    partan_data *data = NULL;
    assert_int_equal(
        dense_data(context, p->values, p->rows, FEATURES, FEATURES, p->labels, PARTAN_STORAGE_DENSE, &data), PARTAN_OK);
    assert_int_equal(partan_data_set_weights(context, data, p->weights), PARTAN_OK);
    return data;
}

/* What the model says of P*, and that its decision function is that of its claims. */
static void check_claims(partan_context *context, problem *p, const partan_data *data, const partan_model *model,
                         double least)
{
    const partan_result *result = partan_model_result(model);
    double decision[MOST], slack = 1e-5 * (least + result->gap) + 1e-9;
    assert_true(-result->objective <= least + slack);
    assert_true(least <= result->gap - result->objective + slack);
    assert_int_equal(partan_predict(context, model, data, decision), PARTAN_OK);
    double *b = calloc(p->rows, sizeof *b), f[MOST], mean = p->labels[0] - p->targets[0];
    for (size_t i = 0; i < model->count; i++)
        b[model->origin[i]] += model->scale * model->weights[i] * (double)model->signs[i];
    multiply(p, b, f);
    double sizes = 0;
    for (size_t i = 0; i < p->rows; i++)
        sizes += fabs(b[i]);
    for (size_t i = 0; i < p->rows; i++)
        assert_near(decision[i], f[i] + mean, 1e-5 * (1 + fabs(mean) + sizes * sqrt(p->K[i][i])));
    assert_near(primal(p, b, f), result->gap - result->objective,
                1e-3 * (least + result->gap) + 1e-5 * fabs(result->objective) + 1e-9);
    free(b);
}

static void claims_bound_what_a_dense_solver_finds(void **state)
{
    problem *p = calloc(1, sizeof *p);
    for (uint64_t seed = 1; seed <= SOME_OF(PROBLEMS); seed++) {
        pt_random random;
        pt_random_seed(&random, seed);
        fill(p, &random);
        double least = solve(p);
        partan_data *data = data_of(*state, p);
        FOR_EVERY_SOLVER(solver) {
            partan_model *model = NULL;
            p->settings.solver = (partan_solver)solver;
            p->settings.max_iter = solver == PARTAN_SOLVER_AUTO ? 0 : 3000;
            partan_status status = partan_train(*state, data, &p->settings, NULL, &model);
            if (status < 0 || (solver == PARTAN_SOLVER_AUTO && status))
                fail_msg("seed %d: %s: %s", (int)seed, partan_status_name(status), partan_error(*state));
            check_verified(*state, model, data);
            check_claims(*state, p, data, model, least);
            partan_model_free(model);
        }
        partan_data_free(data);
    }
    free(p);
}

/* ---- The parts ---- */

static void a_weighted_row_is_a_repeated_one(void **state)
{
    problem *p = calloc(1, sizeof *p), *twice = calloc(1, sizeof *twice);
    pt_random random;
    pt_random_seed(&random, 5);
    fill(p, &random);
    p->rows = 20;
    p->settings.tol = 1e-9;
    p->settings.kernel = PARTAN_KERNEL_RBF;
    *twice = *p;
    for (size_t i = 0; i < 20; i++) {
        p->weights[i] = i % 2 ? 2 : 1;
        twice->weights[i] = 1;
    }
    for (size_t i = 1; i < 20; i += 2) {
        memcpy(twice->values + twice->rows * FEATURES, p->values + i * FEATURES, FEATURES * sizeof *p->values);
        twice->labels[twice->rows] = p->labels[i];
        twice->weights[twice->rows++] = 1;
    }
    partan_data *one = data_of(*state, p), *two = data_of(*state, twice);
    for (int merge = 0; merge < 2; merge++) {
        p->settings.merge = merge;
        partan_model *a = train(*state, one, &p->settings, NULL, PARTAN_OK);
        partan_model *b = train(*state, two, &p->settings, NULL, PARTAN_OK);
        double x[20], z[MOST];
        assert_int_equal(partan_predict(*state, a, one, x), PARTAN_OK);
        assert_int_equal(partan_predict(*state, b, two, z), PARTAN_OK);
        for (size_t i = 0; i < 20; i++)
            assert_near(x[i], z[i], 1e-4 * fabs(x[i]) + 1e-6);
        assert_near(a->result.objective, b->result.objective, 1e-6 * fabs(a->result.objective));
        partan_model_free(a);
        partan_model_free(b);
    }
    partan_data_free(one);
    partan_data_free(two);
    free(p);
    free(twice);
}

/* Rows of equal values are one vertex only where their labels are equal too. */
static void equal_rows_of_other_labels_stay_apart(void **state)
{
    problem *p = calloc(1, sizeof *p);
    pt_random random;
    pt_random_seed(&random, 8);
    fill(p, &random);
    p->rows = 40;
    for (size_t i = 0; i < p->rows; i++) {
        memcpy(p->values + i * FEATURES, p->values + i % 4 * FEATURES, FEATURES * sizeof *p->values);
        p->labels[i] = (double)(i % 8);
        p->weights[i] = 1;
    }
    p->settings.tol = 1e-9;
    p->settings.epsilon = 0.1;
    set_kernel(p);
    double least = solve(p);
    partan_data *data = data_of(*state, p);
    partan_model *model = train(*state, data, &p->settings, NULL, PARTAN_OK);
    assert_near(-model->result.objective, least, 1e-6 * least);
    partan_model_free(model);
    partan_data_free(data);
    free(p);
}

static void labels_within_epsilon_give_their_mean(void **state)
{
    float values[] = {0, 1, 2, 3};
    double labels[] = {5.05, 4.95, 5.0, 5.0}, decision[4];
    partan_data *data = NULL;
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.problem = PARTAN_REGRESSION;
    assert_int_equal(dense_data(*state, values, 4, 1, 1, labels, PARTAN_STORAGE_DENSE, &data), PARTAN_OK);
    FOR_EVERY_SOLVER(solver) {
        s.solver = (partan_solver)solver;
        partan_model *model = train(*state, data, &s, NULL, PARTAN_OK), *again = NULL;
        char *bytes = NULL;
        size_t size = 0;
        for (int format = PARTAN_MODEL_NATIVE; format <= PARTAN_MODEL_LIBSVM; format++) {
            assert_int_equal(partan_model_to_memory(*state, model, (partan_model_format)format, &bytes, &size), 0);
            assert_int_equal(partan_model_from_memory(*state, bytes, size, &again), PARTAN_OK);
            assert_int_equal(again->count, 0);
            assert_int_equal(partan_predict(*state, again, data, decision), PARTAN_OK);
            for (size_t i = 0; i < 4; i++)
                assert_near(decision[i], 5, 1e-12);
            partan_free(*state, bytes);
            partan_model_free(again);
        }
        partan_model *warm = train(*state, data, &s, model, PARTAN_OK); /* from a model without support vectors */
        partan_model_free(warm);
        partan_model_free(model);
    }
    partan_data_free(data);
}

static void labels_must_be_numbers(void **state)
{
    float values[] = {0, 1, 2};
    double labels[] = {1, (double)NAN, 3};
    partan_data *data = NULL;
    partan_model *model = NULL;
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.problem = PARTAN_REGRESSION;
    assert_int_equal(dense_data(*state, values, 3, 1, 1, labels, PARTAN_STORAGE_DENSE, &data), PARTAN_OK);
    assert_int_equal(partan_train(*state, data, &s, NULL, &model), PARTAN_ERROR_DATA);
    assert_non_null(strstr(partan_error(*state), "row 2 has no label, expected a number"));
    s.balanced = 1;
    assert_int_equal(partan_train(*state, data, &s, NULL, &model), PARTAN_ERROR_ARGUMENT);
    assert_non_null(strstr(partan_error(*state), "problem regression takes no weights of classes"));
    partan_data_free(data);
}

/* ---- Models ---- */

static partan_settings friedman_settings(void)
{
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.problem = PARTAN_REGRESSION;
    s.gamma = 0.3;
    return s;
}

static void model_files_keep_what_is_predicted(void **state)
{
    partan_data *data = generate(*state, "friedman", 300);
    partan_settings s = friedman_settings();
    partan_model *model = train(*state, data, &s, NULL, PARTAN_OK), *again = NULL;
    double expected[300], found[300];
    assert_int_equal(partan_predict(*state, model, data, expected), PARTAN_OK);
    for (int format = PARTAN_MODEL_NATIVE; format <= PARTAN_MODEL_LIBSVM; format++) {
        char *bytes = NULL;
        size_t size = 0;
        assert_int_equal(partan_model_to_memory(*state, model, (partan_model_format)format, &bytes, &size), 0);
        assert_int_equal(partan_model_from_memory(*state, bytes, size, &again), PARTAN_OK);
        assert_int_equal(partan_model_settings(again)->problem, PARTAN_REGRESSION);
        assert_int_equal(partan_model_class_count(again), 0);
        assert_int_equal(partan_model_decide(again, expected), -1);
        assert_int_equal(partan_predict(*state, again, data, found), PARTAN_OK);
        for (size_t i = 0; i < 300; i++)
            assert_near(found[i], expected[i], 1e-4);
        if (format == PARTAN_MODEL_NATIVE) {
            assert_true(partan_model_settings(again)->epsilon == s.epsilon);
            check_verified(*state, again, data);
        }
        partan_free(*state, bytes);
        partan_model_free(again);
    }
    partan_model_free(model);
    partan_data_free(data);
}

static void files_of_other_problems_are_refused(void **state)
{
    static const char *const changes[][2] = {{"problem regression", "problem classification"},
                                             {"kernel rbf", "kernel precomputed"}};
    partan_data *data = generate(*state, "friedman", 30);
    partan_settings s = friedman_settings();
    for (size_t i = 0; i < 2; i++) {
        s.problem = i ? PARTAN_OUTLIER : PARTAN_REGRESSION;
        partan_model *model = train(*state, data, &s, NULL, PARTAN_OK), *again = NULL;
        char *bytes = NULL;
        size_t size = 0;
        assert_int_equal(partan_model_to_memory(*state, model, PARTAN_MODEL_NATIVE, &bytes, &size), PARTAN_OK);
        char *whole = calloc(size + 1, 1), *text = calloc(size + 64, 1);
        memcpy(whole, bytes, size); /* which has no NUL at its end */
        char *at = strstr(whole, changes[i][0]);
        assert_non_null(at);
        snprintf(text, size + 64, "%.*s%s%s", (int)(at - whole), whole, changes[i][1], at + strlen(changes[i][0]));
        free(whole);
        assert_int_equal(partan_model_from_memory(*state, text, strlen(text), &again), PARTAN_ERROR_FORMAT);
        assert_non_null(strstr(partan_error(*state),
                               i ? "found problem outlier with a precomputed kernel" : "found problem classification"));
        free(text);
        partan_free(*state, bytes);
        partan_model_free(model);
    }
    partan_data_free(data);
}

static void expect_refused(partan_context *context, const partan_model *model, const partan_data *data,
                           const char *reason)
{
    partan_verification found;
    partan_verification_init(&found);
    assert_int_equal(partan_verify(context, model, data, &found), PARTAN_OK);
    assert_false(found.matches);
    assert_non_null(strstr(found.reason, reason));
}

static void verify_refuses_what_is_not_so(void **state)
{
    partan_data *data = generate(*state, "friedman", 200);
    partan_settings s = friedman_settings();
    partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
    double kept = model->result.objective;
    model->result.objective *= 1.01;
    expect_refused(*state, model, data, "claims an objective");
    model->result.objective = kept;
    kept = model->result.gap;
    model->result.gap /= 2;
    expect_refused(*state, model, data, "claims a gap");
    model->result.gap = kept;
    model->bias += 1e-3;
    expect_refused(*state, model, data, "the bias is");
    model->bias -= 1e-3;
    model->settings.epsilon *= 2;
    expect_refused(*state, model, data, "claims an objective");
    model->settings.epsilon /= 2;
    model->scale *= 1.01;
    expect_refused(*state, model, data, "claims");
    model->scale /= 1.01;
    check_verified(*state, model, data);
    data->labels[7] += 1;
    expect_refused(*state, model, data, "");
    partan_model_free(model);
    partan_data_free(data);
}

static void a_warm_start_needs_less(void **state)
{
    partan_data *data = generate(*state, "friedman", 1500);
    partan_settings s = friedman_settings();
    s.tol = 1e-4;
    partan_model *cold = train(*state, data, &s, NULL, PARTAN_OK), *warm = train(*state, data, &s, cold, PARTAN_OK);
    assert_true(warm->result.iterations < cold->result.iterations);
    partan_model_free(warm);
    s.cost *= 2; /* from another problem's solution */
    warm = train(*state, data, &s, cold, PARTAN_OK);
    partan_model_free(warm);
    s.problem = PARTAN_CLASSIFICATION;
    for (size_t i = 0; i < 1500; i++)
        data->labels[i] = data->labels[i] > 14 ? 1 : 0;
    assert_int_equal(partan_train(*state, data, &s, cold, &warm), PARTAN_ERROR_DATA);
    assert_non_null(strstr(partan_error(*state), "the initial model is one of regression"));
    partan_model_free(cold);
    partan_data_free(data);
}

/* ---- What Newton's method solves ---- */

static void every_kernel_meets_a_tight_target(void **state)
{
    static const partan_kernel kernels[] = {PARTAN_KERNEL_RBF, PARTAN_KERNEL_LINEAR, PARTAN_KERNEL_POLYNOMIAL,
                                            PARTAN_KERNEL_LAPLACIAN, PARTAN_KERNEL_SIGMOID};
    partan_data *data = generate(*state, "friedman", SOME_OF(1600));
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        for (int noisy = 0; noisy < 2; noisy++) {
            partan_settings s = friedman_settings();
            s.kernel = kernels[k];
            s.degree = 2;
            s.coef0 = 1;
            s.epsilon = noisy ? 0 : 2;
            s.cost = s.kernel == PARTAN_KERNEL_SIGMOID ? 0.01 : noisy ? 100 : 1;
            s.gamma = s.kernel == PARTAN_KERNEL_SIGMOID ? 0.01 : 0.3;
            s.tol = 1e-5;
            partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
            partan_model_free(model);
        }
    partan_data_free(data);
}

/* The preconditioner's rank grows where products turn out to be many: about 55 of them then, else 190. */
static void hard_systems_take_few_products(void **state)
{
    partan_data *data = generate(*state, "friedman", 4000);
    partan_settings s = friedman_settings();
    s.cost = 100;
    s.gamma = 0.5;
    partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
    assert_true(model->result.iterations < 120);
    partan_model_free(model);
    partan_data_free(data);
}

/* Weights on the way to a solution that is close to 0 may be worse than none. */
static void an_objective_above_zero_proves_nothing(void **state)
{
    partan_data *data = generate(*state, "friedman", 1000);
    partan_settings s = friedman_settings();
    int above = 0;
    s.epsilon = 8;
    s.cost = 100;
    for (int64_t most = 1; most <= 31; most += 10) {
        s.max_iter = most;
        partan_model *model = train(*state, data, &s, NULL, PARTAN_ITERATION_LIMIT);
        const partan_result *r = &model->result;
        assert_false(r->converged);
        assert_true(r->relative_gap > (r->objective > 0 ? 1e6 : s.tol));
        above += r->objective > 0;
        check_verified(*state, model, data);
        partan_model_free(model);
    }
    assert_true(above > 1);
    partan_data_free(data);
}

/* Pair steps alone, without Newton's method: the kernel is not definite. The rows' number is none of whole tiles. */
static void pair_steps_leave_an_objective_above_zero(void **state)
{
    partan_data *data = generate(*state, "friedman", 203);
    partan_settings s = friedman_settings();
    s.kernel = PARTAN_KERNEL_SIGMOID;
    s.gamma = 0.01;
    s.cost = 1;
    partan_model *other = train(*state, data, &s, NULL, PARTAN_OK);
    s.epsilon = 8;
    s.tol = 1e-3;
    s.max_iter = 1;
    partan_model *first = train(*state, data, &s, other, PARTAN_ITERATION_LIMIT);
    assert_true(first->result.objective > 0 && !first->result.converged);
    s.max_iter = 0;
    partan_model *last = train(*state, data, &s, other, PARTAN_OK);
    assert_true(last->result.converged && last->result.objective < 0 && last->result.relative_gap >= 0);
    check_verified(*state, last, data);
    partan_model_free(last);
    partan_model_free(first);
    partan_model_free(other);
    partan_data_free(data);
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    partan_model *models[2];
    partan_context *contexts[2];
    partan_data *data[2];
    for (int k = 0; k < 2; k++) {
        partan_context_options options;
        partan_context_options_init(&options);
        options.threads = k + 1;
        contexts[k] = partan_create(&options);
        data[k] = generate(contexts[k], "friedman", SOME_OF(3000));
        partan_settings s = friedman_settings();
        models[k] = train(contexts[k], data[k], &s, NULL, PARTAN_OK);
    }
    assert_same_model(models[0], models[1]);
    for (int k = 0; k < 2; k++) {
        partan_model_free(models[k]);
        partan_data_free(data[k]);
        partan_destroy(contexts[k]);
    }
}

/* ---- Evaluation and choice ---- */

static void errors_are_by_definition(void **state)
{
    partan_data *data = generate(*state, "friedman", 50);
    partan_settings s = friedman_settings();
    partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
    double decision[50], mean = 0, squares = 0, sizes = 0, variance = 0;
    partan_evaluation found;
    partan_evaluation_init(&found);
    assert_int_equal(partan_predict(*state, model, data, decision), PARTAN_OK);
    data->labels[9] = (double)NAN; /* a row without label does not count */
    assert_int_equal(partan_evaluate(*state, model, data, decision, NULL, NULL, &found), PARTAN_OK);
    for (size_t i = 0; i < 50; i++)
        mean += i == 9 ? 0 : data->labels[i] / 49;
    for (size_t i = 0; i < 50; i++) {
        if (i == 9)
            continue;
        squares += pow(data->labels[i] - decision[i], 2);
        sizes += fabs(data->labels[i] - decision[i]);
        variance += pow(data->labels[i] - mean, 2);
    }
    assert_int_equal(found.labelled, 49);
    assert_int_equal(found.classes, 0);
    assert_near(found.mse, squares / 49, 1e-12);
    assert_near(found.mae, sizes / 49, 1e-12);
    assert_near(found.r2, 1 - squares / variance, 1e-12);
    assert_true(isnan(found.accuracy) && isnan(found.auc));
    assert_true(partan_score_of(PARTAN_SCORE_MSE, &found) == -found.mse);
    partan_model_free(model);
    partan_data_free(data);
}

static int count_points(void *user, const partan_tune_point *point)
{
    (void)point;
    ++*(int *)user;
    return 0;
}

static void tuning_tries_every_epsilon(void **state)
{
    static const double costs[] = {1, 100}, epsilons[] = {0.1, 8};
    partan_data *data = generate(*state, "friedman", 300);
    partan_settings s = friedman_settings();
    partan_tune_options options;
    partan_tune_point best;
    int points = 0;
    partan_tune_options_init(&options);
    partan_tune_point_init(&best);
    options.folds = 3;
    options.costs = costs;
    options.epsilons = epsilons;
    options.cost_count = options.epsilon_count = 2;
    assert_int_equal(partan_tune(*state, data, &s, &options, count_points, &points, &best), PARTAN_OK);
    assert_int_equal(points, 4);
    assert_true(best.epsilon == 0.1 && best.score > 0.8 && best.score == best.evaluation.r2);
    assert_int_equal(best.rows, 300);
    options.score = PARTAN_SCORE_AUC;
    assert_int_equal(partan_tune(*state, data, &s, &options, NULL, NULL, &best), PARTAN_ERROR_ARGUMENT);
    options.score = PARTAN_SCORE_MSE;
    assert_int_equal(partan_tune(*state, data, &s, &options, NULL, NULL, &best), PARTAN_OK);
    assert_true(best.score < 0 && best.epsilon == 0.1);
    partan_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(claims_bound_what_a_dense_solver_finds),
        SERIAL_TEST(a_weighted_row_is_a_repeated_one),
        SERIAL_TEST(equal_rows_of_other_labels_stay_apart),
        SERIAL_TEST(labels_within_epsilon_give_their_mean),
        SERIAL_TEST(labels_must_be_numbers),
        CONTEXT_TEST(model_files_keep_what_is_predicted),
        CONTEXT_TEST(files_of_other_problems_are_refused),
        CONTEXT_TEST(verify_refuses_what_is_not_so),
        CONTEXT_TEST(a_warm_start_needs_less),
        CONTEXT_TEST(every_kernel_meets_a_tight_target),
        CONTEXT_TEST(hard_systems_take_few_products),
        CONTEXT_TEST(an_objective_above_zero_proves_nothing),
        CONTEXT_TEST(pair_steps_leave_an_objective_above_zero),
        cmocka_unit_test(threads_change_no_bit),
        SERIAL_TEST(errors_are_by_definition),
        CONTEXT_TEST(tuning_tries_every_epsilon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
