/* The support vectors of a training by several processes, which all of them get. */
#include <math.h>
#include <stdlib.h>

#include "core/agree.h"
#include "svm/together.h"

typedef struct member {
    int64_t number, row;
} member;

static int compare_numbers(const void *a, const void *b)
{
    int64_t x = ((const member *)a)->number, y = ((const member *)b)->number;
    return (x > y) - (x < y);
}

/* Where rows of weight 0 were left out, numbers become those that rows had before: each process knows its own. */
static partan_status restore_numbers(const pt_training *t, int64_t *numbers, size_t count)
{
    int64_t first = pt_share_first(t->share), own = (int64_t)pt_share_own(t->share);
    for (size_t i = 0; i < count; i++) {
        int64_t row = numbers[i] - first;
        numbers[i] = row >= 0 && row < own ? (int64_t)t->first + t->rows[row] : -1;
    }
    return pt_tell_numbers(t->context, t->share->comm, numbers, count);
}

/* The rows of weight, and their signed weights; rows of which both vertices have the same leave none. */
static size_t find_members(const pt_training *t, member *members)
{
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < t->iterate.count; i++)
        if (t->iterate.now[i] > 0) {
            int64_t row = pt_dual_row(&t->dual, t->iterate.id[i]);
            members[count++] = (member){pt_share_row_number(t->share, row), row};
        }
    qsort(members, count, sizeof *members, compare_numbers);
    for (size_t i = 0; i < count; i++)
        if ((i == 0 || members[i].number != members[i - 1].number) && pt_training_weight(t, members[i].row) != 0)
            members[kept++] = members[i];
    return kept;
}

partan_status pt_take_shared_support(pt_training *t, partan_model *model)
{
    partan_context *context = t->context;
    size_t most = pt_iterate_support(&t->iterate), count = 0;
    member *members = pt_alloc(context, most, sizeof *members);
    int64_t *rows = pt_alloc(context, most, sizeof *rows);
    model->origin = pt_alloc(context, most, sizeof *model->origin);
    model->weights = pt_alloc(context, most, sizeof *model->weights);
    model->signs = pt_alloc(context, most, sizeof *model->signs);
    partan_status status = members && rows && model->origin && model->weights && model->signs
                               ? PARTAN_OK
                               : pt_out_of_memory(context, "the model");
    if (!status)
        count = find_members(t, members);
    for (size_t i = 0; i < count; i++) {
        double weight = pt_training_weight(t, members[i].row);
        rows[i] = members[i].row;
        model->origin[i] = members[i].number;
        model->weights[i] = fabs(weight);
        model->signs[i] = weight > 0 ? 1 : -1;
    }
    model->count = count;
    if (!status)
        status = pt_matrix_gather_both(t->share->rows, &t->share->guests, rows, count, &model->vectors);
    if (t->rows) {
        status = pt_agree(context, t->share->comm, status);
        if (!status)
            status = restore_numbers(t, model->origin, count);
    }
    pt_free(context, members);
    pt_free(context, rows);
    return status;
}
