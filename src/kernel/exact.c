/* Kernel values in double precision, and sums of them: what an auditor trusts, beside the fast blocks that it checks.
 * Distances and exponentials are vector code (kernel/isa/exact.h), the rest is plain.
 *
 * Blocks of rows are shared out to the threads. For each block and vertex, the vertex is scattered into a dense
 * vector and met with every row of the block, or its nonzeros with lists of the rows that have them; each row's sum
 * runs over the vertices in order, so that the result does not depend on the number of threads. */
#include "kernel/exact.h"

#include <math.h>
#include <omp.h>
#include <stdatomic.h>

#include "data/storage/layout.h"
#include "kernel/exact_lists.h"

#define BLOCK_ROWS PT_EXACT_ROWS

/* Above this many features a scattered vertex would cost more memory than it saves time. */
#define SCATTER_LIMIT ((size_t)1 << 24)

typedef struct scratch {
    double *scattered; /* `width` values, all zero between two vertices */
    int32_t *indices;
    float *values;
    uint32_t *words;
    float *decoded;  /* a block of rows held as bytes */
    pt_lists *lists; /* of a block of sparse rows */
    double *block;   /* a block of values, where they are not summed */
} scratch;

typedef struct sums_job {
    partan_context *context;
    const pt_kernel *kernel;
    const pt_exact_ops *ops; /* the instruction set's */
    pt_points rows, vertices;
    size_t count;
    const double *weights; /* and where their sums go; NULL: values go to `take` */
    double *sums;
    pt_exact_taker *take;
    void *user;
    double *table; /* bits: the kernel at 0, 1, 2, ...; precomputed: the summed weight of each column */
    size_t width;  /* features of rows or vertices, whichever are more; precomputed: columns with a weight */
    void (*block)(const struct sums_job *job, const scratch *own, size_t first, size_t end);
} sums_job;

static void put(const sums_job *job, const scratch *own, size_t v, size_t first, size_t row, double value)
{
    if (own->block)
        own->block[v * BLOCK_ROWS + (row - first)] = value;
    else
        job->sums[row] += job->weights[v] * value;
}

/* ---- A vertex, scattered into a dense vector ---- */

typedef struct vertex {
    size_t nonzeros;
    double total; /* the measure of its distance from zero: |z|^2, |z|_1, or 0 for products */
    double rest;  /* the part of it in features that the rows do not have */
} vertex;

static vertex vertex_scatter(const sums_job *job, const scratch *own, size_t v, pt_metric measure)
{
    vertex z = {.nonzeros = pt_matrix_row(job->vertices.matrix, v, own->indices, own->values)};
    size_t features = job->rows.matrix->features;
    for (size_t k = 0; k < z.nonzeros; k++) {
        double value = (double)own->values[k];
        size_t index = (size_t)own->indices[k];
        own->scattered[index] = value;
        double part = measure == PT_METRIC_SQUARES ? value * value : measure == PT_METRIC_ABSOLUTE ? fabs(value) : 0;
        z.total += part;
        if (index >= features)
            z.rest += part;
    }
    return z;
}

static void vertex_clear(const scratch *own, vertex z)
{
    for (size_t k = 0; k < z.nonzeros; k++)
        own->scattered[own->indices[k]] = 0;
}

/* ---- Dense rows ---- */

/* Of measures to kernel values. `u` has room for whole tiles. */
static void kernel_of_all(const sums_job *job, double *u, size_t count)
{
    if (pt_kernel_metric(job->kernel->kind) != PT_METRIC_DOT)
        job->ops->exponentials(u, (count + PT_TILE - 1) / PT_TILE * PT_TILE, job->kernel->gamma);
    else
        for (size_t i = 0; i < count; i++)
            u[i] = pt_kernel_of(job->kernel, u[i]);
}

