/* Probabilities of classes from decision values: a sigmoid for each machine, and what those of several machines come
 * to together. */
#ifndef PT_MODEL_PROBABILITY_H
#define PT_MODEL_PROBABILITY_H

#include <stddef.h>
#include <stdint.h>

#include "partan/model.h"

/* P(positive | decision value f) = 1 / (1 + exp(slope f + offset)), as Platt and LIBSVM write it: slope is negative
 * where greater values speak for the positive class. */
typedef struct pt_sigmoid {
    double slope, offset;
} pt_sigmoid;

double pt_sigmoid_at(pt_sigmoid sigmoid, double decision);

/* The probabilities p of `classes` classes that agree best with those of pairs, by the second method of Wu, Lin and
 * Weng, "Probability Estimates for Multi-class Classification by Pairwise Coupling" (JMLR 5, 2004), equation 20: the
 * least p'Qp with sum 1. `pairs` has P(i | i or j) at [i * classes + j], both of each pair, above 0 and below 1; it is
 * overwritten by Q. `room` is for as many numbers as there are classes. Ends when no entry of Qp is further than
 * `tolerance` from p'Qp, or after `most` rounds. */
void pt_couple(size_t classes, double *pairs, double *room, double tolerance, size_t most, double *probabilities);

/* The model has its sigmoids, which were fitted on so many folds, and decides by them. */
void pt_calibrated(partan_model *model, int64_t folds);

/* Of a model with sigmoids: the probabilities of all classes from the decision values of a row. `room` is for
 * pt_probability_room numbers. */
size_t pt_probability_room(const partan_model *model);
void pt_class_probabilities(const partan_model *model, const double *decision, double *room, double *probabilities);

/* The class of greatest probability; of several, the first. */
int32_t pt_most_probable(const double *probabilities, size_t classes);

/* The same from the decision values of a row; -1: out of memory, which only models of many classes need. */
int32_t pt_decide_by_probability(const partan_model *model, const double *decision);

#endif
