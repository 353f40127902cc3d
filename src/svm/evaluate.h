/* Evaluations of predicted numbers. Those of classes are in evaluate.c and many/evaluate.c. */
#ifndef PT_EVALUATE_H
#define PT_EVALUATE_H

#include "data/data.h"

/* R^2 and errors of a regression. Fails where labels are words. */
partan_status pt_evaluate_numbers(partan_context *context, const partan_data *data, const double *predicted,
                                  partan_evaluation *found);

#endif
