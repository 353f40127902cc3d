/* partan predict for completed matrices: entries, and lists of the best columns. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "complete_run.h"
#include "human.h"
#include "interrupt.h"
#include "message.h"
#include "options.h"
#include "progress.h"
#include "ratings.h"
#include "report.h"
#include "runtime.h"

typedef struct prediction {
    partan_matrix *matrix;
    partan_ratings *ratings;
    double *values;
    uint64_t entries, valued, unknown; /* entries whose row or column the matrix does not know */
    double rmse, mae;
    int64_t top; /* 0: entries are predicted */
    uint64_t rows;
    double read_seconds, predict_seconds;
} prediction;

typedef struct line {
    char row[HUMAN_SIZE], column[HUMAN_SIZE], number[HUMAN_SIZE];
} line;

static void count_entries(prediction *at)
{
    line text;
    for (size_t k = 0; k < at->entries; k++) {
        size_t row, column;
        double value;
        partan_ratings_entry(at->ratings, k, &row, &column, &value);
        at->valued += isnan(value) ? 0 : 1;
        const char *names[] = {partan_ratings_row_name(at->ratings, row, text.row, HUMAN_SIZE),
                               partan_ratings_column_name(at->ratings, column, text.column, HUMAN_SIZE)};
        if (partan_matrix_find_row(at->matrix, names[0]) < 0 || partan_matrix_find_column(at->matrix, names[1]) < 0)
            at->unknown++;
    }
}

static void write_entries(const prediction *at, FILE *file)
{
    line text;
    for (size_t k = 0; k < at->entries && !ferror(file) && !interrupt_seen(); k++) {
        size_t row, column;
        double value;
        partan_ratings_entry(at->ratings, k, &row, &column, &value);
        fprintf(file, "%s\t%s\t%s\n", partan_ratings_row_name(at->ratings, row, text.row, HUMAN_SIZE),
                partan_ratings_column_name(at->ratings, column, text.column, HUMAN_SIZE),
                shortest_real(text.number, at->values[k]));
    }
}

static partan_status write_best(invocation *run, prediction *at, FILE *file)
{
    size_t *columns = malloc((size_t)at->top * sizeof *columns);
    double *values = malloc((size_t)at->top * sizeof *values);
    partan_status status = columns && values ? PARTAN_OK : PARTAN_ERROR_MEMORY;
    line text;
    for (size_t i = 0; i < partan_ratings_rows(at->ratings) && !status && !ferror(file) && !interrupt_seen(); i++) {
        const char *name = partan_ratings_row_name(at->ratings, i, text.row, HUMAN_SIZE);
        int64_t row = partan_matrix_find_row(at->matrix, name);
        size_t count = (size_t)at->top;
        at->unknown += row < 0;
        if (row < 0)
            continue; /* nothing is known of it: no list is better than another */
        status = partan_matrix_top(run->context, at->matrix, (size_t)row, at->ratings, &count, columns, values);
        for (size_t k = 0; k < count && !status; k++)
            fprintf(file, "%s\t%s\t%s\n", name,
                    partan_matrix_column_name(at->matrix, columns[k], text.column, HUMAN_SIZE),
                    shortest_real(text.number, values[k]));
        at->rows++;
    }
    free(columns);
    free(values);
    return status;
}

static int write_output(invocation *run, prediction *at, const char *path)
{
    partan_output out;
    partan_status status = PARTAN_OK;
    int code = outfile_open(run, path, &out);
    if (code != EXIT_DONE)
        return code;
    if (at->top > 0)
        status = write_best(run, at, out.file);
    else
        write_entries(at, out.file);
    if (status == PARTAN_OK && !interrupt_seen())
        return outfile_commit(run, &out);
    partan_output_abandon(&out);
    return status ? library_failure(run, status) : failure(run, "interrupted");
}

static int predict_entries(invocation *run, prediction *at)
{
    at->values = malloc((at->entries ? at->entries : 1) * sizeof *at->values);
    if (!at->values)
        return failure(run, "out of memory for %" PRIu64 " values", at->entries);
    partan_status status =
        partan_matrix_predict(run->context, at->matrix, at->ratings, at->values, &at->rmse, &at->mae);
    progress_clear(run);
    if (status != PARTAN_OK)
        return library_failure(run, status);
    count_entries(at);
    return EXIT_DONE;
}

static int work(invocation *run, partan_model_file *file, prediction *at, const char *output)
{
    partan_option_value value;
    int code = take_matrix(run, file, &at->matrix);
    if (option_value(run, "top", &value))
        at->top = value.integer;
    if (code == EXIT_DONE && option_flag(run, "decision", false))
        code = usage_error(run, "--decision is only for classifiers: a matrix predicts values");
    if (code == EXIT_DONE && at->top > 0 && !output)
        code = usage_error(run, "--top writes lists to OUTPUT, which is missing ('-' is standard output)");
    if (code == EXIT_DONE)
        code = read_ratings(run, run->arguments[0], true, &at->ratings, &at->read_seconds);
    if (code != EXIT_DONE)
        return code;
    double start = seconds_now();
    at->entries = partan_ratings_count(at->ratings);
    if (at->top == 0)
        code = predict_entries(run, at);
    at->predict_seconds = seconds_now() - start;
    return output && code == EXIT_DONE ? write_output(run, at, output) : code;
}

static void print_prediction(const invocation *run, const prediction *at, const char *path)
{
    json out;
    json_begin(&out, stdout);
    json_unsigned(&out, "entries", at->entries);
    if (at->top > 0) {
        json_unsigned(&out, "rows", at->rows);
        json_integer(&out, "top", at->top);
    } else {
        json_unsigned(&out, "valued", at->valued);
        json_real(&out, "rmse", at->rmse);
        json_real(&out, "mae", at->mae);
    }
    json_unsigned(&out, "unknown", at->unknown);
    json_text(&out, "output", path);
    json_open(&out, "time");
    json_real(&out, "read", at->read_seconds);
    json_real(&out, "predict", at->predict_seconds);
    report_json_end(&out, run);
}

static void print_summary_of(const prediction *at, FILE *text)
{
    if (at->top > 0)
        fprintf(text, "%" PRIu64 " rows, the best %" PRId64 " columns each", at->rows, at->top);
    else if (at->valued == 0)
        fprintf(text, "%" PRIu64 " entries, none with a value", at->entries);
    else
        fprintf(text, "RMSE = %.6g, MAE = %.6g (%" PRIu64 " entries)", at->rmse, at->mae, at->valued);
    if (at->unknown > 0)
        fprintf(text,
                at->top > 0 ? "; %" PRIu64 " rows are not in the matrix and were skipped"
                            : "; %" PRIu64 " in a row or column that is not in the matrix, predicted by offsets",
                at->unknown);
    fputc('\n', text);
}

int predict_matrix(invocation *run, partan_model_file *file)
{
    const char *output = run->argument_count > 2 ? run->arguments[2] : NULL;
    FILE *text = is_standard_output(output) ? stderr : stdout;
    prediction at = {0};
    int code = work(run, file, &at, output);
    if (code == EXIT_DONE && run->json)
        print_prediction(run, &at, output);
    else if (code == EXIT_DONE && !run->quiet)
        print_summary_of(&at, text);
    free(at.values);
    partan_ratings_free(at.ratings);
    partan_matrix_free(at.matrix);
    return code;
}
