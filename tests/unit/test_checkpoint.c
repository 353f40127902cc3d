/* Checkpoints: a resumed training meets its target, whatever solver wrote them; machines that are done stay as they
 * were; what belongs to another training, or is damaged, is refused. */
#include "svm/checkpoint/checkpoint.h"

#include "files.h"
#include "training.h"

enum { ROWS = 400 };

static const char *checkpoint_path(void)
{
    static char path[256];
    return temporary_path(path, sizeof path, ".checkpoint");
}

static partan_train_options options_for(const char *checkpoint, const char *resume)
{
    partan_train_options options;
    partan_train_options_init(&options);
    assert_true(options.checkpoint_every == 60 && !options.checkpoint && !options.resume);
    options.checkpoint = checkpoint;
    options.checkpoint_every = 0;
    options.resume = resume;
    return options;
}

static partan_model *train_with(partan_context *context, const partan_data *data, const partan_settings *s,
                                const partan_train_options *options, partan_status expected)
{
    partan_model *model = NULL;
    partan_status status = partan_train_with(context, data, s, options, &model);
    if (status != expected)
        fail_msg("status %s: %s", partan_status_name(status), partan_error(context));
    return model;
}

/* A training of so many steps, which leaves a checkpoint. */
static int64_t begin(partan_context *context, const partan_data *data, partan_settings s, int64_t steps)
{
    partan_train_options options = options_for(checkpoint_path(), NULL);
    s.max_iter = steps;
    partan_model *model = train_with(context, data, &s, &options, PARTAN_ITERATION_LIMIT);
    int64_t iterations = partan_model_result(model)->iterations;
    partan_model_free(model);
    return iterations;
}

static partan_data *three_classes(partan_context *context)
{
    partan_data *data = generate(context, "ringnorm", ROWS);
    for (size_t i = 0; i < ROWS; i += 5)
        data->labels[i] = 7;
    return data;
}

static void resumed_trainings_meet_the_target(void **state)
{
    partan_data *data = generate(*state, "ringnorm", ROWS);
    for (int sampled = 0; sampled < 2; sampled++)
        FOR_EVERY_SOLVER(solver) {
            partan_settings s = defaults((partan_solver)solver);
            if (sampled && s.solver == PARTAN_SOLVER_AUTO)
                continue;
            s.tol = 0.05;
            s.sample = sampled ? 60 : 0;
            int64_t before = begin(*state, data, s, 40);
            partan_train_options options = options_for(NULL, checkpoint_path());
            partan_model *model = train_with(*state, data, &s, &options, PARTAN_OK);
            check_verified(*state, model, data);
            const partan_result *result = partan_model_result(model);
            assert_true(result->converged && result->relative_gap <= s.tol);
            assert_true(result->iterations > before);
            partan_model_free(model);
        }
    partan_data_free(data);
    unlink(checkpoint_path());
}

/* What is left to do is less than the whole: the weights are those of the run before. */
static void a_resumed_training_goes_on(void **state)
{
    partan_data *data = generate(*state, "ringnorm", ROWS);
    partan_settings s = defaults(PARTAN_SOLVER_SWAP);
    s.tol = 1e-3;
    partan_model *whole = train(*state, data, &s, NULL, PARTAN_OK);
    int64_t all = partan_model_result(whole)->iterations;
    begin(*state, data, s, all - 10);
    partan_train_options options = options_for(NULL, checkpoint_path());
    partan_model *model = train_with(*state, data, &s, &options, PARTAN_OK);
    assert_in_range(partan_model_result(model)->iterations, all - 10, all + 10);
    s.max_iter = all - 10; /* which is of all steps */
    partan_model_free(train_with(*state, data, &s, &options, PARTAN_ITERATION_LIMIT));
    partan_model_free(model);
    partan_model_free(whole);
    partan_data_free(data);
    unlink(checkpoint_path());
}

static void equal_rows_are_resumed_as_one(void **state)
{
    partan_data *data = generate(*state, "ringnorm", ROWS), *twice = NULL;
    int64_t rows[2 * ROWS];
    for (int64_t i = 0; i < 2 * ROWS; i++)
        rows[i] = i % ROWS;
    assert_int_equal(pt_data_gather(data, rows, 2 * ROWS, &twice), PARTAN_OK);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    begin(*state, twice, s, 40);
    partan_train_options options = options_for(NULL, checkpoint_path());
    partan_model *model = train_with(*state, twice, &s, &options, PARTAN_OK);
    check_verified(*state, model, twice);
    partan_model_free(model);
    partan_data_free(twice);
    partan_data_free(data);
    unlink(checkpoint_path());
}

