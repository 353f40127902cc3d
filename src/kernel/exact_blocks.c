/* Exact kernel values of a block of rows with all vertices, storage by storage. Distances and exponentials are vector
 * code (kernel/isa/exact.h), the rest is plain. */
#include <math.h>
#include <string.h>

#include "data/storage/layout.h"
#include "kernel/exact_job.h"

/* Above this many features a scattered vertex would cost more memory than it saves time. */
#define SCATTER_LIMIT ((size_t)1 << 24)

enum {
    LEAST_LISTED = 4,    /* vertices that are worth lists of the rows */
    LOOK_INTERVAL = 512, /* vertices between looks for interruptions */
};

/* Whether to leave a block unfinished: run_block then has no use for it. */
static bool is_left(const pt_exact_job *job, size_t v)
{
    return v % LOOK_INTERVAL == 0 && pt_interrupted(job->context);
}

static void put(const pt_exact_job *job, const pt_exact_scratch *own, size_t v, size_t first, size_t row, double value)
{
    if (own->block)
        own->block[v * PT_EXACT_ROWS + (row - first)] = value;
    else
        job->sums[row] += job->weights[v] * value;
}

/* ---- Points: vertices scattered into dense vectors, over the features that rows have ---- */

typedef struct point {
    size_t nonzeros;
    double total; /* the measure of its distance from zero: |z|^2, |z|_1, or 0 for products */
    double rest;  /* the part of it in features that the rows do not have */
} point;

static point point_scatter(const pt_exact_job *job, const pt_exact_scratch *own, size_t v, size_t k)
{
    int32_t *indices = own->indices + k * own->room;
    float *values = own->values + k * own->room;
    point z = {.nonzeros = pt_matrix_row(job->vertices.matrix, v, indices, values)};
    size_t features = job->rows.matrix->features;
    pt_metric metric = job->kind->metric;
    for (size_t i = 0; i < z.nonzeros; i++) {
        double value = (double)values[i];
        double part = metric == PT_METRIC_SQUARES ? value * value : metric == PT_METRIC_ABSOLUTE ? fabs(value) : 0;
        z.total += part;
        if ((size_t)indices[i] >= features)
            z.rest += part;
        else
            own->scattered[k * features + (size_t)indices[i]] = value;
    }
    return z;
}

static void point_clear(const pt_exact_job *job, const pt_exact_scratch *own, size_t k, point z)
{
    size_t features = job->rows.matrix->features;
    const int32_t *indices = own->indices + k * own->room;
    for (size_t i = 0; i < z.nonzeros; i++)
        if ((size_t)indices[i] < features)
            own->scattered[k * features + (size_t)indices[i]] = 0;
}

/* Dense vertices need no clearing: the next one overwrites every feature of this one. Returns the point's rest. */
static double point_spread(const pt_exact_job *job, const pt_exact_scratch *own, size_t v, size_t k)
{
    const pt_matrix *vertices = job->vertices.matrix;
    const float *in = vertices->dense + v / PT_TILE * PT_TILE * vertices->features + v % PT_TILE;
    size_t features = job->rows.matrix->features, both = vertices->features < features ? vertices->features : features;
    double *out = own->scattered + k * features, rest = 0;
    for (size_t f = 0; f < both; f++)
        out[f] = (double)in[f * PT_TILE];
    for (size_t f = both; f < vertices->features; f++) {
        double value = (double)in[f * PT_TILE];
        pt_metric metric = job->kind->metric;
        rest += metric == PT_METRIC_SQUARES ? value * value : metric == PT_METRIC_ABSOLUTE ? fabs(value) : 0;
    }
    return rest;
}

/* ---- From measures to sums ---- */

static size_t whole_tiles(size_t rows)
{
    return (rows + PT_TILE - 1) / PT_TILE * PT_TILE;
}

/* `u` has room for whole tiles. */
static void kernel_of_all(const pt_exact_job *job, double *u, size_t count)
{
    if (job->kind->decays)
        job->ops->exponentials(job->kernel->less_one, u, whole_tiles(count), job->kernel->gamma);
    else
        for (size_t i = 0; i < count; i++)
            u[i] = job->kind->of(job->kernel, u[i]);
}

/* What the measures of some rows with the vertices from v on come to. */
static void put_all(const pt_exact_job *job, const pt_exact_scratch *own, size_t v, size_t points, size_t rows,
                    double *u, double *sums)
{
    for (size_t k = 0; k < points; k++)
        kernel_of_all(job, u + k * PT_EXACT_ROWS, rows);
    if (!own->block)
        job->ops->add(u, points, job->weights + v, whole_tiles(rows), sums);
    else
        for (size_t k = 0; k < points; k++)
            memcpy(own->block + (v + k) * PT_EXACT_ROWS, u + k * PT_EXACT_ROWS, rows * sizeof *u);
}

static void put_sums(const pt_exact_job *job, size_t first, size_t end, const double *sums)
{
    if (job->sums)
        memcpy(job->sums + first, sums, (end - first) * sizeof *sums);
}

/* ---- Dense rows ---- */

