#include "svm/threshold.h"

#include <math.h>
#include <stdlib.h>

#include "core/agree.h"
#include "core/ranked.h"
#include "kernel/kinds.h"
#include "svm/weighty.h"

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

partan_status pt_threshold_rows(partan_context *context, pt_comm *comm, const partan_model *model,
                                const partan_data *data, int64_t **rows, size_t *count)
{
    pt_weighty w;
    partan_status status = pt_weighty_find(context, comm, data, &w);
    if (!status)
        pt_weighty_thin(&w, rows_that_count(model, w.all));
    *rows = w.rows;
    *count = w.count;
    return status;
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
    pt_ranked ranked; /* first */
    size_t sorted;    /* of them; all that come after them are nearer */
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

/* Each time some are missing, as many again are sorted. */
static void sort_farthest(pt_ranked *ranked, size_t wanted)
{
    ranking *r = (ranking *)ranked;
    while (wanted > r->sorted) {
        row *rest = (row *)ranked->things + r->sorted;
        size_t left = ranked->count - r->sorted, more = r->sorted > FIRST_SORTED ? r->sorted : FIRST_SORTED;
        size_t next = more < left ? more : left;
        select_farthest(rest, left, next);
        qsort(rest, next, sizeof *rest, farthest_first);
        r->sorted += next;
    }
}

#define SAME 1e-6 /* of the kernel's values: rows whose distances are closer than this are on the same side */

/* A walk from the farthest row to where the ball ends. */
typedef struct walk {
    double weights, sum; /* so far, and of distances by them */
    double radius;
    bool begun;

    double most; /* by share: the weight that may be outside, */
    bool decays; /* whether the kernel does, */
    double same; /* distances that are the same, */
    row last;    /* and the row before */

    double cost; /* by radius */
} walk;

/* Half way between the last row outside and the first one inside that are not the same. */
static bool look_by_share(void *user, const void *thing)
{
    walk *w = user;
    const row *next = thing;
    if (!w->begun) {
        w->begun = true;
        w->same = SAME * (w->decays ? 1 : fabs(next->distance));
        w->radius = next->distance + w->same;
    } else if (w->weights + w->last.weight <= w->most) {
        w->weights += w->last.weight;
        if (!(w->last.distance - next->distance <= w->same))
            w->radius = (w->last.distance + next->distance) / 2;
    } else {
        return false;
    }
    w->last = *next;
    return true;
}

/* R^2 with sum C_i max(0, d_i - R^2) / 2 = 1: among the farthest rows, it is linear in R^2. */
static bool look_by_radius(void *user, const void *thing)
{
    walk *w = user;
    const row *next = thing;
    if (w->begun && w->radius >= next->distance)
        return false;
    w->begun = true;
    w->weights += w->cost * next->weight;
    w->sum += w->cost * next->weight * next->distance;
    w->radius = (w->sum - 2) / w->weights;
    return true;
}

/* The rows that count, and all. */
typedef struct weighing {
    const partan_data *data;
    const ranking *r;
} weighing;

enum { CHOSEN, WEIGHTS, WEIGHTY, SUMS };

static void add_weights(void *user, double *sums)
{
    const weighing *w = user;
    const row *rows = w->r->ranked.things;
    for (size_t i = 0; i < w->r->ranked.count; i++)
        sums[CHOSEN] += rows[i].weight;
    for (size_t i = 0; i < w->data->matrix.rows; i++) {
        sums[WEIGHTS] += pt_data_weight(w->data, i);
        sums[WEIGHTY] += pt_data_weight(w->data, i) > 0;
    }
}

static partan_status ranking_open(partan_context *context, pt_comm *comm, const partan_data *data, const int64_t *ids,
                                  size_t count, const double *distances, ranking *r, uint64_t *all)
{
    row *rows = pt_alloc(context, count, sizeof *rows);
    uint64_t first;
    *all = pt_count_all(comm, count, &first);
    *r = (ranking){.ranked = {rows, count, sizeof *rows, farthest_first, sort_farthest}};
    for (size_t i = 0; i < count && rows; i++) {
        double distance = fmax(distances[i], -INFINITY); /* NaN would have no place in the order */
        rows[i] = (row){distance, pt_data_weight(data, (size_t)ids[i]), first + i};
    }
    return pt_agree(context, comm, rows ? PARTAN_OK : pt_out_of_memory(context, "the threshold"));
}

partan_status pt_threshold(partan_context *context, pt_comm *comm, const partan_data *data,
                           const partan_settings *settings, const int64_t *rows, size_t count, const double *distances,
                           double *radius)
{
    ranking r;
    uint64_t all;
    double sums[SUMS] = {0};
    walk w = {.radius = -INFINITY, .decays = pt_kernel_kind_of(settings->kernel)->decays};
    partan_status status = ranking_open(context, comm, data, rows, count, distances, &r, &all);
    if (!status) {
        pt_in_turn(comm, add_weights, &(weighing){data, &r}, sums, SUMS);
        bool whole = (double)all == sums[WEIGHTY]; /* all rows count */
        w.most = settings->outliers * sums[CHOSEN] * (1 + 1e-12);
        w.cost = settings->cost * (whole ? 1 : sums[WEIGHTS] / sums[CHOSEN]);
        status = pt_ranked_show(context, comm, &r.ranked, settings->outliers > 0 ? look_by_share : look_by_radius, &w);
    }
    if (!status && comm)
        comm->broadcast(comm, 0, &w.radius, sizeof w.radius);
    *radius = w.radius;
    pt_free(context, r.ranked.things);
    return status;
}
