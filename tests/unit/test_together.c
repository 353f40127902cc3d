/* Judging a model together: processes that each have a part of the rows find what one finds that has all, to the last
 * bit, whatever the model is. Threads stand for the processes (hall.h). */
#include <math.h>

#include "failing.h"
#include "hall.h"
#include "svm/model/model.h"

enum { ROWS = 403, CLASSES = 5, BINS = 7, MOST_POINTS = 2 * ROWS };

/* What there is to be found. */
typedef struct findings {
    double decision[ROWS * CLASSES * 2];
    partan_status status, verified;
    partan_evaluation evaluation;
    uint64_t labelled, unknown;
    uint64_t confusion[CLASSES * CLASSES];
    partan_class_evaluation classes[CLASSES];
    partan_reliability_bin bins[BINS];
    partan_verification verification;
    double thresholds[MOST_POINTS];
    size_t points;
    char message[256];
} findings;

static void note_point(void *user, double threshold, uint64_t hits, uint64_t alarms)
{
    findings *f = user;
    assert_true(f->points < MOST_POINTS);
    f->thresholds[f->points++] = threshold + 10 * (double)hits + 1000 * (double)alarms;
}

static partan_status judge(partan_context *context, const partan_model *model, const partan_data *data,
                           double *decision, findings *f)
{
    partan_status status = partan_model_check_labels(context, model, data, &f->labelled, &f->unknown);
    if (!status)
        status = partan_predict(context, model, data, decision);
    if (!status)
        status = partan_evaluate(context, model, data, decision, note_point, f, &f->evaluation);
    if (!status && partan_model_class_count(model) > 0)
        status = partan_evaluate_classes(context, model, data, decision, f->confusion, f->classes, NULL, NULL);
    if (!status && model->calibrated)
        status = partan_reliability(context, model, data, decision, BINS, f->bins);
    return status;
}

static void find(partan_context *context, const partan_model *model, const partan_data *data, double *decision,
                 findings *f)
{
    partan_evaluation_init(&f->evaluation);
    partan_verification_init(&f->verification);
    f->status = judge(context, model, data, decision, f);
    snprintf(f->message, sizeof f->message, "%s", f->status ? partan_error(context) : "");
    f->verified = partan_verify(context, model, data, &f->verification);
}

typedef struct process {
    thread_comm comm;
    partan_context *context;
    partan_storage wanted;
    partan_data *part;
    const partan_model *model;
    double *decision; /* its part of what all have */
    findings found;
    pthread_t thread;
} process;

static void *work(void *user)
{
    process *p = user;
    assert_int_equal(pt_data_unify(p->context, &p->comm.comm, p->wanted, p->part), PARTAN_OK);
    p->context->comm = &p->comm.comm;
    find(p->context, p->model, p->part, p->decision, &p->found);
    p->context->comm = NULL;
    return NULL;
}

static process processes[MOST];

static void find_in(const partan_model *model, const partan_data *data, int size, const size_t *cuts, double *decision)
{
    static hall h;
    hall_open(&h, size);
    for (int i = 0; i < size; i++) {
        process *p = &processes[i];
        void *context;
        assert_int_equal(make_serial_context(&context), 0);
        *p = (process){.context = context, .wanted = data->matrix.storage, .model = model};
        p->comm = hall_comm(&h, i);
        p->part = part_of(context, data, cuts[i], cuts[i + 1]);
        p->decision = decision + cuts[i] * partan_model_outputs(model);
    }
    for (int i = 0; i < size; i++)
        assert_int_equal(pthread_create(&processes[i].thread, NULL, work, &processes[i]), 0);
    for (int i = 0; i < size; i++)
        pthread_join(processes[i].thread, NULL);
    for (int i = 0; i < size; i++) {
        partan_data_free(processes[i].part);
        partan_destroy(processes[i].context);
    }
    hall_close(&h);
}

static void assert_same_numbers(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_true(a[i] == b[i] || (isnan(a[i]) && isnan(b[i])));
}

static void assert_same_evaluation(const partan_evaluation *a, const partan_evaluation *b)
{
    assert_true(a->labelled == b->labelled && a->correct == b->correct && a->other == b->other);
    assert_memory_equal(a->confusion, b->confusion, sizeof a->confusion);
    double x[] = {a->accuracy, a->balanced_accuracy,
                  a->auc,      a->average_precision,
                  a->macro_f1, a->log_loss,
                  a->brier,    a->r2,
                  a->mse,      a->mae,
                  a->f1[0],    a->precision[1],
                  a->recall[0]};
    double y[] = {b->accuracy, b->balanced_accuracy,
                  b->auc,      b->average_precision,
                  b->macro_f1, b->log_loss,
                  b->brier,    b->r2,
                  b->mse,      b->mae,
                  b->f1[0],    b->precision[1],
                  b->recall[0]};
    assert_same_numbers(x, y, sizeof x / sizeof x[0]);
}

