/* The rows that a fit of weights sees: a sample of many. All processes draw the same one; each computes the kernel
 * values of its own rows in it, and the first one, which fits, gets them piece by piece. */
#include <math.h>
#include <string.h>

#include "core/hash.h"
#include "core/random.h"
#include "svm/sparse/sparse.h"

enum {
    LEAST_ROWS = 4,         /* for each weight */
    PIECE_VALUES = 1 << 21, /* that are computed at a time */
};

enum { COST, LABEL, EXTRAS }; /* what a line has behind its values */

#define MOST_PRODUCTS 2e10                /* of the Hessian, that may be computed from all rows */
#define MOST_BYTES    ((double)(1 << 30)) /* of the kernel values */

void pt_sample_free(pt_sample *p, const pt_sparse *s)
{
    pt_free(s->context, p->numbers);
    pt_free(s->context, p->costs);
    pt_free(s->context, p->labels);
    pt_free(s->context, p->values);
}

static size_t sample_size(const pt_sparse *s)
{
    double n = (double)s->stride, rows = (double)pt_sparse_rows(s);
    double wanted = fmax(LEAST_ROWS * n, MOST_PRODUCTS / (n * n));
    return (size_t)fmin(rows, fmin(wanted, MOST_BYTES / (n * sizeof(double))));
}

/* ---- The draw ---- */

/* The numbers beyond the sample that an exchange has put in places of others: an open hash table. */
typedef struct places {
    struct place {
        int64_t at, number; /* 0: empty */
    } * list;
    size_t mask;
} places;

static partan_status places_open(partan_context *context, places *p, size_t most)
{
    size_t size = 2;
    while (size < 2 * most)
        size *= 2;
    p->mask = size - 1;
    p->list = pt_alloc_zero(context, size, sizeof *p->list);
    return p->list ? PARTAN_OK : pt_out_of_memory(context, "a sample of the rows");
}

/* What is in a place, where `number` is put. */
static int64_t exchange(places *p, int64_t place, int64_t number)
{
    size_t at = (size_t)pt_hash_mix((uint64_t)place) & p->mask;
    while (p->list[at].at != 0 && p->list[at].at != place)
        at = (at + 1) & p->mask;
    int64_t before = p->list[at].at == 0 ? place : p->list[at].number;
    p->list[at] = (struct place){place, number};
    return before;
}

/* The beginning of a shuffle of all numbers, of which only those that moved are kept. */
partan_status pt_sample_draw(partan_context *context, uint64_t seed, size_t all, int64_t *numbers, size_t count)
{
    size_t others = all - count;
    places beyond;
    pt_random random;
    for (size_t i = 0; i < count; i++)
        numbers[i] = (int64_t)i;
    if (others == 0)
        return PARTAN_OK;
    partan_status status = places_open(context, &beyond, others < count ? others : count);
    pt_random_seed(&random, seed);
    for (size_t i = 0; i < count && !status; i++) {
        size_t other = i + (size_t)pt_random_below(&random, all - i);
        int64_t number = numbers[i];
        if (other < count) {
            numbers[i] = numbers[other];
            numbers[other] = number;
        } else
            numbers[i] = exchange(&beyond, (int64_t)other, number);
    }
    pt_free(context, beyond.list);
    return status;
}

/* ---- Kernel values ---- */

/* Lines of rows of one process, in the order of the sample. */
typedef struct piece {
    const pt_sparse *sparse;
    size_t begin, end; /* of the sample */
    int64_t *rows;     /* of this process, */
    size_t count;      /* so many */
    double *lines;     /* values, cost and label of each */
    size_t width;      /* of a line */
} piece;

static void take_values(void *user, size_t first, size_t rows, double *values)
{
    const piece *p = user;
    const pt_sparse *s = p->sparse;
    for (size_t i = 0; i < rows; i++) {
        double *line = p->lines + (first + i) * p->width;
        int64_t row = p->rows[first + i];
        for (size_t j = 0; j < s->count; j++)
            line[j] = (double)s->signs[row] * s->own_signs[j] * (values[j * PT_EXACT_ROWS + i] + 1);
        line[s->count + COST] = s->cost_weights ? s->cost_weights[row] : 1;
        line[s->count + LABEL] = s->labels ? s->labels[row] : 0;
    }
}

static void find_rows(const pt_sample *sample, piece *p)
{
    p->count = 0;
    for (size_t i = p->begin; i < p->end; i++) {
        int64_t row = pt_sparse_own(p->sparse, sample->numbers[i]);
        if (row >= 0)
            p->rows[p->count++] = row;
    }
}

