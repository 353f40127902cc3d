/* Models of partan lasso: predict, verify and info. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "interrupt.h"
#include "kinds.h"
#include "lasso_report.h"
#include "message.h"
#include "options.h"
#include "progress.h"
#include "runtime.h"

static int take_model(invocation *run, partan_model_file *file, partan_lasso **model)
{
    partan_status status = partan_lasso_from_file(run->context, file, model);
    partan_model_file_free(file);
    return status == PARTAN_OK ? EXIT_DONE : library_failure(run, status);
}

/* ---- predict ---- */

typedef struct prediction {
    partan_lasso *model;
    partan_data *data;
    double *values;
    uint64_t rows, labelled;
    double mse, r2; /* over the rows with a label */
    double read_seconds, predict_seconds;
} prediction;

/* Labels that are words have no error. */
static double target(const partan_data *data, size_t row)
{
    char buffer[HUMAN_SIZE], *end;
    const char *text = partan_data_label_text(data, row, buffer, sizeof buffer);
    double value = partan_data_label(data, row);
    if (isnan(value))
        return value;
    strtod(text, &end);
    return *end ? (double)NAN : value;
}

static void compare(prediction *at)
{
    double sum = 0, square = 0, error = 0;
    for (size_t row = 0; row < at->rows; row++) {
        double y = target(at->data, row);
        if (isnan(y))
            continue;
        at->labelled++;
        sum += y;
        square += y * y;
        error += (y - at->values[row]) * (y - at->values[row]);
    }
    double n = (double)at->labelled, total = square - sum * sum / n;
    at->mse = at->labelled ? error / n : (double)NAN;
    at->r2 = total > 0 ? 1 - error / total : (double)NAN;
}

static int write_values(invocation *run, const prediction *at, const char *path)
{
    partan_output out;
    char number[HUMAN_SIZE];
    int code = outfile_open(run, path, &out);
    if (code != EXIT_DONE)
        return code;
    for (size_t row = 0; row < at->rows && !ferror(out.file); row++)
        fprintf(out.file, "%s\n", shortest_real(number, at->values[row]));
    if (!interrupt_seen())
        return outfile_commit(run, &out);
    partan_output_abandon(&out);
    return failure(run, "interrupted");
}

static int work(invocation *run, partan_model_file *file, prediction *at, const char *output)
{
    int code = take_model(run, file, &at->model);
    if (code == EXIT_DONE && option_flag(run, "decision", false))
        code = usage_error(run, "--decision is only for classifiers: a Lasso model predicts values");
    if (code == EXIT_DONE)
        code = read_data(run, run->arguments[0], (reading){.unlabelled = true, .lasso = at->model}, &at->data,
                         &at->read_seconds);
    if (code != EXIT_DONE)
        return code;
    at->rows = partan_data_rows(at->data);
    at->values = malloc((at->rows ? at->rows : 1) * sizeof *at->values);
    if (!at->values)
        return failure(run, "out of memory for %" PRIu64 " values", at->rows);
    double start = seconds_now();
    partan_status status = partan_lasso_predict(run->context, at->model, at->data, at->values);
    progress_clear(run);
    at->predict_seconds = seconds_now() - start;
    if (status != PARTAN_OK)
        return library_failure(run, status);
    compare(at);
    return output ? write_values(run, at, output) : EXIT_DONE;
}

static void print_prediction(const invocation *run, const prediction *at, const char *path)
{
    json out;
    json_begin(&out, stdout);
    json_unsigned(&out, "rows", at->rows);
    json_unsigned(&out, "labelled", at->labelled);
    json_real(&out, "mse", at->mse);
    json_real(&out, "rmse", sqrt(at->mse));
    json_real(&out, "r2", at->r2);
    json_text(&out, "output", path);
    json_open(&out, "time");
    json_real(&out, "read", at->read_seconds);
    json_real(&out, "predict", at->predict_seconds);
    json_real(&out, "total", seconds_now() - run->start);
    json_close(&out);
    json_unsigned(&out, "peak_memory_bytes", peak_memory_bytes());
    json_end(&out);
}

static int predict(invocation *run, partan_model_file *file)
{
    const char *output = run->argument_count > 2 ? run->arguments[2] : NULL;
    FILE *text = is_standard_output(output) ? stderr : stdout;
    prediction at = {0};
    int code = work(run, file, &at, output);
    if (code == EXIT_DONE && run->json)
        print_prediction(run, &at, output);
    else if (code == EXIT_DONE && !run->quiet && at.labelled == 0)
        fprintf(text, "%" PRIu64 " rows, none with a numeric label\n", at.rows);
    else if (code == EXIT_DONE && !run->quiet)
        fprintf(text, "RMSE = %.6g, R^2 = %.6g (%" PRIu64 " rows)\n", sqrt(at.mse), at.r2, at.labelled);
    free(at.values);
    partan_data_free(at.data);
    partan_lasso_free(at.model);
    return code;
}

/* ---- verify ---- */

