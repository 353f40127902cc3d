/* The certificate: objective and gap of an iterate from scratch, in double precision where float32 leaves them in
 * doubt. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simplex/rows.h"
#include "simplex/support.h"
#include "simplex/tally.h"

/* Errors of gradient entries, found on a sample of them, above which those that decide the certificate are computed
 * again in double precision: relative to 2f (a claim is checked to 1e-4 by verify), and to the gap that is wanted. */
#define ERROR_LIMIT  3e-5
#define ERROR_SHARE  0.1
#define ERROR_MARGIN 4.0 /* rows this many deviations above the least entry may still have it */
#define USELESS      4.0 /* times 2f, above which the rounding of one value leaves none of the sums worth anything */
#define SETTLING     0.5 /* of the target, the most that errors may be for a few entries to refute a gap */
#define MOST_SAMPLED 0.5 /* of the support, beyond which all of it is computed again */
enum {
    ERROR_SAMPLE = 128,
    LEAST_REFINED = 64, /* of a sample, that tell something of the others */
    LOWEST = 512,       /* entries that are computed before the others */
};

/* An iterate with its gradient. */
typedef struct scored {
    const pt_simplex *simplex;
    const pt_iterate *iterate;
    const double *gradient;
} scored;

static void add_between(void *user, size_t begin, size_t end, double *between)
{
    const scored *s = user;
    const pt_dual *dual = &s->simplex->dual;
    for (size_t i = begin; i < end; i++)
        *between += pt_dual_between(dual, (int64_t)i, pt_iterate_weight(s->iterate, (int64_t)i), s->gradient[i]);
}

/* *found: the least entry. */
static partan_status read_off(const pt_simplex *simplex, const pt_iterate *iterate, const pt_support *s,
                              const double *gradient, pt_certificate *certificate, double *found)
{
    pt_tally tally = pt_tally_begin();
    bool finite = true;
    for (size_t i = 0; i < simplex->dual.vertices; i++) {
        finite &= isfinite(gradient[i]) != 0;
        tally.least = gradient[i] < tally.least ? gradient[i] : tally.least;
    }
    if (simplex->dual.primal)
        pt_simplex_add_up(simplex, add_between, &(scored){simplex, iterate, gradient}, &tally.between, 1);
    for (size_t i = 0; i < iterate->count; i++)
        tally.inner += iterate->now[i] * gradient[iterate->id[i]];
    if (simplex->share) {
        double all[2] = {-tally.least, !finite};
        simplex->share->comm->greatest(simplex->share->comm, all, 2);
        tally.least = -all[0];
        finite = all[1] == 0;
    }
    if (!finite)
        return pt_fail(simplex->problem.context, PARTAN_ERROR_NUMERIC, PT_SIMPLEX_NOT_FINITE);
    tally.linear = s->linear;
    *certificate = pt_tally_certificate(&tally, &simplex->dual);
    *found = tally.least;
    return PARTAN_OK;
}

/* g at some vertices in double precision throughout. */
static partan_status exact_scores(const pt_simplex *simplex, const pt_iterate *iterate, const pt_support *s,
                                  const int64_t *ids, size_t count, double *scores)
{
    partan_status status =
        pt_simplex_exact_sums(simplex, ids, count, pt_support_points(s), s->weights, s->count, scores);
    if (!status)
        pt_support_finish(simplex, iterate, s, ids, count, scores);
    return status;
}

/* What rounding does to the entries of the gradient, found on some of them, at even distances in the support. */
typedef struct errors {
    double mean;           /* exact less rounded, by weight: what the sum a'g is wrong by */
    double deviation;      /* the largest distance from the mean */
    double refined;        /* the same of refined entries alone, */
    size_t refined_sample; /* of which there were so many */
    size_t sample;         /* entries looked at */
} errors;

static bool is_refined(const pt_simplex *simplex, int64_t id)
{
    return simplex->refined && simplex->refined[id];
}

