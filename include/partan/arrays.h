/* Data sets from the arrays of a program, and prediction from arrays. */
#ifndef PARTAN_ARRAYS_H
#define PARTAN_ARRAYS_H

#include <stddef.h>
#include <stdint.h>

#include "partan/data.h"
#include "partan/lasso.h"
#include "partan/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum partan_type {
    PARTAN_FLOAT32 = 0,
    PARTAN_FLOAT64 = 1, /* converted to float32, in which all data is stored */
    PARTAN_INT32 = 2,   /* indices and offsets only */
    PARTAN_INT64 = 3    /* indices and offsets only */
} partan_type;

#define PARTAN_CONTIGUOUS INT64_MIN

/* A matrix of any order: the value of row i and feature j is values[i * row_stride + j * column_stride]. Strides count
 * values, not bytes, and may be zero or negative. By default they are those of a contiguous matrix in C order. */
typedef struct partan_dense {
    size_t struct_size;
    const void *values;
    partan_type type; /* PARTAN_FLOAT32 or PARTAN_FLOAT64; default PARTAN_FLOAT32 */
    size_t rows;
    size_t features;
    int64_t row_stride;    /* default PARTAN_CONTIGUOUS: the number of features */
    int64_t column_stride; /* default PARTAN_CONTIGUOUS: 1 */
} partan_dense;

PARTAN_DECLARE_INIT(partan_dense)

typedef enum partan_compression_order {
    PARTAN_CSR = 0, /* compressed rows */
    PARTAN_CSC = 1  /* compressed columns */
} partan_compression_order;

/* A sparse matrix as SciPy stores it. Row i (CSR; column i for CSC) consists of the entries offsets[i] ..
 * offsets[i+1]-1 of indices and values. Indices count from 0; those of a row are ascending (CSR), none occurs twice.
 * Explicit zeros are allowed. */
typedef struct partan_sparse {
    size_t struct_size;
    partan_compression_order order; /* default PARTAN_CSR */
    size_t rows;
    size_t features;
    size_t count;        /* length of indices and values */
    const void *offsets; /* rows + 1 (CSR) or features + 1 (CSC) of them */
    const void *indices;
    const void *values;
    partan_type offset_type; /* PARTAN_INT32 or PARTAN_INT64; default PARTAN_INT64 */
    partan_type index_type;  /* PARTAN_INT32 or PARTAN_INT64; default PARTAN_INT32 */
    partan_type value_type;  /* PARTAN_FLOAT32 or PARTAN_FLOAT64; default PARTAN_FLOAT32 */
} partan_sparse;

PARTAN_DECLARE_INIT(partan_sparse)

typedef struct partan_array_options {
    size_t struct_size;
    partan_storage storage;
    const double *labels;             /* one per row, NaN for a row without; NULL, the default: no labels */
    const char *const *words;         /* labels that are words: one per row, NULL or "" for a row without */
    const char *const *feature_names; /* one per feature; NULL, the default: no names */
    int borrow;                       /* 1: use the arrays without copying them where possible; default 0 */
    const double *weights;            /* one per row, as for partan_data_set_weights; NULL, the default: all 1 */
    int precomputed; /* 1: rows of a kernel matrix, in dense storage; column i is that of row i; default 0 */
} partan_array_options;

PARTAN_DECLARE_INIT(partan_array_options)

/* Make a data set. options may be NULL: all defaults. NaN, infinities, and numbers beyond the range of float32 are
 * refused (PARTAN_ERROR_DATA); the message names row and feature, counted from 1 as in files.
 *
 * Copies. Labels, words, names and weights are always copied. Without `borrow` the values are copied too, and the
 * arrays are no longer needed when the function returns. With `borrow`, indices and values of a CSR matrix with 32-bit
 * indices and float32 values are used in place if the data set's storage is sparse (PARTAN_STORAGE_SPARSE, or chosen by
 * PARTAN_STORAGE_AUTO) and there are no explicit zeros: they must stay unchanged until partan_data_free, and are only
 * read. What cannot be borrowed is copied; partan_data_is_borrowed tells. Dense rows are always copied, because the
 * kernels work on tiles of 16 rows with the same feature of all rows side by side. */
PARTAN_API partan_status partan_data_from_dense(partan_context *context, const partan_dense *array,
                                                const partan_array_options *options, partan_data **data);
PARTAN_API partan_status partan_data_from_sparse(partan_context *context, const partan_sparse *array,
                                                 const partan_array_options *options, partan_data **data);

PARTAN_API int partan_data_is_borrowed(const partan_data *data); /* 1: uses arrays of the program */

/* Predict rows without making a data set first: partan_predict and partan_lasso_predict for arrays. The values are, to
 * the last bit, those for a data set of the same rows in dense storage (partan_dense) or sparse storage
 * (partan_sparse), one per row; where all values are 0 or 1 and the model's are, too (its storage is bits), those for a
 * data set in packed bits, as files are read. Sparse rows may have fewer features than the model. The arrays are only
 * read, and only during the call. */
PARTAN_API partan_status partan_predict_dense(partan_context *context, const partan_model *model,
                                              const partan_dense *array, double *decision);
PARTAN_API partan_status partan_predict_sparse(partan_context *context, const partan_model *model,
                                               const partan_sparse *array, double *decision);
PARTAN_API partan_status partan_lasso_predict_dense(partan_context *context, const partan_lasso *model,
                                                    const partan_dense *array, double *values);
PARTAN_API partan_status partan_lasso_predict_sparse(partan_context *context, const partan_lasso *model,
                                                     const partan_sparse *array, double *values);

#ifdef __cplusplus
}
#endif

#endif
