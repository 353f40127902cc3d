/* partan.h - kernel machines on large data by Frank-Wolfe methods, with a certificate.
 *
 * Read this header from the top: the first part is all that most programs need.
 *
 *   1. Status and context          every call returns a status; a context carries the sentence that explains it
 *   2. Data                        read a file, or hand over arrays
 *   3. Settings                    a struct with defaults, or names and strings
 *   4. Train, follow the path over C, choose C and gamma, predict, verify
 *   5. Models                      files and accessors
 *   6. Options of a context        threads, memory, logging, progress, interruption
 *   7. Generated data and scaling
 *   8. Tables of options           what command lines and bindings are made from
 *   9. Output files                for programs that write files of their own as the library does
 *  10. Lasso                       linear models with few coefficients: fit, path, cross-validation, predict, verify
 *  11. Matrix completion           ratings of some entries, or other measurements, to a matrix of low rank
 *
 * Conventions. Functions return partan_status: zero is success, positive values are successes with a reservation (the
 * result is valid and usable, but a limit stopped the work), negative values are failures and leave out-parameters NULL
 * or untouched. An argument that is NULL where it may not be is PARTAN_ERROR_ARGUMENT; only functions that return no
 * status rely on being given what they ask for. Handles are opaque and belong to the caller, who frees them; freeing
 * NULL is allowed. There is no global state: calls on different contexts may run at the same time. One context is for
 * one thread at a time, with the exception of partan_interrupt. Handles made with a context must be freed before it. */
#ifndef PARTAN_H
#define PARTAN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PARTAN_VERSION_MAJOR 0
#define PARTAN_VERSION_MINOR 1
#define PARTAN_VERSION_PATCH 0
#define PARTAN_VERSION       "0.1.0"

#if defined(PARTAN_SHARED) && defined(__GNUC__)
#define PARTAN_API __attribute__((visibility("default")))
#else
#define PARTAN_API
#endif

/* ---- 1. Status and context ----------------------------------------------------------------------------------------
 */

/* The numbers are part of the interface and never change. */
typedef enum partan_status {
    PARTAN_OK = 0,

    PARTAN_ITERATION_LIMIT = 1, /* settings.max_iter was reached before the target gap */
    PARTAN_TIME_LIMIT = 2,      /* settings.time_limit was reached before the target gap */
    PARTAN_INTERRUPTED = 3,     /* partan_interrupt, or a progress callback, asked to stop */
    PARTAN_STALLED = 4,         /* rounding errors leave no step that makes progress */
    PARTAN_UNCONFIRMED = 5,     /* the sampled rule stopped it; the true gap is still above the target */
    PARTAN_RANK_LIMIT = 6,      /* max_rank of a matrix was reached before the target gap */

    PARTAN_ERROR_MEMORY = -1,   /* out of memory */
    PARTAN_ERROR_ARGUMENT = -2, /* an argument or a setting is out of range */
    PARTAN_ERROR_IO = -3,       /* a file could not be opened, read or written */
    PARTAN_ERROR_FORMAT = -4,   /* a file's content is not what it should be; the message names file, line and column */
    PARTAN_ERROR_DATA = -5,    /* the data cannot be used for this: one class only, no rows, wrong number of features */
    PARTAN_ERROR_NUMERIC = -6, /* a kernel value is not finite, or the kernel matrix is not positive semidefinite */
    PARTAN_ERROR_BUILD = -7    /* the library was built without what the call needs */
} partan_status;

/* "OK", "TIME_LIMIT", "ERROR_MEMORY", ...; NULL for a number that is no status. And back: returns 1 when found. */
PARTAN_API const char *partan_status_name(partan_status status);
PARTAN_API int partan_status_from_name(const char *name, partan_status *status);

PARTAN_API const char *partan_version(void); /* "0.1.0" */

typedef struct partan_context partan_context;
typedef struct partan_context_options partan_context_options; /* part 6 */

/* NULL options: all defaults. Returns NULL only when memory is out or an option is invalid. */
PARTAN_API partan_context *partan_create(const partan_context_options *options);
PARTAN_API void partan_destroy(partan_context *context);

/* One sentence on the last failure in this context; "" when there was none, or no context. Valid until the next call.
 */
PARTAN_API const char *partan_error(const partan_context *context);

/* ---- 2. Data ------------------------------------------------------------------------------------------------------
 */

typedef struct partan_data partan_data;

typedef enum partan_storage {
    PARTAN_STORAGE_AUTO = 0,   /* by content and density */
    PARTAN_STORAGE_DENSE = 1,  /* float32, all features of all rows */
    PARTAN_STORAGE_SPARSE = 2, /* float32, nonzeros only */
    PARTAN_STORAGE_BITS = 3,   /* one bit a feature; only for data whose values are all 0 or 1 */
    PARTAN_STORAGE_BYTES = 4   /* one byte a feature; only for multiples 0 .. 255 of one number (pixels, counts) */
} partan_storage;

typedef enum partan_format {
    PARTAN_FORMAT_AUTO = 0, /* by the file's ending, else by its first line; what is written is else as it was read */
    PARTAN_FORMAT_LIBSVM = 1,
    PARTAN_FORMAT_CSV = 2, /* comma, or semicolon where the first line has no comma; .csv */
    PARTAN_FORMAT_TSV = 3  /* tab; .tsv or .tab */
} partan_format;

PARTAN_API const char *partan_format_name(partan_format format); /* "auto", "libsvm", "csv", "tsv" */

typedef struct partan_read_options {
    partan_format format;
    partan_storage storage;
    int64_t label_column; /* CSV and TSV: 1 is the first column, -1 the last, 0 means there are no labels; default 1 */
    const char *label_name; /* CSV and TSV with a header: the label column by name; NULL: use label_column */
    int header;             /* CSV and TSV: 1 first line is a header, 0 it is not, -1 detect (an error where it has
                               words and numbers); default -1 */
    int unlabelled;         /* 1: LIBSVM lines may lack a label (for prediction); default 0 */
    int precomputed;        /* 1: rows of a kernel matrix; LIBSVM lines begin with 0:serial as in LIBSVM; default 0 */
    uint64_t min_features;  /* at least this many features, padding with zeros; default 0 */
} partan_read_options;

PARTAN_API void partan_read_options_init(partan_read_options *options);

/* path "-" is standard input; files compressed by gzip, bzip2, xz or zstd are recognised by content, and so are arrays
 * of NumPy: a .npy file of rows and columns has its label where label_column says, a .npz archive has features X of two
 * dimensions and labels y of one (or other names, where there is only one of each). */
PARTAN_API partan_status partan_data_read(partan_context *context, const char *path, const partan_read_options *options,
                                          partan_data **data);

/* Where in a path the ending of a compressed file's name begins: ".xz" in "a9a.xz"; NULL: it has none. */
PARTAN_API const char *partan_compression(const char *path);

/* Copies `rows` x `features` float32 values, row after row, `stride` values from one row to the next. labels may be
 * NULL. */
PARTAN_API partan_status partan_data_from_dense(partan_context *context, const float *values, size_t rows,
                                                size_t features, size_t stride, const double *labels,
                                                partan_storage storage, partan_data **data);

/* Copies compressed sparse rows: row i holds indices and values offsets[i] .. offsets[i+1]-1, indices from 0,
 * ascending. */
PARTAN_API partan_status partan_data_from_csr(partan_context *context, size_t rows, size_t features,
                                              const int64_t *offsets, const int32_t *indices, const float *values,
                                              const double *labels, partan_storage storage, partan_data **data);

/* Two parts of a data set, drawn with a seed: `second` gets this share of the rows (above 0, below 1), `first` the
 * others, both in the order of the data. Each label has the same share in both, to the nearest row. */
PARTAN_API partan_status partan_data_split(partan_context *context, const partan_data *data, double share,
                                           uint64_t seed, partan_data **first, partan_data **second);

/* Two files of a data file, with its lines as they are: what stands before the first row (a header, comments) goes to
 * both, later comments to neither. Compressed files are split to plain text. `rows` (or NULL) gets the rows of both. */
