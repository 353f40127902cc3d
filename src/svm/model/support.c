/* The support vectors of a model: weights, coefficients and features, one by one or all at once. */
#include <string.h>

#include "core/require.h"
#include "data/storage/layout.h"
#include "svm/model/model.h"

size_t partan_model_support_count(const partan_model *model)
{
    return model->count;
}

static partan_status check_number(const partan_model *model, size_t i)
{
    if (i < model->count)
        return PARTAN_OK;
    return pt_fail(model->context, PARTAN_ERROR_ARGUMENT, "found support vector %zu, expected one below %zu", i,
                   model->count);
}

partan_status partan_model_support(const partan_model *model, size_t i, double *weight, int *sign, int64_t *row)
{
    PT_REQUIRE(NULL, model && weight && sign && row);
    partan_status status = check_number(model, i);
    if (!status && model->machine_count > 0)
        status = pt_fail(model->context, PARTAN_ERROR_DATA,
                         "a support vector of a model of %zu classes has a weight in several machines: use "
                         "partan_model_coefficients",
                         model->labels.count);
    if (status)
        return status;
    *weight = model->weights[i];
    *sign = model->signs[i] > 0 ? 1 : -1;
    *row = model->origin[i];
    return PARTAN_OK;
}

partan_status partan_model_coefficients(const partan_model *model, double *coefficients)
{
    PT_REQUIRE(NULL, model && coefficients);
    memset(coefficients, 0,
           (model->machine_count > 0 ? model->machine_count : 1) * model->count * sizeof *coefficients);
    for (size_t m = 0; m < model->machine_count; m++) {
        const partan_model *machine = model->machines[m];
        for (size_t k = 0; k < machine->count; k++)
            coefficients[m * model->count + machine->members[k]] =
                machine->scale * machine->weights[k] * (double)machine->signs[k];
    }
    for (size_t i = 0; i < model->count && model->machine_count == 0; i++)
        coefficients[i] = model->scale * model->weights[i] * (double)model->signs[i];
    return PARTAN_OK;
}

partan_status partan_model_support_rows(const partan_model *model, int64_t *rows)
{
    PT_REQUIRE(NULL, model && rows);
    memcpy(rows, model->origin, model->count * sizeof *rows);
    return PARTAN_OK;
}

/* ---- Features ---- */

static partan_status check_features(const partan_model *model)
{
    if (!model->serials)
        return PARTAN_OK;
    return pt_fail(model->context, PARTAN_ERROR_DATA, "a model of a precomputed kernel has no features");
}

static void copy_vector(const partan_model *model, size_t i, float *values)
{
    const pt_layout *layout = pt_layout_of(model->vectors.storage);
    pt_cursor at = {.matrix = &model->vectors, .row = i};
    memset(values, 0, (size_t)model->features * sizeof *values);
    while (layout->next(&at))
        values[at.index] = at.value;
}

partan_status partan_model_support_vector(const partan_model *model, size_t i, float *values)
{
    PT_REQUIRE(NULL, model && values);
    partan_status status = check_features(model);
    if (!status)
        status = check_number(model, i);
    if (!status)
        copy_vector(model, i, values);
    return status;
}

partan_status partan_model_support_vectors(const partan_model *model, float *values)
{
    PT_REQUIRE(NULL, model && values);
    partan_status status = check_features(model);
    for (size_t i = 0; i < model->count && !status; i++)
        copy_vector(model, i, values + i * (size_t)model->features);
    return status;
}

partan_status partan_model_support_sparse(const partan_model *model, int64_t *offsets, int32_t *indices, float *values)
{
    PT_REQUIRE(NULL, model && offsets && !indices == !values);
    partan_status status = check_features(model);
    if (status)
        return status;
    const pt_layout *layout = pt_layout_of(model->vectors.storage);
    size_t count = 0;
    for (size_t i = 0; i < model->count; i++) {
        pt_cursor at = {.matrix = &model->vectors, .row = i};
        offsets[i] = (int64_t)count;
        for (; layout->next(&at); count++)
            if (indices) {
                indices[count] = at.index;
                values[count] = at.value;
            }
    }
    offsets[model->count] = (int64_t)count;
    return PARTAN_OK;
}
