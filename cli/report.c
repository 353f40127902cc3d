#include "report.h"

#include <math.h>

#include "human.h"
#include "message.h"

char *report_kernel(char buffer[REPORT_SIZE], const partan_settings *settings)
{
    partan_kernel kernel = settings->kernel;
    char text[HUMAN_SIZE];
    int length = snprintf(buffer, REPORT_SIZE, "%s", partan_kernel_name(kernel));
    if (partan_kernel_uses(kernel, "degree"))
        length += snprintf(buffer + length, REPORT_SIZE - (size_t)length, ", degree %d", (int)settings->degree);
    if (partan_kernel_uses(kernel, "gamma"))
        length +=
            snprintf(buffer + length, REPORT_SIZE - (size_t)length, ", gamma %s", shortest_real(text, settings->gamma));
    if (partan_kernel_uses(kernel, "coef0"))
        snprintf(buffer + length, REPORT_SIZE - (size_t)length, ", coef0 %s", shortest_real(text, settings->coef0));
    return buffer;
}

#define NO_BOUND 1e6 /* relative gaps from here on say nothing: a training was stopped before it had a bound */

/* What an optimal solution is, for the words "optimal to within 5 %". */
void report_certificate(FILE *file, const char *begin, partan_problem problem, double relative_gap)
{
    if (!(relative_gap < NO_BOUND))
        fprintf(file, "%sno bound yet of how far it is from the optimum; train longer\n", begin);
    else if (problem == PARTAN_OUTLIER)
        fprintf(
            file,
            "%soptimal to within %.3g %% of the rows' spread: so close are squared radius and losses to the least\n",
            begin, 100 * relative_gap);
    else if (problem == PARTAN_REGRESSION)
        fprintf(file, "%soptimal to within %.3g %%: the training objective is at most that much above the least one\n",
                begin, 100 * relative_gap);
    else
        fprintf(file, "%soptimal to within %.3g %% (of the training problem; accuracy is another matter)\n", begin,
                100 * relative_gap);
}

/* Parameters that the kernel does not use are null. */
void report_json_settings(json *out, const partan_settings *settings, bool all)
{
    partan_kernel kernel = settings->kernel;
    json_text(out, "kernel", partan_kernel_name(kernel));
    json_real(out, "gamma", partan_kernel_uses(kernel, "gamma") ? settings->gamma : NAN);
    json_real(out, "degree", partan_kernel_uses(kernel, "degree") ? (double)settings->degree : NAN);
    json_real(out, "coef0", partan_kernel_uses(kernel, "coef0") ? settings->coef0 : NAN);
    if (!all)
        return;
    json_text(out, "problem", partan_problem_name(settings->problem));
    json_real(out, "cost", settings->cost);
    json_real(out, "epsilon", settings->problem == PARTAN_REGRESSION ? settings->epsilon : NAN);
    json_real(out, "outliers", settings->problem == PARTAN_OUTLIER ? settings->outliers : NAN);
    json_text(out, "scale", partan_scale_name(settings->scale));
    json_text(out, "solver", partan_solver_name(settings->solver));
    json_text(out, "step", partan_step_name(settings->step));
    json_real(out, "tol", settings->tol);
    json_real(out, "eps", settings->eps);
    json_integer(out, "sample", settings->sample);
    json_text(out, "stop", partan_stop_name(settings->stop));
    json_unsigned(out, "seed", settings->seed);
    json_integer(out, "max_sv", settings->max_sv);
}

void report_json_data(json *out, const partan_settings *settings, const partan_data *data)
{
    json_text(out, "problem", partan_problem_name(settings->problem));
    json_text(out, "solver", partan_solver_name(settings->solver));
    json_real(out, "tol", settings->tol);
    json_real(out, "eps", settings->eps);
    json_unsigned(out, "rows", partan_data_rows(data));
    json_unsigned(out, "features", partan_data_features(data));
    json_text(out, "storage", partan_storage_name(partan_data_storage(data)));
}

void report_json_result(json *out, const partan_result *result)
{
    json_text(out, "status", partan_status_name(result->status));
    json_boolean(out, "converged", result->converged != 0);
    json_integer(out, "iterations", result->iterations);
    json_real(out, "objective", result->objective);
    json_real(out, "gap", result->gap);
    json_real(out, "relative_gap", result->relative_gap);
    json_boolean(out, "gap_is_bound", result->gap_is_bound != 0);
    json_unsigned(out, "support_vectors", result->support_vectors);
    json_unsigned(out, "kernel_columns", result->kernel_columns);
    json_unsigned(out, "kernel_values", result->kernel_values);
    json_unsigned(out, "cache_hits", result->cache_hits);
}

