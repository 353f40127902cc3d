#include "lowrank/lowrank.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/random.h"
#include "core/thread_tuning.h"
#include "kernel/kinds.h"

enum {
    FIRST_LOOK = 32,     /* pivots after which it is seen whether residuals fall fast enough; again at the double */
    CANDIDATE_ROWS = 128 /* candidates that a thread takes at a time */
};
#define HOPE    1.5 /* the rank that residuals point to may exceed the most by this factor */
#define SEED    20141
#define PRODUCT 0.3 /* nanoseconds */

void pt_lowrank_free(pt_lowrank *lr)
{
    if (!lr->context)
        return;
    pt_free(lr->context, lr->cholesky);
    pt_free(lr->context, lr->ids);
    pt_matrix_free(&lr->pivots);
    *lr = (pt_lowrank){0};
}

/* ---- Points ---- */

partan_status pt_lowrank_gather(const pt_lowrank *lr, const int64_t *ids, size_t count, pt_matrix *rows)
{
    return pt_matrix_gather_both(lr->points.first.matrix, lr->points.second, ids, count, rows);
}

/* k(x, x) */
static double self(const pt_lowrank *lr, int64_t id)
{
    pt_points points = lr->points.first;
    size_t row = (size_t)id, rows = points.matrix->rows;
    if (row >= rows)
        points = (pt_points){lr->points.second, NULL};
    return pt_kernel_self(&lr->kernel, points, row >= rows ? row - rows : row);
}

/* ---- Factors ---- */

typedef struct factors_job {
    const pt_lowrank *lowrank;
    const int64_t *ids; /* of the rows; NULL: all, in order */
    double *factors;    /* [row][stride], or NULL */
    float *factors32;   /* the same in float32 */
    size_t stride;
    double *residuals; /* or NULL */
    double *columns;   /* [pivot][stride], or NULL */
    const double *weights;
    double *parts; /* weighted sums of factors, [block][rank], or NULL */
} factors_job;

static void add_part(const factors_job *job, size_t first, size_t rows, const double *values)
{
    size_t rank = job->lowrank->rank;
    double *part = job->parts + first / PT_EXACT_ROWS * rank;
    for (size_t k = 0; k < rank; k++) {
        part[k] = 0;
        for (size_t i = 0; i < rows; i++)
            part[k] += job->weights[first + i] * values[k * PT_EXACT_ROWS + i];
    }
}

static void take_residuals(const factors_job *job, size_t first, size_t rows, const double *values)
{
    double squares[PT_EXACT_ROWS] = {0};
    for (size_t k = 0; k < job->lowrank->rank; k++)
        for (size_t i = 0; i < PT_EXACT_ROWS; i++)
            squares[i] += values[k * PT_EXACT_ROWS + i] * values[k * PT_EXACT_ROWS + i];
    for (size_t i = 0; i < rows; i++) {
        int64_t id = job->ids ? job->ids[first + i] : (int64_t)(first + i);
        job->residuals[first + i] = fmax(self(job->lowrank, id) - squares[i], 0);
    }
}

static void take(void *user, size_t first, size_t rows, double *values)
{
    const factors_job *job = user;
    const pt_lowrank *lr = job->lowrank;
    lr->ops->substitute(lr->cholesky, lr->most, lr->rank, values);
    if (job->residuals)
        take_residuals(job, first, rows, values);
    if (job->parts)
        add_part(job, first, rows, values);
    for (size_t k = 0; k < lr->rank && job->columns; k++)
        memcpy(job->columns + k * job->stride + first, values + k * PT_EXACT_ROWS, rows * sizeof *values);
    for (size_t i = 0; i < rows && job->factors; i++)
        for (size_t k = 0; k < job->stride; k++)
            job->factors[(first + i) * job->stride + k] = k < lr->rank ? values[k * PT_EXACT_ROWS + i] : 0;
    for (size_t i = 0; i < rows && job->factors32; i++)
        for (size_t k = 0; k < job->stride; k++)
            job->factors32[(first + i) * job->stride + k] = k < lr->rank ? (float)values[k * PT_EXACT_ROWS + i] : 0;
}

static partan_status run(factors_job *job, const pt_matrix *rows)
{
    const pt_lowrank *lr = job->lowrank;
    *lr->kernel_values += (uint64_t)rows->rows * lr->rank;
    return pt_kernel_values_exact(lr->context, &lr->kernel, (pt_points){rows, NULL}, (pt_points){&lr->pivots, NULL},
                                  lr->rank, take, job);
}

