/* partan info, of the models of partan train and of LIBSVM. */
#include <inttypes.h>

#include "human.h"
#include "json.h"
#include "kind_svm.h"
#include "probability.h"
#include "report.h"
#include "weights.h"

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
    if (partan_model_fingerprint(model))
        printf(", fingerprint %016" PRIx64 "\n", partan_model_fingerprint(model));
    else
        puts(", fingerprint unknown (stopped before it was found)");
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

int info_svm(invocation *run, partan_model_file *file)
{
    partan_model *model = NULL;
    int code = take_svm(run, file, &model);
    if (code == EXIT_DONE && run->json)
        print_model(model, run->arguments[0]);
    else if (code == EXIT_DONE)
        print_summary(model, run->arguments[0]);
    partan_model_free(model);
    return code;
}
