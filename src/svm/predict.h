/* Prediction for data that a model's features have been matched with, and scaled as they are. */
#ifndef PT_PREDICT_H
#define PT_PREDICT_H

#include "svm/model/model.h"

/* Of a model of two classes, one value a row. */
partan_status pt_predict_rows(partan_context *context, const partan_model *model, const partan_data *data,
                              double *decision);

#endif
