/* Models of partan train and of LIBSVM: predict, verify and info. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "evaluation.h"
#include "human.h"
#include "interrupt.h"
#include "json.h"
#include "kinds.h"
#include "large.h"
#include "message.h"
#include "options.h"
#include "outfile.h"
#include "probability.h"
#include "progress.h"
#include "report.h"
#include "row_file.h"
#include "runtime.h"
#include "weights.h"

static int take_model(invocation *run, partan_model_file *file, partan_model **model)
{
    partan_status status = partan_model_from_file(run->context, file, model);
    partan_model_file_free(file);
    return status == PARTAN_OK ? EXIT_DONE : library_failure(run, status);
}

/* ---- predict ---- */

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

static bool is_many(const partan_model *model)
{
    return partan_model_class_count(model) > 2;
}

static bool is_regression(const partan_model *model)
{
    return partan_model_class_count(model) == 0;
}

/* NULL: out of memory. */
static const char *predicted_label(const prediction *at, size_t row)
{
    const double *decision = at->decision + row * partan_model_outputs(at->model);
    return partan_model_label_text(at->model, partan_model_decide(at->model, decision));
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
    partan_status status = partan_evaluate(run->context, at->model, at->data, at->decision, plot ? curves_add : NULL,
                                           &at->curves, &at->evaluation);
    if (status != PARTAN_OK)
        return library_failure(run, status);
    if (is_many(at->model))
        return plot ? failure(run, "--plot shows curves of two classes; the model has %zu",
                              partan_model_class_count(at->model))
                    : many_evaluate(run, at->model, at->data, at->decision, &at->many);
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
    int code = take_model(run, file, &at->model);
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

static int predict(invocation *run, partan_model_file *file)
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

/* ---- verify ---- */

static void print_verification(const invocation *run, const partan_verification *found, const partan_model *model,
                               const double seconds[2])
{
    json out;
    const partan_result *claimed = partan_model_result(model);
    json_begin(&out, stdout);
    json_real(&out, "objective", found->objective);
    json_real(&out, "gap", found->gap);
    json_real(&out, "relative_gap", found->relative_gap);
    json_real(&out, "weight_sum", found->weight_sum);
    json_real(&out, "least_weight", found->least_weight);
    json_boolean(&out, "feasible", found->feasible != 0);
    json_boolean(&out, "matches", found->matches != 0);
    json_text(&out, "reason", found->reason[0] ? found->reason : NULL);
    json_text(&out, "not_covered", partan_model_has_probability(model) ? "probability" : NULL);
    json_open(&out, "claimed");
    json_real(&out, "objective", claimed->objective);
    json_real(&out, "gap", claimed->gap);
    json_real(&out, "relative_gap", claimed->relative_gap);
    json_boolean(&out, "gap_is_bound", claimed->gap_is_bound != 0);
    json_close(&out);
    json_open(&out, "time");
    json_real(&out, "read", seconds[0]);
    json_real(&out, "verify", seconds[1]);
    json_real(&out, "total", seconds_now() - run->start);
    json_close(&out);
    json_end(&out);
}

static void print_row(const char *name, double claimed, double found)
{
    printf("%-14s  %22.15g  %22.15g\n", name, claimed, found);
}

static void print_audit(const partan_verification *found, const partan_result *claimed, partan_problem problem)
{
    printf("%-14s  %22s  %22s\n", "", "claimed", "recomputed");
    print_row("objective", claimed->objective, found->objective);
    print_row(claimed->gap_is_bound ? "gap, at most" : "gap", claimed->gap, found->gap);
    print_row("relative gap", claimed->relative_gap, found->relative_gap);
    print_row("sum of weights", 1, found->weight_sum);
    printf("%-14s  %22s  %22.15g\n", "minimum weight", "> 0", found->least_weight);
    if (found->matches && (found->relative_gap < 1 || problem != PARTAN_CLASSIFICATION))
        report_certificate(stdout, "verified: ", problem, found->relative_gap);
    else if (found->matches)
        printf("verified: the stored values hold; a relative gap of 1 or more proves nothing about the margin\n");
}

typedef struct verification {
    partan_model *model;
    partan_data *data;
    partan_verification found;
    double seconds[2]; /* of reading, of verifying */
} verification;

static int audit(invocation *run, partan_model_file *file, verification *at)
{
    int code = agree_on(run, take_model(run, file, &at->model));
    if (code != EXIT_DONE)
        return code;
    const partan_settings *settings = partan_model_settings(at->model);
    reading how = {.precomputed = settings->kernel == PARTAN_KERNEL_PRECOMPUTED,
                   .unlabelled = settings->problem == PARTAN_OUTLIER,
                   .model = at->model,
                   .weighted = true};
    code = agree_on(run, read_data(run, run->arguments[1], how, &at->data, &at->seconds[0]));
    if (code != EXIT_DONE)
        return code;
    double start = seconds_now();
    partan_status status = partan_verify(run->context, at->model, at->data, &at->found);
    progress_clear(run);
    at->seconds[1] = seconds_now() - start;
    return status == PARTAN_OK ? EXIT_DONE : library_failure(run, status);
}

static void report_audit(const invocation *run, const verification *at)
{
    if (run->json)
        print_verification(run, &at->found, at->model, at->seconds);
    else if (!run->quiet)
        print_audit(&at->found, partan_model_result(at->model), partan_model_settings(at->model)->problem);
    if (!run->json && !run->quiet && at->found.matches && partan_model_has_probability(at->model))
        puts("not covered: probabilities, which the same training with --probability reproduces");
}

static int verify(invocation *run, partan_model_file *file)
{
    verification at = {0};
    partan_verification_init(&at.found);
    int code = audit(run, file, &at);
    if (code == EXIT_DONE && !is_silent(run))
        report_audit(run, &at);
    if (code == EXIT_DONE && !at.found.matches)
        code = failure(run, "%s: not verified: %s", run->arguments[0], at.found.reason);
    partan_data_free(at.data);
    partan_model_free(at.model);
    return code;
}

/* ---- info ---- */

static void json_source(json *out, const partan_model *model)
{
    partan_format format = partan_model_data_format(model);
    json_open(out, "read_as");
    json_text(out, "format", format == PARTAN_FORMAT_AUTO ? NULL : partan_format_name(format));
    json_integer(out, "label_column", partan_model_label_column(model));
    json_text(out, "label_name", partan_model_label_name(model));
    json_integer(out, "weight_column", partan_model_weight_column(model));
    json_text(out, "weight_name", partan_model_weight_name(model));
    json_boolean(out, "names", partan_model_feature_name(model, 0) != NULL);
    json_close(out);
}

static void print_model(const partan_model *model, const char *path)
{
    json out;
    bool native = partan_model_get_format(model) == PARTAN_MODEL_NATIVE;
    char fingerprint[HUMAN_SIZE];
    snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, partan_model_fingerprint(model));
    json_begin(&out, stdout);
    json_text(&out, "model", path);
    json_text(&out, "format", native ? "native" : "libsvm");
    json_text(&out, "version", native ? partan_model_version(model) : NULL);
    report_json_settings(&out, partan_model_settings(model), native);
    if (!native)
        json_text(&out, "problem", partan_problem_name(partan_model_settings(model)->problem));
    report_json_labels(&out, model);
    json_unsigned(&out, "features", partan_model_features(model));
    json_source(&out, model);
    if (!is_many(model))
        json_real(&out, "bias", partan_model_bias(model));
    report_json_machines(&out, model);
    json_probability(&out, model);
    if (native) {
        json_model_class_weights(&out, model);
        json_unsigned(&out, "rows", partan_model_rows(model));
        json_text(&out, "fingerprint", fingerprint);
        report_json_result(&out, partan_model_result(model));
        json_open(&out, "time");
        json_real(&out, "train", partan_model_result(model)->seconds);
        json_close(&out);
    } else {
        json_unsigned(&out, "support_vectors", partan_model_result(model)->support_vectors);
    }
    json_end(&out);
}

