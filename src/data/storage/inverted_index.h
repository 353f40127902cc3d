/* An inverted index of sparse rows: for each feature, which rows have it and with what values. A product with a vertex
 * then visits only the rows that share a feature with it, instead of all nonzeros of all rows. */
#ifndef PT_INVERTED_INDEX_H
#define PT_INVERTED_INDEX_H

#include "data/storage/matrix.h"

#define PT_INDEX_PART_ROWS 65536 /* rows at most: places in a list are 16 bits */

/* The rows of one feature: `count` places from `start` on, none for most features. Of a feature that many rows have,
 * the values are kept as a dense column over all rows instead, zeros included; `start` is then the column's number. */
typedef struct pt_index_list {
    uint32_t start;
    uint32_t count;
} pt_index_list;

#define PT_DENSE_COLUMN UINT32_MAX /* the count of a feature that has a dense column */

/* The index of some consecutive rows. */
typedef struct pt_index_part {
    partan_context *context;
    size_t first, rows; /* of the matrix; `first` is a multiple of PT_TILE */
    size_t stride;      /* rows, in whole tiles */
    size_t features;
    pt_index_list *lists;
    uint16_t *where; /* rows from `first` on, ascending in each list */
    float *values;
    float *dense;     /* [column * stride + row] */
    int32_t *touched; /* the features that have lists */
    size_t touched_count;
    size_t where_capacity, value_capacity, dense_capacity, touched_capacity;
} pt_index_part;

/* Room for lists of a matrix's features; no row is in them yet. Out of memory is the only failure, here and below. */
partan_status pt_index_part_init(pt_index_part *part, partan_context *context, size_t features);
void pt_index_part_free(pt_index_part *part);
/* Replaces the contents by rows first .. first + rows - 1 of a sparse matrix. Takes time in proportion to their
 * nonzeros, whatever the number of features. */
partan_status pt_index_part_fill(pt_index_part *part, const pt_matrix *matrix, size_t first, size_t rows);
size_t pt_index_part_bytes(const pt_index_part *part);

/* All rows of a matrix, in parts. */
typedef struct pt_index {
    partan_context *context;
    pt_index_part *parts;
    size_t count;
    size_t tiles; /* of the matrix; part p has tiles pt_index_tile(p) .. pt_index_tile(p + 1) - 1 */
} pt_index;

static inline size_t pt_index_tile(const pt_index *index, size_t part)
{
    return index->tiles * part / index->count;
}

/* An index in an even number of parts of `rows` rows or fewer each. */
partan_status pt_index_make(pt_index *index, const pt_matrix *matrix, size_t rows);
void pt_index_free(pt_index *index);

#endif
