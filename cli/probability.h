/* Probabilities of classes: what models have, and what predict writes. */
#ifndef CLI_PROBABILITY_H
#define CLI_PROBABILITY_H

#include "command.h"
#include "json.h"

/* "probabilities    calibrated on 5 folds"; nothing where the model has none. */
void print_probability(const partan_model *model, FILE *file);
/* The key "probability": null, or an object with the folds and the sigmoid of each machine. */
void json_probability(json *out, const partan_model *model);

/* After a training that was to calibrate: a warning if it was stopped before it had. */
void warn_of_missing_probability(invocation *run, partan_status status, const partan_model *model, bool wanted);

/* --probability of predict: the prediction is the most probable class, or a failure where the model has no
 * probabilities. Returns an exit code. */
int use_probability(invocation *run, partan_model *model, const char *path);

/* The predictions of all rows with their probabilities, in LIBSVM's format; as CSV or JSON lines where the name ends
 * so. Returns an exit code. */
int write_probabilities(invocation *run, const partan_model *model, const double *decision, size_t rows,
                        const char *path);

/* --reliability of predict: a plot or, where the name ends in .csv, the table of it. Returns an exit code. */
int write_reliability(invocation *run, const partan_model *model, const partan_data *data, const double *decision,
                      const char *path);

#endif
