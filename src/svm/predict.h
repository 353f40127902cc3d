/* Prediction for data that a model's features have been matched with, and scaled as they are. */
#ifndef PT_PREDICT_H
#define PT_PREDICT_H

#include "svm/model/model.h"

/* Of a model of two classes, one value a row. `summed`: the values are there already but for the bias, from float32
 * kernel values, and only those whose sign is not certain are computed, in double precision. */
partan_status pt_predict_rows(partan_context *context, const partan_model *model, const partan_data *data, bool summed,
                              double *decision);

/* Whether float32 kernel values serve a kernel, and their sums are best made value by value. */
bool pt_predicts_by_sums(const pt_kernel *kernel);

#endif
