/* The Lasso: sparse linear models. */
#ifndef PARTAN_LASSO_H
#define PARTAN_LASSO_H

#include <stddef.h>
#include <stdint.h>

#include "partan/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Least squares with an l1 penalty or constraint. The penalised form is
 *
 *     min 1/(2n) |y - b0 - Xb|^2 + lambda sum_j s_j |b_j|
 *
 * with n rows; lambda is the lambda of glmnet and the alpha of scikit-learn. The constrained form is
 *
 *     min 1/2 |y - b0 - Xb|^2    subject to    sum_j s_j |b_j| <= radius
 *
 * s_j is the standard deviation of feature j (divisor n, as in glmnet), or 1 without standardisation. The target y is
 * the labels as numbers. The coefficient of a constant feature is 0.
 *
 * The gap is an upper bound of the distance to the optimal objective: the duality gap in the penalised form, the
 * Frank-Wolfe gap in the constrained form. The relative gap is the gap divided by the objective at b = 0, that is |y|^2
 * / (2n) or |y|^2 / 2 with y less its mean (as it is, without an intercept). celer and scikit-learn divide by twice as
 * much: their tol = 5e-7 is 1e-6 here.
 *
 * The solver is controlled by a partan_settings: solver, step, tol, eps, sample, further_samples, stop, init, seed,
 * max_iter, time_limit and trace_rows; other fields are ignored. NULL: all defaults, with tol = 1e-6.
 * PARTAN_SOLVER_AUTO, a working set of features with coordinate descent and Newton steps, solves both forms and paths.
 * The Frank-Wolfe variants, also with sampled features, solve the constrained form; `init` is then the vertex of the
 * feature with the greatest correlation (first) or of a random feature. */
typedef struct partan_lasso_settings {
    size_t struct_size;
    double lambda;       /* of the penalised form; 0: not used */
    double radius;       /* of the constrained form; 0: not used */
    int64_t intercept;   /* 1: fit b0; 0: it is 0; default 1 */
    int64_t standardise; /* 1: s_j is the standard deviation; 0: it is 1; default 1 */
    int64_t points;      /* of a path; default 100 */
    double ratio;        /* smallest lambda of a path / largest; 0, the default: 1e-2 with more features than rows, else
                            1e-4 */
    int64_t folds;       /* of cross-validation; default 10 */
} partan_lasso_settings;

PARTAN_DECLARE_INIT(partan_lasso_settings)

PARTAN_API partan_status partan_lasso_settings_set(partan_context *context, partan_lasso_settings *lasso,
                                                   const char *name, const char *text);
PARTAN_API partan_status partan_lasso_settings_check(partan_context *context, const partan_lasso_settings *lasso);
PARTAN_API const partan_option *partan_lasso_settings_option(size_t i); /* NULL past the last */

typedef struct partan_lasso partan_lasso; /* a linear model */

typedef struct partan_lasso_result {
    partan_status status;
    int converged; /* the gap met the target */
    int64_t iterations;
    double lambda; /* as given; in the constrained form, the lambda that has the same solution */
    double radius; /* as given; in the penalised form the sum of s_j |b_j| */
    double objective;
    double gap;
    double relative_gap;
    uint64_t nonzeros; /* coefficients other than 0 */
    double r2;         /* 1 - |y - b0 - Xb|^2 / |y|^2, y less its mean if there is an intercept */
    double seconds;
} partan_lasso_result;

/* Fits one model with lasso->lambda or lasso->radius: one of them must be above 0. Positive statuses (limits,
 * interruption) return a model too, with its true gap. */
PARTAN_API partan_status partan_lasso_fit(partan_context *context, const partan_data *data,
                                          const partan_lasso_settings *lasso, const partan_settings *settings,
                                          partan_lasso **model);

/* A point of a path; the callback must keep or free the model. A nonzero return value ends the path. */
typedef int (*partan_lasso_callback)(void *user, size_t index, partan_lasso *model);

/* Fits models with `count` lambdas in descending order, each with its own certificate. lambdas NULL: lasso->points
 * log-spaced lambdas from the smallest one with all coefficients 0 down to ratio times that. max_iter applies to each
 * point, time_limit to the whole path. Returns as partan_path does. */
PARTAN_API partan_status partan_lasso_path(partan_context *context, const partan_data *data,
                                           const partan_lasso_settings *lasso, const partan_settings *settings,
                                           const double *lambdas, size_t count, partan_lasso_callback point,
                                           void *user);

