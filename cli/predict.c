/* partan predict */
#include <string.h>

#include "guard.h"
#include "hints.h"
#include "kinds.h"
#include "message.h"
#include "options.h"
#include "outfile.h"
#include "ratings.h"
#include "runtime.h"

static int check_kind(invocation *run, const model_kind *kind)
{
    if (option_given(run, "top") && !kind->lists)
        return usage_error(run, "--top is only for completed matrices: %s is a different kind of model",
                           run->arguments[1]);
    static const char *const probabilities[] = {"probability", "reliability"};
    for (size_t i = 0; i < 2; i++)
        if (option_given(run, probabilities[i]) && !kind->curves)
            return usage_error(run, "--%s is only for classifiers: %s is a different kind of model", probabilities[i],
                               run->arguments[1]);
    if (option_given(run, "plot") && !kind->curves)
        return usage_error(run, "--plot is only for binary classifiers: %s is a different kind of model",
                           run->arguments[1]);
    return EXIT_DONE;
}

static int check_outputs(invocation *run, const char *output)
{
    const char *plot = option_text(run, "plot"), *reliability = option_text(run, "reliability");
    if (is_standard_output(reliability))
        return usage_error(run, "--reliability takes a file, not '-'");
    if (is_standard_output(plot) && (run->json || !run->quiet || is_standard_output(output)))
        return usage_error(run, "a plot to '-' needs standard output for itself: add --quiet, without --json");
    int code = outfile_check(run, output);
    if (code == EXIT_DONE)
        code = outfile_check(run, reliability);
    return code == EXIT_DONE ? outfile_check(run, plot) : code;
}

static int predict(invocation *run)
{
    const char *output = run->argument_count > 2 ? run->arguments[2] : NULL;
    if (run->json && output && strcmp(output, "-") == 0)
        return usage_error(run, "--json and '-' as OUTPUT both write to standard output");
    if (option_flag(run, "decision", false) && !output)
        return usage_error(run,
                           "--decision writes decision values to OUTPUT, which is missing ('-' is standard output)");
    if (option_flag(run, "decision", false) && option_flag(run, "probability", false))
        return usage_error(run, "--decision and --probability cannot be combined");
    partan_model_file *file;
    const model_kind *kind;
    int code = looks_swapped(run, run->arguments[1], run->arguments[0])
                   ? usage_error(run, "%s looks like a model and %s does not: the order is predict DATA MODEL",
                                 run->arguments[0], run->arguments[1])
                   : check_outputs(run, output);
    if (code == EXIT_DONE)
        code = guard_file(run, run->arguments[0], FILE_INPUT);
    code = agree_on(run, code);
    if (code == EXIT_DONE)
        code = read_any_model(run, run->arguments[1], &file, &kind);
    if (code != EXIT_DONE)
        return code;
    code = check_kind(run, kind);
    if (code != EXIT_DONE) {
        partan_model_file_free(file);
        return code;
    }
    return kind->predict(run, file);
}

/* clang-format off */
static const partan_option list[] = {
    {"decision", 0, PARTAN_OPTION_FLAG, NULL, NULL, NULL, 0, 0,
     "Write the decision value after each label; values above 0 speak for the positive class."},
    {"probability", 0, PARTAN_OPTION_FLAG, NULL, NULL, NULL, 0, 0,
     "Write the probability of each class after each label, in LIBSVM's format; as CSV or JSON lines if OUTPUT ends in "
     ".csv or .jsonl. The model must have been trained with --probability."},
    {"reliability", 0, PARTAN_OPTION_TEXT, "FILE", NULL, NULL, 0, 0,
     "Plot how often predictions are right at each predicted probability as SVG; if FILE ends in .csv, write the "
     "table instead, which partan plot draws."},
    {"plot", 0, PARTAN_OPTION_TEXT, "FILE", NULL, NULL, 0, 0,
     "Plot the ROC and precision-recall curves as SVG. The data needs labels of both classes."},
    {"top", 0, PARTAN_OPTION_INTEGER, "N", NULL, NULL, 1, 1e9,
     "With a completed matrix: for every row of DATA, list the N columns with the largest predictions among those "
     "without an entry in DATA."},
    OPTION_JSON,
    OPTION_END,
};
/* clang-format on */
static const option_set own = {.title = "Output", .list = list};
static const option_set *const sets[] = {&own, &reading_set, &ratings_set, &working_set, NULL};

const command predict_command = {
    .name = "predict",
    .arguments = "DATA MODEL [OUTPUT]",
    .summary = "Apply a model to data.",
    .details =
        "Predicts the label of every row of DATA ('-' is standard input) with MODEL, a native or LIBSVM model. OUTPUT "
        "gets one label per line, written as in the training data; with '-' it is standard output, and the report goes "
        "to standard error.\n\n"
        "If the rows have labels, the report compares them with the predictions: accuracy, confusion matrix, "
        "precision, recall and F1 of each class, balanced accuracy (mean recall), AUC (area under the ROC curve) and "
        "average precision; if the model has probabilities, also log-loss and Brier score. Rows without labels are "
        "skipped.\n\n"
        "A model that was trained with --probability predicts the most probable class.\n\n"
        "DATA must have the features of the training data. Table columns are matched by name if both files have a "
        "header, otherwise by position, and the label is expected in the same column; a table with exactly as many "
        "columns as features has no label. LIBSVM files may have fewer features.\n\n"
        "With a matrix from partan complete, DATA is a list of entries, with or without values. OUTPUT gets row, "
        "column and prediction, separated by tabs, and the errors are those on the entries with values. --top N lists "
        "the best columns instead.",
    .examples = "$ partan predict a9a.t a9a.model labels.txt\n$ partan predict --plot roc.svg a9a.t a9a.model\n"
                "$ partan predict --decision a9a.t a9a.model - | sort -k2 -g\n"
                "$ partan predict --probability a9a.t a9a.model probabilities.csv\n"
                "$ partan predict --top 5 ratings.txt ratings.txt.model best.txt",
    .sets = sets,
    .least = 2,
    .most = 3,
    .run = predict,
};
