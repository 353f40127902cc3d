#include "svm/warm_start.h"

#include "data/storage/row_table.h"

/* The first support vector not used yet that equals the row in values and, unless it is 0, sign; -1 when there is
 * none. */
static int64_t find(const pt_row_table *table, const partan_model *model, const unsigned char *used,
                    const pt_matrix *rows, size_t row, float sign)
{
    pt_row_search search = {.matrix = rows, .row = row, .hash = pt_matrix_row_hash(rows, row)};
    size_t i;
    while (pt_row_table_next(table, &search, &i))
        if (!used[i] && (sign == 0 || model->signs[i] == sign))
            return (int64_t)i;
    return -1;
}

static void take(pt_warm *warm, const partan_model *model, size_t i, int64_t row)
{
    warm->ids[warm->count] = row;
    warm->signs[warm->count] = model->signs[i];
    warm->weights[warm->count++] = model->weights[i];
}

static partan_status match_rows(const partan_model *model, const partan_data *data, const float *signs, float flip,
                                pt_warm *warm)
{
    pt_row_table table = {0};
    unsigned char *used = pt_alloc_zero(model->context, model->count, 1);
    partan_status status =
        used ? pt_row_table_make(&table, &model->vectors) : pt_out_of_memory(model->context, "the warm start");
    for (size_t i = 0; i < model->count && !status; i++)
        pt_row_table_add(&table, i);
    for (size_t row = 0; row < data->matrix.rows && !status; row++) {
        int64_t i = find(&table, model, used, &data->matrix, row, signs ? flip * signs[row] : 0);
        if (i < 0)
            continue;
        used[i] = 1;
        take(warm, model, (size_t)i, (int64_t)row);
    }
    pt_row_table_free(&table);
    pt_free(model->context, used);
    return status;
}

partan_status pt_warm_start(const partan_model *model, const partan_data *data, bool same, const float *signs,
                            float flip, pt_warm *warm)
{
    partan_context *context = data->context;
    *warm = (pt_warm){0};
    warm->ids = pt_alloc(context, model->count + 1, sizeof *warm->ids);
    warm->weights = pt_alloc(context, model->count + 1, sizeof *warm->weights);
    warm->signs = pt_alloc(context, model->count + 1, sizeof *warm->signs);
    if (!warm->ids || !warm->weights || !warm->signs)
        return pt_out_of_memory(context, "the warm start");

    partan_status status = PARTAN_OK;
    if (same)
        for (size_t i = 0; i < model->count; i++)
            take(warm, model, i, model->origin[i]);
    else if (!model->serials)
        status = match_rows(model, data, signs, flip, warm);
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
