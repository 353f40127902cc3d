/* Kernels of low rank: factors give the kernel up to their residuals, Newton's method gives the solution, and models
 * made by both are as valid as any other. */
#include "sight.h"

#include "failing.h"

enum { ROWS = 1500, MOST = 200 };

typedef struct fixture {
    partan_data *data;
    pt_simplex simplex;
    float signs[ROWS];
} fixture;

/* Rows of `features` normal values, from `distinct` on copies of a few; the last `outliers` are far from all others. */
static partan_data *make_copies(partan_context *context, size_t rows, size_t distinct, size_t features, size_t outliers,
                                double noise)
{
    pt_random random;
    pt_random_seed(&random, 7);
    float *values = malloc(rows * features * sizeof *values);
    double *labels = malloc(rows * sizeof *labels);
    assert_true(values && labels);
    for (size_t i = 0; i < rows; i++) {
        double sum = 0;
        for (size_t f = 0; f < features; f++) {
            double x = 0.5 * pt_random_normal(&random) + (i + outliers >= rows ? (double)(5 * i + f) : 0);
            values[i * features + f] = (float)x;
            sum += x;
        }
        labels[i] = (sin(3 * sum) > 0) != (pt_random_uniform(&random) < noise) ? 1 : -1;
    }
    for (size_t i = distinct; i < rows; i++) {
        memcpy(values + i * features, values + i % 100 * features, features * sizeof *values);
        labels[i] = labels[i % 100];
    }
    partan_data *data = NULL;
    assert_int_equal(dense_data(context, values, rows, features, features, labels, PARTAN_STORAGE_DENSE, &data),
                     PARTAN_OK);
    free(values);
    free(labels);
    return data;
}

static partan_data *make_data(partan_context *context, size_t rows, size_t features, size_t outliers, double noise)
{
    return make_copies(context, rows, rows, features, outliers, noise);
}

static void open_fixture(fixture *f, partan_context *context, pt_kernel kernel, size_t features, size_t outliers)
{
    f->data = make_data(context, ROWS, features, outliers, 0);
    for (size_t i = 0; i < ROWS; i++)
        f->signs[i] = 1;
    f->simplex = (pt_simplex){0};
    pt_points points = {&f->data->matrix, NULL};
    pt_dual dual = pt_dual_of_classes(ROWS, f->signs, 1);
    assert_int_equal(pt_simplex_init(&f->simplex, context, &kernel, points, &dual), PARTAN_OK);
}

static const struct {
    pt_kernel kernel;
    size_t features, least, most; /* of the rank */
} low[] = {
    {{.kind = PARTAN_KERNEL_RBF, .gamma = 0.5}, 2, 30, 120},
    {{.kind = PARTAN_KERNEL_LINEAR}, 10, 10, 10},
    {{.kind = PARTAN_KERNEL_POLYNOMIAL, .gamma = 0.5, .coef0 = 1, .degree = 2}, 4, 15, 15},
};

static void factors_give_the_kernel(void **state)
{
    static fixture f;
    static double factors[ROWS * MOST], residuals[ROWS];
    for (size_t c = 0; c < sizeof low / sizeof *low; c++) {
        open_fixture(&f, *state, low[c].kernel, low[c].features, 0);
        pt_lowrank lowrank = {0};
        assert_int_equal(pt_simplex_factors(&f.simplex, 1e-10, MOST, &lowrank), PARTAN_OK);
        assert_in_range(lowrank.rank, low[c].least, low[c].most);
        assert_int_equal(pt_lowrank_factors(&lowrank, &f.data->matrix, NULL, factors, MOST, residuals), PARTAN_OK);
        for (size_t i = 0; i < ROWS; i += 7) {
            assert_true(residuals[i] <= 1.001e-10);
            for (size_t j = 0; j < ROWS; j += 11) {
                double value = pt_kernel_value(&f.simplex.kernel, f.simplex.points, i, f.simplex.points, j);
                for (size_t k = 0; k < lowrank.rank; k++)
                    value -= factors[i * MOST + k] * factors[j * MOST + k];
                if (!(fabs(value) <= sqrt(residuals[i] * residuals[j]) + 1e-12))
                    fail_msg("kernel %zu, rows %zu and %zu: off by %g", c, i, j, value);
            }
        }
        pt_lowrank_free(&lowrank);
        partan_data_free(f.data);
    }
}

