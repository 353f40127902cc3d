/* Support vector machines: training, the path over C, cross-validation, tuning, prediction, verification. */
#ifndef PARTAN_SVM_H
#define PARTAN_SVM_H

#include <stddef.h>
#include <stdint.h>

#include "partan/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Trains on data with two classes or more or, by settings->problem, a regression or outlier detection. Classes are
 * numbered from 0 in ascending order of their labels (words in the order of strcmp); of two, class 1 is the positive
 * one. For more than two there is a machine for each pair of classes, or for each class against the rest
 * (settings->multiclass), each with a certificate of its own (partan_model_machine); max_iter applies to each of them,
 * time_limit to the whole run. `start` may be NULL, or a model to start from: its support vectors are looked up among
 * the rows. Positive statuses (limits, interruption) return a model too, with its true gap. With settings->probability,
 * the folds come after the model, within the same time limit: if the limit or an interruption ends them, the model is
 * there without probabilities, its result says how its own training ended, and PARTAN_TIME_LIMIT or PARTAN_INTERRUPTED
 * is returned. */
PARTAN_API partan_status partan_train(partan_context *context, const partan_data *data, const partan_settings *settings,
                                      const partan_model *start, partan_model **model);

/* What a training may be given beside its settings. */
typedef struct partan_train_options {
    size_t struct_size;
    const partan_model *start; /* as in partan_train; default NULL */
    /* A file that a checkpoint is written to every checkpoint_every seconds while training, so that a run that is
     * killed can be resumed. It is replaced as a whole: at any moment it is complete, or not there yet. It has the
     * weights of the present solution, not the data. Where it cannot be written during training, a warning is logged
     * and training goes on. Default NULL: none; 60 seconds. */
    const char *checkpoint;
    double checkpoint_every;
    /* A checkpoint to go on from, of a training on the same data with the same settings; of these, tol, eps, max_iter,
     * time_limit, cache_bytes and trace_rows may be others. PARTAN_ERROR_DATA if it belongs to another training.
     * Iterations, which max_iter limits, and seconds of the result include those before; time_limit does not. Default
     * NULL: none. */
    const char *resume;
} partan_train_options;

PARTAN_DECLARE_INIT(partan_train_options)

/* The same as partan_train, with these options; NULL: the defaults. */
PARTAN_API partan_status partan_train_with(partan_context *context, const partan_data *data,
                                           const partan_settings *settings, const partan_train_options *options,
                                           partan_model **model);

/* A point of a path: the model trained with costs[index], which the callback must keep or free. A nonzero return value
 * ends the path. The callback may use the context, for example to predict or to write the model. */
typedef int (*partan_path_callback)(void *user, size_t index, partan_model *model);

/* Trains with each of `count` costs instead of settings->cost and passes the models, each with its own certificate, to
 * the callback one by one. With PARTAN_SOLVER_AUTO a point starts from a combination of the points before it and reuses
 * much of what they computed: ascending costs are the fastest order, and costs that are close together take little more
 * time than one. The other solvers start each point from the previous one. max_iter applies to each point, time_limit
 * to the whole path. A point that was cut short by an interruption or the time limit is passed to the callback too,
 * with its true gap, and is the last one. Returns why the path ended early, else the first positive status of a point,
 * else PARTAN_OK. */
PARTAN_API partan_status partan_path(partan_context *context, const partan_data *data, const partan_settings *settings,
                                     const double *costs, size_t count, partan_path_callback point, void *user);

/* Comparison of predictions with labels. Class 0 is the negative one, class 1 the positive one; of more than two
 * classes, confusion is 0, precision to f1 and average_precision are NaN (see partan_evaluate_classes), and auc is the
 * mean over the classes, each against the rest. Of numbers (regression), only labelled and r2 to mae have a meaning,
 * which are NaN for classes. Undefined values are NaN: the precision of a class that is never predicted, the AUC if all
 * rows are of one class. */
