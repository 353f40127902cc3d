/* partan predict */
#include <string.h>

#include "kinds.h"
#include "message.h"
#include "options.h"
#include "outfile.h"
#include "ratings.h"
#include "runtime.h"

static int predict(invocation *run)
{
    const char *output = run->argument_count > 2 ? run->arguments[2] : NULL;
    if (run->json && output && strcmp(output, "-") == 0)
        return usage_error(run, "--json and an OUTPUT of '-' both want standard output");
    if (option_flag(run, "decision", false) && !output)
        return usage_error(run,
                           "--decision writes decision values to OUTPUT, which is missing ('-' is standard output)");
    partan_model_file *file;
    const model_kind *kind;
    int code = outfile_check(run, output);
    if (code == EXIT_DONE)
        code = read_any_model(run, run->arguments[1], &file, &kind);
    if (code != EXIT_DONE)
        return code;
    if (option_given(run, "top") && !kind->lists) {
        partan_model_file_free(file);
        return usage_error(run, "--top is for completed matrices: %s is a model of another kind", run->arguments[1]);
    }
    return kind->predict(run, file);
}

/* clang-format off */
static const partan_option list[] = {
    {"decision", 0, PARTAN_OPTION_FLAG, NULL, NULL, NULL, 0, 0,
     "Write the decision value after each label; positive values belong to the positive class."},
    {"top", 0, PARTAN_OPTION_INTEGER, "N", NULL, NULL, 1, 1e9,
     "With a completed matrix: for every row of DATA, the N columns of greatest value that DATA has no entry for."},
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
        "Predicts the label of every row of DATA ('-' is standard input) with MODEL, native or LIBSVM's. OUTPUT gets "
        "one "
        "label a line, written as it was in the training data; '-' is standard output, and the accuracy then goes to "
        "standard error. Without OUTPUT only the accuracy is printed.\n\n"
        "Rows need not have labels; the accuracy is that over the rows that do. DATA must have the features of the "
        "training data: columns of tables are matched by their names where both have a header, else by their place, "
        "and "
        "the label is where it was; a table with as many columns as there are features has none. LIBSVM files may have "
        "fewer features.\n\n"
        "With a matrix of partan complete, DATA is a list of entries, with or without values; OUTPUT gets row, column "
        "and "
        "prediction, separated by tabs, and errors are those at the entries that have values. --top N lists columns.",
    .examples =
        "$ partan predict a9a.t a9a.model labels.txt\n$ partan predict --decision a9a.t a9a.model - | sort -k2 -g\n"
        "$ partan predict --top 5 ratings.txt ratings.txt.model best.txt",
    .sets = sets,
    .least = 2,
    .most = 3,
    .run = predict,
};
