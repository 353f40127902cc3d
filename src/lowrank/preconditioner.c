#include "lowrank/preconditioner.h"

#include <math.h>
#include <string.h>

#include "core/team.h"
#include "kernel/instructions.h"

enum {
    CHUNK = 256, /* rows that go into the matrix together, whose factors stay in the cache */
    LINES = 16,  /* of the matrix that a thread takes at a time */
    ROWS = 256,  /* of a product with all factors, that a thread takes at a time; a multiple of PT_PANEL */
};

#define PRODUCT 0.1 /* nanoseconds, of two entries */

void pt_preconditioner_free(pt_preconditioner *p)
{
    void *arrays[] = {p->factors, p->costs, p->matrix, p->which, p->changes,
                      p->spelt,   p->rows,  p->small,  p->parts, p->together};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays && p->context; i++)
        pt_free(p->context, arrays[i]);
    pt_cholesky_free(&p->root);
    *p = (pt_preconditioner){0};
}

static size_t stride_of(size_t rank)
{
    return (rank + PT_GRAM_UNIT) / PT_GRAM_UNIT * PT_GRAM_UNIT; /* with the bias */
}

double pt_preconditioner_bytes(size_t rows, size_t rank)
{
    return 2 * (double)(rows + PT_PANEL) * (double)stride_of(rank) * sizeof(float);
}

static partan_status allocate(pt_preconditioner *p)
{
    size_t square = p->stride * p->stride;
    p->factors = pt_alloc(p->context, p->count * p->stride, sizeof *p->factors);
    p->together = pt_alloc(p->context, (p->count + PT_PANEL) * p->stride, sizeof *p->together);
    p->costs = pt_alloc_zero(p->context, p->count, sizeof *p->costs);
    p->matrix = pt_alloc_zero(p->context, square, sizeof *p->matrix);
    p->which = pt_alloc(p->context, p->count, sizeof *p->which);
    p->changes = pt_alloc(p->context, p->count, sizeof *p->changes);
    p->spelt = pt_alloc(p->context, CHUNK * p->stride, sizeof *p->spelt);
    p->rows = pt_alloc(p->context, p->count, sizeof *p->rows);
    p->small = pt_alloc(p->context, p->stride, sizeof *p->small);
    p->parts = pt_alloc(p->context, pt_span_count(p->count, ROWS) * p->stride, sizeof *p->parts);
    bool done = p->factors && p->together && p->costs && p->matrix && p->which && p->changes && p->spelt && p->rows
                && p->small && p->parts;
    return done ? PARTAN_OK : pt_out_of_memory(p->context, "a preconditioner");
}

partan_status pt_preconditioner_make(pt_preconditioner *p, const pt_lowrank *lowrank, const pt_matrix *rows,
                                     double bias)
{
    *p = (pt_preconditioner){.context = lowrank->context,
                             .ops = lowrank->ops,
                             .sums = pt_block_ops_for(lowrank->context->isa),
                             .count = rows->rows,
                             .rank = lowrank->rank + 1,
                             .stride = stride_of(lowrank->rank)};
    partan_status status = allocate(p);
    if (!status)
        status = pt_lowrank_factors_float32(lowrank, rows, p->factors, p->stride);
    for (size_t i = 0; i < p->count && !status; i++)
        p->factors[i * p->stride + p->rank - 1] = (float)sqrt(bias);
    return status;
}

/* ---- The matrix ---- */

typedef struct gram_job {
    const pt_preconditioner *p;
    const int64_t *rows;
    pt_gram gram;
} gram_job;

static void spell_out(void *user, size_t chunk, size_t thread)
{
    const gram_job *job = user;
    const pt_preconditioner *p = job->p;
    pt_span span = pt_span_of(job->gram.count, LINES, chunk);
    (void)thread;
    for (size_t i = span.begin; i < span.end; i++) {
        const float *row = p->factors + (size_t)job->rows[i] * p->stride;
        for (size_t k = 0; k < p->stride; k++)
            p->spelt[i * p->stride + k] = (double)row[k];
    }
}

/* The longest lines first. */
static void add_gram(void *user, size_t chunk, size_t thread)
{
    const gram_job *job = user;
    size_t end = job->p->stride - chunk * LINES;
    (void)thread;
    job->p->ops->gram(&job->gram, end - LINES, end, job->p->matrix);
}