static void sums_are_those_of_kernel_values(void **state)
{
    static fixture f;
    static double weights[ROWS], sums[ROWS], expected[ROWS];
    static int64_t ids[ROWS];
    for (size_t c = 0; c < sizeof low / sizeof *low; c++) {
        open_fixture(&f, *state, low[c].kernel, low[c].features, 0);
        pt_lowrank lowrank = {0};
        assert_int_equal(pt_simplex_factors(&f.simplex, 1e-10, MOST, &lowrank), PARTAN_OK);
        for (size_t i = 0; i < ROWS; i++) {
            ids[i] = (int64_t)i;
            weights[i] = (double)(i % 5) / ROWS - 1.5 / ROWS;
        }
        assert_int_equal(pt_lowrank_sums(&lowrank, &f.data->matrix, ids, weights, ROWS, sums), PARTAN_OK);
        assert_int_equal(pt_kernel_sums_exact(*state, &f.simplex.kernel, f.simplex.points, f.simplex.points, ROWS,
                                              weights, expected),
                         PARTAN_OK);
        for (size_t i = 0; i < ROWS; i++)
            if (!(fabs(sums[i] - expected[i]) <= 2e-10))
                fail_msg("kernel %zu, row %zu: %.12g is not %.12g", c, i, sums[i], expected[i]);
        pt_lowrank_free(&lowrank);
        partan_data_free(f.data);
    }
}

static void other_kernels_have_none(void **state)
{
    static fixture f;
    pt_lowrank lowrank = {0};
    open_fixture(&f, *state, (pt_kernel){.kind = PARTAN_KERNEL_RBF, .gamma = 0.5}, 20, 0);
    assert_int_equal(pt_simplex_factors(&f.simplex, 1e-10, MOST, &lowrank), PARTAN_OK);
    assert_int_equal(lowrank.rank, 0);
    partan_data_free(f.data);
}

static void rows_beyond_extend_it(void **state)
{
    enum { OUTLIERS = 20 };
    static fixture f;
    static double residuals[ROWS];
    int64_t beyond[OUTLIERS];
    open_fixture(&f, *state, low[0].kernel, 2, OUTLIERS);
    pt_lowrank lowrank = {0};
    /* Rows that are all candidates leave none beyond: those after the first hundreds are hidden while it is made. */
    f.data->matrix.rows = ROWS - 500;
    assert_int_equal(pt_simplex_factors(&f.simplex, 1e-10, MOST, &lowrank), PARTAN_OK);
    f.data->matrix.rows = ROWS;
    size_t before = lowrank.rank;
    assert_int_equal(pt_lowrank_factors(&lowrank, &f.data->matrix, NULL, NULL, 0, residuals), PARTAN_OK);
    for (size_t i = 0; i < OUTLIERS; i++) {
        beyond[i] = (int64_t)(ROWS - OUTLIERS + i);
        assert_true(residuals[beyond[i]] > 0.9);
    }
    assert_int_equal(pt_lowrank_extend(&lowrank, beyond, OUTLIERS), PARTAN_OK);
    assert_int_equal(lowrank.rank, before + OUTLIERS);
    assert_int_equal(pt_lowrank_factors(&lowrank, &f.data->matrix, NULL, NULL, 0, residuals), PARTAN_OK);
    for (size_t i = 0; i < OUTLIERS; i++)
        assert_true(residuals[beyond[i]] <= 1e-10);
    pt_lowrank_free(&lowrank);

    /* Where there is no room for them, there are no factors. */
    f.data->matrix.rows = ROWS - 500;
    assert_int_equal(pt_simplex_factors(&f.simplex, 1e-10, before + 5, &lowrank), PARTAN_OK);
    f.data->matrix.rows = ROWS;
    assert_int_equal(pt_lowrank_extend(&lowrank, beyond, OUTLIERS), PARTAN_OK);
    assert_int_equal(lowrank.rank, 0);
    partan_data_free(f.data);
}

/* ---- Newton's method ---- */

