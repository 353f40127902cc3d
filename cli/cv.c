/* partan cv */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cv_folds.h"
#include "evaluation.h"
#include "human.h"
#include "message.h"
#include "options.h"
#include "outfile.h"
#include "report.h"
#include "runtime.h"
#include "settings.h"
#include "weights.h"

enum { MOST_FOLDS = 1000, DEFAULT_FOLDS = 5 };

static void keep_class(void *user, double label, const char *word, uint64_t rows)
{
    validation *at = user;
    char text[HUMAN_SIZE];
    (void)rows;
    if (at->classes < 2)
        snprintf(at->names[at->classes], CV_NAME_SIZE, "%s", word ? word : shortest_real(text, label));
    at->classes++;
}

static class_names names_of(const validation *at)
{
    return (class_names){{at->names[0], at->names[1]}};
}

static bool is_regression(const validation *at)
{
    return at->settings.problem == PARTAN_REGRESSION;
}

static double score_of(const fold *one)
{
    return partan_score_of(PARTAN_SCORE_ACCURACY, &one->evaluation);
}

/* Mean and standard deviation of the accuracy, or R^2, over the folds. */
static double deviation(const validation *at, double *mean)
{
    double sum = 0, squares = 0, count = (double)at->done;
    for (size_t i = 0; i < at->done; i++)
        sum += score_of(&at->list[i]);
    *mean = sum / count;
    for (size_t i = 0; i < at->done; i++)
        squares += pow(score_of(&at->list[i]) - *mean, 2);
    return at->done > 1 ? sqrt(squares / (count - 1)) : (double)NAN;
}

/* ---- What comes out ---- */

static void print_end(const validation *at)
{
    FILE *file = is_standard_output(at->output) ? stderr : stdout;
    double mean, spread = deviation(at, &mean);
    fputc('\n', file);
    print_evaluation(&at->evaluation, names_of(at), partan_data_rows(at->data), file);
    const char *percent = is_regression(at) ? "" : " %";
    double unit = is_regression(at) ? 1 : 100;
    int digits = is_regression(at) ? 4 : 2;
    fprintf(file, "%s by fold: mean %.*f%s", is_regression(at) ? "R^2" : "accuracy", digits, unit * mean, percent);
    if (at->done > 1)
        fprintf(file, ", standard deviation %.*f%s", digits, unit * spread, percent);
    fputc('\n', file);
}

static void json_folds(json *out, const validation *at)
{
    json_open_array(out, "fold_list");
    for (size_t i = 0; i < at->done; i++) {
        json_open(out, NULL);
        json_evaluation(out, &at->list[i].evaluation, names_of(at));
        report_json_result(out, &at->list[i].result);
        json_real(out, "seconds", at->list[i].result.seconds);
        json_close(out);
    }
    json_close_array(out);
}

static void print_json(const validation *at)
{
    json out;
    double mean, spread = deviation(at, &mean);
    json_begin(&out, stdout);
    json_text(&out, "data", at->data_path);
    json_text(&out, "version", partan_version());
    report_json_settings(&out, &at->settings, true);
    json_unsigned(&out, "rows", partan_data_rows(at->data));
    json_unsigned(&out, "features", partan_data_features(at->data));
    json_row_weights(&out, at->data);
    json_class_weights(&out, at->run);
    json_unsigned(&out, "folds", at->folds);
    json_text(&out, "status", partan_status_name(at->status));
    report_json_machine(&out, at->run);
    json_evaluation(&out, &at->evaluation, names_of(at));
    json_real(&out, is_regression(at) ? "mean_r2" : "mean_accuracy", mean);
    json_real(&out, "deviation", spread);
    json_text(&out, "output", at->output);
    json_folds(&out, at);
    json_open(&out, "time");
    json_real(&out, "read", at->read_seconds);
    json_real(&out, "cross_validate", at->seconds);
    report_json_end(&out, at->run);
}

static int write_labels(const validation *at)
{
    partan_output out;
    if (at->lacking)
        return failure(at->run, "out of memory for the predictions");
    int code = outfile_open(at->run, at->output, &out);
    if (code != EXIT_DONE)
        return code;
    for (size_t row = 0; row < partan_data_rows(at->data) && !ferror(out.file); row++)
        fprintf(out.file, "%s\n", at->lines[row]);
    return outfile_commit(at->run, &out);
}

static void warn(const validation *at)
{
    size_t missed = 0;
    for (size_t i = 0; i < at->done; i++)
        missed += !at->list[i].result.converged;
    if (at->status == PARTAN_INTERRUPTED || at->status == PARTAN_TIME_LIMIT)
        warning(at->run, "%s: %zu of %zu folds are done%s",
                at->status == PARTAN_INTERRUPTED ? "interrupted" : "stopped by --time-limit", at->done, at->folds,
                at->output ? "; no OUTPUT is written" : "");
    if (missed > 0)
        warning(at->run, "%zu of these models did not reach the target gap; the gaps shown are the true ones", missed);
}

/* ---- All ---- */