partan_status pt_lowrank_factors(const pt_lowrank *lr, const pt_matrix *rows, const int64_t *ids, double *factors,
                                 size_t stride, double *residuals)
{
    return run(&(factors_job){.lowrank = lr, .ids = ids, .factors = factors, .stride = stride, .residuals = residuals},
               rows);
}

partan_status pt_lowrank_factors_float32(const pt_lowrank *lr, const pt_matrix *rows, float *factors, size_t stride)
{
    return run(&(factors_job){.lowrank = lr, .factors32 = factors, .stride = stride}, rows);
}

/* ---- Sums ---- */

/* Solves L'c = v in place. */
static void back_substitute(const pt_lowrank *lr, double *v)
{
    for (size_t k = lr->rank; k-- > 0;) {
        v[k] /= lr->cholesky[k * lr->most + k];
        for (size_t l = 0; l < k; l++)
            v[l] -= lr->cholesky[k * lr->most + l] * v[k];
    }
}

/* c with sum_j weights[j] phi(x)'phi(z_j) = sum_k c_k k(x, p_k). */
static partan_status coefficients(const pt_lowrank *lr, const int64_t *ids, const double *weights, size_t count,
                                  double *c)
{
    size_t blocks = (count + PT_EXACT_ROWS - 1) / PT_EXACT_ROWS;
    double *parts = pt_alloc(lr->context, blocks * lr->rank, sizeof *parts);
    pt_matrix vertices = {0};
    partan_status status = parts ? PARTAN_OK : pt_out_of_memory(lr->context, "low-rank factors");
    if (!status)
        status = pt_lowrank_gather(lr, ids, count, &vertices);
    if (!status)
        status = run(&(factors_job){.lowrank = lr, .weights = weights, .parts = parts}, &vertices);
    memset(c, 0, lr->rank * sizeof *c);
    for (size_t i = 0; i < blocks && !status; i++)
        for (size_t k = 0; k < lr->rank; k++)
            c[k] += parts[i * lr->rank + k];
    back_substitute(lr, c);
    pt_matrix_free(&vertices);
    pt_free(lr->context, parts);
    return status;
}

/* What the terms of a sum may add up to, whatever their signs. */
static double largest_terms(const pt_lowrank *lr, const double *c)
{
    double sum = 0, largest = 0;
    for (size_t k = 0; k < lr->rank; k++) {
        double own = self(lr, lr->ids[k]);
        sum += fabs(c[k]) * sqrt(own);
        largest = fmax(largest, own);
    }
    return sum * sqrt(largest);
}

partan_status pt_lowrank_sums(pt_lowrank *lr, const pt_matrix *rows, const int64_t *ids, const double *weights,
                              size_t count, double *sums)
{
    double *c = pt_alloc(lr->context, lr->rank, sizeof *c);
    partan_status status =
        c ? coefficients(lr, ids, weights, count, c) : pt_out_of_memory(lr->context, "low-rank factors");
    if (!status)
        status = pt_kernel_sums_exact(lr->context, &lr->kernel, (pt_points){rows, NULL}, (pt_points){&lr->pivots, NULL},
                                      lr->rank, c, sums);
    if (!status)
        lr->rounding = fmax(lr->rounding, DBL_EPSILON * largest_terms(lr, c));
    *lr->kernel_values += (uint64_t)rows->rows * lr->rank;
    pt_free(lr->context, c);
    return status;
}

/* ---- The choice of pivots ---- */

/* Rows among which to choose: their factors so far, by columns, and what is left of their k(x, x). */
typedef struct candidates {
    pt_tuning tuning;
    size_t count;
    int64_t *ids;
    pt_matrix rows;
    double *columns; /* [pivot][count] */
    double *left;
} candidates;

static void candidates_free(partan_context *context, candidates *c)
{
    pt_free(context, c->ids);
    pt_free(context, c->columns);
    pt_free(context, c->left);
    pt_matrix_free(&c->rows);
}

/* Bytes would be spelt out anew for each pivot. */
static partan_status spell_out(pt_matrix *rows)
{
    pt_matrix spelt = {0};
    if (rows->storage != PARTAN_STORAGE_BYTES)
        return PARTAN_OK;
    partan_status status = pt_matrix_convert(rows, PARTAN_STORAGE_DENSE, 0, &spelt);
    if (status)
        return status;
    pt_matrix_free(rows);
    *rows = spelt;
    return PARTAN_OK;
}