static void assert_same_findings(const findings *one, const process *p, size_t classes)
{
    const findings *f = &p->found;
    assert_int_equal(f->status, one->status);
    assert_string_equal(f->message, one->message);
    assert_true(f->status != PARTAN_OK || (f->labelled == one->labelled && f->unknown == one->unknown));
    if (f->status)
        return;
    assert_same_evaluation(&one->evaluation, &f->evaluation);
    assert_memory_equal(one->confusion, f->confusion, sizeof f->confusion);
    for (size_t i = 0; i < classes; i++) {
        assert_int_equal(one->classes[i].rows, f->classes[i].rows);
        assert_same_numbers(&one->classes[i].precision, &f->classes[i].precision, 3);
    }
    for (size_t i = 0; i < BINS; i++) {
        assert_true(one->bins[i].rows == f->bins[i].rows && one->bins[i].hits == f->bins[i].hits);
        assert_same_numbers(&one->bins[i].probability, &f->bins[i].probability, 1);
    }
    size_t points = p->comm.comm.rank == 0 ? one->points : 0; /* the first one is shown them */
    assert_int_equal(f->points, points);
    assert_same_numbers(f->thresholds, one->thresholds, points);
}

static void assert_same_audit(const findings *one, const findings *f)
{
    const partan_verification *a = &one->verification, *b = &f->verification;
    assert_int_equal(f->verified, one->verified);
    assert_same_numbers(&a->objective, &b->objective, 5);
    assert_true(a->feasible == b->feasible && a->matches == b->matches);
    assert_string_equal(a->reason, b->reason);
}

static const size_t shares[][MOST + 1] = {
    {0, ROWS}, {0, 100, ROWS}, {0, 1, 17, ROWS}, {0, 0, 90, 90, ROWS, ROWS}, {0, 200, 200, ROWS}};
static const int sizes[] = {1, 2, 3, 5, 3};

static void assert_same(partan_context *context, const partan_model *model, const partan_data *data)
{
    static findings one;
    static double decision[sizeof one.decision / sizeof one.decision[0]];
    size_t values = data->matrix.rows * partan_model_outputs(model);
    one = (findings){.points = 0};
    find(context, model, data, one.decision, &one);
    for (size_t k = 0; k < SOME_OF(5); k++) {
        find_in(model, data, sizes[k], shares[k], decision);
        assert_true(one.status != PARTAN_OK || memcmp(decision, one.decision, values * sizeof *decision) == 0);
        for (int i = 0; i < sizes[k]; i++) {
            assert_same_findings(&one, &processes[i], partan_model_class_count(model));
            assert_same_audit(&one, &processes[i].found);
        }
    }
}

static partan_model *trained(partan_context *context, const partan_data *data, const partan_settings *s)
{
    partan_model *model = NULL;
    assert_true(partan_train(context, data, s, NULL, &model) >= 0);
    return model;
}

/* ---- Tests ---- */

static float *value_at(partan_data *data, size_t row, size_t feature)
{
    pt_matrix *matrix = &data->matrix;
    assert_int_equal(matrix->storage, PARTAN_STORAGE_DENSE);
    return &matrix->dense[(row / PT_TILE * matrix->features + feature) * PT_TILE + row % PT_TILE];
}