static void add_error(const pt_simplex *simplex, int64_t id, double error, errors *e)
{
    double distance = fabs(error - e->mean);
    e->deviation = fmax(e->deviation, distance);
    if (is_refined(simplex, id)) {
        e->refined = fmax(e->refined, distance);
        e->refined_sample++;
    }
}

static void measure_errors(const pt_simplex *simplex, const pt_iterate *iterate, const int64_t *ids,
                           const double *scores, const double *gradient, errors *e)
{
    double weight = 0, sum = 0;
    for (size_t i = 0; i < e->sample; i++) {
        double own = pt_dual_sign(&simplex->dual, ids[i]) == 0 ? 0 : pt_iterate_weight(iterate, ids[i]);
        sum += own * (scores[i] - gradient[ids[i]]);
        weight += own;
    }
    e->mean = weight > 0 ? sum / weight : 0;
    e->deviation = e->refined = 0;
    e->refined_sample = 0;
    for (size_t i = 0; i < e->sample; i++)
        add_error(simplex, ids[i], scores[i] - gradient[ids[i]], e);
}

/* What the errors come to over all processes, each of which has looked at its own. */
static void share_errors(const pt_simplex *simplex, size_t refined_before, errors *e)
{
    pt_comm *comm = simplex->share->comm;
    double largest[2] = {e->deviation, e->refined};
    uint64_t refined = e->refined_sample - refined_before;
    comm->greatest(comm, largest, 2);
    comm->sum_integers(comm, &refined, 1);
    e->deviation = largest[0];
    e->refined = largest[1];
    e->refined_sample = refined_before + (size_t)refined;
}

/* Some vertices at even distances, of all; those that live here, where not all do. */
static size_t choose_others(const pt_simplex *simplex, int64_t ids[ERROR_SAMPLE])
{
    size_t all = pt_simplex_all(simplex), wanted = all < ERROR_SAMPLE ? all : ERROR_SAMPLE, count = 0;
    for (size_t i = 0; i < wanted; i++) {
        int64_t id = pt_simplex_find_own(simplex, (int64_t)((uint64_t)i * all / wanted));
        if (id >= 0)
            ids[count++] = id;
    }
    return count;
}

/* The largest error of some entries elsewhere, which may have come about in another way than those at the support. */
static partan_status find_others(const pt_simplex *simplex, const pt_iterate *iterate, const pt_support *s,
                                 const double *gradient, errors *e)
{
    int64_t ids[ERROR_SAMPLE] = {0};
    double scores[ERROR_SAMPLE];
    size_t count = choose_others(simplex, ids), refined_before = e->refined_sample;
    partan_status status = exact_scores(simplex, iterate, s, ids, count, scores);
    for (size_t i = 0; i < count && !status; i++)
        add_error(simplex, ids[i], scores[i] - gradient[ids[i]], e);
    if (!status && simplex->share)
        share_errors(simplex, refined_before, e);
    return status;
}

static partan_status find_errors(const pt_simplex *simplex, const pt_iterate *iterate, const pt_support *s,
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
        measure_errors(simplex, iterate, ids, scores, gradient, e);
    pt_free(context, ids);
    pt_free(context, scores);
    return status;
}

/* The sample that gives the mean error to within the limit, twice over. */
static double sample_needed(const errors *e, double limit)
{
    double ratio = e->deviation / limit;
    return ratio * ratio;
}

/* What is to be computed again in double precision: every vertex that could have the least entry and, when asked for,
 * the support, whose entries make the objective. */
typedef struct doubts {
    double level, refined; /* below which entries are in doubt, and those that are refined */
    bool all_support;
    double enough; /* an entry below it settles the matter, and nothing is changed then */
    double least;  /* such an entry; INFINITY: none */
} doubts;

static bool is_low(const pt_simplex *simplex, const doubts *d, const double *gradient, int64_t id)
{
    return gradient[id] < (is_refined(simplex, id) ? d->refined : d->level);
}

/* Those that are low and, where all of the support is asked for, the others of it. Returns how many; ids may be NULL.
 */
