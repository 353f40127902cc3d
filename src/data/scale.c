/* A scaling and its map. */
#include "data/scale.h"

#include <float.h>

bool pt_scaling_bounds_valid(double lower, double upper)
{
    return lower >= -FLT_MAX && upper <= FLT_MAX && (float)lower < (float)upper;
}

int64_t pt_scaling_find(const partan_scaling *scaling, size_t feature)
{
    if (!scaling->indices)
        return feature < scaling->count ? (int64_t)feature : -1;
    size_t low = 0, high = scaling->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((size_t)scaling->indices[middle] < feature)
            low = middle + 1;
        else
            high = middle;
    }
    return low < scaling->count && (size_t)scaling->indices[low] == feature ? (int64_t)low : -1;
}

size_t pt_scaling_feature(const partan_scaling *scaling, size_t range)
{
    return scaling->indices ? (size_t)scaling->indices[range] : range;
}

double pt_scaling_map(const partan_scaling *scaling, size_t number, double value)
{
    const pt_range *range = &scaling->ranges[number];
    if (scaling->kind == PARTAN_SCALING_STANDARDISE)
        return range->b > 0 ? (value - range->a) / range->b : 0;
    if (range->a == range->b)
        return 0;
    /* The bounds are met exactly, not to rounding. */
    if (value == range->a)
        return scaling->lower;
    if (value == range->b)
        return scaling->upper;
    return scaling->lower + (scaling->upper - scaling->lower) * ((value - range->a) / (range->b - range->a));
}

partan_status pt_scaling_create(partan_context *context, partan_scaling_kind kind, partan_scaling **scaling)
{
    *scaling = pt_alloc_zero(context, 1, sizeof **scaling);
    if (!*scaling)
        return pt_out_of_memory(context, "a scaling");
    (*scaling)->context = context;
    (*scaling)->kind = kind;
    return PARTAN_OK;
}

void partan_scaling_free(partan_scaling *scaling)
{
    if (!scaling)
        return;
    partan_context *context = scaling->context;
    pt_free(context, scaling->ranges);
    pt_free(context, scaling->indices);
    pt_feature_names_free(context, &scaling->names);
    pt_free(context, scaling);
}

static partan_status copy_ranges(const partan_scaling *source, partan_scaling *copy)
{
    partan_context *context = source->context;
    copy->ranges = pt_copy(context, source->ranges, source->count, sizeof *source->ranges);
    copy->indices = source->indices ? pt_copy(context, source->indices, source->count, sizeof *source->indices) : NULL;
    partan_status status = pt_feature_names_copy(context, &source->names, &copy->names);
    bool done = copy->ranges && (copy->indices || !source->indices);
    return status || done ? status : pt_out_of_memory(context, "the ranges of features");
}

partan_status pt_scaling_copy(const partan_scaling *source, partan_scaling **copy)
{
    partan_status status = pt_scaling_create(source->context, source->kind, copy);
    if (status)
        return status;
    **copy = *source;
    status = copy_ranges(source, *copy);
    if (status) {
        partan_scaling_free(*copy);
        *copy = NULL;
    }
    return status;
}

partan_status pt_scaling_add(partan_scaling *scaling, size_t feature, pt_range range)
{
    partan_context *context = scaling->context;
    size_t count = scaling->count;
    if (pt_reserve(context, (void **)&scaling->ranges, &scaling->range_capacity, count, count + 1,
                   sizeof *scaling->ranges)
        || pt_reserve(context, (void **)&scaling->indices, &scaling->index_capacity, count, count + 1,
                      sizeof *scaling->indices))
        return pt_out_of_memory(context, "the ranges of features");
    scaling->ranges[count] = range;
    scaling->indices[count] = (int32_t)feature;
    scaling->count++;
    scaling->features = scaling->features > feature ? scaling->features : feature + 1;
    return PARTAN_OK;
}

void pt_scaling_settle(partan_scaling *scaling)
{
    if (scaling->count < scaling->features)
        return;
    pt_free(scaling->context, scaling->indices);
    scaling->indices = NULL;
}
