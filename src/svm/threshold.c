#include "svm/threshold.h"

#include <math.h>
#include <stdlib.h>

#include "core/agree.h"
#include "core/random.h"
#include "core/ranked.h"
#include "core/team.h"
#include "kernel/kinds.h"
#include "simplex/share.h"

/* ---- Rows of weight ---- */

/* Those here, and the number of the first one among those of all. */
typedef struct weighty {
    int64_t *rows;
    size_t count;
    uint64_t first, all;
} weighty;

/* The caller frees the rows, also on failure. */
static partan_status find_weighty(partan_context *context, pt_comm *comm, const partan_data *data, weighty *w)
{
    *w = (weighty){.rows = pt_alloc(context, data->matrix.rows, sizeof *w->rows)};
    partan_status status = w->rows ? PARTAN_OK : pt_out_of_memory(context, "the rows of weight");
    status = pt_agree(context, comm, status);
    if (status)
        return status;
    for (size_t row = 0; row < data->matrix.rows; row++)
        if (pt_data_weight(data, row) > 0)
            w->rows[w->count++] = (int64_t)row;
    w->all = pt_count_all(comm, w->count, &w->first);
    return PARTAN_OK;
}

/* Keeps so many of all, at even distances. */
static void thin(weighty *w, size_t most)
{
    uint64_t all = w->all, begin = w->first, end = begin + w->count;
    w->first = all > 0 ? (begin * most + all - 1) / all : 0;
    w->all = most;
    w->count = 0;
    for (uint64_t i = w->first, at; i < most && (at = i * all / most) < end; i++)
        w->rows[w->count++] = w->rows[at - begin];
}

/* ---- The spread ---- */

enum {
    PAIRS = 1024,          /* that are chosen before any is computed */
    CHUNK_PAIRS = 64,      /* that a thread takes at a time */
    SPREAD_ROWS = 1 << 16, /* that are looked at, at even distances: all are not worth the time */
};

#define PAIR_NANOSECONDS 10.0 /* for each feature (measured) */

/* Rows with the one before each that it is compared with. */
typedef struct pairs {
    const pt_kernel *kernel;
    const pt_share *share;
    size_t count;
    int64_t row[PAIRS], other[PAIRS];
    double *distance; /* of these */
} pairs;

static double distance_of(const pairs *p, int64_t a, int64_t b)
{
    size_t row, other;
    pt_points rows = {.matrix = pt_share_matrix(p->share, a, &row)},
              others = {.matrix = pt_share_matrix(p->share, b, &other)};
    return pt_kernel_self(p->kernel, rows, row) + pt_kernel_self(p->kernel, others, other)
           - 2 * pt_kernel_value(p->kernel, rows, row, others, other);
}

static void compute_pairs(void *user, size_t chunk, size_t thread)
{
    const pairs *p = user;
    pt_span span = pt_span_of(p->count, CHUNK_PAIRS, chunk);
    (void)thread;
    for (size_t i = span.begin; i < span.end; i++)
        p->distance[i] = distance_of(p, p->row[i], p->other[i]);
}

static void measure_pairs(pairs *p)
{
    partan_context *context = p->share->context;
    double work = PAIR_NANOSECONDS * (double)p->share->rows->features * (double)p->count;
    pt_team_run(context, pt_team_for(context, work), pt_span_count(p->count, CHUNK_PAIRS), compute_pairs, p);
    p->distance += p->count;
    p->count = 0;
}

/* The rows here that are looked at, and how those before them end. */
typedef struct spreading {
    partan_context *context;
    pt_comm *comm;
    pt_share share; /* the rows, and those of others that own ones are compared with */
    weighty rows;
    pt_random random;
    size_t before; /* the number, among those looked at, of the row that the next is compared with; SIZE_MAX: none */
    double *distances;
    size_t distance_count;
} spreading;

/* Whether the next row is compared with this one. */
static bool stays(spreading *s)
{
    return s->before == SIZE_MAX || pt_random_below(&s->random, 2) == 0;
}

/* Of the numbers of some rows that are looked at, from 1, those here: theirs among all rows, from 1. */
static void find_numbers(const spreading *s, const uint64_t *numbers, uint64_t *found, size_t count)
{
    const weighty *w = &s->rows;
    for (size_t i = 0; i < count; i++)
        if (numbers[i] > w->first && numbers[i] <= w->first + w->count)
            found[i] = (uint64_t)(pt_share_first(&s->share) + w->rows[numbers[i] - 1 - w->first]) + 1;
}