static size_t find_doubts(const pt_simplex *simplex, const doubts *d, const pt_support *s, const double *gradient,
                          int64_t *ids)
{
    size_t count = 0;
    for (size_t i = 0; i < simplex->dual.vertices; i++)
        if (is_low(simplex, d, gradient, (int64_t)i)) {
            if (ids)
                ids[count] = (int64_t)i;
            count++;
        }
    for (size_t i = 0; i < s->count && d->all_support; i++)
        if (!is_low(simplex, d, gradient, s->ids[i])) {
            if (ids)
                ids[count] = s->ids[i];
            count++;
        }
    return count;
}

typedef struct entry {
    double score;
    int64_t id;
} entry;

static int lower_first(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* Ids of vertices with the lowest entries first, where there are many. */
static partan_status sort_lowest(partan_context *context, const double *gradient, int64_t *ids, size_t count)
{
    entry *entries = pt_alloc(context, count, sizeof *entries);
    if (!entries)
        return pt_out_of_memory(context, "the certificate");
    for (size_t i = 0; i < count; i++)
        entries[i] = (entry){gradient[ids[i]], ids[i]};
    qsort(entries, count, sizeof *entries, lower_first);
    for (size_t i = 0; i < count; i++)
        ids[i] = entries[i].id;
    pt_free(context, entries);
    return PARTAN_OK;
}

static partan_status recompute(const pt_simplex *simplex, const pt_iterate *iterate, const pt_support *s,
                               const int64_t *ids, size_t count, double *gradient)
{
    partan_context *context = simplex->problem.context;
    double *scores = pt_alloc(context, count, sizeof *scores);
    partan_status status =
        scores ? exact_scores(simplex, iterate, s, ids, count, scores) : pt_out_of_memory(context, "the certificate");
    for (size_t i = 0; i < count && !status; i++) {
        gradient[ids[i]] = scores[i];
        if (simplex->refined)
            simplex->refined[ids[i]] = 1;
    }
    pt_free(context, scores);
    return status;
}

/* Where there are many, those with the lowest entries first: they may settle the matter. */
static partan_status look_at_lowest(const pt_simplex *simplex, const pt_iterate *iterate, const pt_support *s,
                                    int64_t *ids, size_t count, const double *gradient, doubts *d)
{
    double scores[LOWEST];
    partan_status status = sort_lowest(simplex->problem.context, gradient, ids, count);
    if (!status)
        status = exact_scores(simplex, iterate, s, ids, LOWEST, scores);
    for (size_t i = 0; i < LOWEST && !status; i++)
        if (scores[i] < d->enough && scores[i] < d->least)
            d->least = scores[i];
    return status;
}

static partan_status refine(const pt_simplex *simplex, const pt_iterate *iterate, const pt_support *s, double *gradient,
                            doubts *d)
{
    partan_context *context = simplex->problem.context;
    size_t count = find_doubts(simplex, d, s, gradient, NULL);
    int64_t *ids = pt_alloc(context, count, sizeof *ids);
    if (!ids)
        return pt_out_of_memory(context, "the certificate");
    find_doubts(simplex, d, s, gradient, ids);
    partan_status status = PARTAN_OK;
    if (isfinite(d->enough) && count > 2 * LOWEST)
        status = look_at_lowest(simplex, iterate, s, ids, count, gradient, d);
    if (!status && !isfinite(d->least))
        status = recompute(simplex, iterate, s, ids, count, gradient);
    pt_free(context, ids);
    return status;
}

/* Entries of the support that are computed again only if the objective asks for all of them. */
static size_t beyond_doubt(const pt_simplex *simplex, const pt_support *s, const double *gradient, const doubts *d)
{
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++)
        count += !is_low(simplex, d, gradient, s->ids[i]);
    return count;
}

static doubts doubts_about(const pt_simplex *simplex, const errors *e, double least)
{
    double error = fmax(e->deviation, simplex->rounding);
    double refined = e->refined_sample >= LEAST_REFINED ? e->refined : error;
    return (doubts){.level = least + ERROR_MARGIN * error,
                    .refined = least + ERROR_MARGIN * refined,
                    .enough = -INFINITY,
                    .least = INFINITY};
}

