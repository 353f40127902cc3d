/* A scaling: one linear map a feature, fitted on one data set and applied to others. */
#ifndef PT_SCALE_H
#define PT_SCALE_H

#include "data/names.h"

/* What a feature was fitted to: least and greatest value (min-max), or mean and standard deviation (standardise). */
typedef struct pt_range {
    double a, b;
} pt_range;

struct partan_scaling {
    partan_context *context;
    partan_scaling_kind kind;
    double lower, upper; /* min-max only */
    size_t features;
    size_t count; /* features with a range; the others are 0 in all rows, and stay it */
    pt_range *ranges;
    int32_t *indices; /* of those with a range, ascending; NULL: all have one */
    size_t range_capacity, index_capacity;
    pt_feature_names names; /* of the features of the data that it was fitted to */
};

/* partan_scaling_fit for the rows of several processes (comm; NULL: one), each of which has a part; all get the
 * scaling. A failure of one is that of all. */
partan_status pt_scaling_fit(partan_context *context, pt_comm *comm, const partan_data *data, partan_scaling_kind kind,
                             double lower, double upper, partan_scaling **scaling);

partan_status pt_scaling_create(partan_context *context, partan_scaling_kind kind, partan_scaling **scaling);

/* The text of a scaling file: to and from memory. `name` is that of the file, for messages. */
void pt_scaling_put(FILE *file, const partan_scaling *scaling);
partan_status pt_scaling_parse(partan_context *context, const char *name, const char *text, size_t size,
                               partan_scaling **scaling);

partan_status pt_scaling_copy(const partan_scaling *source, partan_scaling **copy);

/* A range for a feature, from 0, after those that have one; when all are there, indices without gaps are given up. */
partan_status pt_scaling_add(partan_scaling *scaling, size_t feature, pt_range range);
void pt_scaling_settle(partan_scaling *scaling);

/* The bounds of min-max: finite, in float32 too, and lower < upper. */
bool pt_scaling_bounds_valid(double lower, double upper);

/* The number, from 0, of the range of a feature; -1: it has none. And back. */
int64_t pt_scaling_find(const partan_scaling *scaling, size_t feature);
size_t pt_scaling_feature(const partan_scaling *scaling, size_t range);

/* The image of a value, by the number of its feature's range. A constant feature carries no information: it becomes 0,
 * which also keeps data sparse. */
double pt_scaling_map(const partan_scaling *scaling, size_t range, double value);

#endif
