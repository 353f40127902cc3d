/* The weights of the rows chosen: Newton's method for the primal problem, over weights of at least 0. Of many rows it
 * sees a sample. */
#include <math.h>
#include <string.h>

#include "core/random.h"
#include "core/team.h"
#include "kernel/instructions.h"
#include "svm/few.h"
#include "svm/sparse/sparse.h"

enum {
    STEPS = 20,
    SWEEPS = 50,      /* of coordinate descent in each */
    HALVINGS = 10,    /* of a step */
    LEAST_ROWS = 4,   /* in the sample for each weight */
    LINES = 4,        /* of the Hessian that a thread takes at a time */
    CHUNK_ROWS = 256, /* of the sample, likewise */
    BLOCK_ROWS = 64,  /* whose products are added to the Hessian at a time */
};

#define MOST_PRODUCTS 2e10                /* of the Hessian, that may be computed from all rows */
#define MOST_BYTES    ((double)(1 << 30)) /* of the sample's kernel values */
#define LEAST_GAIN    3e-4                /* of the objective, in a step */

typedef struct primal {
    pt_sparse *sparse;
    const pt_algebra_ops *ops;
    size_t rows;     /* of the sample */
    int64_t *sample; /* their numbers */
    double *costs;
    double *values; /* y_i y_j (k(x_i, x_j) + 1), lines of the sparse's stride */
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
    void *all[] = {p->sample, p->costs,   p->values,  p->margins, p->next_margins, p->counted, p->pulls,
                   p->which,  p->factors, p->hessian, p->slope,   p->next,         p->gradient};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        pt_free(p->sparse->context, all[i]);
}

/* ---- The sample ---- */

static size_t sample_size(const pt_sparse *s)
{
    double n = (double)s->stride, rows = (double)s->points.matrix->rows;
    double wanted = fmax(LEAST_ROWS * n, MOST_PRODUCTS / (n * n));
    return (size_t)fmin(rows, fmin(wanted, MOST_BYTES / (n * sizeof(double))));
}

static partan_status draw_sample(primal *p)
{
    const pt_sparse *s = p->sparse;
    size_t rows = s->points.matrix->rows;
    int64_t *all = pt_alloc(s->context, rows, sizeof *all);
    pt_random random;
    if (!all)
        return pt_out_of_memory(s->context, "a sample of the rows");
    for (size_t row = 0; row < rows; row++)
        all[row] = (int64_t)row;
    pt_random_seed(&random, s->seed);
    for (size_t i = 0; i < p->rows && p->rows < rows; i++) {
        size_t other = i + pt_random_below(&random, rows - i);
        int64_t row = all[other];
        all[other] = all[i];
        all[i] = row;
    }
    double scale = s->cost * (double)rows / (double)p->rows;
    for (size_t i = 0; i < p->rows; i++) {
        p->sample[i] = all[i];
        p->costs[i] = scale * (s->cost_weights ? s->cost_weights[all[i]] : 1);
    }
    pt_free(s->context, all);
    return PARTAN_OK;
}

static void take_values(void *user, size_t first, size_t rows, double *values)
{
    const primal *p = user;
    const pt_sparse *s = p->sparse;
    for (size_t i = 0; i < rows; i++) {
        double *line = p->values + (first + i) * s->stride;
        for (size_t j = 0; j < s->count; j++)
            line[j] =
                (double)(s->signs[p->sample[first + i]] * s->signs[s->ids[j]]) * (values[j * PT_EXACT_ROWS + i] + 1);
    }
}

static partan_status compute_values(primal *p)
{
    pt_sparse *s = p->sparse;
    pt_matrix gathered = {0};
    partan_status status = pt_matrix_gather(s->points.matrix, p->sample, p->rows, &gathered);
    if (!status)
        status = pt_kernel_values_exact(s->context, &s->kernel, (pt_points){.matrix = &gathered},
                                        (pt_points){.matrix = &s->vectors}, s->count, take_values, p);
    pt_matrix_free(&gathered);
    return status;
}

