/* partan predict, of the models of partan train and of LIBSVM. */
#include <inttypes.h>
#include <stdlib.h>

#include "evaluation.h"
#include "human.h"
#include "interrupt.h"
#include "json.h"
#include "kind_svm.h"
#include "large.h"
#include "message.h"
#include "options.h"
#include "outfile.h"
#include "probability.h"
#include "progress.h"
#include "row_file.h"
#include "runtime.h"

typedef struct prediction {
    partan_model *model;
    partan_data *data;
    double *decision;
    uint64_t rows, all_rows; /* of this process, and of all that work together */
    bool with_decision;      /* --decision */
    partan_evaluation evaluation;
    many_evaluation many; /* of more than two classes */
    curves curves;        /* of --plot */
    double read_seconds, predict_seconds;
} prediction;

/* NULL: out of memory. */
static const char *predicted_label(const prediction *at, size_t row)
{
    const double *decision = at->decision + row * partan_model_outputs(at->model);
    int class = at->many.predicted ? at->many.predicted[row] : partan_model_decide(at->model, decision);
    return partan_model_label_text(at->model, class);
}

static bool put_label(const void *of, size_t row, FILE *file)
{
    const prediction *at = of;
    char number[HUMAN_SIZE];
    size_t outputs = partan_model_outputs(at->model);
    const char *label = is_regression(at->model) ? shortest_real(number, at->decision[row]) : predicted_label(at, row);
    if (!label)
        return false;
    fputs(label, file);
    for (size_t i = 0; i < outputs && at->with_decision; i++)
        fprintf(file, " %s", shortest_real(number, at->decision[row * outputs + i]));
    fputc('\n', file);
    return true;
}

static int write_labels(invocation *run, const prediction *at, const char *path)
{
    return write_row_file(run, &(row_file){.of = at, .row = put_label, .rows = at->rows}, path);
}

static void print_prediction(const invocation *run, const prediction *at, const char *path)
{
    json out;
    json_begin(&out, stdout);
    json_unsigned(&out, "rows", at->all_rows);
    if (is_many(at->model))
        json_many_evaluation(&out, &at->evaluation, at->model, &at->many);
    else
        json_evaluation(&out, &at->evaluation, model_classes(at->model));
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

static int decide(invocation *run, prediction *at)
{
    at->rows = at->all_rows = partan_data_rows(at->data);
    if (run->together)
        run->together->sum(&at->all_rows, 1);
    size_t outputs = partan_model_outputs(at->model);
    at->decision = large_memory(at->rows, outputs * sizeof *at->decision);
    int code = at->decision ? EXIT_DONE : failure(run, "out of memory for %" PRIu64 " decision values", at->rows);
    code = agree_on(run, code);
    if (code != EXIT_DONE)
        return code;
    double start = seconds_now();
    partan_status status = partan_predict(run->context, at->model, at->data, at->decision);
    progress_clear(run);
    at->predict_seconds = seconds_now() - start;
    return status == PARTAN_OK ? EXIT_DONE : library_failure(run, status);
}

static int evaluate(invocation *run, prediction *at)
{
    const char *plot = option_text(run, "plot");
    partan_evaluation_init(&at->evaluation);
    if (run->quiet && !run->json && !plot) /* nobody would see it, and with many classes it takes its time */
        return EXIT_DONE;
    if (plot && is_regression(at->model))
        return failure(run, "--plot shows curves of two classes; the model predicts numbers");
    if (plot && is_many(at->model))
        return failure(run, "--plot shows curves of two classes; the model has %zu",
                       partan_model_class_count(at->model));
    if (is_many(at->model))
        return many_evaluate(run, at->model, at->data, at->decision, &at->evaluation, &at->many);
    partan_status status = partan_evaluate(run->context, at->model, at->data, at->decision, plot ? curves_add : NULL,
                                           &at->curves, &at->evaluation);
    if (status != PARTAN_OK)
        return library_failure(run, status);
    if (!plot)
        return EXIT_DONE;
    return agree_on(run, is_silent(run)
                             ? EXIT_DONE
                             : write_curves(run, &at->curves, &at->evaluation, model_classes(at->model), plot));
}

static int write_outputs(invocation *run, prediction *at, const char *output)
{
    const char *reliability = option_text(run, "reliability");
    at->with_decision = option_flag(run, "decision", false);
    int code = reliability ? write_reliability(run, at->model, at->data, at->decision, reliability) : EXIT_DONE;
    if (code != EXIT_DONE || !output)
        return code;
    return option_flag(run, "probability", false) ? write_probabilities(run, at->model, at->decision, at->rows, output)
                                                  : write_labels(run, at, output);
}

static int check_labels(invocation *run, const prediction *at)
{
    uint64_t labelled, unknown;
    partan_status status = partan_model_check_labels(run->context, at->model, at->data, &labelled, &unknown);
    if (status != PARTAN_OK)
        return library_failure(run, status);
    if (unknown > 0 && is_many(at->model))
        warning(run, "%s: %" PRIu64 " of %" PRIu64 " labels are none of the model's %zu classes; they count as wrong",
                run->arguments[0], unknown, labelled, partan_model_class_count(at->model));
    else if (unknown > 0)
        warning(run,
                "%s: %" PRIu64 " of %" PRIu64 " labels are not classes of the model, '%s' and '%s'; they count as "
                "wrong",
                run->arguments[0], unknown, labelled, partan_model_label_text(at->model, 1),
                partan_model_label_text(at->model, 0));
    return EXIT_DONE;
}

static int work(invocation *run, partan_model_file *file, prediction *at, const char *output)
{
    int code = take_svm(run, file, &at->model);
    if (code == EXIT_DONE && (option_flag(run, "probability", false) || option_given(run, "reliability")))
        code = use_probability(run, at->model, run->arguments[1]);
    code = agree_on(run, code);
    if (code != EXIT_DONE)
        return code;
    reading how = {.unlabelled = true,
                   .model = at->model,
                   .precomputed = partan_model_settings(at->model)->kernel == PARTAN_KERNEL_PRECOMPUTED};
    code = agree_on(run, read_data(run, run->arguments[0], how, &at->data, &at->read_seconds));
    if (code == EXIT_DONE)
        code = check_labels(run, at);
    if (code == EXIT_DONE)
        code = decide(run, at);
    if (code != EXIT_DONE)
        return code;
    code = evaluate(run, at);
    return code == EXIT_DONE ? write_outputs(run, at, output) : code;
}

static void report(const invocation *run, const prediction *at, const char *output)
{
    FILE *file = is_standard_output(output) ? stderr : stdout;
    if (run->json)
        print_prediction(run, at, output);
    else if (!run->quiet && is_many(at->model))
        print_many_evaluation(&at->evaluation, at->model, &at->many, at->all_rows, file);
    else if (!run->quiet)
        print_evaluation(&at->evaluation, model_classes(at->model), at->all_rows, file);
}

int predict_svm(invocation *run, partan_model_file *file)
{
    const char *output = run->argument_count > 2 ? run->arguments[2] : NULL;
    prediction at = {0};
    int code = work(run, file, &at, output);
    if (code == EXIT_DONE && !is_silent(run))
        report(run, &at, output);
    many_evaluation_free(&at.many);
    curves_free(&at.curves);
    free(at.decision);
    partan_data_free(at.data);
    partan_model_free(at.model);
    return code;
}
