/* What both forms of the simplex problem share: the gradient and the certificate from scratch. */
#include "simplex/simplex.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/* Errors of gradient entries, found on a sample of them and relative to 2f, above which those that decide the
 * certificate are computed again in double precision. A claim is checked to 1e-4 by verify. */
#define ERROR_LIMIT  3e-5
#define ERROR_MARGIN 4.0 /* rows this many deviations above the least entry may still have it */
#define USELESS      4.0 /* times 2f, above which the rounding of one value leaves none of the sums worth anything */
#define MOST_SAMPLED 0.5 /* of the support, beyond which all of it is computed again */
enum {
    ERROR_SAMPLE = 128,
    LOWRANK_PAYS = 4 /* a value in double costs as much as so many in float32 */
};

#define MEMORY_SHARE 4 /* the default budget is this fraction of the memory now free */

partan_status pt_simplex_init(pt_simplex *simplex, partan_context *context, const pt_kernel *kernel, pt_points points,
                              const float *signs, double cost)
{
    simplex->problem.context = context;
    simplex->problem.positive = true;
    simplex->problem.vertices = (int64_t)points.matrix->rows;
    simplex->kernel = *kernel;
    simplex->points = points;
    simplex->signs = signs;
    simplex->inverse_cost = 1 / cost;
    return pt_block_init(&simplex->block, context, kernel, points.matrix, points.matrix);
}

void pt_simplex_free(pt_problem *problem)
{
    if (!problem)
        return;
    if (problem->sampled)
        pt_simplex_sampled_free(problem);
    else
        pt_simplex_full_free(problem);
}

/* The vertices of positive weight, gathered: their rows, signed weights, and the sum of these (the bias). */
typedef struct support {
    size_t count;
    int64_t *ids;
    double *weights;
    int64_t *serials;
    pt_matrix vectors;
    double bias;
} support;

static void support_free(partan_context *context, support *s)
{
    pt_free(context, s->ids);
    pt_free(context, s->weights);
    pt_free(context, s->serials);
    pt_matrix_free(&s->vectors);
}

