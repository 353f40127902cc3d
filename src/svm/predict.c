/* Prediction: decision values of the rows of a data set. */
#include <math.h>

#include "svm/model.h"

pt_kernel pt_model_kernel(const partan_model *model)
{
    const partan_settings *settings = &model->settings;
    return (pt_kernel){
        .kind = settings->kernel, .gamma = settings->gamma, .coef0 = settings->coef0, .degree = (int)settings->degree};
}

partan_status pt_model_check_columns(partan_context *context, const partan_model *model, const partan_data *data)
{
    bool precomputed = model->settings.kernel == PARTAN_KERNEL_PRECOMPUTED;
    if (data->serials && !precomputed)
        return pt_fail(context, PARTAN_ERROR_DATA,
                       "%s: found rows of a precomputed kernel matrix, expected features for the model's %s kernel",
                       data->name, partan_kernel_name(model->settings.kernel));
    for (size_t i = 0; precomputed && i < model->count; i++)
        if ((uint64_t)model->serials[i] >= data->matrix.features)
            return pt_fail(context, PARTAN_ERROR_DATA,
                           "%s: found %zu kernel values a row, expected at least %jd: the model needs that column",
                           data->name, data->matrix.features, (intmax_t)model->serials[i] + 1);
    return PARTAN_OK;
}

static partan_status add_bias(partan_context *context, const partan_model *model, const partan_data *data,
                              double *decision)
{
    for (size_t row = 0; row < data->matrix.rows; row++) {
        decision[row] += model->bias;
        if (!isfinite(decision[row]))
            return pt_fail(context, PARTAN_ERROR_NUMERIC, "%s: row %zu has a kernel value that is not finite",
                           data->name, row + 1);
    }
    return PARTAN_OK;
}

partan_status partan_predict(partan_context *context, const partan_model *model, const partan_data *data,
                             double *decision)
{
    partan_status status = pt_model_check_columns(context, model, data);
    if (status)
        return status;
    double *weights = pt_alloc(context, model->count, sizeof *weights);
    if (!weights)
        return pt_out_of_memory(context, "the weights of support vectors");
    for (size_t i = 0; i < model->count; i++)
        weights[i] = model->scale * model->weights[i] * (double)model->signs[i];

    pt_kernel kernel = pt_model_kernel(model);
    bool precomputed = kernel.kind == PARTAN_KERNEL_PRECOMPUTED;
    pt_points rows = {.matrix = &data->matrix, .serials = data->serials};
    pt_points vertices = {.matrix = precomputed ? NULL : &model->vectors, .serials = model->serials};
    pt_progress_begin(context, "predict");
    /* Sums over a precomputed matrix are a product with a vector, for which the exact code is fast too. */
    partan_status (*sums)(partan_context *, const pt_kernel *, pt_points, pt_points, size_t, const double *, double *) =
        precomputed ? pt_kernel_sums_exact : pt_kernel_sums;
    status = sums(context, &kernel, rows, vertices, model->count, weights, decision);
    if (status == PARTAN_OK)
        status = add_bias(context, model, data, decision);
    if (status == PARTAN_INTERRUPTED)
        pt_interrupt_clear(context);
    pt_free(context, weights);
    return status;
}
