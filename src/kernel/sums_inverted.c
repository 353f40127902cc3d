/* Weighted sums of kernel values over many sparse vertices, for sparse rows.
 *
 * Threads take parts of the rows. A part's rows are put into an inverted index (data/storage/inverted_index.h); then
 * the vertices go over it one after the other, each visiting only the rows that share a feature with it. */
#include <math.h>
#include <stdatomic.h>

#include "core/team.h"
#include "kernel/block.h"

enum {
    LEAST_ROWS = 2048, /* of a part */
    MOST_ROWS = 16384,
    LEAST_VERTICES = 100, /* fewer do not pay for making the index (measured) */
    LOOK_INTERVAL = 256,  /* vertices between looks for interruptions; a multiple of a panel's width */
};

typedef struct job {
    const pt_block *block;
    pt_points vertices;
    size_t count;
    const double *weights;  /* as they are, */
    const float *weights32; /* or in float32, in units of the largest; NULL: sums in double */
    float *norms, *beyond;  /* of the vertices */
    double *sums;
    size_t part_rows, parts;
} job;

/* What each thread has of its own. */
typedef struct scratch {
    pt_index_part index;
    float *values; /* [PT_PANEL_WIDE][part_rows] */
    double *sums;
} scratch;

bool pt_sums_by_index_pay(const pt_block *block, pt_points vertices, size_t count)
{
    return pt_block_by_index(block) && vertices.matrix->storage == PARTAN_STORAGE_SPARSE && count >= LEAST_VERTICES;
}

/* Parts large enough that their nonzeros are not few beside the features, whose lists are looked up for each. */
static size_t part_rows(const pt_matrix *rows)
{
    size_t nonzeros = (size_t)(rows->nonzeros / rows->rows) + 1, wanted = rows->features / nonzeros;
    size_t fit = wanted < LEAST_ROWS ? LEAST_ROWS : wanted > MOST_ROWS ? MOST_ROWS : wanted;
    return fit / PT_TILE * PT_TILE;
}

/* Norms as panels have them: in double, then rounded. */
static void measure(job *j)
{
    const pt_matrix *z = j->vertices.matrix;
    for (size_t v = 0; v < j->count; v++) {
        double norm = 0, beyond = 0;
        for (int64_t i = z->offsets[v]; i < z->offsets[v + 1]; i++) {
            double square = (double)z->values[i] * (double)z->values[i];
            norm += square;
            if ((size_t)z->indices[i] >= j->block->rows->features)
                beyond += square;
        }
        j->norms[v] = (float)norm;
        j->beyond[v] = (float)beyond;
    }
}

/* Values of vertices first .. first + count - 1 over the indexed rows; more columns, up to a panel, are 0. */
static void fill_values(const job *j, const scratch *own, size_t first, size_t count, size_t width)
{
    const pt_matrix *z = j->vertices.matrix;
    for (size_t c = 0; c < width; c++) {
        float *values = own->values + c * own->index.stride;
        size_t v = first + c;
        if (c < count) {
            int64_t start = z->offsets[v];
            pt_nonzeros vertex = {z->indices + start, z->values + start, (size_t)(z->offsets[v + 1] - start),
                                  j->norms[v], j->beyond[v]};
            j->block->ops->by_index(j->block, &own->index, &vertex, 0, own->index.stride, values);
        } else {
            for (size_t i = 0; i < own->index.stride; i++)
                values[i] = 0;
        }
    }
}

static void add_values(const job *j, const scratch *own, size_t first, size_t count)
{
    size_t stride = own->index.stride;
    double weights[PT_PANEL] = {0};
    float weights32[PT_PANEL_WIDE] = {0};
    for (size_t c = 0; c < count; c++) {
        if (j->weights32)
            weights32[c] = j->weights32[first + c];
        else
            weights[c] = j->weights[first + c];
    }
    if (j->weights32)
        j->block->ops->accumulate_float32(own->sums, own->values, stride, weights32, stride);
    else
        j->block->ops->accumulate(own->sums, own->values, stride, weights, stride);
}

