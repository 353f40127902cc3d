#include "svm/model/scaling.h"

#include <math.h>

#include "core/number.h"

static partan_status read_kind(pt_scan *scan, partan_model *model)
{
    partan_scaling *scaling = NULL;
    pt_word word = pt_scan_word(scan);
    bool minmax = pt_word_is(word, "minmax");
    if (model->scaling || (!minmax && !pt_word_is(word, "standardise")))
        return pt_scan_fail(scan, word, "the kind of scaling, minmax or standardise, once");
    partan_status status =
        pt_scaling_create(scan->context, minmax ? PARTAN_SCALING_MINMAX : PARTAN_SCALING_STANDARDISE, &scaling);
    model->scaling = scaling;
    if (status || !minmax)
        return status;
    for (int i = 0; i < 2; i++) {
        word = pt_scan_word(scan);
        if (!pt_word_real(word, i ? &scaling->upper : &scaling->lower))
            return pt_scan_fail(scan, word, "the bounds of the scaling, two numbers");
    }
    return pt_scaling_bounds_valid(scaling->lower, scaling->upper)
               ? PARTAN_OK
               : pt_scan_fail(scan, word, "an upper bound above the lower one, within the range of float32");
}

static partan_status read_range(pt_scan *scan, partan_model *model)
{
    int64_t feature;
    pt_range range;
    partan_scaling *scaling = model->scaling;
    pt_word word = pt_scan_word(scan);
    if (!scaling || !pt_word_integer(word, &feature) || feature < 1 || feature > INT32_MAX
        || (size_t)feature <= scaling->features)
        return pt_scan_fail(scan, word, "the number of a feature, ascending, after the kind of scaling");
    word = pt_scan_word(scan);
    if (!pt_word_real(word, &range.a))
        return pt_scan_fail(scan, word, "a number");
    word = pt_scan_word(scan);
    bool minmax = scaling->kind == PARTAN_SCALING_MINMAX;
    if (!pt_word_real(word, &range.b) || (minmax ? range.b < range.a : range.b < 0))
        return pt_scan_fail(scan, word, minmax ? "a maximum that is not below the minimum" : "a standard deviation");
    return pt_scaling_add(scaling, (size_t)feature - 1, range);
}

partan_status pt_model_scaling_read(pt_scan *scan, pt_word key, partan_model *model, bool *taken)
{
    bool kind = pt_word_is(key, "scaling");
    *taken = kind || pt_word_is(key, "range");
    if (!*taken)
        return PARTAN_OK;
    partan_status status = kind ? read_kind(scan, model) : read_range(scan, model);
    return status ? status : pt_scan_line_done(scan);
}

partan_status pt_model_scaling_check(const pt_scan *scan, partan_model *model)
{
    partan_scaling *scaling = model->scaling;
    if (!scaling)
        return PARTAN_OK;
    if (scaling->features > model->features || model->settings.kernel == PARTAN_KERNEL_PRECOMPUTED)
        return pt_fail(scan->context, PARTAN_ERROR_FORMAT,
                       "%s: found a scaling of feature %zu, expected one of the %ju features of the training data",
                       scan->name, scaling->features, (uintmax_t)model->features);
    scaling->features = (size_t)model->features;
    pt_scaling_settle(scaling);
    model->settings.scale = scaling->kind == PARTAN_SCALING_MINMAX ? PARTAN_SCALE_MINMAX : PARTAN_SCALE_STANDARD;
    return PARTAN_OK;
}

static void put_number(FILE *file, double value)
{
    char text[PT_NUMBER_SIZE];
    pt_format_real(text, value);
    fprintf(file, " %s", text);
}

void pt_model_scaling_write(FILE *file, const partan_scaling *scaling)
{
    bool minmax = scaling->kind == PARTAN_SCALING_MINMAX;
    fputs(minmax ? "scaling minmax" : "scaling standardise", file);
    if (minmax) {
        put_number(file, scaling->lower);
        put_number(file, scaling->upper);
    }
    fputc('\n', file);
    for (size_t i = 0; i < scaling->count; i++) {
        fprintf(file, "range %zu", pt_scaling_feature(scaling, i) + 1);
        put_number(file, scaling->ranges[i].a);
        put_number(file, scaling->ranges[i].b);
        fputc('\n', file);
    }
}
