#include "svm/warm_start.h"

#include <stdlib.h>

#include "core/agree.h"
#include "data/storage/row_table.h"

/* The rows of this process, which look for support vectors that are theirs. */
typedef struct search {
    const partan_model *model;
    const pt_matrix *rows;
    const float *signs; /* of the rows; NULL: they do not count */
    float flip;
    int64_t first; /* the number of the first row */
    pt_row_table table;
} search;

/* The first support vector not taken yet that equals the row in values and sign; -1 when there is none. */
static int64_t find(const search *s, const double *taken, size_t row)
{
    pt_row_search at = {.matrix = s->rows, .row = row, .hash = pt_matrix_row_hash(s->rows, row)};
    size_t i;
    while (pt_row_table_next(&s->table, &at, &i))
        if (taken[i] == 0 && (!s->signs || s->model->signs[i] == s->flip * s->signs[row]))
            return (int64_t)i;
    return -1;
}

/* Into taken[i] the number of the row that support vector i is, from 1. Rows take theirs in their order. */
static void take_rows(void *user, double *taken)
{
    const search *s = user;
    for (size_t row = 0; row < s->rows->rows; row++) {
        int64_t i = find(s, taken, row);
        if (i >= 0)
            taken[i] = (double)(s->first + (int64_t)row) + 1;
    }
}

static void take(pt_warm *warm, const partan_model *model, size_t i, int64_t row)
{
    warm->ids[warm->count] = row;
    warm->signs[warm->count] = model->signs[i];
    warm->weights[warm->count++] = model->weights[i];
}

typedef struct pair {
    int64_t row;
    size_t vector;
} pair;

static int by_row(const void *a, const void *b)
{
    int64_t x = ((const pair *)a)->row, y = ((const pair *)b)->row;
    return (x > y) - (x < y);
}

static void take_in_order(const partan_model *model, const double *taken, pair *pairs, pt_warm *warm)
{
    size_t count = 0;
    for (size_t i = 0; i < model->count; i++)
        if (taken[i] > 0)
            pairs[count++] = (pair){(int64_t)taken[i] - 1, i};
    qsort(pairs, count, sizeof *pairs, by_row);
    for (size_t k = 0; k < count; k++)
        take(warm, model, pairs[k].vector, pairs[k].row);
}

static partan_status match_rows(partan_context *context, pt_comm *comm, search *s, pt_warm *warm)
{
    size_t count = s->model->count;
    double *taken = pt_alloc_zero(context, count, sizeof *taken);
    pair *pairs = pt_alloc(context, count, sizeof *pairs);
    partan_status status =
        taken && pairs ? pt_row_table_make(&s->table, &s->model->vectors) : pt_out_of_memory(context, "the warm start");
    status = pt_agree(context, comm, status);
    for (size_t i = 0; i < count && !status; i++)
        pt_row_table_add(&s->table, i);
    if (!status) {
        pt_in_turn(comm, take_rows, s, taken, count);
        take_in_order(s->model, taken, pairs, warm);
    }
    pt_row_table_free(&s->table);
    pt_free(context, taken);
    pt_free(context, pairs);
    return status;
}

partan_status pt_warm_start(const pt_share *share, const partan_model *model, const partan_data *data, bool same,
                            const float *signs, float flip, pt_warm *warm)
{
    partan_context *context = data->context;
    pt_comm *comm = share ? share->comm : NULL;
    *warm = (pt_warm){0};
    warm->ids = pt_alloc(context, model->count + 1, sizeof *warm->ids);
    warm->weights = pt_alloc(context, model->count + 1, sizeof *warm->weights);
    warm->signs = pt_alloc(context, model->count + 1, sizeof *warm->signs);
    partan_status status =
        warm->ids && warm->weights && warm->signs ? PARTAN_OK : pt_out_of_memory(context, "the warm start");
    status = pt_agree(context, comm, status);
    if (status)
        return status;
    if (same) {
        for (size_t i = 0; i < model->count; i++)
            take(warm, model, i, model->origin[i]);
    } else if (!model->serials) {
        search s = {.model = model, .rows = &data->matrix, .signs = signs, .flip = flip};
        s.first = share ? pt_share_first(share) : 0;
        status = match_rows(context, comm, &s, warm);
    }
    if (!status && warm->count == 0)
        status = pt_fail(context, PARTAN_ERROR_DATA, "%s: no row is a support vector of the initial model", data->name);
    return status;
}

void pt_warm_free(partan_context *context, pt_warm *warm)
{
    pt_free(context, warm->ids);
    pt_free(context, warm->weights);
    pt_free(context, warm->signs);
    *warm = (pt_warm){0};
}
