/* partan tune */
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "human.h"
#include "interrupt.h"
#include "message.h"
#include "options.h"
#include "progress.h"
#include "runtime.h"
#include "settings.h"
#include "tune_report.h"

#define LEAST_POINTS 2
#define MOST_POINTS  1000
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
    "Costs of errors to try: LO..HI for --points of them, evenly spaced in the logarithm, or a list like 0.1,1,10. "
    "1/C is added to the diagonal of the kernel matrix.",
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
    "Coefficients of the kernel to try, as a list; or auto (1 / mean squared distance of two rows) or scale (1 / "
    "(features x variance)), of all rows.",
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
    const char *text = option_text(run, "gamma");
    if (!text)
        return EXIT_DONE;
    at->options.gamma_count = grid_list(run, "gamma", text, &at->gammas);
    at->options.gammas = at->gammas;
    if (at->options.gamma_count > 0 || partan_settings_set(run->context, &at->settings, "gamma", text) == PARTAN_OK)
        return EXIT_DONE;
    return usage_error(run, "--gamma takes auto, scale or a list of positive numbers, not '%s'", text);
}

static int prepare(invocation *run, tuning *at)
{
    static const char *const own[] = {"cost", "gamma", NULL};
    partan_option_value share;
    at->data_path = run->arguments[0];
    partan_tune_options_init(&at->options);
    int code = settings_apply(run, own, &at->settings);
    if (code == EXIT_DONE)
        code = choose_costs(run, at);
    if (code == EXIT_DONE)
        code = choose_gammas(run, at);
    if (code != EXIT_DONE)
        return code;
    if (option_value(run, "validation", &share))
        at->options.validation = share.real;
    at->options.seed = at->settings.seed;
    at->count = at->options.cost_count * (at->options.gamma_count > 0 ? at->options.gamma_count : 1);
    at->points = calloc(at->count, sizeof *at->points);
    return at->points ? EXIT_DONE : failure(run, "out of memory");
}

/* ---- The points ---- */

typedef struct walk {
    invocation *run;
    tuning *at;
} walk;

static int take_point(void *user, const partan_tune_point *point)
{
    invocation *run = ((walk *)user)->run;
    tuning *at = ((walk *)user)->at;
    at->points[at->done++] = *point;
    if (!run->json && !run->quiet) {
        progress_clear(run);
        if (at->done == 1)
            tune_report_head();
        tune_report_row(point);
    }
    return interrupt_seen();
}

static int work(invocation *run, tuning *at)
{
    walk user = {run, at};
    reading how = {.precomputed = at->settings.kernel == PARTAN_KERNEL_PRECOMPUTED};
    int code = read_data(run, at->data_path, how, &at->data, &at->read_seconds);
    if (code != EXIT_DONE)
        return code;
    double start = seconds_now();
    at->status = partan_tune(run->context, at->data, &at->settings, &at->options, take_point, &user, &at->best);
    at->seconds = seconds_now() - start;
    return at->status < 0 ? library_failure(run, at->status) : EXIT_DONE;
}

static int tune(invocation *run)
{
    tuning at = {0};
    int code = prepare(run, &at);
    if (code == EXIT_DONE)
        code = work(run, &at);
    if (code == EXIT_DONE) {
        if (run->json)
            tune_report_json(run, &at);
        else if (!run->quiet)
            tune_report_end(run, &at);
        tune_report_shortfall(run, &at);
    }
    partan_data_free(at.data);
    free(at.costs);
    free(at.gammas);
    free(at.points);
    return code;
}

/* clang-format off */
static const partan_option own_list[] = {
    {"validation", 0, PARTAN_OPTION_REAL, "SHARE", NULL, "0.3", SMALL, 1 - SMALL,
     "Share of the rows to hold out and test on, drawn with the seed, the same share of each class."},
    {"points", 'n', PARTAN_OPTION_INTEGER, "N", NULL, "10", LEAST_POINTS, MOST_POINTS,
     "Number of costs in a range, both ends included."},
    OPTION_END,
};
static const partan_option list[] = {
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
    .summary = "Choose cost and gamma by their accuracy on rows held out.",
    .details =
        "Holds out a share of the rows of DATA, trains on the others at every cost (and every gamma), tests each model "
        "on the rows held out, and prints a row for each. Last come the best of them, of equals the one of least cost, "
        "and the command that trains on all rows with it.\n\n"
        "For each gamma the costs are one path, as partan path has it, best in ascending order; solvers other than "
        "auto start each anew. --time-limit is one of the whole.\n\n"
        "Ctrl-C (SIGINT), SIGTERM and SIGHUP end it early; what is done is reported, and the exit status is 0. A "
        "second signal "
        "ends the program at once.",
    .examples = "$ partan tune --validation 0.3 --cost 0.1..100 --points 10 a9a\n"
                "$ partan tune --cost 1,10,100 --gamma 0.5,1,2 --json ijcnn1 > tune.json",
    .sets = sets,
    .least = 1,
    .most = 1,
    .run = tune,
};