/* A copy whose rows can be changed. */
static partan_data *dense_copy(const partan_data *data)
{
    partan_data *copy = NULL;
    pt_matrix dense = {0};
    int64_t rows[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        rows[i] = (int64_t)i;
    assert_int_equal(pt_data_gather(data, rows, ROWS, &copy), PARTAN_OK);
    assert_int_equal(pt_matrix_convert(&copy->matrix, PARTAN_STORAGE_DENSE, 0, &dense), PARTAN_OK);
    pt_matrix_free(&copy->matrix);
    copy->matrix = dense;
    return copy;
}

static void two_classes_are_judged_as_by_one_process(void **state)
{
    partan_data *data = generate(*state, "ringnorm", ROWS);
    for (int scale = PARTAN_SCALE_NONE; scale <= PARTAN_SCALE_STANDARD; scale++)
        for (int kernel = 0; kernel < 2; kernel++) {
            partan_settings s = defaults(PARTAN_SOLVER_AUTO);
            s.scale = (partan_scale)scale;
            s.kernel = kernel ? PARTAN_KERNEL_LINEAR : PARTAN_KERNEL_RBF;
            partan_model *model = trained(*state, data, &s);
            assert_same(*state, model, data);
            partan_model_free(model);
        }
    partan_data_free(data);
}

/* Some of which, scaled, are zeros and ones only, and would be packed if they were all. */
static void scaled_rows_have_the_storage_of_all(void **state)
{
    partan_data *bits = generate(*state, "onehot", ROWS), *data = dense_copy(bits);
    for (size_t i = 300; i < ROWS; i++) {
        *value_at(data, i, i % 7) = 0.3F;
        data->matrix.norms[i] = 0;
        for (size_t f = 0; f < data->matrix.features; f++)
            data->matrix.norms[i] += *value_at(data, i, f) * *value_at(data, i, f);
    }
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.scale = PARTAN_SCALE_MINMAX;
    partan_model *model = trained(*state, data, &s);
    assert_same(*state, model, data);
    partan_model_free(model);
    partan_data_free(data);
    partan_data_free(bits);
}

/* Classes that the rows' numbers say, some of them wrongly. */
static void set_classes(partan_data *data, size_t classes)
{
    for (size_t i = 0; i < data->matrix.rows; i++)
        data->labels[i] = data->labels[i] > 0 && i % 11 != 0 ? (double)(i % classes) : (double)classes - 1;
}

static void many_classes_are_judged_as_by_one_process(void **state)
{
    partan_data *data = generate(*state, "ringnorm", ROWS);
    set_classes(data, CLASSES);
    for (int way = 0; way < 2; way++)
        for (int probability = 0; probability < 2; probability++) {
            partan_settings s = defaults(PARTAN_SOLVER_AUTO);
            s.multiclass = way ? PARTAN_ONE_VS_REST : PARTAN_ONE_VS_ONE;
            s.probability = probability;
            s.tol = 0.3;
            partan_model *model = trained(*state, data, &s);
            assert_same(*state, model, data);
            partan_model_free(model);
        }
    partan_data_free(data);
}

static void probabilities_are_judged_as_by_one_process(void **state)
{
    partan_data *data = generate(*state, "ringnorm", ROWS);
    for (size_t i = 0; i < ROWS; i += 9)
        data->labels[i] = -data->labels[i];
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.probability = 1;
    partan_model *model = trained(*state, data, &s);
    assert_int_equal(partan_model_use_probability(model, 1), PARTAN_OK);
    assert_same(*state, model, data);
    partan_model_free(model);
    partan_data_free(data);
}

static void numbers_are_judged_as_by_one_process(void **state)
{
    partan_data *data = generate(*state, "friedman", ROWS);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.problem = PARTAN_REGRESSION;
    for (int large = 0; large < 2; large++) {
        s.gamma = large ? 1e-5 : 0.2; /* coefficients so large that a tolerance, by all rows, decides */
        s.cost = large ? 1e6 : 1;
        partan_model *model = trained(*state, data, &s);
        assert_same(*state, model, data);
        partan_model_free(model);
    }
    partan_data_free(data);
}

/* Of runs that end by themselves or are stopped, of which fewer rows make the threshold. */
static void outliers_are_judged_as_by_one_process(void **state)
{
    static const double outside[] = {0, 0.1, 0.99};
    partan_data *data = generate(*state, "ringnorm", ROWS);
    double weights[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        weights[i] = i < 17 || i % 5 == 0 ? 0 : 1 + 0.1 * (double)(i % 7);
    for (int weighted = 0; weighted < 2; weighted++) {
        for (size_t i = 0; i < 6; i++) {
            partan_settings s = defaults(PARTAN_SOLVER_AUTO);
            s.problem = PARTAN_OUTLIER;
            s.outliers = outside[i % 3];
            s.cost = weighted ? 0.01 : 1;
            s.kernel = i < 3 ? PARTAN_KERNEL_RBF : PARTAN_KERNEL_LINEAR;
            s.gamma = 0.02;
            partan_model *model = trained(*state, data, &s);
            assert_same(*state, model, data);
            model->result.status = PARTAN_TIME_LIMIT;
            model->features = 1 << 20; /* so many that half of the rows are too many */
            assert_same(*state, model, data);
            model->features = data->matrix.features;
            model->bias += 0.01;
            assert_same(*state, model, data);
            partan_model_free(model);
        }
        assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
    }
    partan_data_free(data);
}

/* Whose certificate is about all rows. */
static void few_support_vectors_are_judged_as_by_one_process(void **state)
{
    for (int kind = 0; kind < 4; kind++) {
        partan_problem problem = (partan_problem)(kind % 3);
        partan_data *data = generate(*state, problem == PARTAN_REGRESSION ? "friedman" : "ringnorm", ROWS);
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        s.problem = problem;
        s.cost = problem == PARTAN_OUTLIER ? 0.05 : 5;
        partan_model *whole, *few = NULL;
        partan_compress_options options;
        partan_compress_options_init(&options);
        options.max_sv = 20;
        if (kind == 3)
            set_classes(data, CLASSES);
        whole = trained(*state, data, &s);
        assert_int_equal(partan_compress(*state, whole, data, &options, &few, NULL), PARTAN_OK);
        assert_same(*state, few, data);
        few->result.gap *= 1.1;
        (kind == 3 ? few->machines[1] : few)->weights[0] *= 1.2;
        assert_same(*state, few, data);
        few->result.status = PARTAN_TIME_LIMIT; /* of which fewer rows make the certificate */
        assert_same(*state, few, data);
        partan_model_free(few);
        partan_model_free(whole);
        partan_data_free(data);
    }
}

/* Rows whose numbers are small beside those of the others: what their errors may be is a share of all numbers. */
static void numbers_are_as_precise_as_in_one_process(void **state)
{
    partan_data *data = generate(*state, "friedman", ROWS), *far = dense_copy(data);
    for (size_t i = 0; i < 100; i++)
        for (size_t f = 0; f < far->matrix.features; f++)
            *value_at(far, i, f) *= 3;
    for (size_t i = 0; i < 100; i++)
        far->matrix.norms[i] *= 9;
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.problem = PARTAN_REGRESSION;
    s.gamma = 0.5;
    partan_model *model = trained(*state, data, &s);
    assert_same(*state, model, far);
    partan_model_free(model);
    partan_data_free(far);
    partan_data_free(data);
}

static void rows_without_labels_and_ties_are_judged_as_by_one_process(void **state)
{
    partan_data *data = generate(*state, "ringnorm", ROWS), *few = NULL;
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_model *model = trained(*state, data, &s);
    int64_t rows[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        rows[i] = (int64_t)(i % 10);
    assert_int_equal(pt_data_gather(data, rows, ROWS, &few), PARTAN_OK);
    for (size_t i = 0; i < ROWS; i++)
        few->labels[i] = i % 7 == 0 ? (double)NAN : i % 13 == 0 ? 5 : i % 3 == 0 ? 1 : -1;
    assert_same(*state, model, few);
    for (size_t i = 0; i < ROWS; i++)
        few->labels[i] = i < 250 ? 5 : 6; /* which are no classes of the model */
    assert_same(*state, model, few);
    for (size_t i = 0; i < ROWS; i++)
        few->labels[i] = (double)NAN;
    assert_same(*state, model, few);
    partan_data_free(few);
    partan_model_free(model);
    partan_data_free(data);
}

static void the_longest_row_of_all_decides_the_form_of_the_kernel(void **state)
{
    partan_data *data = generate(*state, "ringnorm", ROWS), *longer = dense_copy(data);
    *value_at(longer, ROWS - 1, 0) = 100;
    longer->matrix.norms[ROWS - 1] = 10000;
    for (int many = 0; many < 2; many++) {
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        if (many)
            set_classes(data, CLASSES);
        partan_model *model = trained(*state, data, &s);
        assert_same(*state, model, longer);
        partan_model_free(model);
    }
    partan_data_free(longer);
    partan_data_free(data);
}

static void what_does_not_hold_is_found_as_by_one_process(void **state)
{
    partan_data *data = generate(*state, "ringnorm", ROWS);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_model *model = trained(*state, data, &s);
    size_t count = model->count;
    model->result.gap *= 2;
    assert_same(*state, model, data);
    model->result.gap /= 2;
    model->signs[0] = -model->signs[0]; /* of two that are wrong, the first one is told */
    model->signs[count - 1] = -model->signs[count - 1];
    assert_same(*state, model, data);
    model->signs[0] = -model->signs[0];
    model->signs[count - 1] = -model->signs[count - 1];
    model->weights[count / 2] *= 1.01;
    assert_same(*state, model, data);
    model->weights[count / 2] = -1;
    assert_same(*state, model, data);
    model->origin[count - 1] = model->origin[0]; /* a row of the first process as well as of the last */
    assert_same(*state, model, data);
    model->origin[count - 1] = ROWS;
    assert_same(*state, model, data);
    partan_model_free(model);
    partan_data_free(data);
}

static void weights_of_rows_count_as_in_one_process(void **state)
{
    partan_data *data = generate(*state, "ringnorm", ROWS);
    double weights[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        weights[i] = i < 17 || i % 3 == 0 ? 0 : 1 + 0.1 * (double)(i % 7);
    assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
    data->labels[3] = 77; /* which does not count */
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.balanced = 1;
    partan_model *model = trained(*state, data, &s);
    assert_same(*state, model, data);
    partan_model_free(model);
    partan_data_free(data);
}

static void a_failure_is_that_of_all(void **state)
{
    static double decision[2 * ROWS];
    partan_data *data = generate(*state, "ringnorm", ROWS);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.kernel = PARTAN_KERNEL_POLYNOMIAL;
    s.max_iter = 100;
    partan_model *model = trained(*state, data, &s);
    data->matrix.dense[0] = 1e38F; /* of the first process */
    find_in(model, data, 3, shares[2], decision);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(processes[i].found.status, PARTAN_ERROR_NUMERIC);
        assert_non_null(strstr(processes[i].found.message, "is not finite"));
    }
    partan_model_free(model);
    partan_data_free(data);
}

/* ---- Memory that runs out ---- */

static failing memory; /* of the second process */
static long failing_at;

static void *verify_with_memory(void *user)
{
    process *p = user;
    assert_int_equal(pt_data_unify(p->context, &p->comm.comm, p->wanted, p->part), PARTAN_OK);
    p->context->comm = &p->comm.comm;
    partan_verification_init(&p->found.verification);
    if (p == &processes[1])
        memory.fail_at = memory.count + failing_at;
    p->found.verified = partan_verify(p->context, p->model, p->part, &p->found.verification);
    p->context->comm = NULL;
    return NULL;
}

/* Returns whether the allocation was made. */
static bool verify_in_three(const partan_model *model, const partan_data *data)
{
    static hall h;
    hall_open(&h, 3);
    memory = (failing){0};
    for (int i = 0; i < 3; i++) {
        process *p = &processes[i];
        void *context = i == 1 ? failing_context(&memory) : NULL;
        if (i != 1)
            assert_int_equal(make_serial_context(&context), 0);
        *p = (process){.context = context, .wanted = data->matrix.storage, .model = model};
        p->comm = hall_comm(&h, i);
        p->part = part_of(context, data, shares[2][i], shares[2][i + 1]);
    }
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&processes[i].thread, NULL, verify_with_memory, &processes[i]), 0);
    for (int i = 0; i < 3; i++)
        pthread_join(processes[i].thread, NULL);
    bool reached = memory.count >= memory.fail_at;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(processes[i].found.verified, reached ? PARTAN_ERROR_MEMORY : PARTAN_OK);
        assert_true(reached || processes[i].found.verification.matches);
        partan_data_free(processes[i].part);
        partan_destroy(processes[i].context);
    }
    assert_int_equal(memory.alive, 0);
    hall_close(&h);
    return reached;
}