/* Two classes that overlap, at a large C: Newton's method takes many steps from one vertex. */
static pt_newton_members start_newton(fixture *f, double *weights, double *scores, double *costs, int64_t *ids)
{
    for (size_t i = 0; i < ROWS; i++) {
        f->signs[i] = f->data->labels[i] > 0 ? 1 : -1;
        weights[i] = i == 0;
        costs[i] = 1e3;
        ids[i] = (int64_t)i;
    }
    return (pt_newton_members){.count = ROWS,
                               .bias = 1,
                               .room = SIZE_MAX,
                               .rows = &f->data->matrix,
                               .ids = ids,
                               .signs = f->signs,
                               .costs = costs,
                               .weights = weights,
                               .scores = scores};
}

/* Members that are beyond the factors add pivots, and Newton's method goes on as if these had always been there. */
static void pivots_that_are_added_cost_no_patience(void **state)
{
    enum { OUTLIERS = 20, PATIENCE = 8 };
    static fixture f;
    static double weights[ROWS], scores[ROWS], costs[ROWS];
    static int64_t ids[ROWS];
    double objective[2];
    for (int late = 0; late < 2; late++) {
        open_fixture(&f, *state, low[0].kernel, 2, OUTLIERS);
        pt_lowrank lowrank = {0};
        f.data->matrix.rows = late ? ROWS - 500 : ROWS; /* the outliers are hidden */
        assert_int_equal(pt_simplex_factors(&f.simplex, 1e-10, MOST, &lowrank), PARTAN_OK);
        f.data->matrix.rows = ROWS;
        size_t before = lowrank.rank;
        pt_newton_members members = start_newton(&f, weights, scores, costs, ids);
        partan_status status = pt_newton_solve(&members, &lowrank, 1e-6, 0, UINT64_MAX);
        assert_int_equal(status, PARTAN_OK);
        assert_true(members.solved && members.steps > PATIENCE);
        assert_true((lowrank.rank > before) == late);
        objective[late] = members.objective;
        pt_lowrank_free(&lowrank);
        partan_data_free(f.data);
    }
    assert_true(fabs(objective[0] - objective[1]) <= 1e-5 * objective[0]);
}

/* Where there is no room for the factors of all members, parts of them are computed again. */
static void factors_may_be_held_in_part(void **state)
{
    static fixture f;
    static double weights[2][ROWS], scores[2][ROWS], costs[ROWS];
    static int64_t ids[ROWS];
    open_fixture(&f, *state, low[0].kernel, 2, 0);
    pt_lowrank lowrank = {0};
    assert_int_equal(pt_simplex_factors(&f.simplex, 1e-10, MOST, &lowrank), PARTAN_OK);
    uint64_t steps[2];
    for (int part = 0; part < 2; part++) {
        pt_newton_members members = start_newton(&f, weights[part], scores[part], costs, ids);
        members.room = part ? 0 : SIZE_MAX;
        assert_int_equal(pt_newton_solve(&members, &lowrank, 1e-6, 0, UINT64_MAX), PARTAN_OK);
        assert_true(members.solved);
        steps[part] = members.steps;
    }
    assert_int_equal(steps[0], steps[1]);
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(fabs(weights[0][i] - weights[1][i]) <= 1e-9);
        assert_true(fabs(scores[0][i] - scores[1][i]) <= 1e-6 * fabs(scores[0][i]));
    }
    pt_lowrank_free(&lowrank);
    partan_data_free(f.data);
}

/* Scores by kernel values in double; returns the relative gap. */
static double exact_scores(partan_context *context, const fixture *f, const pt_newton_members *m, double *scores)
{
    static double weights[ROWS];
    double total = 0, twice = 0, least = INFINITY;
    for (size_t i = 0; i < ROWS; i++) {
        weights[i] = m->weights[i] * (double)m->signs[i];
        total += weights[i];
    }
    assert_int_equal(
        pt_kernel_sums_exact(context, &f->simplex.kernel, f->simplex.points, f->simplex.points, ROWS, weights, scores),
        PARTAN_OK);
    for (size_t i = 0; i < ROWS; i++) {
        scores[i] = (double)m->signs[i] * (scores[i] + total) + m->weights[i] / m->costs[i];
        twice += m->weights[i] * scores[i];
        least = fmin(least, scores[i]);
    }
    return (twice - least) / twice;
}

