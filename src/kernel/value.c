/* One kernel value in double precision, for points in any storage: a merge of the two rows' nonzeros. */
#include <math.h>

#include "core/team.h"
#include "data/storage/layout.h"
#include "kernel/kinds.h"

enum { SELF_TILES = 256 }; /* whose k(x, x) is computed at a time */

#define NEAR 0.125 /* that is, this far from it on average */

static bool next(pt_cursor *cursor)
{
    return pt_layout_of(cursor->matrix->storage)->next(cursor);
}

static double precomputed(const pt_matrix *matrix, size_t row, int64_t column)
{
    pt_cursor at = {.matrix = matrix, .row = row};
    while (next(&at))
        if (at.index == column)
            return (double)at.value;
    return 0;
}

/* What a feature adds to the measure where the two points' values are a and b. */
static double part(pt_metric measure, double a, double b)
{
    switch (measure) {
    case PT_METRIC_SQUARES:
        return (a - b) * (a - b);
    case PT_METRIC_ABSOLUTE:
        return fabs(a - b);
    default:
        return a * b;
    }
}

double pt_kernel_value(const pt_kernel *kernel, pt_points rows, size_t row, pt_points vertices, size_t vertex)
{
    if (kernel->kind == PARTAN_KERNEL_PRECOMPUTED)
        return precomputed(rows.matrix, row, vertices.serials[vertex]);
    const pt_kernel_kind *kind = pt_kernel_kind_of(kernel->kind);
    pt_cursor x = {.matrix = rows.matrix, .row = row}, z = {.matrix = vertices.matrix, .row = vertex};
    bool more_x = next(&x), more_z = next(&z);
    double u = 0;
    while (more_x || more_z) {
        bool take_x = more_x && (!more_z || x.index <= z.index);
        bool take_z = more_z && (!more_x || z.index <= x.index);
        u += part(kind->metric, take_x ? (double)x.value : 0, take_z ? (double)z.value : 0);
        if (take_x)
            more_x = next(&x);
        if (take_z)
            more_z = next(&z);
    }
    return kind->of(kernel, u);
}

/* The same bits as pt_kernel_value of a row with itself, with one walk along it instead of two. */
double pt_kernel_self(const pt_kernel *kernel, pt_points points, size_t row)
{
    const pt_kernel_kind *kind = pt_kernel_kind_of(kernel->kind);
    if (kind->decays)
        return kernel->less_one ? 0 : 1;
    if (kernel->kind == PARTAN_KERNEL_PRECOMPUTED)
        return precomputed(points.matrix, row, points.serials[row]);
    double u = 0;
    for (pt_cursor at = {.matrix = points.matrix, .row = row}; next(&at);)
        u += part(kind->metric, (double)at.value, (double)at.value);
    return kind->of(kernel, u);
}

/* ---- Of all rows with themselves ---- */

typedef struct selves {
    const pt_kernel *kernel;
    pt_points points;
    double *values;
} selves;

/* Squared norms of the rows of a dense tile, in the order of memory. */
static void square_tile(const pt_matrix *matrix, size_t tile, double squares[PT_TILE])
{
    const float *values = matrix->dense + tile * matrix->features * PT_TILE;
    for (size_t lane = 0; lane < PT_TILE; lane++)
        squares[lane] = 0;
    for (size_t feature = 0; feature < matrix->features; feature++)
        for (size_t lane = 0; lane < PT_TILE; lane++) {
            double value = (double)values[feature * PT_TILE + lane];
            squares[lane] += value * value;
        }
}

static void compute_selves(void *user, size_t chunk, size_t thread)
{
    const selves *s = user;
    const pt_matrix *matrix = s->points.matrix;
    const pt_kernel_kind *kind = pt_kernel_kind_of(s->kernel->kind);
    bool by_tiles = matrix->storage == PARTAN_STORAGE_DENSE && kind->metric == PT_METRIC_DOT && !s->points.serials;
    pt_span span = pt_span_of(matrix->tiles, SELF_TILES, chunk);
    double squares[PT_TILE];
    (void)thread;
    for (size_t tile = span.begin; tile < span.end; tile++) {
        if (by_tiles)
            square_tile(matrix, tile, squares);
        for (size_t row = tile * PT_TILE; row < (tile + 1) * PT_TILE && row < matrix->rows; row++)
            s->values[row] =
                by_tiles ? kind->of(s->kernel, squares[row % PT_TILE]) : pt_kernel_self(s->kernel, s->points, row);
    }
}

void pt_kernel_selves(partan_context *context, const pt_kernel *kernel, pt_points points, double *values)
{
    selves s = {.kernel = kernel, .points = points, .values = values};
    pt_team_run(context, context->threads, pt_span_count(points.matrix->tiles, SELF_TILES), compute_selves, &s);
}

bool pt_kernel_near_one(const pt_kernel *kernel, const pt_matrix *rows)
{
    pt_points points = {rows, NULL};
    size_t count = rows->rows < PT_NEAR_SAMPLE ? rows->rows : PT_NEAR_SAMPLE;
    double away = 0;
    if (!pt_kernel_kind_of(kernel->kind)->decays)
        return false;
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < a; b++)
            away += 1 - pt_kernel_value(kernel, points, a * rows->rows / count, points, b * rows->rows / count);
    return away < NEAR * (double)(count * (count - 1) / 2);
}