/* x holds the tiles of rows first .. end-1. */
static void tiles_block(const pt_exact_job *job, const pt_exact_scratch *own, const float *x, size_t first, size_t end)
{
    size_t tiles = whole_tiles(end - first) / PT_TILE;
    double sums[PT_EXACT_ROWS] = {0}, u[PT_EXACT_POINTS * PT_EXACT_ROWS];
    point z[PT_EXACT_POINTS] = {0};
    bool dense = job->vertices.matrix->storage == PARTAN_STORAGE_DENSE;
    for (size_t v = 0; v < job->count && !is_left(job, v); v += PT_EXACT_POINTS) {
        size_t points = job->count - v < PT_EXACT_POINTS ? job->count - v : PT_EXACT_POINTS;
        for (size_t k = 0; k < points; k++) {
            if (dense)
                z[k].rest = point_spread(job, own, v + k, k);
            else
                z[k] = point_scatter(job, own, v + k, k);
            for (size_t row = 0; row < tiles * PT_TILE; row++)
                u[k * PT_EXACT_ROWS + row] = z[k].rest;
        }
        pt_exact_points met = {own->scattered, points, job->rows.matrix->features};
        job->ops->measure(job->kind->metric, x, &met, tiles, u);
        put_all(job, own, v, points, end - first, u, sums);
        for (size_t k = 0; k < points && !dense; k++)
            point_clear(job, own, k, z[k]);
    }
    put_sums(job, first, end, sums);
}

static void dense_block(const pt_exact_job *job, const pt_exact_scratch *own, size_t first, size_t end)
{
    const pt_matrix *rows = job->rows.matrix;
    tiles_block(job, own, rows->dense + first * rows->features, first, end);
}

static void bytes_block(const pt_exact_job *job, const pt_exact_scratch *own, size_t first, size_t end)
{
    const pt_matrix *rows = job->rows.matrix;
    const size_t group_bytes = PT_TILE * PT_BYTES_GROUP, features = rows->features;
    for (size_t row = first; row < end; row += PT_TILE) {
        const uint8_t *in = rows->bytes + row / PT_TILE * rows->groups * group_bytes;
        float *out = own->decoded + (row - first) * features;
        for (size_t f = 0; f < features; f++)
            for (size_t lane = 0; lane < PT_TILE; lane++) {
                size_t at = f / PT_BYTES_GROUP * group_bytes + lane * PT_BYTES_GROUP + f % PT_BYTES_GROUP;
                out[f * PT_TILE + lane] = rows->steps.value[in[at]];
            }
    }
    tiles_block(job, own, own->decoded, first, end);
}

/* ---- Sparse rows ---- */

static void sparse_block(const pt_exact_job *job, const pt_exact_scratch *own, size_t first, size_t end)
{
    pt_metric measure = job->kind->metric;
    double u[PT_EXACT_ROWS] = {0}, sums[PT_EXACT_ROWS] = {0};
    pt_lists_fill(own->lists, job->rows.matrix, first, end - first, measure);
    for (size_t v = 0; v < job->count && !is_left(job, v); v++) {
        size_t nonzeros = pt_matrix_row(job->vertices.matrix, v, own->indices, own->values);
        pt_lists_measure(own->lists, measure, own->indices, own->values, nonzeros, u);
        put_all(job, own, v, 1, end - first, u, sums);
    }
    put_sums(job, first, end, sums);
}

/* The measure of a row with a scattered vertex, exactly 0 where they are equal: `met` then adds up the same numbers in
 * the same order as the vertex's total did. */
static double meet(const pt_matrix *rows, size_t row, const double *z, pt_metric measure, double total)
{
    double u = 0, met = 0;
    for (int64_t i = rows->offsets[row]; i < rows->offsets[row + 1]; i++) {
        double x = (double)rows->values[i], other = z[rows->indices[i]], difference = x - other;
        u += measure == PT_METRIC_DOT       ? x * other
             : measure == PT_METRIC_SQUARES ? difference * difference
                                            : fabs(difference);
        met += measure == PT_METRIC_SQUARES ? other * other : measure == PT_METRIC_ABSOLUTE ? fabs(other) : 0;
    }
    return u + fmax(total - met, 0);
}

/* A few vertices are not worth lists of the rows. */
static void scattered_block(const pt_exact_job *job, const pt_exact_scratch *own, size_t first, size_t end)
{
    pt_metric measure = job->kind->metric;
    double u[PT_EXACT_ROWS] = {0}, sums[PT_EXACT_ROWS] = {0};
    for (size_t v = 0; v < job->count; v++) {
        point z = point_scatter(job, own, v, 0);
        for (size_t row = first; row < end; row++)
            u[row - first] = meet(job->rows.matrix, row, own->scattered, measure, z.total);
        put_all(job, own, v, 1, end - first, u, sums);
        point_clear(job, own, 0, z);
    }
    put_sums(job, first, end, sums);
}

static void merging_block(const pt_exact_job *job, const pt_exact_scratch *own, size_t first, size_t end)
{
    for (size_t v = 0; v < job->count; v++)
        for (size_t row = first; row < end; row++)
            put(job, own, v, first, row, pt_kernel_value(job->kernel, job->rows, row, job->vertices, v));
}

