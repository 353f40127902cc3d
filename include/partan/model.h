/* Models of support vector machines, and model files of any kind. */
#ifndef PARTAN_MODEL_H
#define PARTAN_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "partan/settings.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct partan_model partan_model;

/* The outcome of a training. */
typedef struct partan_result {
    partan_status status;
    int converged; /* 1: the true gap met the target */
    int64_t iterations;
    double objective;
    double gap;          /* over all rows */
    double relative_gap; /* gap / (2 objective) */
    int gap_is_bound;    /* 1: the run was stopped before the gaps could be computed; they are upper bounds */
    uint64_t support_vectors;
    uint64_t kernel_columns; /* whole columns computed */
    uint64_t kernel_values;  /* values computed, columns included */
    uint64_t cache_hits;     /* columns found in the cache */
    double seconds;          /* training time, including the final pass and the folds of probabilities */
} partan_result;

typedef enum partan_model_format {
    PARTAN_MODEL_NATIVE = 0, /* text; everything, exactly */
    PARTAN_MODEL_LIBSVM = 1  /* text; what svm-predict needs */
} partan_model_format;

PARTAN_API void partan_model_free(partan_model *model);

/* path "-" is standard input or output. Files compressed with gzip, bzip2, xz or zstd are recognised by their content.
 */
PARTAN_API partan_status partan_model_read(partan_context *context, const char *path, partan_model **model);
PARTAN_API partan_status partan_model_write(partan_context *context, const partan_model *model, const char *path,
                                            partan_model_format format);

/* The bytes of a model file in memory, and a model from them. The format is that of partan_model_write; bytes of either
 * format are read, but compressed ones are not recognised. Free *bytes with partan_free and the same context. */
PARTAN_API partan_status partan_model_to_memory(partan_context *context, const partan_model *model,
                                                partan_model_format format, char **bytes, size_t *size);
PARTAN_API partan_status partan_model_from_memory(partan_context *context, const void *bytes, size_t size,
                                                  partan_model **model);

PARTAN_API partan_model_format
partan_model_get_format(const partan_model *model); /* of the file it was read from, or native */
PARTAN_API const partan_result *partan_model_result(const partan_model *model);
PARTAN_API const partan_settings *partan_model_settings(const partan_model *model); /* gamma resolved to its value */
PARTAN_API const char *partan_model_version(const partan_model *model);             /* of the library that trained it */
PARTAN_API uint64_t
partan_model_fingerprint(const partan_model *model); /* of the training data; 0: stopped before it was known */
PARTAN_API size_t partan_model_rows(const partan_model *model); /* of the training data */
PARTAN_API size_t partan_model_features(const partan_model *model);
/* How the training data was read: the name of a feature, counted from 0 (NULL if there was no header); the format
 * (AUTO: from memory, or unknown); the column of the label, counted from 1 (0: none, or not a table), and its name or
 * NULL; the same of the weights. */
PARTAN_API const char *partan_model_feature_name(const partan_model *model, size_t feature);
PARTAN_API partan_format partan_model_data_format(const partan_model *model);
PARTAN_API int64_t partan_model_label_column(const partan_model *model);
PARTAN_API const char *partan_model_label_name(const partan_model *model);
PARTAN_API int64_t partan_model_weight_column(const partan_model *model);
PARTAN_API const char *partan_model_weight_name(const partan_model *model);
PARTAN_API double partan_model_bias(const partan_model *model); /* of two classes, in the unit of partan_predict */
/* Classes are numbered from 0, in ascending order of their labels; of two classes, class 1 is the positive one. There
 * are none in a regression, and two in outlier detection: -1, the outliers, and 1. The text and the number of a class's
 * label.
 */
PARTAN_API size_t partan_model_class_count(const partan_model *model);
PARTAN_API const char *partan_model_label_text(const partan_model *model, int class_number);
PARTAN_API double partan_model_label(const partan_model *model, int class_number);
PARTAN_API int partan_model_has_words(const partan_model *model); /* 1: labels are words */
/* What C was multiplied by for the rows of a class, beside their own weights. */
PARTAN_API double partan_model_class_weight(const partan_model *model, int class_number);

