/* Parts of evaluations: of predicted numbers, and the area under a ROC curve. Those of classes are in evaluate.c and
 * many/evaluate.c. */
#ifndef PT_EVALUATE_H
#define PT_EVALUATE_H

#include "data/data.h"

/* R^2 and errors of a regression. Fails where labels are words. */
partan_status pt_evaluate_numbers(partan_context *context, const partan_data *data, const double *predicted,
                                  partan_evaluation *found);

/* A row's value, and whether it is of the class that large values speak for. */
typedef struct pt_scored {
    double value;
    bool positive;
} pt_scored;

/* The area under the ROC curve, NaN where one of the two classes is missing. Sorts the rows. */
double pt_roc_area(pt_scored *rows, size_t count);

#endif