static void print_kernel(const partan_settings *settings)
{
    char kernel[REPORT_SIZE];
    printf("kernel           %s\n", report_kernel(kernel, settings));
}

/* A LIBSVM model says neither how it was trained nor how good it is. */
static void print_training(const partan_model *model)
{
    const partan_settings *settings = partan_model_settings(model);
    const partan_result *result = partan_model_result(model);
    char text[HUMAN_SIZE], other[HUMAN_SIZE];
    printf("C                %s\n", shortest_real(text, settings->cost));
    if (is_regression(model))
        printf("epsilon          %s\n", shortest_real(text, settings->epsilon));
    if (settings->problem == PARTAN_OUTLIER)
        printf("outliers         %s\n", shortest_real(text, settings->outliers));
    print_class_weights(stdout, model, false);
    printf("training data    %s rows", human_count(text, partan_model_rows(model)));
    printf(", fingerprint %016" PRIx64 "\n", partan_model_fingerprint(model));
    printf("solver           %s, %s iterations in %s\n", partan_solver_name(settings->solver),
           human_count(text, (uint64_t)result->iterations), human_seconds(other, result->seconds));
    printf("status           %s\n", partan_status_name(result->status));
    printf("objective        %s\n", shortest_real(text, result->objective));
    const char *most = result->gap_is_bound ? "at most " : "";
    printf("gap              %s%s\n", most, shortest_real(text, result->gap));
    printf("relative gap     %s%s\n", most, shortest_real(text, result->relative_gap));
}

