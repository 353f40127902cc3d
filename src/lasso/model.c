#include "lasso/model.h"

#include <math.h>
#include <string.h>

#include "core/require.h"

partan_status pt_lasso_create(partan_context *context, partan_lasso **model)
{
    *model = pt_alloc_zero(context, 1, sizeof **model);
    if (!*model)
        return pt_out_of_memory(context, "a model");
    (*model)->context = context;
    partan_lasso_settings_init(&(*model)->lasso);
    partan_settings_init(&(*model)->settings);
    return PARTAN_OK;
}

partan_status pt_lasso_reserve(partan_lasso *model)
{
    size_t count = (size_t)model->result.nonzeros;
    model->ids = pt_alloc(model->context, count, sizeof *model->ids);
    model->coefficients = pt_alloc(model->context, count, sizeof *model->coefficients);
    if (model->named)
        model->names = pt_alloc_zero(model->context, count, sizeof *model->names);
    if (model->ids && model->coefficients && (model->names || !model->named))
        return PARTAN_OK;
    return pt_out_of_memory(model->context, "the coefficients of a model");
}

void partan_lasso_free(partan_lasso *model)
{
    if (!model)
        return;
    partan_context *context = model->context;
    for (size_t i = 0; model->names && i < model->result.nonzeros; i++)
        pt_free(context, model->names[i]);
    pt_free(context, model->names);
    pt_source_free(context, &model->source);
    pt_free(context, model->ids);
    pt_free(context, model->coefficients);
    pt_free(context, model);
}

partan_status pt_lasso_check_target(partan_context *context, const partan_data *data)
{
    if (data->serials)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: found rows of a precomputed kernel matrix, expected features",
                       data->name);
    if (data->words)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: found '%s' as a target, expected numbers", data->name,
                       data->words[0]);
    for (size_t row = 0; row < data->matrix.rows; row++)
        if (!isfinite(partan_data_label(data, row)))
            return pt_fail(context, PARTAN_ERROR_DATA, "%s: row %zu has no target", data->name, row + 1);
    if (data->matrix.rows == 0 || data->matrix.features == 0)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: found %zu rows of %zu features, expected one or more of each",
                       data->name, data->matrix.rows, data->matrix.features);
    return PARTAN_OK;
}

/* ---- Accessors ---- */

const partan_lasso_result *partan_lasso_get_result(const partan_lasso *model)
{
    return &model->result;
}

const partan_lasso_settings *partan_lasso_get_settings(const partan_lasso *model)
{
    return &model->lasso;
}

const partan_settings *partan_lasso_get_solver(const partan_lasso *model)
{
    return &model->settings;
}

const char *partan_lasso_version(const partan_lasso *model)
{
    return model->version;
}

uint64_t partan_lasso_fingerprint(const partan_lasso *model)
{
    return model->fingerprint;
}

size_t partan_lasso_rows(const partan_lasso *model)
{
    return model->rows;
}

size_t partan_lasso_features(const partan_lasso *model)
{
    return model->features;
}

double partan_lasso_intercept(const partan_lasso *model)
{
    return model->intercept;
}

partan_status partan_lasso_coefficient(const partan_lasso *model, size_t i, size_t *feature, double *value,
                                       const char **name)
{
    PT_REQUIRE(NULL, model && feature && value);
    if (i >= model->result.nonzeros)
        return pt_fail(model->context, PARTAN_ERROR_ARGUMENT, "found coefficient %zu, expected one below %zu", i,
                       (size_t)model->result.nonzeros);
    *feature = (size_t)model->ids[i];
    *value = model->coefficients[i];
    if (name)
        *name = model->names ? model->names[i] : NULL;
    return PARTAN_OK;
}
