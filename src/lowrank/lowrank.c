#include "lowrank/lowrank.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/random.h"

enum { FIRST_LOOK = 32 }; /* pivots after which it is seen whether residuals fall fast enough; again at the double */
#define HOPE 1.5          /* the rank that residuals point to may exceed the most by this factor */
#define SEED 20141

void pt_basis_free(pt_basis *b)
{
    if (!b->context)
        return;
    pt_free(b->context, b->factor);
    pt_free(b->context, b->ids);
    pt_matrix_free(&b->pivots);
    *b = (pt_basis){0};
}

/* ---- Features ---- */

typedef struct features_job {
    const pt_basis *basis;
    const int64_t *ids; /* of the rows; NULL: all, in order */
    double *features;   /* [row][stride], or NULL */
    size_t stride;
    double *residuals; /* or NULL */
    double *columns;   /* [pivot][stride], or NULL */
    const double *weights;
    double *parts; /* weighed sums of features, [block][rank], or NULL */
} features_job;

static void add_part(const features_job *job, size_t first, size_t rows, const double *values)
{
    size_t rank = job->basis->rank;
    double *part = job->parts + first / PT_EXACT_ROWS * rank;
    for (size_t k = 0; k < rank; k++) {
        part[k] = 0;
        for (size_t i = 0; i < rows; i++)
            part[k] += job->weights[first + i] * values[k * PT_EXACT_ROWS + i];
    }
}

static void take_residuals(const features_job *job, size_t first, size_t rows, const double *values)
{
    double squares[PT_EXACT_ROWS] = {0};
    for (size_t k = 0; k < job->basis->rank; k++)
        for (size_t i = 0; i < PT_EXACT_ROWS; i++)
            squares[i] += values[k * PT_EXACT_ROWS + i] * values[k * PT_EXACT_ROWS + i];
    for (size_t i = 0; i < rows; i++) {
        int64_t id = job->ids ? job->ids[first + i] : (int64_t)(first + i);
        job->residuals[first + i] = fmax(pt_simplex_self(job->basis->simplex, id) - squares[i], 0);
    }
}

static void take(void *user, size_t first, size_t rows, double *values)
{
    const features_job *job = user;
    const pt_basis *b = job->basis;
    b->simplex->block.ops->substitute(b->factor, b->most, b->rank, values);
    if (job->residuals)
        take_residuals(job, first, rows, values);
    if (job->parts)
        add_part(job, first, rows, values);
    for (size_t k = 0; k < b->rank && job->columns; k++)
        memcpy(job->columns + k * job->stride + first, values + k * PT_EXACT_ROWS, rows * sizeof *values);
    for (size_t i = 0; i < rows && job->features; i++)
        for (size_t k = 0; k < b->rank; k++)
            job->features[(first + i) * job->stride + k] = values[k * PT_EXACT_ROWS + i];
}

static partan_status run(features_job *job, const pt_matrix *rows)
{
    const pt_basis *b = job->basis;
    b->simplex->problem.counters.kernel_values += (uint64_t)rows->rows * b->rank;
    return pt_kernel_values_exact(b->context, &b->simplex->kernel, (pt_points){rows, NULL},
                                  (pt_points){&b->pivots, NULL}, b->rank, take, job);
}

partan_status pt_basis_features(const pt_basis *b, const pt_matrix *rows, const int64_t *ids, double *features,
                                size_t stride, double *residuals)
{
    return run(&(features_job){.basis = b, .ids = ids, .features = features, .stride = stride, .residuals = residuals},
               rows);
}

/* ---- Sums ---- */

/* Solves L'c = v in place. */
static void back_substitute(const pt_basis *b, double *v)
{
    for (size_t k = b->rank; k-- > 0;) {
        v[k] /= b->factor[k * b->most + k];
        for (size_t l = 0; l < k; l++)
            v[l] -= b->factor[k * b->most + l] * v[k];
    }
}