static void add_changes(const pt_preconditioner *p, size_t changed)
{
    int64_t which[CHUNK];
    for (size_t i = 0; i < CHUNK; i++)
        which[i] = (int64_t)i;
    for (size_t first = 0; first < changed; first += CHUNK) {
        size_t rows = changed - first < CHUNK ? changed - first : CHUNK;
        gram_job job = {p, p->which + first, {p->spelt, p->stride, which, p->changes + first, rows}};
        double entries = (double)(rows * p->stride), products = entries * (double)p->stride / 2;
        pt_team_run(p->context, pt_team_for(p->context, PRODUCT * entries), pt_span_count(rows, LINES), spell_out,
                    &job);
        pt_team_run(p->context, pt_team_for(p->context, PRODUCT * products), p->stride / LINES, add_gram, &job);
    }
}

static partan_status make_root(pt_preconditioner *p)
{
    pt_cholesky_free(&p->root);
    partan_status status = pt_cholesky_make(&p->root, p->context, p->rank);
    for (size_t k = 0; k < p->rank && !status; k++)
        for (size_t l = 0; l <= k; l++)
            *pt_cholesky_entry(&p->root, k, l) = p->matrix[k * p->stride + l] + (k == l);
    return status ? status : pt_cholesky_factorise(&p->root);
}

/* The factors of the system's rows together, with zeros to the end of a panel. */
static void gather(pt_preconditioner *p)
{
    size_t bytes = p->stride * sizeof *p->together;
    p->held = 0;
    for (size_t i = 0; i < p->count; i++)
        if (p->costs[i] > 0) {
            memcpy(p->together + p->held * p->stride, p->factors + i * p->stride, bytes);
            p->rows[p->held++] = (int64_t)i;
        }
    memset(p->together + p->held * p->stride, 0, PT_PANEL * bytes);
}

partan_status pt_preconditioner_set(pt_preconditioner *p, const double *costs)
{
    size_t changed = 0, used = 0;
    for (size_t i = 0; i < p->count; i++) {
        changed += costs[i] != p->costs[i];
        used += costs[i] > 0;
    }
    if (changed >= used) { /* anew, which also leaves the rounding of past changes behind */
        memset(p->matrix, 0, p->stride * p->stride * sizeof *p->matrix);
        memset(p->costs, 0, p->count * sizeof *p->costs);
    }
    changed = 0;
    for (size_t i = 0; i < p->count; i++)
        if (costs[i] != p->costs[i]) {
            p->which[changed] = (int64_t)i;
            p->changes[changed++] = costs[i] - p->costs[i];
            p->costs[i] = costs[i];
        }
    add_changes(p, changed);
    gather(p);
    return make_root(p);
}

/* ---- Products ---- */

typedef struct product {
    const pt_preconditioner *p;
    const double *v;
    double *out;
} product;

/* A chunk's part of Psi' C v. */
static void combine_rows(void *user, size_t chunk, size_t thread)
{
    const product *job = user;
    const pt_preconditioner *p = job->p;
    pt_span span = pt_span_of(p->held, ROWS, chunk);
    double *part = p->parts + chunk * p->stride;
    (void)thread;
    memset(part, 0, p->stride * sizeof *part);
    for (size_t first = span.begin; first < span.end; first += PT_PANEL) {
        double factors[PT_PANEL] = {0};
        for (size_t i = first; i < span.end && i < first + PT_PANEL; i++)
            factors[i - first] = p->costs[p->rows[i]] * job->v[p->rows[i]];
        p->sums->accumulate(part, p->together + first * p->stride, p->stride, factors, p->stride);
    }
}

static void subtract_rows(void *user, size_t chunk, size_t thread)
{
    const product *job = user;
    const pt_preconditioner *p = job->p;
    pt_span span = pt_span_of(p->held, ROWS, chunk);
    (void)thread;
    for (size_t first = span.begin; first < span.end; first += PT_PANEL) {
        double sums[PT_PANEL] = {0};
        p->sums->project(p->together + first * p->stride, p->stride, p->small, p->stride, sums);
        for (size_t i = first; i < span.end && i < first + PT_PANEL; i++) {
            int64_t row = p->rows[i];
            job->out[row] = p->costs[row] * (job->v[row] - sums[i - first]);
        }
    }
}

partan_status pt_preconditioner_apply(pt_preconditioner *p, const double *v, double *out)
{
    int threads = pt_team_for(p->context, PRODUCT * (double)(p->held * p->stride));
    size_t chunks = pt_span_count(p->held, ROWS);
    product job = {p, v, out};
    pt_team_run(p->context, threads, chunks, combine_rows, &job);
    memset(p->small, 0, p->stride * sizeof *p->small);
    for (size_t chunk = 0; chunk < chunks; chunk++)
        for (size_t k = 0; k < p->rank; k++)
            p->small[k] += p->parts[chunk * p->stride + k];
    partan_status status = pt_cholesky_solve(&p->root, p->small);
    memset(out, 0, p->count * sizeof *out);
    if (!status)
        pt_team_run(p->context, threads, chunks, subtract_rows, &job);
    return status;
}
