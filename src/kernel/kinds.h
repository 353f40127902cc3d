/* What there is to know of each kernel function, but for its fast code (kernel/block.h): the table is kinds.c. */
#ifndef PT_KERNEL_KINDS_H
#define PT_KERNEL_KINDS_H

#include <stdbool.h>

#include "kernel/kernel.h"

/* What a kernel is a function of. */
typedef enum pt_metric {
    PT_METRIC_DOT,     /* x'z */
    PT_METRIC_SQUARES, /* |x-z|^2 */
    PT_METRIC_ABSOLUTE /* |x-z|_1 */
} pt_metric;

typedef struct pt_kernel_kind {
    bool gamma, coef0, degree; /* the parameters that it uses */
    bool libsvm;               /* LIBSVM has it too, by the same name */
    /* All below is not for precomputed kernels, whose values are looked up. */
    bool decays; /* it is exp(-gamma u), of a distance u: k(x, x) = 1; or that less 1 */
    pt_metric metric;
    double (*of)(const pt_kernel *kernel, double u); /* its value, where that measure is u */
    /* The error of a float32 value in units of its precision, for a row of squared norm `squared` and vertices of at
     * most `longest`: prediction computes again what is nearer to the boundary. */
    double (*error)(const pt_kernel *kernel, double squared, double longest);
} pt_kernel_kind;

const pt_kernel_kind *pt_kernel_kind_of(partan_kernel kind);

#endif
