/* The choice of rows: matching pursuit of a decision function. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "core/ranked.h"
#include "core/team.h"
#include "kernel/algebra.h"
#include "svm/sparse/sparse.h"

enum {
    FIRST_ROWS = 16,
    CROWD = 4,   /* rows are drawn from so many times as many of those that fall short most: neighbours of a row that
                  * does are as good as it is, and not needed beside it */
    SWEEPS = 30, /* of the projection */
    REFILLS = 2  /* times that rows which the fit leaves without weight are replaced */
};

#define GROWTH 0.5 /* of the chosen rows that are added in a round */

void pt_sparse_free(pt_sparse *s)
{
    pt_free(s->context, s->ids);
    pt_free(s->context, s->weights);
    pt_free(s->context, s->products);
    pt_free(s->context, s->own_signs);
    pt_free(s->context, s->own_targets);
    pt_matrix_free(&s->vectors);
}

bool pt_sparse_stops(pt_sparse *s)
{
    if (!s->stopped && (s->share ? pt_share_ask(s->share) : pt_interrupted(s->context))) {
        s->stopped = true;
        pt_interrupt_clear(s->context);
    }
    return s->stopped;
}

/* ---- Weights of least distance to the given function ---- */

static void take_products(void *user, size_t first, size_t rows, double *values)
{
    const pt_sparse *s = user;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < s->count; j++)
            s->products[(first + i) * s->stride + j] =
                s->own_signs[first + i] * s->own_signs[j] * (values[j * PT_EXACT_ROWS + i] + 1);
}

/* The rows chosen in one place, and the products of each with each. */
static partan_status gather(pt_sparse *s)
{
    pt_free(s->context, s->products);
    s->stride = (s->count + PT_GRAM_UNIT - 1) / PT_GRAM_UNIT * PT_GRAM_UNIT;
    s->products = pt_alloc_zero(s->context, s->stride * s->stride, sizeof *s->products);
    partan_status status = s->products ? PARTAN_OK : pt_out_of_memory(s->context, "products of support vectors");
    status = pt_agree(s->context, pt_sparse_comm(s), status);
    if (!status)
        status = pt_sparse_meet(s);
    if (status)
        return status;
    pt_points points = {.matrix = &s->vectors};
    return pt_agree(s->context, pt_sparse_comm(s),
                    pt_kernel_values_exact(s->context, &s->kernel, points, points, s->count, take_products, s));
}

static partan_status project(pt_sparse *s)
{
    double *c = pt_alloc(s->context, s->count, sizeof *c),
           *gradient = pt_alloc(s->context, 3 * s->count, sizeof *gradient);
    partan_status status = c && gradient ? PARTAN_OK : pt_out_of_memory(s->context, "weights of support vectors");
    for (size_t i = 0; i < s->count && !status; i++)
        c[i] = s->own_signs[i] * s->own_targets[i];
    if (!status)
        pt_sparse_descend(s->products, s->stride, s->count, c, s->free, s->weights, gradient, SWEEPS);
    pt_free(s->context, c);
    pt_free(s->context, gradient);
    return pt_agree(s->context, pt_sparse_comm(s), status);
}

/* ---- The next rows ---- */

typedef struct lack {
    double value; /* how much is missing at a row; then what it is drawn by */
    int64_t row;
} lack;