/* The row that the first one here is compared with may be another process's: it travels. *before: which row it is. */
static partan_status meet_before(spreading *s, int64_t *before)
{
    size_t processes = (size_t)s->comm->size, rank = (size_t)s->comm->rank, some = 0;
    uint64_t *numbers = pt_alloc_zero(s->context, 2 * processes, sizeof *numbers), *found = numbers + processes;
    int64_t *wanted = pt_alloc(s->context, processes, sizeof *wanted);
    partan_status status = numbers && wanted ? PARTAN_OK : pt_out_of_memory(s->context, "the spread of the rows");
    status = pt_agree(s->context, s->comm, status);
    *before = -1;
    if (!status) {
        numbers[rank] = s->rows.count > 0 && s->before != SIZE_MAX ? s->before + 1 : 0;
        pt_add_up(s->comm, numbers, processes);
        find_numbers(s, numbers, found, processes);
        pt_add_up(s->comm, found, processes);
        for (size_t i = 0; i < processes; i++)
            if (found[i] > 0)
                wanted[some++] = (int64_t)found[i] - 1;
        status = pt_agree(s->context, s->comm, pt_share_meet_all(&s->share, wanted, some, wanted));
    }
    if (!status && found[rank] > 0)
        *before = pt_share_find_row(&s->share, (int64_t)found[rank] - 1);
    pt_free(s->context, numbers);
    pt_free(s->context, wanted);
    return status;
}

static void compare_rows(spreading *s, const pt_kernel *kernel, int64_t before)
{
    const weighty *w = &s->rows;
    pairs p = {.kernel = kernel, .share = &s->share, .distance = s->distances};
    for (size_t i = 0; i < w->count; i++) {
        if (before >= 0) {
            p.row[p.count] = w->rows[i];
            p.other[p.count++] = before;
            s->distance_count++;
        }
        if (p.count == PAIRS)
            measure_pairs(&p);
        if (stays(s)) {
            s->before = w->first + i;
            before = w->rows[i];
        }
    }
    measure_pairs(&p);
}

static partan_status spreading_open(spreading *s, const partan_data *data)
{
    partan_status status = find_weighty(s->context, s->comm, data, &s->rows);
    if (status)
        return status;
    thin(&s->rows, s->rows.all < SPREAD_ROWS ? s->rows.all : SPREAD_ROWS);
    pt_random_seed(&s->random, 1);
    for (size_t i = 0; i < s->rows.first; i++)
        s->before = stays(s) ? i : s->before;
    s->distances = pt_alloc(s->context, s->rows.count, sizeof *s->distances);
    status = s->distances ? PARTAN_OK : pt_out_of_memory(s->context, "the spread of the rows");
    status = pt_agree(s->context, s->comm, status);
    return status ? status : pt_share_open(&s->share, s->context, s->comm, &data->matrix);
}

static void spreading_close(spreading *s)
{
    pt_share_free(&s->share);
    pt_free(s->context, s->rows.rows);
    pt_free(s->context, s->distances);
}

static void add_distances(void *user, double *sum)
{
    const spreading *s = user;
    for (size_t i = 0; i < s->distance_count; i++)
        *sum += s->distances[i];
}

partan_status pt_spread(partan_context *context, pt_comm *comm, const partan_data *data, const pt_kernel *kernel,
                        double *spread)
{
    spreading s = {.context = context, .comm = comm, .before = SIZE_MAX};
    double sum = 0;
    int64_t before = -1;
    partan_status status = spreading_open(&s, data);
    if (!status && comm)
        status = meet_before(&s, &before);
    if (!status) {
        compare_rows(&s, kernel, before);
        pt_in_turn(comm, add_distances, &s, &sum, 1);
        *spread = s.rows.all > 1 ? fmax(sum, 0) / (2 * (double)(s.rows.all - 1)) : 0;
    }
    spreading_close(&s);
    return status;
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

partan_status pt_threshold_rows(partan_context *context, pt_comm *comm, const partan_model *model,
                                const partan_data *data, int64_t **rows, size_t *count)
{
    weighty w;
    partan_status status = find_weighty(context, comm, data, &w);
    if (!status)
        thin(&w, rows_that_count(model, w.all));
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