static partan_status primal_open(primal *p, pt_sparse *s)
{
    partan_context *context = s->context;
    *p = (primal){.sparse = s, .ops = pt_algebra_ops_for(context->isa), .rows = sample_size(s)};
    p->sample = pt_alloc(context, p->rows, sizeof *p->sample);
    p->costs = pt_alloc(context, p->rows, sizeof *p->costs);
    p->values = pt_alloc_zero(context, p->rows, s->stride * sizeof *p->values);
    p->margins = pt_alloc_zero(context, p->rows, sizeof *p->margins);
    p->next_margins = pt_alloc(context, p->rows, sizeof *p->next_margins);
    p->counted = pt_alloc_zero(context, p->rows, 1);
    p->pulls = pt_alloc(context, p->rows, sizeof *p->pulls);
    p->which = pt_alloc(context, p->rows, sizeof *p->which);
    p->factors = pt_alloc(context, p->rows, sizeof *p->factors);
    p->hessian = pt_copy(context, s->products, s->stride * s->stride, sizeof *p->hessian);
    p->slope = pt_alloc(context, s->stride, sizeof *p->slope);
    p->next = pt_alloc_zero(context, s->stride, sizeof *p->next);
    p->gradient = pt_alloc(context, 3 * s->stride, sizeof *p->gradient);
    if (!p->sample || !p->costs || !p->values || !p->margins || !p->next_margins || !p->counted || !p->pulls
        || !p->which || !p->factors || !p->hessian || !p->slope || !p->next || !p->gradient)
        return pt_out_of_memory(context, "the weights of support vectors");
    partan_status status = draw_sample(p);
    return status ? status : compute_values(p);
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
    pt_span span = pt_span_of(q->primal->rows, CHUNK_ROWS, chunk);
    (void)thread;
    for (size_t i = span.begin; i < span.end; i++) {
        const double *line = q->primal->values + i * s->stride;
        double sum = 0;
        for (size_t j = 0; j < s->count; j++)
            sum += line[j] * q->weights[j];
        q->out[i] = sum;
    }
}

static void find_margins(const primal *p, const double *weights, double *margins)
{
    pt_team_run(p->sparse->context, pt_team_for(p->sparse->context, (double)(p->rows * p->sparse->count)),
                pt_span_count(p->rows, CHUNK_ROWS), multiply_rows, &(product){p, weights, margins});
}

/* By how much a row's margin misses what would be no loss: below, or above where labels have two sides. */
static double lack_of(const primal *p, size_t i, double margin)
{
    const pt_sparse *s = p->sparse;
    if (s->labels)
        return pt_few_lack(s->labels[p->sample[i]], margin, s->epsilon);
    return margin < 1 ? 1 - margin : 0;
}

/* The objective at a + share (next - a). */
static double objective_at(const primal *p, double share)
{
    const pt_sparse *s = p->sparse;
    double losses = 0, norm = 0;
    for (size_t i = 0; i < p->rows; i++) {
        double lack = lack_of(p, i, p->margins[i] + share * (p->next_margins[i] - p->margins[i]));
        losses += p->costs[i] * lack * lack;
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
    for (size_t i = 0; i < p->rows; i++) {
        double lack = lack_of(p, i, p->margins[i]);
        bool counts = lack != 0;
        p->pulls[i] = p->costs[i] * (p->sparse->labels ? p->margins[i] + lack : 1);
        if (counts != p->counted[i]) {
            p->which[p->changed] = (int64_t)i;
            p->factors[p->changed++] = counts ? p->costs[i] : -p->costs[i];
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
        gram_part part = {p, {p->values, s->stride, p->which + first, p->factors + first, rows}};
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
    for (size_t i = 0; i < p->rows; i++)
        for (size_t j = 0; j < PT_GRAM_UNIT && p->counted[i]; j++)
            sum[j] += p->pulls[i] * p->values[i * stride + begin + j];
    memcpy(p->slope + begin, sum, sizeof sum);
}

/* The weights that are best while the same rows have losses, then as far towards them as the objective falls. Returns
 * by how much it has, in proportion. */
static double step(primal *p, double before)
{
    pt_sparse *s = p->sparse;
    update_hessian(p);
    pt_team_run(s->context, pt_team_for(s->context, (double)(p->rows * s->stride)), s->stride / PT_GRAM_UNIT,
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
    for (size_t i = 0; i < p->rows; i++)
        p->margins[i] += share * (p->next_margins[i] - p->margins[i]);
    return (before - after) / before;
}

partan_status pt_sparse_fit(pt_sparse *s)
{
    primal p;
    partan_status status = primal_open(&p, s);
    if (!status) {
        find_margins(&p, s->weights, p.margins);
        memcpy(p.next_margins, p.margins, p.rows * sizeof *p.margins);
        memcpy(p.next, s->weights, s->count * sizeof *p.next);
        for (int i = 0; i < STEPS && !pt_sparse_stops(s); i++)
            if (!(step(&p, objective_at(&p, 0)) > LEAST_GAIN))
                break;
    }
    primal_free(&p);
    return status;
}
