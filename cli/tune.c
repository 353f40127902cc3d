/* partan tune */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "human.h"
#include "interrupt.h"
#include "message.h"
#include "options.h"
#include "outfile.h"
#include "progress.h"
#include "runtime.h"
#include "settings.h"
#include "tune_plot.h"
#include "tune_report.h"
#include "tune_table.h"

#define LEAST_POINTS 2
#define MOST_POINTS  1000
#define MOST_FOLDS   1000
#define SMALL        1e-6

/* The library's settings, where --cost and --gamma take several values. */
static const partan_option cost_option = {
    "cost",
    'c',
    PARTAN_OPTION_TEXT,
    "LIST",
    NULL,
    "0.1..100",
    0,
    0,
    "Costs of errors C to try: LO..HI for --points of them, log-spaced, or a list like 0.1,1,10. 1/C is added to the "
    "diagonal of the kernel matrix.",
};
static const partan_option gamma_option = {
    "gamma",
    'g',
    PARTAN_OPTION_TEXT,
    "LIST",
    NULL,
    "auto",
    0,
    0,
    "Coefficients of the kernel to try: LO..HI for --gamma-points of them, log-spaced, or a list. auto (1 / mean "
    "squared "
    "distance of two rows) and scale (1 / (features x variance)), of all rows, may have a factor before them: "
    "0.1auto..10auto.",
};

static const partan_option *setting_option(size_t index)
{
    static const settings_change changes[] = {
        {"cost", &cost_option}, {"gamma", &gamma_option}, {"trace-rows", NULL}, {NULL, NULL}};
    return settings_option(changes, index);
}

/* ---- What was asked ---- */

static int choose_costs(invocation *run, tuning *at)
{
    const char *text = option_text(run, "cost") ? option_text(run, "cost") : cost_option.initial;
    partan_option_value points = {.integer = 10};
    bool spaced = option_value(run, "points", &points), range = strstr(text, "..") != NULL;
    if (spaced && !range)
        return usage_error(run, "--points goes with a range of costs, LO..HI, not with the list '%s'", text);
    at->options.cost_count = (size_t)points.integer;
    if (range) {
        at->costs = calloc(at->options.cost_count, sizeof *at->costs);
        if (!at->costs)
            return failure(run, "out of memory");
        range = grid_range(run, "cost", text, at->options.cost_count, at->costs);
    } else {
        at->options.cost_count = grid_list(run, "cost", text, &at->costs);
        range = at->options.cost_count > 0;
    }
    at->options.costs = at->costs;
    if (!range)
        return usage_error(run, "--cost takes LO..HI, the smaller one first, or a list of positive numbers, not '%s'",
                           text);
    return EXIT_DONE;
}

static int choose_gammas(invocation *run, tuning *at)
{
    const char *text = option_text(run, "gamma") ? option_text(run, "gamma") : gamma_option.initial;
    partan_option_value points = {.integer = 7};
    bool spaced = option_value(run, "gamma-points", &points);
    at->gamma_points = (size_t)points.integer;
    if (!gamma_grid_parse(run, text, &at->grid))
        return usage_error(run,
                           "--gamma takes LO..HI or a list, of positive numbers and of auto and scale with a factor "
                           "before them, as in 0.1auto, not '%s'",
                           text);
    if (spaced && !at->grid.range)
        return usage_error(run, "--gamma-points goes with a range of gammas, LO..HI, not with '%s'", text);
    if ((at->grid.range || at->grid.count > 1) && !partan_kernel_uses(at->settings.kernel, "gamma"))
        return usage_error(run, "--gamma takes one value only with kernel %s, which does not depend on it",
                           partan_kernel_name(at->settings.kernel));
    return EXIT_DONE;
}

static int choose_testing(invocation *run, tuning *at)
{
    partan_option_value value;
    if (option_given(run, "folds") && option_given(run, "validation"))
        return usage_error(run, "--folds and --validation exclude each other");
    if (option_value(run, "validation", &value))
        at->options.validation = value.real;
    if (option_value(run, "folds", &value))
        at->options.folds = (size_t)value.integer;
    at->options.score = (partan_score)option_choice(run, "score", PARTAN_SCORE_ACCURACY);
    at->options.seed = at->settings.seed;
    return EXIT_DONE;
}

static int check_outputs(invocation *run, tuning *at)
{
    const char *plot = option_text(run, "plot");
    at->table_path = option_text(run, "table");
    const char *const outputs[] = {at->table_path, plot};
    if (is_standard_output(at->table_path))
        return usage_error(run, "--table takes a file, which can be resumed from, not '-'");
    if (is_standard_output(plot) && (run->json || !run->quiet))
        return usage_error(run, "a plot to '-' needs standard output for itself: add --quiet, without --json");
    int code = outfile_check_all(run, outputs, 2, at->data_path);
    return code == EXIT_DONE && at->table_path && plot ? outfile_protect(run, plot, at->table_path) : code;
}