typedef struct partan_split_options {
    double share;  /* of the rows, for the second file; default 0.25 */
    uint64_t seed; /* default 1 */
    int stratify;  /* 1: each label has the same share in both files; 0: rows are drawn whatever their label; default 1
                    */
} partan_split_options;

PARTAN_API void partan_split_options_init(partan_split_options *options);
PARTAN_API partan_status partan_split_file(partan_context *context, const char *path,
                                           const partan_read_options *reading, const partan_split_options *options,
                                           const char *first, const char *second, uint64_t rows[2]);

PARTAN_API void partan_data_free(partan_data *data);

PARTAN_API size_t partan_data_rows(const partan_data *data);
PARTAN_API size_t partan_data_features(const partan_data *data);
PARTAN_API uint64_t partan_data_nonzeros(const partan_data *data);
PARTAN_API partan_storage partan_data_storage(const partan_data *data);
PARTAN_API const char *partan_storage_name(partan_storage storage); /* "auto", "dense", "sparse", "bits", "bytes" */

/* The label of a row as it was given: its number, and its text ("1", "spam"). A row without label: NaN and "". */
PARTAN_API double partan_data_label(const partan_data *data, size_t row);
PARTAN_API const char *partan_data_label_text(const partan_data *data, size_t row, char *buffer, size_t size);

/* All features of a row, zeros included, into `values`, which has room for partan_data_features of them. */
PARTAN_API void partan_data_row(const partan_data *data, size_t row, float *values);
PARTAN_API int partan_data_has_words(const partan_data *data); /* 1: labels are words, or were mixed with words */

/* The name of a feature, from 0, where the file had a header that names it; NULL: it has none. */
PARTAN_API const char *partan_data_feature_name(const partan_data *data, size_t feature);

/* What a data set holds. Zeros that sparse rows leave out are values like others. */
typedef struct partan_data_summary {
    uint64_t labelled;           /* rows with a label */
    uint64_t classes;            /* different labels */
    uint64_t empty_rows;         /* without any value other than 0 */
    uint64_t constant_features;  /* with the same value in all rows */
    uint64_t repeated_rows;      /* with the features of an earlier row */
    uint64_t contradictory_rows; /* of these, with another label than the first such row */
    double least, greatest;      /* of all values */
} partan_data_summary;

typedef struct partan_feature {
    size_t index;     /* from 0 */
    const char *name; /* NULL: it has none */
    double least, greatest, mean;
    uint64_t nonzeros;
} partan_feature;

/* `word` is NULL where labels are numbers. Labels come in ascending order. */
typedef void (*partan_class_callback)(void *user, double label, const char *word, uint64_t rows);
typedef void (*partan_feature_callback)(void *user, const partan_feature *feature);

/* Both callbacks may be NULL; they are called in order of labels and features. Where there are more features than
 * values other than 0, features that are 0 in all rows are not told. With 2^32 - 1 rows or more, equal rows are not
 * counted: both numbers are then UINT64_MAX. */
PARTAN_API partan_status partan_data_summarise(partan_context *context, const partan_data *data,
                                               partan_class_callback class_counted,
                                               partan_feature_callback feature_seen, void *user,
                                               partan_data_summary *summary);

/* A data file before it is read: what it would be taken for. */
typedef struct partan_file_survey {
    partan_format format;  /* PARTAN_FORMAT_AUTO: not text, but arrays of NumPy or another program's file */
    int header;            /* CSV and TSV from here: whether the first line is taken for one */
    uint64_t columns;      /* of the first line */
    uint64_t label_column; /* from 1; 0: none */
    uint64_t rows;         /* these two only with a callback */
    uint64_t uneven;       /* rows with more or fewer columns */
} partan_file_survey;

typedef struct partan_column {
    uint64_t number;  /* from 1 */
    const char *name; /* of a feature; NULL: it has none */
    int is_label;
    uint64_t numbers, missing, words; /* fields of each kind; missing: empty, NA, nan, null, ? and the like */
} partan_column;

typedef void (*partan_column_callback)(void *user, const partan_column *column);

/* Looks at the first line or, where there is a callback, at all of a CSV or TSV file, also at what partan_data_read
 * refuses. Columns are told in order. */
PARTAN_API partan_status partan_data_survey(partan_context *context, const char *path,
                                            const partan_read_options *options, partan_column_callback column,
                                            void *user, partan_file_survey *found);

/* A 64-bit fingerprint of labels and values, the same for every storage of the same content. */
PARTAN_API uint64_t partan_data_fingerprint(const partan_data *data);

/* Writes LIBSVM text or CSV, path "-" to standard output; aside first, then renamed. Values round-trip exactly. Tables
 * have their header and their label column as those had that the data was read from; of other data the label comes
 * first, without a header. */
PARTAN_API partan_status partan_data_write(partan_context *context, const partan_data *data, const char *path,
                                           partan_format format);

/* ---- 3. Settings --------------------------------------------------------------------------------------------------
 */

typedef enum partan_kernel {
    PARTAN_KERNEL_LINEAR = 0,     /* x'z */
    PARTAN_KERNEL_POLYNOMIAL = 1, /* (gamma x'z + coef0)^degree */
    PARTAN_KERNEL_RBF = 2,        /* exp(-gamma |x-z|^2) */
    PARTAN_KERNEL_SIGMOID = 3,    /* tanh(gamma x'z + coef0) */
    PARTAN_KERNEL_PRECOMPUTED = 4,
    PARTAN_KERNEL_LAPLACIAN = 5 /* exp(-gamma |x-z|_1) */
} partan_kernel;

typedef enum partan_gamma {
    PARTAN_GAMMA_VALUE = 0, /* settings.gamma as it stands */
    PARTAN_GAMMA_AUTO = 1,  /* 1 / mean squared distance over all pairs of rows */
    PARTAN_GAMMA_SCALE = 2  /* 1 / (features x variance of all values), as scikit-learn has it */
} partan_gamma;

typedef enum partan_solver {
    PARTAN_SOLVER_FW = 0,     /* Frank-Wolfe */
    PARTAN_SOLVER_MFW = 1,    /* with away steps */
    PARTAN_SOLVER_SWAP = 2,   /* with pairwise steps */
    PARTAN_SOLVER_PARTAN = 3, /* with parallel tangents */
    PARTAN_SOLVER_AUTO = 4    /* active set: pair steps on a working set that full passes extend; the default */
} partan_solver;

typedef enum partan_step {
    PARTAN_STEP_EXACT = 0,  /* line search in closed form */
    PARTAN_STEP_CLASSIC = 1 /* 2/(k+2), for PARTAN_SOLVER_FW only */
} partan_step;

typedef enum partan_stop {
    PARTAN_STOP_CONFIRMED = 0, /* with sampling: a full pass confirms the gap before convergence is claimed */
    PARTAN_STOP_SAMPLED = 1    /* with sampling: samples in a row under the target stop it, as in the paper */
} partan_stop;

typedef enum partan_init {
    PARTAN_INIT_FIRST = 0, /* the first row's vertex */
    PARTAN_INIT_RANDOM = 1 /* the vertex of a row drawn with the seed */
} partan_init;

typedef enum partan_scale { /* of the features, before training */
                            PARTAN_SCALE_NONE = 0,
                            PARTAN_SCALE_MINMAX = 1,  /* each to the range from 0 to 1 */
                            PARTAN_SCALE_STANDARD = 2 /* each to mean 0 and variance 1 */
} partan_scale;

/* All fields have defaults: call partan_settings_init, then change what you like. tol and eps: a criterion that is 0 is
 * off; with both, the first to hold stops. tol = 0.01 means: the margin is proven to be within 1 % of the best one. */