typedef struct partan_evaluation {
    size_t struct_size;
    uint64_t labelled; /* rows with a label; other rows are ignored */
    uint64_t correct;
    uint64_t confusion[2][2]; /* rows by [class][predicted class] */
    uint64_t other;           /* rows whose label is not a class of the model; counted as wrong */
    double accuracy;          /* correct / labelled */
    double balanced_accuracy; /* mean recall of both classes */
    double precision[2], recall[2], f1[2];
    double auc;               /* area under the ROC curve; equal decision values count half */
    double average_precision; /* sum of precision x increase of recall over all thresholds, of the positive class */
    double macro_f1;          /* mean F1 of the classes */
    uint64_t classes;         /* of the model; 0: it predicts numbers, which r2, mse and mae are about */
    /* Of models that use probabilities, else NaN: means over the rows whose label is a class of the model. */
    double log_loss; /* -ln of the probability of the label */
    double brier;    /* squared error of the probability: of class 1, or, of more than two classes, summed over them */
    double r2;       /* share of the labels' variance that is explained; NaN if all labels are the same */
    double mse, mae; /* mean squared and mean absolute error */
} partan_evaluation;

PARTAN_DECLARE_INIT(partan_evaluation)

/* Computes accuracy to f1 from the counts. */
PARTAN_API void partan_evaluation_measure(partan_evaluation *evaluation);

/* A point of the ROC and precision-recall curves: rows with at least this decision value are predicted positive. */
typedef void (*partan_threshold_callback)(void *user, double threshold, uint64_t true_positives,
                                          uint64_t false_positives);

/* Evaluates the decision values that partan_predict computed for `data`. `point` (may be NULL) is called once for every
 * distinct decision value, in descending order. */
PARTAN_API partan_status partan_evaluate(partan_context *context, const partan_model *model, const partan_data *data,
                                         const double *decision, partan_threshold_callback point, void *user,
                                         partan_evaluation *evaluation);

/* The measures of each class, for any number of classes. */
typedef struct partan_class_evaluation { /* complete: it will get no more fields */
    uint64_t rows;                       /* with the label of the class */
    uint64_t predicted;                  /* labelled rows that were predicted to be of the class */
    double precision, recall, f1;        /* NaN if undefined */
} partan_class_evaluation;

/* Fills what is not NULL of `confusion`, the number of rows by [class][predicted class], `classes`, one for each class,
 * `predicted`, the class of each row as partan_model_decide has it, and `evaluation`, as partan_evaluate does, from the
 * decision values that partan_predict computed for `data`. */
PARTAN_API partan_status partan_evaluate_classes(partan_context *context, const partan_model *model,
                                                 const partan_data *data, const double *decision, uint64_t *confusion,
                                                 partan_class_evaluation *classes, int32_t *predicted,
                                                 partan_evaluation *evaluation);

/* The score that tuning maximises: one of the first five for classes, one of the others for numbers. */
typedef enum partan_score {
    PARTAN_SCORE_ACCURACY = 0, /* for numbers, r2: so that the default is one for every problem */
    PARTAN_SCORE_BALANCED = 1, /* balanced accuracy */
    PARTAN_SCORE_F1 = 2,       /* of the positive class; of more than two classes, macro_f1 */
    PARTAN_SCORE_AUC = 3,
    PARTAN_SCORE_LOG_LOSS = 4, /* of probabilities, negative: training is as with settings.probability */
    PARTAN_SCORE_R2 = 5,
    PARTAN_SCORE_MSE = 6, /* the score is -mse, so that the largest is the best */
    PARTAN_SCORE_MAE = 7  /* -mae */
} partan_score;

/* "accuracy", "balanced", "f1", "auc", "log-loss", "r2", "mse", "mae" */
PARTAN_API const char *partan_score_name(partan_score score);
PARTAN_API double partan_score_of(partan_score score, const partan_evaluation *evaluation);

/* A fold of a cross-validation: the result of training without it and the evaluation on it. A nonzero return value ends
 * the cross-validation. */
typedef int (*partan_fold_callback)(void *user, size_t fold, const partan_result *result,
                                    const partan_evaluation *evaluation);

