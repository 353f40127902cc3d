/* Every variant, deterministic or sampled, reaches the optimum that a plain double-precision solver finds, on many
 * small problems; what a model claims is true of it, however extreme the settings are. */
#include "toy.h"

#include "files.h"

static const partan_kernel kernels[] = {PARTAN_KERNEL_RBF, PARTAN_KERNEL_LINEAR, PARTAN_KERNEL_POLYNOMIAL,
                                        PARTAN_KERNEL_LAPLACIAN, PARTAN_KERNEL_PRECOMPUTED};

static partan_settings settings_for(partan_kernel kernel, partan_solver solver)
{
    partan_settings s;
    partan_settings_init(&s);
    s.kernel = kernel;
    s.solver = solver;
    s.gamma_rule = PARTAN_GAMMA_VALUE;
    s.gamma = 0.1;
    s.degree = 2;
    s.coef0 = 1;
    s.tol = reachable((int)solver, 1e-2, 1e-3, 1e-3);
    s.max_iter = 300000;
    return s;
}

static const char *describe(const partan_settings *s, partan_storage storage)
{
    static char text[200];
    snprintf(text, sizeof text, "%s, %s, %s, C=%g, gamma=%g, sample=%lld, seed=%llu", partan_solver_name(s->solver),
             partan_kernel_name(s->kernel), partan_storage_name(storage), s->cost, s->gamma, (long long)s->sample,
             (unsigned long long)s->seed);
    return text;
}

#define CHECK(condition, s, storage)                                                                                   \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            fail_msg("%s: %s", describe(s, storage), #condition);                                                      \
    } while (0)

/* What verify finds in the model, as it is and after a trip through a file. */
static void check_verified(partan_context *context, const partan_data *data, const partan_model *model)
{
    partan_verification found;
    partan_verification_init(&found);
    assert_int_equal(partan_verify(context, model, data, &found), PARTAN_OK);
    if (!found.matches)
        fail_msg("verify: %s", found.reason);
    char path[200];
    partan_model *again = NULL;
    temporary_path(path, sizeof path, ".model");
    assert_int_equal(partan_model_write(context, model, path, PARTAN_MODEL_NATIVE), PARTAN_OK);
    assert_int_equal(partan_model_read(context, path, &again), PARTAN_OK);
    remove(path);
    assert_int_equal(partan_verify(context, again, data, &found), PARTAN_OK);
    assert_true(found.matches);
    partan_model_free(again);
}

/* Weights in the simplex, claims that are true, and the bounds they imply on the minimum. */
static void check_certificate(const toy *t, const partan_settings *s, partan_storage storage, const partan_model *model)
{
    const partan_result *r = partan_model_result(model);
    double a[TOY_ROWS], sum = 0, gap, lower;
    toy_weights(t, model, a);
    for (size_t i = 0; i < t->rows; i++) {
        CHECK(a[i] >= 0, s, storage);
        sum += a[i];
    }
    CHECK(fabs(sum - 1) <= 1e-12, s, storage);
    double f = toy_objective(t, a, &gap), least = toy_minimum(t, &lower);
    CHECK(fabs(r->objective - f) <= 2e-5 * f, s, storage);
    CHECK(fabs(r->gap - gap) <= 2e-5 * 2 * f, s, storage);
    CHECK(fabs(r->relative_gap - r->gap / (2 * r->objective)) <= 1e-12, s, storage);
    double ratio = 1 - gap / (2 * f);
    CHECK(f >= lower * (1 - 1e-12), s, storage);
    CHECK(f - gap <= least * (1 + 1e-12), s, storage);
    CHECK(ratio <= 0 || ratio * ratio * f <= least * (1 + 1e-12), s, storage);
    if (r->converged)
        CHECK(gap / (2 * f) <= s->tol + 2e-5 || (s->eps > 0 && gap <= s->eps + 4e-5 * f), s, storage);
    CHECK((r->status == PARTAN_OK) == r->converged, s, storage);
}

static partan_status train_and_check(partan_context *context, toy *t, const partan_settings *s, partan_storage storage)
{
    partan_data *data = toy_data(context, t, s, storage);
    assert_non_null(data);
    toy_matrix(t, s);
    partan_model *model = NULL;
    partan_status status = partan_train(context, data, s, NULL, &model);
    if (status < 0)
        fail_msg("%s: %s", describe(s, storage), partan_error(context));
    CHECK(model != NULL, s, storage);
    check_certificate(t, s, storage, model);
    check_verified(context, data, model);
    partan_model_free(model);
    partan_data_free(data);
    return status;
}

/* ---- Ordinary problems ---- */