typedef struct partan_settings {
    partan_kernel kernel;
    partan_gamma gamma_rule;
    double gamma;
    int64_t degree;
    double coef0;
    double cost; /* C: the diagonal of the kernel matrix gets 1/C */
    partan_solver solver;
    partan_step step;
    double tol;              /* stop when gap / (2 objective) <= tol */
    double eps;              /* stop when gap <= eps */
    int64_t sample;          /* vertices looked at in each iteration; 0: all */
    int64_t further_samples; /* with sampling: so many more are drawn when one meets the target, and must meet it too */
    partan_stop stop;
    partan_init init;
    uint64_t seed;
    int64_t max_iter;    /* 0: no limit */
    double time_limit;   /* seconds; 0: no limit */
    int64_t cache_bytes; /* for kernel columns; -1: by cost and free memory */
    int64_t merge;       /* 1: equal rows of one class share a vertex (PARTAN_SOLVER_AUTO only; exact); 0: not */
    int64_t trace_rows;  /* trace at most about this many iterations, log-spaced; 0: all */
    partan_scale scale;  /* the model keeps the scaling; what it is applied to is scaled alike */
} partan_settings;

PARTAN_API void partan_settings_init(partan_settings *settings);

/* Sets one field by name and text ("tol", "0.01"; "gamma", "auto"): the same names, texts and checks as on the command
 * line. On failure the message says what was expected. */
PARTAN_API partan_status partan_settings_set(partan_context *context, partan_settings *settings, const char *name,
                                             const char *text);

/* Whether all settings are within their ranges and go together, as every call that takes settings checks them first.
 * The message names the setting, what it takes and what was found. */
PARTAN_API partan_status partan_settings_check(partan_context *context, const partan_settings *settings);

/* The names that the settings have as texts; NULL for a number that is none of them. */
PARTAN_API const char *partan_kernel_name(partan_kernel kernel);
PARTAN_API const char *partan_solver_name(partan_solver solver);
PARTAN_API const char *partan_step_name(partan_step step);
PARTAN_API const char *partan_stop_name(partan_stop stop);
PARTAN_API const char *partan_init_name(partan_init init);
PARTAN_API const char *partan_scale_name(partan_scale scale); /* "none", "minmax", "standard" */

/* Whether a kernel depends on the setting "gamma", "degree" or "coef0". */
PARTAN_API int partan_kernel_uses(partan_kernel kernel, const char *setting);

/* The gamma that settings->gamma_rule stands for on these rows; a value stays as it is. */
PARTAN_API partan_status partan_gamma_value(partan_context *context, const partan_settings *settings,
                                            const partan_data *data, double *gamma);

/* ---- 4. Train, follow the path over C, choose C and gamma, predict, verify -----------------------------------------
 */

typedef struct partan_model partan_model;

/* What came of a training. */
typedef struct partan_result {
    partan_status status;
    int converged; /* the true gap met the target */
    int64_t iterations;
    double objective;
    double gap;          /* over all rows */
    double relative_gap; /* gap / (2 objective) */
    int gap_is_bound;    /* 1: the run was stopped before it could compute these two, which are upper bounds then */
    uint64_t support_vectors;
    uint64_t kernel_columns; /* whole columns computed */
    uint64_t kernel_values;  /* values computed, columns included */
    uint64_t cache_hits;     /* columns found in the cache */
    double seconds;          /* of training, the final pass included */
} partan_result;

/* Trains on data with exactly two classes. The greater label (by number, or in the order of strcmp for words) is the
 * positive one. `start` may be NULL, or a model whose support vectors are looked up among the rows as a starting point.
 * Positive statuses (limits, interruption) still return a model, with its true gap. */
PARTAN_API partan_status partan_train(partan_context *context, const partan_data *data, const partan_settings *settings,
                                      const partan_model *start, partan_model **model);

/* A point of a path: the model trained at costs[index], which the callback keeps or frees. A return value other than 0
 * ends the path. The callback may use the context, to predict or to write the model. */
typedef int (*partan_path_callback)(void *user, size_t index, partan_model *model);

/* Trains at each of `count` costs instead of settings->cost, each with its own certificate, and hands the models over
 * one by one. With PARTAN_SOLVER_AUTO a point begins at a combination of those before it, and much of what they
 * computed is used again: points in order of ascending cost are the cheapest, and costs that are close together cost
 * little more than one. The other solvers start each point from the one before. max_iter is a limit of each point,
 * time_limit one of them all. A point that an interruption or the time limit cuts short is handed over, with its true
 * gap, and is the last. Returns why the path ended early, else the first positive status that a point had, else
 * PARTAN_OK. */
PARTAN_API partan_status partan_path(partan_context *context, const partan_data *data, const partan_settings *settings,
                                     const double *costs, size_t count, partan_path_callback point, void *user);

/* Decision values, one a row: positive means the positive class. The scale is that of a functional margin of 1. */
PARTAN_API partan_status partan_predict(partan_context *context, const partan_model *model, const partan_data *data,
                                        double *decision);

/* How predictions compare with the labels of the rows. Classes are 0, the negative one, and 1, the positive one. A
 * share of nothing is NaN: the precision of a class that is never predicted, the AUC of rows of one class only. */
typedef struct partan_evaluation {
    uint64_t labelled; /* rows with a label; the others are left out of everything */
    uint64_t correct;
    uint64_t confusion[2][2]; /* rows by [class][predicted class] */
    uint64_t other;           /* rows whose label is neither of the model's classes: counted as wrong */
    double accuracy;          /* correct / labelled */
    double balanced_accuracy; /* mean recall of both classes */
    double precision[2], recall[2], f1[2];
    double auc;               /* area under the ROC curve; equal decision values count half */
    double average_precision; /* sum of precision x increase of recall over all thresholds, of the positive class */
} partan_evaluation;

/* Sets the shares that follow from the counts: accuracy to f1. */
PARTAN_API void partan_evaluation_measure(partan_evaluation *evaluation);

/* A point of the ROC and precision-recall curves: rows with at least this decision value are predicted positive. */
typedef void (*partan_threshold_callback)(void *user, double threshold, uint64_t true_positives,
                                          uint64_t false_positives);

/* Evaluates the decision values that partan_predict gave for the rows of `data`. `point` (or NULL) is called once for
 * every different decision value, from the greatest to the least. */
PARTAN_API partan_status partan_evaluate(partan_context *context, const partan_model *model, const partan_data *data,
                                         const double *decision, partan_threshold_callback point, void *user,
                                         partan_evaluation *evaluation);

/* What models are compared by. */
typedef enum partan_score {
    PARTAN_SCORE_ACCURACY = 0,
    PARTAN_SCORE_BALANCED = 1, /* balanced accuracy */
    PARTAN_SCORE_F1 = 2,       /* of the positive class */
    PARTAN_SCORE_AUC = 3
} partan_score;

PARTAN_API const char *partan_score_name(partan_score score); /* "accuracy", "balanced", "f1", "auc" */
PARTAN_API double partan_score_of(partan_score score, const partan_evaluation *evaluation);

/* A fold of a cross-validation: the model that was trained without it, tested on it. A return value other than 0 ends
 * it. */
typedef int (*partan_fold_callback)(void *user, size_t fold, const partan_result *result,
                                    const partan_evaluation *evaluation);

/* Deals the rows to `folds` folds (2 or more) with a seed, each class evenly, and for each fold trains on the others
 * and tests on it. `evaluation` gets the counts over all rows that were tested with the shares that follow from them,
 * and the mean of the folds' AUC and average precision; `decision` (or NULL) the decision value of each row by the
 * model that was trained without it. gamma_rule auto and scale look at all rows. time_limit applies to the whole run. A
 * fold whose training is cut short is left out, and `decision` of rows that were not tested is NaN. Returns as
 * partan_path does. */
PARTAN_API partan_status partan_cross_validate(partan_context *context, const partan_data *data,
                                               const partan_settings *settings, size_t folds, uint64_t seed,
                                               partan_fold_callback fold, void *user, double *decision,
                                               partan_evaluation *evaluation);

