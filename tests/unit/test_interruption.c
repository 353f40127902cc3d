/* Who asks to stop a training is heard in all that it does, before the solver's first step and after its last one too,
 * and gets a model whose claims are true. What is long on many rows looks for interruptions, or is cut short by one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "data/storage/row_table.h"
#include "files.h"
#include "interrupting.h"
#include "simplex/vertices.h"
#include "svm/threshold.h"
#include "svm/training.h"
#include "training.h"

enum { ROWS = 400, FEATURES = 3 };

/* Noisy rows with labels for any problem, each of them twice. */
static partan_data *rows_of(partan_context *context, size_t rows, partan_problem problem)
{
    partan_data *data = NULL;
    float *values = malloc(rows * FEATURES * sizeof *values);
    double *labels = malloc(rows * sizeof *labels);
    pt_random random;
    assert_true(values && labels);
    pt_random_seed(&random, 3);
    for (size_t i = 0; i < rows; i++) {
        for (size_t f = 0; f < FEATURES; f++)
            values[i * FEATURES + f] =
                i % 2 ? values[(i - 1) * FEATURES + f] : (float)pt_random_normal(&random) * (float)(f + 1);
        double label = values[i * FEATURES] + (i % 4 < 2 ? 0.5 : -0.5);
        labels[i] = problem == PARTAN_CLASSIFICATION ? (label > 0 ? 1 : -1) : label;
    }
    assert_int_equal(dense_data(context, values, rows, FEATURES, FEATURES, labels, PARTAN_STORAGE_DENSE, &data),
                     PARTAN_OK);
    free(values);
    free(labels);
    return data;
}

static partan_settings settings_of(partan_problem problem, partan_solver solver)
{
    partan_settings s = defaults(solver);
    s.problem = problem;
    s.tol = 1e-6;
    s.gamma_rule = PARTAN_GAMMA_SCALE;
    s.cost = problem == PARTAN_OUTLIER ? 0.01 : 10;
    s.epsilon = 0.1;
    s.max_iter = 300;
    return s;
}

/* Trains with an interruption at the k-th allocation, 0: none, and returns how many there were. */
static long train_until(partan_problem problem, partan_solver solver, long k, partan_status *status)
{
    interrupting i;
    interrupting_begin(&i);
    partan_data *data = rows_of(i.context, ROWS, problem);
    partan_settings s = settings_of(problem, solver);
    partan_model *model = NULL;
    long before = i.allocator.count;
    i.at = k > 0 ? before + k : 0;
    *status = partan_train(i.context, data, &s, NULL, &model);
    long count = i.allocator.count - before;
    i.at = 0;
    assert_true(*status >= PARTAN_OK && (count >= k || *status != PARTAN_INTERRUPTED));
    pt_interrupt_clear(i.context); /* one may have come after the end */
    check_verified(i.context, model, data);
    assert_int_equal(model->result.status, *status);
    partan_model_free(model);
    partan_data_free(data);
    interrupting_end(&i);
    return count;
}

/* Every allocation at the beginning and at the end, some of those between. */
static void at_any_time_it_leaves_a_true_model(void **state)
{
    enum { EDGE = 40 };
    static const partan_problem problems[] = {PARTAN_CLASSIFICATION, PARTAN_REGRESSION, PARTAN_OUTLIER};
    (void)state;
    for (size_t p = 0; p < 3; p++)
        FOR_EVERY_SOLVER(solver) {
            long interrupted = 0;
            partan_status status;
            long count = train_until(problems[p], (partan_solver)solver, 0, &status);
            assert_true(status != PARTAN_INTERRUPTED);
            for (long k = 1; k <= count; k += k < EDGE || k > count - EDGE ? 1 : count / 20 + 1) {
                train_until(problems[p], (partan_solver)solver, k, &status);
                interrupted += status == PARTAN_INTERRUPTED;
            }
            assert_true(interrupted > EDGE / 2);
        }
}

/* ---- Memory that shows what was written to it ---- */

enum { BLANK = 0x5a, HEAD = PT_ALIGNMENT };

typedef struct paper {
    size_t written, released; /* bytes of what was released */
} paper;

static void *allocate_blank(void *user, size_t bytes, size_t alignment)
{
    (void)user;
    unsigned char *memory = aligned_alloc(alignment, (bytes + HEAD + alignment - 1) / alignment * alignment);
    assert_non_null(memory);
    memcpy(memory, &bytes, sizeof bytes);
    memset(memory + HEAD, BLANK, bytes);
    return memory + HEAD;
}