/* The objective's error is the mean error, which a sample gives precisely enough, if need be a larger one, where that
 * is less work than all of the support; the least entry is computed exactly, or only as far as it takes to see that the
 * gap exceeds `most`. */
static partan_status correct(const pt_simplex *simplex, const pt_iterate *iterate, const pt_support *s, errors *e,
                             double limit, double most, double least, double *gradient, pt_certificate *certificate)
{
    double needed = sample_needed(e, limit);
    doubts d = doubts_about(simplex, e, least);
    partan_status status = PARTAN_OK;
    if (needed > (double)e->sample && 2 * needed < MOST_SAMPLED * (double)beyond_doubt(simplex, s, gradient, &d))
        status = find_errors(simplex, iterate, s, gradient, (size_t)(2 * needed), e);
    bool sampled = e->sample < s->count && sample_needed(e, limit) <= (double)e->sample;
    double inner = pt_inner_product(certificate->objective, certificate->linear) + e->mean;
    d = doubts_about(simplex, e, least);
    d.all_support = !sampled;
    if (e->deviation < SETTLING * most)
        d.enough = inner - most;
    if (!status)
        status = refine(simplex, iterate, s, gradient, &d);
    bool settled = isfinite(d.least);
    if (!status)
        status = read_off(simplex, iterate, s, gradient, certificate, &least);
    least = settled ? d.least : least;
    if (!status && (sampled || settled))
        *certificate = pt_certificate_of(inner, certificate->linear, least);
    return status;
}

static partan_status positive(const pt_simplex *simplex, partan_status status, const pt_certificate *certificate)
{
    if (!status && simplex->problem.positive && !(certificate->objective > 0))
        status = pt_fail(simplex->problem.context, PARTAN_ERROR_NUMERIC,
                         "the kernel matrix is not positive semidefinite with these parameters (a'Ka = %g)",
                         2 * certificate->objective);
    return status;
}

/* Whether float32 kernel values leave nothing of the gradient. */
static bool useless(const pt_simplex *simplex, const pt_support *s, double objective)
{
    double largest = 0;
    for (size_t i = 0; i < s->count; i++)
        largest = fmax(largest, fabs(pt_simplex_self(simplex, s->ids[i])));
    return !(largest * FLT_EPSILON < USELESS * 2 * fabs(objective));
}

/* ---- A primal gap ---- */

enum { EXCESS, EXCESS_SQUARES, WEIGHT, WEIGHT_SQUARES, COSTS, DOUBTS };

static void add_doubts(void *user, size_t begin, size_t end, double *sums)
{
    const scored *s = user;
    for (size_t i = begin; i < end; i++) {
        int64_t id = (int64_t)i;
        double inverse = pt_dual_inverse_cost(&s->simplex->dual, id), weight = pt_iterate_weight(s->iterate, id);
        if (!(inverse > 0))
            continue;
        double loss = fmax(weight * inverse - s->gradient[id], 0), excess = weight - loss / inverse;
        sums[COSTS] += loss > 0 ? 1 / inverse : 0;
        sums[EXCESS] += excess;
        sums[EXCESS_SQUARES] += excess * excess;
        sums[WEIGHT] += weight / 2;
        sums[WEIGHT_SQUARES] += weight * weight / 4;
    }
}

/* What errors of the scores may add up to in objective and gap: to the first order they count as far as weights are not
 * those that the losses ask for, and are as independent as rounding is. */
static double doubt_of(const pt_simplex *simplex, const pt_iterate *iterate, const errors *e, const double *gradient)
{
    double sums[DOUBTS] = {0}, largest = fabs(e->mean) + e->deviation;
    pt_simplex_add_up(simplex, add_doubts, &(scored){simplex, iterate, gradient}, sums, DOUBTS);
    return ERROR_MARGIN * e->deviation * (sqrt(sums[EXCESS_SQUARES]) + sqrt(sums[WEIGHT_SQUARES]))
           + fabs(e->mean) * (fabs(sums[EXCESS]) + sums[WEIGHT]) + largest * largest * sums[COSTS] / 2;
}