typedef struct partan_tune_options {
    size_t folds;      /* 2 or more: cross-validation; 0, the default: one split */
    double validation; /* without folds: the share of the rows that is held out to test on; default 0.3 */
    uint64_t seed;     /* of the split or the folds; default 1 */
    partan_score score;
    const double *costs;
    size_t cost_count;
    const double *gammas; /* NULL: the settings' gamma alone */
    size_t gamma_count;
} partan_tune_options;

PARTAN_API void partan_tune_options_init(partan_tune_options *options);

typedef struct partan_tune_point {
    double cost, gamma;
    partan_result result; /* of training on the rows that were not held out; with folds, sums of counts and times,
                             and the worst gap and status */
    partan_evaluation evaluation; /* on the rows held out, of all folds as in partan_cross_validate */
    double score;                 /* on the rows held out; with folds, the mean over the folds */
    double deviation;             /* with folds, its standard deviation (divisor folds - 1); else 0 */
    uint64_t rows, correct;       /* held out, and classified correctly */
    double predict_seconds;
} partan_tune_point;

/* A return value other than 0 ends the tuning. */
typedef int (*partan_tune_callback)(void *user, const partan_tune_point *point);

/* Splits the data as partan_data_split does, or deals it to folds; trains at every gamma and cost and tests on the rows
 * held out. With PARTAN_SOLVER_AUTO the costs of a gamma (and fold) are one partan_path; the variants train each from
 * scratch. gamma_rule auto and scale look at all rows. `point` (or NULL) is told of every point; `best` gets the one of
 * greatest score; ties: the gamma that came first, then the smallest cost. time_limit applies to the whole run;
 * a point whose training it cuts short, or an interruption does, is left out. Returns as partan_path does; positive
 * statuses set `best` if a point was done. */
PARTAN_API partan_status partan_tune(partan_context *context, const partan_data *data, const partan_settings *settings,
                                     const partan_tune_options *options, partan_tune_callback point, void *user,
                                     partan_tune_point *best);

/* Whether a point beats the best so far by the rule above; gammas in the order in which they came. */
PARTAN_API int partan_tune_better(const partan_tune_point *point, const partan_tune_point *best);

/* partan_data_read for data that a model is to be applied to. A table has its label where that of the training data
 * was: in the column of the same name or, without names, of the same number; one with as many columns as the model has
 * features has no labels. What options say of label_column is not looked at; label_name and the others count. */
PARTAN_API partan_status partan_data_read_for(partan_context *context, const partan_model *model, const char *path,
                                              const partan_read_options *options, partan_data **data);

/* Decision values, one a row: positive means the positive class. The scale is that of a functional margin of 1. Columns
 * are matched by their names where both data and model have them, else by their place. PARTAN_ERROR_DATA names what
 * differs: a column that one of them lacks, or another number of features. Sparse rows, of LIBSVM text or compressed,
 * may have fewer. */
PARTAN_API partan_status partan_predict(partan_context *context, const partan_model *model, const partan_data *data,
                                        double *decision);

/* Whether data that a model is applied to is labelled by the model's classes: how many rows have labels, and how many
 * of these are of no class of the model. PARTAN_ERROR_DATA when none is and they are several: it is another problem's
 * data. (All labels being one number, as where none is known, is not a failure.) */
PARTAN_API partan_status partan_model_check_labels(partan_context *context, const partan_model *model,
                                                   const partan_data *data, uint64_t *labelled, uint64_t *unknown);

typedef struct partan_verification {
    double objective; /* recomputed in double precision from the model's weights and the data */
    double gap;
    double relative_gap; /* gap / (2 objective) */
    double weight_sum;   /* must be 1 */
    double least_weight; /* must be > 0 */
    int feasible;        /* the weights lie in the simplex and every support vector is the row it says it is */
    int matches;         /* feasible, and objective and gap are what the model claims */
    char reason[256];    /* why it does not match; "" when it does */
} partan_verification;

/* Recomputes everything the model claims from the original training data. PARTAN_OK says that the computation was done;
 * what it found is in the verification. Where support vectors are not the rows they say they are, there is nothing to
 * compute, and objective, gap and relative_gap are NaN. */
PARTAN_API partan_status partan_verify(partan_context *context, const partan_model *model, const partan_data *data,
                                       partan_verification *verification);

/* ---- 5. Models ----------------------------------------------------------------------------------------------------
 */

typedef enum partan_model_format {
    PARTAN_MODEL_NATIVE = 0, /* text; everything, exactly */
    PARTAN_MODEL_LIBSVM = 1  /* text; what svm-predict needs */
} partan_model_format;

PARTAN_API void partan_model_free(partan_model *model);

/* path "-" is standard input; files compressed by gzip, bzip2, xz or zstd are recognised by content. */
PARTAN_API partan_status partan_model_read(partan_context *context, const char *path, partan_model **model);
PARTAN_API partan_status partan_model_write(partan_context *context, const partan_model *model, const char *path,
                                            partan_model_format format);

PARTAN_API partan_model_format partan_model_get_format(const partan_model *model); /* as read, or native */
PARTAN_API const partan_result *partan_model_result(const partan_model *model);
PARTAN_API const partan_settings *partan_model_settings(const partan_model *model); /* gamma resolved to its value */
PARTAN_API const char *partan_model_version(const partan_model *model);             /* of the library that trained it */
PARTAN_API uint64_t partan_model_fingerprint(const partan_model *model);            /* of the training data */
PARTAN_API size_t partan_model_rows(const partan_model *model);                     /* of the training data */
PARTAN_API size_t partan_model_features(const partan_model *model);
/* The name of a feature, from 0, if the training data had a header; NULL: it has none. And how that data was read: its
 * format (AUTO: it came from memory, or it is not known), the column of the label, from 1 (0: there was none, or no
 * table), and its name or NULL. */
PARTAN_API const char *partan_model_feature_name(const partan_model *model, size_t feature);
PARTAN_API partan_format partan_model_data_format(const partan_model *model);
PARTAN_API int64_t partan_model_label_column(const partan_model *model);
PARTAN_API const char *partan_model_label_name(const partan_model *model);
PARTAN_API double partan_model_bias(const partan_model *model); /* in the scale of partan_predict */
/* Text and number of a class: positive != 0 for the positive one. */
PARTAN_API const char *partan_model_label_text(const partan_model *model, int positive);
PARTAN_API double partan_model_label(const partan_model *model, int positive);
/* Support vector i: its weight in the simplex, its sign, its row in the training data (from 0; -1 when not known). */
PARTAN_API partan_status partan_model_support(const partan_model *model, size_t i, double *weight, int *sign,
                                              int64_t *row);

/* A model file of any kind: read to memory once, asked for its kind, and given to the reader of that kind. */
typedef struct partan_model_file partan_model_file;

typedef enum partan_kind {
    PARTAN_KIND_SVM = 0,   /* partan_model, from a native file or LIBSVM's */
    PARTAN_KIND_LASSO = 1, /* partan_lasso */
    PARTAN_KIND_MATRIX = 2 /* partan_matrix */
} partan_kind;

/* Whether the file at a path begins like a model of some kind; *is_model is 0 when it cannot be read, or is no regular
 * file, which could not be read again. */
PARTAN_API partan_status partan_model_recognise(partan_context *context, const char *path, int *is_model);

PARTAN_API partan_status partan_model_file_read(partan_context *context, const char *path, partan_model_file **file);
PARTAN_API void partan_model_file_free(partan_model_file *file);

/* Goes by the first line; a failure says what it would have to be. */
PARTAN_API partan_status partan_model_file_kind(partan_context *context, const partan_model_file *file,
                                                partan_kind *kind);

/* The same of a file on disk, of which no more than the beginning is read. */
PARTAN_API partan_status partan_model_kind_of(partan_context *context, const char *path, partan_kind *kind);

/* What partan_model_read does with the file; the model does not need it afterwards. */
PARTAN_API partan_status partan_model_from_file(partan_context *context, const partan_model_file *file,
                                                partan_model **model);

/* ---- 6. Options of a context --------------------------------------------------------------------------------------
 */

typedef enum partan_log_level { PARTAN_LOG_WARNING = 0, PARTAN_LOG_INFO = 1, PARTAN_LOG_DEBUG = 2 } partan_log_level;

