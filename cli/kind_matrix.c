/* Matrices of partan complete: verify and info; predict is in predict_matrix.c. */
#include <inttypes.h>

#include "complete_run.h"
#include "human.h"
#include "kinds.h"
#include "message.h"
#include "progress.h"
#include "ratings.h"
#include "report.h"
#include "runtime.h"

int take_matrix(invocation *run, partan_model_file *file, partan_matrix **matrix)
{
    partan_status status = partan_matrix_from_file(run->context, file, matrix);
    partan_model_file_free(file);
    return status == PARTAN_OK ? EXIT_DONE : library_failure(run, status);
}

/* ---- verify ---- */

static void print_verification(const invocation *run, const partan_matrix_verification *found,
                               const partan_matrix_result *claimed, const double seconds[2])
{
    json out;
    json_begin(&out, stdout);
    json_real(&out, "objective", found->objective);
    json_real(&out, "gap", found->gap);
    json_real(&out, "relative_gap", found->relative_gap);
    json_real(&out, "nuclear_norm", found->nuclear_norm);
    json_real(&out, "rmse", found->rmse);
    json_boolean(&out, "feasible", found->feasible != 0);
    json_boolean(&out, "matches", found->matches != 0);
    json_text(&out, "reason", found->reason[0] ? found->reason : NULL);
    json_open(&out, "claimed");
    complete_json_result(&out, claimed);
    json_close(&out);
    json_open(&out, "time");
    json_real(&out, "read", seconds[0]);
    json_real(&out, "verify", seconds[1]);
    report_json_end(&out, run);
}

static void print_row(const char *name, double claimed, double found)
{
    printf("%-14s  %22.15g  %22.15g\n", name, claimed, found);
}

static void print_audit(const partan_matrix_verification *found, const partan_matrix *matrix)
{
    const partan_matrix_result *claimed = partan_matrix_get_result(matrix);
    printf("%-14s  %22s  %22s\n", "", "claimed", "recomputed");
    print_row("objective", claimed->objective, found->objective);
    print_row("gap", claimed->gap, found->gap);
    print_row("relative gap", claimed->relative_gap, found->relative_gap);
    print_row("nuclear norm", claimed->nuclear_norm, found->nuclear_norm);
    print_row("radius", partan_matrix_get_settings(matrix)->radius, partan_matrix_get_settings(matrix)->radius);
    print_row("RMSE", claimed->rmse, found->rmse);
    if (found->matches)
        printf("verified: optimal to within %.3g %% of the objective at X = 0\n", 100 * found->relative_gap);
}

static int verify(invocation *run, partan_model_file *file)
{
    partan_matrix *matrix = NULL;
    partan_ratings *ratings = NULL;
    partan_matrix_verification found;
    partan_matrix_verification_init(&found);
    double seconds[2] = {0};
    int code = take_matrix(run, file, &matrix);
    if (code == EXIT_DONE)
        code = read_ratings(run, run->arguments[1], false, &ratings, &seconds[0]);
    if (code == EXIT_DONE) {
        double start = seconds_now();
        partan_status status = partan_matrix_verify(run->context, matrix, ratings, &found);
        progress_clear(run);
        seconds[1] = seconds_now() - start;
        code = status == PARTAN_OK ? EXIT_DONE : library_failure(run, status);
    }
    if (code == EXIT_DONE) {
        if (run->json)
            print_verification(run, &found, partan_matrix_get_result(matrix), seconds);
        else if (!run->quiet)
            print_audit(&found, matrix);
        if (!found.matches)
            code = failure(run, "%s: not verified: %s", run->arguments[0], found.reason);
    }
    partan_ratings_free(ratings);
    partan_matrix_free(matrix);
    return code;
}

/* ---- info ---- */

static void print_json(const partan_matrix *matrix, const char *path)
{
    json out;
    char fingerprint[HUMAN_SIZE];
    snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, partan_matrix_fingerprint(matrix));
    json_begin(&out, stdout);
    json_text(&out, "model", path);
    json_text(&out, "format", "matrix");
    json_text(&out, "version", partan_matrix_version(matrix));
    json_real(&out, "radius", partan_matrix_get_settings(matrix)->radius);
    complete_json_settings(&out, partan_matrix_get_settings(matrix), partan_matrix_solver_settings(matrix));
    json_unsigned(&out, "rows", partan_matrix_rows(matrix));
    json_unsigned(&out, "columns", partan_matrix_columns(matrix));
    json_unsigned(&out, "entries", partan_matrix_entries(matrix));
    json_text(&out, "fingerprint", fingerprint);
    json_real(&out, "mean", partan_matrix_mean(matrix));
    complete_json_result(&out, partan_matrix_get_result(matrix));
    json_open_array(&out, "singular");
    for (size_t k = 0; k < partan_matrix_get_result(matrix)->rank; k++)
        json_real(&out, NULL, partan_matrix_singular(matrix)[k]);
    json_close_array(&out);
    json_open(&out, "time");
    json_real(&out, "fit", partan_matrix_get_result(matrix)->seconds);
    json_close(&out);
    json_end(&out);
}

static void print_summary(const partan_matrix *matrix, const char *path)
{
    const partan_matrix_result *r = partan_matrix_get_result(matrix);
    char first[HUMAN_SIZE], second[HUMAN_SIZE];
    printf("model            %s\n", path);
    printf("format           matrix, written by partan %s\n", partan_matrix_version(matrix));
    printf("size             %s rows, %s columns\n", human_count(first, partan_matrix_rows(matrix)),
           human_count(second, partan_matrix_columns(matrix)));
    printf("ratings          %s, fingerprint %016" PRIx64 "\n", human_count(first, partan_matrix_entries(matrix)),
           partan_matrix_fingerprint(matrix));
    printf("solver           %s, %s iterations in %s\n",
           partan_solver_name(partan_matrix_solver_settings(matrix)->solver),
           human_count(first, (uint64_t)r->iterations), human_seconds(second, r->seconds));
    printf("status           %s\n", partan_status_name(r->status));
    complete_report_claims(matrix, stdout);
    printf("mean             %s\n", shortest_real(first, partan_matrix_mean(matrix)));
    for (size_t k = 0; k < r->rank && k < 8; k++)
        printf(k == 0 ? "singular values  %.6g" : " %.6g", partan_matrix_singular(matrix)[k]);
    if (r->rank > 0)
        printf(r->rank > 8 ? " ...\n" : "\n");
}

static int info(invocation *run, partan_model_file *file)
{
    partan_matrix *matrix = NULL;
    int code = take_matrix(run, file, &matrix);
    if (code == EXIT_DONE && run->json)
        print_json(matrix, run->arguments[0]);
    else if (code == EXIT_DONE)
        print_summary(matrix, run->arguments[0]);
    partan_matrix_free(matrix);
    return code;
}

const model_kind matrix_kind = {.predict = predict_matrix, .verify = verify, .info = info, .lists = true};
