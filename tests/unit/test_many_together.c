/* Models of more than two classes that processes train together, each with a part of the rows: those of one process
 * with all of them, to the last bit. Threads stand for the processes (hall.h). */
#include <math.h>
#include <stdio.h>

#include "files.h"
#include "same_model.h"

/* Labels that follow the first features, some of them wrong. */
static partan_data *make(partan_context *context, const char *kind, size_t classes)
{
    partan_data *data = generate(context, kind, ROWS);
    for (size_t i = 0; i < ROWS; i++)
        data->labels[i] = data->labels[i] > 0 && i % 11 != 0 ? (double)(i % classes) : (double)classes - 1;
    return data;
}

static partan_settings settings_of(partan_multiclass way)
{
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.multiclass = way;
    s.tol = 0.05;
    return s;
}

/* ---- Tests ---- */

static void machines_are_those_of_one_process(void **state)
{
    partan_data *data = make(*state, "ringnorm", 4);
    for (int way = 0; way < 2; way++) {
        partan_settings s = settings_of(way ? PARTAN_ONE_VS_REST : PARTAN_ONE_VS_ONE);
        assert_same(*state, data, &s, NULL);
        s.solver = PARTAN_SOLVER_SWAP;
        s.gamma_rule = PARTAN_GAMMA_SCALE;
        s.scale = PARTAN_SCALE_STANDARD;
        s.balanced = 1;
        assert_same(*state, data, &s, NULL);
    }
    partan_data_free(data);
}

/* Which are then in one process or two: of three, two know the class of the third one by hearsay. */
static void classes_may_be_in_one_process_only(void **state)
{
    partan_data *data = make(*state, "ringnorm", 4);
    partan_settings s = settings_of(PARTAN_ONE_VS_ONE);
    for (size_t i = 0; i < ROWS; i++)
        data->labels[i] = i < 17 ? 7 : i < 100 ? 3 : i < 300 ? -2.0 : 11;
    assert_same(*state, data, &s, NULL);
    s.multiclass = PARTAN_ONE_VS_REST;
    assert_same(*state, data, &s, NULL);
    partan_data_free(data);
}

