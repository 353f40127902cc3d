/* Outlier detection against a plain solver of its dual on a dense kernel matrix in double,
 *
 *     f(a) = 1/2 a'(K + 1/C)a - 1/2 sum_i a_i k_ii,    sum a = 1, a >= 0
 *
 * and its primal problem P = R^2 + 1/4 sum_i C_i max(0, |phi_i - c|^2 - R^2)^2, which is between -2f and 2D - 2f. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "data/data.h"
#include "generating.h"
#include "machine.h"
#include "svm/threshold.h"
#include "training.h"

enum { MOST = 60, FEATURES = 3, PROBLEMS = 60, STEPS = 200000 };

typedef struct problem {
    size_t rows;
    float values[MOST * FEATURES];
    double weights[MOST], K[MOST][MOST], a[MOST];
    partan_settings settings;
} problem;

static void fill(problem *p, pt_random *random)
{
    static const partan_kernel kernels[] = {PARTAN_KERNEL_RBF, PARTAN_KERNEL_LINEAR, PARTAN_KERNEL_POLYNOMIAL,
                                            PARTAN_KERNEL_LAPLACIAN};
    bool weighted = pt_random_below(random, 2), copies = pt_random_below(random, 2);
    memset(p, 0, sizeof *p);
    p->rows = 10 + pt_random_below(random, MOST - 10);
    for (size_t i = 0; i < p->rows; i++) {
        for (size_t j = 0; j < FEATURES; j++)
            p->values[i * FEATURES + j] =
                copies && i > 4 ? p->values[(i - 5) * FEATURES + j] : (float)(3 + pt_random_normal(random));
        p->weights[i] = weighted ? 0.2 + 3 * pt_random_uniform(random) : 1;
    }
    p->settings = defaults(PARTAN_SOLVER_AUTO);
    p->settings.problem = PARTAN_OUTLIER;
    p->settings.kernel = kernels[pt_random_below(random, 4)];
    p->settings.degree = 2;
    p->settings.gamma = pow(10, -1 + pt_random_uniform(random));
    p->settings.cost = pow(10, -2 + 4 * pt_random_uniform(random));
    p->settings.tol = pt_random_below(random, 2) ? 0.05 : 1e-5;
    p->settings.outliers = pt_random_below(random, 2) ? 0.1 : 0;
    for (size_t i = 0; i < p->rows; i++)
        for (size_t j = 0; j < p->rows; j++)
            p->K[i][j] = formula(&p->settings, p->values + i * FEATURES, p->values + j * FEATURES, FEATURES);
}

static double own(const problem *p, size_t i)
{
    return 1 / (p->settings.cost * p->weights[i]);
}

/* f*, by steps between the vertex of least and the one with weight of greatest score. */
static double solve(problem *p)
{
    double g[MOST], f = 0;
    for (size_t i = 0; i < p->rows; i++)
        p->a[i] = 1 / (double)p->rows;
    for (size_t i = 0; i < p->rows; i++) {
        g[i] = p->a[i] * own(p, i) - p->K[i][i] / 2;
        for (size_t j = 0; j < p->rows; j++)
            g[i] += p->K[i][j] * p->a[j];
    }
    for (int step = 0; step < STEPS; step++) {
        size_t u = 0, v = SIZE_MAX;
        for (size_t i = 0; i < p->rows; i++) {
            u = g[i] < g[u] ? i : u;
            v = p->a[i] > 0 && (v == SIZE_MAX || g[i] > g[v]) ? i : v;
        }
        double bend = p->K[u][u] + p->K[v][v] - 2 * p->K[u][v] + own(p, u) + own(p, v);
        double move = u == v ? 0 : fmin((g[v] - g[u]) / bend, p->a[v]);
        if (!(move > 0) || g[v] - g[u] < 1e-13)
            break;
        p->a[u] += move;
        p->a[v] = move == p->a[v] ? 0 : p->a[v] - move;
        for (size_t i = 0; i < p->rows; i++)
            g[i] += move * (p->K[i][u] - p->K[i][v] + (i == u ? own(p, u) : 0) - (i == v ? own(p, v) : 0));
    }
    for (size_t i = 0; i < p->rows; i++)
        f += p->a[i] * (g[i] - p->K[i][i] / 2) / 2;
    return f;
}

/* Squared distances of the rows from the model's centre. */
static void distances(const problem *p, const partan_model *model, double *d)
{
    double a[MOST] = {0}, norm = 0, s[MOST];
    for (size_t i = 0; i < model->count; i++)
        a[model->origin[i]] = model->weights[i];
    for (size_t i = 0; i < p->rows; i++) {
        s[i] = 0;
        for (size_t j = 0; j < p->rows; j++)
            s[i] += p->K[i][j] * a[j];
        norm += a[i] * s[i];
    }
    for (size_t i = 0; i < p->rows; i++)
        d[i] = p->K[i][i] - 2 * s[i] + norm;
}

