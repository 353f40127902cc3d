/* partan path */
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "human.h"
#include "interrupt.h"
#include "message.h"
#include "options.h"
#include "path_report.h"
#include "progress.h"
#include "runtime.h"
#include "settings.h"
#include "weights.h"

#define LEAST_POINTS 2
#define MOST_POINTS  10000

/* The library's settings, where --cost takes a range; without what has no meaning for many trainings. */
static const partan_option cost_option = {
    "cost",
    'c',
    PARTAN_OPTION_TEXT,
    "LO..HI",
    NULL,
    "0.1..100",
    0,
    0,
    "Smallest and largest C; the values between them are log-spaced. 1/C is added to the diagonal of the kernel "
    "matrix.",
};

static const partan_option *setting_option(size_t index)
{
    static const settings_change changes[] = {{"cost", &cost_option}, {"trace-rows", NULL}, {NULL, NULL}};
    return settings_option(changes, index);
}

/* ---- What was asked ---- */

static int choose_costs(invocation *run, path_run *at)
{
    const char *text = option_text(run, "cost") ? option_text(run, "cost") : cost_option.initial;
    partan_option_value value = {.integer = 20};
    option_value(run, "points", &value);
    at->count = (size_t)value.integer;
    at->costs = calloc(at->count, sizeof *at->costs);
    at->points = calloc(at->count, sizeof *at->points);
    if (!at->costs || !at->points)
        return failure(run, "out of memory");
    if (!grid_range(run, "cost", text, at->count, at->costs))
        return usage_error(run, "--cost takes two positive numbers LO..HI, the smaller one first, not '%s'", text);
    return EXIT_DONE;
}

/* PREFIX-01.model ... PREFIX-20.model; NULL when memory is out. */
static char *model_path(const path_run *at, const char *prefix, size_t index)
{
    int digits = snprintf(NULL, 0, "%zu", at->count);
    size_t size = strlen(prefix) + (size_t)digits + sizeof "-.model";
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s-%0*zu.model", prefix, digits, index + 1);
    return path;
}

static int name_models(invocation *run, path_run *at, const char *prefix)
{
    int code = EXIT_DONE;
    for (size_t i = 0; i < at->count && code == EXIT_DONE; i++) {
        at->points[i].model = model_path(at, prefix, i);
        code = at->points[i].model ? outfile_check_model(run, at->points[i].model) : failure(run, "out of memory");
    }
    return code;
}

static int prepare(invocation *run, path_run *at)
{
    static const char *const own[] = {"cost", NULL};
    const char *plot = option_text(run, "plot"), *models = option_text(run, "models"),
               *table = option_text(run, "table");
    at->data_path = run->arguments[0];
    at->test_path = option_text(run, "test");
    if (is_standard_output(table))
        return usage_error(run, "--table takes a file, not '-'");
    if (plot && strcmp(plot, "-") == 0 && (run->json || !run->quiet))
        return usage_error(run, "a plot to '-' needs standard output for itself: add --quiet, without --json");
    int code = settings_apply(run, own, &at->settings);
    if (code == EXIT_DONE)
        code = choose_costs(run, at);
    if (code == EXIT_DONE)
        code = outfile_check(run, plot);
    if (code == EXIT_DONE)
        code = outfile_check(run, table);
    return code == EXIT_DONE && models ? name_models(run, at, models) : code;
}

/* ---- The points ---- */

typedef struct walk {
    invocation *run;
    path_run *at;
} walk;

/* For so many decision values of each row. */
static bool make_room(path_run *at, size_t outputs)
{
    double *decision = realloc(at->decision, (partan_data_rows(at->test) + 1) * outputs * sizeof *decision);
    at->decision = decision ? decision : at->decision;
    return decision;
}

static int test_point(invocation *run, path_run *at, const partan_model *model, path_point *point)
{
    double start = seconds_now();
    if (!make_room(at, partan_model_outputs(model)))
        return failure(run, "out of memory for decision values");
    partan_evaluation_init(&point->test);
    partan_status status = partan_predict(run->context, model, at->test, at->decision);
    at->test_seconds += seconds_now() - start;
    if (status == PARTAN_OK)
        status = partan_evaluate(run->context, model, at->test, at->decision, NULL, NULL, &point->test);
    return status == PARTAN_OK || status == PARTAN_INTERRUPTED ? EXIT_DONE : library_failure(run, status);
}

static int write_point(invocation *run, const path_point *point, const partan_model *model)
{
    partan_model_format format = model_format(run);
    partan_status status = partan_model_write(run->context, model, point->model, format);
    return status == PARTAN_OK ? EXIT_DONE : library_failure(run, status);
}

static int take_point(void *user, size_t index, partan_model *model)
{
    invocation *run = ((walk *)user)->run;
    path_run *at = ((walk *)user)->at;
    path_point *point = &at->points[index];
    point->cost = at->costs[index];
    point->result = *partan_model_result(model);
    at->settings = *partan_model_settings(model);
    bool lacking = option_flag(run, "probability", false) && !partan_model_has_probability(model);
    if (option_given(run, "models"))
        at->code = write_point(run, point, model);
    if (at->code == EXIT_DONE && at->test && !interrupt_seen())
        at->code = test_point(run, at, model, point);
    partan_model_free(model);
    if (at->code != EXIT_DONE)
        return 1;
    at->done = index + 1;
    if (!run->json && !run->quiet) {
        progress_clear(run);
        path_report_row(at, point);
    }
    if (lacking)
        warning(run, "stopped before all folds were done: the model of C %g has no probabilities", point->cost);
    return interrupt_seen();
}