/* What coarse factors leave out is corrected for, where scores are known: the gap falls far below theirs. */
static void coarse_factors_are_corrected(void **state)
{
    static fixture f;
    static double weights[ROWS], scores[ROWS], costs[ROWS];
    static int64_t ids[ROWS];
    double gap[2];
    open_fixture(&f, *state, low[0].kernel, 2, 0);
    pt_lowrank lowrank = {0};
    assert_int_equal(pt_simplex_factors(&f.simplex, 1e-8, MOST, &lowrank), PARTAN_OK);
    assert_true(lowrank.rank > 0);
    pt_newton_members members = start_newton(&f, weights, scores, costs, ids);
    for (int i = 0; i < 2; i++) {
        assert_true(pt_newton_solve(&members, &lowrank, 1e-10, 0, UINT64_MAX) >= 0 && members.solved);
        gap[i] = exact_scores(*state, &f, &members, scores);
        members.precise = true;
    }
    assert_true(gap[0] > 1e-7);
    assert_true(gap[1] < 1e-3 * gap[0]);
    pt_lowrank_free(&lowrank);
    partan_data_free(f.data);
}

/* ---- Training ---- */

/* The solver's factors are seen where it allocates memory, which it does between finding and using them. */
typedef struct watch {
    sight sight;
    bool found;       /* the kernel was of low rank */
    int rounds;       /* since */
    int interrupt_at; /* the round, 0: when it is found; -1: never */
    partan_context *context;
} watch;

static void *look(void *user, size_t bytes, size_t alignment)
{
    watch *w = user;
    bool found = w->sight.set && w->sight.set->lowrank.factors.rank > 0;
    if (found && !w->found && w->interrupt_at == 0)
        partan_interrupt(w->context);
    w->found |= found;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *pointer)
{
    (void)user;
    free(pointer);
}

static void count_round(void *user, const partan_trace_row *row)
{
    (void)row;
    watch *w = user;
    w->rounds += w->found;
    if (w->found && w->interrupt_at > 0 && w->rounds == w->interrupt_at)
        partan_interrupt(w->context);
}

static partan_context *open_watched(watch *w, int threads)
{
    partan_context_options options;
    partan_context_options_init(&options);
    options.allocate = look;
    options.release = release;
    options.trace = count_round;
    options.user = w;
    options.threads = threads;
    return w->context = partan_create(&options);
}

/* Whether the solver finds the kernel of some data to be of low rank. Then it is stopped: what it makes of the factors
 * is a matter of trained models. */
static bool low_rank(watch *w, const partan_data *data, const partan_settings *s)
{
    w->sight.unaudited = true;
    w->interrupt_at = 0;
    sight_solve(&w->sight, w->context, data, s, &s->cost, 1);
    return w->found;
}

static partan_settings low_settings(void)
{
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.gamma = 0.5;
    return s;
}

static partan_data *in_storage(partan_context *context, const partan_data *data, partan_storage storage)
{
    size_t rows = data->matrix.rows, features = data->matrix.features;
    float *values = calloc(rows * features, sizeof *values), own[16];
    int32_t indices[16];
    assert_true(values && features <= 16);
    for (size_t i = 0; i < rows; i++) {
        size_t count = pt_matrix_row(&data->matrix, i, indices, own);
        for (size_t k = 0; k < count; k++)
            values[i * features + (size_t)indices[k]] =
                storage == PARTAN_STORAGE_SPARSE ? own[k] : (float)(own[k] > 0); /* only ones go into bits */
    }
    partan_data *other = NULL;
    assert_int_equal(dense_data(context, values, rows, features, features, data->labels, storage, &other), PARTAN_OK);
    free(values);
    return other;
}

