/* What the two files of the exact kernels share: a kernel as a function of one number, the product or the distance of
 * two points. */
#ifndef PT_EXACT_H
#define PT_EXACT_H

#include "kernel/kernel.h"

typedef enum pt_metric {
    PT_METRIC_DOT,     /* x'z */
    PT_METRIC_SQUARES, /* |x-z|^2 */
    PT_METRIC_ABSOLUTE /* |x-z|_1 */
} pt_metric;

/* What the kernel is a function of; not for precomputed kernels. */
pt_metric pt_kernel_metric(partan_kernel kind);

/* The kernel's value where that measure is u. */
double pt_kernel_of(const pt_kernel *kernel, double u);

#endif
