#include "svm/scaled.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/agree.h"
#include "data/parts.h"
#include "data/storage/kept.h"

partan_status pt_scale_to_train(partan_context *context, pt_comm *comm, const partan_data *data, partan_scale scale,
                                partan_scaling **scaling, partan_data **scaled)
{
    partan_scaling_kind kind = scale == PARTAN_SCALE_STANDARD ? PARTAN_SCALING_STANDARDISE : PARTAN_SCALING_MINMAX;
    partan_status status = pt_scaling_fit(context, comm, data, kind, 0, 1, scaling);
    if (status)
        return status;
    status = partan_scaling_apply(context, *scaling, data, PARTAN_STORAGE_AUTO, scaled);
    status = pt_agree(context, comm, status);
    return status || !comm ? status : pt_data_unify(context, comm, PARTAN_STORAGE_AUTO, *scaled);
}

/* ---- Ranges ---- */

#define SPAN 100.0 /* times the span of others that is worth a word */

enum { MOST_ROWS = 1000 }; /* to look at, evenly spaced */

typedef struct span {
    float least, greatest;
    size_t count; /* of nonzeros */
    size_t feature;
} span;

static void look_at_row(const pt_matrix *matrix, size_t row, int32_t *indices, float *values, span *spans)
{
    size_t count = pt_matrix_row(matrix, row, indices, values);
    for (size_t k = 0; k < count; k++) {
        span *s = &spans[indices[k]];
        s->least = s->count == 0 || values[k] < s->least ? values[k] : s->least;
        s->greatest = s->count == 0 || values[k] > s->greatest ? values[k] : s->greatest;
        s->count++;
    }
}

static float size_of(const span *s)
{
    return s->greatest - s->least;
}

static int compare_spans(const void *a, const void *b)
{
    float x = size_of(a), y = size_of(b);
    return (x > y) - (x < y);
}

/* Zeros count as values where a row has none; features that do not vary are left out. Returns how many do. */
static size_t settle(span *spans, size_t features, size_t rows)
{
    size_t varying = 0;
    for (size_t f = 0; f < features; f++) {
        span s = spans[f];
        if (s.count < rows) {
            s.least = fminf(s.least, 0);
            s.greatest = fmaxf(s.greatest, 0);
        }
        s.feature = f;
        if (s.greatest > s.least)
            spans[varying++] = s;
    }
    return varying;
}

static void warn(partan_context *context, const partan_data *data, const span *widest, const span *narrow)
{
    const char *name = partan_data_feature_name(data, widest->feature);
    pt_log(context, PARTAN_LOG_WARNING,
           "%s: features have very different ranges: that of feature %zu%s%.40s%s is %.3g, those of a quarter of the "
           "features are at most %.3g, and features with small ranges hardly affect the model; scale them with --scale "
           "standard or --scale minmax",
           data->name, widest->feature + 1, name ? " ('" : "", name ? name : "", name ? "')" : "",
           (double)size_of(widest), (double)size_of(narrow));
}

void pt_warn_of_ranges(partan_context *context, const partan_data *data, const partan_settings *settings)
{
    const pt_matrix *matrix = &data->matrix;
    bool alike = matrix->storage == PARTAN_STORAGE_BITS || pt_is_hollow(matrix) || data->serials;
    if (!context->options.log || settings->scale != PARTAN_SCALE_NONE || alike)
        return;
    size_t room = pt_matrix_row_room(matrix), rows = matrix->rows < MOST_ROWS ? matrix->rows : MOST_ROWS;
    int32_t *indices = pt_alloc(context, room, sizeof *indices);
    float *values = pt_alloc(context, room, sizeof *values);
    span *spans = pt_alloc_zero(context, matrix->features, sizeof *spans);
    if (indices && values && spans) { /* without memory there is no word */
        for (size_t i = 0; i < rows; i++)
            look_at_row(matrix, i * matrix->rows / rows, indices, values, spans);
        size_t varying = settle(spans, matrix->features, rows);
        qsort(spans, varying, sizeof *spans, compare_spans);
        const span *widest = spans + varying - (varying > 0), *narrow = spans + (varying - (varying > 0)) / 4;
        if (varying > 1 && size_of(widest) > SPAN * size_of(narrow))
            warn(context, data, widest, narrow);
    }
    pt_free(context, indices);
    pt_free(context, values);
    pt_free(context, spans);
}
