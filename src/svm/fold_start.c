#include "svm/fold_start.h"

#include <stdlib.h>

#include "core/agree.h"
#include "fw/iterate.h"

/* A pair step gives weight to one vertex at most. */
bool pt_fold_start_pays(const partan_model *model)
{
    uint64_t members = model->machine_count == 0 ? model->count : 0;
    for (size_t m = 0; m < model->machine_count; m++)
        members += model->machines[m]->count;
    return model->result.status == PARTAN_OK && (uint64_t)model->result.iterations >= members;
}

/* ---- From the model's rows to the fold's ---- */

/* Of each row of the folds' data its number among those that the round trains on, of which `before` are in processes
 * before this one; -1: it is held out. */
static void number_rows(const pt_folds *folds, size_t round, uint64_t before, int64_t *numbers)
{
    int64_t next = (int64_t)before;
    for (size_t row = 0; row < folds->data->matrix.rows; row++)
        numbers[row] = folds->round[row] == (int32_t)round ? -1 : next++;
}

/* Among the rows of the folds' data, of a row of the model's; -1: it is not here. */
static int64_t place_of(const pt_folds *folds, int64_t origin)
{
    int64_t row = origin - (int64_t)folds->whole_before;
    size_t count = folds->data->matrix.rows;
    if (!folds->whole_rows)
        return row >= 0 && row < (int64_t)count ? row : -1;
    const int64_t *at = bsearch(&row, folds->whole_rows, count, sizeof row, pt_compare_ids);
    return at ? at - folds->whole_rows : -1;
}

/* Of two classes the support vectors that are there; of more, machines name them by their places, which stay. */
static void take_rows(pt_fold_start *s)
{
    partan_model *model = &s->model;
    size_t count = 0;
    for (size_t i = 0; i < model->count && model->machine_count == 0; i++) {
        if (s->origin[i] < 0)
            continue;
        s->weights[count] = model->weights[i];
        s->signs[count] = model->signs[i];
        s->origin[count++] = s->origin[i];
    }
    model->count = model->machine_count == 0 ? count : model->count;
    model->origin = s->origin;
    model->weights = s->weights;
    model->signs = s->signs;
    model->by_number = true;
}

partan_status pt_fold_start_open(pt_fold_start *s, const pt_folds *folds, size_t round, const partan_data *train)
{
    partan_context *context = folds->context;
    const partan_model *model = folds->whole;
    uint64_t before = 0;
    *s = (pt_fold_start){.context = context, .model = *model};
    int64_t *numbers = pt_alloc(context, folds->data->matrix.rows, sizeof *numbers);
    s->origin = pt_alloc(context, model->count, sizeof *s->origin);
    s->weights = pt_alloc(context, model->count, sizeof *s->weights);
    s->signs = pt_alloc(context, model->count, sizeof *s->signs);
    bool there = numbers && s->origin && s->weights && s->signs;
    partan_status status = there ? PARTAN_OK : pt_out_of_memory(context, "the start of a fold");
    status = pt_agree(context, folds->comm, status);
    if (!status) {
        pt_count_all(folds->comm, train->matrix.rows, &before);
        number_rows(folds, round, before, numbers);
        for (size_t i = 0; i < model->count; i++) {
            int64_t place = place_of(folds, model->origin[i]);
            s->origin[i] = place < 0 ? -1 : numbers[place];
        }
        status = pt_tell_numbers(context, folds->comm, s->origin, model->count);
    }
    for (size_t i = 0; i < model->count && !status; i++)
        s->any |= s->origin[i] >= 0;
    if (!status)
        take_rows(s);
    pt_free(context, numbers);
    return status;
}

void pt_fold_start_close(pt_fold_start *s)
{
    if (!s->context)
        return;
    pt_free(s->context, s->origin);
    pt_free(s->context, s->weights);
    pt_free(s->context, s->signs);
}