/* ---- Packed bits: the measure is an integer, the kernel a table ---- */

/* The vertex's words, as many as the rows have; returns the bits set in those beyond. */
static uint32_t vertex_words(const pt_exact_job *job, size_t v, uint32_t *out)
{
    const pt_matrix *vertices = job->vertices.matrix;
    size_t words = job->rows.matrix->words;
    const uint32_t *in = vertices->bits + v / PT_TILE * vertices->words * PT_TILE + v % PT_TILE;
    uint32_t beyond = 0;
    for (size_t w = 0; w < words; w++)
        out[w] = w < vertices->words ? in[w * PT_TILE] : 0;
    for (size_t w = words; w < vertices->words; w++)
        beyond += (uint32_t)__builtin_popcount(in[w * PT_TILE]);
    return beyond;
}

static void bits_block(const pt_exact_job *job, const pt_exact_scratch *own, size_t first, size_t end)
{
    const pt_matrix *rows = job->rows.matrix;
    bool differing = job->kind->metric != PT_METRIC_DOT;
    for (size_t v = 0; v < job->count; v++) {
        uint32_t beyond = vertex_words(job, v, own->words);
        for (size_t row = first; row < end; row += PT_TILE) {
            uint32_t counts[PT_TILE];
            for (size_t lane = 0; lane < PT_TILE; lane++)
                counts[lane] = differing ? beyond : 0;
            job->ops->count(differing, rows->bits + row * rows->words, own->words, rows->words, counts);
            for (size_t lane = 0; lane < PT_TILE && row + lane < end; lane++)
                put(job, own, v, first, row + lane, job->table[counts[lane]]);
        }
    }
}

static partan_status bits_table(pt_exact_job *job)
{
    size_t most =
        job->rows.matrix->words > job->vertices.matrix->words ? job->rows.matrix->words : job->vertices.matrix->words;
    job->table = pt_alloc(job->context, 32 * most + 1, sizeof *job->table);
    if (!job->table)
        return pt_out_of_memory(job->context, "a table of kernel values");
    for (size_t u = 0; u <= 32 * most; u++)
        job->table[u] = job->kind->of(job->kernel, (double)u);
    return PARTAN_OK;
}

/* ---- Precomputed: a product with the weights of the columns ---- */

static void precomputed_block(const pt_exact_job *job, const pt_exact_scratch *own, size_t first, size_t end)
{
    for (size_t row = first; row < end; row++) {
        size_t nonzeros = pt_matrix_row(job->rows.matrix, row, own->indices, own->values);
        for (size_t k = 0; k < nonzeros && (size_t)own->indices[k] < job->width; k++)
            job->sums[row] += job->table[own->indices[k]] * (double)own->values[k];
    }
}

static partan_status column_weights(pt_exact_job *job)
{
    size_t features = job->rows.matrix->features;
    for (size_t v = 0; v < job->count; v++) {
        int64_t serial = job->vertices.serials[v];
        if (serial < 0 || (uint64_t)serial >= features)
            return pt_fail(job->context, PARTAN_ERROR_DATA,
                           "the kernel matrix has %zu columns, but column %jd is needed", features,
                           (intmax_t)serial + 1);
        if ((size_t)serial >= job->width)
            job->width = (size_t)serial + 1;
    }
    job->table = pt_alloc_zero(job->context, job->width, sizeof *job->table);
    if (!job->table)
        return pt_out_of_memory(job->context, "the weights of kernel columns");
    for (size_t v = 0; v < job->count; v++)
        job->table[job->vertices.serials[v]] += job->weights[v];
    return PARTAN_OK;
}

/* ---- Which of these ---- */

static const pt_exact_way dense_way = {.block = dense_block, .points = PT_EXACT_POINTS, .vertices = true};
static const pt_exact_way bytes_way = {
    .block = bytes_block, .points = PT_EXACT_POINTS, .decoded = true, .vertices = true};
static const pt_exact_way sparse_way = {.block = sparse_block, .lists = true, .vertices = true};
static const pt_exact_way scattered_way = {.block = scattered_block, .points = 1, .vertices = true};
static const pt_exact_way merging_way = {.block = merging_block};
static const pt_exact_way bits_way = {.block = bits_block, .words = true};
static const pt_exact_way precomputed_way = {.block = precomputed_block, .rows = true};

partan_status pt_exact_choose(pt_exact_job *job)
{
    const pt_matrix *rows = job->rows.matrix;
    if (job->kernel->kind == PARTAN_KERNEL_PRECOMPUTED) {
        job->way = &precomputed_way;
        return column_weights(job);
    }
    if (rows->storage == PARTAN_STORAGE_BITS) {
        job->way = &bits_way;
        return bits_table(job);
    }
    if (rows->features > SCATTER_LIMIT)
        job->way = &merging_way;
    else
        job->way = rows->storage == PARTAN_STORAGE_DENSE   ? &dense_way
                   : rows->storage == PARTAN_STORAGE_BYTES ? &bytes_way
                   : job->count < LEAST_LISTED             ? &scattered_way
                                                           : &sparse_way;
    return PARTAN_OK;
}