typedef struct partan_progress {
    const char *phase;   /* "read", "generate", "train", "path", "tune", "cv", "verify", "predict", "write" */
    double done;         /* share of the phase in [0, 1], estimated; never falls; negative when unknown */
    double seconds;      /* since the phase began */
    double seconds_left; /* estimated; negative when unknown */
    uint64_t point;      /* of a path or a tuning: the one at work, from 1, */
    uint64_t points;     /* and how many there are; 0: no such thing */
    int64_t iterations;  /* training only from here */
    double gap;
    double relative_gap;
    double target;   /* the relative gap at which it will stop; 0 when only eps is set */
    uint64_t active; /* vertices with positive weight */
} partan_progress;

typedef enum partan_step_type {
    PARTAN_STEP_START = 0,  /* the initial point */
    PARTAN_STEP_TOWARD = 1, /* Frank-Wolfe step */
    PARTAN_STEP_AWAY = 2,
    PARTAN_STEP_SWAP = 3,
    PARTAN_STEP_PARTAN = 4 /* Frank-Wolfe step and parallel tangent */
} partan_step_type;

PARTAN_API const char *partan_step_type_name(partan_step_type type); /* "start", "toward", "away", "swap", "partan" */

/* The state after `iteration` steps. With sampling, gap and relative_gap are those of the sample. */
typedef struct partan_trace_row {
    int64_t iteration;
    partan_step_type type; /* of the step that led here */
    double objective;
    double gap;
    double relative_gap;
    double lambda; /* step sizes of the step that led here */
    double mu;
    uint64_t active;
    uint64_t kernel_columns;
    double seconds;
} partan_trace_row;

struct partan_context_options {
    /* 0: one for each core that the process may use, and no more than the CPU time that its control group (a
     * container's limit) has, nor than OMP_NUM_THREADS and OMP_THREAD_LIMIT in the environment say
     * (partan_limits_find). They start with the first work that is worth it, end with the context, and start anew in a
     * child after fork(). Results do not depend on their number. */
    int threads;

    /* Instruction set of the kernels: "reference", "portable", "avx2", "avx512"; NULL: the environment variable
     * PARTAN_ISA if set, else the best this machine has. */
    const char *isa;

    /* Memory: both or neither. allocate returns NULL when there is none; alignment is a power of two. */
    void *(*allocate)(void *user, size_t bytes, size_t alignment);
    void (*release)(void *user, void *pointer);

    void (*log)(void *user, partan_log_level level, const char *message);

    /* Called a few times a second at most; a return value other than 0 stops the work as partan_interrupt does. */
    int (*progress)(void *user, const partan_progress *progress);

    /* Called for traced iterations, in order. */
    void (*trace)(void *user, const partan_trace_row *row);

    void *user; /* handed to all of the above */
};

PARTAN_API void partan_context_options_init(partan_context_options *options);
PARTAN_API int partan_threads(const partan_context *context);

/* What the number of threads follows from where none is asked for; 0: no such limit. */
typedef struct partan_limits {
    int processors;      /* of the machine */
    int affinity;        /* of these, those that the process may run on (taskset) */
    int quota;           /* of the control group, in processors, rounded up (docker --cpus) */
    int omp_num_threads; /* environment variables of these names */
    int omp_thread_limit;
    int threads; /* the least of all, at least 1 */
} partan_limits;

PARTAN_API void partan_limits_find(partan_limits *found);
PARTAN_API const char *partan_isa(const partan_context *context);

/* Asks the call now running in this context to stop. Safe from signal handlers and other threads. */
PARTAN_API void partan_interrupt(partan_context *context);

/* ---- 7. Generated data and scaling --------------------------------------------------------------------------------
 */

typedef struct partan_generator_options {
    const char *kind;  /* see partan_generator */
    uint64_t rows;     /* default 1000 */
    uint64_t features; /* 0: the kind's own default */
    double noise;      /* meaning by kind; negative: the kind's own default */
    uint64_t seed;     /* default 1 */
} partan_generator_options;

PARTAN_API void partan_generator_options_init(partan_generator_options *options);

/* Name and one-line description of generator i (what it makes, its features, what noise means); NULL past the last. */
PARTAN_API const char *partan_generator(size_t i, const char **description);

/* Labels are 1 and -1, about equally often. Row i depends on the kind, features, noise, the seed and i alone, so both
 * calls make the same rows, and more rows begin with the same ones. An interruption leaves no file and no data. The
 * first streams to a file or, with "-", to standard output, in memory independent of the number of rows. */
PARTAN_API partan_status partan_generate_file(partan_context *context, const partan_generator_options *options,
                                              const char *path, partan_format format);
PARTAN_API partan_status partan_generate(partan_context *context, const partan_generator_options *options,
                                         partan_storage storage, partan_data **data);

typedef struct partan_scaling partan_scaling;

typedef enum partan_scaling_kind {
    PARTAN_SCALING_MINMAX = 0,     /* each feature to [lower, upper] */
    PARTAN_SCALING_STANDARDISE = 1 /* each feature to mean 0 and variance 1 */
} partan_scaling_kind;

/* Fits a scaling to data, applies it to the same or other data, keeps it in a small text file that restores it exactly.
 * Zeros that sparse data leaves out are values like others, so scaled data may be dense (a warning says so). Features
 * that are constant when fitted become 0. Applying yields the fitted features: those that the data lacks are zeros,
 * those it has beyond them are left out, with a warning; but the columns of a table are matched as those of
 * partan_predict. Files of svm-scale -s can be read too. lower and upper are for
 * min-max only; values outside the fitted range go beyond them. */
PARTAN_API partan_status partan_scaling_fit(partan_context *context, const partan_data *data, partan_scaling_kind kind,
                                            double lower, double upper, partan_scaling **scaling);
PARTAN_API partan_status partan_scaling_apply(partan_context *context, const partan_scaling *scaling,
                                              const partan_data *data, partan_storage storage, partan_data **scaled);
PARTAN_API partan_status partan_scaling_read(partan_context *context, const char *path, partan_scaling **scaling);
PARTAN_API partan_status partan_scaling_write(partan_context *context, const partan_scaling *scaling, const char *path);
PARTAN_API void partan_scaling_free(partan_scaling *scaling);

/* ---- 8. Tables of options -----------------------------------------------------------------------------------------
 */

typedef enum partan_option_type {
    PARTAN_OPTION_CHOICE = 0, /* one of `choices` */
    PARTAN_OPTION_INTEGER = 1,
    PARTAN_OPTION_REAL = 2,
    PARTAN_OPTION_SIZE = 3, /* bytes, with K, M, G or T */
    PARTAN_OPTION_FLAG = 4, /* on a command line --name or --no-name; as text yes or no */
    PARTAN_OPTION_TEXT = 5
} partan_option_type;

typedef struct partan_option {
    const char *name; /* "tol"; on a command line --tol */
    char letter;      /* 't' for -t; 0: none */
    partan_option_type type;
    const char *argument; /* "T" in --tol T */
    const char *choices;  /* "fw|mfw|swap|partan"; also words that a number's place may hold ("auto|scale") */
    const char *initial;  /* the default, as text */
    double least, most;   /* bounds of numbers, inclusive */
    const char *help;     /* one sentence */
} partan_option;

/* Setting i of partan_settings; NULL past the last. */
PARTAN_API const partan_option *partan_settings_option(size_t i);

/* Option i of reading data: format and storage, whose choices follow their enums, and how labels stand in CSV and TSV;
 * NULL past the last. */
PARTAN_API const partan_option *partan_read_option(size_t i);

/* A text as an option understands it. */
typedef struct partan_option_value {
    int choice;      /* which of `choices` the text is, from 0; -1: none of them */
    int64_t integer; /* integers and sizes */
    double real;     /* reals */
} partan_option_value;

/* Reads a text with all checks of the option. A failure's message begins with the option's name and says what was
 * expected: "tol takes a number from 0 to 1, not 'x'". */
