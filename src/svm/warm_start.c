#include "svm/warm_start.h"

#include <string.h>

#include "data/storage/row_table.h"

/* The first support vector not used yet that equals the row in values and class; -1 when there is none. */
static int64_t find(const pt_row_table *table, const partan_model *model, const unsigned char *used,
                    const pt_matrix *rows, size_t row, float sign)
{
    pt_row_search search = {.matrix = rows, .row = row, .hash = pt_matrix_row_hash(rows, row)};
    size_t i;
    while (pt_row_table_next(table, &search, &i))
        if (!used[i] && model->signs[i] == sign)
            return (int64_t)i;
    return -1;
}

static void take(pt_warm *warm, int64_t row, double weight)
{
    warm->ids[warm->count] = row;
    warm->weights[warm->count++] = weight;
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
        int64_t i = find(&table, model, used, &data->matrix, row, flip * signs[row]);
        if (i < 0)
            continue;
        used[i] = 1;
        take(warm, (int64_t)row, model->weights[i]);
    }
    pt_row_table_free(&table);
    pt_free(model->context, used);
    return status;
}

/* +1 when the model's positive class is the data's, -1 when it is the other way round, 0 when the classes differ. */
static float orientation(const partan_model *model, const pt_classes *classes)
{
    if (strcmp(model->classes.text[0], classes->text[0]) == 0 && strcmp(model->classes.text[1], classes->text[1]) == 0)
        return 1;
    if (strcmp(model->classes.text[0], classes->text[1]) == 0 && strcmp(model->classes.text[1], classes->text[0]) == 0)
        return -1;
    return 0;
}

partan_status pt_warm_start(const partan_model *model, const partan_data *data, uint64_t fingerprint,
                            const pt_classes *classes, const float *signs, pt_warm *warm)
{
    partan_context *context = data->context;
    *warm = (pt_warm){0};
    if (model->machine_count > 0)
        return pt_fail(context, PARTAN_ERROR_DATA, "the initial model has %zu classes, the data two",
                       model->labels.count);
    float flip = orientation(model, classes);
    if (flip == 0)
        return pt_fail(context, PARTAN_ERROR_DATA,
                       "the initial model has classes '%s' and '%s', the data '%s' and '%s'", model->classes.text[1],
                       model->classes.text[0], classes->text[1], classes->text[0]);
    warm->ids = pt_alloc(context, model->count, sizeof *warm->ids);
    warm->weights = pt_alloc(context, model->count, sizeof *warm->weights);
    if (!warm->ids || !warm->weights)
        return pt_out_of_memory(context, "the warm start");

    partan_status status = PARTAN_OK;
    bool same =
        model->format == PARTAN_MODEL_NATIVE && model->rows == data->matrix.rows && model->fingerprint == fingerprint;
    if (same)
        for (size_t i = 0; i < model->count; i++)
            take(warm, model->origin[i], model->weights[i]);
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
    *warm = (pt_warm){0};
}
