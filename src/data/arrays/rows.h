/* The caller's arrays as rows of float32: a view where the layout is ours, a converted copy elsewhere. */
#ifndef PT_ARRAY_ROWS_H
#define PT_ARRAY_ROWS_H

#include "data/storage/layout.h"

typedef struct pt_array_rows {
    pt_rows rows; /* compressed ones begin at offset 0 */
    size_t features;
    int64_t *offsets; /* of compressed rows, always our own */
    int32_t *indices; /* copies; NULL: the caller's are used */
    float *values;
} pt_array_rows;

/* Both refuse values that float32 does not hold; rows are to be freed by the context in any case. */
partan_status pt_dense_rows(partan_context *context, const partan_dense *array, pt_array_rows *out);
partan_status pt_sparse_rows(partan_context *context, const partan_sparse *array, pt_array_rows *out);
void pt_array_rows_free(partan_context *context, pt_array_rows *rows);

/* The sentence about a value that is not finite as float32. Row and feature are from 0, and told from 1 as in files. */
partan_status pt_refuse_value(partan_context *context, size_t row, size_t feature, double value);

/* Whether an array begins where its type may; that of no values may begin anywhere. */
partan_status pt_check_array(partan_context *context, const char *what, const void *array, partan_type type,
                             size_t count);

#endif
