/* The sampled iteration: the same seed gives the same bits, a sample of everything is the deterministic method, the
 * stopping rules claim what is true, and a target below rounding ends. */
#include "toy.h"

#include "fw/variants.h"
#include "simplex/simplex.h"

static partan_settings settings_for(partan_solver solver, int64_t sample)
{
    partan_settings s;
    partan_settings_init(&s);
    s.solver = solver;
    s.sample = sample;
    s.gamma_rule = PARTAN_GAMMA_VALUE;
    s.gamma = 0.05;
    s.cost = 5;
    s.tol = 0.05;
    return s;
}

static partan_data *generate(partan_context *context, uint64_t rows)
{
    partan_generator_options make;
    partan_generator_options_init(&make);
    make.kind = "ringnorm";
    make.rows = rows;
    partan_data *data = NULL;
    assert_int_equal(partan_generate(context, &make, PARTAN_STORAGE_AUTO, &data), PARTAN_OK);
    return data;
}

static partan_model *train(partan_context *context, const partan_data *data, const partan_settings *s)
{
    partan_model *model = NULL;
    partan_verification found;
    partan_verification_init(&found);
    partan_status status = partan_train(context, data, s, NULL, &model);
    if (status < 0)
        fail_msg("%s", partan_error(context));
    assert_int_equal(partan_verify(context, model, data, &found), PARTAN_OK);
    if (!found.matches)
        fail_msg("verify: %s", found.reason);
    return model;
}

static bool same_bits(const partan_model *a, const partan_model *b)
{
    return a->count == b->count && a->result.iterations == b->result.iterations
           && memcmp(a->weights, b->weights, a->count * sizeof *a->weights) == 0
           && memcmp(a->origin, b->origin, a->count * sizeof *a->origin) == 0
           && a->result.objective == b->result.objective;
}

static void the_same_seed_gives_the_same_bits(void **state)
{
    partan_data *data = generate(*state, 1500);
    FOR_EVERY_VARIANT(solver) {
        partan_settings s = settings_for((partan_solver)solver, 50);
        s.max_iter = 3000;
        partan_model *a = train(*state, data, &s), *b = train(*state, data, &s);
        s.seed++;
        partan_model *c = train(*state, data, &s);
        assert_true(same_bits(a, b));
        assert_false(same_bits(a, c));
        partan_model_free(a);
        partan_model_free(b);
        partan_model_free(c);
    }
    partan_data_free(data);
}

/* Step by step: the sampled problem that sees all rows makes the moves of the full one. SWAP's exact steps make the
 * scores of u and v equal, and rounding says which is the next v: there, both must come to the same optimum. */
static void a_sample_of_everything_is_the_full_method(void **state)
{
    partan_data *data = generate(*state, 120);
    FOR_EVERY_VARIANT(solver) {
        bool ties = solver == PARTAN_SOLVER_SWAP;
        partan_settings s = settings_for((partan_solver)solver, 0);
        s.tol = ties ? 1e-6 : 1e-2;
        s.max_iter = ties ? 0 : 60;
        partan_model *full = train(*state, data, &s);
        s.sample = 1000;
        partan_model *sampled = train(*state, data, &s);
        double objective = full->result.objective;
        assert_true(!ties || (full->result.converged && sampled->result.converged));
        assert_true(fabs(sampled->result.objective - objective) <= (ties ? 2e-6 : 1e-4) * objective);
        if (!ties) {
            assert_int_equal(full->result.iterations, sampled->result.iterations);
            assert_int_equal(full->count, sampled->count);
        }
        for (size_t i = 0; i < full->count && !ties; i++) {
            assert_int_equal(full->origin[i], sampled->origin[i]);
            assert_true(fabs(full->weights[i] - sampled->weights[i]) <= 1e-5);
        }
        partan_model_free(full);
        partan_model_free(sampled);
    }
    partan_data_free(data);
}