/* Machines. A model of two classes is one machine; of more, it has one for each pair of classes, or for each class. The
 * class for positive decision values and the one for negative ones (-1: all others); the certificate of the training.
 */
typedef struct partan_machine {
    size_t struct_size;
    int positive, negative;
    double bias; /* in the unit of partan_predict */
    partan_result result;
} partan_machine;

PARTAN_DECLARE_INIT(partan_machine)

PARTAN_API size_t partan_model_outputs(const partan_model *model); /* machines: decision values of each row */
PARTAN_API partan_status partan_model_machine(const partan_model *model, size_t i, partan_machine *machine);

/* The class that a row's decision values stand for; -1 in a regression. Of two classes: class 1 if positive. One
 * against the rest: the class of the greatest value. Pairs: the class with most votes; ties are broken by the sum of
 * the decision values for a class, in models read from a LIBSVM file by the order of the classes in it, as svm-predict
 * does. Models that use probabilities (partan_model_use_probability): the most probable class, of equal ones the first;
 * -1 if more than 64 classes need memory that there is not. */
PARTAN_API int partan_model_decide(const partan_model *model, const double *decision);

/* Support vectors. The decision value of a row x is the sum over i of coefficient_i k(support_vector_i, x), plus the
 * bias. partan_model_support gets the weight of support vector i in the simplex, its sign, and its row in the training
 * data (from 0; -1: unknown); the other functions fill arrays with room for all support vectors. Feature values are as
 * the kernel sees them: scaled, if the model has a scaling. Models of more than two classes have coefficients for each
 * machine, one machine after the other, 0 for support vectors that are not its own; partan_model_support fails. Models
 * of precomputed kernels have no features: PARTAN_ERROR_DATA. */
PARTAN_API size_t partan_model_support_count(const partan_model *model);
PARTAN_API partan_status partan_model_support(const partan_model *model, size_t i, double *weight, int *sign,
                                              int64_t *row);
PARTAN_API partan_status partan_model_coefficients(const partan_model *model, double *coefficients);
PARTAN_API partan_status partan_model_support_rows(const partan_model *model, int64_t *rows);

/* The features of one support vector, or of all of them in C order: partan_model_features values each. */
PARTAN_API partan_status partan_model_support_vector(const partan_model *model, size_t i, float *values);
PARTAN_API partan_status partan_model_support_vectors(const partan_model *model, float *values);

/* The same as compressed rows: `offsets` gets one more value than there are support vectors. Call it with indices and
 * values NULL first: the last offset is the number of entries that they must have room for. */
PARTAN_API partan_status partan_model_support_sparse(const partan_model *model, int64_t *offsets, int32_t *indices,
                                                     float *values);

/* A model file of any kind, read into memory: ask for its kind, then call the reader of that kind. */
typedef struct partan_model_file partan_model_file;

typedef enum partan_kind {
    PARTAN_KIND_SVM = 0,   /* partan_model, from a native file or LIBSVM's */
    PARTAN_KIND_LASSO = 1, /* partan_lasso */
    PARTAN_KIND_MATRIX = 2 /* partan_matrix */
} partan_kind;

/* Sets *is_model to 1 if the file begins like a model of any kind; to 0 if not, if it cannot be read, or if it is not a
 * regular file (which could not be read again). */
PARTAN_API partan_status partan_model_recognise(partan_context *context, const char *path, int *is_model);

PARTAN_API partan_status partan_model_file_read(partan_context *context, const char *path, partan_model_file **file);
PARTAN_API partan_status partan_model_file_from_memory(partan_context *context, const void *bytes, size_t size,
                                                       partan_model_file **file); /* copies the bytes */
PARTAN_API void partan_model_file_free(partan_model_file *file);

/* The kind of model, by the first line of the file. */
PARTAN_API partan_status partan_model_file_kind(partan_context *context, const partan_model_file *file,
                                                partan_kind *kind);

/* The same for a file on disk; reads only its beginning. */
PARTAN_API partan_status partan_model_kind_of(partan_context *context, const char *path, partan_kind *kind);

/* Makes a model of the file, which is no longer needed afterwards. */
PARTAN_API partan_status partan_model_from_file(partan_context *context, const partan_model_file *file,
                                                partan_model **model);

#ifdef __cplusplus
}
#endif

#endif