static void regressions_are_resumed(void **state)
{
    partan_data *data = generate(*state, "ringnorm", ROWS);
    partan_settings s = defaults(PARTAN_SOLVER_SWAP);
    s.problem = PARTAN_REGRESSION;
    s.tol = 1e-3;
    for (size_t i = 0; i < ROWS; i++)
        data->labels[i] += 0.01 * (double)(i % 17);
    begin(*state, data, s, 40);
    partan_train_options options = options_for(NULL, checkpoint_path());
    partan_model *model = train_with(*state, data, &s, &options, PARTAN_OK);
    assert_true(partan_model_result(model)->relative_gap <= s.tol);
    partan_model_free(model);
    partan_data_free(data);
    unlink(checkpoint_path());
}

static void checkpoints_change_nothing(void **state)
{
    partan_data *data = generate(*state, "ringnorm", ROWS);
    FOR_EVERY_SOLVER(solver) {
        partan_settings s = defaults((partan_solver)solver);
        partan_train_options options = options_for(checkpoint_path(), NULL);
        partan_model *plain = train(*state, data, &s, NULL, PARTAN_OK);
        partan_model *kept = train_with(*state, data, &s, &options, PARTAN_OK);
        assert_same_model(plain, kept);
        partan_model_free(plain);
        partan_model_free(kept);
    }
    partan_data_free(data);
    unlink(checkpoint_path());
}

/* Of three machines, one needs fewer steps than the limit. */
static void machines_that_are_done_stay_as_they_are(void **state)
{
    partan_data *data = three_classes(*state);
    partan_settings s = defaults(PARTAN_SOLVER_SWAP);
    s.tol = 1e-3;
    partan_model *whole = train(*state, data, &s, NULL, PARTAN_OK);
    partan_machine one;
    partan_machine_init(&one);
    int64_t least = INT64_MAX, most = 0;
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(partan_model_machine(whole, i, &one), PARTAN_OK);
        least = one.result.iterations < least ? one.result.iterations : least;
        most = one.result.iterations > most ? one.result.iterations : most;
    }
    assert_true(least < most);
    begin(*state, data, s, least);
    char *text = file_contents(checkpoint_path(), NULL);
    assert_non_null(strstr(text, "\ndone yes\n"));
    assert_non_null(strstr(text, "\ndone no\n"));
    free(text);
    partan_train_options options = options_for(NULL, checkpoint_path());
    partan_model *model = train_with(*state, data, &s, &options, PARTAN_OK);
    check_verified(*state, model, data);
    size_t same = 0;
    for (size_t i = 0; i < 3; i++) {
        partan_machine other;
        partan_machine_init(&other);
        assert_int_equal(partan_model_machine(whole, i, &one), PARTAN_OK);
        assert_int_equal(partan_model_machine(model, i, &other), PARTAN_OK);
        same += one.result.objective == other.result.objective && one.result.gap == other.result.gap
                && one.result.iterations == other.result.iterations;
        assert_true(other.result.relative_gap <= s.tol);
    }
    assert_in_range(same, 1, 2);
    s.tol = 1e-5; /* by which none is done */
    partan_model *finer = train_with(*state, data, &s, &options, PARTAN_OK);
    assert_true(partan_model_result(finer)->relative_gap <= 1e-5);
    partan_model_free(finer);
    partan_model_free(model);
    partan_model_free(whole);
    partan_data_free(data);
    unlink(checkpoint_path());
}

static void refused(partan_context *context, const partan_data *data, const partan_settings *s, partan_status expected,
                    const char *words)
{
    partan_train_options options = options_for(NULL, checkpoint_path());
    assert_null(train_with(context, data, s, &options, expected));
    if (!strstr(partan_error(context), words))
        fail_msg("'%s' does not say '%s'", partan_error(context), words);
}

static void other_trainings_are_refused(void **state)
{
    partan_data *data = generate(*state, "ringnorm", ROWS), *other = generate(*state, "ringnorm", ROWS + 1);
    partan_data *many = three_classes(*state);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO), changed = s;
    begin(*state, data, s, 40);
    refused(*state, other, &s, PARTAN_ERROR_DATA, "on other data");
    refused(*state, many, &s, PARTAN_ERROR_DATA, "on other data");
    changed.cost = 3;
    refused(*state, data, &changed, PARTAN_ERROR_DATA, "found 'cost 10', expected 'cost 3'");
    changed = s;
    changed.balanced = 1;
    refused(*state, data, &changed, PARTAN_ERROR_DATA, "with other weights of classes");
    data->weights = pt_alloc(*state, ROWS, sizeof *data->weights);
    for (size_t i = 0; i < ROWS; i++)
        data->weights[i] = 1 + (double)(i % 2);
    refused(*state, data, &s, PARTAN_ERROR_DATA, "on other data");
    partan_train_options options = options_for(NULL, checkpoint_path());
    partan_model *start = train(*state, other, &s, NULL, PARTAN_OK);
    options.start = start;
    assert_null(train_with(*state, data, &s, &options, PARTAN_ERROR_ARGUMENT));
    options = options_for(checkpoint_path(), NULL);
    options.checkpoint_every = -1;
    assert_null(train_with(*state, data, &s, &options, PARTAN_ERROR_ARGUMENT));
    partan_model_free(start);
    partan_data_free(many);
    partan_data_free(other);
    partan_data_free(data);
    unlink(checkpoint_path());
}