/* All vertices of weight or loss decide it: these are computed again where float32 leaves doubt. */
static partan_status check_primal(pt_simplex *simplex, const pt_iterate *iterate, const pt_support *s, double target,
                                  double *gradient, pt_certificate *certificate)
{
    errors e = {0};
    double least = 0;
    partan_status status = read_off(simplex, iterate, s, gradient, certificate, &least);
    if (!status)
        status = find_errors(simplex, iterate, s, gradient, ERROR_SAMPLE, &e);
    if (!status)
        status = find_others(simplex, iterate, s, gradient, &e);
    if (status)
        return status;
    double limit = fmin(ERROR_LIMIT * pt_dual_unit(&simplex->dual, certificate->objective), ERROR_SHARE * target);
    simplex->rounding = fmax(simplex->rounding, e.deviation);
    if (doubt_of(simplex, iterate, &e, gradient) <= limit)
        return PARTAN_OK;
    double level = ERROR_MARGIN * (fabs(e.mean) + e.deviation);
    doubts all = {.level = level, .refined = level, .all_support = true, .enough = -INFINITY, .least = INFINITY};
    status = refine(simplex, iterate, s, gradient, &all);
    return status ? status : read_off(simplex, iterate, s, gradient, certificate, &least);
}

static partan_status check(pt_simplex *simplex, const pt_iterate *iterate, const pt_support *s, double target,
                           bool final, double *gradient, pt_certificate *certificate)
{
    errors e = {0};
    double least = 0;
    if (simplex->dual.primal)
        return check_primal(simplex, iterate, s, target, gradient, certificate);
    partan_status status = read_off(simplex, iterate, s, gradient, certificate, &least);
    if (!status && useless(simplex, s, certificate->objective)) {
        doubts all = {.level = INFINITY, .refined = INFINITY, .enough = -INFINITY, .least = INFINITY};
        status = refine(simplex, iterate, s, gradient, &all);
        return status ? status
                      : positive(simplex, read_off(simplex, iterate, s, gradient, certificate, &least), certificate);
    }
    if (!status)
        status = find_errors(simplex, iterate, s, gradient, ERROR_SAMPLE, &e);
    if (!status)
        status = find_others(simplex, iterate, s, gradient, &e);
    double limit = fmin(ERROR_LIMIT * pt_dual_unit(&simplex->dual, certificate->objective), ERROR_SHARE * target);
    simplex->rounding = fmax(simplex->rounding, e.deviation);
    if (!status && !(fabs(e.mean) + fmax(e.deviation, simplex->rounding) <= limit))
        status = correct(simplex, iterate, s, &e, limit, final ? INFINITY : target, least, gradient, certificate);
    return positive(simplex, status, certificate);
}

/* Checks a gradient that is there, or one computed first. */
static partan_status certify(pt_simplex *simplex, const pt_iterate *iterate, bool compute, double target, bool final,
                             double *gradient, pt_certificate *certificate)
{
    partan_context *context = simplex->problem.context;
    pt_support s;
    partan_status status = pt_support_gather(simplex, iterate, &s);
    if (!status && compute) {
        if (simplex->refined)
            memset(simplex->refined, 0, simplex->dual.vertices);
        status = pt_support_gradient(simplex, iterate, &s, gradient);
    }
    if (!status)
        status = check(simplex, iterate, &s, target, final, gradient, certificate);
    pt_support_free(context, &s);
    return status;
}

partan_status pt_simplex_check(pt_simplex *simplex, const pt_iterate *iterate, double target, bool final,
                               double *gradient, pt_certificate *certificate)
{
    return certify(simplex, iterate, false, target, final, gradient, certificate);
}

partan_status pt_simplex_certify(pt_simplex *simplex, const pt_iterate *iterate, double target, bool final,
                                 double *gradient, pt_certificate *certificate)
{
    return certify(simplex, iterate, true, target, final, gradient, certificate);
}
