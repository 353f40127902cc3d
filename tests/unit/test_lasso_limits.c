/* What ends a Lasso early, or keeps it from beginning: limits, interruptions, settings and data that are refused, and
 * memory that runs out. Whatever ends a run, the model is valid and its claims are true. */
#include "regression.h"

#include "failing.h"
#include "lasso/model.h"

static partan_data *large_data(partan_context *context, regression *g)
{
    *g = regression_make(100, 400, 1, true, true, 1);
    return regression_data(context, g, PARTAN_STORAGE_DENSE);
}

static partan_lasso *fit(partan_context *context, const partan_data *data, const partan_settings *settings,
                         double lambda, double radius, partan_status expected)
{
    partan_lasso_settings lasso;
    partan_lasso_settings_init(&lasso);
    lasso.lambda = lambda;
    lasso.radius = radius;
    partan_lasso *model = NULL;
    partan_status status = partan_lasso_fit(context, data, &lasso, settings, &model);
    if (status != expected)
        fail_msg("status %s: %s", partan_status_name(status), partan_error(context));
    partan_lasso_verification found;
    partan_lasso_verification_init(&found);
    assert_int_equal(partan_lasso_verify(context, model, data, &found), PARTAN_OK);
    if (!found.matches)
        fail_msg("verify: %s", found.reason);
    assert_int_equal(model->result.status, status);
    assert_int_equal(model->result.converged, status == PARTAN_OK);
    return model;
}

static partan_settings settings_of(partan_solver solver, double tol)
{
    partan_settings s;
    partan_settings_init(&s);
    s.solver = solver;
    s.tol = tol;
    return s;
}

static void limits_leave_a_model_with_its_true_gap(void **state)
{
    regression g;
    partan_data *data = large_data(*state, &g);
    FOR_EVERY_SOLVER(solver)
        for (int form = 0; form < 2; form++) {
            partan_settings s = settings_of((partan_solver)solver, 1e-12);
            double lambda = solver == PARTAN_SOLVER_AUTO && form ? 1e-3 : 0, radius = lambda > 0 ? 0 : 10;
            s.max_iter = 3;
            partan_lasso *model = fit(*state, data, &s, lambda, radius, PARTAN_ITERATION_LIMIT);
            assert_true(model->result.iterations >= 3);
            partan_lasso_free(model);
            s.max_iter = 0;
            s.time_limit = 1e-9;
            partan_lasso_free(fit(*state, data, &s, lambda, radius, PARTAN_TIME_LIMIT));
        }
    partan_data_free(data);
    regression_free(&g);
}

static int stop_at_once(void *user, const partan_progress *progress)
{
    (void)user;
    (void)progress;
    return 1;
}

static int keep_count(void *user, size_t index, partan_lasso *model)
{
    (void)index;
    *(size_t *)user += 1;
    partan_lasso_free(model);
    return 0;
}

static void interruptions_leave_a_model_with_its_true_gap(void **state)
{
    (void)state;
    partan_context_options options;
    partan_context_options_init(&options);
    options.progress = stop_at_once;
    partan_context *context = partan_create(&options);
    regression g;
    partan_data *data = large_data(context, &g);
    size_t points = 0;
    partan_lasso_settings lasso;
    partan_lasso_settings_init(&lasso);
    FOR_EVERY_SOLVER(solver) {
        partan_settings s = settings_of((partan_solver)solver, 1e-13);
        partan_interrupt(context);
        partan_lasso_free(fit(context, data, &s, 0, 10, PARTAN_INTERRUPTED));
    }
    partan_settings s = settings_of(PARTAN_SOLVER_AUTO, 1e-13);
    partan_interrupt(context);
    assert_int_equal(partan_lasso_path(context, data, &lasso, &s, NULL, 0, keep_count, &points), PARTAN_INTERRUPTED);
    assert_int_equal(points, 1);
    /* It has been heard: the next call is not stopped by it. */
    partan_lasso_free(fit(context, data, &s, 1, 0, PARTAN_OK));
    partan_data_free(data);
    regression_free(&g);
    partan_destroy(context);
}