static void confirmed_stops_are_true(void **state)
{
    partan_data *data = generate(*state, 800);
    FOR_EVERY_VARIANT(solver)
        for (int64_t sample = 2; sample <= 200; sample *= 10) {
            partan_settings s = settings_for((partan_solver)solver, sample);
            s.tol = 0.1;
            partan_model *model = train(*state, data, &s);
            assert_int_equal(model->result.status, PARTAN_OK);
            assert_true(model->result.converged && model->result.relative_gap <= 0.1);
            partan_model_free(model);
        }
    partan_data_free(data);
}

/* verify has recomputed the gap: the status says whether it meets the target. */
static void sampled_stops_tell_the_true_gap(void **state)
{
    partan_data *data = generate(*state, 800);
    int unconfirmed = 0;
    FOR_EVERY_VARIANT(solver)
        for (uint64_t seed = 1; seed <= 4; seed++) {
            partan_settings s = settings_for((partan_solver)solver, 3);
            s.stop = PARTAN_STOP_SAMPLED;
            s.tol = 0.1;
            s.seed = seed;
            partan_model *model = train(*state, data, &s);
            const partan_result *r = &model->result;
            assert_true(r->status == PARTAN_OK || r->status == PARTAN_UNCONFIRMED);
            assert_int_equal(r->converged, r->status == PARTAN_OK);
            assert_int_equal(r->converged, r->relative_gap <= s.tol);
            unconfirmed += r->status == PARTAN_UNCONFIRMED;
            partan_model_free(model);
        }
    assert_true(unconfirmed > 0);
    partan_data_free(data);
}

static void a_target_below_rounding_ends(void **state)
{
    static toy t;
    static const partan_kernel kernels[] = {PARTAN_KERNEL_LINEAR, PARTAN_KERNEL_RBF, PARTAN_KERNEL_LAPLACIAN};
    for (int k = 0; k < 3; k++)
        FOR_EVERY_VARIANT(solver) {
            if (solver == PARTAN_SOLVER_FW || solver == PARTAN_SOLVER_PARTAN)
                continue; /* would take too many steps */
            partan_settings s = settings_for((partan_solver)solver, 6);
            s.kernel = kernels[k];
            s.tol = 1e-14;
            s.cost = 100;
            s.max_iter = 200000;
            toy_fill(&t, 20, 5, false, 3);
            partan_data *data = toy_data(*state, &t, &s, PARTAN_STORAGE_DENSE);
            partan_model *model = train(*state, data, &s);
            /* A stall takes full passes in a row that find nothing; samples may not get that far before the limit. */
            assert_true(model->result.status == PARTAN_OK || model->result.status == PARTAN_STALLED
                        || model->result.status == PARTAN_ITERATION_LIMIT);
            assert_true(model->result.relative_gap <= 1e-3);
            partan_model_free(model);
            partan_data_free(data);
        }
}

/* With the same seed, draws are the same until a sample first meets the target: without further ones the run ends
 * there, and with more of them later or at the same iteration. */
static void further_samples_only_delay_the_stop(void **state)
{
    partan_data *data = generate(*state, 800);
    int later = 0;
    FOR_EVERY_VARIANT(solver) {
        int64_t first = 0;
        for (int64_t further = 0; further <= 9; further += 3) {
            partan_settings s = settings_for((partan_solver)solver, 3);
            s.stop = PARTAN_STOP_SAMPLED;
            s.further_samples = further;
            s.tol = 0.1;
            partan_model *model = train(*state, data, &s);
            assert_true(model->result.iterations >= first);
            later += further > 0 && model->result.iterations > first;
            first = further == 0 ? model->result.iterations : first;
            partan_model_free(model);
        }
    }
    assert_true(later > 0);
    partan_data_free(data);
}