static void release_written(void *user, void *pointer)
{
    paper *p = user;
    unsigned char *memory = pointer;
    size_t bytes;
    memcpy(&bytes, memory - HEAD, sizeof bytes);
    p->released += bytes;
    for (size_t i = 0; i < bytes; i++)
        p->written += memory[i] != BLANK;
    free(memory - HEAD);
}

static partan_context *blank_context(paper *p)
{
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 1;
    options.allocate = allocate_blank;
    options.release = release_written;
    options.user = p;
    partan_context *context = partan_create(&options);
    assert_non_null(context);
    return context;
}

/* Rows of float32 whose bytes are all written to, if they are copied. */
static partan_data *blank_rows(partan_context *context)
{
    float values[ROWS * FEATURES];
    partan_data *data = NULL;
    memset(values, 0x11, sizeof values);
    assert_int_equal(dense_data(context, values, ROWS, FEATURES, FEATURES, NULL, PARTAN_STORAGE_DENSE, &data),
                     PARTAN_OK);
    return data;
}

/* ---- Before the first step ---- */

/* From the moment that a training is opened, and not beyond it. */
static void a_time_limit_interrupts_what_comes_before_the_solver(void **state)
{
    partan_data *data = rows_of(*state, ROWS, PARTAN_CLASSIFICATION);
    partan_settings s = settings_of(PARTAN_CLASSIFICATION, PARTAN_SOLVER_AUTO);
    for (int limited = 0; limited < 2; limited++) {
        pt_training t;
        s.time_limit = limited ? 1e-9 : 0;
        assert_int_equal(pt_training_open(&t, *state, data, &s), PARTAN_OK);
        assert_int_equal(pt_interrupted(*state), limited);
        pt_training_close(&t);
        assert_false(pt_interrupted(*state));
    }
    partan_data_free(data);
}

static void rows_are_hashed_only_until_then(void **state)
{
    paper p = {0};
    partan_context *context = blank_context(&p);
    partan_data *data = blank_rows(context);
    pt_row_table table;
    uint64_t blank;
    (void)state;
    memset(&blank, BLANK, sizeof blank);
    assert_int_equal(pt_row_table_make_heeding(&table, &data->matrix), PARTAN_OK);
    pt_row_table_free(&table);
    partan_interrupt(context);
    assert_int_equal(pt_row_table_make_heeding(&table, &data->matrix), PARTAN_INTERRUPTED);
    for (size_t row = 0; row < ROWS; row++)
        assert_true(table.hashes[row] == blank);
    pt_row_table_free(&table);
    assert_int_equal(pt_row_table_make(&table, &data->matrix), PARTAN_OK); /* what cannot do without goes on */
    for (size_t row = 0; row < ROWS; row++)
        assert_true(table.hashes[row] == pt_matrix_row_hash(&data->matrix, row));
    pt_row_table_free(&table);
    partan_data_free(data);
    partan_destroy(context);
}

/* A training that is stopped before its data has a fingerprint does without, and its model may be of any data. */
static void a_fingerprint_is_made_only_until_then(void **state)
{
    char path[256];
    temporary_path(path, sizeof path, ".model");
    partan_data *data = rows_of(*state, ROWS, PARTAN_CLASSIFICATION);
    partan_settings s = settings_of(PARTAN_CLASSIFICATION, PARTAN_SOLVER_AUTO);
    assert_true(pt_fingerprint_heeding(data) == partan_data_fingerprint(data));
    partan_interrupt(*state);
    assert_true(pt_fingerprint_heeding(data) == PT_NO_FINGERPRINT);
    assert_true(partan_data_fingerprint(data) != PT_NO_FINGERPRINT);
    partan_model *model = train(*state, data, &s, NULL, PARTAN_INTERRUPTED), *read = NULL;
    assert_true(model->fingerprint == PT_NO_FINGERPRINT);
    assert_int_equal(partan_model_write(*state, model, path, PARTAN_MODEL_NATIVE), PARTAN_OK);
    assert_int_equal(partan_model_read(*state, path, &read), PARTAN_OK);
    check_verified(*state, read, data);
    /* Nothing says that its rows have the numbers of these. */
    partan_model *again = train(*state, data, &s, read, PARTAN_ITERATION_LIMIT);
    assert_true(again->fingerprint == partan_data_fingerprint(data));
    partan_model_free(again);
    partan_model_free(read);
    partan_model_free(model);
    partan_data_free(data);
    remove(path);
}