static void storages_and_equal_rows(void **state)
{
    partan_data *bits = make(*state, "onehot", 3), *again = NULL;
    partan_settings s = settings_of(PARTAN_ONE_VS_ONE);
    assert_same(*state, bits, &s, NULL);
    int64_t rows[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        rows[i] = (int64_t)(i * 7 % 60);
    assert_int_equal(pt_data_gather(bits, rows, ROWS, &again), PARTAN_OK);
    assert_same(*state, again, &s, NULL);
    partan_data_free(again);
    partan_data_free(bits);
}

/* Some of weight 0, whose labels do not count: all of some processes. */
static void weights_of_rows_and_classes_count(void **state)
{
    static const partan_class_weight given[] = {{"1", 2.5}, {"3", 0.5}};
    partan_data *data = make(*state, "ringnorm", 4);
    double weights[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        weights[i] = i < 17 || i % 5 == 0 ? 0 : 1 + 0.1 * (double)(i % 7);
    data->labels[3] = 77;
    assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
    for (int way = 0; way < 2; way++) {
        partan_settings s = settings_of(way ? PARTAN_ONE_VS_REST : PARTAN_ONE_VS_ONE);
        s.class_weights = given;
        s.class_weight_count = 2;
        assert_same(*state, data, &s, NULL);
    }
    partan_data_free(data);
}

static void machines_start_from_those_of_a_model(void **state)
{
    partan_data *data = make(*state, "ringnorm", 4), *other = NULL;
    partan_train_options options;
    partan_train_options_init(&options);
    int64_t rows[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        rows[i] = (int64_t)(i * 3 % ROWS);
    assert_int_equal(pt_data_gather(data, rows, 200, &other), PARTAN_OK);
    for (int way = 0; way < 2; way++)
        for (int known = 0; known < 2; known++) {
            partan_settings s = settings_of(way ? PARTAN_ONE_VS_REST : PARTAN_ONE_VS_ONE);
            partan_model *start = NULL;
            s.tol = 0.5;
            assert_int_equal(partan_train(*state, known ? data : other, &s, NULL, &start), PARTAN_OK);
            s.tol = 0.02;
            options.start = start;
            assert_same(*state, data, &s, &options);
            partan_model_free(start);
        }
    partan_data_free(other);
    partan_data_free(data);
}

/* Of many classes, machines are trained by one process each, but for those of the greatest class; rows of equal values
 * and of weight 0, words and a scaling are theirs too. */
static void small_machines_are_those_of_one_process(void **state)
{
    partan_data *data = make(*state, "ringnorm", 9), *again = NULL;
    double weights[ROWS];
    int64_t rows[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        rows[i] = (int64_t)(i % 3 == 0 ? i / 2 : i);
        weights[i] = i % 5 == 0 ? 0 : 1 + 0.1 * (double)(i % 7);
    }
    partan_settings s = settings_of(PARTAN_ONE_VS_ONE);
    assert_same(*state, data, &s, NULL);
    assert_int_equal(pt_data_gather(data, rows, ROWS, &again), PARTAN_OK);
    assert_int_equal(partan_data_set_weights(*state, again, weights), PARTAN_OK);
    s.scale = PARTAN_SCALE_MINMAX;
    s.solver = PARTAN_SOLVER_PARTAN;
    s.balanced = 1;
    s.tol = 0.2;
    assert_same(*state, again, &s, NULL);
    partan_data_free(again);
    partan_data_free(data);
}

/* Rows of the last process are longer than those that others have. */
static void sparse_rows_of_any_length(void **state)
{
    char path[256];
    partan_read_options options;
    partan_data *data = NULL;
    partan_read_options_init(&options);
    options.storage = PARTAN_STORAGE_SPARSE;
    FILE *file = fopen(temporary_path(path, sizeof path, ".svm"), "w");
    assert_non_null(file);
    for (int i = 0; i < ROWS; i++) {
        fprintf(file, "%d", i % 3);
        for (int f = 1, length = i < 200 ? 2 : i < 390 ? 5 : 200; f <= length; f++)
            fprintf(file, " %d:%g", f * 3 - i % 3, 0.1 * (i * 7 % 13) + (f > 5 ? 0.01 : 1));
        fprintf(file, "\n");
    }
    fclose(file);
    assert_int_equal(partan_data_read(*state, path, &options, &data), PARTAN_OK);
    for (int way = 0; way < 2; way++) {
        partan_settings s = settings_of(way ? PARTAN_ONE_VS_REST : PARTAN_ONE_VS_ONE);
        s.solver = way ? PARTAN_SOLVER_AUTO : PARTAN_SOLVER_SWAP; /* whose passes meet rows of others */
        assert_same(*state, data, &s, NULL);
    }
    remove(path);
    partan_data_free(data);
}

/* Folds are dealt as by one process, rows held out judged by it, and sigmoids fitted to all of them. */
static void probabilities_are_those_of_one_process(void **state)
{
    static const double weights[] = {1, 0, 2, 0.5, 0, 3, 1};
    partan_data *data = make(*state, "ringnorm", 3);
    double of[ROWS];
    for (int way = 0; way < 2; way++) {
        partan_settings s = settings_of(way ? PARTAN_ONE_VS_REST : PARTAN_ONE_VS_ONE);
        s.probability = 1;
        s.probability_folds = way ? 5 : 3;
        assert_same(*state, data, &s, NULL);
        for (size_t i = 0; i < ROWS; i++)
            of[i] = i < 17 ? 0 : weights[i % 7];
        assert_int_equal(partan_data_set_weights(*state, data, of), PARTAN_OK);
        s.scale = PARTAN_SCALE_STANDARD;
    }
    for (size_t i = 0; i < ROWS; i++)
        data->labels[i] = data->labels[i] == 1 ? -1 : 1;
    partan_settings two = settings_of(PARTAN_ONE_VS_ONE);
    two.probability = 1;
    assert_same(*state, data, &two, NULL);
    partan_data_free(data);
}

/* Of training without end. */
static void assert_ended(partan_context *context, size_t classes, partan_settings s, partan_status expected)
{
    partan_data *data = make(context, "ringnorm", classes);
    s.tol = 1e-12;
    s.solver = PARTAN_SOLVER_FW;
    run(data, &s, NULL, 3, shares[0]);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(processes[i].status, expected);
        assert_true(processes[i].found.matches);
    }
    check_verified(context, processes[0].model, data);
    end(3);
    partan_data_free(data);
}

/* Machines that are left out for want of time have a row of each side, known to all, and a bound that holds. */
static void a_time_limit_leaves_machines_out(void **state)
{
    for (int way = 0; way < 3; way++) {
        partan_settings s = settings_of(way == 1 ? PARTAN_ONE_VS_REST : PARTAN_ONE_VS_ONE);
        s.time_limit = way == 2 ? 0.05 : 1e-9;
        assert_ended(*state, way == 2 ? 9 : 4, s, PARTAN_TIME_LIMIT);
    }
}

/* When a machine has been begun. */
static int interrupt(void *user, const partan_progress *progress)
{
    if (progress->point > 0)
        partan_interrupt(((process *)user)->context);
    return 0;
}

static void a_request_to_one_process_ends_all(void **state)
{
    interrupted = 2;
    interruption = interrupt;
    assert_ended(*state, 4, settings_of(PARTAN_ONE_VS_REST), PARTAN_INTERRUPTED);
    interrupted = 7; /* where each has machines of its own */
    assert_ended(*state, 9, settings_of(PARTAN_ONE_VS_ONE), PARTAN_INTERRUPTED);
    interrupted = 0;
}

static const char *checkpoint_path(void)
{
    static char path[256];
    return temporary_path(path, sizeof path, ".checkpoint");
}

/* By any number of processes, and by one that has all rows. */
static void checkpoints_are_gone_on_from(void **state)
{
    partan_data *data = make(*state, "ringnorm", 4);
    partan_settings s = settings_of(PARTAN_ONE_VS_ONE), few = s;
    partan_train_options options;
    partan_model *one = NULL;
    partan_train_options_init(&options);
    options.checkpoint = checkpoint_path();
    options.checkpoint_every = 0;
    few.max_iter = 30;
    run(data, &few, &options, 3, shares[0]);
    assert_int_equal(processes[0].status, PARTAN_ITERATION_LIMIT);
    int64_t before = processes[0].model->result.iterations;
    end(3);
    options.checkpoint = NULL;
    options.resume = checkpoint_path();
    run(data, &s, &options, 2, shares[1]);
    assert_int_equal(processes[1].status, PARTAN_OK);
    assert_true(processes[1].found.matches && processes[1].model->result.iterations > before);
    end(2);
    assert_int_equal(partan_train_with(*state, data, &s, &options, &one), PARTAN_OK);
    check_verified(*state, one, data);
    partan_model_free(one);
    remove(checkpoint_path());
    partan_data_free(data);
}

/* What is refused is refused by all, with the same sentence. */
static void assert_refused(const partan_data *data, const partan_settings *s, const char *part)
{
    run(data, s, NULL, 3, shares[0]);
    for (int i = 0; i < 3; i++) {
        assert_true(processes[i].status < 0);
        if (!strstr(partan_error(processes[i].context), part))
            fail_msg("%s", partan_error(processes[i].context));
    }
    end(3);
}

static void what_is_refused(void **state)
{
    static const partan_class_weight given[] = {{"5", 2.5}};
    partan_data *data = make(*state, "ringnorm", 4);
    partan_settings s = settings_of(PARTAN_ONE_VS_ONE);
    s.class_weights = given;
    s.class_weight_count = 1;
    assert_refused(data, &s, "found a weight for class '5'");
    s.class_weight_count = 0;
    data->labels[ROWS - 1] = (double)NAN;
    assert_refused(data, &s, "has no label");
    for (size_t i = 0; i < ROWS; i++)
        data->labels[i] = (double)i + 0.5;
    assert_refused(data, &s, "look like regression targets");
    partan_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(machines_are_those_of_one_process),
        CONTEXT_TEST(classes_may_be_in_one_process_only),
        CONTEXT_TEST(storages_and_equal_rows),
        CONTEXT_TEST(weights_of_rows_and_classes_count),
        CONTEXT_TEST(machines_start_from_those_of_a_model),
        CONTEXT_TEST(a_time_limit_leaves_machines_out),
        CONTEXT_TEST(a_request_to_one_process_ends_all),
        CONTEXT_TEST(checkpoints_are_gone_on_from),
        CONTEXT_TEST(what_is_refused),
        CONTEXT_TEST(small_machines_are_those_of_one_process),
        CONTEXT_TEST(sparse_rows_of_any_length),
        CONTEXT_TEST(probabilities_are_those_of_one_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