static int prepare(invocation *run, tuning *at)
{
    static const char *const own[] = {"cost", "gamma", NULL};
    at->data_path = run->arguments[0];
    partan_tune_options_init(&at->options);
    int code = settings_apply(run, own, &at->settings);
    if (code == EXIT_DONE)
        code = choose_costs(run, at);
    if (code == EXIT_DONE)
        code = choose_gammas(run, at);
    if (code == EXIT_DONE)
        code = choose_testing(run, at);
    return code == EXIT_DONE ? check_outputs(run, at) : code;
}

/* The grid on this data, and what of it is known already. */
static int prepare_points(invocation *run, tuning *at)
{
    int code =
        gamma_grid_resolve(run, &at->grid, at->gamma_points, &at->settings, at->data, &at->gammas, &at->gamma_count);
    if (code != EXIT_DONE)
        return code;
    at->count = at->options.cost_count * at->gamma_count;
    at->points = calloc(at->count, sizeof *at->points);
    at->ready = calloc(at->count, sizeof *at->ready);
    if (!at->points || !at->ready)
        return failure(run, "out of memory");
    return at->table_path ? tune_table_resume(run, at) : EXIT_DONE;
}

/* ---- The points ---- */

typedef struct walk {
    invocation *run;
    tuning *at;
    size_t gamma; /* the one under way */
    size_t next;  /* cost */
} walk;

static void show(invocation *run, const tuning *at, const partan_tune_point *point, bool first)
{
    if (run->json || run->quiet)
        return;
    progress_clear(run);
    if (first)
        tune_report_head(at);
    tune_report_row(at, point);
}

static int take_point(void *user, const partan_tune_point *point)
{
    walk *w = user;
    tuning *at = w->at;
    size_t place = w->gamma * at->options.cost_count + w->next++;
    at->points[place] = *point;
    at->ready[place] = true;
    show(w->run, at, point, at->done++ == 0);
    return interrupt_seen();
}

static void show_resumed(invocation *run, const tuning *at)
{
    size_t shown = 0;
    for (size_t i = 0; i < at->count; i++)
        if (at->ready[i])
            show(run, at, &at->points[i], shown++ == 0);
    if (at->resumed > 0 && !run->quiet)
        note(run, "%zu of %zu points are taken over from %s", at->resumed, at->count, at->table_path);
}

/* One gamma, and the table with it. */
static int tune_gamma(invocation *run, tuning *at, size_t gamma)
{
    walk user = {run, at, gamma, 0};
    bool used = partan_kernel_uses(at->settings.kernel, "gamma");
    at->options.gammas = used ? &at->gammas[gamma] : NULL;
    at->options.gamma_count = used;
    partan_status status =
        partan_tune(run->context, at->data, &at->settings, &at->options, take_point, &user, &at->best);
    at->status = status < 0 || !at->status ? status : at->status;
    if (status < 0)
        return library_failure(run, status);
    if (at->status == PARTAN_INTERRUPTED || at->status == PARTAN_TIME_LIMIT)
        return EXIT_DONE;
    return at->table_path ? tune_table_write(run, at) : EXIT_DONE;
}

static int tune_all(invocation *run, tuning *at)
{
    int code = EXIT_DONE;
    double limit = at->settings.time_limit, start = seconds_now();
    for (size_t g = 0; g < at->gamma_count && code == EXIT_DONE; g++) {
        if (at->ready[g * at->options.cost_count])
            continue;
        if (limit > 0)
            at->settings.time_limit = fmax(limit - (seconds_now() - start), 1e-9);
        code = tune_gamma(run, at, g);
        if (at->status == PARTAN_INTERRUPTED || at->status == PARTAN_TIME_LIMIT)
            break;
    }
    at->settings.time_limit = limit;
    at->seconds = seconds_now() - start;
    return code;
}

static int work(invocation *run, tuning *at)
{
    reading how = {.precomputed = at->settings.kernel == PARTAN_KERNEL_PRECOMPUTED};
    int code = read_data(run, at->data_path, how, &at->data, &at->read_seconds);
    if (code == EXIT_DONE)
        code = prepare_points(run, at);
    if (code != EXIT_DONE)
        return code;
    show_resumed(run, at);
    return tune_all(run, at);
}