static void print_verification(const invocation *run, const partan_lasso_verification *found,
                               const partan_lasso_result *claimed, const double seconds[2])
{
    json out;
    json_begin(&out, stdout);
    json_real(&out, "objective", found->objective);
    json_real(&out, "gap", found->gap);
    json_real(&out, "relative_gap", found->relative_gap);
    json_real(&out, "r2", found->r2);
    json_real(&out, "norm", found->norm);
    json_boolean(&out, "matches", found->matches != 0);
    json_text(&out, "reason", found->reason[0] ? found->reason : NULL);
    json_open(&out, "claimed");
    lasso_json_result(&out, claimed);
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

static void print_audit(const partan_lasso_verification *found, const partan_lasso *model)
{
    const partan_lasso_result *claimed = partan_lasso_get_result(model);
    printf("%-14s  %22s  %22s\n", "", "claimed", "recomputed");
    print_row("objective", claimed->objective, found->objective);
    print_row("gap", claimed->gap, found->gap);
    print_row("relative gap", claimed->relative_gap, found->relative_gap);
    print_row("R^2", claimed->r2, found->r2);
    if (partan_lasso_get_settings(model)->radius > 0)
        printf("%-14s  %19s%3.15g  %22.15g\n", "|b|_1", "at most ", claimed->radius, found->norm);
    else
        print_row("|b|_1", claimed->radius, found->norm);
    if (found->matches)
        printf("verified: optimal to within %.3g %% of the null model's objective\n",
               100 * (found->relative_gap > 0 ? found->relative_gap : 0));
}

static int verify(invocation *run, partan_model_file *file)
{
    partan_lasso *model = NULL;
    partan_data *data = NULL;
    partan_lasso_verification found;
    partan_lasso_verification_init(&found);
    double seconds[2] = {0};
    int code = take_model(run, file, &model);
    if (code == EXIT_DONE)
        code = read_data(run, run->arguments[1], (reading){.lasso = model}, &data, &seconds[0]);
    if (code == EXIT_DONE) {
        double start = seconds_now();
        partan_status status = partan_lasso_verify(run->context, model, data, &found);
        progress_clear(run);
        seconds[1] = seconds_now() - start;
        code = status == PARTAN_OK ? EXIT_DONE : library_failure(run, status);
    }
    if (code == EXIT_DONE) {
        if (run->json)
            print_verification(run, &found, partan_lasso_get_result(model), seconds);
        else if (!run->quiet)
            print_audit(&found, model);
        if (!found.matches)
            code = failure(run, "%s: not verified: %s", run->arguments[0], found.reason);
    }
    partan_data_free(data);
    partan_lasso_free(model);
    return code;
}

/* ---- info ---- */

static void print_json(const partan_lasso *model, const char *path)
{
    json out;
    char fingerprint[HUMAN_SIZE];
    snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, partan_lasso_fingerprint(model));
    json_begin(&out, stdout);
    json_text(&out, "model", path);
    json_text(&out, "format", "lasso");
    json_text(&out, "version", partan_lasso_version(model));
    lasso_json_settings(&out, partan_lasso_get_settings(model), partan_lasso_get_solver(model));
    json_unsigned(&out, "rows", partan_lasso_rows(model));
    json_unsigned(&out, "features", partan_lasso_features(model));
    json_text(&out, "fingerprint", fingerprint);
    lasso_json_result(&out, partan_lasso_get_result(model));
    json_real(&out, "b0", partan_lasso_intercept(model));
    json_open_array(&out, "coefficients");
    for (size_t i = 0; i < partan_lasso_get_result(model)->nonzeros; i++) {
        lasso_entry entry;
        partan_lasso_coefficient(model, i, &entry.feature, &entry.value, &entry.name);
        json_open(&out, NULL);
        json_unsigned(&out, "feature", entry.feature + 1);
        json_text(&out, "name", entry.name);
        json_real(&out, "coefficient", entry.value);
        json_close(&out);
    }
    json_close_array(&out);
    json_open(&out, "time");
    json_real(&out, "fit", partan_lasso_get_result(model)->seconds);
    json_close(&out);
    json_end(&out);
}

static void print_summary(const partan_lasso *model, const char *path)
{
    const partan_lasso_result *result = partan_lasso_get_result(model);
    char text[HUMAN_SIZE], other[HUMAN_SIZE];
    printf("model            %s\n", path);
    printf("format           Lasso, written by partan %s\n", partan_lasso_version(model));
    printf("training data    %s rows", human_count(text, partan_lasso_rows(model)));
    printf(", fingerprint %016" PRIx64 "\n", partan_lasso_fingerprint(model));
    printf("solver           %s, %s iterations in %s\n", partan_solver_name(partan_lasso_get_solver(model)->solver),
           human_count(text, (uint64_t)result->iterations), human_seconds(other, result->seconds));
    printf("status           %s\n", partan_status_name(result->status));
    lasso_report_claims(model, stdout);
    lasso_report_largest(model, stdout);
}

static int info(invocation *run, partan_model_file *file)
{
    partan_lasso *model = NULL;
    int code = take_model(run, file, &model);
    if (code == EXIT_DONE && run->json)
        print_json(model, run->arguments[0]);
    else if (code == EXIT_DONE)
        print_summary(model, run->arguments[0]);
    partan_lasso_free(model);
    return code;
}

const model_kind lasso_kind = {.predict = predict, .verify = verify, .info = info};
