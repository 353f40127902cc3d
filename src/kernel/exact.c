/* Kernel values in double precision, and sums of them: what an auditor trusts, beside the fast blocks that it checks.
 *
 * Blocks of rows are shared out to the threads. For each block and vertex, the vertex is scattered into a dense
 * vector and met with every row of the block, or its nonzeros with lists of the rows that have them (exact_blocks.c);
 * each row's sum runs over the vertices in order, so that the result does not depend on the number of threads. */
#include <stdatomic.h>

#include "core/team.h"
#include "kernel/exact_job.h"
#include "kernel/linear.h"

#define BLOCK_ROWS PT_EXACT_ROWS
#define PRODUCT    0.1 /* nanoseconds, of two values, */
#define FUNCTION   10  /* and of the kernel function */
#define DECODING   0.5 /* and of a value of a row as it is spelt out in double precision */

/* Rows of a block; fewer where there would not be one for each thread. */
static size_t block_length(const pt_exact_job *job)
{
    size_t share = job->rows.matrix->rows / (size_t)job->context->threads / PT_TILE * PT_TILE + PT_TILE;
    return job->take || share > BLOCK_ROWS ? BLOCK_ROWS : share;
}

/* Threads that are worth waking. */
static int threads_for(const pt_exact_job *job)
{
    double features = (double)job->rows.matrix->features, each = PRODUCT * features + FUNCTION;
    return pt_team_for(job->context,
                       (DECODING * features + each * (double)job->count) * (double)job->rows.matrix->rows);
}

/* Elements that each thread has of the arrays of the scratch. */
typedef struct lengths {
    size_t scattered, rows, words, decoded, block;
} lengths;

static size_t row_room(const pt_exact_job *job)
{
    const pt_exact_way *way = job->way;
    return way->vertices ? pt_matrix_row_room(job->vertices.matrix)
           : way->rows   ? pt_matrix_row_room(job->rows.matrix)
                         : 0;
}

static lengths lengths_of(const pt_exact_job *job)
{
    const pt_exact_way *way = job->way;
    size_t features = job->rows.matrix->features;
    return (lengths){.scattered = pt_team_room(way->points * features),
                     .rows = pt_team_room((way->points > 0 ? way->points : 1) * row_room(job)),
                     .words = pt_team_room(way->words ? job->rows.matrix->words : 0),
                     .decoded = way->decoded ? BLOCK_ROWS * features : 0,
                     .block = job->take ? BLOCK_ROWS * job->count : 0};
}

/* The blocks of a job, and what all threads need for them. */
typedef struct blocks {
    const pt_exact_job *job;
    const pt_exact_scratch *all;
    lengths each;
    size_t length, count;
    atomic_size_t done;
    atomic_bool stop;
} blocks;

static pt_exact_scratch scratch_of(const blocks *b, size_t thread)
{
    const pt_exact_scratch *all = b->all;
    return (pt_exact_scratch){
        all->scattered + thread * b->each.scattered, all->room,
        all->indices + thread * b->each.rows,        all->values + thread * b->each.rows,
        all->words + thread * b->each.words,         all->decoded + thread * b->each.decoded,
        all->lists ? all->lists + thread : NULL,     b->job->take ? all->block + thread * b->each.block : NULL};
}

static void run_block(void *user, size_t block, size_t thread)
{
    blocks *b = user;
    const pt_exact_job *job = b->job;
    if (atomic_load(&b->stop) || pt_interrupted(job->context)) {
        atomic_store(&b->stop, true);
        return;
    }
    pt_exact_scratch own = scratch_of(b, thread);
    pt_span span = pt_span_of(job->rows.matrix->rows, b->length, block);
    for (size_t row = span.begin; row < span.end && job->sums; row++)
        job->sums[row] = 0;
    job->way->block(job, &own, span.begin, span.end);
    if (pt_interrupted(job->context)) { /* it may have been left unfinished */
        atomic_store(&b->stop, true);
        return;
    }
    if (job->take)
        job->take(job->user, span.begin, span.end - span.begin, own.block);
    double share = (double)(atomic_fetch_add(&b->done, 1) + 1) / (double)b->count;
    if (thread == 0 && pt_progress_share(job->context, share) != PARTAN_OK)
        atomic_store(&b->stop, true);
}