PARTAN_API partan_status partan_option_parse(partan_context *context, const partan_option *option, const char *text,
                                             partan_option_value *value);

/* ---- 9. Output files ----------------------------------------------------------------------------------------------
 */

/* A file that is written aside and, when it is complete and on the disk, renamed into place, so that nothing
 * half-written is left behind. It takes the place of the file that links lead to, with the rights of the file that was
 * there, and of none that must not be written. "-" is standard output; what exists and is no regular file (a pipe, a
 * device) is written directly. */
typedef struct partan_output {
    FILE *file;              /* to write to; its errors are seen by commit */
    partan_context *context; /* this and what follows is the library's */
    char *path;
    char *target;    /* where the path's links lead */
    char *temporary; /* its name while it is aside, */
    int unnamed;     /* which it only gets at the end, where the file system can do that */
} partan_output;

PARTAN_API partan_status partan_output_open(partan_context *context, const char *path, partan_output *output);

/* Both end the output. commit puts the complete file into place, or fails and leaves what was there before; abandon
 * removes what was written aside, and does nothing to an output that has ended, or that never began and is all zero. */
PARTAN_API partan_status partan_output_commit(partan_output *output);
PARTAN_API void partan_output_abandon(partan_output *output);

/* For the handler of a signal that is about to end the process: removes what a context's outputs have written aside
 * under names. Safe in handlers; nothing may be written afterwards. */
PARTAN_API void partan_outputs_drop(partan_context *context);

/* Whether a file could be written there, before hours of work are lost on it. */
PARTAN_API partan_status partan_output_check(partan_context *context, const char *path);

/* ---- 10. Lasso -----------------------------------------------------------------------------------------------------
 */

/* Least squares with few coefficients. In the penalised form
 *
 *     min 1/(2n) |y - b0 - Xb|^2 + lambda sum_j s_j |b_j|
 *
 * with n rows; lambda is that of glmnet, and the alpha of scikit-learn. In the form with a radius
 *
 *     min 1/2 |y - b0 - Xb|^2    subject to    sum_j s_j |b_j| <= radius
 *
 * s_j is the standard deviation of feature j (divisor n, as glmnet has it), or 1 without standardisation. The target y
 * is the data's labels as numbers. A feature that is constant gets the coefficient 0.
 *
 * The gap bounds how far the objective is above the least possible one: the duality gap in the penalised form, the
 * Frank-Wolfe gap with a radius. The relative gap is the gap divided by the objective at b = 0, that is |y|^2 / (2n) or
 * |y|^2 / 2 with y less its mean (as it is, without an intercept). celer and scikit-learn divide by twice as much:
 * their tol = 5e-7 is 1e-6 here.
 *
 * What the solver does is up to a partan_settings: solver, step, tol, eps, sample, further_samples, stop, init, seed,
 * max_iter, time_limit and trace_rows; the others are not used. NULL: all defaults, but tol = 1e-6.
 * PARTAN_SOLVER_AUTO, a working set of features with coordinate descent and Newton steps, solves both forms and paths.
 * The Frank-Wolfe variants, also with sampled features, are for the form with a radius; `init` is then the vertex of
 * the feature with the greatest correlation (first), or of one drawn with the seed. */
typedef struct partan_lasso_settings {
    double lambda;       /* of the penalised form; 0: it is not asked for */
    double radius;       /* of the other one; 0: it is not asked for */
    int64_t intercept;   /* 1: fit b0; 0: it is 0; default 1 */
    int64_t standardise; /* 1: s_j is the standard deviation; 0: it is 1; default 1 */
    int64_t points;      /* of a path; default 100 */
    double ratio;  /* the least lambda of a path over the greatest; 0 (the default): 1e-2 with more features than rows,
                      else  1e-4 */
    int64_t folds; /* of cross-validation; default 10 */
} partan_lasso_settings;

PARTAN_API void partan_lasso_settings_init(partan_lasso_settings *lasso);
PARTAN_API partan_status partan_lasso_settings_set(partan_context *context, partan_lasso_settings *lasso,
                                                   const char *name, const char *text);
PARTAN_API partan_status partan_lasso_settings_check(partan_context *context, const partan_lasso_settings *lasso);
PARTAN_API const partan_option *partan_lasso_settings_option(size_t i); /* NULL past the last */

typedef struct partan_lasso partan_lasso; /* a linear model */

typedef struct partan_lasso_result {
    partan_status status;
    int converged; /* the gap met the target */
    int64_t iterations;
    double lambda; /* as given; with a radius the one whose penalised form has the same solution */
    double radius; /* as given; in the penalised form the sum of s_j |b_j| */
    double objective;
    double gap;
    double relative_gap;
    uint64_t nonzeros; /* coefficients other than 0 */
    double r2;         /* 1 - |y - b0 - Xb|^2 / |y|^2, y less its mean if there is an intercept */
    double seconds;
} partan_lasso_result;

/* Fits one model, at settings->lambda or settings->radius: one of them must be above 0. Positive statuses (limits,
 * interruption) still return a model, with its true gap. */
PARTAN_API partan_status partan_lasso_fit(partan_context *context, const partan_data *data,
                                          const partan_lasso_settings *lasso, const partan_settings *settings,
                                          partan_lasso **model);

/* A point of a path; the callback keeps or frees the model. A return value other than 0 ends the path. */
typedef int (*partan_lasso_callback)(void *user, size_t index, partan_lasso *model);

/* Fits models at `count` lambdas in descending order, each with its own certificate. lambdas NULL: settings->points of
 * them, evenly spaced in the logarithm from the least lambda that leaves all coefficients 0 down to ratio times that.
 * max_iter is a limit of each point, time_limit one of them all. Returns as partan_path does. */
PARTAN_API partan_status partan_lasso_path(partan_context *context, const partan_data *data,
                                           const partan_lasso_settings *lasso, const partan_settings *settings,
                                           const double *lambdas, size_t count, partan_lasso_callback point,
                                           void *user);

/* A lambda in cross-validation: the mean squared error on rows held out, over all of them, and its standard error by
 * the folds. */
typedef struct partan_lasso_cv_point {
    double lambda;
    double error;
    double standard_error;
    double nonzeros; /* on average over the folds */
} partan_lasso_cv_point;

typedef struct partan_lasso_cv_result {
    size_t points;
    size_t best;               /* the lambda with the least error */
    size_t one_standard_error; /* the greatest lambda whose error is within one standard error of that */
} partan_lasso_cv_result;

typedef void (*partan_lasso_cv_callback)(void *user, size_t index, const partan_lasso_cv_point *point);

/* Deals the rows to settings->folds folds by lot (settings->seed), fits the path of all rows' lambdas to all but each
 * fold, and tests it there. `point` is told of every lambda once all folds are done. */
PARTAN_API partan_status partan_lasso_cv(partan_context *context, const partan_data *data,
                                         const partan_lasso_settings *lasso, const partan_settings *settings,
                                         partan_lasso_cv_callback point, void *user, partan_lasso_cv_result *result);

/* As partan_data_read_for, for a linear model. */
PARTAN_API partan_status partan_lasso_data_read(partan_context *context, const partan_lasso *model, const char *path,
                                                const partan_read_options *options, partan_data **data);

/* b0 + Xb, one value a row. The features are matched as those of partan_predict. */
PARTAN_API partan_status partan_lasso_predict(partan_context *context, const partan_lasso *model,
                                              const partan_data *data, double *values);

typedef struct partan_lasso_verification {
    double objective; /* recomputed by plain code from the coefficients and the data */
    double gap;
    double relative_gap;
    double r2;
    double norm;      /* sum of s_j |b_j|: must not exceed the radius */
    int matches;      /* all that the model claims is so */
    char reason[256]; /* why not; "" when it matches */
} partan_lasso_verification;

/* Recomputes everything the model claims from the original training data. */
PARTAN_API partan_status partan_lasso_verify(partan_context *context, const partan_lasso *model,
                                             const partan_data *data, partan_lasso_verification *verification);

