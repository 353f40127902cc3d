/* The choice of rows: matching pursuit of a decision function. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "core/team.h"
#include "kernel/algebra.h"
#include "svm/sparse/sparse.h"

enum {
    FIRST_ROWS = 16,
    CROWD = 4,   /* rows are drawn from so many times as many of those that fall short most: neighbours of a row that
                  * does are as good as it is, and not needed beside it */
    SWEEPS = 30, /* of the projection */
    ROUNDS = 4,  /* of conjugate gradients in place of a sweep */
    REFILLS = 2  /* times that rows which the fit leaves without weight are replaced */
};

#define GROWTH 0.5 /* of the chosen rows that are added in a round */

void pt_sparse_free(pt_sparse *s)
{
    pt_free(s->context, s->ids);
    pt_free(s->context, s->weights);
    pt_free(s->context, s->products);
    pt_matrix_free(&s->vectors);
}

bool pt_sparse_stops(pt_sparse *s)
{
    if (!s->stopped && pt_interrupted(s->context)) {
        s->stopped = true;
        pt_interrupt_clear(s->context);
    }
    return s->stopped;
}

/* ---- Weights of least distance to the given function ---- */

static void multiply(const double *Q, size_t stride, size_t count, const double *a, double *out)
{
    for (size_t i = 0; i < count; i++) {
        double sum = 0;
        for (size_t j = 0; j < count; j++)
            sum += Q[i * stride + j] * a[j];
        out[i] = sum;
    }
}

/* The same over all weights: conjugate gradients, preconditioned by the diagonal. */
static void solve_free(const double *Q, size_t stride, size_t count, const double *c, double *a, double *room,
                       int rounds)
{
    double *rest = room, *along = room + count, *product = room + 2 * count, before = 0, first = 0;
    multiply(Q, stride, count, a, product);
    for (size_t i = 0; i < count; i++)
        rest[i] = c[i] - product[i];
    for (int round = 0; round < rounds; round++) {
        double now = 0, bend = 0;
        for (size_t i = 0; i < count; i++)
            now += rest[i] * rest[i] / Q[i * stride + i];
        first = round == 0 ? now : first;
        if (!(now > 1e-20 * first))
            return;
        for (size_t i = 0; i < count; i++)
            along[i] = rest[i] / Q[i * stride + i] + (round == 0 ? 0 : now / before * along[i]);
        multiply(Q, stride, count, along, product);
        for (size_t i = 0; i < count; i++)
            bend += along[i] * product[i];
        if (!(bend > 0))
            return;
        for (size_t i = 0; i < count; i++) {
            a[i] += now / bend * along[i];
            rest[i] -= now / bend * product[i];
        }
        before = now;
    }
}

void pt_sparse_descend(const double *Q, size_t stride, size_t count, const double *c, bool free, double *a,
                       double *gradient, int sweeps)
{
    if (free) {
        solve_free(Q, stride, count, c, a, gradient, ROUNDS * sweeps);
        return;
    }
    multiply(Q, stride, count, a, gradient);
    for (size_t i = 0; i < count; i++)
        gradient[i] -= c[i];
    double largest = 0;
    for (int sweep = 0; sweep < sweeps; sweep++) {
        double change = 0;
        for (size_t i = 0; i < count; i++) {
            double step = fmax(-a[i], -gradient[i] / Q[i * stride + i]);
            if (step == 0 || !isfinite(step))
                continue;
            a[i] += step;
            change = fmax(change, fabs(step));
            largest = fmax(largest, a[i]);
            for (size_t j = 0; j < count; j++)
                gradient[j] += step * Q[i * stride + j];
        }
        if (change <= 1e-4 * largest)
            return;
    }
}

static void take_products(void *user, size_t first, size_t rows, double *values)
{
    const pt_sparse *s = user;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < s->count; j++)
            s->products[(first + i) * s->stride + j] =
                (double)(s->signs[s->ids[first + i]] * s->signs[s->ids[j]]) * (values[j * PT_EXACT_ROWS + i] + 1);
}

