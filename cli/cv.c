/* partan cv */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "evaluation.h"
#include "human.h"
#include "interrupt.h"
#include "message.h"
#include "options.h"
#include "outfile.h"
#include "progress.h"
#include "report.h"
#include "runtime.h"
#include "settings.h"
#include "weights.h"

enum { MOST_FOLDS = 1000, DEFAULT_FOLDS = 5, NAME_SIZE = 256 };

typedef struct fold {
    partan_result result;
    partan_evaluation evaluation;
} fold;

/* One cross-validation: what it was asked, what it owns, how far it got. */
typedef struct validation {
    invocation *run;
    partan_settings settings;
    size_t folds;
    const char *data_path, *output;
    partan_data *data;
    char names[2][NAME_SIZE]; /* of the classes, the positive one second */
    size_t classes;
    char **lines; /* of OUTPUT, for each row; NULL: there is none */
    bool lacking; /* memory for one */
    fold *list;
    size_t done;
    partan_evaluation evaluation; /* over all folds */
    partan_status status;
    double read_seconds, seconds;
} validation;

/* ---- The folds ---- */

static void print_numbers_fold(const fold *one, size_t number)
{
    char rows[HUMAN_SIZE], vectors[HUMAN_SIZE];
    const partan_evaluation *e = &one->evaluation;
    if (number == 1)
        printf("%5s  %9s  %8s  %10s  %10s  %15s  %12s  %8s\n", "fold", "rows", "R^2", "MSE", "MAE", "support vectors",
               "relative gap", "seconds");
    printf("%5zu  %9s  %8.4f  %10.4g  %10.4g  %15s  %12.4f  %8.2f", number, human_count(rows, e->labelled), e->r2,
           e->mse, e->mae, human_count(vectors, one->result.support_vectors), one->result.relative_gap,
           one->result.seconds);
}

static void print_classes_fold(const fold *one, size_t number)
{
    char rows[HUMAN_SIZE], vectors[HUMAN_SIZE];
    const partan_evaluation *e = &one->evaluation;
    if (number == 1)
        printf("%5s  %9s  %10s  %8s  %8s  %15s  %12s  %8s\n", "fold", "rows", "accuracy", "balanced", "AUC",
               "support vectors", "relative gap", "seconds");
    printf("%5zu  %9s  %8.2f %%  %8.4f  %8.4f  %15s  %12.4f  %8.2f", number, human_count(rows, e->labelled),
           100 * e->accuracy, e->balanced_accuracy, e->auc, human_count(vectors, one->result.support_vectors),
           one->result.relative_gap, one->result.seconds);
}

static void print_fold(const fold *one, size_t number)
{
    (one->evaluation.classes == 0 ? print_numbers_fold : print_classes_fold)(one, number);
    if (!one->result.converged)
        printf("  %s", partan_status_name(one->result.status));
    putchar('\n');
    fflush(stdout);
}

static int take_fold(void *user, size_t number, const partan_result *result, const partan_evaluation *evaluation)
{
    validation *at = user;
    at->list[number] = (fold){*result, *evaluation};
    at->done = number + 1;
    if (!at->run->json && !at->run->quiet && !is_standard_output(at->output)) {
        progress_clear(at->run);
        print_fold(&at->list[number], number + 1);
    }
    return interrupt_seen();
}

/* The predicted label of a row and, if asked for, its decision values. */
static char *make_line(const validation *at, const partan_model *model, const double *decision)
{
    char *text = NULL, number[HUMAN_SIZE];
    size_t size = 0, outputs = option_flag(at->run, "decision", false) ? partan_model_outputs(model) : 0;
    bool numbers = partan_model_class_count(model) == 0;
    const char *label = numbers ? shortest_real(number, decision[0])
                                : partan_model_label_text(model, partan_model_decide(model, decision));
    FILE *file = label ? open_memstream(&text, &size) : NULL;
    if (!file)
        return NULL;
    fputs(label, file);
    for (size_t i = 0; i < outputs; i++)
        fprintf(file, " %s", shortest_real(number, decision[i]));
    if (fclose(file) == 0)
        return text;
    free(text);
    return NULL;
}

static void take_held(void *user, const partan_model *model, const size_t *rows, size_t count, const double *decision)
{
    validation *at = user;
    size_t outputs = partan_model_outputs(model);
    for (size_t i = 0; i < count && at->lines && !at->lacking; i++) {
        at->lines[rows[i]] = make_line(at, model, decision + i * outputs);
        at->lacking = !at->lines[rows[i]];
    }
}

static void keep_class(void *user, double label, const char *word, uint64_t rows)
{
    validation *at = user;
    char text[HUMAN_SIZE];
    (void)rows;
    if (at->classes < 2)
        snprintf(at->names[at->classes], NAME_SIZE, "%s", word ? word : shortest_real(text, label));
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

static int validate(validation *at)
{
    invocation *run = at->run;
    partan_data_summary summary;
    partan_data_summary_init(&summary);
    size_t rows = partan_data_rows(at->data);
    at->list = calloc(at->folds, sizeof *at->list);
    at->lines = at->output ? calloc(rows ? rows : 1, sizeof *at->lines) : NULL;
    if (!at->list || (at->output && !at->lines))
        return failure(run, "out of memory");
    partan_status status = PARTAN_OK;
    if (at->settings.problem == PARTAN_OUTLIER) {
        snprintf(at->names[0], NAME_SIZE, "-1");
        snprintf(at->names[1], NAME_SIZE, "1");
        at->classes = 2;
    } else if (!is_regression(at))
        status = partan_data_summarise(run->context, at->data, keep_class, NULL, at, &summary);
    if (status == PARTAN_OK)
        status = partan_gamma_value(run->context, &at->settings, at->data, &at->settings.gamma);
    if (status != PARTAN_OK)
        return library_failure(run, status);
    partan_evaluation_init(&at->evaluation);
    at->settings.gamma_rule = PARTAN_GAMMA_VALUE;
    double start = seconds_now();
    at->status = partan_cross_predict(run->context, at->data, &at->settings, at->folds, at->settings.seed, take_fold,
                                      take_held, at, &at->evaluation);
    at->seconds = seconds_now() - start;
    progress_clear(run);
    return at->status < 0 ? library_failure(run, at->status) : EXIT_DONE;
}

static int cv(invocation *run)
{
    validation at = {0};
    int code = prepare(run, &at);
    reading how = {.precomputed = at.settings.kernel == PARTAN_KERNEL_PRECOMPUTED,
                   .unlabelled = at.settings.problem == PARTAN_OUTLIER,
                   .weighted = true};
    if (code == EXIT_DONE)
        code = read_data(run, at.data_path, how, &at.data, &at.read_seconds);
    if (code == EXIT_DONE)
        code = validate(&at);
    if (code == EXIT_DONE && at.output && at.done == at.folds)
        code = write_labels(&at);
    if (code == EXIT_DONE && run->json)
        print_json(&at);
    else if (code == EXIT_DONE && !run->quiet && at.done > 0)
        print_end(&at);
    if (code == EXIT_DONE)
        warn(&at);
    for (size_t row = 0; at.lines && row < partan_data_rows(at.data); row++)
        free(at.lines[row]);
    partan_data_free(at.data);
    free(at.list);
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
