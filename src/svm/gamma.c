/* The gamma that a rule stands for on some rows, as a training on them will find it. */
#include "core/require.h"
#include "core/sized.h"
#include "svm/scaled.h"
#include "svm/training.h"
#include "svm/weights.h"

partan_status partan_gamma_value(partan_context *context, const partan_settings *settings, const partan_data *data,
                                 double *gamma)
{
    PT_REQUIRE(context, context && settings && data && gamma);
    PT_TAKE(context, partan_settings, settings);
    partan_scaling *scaling = NULL;
    partan_data *scaled = NULL, *weighty = NULL;
    int64_t *rows = NULL;
    pt_kernel kernel = {0};
    partan_status status = partan_settings_check(context, settings);
    if (!status && pt_has_weightless(data)) {
        status = pt_leave_weightless(NULL, data, &weighty, &rows);
        data = weighty;
    }
    if (!status && settings->scale != PARTAN_SCALE_NONE)
        status = pt_scale_to_train(context, NULL, data, settings->scale, &scaling, &scaled);
    if (!status)
        status = pt_training_kernel(context, settings, scaled ? &scaled->matrix : &data->matrix, &kernel);
    if (!status)
        *gamma = kernel.gamma;
    partan_scaling_free(scaling);
    partan_data_free(scaled);
    partan_data_free(weighty);
    pt_free(context, rows);
    return status;
}