/* The least P for a centre, over a grid of radii that is made finer and finer. */
static double primal(const problem *p, const double *d, double *radius)
{
    double low = -2 / (p->settings.cost * 0.2), high = 0, best = INFINITY;
    for (size_t i = 0; i < p->rows; i++)
        high = fmax(high, d[i]);
    for (int fine = 0; fine < 60; fine++) {
        double step = (high - low) / 10, at = low;
        best = INFINITY;
        for (int k = 0; k <= 10; k++) {
            double r = low + k * step, sum = r;
            for (size_t i = 0; i < p->rows; i++)
                sum += pow(fmax(d[i] - r, 0), 2) / (4 * own(p, i));
            if (sum < best) {
                best = sum;
                at = r;
            }
        }
        low = at - step;
        high = at + step;
        *radius = at;
    }
    return best;
}

static void check(partan_context *context, problem *p, const partan_data *data, const partan_model *model, double least)
{
    const partan_result *result = partan_model_result(model);
    double d[MOST], decision[MOST], radius, outside = 0, all = 0, size = fabs(result->objective) + result->gap;
    distances(p, model, d);
    double above = primal(p, d, &radius), scale = 0;
    for (size_t i = 0; i < p->rows; i++)
        scale = fmax(scale, p->K[i][i]);
    assert_true(least <= result->objective + 1e-5 * size);
    assert_true(result->objective - result->gap <= least + 1e-5 * size);
    assert_true(-2 * result->objective <= above + 1e-5 * size + 1e-5 * scale);
    assert_int_equal(partan_predict(context, model, data, decision), PARTAN_OK);
    for (size_t i = 0; i < p->rows; i++) {
        outside += decision[i] < 0 ? p->weights[i] : 0;
        all += p->weights[i];
        if (p->settings.outliers == 0)
            assert_near(decision[i], radius - d[i], 1e-4 * (scale + fabs(radius)));
    }
    if (p->settings.outliers > 0)
        assert_true(outside <= 0.1 * all + 1e-9);
}

static void claims_bound_what_a_dense_solver_finds(void **state)
{
    problem *p = calloc(1, sizeof *p);
    for (uint64_t seed = 1; seed <= SOME_OF(PROBLEMS); seed++) {
        pt_random random;
        partan_data *data = NULL;
        pt_random_seed(&random, seed);
        fill(p, &random);
        double least = solve(p);
        assert_int_equal(dense_data(*state, p->values, p->rows, FEATURES, FEATURES, NULL, PARTAN_STORAGE_DENSE, &data),
                         PARTAN_OK);
        assert_int_equal(partan_data_set_weights(*state, data, p->weights), PARTAN_OK);
        FOR_EVERY_SOLVER(solver) {
            partan_model *model = NULL;
            p->settings.solver = (partan_solver)solver;
            p->settings.max_iter = solver == PARTAN_SOLVER_AUTO ? 0 : 3000;
            partan_status status = partan_train(*state, data, &p->settings, NULL, &model);
            if (status < 0 || (solver == PARTAN_SOLVER_AUTO && status))
                fail_msg("seed %d: %s: %s", (int)seed, partan_status_name(status), partan_error(*state));
            check_verified(*state, model, data);
            check(*state, p, data, model, least);
            partan_model_free(model);
        }
        partan_data_free(data);
    }
    free(p);
}

static partan_data *cloud(partan_context *context, size_t rows, double share)
{
    float *values = malloc(rows * 4 * sizeof *values);
    double *labels = malloc(rows * sizeof *labels);
    pt_random random;
    partan_data *data = NULL;
    pt_random_seed(&random, 3);
    for (size_t i = 0; i < rows; i++) {
        labels[i] = pt_random_uniform(&random) < share ? -1 : 1;
        for (size_t j = 0; j < 4; j++)
            values[4 * i + j] =
                (float)(labels[i] > 0 ? pt_random_normal(&random) : 12 * pt_random_uniform(&random) - 6);
    }
    assert_int_equal(dense_data(context, values, rows, 4, 4, labels, PARTAN_STORAGE_DENSE, &data), PARTAN_OK);
    free(values);
    free(labels);
    return data;
}