/* The away vertex is the active one of greatest score, of all of them. */
static void check_away(const toy *t, pt_problem *problem, const pt_fw *fw, const double *a)
{
    pt_vertex v;
    double greatest = -INFINITY, of_v = 0;
    assert_int_equal(problem->ops->away(problem, &fw->iterate, &v), PARTAN_OK);
    assert_true(a[v.id] > 0);
    for (size_t i = 0; i < t->rows; i++) {
        double score = 0;
        for (size_t j = 0; j < t->rows; j++)
            score += t->K[i][j] * a[j];
        greatest = a[i] > 0 ? fmax(greatest, score) : greatest;
        of_v = (int64_t)i == v.id ? score : of_v;
    }
    assert_true(fabs(v.score - of_v) <= 1e-9);
    assert_true(of_v >= greatest - 1e-9);
}

/* f by recursion, without a gradient to refresh it from, against K over many steps, and scores against Ka. */
static void recursions_hold_over_many_steps(void **state)
{
    static toy t;
    FOR_EVERY_VARIANT(solver) {
        partan_settings s = settings_for((partan_solver)solver, 10);
        s.kernel = PARTAN_KERNEL_PRECOMPUTED;
        toy_fill(&t, 60, 6, false, 8);
        toy_matrix(&t, &s);
        partan_data *data = toy_data(*state, &t, &s, PARTAN_STORAGE_DENSE);
        pt_classes classes;
        float *signs;
        assert_int_equal(pt_data_classes(data, &classes, &signs), PARTAN_OK);
        pt_kernel kernel = {.kind = PARTAN_KERNEL_PRECOMPUTED};
        pt_problem *problem;
        pt_dual dual = pt_dual_of_classes(data->matrix.rows, signs, s.cost);
        assert_int_equal(pt_simplex_sampled(*state, &kernel, (pt_points){&data->matrix, data->serials}, &dual, NULL, 10,
                                            3, &problem),
                         PARTAN_OK);
        const pt_variant *variant = pt_variant_for((partan_solver)solver);
        pt_fw fw = {.context = *state, .problem = problem};
        int64_t first = 5;
        double one = 1;
        problem->keeps_previous = variant->keeps_previous;
        pt_iterate_init(&fw.iterate, *state, variant->keeps_previous);
        assert_int_equal(pt_iterate_start(&fw.iterate, &first, &one, 1), PARTAN_OK);
        assert_int_equal(problem->ops->start(problem, &fw.iterate, &fw.at), PARTAN_OK);
        for (int step = 0; step < 5000; step++) {
            assert_int_equal(problem->ops->toward(problem, &fw.iterate, &fw.toward), PARTAN_OK);
            double a[TOY_ROWS], gap, score = 0;
            for (size_t i = 0; i < t.rows; i++) {
                a[i] = pt_iterate_weight(&fw.iterate, (int64_t)i);
                score += t.K[fw.toward.id][i] * a[i];
            }
            assert_true(fabs(fw.toward.score - score) <= 1e-9);
            assert_true(fabs(fw.at.objective - toy_objective(&t, a, &gap)) <= 1e-9);
            assert_true(pt_gap(&fw) <= gap + 1e-9);
            if (!variant->keeps_previous)
                check_away(&t, problem, &fw, a);
            assert_int_equal(variant->step(&fw), PARTAN_OK);
            fw.iteration++;
        }
        pt_iterate_free(&fw.iterate);
        pt_problem_free(problem);
        pt_classes_free(*state, &classes);
        pt_free(*state, signs);
        partan_data_free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(the_same_seed_gives_the_same_bits),
        SERIAL_TEST(a_sample_of_everything_is_the_full_method),
        SERIAL_TEST(confirmed_stops_are_true),
        SERIAL_TEST(sampled_stops_tell_the_true_gap),
        SERIAL_TEST(a_target_below_rounding_ends),
        SERIAL_TEST(recursions_hold_over_many_steps),
        SERIAL_TEST(further_samples_only_delay_the_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
