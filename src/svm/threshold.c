#include "svm/threshold.h"

#include <math.h>
#include <stdlib.h>

#include "core/random.h"
#include "core/team.h"
#include "kernel/kinds.h"

/* ---- The spread ---- */

enum {
    PAIRS = 1024,          /* that are chosen before any is computed */
    CHUNK_PAIRS = 64,      /* that a thread takes at a time */
    SPREAD_ROWS = 1 << 16, /* that are looked at, at even distances: all are not worth the time */
};

#define PAIR_NANOSECONDS 10.0 /* for each feature (measured) */

typedef struct pairs {
    const pt_kernel *kernel;
    pt_points points;
    size_t count;
    size_t row[PAIRS], other[PAIRS];
    double distance[PAIRS];
} pairs;

static void compute_pairs(void *user, size_t chunk, size_t thread)
{
    pairs *p = user;
    pt_span span = pt_span_of(p->count, CHUNK_PAIRS, chunk);
    (void)thread;
    for (size_t i = span.begin; i < span.end; i++)
        p->distance[i] = pt_kernel_self(p->kernel, p->points, p->row[i])
                         + pt_kernel_self(p->kernel, p->points, p->other[i])
                         - 2 * pt_kernel_value(p->kernel, p->points, p->row[i], p->points, p->other[i]);
}

/* Adds the distances of the pairs chosen, in their order whatever the threads. */
static double add_pairs(pairs *p, double sum)
{
    partan_context *context = p->points.matrix->context;
    double work = PAIR_NANOSECONDS * (double)p->points.matrix->features * (double)p->count;
    pt_team_run(context, pt_team_for(context, work), pt_span_count(p->count, CHUNK_PAIRS), compute_pairs, p);
    for (size_t i = 0; i < p->count; i++)
        sum += p->distance[i];
    p->count = 0;
    return sum;
}

static size_t count_weighty(const partan_data *data)
{
    size_t count = 0;
    for (size_t row = 0; row < data->matrix.rows; row++)
        count += pt_data_weight(data, row) > 0;
    return count;
}

/* Rows in their order, each beside one before it. */
typedef struct pairing {
    pairs pairs;
    pt_random random;
    size_t before, count;
    double sum;
} pairing;

static void pair_up(pairing *p, size_t row)
{
    if (p->count > 0) {
        p->pairs.row[p->pairs.count] = row;
        p->pairs.other[p->pairs.count++] = p->before;
    }
    if (p->pairs.count == PAIRS)
        p->sum = add_pairs(&p->pairs, p->sum);
    if (p->count++ == 0 || pt_random_below(&p->random, 2) == 0)
        p->before = row;
}

double pt_spread(const partan_data *data, const pt_kernel *kernel)
{
    pairing p = {.pairs = {.kernel = kernel, .points = {.matrix = &data->matrix}}};
    size_t all = count_weighty(data), most = all < SPREAD_ROWS ? all : SPREAD_ROWS, seen = 0;
    pt_random_seed(&p.random, 1);
    for (size_t row = 0; row < data->matrix.rows && p.count < most; row++)
        if (pt_data_weight(data, row) > 0 && seen++ == (uint64_t)p.count * all / most)
            pair_up(&p, row);
    p.sum = add_pairs(&p.pairs, p.sum);
    return p.count > 1 ? fmax(p.sum, 0) / (2 * (double)(p.count - 1)) : 0;
}

/* ---- The rows that count ---- */

enum {
    MOST_FEATURES = 2048, /* that a kernel value of sparse rows takes the time of */
    VALUE_FEATURES = 25,  /* that it takes the time of beside its own */
    LEAST_ROWS = 256,     /* of a training that was stopped, */
    MOST_ROWS = 1 << 17,  /* and at most: sorting takes time as well */
};

#define MOST_WORK ((double)(UINT64_C(1) << 32)) /* features of kernel values: some 0.2 s of one thread (measured) */

static size_t rows_that_count(const partan_model *model, size_t rows)
{
    partan_status status = model->result.status;
    double features = VALUE_FEATURES + fmin((double)model->features, MOST_FEATURES);
    double most = floor(MOST_WORK / (features * fmax((double)model->count, 1)));
    if (status != PARTAN_INTERRUPTED && status != PARTAN_TIME_LIMIT)
        return rows;
    return (size_t)fmin(fmax(most, LEAST_ROWS), fmin((double)rows, MOST_ROWS));
}

partan_status pt_threshold_rows(const partan_model *model, const partan_data *data, int64_t **rows, size_t *count)
{
    size_t all = 0;
    int64_t *ids = *rows = pt_alloc(model->context, data->matrix.rows, sizeof *ids);
    if (!ids)
        return pt_out_of_memory(model->context, "the threshold");
    for (size_t row = 0; row < data->matrix.rows; row++)
        if (pt_data_weight(data, row) > 0)
            ids[all++] = (int64_t)row;
    *count = rows_that_count(model, all);
    for (size_t i = 0; i < *count; i++)
        ids[i] = ids[(uint64_t)i * all / *count];
    return PARTAN_OK;
}

