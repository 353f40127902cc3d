/* The Lasso through the public interface, against coordinate descent in plain code: every solver, both forms, dense and
 * sparse, with and without intercept and standardisation, and designs that make trouble. Every certificate is
 * recomputed from its definition. */
#include "regression.h"

#include "data/data.h"
#include "every.h"
#include "lasso/model.h"

typedef struct shape {
    size_t rows, features;
    double density;
    bool intercept, standardise;
} shape;

static const shape shapes[] = {
    {40, 12, 1, true, true},      {40, 12, 1, false, true},  {40, 12, 1, true, false},    {40, 12, 1, false, false},
    {25, 90, 1, true, true},      {25, 90, 1, false, false}, {60, 150, 0.08, true, true}, {60, 150, 0.08, false, true},
    {60, 150, 0.08, true, false}, {1, 5, 1, true, true},     {1, 5, 1, false, false},     {70, 1, 1, true, true},
    {33, 40, 0.05, false, false},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static partan_lasso_settings lasso_of(const regression *g)
{
    partan_lasso_settings lasso;
    partan_lasso_settings_init(&lasso);
    lasso.intercept = g->intercept;
    lasso.standardise = g->standardise;
    return lasso;
}

static partan_settings solver_of(partan_solver solver, double tol)
{
    partan_settings s;
    partan_settings_init(&s);
    s.solver = solver;
    s.tol = tol;
    s.max_iter = 1000000;
    return s;
}

static partan_lasso *fit(partan_context *context, const partan_data *data, const partan_lasso_settings *lasso,
                         const partan_settings *settings)
{
    partan_lasso *model = NULL;
    partan_status status = partan_lasso_fit(context, data, lasso, settings, &model);
    if (status != PARTAN_OK)
        fail_msg("fit: %s: %s; relative gap %g with %zu rows, %zu features, lambda %g", partan_status_name(status),
                 partan_error(context), model ? model->result.relative_gap : -1, partan_data_rows(data),
                 partan_data_features(data), model ? model->result.lambda : -1);
    return model;
}

/* Coefficients of the standardised columns, from those of the model. */
static void coefficients(const regression *g, const partan_lasso *model, double *x)
{
    memset(x, 0, g->features * sizeof *x);
    double intercept = g->target_mean;
    for (size_t i = 0; i < partan_lasso_get_result(model)->nonzeros; i++) {
        size_t feature;
        double value;
        const char *name;
        assert_int_equal(partan_lasso_coefficient(model, i, &feature, &value, &name), PARTAN_OK);
        assert_true(feature < g->features && value != 0 && !name);
        x[feature] = value * g->scale[feature];
        intercept -= value * g->mean[feature];
    }
    assert_true(fabs(intercept - partan_lasso_intercept(model)) <= 1e-9 * (1 + fabs(intercept)));
}

/* Objective, gap and the rest by their definitions. */
static void check_claims(const regression *g, const partan_lasso *model)
{
    const partan_lasso_result *claimed = partan_lasso_get_result(model);
    double x[150], residual[100], n = (double)g->rows, null = regression_null(g), norm = 0, largest = 0, inner = 0;
    coefficients(g, model, x);
    double square = regression_residual(g, x, residual), along = 0;
    for (size_t j = 0; j < g->features; j++) {
        double score = regression_score(g, j, residual);
        norm += fabs(x[j]);
        inner += x[j] * score;
        largest = fmax(largest, fabs(score));
    }
    for (size_t i = 0; i < g->rows; i++)
        along += residual[i] * g->target[i] / n;
    double objective, gap, unit = null;
    if (partan_lasso_get_settings(model)->radius > 0) {
        double radius = partan_lasso_get_settings(model)->radius;
        assert_true(norm <= radius * (1 + 1e-12) && claimed->radius == radius);
        objective = n * square / 2;
        gap = n * (radius * largest - inner);
        unit = n * null;
    } else {
        double lambda = claimed->lambda, most = largest > lambda ? lambda / largest : 1;
        double factor = square > 0 ? fmax(-most, fmin(most, along / square)) : most;
        objective = square / 2 + lambda * norm;
        gap = objective - (factor * along - factor * factor * square / 2);
        assert_true(fabs(claimed->radius - norm) <= 1e-10 * (1 + norm));
    }
    assert_true(fabs(claimed->objective - objective) <= 1e-10 * unit);
    assert_true(fabs(claimed->gap - gap) <= 1e-10 * (unit + gap));
    assert_true(unit == 0 || fabs(claimed->relative_gap - gap / unit) <= 1e-9);
    assert_true(null == 0 || fabs(claimed->r2 - (1 - square / (2 * null))) <= 1e-9);
}

static void check_verified(partan_context *context, const partan_lasso *model, const partan_data *data)
{
    partan_lasso_verification found;
    partan_lasso_verification_init(&found);
    assert_int_equal(partan_lasso_verify(context, model, data, &found), PARTAN_OK);
    if (!found.matches)
        fail_msg("verify: %s", found.reason);
    assert_true(fabs(found.gap - model->result.gap) <= 1e-9 * (1 + fabs(found.gap)));
}

static void the_penalised_form_is_solved(void **state)
{
    for (int i = 0; i < SHAPES; i++)
        for (int storage = PARTAN_STORAGE_DENSE; storage <= PARTAN_STORAGE_SPARSE; storage++)
            for (int power = 0; power < 4; power++) {
                const shape *s = &shapes[i];
                regression g = regression_make(s->rows, s->features, s->density, s->intercept, s->standardise, 1);
                partan_data *data = regression_data(*state, &g, (partan_storage)storage);
                partan_lasso_settings lasso = lasso_of(&g);
                partan_settings settings = solver_of(PARTAN_SOLVER_AUTO, 1e-9);
                double x[150], largest = regression_largest(&g);
                lasso.lambda = (largest > 0 ? largest : 1) * pow(0.2, power);
                partan_lasso *model = fit(*state, data, &lasso, &settings);
                double least = regression_descend(&g, lasso.lambda, x), null = regression_null(&g);
                assert_true(fabs(model->result.objective - least) <= 2e-9 * null);
                assert_true(model->result.relative_gap <= 1e-9 && model->result.converged);
                check_claims(&g, model);
                check_verified(*state, model, data);
                partan_lasso_free(model);
                partan_data_free(data);
                regression_free(&g);
            }
}

static void every_solver_finds_the_minimum_over_the_ball(void **state)
{
    for (int i = 0; i < SHAPES; i++)
        FOR_EVERY_SOLVER(solver)
            for (int64_t sample = 0; sample <= 7; sample += 7) {
                const shape *s = &shapes[i];
                regression g = regression_make(s->rows, s->features, s->density, s->intercept, s->standardise, 2);
                partan_data *data = regression_data(*state, &g, PARTAN_STORAGE_DENSE);
                partan_lasso_settings lasso = lasso_of(&g);
                double others = sample && solver == PARTAN_SOLVER_AUTO ? 1e-2 : 1e-7;
                double tol = reachable(solver, 1e-2, 1e-2, others);
                partan_settings settings = solver_of((partan_solver)solver, tol);
                double x[150], null = regression_null(&g), n = (double)g.rows, lambda = regression_largest(&g) / 7;
                double least = regression_descend(&g, lambda > 0 ? lambda : 1, x), norm = 0;
                for (size_t j = 0; j < g.features; j++)
                    norm += fabs(x[j]);
                settings.sample = sample;
                lasso.radius = norm > 0 ? norm : 1;
                least -= lambda * norm;
                partan_lasso *model = fit(*state, data, &lasso, &settings);
                assert_true(model->result.objective - n * least <= tol * n * null + 1e-10 * n * null);
                assert_true(model->result.objective - n * least >= -1e-9 * n * null);
                check_claims(&g, model);
                check_verified(*state, model, data);
                partan_lasso_free(model);
                partan_data_free(data);
                regression_free(&g);
            }
}

/* Whatever a run is stopped at, the least objective is no lower than its gap says. */
static void gaps_of_unfinished_fits_are_true(void **state)
{
    for (int i = 0; i < SHAPES; i++)
        for (int power = 1; power < 4; power++) {
            const shape *s = &shapes[i];
            regression g = regression_make(s->rows, s->features, s->density, s->intercept, s->standardise, 11);
            partan_data *data = regression_data(*state, &g, PARTAN_STORAGE_DENSE);
            partan_lasso_settings lasso = lasso_of(&g);
            partan_settings settings = solver_of(PARTAN_SOLVER_AUTO, 1e-12);
            double x[150], null = regression_null(&g);
            lasso.lambda = (regression_largest(&g) + 1e-300) * pow(0.1, power);
            double least = regression_descend(&g, lasso.lambda, x);
            for (settings.max_iter = 1; settings.max_iter < 12; settings.max_iter++) {
                partan_lasso *model = NULL;
                assert_true(partan_lasso_fit(*state, data, &lasso, &settings, &model) >= 0);
                assert_true(model->result.objective - least <= model->result.gap + 1e-10 * null);
                check_claims(&g, model);
                partan_lasso_free(model);
            }
            partan_data_free(data);
            regression_free(&g);
        }
}

/* A radius that does not bind: least squares, or a perfect fit where there are more columns than rows. */
static void a_large_radius_is_least_squares(void **state)
{
    for (int i = 0; i < SHAPES; i++) {
        const shape *s = &shapes[i];
        regression g = regression_make(s->rows, s->features, s->density, s->intercept, s->standardise, 3);
        partan_data *data = regression_data(*state, &g, PARTAN_STORAGE_AUTO);
        partan_lasso_settings lasso = lasso_of(&g);
        partan_settings settings = solver_of(PARTAN_SOLVER_AUTO, 1e-6);
        double x[150], n = (double)g.rows;
        double least = regression_descend(&g, 1e-5 * (regression_largest(&g) + 1e-300), x);
        lasso.radius = 1000;
        partan_lasso *model = fit(*state, data, &lasso, &settings);
        assert_true(model->result.objective <= n * least + 2e-6 * n * regression_null(&g));
        check_claims(&g, model);
        partan_lasso_free(model);
        partan_data_free(data);
        regression_free(&g);
    }
}

static void a_target_of_zeros_has_no_coefficients(void **state)
{
    for (int form = 0; form < 2; form++) {
        regression g = regression_make(20, 30, 1, true, true, 4);
        for (size_t i = 0; i < g.rows; i++)
            g.labels[i] = form ? 0 : 5;
        partan_data *data = regression_data(*state, &g, PARTAN_STORAGE_DENSE);
        FOR_EVERY_SOLVER(solver) {
            partan_lasso_settings lasso = lasso_of(&g);
            partan_settings settings = solver_of((partan_solver)solver, 1e-2);
            settings.eps = 1e-3;
            if (solver == PARTAN_SOLVER_AUTO)
                lasso.lambda = 0.1;
            else
                lasso.radius = 1;
            partan_lasso *model = fit(*state, data, &lasso, &settings);
            if (solver == PARTAN_SOLVER_AUTO) {
                assert_int_equal(model->result.nonzeros, 0);
                assert_true(model->result.gap == 0 && model->result.relative_gap == 0 && model->result.r2 == 1);
            }
            assert_true(fabs(model->intercept - (form ? 0 : 5)) <= 0.1);
            partan_lasso_free(model);
        }
        partan_data_free(data);
        regression_free(&g);
    }
}

/* ---- Paths ---- */

typedef struct collected {
    size_t count;
    partan_lasso *models[100];
    size_t most;
} collected;

static int collect(void *user, size_t index, partan_lasso *model)
{
    collected *c = user;
    assert_int_equal(index, c->count);
    c->models[c->count++] = model;
    return c->most > 0 && c->count == c->most;
}

static void release(collected *c)
{
    for (size_t i = 0; i < c->count; i++)
        partan_lasso_free(c->models[i]);
}

static void points_of_a_path_are_single_fits(void **state)
{
    for (int i = 0; i < SHAPES; i++)
        for (int storage = PARTAN_STORAGE_DENSE; storage <= PARTAN_STORAGE_SPARSE; storage++) {
            const shape *s = &shapes[i];
            regression g = regression_make(s->rows, s->features, s->density, s->intercept, s->standardise, 5);
            partan_data *data = regression_data(*state, &g, (partan_storage)storage);
            partan_lasso_settings lasso = lasso_of(&g);
            partan_settings settings = solver_of(PARTAN_SOLVER_AUTO, 1e-8);
            collected path = {0};
            assert_int_equal(partan_lasso_path(*state, data, &lasso, &settings, NULL, 0, collect, &path), PARTAN_OK);
            assert_int_equal(path.count, 100);
            double largest = regression_largest(&g), null = regression_null(&g);
            double ratio = g.rows < g.features ? 1e-2 : 1e-4;
            for (size_t k = 0; k < path.count; k++) {
                const partan_lasso *model = path.models[k];
                double lambda = (largest > 0 ? largest : 1) * pow(ratio, (double)k / 99);
                assert_true(fabs(model->result.lambda - lambda) <= 1e-9 * lambda);
                assert_true(model->result.relative_gap <= 1e-8);
                check_claims(&g, model);
                if (k % 33 != 0)
                    continue;
                check_verified(*state, model, data);
                lasso.lambda = model->result.lambda;
                partan_lasso *alone = fit(*state, data, &lasso, &settings);
                assert_true(fabs(alone->result.objective - model->result.objective) <= 2e-8 * null);
                partan_lasso_free(alone);
            }
            release(&path);
            partan_data_free(data);
            regression_free(&g);
        }
}

static void a_path_goes_over_the_lambdas_given(void **state)
{
    regression g = regression_make(40, 12, 1, true, true, 6);
    partan_data *data = regression_data(*state, &g, PARTAN_STORAGE_DENSE);
    partan_lasso_settings lasso = lasso_of(&g);
    double lambdas[] = {10, 0.5, 0.4, 1e-3}, wrong[][2] = {{1, 2}, {1, 1}, {1, 0}, {1, -1}, {INFINITY, 1}, {NAN, 1}};
    collected path = {0}, part = {.most = 2};
    assert_int_equal(partan_lasso_path(*state, data, &lasso, NULL, lambdas, 4, collect, &path), PARTAN_OK);
    assert_int_equal(path.count, 4);
    for (size_t k = 0; k < 4; k++)
        assert_true(path.models[k]->result.lambda == lambdas[k]);
    assert_int_equal(partan_lasso_path(*state, data, &lasso, NULL, lambdas, 4, collect, &part), PARTAN_INTERRUPTED);
    assert_int_equal(part.count, 2);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
        assert_int_equal(partan_lasso_path(*state, data, &lasso, NULL, wrong[k], 2, collect, &part),
                         PARTAN_ERROR_ARGUMENT);
    assert_int_equal(partan_lasso_path(*state, data, &lasso, NULL, lambdas, 0, collect, &part), PARTAN_ERROR_ARGUMENT);
    release(&path);
    release(&part);
    partan_data_free(data);
    regression_free(&g);
}

/* ---- Threads, storages, prediction ---- */

/* The larger design is worth several threads, in passes at least. */
static void compare_threads(size_t rows, size_t features)
{
    collected paths[2] = {{0}};
    partan_context *contexts[2];
    partan_data *data[2];
    regression g = regression_make(rows, features, 1, true, true, 7);
    for (int t = 0; t < 2; t++) {
        partan_context_options options;
        partan_context_options_init(&options);
        options.threads = t ? 3 : 1;
        contexts[t] = partan_create(&options);
        data[t] = regression_data(contexts[t], &g, PARTAN_STORAGE_DENSE);
        partan_lasso_settings lasso = lasso_of(&g);
        assert_int_equal(partan_lasso_path(contexts[t], data[t], &lasso, NULL, NULL, 0, collect, &paths[t]), PARTAN_OK);
    }
    for (size_t k = 0; k < 100; k++) {
        const partan_lasso *a = paths[0].models[k], *b = paths[1].models[k];
        assert_int_equal(a->result.nonzeros, b->result.nonzeros);
        assert_memory_equal(a->coefficients, b->coefficients, a->result.nonzeros * sizeof *a->coefficients);
        assert_true(a->result.gap == b->result.gap);
    }
    for (int t = 0; t < 2; t++) {
        release(&paths[t]);
        partan_data_free(data[t]);
        partan_destroy(contexts[t]);
    }
    regression_free(&g);
}

static void results_do_not_depend_on_threads(void **state)
{
    (void)state;
    compare_threads(90, 100);
    compare_threads(64, 40000);
}

static void predictions_are_the_linear_function(void **state)
{
    regression g = regression_make(50, 20, 0.5, true, true, 8);
    for (int storage = PARTAN_STORAGE_DENSE; storage <= PARTAN_STORAGE_SPARSE; storage++) {
        partan_data *data = regression_data(*state, &g, (partan_storage)storage);
        partan_lasso_settings lasso = lasso_of(&g);
        double values[50];
        lasso.lambda = regression_largest(&g) / 10;
        partan_lasso *model = fit(*state, data, &lasso, NULL);
        assert_int_equal(partan_lasso_predict(*state, model, data, values), PARTAN_OK);
        double square = 0, total = 0;
        for (size_t i = 0; i < g.rows; i++) {
            double expected = model->intercept;
            for (size_t k = 0; k < model->result.nonzeros; k++)
                expected += model->coefficients[k] * (double)g.values[i * g.features + (size_t)model->ids[k]];
            assert_true(fabs(expected - values[i]) <= 1e-12 * (1 + fabs(expected)));
            square += pow(g.labels[i] - values[i], 2);
            total += g.target[i] * g.target[i];
        }
        assert_true(fabs(1 - square / total - model->result.r2) <= 1e-9);
        partan_lasso_free(model);
        partan_data_free(data);
    }
    regression_free(&g);
}

/* ---- The audit ---- */

static void refuse(partan_context *context, const partan_lasso *model, const partan_data *data)
{
    partan_lasso_verification found;
    partan_lasso_verification_init(&found);
    assert_int_equal(partan_lasso_verify(context, model, data, &found), PARTAN_OK);
    assert_true(!found.matches && *found.reason);
}

static void tampered_models_are_not_verified(void **state)
{
    regression g = regression_make(50, 30, 1, true, true, 9);
    partan_data *data = regression_data(*state, &g, PARTAN_STORAGE_DENSE);
    for (int form = 0; form < 2; form++) {
        partan_lasso_settings lasso = lasso_of(&g);
        lasso.lambda = form ? 0 : regression_largest(&g) / 10;
        lasso.radius = form ? 2 : 0;
        partan_lasso *model = fit(*state, data, &lasso, NULL), kept = *model;
        double coefficient = model->coefficients[0];
        check_verified(*state, model, data);
        model->coefficients[0] *= 1 + 1e-6;
        refuse(*state, model, data);
        model->coefficients[0] = coefficient;
        int64_t id = model->ids[0];
        model->ids[0] = 3; /* constant */
        refuse(*state, model, data);
        model->ids[0] = id;
        double *claims[] = {&model->intercept, &model->result.objective, &model->result.gap,
                            &model->result.relative_gap, &model->result.r2};
        for (size_t k = 0; k < sizeof claims / sizeof claims[0]; k++) {
            double value = *claims[k];
            *claims[k] += 1e-5 * (1 + fabs(value));
            refuse(*state, model, data);
            *claims[k] = value;
        }
        model->settings.tol = 1e-18;
        model->result.gap += 1e-11 * model->result.objective;
        model->lasso.radius *= 0.999;
        model->lasso.lambda *= 1.001;
        refuse(*state, model, data);
        *model = kept;
        model->fingerprint++;
        refuse(*state, model, data);
        model->fingerprint--;
        check_verified(*state, model, data);
        partan_lasso_free(model);
    }
    partan_data_free(data);
    regression_free(&g);
}

/* ---- Cross-validation ---- */

typedef struct errors {
    partan_lasso_cv_point points[100];
    size_t count;
} errors;

static void note_point(void *user, size_t index, const partan_lasso_cv_point *point)
{
    errors *e = user;
    assert_int_equal(index, e->count);
    e->points[e->count++] = *point;
}

/* The mean squared error on the rows that are not in `inside`, by coordinate descent on those that are. */
static double held_out_error(const regression *g, const bool *inside, double lambda, size_t *held)
{
    regression part = regression_make(g->rows, g->features, 1, g->intercept, g->standardise, 0);
    double *x = calloc(g->features, sizeof *x), sum = 0;
    part.rows = 0;
    for (size_t i = 0; i < g->rows; i++)
        if (inside[i]) {
            memcpy(part.values + part.rows * g->features, g->values + i * g->features, g->features * sizeof *g->values);
            part.labels[part.rows++] = g->labels[i];
        }
    regression_standardise(&part);
    regression_descend(&part, lambda, x);
    *held = 0;
    for (size_t i = 0; i < g->rows; i++) {
        double value = part.target_mean;
        for (size_t j = 0; j < g->features && !inside[i]; j++)
            if (x[j] != 0)
                value += x[j] * ((double)g->values[i * g->features + j] - part.mean[j]) / part.scale[j];
        sum += inside[i] ? 0 : pow(g->labels[i] - value, 2);
        *held += !inside[i];
    }
    free(x);
    regression_free(&part);
    return sum / (double)*held;
}

static void cross_validation_is_what_a_loop_finds(void **state)
{
    for (double density = 1; density > 0; density -= 0.95) {
        regression g = regression_make(43, 20, density, true, true, 10);
        partan_data *data = regression_data(*state, &g, PARTAN_STORAGE_AUTO);
        partan_lasso_settings lasso = lasso_of(&g);
        partan_settings settings = solver_of(PARTAN_SOLVER_AUTO, 1e-10);
        partan_lasso_cv_result result;
        partan_lasso_cv_result_init(&result);
        errors e = {0};
        lasso.points = 12;
        lasso.ratio = 1e-3;
        lasso.folds = 4;
        settings.seed = 5;
        assert_int_equal(partan_lasso_cv(*state, data, &lasso, &settings, note_point, &e, &result), PARTAN_OK);
        assert_int_equal(e.count, 12);
        /* The same lots. */
        size_t order[43], best = 0, one = 0;
        pt_random random;
        pt_random_seed(&random, 5);
        for (size_t i = 0; i < 43; i++)
            order[i] = i;
        for (size_t i = 43; i > 1; i--) {
            size_t other = (size_t)pt_random_below(&random, i), swap = order[i - 1];
            order[i - 1] = order[other];
            order[other] = swap;
        }
        for (size_t k = 0; k < 12; k++) {
            double fold_error[4], mean = 0, variance = 0, share[4];
            for (size_t fold = 0; fold < 4; fold++) {
                bool inside[43];
                size_t held;
                for (size_t i = 0; i < 43; i++)
                    inside[order[i]] = i % 4 != fold;
                fold_error[fold] = held_out_error(&g, inside, e.points[k].lambda, &held);
                share[fold] = (double)held / 43;
                mean += share[fold] * fold_error[fold];
            }
            for (size_t fold = 0; fold < 4; fold++)
                variance += share[fold] * pow(fold_error[fold] - mean, 2) / 3;
            assert_true(fabs(e.points[k].error - mean) <= 1e-4 * mean);
            assert_true(fabs(e.points[k].standard_error - sqrt(variance)) <= 1e-4 * mean);
            if (e.points[k].error < e.points[best].error)
                best = k;
        }
        while (e.points[one].error > e.points[best].error + e.points[best].standard_error)
            one++;
        assert_int_equal(result.points, 12);
        assert_int_equal(result.best, best);
        assert_int_equal(result.one_standard_error, one);
        partan_data_free(data);
        regression_free(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(the_penalised_form_is_solved),          SERIAL_TEST(every_solver_finds_the_minimum_over_the_ball),
        SERIAL_TEST(gaps_of_unfinished_fits_are_true),      SERIAL_TEST(a_large_radius_is_least_squares),
        SERIAL_TEST(a_target_of_zeros_has_no_coefficients), SERIAL_TEST(points_of_a_path_are_single_fits),
        SERIAL_TEST(a_path_goes_over_the_lambdas_given),    cmocka_unit_test(results_do_not_depend_on_threads),
        SERIAL_TEST(predictions_are_the_linear_function),   SERIAL_TEST(tampered_models_are_not_verified),
        SERIAL_TEST(cross_validation_is_what_a_loop_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
