#include "matrix/als.h"

#include <stdatomic.h>
#include <string.h>

#include "core/team.h"
#include "kernel/algebra.h"

enum {
    CHUNK = 64, /* entries whose factors stay in the nearest cache */
    LINES = 32  /* rows, or columns, that a thread takes at a time */
};

#define SHORT 1.5   /* times fewer entries than the rank, for the smaller system to be worth it */
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
    double *matrix, *transposed; /* stride x stride: a system, factors of short lines */
    double *right, *dual;        /* stride: solutions */
    int64_t which[CHUNK];        /* 0, 1, ... */
    double ones[CHUNK];
} scratch;

/* The normal equations of a line: sum of f f' over its entries, and of value times f. */
static void normal_equations(const half *h, const pt_algebra_ops *ops, size_t line, scratch *s)
{
    int64_t which[CHUNK];
    memset(s->matrix, 0, (h->rank + 3) / 4 * 4 * h->stride * sizeof *s->matrix);
    memset(s->right, 0, h->stride * sizeof *s->right);
    for (int64_t at = h->starts[line]; at < h->starts[line + 1]; at += CHUNK) {
        size_t count = h->starts[line + 1] - at < CHUNK ? (size_t)(h->starts[line + 1] - at) : CHUNK;
        for (size_t k = 0; k < count; k++) {
            which[k] = h->index[at + (int64_t)k];
            const double *factor = h->from + (size_t)which[k] * h->stride;
            double value = h->values[at + (int64_t)k];
            for (size_t r = 0; r < h->rank; r++)
                s->right[r] += value * factor[r];
        }
        pt_gram gram = {.rows = h->from, .stride = h->stride, .which = which, .weights = s->ones, .count = count};
        ops->gram(&gram, 0, (h->rank + 3) / 4 * 4, s->matrix);
    }
}

/* lambda, and what rounding needs, on the diagonal; then the solution in place of `right`. */
static bool solve_system(const half *h, const pt_algebra_ops *ops, double *matrix, size_t stride, size_t n,
                         double *right)
{
    double trace = 0;
    for (size_t r = 0; r < n; r++)
        trace += matrix[r * stride + r];
    for (size_t r = 0; r < n; r++)
        matrix[r * stride + r] += h->lambda + RIDGE * trace / (double)n;
    return ops->solve(matrix, stride, n, right);
}

/* A line with fewer entries than the rank: with F the factors of its entries, (F'F + lambda)^-1 F'b is
 * F'(FF' + lambda)^-1 b, a system of as many unknowns as there are entries. */
static bool solve_short(const half *h, const pt_algebra_ops *ops, size_t line, scratch *s)
{
    size_t n = (size_t)(h->starts[line + 1] - h->starts[line]);
    size_t stride = (n + PT_GRAM_UNIT - 1) / PT_GRAM_UNIT * PT_GRAM_UNIT;
    const int32_t *index = h->index + h->starts[line];
    memset(s->transposed, 0, h->rank * stride * sizeof *s->transposed);
    memset(s->matrix, 0, (n + 3) / 4 * 4 * stride * sizeof *s->matrix);
    for (size_t k = 0; k < n; k++)
        for (size_t r = 0; r < h->rank; r++)
            s->transposed[r * stride + k] = h->from[(size_t)index[k] * h->stride + r];
    for (size_t at = 0; at < h->rank; at += CHUNK) {
        pt_gram gram = {.rows = s->transposed + at * stride,
                        .stride = stride,
                        .which = s->which,
                        .weights = s->ones,
                        .count = h->rank - at < CHUNK ? h->rank - at : CHUNK};
        ops->gram(&gram, 0, (n + 3) / 4 * 4, s->matrix);
    }
    memcpy(s->dual, h->values + h->starts[line], n * sizeof *s->dual);
    if (!solve_system(h, ops, s->matrix, stride, n, s->dual))
        return false;
    for (size_t r = 0; r < h->rank; r++) {
        s->right[r] = 0;
        for (size_t k = 0; k < n; k++)
            s->right[r] += s->transposed[r * stride + k] * s->dual[k];
    }
    return true;
}

static void solve_line(const half *h, const pt_algebra_ops *ops, size_t line, scratch *s)
{
    double *out = h->to + line * h->stride;
    size_t count = (size_t)(h->starts[line + 1] - h->starts[line]);
    bool solved = count > 0;
    if (count == 0) {
        memset(out, 0, h->rank * sizeof *out);
    } else if (SHORT * (double)count < (double)h->rank) {
        solved = solve_short(h, ops, line, s);
    } else {
        normal_equations(h, ops, line, s);
        solved = solve_system(h, ops, s->matrix, h->stride, h->rank, s->right);
    }
    for (size_t r = 0; r < h->rank && solved; r++) /* else, only by rounding, it stays as it is */
        out[r] = s->right[r] + h->beyond * (s->right[r] - out[r]);
}

static bool scratch_make(const half *h, scratch *s)
{
    double *room = pt_alloc(h->context, h->stride * (2 * h->stride + 2), sizeof *room);
    if (!room)
        return false;
    *s = (scratch){.matrix = room,
                   .transposed = room + h->stride * h->stride,
                   .right = room + 2 * h->stride * h->stride,
                   .dual = room + 2 * h->stride * h->stride + h->stride};
    for (size_t k = 0; k < CHUNK; k++) {
        s->which[k] = (int64_t)k;
        s->ones[k] = 1;
    }
    return true;
}

/* All lines, with scratch memory for each thread. */
typedef struct sweep {
    const half *half;
    const pt_algebra_ops *ops;
    size_t lines; /* of a chunk */
    scratch *scratch;
    atomic_bool lacking, stopped;
} sweep;

static void solve_lines(void *user, size_t chunk, size_t thread)
{
    sweep *all = user;
    const half *h = all->half;
    scratch *s = &all->scratch[thread];
    pt_span span = pt_span_of(h->lines, all->lines, chunk);
    if (!s->matrix && !atomic_load(&all->lacking) && !scratch_make(h, s))
        atomic_store(&all->lacking, true);
    for (size_t line = span.begin; line < span.end; line++) {
        if (pt_interrupted(h->context))
            atomic_store(&all->stopped, true);
        if (!s->matrix || atomic_load(&all->stopped) || atomic_load(&all->lacking))
            return;
        solve_line(h, all->ops, line, s);
    }
}

static partan_status run(const half *h)
{
    partan_context *context = h->context;
    sweep all = {.half = h, .ops = pt_algebra_ops_for(context->isa)};
    all.lines = h->lines >= 64 * LINES ? LINES : h->lines / 64 + 1;
    all.scratch = pt_alloc_zero(context, (size_t)context->threads, sizeof *all.scratch);
    if (!all.scratch)
        return pt_out_of_memory(context, "least squares");
    atomic_init(&all.lacking, false);
    atomic_init(&all.stopped, false);
    pt_team_run(context, pt_matrix_threads(context, (size_t)h->starts[h->lines] * h->rank * h->rank),
                pt_span_count(h->lines, all.lines), solve_lines, &all);
    for (int i = 0; i < context->threads; i++)
        pt_free(context, all.scratch[i].matrix);
    pt_free(context, all.scratch);
    if (atomic_load(&all.lacking))
        return pt_out_of_memory(context, "least squares");
    return atomic_load(&all.stopped) ? PARTAN_INTERRUPTED : PARTAN_OK;
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
