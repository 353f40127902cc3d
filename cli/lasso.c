/* partan lasso */
#include <stdlib.h>

#include "human.h"
#include "interrupt.h"
#include "lasso_run.h"
#include "message.h"
#include "options.h"
#include "progress.h"
#include "runtime.h"
#include "settings.h"

SETTINGS_TABLE(lasso_table, partan_lasso_settings);

/* ---- Settings ---- */

static settings_kept kept[] = {
    {.name = "solver",
     .help =
         "Algorithm: a working set with coordinate descent and Newton steps (auto); or, with --radius, Frank-Wolfe "
         "(fw), with away steps (mfw), with pairwise steps (swap), or with parallel tangents (partan). With --sample, "
         "auto means partan."},
    {.name = "step"},
    {.name = "tol",
     .initial = "1e-6",
     .help =
         "Stop when the relative gap, the gap divided by the objective at b = 0, is at most T. 0 turns this rule off, "
         "and so does --eps unless --tol is given too."},
    {.name = "eps"},
    {.name = "max-iter"},
    {.name = "time-limit", .help = "Stop after this many seconds; 0 means no limit."},
    {.name = "sample",
     .help =
         "Randomised iterations: search only N random features in each iteration (194 include one of the best 2 % with "
         "probability 0.98); 0 searches all features."},
    {.name = "stop",
     .help = "With --sample: before stopping, compute the gap over all features (confirmed), or rely on the samples "
             "(sampled)."},
    {.name = "further-samples"},
    {.name = "init",
     .help = "Starting point of the Frank-Wolfe methods: the vertex of the feature most correlated with the target, or "
             "of a random feature (--seed)."},
    {.name = "seed", .help = "Random seed, also for the folds of --cv."},
    {.name = "trace-rows"},
    {.name = NULL},
};

static const partan_option *setting_option(size_t index)
{
    return settings_kept_option(kept, index);
}

/* ---- What was asked ---- */

static int choose_task(invocation *run, lasso_run *at)
{
    at->path = option_flag(run, "path", false);
    at->cv = option_given(run, "cv") != NULL;
    int asked = (at->lasso.lambda > 0) + (at->lasso.radius > 0) + at->path + at->cv;
    if (asked != 1)
        return usage_error(run, "%s of --lambda, --radius, --path and --cv must be given",
                           asked == 0 ? "one" : "no more than one");
    if (option_given(run, "plot") && !at->path && !at->cv)
        return usage_error(run, "--plot needs --path or --cv");
    if (at->path && (run->argument_count > 1 || option_given(run, "coefficients")))
        return usage_error(run, "--path writes no model: choose a lambda, or let --cv choose it");
    if (at->path && at->lasso.points < 2)
        return usage_error(run, "--path needs 2 --points or more");
    at->count = (size_t)at->lasso.points;
    return EXIT_DONE;
}

/* Only one of them can have standard output. */
static int check_standard_output(invocation *run, const lasso_run *at)
{
    bool report = run->json || (!run->quiet && at->path);
    int wanted = is_standard_output(at->model_path) + is_standard_output(option_text(run, "coefficients"))
                 + is_standard_output(option_text(run, "plot"));
    if (wanted + report > 1)
        return usage_error(run,
                           "only one output can go to standard output: a model, coefficients, a plot, the table of a "
                           "path (which --quiet turns off) or JSON");
    return EXIT_DONE;
}

static int check_outputs(invocation *run, const lasso_run *at)
{
    const char *paths[] = {option_text(run, "coefficients"), option_text(run, "plot")};
    int code = check_standard_output(run, at);
    if (code == EXIT_DONE)
        code = outfile_check_model(run, at->model_path);
    return code == EXIT_DONE ? outfile_check_all(run, paths, 2, at->data_path) : code;
}

static int prepare(invocation *run, lasso_run *at)
{
    at->data_path = run->arguments[0];
    int code = settings_table_apply(run, &lasso_table, &at->lasso);
    if (code == EXIT_DONE)
        code = settings_kept_apply(run, kept, &at->settings);
    if (code == EXIT_DONE)
        code = choose_task(run, at);
    if (code == EXIT_DONE && !at->path)
        code = outfile_choose_model(run, at->data_path, &at->model_path, &at->own_path);
    if (code == EXIT_DONE)
        code = check_outputs(run, at);
    if (code == EXIT_DONE && option_given(run, "trace"))
        code = trace_open(run, option_text(run, "trace"), &at->trace);
    return code;
}

/* ---- Paths ---- */

