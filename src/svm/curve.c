#include "svm/curve.h"

#include <math.h>
#include <stdlib.h>

#include "core/ranked.h"

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

static bool show_row(void *user, const void *row)
{
    add_row(user, row);
    return true;
}

partan_status pt_curve_areas(partan_context *context, pt_comm *comm, pt_scored *rows, size_t count,
                             partan_threshold_callback point, void *user, pt_areas *areas)
{
    walk w = {.point = point, .user = user};
    pt_ranked sorted = {.things = rows, .count = count, .size = sizeof *rows, .compare = compare_descending};
    qsort(rows, count, sizeof *rows, compare_descending);
    partan_status status = pt_ranked_show(context, comm, &sorted, show_row, &w);
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