/* c with sum_j weights[j] phi(x)'phi(z_j) = sum_k c_k k(x, p_k). */
static partan_status coefficients(const pt_basis *b, const int64_t *ids, const double *weights, size_t count, double *c)
{
    size_t blocks = (count + PT_EXACT_ROWS - 1) / PT_EXACT_ROWS;
    double *parts = pt_alloc(b->context, blocks * b->rank, sizeof *parts);
    pt_matrix vertices = {0};
    partan_status status = parts ? PARTAN_OK : pt_out_of_memory(b->context, "features of the support vectors");
    if (!status)
        status = pt_matrix_gather(b->simplex->points.matrix, ids, count, &vertices);
    if (!status)
        status = run(&(features_job){.basis = b, .weights = weights, .parts = parts}, &vertices);
    memset(c, 0, b->rank * sizeof *c);
    for (size_t i = 0; i < blocks && !status; i++)
        for (size_t k = 0; k < b->rank; k++)
            c[k] += parts[i * b->rank + k];
    back_substitute(b, c);
    pt_matrix_free(&vertices);
    pt_free(b->context, parts);
    return status;
}

/* What the terms of a sum may add up to, whatever their signs. */
static double largest_terms(const pt_basis *b, const double *c)
{
    double sum = 0, largest = 0;
    for (size_t k = 0; k < b->rank; k++) {
        double self = pt_simplex_self(b->simplex, b->ids[k]);
        sum += fabs(c[k]) * sqrt(self);
        largest = fmax(largest, self);
    }
    return sum * sqrt(largest);
}

partan_status pt_basis_sums(pt_basis *b, const pt_matrix *rows, const int64_t *ids, const double *weights, size_t count,
                            double *sums)
{
    double *c = pt_alloc(b->context, b->rank, sizeof *c);
    partan_status status =
        c ? coefficients(b, ids, weights, count, c) : pt_out_of_memory(b->context, "features of the support vectors");
    if (!status)
        status = pt_kernel_sums_exact(b->context, &b->simplex->kernel, (pt_points){rows, NULL},
                                      (pt_points){&b->pivots, NULL}, b->rank, c, sums);
    if (!status)
        b->rounding = fmax(b->rounding, DBL_EPSILON * largest_terms(b, c));
    b->simplex->problem.counters.kernel_values += (uint64_t)rows->rows * b->rank;
    pt_free(b->context, c);
    return status;
}

/* ---- The choice of pivots ---- */

