#include "svm/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/agree.h"

static int compare_descending(const void *a, const void *b)
{
    double x = ((const pt_scored *)a)->value, y = ((const pt_scored *)b)->value;
    return (x < y) - (x > y);
}

/* ---- A walk down the rows, in descending order ---- */

typedef struct walk {
    partan_threshold_callback point;
    void *user;
    double value;     /* of the rows at hand, which are equal, */
    uint64_t more[2]; /* and how many of them are negative and positive */
    uint64_t hits, alarms;
    double area, precision;
} walk;

/* Trapezoids for the ROC curve; for average precision, the precision at each step of the recall. */
static void end_group(walk *w)
{
    if (w->more[0] + w->more[1] == 0)
        return;
    w->area += (double)w->more[0] * ((double)w->hits + 0.5 * (double)w->more[1]);
    w->hits += w->more[1];
    w->alarms += w->more[0];
    w->precision += (double)w->more[1] * (double)w->hits / (double)(w->hits + w->alarms);
    if (w->point)
        w->point(w->user, w->value, w->hits, w->alarms);
    w->more[0] = w->more[1] = 0;
}

static void add_row(walk *w, const pt_scored *row)
{
    if (row->value != w->value)
        end_group(w);
    w->value = row->value;
    w->more[row->positive]++;
}

static pt_areas end_walk(walk *w)
{
    end_group(w);
    double positives = (double)w->hits, negatives = (double)w->alarms;
    return (pt_areas){w->area / (positives * negatives), w->precision / positives}; /* 0 / 0 where there are none */
}

/* ---- Rows of several processes ---- */

enum { PIECE = 4096 }; /* rows that travel at a time */

/* A process's rows, of which the first process has a piece. */
typedef struct stream {
    pt_scored *rows;
    size_t at, end; /* of the piece */
    uint64_t left;  /* rows after it */
} stream;

typedef struct merging {
    pt_comm *comm;
    stream *streams;
    int *heap; /* of streams that have rows, the one with the greatest value first */
    int count;
} merging;

static double first_value(const merging *m, int place)
{
    const stream *s = &m->streams[m->heap[place]];
    return s->rows[s->at].value;
}

static void swap(merging *m, int a, int b)
{
    int other = m->heap[a];
    m->heap[a] = m->heap[b];
    m->heap[b] = other;
}

static void sink(merging *m, int place)
{
    for (;;) {
        int next = 2 * place + 1;
        if (next + 1 < m->count && first_value(m, next + 1) > first_value(m, next))
            next++;
        if (next >= m->count || first_value(m, place) >= first_value(m, next))
            return;
        swap(m, place, next);
        place = next;
    }
}

static size_t piece_of(uint64_t left)
{
    return left < PIECE ? (size_t)left : PIECE;
}

/* The next piece of a process; the first one's own rows are all there. */
static void refill(const merging *m, int rank)
{
    stream *s = &m->streams[rank];
    if (s->at < s->end || s->left == 0)
        return;
    s->at = 0;
    s->end = piece_of(s->left);
    s->left -= s->end;
    m->comm->pass(m->comm, rank, 0, s->rows, s->end * sizeof *s->rows);
}

static void merge(merging *m, walk *w)
{
    for (int rank = 0; rank < m->comm->size; rank++) {
        refill(m, rank);
        if (m->streams[rank].at < m->streams[rank].end)
            m->heap[m->count++] = rank;
    }
    for (int place = m->count / 2 - 1; place >= 0; place--)
        sink(m, place);
    while (m->count > 0) {
        stream *s = &m->streams[m->heap[0]];
        add_row(w, &s->rows[s->at++]);
        refill(m, m->heap[0]);
        if (s->at == s->end)
            swap(m, 0, --m->count);
        sink(m, 0);
    }
}

static void send(pt_comm *comm, pt_scored *rows, size_t count)
{
    for (size_t at = 0, some; at < count; at += some) {
        some = piece_of(count - at);
        comm->pass(comm, comm->rank, 0, rows + at, some * sizeof *rows);
    }
}