static int write_plot(invocation *run, const tuning *at, const char *path)
{
    partan_output out;
    size_t count = 0;
    partan_tune_point *done = malloc(at->count * sizeof *done);
    int code = done ? outfile_open(run, path, &out) : failure(run, "out of memory");
    if (code == EXIT_DONE) {
        for (size_t i = 0; i < at->count; i++)
            if (at->ready[i])
                done[count++] = at->points[i];
        bool well = tune_plot(done, count, tune_score_title(at), out.file);
        code = outfile_commit(run, &out);
        if (!well)
            code = failure(run, "out of memory");
    }
    free(done);
    return code;
}

static void report(invocation *run, tuning *at)
{
    const partan_tune_point *best = tune_best(at);
    if (best)
        at->best = *best;
    if (run->json)
        tune_report_json(run, at);
    else if (!run->quiet)
        tune_report_end(run, at);
    tune_report_shortfall(run, at);
}

static int tune(invocation *run)
{
    tuning at = {0};
    int code = prepare(run, &at);
    if (code == EXIT_DONE)
        code = work(run, &at);
    if (code == EXIT_DONE && option_given(run, "plot") && at.done > 0)
        code = write_plot(run, &at, option_text(run, "plot"));
    if (code == EXIT_DONE)
        report(run, &at);
    partan_data_free(at.data);
    gamma_grid_free(&at.grid);
    free(at.costs);
    free(at.gammas);
    free(at.points);
    free(at.ready);
    return code;
}

/* clang-format off */
static const partan_option own_list[] = {
    {"validation", 0, PARTAN_OPTION_REAL, "SHARE", NULL, "0.3", SMALL, 1 - SMALL,
     "Share of the rows to hold out and test on, drawn with the seed, the same share of each class."},
    {"folds", 0, PARTAN_OPTION_INTEGER, "N", NULL, NULL, 2, MOST_FOLDS,
     "Cross-validate with N folds instead of one split: N times the work, and every row is tested on."},
    {"score", 0, PARTAN_OPTION_CHOICE, "NAME", "accuracy|balanced|f1|auc", "accuracy", 0, 0,
     "What the best point has the most of: accuracy, balanced accuracy, F1 of the positive class, or AUC."},
    {"points", 'n', PARTAN_OPTION_INTEGER, "N", NULL, "10", LEAST_POINTS, MOST_POINTS,
     "Number of costs in a range, both ends included."},
    {"gamma-points", 0, PARTAN_OPTION_INTEGER, "N", NULL, "7", LEAST_POINTS, MOST_POINTS,
     "Number of gammas in a range, both ends included."},
    OPTION_END,
};
static const partan_option list[] = {
    {"table", 0, PARTAN_OPTION_TEXT, "FILE", NULL, NULL, 0, 0,
     "Write the points to FILE as CSV, gamma by gamma. If FILE is there from a tuning of the same data with the same "
     "options, its gammas are taken over and not computed again."},
    {"plot", 0, PARTAN_OPTION_TEXT, "FILE", NULL, NULL, 0, 0,
     "Draw the scores as SVG: a heat map over cost and gamma, or a line where there is only one gamma."},
    OPTION_JSON,
    OPTION_END,
};
/* clang-format on */
static const option_set tune_set = {.title = "Tuning", .list = own_list};
static const option_set settings_set = {.title = "Training", .at = setting_option, .checked_later = true};
static const option_set output_set = {.title = "Output", .list = list};
static const option_set *const sets[] = {&tune_set, &settings_set, &reading_set, &output_set, &working_set, NULL};

const command tune_command = {
    .name = "tune",
    .arguments = "DATA",
    .summary = "Choose cost and gamma by their scores on rows held out.",
    .details =
        "Holds out a share of the rows of DATA, or each of --folds folds in turn, trains on the others at every cost "
        "and "
        "gamma, tests each model on the rows held out, and prints a row for each point. Last come the best of them "
        "(ties: "
        "first gamma, smallest C) and the command that trains on all rows with it.\n\n"
        "For each gamma and fold the costs are one path, as partan path has it, best in ascending order; solvers other "
        "than auto train each from scratch. --time-limit applies to the whole run, --max-iter to each training.\n\n"
        "Ctrl-C (SIGINT) and SIGTERM end it early; what is done is reported, and the exit status is 0. A second signal "
        "ends the program at once. With --table, the same command goes on where it was, except for the gamma that was "
        "under way.",
    .examples = "$ partan tune --cost 0.1..100 --points 10 a9a\n"
                "$ partan tune --folds 5 --gamma 0.1auto..10auto --table t.csv --plot t.svg a9a\n"
                "$ partan tune --cost 1,10,100 --gamma 0.5,1,2 --json ijcnn1 > tune.json",
    .sets = sets,
    .least = 1,
    .most = 1,
    .run = tune,
};