static int read_all(invocation *run, path_run *at)
{
    reading how = {.precomputed = at->settings.kernel == PARTAN_KERNEL_PRECOMPUTED,
                   .unlabelled = at->settings.problem == PARTAN_OUTLIER,
                   .weighted = true};
    double seconds = 0;
    int code = read_data(run, at->data_path, how, &at->data, &at->read_seconds);
    how.weighted = false;
    if (code == EXIT_DONE && at->test_path) {
        code = read_data(run, at->test_path, how, &at->test, &seconds);
        at->read_seconds += seconds;
    }
    if (code != EXIT_DONE || !at->test)
        return code;
    return EXIT_DONE;
}

static int work(invocation *run, path_run *at)
{
    walk user = {run, at};
    int code = read_all(run, at);
    if (code != EXIT_DONE)
        return code;
    if (!run->json && !run->quiet)
        path_report_head(at);
    at->status = partan_path(run->context, at->data, &at->settings, at->costs, at->count, take_point, &user);
    if (at->code != EXIT_DONE)
        return at->code;
    return at->status < 0 ? library_failure(run, at->status) : EXIT_DONE;
}

static int write_plot(invocation *run, const path_run *at, const char *path)
{
    partan_output out;
    int code = outfile_open(run, path, &out);
    if (code != EXIT_DONE)
        return code;
    path_plot(at, out.file);
    return outfile_commit(run, &out);
}

static int write_table(invocation *run, const path_run *at, const char *path)
{
    partan_output out;
    int code = outfile_open(run, path, &out);
    if (code != EXIT_DONE)
        return code;
    path_table(at, out.file);
    return outfile_commit(run, &out);
}

static int path(invocation *run)
{
    path_run at = {0};
    int code = prepare(run, &at);
    if (code == EXIT_DONE)
        code = work(run, &at);
    if (code == EXIT_DONE && option_given(run, "plot"))
        code = write_plot(run, &at, option_text(run, "plot"));
    if (code == EXIT_DONE && option_given(run, "table"))
        code = write_table(run, &at, option_text(run, "table"));
    if (code == EXIT_DONE && run->json)
        path_report_json(run, &at);
    else if (code == EXIT_DONE && !run->quiet)
        path_report_end(&at);
    if (code == EXIT_DONE)
        path_report_shortfall(run, &at);
    for (size_t i = 0; at.points && i < at.count; i++)
        free(at.points[i].model);
    partan_data_free(at.data);
    partan_data_free(at.test);
    free(at.decision);
    free(at.costs);
    free(at.points);
    return code;
}

/* clang-format off */
static const partan_option own_list[] = {
    {"points", 'n', PARTAN_OPTION_INTEGER, "N", NULL, "20", LEAST_POINTS, MOST_POINTS,
     "Number of values of C, including both ends."},
    {"test", 0, PARTAN_OPTION_TEXT, "DATA", NULL, NULL, 0, 0,
     "Test every model on this data and add the accuracy to the table."},
    OPTION_END,
};
static const partan_option list[] = {
    {"models", 0, PARTAN_OPTION_TEXT, "PREFIX", NULL, NULL, 0, 0,
     "Write all models: PREFIX-01.model, PREFIX-02.model and so on."},
    OPTION_MODEL_FORMAT("the models"),
    OPTION_FORCE,
    {"table", 0, PARTAN_OPTION_TEXT, "FILE", NULL, NULL, 0, 0,
     "Write the points to FILE as CSV; partan plot can draw it."},
    {"plot", 0, PARTAN_OPTION_TEXT, "FILE", NULL, NULL, 0, 0,
     "Plot the number of support vectors and, with --test, the accuracy against C, as SVG."},
    OPTION_JSON,
    OPTION_END,
};
/* clang-format on */
static const option_set path_set = {.title = "Path", .list = own_list};
static const option_set settings_set = {.title = "Training", .at = setting_option, .checked_later = true};
static const option_set output_set = {.title = "Output", .list = list};
static const option_set *const sets[] = {&path_set,    &settings_set, &training_weights_set, &reading_set, &output_set,
                                         &working_set, NULL};

const command path_command = {
    .name = "path",
    .arguments = "DATA",
    .summary = "Train for many values of C, for little more than the time of one.",
    .details =
        "Trains on DATA like partan train, for N values of C from LO to HI, and prints a row for each: objective, "
        "relative gap, support vectors, iterations, seconds and, with --test, the accuracy on other data. Every point "
        "has its own certificate.\n\nEach point starts from a combination of the previous ones, which works because C "
        "only appears on the diagonal of the kernel matrix. --max-iter applies to each point, --time-limit to the "
        "whole run.\n\n"
        "Ctrl-C (SIGINT), SIGTERM and SIGHUP stop the path early; the points so far are reported, and the exit "
        "status is 0. A second signal quits immediately.",
    .examples = "$ partan path --gamma 0.0652 --cost 0.1..100 --points 20 --test a9a.t a9a\n"
                "$ partan path --plot path.svg --models runs/a9a --json a9a > path.json",
    .sets = sets,
    .least = 1,
    .most = 1,
    .run = path,
};
