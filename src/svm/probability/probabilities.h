/* Probabilities of many rows, by all threads. */
#ifndef PT_PROBABILITIES_H
#define PT_PROBABILITIES_H

#include "svm/model/model.h"

/* What each thread needs; to be closed also on failure. */
typedef struct pt_probabilities {
    partan_context *context;
    const partan_model *model;
    double *rooms; /* of each thread */
} pt_probabilities;

partan_status pt_probabilities_open(pt_probabilities *p, partan_context *context, const partan_model *model);
void pt_probabilities_close(pt_probabilities *p);

/* Those of some rows, from their decision values, into `values`. */
void pt_probabilities_fill(const pt_probabilities *p, const double *decision, size_t rows, double *values);

#endif
