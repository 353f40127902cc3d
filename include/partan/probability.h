/* Probabilities of classes: models that were trained with settings.probability, or LIBSVM's with probA and probB. */
#ifndef PARTAN_PROBABILITY_H
#define PARTAN_PROBABILITY_H

#include <stddef.h>
#include <stdint.h>

#include "partan/svm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 1 if a model has probabilities; and on how many folds they were calibrated (0: none, or unknown, from a LIBSVM
 * file). */
PARTAN_API int partan_model_has_probability(const partan_model *model);
PARTAN_API size_t partan_model_probability_folds(const partan_model *model);

/* The sigmoid of machine i: P(its positive class | decision value f) = 1 / (1 + exp(slope f + offset)).
 * PARTAN_ERROR_ARGUMENT if the model has no probabilities. */
PARTAN_API partan_status partan_model_sigmoid(const partan_model *model, size_t i, double *slope, double *offset);

/* Whether partan_model_decide and partan_evaluate take the most probable class for the prediction. With native models
 * that have probabilities this is so from the start; models read from LIBSVM files decide by votes until it is asked
 * for, as svm-predict does without -b 1. PARTAN_ERROR_ARGUMENT if it is asked for and the model has no probabilities.
 * Not to be called while other threads use the model. */
PARTAN_API partan_status partan_model_use_probability(partan_model *model, int use);

/* Computes the probabilities of the classes of `rows` rows from the decision values that partan_predict,
 * partan_predict_dense or partan_predict_sparse gave: partan_model_class_count values for each row, in the order of the
 * class numbers, one row after the other. Those of a row add up to 1. The prediction is the class of greatest
 * probability, of equal ones the first. PARTAN_ERROR_ARGUMENT if the model has no probabilities. */
PARTAN_API partan_status partan_probabilities(partan_context *context, const partan_model *model,
                                              const double *decision, size_t rows, double *probabilities);

/* A bin of a reliability diagram: the rows whose probability is from `least` up to the next bin's. Of two classes the
 * probability is that of class 1, and rows of class 1 are hits; of more, it is that of the predicted class, and correct
 * predictions are hits. */
typedef struct partan_reliability_bin { /* complete: it will get no more fields */
    double least;
    uint64_t rows, hits;
    double probability; /* mean of these rows; NaN if there are none */
} partan_reliability_bin;

/* Counts the rows with a label of a class of the model in `count` bins of equal width, from the decision values that
 * partan_predict computed for `data`. */
PARTAN_API partan_status partan_reliability(partan_context *context, const partan_model *model, const partan_data *data,
                                            const double *decision, size_t count, partan_reliability_bin *bins);

#ifdef __cplusplus
}
#endif

#endif
