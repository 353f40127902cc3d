/* Decision values of the machines of a model of more than two classes. */
#include "svm/predict.h"
#include "svm/many/many.h"

partan_status pt_predict_many(partan_context *context, const partan_model *model, const partan_data *data,
                              double *decision)
{
    size_t rows = data->matrix.rows;
    double *column = pt_alloc(context, rows, sizeof *column);
    partan_status status = column ? PARTAN_OK : pt_out_of_memory(context, "decision values");
    for (size_t i = 0; i < model->machine_count && !status; i++) {
        partan_model *alone = NULL;
        status = pt_machine_alone(model, i, &alone);
        for (size_t row = 0; row < rows && !status && alone->count == 0; row++)
            column[row] = alone->bias;
        if (!status && alone->count > 0)
            status = pt_predict_rows(context, alone, data, column);
        for (size_t row = 0; row < rows && !status; row++)
            decision[row * model->machine_count + i] = column[row];
        partan_model_free(alone);
    }
    pt_free(context, column);
    return status;
}
