/* Data sets from plain arrays of float32 in one line. */
#ifndef TEST_ARRAYS_H
#define TEST_ARRAYS_H

#include "core/context.h"

static inline partan_array_options array_options(const double *labels, partan_storage storage)
{
    partan_array_options options;
    partan_array_options_init(&options);
    options.labels = labels;
    options.storage = storage;
    return options;
}

static inline partan_status dense_data(partan_context *context, const float *values, size_t rows, size_t features,
                                       size_t stride, const double *labels, partan_storage storage, partan_data **data)
{
    partan_dense array;
    partan_array_options options = array_options(labels, storage);
    partan_dense_init(&array);
    array.values = values;
    array.rows = rows;
    array.features = features;
    array.row_stride = (int64_t)stride;
    return partan_data_from_dense(context, &array, &options, data);
}

static inline partan_status csr_data(partan_context *context, size_t rows, size_t features, const int64_t *offsets,
                                     const int32_t *indices, const float *values, const double *labels,
                                     partan_storage storage, partan_data **data)
{
    partan_sparse array;
    partan_array_options options = array_options(labels, storage);
    partan_sparse_init(&array);
    array.rows = rows;
    array.features = features;
    array.count = offsets[rows] > 0 ? (size_t)offsets[rows] : 0;
    array.offsets = offsets;
    array.indices = indices;
    array.values = values;
    return partan_data_from_sparse(context, &array, &options, data);
}

#endif
