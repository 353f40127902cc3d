#include "matrix/measurement.h"

#include <string.h>

/* Rows, or columns, that a thread takes at a time: they differ in length. */
static size_t lines_of_chunk(size_t lines)
{
    return lines >= 1 << 14 ? 256 : lines / 64 + 1;
}

/* ---- Known entries ---- */

void pt_sampling_free(pt_sampling *sampling)
{
    if (!sampling->context)
        return;
    pt_free(sampling->context, sampling->column_starts);
    pt_free(sampling->context, sampling->row);
    pt_free(sampling->context, sampling->place);
    pt_free(sampling->context, sampling->transposed);
    *sampling = (pt_sampling){0};
}

static void sort_by_columns(pt_sampling *s)
{
    memset(s->column_starts, 0, (s->columns + 1) * sizeof *s->column_starts);
    for (size_t k = 0; k < s->count; k++)
        s->column_starts[s->column[k] + 1]++;
    for (size_t j = 0; j < s->columns; j++)
        s->column_starts[j + 1] += s->column_starts[j];
    for (size_t i = 0; i < s->rows; i++)
        for (int64_t k = s->row_starts[i]; k < s->row_starts[i + 1]; k++) {
            int64_t to = s->column_starts[s->column[k]]++;
            s->row[to] = (int32_t)i;
            s->place[to] = k;
        }
    memmove(s->column_starts + 1, s->column_starts, s->columns * sizeof *s->column_starts);
    s->column_starts[0] = 0;
}

partan_status pt_sampling_make(partan_context *context, const partan_ratings *ratings, pt_sampling *s)
{
    size_t count = ratings->count;
    *s = (pt_sampling){.context = context,
                       .rows = ratings->rows.count,
                       .columns = ratings->columns.count,
                       .count = count,
                       .row_starts = ratings->starts,
                       .column = ratings->column};
    s->column_starts = pt_alloc(context, s->columns + 1, sizeof *s->column_starts);
    s->row = pt_alloc(context, count, sizeof *s->row);
    s->place = pt_alloc(context, count, sizeof *s->place);
    s->transposed = pt_alloc(context, count, sizeof *s->transposed);
    if (!s->column_starts || !s->row || !s->place || !s->transposed) {
        pt_sampling_free(s);
        return pt_out_of_memory(context, "the known entries by columns");
    }
    sort_by_columns(s);
    return PARTAN_OK;
}

static double inner(const double *a, const double *b, size_t count)
{
    double even = 0, odd = 0;
    size_t k = 0;
    for (; k + 2 <= count; k += 2) {
        even += a[k] * b[k];
        odd += a[k + 1] * b[k + 1];
    }
    return k < count ? even + odd + a[k] * b[k] : even + odd;
}

typedef struct application {
    const pt_sampling *sampling;
    size_t rank, stride;
    const double *left, *right;
    double *values;
} application;

static void apply_chunk(void *user, size_t chunk, size_t thread)
{
    const application *a = user;
    const pt_sampling *s = a->sampling;
    pt_span span = pt_span_of(s->rows, lines_of_chunk(s->rows), chunk);
    (void)thread;
    for (size_t i = span.begin; i < span.end; i++)
        for (int64_t k = s->row_starts[i]; k < s->row_starts[i + 1]; k++)
            a->values[k] = inner(a->left + i * a->stride, a->right + (size_t)s->column[k] * a->stride, a->rank);
}

static int apply(void *user, size_t rank, size_t stride, const double *left, const double *right, double *values)
{
    const pt_sampling *s = user;
    application a = {s, rank, stride, left, right, values};
    pt_team_run(s->context, pt_matrix_threads(s->context, s->count * rank),
                pt_span_count(s->rows, lines_of_chunk(s->rows)), apply_chunk, &a);
    return 0;
}

