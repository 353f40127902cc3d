/* Sums of linear kernel values over many vertices: sum_j weights_j x'z_j = x'w, w = sum_j weights_j z_j. Both in double
 * precision, whatever the storage. */
#ifndef PT_LINEAR_H
#define PT_LINEAR_H

#include "kernel/kernel.h"

/* Whether w has a reasonable size, and is worth it. */
bool pt_linear_pays(const pt_kernel *kernel, pt_points rows, size_t count);

/* As pt_kernel_sums_exact. */
partan_status pt_linear_sums(partan_context *context, pt_points rows, pt_points vertices, size_t count,
                             const double *weights, double *sums);

#endif