/* Files are text and hold everything, exactly. The paths are as for partan_model_read and partan_model_write. */
PARTAN_API partan_status partan_lasso_read(partan_context *context, const char *path, partan_lasso **model);
PARTAN_API partan_status partan_lasso_from_file(partan_context *context, const partan_model_file *file,
                                                partan_lasso **model);
PARTAN_API partan_status partan_lasso_write(partan_context *context, const partan_lasso *model, const char *path);

PARTAN_API void partan_lasso_free(partan_lasso *model);
PARTAN_API const partan_lasso_result *partan_lasso_get_result(const partan_lasso *model);
PARTAN_API const partan_lasso_settings *partan_lasso_get_settings(const partan_lasso *model);
PARTAN_API const partan_settings *partan_lasso_get_solver(const partan_lasso *model);
PARTAN_API const char *partan_lasso_version(const partan_lasso *model);  /* of the library that fitted it */
PARTAN_API uint64_t partan_lasso_fingerprint(const partan_lasso *model); /* of the training data */
PARTAN_API size_t partan_lasso_rows(const partan_lasso *model);          /* of the training data */
PARTAN_API size_t partan_lasso_features(const partan_lasso *model);
PARTAN_API double partan_lasso_intercept(const partan_lasso *model);
/* Coefficient i of those that are not 0: its feature, from 0, in ascending order, its value, and the feature's name
 * (NULL: it has none). */
PARTAN_API partan_status partan_lasso_coefficient(const partan_lasso *model, size_t i, size_t *feature, double *value,
                                                  const char **name);

/* ---- 11. Matrix completion ----------------------------------------------------------------------------------------
 */

/* From some entries of a matrix (ratings that users gave to items) to all of them:
 *
 *     min f(X) = 1/2 sum over known entries of (X_ij - b_ij)^2   subject to   |X|_* <= radius
 *
 * |X|_* is the nuclear norm, the sum of singular values; the smaller the radius, the lower the rank. b are the values
 * less their offsets (partan_centre). X is never stored but as factors of its rank.
 *
 * The certificate is the gap g = <G, X> + radius * |G|_2 with G the gradient, zero but for the known entries: f is
 * within g of the least possible. The relative gap is g / (1/2 sum b^2): a relative gap of 0.001 proves that the share
 * of the squares that X explains is within 0.1 percentage points of the best possible one at this radius. The spectral
 * norm |G|_2 enters by an upper bound, which Lanczos steps from a random vector give: it holds unless that vector,
 * drawn with the seed, is so nearly orthogonal to the leading singular vector as happens once in 10^9 draws
 * (src/matrix/spectral.h).
 */

typedef struct partan_ratings partan_ratings;

typedef enum partan_ratings_format {
    PARTAN_RATINGS_AUTO = 0,     /* Matrix Market by its first line; up to four fields are triplets, more a table */
    PARTAN_RATINGS_TRIPLETS = 1, /* row, column, value; names may be words; blanks, tabs, commas, semicolons or "::" */
    PARTAN_RATINGS_MARKET = 2,   /* Matrix Market, coordinate, real or integer, general */
    PARTAN_RATINGS_TABLE = 3     /* a line a row; an empty cell, NA or `missing` where there is no value */
} partan_ratings_format;

typedef enum partan_first_column { /* of a table */
                                   PARTAN_FIRST_RATINGS = 0,
                                   PARTAN_FIRST_SKIP = 1,
                                   PARTAN_FIRST_NAMES = 2 /* of the rows */
} partan_first_column;

typedef struct partan_ratings_options {
    partan_ratings_format format;
    partan_first_column first_column;
    double missing; /* tables: this number stands where there is no value; NaN, the default: none does */
    int header;     /* 1 first line is a header, 0 it is not, -1 detect; default -1 */
    int unvalued;   /* 1: triplets may lack the value (entries to predict); default 0 */
} partan_ratings_options;

PARTAN_API void partan_ratings_options_init(partan_ratings_options *options);

/* path "-" is standard input; compressed files are recognised. Two values for one entry are an error. */
PARTAN_API partan_status partan_ratings_read(partan_context *context, const char *path,
                                             const partan_ratings_options *options, partan_ratings **ratings);

/* Copies `count` entries; rows and columns count from 0 and are named by their numbers from 1. value may be NULL, for
 * entries to predict. */
PARTAN_API partan_status partan_ratings_from_triplets(partan_context *context, size_t rows, size_t columns,
                                                      const int64_t *row, const int64_t *column, const double *value,
                                                      size_t count, partan_ratings **ratings);

/* Two parts of the entries, drawn with a seed: `second` gets this share of them (above 0, below 1), `first` the others.
 * Both have all rows and columns. */
PARTAN_API partan_status partan_ratings_split(partan_context *context, const partan_ratings *ratings, double share,
                                              uint64_t seed, partan_ratings **first, partan_ratings **second);
PARTAN_API void partan_ratings_free(partan_ratings *ratings);

/* Writes a list of entries, separated by tabs, in their order; path "-" is standard output. Values round-trip. */
PARTAN_API partan_status partan_ratings_write(partan_context *context, const partan_ratings *ratings, const char *path);

/* Entries of a matrix of low rank at random places, to four decimals: products of factors with normal entries, scaled
 * to variance 1, and normal noise. The same options give the same ratings everywhere. */
typedef struct partan_ratings_generator {
    uint64_t rows, columns; /* default 1000 and 500 */
    uint64_t rank;          /* default 5 */
    uint64_t entries;       /* default 50000 */
    double noise;           /* its standard deviation; default 0.5 */
    uint64_t seed;          /* default 1 */
} partan_ratings_generator;

PARTAN_API void partan_ratings_generator_init(partan_ratings_generator *options);
PARTAN_API partan_status partan_ratings_generate(partan_context *context, const partan_ratings_generator *options,
                                                 partan_ratings **ratings);

PARTAN_API size_t partan_ratings_rows(const partan_ratings *ratings);
PARTAN_API size_t partan_ratings_columns(const partan_ratings *ratings);
PARTAN_API size_t partan_ratings_count(const partan_ratings *ratings); /* known entries */
/* Entry k in the order in which it was read or handed over; NaN for a value that there is none of. */
PARTAN_API partan_status partan_ratings_entry(const partan_ratings *ratings, size_t k, size_t *row, size_t *column,
                                              double *value);
/* Names; `buffer` is for those that are numbers. */
PARTAN_API const char *partan_ratings_row_name(const partan_ratings *ratings, size_t i, char *buffer, size_t size);
PARTAN_API const char *partan_ratings_column_name(const partan_ratings *ratings, size_t i, char *buffer, size_t size);
PARTAN_API uint64_t partan_ratings_fingerprint(const partan_ratings *ratings); /* whatever the order of entries */

/* Offsets that are taken off the values and added to predictions: the mean of all; then, of what is left, the mean of
 * each row; then, of what is left, the mean of each column. Rows and columns without a value have offset 0. */
typedef enum partan_centre {
    PARTAN_CENTRE_NONE = 0,
    PARTAN_CENTRE_MEAN = 1,    /* the mean of all only */
    PARTAN_CENTRE_ROWS = 2,    /* it, and those of rows */
    PARTAN_CENTRE_COLUMNS = 3, /* it, and those of columns */
    PARTAN_CENTRE_BOTH = 4     /* all three; the default */
} partan_centre;

PARTAN_API const char *partan_centre_name(partan_centre centre); /* "none", "mean", "rows", "columns", "both" */

typedef struct partan_matrix_settings {
    double radius; /* of the nuclear norm, above 0 */
    partan_centre centre;
    int64_t max_rank; /* of the answer, PARTAN_SOLVER_AUTO only; 0, the default: no limit */
    double held_out;  /* the share of the entries that the radius is chosen by; default 0.1 */
    int64_t points;   /* radii tried at most; default 40 */
} partan_matrix_settings;

PARTAN_API void partan_matrix_settings_init(partan_matrix_settings *settings);
PARTAN_API partan_status partan_matrix_settings_set(partan_context *context, partan_matrix_settings *settings,
                                                    const char *name, const char *text);
