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

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(claims_bound_what_a_dense_solver_finds),
        SERIAL_TEST(a_weighted_row_is_a_repeated_one),
        SERIAL_TEST(equal_rows_of_other_labels_stay_apart),
        SERIAL_TEST(labels_within_epsilon_give_their_mean),
        SERIAL_TEST(labels_must_be_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
