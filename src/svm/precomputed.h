/* Precomputed kernels to train on: whether the rows are those of a kernel matrix. */
#ifndef PT_PRECOMPUTED_H
#define PT_PRECOMPUTED_H

#include "data/data.h"

/* Every row has a column of its own, and the matrix of all rows is symmetric, to rounding. */
partan_status pt_check_kernel_matrix(partan_context *context, const partan_data *data);

#endif