static void outliers_are_found_and_files_keep_them(void **state)
{
    partan_data *data = cloud(*state, 2000, 0.05);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.problem = PARTAN_OUTLIER;
    s.cost = 0.01;
    s.outliers = 0.05;
    partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
    double decision[2000], found[2000];
    partan_evaluation evaluation;
    partan_evaluation_init(&evaluation);
    assert_int_equal(partan_predict(*state, model, data, decision), PARTAN_OK);
    assert_int_equal(partan_evaluate(*state, model, data, decision, NULL, NULL, &evaluation), PARTAN_OK);
    assert_true(evaluation.auc > 0.98);
    assert_int_equal(evaluation.confusion[0][0] + evaluation.confusion[1][0], 100); /* a share of 0.05 is outside */
    for (int format = PARTAN_MODEL_NATIVE; format <= PARTAN_MODEL_LIBSVM; format++) {
        partan_model *again = NULL;
        char *bytes = NULL;
        size_t size = 0;
        assert_int_equal(partan_model_to_memory(*state, model, (partan_model_format)format, &bytes, &size), PARTAN_OK);
        assert_int_equal(partan_model_from_memory(*state, bytes, size, &again), PARTAN_OK);
        assert_int_equal(partan_predict(*state, again, data, found), PARTAN_OK);
        for (size_t i = 0; i < 2000; i++)
            assert_near(found[i], decision[i], 1e-5);
        assert_string_equal(partan_model_label_text(again, 0), "-1");
        if (format == PARTAN_MODEL_NATIVE)
            check_verified(*state, again, data);
        partan_free(*state, bytes);
        partan_model_free(again);
    }
    partan_verification found_wrong;
    partan_verification_init(&found_wrong);
    model->bias += 0.01;
    assert_int_equal(partan_verify(*state, model, data, &found_wrong), PARTAN_OK);
    assert_false(found_wrong.matches);
    assert_non_null(strstr(found_wrong.reason, "bias"));
    partan_model_free(model);
    partan_data_free(data);
}

static void labels_are_not_used(void **state)
{
    partan_data *data = cloud(*state, 500, 0.05);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.problem = PARTAN_OUTLIER;
    partan_model *with = train(*state, data, &s, NULL, PARTAN_OK);
    for (size_t i = 0; i < 500; i++)
        data->labels[i] = (double)i;
    partan_model *other = train(*state, data, &s, NULL, PARTAN_OK);
    assert_memory_equal(with->weights, other->weights, with->count * sizeof *with->weights);
    uint64_t labelled, unknown;
    assert_int_equal(partan_model_check_labels(*state, with, data, &labelled, &unknown), PARTAN_OK);
    assert_int_equal(labelled, 1); /* only the label 1 is one of ours */
    s.kernel = PARTAN_KERNEL_SIGMOID;
    partan_model *none = NULL;
    assert_int_equal(partan_train(*state, data, &s, NULL, &none), PARTAN_ERROR_ARGUMENT);
    partan_evaluation evaluation;
    partan_evaluation_init(&evaluation);
    s.kernel = PARTAN_KERNEL_RBF;
    data->labels[1] = 7;
    assert_int_equal(partan_cross_validate(*state, data, &s, 2, 1, NULL, NULL, NULL, &evaluation), PARTAN_ERROR_DATA);
    assert_non_null(strstr(partan_error(*state), "labels -1 (outliers) and 1 are needed"));
    partan_model_free(with);
    partan_model_free(other);
    partan_data_free(data);
}

/* Of rows with independent values, half the mean squared distance is the sum of their variances: here 1 + 4 + 9. Rows
 * without weight, of which more lie between, are far away. */
static void the_spread_of_many_rows_is_estimated(void **state)
{
    enum { MANY = 300000, WEIGHTY = 3 };
    float *values = malloc(MANY * FEATURES * sizeof *values);
    double *weights = malloc(MANY * sizeof *weights);
    partan_data *data = NULL;
    pt_kernel kernel = {.kind = PARTAN_KERNEL_LINEAR};
    pt_random random;
    pt_random_seed(&random, 11);
    assert_true(values && weights);
    for (size_t row = 0; row < MANY; row++) {
        weights[row] = row % WEIGHTY == 0;
        for (size_t f = 0; f < FEATURES; f++)
            values[row * FEATURES + f] =
                (float)(pt_random_normal(&random) * (double)(f + 1) + (weights[row] > 0 ? 0 : 100));
    }
    assert_int_equal(dense_data(*state, values, MANY, FEATURES, FEATURES, NULL, PARTAN_STORAGE_DENSE, &data),
                     PARTAN_OK);
    assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
    double spread = 0;
    assert_int_equal(pt_spread(*state, NULL, data, &kernel, &spread), PARTAN_OK);
    assert_true(fabs(spread / 14 - 1) < 0.02);
    partan_data_free(data);
    free(values);
    free(weights);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(claims_bound_what_a_dense_solver_finds),
        CONTEXT_TEST(outliers_are_found_and_files_keep_them),
        CONTEXT_TEST(labels_are_not_used),
        CONTEXT_TEST(the_spread_of_many_rows_is_estimated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
