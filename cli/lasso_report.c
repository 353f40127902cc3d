#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "json.h"
#include "lasso_report.h"
#include "message.h"
#include "report.h"

enum { SHOWN = 10 }; /* coefficients in the report */

/* ---- Paths and cross-validation ---- */

void lasso_report_head(const lasso_run *at)
{
    (void)at;
    printf("%12s  %12s  %9s  %8s  %12s  %12s  %10s\n", "lambda", "|b|_1", "nonzeros", "R^2", "objective",
           "relative gap", "iterations");
}

void lasso_report_point(const lasso_run *at, size_t index)
{
    const partan_lasso_result *r = &at->points[index].result;
    printf("%12.6g  %12.6g  %9" PRIu64 "  %8.4f  %12.6g  %12.3g  %10" PRId64 "\n", r->lambda, r->radius, r->nonzeros,
           r->r2, r->objective, r->relative_gap, r->iterations);
}

void lasso_report_path_end(const lasso_run *at)
{
    double seconds = 0;
    char text[HUMAN_SIZE];
    for (size_t i = 0; i < at->done; i++)
        seconds += at->points[i].result.seconds;
    printf("%zu points in %s\n", at->done, human_seconds(text, seconds));
}

void lasso_report_cv(const lasso_run *at, FILE *file)
{
    fprintf(file, "%12s  %14s  %14s  %9s\n", "lambda", "error", "standard error", "nonzeros");
    for (size_t i = 0; i < at->count; i++) {
        const partan_lasso_cv_point *p = &at->errors[i];
        fprintf(file, "%12.6g  %14.6g  %14.6g  %9.1f%s\n", p->lambda, p->error, p->standard_error, p->nonzeros,
                i == at->chosen.best                 ? "  best"
                : i == at->chosen.one_standard_error ? "  one standard error"
                                                     : "");
    }
    const partan_lasso_cv_point *best = &at->errors[at->chosen.best];
    const partan_lasso_cv_point *one = &at->errors[at->chosen.one_standard_error];
    fprintf(file, "best: lambda %.6g, error %.6g; within one standard error of it: lambda %.6g, error %.6g\n",
            best->lambda, best->error, one->lambda, one->error);
}

/* ---- A model ---- */

static int by_size(const void *a, const void *b)
{
    double x = fabs(((const lasso_entry *)a)->value), y = fabs(((const lasso_entry *)b)->value);
    return (x < y) - (x > y);
}

void lasso_report_largest(const partan_lasso *model, FILE *file)
{
    size_t count = (size_t)partan_lasso_get_result(model)->nonzeros;
    lasso_entry *entries = malloc((count + 1) * sizeof *entries);
    for (size_t i = 0; entries && i < count; i++)
        partan_lasso_coefficient(model, i, &entries[i].feature, &entries[i].value, &entries[i].name);
    if (!entries || count == 0) {
        free(entries);
        return;
    }
    qsort(entries, count, sizeof *entries, by_size);
    fprintf(file, "%s\n", count > SHOWN ? "largest coefficients" : "coefficients");
    for (size_t i = 0; i < count && i < SHOWN; i++) {
        if (entries[i].name)
            fprintf(file, "  %13.6g  %s (feature %zu)\n", entries[i].value, entries[i].name, entries[i].feature + 1);
        else
            fprintf(file, "  %13.6g  feature %zu\n", entries[i].value, entries[i].feature + 1);
    }
    free(entries);
}

static const char *describe_form(char buffer[REPORT_SIZE], const partan_lasso *model)
{
    const partan_lasso_settings *lasso = partan_lasso_get_settings(model);
    const partan_lasso_result *result = partan_lasso_get_result(model);
    char asked[HUMAN_SIZE];
    if (lasso->radius > 0)
        snprintf(buffer, REPORT_SIZE, "|b|_1 <= %s (lambda %.6g)%s%s", shortest_real(asked, lasso->radius),
                 result->lambda, lasso->intercept ? ", intercept" : "", lasso->standardise ? ", standardised" : "");
    else
        snprintf(buffer, REPORT_SIZE, "lambda %s (|b|_1 %.6g)%s%s", shortest_real(asked, lasso->lambda), result->radius,
                 lasso->intercept ? ", intercept" : "", lasso->standardise ? ", standardised" : "");
    return buffer;
}

