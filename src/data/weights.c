/* The weights of a data set's rows. */
#include "data/weights.h"

#include <math.h>

#include "core/require.h"

partan_status pt_weights_check(partan_context *context, const char *name, const double *weights, size_t rows)
{
    for (size_t row = 0; row < rows; row++)
        if (!(weights[row] >= 0) || isinf(weights[row]))
            return pt_fail(context, PARTAN_ERROR_DATA, "%s: row %zu has weight %g, expected a number that is 0 or more",
                           name, row + 1, weights[row]);
    return PARTAN_OK;
}

partan_status pt_weights_check_sum(partan_context *context, const char *name, const double *weights, size_t rows)
{
    for (size_t row = 0; row < rows; row++)
        if (weights[row] > 0)
            return PARTAN_OK;
    return pt_fail(context, PARTAN_ERROR_DATA, "%s: all rows have weight 0, expected one above 0", name);
}

partan_status partan_data_set_weights(partan_context *context, partan_data *data, const double *weights)
{
    PT_REQUIRE(context, context && data);
    size_t rows = data->matrix.rows;
    double *copy = NULL;
    if (weights) {
        partan_status status = pt_weights_check(context, data->name, weights, rows);
        if (!status)
            status = pt_weights_check_sum(context, data->name, weights, rows);
        if (status)
            return status;
        copy = pt_copy(data->context, weights, rows, sizeof *weights);
        if (!copy)
            return pt_out_of_memory(context, "weights");
    }
    pt_free(data->context, data->weights);
    data->weights = copy;
    return PARTAN_OK;
}

double partan_data_weight(const partan_data *data, size_t row)
{
    return pt_data_weight(data, row);
}

int partan_data_has_weights(const partan_data *data)
{
    return data->weights != NULL;
}