PARTAN_API partan_status partan_matrix_settings_check(partan_context *context, const partan_matrix_settings *settings);
PARTAN_API const partan_option *partan_matrix_settings_option(size_t i); /* NULL past the last */

typedef struct partan_matrix partan_matrix;

typedef struct partan_matrix_result {
    partan_status status;
    int converged; /* the certified gap met the target */
    int64_t iterations;
    double objective; /* f */
    double gap;
    double relative_gap; /* gap / (1/2 sum b^2) */
    double nuclear_norm;
    uint64_t rank;
    double rmse, mae;  /* at the known entries */
    uint64_t products; /* of the gradient with a vector, what the leading singular pairs and the certificate cost */
    double seconds;
} partan_matrix_result;

/* Fits a matrix to ratings, at matrix_settings->radius, which must be above 0. Of `settings`, solver, step, tol, eps,
 * seed, max_iter, time_limit and trace_rows are used; NULL: all defaults, but tol = 1e-3. PARTAN_SOLVER_AUTO adds
 * leading singular pairs of the gradient, a few at a time, and corrects all factors by alternating least squares after
 * each addition; the variants are those of the other problems. `start` may be NULL, or a matrix of the same rows and
 * columns to go on from. Positive statuses still return a matrix, with its true gap. */
PARTAN_API partan_status partan_matrix_fit(partan_context *context, const partan_ratings *ratings,
                                           const partan_settings *settings,
                                           const partan_matrix_settings *matrix_settings, const partan_matrix *start,
                                           partan_matrix **matrix);

typedef struct partan_matrix_point {
    double radius;
    partan_matrix_result result; /* of the fit to the entries that were not held out */
    double held_rmse, held_mae;
    uint64_t held; /* entries */
} partan_matrix_point;

/* A return value other than 0 ends it. */
typedef int (*partan_matrix_callback)(void *user, const partan_matrix_point *point);

/* Chooses the radius: holds out a share of the entries, drawn with the settings' seed, fits the others at radii that
 * grow from where the answer has rank one, each fit beginning at the one before, until the error at the entries held
 * out has grown twice in a row or is clearly above the least. `best` gets the one of least error; partan_matrix_fit
 * with its radius fits all entries. matrix_settings->radius is not looked at. time_limit is one of the whole. */
PARTAN_API partan_status partan_matrix_choose(partan_context *context, const partan_ratings *ratings,
                                              const partan_settings *settings,
                                              const partan_matrix_settings *matrix_settings,
                                              partan_matrix_callback point, void *user, partan_matrix_point *best);

/* General linear measurements A of an unknown matrix instead of entries. Arrays are the library's, and a callback must
 * not call it; a return value other than 0 is a failure that ends the fit. */
typedef struct partan_measurements {
    size_t rows, columns, count;
    /* values = A(X), X = left right': X_ij is the sum over k < rank of left[i * stride + k] right[j * stride + k]. */
    int (*apply)(void *user, size_t rank, size_t stride, const double *left, const double *right, double *values);
    /* The adjoint, a matrix, times a vector: out = A*(values) x, and out = A*(values)' x. */
    int (*times)(void *user, const double *values, const double *x, double *out);
    int (*times_transposed)(void *user, const double *values, const double *x, double *out);
    void *user;
} partan_measurements;

/* min 1/2 |A(X) - b|^2 subject to |X|_* <= radius; b has `count` values. There are no offsets. PARTAN_SOLVER_AUTO
 * re-optimises the matrix between the singular vectors found so far after each addition. The errors of the
 * result are those of the measurements. */
PARTAN_API partan_status partan_matrix_recover(partan_context *context, const partan_measurements *measurements,
                                               const double *b, const partan_settings *settings,
                                               const partan_matrix_settings *matrix_settings,
                                               const partan_matrix *start, partan_matrix **matrix);

PARTAN_API void partan_matrix_free(partan_matrix *matrix);

/* Files; see docs/model-format.md. */
PARTAN_API partan_status partan_matrix_read(partan_context *context, const char *path, partan_matrix **matrix);
PARTAN_API partan_status partan_matrix_from_file(partan_context *context, const partan_model_file *file,
                                                 partan_matrix **matrix);
PARTAN_API partan_status partan_matrix_write(partan_context *context, const partan_matrix *matrix, const char *path);

/* Predictions for the entries of `ratings`, in their order; rows and columns are looked up by their names. An entry
 * whose row or column the matrix does not know gets the offsets that there are. Values are not limited to any range.
 * rmse and mae (or NULL) are of the entries that have values, NaN when none has. */
PARTAN_API partan_status partan_matrix_predict(partan_context *context, const partan_matrix *matrix,
                                               const partan_ratings *ratings, double *values, double *rmse,
                                               double *mae);

/* The columns of greatest predicted value in a row, at most *count of them, greatest first; *count gets how many there
 * are. Those with an entry of that row's name in `seen` (or NULL) are left out. */
PARTAN_API partan_status partan_matrix_top(partan_context *context, const partan_matrix *matrix, size_t row,
                                           const partan_ratings *seen, size_t *count, size_t *columns, double *values);

typedef struct partan_matrix_verification {
    double objective; /* recomputed from factors, offsets and ratings */
    double gap;       /* with an upper bound of the spectral norm from Lanczos steps of its own */
    double relative_gap;
    double nuclear_norm;
    double rmse;
    int feasible;     /* the nuclear norm is within the radius */
    int matches;      /* feasible, and everything is what the matrix claims */
    char reason[256]; /* why it does not match; "" when it does */
} partan_matrix_verification;

/* Recomputes what the matrix claims from the ratings it was fitted to, by code that the solver does not use. */
PARTAN_API partan_status partan_matrix_verify(partan_context *context, const partan_matrix *matrix,
                                              const partan_ratings *ratings, partan_matrix_verification *verification);

PARTAN_API const partan_matrix_result *partan_matrix_get_result(const partan_matrix *matrix);
PARTAN_API const partan_settings *partan_matrix_solver_settings(const partan_matrix *matrix);
PARTAN_API const partan_matrix_settings *partan_matrix_get_settings(const partan_matrix *matrix);
PARTAN_API const char *partan_matrix_version(const partan_matrix *matrix);  /* of the library that fitted it */
PARTAN_API uint64_t partan_matrix_fingerprint(const partan_matrix *matrix); /* of the ratings; 0: measurements */
PARTAN_API uint64_t partan_matrix_entries(const partan_matrix *matrix); /* ratings or measurements it was fitted to */
PARTAN_API size_t partan_matrix_rows(const partan_matrix *matrix);
PARTAN_API size_t partan_matrix_columns(const partan_matrix *matrix);
/* The factors: X = sum over k of singular[k] left[.][k] right[.][k]', left and right orthonormal, `rank` values a row;
 * singular values descend. */
PARTAN_API const double *partan_matrix_left(const partan_matrix *matrix);
PARTAN_API const double *partan_matrix_right(const partan_matrix *matrix);
PARTAN_API const double *partan_matrix_singular(const partan_matrix *matrix);
PARTAN_API double partan_matrix_mean(const partan_matrix *matrix); /* offsets: of all, */
PARTAN_API double partan_matrix_row_offset(const partan_matrix *matrix, size_t i);
PARTAN_API double partan_matrix_column_offset(const partan_matrix *matrix, size_t i);
/* By index, as in the ratings that it was fitted to; and by name: -1 when there is no such row or column. */
PARTAN_API const char *partan_matrix_row_name(const partan_matrix *matrix, size_t i, char *buffer, size_t size);
PARTAN_API const char *partan_matrix_column_name(const partan_matrix *matrix, size_t i, char *buffer, size_t size);
PARTAN_API int64_t partan_matrix_find_row(const partan_matrix *matrix, const char *name);
PARTAN_API int64_t partan_matrix_find_column(const partan_matrix *matrix, const char *name);

#ifdef __cplusplus
}
#endif

#endif
