/* partan complete */
#include <stdlib.h>

#include "complete_run.h"
#include "guard.h"
#include "human.h"
#include "interrupt.h"
#include "message.h"
#include "options.h"
#include "progress.h"
#include "ratings.h"
#include "runtime.h"
#include "settings.h"

#define CHOOSE_SHARE 0.7 /* of the time limit: the fit to all entries takes the rest */

SETTINGS_TABLE(matrix_table, partan_matrix_settings);

/* ---- Settings ---- */

static settings_kept kept[] = {
    {.name = "solver",
     .help =
         "Algorithm: corrective steps over the factors (auto), which is the fastest and keeps the rank low; or "
         "Frank-Wolfe (fw), with away steps (mfw), with pairwise steps (swap), or with parallel tangents (partan)."},
    {.name = "step"},
    {.name = "tol",
     .initial = "0.001",
     .help = "Stop when the relative gap is at most T: the gap divided by half the sum of the squared values after "
             "subtracting offsets. 0 turns this rule off, and so does --eps unless --tol is given too."},
    {.name = "eps"},
    {.name = "max-iter"},
    {.name = "time-limit",
     .help =
         "Stop after this many seconds; 0 means no limit. At most 70 % of the time is used for choosing the radius."},
    {.name = "seed", .help = "Random seed, for the held-out entries and the start of the certificate."},
    {.name = "trace-rows"},
    {.name = NULL},
};

static const partan_option *setting_option(size_t index)
{
    return settings_kept_option(kept, index);
}

/* ---- What was asked ---- */

static int choose_task(invocation *run, complete_run *at)
{
    at->path = option_flag(run, "path", false);
    at->choose = at->path || !(at->matrix_settings.radius > 0);
    if (at->path && at->matrix_settings.radius > 0)
        return usage_error(run, "--path tries many radii and cannot be combined with --radius");
    if (at->path && (run->argument_count > 1 || option_given(run, "init")))
        return usage_error(run, "--path writes no model and cannot be combined with MODEL or --init");
    if (option_given(run, "plot") && !at->choose)
        return usage_error(run, "--plot shows how the radius is chosen and cannot be combined with --radius");
    if (option_given(run, "trace") && at->choose)
        return usage_error(run, "--trace traces one fit and needs --radius");
    return EXIT_DONE;
}

static int check_outputs(invocation *run, const complete_run *at)
{
    const char *paths[] = {at->model_path, option_text(run, "plot")};
    bool table = at->choose && !run->quiet;
    int wanted = is_standard_output(paths[0]) + is_standard_output(paths[1]);
    if (wanted + (run->json || table) > 1)
        return usage_error(run, "only one output can go to standard output: a model, a plot, the table of radii (which "
                                "--quiet turns off) or JSON");
    int code = outfile_check_model(run, paths[0]);
    return code == EXIT_DONE ? outfile_check(run, paths[1]) : code;
}

static int read_matrix(invocation *run, complete_run *at)
{
    const char *path = option_text(run, "init");
    int code = path ? guard_file(run, path, FILE_START) : EXIT_DONE;
    if (!path || code != EXIT_DONE)
        return code;
    partan_status status = partan_matrix_read(run->context, path, &at->start);
    return status == PARTAN_OK ? EXIT_DONE : library_failure(run, status);
}

static int prepare(invocation *run, complete_run *at)
{
    at->data_path = run->arguments[0];
    int code = settings_table_apply(run, &matrix_table, &at->matrix_settings);
    if (code == EXIT_DONE)
        code = settings_kept_apply(run, kept, &at->settings);
    if (code == EXIT_DONE)
        code = choose_task(run, at);
    if (code == EXIT_DONE && !at->path)
        code = outfile_choose_model(run, at->data_path, &at->model_path, &at->own_path);
    if (code == EXIT_DONE)
        code = check_outputs(run, at);
    if (code == EXIT_DONE)
        code = read_matrix(run, at);
    if (code == EXIT_DONE && option_given(run, "trace"))
        code = trace_open(run, option_text(run, "trace"), &at->trace);
    return code;
}

/* ---- Work ---- */

typedef struct walk {
    invocation *run;
    complete_run *at;
} walk;

static int take_point(void *user, const partan_matrix_point *point)
{
    invocation *run = ((walk *)user)->run;
    complete_run *at = ((walk *)user)->at;
    at->points[at->done++] = *point;
    if (!run->json && !run->quiet) {
        progress_clear(run);
        if (at->done == 1)
            complete_report_head();
        complete_report_point(point);
    }
    return interrupt_seen();
}

static int choose_radius(invocation *run, complete_run *at)
{
    walk user = {run, at};
    partan_settings settings = at->settings;
    settings.time_limit *= at->path ? 1 : CHOOSE_SHARE;
    double start = seconds_now();
    at->points = calloc((size_t)at->matrix_settings.points, sizeof *at->points);
    if (!at->points)
        return failure(run, "out of memory");
    partan_matrix_point_init(&at->best);
    at->status =
        partan_matrix_choose(run->context, at->ratings, &settings, &at->matrix_settings, take_point, &user, &at->best);
    at->choose_seconds = seconds_now() - start;
    if (at->status < 0 || at->done == 0)
        return library_failure(run, at->status);
    at->matrix_settings.radius = at->best.radius;
    return EXIT_DONE;
}