/* Rows among which to choose: their features so far, by columns, and what is left of their k(x, x). */
typedef struct candidates {
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

/* Takes `ids` over. */
static partan_status candidates_make(const pt_basis *b, int64_t *ids, size_t count, candidates *c)
{
    *c = (candidates){.count = count, .ids = ids};
    c->columns = pt_alloc(b->context, count * b->most, sizeof *c->columns);
    c->left = pt_alloc(b->context, count, sizeof *c->left);
    if (!ids || !c->columns || !c->left)
        return pt_out_of_memory(b->context, "a kernel of low rank");
    partan_status status = pt_matrix_gather(b->simplex->points.matrix, ids, count, &c->rows);
    if (!status && b->rank > 0)
        return run(
            &(features_job){.basis = b, .ids = ids, .columns = c->columns, .stride = count, .residuals = c->left},
            &c->rows);
    for (size_t i = 0; i < count && !status; i++)
        c->left[i] = pt_simplex_self(b->simplex, ids[i]);
    return status;
}

/* The candidate of largest residual becomes a pivot. */
static partan_status add_pivot(pt_basis *b, candidates *c, size_t pivot)
{
    pt_matrix one = {0};
    int64_t at = (int64_t)pivot;
    double *column = c->columns + b->rank * c->count, *line = b->factor + b->rank * b->most, weight = 1;
    double root = sqrt(c->left[pivot]);
    partan_status status = pt_matrix_gather(&c->rows, &at, 1, &one);
    if (!status)
        status = pt_kernel_sums_exact(b->context, &b->simplex->kernel, (pt_points){&c->rows, NULL},
                                      (pt_points){&one, NULL}, 1, &weight, column);
    pt_matrix_free(&one);
    if (status)
        return status;
    for (size_t l = 0; l < b->rank; l++) {
        const double *before = c->columns + l * c->count;
        line[l] = before[pivot];
        for (size_t i = 0; i < c->count; i++)
            column[i] -= line[l] * before[i];
    }
    line[b->rank] = root;
    for (size_t i = 0; i < c->count; i++) {
        column[i] /= root;
        c->left[i] -= column[i] * column[i];
    }
    c->left[pivot] = 0;
    b->simplex->problem.counters.kernel_values += c->count;
    b->ids[b->rank++] = c->ids[pivot];
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
static partan_status factorise(pt_basis *b, candidates *c, double residual, bool *low)
{
    double sum, all = 0;
    size_t look = FIRST_LOOK, begun = b->rank;
    partan_status status = PARTAN_OK;
    *low = true;
    /* Residuals of linear and polynomial kernels may vanish all at once, when the last feature is met. */
    bool abrupt = b->simplex->kernel.kind != PARTAN_KERNEL_RBF && b->simplex->points.matrix->features <= b->most;
    for (;;) {
        size_t pivot = largest(c, &sum);
        all = b->rank == begun ? sum : all;
        if (c->left[pivot] <= residual)
            return PARTAN_OK;
        size_t added = b->rank - begun;
        bool slow =
            added == look && !abrupt
            && (double)added * log(all / ((double)c->count * residual)) > HOPE * (double)b->most * log(all / sum);
        if (added == look)
            look *= 2;
        if (slow || b->rank == b->most) {
            *low = false;
            return PARTAN_OK;
        }
        status = add_pivot(b, c, pivot);
        if (status)
            return status;
    }
}

static partan_status gather_pivots(pt_basis *b)
{
    pt_matrix_free(&b->pivots);
    return pt_matrix_gather(b->simplex->points.matrix, b->ids, b->rank, &b->pivots);
}

/* Rows drawn at random, with replacement; all where there are few. */
static int64_t *draw(const pt_basis *b, size_t *count)
{
    size_t rows = b->simplex->points.matrix->rows;
    *count = rows < PT_BASIS_CANDIDATES ? rows : PT_BASIS_CANDIDATES;
    int64_t *ids = pt_alloc(b->context, *count, sizeof *ids);
    pt_random random;
    pt_random_seed(&random, SEED);
    for (size_t i = 0; ids && i < *count; i++)
        ids[i] = rows <= PT_BASIS_CANDIDATES ? (int64_t)i : (int64_t)pt_random_below(&random, rows);
    return ids;
}

/* Adds pivots among some rows, whose ids it takes over. */
static partan_status add_pivots(pt_basis *b, int64_t *ids, size_t count)
{
    candidates c = {0};
    bool low = true;
    partan_status status = candidates_make(b, ids, count, &c);
    if (!status)
        status = factorise(b, &c, b->residual, &low);
    candidates_free(b->context, &c);
    if (!status && low)
        status = gather_pivots(b);
    if (status || !low)
        pt_basis_free(b);
    return status;
}

partan_status pt_basis_extend(pt_basis *b, const int64_t *ids, size_t count)
{
    size_t some = count < PT_BASIS_CANDIDATES ? count : PT_BASIS_CANDIDATES;
    int64_t *sample = pt_alloc(b->context, some, sizeof *sample);
    for (size_t i = 0; i < some && sample; i++)
        sample[i] = ids[i * count / some];
    return add_pivots(b, sample, some);
}

partan_status pt_basis_make(pt_basis *b, pt_simplex *simplex, double residual, size_t most)
{
    partan_context *context = simplex->problem.context;
    *b = (pt_basis){.context = context, .simplex = simplex, .most = most, .residual = residual};
    b->factor = pt_alloc_zero(context, most * most, sizeof *b->factor);
    b->ids = pt_alloc(context, most, sizeof *b->ids);
    if (!b->factor || !b->ids) {
        pt_basis_free(b);
        return pt_out_of_memory(context, "a kernel of low rank");
    }
    size_t count = 0;
    int64_t *ids = draw(b, &count);
    return add_pivots(b, ids, count);
}
