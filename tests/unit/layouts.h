/* Arrays in layouts that bytes decide on, random ones or a fuzzer's, beside a plain matrix of the same values. Every
 * array is an allocation of its own size, and what lies between values is NaN: whoever reads it is found out. */
#ifndef LAYOUTS_H
#define LAYOUTS_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/context.h"

typedef struct byte_source {
    const uint8_t *next, *end;
} byte_source;

/* From 0 to below - 1; 0 when the bytes have ended. */
static inline size_t draw(byte_source *source, size_t below)
{
    return source->next < source->end ? *source->next++ % below : 0;
}

enum { MOST_ROWS = 40, MOST_FEATURES = 12 };

typedef struct plain_matrix {
    size_t rows, features;
    double values[MOST_ROWS][MOST_FEATURES];
    bool refused; /* some value is none that float32 holds */
} plain_matrix;

static inline plain_matrix draw_matrix(byte_source *source)
{
    static const double values[] = {0, 1, 0, 2, 0.5, -3, 1e-3, 255, -0.0, 0.1, 1e39, (double)NAN, (double)INFINITY};
    plain_matrix m = {.rows = 1 + draw(source, MOST_ROWS), .features = 1 + draw(source, MOST_FEATURES)};
    size_t kinds[] = {2, 4, 10, 10, 10, 10, 13}, below = kinds[draw(source, 7)];
    for (size_t i = 0; i < m.rows; i++)
        for (size_t j = 0; j < m.features; j++) {
            m.values[i][j] = values[draw(source, below)];
            m.refused |= !isfinite((float)m.values[i][j]);
        }
    return m;
}

/* What was laid out, to be freed and, before that, to be spoilt. */
typedef struct laid_out {
    void *arrays[3];
    size_t sizes[3];
} laid_out;

static inline void *lay(laid_out *all, int which, size_t bytes)
{
    all->sizes[which] = bytes;
    all->arrays[which] = malloc(bytes ? bytes : 1);
    if (!all->arrays[which])
        abort();
    memset(all->arrays[which], 0xff, bytes); /* NaN, and -1 */
    return all->arrays[which];
}

static inline void discard(laid_out *all)
{
    for (int i = 0; i < 3; i++) {
        if (all->arrays[i])
            memset(all->arrays[i], 0xff, all->sizes[i]);
        free(all->arrays[i]);
    }
    *all = (laid_out){0};
}

static inline void put_value(void *array, partan_type type, size_t at, double value)
{
    if (type == PARTAN_FLOAT32)
        ((float *)array)[at] = (float)value;
    else
        ((double *)array)[at] = value;
}

static inline void put_integer(void *array, partan_type type, size_t at, size_t value)
{
    if (type == PARTAN_INT32)
        ((int32_t *)array)[at] = (int32_t)value;
    else
        ((int64_t *)array)[at] = (int64_t)value;
}

static inline size_t size_of_type(partan_type type)
{
    return type == PARTAN_FLOAT32 || type == PARTAN_INT32 ? 4 : 8;
}

/* Either order, with gaps, in either direction. */
static inline partan_dense lay_dense(const plain_matrix *m, byte_source *source, laid_out *all)
{
    partan_dense array;
    partan_dense_init(&array);
    array.type = draw(source, 2) ? PARTAN_FLOAT64 : PARTAN_FLOAT32;
    array.rows = m->rows;
    array.features = m->features;
    bool by_columns = draw(source, 2) != 0;
    size_t inner = 1 + draw(source, 4) / 3, length = by_columns ? m->rows : m->features;
    size_t outer = inner * length + draw(source, 3), lines = by_columns ? m->features : m->rows;
    size_t count = outer * (lines - 1) + inner * (length - 1) + 1, first = 0;
    bool inner_back = draw(source, 4) == 1, outer_back = draw(source, 4) == 1;
    first = (inner_back ? inner * (length - 1) : 0) + (outer_back ? outer * (lines - 1) : 0);
    char *values = lay(all, 0, count * size_of_type(array.type));
    int64_t inner_stride = inner_back ? -(int64_t)inner : (int64_t)inner;
    int64_t outer_stride = outer_back ? -(int64_t)outer : (int64_t)outer;
    array.row_stride = by_columns ? inner_stride : outer_stride;
    array.column_stride = by_columns ? outer_stride : inner_stride;
    for (size_t i = 0; i < m->rows; i++)
        for (size_t j = 0; j < m->features; j++)
            put_value(values, array.type,
                      (size_t)((int64_t)first + (int64_t)i * array.row_stride + (int64_t)j * array.column_stride),
                      m->values[i][j]);
    array.values = values + first * size_of_type(array.type);
    return array;
}