static partan_status run(pt_exact_job *job, const pt_exact_scratch *all, lengths each)
{
    blocks b = {.job = job, .all = all, .each = each, .length = block_length(job)};
    b.count = pt_span_count(job->rows.matrix->rows, b.length);
    atomic_init(&b.done, 0);
    atomic_init(&b.stop, false);
    pt_team_run(job->context, threads_for(job), b.count, run_block, &b);
    return atomic_load(&b.stop) ? PARTAN_INTERRUPTED : PARTAN_OK;
}

/* Lists for each thread, where the rows are sparse. */
static partan_status lists_init(const pt_exact_job *job, pt_lists *lists)
{
    partan_status status = lists ? PARTAN_OK : pt_out_of_memory(job->context, "exact kernel values");
    for (int i = 0; i < threads_for(job) && !status; i++)
        status = pt_lists_init(&lists[i], job->context, job->rows.matrix, block_length(job));
    return status;
}

static void scratch_free(const pt_exact_job *job, pt_exact_scratch *all)
{
    partan_context *context = job->context;
    for (int i = 0; all->lists && i < threads_for(job); i++)
        pt_lists_free(&all->lists[i]);
    pt_free(context, all->lists);
    pt_free(context, all->scattered);
    pt_free(context, all->indices);
    pt_free(context, all->values);
    pt_free(context, all->words);
    pt_free(context, all->decoded);
    pt_free(context, all->block);
}

static partan_status run_with_scratch(pt_exact_job *job)
{
    partan_context *context = job->context;
    size_t threads = (size_t)threads_for(job);
    lengths each = lengths_of(job);
    pt_exact_scratch all = {
        .scattered = pt_alloc_zero(context, threads * each.scattered, sizeof *all.scattered),
        .room = row_room(job),
        .indices = pt_alloc(context, threads * each.rows, sizeof *all.indices),
        .values = pt_alloc(context, threads * each.rows, sizeof *all.values),
        .words = pt_alloc(context, threads * each.words, sizeof *all.words),
        .decoded = pt_alloc(context, threads * each.decoded, sizeof *all.decoded),
        .lists = job->way->lists ? pt_alloc_zero(context, threads, sizeof *all.lists) : NULL,
        .block = pt_alloc_zero(context, threads * each.block, sizeof *all.block),
    };
    partan_status status = PARTAN_OK;
    if (!all.scattered || !all.indices || !all.values || !all.words || !all.decoded || !all.block)
        status = pt_out_of_memory(context, "exact kernel values");
    else if (job->way->lists)
        status = lists_init(job, all.lists);
    if (!status)
        status = run(job, &all, each);
    scratch_free(job, &all);
    return status;
}

static partan_status start(pt_exact_job job)
{
    partan_context *context = job.context;
    pt_points rows = job.rows, vertices = job.vertices;
    if (job.sums && pt_linear_pays(job.kernel, rows, job.count))
        return pt_linear_sums(context, rows, vertices, job.count, job.weights, job.sums);
    job.ops = pt_exact_ops_for(context->isa);
    job.kind = pt_kernel_kind_of(job.kernel->kind);
    /* Bits meet bits; vertices of other values need the rows' values spelt out. */
    pt_matrix spelt = {0};
    partan_status status = PARTAN_OK;
    if (job.kernel->kind != PARTAN_KERNEL_PRECOMPUTED && rows.matrix->storage == PARTAN_STORAGE_BITS
        && vertices.matrix->storage != PARTAN_STORAGE_BITS) {
        status = pt_matrix_convert(rows.matrix, PARTAN_STORAGE_SPARSE, 0, &spelt);
        job.rows.matrix = &spelt;
    }
    if (status == PARTAN_OK)
        status = pt_exact_choose(&job);
    if (status == PARTAN_OK)
        status = run_with_scratch(&job);
    pt_free(context, job.table);
    pt_matrix_free(&spelt);
    return status;
}

partan_status pt_kernel_sums_exact(partan_context *context, const pt_kernel *kernel, pt_points rows, pt_points vertices,
                                   size_t count, const double *weights, double *sums)
{
    return start((pt_exact_job){.context = context,
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
    return start((pt_exact_job){.context = context,
                                .kernel = kernel,
                                .rows = rows,
                                .vertices = vertices,
                                .count = count,
                                .take = take,
                                .user = user});
}
