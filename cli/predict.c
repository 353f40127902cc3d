/* partan predict */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy.h"
#include "human.h"
#include "interrupt.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "outfile.h"
#include "runtime.h"

typedef struct prediction {
    partan_model *model;
    partan_data *data;
    double *decision;
    uint64_t rows;
    accuracy labels;
    double read_seconds, predict_seconds;
} prediction;

static const char *predicted_label(const prediction *at, size_t row)
{
    return partan_model_label_text(at->model, at->decision[row] > 0);
}

static int write_labels(invocation *run, const prediction *at, const char *path)
{
    outfile out;
    char number[HUMAN_SIZE];
    bool decision = option_flag(run, "decision", false);
    int code = outfile_open(run, path, &out);
    if (code != EXIT_DONE)
        return code;
    for (size_t row = 0; row < at->rows && !ferror(out.file); row++) {
        fputs(predicted_label(at, row), out.file);
        if (decision)
            fprintf(out.file, " %s", shortest_real(number, at->decision[row]));
        fputc('\n', out.file);
    }
    if (!interrupt_seen())
        return outfile_commit(run, &out);
    outfile_abandon(&out);
    return failure(run, "interrupted");
}

static void print_json(const invocation *run, const prediction *at, const char *path)
{
    json out;
    json_begin(&out, stdout);
    json_unsigned(&out, "rows", at->rows);
    json_unsigned(&out, "labelled", at->labels.labelled);
    json_unsigned(&out, "correct", at->labels.correct);
    json_real(&out, "accuracy", accuracy_share(at->labels));
    json_text(&out, "output", path);
    json_integer(&out, "threads", partan_threads(run->context));
    json_open(&out, "time");
    json_real(&out, "read", at->read_seconds);
    json_real(&out, "predict", at->predict_seconds);
    json_real(&out, "total", seconds_now() - run->start);
    json_close(&out);
    json_unsigned(&out, "peak_memory_bytes", peak_memory_bytes());
    json_end(&out);
}

static void print_accuracy(const prediction *at, FILE *file)
{
    if (at->labels.labelled == 0)
        fprintf(file, "%" PRIu64 " rows, none with a label\n", at->rows);
    else
        fprintf(file, "Accuracy = %.6g%% (%" PRIu64 "/%" PRIu64 ")\n", 100.0 * accuracy_share(at->labels),
                at->labels.correct, at->labels.labelled);
}

static int decide(invocation *run, prediction *at)
{
    at->rows = partan_data_rows(at->data);
    at->decision = malloc((at->rows ? at->rows : 1) * sizeof *at->decision);
    if (!at->decision)
        return failure(run, "out of memory for %" PRIu64 " decision values", at->rows);
    double start = seconds_now();
    partan_status status = partan_predict(run->context, at->model, at->data, at->decision);
    at->predict_seconds = seconds_now() - start;
    return status == PARTAN_OK ? EXIT_DONE : library_failure(run, status);
}

static int work(invocation *run, prediction *at, const char *output)
{
    int code = read_model(run, run->arguments[1], &at->model);
    if (code != EXIT_DONE)
        return code;
    reading how = {.unlabelled = true,
                   .precomputed = partan_model_settings(at->model)->kernel == PARTAN_KERNEL_PRECOMPUTED};
    code = read_data(run, run->arguments[0], how, &at->data, &at->read_seconds);
    if (code == EXIT_DONE)
        code = decide(run, at);
    if (code != EXIT_DONE)
        return code;
    at->labels = count_correct(at->model, at->data, at->decision);
    return output ? write_labels(run, at, output) : EXIT_DONE;
}

static int check_output(invocation *run, const char *output)
{
    int code = EXIT_DONE;
    for (size_t i = 0; i < 2 && output && code == EXIT_DONE; i++)
        code = outfile_protect(run, output, run->arguments[i]);
    return output && code == EXIT_DONE ? outfile_check(run, output) : code;
}

static int predict(invocation *run)
{
    const char *output = run->argument_count > 2 ? run->arguments[2] : NULL;
    bool to_stdout = output && strcmp(output, "-") == 0;
    if (run->json && to_stdout)
        return usage_error(run, "--json and an OUTPUT of '-' both want standard output");
    if (option_flag(run, "decision", false) && !output)
        return usage_error(run,
                           "--decision writes decision values to OUTPUT, which is missing ('-' is standard output)");
    prediction at = {0};
    int code = check_output(run, output);
    if (code == EXIT_DONE)
        code = work(run, &at, output);
    if (code == EXIT_DONE && run->json)
        print_json(run, &at, output);
    else if (code == EXIT_DONE && !run->quiet)
        print_accuracy(&at, to_stdout ? stderr : stdout);
    free(at.decision);
    partan_data_free(at.data);
    partan_model_free(at.model);
    return code;
}

/* clang-format off */
static const partan_option list[] = {
    {"decision", 0, PARTAN_OPTION_FLAG, NULL, NULL, NULL, 0, 0,
     "Write the decision value after each label; positive values belong to the positive class."},
    OPTION_JSON,
    OPTION_END,
};
/* clang-format on */
static const option_set own = {.title = "Output", .list = list};
static const option_set *const sets[] = {&own, &reading_set, &working_set, NULL};

const command predict_command = {
    .name = "predict",
    .arguments = "DATA MODEL [OUTPUT]",
    .summary = "Apply a model to data.",
    .details =
        "Predicts the label of every row of DATA ('-' is standard input) with MODEL, native or LIBSVM's. OUTPUT gets "
        "one "
        "label a line, written as it was in the training data; '-' is standard output, and the accuracy then goes to "
        "standard error. Without OUTPUT only the accuracy is printed.\n\n"
        "Rows need not have labels; the accuracy is that over the rows that do. CSV data without a label column wants "
        "--label-column none.",
    .examples =
        "$ partan predict a9a.t a9a.model labels.txt\n$ partan predict --decision a9a.t a9a.model - | sort -k2 -g",
    .sets = sets,
    .least = 2,
    .most = 3,
    .run = predict,
};
