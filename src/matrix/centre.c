/* Offsets: the mean of all values, then of each row, then of each column, each of what is left by those before. */
#include <string.h>

#include "matrix/matrix.h"

partan_status pt_offsets_make(partan_context *context, pt_offsets *offsets, size_t rows, size_t columns)
{
    *offsets = (pt_offsets){.row = pt_alloc_zero(context, rows, sizeof(double)),
                            .column = pt_alloc_zero(context, columns, sizeof(double))};
    return offsets->row && offsets->column ? PARTAN_OK : pt_out_of_memory(context, "offsets");
}

void pt_offsets_free(partan_context *context, pt_offsets *offsets)
{
    pt_free(context, offsets->row);
    pt_free(context, offsets->column);
}

static void take_mean(const partan_ratings *ratings, pt_offsets *offsets, double *centred)
{
    double sum = 0;
    for (size_t k = 0; k < ratings->count; k++)
        sum += centred[k];
    offsets->mean = sum / (double)ratings->count;
    for (size_t k = 0; k < ratings->count; k++)
        centred[k] -= offsets->mean;
}

static void take_rows(const partan_ratings *ratings, pt_offsets *offsets, double *centred)
{
    for (size_t i = 0; i < ratings->rows.count; i++) {
        int64_t begin = ratings->starts[i], end = ratings->starts[i + 1];
        for (int64_t k = begin; k < end; k++)
            offsets->row[i] += centred[k] / (double)(end - begin);
        for (int64_t k = begin; k < end; k++)
            centred[k] -= offsets->row[i];
    }
}

/* The mean of what is left in each column. */
static void take_columns(const partan_ratings *ratings, pt_offsets *offsets, int64_t *counts, double *centred)
{
    for (size_t k = 0; k < ratings->count; k++) {
        offsets->column[ratings->column[k]] += centred[k];
        counts[ratings->column[k]]++;
    }
    for (size_t j = 0; j < ratings->columns.count; j++)
        offsets->column[j] = counts[j] > 0 ? offsets->column[j] / (double)counts[j] : 0;
    for (size_t k = 0; k < ratings->count; k++)
        centred[k] -= offsets->column[ratings->column[k]];
}

partan_status pt_offsets_find(const partan_ratings *ratings, partan_centre centre, pt_offsets *offsets, double *centred)
{
    int64_t *counts = pt_alloc_zero(ratings->context, ratings->columns.count, sizeof *counts);
    if (!counts)
        return pt_out_of_memory(ratings->context, "offsets");
    memcpy(centred, ratings->value, ratings->count * sizeof *centred);
    if (centre != PARTAN_CENTRE_NONE)
        take_mean(ratings, offsets, centred);
    if (centre == PARTAN_CENTRE_ROWS || centre == PARTAN_CENTRE_BOTH)
        take_rows(ratings, offsets, centred);
    if (centre == PARTAN_CENTRE_COLUMNS || centre == PARTAN_CENTRE_BOTH)
        take_columns(ratings, offsets, counts, centred);
    pt_free(ratings->context, counts);
    return PARTAN_OK;
}