static int prepare(invocation *run, validation *at)
{
    partan_option_value value;
    at->run = run;
    at->data_path = run->arguments[0];
    at->output = run->argument_count > 1 ? run->arguments[1] : NULL;
    at->folds = option_value(run, "folds", &value) ? (size_t)value.integer : DEFAULT_FOLDS;
    if (option_flag(run, "decision", false) && !at->output)
        return usage_error(run,
                           "--decision writes decision values to OUTPUT, which is missing ('-' is standard output)");
    if (run->json && is_standard_output(at->output))
        return usage_error(run, "--json and '-' as OUTPUT both write to standard output");
    int code = settings_apply(run, NULL, &at->settings);
    if (code == EXIT_DONE && at->settings.probability && at->output)
        return usage_error(run,
                           "OUTPUT takes predictions by decision values: it cannot be combined with --probability");
    return code == EXIT_DONE ? outfile_check_all(run, &at->output, 1, at->data_path) : code;
}

static int prepare_folds(validation *at)
{
    invocation *run = at->run;
    partan_data_summary summary;
    partan_data_summary_init(&summary);
    size_t rows = partan_data_rows(at->data);
    at->list = calloc(at->folds, sizeof *at->list);
    at->ready = calloc(at->folds, sizeof *at->ready);
    at->endings = calloc(at->folds, sizeof *at->endings);
    at->lines = at->output ? calloc(rows ? rows : 1, sizeof *at->lines) : NULL;
    if (!at->list || !at->ready || !at->endings || (at->output && !at->lines))
        return failure(run, "out of memory");
    partan_status status = PARTAN_OK;
    if (at->settings.problem == PARTAN_OUTLIER) {
        snprintf(at->names[0], CV_NAME_SIZE, "-1");
        snprintf(at->names[1], CV_NAME_SIZE, "1");
        at->classes = 2;
    } else if (!is_regression(at))
        status = partan_data_summarise(run->context, at->data, keep_class, NULL, at, &summary);
    if (status == PARTAN_OK)
        status = partan_gamma_value(run->context, &at->settings, at->data, &at->settings.gamma);
    if (status != PARTAN_OK)
        return library_failure(run, status);
    partan_evaluation_init(&at->evaluation);
    at->settings.gamma_rule = PARTAN_GAMMA_VALUE;
    return EXIT_DONE;
}

static int finish(invocation *run, validation *at)
{
    int code = EXIT_DONE;
    if (is_silent(run))
        return EXIT_DONE;
    if (at->output && at->done == at->folds)
        code = write_labels(at);
    if (code == EXIT_DONE && run->json)
        print_json(at);
    else if (code == EXIT_DONE && !run->quiet && at->done > 0)
        print_end(at);
    if (code == EXIT_DONE)
        warn(at);
    return code;
}

static int work(invocation *run, validation *at)
{
    reading how = {.precomputed = at->settings.kernel == PARTAN_KERNEL_PRECOMPUTED,
                   .unlabelled = at->settings.problem == PARTAN_OUTLIER,
                   .weighted = true};
    int code = agree_on(run, read_data(run, at->data_path, how, &at->data, &at->read_seconds));
    if (code == EXIT_DONE)
        code = agree_on(run, prepare_folds(at));
    if (code == EXIT_DONE)
        code = cv_run_folds(at);
    if (code == EXIT_DONE)
        code = finish(run, at);
    return agree_on(run, code);
}

static int cv(invocation *run)
{
    validation at = {0};
    int code = agree_on(run, prepare(run, &at));
    if (code == EXIT_DONE)
        code = work(run, &at);
    for (size_t row = 0; at.lines && row < partan_data_rows(at.data); row++)
        free(at.lines[row]);
    partan_data_free(at.data);
    free(at.list);
    free(at.ready);
    free(at.endings);
    free(at.lines);
    return code;
}

static const partan_option *setting_option(size_t index)
{
    static const settings_change changes[] = {{"trace-rows", NULL}, {NULL, NULL}};
    return settings_option(changes, index);
}

/* clang-format off */
static const partan_option own_list[] = {
    {"folds", 0, PARTAN_OPTION_INTEGER, "N", NULL, "5", 2, MOST_FOLDS,
     "Number of folds. Each class is divided evenly among them, at random (--seed)."},
    OPTION_END,
};
static const partan_option list[] = {
    {"decision", 0, PARTAN_OPTION_FLAG, NULL, NULL, NULL, 0, 0, "Write the decision values after each label to OUTPUT."},
    OPTION_JSON,
    OPTION_END,
};
/* clang-format on */
static const option_set cv_set = {.title = "Cross-validation", .list = own_list};
static const option_set settings_set = {.title = "Training", .at = setting_option, .checked_later = true};
static const option_set output_set = {.title = "Output", .list = list};
static const option_set *const sets[] = {&cv_set,      &settings_set, &training_weights_set, &reading_set, &output_set,
                                         &working_set, NULL};

const command cv_command = {
    .name = "cv",
    .arguments = "DATA [OUTPUT]",
    .summary = "Estimate how well a model predicts, by cross-validation.",
    .details =
        "Splits the rows of DATA into folds. For each fold, trains on the other folds like partan train, and tests on "
        "this one. Prints a row for each fold, and the report of partan predict over all rows, where AUC and average "
        "precision are means over the folds. No model is written: partan train with the same options trains one on all "
        "rows.\n\n"
        "OUTPUT gets one label per line: each row is predicted by the model that was trained without it.\n\n"
        "--gamma auto and scale use all rows. --time-limit applies to the whole run. Ctrl-C (SIGINT) and SIGTERM stop "
        "the run early; the finished folds are reported, and the exit status is 0.",
    .examples = "$ partan cv --folds 10 --cost 1 a9a\n$ partan cv --decision a9a predictions.txt",
    .sets = sets,
    .least = 1,
    .most = 2,
    .run = cv,
};
