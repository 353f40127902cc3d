/* The choice where most support vectors stay: the rows of the greatest losses, which have the greatest weights in the
 * solution, and a training on these rows alone. With fewer of them it would be about outliers only. */
#include <math.h>
#include <stdlib.h>

#include "svm/sparse/sparse.h"

#define LEAST_SHARE 0.75 /* of the rows with losses that may stay */

typedef struct loss {
    double value;
    int64_t row;
} loss;

static int largest_first(const void *a, const void *b)
{
    const loss *x = a, *y = b;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* The rows into `ids`, in ascending order, at least one of each class. Returns how many. */
static partan_status choose(pt_sparse *s)
{
    size_t rows = s->points.matrix->rows;
    bool has[2] = {false, false};
    loss *losses = pt_alloc(s->context, rows, sizeof *losses);
    if (!losses)
        return pt_out_of_memory(s->context, "the rows");
    for (size_t row = 0; row < rows; row++) {
        double lack = 1 - (double)s->signs[row] * s->targets[row];
        bool allowed = !s->allowed || s->allowed[row];
        losses[row] = (loss){allowed ? (s->cost_weights ? s->cost_weights[row] : 1) * lack : -INFINITY, (int64_t)row};
    }
    qsort(losses, rows, sizeof *losses, largest_first);
    for (size_t i = 0; i < rows && losses[i].value > -INFINITY; i++) {
        bool positive = s->signs[losses[i].row] > 0, last = s->count + 1 == s->most && !has[!positive];
        if (s->count == s->most || last)
            continue;
        has[positive] = true;
        s->ids[s->count++] = losses[i].row;
    }
    qsort(s->ids, s->count, sizeof *s->ids, pt_compare_ids);
    pt_free(s->context, losses);
    return PARTAN_OK;
}

/* Weights in the scale of the decision function; rows without weight leave. */
static void take_weights(pt_sparse *s, const pt_training *t)
{
    size_t count = 0;
    double scale = 1 / (2 * t->solution.certificate.objective);
    for (size_t i = 0; i < s->count; i++) {
        double weight = scale * pt_iterate_weight(&t->iterate, (int64_t)i);
        if (!(weight > 0))
            continue;
        s->ids[count] = s->ids[i];
        s->weights[count++] = weight;
    }
    s->count = count;
}

static partan_status train(pt_sparse *s, const pt_training *whole)
{
    partan_data *part = NULL;
    pt_training t;
    partan_settings settings = whole->settings;
    partan_status status = pt_data_gather(whole->data, s->ids, s->count, &part);
    if (status)
        return status;
    status = pt_training_open(&t, s->context, part, &settings);
    if (!status)
        status = pt_training_solve(&t, NULL);
    if (!status) {
        s->stopped |= t.solution.status == PARTAN_INTERRUPTED;
        take_weights(s, &t);
    }
    pt_training_close(&t);
    partan_data_free(part);
    return status;
}

bool pt_sparse_prunes(const pt_sparse *s)
{
    size_t lossy = 0;
    if (s->free || s->as_it_is)
        return false;
    for (size_t row = 0; row < s->points.matrix->rows; row++)
        lossy += (double)s->signs[row] * s->targets[row] < 1;
    return !s->allowed && (double)s->most >= LEAST_SHARE * (double)lossy;
}

partan_status pt_sparse_prune(pt_sparse *s, const pt_training *whole)
{
    s->ids = pt_alloc(s->context, s->most, sizeof *s->ids);
    s->weights = pt_alloc(s->context, s->most, sizeof *s->weights);
    partan_status status = s->ids && s->weights ? choose(s) : pt_out_of_memory(s->context, "support vectors");
    return status ? status : train(s, whole);
}