void report_json_machine(json *out, const invocation *run)
{
    json_integer(out, "threads", partan_threads(run->context));
    json_text(out, "isa", partan_isa(run->context));
    if (run->together)
        json_integer(out, "processes", run->together->processes);
}

void report_json_points(json *out, const invocation *run, partan_status status, size_t count)
{
    report_json_machine(out, run);
    json_text(out, "status", partan_status_name(status));
    json_unsigned(out, "points_wanted", count);
}

void report_json_end(json *out, const invocation *run)
{
    json_real(out, "total", seconds_now() - run->start);
    json_close(out);
    json_unsigned(out, "peak_memory_bytes", peak_memory_bytes());
    json_end(out);
}

void report_json_labels(json *out, const partan_model *model)
{
    size_t count = partan_model_class_count(model);
    json_open_array(out, "labels"); /* of two, the positive one first; of more, in ascending order */
    for (size_t i = 0; i < count; i++)
        json_text(out, NULL, partan_model_label_text(model, (int)(count == 2 ? 1 - i : i)));
    json_close_array(out);
}

void report_json_machines(json *out, const partan_model *model)
{
    size_t count = partan_model_outputs(model);
    if (partan_model_class_count(model) <= 2)
        return;
    json_text(out, "multiclass", partan_multiclass_name(partan_model_settings(model)->multiclass));
    json_open_array(out, "machines");
    for (size_t i = 0; i < count; i++) {
        partan_machine one;
        partan_machine_init(&one);
        if (partan_model_machine(model, i, &one) != PARTAN_OK)
            break;
        json_open(out, NULL);
        json_text(out, "positive", partan_model_label_text(model, one.positive));
        json_text(out, "negative", partan_model_label_text(model, one.negative)); /* null: the rest */
        json_real(out, "bias", one.bias);
        report_json_result(out, &one.result);
        json_close(out);
    }
    json_close_array(out);
}

/* "the relative gap is 0.12, the target was 0.05", or the absolute ones when only --eps is set. */
static void describe_gap(char text[REPORT_SIZE], const partan_settings *settings, double gap, double relative_gap,
                         bool bound)
{
    const char *most = bound ? " at most" : "", *why = bound ? " (there was no time to compute it)" : "";
    if (settings->tol > 0)
        snprintf(text, REPORT_SIZE, "the relative gap is%s %.4g%s, the target was %.4g", most, relative_gap, why,
                 settings->tol);
    else if (settings->eps > 0)
        snprintf(text, REPORT_SIZE, "the gap is%s %.4g%s, the target was %.4g", most, gap, why, settings->eps);
    else
        snprintf(text, REPORT_SIZE, "the relative gap is%s %.4g%s", most, relative_gap, why);
}

void report_shortfall(invocation *run, partan_status status, const partan_settings *settings, double gap,
                      double relative_gap, bool bound, const char *init, const char *all)
{
    char text[REPORT_SIZE];
    const char *limit = status == PARTAN_ITERATION_LIMIT ? "--max-iter" : "--time-limit";
    describe_gap(text, settings, gap, relative_gap, bound);
    if (status == PARTAN_ITERATION_LIMIT || status == PARTAN_TIME_LIMIT)
        warning(run, "stopped by %s: %s%s%s", limit, text, init ? "; raise the limit, or continue with --init " : "",
                init ? init : "");
    else if (status == PARTAN_INTERRUPTED && init)
        warning(run, "interrupted: %s; the model is usable, and --init %s continues from it", text, init);
    else if (status == PARTAN_INTERRUPTED)
        warning(run, "interrupted: %s; the model is usable", text);
    else if (status == PARTAN_STALLED)
        warning(run, "rounding errors allow no further progress: %s; use a looser --tol, a smaller C or a larger gamma",
                text);
    else if (status == PARTAN_UNCONFIRMED)
        warning(run, "the sampled rule stopped the run, but over all %s %s; --stop confirmed continues", all, text);
}

void report_points_shortfall(invocation *run, partan_status status, size_t done, size_t count, size_t missed)
{
    if (status == PARTAN_INTERRUPTED)
        warning(run, "interrupted: %zu of %zu points are done", done, count);
    else if (status == PARTAN_TIME_LIMIT)
        warning(run, "stopped by --time-limit: %zu of %zu points are done", done, count);
    if (missed > 0)
        warning(run, "%zu of these points did not reach the target gap; the gaps shown are the true ones", missed);
}
