#include <inttypes.h>

#include "complete_run.h"
#include "human.h"
#include "message.h"
#include "report.h"

/* ---- Radii ---- */

void complete_report_head(void)
{
    printf("%12s  %10s  %10s  %10s  %5s  %12s  %8s\n", "radius", "held RMSE", "held MAE", "RMSE", "rank",
           "relative gap", "seconds");
    fflush(stdout);
}

void complete_report_point(const partan_matrix_point *point)
{
    const partan_matrix_result *r = &point->result;
    printf("%12.6g  %10.5g  %10.5g  %10.5g  %5" PRIu64 "  %12.3g  %8.2f", point->radius, point->held_rmse,
           point->held_mae, r->rmse, r->rank, r->relative_gap, r->seconds);
    if (!r->converged)
        printf("  %s", partan_status_name(r->status));
    putchar('\n');
    fflush(stdout);
}

void complete_report_choice(const complete_run *at, FILE *file)
{
    char held[HUMAN_SIZE];
    fprintf(file, "best: radius %.6g, RMSE %.5g on the %s held-out entries\n", at->best.radius, at->best.held_rmse,
            human_count(held, at->best.held));
}

/* ---- A matrix ---- */

void complete_report_claims(const partan_matrix *matrix, FILE *file)
{
    const partan_matrix_result *r = partan_matrix_get_result(matrix);
    const partan_matrix_settings *m = partan_matrix_get_settings(matrix);
    char radius[HUMAN_SIZE], rank[HUMAN_SIZE];
    fprintf(file, "problem          nuclear norm <= %s, centred by %s", shortest_real(radius, m->radius),
            partan_centre_name(m->centre));
    if (m->max_rank > 0)
        fprintf(file, ", rank <= %" PRId64, m->max_rank);
    fprintf(file, "\nrank             %s (nuclear norm %.8g)\n", human_count(rank, r->rank), r->nuclear_norm);
    fprintf(file, "errors           RMSE %.6g, MAE %.6g on the fitted entries\n", r->rmse, r->mae);
    fprintf(file, "objective        %.8g\n", r->objective);
    fprintf(file, "gap              %.4g (relative %.4g)\n", r->gap, r->relative_gap);
}

void complete_report_text(const invocation *run, const complete_run *at, FILE *file)
{
    const partan_matrix_result *r = partan_matrix_get_result(at->matrix);
    char first[HUMAN_SIZE], second[HUMAN_SIZE], third[HUMAN_SIZE];
    fprintf(
        file, "ratings          %s of %s rows and %s columns\n", human_count(first, partan_ratings_count(at->ratings)),
        human_count(second, partan_ratings_rows(at->ratings)), human_count(third, partan_ratings_columns(at->ratings)));
    fprintf(file, "solver           %s, %s iterations in %s (%d thread%s, %s)\n",
            partan_solver_name(at->settings.solver), human_count(first, (uint64_t)r->iterations),
            human_seconds(second, r->seconds), partan_threads(run->context),
            partan_threads(run->context) == 1 ? "" : "s", partan_isa(run->context));
    complete_report_claims(at->matrix, file);
    if (r->relative_gap < 1)
        fprintf(file, "certificate      optimal to within %.3g %% of the objective at X = 0\n", 100 * r->relative_gap);
    else
        fprintf(file, "certificate      none: a relative gap of 1 or more proves nothing\n");
    fprintf(file, "model            %s\n", at->model_path);
}

/* ---- JSON ---- */

void complete_json_settings(json *out, const partan_matrix_settings *matrix, const partan_settings *settings)
{
    json_text(out, "centre", partan_centre_name(matrix->centre));
    json_integer(out, "max_rank", matrix->max_rank);
    json_text(out, "solver", partan_solver_name(settings->solver));
    json_real(out, "tol", settings->tol);
    json_real(out, "eps", settings->eps);
    json_unsigned(out, "seed", settings->seed);
}

void complete_json_result(json *out, const partan_matrix_result *r)
{
    json_text(out, "status", partan_status_name(r->status));
    json_boolean(out, "converged", r->converged != 0);
    json_integer(out, "iterations", r->iterations);
    json_real(out, "objective", r->objective);
    json_real(out, "gap", r->gap);
    json_real(out, "relative_gap", r->relative_gap);
    json_real(out, "nuclear_norm", r->nuclear_norm);
    json_unsigned(out, "rank", r->rank);
    json_real(out, "rmse", r->rmse);
    json_real(out, "mae", r->mae);
    json_unsigned(out, "products", r->products);
}

static void json_point(json *out, const char *key, const partan_matrix_point *point)
{
    json_open(out, key);
    json_real(out, "radius", point->radius);
    json_real(out, "held_rmse", point->held_rmse);
    json_real(out, "held_mae", point->held_mae);
    json_unsigned(out, "held", point->held);
    complete_json_result(out, &point->result);
    json_real(out, "seconds", point->result.seconds);
    json_close(out);
}

static void json_points(json *out, const complete_run *at)
{
    json_real(out, "held_out", at->matrix_settings.held_out);
    json_point(out, "best", &at->best);
    json_open_array(out, "points");
    for (size_t i = 0; i < at->done; i++)
        json_point(out, NULL, &at->points[i]);
    json_close_array(out);
}

void complete_report_json(const invocation *run, const complete_run *at)
{
    json out;
    json_begin(&out, stdout);
    json_text(&out, "data", at->data_path);
    json_text(&out, "model", at->model_path);
    json_text(&out, "version", partan_version());
    json_unsigned(&out, "rows", partan_ratings_rows(at->ratings));
    json_unsigned(&out, "columns", partan_ratings_columns(at->ratings));
    json_unsigned(&out, "entries", partan_ratings_count(at->ratings));
    complete_json_settings(&out, &at->matrix_settings, &at->settings);
    report_json_machine(&out, run);
    if (at->choose)
        json_points(&out, at);
    if (at->matrix) {
        json_real(&out, "radius", partan_matrix_get_settings(at->matrix)->radius);
        complete_json_result(&out, partan_matrix_get_result(at->matrix));
    }
    json_open(&out, "time");
    json_real(&out, "read", at->read_seconds);
    json_real(&out, "choose", at->choose_seconds);
    json_real(&out, "fit", at->matrix ? partan_matrix_get_result(at->matrix)->seconds : 0);
    report_json_end(&out, run);
}

/* ---- What fell short ---- */

static void warn_matrix(invocation *run, const complete_run *at)
{
    const partan_matrix_result *r = partan_matrix_get_result(at->matrix);
    if (r->status == PARTAN_RANK_LIMIT)
        warning(run,
                "stopped by --max-rank: the relative gap is %.4g; a matrix of higher rank would be closer to the best "
                "possible",
                r->relative_gap);
    else
        report_shortfall(run, r->status, &at->settings, r->gap, r->relative_gap, false, at->model_path, "entries");
}

void complete_report_shortfall(invocation *run, const complete_run *at)
{
    size_t missed = 0;
    for (size_t i = 0; i < at->done; i++)
        missed += !at->points[i].result.converged;
    if (at->status == PARTAN_TIME_LIMIT || at->status == PARTAN_INTERRUPTED)
        warning(run, "%s before all radii were tried: using the best of %zu",
                at->status == PARTAN_TIME_LIMIT ? "stopped by --time-limit" : "interrupted", at->done);
    else if (missed > 0)
        warning(run, "%zu of %zu radii did not reach the target gap", missed, at->done);
    if (at->matrix)
        warn_matrix(run, at);
}
