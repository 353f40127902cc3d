/* How many of a data set's labels a model predicts. */
#ifndef CLI_ACCURACY_H
#define CLI_ACCURACY_H

#include "command.h"

typedef struct accuracy {
    uint64_t labelled, correct;
} accuracy;

accuracy count_correct(const partan_model *model, const partan_data *data, const double *decision);
double accuracy_share(accuracy of); /* NaN when nothing has a label */

#endif