/* Sums over the entries of each row, or each column: of values times x there, or times the columns of a factor. */
typedef struct line_sums {
    size_t lines;
    const int64_t *starts;
    const int32_t *index;
    const double *values;
    const double *x;
    size_t rank, stride; /* of a factor */
    double *out;
} line_sums;

static void sum_chunk(void *user, size_t chunk, size_t thread)
{
    const line_sums *s = user;
    pt_span span = pt_span_of(s->lines, lines_of_chunk(s->lines), chunk);
    (void)thread;
    for (size_t i = span.begin; i < span.end; i++) {
        double even = 0, odd = 0;
        int64_t k = s->starts[i], end = s->starts[i + 1];
        for (; k + 2 <= end; k += 2) {
            even += s->values[k] * s->x[s->index[k]];
            odd += s->values[k + 1] * s->x[s->index[k + 1]];
        }
        s->out[i] = k < end ? even + odd + s->values[k] * s->x[s->index[k]] : even + odd;
    }
}

static void sums(const pt_sampling *s, size_t lines, const int64_t *starts, const int32_t *index, const double *values,
                 const double *x, double *out)
{
    line_sums all = {.lines = lines, .starts = starts, .index = index, .values = values, .x = x, .out = out};
    pt_team_run(s->context, pt_matrix_threads(s->context, PT_SCATTERED * s->count),
                pt_span_count(lines, lines_of_chunk(lines)), sum_chunk, &all);
}

static void sum_factor_chunk(void *user, size_t chunk, size_t thread)
{
    const line_sums *s = user;
    pt_span span = pt_span_of(s->lines, lines_of_chunk(s->lines), chunk);
    (void)thread;
    for (size_t i = span.begin; i < span.end; i++) {
        double *restrict sum = s->out + i * s->stride;
        memset(sum, 0, s->stride * sizeof *sum);
        for (int64_t k = s->starts[i]; k < s->starts[i + 1]; k++) {
            const double *restrict x = s->x + (size_t)s->index[k] * s->stride;
            for (size_t r = 0; r < s->rank; r++)
                sum[r] += s->values[k] * x[r];
        }
    }
}

/* The same for the columns of a factor. */
static void sums_of_factor(const pt_sampling *s, bool by_rows, const double *values, const double *factor, size_t rank,
                           size_t stride, double *out)
{
    line_sums all = {.lines = by_rows ? s->rows : s->columns,
                     .starts = by_rows ? s->row_starts : s->column_starts,
                     .index = by_rows ? s->column : s->row,
                     .values = values,
                     .x = factor,
                     .rank = rank,
                     .stride = stride,
                     .out = out};
    pt_team_run(s->context, pt_matrix_threads(s->context, s->count * rank),
                pt_span_count(all.lines, lines_of_chunk(all.lines)), sum_factor_chunk, &all);
}

static int times(void *user, const double *values, const double *x, double *out)
{
    const pt_sampling *s = user;
    sums(s, s->rows, s->row_starts, s->column, values, x, out);
    return 0;
}

static int times_transposed(void *user, const double *values, const double *x, double *out)
{
    const pt_sampling *s = user;
    (void)values; /* those of pt_measurement_prepare */
    sums(s, s->columns, s->column_starts, s->row, s->transposed, x, out);
    return 0;
}

/* ---- Any map ---- */

void pt_measurement_of_entries(pt_measurement *measurement, pt_sampling *s)
{
    *measurement = (pt_measurement){.context = s->context,
                                    .sampling = s,
                                    .map = {.rows = s->rows,
                                            .columns = s->columns,
                                            .count = s->count,
                                            .apply = apply,
                                            .times = times,
                                            .times_transposed = times_transposed,
                                            .user = s}};
}

void pt_measurement_of_map(pt_measurement *measurement, partan_context *context, const partan_measurements *map)
{
    *measurement = (pt_measurement){.context = context, .map = *map};
}