/* x holds the tiles of rows first .. end-1. */
static void tiles_block(const sums_job *job, const scratch *own, const float *x, size_t first, size_t end)
{
    size_t features = job->rows.matrix->features;
    pt_metric measure = pt_kernel_metric(job->kernel->kind);
    for (size_t v = 0; v < job->count; v++) {
        vertex z = vertex_scatter(job, own, v, measure);
        double u[BLOCK_ROWS];
        for (size_t row = 0; row < end - first; row += PT_TILE) {
            for (size_t lane = 0; lane < PT_TILE; lane++)
                u[row + lane] = z.rest;
            job->ops->measure(measure, x + row * features, own->scattered, features, u + row);
        }
        kernel_of_all(job, u, end - first);
        for (size_t row = first; row < end; row++)
            put(job, own, v, first, row, u[row - first]);
        vertex_clear(own, z);
    }
}

static void dense_block(const sums_job *job, const scratch *own, size_t first, size_t end)
{
    const pt_matrix *rows = job->rows.matrix;
    tiles_block(job, own, rows->dense + first * rows->features, first, end);
}

static void bytes_block(const sums_job *job, const scratch *own, size_t first, size_t end)
{
    const pt_matrix *rows = job->rows.matrix;
    const size_t group_bytes = PT_TILE * PT_BYTES_GROUP, features = rows->features;
    for (size_t row = first; row < end; row += PT_TILE) {
        const uint8_t *in = rows->bytes + row / PT_TILE * rows->groups * group_bytes;
        float *out = own->decoded + (row - first) * features;
        for (size_t f = 0; f < features; f++)
            for (size_t lane = 0; lane < PT_TILE; lane++) {
                size_t at = f / PT_BYTES_GROUP * group_bytes + lane * PT_BYTES_GROUP + f % PT_BYTES_GROUP;
                out[f * PT_TILE + lane] = pt_byte_value(in[at], rows->scale);
            }
    }
    tiles_block(job, own, own->decoded, first, end);
}

/* ---- Sparse rows ---- */

static void sparse_block(const sums_job *job, const scratch *own, size_t first, size_t end)
{
    pt_metric measure = pt_kernel_metric(job->kernel->kind);
    double u[BLOCK_ROWS] = {0};
    pt_lists_fill(own->lists, job->rows.matrix, first, end - first, measure);
    for (size_t v = 0; v < job->count; v++) {
        size_t nonzeros = pt_matrix_row(job->vertices.matrix, v, own->indices, own->values);
        pt_lists_measure(own->lists, measure, own->indices, own->values, nonzeros, u);
        kernel_of_all(job, u, end - first);
        for (size_t row = first; row < end; row++)
            put(job, own, v, first, row, u[row - first]);
    }
}

static void merging_block(const sums_job *job, const scratch *own, size_t first, size_t end)
{
    for (size_t v = 0; v < job->count; v++)
        for (size_t row = first; row < end; row++)
            put(job, own, v, first, row, pt_kernel_value(job->kernel, job->rows, row, job->vertices, v));
}

/* ---- Packed bits: the measure is an integer, the kernel a table ---- */

/* The vertex's words, as many as the rows have; returns the bits set in those beyond. */
static uint32_t vertex_words(const sums_job *job, size_t v, uint32_t *out)
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