static void models_are_valid(void **state)
{
    (void)state;
    static const partan_kernel kernels[] = {PARTAN_KERNEL_RBF, PARTAN_KERNEL_LINEAR, PARTAN_KERNEL_POLYNOMIAL};
    for (size_t k = 0; k < 3; k++)
        for (int outliers = 0; outliers <= 40; outliers += 40)
            for (int tight = 0; tight < 2; tight++) {
                watch w = {.interrupt_at = -1};
                partan_context *context = open_watched(&w, 2);
                partan_data *data = make_data(context, 4000, 2, k == 0 ? (size_t)outliers : 0, 0.3);
                if (tight) {
                    partan_data *same = data;
                    data = in_storage(context, same, PARTAN_STORAGE_SPARSE);
                    partan_data_free(same);
                }
                partan_settings s = low_settings();
                s.kernel = kernels[k];
                s.degree = 2;
                s.coef0 = 1;
                s.tol = tight ? 1e-5 : 0.05;
                partan_model *model = train(context, data, &s, NULL, PARTAN_OK);
                assert_true(low_rank(&w, data, &s));
                partan_model_free(model);
                partan_data_free(data);
                partan_destroy(context);
            }
}

static void packed_bits_too(void **state)
{
    (void)state;
    watch w = {.interrupt_at = -1};
    partan_context *context = open_watched(&w, 2);
    partan_data *floats = make_data(context, 6000, 16, 0, 0.3);
    partan_data *bits = in_storage(context, floats, PARTAN_STORAGE_BITS);
    partan_settings s = low_settings();
    s.kernel = PARTAN_KERNEL_LINEAR;
    s.merge = false;
    partan_model_free(train(context, bits, &s, NULL, PARTAN_OK));
    assert_true(low_rank(&w, bits, &s));
    partan_data_free(bits);
    partan_data_free(floats);
    partan_destroy(context);
}

/* Rows far from each other, too many for pivots of their own, are members late: the factors that were found are given
 * up.
 */
static void factors_may_be_given_up(void **state)
{
    (void)state;
    watch w = {.interrupt_at = -1};
    partan_context *context = open_watched(&w, 1);
    partan_data *data = make_data(context, 20000, 2, 180, 0);
    partan_settings s = low_settings();
    partan_model_free(train(context, data, &s, NULL, PARTAN_OK));
    w.sight.unaudited = true;
    sight_solve(&w.sight, context, data, &s, &s.cost, 1);
    assert_true(w.found);
    assert_int_equal(w.sight.rank, 0);
    partan_data_free(data);
    partan_destroy(context);
}

static void copies_count(void **state)
{
    (void)state;
    watch w = {.interrupt_at = -1};
    partan_context *context = open_watched(&w, 1);
    partan_data *data = make_copies(context, 6000, 4000, 2, 0, 0.3);
    partan_settings s = low_settings();
    s.tol = 1e-5;
    partan_model *merged = train(context, data, &s, NULL, PARTAN_OK);
    assert_true(low_rank(&w, data, &s));
    s.merge = false;
    partan_model *plain = train(context, data, &s, NULL, PARTAN_OK);
    assert_true(fabs(merged->result.objective - plain->result.objective) <= 1e-5 * plain->result.objective);
    partan_model_free(plain);
    partan_model_free(merged);
    partan_data_free(data);
    partan_destroy(context);
}

/* Limits are kept and an interruption is heard while factors are made and used; what there is then is valid. */
static void limits_and_interruptions_are_kept(void **state)
{
    (void)state;
    int ended_by_lowrank = 0;
    for (int limit = -3; limit <= 12; limit += limit < 0 ? 1 : 3) {
        watch w = {.interrupt_at = limit <= 0 ? -limit : -1};
        partan_context *context = open_watched(&w, 1);
        partan_data *data = make_data(context, 6000, 2, 10, 0.3);
        partan_settings s = low_settings();
        s.max_iter = limit > 0 ? 1800 + 40 * limit : 0;
        s.tol = 1e-6;
        partan_status status = sight_solve(&w.sight, context, data, &s, &s.cost, 1).status;
        assert_true(status == PARTAN_OK || status == (limit <= 0 ? PARTAN_INTERRUPTED : PARTAN_ITERATION_LIMIT));
        assert_true(status != PARTAN_ITERATION_LIMIT || w.sight.iterations == s.max_iter);
        ended_by_lowrank += status != PARTAN_OK && w.found;
        partan_data_free(data);
        partan_destroy(context);
    }
    assert_true(ended_by_lowrank > 0);
}