typedef struct walk {
    invocation *run;
    lasso_run *at;
} walk;

static int keep_coefficients(lasso_point *point, const partan_lasso *model)
{
    size_t count = (size_t)point->result.nonzeros;
    point->features = malloc((count + 1) * sizeof *point->features);
    point->values = malloc((count + 1) * sizeof *point->values);
    for (size_t i = 0; i < count && point->features && point->values; i++)
        partan_lasso_coefficient(model, i, &point->features[i], &point->values[i], NULL);
    return point->features && point->values ? EXIT_DONE : EXIT_FAILED;
}

static int take_point(void *user, size_t index, partan_lasso *model)
{
    invocation *run = ((walk *)user)->run;
    lasso_run *at = ((walk *)user)->at;
    lasso_point *point = &at->points[index];
    point->result = *partan_lasso_get_result(model);
    if (option_given(run, "plot") && keep_coefficients(point, model) != EXIT_DONE)
        at->code = failure(run, "out of memory");
    partan_lasso_free(model);
    if (at->code != EXIT_DONE)
        return 1;
    at->done = index + 1;
    if (!run->json && !run->quiet) {
        progress_clear(run);
        lasso_report_point(at, index);
    }
    return interrupt_seen();
}

static int run_path(invocation *run, lasso_run *at)
{
    walk user = {run, at};
    at->points = calloc(at->count, sizeof *at->points);
    if (!at->points)
        return failure(run, "out of memory");
    if (!run->json && !run->quiet)
        lasso_report_head(at);
    at->status = partan_lasso_path(run->context, at->data, &at->lasso, &at->settings, NULL, 0, take_point, &user);
    if (at->code != EXIT_DONE)
        return at->code;
    return at->status < 0 ? library_failure(run, at->status) : EXIT_DONE;
}

/* ---- Cross-validation and fits ---- */

static void take_error(void *user, size_t index, const partan_lasso_cv_point *point)
{
    ((lasso_run *)user)->errors[index] = *point;
}

/* Sets the lambda that the model is fitted at. */
static int cross_validate(invocation *run, lasso_run *at)
{
    at->errors = calloc(at->count, sizeof *at->errors);
    if (!at->errors)
        return failure(run, "out of memory");
    double start = seconds_now();
    partan_lasso_cv_result_init(&at->chosen);
    partan_status status =
        partan_lasso_cv(run->context, at->data, &at->lasso, &at->settings, take_error, at, &at->chosen);
    progress_clear(run);
    at->cv_seconds = seconds_now() - start;
    if (status == PARTAN_TIME_LIMIT)
        return failure(run, "stopped by --time-limit before cross-validation was finished: no lambda was chosen");
    if (status != PARTAN_OK && status != PARTAN_ITERATION_LIMIT)
        return library_failure(run, status);
    at->choice = option_choice(run, "choose", 0) == 0 ? at->chosen.best : at->chosen.one_standard_error;
    at->lasso.lambda = at->errors[at->choice].lambda;
    return EXIT_DONE;
}

static int fit(invocation *run, lasso_run *at)
{
    at->status = partan_lasso_fit(run->context, at->data, &at->lasso, &at->settings, &at->model);
    progress_clear(run);
    if (at->status < 0)
        return library_failure(run, at->status);
    partan_status written = partan_lasso_write(run->context, at->model, at->model_path);
    return written == PARTAN_OK ? EXIT_DONE : failure(run, "%s", partan_error(run->context));
}

static int write_plot(invocation *run, const lasso_run *at, const char *path)
{
    partan_output out;
    int code = outfile_open(run, path, &out);
    if (code != EXIT_DONE)
        return code;
    lasso_plot(at, out.file);
    return outfile_commit(run, &out);
}

static int work(invocation *run, lasso_run *at)
{
    int code = read_data(run, at->data_path, (reading){0}, &at->data, &at->read_seconds);
    if (code == EXIT_DONE && partan_data_has_weights(at->data))
        warning(run, "%s: the Lasso does not use weights of rows; they are ignored", at->data_path);
    if (code == EXIT_DONE && at->path)
        code = run_path(run, at);
    if (code == EXIT_DONE && at->cv)
        code = cross_validate(run, at);
    if (code == EXIT_DONE && !at->path)
        code = fit(run, at);
    if (code == EXIT_DONE)
        code = trace_commit(run);
    if (code == EXIT_DONE && option_given(run, "coefficients"))
        code = lasso_write_coefficients(run, at, option_text(run, "coefficients"));
    if (code == EXIT_DONE && option_given(run, "plot"))
        code = write_plot(run, at, option_text(run, "plot"));
    return code;
}