static int compare_ids(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* In the order of the rows, so that the same weights give the same sums however they came about. */
static partan_status support_gather(const pt_simplex *simplex, const pt_iterate *iterate, support *s)
{
    partan_context *context = simplex->problem.context;
    *s = (support){0};
    s->ids = pt_alloc(context, iterate->count, sizeof *s->ids);
    s->weights = pt_alloc(context, iterate->count, sizeof *s->weights);
    s->serials = pt_alloc(context, iterate->count, sizeof *s->serials);
    if (!s->ids || !s->weights || !s->serials)
        return pt_out_of_memory(context, "the support vectors");
    for (size_t i = 0; i < iterate->count; i++)
        if (iterate->now[i] > 0)
            s->ids[s->count++] = iterate->id[i];
    qsort(s->ids, s->count, sizeof *s->ids, compare_ids);
    for (size_t i = 0; i < s->count; i++) {
        int64_t id = s->ids[i];
        s->serials[i] = simplex->points.serials ? simplex->points.serials[id] : 0;
        s->weights[i] = pt_iterate_weight(iterate, id) * (double)simplex->signs[id];
        s->bias += s->weights[i];
    }
    if (simplex->block.form == PT_FORM_PRECOMPUTED)
        return PARTAN_OK;
    return pt_matrix_gather(simplex->points.matrix, s->ids, s->count, &s->vectors);
}

/* g = Ka over some rows (named by ids; NULL: all, in order) from sums of kernel values over the support. */
static void finish_gradient(const pt_simplex *simplex, const pt_iterate *iterate, const support *s, const int64_t *ids,
                            size_t count, double *sums)
{
    for (size_t i = 0; i < count; i++) {
        int64_t id = ids ? ids[i] : (int64_t)i;
        sums[i] = (double)simplex->signs[id] * (sums[i] + s->bias)
                  + pt_iterate_weight(iterate, id) * pt_simplex_inverse_cost(simplex, id);
    }
}

static pt_points support_points(const pt_simplex *simplex, const support *s)
{
    bool precomputed = simplex->block.form == PT_FORM_PRECOMPUTED;
    return precomputed ? (pt_points){NULL, s->serials} : (pt_points){&s->vectors, NULL};
}

static partan_status gradient_of(pt_simplex *simplex, const pt_iterate *iterate, const support *s, double *gradient)
{
    size_t rows = simplex->points.matrix->rows;
    partan_status status = pt_kernel_sums(simplex->problem.context, &simplex->kernel, simplex->points,
                                          support_points(simplex, s), s->count, s->weights, gradient);
    if (!status)
        finish_gradient(simplex, iterate, s, NULL, rows, gradient);
    simplex->problem.counters.kernel_values += (uint64_t)rows * s->count;
    return status;
}

partan_status pt_simplex_gradient(pt_simplex *simplex, const pt_iterate *iterate, double *gradient)
{
    support s;
    partan_status status = support_gather(simplex, iterate, &s);
    if (!status)
        status = gradient_of(simplex, iterate, &s, gradient);
    support_free(simplex->problem.context, &s);
    return status;
}

bool pt_simplex_by_lowrank(const pt_simplex *simplex, size_t count)
{
    return simplex->lowrank && count > LOWRANK_PAYS * simplex->lowrank->rank;
}

partan_status pt_simplex_sums(pt_simplex *simplex, const pt_matrix *rows, const int64_t *ids, const double *weights,
                              size_t count, double *sums)
{
    partan_context *context = simplex->problem.context;
    support s = {.count = count};
    partan_status status = PARTAN_OK;
    if (pt_simplex_by_lowrank(simplex, count)) {
        return pt_lowrank_sums(simplex->lowrank, rows, ids, weights, count, sums);
    }
    if (simplex->block.form == PT_FORM_PRECOMPUTED) {
        s.serials = pt_alloc(context, count, sizeof *s.serials);
        if (!s.serials)
            status = pt_out_of_memory(context, "the support vectors");
        for (size_t i = 0; i < count && !status; i++)
            s.serials[i] = simplex->points.serials[ids[i]];
    } else {
        status = pt_matrix_gather(simplex->points.matrix, ids, count, &s.vectors);
    }
    if (!status)
        status = pt_kernel_sums(context, &simplex->kernel, (pt_points){rows, NULL}, support_points(simplex, &s), count,
                                weights, sums);
    simplex->problem.counters.kernel_values += (uint64_t)rows->rows * count;
    support_free(context, &s);
    return status;
}

double pt_simplex_self(const pt_simplex *simplex, int64_t id)
{
    return pt_kernel_self(&simplex->kernel, simplex->points, (size_t)id);
}

partan_status pt_simplex_factors(pt_simplex *simplex, double residual, size_t most, pt_lowrank *lowrank)
{
    return pt_lowrank_make(lowrank, simplex->problem.context, &simplex->kernel, simplex->points,
                           &simplex->problem.counters.kernel_values, residual, most);
}

double pt_simplex_diagonal(const pt_simplex *simplex, int64_t id)
{
    return pt_simplex_self(simplex, id) + 1 + pt_simplex_inverse_cost(simplex, id);
}

size_t pt_simplex_budget(int64_t cache_bytes)
{
    if (cache_bytes >= 0)
        return (size_t)cache_bytes;
    long pages = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (size_t)pages * (size_t)size / MEMORY_SHARE : 0;
}

/* ---- The certificate ---- */

static partan_status read_off(const pt_simplex *simplex, const pt_iterate *iterate, const double *gradient,
                              pt_certificate *certificate)
{
    double sum = 0, least = INFINITY;
    bool finite = true;
    for (size_t i = 0; i < iterate->count; i++)
        sum += iterate->now[i] * gradient[iterate->id[i]];
    for (size_t i = 0; i < simplex->points.matrix->rows; i++) {
        finite &= isfinite(gradient[i]) != 0;
        if (gradient[i] < least) {
            least = gradient[i];
            certificate->worst = (int64_t)i;
        }
    }
    if (!finite)
        return pt_fail(simplex->problem.context, PARTAN_ERROR_NUMERIC,
                       "kernel values leave the range of float32; scale the data or choose other kernel parameters");
    certificate->objective = sum / 2;
    certificate->gap = sum - least > 0 ? sum - least : 0;
    return PARTAN_OK;
}

/* g at some rows in double precision throughout. */
static partan_status exact_scores(const pt_simplex *simplex, const pt_iterate *iterate, const support *s,
                                  const int64_t *ids, size_t count, double *scores)
{
    partan_context *context = simplex->problem.context;
    pt_matrix some = {0};
    partan_status status = pt_matrix_gather(simplex->points.matrix, ids, count, &some);
    if (!status)
        status = pt_kernel_sums_exact(context, &simplex->kernel, (pt_points){&some, NULL}, support_points(simplex, s),
                                      s->count, s->weights, scores);
    if (!status)
        finish_gradient(simplex, iterate, s, ids, count, scores);
    pt_matrix_free(&some);
    return status;
}

/* What rounding does to the entries of the gradient, found on some of them, at even distances in the support. */
typedef struct errors {
    double mean;      /* exact less rounded, by weight: what the sum a'g is wrong by */
    double deviation; /* the largest distance from the mean */
    size_t sample;    /* entries looked at */
} errors;

static void measure_errors(const pt_iterate *iterate, const int64_t *ids, const double *scores, const double *gradient,
                           errors *e)
{
    double weight = 0, sum = 0;
    for (size_t i = 0; i < e->sample; i++) {
        sum += pt_iterate_weight(iterate, ids[i]) * (scores[i] - gradient[ids[i]]);
        weight += pt_iterate_weight(iterate, ids[i]);
    }
    e->mean = sum / weight;
    e->deviation = 0;
    for (size_t i = 0; i < e->sample; i++)
        e->deviation = fmax(e->deviation, fabs(scores[i] - gradient[ids[i]] - e->mean));
}

static partan_status find_errors(const pt_simplex *simplex, const pt_iterate *iterate, const support *s,
                                 const double *gradient, size_t sample, errors *e)
{
    partan_context *context = simplex->problem.context;
    e->sample = s->count < sample ? s->count : sample;
    int64_t *ids = pt_alloc(context, e->sample, sizeof *ids);
    double *scores = pt_alloc(context, e->sample, sizeof *scores);
    partan_status status = ids && scores ? PARTAN_OK : pt_out_of_memory(context, "the certificate");
    for (size_t i = 0; i < e->sample && !status; i++)
        ids[i] = s->ids[(uint64_t)i * s->count / e->sample];
    if (!status)
        status = exact_scores(simplex, iterate, s, ids, e->sample, scores);
    if (!status)
        measure_errors(iterate, ids, scores, gradient, e);
    pt_free(context, ids);
    pt_free(context, scores);
    return status;
}

/* The sample that gives the mean error to within the limit, twice over. */
static double sample_needed(const errors *e, double twice)
{
    double ratio = e->deviation / (ERROR_LIMIT * twice);
    return ratio * ratio;
}

/* The gradient again in double precision at every row that could have the least entry and, when asked for, at the
 * support, whose entries make the objective. */
static partan_status refine(const pt_simplex *simplex, const pt_iterate *iterate, const support *s, double level,
                            bool all_support, double *gradient)
{
    partan_context *context = simplex->problem.context;
    size_t count = 0, rows = simplex->points.matrix->rows;
    for (size_t i = 0; i < rows; i++)
        count += gradient[i] < level || (all_support && pt_iterate_weight(iterate, (int64_t)i) > 0);
    int64_t *ids = pt_alloc(context, count, sizeof *ids);
    double *scores = pt_alloc(context, count, sizeof *scores);
    partan_status status = ids && scores ? PARTAN_OK : pt_out_of_memory(context, "the certificate");
    for (size_t i = 0, n = 0; i < rows && !status; i++)
        if (gradient[i] < level || (all_support && pt_iterate_weight(iterate, (int64_t)i) > 0))
            ids[n++] = (int64_t)i;
    if (!status)
        status = exact_scores(simplex, iterate, s, ids, count, scores);
    for (size_t i = 0; i < count && !status; i++)
        gradient[ids[i]] = scores[i];
    pt_free(context, ids);
    pt_free(context, scores);
    return status;
}

/* The objective's error is the mean error, which a sample gives precisely enough, if need be a larger one; the least
 * entry is computed exactly. */
static partan_status correct(const pt_simplex *simplex, const pt_iterate *iterate, const support *s, errors *e,
                             double *gradient, pt_certificate *certificate)
{
    double twice = 2 * certificate->objective, needed = sample_needed(e, twice);
    partan_status status = PARTAN_OK;
    if (needed > (double)e->sample && 2 * needed < MOST_SAMPLED * (double)s->count)
        status = find_errors(simplex, iterate, s, gradient, (size_t)(2 * needed), e);
    bool sampled = e->sample < s->count && sample_needed(e, twice) <= (double)e->sample;
    double level = gradient[certificate->worst] + ERROR_MARGIN * e->deviation;
    double objective = certificate->objective + e->mean / 2;
    if (!status)
        status = refine(simplex, iterate, s, level, !sampled, gradient);
    if (!status)
        status = read_off(simplex, iterate, gradient, certificate);
    if (!status && sampled) {
        double gap = 2 * objective - gradient[certificate->worst];
        certificate->objective = objective;
        certificate->gap = gap > 0 ? gap : 0;
    }
    return status;
}

static partan_status positive(const pt_simplex *simplex, partan_status status, const pt_certificate *certificate)
{
    if (!status && !(certificate->objective > 0))
        status = pt_fail(simplex->problem.context, PARTAN_ERROR_NUMERIC,
                         "the kernel matrix is not positive semidefinite with these parameters (a'Ka = %g)",
                         2 * certificate->objective);
    return status;
}

/* Whether float32 kernel values leave nothing of the gradient. */
static bool useless(const pt_simplex *simplex, const support *s, double objective)
{
    double largest = 0;
    for (size_t i = 0; i < s->count; i++)
        largest = fmax(largest, fabs(pt_simplex_self(simplex, s->ids[i])));
    return !(largest * FLT_EPSILON < USELESS * 2 * fabs(objective));
}

static partan_status check(pt_simplex *simplex, const pt_iterate *iterate, const support *s, double *gradient,
                           pt_certificate *certificate)
{
    errors e = {0};
    partan_status status = read_off(simplex, iterate, gradient, certificate);
    if (!status && useless(simplex, s, certificate->objective)) {
        status = refine(simplex, iterate, s, INFINITY, true, gradient);
        return status ? status : positive(simplex, read_off(simplex, iterate, gradient, certificate), certificate);
    }
    if (!status)
        status = find_errors(simplex, iterate, s, gradient, ERROR_SAMPLE, &e);
    if (!status && !(fabs(e.mean) + e.deviation <= ERROR_LIMIT * 2 * certificate->objective))
        status = correct(simplex, iterate, s, &e, gradient, certificate);
    return positive(simplex, status, certificate);
}

/* Checks a gradient that is there, or one computed first. */
static partan_status certify(pt_simplex *simplex, const pt_iterate *iterate, bool compute, double *gradient,
                             pt_certificate *certificate)
{
    partan_context *context = simplex->problem.context;
    pt_progress_begin(context, "certify");
    support s;
    partan_status status = support_gather(simplex, iterate, &s);
    if (!status && compute)
        status = gradient_of(simplex, iterate, &s, gradient);
    if (!status)
        status = check(simplex, iterate, &s, gradient, certificate);
    support_free(context, &s);
    pt_progress_begin(context, "train");
    return status;
}

partan_status pt_simplex_check(pt_simplex *simplex, const pt_iterate *iterate, double *gradient,
                               pt_certificate *certificate)
{
    return certify(simplex, iterate, false, gradient, certificate);
}

partan_status pt_simplex_certify(pt_simplex *simplex, const pt_iterate *iterate, double *gradient,
                                 pt_certificate *certificate)
{
    return certify(simplex, iterate, true, gradient, certificate);
}