static void bits_block(const sums_job *job, const scratch *own, size_t first, size_t end)
{
    const pt_matrix *rows = job->rows.matrix;
    bool differing = pt_kernel_metric(job->kernel->kind) != PT_METRIC_DOT;
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

static partan_status bits_table(sums_job *job)
{
    size_t most =
        job->rows.matrix->words > job->vertices.matrix->words ? job->rows.matrix->words : job->vertices.matrix->words;
    job->table = pt_alloc(job->context, 32 * most + 1, sizeof *job->table);
    if (!job->table)
        return pt_out_of_memory(job->context, "a table of kernel values");
    for (size_t u = 0; u <= 32 * most; u++)
        job->table[u] = pt_kernel_of(job->kernel, (double)u);
    return PARTAN_OK;
}

/* ---- Precomputed: a product with the weights of the columns ---- */

static void precomputed_block(const sums_job *job, const scratch *own, size_t first, size_t end)
{
    for (size_t row = first; row < end; row++) {
        size_t nonzeros = pt_matrix_row(job->rows.matrix, row, own->indices, own->values);
        for (size_t k = 0; k < nonzeros && (size_t)own->indices[k] < job->width; k++)
            job->sums[row] += job->table[own->indices[k]] * (double)own->values[k];
    }
}

static partan_status column_weights(sums_job *job)
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

/* ---- Sharing out the blocks ---- */

/* Rows of a block; fewer where there would not be one for each thread. */
static size_t block_length(const sums_job *job)
{
    size_t share = job->rows.matrix->rows / (size_t)job->context->threads / PT_TILE * PT_TILE + PT_TILE;
    return job->take || share > BLOCK_ROWS ? BLOCK_ROWS : share;
}

static partan_status run(sums_job *job, const scratch *all, size_t room, size_t words)
{
    size_t rows = job->rows.matrix->rows, length = block_length(job);
    size_t blocks = (rows + length - 1) / length;
    atomic_size_t done;
    atomic_bool stop;
    atomic_init(&done, 0);
    atomic_init(&stop, false);

#pragma omp parallel num_threads(job->context->threads)
    {
        size_t thread = (size_t)omp_get_thread_num();
        scratch own = {all->scattered ? all->scattered + thread * job->width : NULL,
                       all->indices + thread * room,
                       all->values + thread * room,
                       all->words + thread * words,
                       all->decoded ? all->decoded + thread * BLOCK_ROWS * job->rows.matrix->features : NULL,
                       all->lists ? all->lists + thread : NULL,
                       all->block ? all->block + thread * BLOCK_ROWS * job->count : NULL};
#pragma omp for schedule(dynamic)
        for (size_t b = 0; b < blocks; b++) {
            if (atomic_load(&stop) || pt_interrupted(job->context)) {
                atomic_store(&stop, true);
                continue;
            }
            size_t first = b * length, end = first + length < rows ? first + length : rows;
            for (size_t row = first; row < end && job->sums; row++)
                job->sums[row] = 0;
            job->block(job, &own, first, end);
            if (job->take)
                job->take(job->user, first, end - first, own.block);
            double share = (double)(atomic_fetch_add(&done, 1) + 1) / (double)blocks;
            if (thread == 0 && pt_progress_share(job->context, share) != PARTAN_OK)
                atomic_store(&stop, true);
        }
    }
    return atomic_load(&stop) ? PARTAN_INTERRUPTED : PARTAN_OK;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Lists for each thread, where the rows are sparse. */
static partan_status lists_init(const sums_job *job, pt_lists *lists)
{
    partan_status status = lists ? PARTAN_OK : pt_out_of_memory(job->context, "exact kernel values");
    for (int i = 0; i < job->context->threads && !status; i++)
        status = pt_lists_init(&lists[i], job->context, job->rows.matrix, block_length(job));
    return status;
}

static void scratch_free(partan_context *context, scratch *all)
{
    for (int i = 0; all->lists && i < context->threads; i++)
        pt_lists_free(&all->lists[i]);
    pt_free(context, all->lists);
    pt_free(context, all->scattered);
    pt_free(context, all->indices);
    pt_free(context, all->values);
    pt_free(context, all->words);
    pt_free(context, all->decoded);
    pt_free(context, all->block);
}

static partan_status run_with_scratch(sums_job *job)
{
    partan_context *context = job->context;
    size_t threads = (size_t)context->threads;
    bool decode = job->block == bytes_block, sparse = job->block == sparse_block;
    bool scatter = decode || job->block == dense_block;
    size_t room = scatter || sparse                 ? pt_matrix_row_room(job->vertices.matrix)
                  : job->block == precomputed_block ? pt_matrix_row_room(job->rows.matrix)
                                                    : 0;
    size_t words = job->block == bits_block ? job->rows.matrix->words : 0;

    scratch all = {
        .scattered = scatter ? pt_alloc_zero(context, threads * job->width, sizeof *all.scattered) : NULL,
        .indices = pt_alloc(context, threads * room, sizeof *all.indices),
        .values = pt_alloc(context, threads * room, sizeof *all.values),
        .words = pt_alloc(context, threads * words, sizeof *all.words),
        .decoded =
            decode ? pt_alloc(context, threads * BLOCK_ROWS * job->rows.matrix->features, sizeof *all.decoded) : NULL,
        .lists = sparse ? pt_alloc_zero(context, threads, sizeof *all.lists) : NULL,
        .block = job->take ? pt_alloc_zero(context, threads * BLOCK_ROWS * job->count, sizeof *all.block) : NULL,
    };
    partan_status status = PARTAN_OK;
    if ((scatter && !all.scattered) || (decode && !all.decoded) || (job->take && !all.block) || !all.indices
        || !all.values || !all.words)
        status = pt_out_of_memory(context, "exact kernel values");
    else if (sparse)
        status = lists_init(job, all.lists);
    if (!status)
        status = run(job, &all, room, words);
    scratch_free(context, &all);
    return status;
}

static partan_status choose_block(sums_job *job)
{
    if (job->kernel->kind == PARTAN_KERNEL_PRECOMPUTED) {
        job->block = precomputed_block;
        return column_weights(job);
    }
    partan_storage storage = job->rows.matrix->storage;
    if (storage == PARTAN_STORAGE_BITS) {
        job->block = bits_block;
        return bits_table(job);
    }
    job->width = larger(job->rows.matrix->features, job->vertices.matrix->features);
    if (job->width > SCATTER_LIMIT)
        job->block = merging_block;
    else
        job->block = storage == PARTAN_STORAGE_DENSE   ? dense_block
                     : storage == PARTAN_STORAGE_BYTES ? bytes_block
                                                       : sparse_block;
    return PARTAN_OK;
}

static partan_status start(sums_job job)
{
    partan_context *context = job.context;
    pt_points rows = job.rows, vertices = job.vertices;
    job.ops = pt_exact_ops_for(context->isa);
    /* Bits meet bits; vertices of other values need the rows' values spelt out. */
    pt_matrix spelt = {0};
    partan_status status = PARTAN_OK;
    if (job.kernel->kind != PARTAN_KERNEL_PRECOMPUTED && rows.matrix->storage == PARTAN_STORAGE_BITS
        && vertices.matrix->storage != PARTAN_STORAGE_BITS) {
        status = pt_matrix_convert(rows.matrix, PARTAN_STORAGE_SPARSE, 0, &spelt);
        job.rows.matrix = &spelt;
    }
    if (status == PARTAN_OK)
        status = choose_block(&job);
    if (status == PARTAN_OK)
        status = run_with_scratch(&job);
    pt_free(context, job.table);
    pt_matrix_free(&spelt);
    return status;
}

partan_status pt_kernel_sums_exact(partan_context *context, const pt_kernel *kernel, pt_points rows, pt_points vertices,
                                   size_t count, const double *weights, double *sums)
{
    return start((sums_job){.context = context,
                            .kernel = kernel,
                            .rows = rows,
                            .vertices = vertices,
                            .count = count,
                            .weights = weights,
                            .sums = sums});
}

partan_status pt_kernel_values_exact(partan_context *context, const pt_kernel *kernel, pt_points rows,
                                     pt_points vertices, size_t count, pt_exact_taker *take, void *user)
{
    return start((sums_job){.context = context,
                            .kernel = kernel,
                            .rows = rows,
                            .vertices = vertices,
                            .count = count,
                            .take = take,
                            .user = user});
}