static void show(invocation *run, const lasso_run *at)
{
    bool taken = is_standard_output(at->model_path) || is_standard_output(option_text(run, "coefficients"))
                 || is_standard_output(option_text(run, "plot"));
    FILE *file = taken ? stderr : stdout;
    if (run->json)
        lasso_report_json(run, at);
    else if (!run->quiet && at->path)
        lasso_report_path_end(at);
    else if (!run->quiet) {
        if (at->cv)
            lasso_report_cv(at, file);
        lasso_report_text(run, at, file);
    }
    lasso_report_shortfall(run, at);
}

static int lasso(invocation *run)
{
    lasso_run at = {0};
    int code = prepare(run, &at);
    if (code == EXIT_DONE)
        code = work(run, &at);
    if (code == EXIT_DONE)
        show(run, &at);
    trace_abandon(run);
    for (size_t i = 0; at.points && i < at.count; i++) {
        free(at.points[i].features);
        free(at.points[i].values);
    }
    free(at.points);
    free(at.errors);
    partan_lasso_free(at.model);
    partan_data_free(at.data);
    free(at.own_path);
    return code;
}

/* clang-format off */
static const partan_option task_list[] = {
    {"path", 0, PARTAN_OPTION_FLAG, NULL, NULL, NULL, 0, 0,
     "Fit for --points values of lambda, from the smallest one at which all coefficients are 0 down to --ratio times "
     "that."},
    {"choose", 0, PARTAN_OPTION_CHOICE, "RULE", "best|1se", "best", 0, 0,
     "With --cv: fit with the lambda of smallest error, or with the largest one within one standard error of it."},
    OPTION_END,
};
static const partan_option list[] = {
    {"coefficients", 0, PARTAN_OPTION_TEXT, "FILE", NULL, NULL, 0, 0,
     "Write the nonzero coefficients as CSV: feature (from 1; 0 is the intercept), name, coefficient."},
    {"plot", 0, PARTAN_OPTION_TEXT, "FILE", NULL, NULL, 0, 0,
     "Plot the coefficients along --path, or the error of --cv, as SVG."},
    {"trace", 0, PARTAN_OPTION_TEXT, "FILE", NULL, NULL, 0, 0,
     "Write a trace of the iterations as CSV (.csv) or JSON lines (.jsonl, .json)."},
    OPTION_FORCE,
    OPTION_JSON,
    OPTION_END,
};
/* clang-format on */
static const option_set lasso_set = {.title = "Problem", .at = partan_lasso_settings_option, .checked_later = true};
static const option_set task_set = {.title = "Paths and choices", .list = task_list};
static const option_set settings_set = {.title = "Fitting", .at = setting_option, .checked_later = true};
static const option_set output_set = {.title = "Output", .list = list};
static const option_set *const sets[] = {&lasso_set,  &task_set,    &settings_set, &unweighted_reading_set,
                                         &output_set, &working_set, NULL};

const command lasso_command = {
    .name = "lasso",
    .arguments = "DATA [MODEL]",
    .summary = "Fit a linear model with few coefficients (Lasso), with a certificate.",
    .details =
        "Fits y = b0 + Xb to DATA, whose labels are the target y, by least squares; the sum of |b_j| is penalised by "
        "--lambda or bounded by --radius, and measured in units of the features' standard deviations unless "
        "--no-standardise is given. --path fits for many values of lambda, --cv chooses one by cross-validation. The "
        "model is written to MODEL as in partan train.\n\n"
        "Every fit includes a bound on how far its objective is from the optimum, which partan verify recomputes. With "
        "n rows the objective is 1/(2n) |y - b0 - Xb|^2 + lambda |b|_1, as in glmnet and "
        "scikit-learn, "
        "or 1/2 |y - b0 - Xb|^2 with a radius; the relative gap is relative to the objective at b = 0.\n\n"
        "Ctrl-C (SIGINT), SIGTERM and SIGHUP stop the fit early; the current model is written with its true gap, and "
        "the exit status is 0. --max-iter and --time-limit work the same way, with a warning.",
    .examples =
        "$ partan lasso --lambda 0.1 genes.csv\n$ partan lasso --radius 5 --solver partan --sample 194 big.svm\n"
        "$ partan lasso --path --plot path.svg genes.csv\n"
        "$ partan lasso --cv 10 --choose 1se --coefficients b.csv genes.csv genes.model",
    .sets = sets,
    .least = 1,
    .most = 2,
    .run = lasso,
};