static void every_variant_reaches_the_optimum(void **state)
{
    static toy t;
    for (size_t k = 0; k < 5; k++)
        for (size_t i = 0; i < STORAGES; i++)
            FOR_EVERY_SOLVER(solver)
                for (uint64_t seed = 1; seed <= 3; seed++) {
                    partan_settings s = settings_for(kernels[k], (partan_solver)solver);
                    s.cost = seed == 1 ? 0.2 : seed == 2 ? 1 : 30;
                    s.seed = seed;
                    toy_fill_for(&t, 30 + 11 * seed, 4 + 9 * seed, every_storage(i), seed);
                    CHECK(train_and_check(*state, &t, &s, every_storage(i)) == PARTAN_OK, &s, every_storage(i));
                }
}

static void samples_lead_to_the_optimum_too(void **state)
{
    static toy t;
    for (size_t k = 0; k < 5; k++)
        for (size_t i = 0; i < STORAGES; i++)
            FOR_EVERY_VARIANT(solver) {
                partan_settings s = settings_for(kernels[k], (partan_solver)solver);
                s.cost = 3;
                s.tol = 0.02;
                s.sample = 4 + 5 * (int)k;
                s.seed = 7 + k;
                toy_fill_for(&t, 47, 13, every_storage(i), k + 1);
                CHECK(train_and_check(*state, &t, &s, every_storage(i)) == PARTAN_OK, &s, every_storage(i));
            }
}

/* ---- Degenerate ones ---- */

/* Reaches the target, or says that rounding does not let it. */
static void must_end(partan_context *context, toy *t, partan_settings *s)
{
    FOR_EVERY_SOLVER(solver)
        for (int sample = 0; sample <= 5; sample += 5) {
            s->solver = (partan_solver)solver;
            s->sample = sample;
            s->max_iter = 20000;
            train_and_check(context, t, s, PARTAN_STORAGE_DENSE);
        }
}

static void two_rows_are_enough(void **state)
{
    static toy t;
    for (size_t k = 0; k < 5; k++) {
        partan_settings s = settings_for(kernels[k], PARTAN_SOLVER_FW);
        toy_fill(&t, 2, 3, false, 5);
        must_end(*state, &t, &s);
    }
}

static void duplicate_rows(void **state)
{
    static toy t;
    for (size_t k = 0; k < 5; k++) {
        partan_settings s = settings_for(kernels[k], PARTAN_SOLVER_FW);
        toy_fill(&t, 40, 5, false, 6);
        for (size_t i = 20; i < 40; i++) {
            memcpy(t.values[i], t.values[i - 20], sizeof t.values[i]);
            if (k % 2) /* with the same label, or the opposite one */
                t.labels[i] = t.labels[i - 20];
            else
                t.labels[i] = -t.labels[i - 20];
        }
        must_end(*state, &t, &s);
    }
}

static void equal_rows(void **state)
{
    static toy t;
    for (size_t k = 0; k < 5; k++)
        for (int zero = 0; zero < 2; zero++) {
            partan_settings s = settings_for(kernels[k], PARTAN_SOLVER_FW);
            toy_fill(&t, 23, 5, false, 8);
            for (size_t i = 0; i < 23; i++)
                for (size_t f = 0; f < 5; f++)
                    t.values[i][f] = zero ? 0 : t.values[0][f];
            must_end(*state, &t, &s);
        }
}

static void any_cost(void **state)
{
    static toy t;
    for (size_t k = 0; k < 5; k++)
        for (int power = -6; power <= 6; power += 2) {
            partan_settings s = settings_for(kernels[k], PARTAN_SOLVER_FW);
            s.cost = pow(10, power);
            toy_fill(&t, 40, 6, false, 9);
            must_end(*state, &t, &s);
        }
}

static void any_gamma(void **state)
{
    static const double gammas[] = {1e-300, 1e-40, 1e-12, 1e-6, 1e-3, 10, 1e4, 1e12, 1e37, 1e40, 1e300};
    static toy t;
    for (size_t k = 0; k < 11; k++)
        for (int kernel = 0; kernel < 2; kernel++) {
            partan_settings s = settings_for(kernel ? PARTAN_KERNEL_LAPLACIAN : PARTAN_KERNEL_RBF, PARTAN_SOLVER_FW);
            s.gamma = gammas[k];
            toy_fill(&t, 40, 6, false, 10);
            must_end(*state, &t, &s);
            toy_fill(&t, 40, 6, true, 10);
            toy_matrix(&t, &s);
            s.sample = 0;
            train_and_check(*state, &t, &s, PARTAN_STORAGE_BITS);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(every_variant_reaches_the_optimum),
        SERIAL_TEST(samples_lead_to_the_optimum_too),
        SERIAL_TEST(two_rows_are_enough),
        SERIAL_TEST(duplicate_rows),
        SERIAL_TEST(equal_rows),
        SERIAL_TEST(any_cost),
        SERIAL_TEST(any_gamma),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