/* Either order, types of any size, some zeros explicit (*zeros tells), perhaps with something before the first. */
static inline partan_sparse lay_sparse(const plain_matrix *m, byte_source *source, laid_out *all, bool *zeros)
{
    partan_sparse array;
    partan_sparse_init(&array);
    array.order = draw(source, 2) ? PARTAN_CSC : PARTAN_CSR;
    array.rows = m->rows;
    array.features = m->features;
    array.offset_type = draw(source, 2) ? PARTAN_INT64 : PARTAN_INT32;
    array.index_type = draw(source, 2) ? PARTAN_INT64 : PARTAN_INT32;
    array.value_type = draw(source, 2) ? PARTAN_FLOAT64 : PARTAN_FLOAT32;
    bool explicit = draw(source, 3) == 1;
    size_t at = draw(source, 3), lists = array.order == PARTAN_CSR ? m->rows : m->features, most = at + 1;
    size_t length = array.order == PARTAN_CSR ? m->features : m->rows;
    for (size_t i = 0; i < lists; i++)
        for (size_t j = 0; j < length; j++)
            most += explicit || (array.order == PARTAN_CSR ? m->values[i][j] : m->values[j][i]) != 0;
    void *offsets = lay(all, 0, (lists + 1) * size_of_type(array.offset_type));
    void *indices = lay(all, 1, (most - 1) * size_of_type(array.index_type));
    void *values = lay(all, 2, (most - 1) * size_of_type(array.value_type));
    put_integer(offsets, array.offset_type, 0, at);
    *zeros = false;
    for (size_t i = 0; i < lists; i++) {
        for (size_t j = 0; j < length; j++) {
            double value = array.order == PARTAN_CSR ? m->values[i][j] : m->values[j][i];
            if (value == 0 && !explicit)
                continue;
            *zeros |= value == 0;
            put_integer(indices, array.index_type, at, j);
            put_value(values, array.value_type, at++, value);
        }
        put_integer(offsets, array.offset_type, i + 1, at);
    }
    array.count = at;
    array.offsets = offsets;
    array.indices = indices;
    array.values = values;
    return array;
}

/* Whether a data set holds the matrix's values. */
static inline bool holds(const partan_data *data, const plain_matrix *m)
{
    float row[MOST_FEATURES];
    if (partan_data_rows(data) != m->rows || partan_data_features(data) != m->features)
        return false;
    for (size_t i = 0; i < m->rows; i++) {
        partan_data_row(data, i, row);
        for (size_t j = 0; j < m->features; j++)
            if (row[j] != (float)m->values[i][j])
                return false;
    }
    return true;
}

/* Makes a data set of some layout and checks it. Copies must not need the arrays any more, and what is borrowed is what
 * the header says. Returns NULL for data that is refused, as it must be; `all` is to be discarded after the data. */
static inline partan_data *make_of_layout(partan_context *context, const plain_matrix *m, byte_source *source,
                                          laid_out *all, bool *is_right)
{
    static const partan_storage storages[] = {PARTAN_STORAGE_AUTO, PARTAN_STORAGE_DENSE, PARTAN_STORAGE_SPARSE};
    partan_array_options options;
    partan_array_options_init(&options);
    options.storage = storages[draw(source, 3)];
    options.borrow = (int)draw(source, 2);
    partan_data *data = NULL;
    partan_status status;
    bool lends = false;
    if (draw(source, 2)) {
        bool zeros;
        partan_sparse array = lay_sparse(m, source, all, &zeros);
        status = partan_data_from_sparse(context, &array, &options, &data);
        lends = options.borrow && array.order == PARTAN_CSR && array.index_type == PARTAN_INT32
                && array.value_type == PARTAN_FLOAT32 && !zeros && array.count > 0;
    } else {
        partan_dense array = lay_dense(m, source, all);
        status = partan_data_from_dense(context, &array, &options, &data);
    }
    *is_right = status == (m->refused ? PARTAN_ERROR_DATA : PARTAN_OK);
    if (status)
        return NULL;
    lends = lends && partan_data_storage(data) == PARTAN_STORAGE_SPARSE;
    *is_right = *is_right && partan_data_is_borrowed(data) == lends;
    if (!lends)
        discard(all);
    *is_right = *is_right && holds(data, m);
    return data;
}

#endif