/* Takes `ids` over. */
static partan_status candidates_make(const pt_lowrank *lr, int64_t *ids, size_t count, candidates *c)
{
    *c = (candidates){.count = count, .ids = ids};
    pt_tuning_init(&c->tuning, lr->context);
    c->columns = pt_alloc(lr->context, count * lr->most, sizeof *c->columns);
    c->left = pt_alloc(lr->context, count, sizeof *c->left);
    if (!ids || !c->columns || !c->left)
        return pt_out_of_memory(lr->context, "low-rank factors");
    partan_status status = pt_lowrank_gather(lr, ids, count, &c->rows);
    if (!status)
        status = spell_out(&c->rows);
    if (!status && lr->rank > 0)
        return run(
            &(factors_job){.lowrank = lr, .ids = ids, .columns = c->columns, .stride = count, .residuals = c->left},
            &c->rows);
    for (size_t i = 0; i < count && !status; i++)
        c->left[i] = self(lr, ids[i]);
    return status;
}

/* The new pivot's column, orthogonal to those before, for some candidates. */
typedef struct orthogonal {
    const pt_lowrank *lowrank;
    candidates *candidates;
    const double *line; /* of the Cholesky factor */
    double root;
} orthogonal;

static void orthogonalise(void *user, size_t chunk, size_t thread)
{
    const orthogonal *o = user;
    candidates *c = o->candidates;
    size_t rank = o->lowrank->rank;
    pt_span span = pt_span_of(c->count, CANDIDATE_ROWS, chunk);
    double *restrict column = c->columns + rank * c->count;
    (void)thread;
    for (size_t l = 0; l < rank; l++) {
        const double *before = c->columns + l * c->count;
        for (size_t i = span.begin; i < span.end; i++)
            column[i] -= o->line[l] * before[i];
    }
    for (size_t i = span.begin; i < span.end; i++) {
        column[i] /= o->root;
        c->left[i] -= column[i] * column[i];
    }
}

/* The row of a candidate, as its nonzeros: all threads read it at the same time, and a row of a dense tile is spread
 * over as many lines as it has features. */
static partan_status take_candidate(const candidates *c, int64_t at, pt_matrix *one)
{
    pt_matrix row = {0};
    partan_status status = pt_matrix_gather(&c->rows, &at, 1, &row);
    if (status || row.storage != PARTAN_STORAGE_DENSE) {
        *one = row;
        return status;
    }
    status = pt_matrix_convert(&row, PARTAN_STORAGE_SPARSE, 0, one);
    pt_matrix_free(&row);
    return status;
}

/* The new pivot's column has been found; what the pivots before have of it is taken away. */
static void orthogonalise_all(const pt_lowrank *lr, candidates *c, const double *line, double root)
{
    double products = (double)(c->count * lr->rank);
    int threads = pt_tuning_begin(&c->tuning, PRODUCT * products);
    pt_team_run(lr->context, threads, pt_span_count(c->count, CANDIDATE_ROWS), orthogonalise,
                &(orthogonal){lr, c, line, root});
    pt_tuning_end(&c->tuning, products + 1);
}

/* The candidate of largest residual becomes a pivot. */
static partan_status add_pivot(pt_lowrank *lr, candidates *c, size_t pivot)
{
    pt_matrix one = {0};
    double *column = c->columns + lr->rank * c->count, *line = lr->cholesky + lr->rank * lr->most, weight = 1;
    double root = sqrt(c->left[pivot]);
    partan_status status = take_candidate(c, (int64_t)pivot, &one);
    if (!status)
        status = pt_kernel_sums_exact(lr->context, &lr->kernel, (pt_points){&c->rows, NULL}, (pt_points){&one, NULL}, 1,
                                      &weight, column);
    pt_matrix_free(&one);
    if (status)
        return status;
    for (size_t l = 0; l < lr->rank; l++)
        line[l] = c->columns[l * c->count + pivot];
    line[lr->rank] = root;
    orthogonalise_all(lr, c, line, root);
    c->left[pivot] = 0;
    *lr->kernel_values += c->count;
    lr->ids[lr->rank++] = c->ids[pivot];
    return PARTAN_OK;
}

static size_t largest(const candidates *c, double *sum)
{
    size_t pivot = 0;
    *sum = 0;
    for (size_t i = 0; i < c->count; i++) {
        pivot = c->left[i] > c->left[pivot] ? i : pivot;
        *sum += fmax(c->left[i], 0);
    }
    return pivot;
}