static void what_cannot_be_fitted_is_refused(void **state)
{
    regression g = regression_make(10, 4, 1, true, true, 1);
    partan_data *data = regression_data(*state, &g, PARTAN_STORAGE_DENSE);
    struct {
        double lambda, radius, tol;
        partan_solver solver;
    } wrong[] = {{0, 0, 0.1, PARTAN_SOLVER_AUTO},       {1, 1, 0.1, PARTAN_SOLVER_AUTO},
                 {-1, 0, 0.1, PARTAN_SOLVER_AUTO},      {0, NAN, 0.1, PARTAN_SOLVER_AUTO},
                 {1, 0, 0, PARTAN_SOLVER_AUTO},         {1, 0, 0.1, PARTAN_SOLVER_SWAP},
                 {INFINITY, 0, 0.1, PARTAN_SOLVER_AUTO}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        partan_settings s = settings_of(wrong[i].solver, wrong[i].tol);
        partan_lasso_settings lasso;
        partan_lasso_settings_init(&lasso);
        lasso.lambda = wrong[i].lambda;
        lasso.radius = wrong[i].radius;
        partan_lasso *model = (partan_lasso *)&s;
        assert_int_equal(partan_lasso_fit(*state, data, &lasso, &s, &model), PARTAN_ERROR_ARGUMENT);
        assert_null(model);
        assert_true(*partan_error(*state));
    }
    partan_lasso_settings lasso;
    partan_lasso_settings_init(&lasso);
    partan_settings variant = settings_of(PARTAN_SOLVER_FW, 0.1);
    partan_lasso_cv_result result;
    partan_lasso_cv_result_init(&result);
    size_t points = 0;
    assert_int_equal(partan_lasso_path(*state, data, &lasso, &variant, NULL, 0, keep_count, &points),
                     PARTAN_ERROR_ARGUMENT);
    assert_int_equal(partan_lasso_cv(*state, data, &lasso, &variant, NULL, NULL, &result), PARTAN_ERROR_ARGUMENT);
    lasso.folds = 11;
    assert_int_equal(partan_lasso_cv(*state, data, &lasso, NULL, NULL, NULL, &result), PARTAN_ERROR_ARGUMENT);
    partan_data_free(data);
    regression_free(&g);
}

static void targets_must_be_numbers(void **state)
{
    static const float values[] = {1, 2, 3};
    double labels[] = {1, NAN, 2};
    partan_lasso_settings lasso;
    partan_lasso_settings_init(&lasso);
    lasso.lambda = 1;
    for (int i = 0; i < 2; i++) {
        partan_data *data = NULL;
        partan_lasso *model = NULL;
        assert_int_equal(dense_data(*state, values, 3, 1, 1, i ? labels : NULL, PARTAN_STORAGE_DENSE, &data),
                         PARTAN_OK);
        assert_int_equal(partan_lasso_fit(*state, data, &lasso, NULL, &model), PARTAN_ERROR_DATA);
        assert_non_null(strstr(partan_error(*state), i ? "row 2 has no target" : "row 1 has no target"));
        partan_data_free(data);
    }
}

/* ---- Memory ---- */

static partan_status everything(partan_context *context)
{
    regression g = regression_make(30, 40, 1, true, true, 3);
    partan_data *data = NULL;
    partan_lasso *model = NULL;
    partan_lasso_settings lasso;
    partan_lasso_settings_init(&lasso);
    size_t points = 0;
    double values[30];
    partan_lasso_verification found;
    partan_lasso_verification_init(&found);
    partan_lasso_cv_result cv;
    partan_lasso_cv_result_init(&cv);
    lasso.points = 10;
    lasso.folds = 2;
    partan_status status =
        dense_data(context, g.values, g.rows, g.features, g.features, g.labels, PARTAN_STORAGE_DENSE, &data);
    if (!status)
        status = partan_lasso_path(context, data, &lasso, NULL, NULL, 0, keep_count, &points);
    if (!status)
        status = partan_lasso_cv(context, data, &lasso, NULL, NULL, NULL, &cv);
    lasso.radius = 3;
    for (int solver = 0; solver <= PARTAN_SOLVER_AUTO && !status; solver++) {
        partan_settings s = settings_of((partan_solver)solver, 0.1);
        partan_lasso_free(model);
        model = NULL;
        s.sample = solver == PARTAN_SOLVER_FW ? 5 : 0;
        status = partan_lasso_fit(context, data, &lasso, &s, &model);
    }
    if (!status)
        status = partan_lasso_predict(context, model, data, values);
    if (!status)
        status = partan_lasso_verify(context, model, data, &found);
    partan_lasso_free(model);
    partan_data_free(data);
    regression_free(&g);
    return status;
}

static partan_status everything_sparse(partan_context *context)
{
    regression g = regression_make(30, 40, 0.05, true, true, 3);
    partan_data *data = NULL;
    partan_lasso *model = NULL;
    partan_lasso_settings lasso;
    partan_lasso_settings_init(&lasso);
    size_t points = 0;
    double values[30];
    lasso.points = 20;
    partan_status status =
        dense_data(context, g.values, g.rows, g.features, g.features, g.labels, PARTAN_STORAGE_DENSE, &data);
    if (!status)
        status = partan_lasso_path(context, data, &lasso, NULL, NULL, 0, keep_count, &points);
    lasso.lambda = 0.1;
    if (!status)
        status = partan_lasso_fit(context, data, &lasso, NULL, &model);
    partan_data_free(data);
    data = NULL;
    if (!status)
        status = dense_data(context, g.values, g.rows, g.features, g.features, g.labels, PARTAN_STORAGE_SPARSE, &data);
    if (!status)
        status = partan_lasso_predict(context, model, data, values);
    partan_lasso_free(model);
    partan_data_free(data);
    regression_free(&g);
    return status;
}

static void memory_runs_out(void **state)
{
    (void)state;
    check_every_allocation(everything);
    check_every_allocation(everything_sparse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(limits_leave_a_model_with_its_true_gap),
        cmocka_unit_test(interruptions_leave_a_model_with_its_true_gap),
        SERIAL_TEST(what_cannot_be_fitted_is_refused),
        SERIAL_TEST(targets_must_be_numbers),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