/* The rows chosen in one place, and the products of each with each. */
static partan_status gather(pt_sparse *s)
{
    pt_matrix_free(&s->vectors);
    pt_free(s->context, s->products);
    s->stride = (s->count + PT_GRAM_UNIT - 1) / PT_GRAM_UNIT * PT_GRAM_UNIT;
    s->products = pt_alloc_zero(s->context, s->stride * s->stride, sizeof *s->products);
    if (!s->products)
        return pt_out_of_memory(s->context, "products of support vectors");
    partan_status status = pt_matrix_gather(s->points.matrix, s->ids, s->count, &s->vectors);
    pt_points points = {.matrix = &s->vectors};
    return status ? status : pt_kernel_values_exact(s->context, &s->kernel, points, points, s->count, take_products, s);
}

static partan_status project(pt_sparse *s)
{
    double *c = pt_alloc(s->context, s->count, sizeof *c),
           *gradient = pt_alloc(s->context, 3 * s->count, sizeof *gradient);
    partan_status status = c && gradient ? PARTAN_OK : pt_out_of_memory(s->context, "weights of support vectors");
    for (size_t i = 0; i < s->count && !status; i++)
        c[i] = (double)s->signs[s->ids[i]] * s->targets[s->ids[i]];
    if (!status)
        pt_sparse_descend(s->products, s->stride, s->count, c, s->free, s->weights, gradient, SWEEPS);
    pt_free(s->context, c);
    pt_free(s->context, gradient);
    return status;
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

/* lacks of the rows that may be chosen and fall short; returns how many. */
static size_t find_lacks(const pt_sparse *s, const double *sums, double bias, const unsigned char *chosen, lack *lacks)
{
    size_t count = 0;
    for (size_t row = 0; row < s->points.matrix->rows; row++) {
        double value = (double)s->signs[row] * (s->targets[row] - sums[row] - bias);
        value = s->free ? fabs(value) : value;
        if (!chosen[row] && (!s->allowed || s->allowed[row]) && value > 0)
            lacks[count++] = (lack){value, (int64_t)row};
    }
    return count;
}

/* Rows are drawn from the crowd with probabilities in proportion to what is missing: by keys log(u) / value. */
static void draw(pt_sparse *s, lack *lacks, size_t count, size_t wanted)
{
    pt_random random;
    pt_random_seed(&random, s->seed + s->count);
    qsort(lacks, count, sizeof *lacks, largest_first);
    size_t crowd = count < CROWD * wanted ? count : CROWD * wanted;
    for (size_t i = 0; i < crowd; i++)
        lacks[i].value = log(1 - pt_random_uniform(&random)) / lacks[i].value;
    qsort(lacks, crowd, sizeof *lacks, largest_first);
    for (size_t i = 0; i < wanted && i < crowd; i++) {
        s->ids[s->count] = lacks[i].row;
        s->weights[s->count++] = 0;
    }
}

/* Adds at most so many rows. */
static partan_status add_rows(pt_sparse *s, size_t wanted)
{
    partan_context *context = s->context;
    size_t rows = s->points.matrix->rows;
    double *sums = pt_alloc_zero(context, rows, sizeof *sums), *weights = pt_alloc(context, s->count, sizeof *weights);
    unsigned char *chosen = pt_alloc_zero(context, rows, 1);
    lack *lacks = pt_alloc(context, rows, sizeof *lacks);
    partan_status status = sums && weights && chosen && lacks ? PARTAN_OK : pt_out_of_memory(context, "the rows");
    double bias = 0;
    for (size_t i = 0; i < s->count && !status; i++) {
        weights[i] = s->weights[i] * (double)s->signs[s->ids[i]];
        bias += weights[i];
        chosen[s->ids[i]] = 1;
    }
    if (!status && s->count > 0)
        status = pt_kernel_sums_float32(context, &s->kernel, s->points, (pt_points){.matrix = &s->vectors}, s->count,
                                        weights, sums);
    if (!status)
        draw(s, lacks, find_lacks(s, sums, bias, chosen, lacks), wanted);
    pt_free(context, sums);
    pt_free(context, weights);
    pt_free(context, chosen);
    pt_free(context, lacks);
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

/* Where a run was stopped before any row had weight: the row of each class that the given function likes best. */
static void take_any(pt_sparse *s)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        int64_t best = -1;
        for (size_t row = 0; row < s->points.matrix->rows; row++)
            if (s->signs[row] == (float)sign && (!s->allowed || s->allowed[row])
                && (best < 0 || sign * s->targets[row] > sign * s->targets[best]))
                best = (int64_t)row;
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
