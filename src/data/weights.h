/* Checks of weights, for all ways that they come by. `name` is what messages begin with. */
#ifndef PT_DATA_WEIGHTS_H
#define PT_DATA_WEIGHTS_H

#include "data/data.h"

partan_status pt_weights_check(partan_context *context, const char *name, const double *weights, size_t rows);
/* Of weights that are 0 or more: not all are 0. */
partan_status pt_weights_check_sum(partan_context *context, const char *name, const double *weights, size_t rows);

#endif
