#include "lasso/store.h"

#include <string.h>

#include "data/storage/layout.h"

/* A nonzero of a compressed column costs an index and a load from anywhere, a value of a dense one a lane of a vector:
 * below this share of nonzeros compressed columns are the faster ones. */
#define SPARSE_SHARE 0.15

enum { BLOCK_LINES = 64 }; /* of a column at a time, so that the vectors stay in the cache */

/* ---- Making ---- */

/* Where each thread's columns begin in a row of ascending indices. */
static int64_t first_at_least(const pt_matrix *matrix, size_t row, int32_t column)
{
    int64_t low = matrix->offsets[row], high = matrix->offsets[row + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (matrix->indices[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void count_columns(const pt_matrix *matrix, int64_t *offsets)
{
    memset(offsets, 0, (matrix->features + 1) * sizeof *offsets);
    for (int64_t i = 0; i < matrix->offsets[matrix->rows]; i++)
        offsets[matrix->indices[i] + 1]++;
    for (size_t j = 0; j < matrix->features; j++)
        offsets[j + 1] += offsets[j];
}

/* Columns first .. end - 1, whose next free places are in `next`. */
static void fill_columns(pt_store *s, const pt_matrix *matrix, int64_t *next, size_t first, size_t end)
{
    for (size_t row = 0; row < matrix->rows; row++)
        for (int64_t i = first_at_least(matrix, row, (int32_t)first);
             i < matrix->offsets[row + 1] && (size_t)matrix->indices[i] < end; i++) {
            int64_t at = next[matrix->indices[i]]++;
            s->indices[at] = (int32_t)row;
            s->values[at] = matrix->values[i];
        }
}

/* Columns in the making, in parts of equally many features; all rows are searched for each. */
typedef struct filling {
    pt_store *store;
    const pt_matrix *matrix;
    int64_t *next;
    size_t parts;
} filling;

static void fill_part(void *user, size_t part, size_t thread)
{
    const filling *f = user;
    size_t features = f->matrix->features;
    (void)thread;
    fill_columns(f->store, f->matrix, f->next, features * part / f->parts, features * (part + 1) / f->parts);
}

static partan_status compress(pt_store *s, const pt_matrix *matrix)
{
    partan_context *context = s->context;
    size_t nonzeros = (size_t)matrix->nonzeros;
    s->offsets = pt_alloc(context, matrix->features + 1, sizeof *s->offsets);
    s->indices = pt_alloc(context, nonzeros, sizeof *s->indices);
    s->values = pt_alloc(context, nonzeros, sizeof *s->values);
    int64_t *next = pt_alloc(context, matrix->features + 1, sizeof *next);
    if (!s->offsets || !s->indices || !s->values || !next) {
        pt_free(context, next);
        return pt_fail(context, PARTAN_ERROR_MEMORY, "out of memory for %zu columns with %zu nonzeros",
                       matrix->features, nonzeros);
    }
    count_columns(matrix, s->offsets);
    memcpy(next, s->offsets, (matrix->features + 1) * sizeof *next);
    int threads = pt_team_for(context, (double)nonzeros);
    pt_team_run(context, threads, (size_t)threads, fill_part, &(filling){s, matrix, next, (size_t)threads});
    pt_free(context, next);
    s->compressed = (pt_sparse_columns){s->offsets, s->indices, s->values};
    return PARTAN_OK;
}

/* Through compressed rows, whatever the storage is. */
static partan_status make_sparse(pt_store *s, const pt_matrix *matrix)
{
    if (matrix->storage == PARTAN_STORAGE_SPARSE)
        return compress(s, matrix);
    pt_matrix rows = {0};
    partan_status status = pt_matrix_convert(matrix, PARTAN_STORAGE_SPARSE, matrix->features, &rows);
    if (!status)
        status = compress(s, &rows);
    pt_matrix_free(&rows);
    return status;
}

static partan_status make_dense(pt_store *s, const pt_matrix *matrix)
{
    const pt_matrix *dense = matrix;
    if (matrix->storage != PARTAN_STORAGE_DENSE) {
        partan_status status = pt_matrix_convert(matrix, PARTAN_STORAGE_DENSE, matrix->features, &s->converted);
        if (status)
            return status;
        dense = &s->converted;
    }
    s->dense = (pt_columns){
        .values = dense->dense, .column_step = PT_TILE, .line_step = dense->features * PT_TILE, .lines = dense->tiles};
    return PARTAN_OK;
}

partan_status pt_store_make(pt_store *s, const partan_data *data)
{
    const pt_matrix *matrix = &data->matrix;
    *s = (pt_store){.context = data->context,
                    .ops = pt_columns_ops_for(data->context->isa),
                    .rows = matrix->rows,
                    .features = matrix->features,
                    .padded = matrix->tiles * PT_TILE};
    s->sparse = (double)matrix->nonzeros < SPARSE_SHARE * (double)matrix->rows * (double)matrix->features;
    partan_status status = s->sparse ? make_sparse(s, matrix) : make_dense(s, matrix);
    if (status)
        pt_store_free(s);
    return status;
}

void pt_store_free(pt_store *s)
{
    if (!s->context)
        return;
    pt_matrix_free(&s->converted);
    pt_free(s->context, s->offsets);
    pt_free(s->context, s->indices);
    pt_free(s->context, s->values);
    *s = (pt_store){0};
}

size_t pt_store_length(const pt_store *s)
{
    if (!s->sparse)
        return s->padded;
    return (size_t)s->compressed.offsets[s->features] / (s->features ? s->features : 1) + 1;
}

/* ---- Products ---- */

void pt_store_interleave(const pt_store *s, const double *vectors, size_t count, double *out)
{
    for (size_t row = 0; row < s->padded; row++)
        for (size_t v = 0; v < PT_COLUMN_VECTORS; v++)
            out[row * PT_COLUMN_VECTORS + v] = v < count ? vectors[v * s->padded + row] : 0;
}

static void compressed_dots(const pt_store *s, const int64_t *which, size_t first, size_t count,
                            const double *rows_first, size_t vector_count, double *out)
{
    for (size_t i = 0; i < count; i++) {
        double sums[PT_COLUMN_VECTORS] = {0};
        s->ops->sparse_dots(&s->compressed, which ? which + i : NULL, first + i, 1, rows_first, PT_COLUMN_VECTORS,
                            sums);
        memcpy(out + i * vector_count, sums, vector_count * sizeof *out);
    }
}

void pt_store_dots(const pt_store *s, const int64_t *which, size_t first, size_t count, const double *vectors,
                   const double *rows_first, size_t vector_count, double *out)
{
    memset(out, 0, count * vector_count * sizeof *out);
    if (s->sparse && vector_count == 1) {
        s->ops->sparse_dots(&s->compressed, which, first, count, vectors, 1, out);
        return;
    }
    if (s->sparse) {
        compressed_dots(s, which, first, count, rows_first, vector_count, out);
        return;
    }
    for (size_t line = 0; line < s->dense.lines; line += BLOCK_LINES) {
        size_t left = s->dense.lines - line;
        pt_columns part = s->dense;
        part.values += line * part.line_step;
        part.lines = left < BLOCK_LINES ? left : BLOCK_LINES;
        s->ops->dots(&part, which, first, count, vectors + line * PT_TILE, s->padded, vector_count, out);
    }
}

void pt_store_add(const pt_store *s, size_t column, double factor, size_t first, size_t lines, double *vector)
{
    if (!s->sparse) {
        pt_columns part = s->dense;
        part.values += first * part.line_step;
        part.lines = lines;
        s->ops->add(&part, column, factor, vector + first * PT_TILE);
        return;
    }
    const pt_sparse_columns *c = &s->compressed;
    for (int64_t i = c->offsets[column]; i < c->offsets[column + 1]; i++) {
        size_t row = (size_t)c->rows[i];
        if (row >= first * PT_TILE && row < (first + lines) * PT_TILE)
            vector[row] += factor * (double)c->values[i];
    }
}

/* ---- Moments ---- */

/* Around one of the values, so that equal values have a variance of 0 and large means do no harm. */
static void compressed_moments(const pt_sparse_columns *c, size_t column, const double *ones, size_t counted,
                               double shift, double sums[2])
{
    double present = 0;
    sums[0] = sums[1] = 0;
    for (int64_t i = c->offsets[column]; i < c->offsets[column + 1]; i++) {
        double one = ones[c->rows[i]], d = ((double)c->values[i] - shift) * one;
        present += one;
        sums[0] += d;
        sums[1] += d * d;
    }
    double absent = (double)counted - present;
    sums[0] -= absent * shift;
    sums[1] += absent * shift * shift;
}

/* A value that the column has on a row that counts. */
static double some_value(const pt_store *s, size_t column, const double *ones, size_t counted)
{
    if (!s->sparse) {
        for (size_t row = 0; row < s->rows; row++)
            if (ones[row] > 0)
                return (double)
                    s->dense.values[column * s->dense.column_step + row / PT_TILE * s->dense.line_step + row % PT_TILE];
        return 0;
    }
    const pt_sparse_columns *c = &s->compressed;
    size_t present = 0;
    double value = 0;
    for (int64_t i = c->offsets[column]; i < c->offsets[column + 1]; i++)
        if (ones[c->rows[i]] > 0) {
            present++;
            value = (double)c->values[i];
        }
    return present == counted ? value : 0;
}

void pt_store_moments(const pt_store *s, size_t column, const double *ones, size_t counted, double *mean,
                      double *variance)
{
    double sums[2], shift = some_value(s, column, ones, counted), n = (double)counted;
    if (s->sparse)
        compressed_moments(&s->compressed, column, ones, counted, shift, sums);
    else
        s->ops->moments(&s->dense, column, ones, shift, sums);
    double less = sums[0] / n, left = sums[1] / n - less * less;
    *mean = shift + less;
    *variance = sums[1] > 0 && left > 0 ? left : 0;
}
