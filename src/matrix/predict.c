/* Predictions: entries by the names of their rows and columns, and the best columns of a row. */
#include <math.h>
#include <stdlib.h>

#include "core/require.h"
#include "matrix/dense.h"
#include "matrix/matrix.h"

double pt_matrix_value(const partan_matrix *matrix, int64_t row, int64_t column)
{
    size_t rank = (size_t)matrix->result.rank;
    double value = matrix->offsets.mean;
    if (row >= 0)
        value += matrix->offsets.row[row];
    if (column >= 0)
        value += matrix->offsets.column[column];
    if (row < 0 || column < 0)
        return value;
    const double *left = matrix->left + (size_t)row * rank, *right = matrix->right + (size_t)column * rank;
    for (size_t k = 0; k < rank; k++)
        value += matrix->singular[k] * left[k] * right[k];
    return value;
}

/* ---- Entries ---- */

static void find_errors(const partan_ratings *ratings, const double *values, double *rmse, double *mae)
{
    double squares = 0, sum = 0;
    size_t count = 0;
    for (size_t k = 0; k < ratings->count; k++) {
        size_t at = ratings->position ? (size_t)ratings->position[k] : k;
        double error = values[k] - ratings->value[at];
        if (isnan(ratings->value[at]))
            continue;
        squares += error * error;
        sum += fabs(error);
        count++;
    }
    if (rmse)
        *rmse = count > 0 ? sqrt(squares / (double)count) : (double)NAN;
    if (mae)
        *mae = count > 0 ? sum / (double)count : (double)NAN;
}

typedef struct prediction {
    const partan_matrix *matrix;
    const partan_ratings *ratings;
    const int64_t *rows, *columns; /* in the matrix */
    double *values;
} prediction;

static void predict_chunk(void *user, size_t chunk, size_t thread)
{
    const prediction *p = user;
    const partan_ratings *ratings = p->ratings;
    pt_span span = pt_span_of(ratings->count, PT_CHUNK_ENTRIES, chunk);
    (void)thread;
    for (size_t k = span.begin; k < span.end; k++) {
        size_t at = ratings->position ? (size_t)ratings->position[k] : k;
        p->values[k] =
            pt_matrix_value(p->matrix, p->rows[pt_ratings_row_at(ratings, at)], p->columns[ratings->column[at]]);
    }
}

partan_status partan_matrix_predict(partan_context *context, const partan_matrix *matrix, const partan_ratings *ratings,
                                    double *values, double *rmse, double *mae)
{
    PT_REQUIRE(context, context && matrix && ratings && values);
    int64_t *rows = NULL, *columns = NULL;
    pt_progress_begin(context, "predict");
    partan_status status = pt_names_map(&ratings->rows, &matrix->rows, &rows);
    if (!status)
        status = pt_names_map(&ratings->columns, &matrix->columns, &columns);
    if (!status) {
        prediction p = {matrix, ratings, rows, columns, values};
        int threads = pt_matrix_threads(context, ratings->count * ((size_t)matrix->result.rank + 20));
        pt_team_run(context, threads, pt_span_count(ratings->count, PT_CHUNK_ENTRIES), predict_chunk, &p);
        find_errors(ratings, values, rmse, mae);
    }
    pt_free(ratings->context, rows);
    pt_free(ratings->context, columns);
    return status;
}

/* ---- The best of a row ---- */

typedef struct candidate {
    double value;
    size_t column;
} candidate;

static int compare(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? 1 : -1;
    return (x->column > y->column) - (x->column < y->column);
}

/* Marks the columns that the row has an entry of. */
static partan_status mark_seen(const partan_matrix *matrix, size_t row, const partan_ratings *seen,
                               unsigned char *marks)
{
    char buffer[64];
    int64_t *columns = NULL;
    if (!seen)
        return PARTAN_OK;
    const char *name = partan_matrix_row_name(matrix, row, buffer, sizeof buffer);
    size_t length = 0;
    while (name[length])
        length++;
    int64_t found = pt_names_find(&seen->rows, name, length);
    if (found < 0)
        return PARTAN_OK;
    partan_status status = pt_names_map(&seen->columns, &matrix->columns, &columns);
    for (int64_t k = seen->starts[found]; !status && k < seen->starts[found + 1]; k++)
        if (columns[seen->column[k]] >= 0)
            marks[columns[seen->column[k]]] = 1;
    pt_free(seen->context, columns);
    return status;
}

partan_status partan_matrix_top(partan_context *context, const partan_matrix *matrix, size_t row,
                                const partan_ratings *seen, size_t *count, size_t *columns, double *values)
{
    PT_REQUIRE(context, context && matrix && count && columns && values);
    size_t width = matrix->columns.count, found = 0;
    if (row >= matrix->rows.count)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "row %zu is out of range: there are %zu rows, counted from 0",
                       row, matrix->rows.count);
    candidate *candidates = pt_alloc(context, width, sizeof *candidates);
    unsigned char *marks = pt_alloc_zero(context, width, 1);
    partan_status status = candidates && marks ? PARTAN_OK : pt_out_of_memory(context, "the best columns");
    if (!status)
        status = mark_seen(matrix, row, seen, marks);
    for (size_t j = 0; j < width && !status; j++)
        if (!marks[j])
            candidates[found++] = (candidate){pt_matrix_value(matrix, (int64_t)row, (int64_t)j), j};
    if (!status) {
        qsort(candidates, found, sizeof *candidates, compare);
        *count = found < *count ? found : *count;
        for (size_t k = 0; k < *count; k++) {
            columns[k] = candidates[k].column;
            values[k] = candidates[k].value;
        }
    }
    pt_free(context, candidates);
    pt_free(context, marks);
    return status;
}
