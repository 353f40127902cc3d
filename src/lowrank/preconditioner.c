#include "lowrank/preconditioner.h"

#include <string.h>

#include "core/team.h"
#include "lowrank/root.h"

enum {
    CHUNK = 256, /* rows of a chunk, whose factors stay in the cache */
    LINES = 16,  /* of the matrix, or entries of a sum, that a thread takes at a time */
    ROWS = 256,  /* of a product with all factors, that a thread takes at a time */
};

#define PRODUCT 0.5 /* nanoseconds, of two entries */

void pt_preconditioner_free(pt_preconditioner *p)
{
    void *arrays[] = {p->factors, p->costs, p->matrix, p->root, p->which, p->changes, p->small};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays && p->context; i++)
        pt_free(p->context, arrays[i]);
    *p = (pt_preconditioner){0};
}

static partan_status allocate(pt_preconditioner *p)
{
    size_t square = p->stride * p->stride;
    p->factors = pt_alloc(p->context, p->count * p->stride, sizeof *p->factors);
    p->costs = pt_alloc_zero(p->context, p->count, sizeof *p->costs);
    p->matrix = pt_alloc_zero(p->context, square, sizeof *p->matrix);
    p->root = pt_alloc_zero(p->context, square, sizeof *p->root);
    p->which = pt_alloc(p->context, p->count, sizeof *p->which);
    p->changes = pt_alloc(p->context, p->count, sizeof *p->changes);
    p->small = pt_alloc_zero(p->context, p->stride, sizeof *p->small);
    bool done = p->factors && p->costs && p->matrix && p->root && p->which && p->changes && p->small;
    return done ? PARTAN_OK : pt_out_of_memory(p->context, "a preconditioner");
}

partan_status pt_preconditioner_make(pt_preconditioner *p, const pt_lowrank *lowrank, const pt_matrix *rows,
                                     const int64_t *ids, double bias)
{
    *p = (pt_preconditioner){
        .context = lowrank->context, .ops = lowrank->ops, .count = rows->rows, .rank = lowrank->rank + 1};
    p->stride = (p->rank + PT_GRAM_UNIT - 1) / PT_GRAM_UNIT * PT_GRAM_UNIT;
    partan_status status = allocate(p);
    if (!status)
        status = pt_lowrank_factors(lowrank, rows, ids, p->factors, p->stride, NULL);
    for (size_t i = 0; i < p->count && !status; i++)
        p->factors[i * p->stride + p->rank - 1] = sqrt(bias);
    return status;
}

/* ---- The matrix ---- */

typedef struct gram_job {
    const pt_preconditioner *p;
    pt_gram gram;
} gram_job;

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
    for (size_t first = 0; first < changed; first += CHUNK) {
        size_t rows = changed - first < CHUNK ? changed - first : CHUNK;
        gram_job job = {p, {p->factors, p->stride, p->which + first, p->changes + first, rows}};
        double products = (double)(rows * p->stride) * (double)p->stride / 2;
        pt_team_run(p->context, pt_team_for(p->context, PRODUCT / 4 * products), p->stride / LINES, add_gram, &job);
    }
}

bool pt_preconditioner_set(pt_preconditioner *p, const double *costs)
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
    return pt_root_make(p->matrix, p->rank, p->stride, p->root);
}

/* ---- Products ---- */

typedef struct product {
    const pt_preconditioner *p;
    const double *v;
    double *out;
} product;

static void combine_lines(void *user, size_t chunk, size_t thread)
{
    const product *job = user;
    const pt_preconditioner *p = job->p;
    double sum[LINES] = {0};
    (void)thread;
    for (size_t i = 0; i < p->count; i++) {
        double factor = p->costs[i] * job->v[i];
        const double *row = p->factors + i * p->stride + chunk * LINES;
        for (size_t j = 0; j < LINES && factor != 0; j++)
            sum[j] += factor * row[j];
    }
    memcpy(p->small + chunk * LINES, sum, sizeof sum);
}

static void subtract_rows(void *user, size_t chunk, size_t thread)
{
    const product *job = user;
    const pt_preconditioner *p = job->p;
    pt_span span = pt_span_of(p->count, ROWS, chunk);
    (void)thread;
    for (size_t i = span.begin; i < span.end; i++)
        job->out[i] =
            p->costs[i] > 0 ? p->costs[i] * (job->v[i] - pt_dot(p->factors + i * p->stride, p->small, p->rank)) : 0;
}

void pt_preconditioner_apply(pt_preconditioner *p, const double *v, double *out)
{
    int threads = pt_team_for(p->context, PRODUCT * (double)(p->count * p->stride));
    product job = {p, v, out};
    pt_team_run(p->context, threads, p->stride / LINES, combine_lines, &job);
    pt_root_solve(p->root, p->rank, p->stride, p->small);
    pt_team_run(p->context, threads, pt_span_count(p->count, ROWS), subtract_rows, &job);
}