static int fit(invocation *run, complete_run *at)
{
    if (at->settings.time_limit > 0 && at->choose_seconds > 0)
        at->settings.time_limit =
            at->settings.time_limit > at->choose_seconds ? at->settings.time_limit - at->choose_seconds : 1e-3;
    partan_status status =
        partan_matrix_fit(run->context, at->ratings, &at->settings, &at->matrix_settings, at->start, &at->matrix);
    if (status < 0)
        return library_failure(run, status);
    partan_status written = partan_matrix_write(run->context, at->matrix, at->model_path);
    progress_clear(run);
    return written == PARTAN_OK ? EXIT_DONE : failure(run, "%s", partan_error(run->context));
}

static int write_plot(invocation *run, const complete_run *at, const char *path)
{
    partan_output out;
    int code = outfile_open(run, path, &out);
    if (code != EXIT_DONE)
        return code;
    complete_plot(at, out.file);
    return outfile_commit(run, &out);
}

static int work(invocation *run, complete_run *at)
{
    int code = read_ratings(run, at->data_path, false, &at->ratings, &at->read_seconds);
    if (code == EXIT_DONE && at->choose)
        code = choose_radius(run, at);
    if (code == EXIT_DONE && !at->path)
        code = fit(run, at);
    if (code == EXIT_DONE)
        code = trace_commit(run);
    if (code == EXIT_DONE && option_given(run, "plot"))
        code = write_plot(run, at, option_text(run, "plot"));
    return code;
}

static void show(invocation *run, const complete_run *at)
{
    FILE *file = is_standard_output(at->model_path) || is_standard_output(option_text(run, "plot")) ? stderr : stdout;
    if (run->json)
        complete_report_json(run, at);
    else if (!run->quiet) {
        if (at->choose)
            complete_report_choice(at, file);
        if (at->matrix)
            complete_report_text(run, at, file);
    }
    complete_report_shortfall(run, at);
}

static int complete(invocation *run)
{
    complete_run at = {0};
    int code = prepare(run, &at);
    if (code == EXIT_DONE)
        code = work(run, &at);
    if (code == EXIT_DONE)
        show(run, &at);
    trace_abandon(run);
    free(at.points);
    partan_matrix_free(at.start);
    partan_matrix_free(at.matrix);
    partan_ratings_free(at.ratings);
    free(at.own_path);
    return code;
}

/* clang-format off */
static const partan_option task_list[] = {
    {"path", 0, PARTAN_OPTION_FLAG, NULL, NULL, NULL, 0, 0,
     "Only try the radii, without writing a model."},
    {"init", 0, PARTAN_OPTION_TEXT, "MODEL", NULL, NULL, 0, 0,
     "Initial matrix, with the same rows and columns."},
    OPTION_END,
};
static const partan_option list[] = {
    {"plot", 0, PARTAN_OPTION_TEXT, "FILE", NULL, NULL, 0, 0,
     "Plot the errors and the rank against the radius as SVG."},
    {"trace", 0, PARTAN_OPTION_TEXT, "FILE", NULL, NULL, 0, 0,
     "Write a trace of the iterations as CSV (.csv) or JSON lines (.jsonl, .json)."},
    OPTION_FORCE,
    OPTION_JSON,
    OPTION_END,
};
static const partan_option header_list[] = {
    {"header", 0, PARTAN_OPTION_FLAG, NULL, "no", NULL, 0, 0,
     "The first line is, or is not, a header. By default it is one if it has words where numbers are expected."},
    OPTION_END,
};
/* clang-format on */
static const option_set matrix_set = {.title = "Problem", .at = partan_matrix_settings_option, .checked_later = true};
static const option_set task_set = {.title = "Radii and starts", .list = task_list};
static const option_set settings_set = {.title = "Fitting", .at = setting_option, .checked_later = true};
static const option_set header_set = {.title = "Reading", .list = header_list};
static const option_set output_set = {.title = "Output", .list = list};
static const option_set *const sets[] = {&matrix_set, &task_set,   &settings_set, &ratings_set,
                                         &header_set, &output_set, &working_set,  NULL};

const command complete_command = {
    .name = "complete",
    .arguments = "RATINGS [MODEL]",
    .summary = "Complete a matrix with missing entries, with a certificate.",
    .details =
        "Fits a matrix X to RATINGS, the known entries of a matrix of users and items or of anything else: lists of "
        "row, column and value with any names for rows and columns, Matrix Market files, or tables with missing "
        "values; '-' is standard input. X minimises the sum of squared errors on the known entries, subject to a bound "
        "on its nuclear norm (the sum of its singular values), --radius; a smaller radius gives a lower rank. Without "
        "--radius, a fraction of the entries is held out, increasing radii are tried, starting where the rank is one, "
        "and X is fitted to all entries with the radius of smallest error. The model is written to MODEL as in partan "
        "train.\n\n"
        "The fit includes a bound on how far its objective is from the optimum, which partan verify recomputes. The "
        "bound is computed by Lanczos steps from a random vector and fails with probability 10^-9.\n\n"
        "partan predict ENTRIES MODEL predicts entries and, with --top N, lists the best columns of each row that have "
        "no entry yet. For an unknown row or column, the prediction is the overall mean plus the offset of the known "
        "one, if any.\n\n"
        "Ctrl-C (SIGINT), SIGTERM and SIGHUP stop the fit early; the current model is written with its true gap, and "
        "the exit status is 0. While radii are tried, the first signal skips to the fit with the best one so far. "
        "--max-iter and --time-limit work the same way, with a warning.",
    .examples = "$ partan complete ratings.txt\n$ partan complete --radius 5000 --max-rank 20 u.data\n"
                "$ partan complete --path --plot radii.svg ratings.txt\n"
                "$ partan complete --missing 99 --first-column skip jester.csv",
    .sets = sets,
    .least = 1,
    .most = 2,
    .run = complete,
};
