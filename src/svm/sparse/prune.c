/* The choice where most support vectors stay: the rows of the greatest losses, which have the greatest weights in the
 * solution, and a training on these rows alone. With fewer of them it would be about outliers only. */
#include <math.h>
#include <stdlib.h>

#include "core/ranked.h"
#include "svm/sparse/sparse.h"
#include "svm/together.h"

#define LEAST_SHARE 0.75 /* of the rows with losses that may stay */

typedef struct loss {
    double value;
    int64_t row, positive;
} loss;

static int largest_first(const void *a, const void *b)
{
    const loss *x = a, *y = b;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* The rows here, those of the greatest losses first. */
static partan_status find_losses(const pt_sparse *s, loss **losses)
{
    size_t rows = s->points.matrix->rows;
    *losses = pt_alloc(s->context, rows, sizeof **losses);
    if (!*losses)
        return pt_out_of_memory(s->context, "the rows");
    for (size_t row = 0; row < rows; row++) {
        double lack = 1 - (double)s->signs[row] * s->targets[row];
        (*losses)[row] = (loss){(s->cost_weights ? s->cost_weights[row] : 1) * lack, pt_sparse_first(s) + (int64_t)row,
                                s->signs[row] > 0};
    }
    qsort(*losses, rows, sizeof **losses, largest_first);
    return PARTAN_OK;
}

typedef struct choice {
    pt_sparse *sparse;
    bool has[2];
} choice;

/* At least one of each class. */
static bool take_row(void *user, const void *thing)
{
    choice *c = user;
    pt_sparse *s = c->sparse;
    const loss *next = thing;
    if (s->count + 1 == s->most && !c->has[!next->positive])
        return true;
    c->has[next->positive] = true;
    s->ids[s->count++] = next->row;
    return s->count < s->most;
}

/* The rows into `ids`, in ascending order. */
static partan_status choose(pt_sparse *s)
{
    pt_comm *comm = pt_sparse_comm(s);
    loss *losses = NULL;
    choice c = {.sparse = s};
    partan_status status = pt_agree(s->context, comm, find_losses(s, &losses));
    pt_ranked ranked = {losses, s->points.matrix->rows, sizeof *losses, largest_first, NULL};
    if (!status)
        status = pt_ranked_show(s->context, comm, &ranked, take_row, &c);
    if (!status) {
        pt_sparse_tell(s);
        qsort(s->ids, s->count, sizeof *s->ids, pt_compare_ids);
    }
    pt_free(s->context, losses);
    return status;
}

/* Weights in the scale of the decision function; rows without weight leave. */
static void take_weights(pt_sparse *s, const pt_training *t)
{
    size_t count = 0;
    double scale = 1 / (2 * t->solution.certificate.objective);
    for (size_t i = 0; i < s->count; i++) {
        int64_t vertex = t->share ? pt_share_find(t->share, (int64_t)i) : (int64_t)i; /* none: nobody has heard of it */
        double weight = vertex < 0 ? 0 : scale * pt_iterate_weight(&t->iterate, vertex);
        if (!(weight > 0))
            continue;
        s->ids[count] = s->ids[i];
        s->weights[count++] = weight;
    }
    s->count = count;
}

/* Of the chosen rows those that live here. */
static partan_status gather_own(const pt_sparse *s, const partan_data *data, partan_data **part)
{
    size_t count = 0;
    int64_t *rows = pt_alloc(s->context, s->count, sizeof *rows);
    if (!rows)
        return pt_out_of_memory(s->context, "support vectors");
    for (size_t i = 0; i < s->count; i++) {
        int64_t row = pt_sparse_own(s, s->ids[i]);
        if (row >= 0)
            rows[count++] = row;
    }
    partan_status status = pt_data_gather(data, rows, count, part);
    pt_free(s->context, rows);
    return status;
}

static partan_status train(pt_sparse *s, const pt_training *whole)
{
    partan_data *part = NULL;
    pt_together g;
    pt_comm *comm = pt_sparse_comm(s);
    partan_settings settings = whole->settings;
    partan_status status = pt_agree(s->context, comm, gather_own(s, whole->data, &part));
    if (status) {
        partan_data_free(part);
        return status;
    }
    status = pt_together_open(&g, s->context, comm, part, &settings);
    if (!status)
        status = pt_training_solve(&g.t, NULL);
    if (!status) {
        s->stopped |= g.t.solution.status == PARTAN_INTERRUPTED;
        take_weights(s, &g.t);
    }
    pt_together_close(&g);
    partan_data_free(part);
    if (comm && s->stopped)
        pt_interrupt_clear(s->context);
    return status;
}

bool pt_sparse_prunes(const pt_sparse *s)
{
    uint64_t lossy = 0;
    if (s->free || s->as_it_is)
        return false;
    for (size_t row = 0; row < s->points.matrix->rows; row++)
        lossy += (double)s->signs[row] * s->targets[row] < 1;
    pt_add_up(pt_sparse_comm(s), &lossy, 1);
    return !s->allowed && (double)s->most >= LEAST_SHARE * (double)lossy;
}

partan_status pt_sparse_prune(pt_sparse *s, const pt_training *whole)
{
    s->ids = pt_alloc(s->context, s->most, sizeof *s->ids);
    s->weights = pt_alloc(s->context, s->most, sizeof *s->weights);
    partan_status status = s->ids && s->weights ? PARTAN_OK : pt_out_of_memory(s->context, "support vectors");
    status = pt_agree(s->context, pt_sparse_comm(s), status);
    if (!status)
        status = choose(s);
    return status ? status : train(s, whole);
}