static partan_status sum_part(const job *j, scratch *own, size_t part)
{
    const pt_matrix *rows = j->block->rows;
    size_t begin = part * j->part_rows, width = j->weights32 ? PT_PANEL_WIDE : PT_PANEL;
    size_t count = rows->rows - begin < j->part_rows ? rows->rows - begin : j->part_rows;
    partan_status status = pt_index_part_fill(&own->index, rows, begin, count);
    if (status)
        return status;
    for (size_t i = 0; i < own->index.stride; i++)
        own->sums[i] = 0;
    for (size_t first = 0; first < j->count; first += width) {
        size_t some = j->count - first < width ? j->count - first : width;
        if (first % LOOK_INTERVAL == 0 && pt_interrupted(j->block->context))
            return PARTAN_INTERRUPTED;
        fill_values(j, own, first, some, width);
        add_values(j, own, first, some);
    }
    for (size_t i = 0; i < count; i++)
        j->sums[begin + i] = own->sums[i];
    return PARTAN_OK;
}

static partan_status scratch_init(scratch *own, const job *j)
{
    partan_context *context = j->block->context;
    partan_status status = pt_index_part_init(&own->index, context, j->block->rows->features);
    own->values = pt_alloc(context, PT_PANEL_WIDE * j->part_rows, sizeof *own->values);
    own->sums = pt_alloc(context, j->part_rows, sizeof *own->sums);
    if (!status && !(own->values && own->sums))
        status = pt_out_of_memory(context, "sums of kernel values");
    return status;
}

typedef struct parts {
    const job *job;
    scratch *all;
    size_t begin;
    atomic_int status;
} parts;

static void run_part(void *user, size_t chunk, size_t thread)
{
    parts *p = user;
    partan_status status = sum_part(p->job, &p->all[thread], p->begin + chunk);
    if (status)
        atomic_store(&p->status, (int)status);
}

static partan_status run(const job *j, scratch *all)
{
    partan_context *context = j->block->context;
    partan_status status = PARTAN_OK;
    size_t round = 16 * (size_t)context->threads; /* so that the master's reports come evenly */
    for (size_t begin = 0; begin < j->parts && !status; begin += round) {
        size_t end = j->parts - begin < round ? j->parts : begin + round;
        parts p = {.job = j, .all = all, .begin = begin};
        atomic_init(&p.status, PARTAN_OK);
        pt_team_run(context, context->threads, end - begin, run_part, &p);
        status = (partan_status)atomic_load(&p.status);
        if (!status)
            status = pt_progress_share(context, (double)end / (double)j->parts);
    }
    return status;
}

static partan_status run_with_scratch(const job *j)
{
    partan_context *context = j->block->context;
    size_t threads = (size_t)context->threads;
    scratch *all = pt_alloc_zero(context, threads, sizeof *all);
    partan_status status = all ? PARTAN_OK : pt_out_of_memory(context, "sums of kernel values");
    for (size_t i = 0; i < threads && !status; i++)
        status = scratch_init(&all[i], j);
    if (!status)
        status = run(j, all);
    for (size_t i = 0; all && i < threads; i++) {
        pt_index_part_free(&all[i].index);
        pt_free(context, all[i].values);
        pt_free(context, all[i].sums);
    }
    pt_free(context, all);
    return status;
}

partan_status pt_sums_by_index(const pt_block *block, pt_points vertices, size_t count, const double *weights,
                               bool float32, double *sums)
{
    partan_context *context = block->context;
    double largest = 1;
    if (float32) {
        largest = 0;
        for (size_t i = 0; i < count; i++)
            largest = fmax(largest, fabs(weights[i]));
        if (!(largest > 0))
            return PARTAN_OK;
    }
    job j = {.block = block, .vertices = vertices, .count = count, .weights = weights, .sums = sums};
    j.part_rows = part_rows(block->rows);
    j.parts = (block->rows->rows + j.part_rows - 1) / j.part_rows;
    float *units = pt_alloc(context, count, sizeof *units);
    j.norms = pt_alloc(context, count, sizeof *j.norms);
    j.beyond = pt_alloc(context, count, sizeof *j.beyond);
    partan_status status =
        units && j.norms && j.beyond ? PARTAN_OK : pt_out_of_memory(context, "sums of kernel values");
    if (!status) {
        for (size_t i = 0; i < count; i++)
            units[i] = (float)(weights[i] / largest);
        j.weights32 = float32 ? units : NULL;
        measure(&j);
        status = run_with_scratch(&j);
    }
    for (size_t i = 0; i < block->rows->rows && !status; i++)
        sums[i] *= largest;
    pt_free(context, units);
    pt_free(context, j.norms);
    pt_free(context, j.beyond);
    return status;
}
