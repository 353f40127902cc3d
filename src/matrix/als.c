#include "matrix/als.h"

#include <string.h>

#include "kernel/algebra.h"

enum {
    CHUNK = 64, /* entries whose factors stay in the nearest cache */
    LINES = 32  /* rows, or columns, that a thread takes at a time */
};

#define RIDGE 1e-13 /* of the mean diagonal: what rounding needs to leave the matrix definite */

/* One side of a sweep: factors of `lines` rows (or columns), from those of the columns (or rows). */
typedef struct half {
    partan_context *context;
    size_t lines, rank, stride;
    const int64_t *starts;
    const int32_t *index;
    const double *values;
    const double *from;
    double *to;
    double lambda, beyond;
} half;

typedef struct scratch {
    double *matrix, *right; /* stride x stride, stride */
} scratch;

/* The normal equations of a line: sum of f f' over its entries, and of value times f. */
static void normal_equations(const half *h, const pt_algebra_ops *ops, size_t line, scratch *s)
{
    int64_t which[CHUNK];
    double ones[CHUNK];
    memset(s->matrix, 0, (h->rank + 3) / 4 * 4 * h->stride * sizeof *s->matrix);
    memset(s->right, 0, h->stride * sizeof *s->right);
    for (int64_t at = h->starts[line]; at < h->starts[line + 1]; at += CHUNK) {
        size_t count = h->starts[line + 1] - at < CHUNK ? (size_t)(h->starts[line + 1] - at) : CHUNK;
        for (size_t k = 0; k < count; k++) {
            which[k] = h->index[at + (int64_t)k];
            ones[k] = 1;
            const double *factor = h->from + (size_t)which[k] * h->stride;
            double value = h->values[at + (int64_t)k];
            for (size_t r = 0; r < h->rank; r++)
                s->right[r] += value * factor[r];
        }
        pt_gram gram = {.rows = h->from, .stride = h->stride, .which = which, .weights = ones, .count = count};
        ops->gram(&gram, 0, (h->rank + 3) / 4 * 4, s->matrix);
    }
}

static void solve_line(const half *h, const pt_algebra_ops *ops, size_t line, scratch *s)
{
    double *out = h->to + line * h->stride, trace = 0;
    if (h->starts[line] == h->starts[line + 1]) {
        memset(out, 0, h->rank * sizeof *out);
        return;
    }
    normal_equations(h, ops, line, s);
    for (size_t r = 0; r < h->rank; r++)
        trace += s->matrix[r * h->stride + r];
    for (size_t r = 0; r < h->rank; r++)
        s->matrix[r * h->stride + r] += h->lambda + RIDGE * trace / (double)h->rank;
    if (!ops->solve(s->matrix, h->stride, h->rank, s->right))
        return; /* only by rounding: it stays as it is */
    for (size_t r = 0; r < h->rank; r++)
        out[r] = s->right[r] + h->beyond * (s->right[r] - out[r]);
}

static partan_status run(const half *h)
{
    const pt_algebra_ops *ops = pt_algebra_ops_for(h->context->isa);
    int team = pt_matrix_team(h->context, (size_t)h->starts[h->lines] * h->rank * h->rank);
    bool lacking = false, stopped = false;
    int lines = h->lines >= 64 * LINES ? LINES : (int)(h->lines / 64) + 1;
#pragma omp parallel num_threads(team) reduction(|| : lacking, stopped)
    {
        double *room = pt_alloc(h->context, h->stride * (h->stride + 1), sizeof *room);
        scratch s = {room, room ? room + h->stride * h->stride : NULL};
        lacking = !room;
#pragma omp for schedule(dynamic, lines)
        for (size_t line = 0; line < h->lines; line++) {
            stopped = stopped || pt_interrupted(h->context);
            if (!stopped && !lacking)
                solve_line(h, ops, line, &s);
        }
        pt_free(h->context, room);
    }
    if (lacking)
        return pt_out_of_memory(h->context, "least squares");
    return stopped ? PARTAN_INTERRUPTED : PARTAN_OK;
}

partan_status pt_als_sweep(const pt_als *als, pt_factors *factors, double lambda, double beyond)
{
    const pt_sampling *s = als->sampling;
    half left = {.context = s->context,
                 .lines = s->rows,
                 .rank = factors->rank,
                 .stride = factors->stride,
                 .starts = s->row_starts,
                 .index = s->column,
                 .values = als->by_rows,
                 .from = factors->right,
                 .to = factors->left,
                 .lambda = lambda,
                 .beyond = beyond};
    half right = left;
    right.lines = s->columns;
    right.starts = s->column_starts;
    right.index = s->row;
    right.values = als->by_columns;
    right.from = factors->left;
    right.to = factors->right;
    partan_status status = run(&left);
    return status ? status : run(&right);
}

partan_status pt_als_make(pt_als *als, const pt_sampling *s, const double *b)
{
    *als = (pt_als){.sampling = s, .by_rows = b, .by_columns = pt_alloc(s->context, s->count, sizeof(double))};
    if (!als->by_columns)
        return pt_out_of_memory(s->context, "the known entries by columns");
    for (size_t k = 0; k < s->count; k++)
        als->by_columns[k] = b[s->place[k]];
    return PARTAN_OK;
}

void pt_als_free(pt_als *als)
{
    if (als->by_columns)
        pt_free(als->sampling->context, als->by_columns);
    *als = (pt_als){0};
}