static partan_status check(const pt_measurement *measurement, int failed, const char *what)
{
    return failed ? pt_fail(measurement->context, PARTAN_ERROR_DATA, "the callback %s of the measurements failed", what)
                  : PARTAN_OK;
}

partan_status pt_measurement_apply(const pt_measurement *measurement, const pt_factors *factors, double *values)
{
    const partan_measurements *map = &measurement->map;
    if (factors->rank == 0) {
        memset(values, 0, map->count * sizeof *values);
        return PARTAN_OK;
    }
    return check(measurement,
                 map->apply(map->user, factors->rank, factors->stride, factors->left, factors->right, values), "apply");
}

partan_status pt_measurement_apply_pair(const pt_measurement *measurement, const double *u, const double *v,
                                        double *values)
{
    const partan_measurements *map = &measurement->map;
    return check(measurement, map->apply(map->user, 1, 1, u, v, values), "apply");
}

typedef struct transposition {
    pt_sampling *sampling;
    const double *values;
} transposition;

static void transpose_chunk(void *user, size_t chunk, size_t thread)
{
    const transposition *t = user;
    const pt_sampling *s = t->sampling;
    pt_span span = pt_span_of(s->count, PT_CHUNK_ENTRIES, chunk);
    (void)thread;
    for (size_t k = span.begin; k < span.end; k++)
        s->transposed[k] = t->values[s->place[k]];
}

void pt_measurement_prepare(pt_measurement *measurement, const double *values)
{
    pt_sampling *s = measurement->sampling;
    if (!s)
        return;
    pt_team_run(s->context, pt_matrix_threads(s->context, PT_SCATTERED * s->count),
                pt_span_count(s->count, PT_CHUNK_ENTRIES), transpose_chunk, &(transposition){s, values});
}

partan_status pt_measurement_times(pt_measurement *measurement, const double *values, const double *x, double *out)
{
    measurement->products++;
    return check(measurement, measurement->map.times(measurement->map.user, values, x, out), "times");
}

partan_status pt_measurement_transposed(pt_measurement *measurement, const double *values, const double *x, double *out)
{
    measurement->products++;
    return check(measurement, measurement->map.times_transposed(measurement->map.user, values, x, out),
                 "times_transposed");
}

/* Column by column, for maps that know no better. */
static partan_status products_by_columns(pt_measurement *m, bool transposed, const double *values, const double *factor,
                                         size_t rank, size_t stride, double *out)
{
    size_t from = transposed ? m->map.rows : m->map.columns, to = transposed ? m->map.columns : m->map.rows;
    double *x = pt_alloc(m->context, from + to, sizeof *x);
    partan_status status = x ? PARTAN_OK : pt_out_of_memory(m->context, "products with a factor");
    for (size_t k = 0; k < rank && !status; k++) {
        for (size_t i = 0; i < from; i++)
            x[i] = factor[i * stride + k];
        status = transposed ? pt_measurement_transposed(m, values, x, x + from)
                            : pt_measurement_times(m, values, x, x + from);
        for (size_t i = 0; i < to; i++)
            out[i * stride + k] = x[from + i];
    }
    pt_free(m->context, x);
    return status;
}

partan_status pt_measurement_times_factor(pt_measurement *m, const double *values, const double *factor, size_t rank,
                                          size_t stride, double *out)
{
    if (!m->sampling)
        return products_by_columns(m, false, values, factor, rank, stride, out);
    sums_of_factor(m->sampling, true, values, factor, rank, stride, out);
    m->products += rank;
    return PARTAN_OK;
}

partan_status pt_measurement_transposed_factor(pt_measurement *m, const double *values, const double *factor,
                                               size_t rank, size_t stride, double *out)
{
    if (!m->sampling)
        return products_by_columns(m, true, values, factor, rank, stride, out);
    sums_of_factor(m->sampling, false, m->sampling->transposed, factor, rank, stride, out);
    m->products += rank;
    return PARTAN_OK;
}
