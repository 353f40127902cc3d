#include "train_report.h"

#include "human.h"
#include "message.h"
#include "report.h"

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
    json_unsigned(&out, "rows", partan_data_rows(at->data));
    json_unsigned(&out, "features", partan_data_features(at->data));
    json_unsigned(&out, "nonzeros", partan_data_nonzeros(at->data));
    json_text(&out, "storage", partan_storage_name(partan_data_storage(at->data)));
    report_json_labels(&out, at->model);
    report_json_machine(&out, run);
    report_json_result(&out, result);
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
    fprintf(file, "data             %s rows, %s features, %s\n", human_count(first, partan_data_rows(at->data)),
            human_count(second, partan_data_features(at->data)), partan_storage_name(partan_data_storage(at->data)));
    fprintf(file, "kernel           %s, cost %s\n", report_kernel(kernel, partan_model_settings(at->model)),
            shortest_real(cost, at->settings.cost));
    fprintf(file, "solver           %s, %s iterations in %s (%d thread%s, %s)\n",
            partan_solver_name(at->settings.solver), human_count(first, (uint64_t)result->iterations),
            human_seconds(second, result->seconds), partan_threads(run->context),
            partan_threads(run->context) == 1 ? "" : "s", partan_isa(run->context));
    fprintf(file, "support vectors  %s\n", human_count(first, result->support_vectors));
    fprintf(file, "objective        %.8g\n", result->objective);
    fprintf(file, "gap              %.4g (relative %.4g)\n", result->gap, result->relative_gap);
    if (result->relative_gap < 1)
        fprintf(file, "certificate      the margin is within %.3g %% of the best possible one\n",
                100 * result->relative_gap);
    else
        fprintf(file, "certificate      none: a relative gap of 1 or more proves nothing about the margin\n");
    fprintf(file, "model            %s\n", at->model_path);
}

/* "relative gap 0.12, target 0.05", or the absolute ones when only --eps is set. */
static void describe_gap(const training *at, char *text, size_t size)
{
    const partan_result *result = partan_model_result(at->model);
    if (at->settings.tol > 0)
        snprintf(text, size, "the relative gap is %.4g, the target was %.4g", result->relative_gap, at->settings.tol);
    else if (at->settings.eps > 0)
        snprintf(text, size, "the gap is %.4g, the target was %.4g", result->gap, at->settings.eps);
    else
        snprintf(text, size, "the relative gap is %.4g", result->relative_gap);
}

void train_report_shortfall(invocation *run, const training *at)
{
    char gap[160];
    const char *model = at->model_path;
    describe_gap(at, gap, sizeof gap);
    switch (at->status) {
    case PARTAN_ITERATION_LIMIT:
        warning(run, "stopped by --max-iter: %s; raise the limit, or go on with --init %s", gap, model);
        break;
    case PARTAN_TIME_LIMIT:
        warning(run, "stopped by --time-limit: %s; raise the limit, or go on with --init %s", gap, model);
        break;
    case PARTAN_INTERRUPTED:
        warning(run, "interrupted: %s; the model is usable, and --init %s goes on from it", gap, model);
        break;
    case PARTAN_STALLED:
        warning(run,
                "no step makes progress any more in double precision: %s; a looser --tol would have stopped before",
                gap);
        break;
    case PARTAN_UNCONFIRMED:
        warning(run, "stopped by its samples, which saw no larger gap: over all rows %s; --stop confirmed goes on",
                gap);
        break;
    default:
        break;
    }
}