/* Cross-validation with `folds` folds (2 or more), drawn with `seed` and, for classes, stratified: for each fold,
 * trains on the others and tests on it. `evaluation` gets the counts over all tested rows, the values computed from
 * them, and the means of AUC, average precision and R^2 over the folds; `decision` (may be NULL) gets the decision
 * value of each row by the model that was trained without it, or the values of all machines, one row after the other,
 * of which there are as many as for all classes of the data (PARTAN_ERROR_DATA if the model of a fold has others, since
 * a class has no row with weight). gamma_rule auto and scale use all rows. time_limit applies to the whole run. A fold
 * whose training is cut short is skipped, and the decision values of rows that were not tested are NaN. Returns as
 * partan_path does. */
PARTAN_API partan_status partan_cross_validate(partan_context *context, const partan_data *data,
                                               const partan_settings *settings, size_t folds, uint64_t seed,
                                               partan_fold_callback fold, void *user, double *decision,
                                               partan_evaluation *evaluation);

/* The model of a fold, and its decision values (partan_model_outputs of each row) for the rows that it was trained
 * without: rows[0] to rows[count - 1], counted from 0. */
typedef void (*partan_held_callback)(void *user, const partan_model *model, const size_t *rows, size_t count,
                                     const double *decision);

/* The same with a callback for the predictions, which is called before `fold`, with the same `user`. */
PARTAN_API partan_status partan_cross_predict(partan_context *context, const partan_data *data,
                                              const partan_settings *settings, size_t folds, uint64_t seed,
                                              partan_fold_callback fold, partan_held_callback held, void *user,
                                              partan_evaluation *evaluation);

typedef struct partan_tune_options {
    size_t struct_size;
    size_t folds;      /* 2 or more: cross-validation; 0, the default: one split */
    double validation; /* without folds: the share of the rows that is held out for testing; default 0.3 */
    uint64_t seed;     /* for the split or the folds; default 1 */
    partan_score score;
    const double *costs;
    size_t cost_count;
    const double *gammas; /* NULL: only the gamma of the settings */
    size_t gamma_count;
    const double *epsilons; /* regression; NULL: only the epsilon of the settings */
    size_t epsilon_count;
} partan_tune_options;

PARTAN_DECLARE_INIT(partan_tune_options)

typedef struct partan_tune_point {
    size_t struct_size;
    double cost, gamma;
    union {
        partan_result result;  /* training without the held-out rows; with folds, sums of counts and times, and the
                                  worst gap and status */
        char result_room[256]; /* results may grow without moving the fields below */
    };
    union {
        partan_evaluation evaluation; /* on the held-out rows; over all folds as in partan_cross_validate */
        char evaluation_room[512];
    };
    double score;           /* on the held-out rows; with folds, the mean over the folds */
    double deviation;       /* with folds, its standard deviation (divisor folds - 1); else 0 */
    uint64_t rows, correct; /* held-out rows, and how many of them were classified correctly; 0 in a regression */
    double predict_seconds;
    double epsilon; /* regression */
} partan_tune_point;

PARTAN_DECLARE_INIT(partan_tune_point)

/* A nonzero return value ends the tuning. The callback may use the context. */
typedef int (*partan_tune_callback)(void *user, const partan_tune_point *point);

/* Trains with every epsilon, gamma and cost and tests on held-out rows: one split as by partan_data_split, or folds.
 * With PARTAN_SOLVER_AUTO the costs of a gamma (and fold) are one partan_path; the other solvers train each from
 * scratch. gamma_rule auto and scale use all rows. `point` (may be NULL) is called for every point; `best` gets the one
 * with the highest score; ties: the first epsilon and gamma, then the smallest cost. time_limit applies to the whole
 * run; a point whose training is cut short by it or by an interruption is skipped. Returns as partan_path does; with a
 * positive status, `best` is set if any point was completed. */
PARTAN_API partan_status partan_tune(partan_context *context, const partan_data *data, const partan_settings *settings,
                                     const partan_tune_options *options, partan_tune_callback point, void *user,
                                     partan_tune_point *best);

/* 1 if a point is better than the best so far by the rule above, for points in the order of partan_tune. */
PARTAN_API int partan_tune_better(const partan_tune_point *point, const partan_tune_point *best);

