#include "tune_options.h"

#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "message.h"
#include "options.h"
#include "outfile.h"
#include "runtime.h"
#include "settings.h"
#include "weights.h"

#define LEAST_POINTS 2
#define MOST_POINTS  1000
#define MOST_FOLDS   1000
#define SMALL        1e-6

/* The library's settings, where --cost, --gamma and --epsilon take several values. */
static const partan_option cost_option = {
    "cost",
    'c',
    PARTAN_OPTION_TEXT,
    "LIST",
    NULL,
    "0.1..100",
    0,
    0,
    "Values of C to try: LO..HI for a log-spaced range of --points values, or a list such as 0.1,1,10. 1/C is added to "
    "the "
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
    "Kernel coefficients to try: LO..HI for a log-spaced range of --gamma-points values, or a list. auto (1 / mean "
    "squared distance between two rows) and scale (1 / (features x variance)), computed from all rows, may have a "
    "factor: "
    "0.1auto..10auto.",
};

static const partan_option epsilon_option = {
    "epsilon",
    'p',
    PARTAN_OPTION_TEXT,
    "LIST",
    NULL,
    "0.1",
    0,
    0,
    "Regression: errors up to this do not count. One value or a list, such as 0.1,0.5, of which all are tried.",
};

static const partan_option *setting_option(size_t index)
{
    static const settings_change changes[] = {{"cost", &cost_option},
                                              {"gamma", &gamma_option},
                                              {"epsilon", &epsilon_option},
                                              {"trace-rows", NULL},
                                              {NULL, NULL}};
    return settings_option(changes, index);
}

/* ---- What was asked ---- */

static int choose_costs(invocation *run, tuning *at)
{
    const char *text = option_text(run, "cost") ? option_text(run, "cost") : cost_option.initial;
    partan_option_value points = {.integer = 10};
    bool spaced = option_value(run, "points", &points), range = strstr(text, "..") != NULL;
    if (spaced && !range)
        return usage_error(run, "--points needs a range of C, LO..HI, not the list '%s'", text);
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
                           "--gamma takes LO..HI or a list of positive numbers, auto and scale, which may have a "
                           "factor as in 0.1auto, not '%s'",
                           text);
    if (spaced && !at->grid.range)
        return usage_error(run, "--gamma-points needs a range of gamma, LO..HI, not '%s'", text);
    if ((at->grid.range || at->grid.count > 1) && !partan_kernel_uses(at->settings.kernel, "gamma"))
        return usage_error(run, "--gamma takes only one value with kernel %s, which does not depend on it",
                           partan_kernel_name(at->settings.kernel));
    return EXIT_DONE;
}

static int choose_epsilons(invocation *run, tuning *at)
{
    const char *text = option_text(run, "epsilon") ? option_text(run, "epsilon") : epsilon_option.initial;
    at->epsilon_count = grid_list(run, "epsilon", text, &at->epsilons);
    if (at->epsilon_count == 0)
        return usage_error(run, "--epsilon takes a list of numbers not below 0, not '%s'", text);
    if (at->epsilon_count > 1 && at->settings.problem != PARTAN_REGRESSION)
        return usage_error(run, "--epsilon is for --problem regression");
    return EXIT_DONE;
}

/* Scores of numbers for a regression, of classes for others. */
static int check_score(invocation *run, const tuning *at)
{
    bool numbers = at->options.score >= PARTAN_SCORE_R2, wanted = at->settings.problem == PARTAN_REGRESSION;
    if (numbers == wanted)
        return EXIT_DONE;
    return usage_error(run, "--score %s cannot be used with --problem %s: use %s", partan_score_name(at->options.score),
                       partan_problem_name(at->settings.problem),
                       wanted ? "r2, mse or mae" : "accuracy, balanced, f1 or auc");
}