static partan_status compute(piece *p)
{
    const pt_sparse *s = p->sparse;
    pt_matrix gathered = {0};
    if (p->count == 0)
        return PARTAN_OK;
    partan_status status = pt_matrix_gather(s->points.matrix, p->rows, p->count, &gathered);
    if (!status)
        status = pt_kernel_values_exact(s->context, &s->kernel, (pt_points){.matrix = &gathered},
                                        (pt_points){.matrix = &s->vectors}, s->count, take_values, p);
    pt_matrix_free(&gathered);
    return status;
}

static int owner_of(const pt_sparse *s, int64_t number)
{
    return s->share ? pt_share_owner(s->share, number) : 0;
}

/* The lines of a process, where they belong. */
static void place(pt_sample *sample, const piece *p, int owner)
{
    const pt_sparse *s = p->sparse;
    const double *line = p->lines;
    double scale = s->cost * (double)pt_sparse_rows(s) / (double)sample->rows;
    for (size_t i = p->begin; i < p->end; i++) {
        if (owner_of(s, sample->numbers[i]) != owner)
            continue;
        memcpy(sample->values + i * s->stride, line, s->count * sizeof *line);
        sample->costs[i] = scale * line[s->count + COST];
        sample->labels[i] = line[s->count + LABEL];
        line += p->width;
    }
}

/* From all processes to the first one. */
static void send(pt_sample *sample, piece *p)
{
    pt_comm *comm = pt_sparse_comm(p->sparse);
    size_t size = p->width * sizeof *p->lines;
    if (pt_is_first(comm))
        place(sample, p, 0);
    else
        comm->pass(comm, comm->rank, 0, p->lines, p->count * size);
    for (int owner = 1; comm && comm->rank == 0 && owner < comm->size; owner++) {
        size_t count = 0;
        for (size_t i = p->begin; i < p->end; i++)
            count += owner_of(p->sparse, sample->numbers[i]) == owner;
        comm->pass(comm, owner, 0, p->lines, count * size);
        place(sample, p, owner);
    }
}

/* Who fails goes on to send, because the first one waits for it. */
static partan_status gather(pt_sample *sample, const pt_sparse *s)
{
    pt_comm *comm = pt_sparse_comm(s);
    piece p = {.sparse = s, .width = s->count + EXTRAS};
    size_t rows = PIECE_VALUES / p.width > PT_EXACT_ROWS ? PIECE_VALUES / p.width : PT_EXACT_ROWS;
    rows = rows < sample->rows ? rows : sample->rows;
    p.rows = pt_alloc(s->context, rows, sizeof *p.rows);
    p.lines = pt_alloc(s->context, rows, p.width * sizeof *p.lines);
    partan_status status = p.rows && p.lines ? PARTAN_OK : pt_out_of_memory(s->context, "a sample of the rows");
    status = pt_agree(s->context, comm, status);
    bool agreed = !status;
    for (size_t begin = 0; begin < sample->rows && agreed && (comm || !status); begin += rows) {
        p.begin = begin;
        p.end = begin + rows < sample->rows ? begin + rows : sample->rows;
        find_rows(sample, &p);
        status = status ? status : compute(&p);
        send(sample, &p);
    }
    pt_free(s->context, p.rows);
    pt_free(s->context, p.lines);
    return agreed ? pt_agree(s->context, comm, status) : status;
}

/* ---- All ---- */

static partan_status make_room(pt_sample *p, const pt_sparse *s)
{
    bool first = pt_is_first(pt_sparse_comm(s));
    *p = (pt_sample){.rows = sample_size(s)};
    size_t rows = first ? p->rows : 0;
    p->numbers = pt_alloc(s->context, p->rows, sizeof *p->numbers);
    p->costs = pt_alloc(s->context, rows, sizeof *p->costs);
    p->labels = pt_alloc(s->context, rows, sizeof *p->labels);
    p->values = pt_alloc_zero(s->context, rows, s->stride * sizeof *p->values);
    return p->numbers && p->costs && p->labels && p->values
               ? pt_sample_draw(s->context, s->seed, pt_sparse_rows(s), p->numbers, p->rows)
               : pt_out_of_memory(s->context, "a sample of the rows");
}

partan_status pt_sample_open(pt_sample *p, const pt_sparse *s)
{
    partan_status status = pt_agree(s->context, pt_sparse_comm(s), make_room(p, s));
    return status ? status : gather(p, s);
}
