/* How far predicted numbers are from the labels. */
#include <math.h>

#include "svm/evaluate.h"

/* The mean of the labels, and how many there are. */
static double mean_label(const partan_data *data, uint64_t *labelled)
{
    double mean = 0;
    *labelled = 0;
    for (size_t row = 0; row < data->matrix.rows; row++) {
        double label = partan_data_label(data, row);
        if (!isnan(label))
            mean += (label - mean) / (double)++*labelled; /* a running mean does not overflow */
    }
    return mean;
}

partan_status pt_evaluate_numbers(partan_context *context, const partan_data *data, const double *predicted,
                                  partan_evaluation *found)
{
    double mean = mean_label(data, &found->labelled), squares = 0, sizes = 0, variance = 0;
    if (data->words && found->labelled > 0)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: found label '%.40s', the model predicts numbers", data->name,
                       data->words[0]);
    for (size_t row = 0; row < data->matrix.rows; row++) {
        double label = partan_data_label(data, row), error = label - predicted[row];
        if (isnan(label))
            continue;
        squares += error * error;
        sizes += fabs(error);
        variance += (label - mean) * (label - mean);
    }
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
