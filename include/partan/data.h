/* Data sets: reading, splitting, describing and writing them. */
#ifndef PARTAN_DATA_H
#define PARTAN_DATA_H

#include <stddef.h>
#include <stdint.h>

#include "partan/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct partan_data partan_data;

typedef enum partan_storage {
    PARTAN_STORAGE_AUTO = 0,   /* chosen by content and density */
    PARTAN_STORAGE_DENSE = 1,  /* float32, all features of all rows */
    PARTAN_STORAGE_SPARSE = 2, /* float32, nonzeros only */
    PARTAN_STORAGE_BITS = 3,   /* one bit per feature; only for data whose values are all 0 or 1 */
    PARTAN_STORAGE_BYTES = 4   /* one byte per feature; only for multiples 0 .. 255 of one number (pixels, counts) */
} partan_storage;

typedef enum partan_format {
    PARTAN_FORMAT_AUTO = 0, /* from the file extension, else from the first line; writing: as the data was read */
    PARTAN_FORMAT_LIBSVM = 1,
    PARTAN_FORMAT_CSV = 2, /* comma, or semicolon if the first line has no comma; .csv */
    PARTAN_FORMAT_TSV = 3  /* tab; .tsv or .tab */
} partan_format;

PARTAN_API const char *partan_format_name(partan_format format); /* "auto", "libsvm", "csv", "tsv" */

typedef struct partan_read_options {
    size_t struct_size;
    partan_format format;
    partan_storage storage;
    int64_t label_column; /* CSV and TSV: 1 is the first column, -1 the last, 0 means there are no labels; default 1 */
    const char *label_name; /* CSV and TSV with a header: the label column by name; NULL: use label_column */
    int header;             /* CSV and TSV: 1 the first line is a header, 0 it is not, -1 detect (an error if the
                               line has both words and numbers); default -1 */
    int unlabelled;         /* 1: LIBSVM lines may have no label (for prediction); default 0 */
    int precomputed;        /* 1: rows of a kernel matrix; LIBSVM lines begin with 0:serial as in LIBSVM; default 0 */
    uint64_t min_features;  /* at least this many features, padding with zeros; default 0 */
    int64_t weight_column;  /* CSV, TSV and .npy: the column of the rows' weights (partan_data_set_weights), which is no
                               feature: 1 is the first, -1 the last; default 0: none */
    const char *weight_name; /* CSV and TSV with a header: the weight column by name; NULL: use weight_column */
} partan_read_options;

PARTAN_DECLARE_INIT(partan_read_options)

/* Reads a data file; path "-" is standard input. Files compressed with gzip, bzip2, xz or zstd are recognised by their
 * content, and so are NumPy arrays: the label of a two-dimensional .npy array is in the column label_column; a .npz
 * archive has two-dimensional features X, one-dimensional labels y (any names if there is only one of each), and
 * one-dimensional weights if it has an array of this name. */
PARTAN_API partan_status partan_data_read(partan_context *context, const char *path, const partan_read_options *options,
                                          partan_data **data);

/* The extension of a compressed file's name in a path: ".xz" of "a9a.xz"; NULL if it has none. */
PARTAN_API const char *partan_compression(const char *path);

/* Splits a data set in two at random: `second` gets this share of the rows (above 0, below 1), `first` the others, both
 * in the order of the data. The split is stratified: each label has the same share in both, to the nearest row. */
PARTAN_API partan_status partan_data_split(partan_context *context, const partan_data *data, double share,
                                           uint64_t seed, partan_data **first, partan_data **second);

/* Splits a data file into two, copying its lines unchanged. What comes before the first row (a header, comments) is
 * copied to both, later comments to neither. The parts of a compressed file are plain text. `rows` (may be NULL) gets
 * the number of rows of each. */
typedef struct partan_split_options {
    size_t struct_size;
    double share;  /* of the rows, for the second file; default 0.25 */
    uint64_t seed; /* default 1 */
    int stratify;  /* 1: each label has the same share in both files; 0: labels are ignored; default 1 */
} partan_split_options;

PARTAN_DECLARE_INIT(partan_split_options)

PARTAN_API partan_status partan_split_file(partan_context *context, const char *path,
                                           const partan_read_options *reading, const partan_split_options *options,
                                           const char *first, const char *second, uint64_t rows[2]);

PARTAN_API void partan_data_free(partan_data *data);

PARTAN_API size_t partan_data_rows(const partan_data *data);
PARTAN_API size_t partan_data_features(const partan_data *data);
PARTAN_API uint64_t partan_data_nonzeros(const partan_data *data);
PARTAN_API partan_storage partan_data_storage(const partan_data *data);
PARTAN_API const char *partan_storage_name(partan_storage storage); /* "auto", "dense", "sparse", "bits", "bytes" */

/* The label of a row as a number and as text ("1", "spam"); NaN and "" for a row without a label. A label that is a
 * word has its index among the words as number. */