/* The first process's streams; `rows` are its own. */
static partan_status open_streams(partan_context *context, merging *m, pt_scored *rows, size_t count,
                                  const uint64_t *counts)
{
    size_t size = (size_t)m->comm->size;
    bool there = true;
    m->streams = pt_alloc_zero(context, size, sizeof *m->streams);
    m->heap = pt_alloc(context, size, sizeof *m->heap);
    for (size_t rank = 1; rank < size && m->streams; rank++) {
        m->streams[rank] = (stream){.left = counts[rank]};
        m->streams[rank].rows = pt_alloc(context, piece_of(counts[rank]), sizeof *rows);
        there &= m->streams[rank].rows != NULL;
    }
    if (!there || !m->streams || !m->heap)
        return pt_out_of_memory(context, "the curves of an evaluation");
    m->streams[0] = (stream){.rows = rows, .end = count};
    return PARTAN_OK;
}

static void close_streams(partan_context *context, merging *m)
{
    for (int rank = 1; rank < m->comm->size && m->streams; rank++)
        pt_free(context, m->streams[rank].rows);
    pt_free(context, m->streams);
    pt_free(context, m->heap);
}

static partan_status merge_all(partan_context *context, pt_comm *comm, pt_scored *rows, size_t count, walk *w)
{
    merging m = {.comm = comm};
    uint64_t *counts = pt_alloc_zero(context, (size_t)comm->size, sizeof *counts);
    partan_status status = counts ? PARTAN_OK : pt_out_of_memory(context, "the curves of an evaluation");
    status = pt_agree(context, comm, status);
    if (!status) {
        counts[comm->rank] = count;
        pt_add_up(comm, counts, (size_t)comm->size);
        if (comm->rank == 0)
            status = open_streams(context, &m, rows, count, counts);
        status = pt_agree(context, comm, status);
    }
    if (!status && comm->rank == 0)
        merge(&m, w);
    else if (!status)
        send(comm, rows, count);
    close_streams(context, &m);
    pt_free(context, counts);
    return status;
}

partan_status pt_curve_areas(partan_context *context, pt_comm *comm, pt_scored *rows, size_t count,
                             partan_threshold_callback point, void *user, pt_areas *areas)
{
    walk w = {.point = point, .user = user};
    partan_status status = PARTAN_OK;
    qsort(rows, count, sizeof *rows, compare_descending);
    if (comm)
        status = merge_all(context, comm, rows, count, &w);
    for (size_t i = 0; i < count && !comm; i++)
        add_row(&w, &rows[i]);
    if (status)
        return status;
    *areas = end_walk(&w);
    if (comm)
        comm->broadcast(comm, 0, areas, sizeof *areas);
    return PARTAN_OK;
}

/* ---- The area alone ---- */

/* How many of the `count` rows, in descending order, have a value above this one; or, with `equal`, at least it. */
static size_t above(const pt_scored *rows, size_t count, double value, bool equal)
{
    size_t begin = 0;
    while (count > 0) {
        size_t half = count / 2;
        bool before = equal ? rows[begin + half].value >= value : rows[begin + half].value > value;
        begin = before ? begin + half + 1 : begin;
        count = before ? count - half - 1 : half;
    }
    return begin;
}

/* The share of pairs of a positive and a negative row that are in order, where equal ones are so by half. With many
 * classes few rows are positive, and only these are sorted. */
double pt_roc_area(pt_scored *rows, size_t count)
{
    size_t positives = 0;
    for (size_t i = 0; i < count; i++)
        if (rows[i].positive) {
            pt_scored one = rows[i];
            rows[i] = rows[positives];
            rows[positives++] = one;
        }
    qsort(rows, positives, sizeof *rows, compare_descending);
    double area = 0;
    for (size_t i = positives; i < count; i++) {
        size_t higher = above(rows, positives, rows[i].value, false);
        bool tied = higher < positives && rows[higher].value == rows[i].value;
        size_t equal = tied ? above(rows, positives, rows[i].value, true) - higher : 0;
        area += (double)higher + 0.5 * (double)equal;
    }
    return area / ((double)positives * (double)(count - positives)); /* NaN where a class is missing: 0 / 0 */
}
