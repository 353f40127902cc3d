#include "data/storage/inverted_index.h"

#include <string.h>

/* A list costs a load, a multiplication and a store for each of its rows, one after the other; a dense column a
 * vector's worth of them for every PT_TILE rows. */
#define DENSE_SHARE 6 /* features that a row in so many has get a dense column */

partan_status pt_index_part_init(pt_index_part *p, partan_context *context, size_t features)
{
    *p = (pt_index_part){.context = context, .features = features};
    p->lists = pt_alloc_zero(context, features, sizeof *p->lists);
    return p->lists ? PARTAN_OK : pt_out_of_memory(context, "the inverted index");
}

void pt_index_part_free(pt_index_part *p)
{
    if (!p->context)
        return;
    pt_free(p->context, p->lists);
    pt_free(p->context, p->where);
    pt_free(p->context, p->values);
    pt_free(p->context, p->dense);
    pt_free(p->context, p->touched);
    *p = (pt_index_part){0};
}

size_t pt_index_part_bytes(const pt_index_part *p)
{
    return p->features * sizeof *p->lists + p->where_capacity * sizeof *p->where + p->value_capacity * sizeof *p->values
           + p->dense_capacity * sizeof *p->dense + p->touched_capacity * sizeof *p->touched;
}

static partan_status make_room(pt_index_part *p, size_t nonzeros)
{
    size_t touched = nonzeros < p->features ? nonzeros : p->features;
    if (pt_reserve(p->context, (void **)&p->where, &p->where_capacity, 0, nonzeros, sizeof *p->where)
        || pt_reserve(p->context, (void **)&p->values, &p->value_capacity, 0, nonzeros, sizeof *p->values)
        || pt_reserve(p->context, (void **)&p->touched, &p->touched_capacity, 0, touched, sizeof *p->touched))
        return pt_out_of_memory(p->context, "the inverted index");
    return PARTAN_OK;
}

static void count_rows(pt_index_part *p, const int32_t *indices, size_t nonzeros)
{
    for (size_t i = 0; i < p->touched_count; i++)
        p->lists[p->touched[i]] = (pt_index_list){0, 0};
    p->touched_count = 0;
    for (size_t i = 0; i < nonzeros; i++) {
        pt_index_list *list = &p->lists[indices[i]];
        if (list->count++ == 0)
            p->touched[p->touched_count++] = indices[i];
    }
}

/* Deals out places and columns; `count` is then where the next row goes. */
static partan_status place_lists(pt_index_part *p)
{
    uint32_t start = 0, columns = 0;
    for (size_t i = 0; i < p->touched_count; i++) {
        pt_index_list *list = &p->lists[p->touched[i]];
        if (list->count * (size_t)DENSE_SHARE >= p->rows && p->rows >= PT_TILE) {
            *list = (pt_index_list){columns++, PT_DENSE_COLUMN};
        } else {
            uint32_t count = list->count;
            *list = (pt_index_list){start, 0};
            start += count;
        }
    }
    if (pt_reserve(p->context, (void **)&p->dense, &p->dense_capacity, 0, columns * p->stride, sizeof *p->dense))
        return pt_out_of_memory(p->context, "the inverted index");
    if (columns)
        memset(p->dense, 0, columns * p->stride * sizeof *p->dense);
    return PARTAN_OK;
}

static void put_row(pt_index_part *p, const pt_matrix *matrix, size_t row)
{
    for (int64_t i = matrix->offsets[p->first + row]; i < matrix->offsets[p->first + row + 1]; i++) {
        pt_index_list *list = &p->lists[matrix->indices[i]];
        if (list->count == PT_DENSE_COLUMN) {
            p->dense[list->start * p->stride + row] = matrix->values[i];
        } else {
            size_t at = list->start + list->count++;
            p->where[at] = (uint16_t)row;
            p->values[at] = matrix->values[i];
        }
    }
}

partan_status pt_index_part_fill(pt_index_part *p, const pt_matrix *matrix, size_t first, size_t rows)
{
    size_t from = (size_t)matrix->offsets[first], nonzeros = (size_t)matrix->offsets[first + rows] - from;
    p->first = first;
    p->rows = rows;
    p->stride = (rows + PT_TILE - 1) / PT_TILE * PT_TILE;
    partan_status status = make_room(p, nonzeros);
    if (status)
        return status;
    count_rows(p, matrix->indices + from, nonzeros);
    status = place_lists(p);
    for (size_t row = 0; row < rows && !status; row++)
        put_row(p, matrix, row);
    return status;
}

/* ---- Indexes ---- */

void pt_index_free(pt_index *index)
{
    if (!index->context)
        return;
    for (size_t i = 0; index->parts && i < index->count; i++)
        pt_index_part_free(&index->parts[i]);
    pt_free(index->context, index->parts);
    *index = (pt_index){0};
}

partan_status pt_index_make(pt_index *index, const pt_matrix *matrix, size_t rows)
{
    partan_context *context = matrix->context;
    size_t count = (matrix->rows + 2 * rows - 1) / (2 * rows) * 2;
    *index = (pt_index){.context = context, .count = count, .tiles = matrix->tiles};
    index->parts = pt_alloc_zero(context, count, sizeof *index->parts);
    partan_status status = index->parts ? PARTAN_OK : pt_out_of_memory(context, "the inverted index");
    for (size_t i = 0; i < count && !status; i++) {
        size_t first = pt_index_tile(index, i) * PT_TILE, end = pt_index_tile(index, i + 1) * PT_TILE;
        end = end < matrix->rows ? end : matrix->rows;
        status = pt_index_part_init(&index->parts[i], context, matrix->features);
        if (!status)
            status = pt_index_part_fill(&index->parts[i], matrix, first, end - first);
    }
    if (status)
        pt_index_free(index);
    return status;
}