/* Cut at any byte, or with a word changed. */
static void damaged_files_are_refused(void **state)
{
    static const char *const changes[][3] = {
        {"\nnumber 1\n", "\nnumber 2\n", "found machine 2"},
        {"\nvertices ", "\nvertices 9999", "which the file cannot have"},
        {"\nend\n", "\n1 0.5\nend\n", "expected the line 'end'"},
        {"\nseconds ", "\nseconds -", "the seconds spent so far"},
        {"\ndone no", "\ndone maybe", "the done, one of no yes"},
    };
    partan_data *data = generate(*state, "ringnorm", ROWS);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    begin(*state, data, s, 40);
    size_t size = 0;
    char *text = file_contents(checkpoint_path(), &size);
    for (size_t cut = 0; cut + 1 < size; cut += 1 + cut / 7) {
        char last = text[cut];
        text[cut] = '\0';
        make_file(checkpoint_path(), text);
        text[cut] = last;
        partan_train_options options = options_for(NULL, checkpoint_path());
        partan_model *model = NULL;
        partan_status status = partan_train_with(*state, data, &s, &options, &model);
        assert_true(status == PARTAN_ERROR_FORMAT || status == PARTAN_ERROR_DATA);
        assert_true(partan_error(*state)[0] && !model);
    }
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        const char *at = strstr(text, changes[i][0]);
        assert_non_null(at);
        char *changed = malloc(size + 64);
        snprintf(changed, size + 64, "%.*s%s%s", (int)(at - text), text, changes[i][1], at + strlen(changes[i][0]));
        make_file(checkpoint_path(), changed);
        refused(*state, data, &s, PARTAN_ERROR_FORMAT, changes[i][2]);
        free(changed);
    }
    free(text);
    partan_data_free(data);
    unlink(checkpoint_path());
}

static void note_warning(void *user, partan_log_level level, const char *message)
{
    if (level == PARTAN_LOG_WARNING && strstr(message, "no checkpoint: "))
        ++*(int *)user;
}

/* A folder that vanishes during training costs the checkpoint, not the training. */
static void a_checkpoint_that_cannot_be_written_is_a_warning(void **state)
{
    char folder[300], path[400];
    int warnings = 0;
    partan_callbacks callbacks;
    partan_callbacks_init(&callbacks);
    callbacks.log = note_warning;
    callbacks.user = &warnings;
    partan_data *data = generate(*state, "ringnorm", ROWS);
    partan_settings s = defaults(PARTAN_SOLVER_FW);
    snprintf(folder, sizeof folder, "%s.folder", checkpoint_path());
    snprintf(path, sizeof path, "%s/file", folder);
    partan_train_options options = options_for(path, NULL);
    assert_null(train_with(*state, data, &s, &options, PARTAN_ERROR_IO));
    pt_checkpoint_about about = pt_checkpoint_of(data, &s, s.gamma, 20, NULL, 0);
    pt_checkpoint checkpoint;
    pt_training t;
    options.checkpoint = checkpoint_path();
    assert_int_equal(pt_training_open(&t, *state, data, &s), PARTAN_OK);
    assert_int_equal(pt_checkpoint_open(&checkpoint, *state, &options, &about), PARTAN_OK);
    checkpoint.path = path;
    assert_int_equal(partan_set_callbacks(*state, &callbacks), PARTAN_OK);
    assert_int_equal(pt_checkpoint_solve(&checkpoint, 0, &t, NULL), PARTAN_OK);
    assert_true(t.solution.converged && warnings > 0);
    pt_checkpoint_close(&checkpoint);
    pt_training_close(&t);
    partan_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(resumed_trainings_meet_the_target),
        CONTEXT_TEST(a_resumed_training_goes_on),
        CONTEXT_TEST(equal_rows_are_resumed_as_one),
        CONTEXT_TEST(regressions_are_resumed),
        CONTEXT_TEST(checkpoints_change_nothing),
        CONTEXT_TEST(machines_that_are_done_stay_as_they_are),
        CONTEXT_TEST(other_trainings_are_refused),
        CONTEXT_TEST(damaged_files_are_refused),
        CONTEXT_TEST(a_checkpoint_that_cannot_be_written_is_a_warning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