/* A lambda in cross-validation: the mean squared error over all held-out rows, and its standard error over the folds.
 */
typedef struct partan_lasso_cv_point {
    double lambda;
    double error;
    double standard_error;
    double nonzeros; /* on average over the folds */
} partan_lasso_cv_point;

typedef struct partan_lasso_cv_result {
    size_t struct_size;
    size_t points;
    size_t best;               /* index of the lambda with the smallest error */
    size_t one_standard_error; /* index of the largest lambda whose error is within one standard error of that */
} partan_lasso_cv_result;

PARTAN_DECLARE_INIT(partan_lasso_cv_result)

typedef void (*partan_lasso_cv_callback)(void *user, size_t index, const partan_lasso_cv_point *point);

/* Cross-validation with lasso->folds random folds (settings->seed): fits the path with the lambdas of all rows to all
 * but one fold and tests it on that fold. `point` is called for every lambda when all folds are done. */
PARTAN_API partan_status partan_lasso_cv(partan_context *context, const partan_data *data,
                                         const partan_lasso_settings *lasso, const partan_settings *settings,
                                         partan_lasso_cv_callback point, void *user, partan_lasso_cv_result *result);

/* As partan_data_read_for, for a linear model. */
PARTAN_API partan_status partan_lasso_data_read(partan_context *context, const partan_lasso *model, const char *path,
                                                const partan_read_options *options, partan_data **data);

/* b0 + Xb, one value per row. Features are matched as by partan_predict. */
PARTAN_API partan_status partan_lasso_predict(partan_context *context, const partan_lasso *model,
                                              const partan_data *data, double *values);

typedef struct partan_lasso_verification {
    size_t struct_size;
    double objective; /* recomputed by plain code from the coefficients and the data */
    double gap;
    double relative_gap;
    double r2;
    double norm;      /* sum of s_j |b_j|: must not exceed the radius */
    int matches;      /* everything is as stated in the model */
    char reason[256]; /* why not; "" when it matches */
} partan_lasso_verification;

PARTAN_DECLARE_INIT(partan_lasso_verification)

/* Recomputes everything that the model states from the original training data. */
PARTAN_API partan_status partan_lasso_verify(partan_context *context, const partan_lasso *model,
                                             const partan_data *data, partan_lasso_verification *verification);

/* Files are text and restore models exactly. Paths are as for partan_model_read and partan_model_write. */
PARTAN_API partan_status partan_lasso_read(partan_context *context, const char *path, partan_lasso **model);
PARTAN_API partan_status partan_lasso_from_file(partan_context *context, const partan_model_file *file,
                                                partan_lasso **model);
PARTAN_API partan_status partan_lasso_write(partan_context *context, const partan_lasso *model, const char *path);

/* The bytes of a model file in memory, to be freed with partan_free and the same context. */
PARTAN_API partan_status partan_lasso_to_memory(partan_context *context, const partan_lasso *model, char **bytes,
                                                size_t *size);
PARTAN_API partan_status partan_lasso_from_memory(partan_context *context, const void *bytes, size_t size,
                                                  partan_lasso **model);

PARTAN_API void partan_lasso_free(partan_lasso *model);
PARTAN_API const partan_lasso_result *partan_lasso_get_result(const partan_lasso *model);
PARTAN_API const partan_lasso_settings *partan_lasso_get_settings(const partan_lasso *model);
PARTAN_API const partan_settings *partan_lasso_get_solver(const partan_lasso *model);
PARTAN_API const char *partan_lasso_version(const partan_lasso *model);  /* of the library that fitted it */
PARTAN_API uint64_t partan_lasso_fingerprint(const partan_lasso *model); /* of the training data */
PARTAN_API size_t partan_lasso_rows(const partan_lasso *model);          /* of the training data */
PARTAN_API size_t partan_lasso_features(const partan_lasso *model);
PARTAN_API double partan_lasso_intercept(const partan_lasso *model);
/* Nonzero coefficient i, in ascending order of features: its feature (from 0), its value and the feature's name (NULL
 * if it has none). */
PARTAN_API partan_status partan_lasso_coefficient(const partan_lasso *model, size_t i, size_t *feature, double *value,
                                                  const char **name);

#ifdef __cplusplus
}
#endif

#endif
