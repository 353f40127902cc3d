#include "kernel/linear.h"

#include <stdatomic.h>
#include <string.h>

#include "core/team.h"
#include "data/storage/layout.h"
#include "kernel/exact.h"

enum { LEAST_COUNT = 4 }; /* vertices that are worth adding up */

#define MOST_FEATURES ((size_t)1 << 24) /* of w */
#define NANOSECONDS   2.0               /* for a value of a row */

bool pt_linear_pays(const pt_kernel *kernel, pt_points rows, size_t count)
{
    return kernel->kind == PARTAN_KERNEL_LINEAR && count >= LEAST_COUNT && rows.matrix->features <= MOST_FEATURES;
}

static bool next(pt_cursor *at)
{
    return pt_layout_of(at->matrix->storage)->next(at);
}

/* Features that the rows do not have add nothing. */
static void add_up(pt_points vertices, size_t count, const double *weights, size_t features, double *w)
{
    for (size_t v = 0; v < count; v++)
        for (pt_cursor at = {.matrix = vertices.matrix, .row = v}; next(&at);)
            if ((size_t)at.index < features)
                w[at.index] += weights[v] * (double)at.value;
}

typedef struct products {
    partan_context *context;
    const pt_exact_ops *ops;
    const pt_matrix *rows;
    const double *w;
    double *sums;
    atomic_bool stop;
} products;

static void multiply_dense(const products *p, pt_span span)
{
    double sums[PT_EXACT_ROWS] = {0};
    size_t features = p->rows->features, count = span.end - span.begin;
    pt_exact_points w = {p->w, 1, features};
    p->ops->measure(PT_METRIC_DOT, p->rows->dense + span.begin * features, &w, (count + PT_TILE - 1) / PT_TILE, sums);
    memcpy(p->sums + span.begin, sums, count * sizeof *sums);
}

static void multiply_others(const products *p, pt_span span)
{
    for (size_t row = span.begin; row < span.end; row++) {
        double sum = 0;
        for (pt_cursor at = {.matrix = p->rows, .row = row}; next(&at);)
            sum += p->w[at.index] * (double)at.value;
        p->sums[row] = sum;
    }
}

static void multiply_rows(void *user, size_t chunk, size_t thread)
{
    products *p = user;
    pt_span span = pt_span_of(p->rows->rows, PT_EXACT_ROWS, chunk);
    (void)thread;
    if (atomic_load(&p->stop) || pt_interrupted(p->context))
        atomic_store(&p->stop, true);
    else
        (p->rows->storage == PARTAN_STORAGE_DENSE ? multiply_dense : multiply_others)(p, span);
}

partan_status pt_linear_sums(partan_context *context, pt_points rows, pt_points vertices, size_t count,
                             const double *weights, double *sums)
{
    size_t features = rows.matrix->features;
    double *w = pt_alloc_zero(context, features, sizeof *w);
    if (!w)
        return pt_out_of_memory(context, "the weights of features");
    add_up(vertices, count, weights, features, w);
    products p = {.context = context, .ops = pt_exact_ops_for(context->isa), .rows = rows.matrix, .w = w, .sums = sums};
    atomic_init(&p.stop, false);
    int threads = pt_team_for(context, NANOSECONDS * (double)rows.matrix->nonzeros);
    pt_team_run(context, threads, pt_span_count(rows.matrix->rows, PT_EXACT_ROWS), multiply_rows, &p);
    pt_free(context, w);
    return atomic_load(&p.stop) ? PARTAN_INTERRUPTED : PARTAN_OK;
}
