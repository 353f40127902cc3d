/* What the two files of the exact kernels share: a kernel as a function of one number, the product or the distance of
 * two points. */
#ifndef PT_EXACT_H
#define PT_EXACT_H

#include "kernel/kernel.h"

typedef enum pt_measure {
    PT_MEASURE_DOT,     /* x'z */
    PT_MEASURE_SQUARES, /* |x-z|^2 */
    PT_MEASURE_ABSOLUTE /* |x-z|_1 */
} pt_measure;

/* What the kernel is a function of; not for precomputed kernels. */
pt_measure pt_kernel_measure(partan_kernel kind);

/* The kernel's value where that measure is u. */
double pt_kernel_of(const pt_kernel *kernel, double u);

#endif