/* ---- The threshold ---- */

typedef struct row {
    double distance, weight;
    size_t number; /* by which rows at the same distance are ordered */
} row;

static int farthest_first(const void *a, const void *b)
{
    const row *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? 1 : -1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Rows from the farthest on, of which few are asked for: they are sorted as they are. */
typedef struct ranking {
    row *rows;
    size_t count;
    size_t sorted; /* of them; all that come after them are nearer */
    double weights;
} ranking;

enum { FIRST_SORTED = 4096 };

static void swap(row *a, row *b)
{
    row other = *a;
    *a = *b;
    *b = other;
}

/* Brings the `count` farthest of `all` to the front, in no order: Hoare's selection, by the middle of three. */
static void select_farthest(row *rows, size_t all, size_t count)
{
    size_t first = 0, end = all;
    while (end - first > 1 && count > first && count < end) {
        row *low = rows + first, *middle = rows + first + (end - first) / 2, *high = rows + end - 1;
        if (farthest_first(middle, low) < 0)
            swap(middle, low);
        if (farthest_first(high, low) < 0)
            swap(high, low);
        if (farthest_first(high, middle) < 0)
            swap(high, middle);
        row pivot = *middle;
        size_t i = first, j = end - 1;
        while (i <= j) {
            while (farthest_first(rows + i, &pivot) < 0)
                i++;
            while (farthest_first(rows + j, &pivot) > 0)
                j--;
            if (i <= j)
                swap(rows + i++, rows + j--);
        }
        if (count <= j + 1)
            end = j + 1;
        else if (count >= i)
            first = i;
        else
            return;
    }
}

/* The i-th farthest. Each time some are missing, as many again are sorted. */
static const row *ranked(ranking *r, size_t i)
{
    while (i >= r->sorted) {
        size_t left = r->count - r->sorted, wanted = r->sorted > FIRST_SORTED ? r->sorted : FIRST_SORTED;
        size_t next = wanted < left ? wanted : left;
        select_farthest(r->rows + r->sorted, left, next);
        qsort(r->rows + r->sorted, next, sizeof *r->rows, farthest_first);
        r->sorted += next;
    }
    return r->rows + i;
}

#define SAME 1e-6 /* of the kernel's values: rows whose distances are closer than this are on the same side */

/* Half way between the last row outside and the first one inside. */
static double by_share(ranking *r, double share, bool decays)
{
    double outside = 0, same = SAME * (decays ? 1 : fabs(ranked(r, 0)->distance));
    size_t i = 0;
    for (; i + 1 < r->count && outside + ranked(r, i)->weight <= share * r->weights * (1 + 1e-12); i++)
        outside += ranked(r, i)->weight;
    while (i > 0 && ranked(r, i - 1)->distance - ranked(r, i)->distance <= same)
        i--;
    double nearest = ranked(r, i)->distance;
    return i == 0 ? nearest + same : (ranked(r, i - 1)->distance + nearest) / 2;
}

/* R^2 with sum C_i max(0, d_i - R^2) / 2 = 1: among the farthest rows, it is linear in R^2. */
static double by_radius(ranking *r, double cost)
{
    double weights = 0, sum = 0, radius = -INFINITY;
    for (size_t i = 0; i < r->count; i++) {
        const row *next = ranked(r, i);
        weights += cost * next->weight;
        sum += cost * next->weight * next->distance;
        radius = (sum - 2) / weights;
        if (i + 1 < r->count && radius >= ranked(r, i + 1)->distance)
            break;
    }
    return radius;
}

/* What the weights of all rows are, relative to those of the rows that count. */
static double share_of(const partan_data *data, const ranking *r, size_t count)
{
    double all = 0;
    size_t weighty = 0;
    for (size_t i = 0; i < data->matrix.rows; i++) {
        all += pt_data_weight(data, i);
        weighty += pt_data_weight(data, i) > 0;
    }
    return weighty == count ? 1 : all / r->weights;
}

partan_status pt_threshold(const partan_data *data, const partan_settings *settings, const int64_t *rows, size_t count,
                           const double *distances, double *radius)
{
    ranking r = {.rows = pt_alloc(data->context, count, sizeof *r.rows), .count = count};
    if (!r.rows)
        return pt_out_of_memory(data->context, "the threshold");
    for (size_t i = 0; i < count; i++) {
        double distance = fmax(distances[i], -INFINITY); /* NaN would have no place in the order */
        r.rows[i] = (row){distance, pt_data_weight(data, (size_t)rows[i]), i};
        r.weights += r.rows[i].weight;
    }
    *radius = settings->outliers > 0 ? by_share(&r, settings->outliers, pt_kernel_kind_of(settings->kernel)->decays)
                                     : by_radius(&r, settings->cost * share_of(data, &r, count));
    pt_free(data->context, r.rows);
    return PARTAN_OK;
}