static int largest_first(const void *a, const void *b)
{
    const lack *x = a, *y = b;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Rows here that may be chosen, with what they lack. */
typedef struct shortage {
    double *sums;          /* of the function so far */
    unsigned char *chosen; /* rows that have been */
    lack *lacks;           /* of those that fall short, largest first */
    size_t count;
} shortage;

static void find_lacks(const pt_sparse *s, shortage *h, double bias)
{
    h->count = 0;
    for (size_t row = 0; row < s->points.matrix->rows; row++) {
        double value = (double)s->signs[row] * (s->targets[row] - h->sums[row] - bias);
        value = s->free ? fabs(value) : value;
        if (!h->chosen[row] && (!s->allowed || s->allowed[row]) && value > 0)
            h->lacks[h->count++] = (lack){value, pt_sparse_first(s) + (int64_t)row};
    }
    qsort(h->lacks, h->count, sizeof *h->lacks, largest_first);
}

static partan_status measure(const pt_sparse *s, shortage *h)
{
    partan_context *context = s->context;
    size_t rows = s->points.matrix->rows;
    double *weights = pt_alloc(context, s->count, sizeof *weights), bias = 0;
    h->sums = pt_alloc_zero(context, rows, sizeof *h->sums);
    h->chosen = pt_alloc_zero(context, rows, 1);
    h->lacks = pt_alloc(context, rows, sizeof *h->lacks);
    partan_status status =
        h->sums && weights && h->chosen && h->lacks ? PARTAN_OK : pt_out_of_memory(context, "the rows");
    for (size_t i = 0; i < s->count && !status; i++) {
        int64_t row = pt_sparse_own(s, s->ids[i]);
        weights[i] = s->weights[i] * s->own_signs[i];
        bias += weights[i];
        if (row >= 0)
            h->chosen[row] = 1;
    }
    if (!status && s->count > 0 && rows > 0)
        status = pt_kernel_sums_float32(context, &s->kernel, s->points, (pt_points){.matrix = &s->vectors}, s->count,
                                        weights, h->sums);
    if (!status)
        find_lacks(s, h, bias);
    pt_free(context, weights);
    return status;
}

/* Of all rows those that fall short most. */
typedef struct crowd {
    lack *lacks;
    size_t count, most;
} crowd;

static bool join(void *user, const void *thing)
{
    crowd *c = user;
    if (c->count < c->most)
        c->lacks[c->count++] = *(const lack *)thing;
    return c->count < c->most;
}

/* Rows are drawn from the crowd with probabilities in proportion to what is missing: by keys log(u) / value. */
static void draw_from(pt_sparse *s, crowd *c, size_t wanted)
{
    pt_random random;
    pt_random_seed(&random, s->seed + s->count);
    for (size_t i = 0; i < c->count; i++)
        c->lacks[i].value = log(1 - pt_random_uniform(&random)) / c->lacks[i].value;
    qsort(c->lacks, c->count, sizeof *c->lacks, largest_first);
    for (size_t i = 0; i < wanted && i < c->count; i++)
        s->ids[s->count++] = c->lacks[i].row;
}

/* The first process draws, from the rows of all. */
static partan_status draw(pt_sparse *s, shortage *h, size_t wanted)
{
    pt_comm *comm = pt_sparse_comm(s);
    size_t before = s->count;
    pt_ranked ranked = {h->lacks, h->count, sizeof *h->lacks, largest_first, NULL};
    crowd c = {.lacks = pt_alloc(s->context, CROWD * wanted, sizeof *c.lacks), .most = CROWD * wanted};
    partan_status status = c.lacks ? PARTAN_OK : pt_out_of_memory(s->context, "the rows");
    status = pt_agree(s->context, comm, status);
    if (!status)
        status = pt_ranked_show(s->context, comm, &ranked, join, &c);
    if (!status) {
        if (pt_is_first(comm))
            draw_from(s, &c, wanted);
        pt_sparse_tell(s);
    }
    for (size_t i = before; i < s->count; i++)
        s->weights[i] = 0;
    pt_free(s->context, c.lacks);
    return status;
}

/* Adds at most so many rows. */
static partan_status add_rows(pt_sparse *s, size_t wanted)
{
    shortage h = {0};
    partan_status status = pt_agree(s->context, pt_sparse_comm(s), measure(s, &h));
    if (!status)
        status = draw(s, &h, wanted);
    pt_free(s->context, h.sums);
    pt_free(s->context, h.chosen);
    pt_free(s->context, h.lacks);
    return status;
}

/* An interruption among the kernel values is no failure: what there is counts. */
static partan_status forgive(pt_sparse *s, partan_status status)
{
    if (status != PARTAN_INTERRUPTED)
        return status;
    s->stopped = true;
    pt_interrupt_clear(s->context);
    return PARTAN_OK;
}

/* Rows without weight leave. */
static void drop_idle(pt_sparse *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++)
        if (s->weights[i] != 0) {
            s->ids[count] = s->ids[i];
            s->weights[count++] = s->weights[i];
        }
    s->count = count;
}

/* Rounds until there are `most` rows, or no row falls short any more. */
static partan_status pursue(pt_sparse *s)
{
    partan_status status = PARTAN_OK;
    while (s->count < s->most && !status && !pt_sparse_stops(s)) {
        size_t before = s->count, wanted = (size_t)fmax(FIRST_ROWS, GROWTH * (double)before);
        status = forgive(s, add_rows(s, wanted < s->most - before ? wanted : s->most - before));
        if (s->count == before)
            break;
        if (!status)
            status = forgive(s, gather(s));
        if (!status && !s->stopped)
            status = project(s);
    }
    return status;
}

/* The row of a class that the given function likes best; -1: none may be chosen. */
static int64_t find_best(const pt_sparse *s, int sign)
{
    pt_comm *comm = pt_sparse_comm(s);
    int64_t best = -1;
    for (size_t row = 0; row < s->points.matrix->rows; row++)
        if (s->signs[row] == (float)sign && (!s->allowed || s->allowed[row])
            && (best < 0 || sign * s->targets[row] > sign * s->targets[best]))
            best = (int64_t)row;
    if (!comm)
        return best;
    pt_least least = {.score = INFINITY, .number = INT64_MAX};
    if (best >= 0)
        least = (pt_least){.score = -sign * s->targets[best], .number = pt_sparse_first(s) + best};
    comm->least(comm, &least);
    return least.number == INT64_MAX ? -1 : least.number;
}

/* Where a run was stopped before any row had weight. */
static void take_any(pt_sparse *s)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        int64_t best = find_best(s, sign);
        if (best >= 0 && s->count < s->most) {
            s->ids[s->count] = best;
            s->weights[s->count++] = 1;
        }
    }
}

partan_status pt_sparse_choose(pt_sparse *s)
{
    s->most = s->most < PT_SPARSE_FITTED ? s->most : PT_SPARSE_FITTED;
    s->ids = pt_alloc(s->context, s->most, sizeof *s->ids);
    s->weights = pt_alloc(s->context, s->most, sizeof *s->weights);
    partan_status status = s->ids && s->weights ? PARTAN_OK : pt_out_of_memory(s->context, "support vectors");
    status = pt_agree(s->context, pt_sparse_comm(s), status);
    for (int refill = 0; refill <= REFILLS && !status && !pt_sparse_stops(s); refill++) {
        size_t before = s->count;
        status = pursue(s);
        if (s->count == before)
            break;
        if (!status && !s->stopped && !s->as_it_is)
            status = forgive(s, pt_sparse_fit(s));
        if (!status)
            drop_idle(s);
        if (!status && s->count > 0 && s->count < s->most)
            status = forgive(s, gather(s));
    }
    if (!status && s->count == 0)
        take_any(s);
    return status;
}
