/* Weights on the command line: of rows, from a file, and of classes. A column of weights is an option of reading. */
#ifndef CLI_WEIGHTS_H
#define CLI_WEIGHTS_H

#include "command.h"
#include "json.h"

extern const option_set training_weights_set; /* --weights --class-weight */
extern const option_set row_weights_set;      /* --weights */

/* Before data is read: whether --weights can be used as it was given. Returns an exit code. */
int row_weights_check(invocation *run);
/* Gives data that was read the weights of --weights, if it was given. Returns an exit code. */
int row_weights_apply(invocation *run, partan_data *data);

/* Sets what was given as --class-weight. The list of it lives as long as the run. Returns an exit code. */
int class_weights_apply(invocation *run, partan_settings *settings);
void class_weights_free(invocation *run);

/* ---- Reports ---- */

typedef struct row_weights {
    bool there;
    double sum;
    uint64_t zeros; /* rows of weight 0 */
} row_weights;

row_weights row_weights_of(const partan_data *data);
/* Of the rows of all processes that work together; known to the first one. */
row_weights row_weights_of_all(const invocation *run, const partan_data *data);
void print_weights(FILE *file, row_weights found);           /* a line, or nothing where there are none */
void json_weights(json *out, row_weights found);             /* null where there are none */
void print_row_weights(FILE *file, const partan_data *data); /* the same of a data set */
void json_row_weights(json *out, const partan_data *data);

/* A line with the weights of a model's classes, where they are not both 1. */
void print_class_weights(FILE *file, const partan_model *model, bool balanced);
void json_model_class_weights(json *out, const partan_model *model);
/* What was asked for, of trainings of which each may have its own. */
void json_class_weights(json *out, const invocation *run);

#endif
