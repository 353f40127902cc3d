#include "svm/warm_start.h"

#include <string.h>

/* An open hash table from row contents to support vectors. */
typedef struct table {
    size_t mask;
    uint32_t *slots; /* support vector + 1 */
    uint64_t *hashes;
} table;

static void table_free(partan_context *context, table *t)
{
    pt_free(context, t->slots);
    pt_free(context, t->hashes);
}

static partan_status table_fill(const partan_model *model, table *t)
{
    partan_context *context = model->context;
    size_t size = 16;
    while (size < 2 * model->count)
        size *= 2;
    t->mask = size - 1;
    t->slots = pt_alloc_zero(context, size, sizeof *t->slots);
    t->hashes = pt_alloc(context, model->count, sizeof *t->hashes);
    if (!t->slots || !t->hashes)
        return pt_out_of_memory(context, "the warm start");
    for (size_t i = 0; i < model->count; i++) {
        t->hashes[i] = pt_matrix_row_hash(&model->vectors, i);
        size_t place = t->hashes[i] & t->mask;
        while (t->slots[place])
            place = (place + 1) & t->mask;
        t->slots[place] = (uint32_t)i + 1;
    }
    return PARTAN_OK;
}

/* The first support vector not used yet that equals the row in values and class; -1 when there is none. */
static int64_t table_find(const table *t, const partan_model *model, const unsigned char *used, const pt_matrix *rows,
                          size_t row, float sign)
{
    uint64_t hash = pt_matrix_row_hash(rows, row);
    for (size_t place = hash & t->mask; t->slots[place]; place = (place + 1) & t->mask) {
        size_t i = t->slots[place] - 1;
        if (t->hashes[i] == hash && !used[i] && model->signs[i] == sign
            && pt_matrix_rows_equal(&model->vectors, i, rows, row))
            return (int64_t)i;
    }
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
    table t = {0};
    unsigned char *used = pt_alloc_zero(model->context, model->count, 1);
    partan_status status = used ? table_fill(model, &t) : pt_out_of_memory(model->context, "the warm start");
    for (size_t row = 0; row < data->matrix.rows && !status; row++) {
        int64_t i = table_find(&t, model, used, &data->matrix, row, flip * signs[row]);
        if (i < 0)
            continue;
        used[i] = 1;
        take(warm, (int64_t)row, model->weights[i]);
    }
    table_free(model->context, &t);
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

partan_status pt_warm_start(const partan_model *model, const partan_data *data, const pt_classes *classes,
                            const float *signs, pt_warm *warm)
{
    partan_context *context = data->context;
    *warm = (pt_warm){0};
    float flip = orientation(model, classes);
    if (flip == 0)
        return pt_fail(context, PARTAN_ERROR_DATA,
                       "the model to start from is for classes '%s' and '%s', not '%s' and '%s'",
                       model->classes.text[1], model->classes.text[0], classes->text[1], classes->text[0]);
    warm->ids = pt_alloc(context, model->count, sizeof *warm->ids);
    warm->weights = pt_alloc(context, model->count, sizeof *warm->weights);
    if (!warm->ids || !warm->weights)
        return pt_out_of_memory(context, "the warm start");

    partan_status status = PARTAN_OK;
    bool same = model->format == PARTAN_MODEL_NATIVE && model->rows == data->matrix.rows
                && model->fingerprint == partan_data_fingerprint(data);
    if (same)
        for (size_t i = 0; i < model->count; i++)
            take(warm, model->origin[i], model->weights[i]);
    else if (!model->serials)
        status = match_rows(model, data, signs, flip, warm);
    if (!status && warm->count == 0)
        status = pt_fail(context, PARTAN_ERROR_DATA, "%s: no row is a support vector of the model to start from",
                         data->name);
    return status;
}

void pt_warm_free(partan_context *context, pt_warm *warm)
{
    pt_free(context, warm->ids);
    pt_free(context, warm->weights);
    *warm = (pt_warm){0};
}