/* Adds pivots until every candidate's residual is small; `low` is false when their number would be too large. */
static partan_status factorise(pt_lowrank *lr, candidates *c, double residual, bool *low)
{
    double sum, all = 0;
    size_t look = FIRST_LOOK, begun = lr->rank;
    partan_status status = PARTAN_OK;
    *low = true;
    /* Residuals of kernels of a product may vanish all at once, when the last feature is reached. */
    bool product = pt_kernel_kind_of(lr->kernel.kind)->metric == PT_METRIC_DOT;
    bool abrupt = lr->patient || (product && lr->points.first.matrix->features <= lr->most);
    for (;;) {
        size_t pivot = largest(c, &sum);
        all = lr->rank == begun ? sum : all;
        if (c->left[pivot] <= residual)
            return PARTAN_OK;
        size_t added = lr->rank - begun;
        bool slow =
            added == look && !abrupt
            && (double)added * log(all / ((double)c->count * residual)) > HOPE * (double)lr->most * log(all / sum);
        if (added == look)
            look *= 2;
        if (slow || lr->rank == lr->most) {
            *low = lr->coarse;
            return PARTAN_OK;
        }
        status = add_pivot(lr, c, pivot);
        if (status)
            return status;
    }
}

static partan_status gather_pivots(pt_lowrank *lr)
{
    pt_matrix_free(&lr->pivots);
    return pt_lowrank_gather(lr, lr->ids, lr->rank, &lr->pivots);
}

int64_t *pt_lowrank_draw(partan_context *context, size_t rows, size_t *count)
{
    *count = rows < PT_LOWRANK_CANDIDATES ? rows : PT_LOWRANK_CANDIDATES;
    int64_t *ids = pt_alloc(context, *count, sizeof *ids);
    pt_random random;
    pt_random_seed(&random, SEED);
    for (size_t i = 0; ids && i < *count; i++)
        ids[i] = rows <= PT_LOWRANK_CANDIDATES ? (int64_t)i : (int64_t)pt_random_below(&random, rows);
    return ids;
}

/* Adds pivots among some rows, whose ids it takes over. */
static partan_status add_pivots(pt_lowrank *lr, int64_t *ids, size_t count)
{
    candidates c = {0};
    bool low = true;
    partan_status status = candidates_make(lr, ids, count, &c);
    if (!status)
        status = factorise(lr, &c, lr->residual, &low);
    candidates_free(lr->context, &c);
    if (!status && low)
        status = gather_pivots(lr);
    if (status || !low)
        pt_lowrank_free(lr);
    return status;
}

partan_status pt_lowrank_extend(pt_lowrank *lr, const int64_t *ids, size_t count)
{
    size_t some = count < PT_LOWRANK_CANDIDATES ? count : PT_LOWRANK_CANDIDATES;
    int64_t *sample = pt_alloc(lr->context, some, sizeof *sample);
    for (size_t i = 0; i < some && sample; i++)
        sample[i] = ids[i * count / some];
    return add_pivots(lr, sample, some);
}

static partan_status open(pt_lowrank *lr, partan_context *context, const pt_kernel *kernel, pt_lowrank_points points,
                          uint64_t *kernel_values, double residual, size_t most)
{
    *lr = (pt_lowrank){.context = context,
                       .kernel = *kernel,
                       .points = points,
                       .ops = pt_algebra_ops_for(context->isa),
                       .most = most,
                       .residual = residual,
                       .kernel_values = kernel_values};
    lr->kernel.less_one = false; /* k itself is positive semidefinite */
    lr->cholesky = pt_alloc_zero(context, most * most, sizeof *lr->cholesky);
    lr->ids = pt_alloc(context, most, sizeof *lr->ids);
    if (!lr->cholesky || !lr->ids) {
        pt_lowrank_free(lr);
        return pt_out_of_memory(context, "low-rank factors");
    }
    return PARTAN_OK;
}

partan_status pt_lowrank_make(pt_lowrank *lr, partan_context *context, const pt_kernel *kernel,
                              pt_lowrank_points points, uint64_t *kernel_values, double residual, size_t most,
                              const int64_t *ids, size_t count)
{
    partan_status status = open(lr, context, kernel, points, kernel_values, residual, most);
    return status ? status : pt_lowrank_extend(lr, ids, count);
}

partan_status pt_lowrank_make_among(pt_lowrank *lr, partan_context *context, const pt_kernel *kernel,
                                    pt_lowrank_points points, uint64_t *kernel_values, double residual, size_t most,
                                    const int64_t *ids, size_t count)
{
    partan_status status = open(lr, context, kernel, points, kernel_values, residual, most);
    lr->patient = true;
    return status ? status : pt_lowrank_extend(lr, ids, count);
}

partan_status pt_lowrank_make_coarse(pt_lowrank *lr, partan_context *context, const pt_kernel *kernel,
                                     pt_lowrank_points points, uint64_t *kernel_values, double residual, size_t most,
                                     const int64_t *ids, size_t count)
{
    partan_status status = open(lr, context, kernel, points, kernel_values, residual, most);
    lr->patient = lr->coarse = true;
    return status ? status : pt_lowrank_extend(lr, ids, count);
}
