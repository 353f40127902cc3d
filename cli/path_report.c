#include "path_report.h"

#include <inttypes.h>
#include <math.h>

#include "human.h"
#include "message.h"
#include "report.h"
#include "weights.h"

double path_score(const path_point *point)
{
    return point->test.labelled > 0 ? partan_score_of(PARTAN_SCORE_ACCURACY, &point->test) : (double)NAN;
}

bool path_is_regression(const path_run *at)
{
    return at->settings.problem == PARTAN_REGRESSION;
}

const path_point *path_best(const path_run *at)
{
    const path_point *best = NULL;
    for (size_t i = 0; i < at->done; i++)
        if (at->points[i].test.labelled > 0 && (!best || path_score(&at->points[i]) > path_score(best)))
            best = &at->points[i];
    return best;
}

/* ---- The table ---- */

void path_report_head(const path_run *at)
{
    printf("%10s  %12s  %12s  %15s  %10s  %8s%s\n", "C", "objective", "relative gap", "support vectors", "iterations",
           "seconds",
           !at->test                ? ""
           : path_is_regression(at) ? "       test R^2"
                                    : "  test accuracy");
    fflush(stdout);
}

void path_report_row(const path_run *at, const path_point *point)
{
    const partan_result *result = &point->result;
    char vectors[HUMAN_SIZE], iterations[HUMAN_SIZE];
    printf("%10.4g  %12.6g  %12.4f  %15s  %10s  %8.2f", point->cost, result->objective, result->relative_gap,
           human_count(vectors, result->support_vectors), human_count(iterations, (uint64_t)result->iterations),
           result->seconds);
    if (at->test && point->test.labelled > 0 && path_is_regression(at))
        printf("  %13.4f", path_score(point));
    else if (at->test && point->test.labelled > 0)
        printf("  %11.2f %%", 100 * path_score(point));
    else if (at->test)
        printf("  %13s", "-");
    if (!result->converged)
        printf("  %s", partan_status_name(result->status));
    putchar('\n');
    fflush(stdout);
}

void path_report_end(const path_run *at)
{
    const path_point *best = path_best(at);
    if (best && path_is_regression(at))
        printf("best test R^2 %.4f at C %.6g\n", path_score(best), best->cost);
    else if (best)
        printf("best test accuracy %.2f %% (%" PRIu64 "/%" PRIu64 ") at C %.6g\n", 100 * path_score(best),
               best->test.correct, best->test.labelled, best->cost);
}

/* No test: the last field is empty. */
void path_table(const path_run *at, FILE *file)
{
    char text[HUMAN_SIZE];
    fprintf(file, "cost,objective,gap,relative_gap,support_vectors,iterations,seconds,status,%s\n",
            path_is_regression(at) ? "test_r2" : "test_accuracy");
    for (size_t i = 0; i < at->done; i++) {
        const partan_result *r = &at->points[i].result;
        const double reals[] = {at->points[i].cost, r->objective, r->gap, r->relative_gap};
        double share = path_score(&at->points[i]);
        for (size_t k = 0; k < 4; k++)
            fprintf(file, "%s,", shortest_real(text, reals[k]));
        fprintf(file, "%" PRIu64 ",%" PRId64 ",%.6f,%s,%s\n", r->support_vectors, r->iterations, r->seconds,
                partan_status_name(r->status), isnan(share) ? "" : shortest_real(text, share));
    }
}

/* ---- JSON ---- */

static void json_point(json *out, const path_run *at, const path_point *point)
{
    json_open(out, NULL);
    json_real(out, "cost", point->cost);
    report_json_result(out, &point->result);
    json_real(out, "seconds", point->result.seconds);
    json_real(out, path_is_regression(at) ? "test_r2" : "test_accuracy", path_score(point));
    json_text(out, "model", point->model);
    json_close(out);
}

void path_report_json(const invocation *run, const path_run *at)
{
    json out;
    const path_point *best = path_best(at);
    double train = 0;
    json_begin(&out, stdout);
    json_text(&out, "data", at->data_path);
    json_text(&out, "test", at->test_path);
    json_text(&out, "version", partan_version());
    report_json_settings(&out, &at->settings, false);
    report_json_data(&out, &at->settings, at->data);
    json_row_weights(&out, at->data);
    json_class_weights(&out, run);
    report_json_points(&out, run, at->status, at->count);
    json_real(&out, "best_cost", best ? best->cost : NAN);
    json_open_array(&out, "points");
    for (size_t i = 0; i < at->done; i++) {
        json_point(&out, at, &at->points[i]);
        train += at->points[i].result.seconds;
    }
    json_close_array(&out);
    json_open(&out, "time");
    json_real(&out, "read", at->read_seconds);
    json_real(&out, "train", train);
    json_real(&out, "test", at->test_seconds);
    report_json_end(&out, run);
}

/* ---- Warnings ---- */

void path_report_shortfall(invocation *run, const path_run *at)
{
    size_t missed = 0;
    for (size_t i = 0; i < at->done; i++)
        missed += !at->points[i].result.converged;
    report_points_shortfall(run, at->status, at->done, at->count, missed);
}