static partan_status train_low(partan_context *context)
{
    partan_generator_options make;
    partan_generator_options_init(&make);
    make.kind = "checkerboard";
    make.rows = 1400;
    make.noise = 0.3;
    partan_data *data = NULL;
    partan_model *model = NULL;
    partan_status status = partan_generate(context, &make, PARTAN_STORAGE_AUTO, &data);
    partan_settings s = low_settings();
    if (!status)
        status = partan_train(context, data, &s, NULL, &model);
    partan_model_free(model);
    partan_data_free(data);
    return status;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_allocations(train_low, 11);
}

typedef struct points {
    partan_context *context;
    const partan_data *data;
} points;

static int check_point(void *user, size_t index, partan_model *model)
{
    (void)index;
    points *p = user;
    check_verified(p->context, model, p->data);
    assert_true(model->result.converged);
    partan_model_free(model);
    return 0;
}

static void paths_are_followed(void **state)
{
    (void)state;
    static const double costs[] = {0.1, 0.3, 1, 10, 100, 1};
    watch w = {.interrupt_at = -1};
    partan_context *context = open_watched(&w, 2);
    partan_data *data = make_data(context, 6000, 2, 10, 0.3);
    partan_settings s = low_settings();
    points p = {context, data};
    assert_int_equal(partan_path(context, data, &s, costs, 6, check_point, &p), PARTAN_OK);
    s.cost = costs[0];
    assert_true(low_rank(&w, data, &s));
    partan_data_free(data);
    partan_destroy(context);
}

static void threads_make_no_difference(void **state)
{
    (void)state;
    partan_model *models[2];
    partan_context *contexts[2];
    for (int i = 0; i < 2; i++) {
        watch w = {.interrupt_at = -1};
        partan_context *context = open_watched(&w, 1 + i);
        partan_data *data = make_data(context, 6000, 2, 10, 0.3);
        partan_settings s = low_settings();
        models[i] = train(context, data, &s, NULL, PARTAN_OK);
        assert_true(low_rank(&w, data, &s));
        partan_data_free(data);
        contexts[i] = context;
    }
    assert_same_model(models[0], models[1]);
    for (int i = 0; i < 2; i++) {
        partan_model_free(models[i]);
        partan_destroy(contexts[i]);
    }
}

/* Without memory for factors and copies of rows, they are computed again, but not all of the kernel matrix. */
static void no_budget_is_no_cliff(void **state)
{
    partan_generator_options make;
    partan_data *data = NULL;
    partan_model *models[2];
    partan_generator_options_init(&make);
    make.kind = "checkerboard";
    make.rows = 20000;
    assert_int_equal(partan_generate(*state, &make, PARTAN_STORAGE_AUTO, &data), PARTAN_OK);
    for (int i = 0; i < 2; i++) {
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        s.gamma = 5;
        s.cost = 1;
        s.tol = 0.01;
        s.cache_bytes = i == 0 ? -1 : 0;
        models[i] = train(*state, data, &s, NULL, PARTAN_OK);
        assert_true(models[i]->result.converged);
    }
    assert_true(models[1]->result.kernel_values < 8 * models[0]->result.kernel_values);
    partan_model_free(models[0]);
    partan_model_free(models[1]);
    partan_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(factors_give_the_kernel),
        SERIAL_TEST(sums_are_those_of_kernel_values),
        SERIAL_TEST(other_kernels_have_none),
        SERIAL_TEST(rows_beyond_extend_it),
        SERIAL_TEST(pivots_that_are_added_cost_no_patience),
        SERIAL_TEST(coarse_factors_are_corrected),
        SERIAL_TEST(factors_may_be_held_in_part),
        CONTEXT_TEST(no_budget_is_no_cliff),
        cmocka_unit_test(models_are_valid),
        cmocka_unit_test(packed_bits_too),
        cmocka_unit_test(factors_may_be_given_up),
        cmocka_unit_test(copies_count),
        cmocka_unit_test(limits_and_interruptions_are_kept),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(paths_are_followed),
        cmocka_unit_test(threads_make_no_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