/* In one process: none of the others waits for it for ever. */
static void memory_that_runs_out_ends_all(void **state)
{
    for (int kind = 0; kind < 3; kind++) {
        partan_data *data = generate(*state, kind == PARTAN_REGRESSION ? "friedman" : "ringnorm", ROWS);
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        s.problem = (partan_problem)kind;
        s.cost = kind == PARTAN_OUTLIER ? 0.05 : 5;
        s.max_sv = 20;
        partan_model *few = trained(*state, data, &s);
        for (failing_at = 1; verify_in_three(few, data); failing_at++)
            assert_true(failing_at < 10000);
        partan_model_free(few);
        partan_data_free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(two_classes_are_judged_as_by_one_process),
        CONTEXT_TEST(scaled_rows_have_the_storage_of_all),
        CONTEXT_TEST(many_classes_are_judged_as_by_one_process),
        CONTEXT_TEST(probabilities_are_judged_as_by_one_process),
        CONTEXT_TEST(numbers_are_judged_as_by_one_process),
        CONTEXT_TEST(outliers_are_judged_as_by_one_process),
        CONTEXT_TEST(few_support_vectors_are_judged_as_by_one_process),
        CONTEXT_TEST(numbers_are_as_precise_as_in_one_process),
        CONTEXT_TEST(rows_without_labels_and_ties_are_judged_as_by_one_process),
        CONTEXT_TEST(the_longest_row_of_all_decides_the_form_of_the_kernel),
        CONTEXT_TEST(what_does_not_hold_is_found_as_by_one_process),
        CONTEXT_TEST(weights_of_rows_count_as_in_one_process),
        CONTEXT_TEST(a_failure_is_that_of_all),
        CONTEXT_TEST(memory_that_runs_out_ends_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
