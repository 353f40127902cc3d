/* A scaling: one linear map a feature, fitted on one data set and applied to others. */
#ifndef PT_SCALE_H
#define PT_SCALE_H

#include "core/context.h"

/* What a feature was fitted to: least and greatest value (min-max), or mean and standard deviation (standardise). */
typedef struct pt_range {
    double a, b;
} pt_range;

struct partan_scaling {
    partan_context *context;
    partan_scaling_kind kind;
    double lower, upper; /* min-max only */
    size_t features, capacity;
    pt_range *ranges;
};

partan_status pt_scaling_create(partan_context *context, partan_scaling_kind kind, partan_scaling **scaling);

/* The bounds of min-max: finite, in float32 too, and lower < upper. */
bool pt_scaling_bounds_valid(double lower, double upper);

/* The image of a value. A constant feature carries no information: it becomes 0, which also keeps data sparse. */
double pt_scaling_map(const partan_scaling *scaling, size_t feature, double value);

#endif
