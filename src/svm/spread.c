/* The spread of the rows, by which the gap of outlier detection is measured. */
#include <math.h>

#include "core/agree.h"
#include "core/random.h"
#include "core/team.h"
#include "simplex/share.h"
#include "svm/threshold.h"
#include "svm/weighty.h"

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
    pt_weighty rows;
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
    const pt_weighty *w = &s->rows;
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
    const pt_weighty *w = &s->rows;
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
    partan_status status = pt_weighty_find(s->context, s->comm, data, &s->rows);
    if (status)
        return status;
    pt_weighty_thin(&s->rows, s->rows.all < SPREAD_ROWS ? s->rows.all : SPREAD_ROWS);
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
