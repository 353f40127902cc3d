/* The gamma that a rule stands for on some rows. */
#include "data/data.h"
#include "kernel/kernel.h"

partan_status partan_gamma_value(partan_context *context, const partan_settings *settings, const partan_data *data,
                                 double *gamma)
{
    pt_kernel kernel;
    partan_status status = partan_settings_check(context, settings);
    if (!status)
        status = pt_kernel_from_settings(context, settings, &data->matrix, &kernel);
    if (!status)
        *gamma = kernel.gamma;
    return status;
}
