#include "train_report.h"

#include "human.h"
#include "message.h"
#include "probability.h"
#include "report.h"
#include "weights.h"

void train_report_json(const invocation *run, const training *at)
{
    json out;
    const partan_result *result = partan_model_result(at->model);
    json_begin(&out, stdout);
    json_text(&out, "data", at->data_path);
    json_text(&out, "model", at->model_path);
    json_text(&out, "version", partan_version());
    report_json_settings(&out, partan_model_settings(at->model), true);
    json_integer(&out, "further_samples", at->settings.further_samples); /* this and merge are not in model files */
    json_boolean(&out, "merge", at->settings.merge != 0);
    json_unsigned(&out, "rows", at->rows);
    json_unsigned(&out, "features", partan_data_features(at->data));
    json_unsigned(&out, "nonzeros", at->nonzeros);
    json_text(&out, "storage", partan_storage_name(partan_data_storage(at->data)));
    json_weights(&out, at->weights);
    report_json_labels(&out, at->model);
    report_json_machines(&out, at->model);
    json_boolean(&out, "balanced", at->settings.balanced != 0);
    json_model_class_weights(&out, at->model);
    json_probability(&out, at->model);
    report_json_machine(&out, run);
    report_json_result(&out, result);
    if (run->together) {
        json_unsigned(&out, "collective_calls", run->together->calls);
        json_unsigned(&out, "bytes_sent", run->together->bytes);
    }
    json_open(&out, "time");
    json_real(&out, "read", at->read_seconds);
    json_real(&out, "train", result->seconds);
    report_json_end(&out, run);
}

void train_report_text(const invocation *run, const training *at, FILE *file)
{
    const partan_result *result = partan_model_result(at->model);
    char first[HUMAN_SIZE], second[HUMAN_SIZE], kernel[REPORT_SIZE];
    char cost[HUMAN_SIZE];
    fprintf(file, "data             %s rows, %s features, %s", human_count(first, at->rows),
            human_count(second, partan_data_features(at->data)), partan_storage_name(partan_data_storage(at->data)));
    if (at->settings.scale != PARTAN_SCALE_NONE)
        fprintf(file, ", scaled (%s)", partan_scale_name(at->settings.scale));
    fputc('\n', file);
    print_weights(file, at->weights);
    print_class_weights(file, at->model, at->settings.balanced != 0);
    fprintf(file, "kernel           %s, C %s", report_kernel(kernel, partan_model_settings(at->model)),
            shortest_real(cost, at->settings.cost));
    if (at->settings.problem == PARTAN_REGRESSION)
        fprintf(file, ", epsilon %s", shortest_real(cost, at->settings.epsilon));
    if (at->settings.problem == PARTAN_OUTLIER && at->settings.outliers > 0)
        fprintf(file, ", %s of the rows outside", shortest_real(cost, at->settings.outliers));
    fputc('\n', file);
    if (partan_model_class_count(at->model) > 2)
        fprintf(file, "classes          %zu, %zu machines (%s)\n", partan_model_class_count(at->model),
                partan_model_outputs(at->model),
                at->settings.multiclass == PARTAN_ONE_VS_REST ? "each class against the rest" : "one for each pair");
    if (run->together)
        fprintf(file, "processes        %d, %s collective calls, %s bytes sent by the first\n",
                run->together->processes, human_count(first, run->together->calls),
                human_count(second, run->together->bytes));
    fprintf(file, "solver           %s, %s iterations in %s (%d thread%s, %s)\n",
            partan_solver_name(at->settings.solver), human_count(first, (uint64_t)result->iterations),
            human_seconds(second, result->seconds), partan_threads(run->context),
            partan_threads(run->context) == 1 ? "" : "s", partan_isa(run->context));
    fprintf(file, "support vectors  %s\n", human_count(first, result->support_vectors));
    bool many = partan_model_class_count(at->model) > 2;
    fprintf(file, "objective        %.8g%s\n", result->objective,
            many ? " (of the machine with the largest relative gap)" : "");
    fprintf(file, "gap              %s%.4g (relative %.4g)\n", result->gap_is_bound ? "at most " : "", result->gap,
            result->relative_gap);
    if (result->relative_gap < 1 || at->settings.problem != PARTAN_CLASSIFICATION)
        report_certificate(file, many ? "certificate      every machine " : "certificate      ", at->settings.problem,
                           result->relative_gap);
    else
        fprintf(file, "certificate      none: a relative gap of 1 or more proves nothing about the margin\n");
    print_probability(at->model, file);
    fprintf(file, "model            %s\n", at->model_path);
}

void train_report_shortfall(invocation *run, const training *at)
{
    const partan_result *result = partan_model_result(at->model);
    report_shortfall(run, result->status, &at->settings, result->gap, result->relative_gap, result->gap_is_bound != 0,
                     at->model_path, "rows");
    warn_of_missing_probability(run, at->status, at->model, at->settings.probability != 0);
}
