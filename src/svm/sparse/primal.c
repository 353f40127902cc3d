/* The weights of the rows chosen: Newton's method for the primal problem, over weights of at least 0. Of many rows it
 * sees a sample. Of several processes the first one does it, for all. */
#include <math.h>
#include <string.h>

#include "core/crew.h"
#include "core/team.h"
#include "kernel/instructions.h"
#include "svm/few.h"
#include "svm/sparse/sparse.h"

enum {
    STEPS = 20,
    SWEEPS = 50,      /* of coordinate descent in each */
    HALVINGS = 10,    /* of a step */
    LINES = 4,        /* of the Hessian that a thread takes at a time */
    CHUNK_ROWS = 256, /* of the sample, likewise */
    BLOCK_ROWS = 64,  /* whose products are added to the Hessian at a time */
};

#define LEAST_GAIN 3e-4 /* of the objective, in a step */

typedef struct primal {
    pt_sparse *sparse;
    const pt_algebra_ops *ops;
    pt_sample sample;
    double *margins;
    double *next_margins;
    unsigned char *counted; /* whether a row had a loss when the Hessian was last updated, */
    double *pulls;          /* and its cost times the margin at which it would have none */
    int64_t *which;         /* rows to add to it or take out, */
    double *factors;        /* times so much */
    size_t changed;
    double *hessian;
    double *slope; /* c of the quadratic, -its gradient at 0 */
    double *next;
    double *gradient;
} primal;

static void primal_free(primal *p)
{
    void *all[] = {p->margins, p->next_margins, p->counted, p->pulls, p->which,
                   p->factors, p->hessian,      p->slope,   p->next,  p->gradient};
    pt_sample_free(&p->sample, p->sparse);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        pt_free(p->sparse->context, all[i]);
}

/* What the first process needs beside the sample. */
static partan_status make_room(primal *p)
{
    const pt_sparse *s = p->sparse;
    partan_context *context = s->context;
    size_t rows = p->sample.rows;
    p->margins = pt_alloc_zero(context, rows, sizeof *p->margins);
    p->next_margins = pt_alloc(context, rows, sizeof *p->next_margins);
    p->counted = pt_alloc_zero(context, rows, 1);
    p->pulls = pt_alloc(context, rows, sizeof *p->pulls);
    p->which = pt_alloc(context, rows, sizeof *p->which);
    p->factors = pt_alloc(context, rows, sizeof *p->factors);
    p->hessian = pt_copy(context, s->products, s->stride * s->stride, sizeof *p->hessian);
    p->slope = pt_alloc(context, s->stride, sizeof *p->slope);
    p->next = pt_alloc_zero(context, s->stride, sizeof *p->next);
    p->gradient = pt_alloc(context, 3 * s->stride, sizeof *p->gradient);
    return p->margins && p->next_margins && p->counted && p->pulls && p->which && p->factors && p->hessian && p->slope
                   && p->next && p->gradient
               ? PARTAN_OK
               : pt_out_of_memory(context, "the weights of support vectors");
}

static partan_status primal_open(primal *p, pt_sparse *s)
{
    pt_comm *comm = pt_sparse_comm(s);
    *p = (primal){.sparse = s, .ops = pt_algebra_ops_for(s->context->isa)};
    partan_status status = pt_sample_open(&p->sample, s);
    if (!status)
        status = pt_agree(s->context, comm, pt_is_first(comm) ? make_room(p) : PARTAN_OK);
    return status;
}

/* ---- A step ---- */

typedef struct product {
    const primal *primal;
    const double *weights;
    double *out;
} product;

static void multiply_rows(void *user, size_t chunk, size_t thread)
{
    const product *q = user;
    const pt_sparse *s = q->primal->sparse;
    pt_span span = pt_span_of(q->primal->sample.rows, CHUNK_ROWS, chunk);
    (void)thread;
    for (size_t i = span.begin; i < span.end; i++) {
        const double *line = q->primal->sample.values + i * s->stride;
        double sum = 0;
        for (size_t j = 0; j < s->count; j++)
            sum += line[j] * q->weights[j];
        q->out[i] = sum;
    }
}

static void find_margins(const primal *p, const double *weights, double *margins)
{
    pt_team_run(p->sparse->context, pt_team_for(p->sparse->context, (double)(p->sample.rows * p->sparse->count)),
                pt_span_count(p->sample.rows, CHUNK_ROWS), multiply_rows, &(product){p, weights, margins});
}

/* By how much a row's margin misses what would be no loss: below, or above where labels have two sides. */
static double lack_of(const primal *p, size_t i, double margin)
{
    const pt_sparse *s = p->sparse;
    if (s->labels)
        return pt_few_lack(p->sample.labels[i], margin, s->epsilon);
    return margin < 1 ? 1 - margin : 0;
}

/* The objective at a + share (next - a). */
static double objective_at(const primal *p, double share)
{
    const pt_sparse *s = p->sparse;
    double losses = 0, norm = 0;
    for (size_t i = 0; i < p->sample.rows; i++) {
        double lack = lack_of(p, i, p->margins[i] + share * (p->next_margins[i] - p->margins[i]));
        losses += p->sample.costs[i] * lack * lack;
    }
    for (size_t j = 0; j < s->count; j++) {
        double sum = 0;
        for (size_t k = 0; k < s->count; k++)
            sum += s->products[j * s->stride + k] * (s->weights[k] + share * (p->next[k] - s->weights[k]));
        norm += sum * (s->weights[j] + share * (p->next[j] - s->weights[j]));
    }
    return (norm + losses) / 2;
}

