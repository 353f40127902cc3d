#include "report.h"

#include <math.h>

#include "human.h"
#include "message.h"

bool report_uses_gamma(partan_kernel kernel)
{
    return kernel != PARTAN_KERNEL_LINEAR && kernel != PARTAN_KERNEL_PRECOMPUTED;
}

static bool uses_coef0(partan_kernel kernel)
{
    return kernel == PARTAN_KERNEL_POLYNOMIAL || kernel == PARTAN_KERNEL_SIGMOID;
}

char *report_kernel(char buffer[REPORT_SIZE], const partan_settings *settings)
{
    char gamma[HUMAN_SIZE], coef0[HUMAN_SIZE];
    const char *name = partan_kernel_name(settings->kernel);
    shortest_real(gamma, settings->gamma);
    shortest_real(coef0, settings->coef0);
    if (settings->kernel == PARTAN_KERNEL_POLYNOMIAL)
        snprintf(buffer, REPORT_SIZE, "%s, degree %d, gamma %s, coef0 %s", name, (int)settings->degree, gamma, coef0);
    else if (uses_coef0(settings->kernel))
        snprintf(buffer, REPORT_SIZE, "%s, gamma %s, coef0 %s", name, gamma, coef0);
    else if (report_uses_gamma(settings->kernel))
        snprintf(buffer, REPORT_SIZE, "%s, gamma %s", name, gamma);
    else
        snprintf(buffer, REPORT_SIZE, "%s", name);
    return buffer;
}

/* Parameters that the kernel does not use are null. */
void report_json_settings(json *out, const partan_settings *settings, bool all)
{
    partan_kernel kernel = settings->kernel;
    json_text(out, "kernel", partan_kernel_name(kernel));
    json_real(out, "gamma", report_uses_gamma(kernel) ? settings->gamma : NAN);
    json_real(out, "degree", kernel == PARTAN_KERNEL_POLYNOMIAL ? (double)settings->degree : NAN);
    json_real(out, "coef0", uses_coef0(kernel) ? settings->coef0 : NAN);
    if (!all)
        return;
    json_real(out, "cost", settings->cost);
    json_text(out, "solver", partan_solver_name(settings->solver));
    json_text(out, "step", partan_step_name(settings->step));
    json_real(out, "tol", settings->tol);
    json_real(out, "eps", settings->eps);
    json_integer(out, "sample", settings->sample);
    json_text(out, "stop", partan_stop_name(settings->stop));
    json_unsigned(out, "seed", settings->seed);
}

void report_json_data(json *out, const partan_settings *settings, const partan_data *data)
{
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
    json_unsigned(out, "support_vectors", result->support_vectors);
    json_unsigned(out, "kernel_columns", result->kernel_columns);
    json_unsigned(out, "kernel_values", result->kernel_values);
    json_unsigned(out, "cache_hits", result->cache_hits);
}

void report_json_labels(json *out, const partan_model *model)
{
    json_open_array(out, "labels");
    json_text(out, NULL, partan_model_label_text(model, 1));
    json_text(out, NULL, partan_model_label_text(model, 0));
    json_close_array(out);
}

void report_points_shortfall(invocation *run, partan_status status, size_t done, size_t count, size_t missed)
{
    if (status == PARTAN_INTERRUPTED)
        warning(run, "interrupted: %zu of %zu points are done", done, count);
    else if (status == PARTAN_TIME_LIMIT)
        warning(run, "stopped by --time-limit: %zu of %zu points are done", done, count);
    if (missed > 0)
        warning(run, "%zu of these points did not reach the target gap; their own is the true one", missed);
}