void lasso_report_claims(const partan_lasso *model, FILE *file)
{
    const partan_lasso_result *result = partan_lasso_get_result(model);
    char first[HUMAN_SIZE], second[HUMAN_SIZE], form[REPORT_SIZE];
    fprintf(file, "problem          %s\n", describe_form(form, model));
    fprintf(file, "coefficients     %s of %s are nonzero, intercept %.6g\n", human_count(first, result->nonzeros),
            human_count(second, partan_lasso_features(model)), partan_lasso_intercept(model));
    fprintf(file, "R^2              %.6f\n", result->r2);
    fprintf(file, "objective        %.8g\n", result->objective);
    fprintf(file, "gap              %.4g (relative %.4g)\n", result->gap, result->relative_gap);
}

void lasso_report_text(const invocation *run, const lasso_run *at, FILE *file)
{
    const partan_lasso_result *result = partan_lasso_get_result(at->model);
    char first[HUMAN_SIZE], second[HUMAN_SIZE];
    fprintf(file, "data             %s rows, %s features, %s\n", human_count(first, partan_data_rows(at->data)),
            human_count(second, partan_data_features(at->data)), partan_storage_name(partan_data_storage(at->data)));
    fprintf(file, "solver           %s, %s iterations in %s (%d thread%s, %s)\n",
            partan_solver_name(partan_lasso_get_solver(at->model)->solver),
            human_count(first, (uint64_t)result->iterations), human_seconds(second, result->seconds),
            partan_threads(run->context), partan_threads(run->context) == 1 ? "" : "s", partan_isa(run->context));
    lasso_report_claims(at->model, file);
    fprintf(file, "certificate      optimal to within %.3g %% of the null model's objective\n",
            100 * result->relative_gap);
    fprintf(file, "model            %s\n", at->model_path);
    lasso_report_largest(at->model, file);
}

/* ---- JSON ---- */

void lasso_json_settings(json *out, const partan_lasso_settings *lasso, const partan_settings *settings)
{
    json_boolean(out, "intercept", lasso->intercept != 0);
    json_boolean(out, "standardise", lasso->standardise != 0);
    json_text(out, "solver", partan_solver_name(settings->solver));
    json_real(out, "tol", settings->tol);
    json_real(out, "eps", settings->eps);
    json_integer(out, "sample", settings->sample);
    json_unsigned(out, "seed", settings->seed);
}

void lasso_json_result(json *out, const partan_lasso_result *result)
{
    json_text(out, "status", partan_status_name(result->status));
    json_boolean(out, "converged", result->converged != 0);
    json_integer(out, "iterations", result->iterations);
    json_real(out, "lambda", result->lambda);
    json_real(out, "radius", result->radius);
    json_real(out, "objective", result->objective);
    json_real(out, "gap", result->gap);
    json_real(out, "relative_gap", result->relative_gap);
    json_unsigned(out, "nonzeros", result->nonzeros);
    json_real(out, "r2", result->r2);
}

static void json_points(json *out, const lasso_run *at)
{
    json_open_array(out, "points");
    for (size_t i = 0; i < at->done; i++) {
        json_open(out, NULL);
        lasso_json_result(out, &at->points[i].result);
        json_real(out, "seconds", at->points[i].result.seconds);
        json_close(out);
    }
    json_close_array(out);
}

static void json_choice(json *out, const char *key, const lasso_run *at, size_t index)
{
    json_open(out, key);
    json_unsigned(out, "index", index);
    json_real(out, "lambda", at->errors[index].lambda);
    json_real(out, "error", at->errors[index].error);
    json_close(out);
}

