/* The measures of a few sparse rows against a vertex, in double precision, feature by feature of the vertex. It has
 * an inverted index of its own, made in the plainest way, because it serves to check results of
 * data/storage/inverted_index.h. */
#ifndef PT_EXACT_LISTS_H
#define PT_EXACT_LISTS_H

#include "data/storage/matrix.h"
#include "kernel/exact.h"

/* For each feature, the rows that have it: entries start .. start + count - 1. */
typedef struct pt_lists {
    partan_context *context;
    struct pt_list {
        uint32_t start, count;
    } * lists;
    struct pt_list_entry {
        uint32_t row;
        float value;
    } * entries;
    size_t features;
    size_t rows;
    double *total;           /* each row's own measure: |x|^2, |x|_1, or 0 for products */
    double *met;             /* the part of it in the features of the vertex, */
    double *share;           /* and that of the vertex's measure in the features of the row */
    const pt_matrix *matrix; /* of the rows in the lists, from the `first` on; NULL: none are */
    size_t first;
} pt_lists;

/* `rows` at a time of a sparse matrix, at most. Out of memory is the only failure. */
partan_status pt_lists_init(pt_lists *lists, partan_context *context, const pt_matrix *matrix, size_t rows);
void pt_lists_free(pt_lists *lists);
void pt_lists_fill(pt_lists *lists, const pt_matrix *matrix, size_t first, size_t rows, pt_metric metric);

/* u[i] = product of row first + i with the vertex, or its distance in the metric, exactly 0 where they are equal. */
void pt_lists_measure(const pt_lists *lists, pt_metric metric, const int32_t *indices, const float *values,
                      size_t count, double *u);

#endif
