/* Settings of a training: a struct with defaults, or names and strings. */
#ifndef PARTAN_SETTINGS_H
#define PARTAN_SETTINGS_H

#include <stddef.h>
#include <stdint.h>

#include "partan/data.h"
#include "partan/options.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum partan_kernel {
    PARTAN_KERNEL_LINEAR = 0,     /* x'z */
    PARTAN_KERNEL_POLYNOMIAL = 1, /* (gamma x'z + coef0)^degree */
    PARTAN_KERNEL_RBF = 2,        /* exp(-gamma |x-z|^2) */
    PARTAN_KERNEL_SIGMOID = 3,    /* tanh(gamma x'z + coef0) */
    PARTAN_KERNEL_PRECOMPUTED = 4,
    PARTAN_KERNEL_LAPLACIAN = 5 /* exp(-gamma |x-z|_1) */
} partan_kernel;

/* Rules look at all rows or, where there are more than 262,144, at so many at even distances. */
typedef enum partan_gamma {
    PARTAN_GAMMA_VALUE = 0, /* the value of settings.gamma */
    PARTAN_GAMMA_AUTO = 1,  /* 1 / mean squared distance over all pairs of rows */
    PARTAN_GAMMA_SCALE = 2  /* 1 / (features x variance of all values), as in scikit-learn */
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
    PARTAN_STOP_CONFIRMED = 0, /* with sampling: the gap is confirmed over all rows before convergence is claimed */
    PARTAN_STOP_SAMPLED = 1    /* with sampling: stop when consecutive samples meet the target, as in the paper */
} partan_stop;

typedef enum partan_init {
    PARTAN_INIT_FIRST = 0, /* the first row's vertex */
    PARTAN_INIT_RANDOM = 1 /* the vertex of a random row */
} partan_init;

typedef enum partan_scale { /* of the features, before training */
                            PARTAN_SCALE_NONE = 0,
                            PARTAN_SCALE_MINMAX = 1,  /* each to the range from 0 to 1 */
                            PARTAN_SCALE_STANDARD = 2 /* each to mean 0 and variance 1 */
} partan_scale;

typedef struct partan_class_weight {
    const char *label; /* of a class, as text */
    double weight;     /* above 0 */
} partan_class_weight;

typedef enum partan_multiclass {                        /* which machines there are for more than two classes */
                                 PARTAN_ONE_VS_ONE = 0, /* one for each pair of classes */
                                 PARTAN_ONE_VS_REST = 1 /* one for each class, against all others */
} partan_multiclass;

typedef enum partan_problem {
    PARTAN_CLASSIFICATION = 0, /* of two classes or more */
    PARTAN_REGRESSION = 1,     /* labels are numbers to be predicted */
    PARTAN_OUTLIER = 2         /* labels are not used: which rows are unlike the others */
} partan_problem;

/* Call partan_settings_init to set all fields to their defaults, then change the ones you need. Training stops when the
 * criterion tol or the criterion eps is met; 0 turns a criterion off. tol = 0.01 means: the margin is proven to be
 * within 1 % of the best possible one. */
typedef struct partan_settings {
    size_t struct_size;
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
    int64_t sample;          /* vertices sampled per iteration; 0: all */
    int64_t further_samples; /* with sampling: further samples that must meet the target too before training stops */
    partan_stop stop;
    partan_init init;
    uint64_t seed;
    int64_t max_iter;    /* 0: no limit */
    double time_limit;   /* seconds; 0: no limit */
    int64_t cache_bytes; /* for kernel columns; -1: chosen by cost and free memory */
    int64_t merge;       /* 1: equal rows of one class share a vertex (PARTAN_SOLVER_AUTO only; exact); 0: off */
    int64_t trace_rows;  /* trace about this many iterations, log-spaced; 0: all */
    partan_scale scale;  /* stored in the model and applied to the data that it predicts */
    /* Weights of classes, which C is multiplied by for their rows, beside those of the rows themselves. Classes that
     * are not listed have weight 1. The list must stay valid during the call; the model has the weights per class. */
    const partan_class_weight *class_weights; /* default NULL: none */
    size_t class_weight_count;
    partan_multiclass multiclass;
    int balanced; /* 1: classes have weights so that all have the same sum of weights, that of the rows in all; default
                     0 */
    partan_problem problem;
    double epsilon;            /* regression: errors up to this do not count */
    int64_t probability;       /* 1: calibrate probabilities of the classes on held-out folds (partan/probability.h) */
    int64_t probability_folds; /* how many */
    double outliers; /* outlier: the share of the training rows that the threshold leaves outside; 0, the default: the
                        radius of the solution is the threshold */
    int64_t max_sv;  /* at most so many support vectors in the model (partan_compress); 0: no limit */
} partan_settings;

PARTAN_DECLARE_INIT(partan_settings)

/* Sets a field from text ("tol", "0.01"; "gamma", "auto"), with the names, values and checks of the command line. On
 * failure the message says what was expected. */
PARTAN_API partan_status partan_settings_set(partan_context *context, partan_settings *settings, const char *name,
                                             const char *text);

/* Checks that all settings are in range and compatible with each other. Every call that takes settings does this first.
 * The message names the setting, what was expected and what was found. */
PARTAN_API partan_status partan_settings_check(partan_context *context, const partan_settings *settings);

/* The names of the values as text; NULL for a number that is not one of them. */
PARTAN_API const char *partan_kernel_name(partan_kernel kernel);
PARTAN_API const char *partan_solver_name(partan_solver solver);
PARTAN_API const char *partan_step_name(partan_step step);
PARTAN_API const char *partan_stop_name(partan_stop stop);
PARTAN_API const char *partan_init_name(partan_init init);
PARTAN_API const char *partan_multiclass_name(partan_multiclass multiclass); /* "ovo", "ovr" */
PARTAN_API const char *partan_problem_name(partan_problem problem); /* "classification", "regression", "outlier" */
PARTAN_API const char *partan_scale_name(partan_scale scale);       /* "none", "minmax", "standard" */

/* 1 if a kernel uses the setting "gamma", "degree" or "coef0". */
PARTAN_API int partan_kernel_uses(partan_kernel kernel, const char *setting);

/* The value of gamma that settings->gamma_rule gives for this data; PARTAN_GAMMA_VALUE gives settings->gamma. */
PARTAN_API partan_status partan_gamma_value(partan_context *context, const partan_settings *settings,
                                            const partan_data *data, double *gamma);

/* Option i of partan_settings; NULL after the last. */
PARTAN_API const partan_option *partan_settings_option(size_t i);

#ifdef __cplusplus
}
#endif

#endif