static void json_cv(json *out, const lasso_run *at)
{
    json_open(out, "cv");
    json_integer(out, "folds", at->lasso.folds);
    json_choice(out, "best", at, at->chosen.best);
    json_choice(out, "one_standard_error", at, at->chosen.one_standard_error);
    json_open_array(out, "points");
    for (size_t i = 0; i < at->count; i++) {
        json_open(out, NULL);
        json_real(out, "lambda", at->errors[i].lambda);
        json_real(out, "error", at->errors[i].error);
        json_real(out, "standard_error", at->errors[i].standard_error);
        json_real(out, "nonzeros", at->errors[i].nonzeros);
        json_close(out);
    }
    json_close_array(out);
    json_close(out);
}

void lasso_report_json(const invocation *run, const lasso_run *at)
{
    json out;
    double fit = at->model ? partan_lasso_get_result(at->model)->seconds : 0;
    for (size_t i = 0; i < at->done; i++)
        fit += at->points[i].result.seconds;
    json_begin(&out, stdout);
    json_text(&out, "data", at->data_path);
    json_text(&out, "model", at->model_path);
    json_text(&out, "version", partan_version());
    json_unsigned(&out, "rows", partan_data_rows(at->data));
    json_unsigned(&out, "features", partan_data_features(at->data));
    json_text(&out, "storage", partan_storage_name(partan_data_storage(at->data)));
    lasso_json_settings(&out, &at->lasso, at->model ? partan_lasso_get_solver(at->model) : &at->settings);
    json_integer(&out, "threads", partan_threads(run->context));
    json_text(&out, "isa", partan_isa(run->context));
    if (at->path)
        json_points(&out, at);
    if (at->cv)
        json_cv(&out, at);
    if (at->model) {
        lasso_json_result(&out, partan_lasso_get_result(at->model));
        json_real(&out, "b0", partan_lasso_intercept(at->model));
    }
    json_open(&out, "time");
    json_real(&out, "read", at->read_seconds);
    json_real(&out, "cv", at->cv_seconds);
    json_real(&out, "fit", fit);
    json_real(&out, "total", seconds_now() - run->start);
    json_close(&out);
    json_unsigned(&out, "peak_memory_bytes", peak_memory_bytes());
    json_end(&out);
}

/* ---- What fell short ---- */

void lasso_report_shortfall(invocation *run, const lasso_run *at)
{
    size_t missed = 0;
    for (size_t i = 0; i < at->done; i++)
        missed += !at->points[i].result.converged;
    if (at->path)
        report_points_shortfall(run, at->status, at->done, at->count, missed);
    if (!at->model)
        return;
    const partan_lasso_result *r = partan_lasso_get_result(at->model);
    report_shortfall(run, r->status, &at->settings, r->gap, r->relative_gap, false, NULL, "features");
}

/* ---- Coefficients ---- */

/* A name between quotes, which are doubled inside. */
static void write_name(FILE *file, const char *name)
{
    fputc('"', file);
    for (; name && *name; name++) {
        if (*name == '"')
            fputc('"', file);
        fputc(*name, file);
    }
    fputc('"', file);
}

int lasso_write_coefficients(invocation *run, const lasso_run *at, const char *path)
{
    partan_output out;
    char number[HUMAN_SIZE];
    int code = outfile_open(run, path, &out);
    if (code != EXIT_DONE)
        return code;
    fprintf(out.file, "feature,name,coefficient\n0,\"(intercept)\",%s\n",
            shortest_real(number, partan_lasso_intercept(at->model)));
    for (size_t i = 0; i < partan_lasso_get_result(at->model)->nonzeros; i++) {
        lasso_entry entry;
        partan_lasso_coefficient(at->model, i, &entry.feature, &entry.value, &entry.name);
        fprintf(out.file, "%zu,", entry.feature + 1);
        write_name(out.file, entry.name);
        fprintf(out.file, ",%s\n", shortest_real(number, entry.value));
    }
    return outfile_commit(run, &out);
}
