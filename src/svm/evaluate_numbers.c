/* How far predicted numbers are from the labels. */
#include <math.h>

#include "core/agree.h"
#include "svm/evaluate.h"

typedef struct numbers {
    const partan_data *data;
    const double *predicted;
    double mean; /* of the labels */
} numbers;

/* The mean of the labels, and how many there are. */
static void add_labels(void *user, double *sums)
{
    const numbers *n = user;
    for (size_t row = 0; row < n->data->matrix.rows; row++) {
        double label = partan_data_label(n->data, row);
        if (!isnan(label))
            sums[0] += (label - sums[0]) / ++sums[1]; /* a running mean does not overflow */
    }
}

/* Errors, squared and as they are, and squared deviations of the labels. */
static void add_errors(void *user, double *sums)
{
    const numbers *n = user;
    for (size_t row = 0; row < n->data->matrix.rows; row++) {
        double label = partan_data_label(n->data, row), error = label - n->predicted[row];
        if (isnan(label))
            continue;
        sums[0] += error * error;
        sums[1] += fabs(error);
        sums[2] += (label - n->mean) * (label - n->mean);
    }
}

static partan_status check_words(partan_context *context, const partan_data *data)
{
    for (size_t row = 0; row < data->matrix.rows && data->words; row++)
        if (!isnan(partan_data_label(data, row)))
            return pt_fail(context, PARTAN_ERROR_DATA, "%s: found label '%.40s', the model predicts numbers",
                           data->name, data->words[0]);
    return PARTAN_OK;
}

partan_status pt_evaluate_numbers(partan_context *context, const partan_data *data, const double *predicted,
                                  partan_evaluation *found)
{
    numbers n = {.data = data, .predicted = predicted};
    double mean[2] = {0}, sums[3] = {0};
    partan_status status = pt_agree(context, context->comm, check_words(context, data));
    if (status)
        return status;
    pt_in_turn(context->comm, add_labels, &n, mean, 2);
    n.mean = mean[0];
    found->labelled = (uint64_t)mean[1];
    pt_in_turn(context->comm, add_errors, &n, sums, 3);
    double squares = sums[0], sizes = sums[1], variance = sums[2];
    double rows = (double)found->labelled;
    found->classes = 0;
    found->accuracy = found->balanced_accuracy = found->macro_f1 = (double)NAN;
    found->auc = found->average_precision = (double)NAN;
    for (int class = 0; class < 2; class ++)
        found->precision[class] = found->recall[class] = found->f1[class] = (double)NAN;
    found->r2 = variance > 0 ? 1 - squares / variance : (double)NAN;
    found->mse = rows > 0 ? squares / rows : (double)NAN;
    found->mae = rows > 0 ? sizes / rows : (double)NAN;
    return PARTAN_OK;
}