static int choose_testing(invocation *run, tuning *at)
{
    partan_option_value value;
    if (option_given(run, "folds") && option_given(run, "validation"))
        return usage_error(run, "--folds and --validation cannot be combined");
    if (option_value(run, "validation", &value))
        at->options.validation = value.real;
    if (option_value(run, "folds", &value))
        at->options.folds = (size_t)value.integer;
    static const partan_score usual[] = {[PARTAN_CLASSIFICATION] = PARTAN_SCORE_ACCURACY,
                                         [PARTAN_REGRESSION] = PARTAN_SCORE_R2,
                                         [PARTAN_OUTLIER] = PARTAN_SCORE_AUC};
    at->options.score = (partan_score)option_choice(run, "score", (int)usual[at->settings.problem]);
    at->options.seed = at->settings.seed;
    return check_score(run, at);
}

static int check_outputs(invocation *run, tuning *at)
{
    const char *plot = option_text(run, "plot");
    at->table_path = option_text(run, "table");
    const char *const outputs[] = {at->table_path, plot};
    if (is_standard_output(at->table_path))
        return usage_error(run, "--table takes a file, not '-'");
    if (is_standard_output(plot) && (run->json || !run->quiet))
        return usage_error(run, "a plot to '-' needs standard output for itself: add --quiet, without --json");
    return outfile_check_all(run, outputs, 2, at->data_path);
}

int tune_choose(invocation *run, tuning *at)
{
    static const char *const own[] = {"cost", "gamma", "epsilon", NULL};
    at->data_path = run->arguments[0];
    partan_tune_options_init(&at->options);
    int code = settings_apply(run, own, &at->settings);
    if (code == EXIT_DONE)
        code = choose_costs(run, at);
    if (code == EXIT_DONE)
        code = choose_gammas(run, at);
    if (code == EXIT_DONE)
        code = choose_epsilons(run, at);
    if (code == EXIT_DONE)
        code = choose_testing(run, at);
    return code == EXIT_DONE ? check_outputs(run, at) : code;
}

/* ---- The table ---- */

/* clang-format off */
static const partan_option own_list[] = {
    {"validation", 0, PARTAN_OPTION_REAL, "SHARE", NULL, "0.3", SMALL, 1 - SMALL,
     "Fraction of the rows to hold out for testing, random (--seed) and stratified by class."},
    {"folds", 0, PARTAN_OPTION_INTEGER, "N", NULL, NULL, 2, MOST_FOLDS,
     "Cross-validate with N folds instead of one split: N times the work, but every row is used for testing."},
    {"score", 0, PARTAN_OPTION_CHOICE, "NAME", "accuracy|balanced|f1|auc|log-loss|r2|mse|mae", NULL, 0, 0,
     "Score that selects the best point: accuracy (default), balanced accuracy, F1 of the positive class, AUC (default "
     "for outliers), both means over the classes if there are more than two, or the log-loss of probabilities, the smallest (implies --probability); in a regression, R^2 "
     "(default), mean squared or mean absolute error."},
    {"points", 'n', PARTAN_OPTION_INTEGER, "N", NULL, "10", LEAST_POINTS, MOST_POINTS,
     "Number of values of C in a range, including both ends."},
    {"gamma-points", 0, PARTAN_OPTION_INTEGER, "N", NULL, "7", LEAST_POINTS, MOST_POINTS,
     "Number of values of gamma in a range, including both ends."},
    OPTION_END,
};
static const partan_option list[] = {
    {"table", 0, PARTAN_OPTION_TEXT, "FILE", NULL, NULL, 0, 0,
     "Write the points to FILE as CSV after each gamma. If FILE exists, from a run on the same data with the same "
     "options, that run is resumed."},
    {"plot", 0, PARTAN_OPTION_TEXT, "FILE", NULL, NULL, 0, 0,
     "Plot the scores as SVG: a heat map over C and gamma, or a line if there is only one gamma."},
    OPTION_JSON,
    OPTION_END,
};
/* clang-format on */
static const option_set tune_set = {.title = "Tuning", .list = own_list};
static const option_set settings_set = {.title = "Training", .at = setting_option, .checked_later = true};
static const option_set output_set = {.title = "Output", .list = list};
const option_set *const tune_sets[] = {&tune_set,    &settings_set, &training_weights_set, &reading_set, &output_set,
                                       &working_set, NULL};
