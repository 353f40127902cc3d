/* Decision values of the machines of a model of more than two classes. Kernel values with a support vector are computed
 * once for all its machines, in float32; then each machine computes again, in double, those of its values whose sign is
 * not certain. */
#include "svm/predict.h"
#include "svm/many/many.h"
#include "svm/meeting.h"

static partan_status sum_once(partan_context *context, const partan_model *model, const partan_data *data,
                              double *decision)
{
    pt_member_weights w;
    pt_meeting meeting;
    pt_kernel kernel = pt_model_kernel(model);
    partan_status status = pt_meeting_open(context, &data->matrix, &model->vectors, &meeting);
    pt_points rows = {.matrix = meeting.rows}, vertices = {.matrix = meeting.vectors};
    if (!status) {
        status = pt_member_weights_make(context, model, true, &w);
        pt_terms terms = {model->machine_count, w.begin, w.machine, w.weight};
        if (!status)
            status = pt_kernel_sums_several(context, &kernel, rows, vertices, model->count, &terms, decision);
        pt_member_weights_free(context, &w);
    }
    pt_meeting_close(&meeting);
    return status;
}

/* One machine's values in `column`, which has sums if these were made for all. */
static partan_status ask(partan_context *context, const partan_model *model, size_t i, const partan_data *data,
                         bool summed, double *column)
{
    partan_model *alone = NULL;
    partan_status status = pt_machine_alone(model, i, &alone);
    if (!status && alone->count == 0) /* LIBSVM's may have none */
        for (size_t row = 0; row < data->matrix.rows; row++)
            column[row] = alone->bias;
    else if (!status)
        status = pt_predict_rows(context, alone, data, summed, column);
    partan_model_free(alone);
    return status;
}

/* Sparse rows go machine by machine: support vectors meet them by an inverted index, which has no sums of several. */
static bool are_summed_once(const partan_model *model, const partan_data *data)
{
    pt_kernel kernel = pt_model_kernel(model);
    return pt_predicts_by_sums(&kernel) && data->matrix.storage != PARTAN_STORAGE_SPARSE
           && model->vectors.storage != PARTAN_STORAGE_SPARSE;
}

partan_status pt_predict_many(partan_context *context, const partan_model *model, const partan_data *data,
                              double *decision)
{
    size_t rows = data->matrix.rows, outputs = model->machine_count;
    double *column = pt_alloc(context, rows, sizeof *column);
    bool summed = are_summed_once(model, data);
    partan_status status = column ? PARTAN_OK : pt_out_of_memory(context, "decision values");
    pt_progress_begin(context, "predict");
    if (!status && summed)
        status = sum_once(context, model, data, decision);
    for (size_t i = 0; i < outputs && !status; i++) {
        for (size_t row = 0; row < rows && summed; row++)
            column[row] = decision[row * outputs + i];
        status = ask(context, model, i, data, summed, column);
        for (size_t row = 0; row < rows && !status; row++)
            decision[row * outputs + i] = column[row];
    }
    if (status == PARTAN_INTERRUPTED)
        pt_interrupt_clear(context);
    pt_free(context, column);
    return status;
}
