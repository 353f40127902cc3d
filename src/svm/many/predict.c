/* Decision values of the machines of a model of more than two classes. Kernel values with a support vector are computed
 * once for all its machines, in float32; then each machine computes again, in double, those of its values whose sign is
 * not certain. */
#include "svm/predict.h"
#include "svm/many/many.h"
#include "svm/meeting.h"

/* ---- The weights of the machines, vector by vector ---- */

typedef struct terms {
    pt_terms terms;
    size_t *begin, *sum;
    double *weight;
} terms;

static void terms_free(partan_context *context, terms *t)
{
    pt_free(context, t->begin);
    pt_free(context, t->sum);
    pt_free(context, t->weight);
}

static partan_status terms_make(partan_context *context, const partan_model *model, terms *t)
{
    size_t all = 0;
    for (size_t m = 0; m < model->machine_count; m++)
        all += model->machines[m]->count;
    *t = (terms){.begin = pt_alloc_zero(context, model->count + 2, sizeof *t->begin),
                 .sum = pt_alloc(context, all, sizeof *t->sum),
                 .weight = pt_alloc(context, all, sizeof *t->weight)};
    if (!t->begin || !t->sum || !t->weight)
        return pt_out_of_memory(context, "the weights of support vectors");
    for (size_t m = 0; m < model->machine_count; m++)
        for (size_t k = 0; k < model->machines[m]->count; k++)
            t->begin[model->machines[m]->members[k] + 2]++;
    for (size_t i = 2; i < model->count + 2; i++)
        t->begin[i] += t->begin[i - 1];
    for (size_t m = 0; m < model->machine_count; m++) {
        const partan_model *machine = model->machines[m];
        for (size_t k = 0; k < machine->count; k++) {
            size_t at = t->begin[machine->members[k] + 1]++;
            t->sum[at] = m;
            t->weight[at] = machine->scale * machine->weights[k] * (double)machine->signs[k];
        }
    }
    t->terms = (pt_terms){model->machine_count, t->begin, t->sum, t->weight};
    return PARTAN_OK;
}

/* ---- All ---- */

static partan_status sum_once(partan_context *context, const partan_model *model, const partan_data *data,
                              double *decision)
{
    terms t;
    pt_meeting meeting;
    pt_kernel kernel = pt_model_kernel(model);
    partan_status status = pt_meeting_open(context, &data->matrix, &model->vectors, &meeting);
    pt_points rows = {.matrix = meeting.rows}, vertices = {.matrix = meeting.vectors};
    if (!status) {
        status = terms_make(context, model, &t);
        if (!status)
            status = pt_kernel_sums_several(context, &kernel, rows, vertices, model->count, &t.terms, decision);
        terms_free(context, &t);
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

/* Sparse rows are faster machine by machine: each has its support vectors met by an inverted index of the rows. */
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
