/* Segments: growing runs of rows, filled by readers and generators. */
#include <string.h>

#include "data/storage/matrix.h"

#define SPARE 1.1 /* room, where rows to come may be longer than those that are there */

void pt_segment_init(pt_segment *segment, partan_context *context)
{
    *segment = (pt_segment){.context = context, .binary = true};
}

void pt_segment_free(pt_segment *segment)
{
    pt_free(segment->context, segment->offsets);
    pt_free(segment->context, segment->indices);
    pt_free(segment->context, segment->values);
    pt_segment_init(segment, segment->context);
}

void pt_segment_clear(pt_segment *segment)
{
    segment->rows = segment->count = segment->features = 0;
    segment->nonzeros = 0;
    segment->binary = true;
}

/* Rows without gaps so far need no indices; the first row with one makes them necessary for all. */
static partan_status write_indices(pt_segment *segment, size_t need)
{
    bool missing = !segment->indices;
    partan_status status = pt_reserve(segment->context, (void **)&segment->indices, &segment->index_capacity,
                                      missing ? 0 : segment->count, need, sizeof *segment->indices);
    if (status || !missing)
        return status;
    for (size_t row = 0; row < segment->rows; row++)
        for (int64_t k = segment->offsets[row]; k < segment->offsets[row + 1]; k++)
            segment->indices[k] = (int32_t)(k - segment->offsets[row]);
    return PARTAN_OK;
}

static partan_status make_room(pt_segment *segment, size_t count, bool gaps)
{
    partan_context *context = segment->context;
    if (count > SIZE_MAX / 2 - segment->count)
        return PARTAN_ERROR_MEMORY;
    partan_status status = pt_reserve(context, (void **)&segment->offsets, &segment->row_capacity,
                                      segment->rows ? segment->rows + 1 : 0, segment->rows + 2, sizeof(int64_t));
    size_t need = segment->count + count + (count == 0); /* never NULL, not even for empty rows */
    if (!status)
        status = pt_reserve(context, (void **)&segment->values, &segment->capacity, segment->count, need,
                            sizeof *segment->values);
    if (!status && (gaps || segment->indices))
        status = write_indices(segment, need);
    return status;
}

/* Where there is no such room, rows find out when they come. */
void pt_segment_expect(pt_segment *segment, size_t rows, size_t most)
{
    if (segment->rows == 0 || rows <= segment->rows || rows > SIZE_MAX / 2 / sizeof(int64_t))
        return;
    partan_context *context = segment->context;
    double values = SPARE * (double)segment->count / (double)segment->rows * (double)rows;
    size_t need = values < (double)most ? (size_t)values : most;
    (void)pt_reserve(context, (void **)&segment->offsets, &segment->row_capacity, segment->rows + 1, rows + 2,
                     sizeof(int64_t));
    (void)pt_reserve(context, (void **)&segment->values, &segment->capacity, segment->count, need,
                     sizeof *segment->values);
    if (segment->indices)
        (void)pt_reserve(context, (void **)&segment->indices, &segment->index_capacity, segment->count, need,
                         sizeof *segment->indices);
}

partan_status pt_segment_add(pt_segment *segment, const int32_t *indices, const float *values, size_t count)
{
    bool gaps = indices && count > 0 && (size_t)indices[count - 1] != count - 1;
    partan_status status = make_room(segment, count, gaps);
    if (status)
        return status;
    if (segment->rows == 0)
        segment->offsets[0] = 0;

    size_t nonzeros = 0;
    bool binary = true;
    float *out = segment->values + segment->count;
    for (size_t k = 0; k < count; k++) {
        out[k] = values[k];
        nonzeros += values[k] != 0;
        binary &= (values[k] == 0) | (values[k] == 1);
    }
    if (segment->indices) {
        int32_t *places = segment->indices + segment->count;
        for (size_t k = 0; k < count; k++)
            places[k] = indices ? indices[k] : (int32_t)k;
    }
    size_t features = count == 0 ? 0 : indices ? (size_t)indices[count - 1] + 1 : count;
    if (features > segment->features)
        segment->features = features;
    segment->nonzeros += nonzeros;
    segment->binary = segment->binary && binary;
    segment->count += count;
    segment->rows++;
    segment->offsets[segment->rows] = (int64_t)segment->count;
    return PARTAN_OK;
}