/* Reads data to predict with a model. The label of a table is where it was in the training data: in the column of the
 * same name or, without names, of the same number; a table with as many columns as the model has features has no
 * labels. The weights, if the training data had a column of them, are found in the same way; they need not be there.
 * options->label_column is ignored; label_name and the other options are used. */
PARTAN_API partan_status partan_data_read_for(partan_context *context, const partan_model *model, const char *path,
                                              const partan_read_options *options, partan_data **data);

/* Computes the decision value of each row: positive means the positive class; a functional margin of 1 is the unit. Of
 * a regression, it is the predicted number; of outlier detection, positive means inside (class 1, label 1). Models of
 * more than two classes give partan_model_outputs values for each row, those of all machines, one row after the other;
 * partan_model_decide says which class they stand for.
 * * Columns are matched by name if both data and model have names, else by position. If the features differ (a column
 * is missing or unknown, or their number is different), the status is PARTAN_ERROR_DATA and the message names the
 * difference. Sparse rows (LIBSVM text, compressed arrays) may have fewer features than the model. */
PARTAN_API partan_status partan_predict(partan_context *context, const partan_model *model, const partan_data *data,
                                        double *decision);

/* Compares the labels of data with the classes of a model: how many rows have labels, and how many of these labels are
 * not a class of the model. PARTAN_ERROR_DATA if there are several different labels and none is a class of the model:
 * the data belongs to another problem. (If all labels are the same number, they may be placeholders: no failure.) */
PARTAN_API partan_status partan_model_check_labels(partan_context *context, const partan_model *model,
                                                   const partan_data *data, uint64_t *labelled, uint64_t *unknown);

typedef struct partan_compress_options {
    size_t struct_size;
    int64_t max_sv;  /* support vectors at most; default 0: as few as max_loss allows */
    double max_loss; /* without max_sv: by how much the accuracy on the data may fall; default 0.01 */
} partan_compress_options;

PARTAN_DECLARE_INIT(partan_compress_options)

/* What a compression has changed. Gaps are those that the models state, accuracies are on the data: R^2 of a
 * regression, and of outlier detection the share of rows that have the labels that they had before. */
typedef struct partan_compress_result {
    size_t struct_size;
    uint64_t vectors_before, vectors_after;
    double accuracy_before, accuracy_after;
    double relative_gap_before, relative_gap_after;
    double mean_difference, max_difference; /* of decision values, by magnitude */
    uint64_t rows, changed;                 /* rows of the data, and those that another label is predicted for */
} partan_compress_result;

PARTAN_DECLARE_INIT(partan_compress_result)

/* Makes a model with fewer support vectors that comes near the decision function of a native model. Its support
 * vectors are rows of `data`, which has the model's classes and may be its training data; so it is a model for that
 * data, with a certificate of its own: the gap of its function over all rows (docs/sparsity.md). `options` and
 * `compression` may be NULL. PARTAN_ERROR_DATA if no model with fewer support vectors meets max_loss.
 * PARTAN_INTERRUPTED returns a model too: what was reached by then. */
PARTAN_API partan_status partan_compress(partan_context *context, const partan_model *model, const partan_data *data,
                                         const partan_compress_options *options, partan_model **compressed,
                                         partan_compress_result *result);

typedef struct partan_verification {
    size_t struct_size;
    double objective; /* recomputed in double precision from weights and data */
    double gap;
    double relative_gap; /* gap / (2 objective) */
    double weight_sum;   /* must be 1 */
    double least_weight; /* must be > 0 */
    int feasible;        /* the weights are in the simplex and every support vector is the row that it claims to be */
    int matches;         /* feasible, and objective and gap are as stated in the model */
    char reason[256];    /* why it does not match; "" when it does */
} partan_verification;

PARTAN_DECLARE_INIT(partan_verification)

/* Recomputes everything that the model states from the original training data. PARTAN_OK means that the computation was
 * done; its outcome is in the verification. If support vectors are not the rows that they claim to be, nothing can be
 * computed, and objective, gap and relative_gap are NaN. */
PARTAN_API partan_status partan_verify(partan_context *context, const partan_model *model, const partan_data *data,
                                       partan_verification *verification);

#ifdef __cplusplus
}
#endif

#endif