static void rows_stay_as_they_are_where_merging_is_cut_short(void **state)
{
    partan_data *data = rows_of(*state, ROWS, PARTAN_CLASSIFICATION);
    float *signs;
    pt_classes classes;
    pt_vertices v;
    pt_kernel kernel = {.kind = PARTAN_KERNEL_RBF, .gamma = 0.1};
    assert_int_equal(pt_data_classes(data, &classes, &signs), PARTAN_OK);
    for (size_t row = 0; row < ROWS; row++)
        signs[row] = 1;
    pt_dual dual = pt_dual_of_classes(ROWS, signs, 2);
    for (int interrupted = 0; interrupted < 2; interrupted++) {
        if (interrupted)
            partan_interrupt(*state);
        assert_int_equal(pt_vertices_make(&v, *state, &kernel, (pt_points){&data->matrix, NULL}, &dual, true, 1 << 20),
                         PARTAN_OK);
        assert_int_equal(v.merged, !interrupted);
        assert_int_equal(v.simplex.dual.vertices, interrupted ? ROWS : ROWS / 2);
        pt_vertices_free(&v);
    }
    pt_free(*state, signs);
    pt_classes_free(*state, &classes);
    partan_data_free(data);
}

static void rows_are_gathered_only_until_then(void **state)
{
    paper p = {0};
    partan_context *context = blank_context(&p);
    partan_data *data = blank_rows(context);
    int64_t ids[ROWS];
    pt_matrix rows = {0};
    (void)state;
    for (int64_t i = 0; i < ROWS; i++)
        ids[i] = i;
    for (int interrupted = 0; interrupted < 2; interrupted++) {
        if (interrupted)
            partan_interrupt(context);
        p = (paper){0};
        assert_int_equal(pt_matrix_gather_heeding(&data->matrix, NULL, ids, ROWS, &rows),
                         interrupted ? PARTAN_INTERRUPTED : PARTAN_OK);
        assert_int_equal(rows.rows, interrupted ? 0 : ROWS);
        pt_matrix_free(&rows);
        assert_true(p.released >= ROWS * FEATURES * sizeof(float));
        assert_true(interrupted ? p.written < p.released / 4 : p.written > p.released / 2);
    }
    assert_int_equal(pt_matrix_gather(&data->matrix, ids, ROWS, &rows), PARTAN_OK);
    pt_matrix_free(&rows);
    partan_data_free(data);
    partan_destroy(context);
}

/* ---- After the last one ---- */

/* A model of so many support vectors, of a training that ended so. */
static size_t rows_that_count(partan_context *context, const partan_data *data, size_t vectors, partan_status status)
{
    partan_model model = {.context = context, .count = vectors, .features = FEATURES, .result.status = status};
    int64_t *rows;
    size_t count;
    assert_int_equal(pt_threshold_rows(context, NULL, &model, data, &rows, &count), PARTAN_OK);
    for (size_t i = 0; i < count; i++)
        assert_true(rows[i] < (int64_t)data->matrix.rows && (i == 0 || rows[i] > rows[i - 1]));
    pt_free(context, rows);
    return count;
}

/* Whatever there are of rows and support vectors, kernel values stay within what a fraction of a second allows. */
static void a_stopped_training_makes_its_threshold_of_few_distances(void **state)
{
    enum { MANY = 300000 };
    partan_data *data = rows_of(*state, MANY, PARTAN_OUTLIER);
    assert_int_equal(rows_that_count(*state, data, 20000, PARTAN_OK), MANY);
    assert_int_equal(rows_that_count(*state, data, 20000, PARTAN_STALLED), MANY);
    for (size_t vectors = 1; vectors < MANY; vectors *= 3) {
        size_t count = rows_that_count(*state, data, vectors, PARTAN_INTERRUPTED);
        assert_int_equal(rows_that_count(*state, data, vectors, PARTAN_TIME_LIMIT), count);
        assert_true(count >= 256 && count <= 1 << 17 && (count == 256 || (double)(count * vectors) < 2e8));
    }
    partan_data_free(data);
}

