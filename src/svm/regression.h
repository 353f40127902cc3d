/* What the gap of a regression is relative to (docs/regression.md): the lower bound -f that its weights give of the
 * training objective P. Weights of an objective f above 0 give none that is positive: next to nothing of P = gap - f
 * stands for it, so that no gap is small. */
#ifndef PT_SVM_REGRESSION_H
#define PT_SVM_REGRESSION_H

#include <math.h>

#define PT_LEAST_UNIT 1e-14

static inline double pt_regression_unit(double objective, double gap)
{
    return fmax(-objective, PT_LEAST_UNIT * (gap - objective));
}

static inline double pt_regression_relative(double objective, double gap)
{
    return gap == 0 ? 0 : gap / pt_regression_unit(objective, gap);
}

#endif