/* How the training data was read, which data to predict must match. */
static void print_source(const partan_model *model)
{
    partan_format format = partan_model_data_format(model);
    const char *label = partan_model_label_name(model);
    if (format == PARTAN_FORMAT_AUTO)
        return;
    printf("read as          %s", partan_format_name(format));
    if (label)
        printf(", label in column '%s'", label);
    else if (partan_model_label_column(model) > 0)
        printf(", label in column %" PRId64, partan_model_label_column(model));
    if (partan_model_weight_name(model))
        printf(", weight in column '%s'", partan_model_weight_name(model));
    else if (partan_model_weight_column(model) > 0)
        printf(", weight in column %" PRId64, partan_model_weight_column(model));
    puts(partan_model_feature_name(model, 0) ? ", features have names" : "");
}

static void print_scaling(const partan_model *model)
{
    partan_scale scale = partan_model_settings(model)->scale;
    if (scale != PARTAN_SCALE_NONE)
        printf("scaled           %s\n", scale == PARTAN_SCALE_MINMAX ? "minmax: every feature to the range from 0 to 1"
                                                                     : "standard: every feature to mean 0, variance 1");
}

static void print_labels(const partan_model *model)
{
    size_t count = partan_model_class_count(model);
    if (is_regression(model)) {
        printf("labels           numbers (regression)\n");
        return;
    }
    if (partan_model_settings(model)->problem == PARTAN_OUTLIER) {
        printf("labels           1 (inside), -1 (outliers)\n");
        return;
    }
    if (!is_many(model)) {
        printf("labels           %s (positive), %s (negative)\n", partan_model_label_text(model, 1),
               partan_model_label_text(model, 0));
        return;
    }
    printf("labels           %zu:", count);
    for (size_t i = 0; i < count; i++)
        printf("%s %s", i ? "," : "", partan_model_label_text(model, (int)i));
    printf("\nmachines         %zu, %s\n", partan_model_outputs(model),
           partan_model_settings(model)->multiclass == PARTAN_ONE_VS_REST ? "each class against the rest"
                                                                          : "one for each pair of classes");
}

static const char *side_text(const partan_model *model, int side)
{
    return side < 0 ? "the rest" : partan_model_label_text(model, side);
}

static void print_machines(const partan_model *model)
{
    char count[HUMAN_SIZE], bias[HUMAN_SIZE], gap[HUMAN_SIZE];
    bool native = partan_model_get_format(model) == PARTAN_MODEL_NATIVE;
    printf("\n%-12s  %-12s  %10s  %15s  %s\n", "positive", "negative", native ? "relative gap" : "", "support vectors",
           "bias");
    for (size_t i = 0; i < partan_model_outputs(model); i++) {
        partan_machine one;
        partan_machine_init(&one);
        if (partan_model_machine(model, i, &one) != PARTAN_OK)
            return;
        gap[0] = '\0';
        if (native)
            snprintf(gap, sizeof gap, "%.4g", one.result.relative_gap);
        printf("%-12s  %-12s  %12s  %15s  %s\n", side_text(model, one.positive), side_text(model, one.negative), gap,
               human_count(count, one.result.support_vectors), shortest_real(bias, one.bias));
    }
}

static void print_summary(const partan_model *model, const char *path)
{
    char text[HUMAN_SIZE];
    bool native = partan_model_get_format(model) == PARTAN_MODEL_NATIVE;
    printf("model            %s\n", path);
    if (native)
        printf("format           native, written by partan %s\n", partan_model_version(model));
    else
        printf("format           libsvm\n");
    print_kernel(partan_model_settings(model));
    print_labels(model);
    printf("features         %s\n", human_count(text, partan_model_features(model)));
    print_source(model);
    print_scaling(model);
    printf("support vectors  %s\n", human_count(text, partan_model_result(model)->support_vectors));
    if (!is_many(model))
        printf("bias             %s\n", shortest_real(text, partan_model_bias(model)));
    print_probability(model, stdout);
    if (native)
        print_training(model);
    if (is_many(model))
        print_machines(model);
}

static int info(invocation *run, partan_model_file *file)
{
    partan_model *model = NULL;
    int code = take_model(run, file, &model);
    if (code == EXIT_DONE && run->json)
        print_model(model, run->arguments[0]);
    else if (code == EXIT_DONE)
        print_summary(model, run->arguments[0]);
    partan_model_free(model);
    return code;
}

const model_kind svm_kind = {
    .predict = predict, .verify = verify, .info = info, .curves = true, .weights = true, .shared = true};