/* It leaves the share of rows outside that is asked for, nearly, and verify makes it of the same rows. */
static void such_a_threshold_is_near_that_of_all_rows(void **state)
{
    enum { MANY = 400000 };
    partan_data *data = rows_of(*state, MANY, PARTAN_OUTLIER);
    double *decision = malloc(MANY * sizeof *decision), radius[2];
    partan_settings s = settings_of(PARTAN_OUTLIER, PARTAN_SOLVER_AUTO);
    s.kernel = PARTAN_KERNEL_LINEAR; /* whose distances are all different */
    s.cost = 1e-5;                   /* many rows are outside */
    assert_non_null(decision);
    for (int share = 0; share < 2; share++) {
        s.outliers = share ? 0.05 : 0;
        partan_interrupt(*state);
        partan_model *model = train(*state, data, &s, NULL, PARTAN_INTERRUPTED);
        assert_int_equal(partan_predict(*state, model, data, decision), PARTAN_OK);
        size_t outside = 0;
        for (size_t i = 0; i < MANY; i++)
            outside += decision[i] < 0;
        assert_true(!share || fabs((double)outside / MANY - 0.05) < 0.005);
        /* The primal problem's equation, over all rows. */
        double excess = 0;
        for (size_t i = 0; i < MANY; i++)
            excess += s.cost * fmax(-decision[i], 0) / 2;
        assert_true(share || fabs(excess - 1) < 0.05);
        radius[share] = model->bias;
        model->bias += 1e-2 * fabs(model->bias);
        partan_verification found;
        partan_verification_init(&found);
        assert_int_equal(partan_verify(*state, model, data, &found), PARTAN_OK);
        assert_false(found.matches);
        partan_model_free(model);
    }
    assert_true(radius[0] != radius[1]);
    free(decision);
    partan_data_free(data);
}

/* ---- The order of rows, as far as it is asked for ---- */

static int farther_first(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Against all rows sorted, by the formulas: among the farthest, and where most or all of the rows are outside. */
static void thresholds_are_those_of_all_rows_sorted(void **state)
{
    enum { MANY = 40000 };
    partan_data *data = rows_of(*state, MANY, PARTAN_OUTLIER);
    double *distances = malloc(MANY * sizeof *distances), *sorted = malloc(MANY * sizeof *sorted);
    int64_t *rows = malloc(MANY * sizeof *rows);
    pt_random random;
    pt_random_seed(&random, 5);
    assert_true(distances && sorted && rows);
    for (size_t i = 0; i < MANY; i++) {
        rows[i] = (int64_t)i;
        sorted[i] = distances[i] = i % 5 ? pt_random_uniform(&random) : 0.5;
    }
    qsort(sorted, MANY, sizeof *sorted, farther_first);
    static const double shares[] = {1e-4, 0.05, 0.3, 0.97}, costs[] = {1e-5, 1e-3, 1, 100};
    for (size_t k = 0; k < 4; k++) {
        partan_settings s = settings_of(PARTAN_OUTLIER, PARTAN_SOLVER_AUTO);
        double radius = 0;
        s.outliers = shares[k];
        assert_int_equal(pt_threshold(*state, NULL, data, &s, rows, MANY, distances, &radius), PARTAN_OK);
        size_t outside = (size_t)(shares[k] * MANY * (1 + 1e-12));
        while (outside > 0 && sorted[outside - 1] - sorted[outside] <= 1e-6)
            outside--;
        assert_true(radius == (sorted[outside - 1] + sorted[outside]) / 2);
        s.outliers = 0;
        s.cost = costs[k];
        assert_int_equal(pt_threshold(*state, NULL, data, &s, rows, MANY, distances, &radius), PARTAN_OK);
        double excess = 0;
        for (size_t i = 0; i < MANY; i++)
            excess += s.cost * fmax(sorted[i] - radius, 0) / 2;
        assert_true(fabs(excess - 1) < 1e-9);
    }
    free(distances);
    free(sorted);
    free(rows);
    partan_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_any_time_it_leaves_a_true_model),
        CONTEXT_TEST(a_time_limit_interrupts_what_comes_before_the_solver),
        cmocka_unit_test(rows_are_hashed_only_until_then),
        CONTEXT_TEST(a_fingerprint_is_made_only_until_then),
        CONTEXT_TEST(rows_stay_as_they_are_where_merging_is_cut_short),
        cmocka_unit_test(rows_are_gathered_only_until_then),
        CONTEXT_TEST(a_stopped_training_makes_its_threshold_of_few_distances),
        CONTEXT_TEST(such_a_threshold_is_near_that_of_all_rows),
        CONTEXT_TEST(thresholds_are_those_of_all_rows_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