PARTAN_API double partan_data_label(const partan_data *data, size_t row);
PARTAN_API const char *partan_data_label_text(const partan_data *data, size_t row, char *buffer, size_t size);

/* Weights of the rows, all 1 at first: a row's C is multiplied by its weight in training, so that a weight of 2 is the
 * same as having the row twice, and a row of weight 0 is left out. The weights are copied; NULL makes all of them 1.
 * They are part of the data: of its fingerprint, of splits and folds. The Lasso does not use them. */
PARTAN_API partan_status partan_data_set_weights(partan_context *context, partan_data *data, const double *weights);
PARTAN_API double partan_data_weight(const partan_data *data, size_t row);
PARTAN_API int partan_data_has_weights(const partan_data *data); /* 1: they were set or read */

/* The same from a file: one number per line, plain or compressed, as many as there are rows. Blank lines and lines that
 * begin with # are skipped. */
PARTAN_API partan_status partan_data_read_weights(partan_context *context, partan_data *data, const char *path);

/* Copies all features of a row, zeros included, to `values`, which has room for partan_data_features of them. */
PARTAN_API void partan_data_row(const partan_data *data, size_t row, float *values);
PARTAN_API int partan_data_has_words(const partan_data *data); /* 1: labels are words, at least some of them */

/* The name of a feature (counted from 0) in the header of the file; NULL if it has none. */
PARTAN_API const char *partan_data_feature_name(const partan_data *data, size_t feature);

/* Statistics of a data set. Zeros that are not stored in sparse rows count as values. */
typedef struct partan_data_summary {
    size_t struct_size;
    uint64_t labelled;           /* rows with a label */
    uint64_t classes;            /* different labels */
    uint64_t empty_rows;         /* without any value other than 0 */
    uint64_t constant_features;  /* with the same value in all rows */
    uint64_t repeated_rows;      /* with the features of an earlier row */
    uint64_t contradictory_rows; /* of these, with a different label than the first such row */
    double least, greatest;      /* over all values */
} partan_data_summary;

PARTAN_DECLARE_INIT(partan_data_summary)

typedef struct partan_feature {
    size_t index;     /* from 0 */
    const char *name; /* NULL: it has none */
    double least, greatest, mean;
    uint64_t nonzeros;
} partan_feature;

/* `word` is NULL if labels are numbers. */
typedef void (*partan_class_callback)(void *user, double label, const char *word, uint64_t rows);
typedef void (*partan_feature_callback)(void *user, const partan_feature *feature);

/* Computes a summary. The callbacks may be NULL; they are called in ascending order of labels and of features. If there
 * are more features than nonzero values, feature_seen is not called for features that are 0 in all rows. With 2^32 - 1
 * rows or more, equal rows are not counted: repeated_rows and contradictory_rows are UINT64_MAX. */
PARTAN_API partan_status partan_data_summarise(partan_context *context, const partan_data *data,
                                               partan_class_callback class_counted,
                                               partan_feature_callback feature_seen, void *user,
                                               partan_data_summary *summary);

/* What partan_data_read would take a file for. */
typedef struct partan_file_survey {
    size_t struct_size;
    partan_format format;   /* PARTAN_FORMAT_AUTO: not text, but NumPy arrays or a file of another program */
    int header;             /* CSV and TSV from here on: whether the first line is taken for a header */
    uint64_t columns;       /* of the first line */
    uint64_t label_column;  /* from 1; 0: none */
    uint64_t rows;          /* this and uneven: only with a callback */
    uint64_t uneven;        /* rows with more or fewer columns */
    uint64_t weight_column; /* from 1; 0: none */
} partan_file_survey;

PARTAN_DECLARE_INIT(partan_file_survey)

typedef struct partan_column {
    uint64_t number;  /* from 1 */
    const char *name; /* of a feature; NULL: it has none */
    int is_label;
    uint64_t numbers, missing, words; /* number of fields of each kind; missing: empty, NA, nan, null, ? and so on */
    int is_weight;
} partan_column;

typedef void (*partan_column_callback)(void *user, const partan_column *column);

/* Examines the first line or, if there is a callback, all of a CSV or TSV file, including files that partan_data_read
 * refuses. The callback is called once per column, in order. */
PARTAN_API partan_status partan_data_survey(partan_context *context, const char *path,
                                            const partan_read_options *options, partan_column_callback column,
                                            void *user, partan_file_survey *found);

/* A 64-bit hash of labels and values; it does not depend on the storage. */
PARTAN_API uint64_t partan_data_fingerprint(const partan_data *data);

/* Writes LIBSVM text or CSV; path "-" is standard output. Files are written atomically, and values round-trip exactly.
 * Data that was read from a table keeps its header, label column and weight column; other data is written with the
 * label first, weights last, and without a header. LIBSVM text cannot hold weights: PARTAN_ERROR_ARGUMENT. */
PARTAN_API partan_status partan_data_write(partan_context *context, const partan_data *data, const char *path,
                                           partan_format format);

#ifdef __cplusplus
}
#endif

#endif
