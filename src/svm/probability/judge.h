/* Predictions of many rows, and what probabilities are worth where labels are known. */
#ifndef PT_JUDGE_H
#define PT_JUDGE_H

#include "partan/svm.h"
#include "svm/model/model.h"

/* The predicted class of each row into `predicted`; into `scores`, unless it is NULL, how much is said for each class
 * of each row, by what the model predicts by; and log-loss and Brier score into *found, from the rows' classes
 * (svm/labels.h); both are NaN where the model does not use probabilities. Of processes that judge together
 * (context->comm) each has its rows, and all get the scores of all rows. */
partan_status pt_judge(partan_context *context, const partan_model *model, const double *decision,
                       const int32_t *class_of, size_t rows, int32_t *predicted, double *scores,
                       partan_evaluation *found);

#endif