static void find_changed(primal *p)
{
    p->changed = 0;
    for (size_t i = 0; i < p->sample.rows; i++) {
        double lack = lack_of(p, i, p->margins[i]);
        bool counts = lack != 0;
        p->pulls[i] = p->sample.costs[i] * (p->sparse->labels ? p->margins[i] + lack : 1);
        if (counts != p->counted[i]) {
            p->which[p->changed] = (int64_t)i;
            p->factors[p->changed++] = counts ? p->sample.costs[i] : -p->sample.costs[i];
        }
        p->counted[i] = counts;
    }
}

typedef struct gram_part {
    const primal *primal;
    pt_gram gram;
} gram_part;

/* The longest lines first. */
static void add_gram(void *user, size_t chunk, size_t thread)
{
    const gram_part *part = user;
    size_t end = part->gram.stride - chunk * LINES;
    (void)thread;
    part->primal->ops->gram(&part->gram, end - LINES, end, part->primal->hessian);
}

static void update_hessian(primal *p)
{
    const pt_sparse *s = p->sparse;
    find_changed(p);
    for (size_t first = 0; first < p->changed; first += BLOCK_ROWS) {
        size_t rows = p->changed - first < BLOCK_ROWS ? p->changed - first : BLOCK_ROWS;
        gram_part part = {p, {p->sample.values, s->stride, p->which + first, p->factors + first, rows}};
        pt_team_run(s->context, pt_team_for(s->context, 0.05 * (double)(rows * s->stride) * (double)s->stride),
                    s->stride / LINES, add_gram, &part);
    }
    for (size_t j = 0; j < s->count; j++)
        for (size_t k = j + 1; k < s->count; k++)
            p->hessian[j * s->stride + k] = p->hessian[k * s->stride + j];
}

static void combine_lines(void *user, size_t chunk, size_t thread)
{
    const primal *p = user;
    size_t begin = chunk * PT_GRAM_UNIT, stride = p->sparse->stride;
    double sum[PT_GRAM_UNIT] = {0};
    (void)thread;
    for (size_t i = 0; i < p->sample.rows; i++)
        for (size_t j = 0; j < PT_GRAM_UNIT && p->counted[i]; j++)
            sum[j] += p->pulls[i] * p->sample.values[i * stride + begin + j];
    memcpy(p->slope + begin, sum, sizeof sum);
}

/* The weights that are best while the same rows have losses, then as far towards them as the objective falls. Returns
 * by how much it has, in proportion. */
static double step(primal *p, double before)
{
    pt_sparse *s = p->sparse;
    update_hessian(p);
    pt_team_run(s->context, pt_team_for(s->context, (double)(p->sample.rows * s->stride)), s->stride / PT_GRAM_UNIT,
                combine_lines, p);
    memcpy(p->next, s->weights, s->count * sizeof *p->next);
    pt_sparse_descend(p->hessian, s->stride, s->count, p->slope, s->free, p->next, p->gradient, SWEEPS);
    find_margins(p, p->next, p->next_margins);
    double share = 1, after = objective_at(p, share);
    for (int i = 0; i < HALVINGS && !(after < before); i++)
        after = objective_at(p, share /= 2);
    if (!(after < before))
        return 0;
    for (size_t j = 0; j < s->count; j++)
        s->weights[j] += share * (p->next[j] - s->weights[j]);
    for (size_t i = 0; i < p->sample.rows; i++)
        p->margins[i] += share * (p->next_margins[i] - p->margins[i]);
    return (before - after) / before;
}

static int ask(void *user)
{
    return pt_share_stop(user);
}

/* What the first process has found; its neighbours sleep until then. */
static void tell(const pt_sparse *s, bool *again)
{
    pt_comm *comm = pt_sparse_comm(s);
    if (comm && comm->relays)
        comm->relay(comm, again, sizeof *again, ask, s->share);
    pt_tell_all(comm, again, sizeof *again);
}

/* The others wait for each step, to be asked whether to stop. */
static void minimise(primal *p)
{
    pt_sparse *s = p->sparse;
    pt_comm *comm = pt_sparse_comm(s);
    pt_crew crew = {0};
    bool first = pt_is_first(comm), again = true;
    if (first && comm && comm->relays)
        pt_crew_hire(&crew, s->context, comm->threads);
    if (first) {
        find_margins(p, s->weights, p->margins);
        memcpy(p->next_margins, p->margins, p->sample.rows * sizeof *p->margins);
        memcpy(p->next, s->weights, s->count * sizeof *p->next);
    }
    for (int i = 0; i < STEPS && again && !pt_sparse_stops(s); i++) {
        pt_crew_begin(&crew, s->context);
        again = first && step(p, objective_at(p, 0)) > LEAST_GAIN;
        pt_crew_end(&crew, s->context);
        tell(s, &again);
    }
    pt_crew_dismiss(&crew, s->context);
    pt_tell_all(comm, s->weights, s->count * sizeof *s->weights);
}

partan_status pt_sparse_fit(pt_sparse *s)
{
    primal p;
    partan_status status = primal_open(&p, s);
    if (!status)
        minimise(&p);
    primal_free(&p);
    return status;
}
