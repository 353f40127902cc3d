/* Matrix completion and recovery: a matrix of low rank from some of its entries or from measurements. */
#ifndef PARTAN_MATRIX_H
#define PARTAN_MATRIX_H

#include <stddef.h>
#include <stdint.h>

#include "partan/model.h"
#include "partan/ratings.h"

#ifdef __cplusplus
extern "C" {
#endif

/* From some entries of a matrix (ratings that users gave to items) to all of them:
 *
 *     min f(X) = 1/2 sum over known entries of (X_ij - b_ij)^2   subject to   |X|_* <= radius
 *
 * |X|_* is the nuclear norm, the sum of singular values; the smaller the radius, the lower the rank. b are the values
 * minus their offsets (partan_centre). X is only stored as factors of its rank.
 *
 * The certificate is the gap g = <G, X> + radius * |G|_2 with G the gradient, zero but for the known entries: f is
 * within g of the least possible. The relative gap is g / (1/2 sum b^2): a relative gap of 0.001 proves that the share
 * of the squares that X explains is within 0.1 percentage points of the best possible one at this radius. The spectral
 * norm |G|_2 enters by an upper bound, which Lanczos steps from a random vector give: it holds unless that vector,
 * drawn with the seed, is so nearly orthogonal to the leading singular vector as happens once in 10^9 draws
 * (src/matrix/spectral.h).
 */

/* Offsets that are subtracted from the values and added to predictions: the mean of all values; then the mean of each
 * row of the remainder; then the mean of each column of the remainder. Rows and columns without values have offset 0.
 */
typedef enum partan_centre {
    PARTAN_CENTRE_NONE = 0,
    PARTAN_CENTRE_MEAN = 1,    /* only the mean of all values */
    PARTAN_CENTRE_ROWS = 2,    /* that and the means of rows */
    PARTAN_CENTRE_COLUMNS = 3, /* that and the means of columns */
    PARTAN_CENTRE_BOTH = 4     /* all three, the default */
} partan_centre;

PARTAN_API const char *partan_centre_name(partan_centre centre); /* "none", "mean", "rows", "columns", "both" */

typedef struct partan_matrix_settings {
    size_t struct_size;
    double radius; /* of the nuclear norm, above 0 */
    partan_centre centre;
    int64_t max_rank; /* of the answer, PARTAN_SOLVER_AUTO only; 0, the default: no limit */
    double held_out;  /* the share of entries held out to choose the radius; default 0.1 */
    int64_t points;   /* maximum number of radii to try; default 40 */
} partan_matrix_settings;

PARTAN_DECLARE_INIT(partan_matrix_settings)

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
    uint64_t products; /* of the gradient with a vector: the cost of singular pairs and certificate */
    double seconds;
} partan_matrix_result;

/* Fits a matrix to ratings with the radius matrix_settings->radius, which must be above 0. Of `settings`, solver, step,
 * tol, eps, seed, max_iter, time_limit and trace_rows are used; NULL: all defaults, with tol = 1e-3. PARTAN_SOLVER_AUTO
 * adds leading singular pairs of the gradient, a few at a time, and corrects all factors by alternating least squares
 * after each addition; the other solvers are the same as for the SVM. `start` may be NULL, or a matrix of the same rows
 * and columns to continue from. Positive statuses return a matrix too, with its true gap. */
PARTAN_API partan_status partan_matrix_fit(partan_context *context, const partan_ratings *ratings,
                                           const partan_settings *settings,
                                           const partan_matrix_settings *matrix_settings, const partan_matrix *start,
                                           partan_matrix **matrix);

typedef struct partan_matrix_point {
    size_t struct_size;
    double radius;
    union {
        partan_matrix_result result; /* of the fit without the held-out entries */
        char result_room[256];       /* results may grow without moving the fields below */
    };
    double held_rmse, held_mae;
    uint64_t held; /* entries */
} partan_matrix_point;

PARTAN_DECLARE_INIT(partan_matrix_point)

/* A nonzero return value ends the search. */
typedef int (*partan_matrix_callback)(void *user, const partan_matrix_point *point);

/* Chooses the radius: holds out a random share of the entries (settings->seed) and fits the others with increasing
 * radii, starting where the solution has rank one, each fit from the one before, until the error of the held-out
 * entries has grown twice in a row or is clearly above the smallest. `best` gets the point with the smallest error;
 * call partan_matrix_fit with its radius to fit all entries. matrix_settings->radius is ignored. time_limit applies to
 * the whole run. */
PARTAN_API partan_status partan_matrix_choose(partan_context *context, const partan_ratings *ratings,
                                              const partan_settings *settings,
                                              const partan_matrix_settings *matrix_settings,
                                              partan_matrix_callback point, void *user, partan_matrix_point *best);

/* General linear measurements A of an unknown matrix instead of entries. The arrays belong to the library. The
 * functions must not call the library; a nonzero return value is a failure that ends the fit. */
typedef struct partan_measurements {
    size_t struct_size;
    size_t rows, columns, count;
    /* values = A(X), X = left right': X_ij is the sum over k < rank of left[i * stride + k] right[j * stride + k]. */
    int (*apply)(void *user, size_t rank, size_t stride, const double *left, const double *right, double *values);
    /* The adjoint, a matrix, times a vector: out = A*(values) x, and out = A*(values)' x. */
    int (*times)(void *user, const double *values, const double *x, double *out);
    int (*times_transposed)(void *user, const double *values, const double *x, double *out);
    void *user;
} partan_measurements;

PARTAN_DECLARE_INIT(partan_measurements)

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
/* The bytes of a file in memory, to be freed with partan_free and the same context. */
PARTAN_API partan_status partan_matrix_to_memory(partan_context *context, const partan_matrix *matrix, char **bytes,
                                                 size_t *size);
PARTAN_API partan_status partan_matrix_from_memory(partan_context *context, const void *bytes, size_t size,
                                                   partan_matrix **matrix);

/* Predicts the entries of `ratings`, in their order; rows and columns are looked up by name. The prediction for an
 * unknown row or column is the sum of the known offsets. Predictions are not clipped to a range. rmse and mae (may be
 * NULL) are over the entries that have values; NaN if there are none. */
PARTAN_API partan_status partan_matrix_predict(partan_context *context, const partan_matrix *matrix,
                                               const partan_ratings *ratings, double *values, double *rmse,
                                               double *mae);

/* The columns with the greatest predictions in a row, at most *count of them, in descending order; *count gets their
 * number. Columns with an entry in the row of that name of `seen` (may be NULL) are skipped. */
PARTAN_API partan_status partan_matrix_top(partan_context *context, const partan_matrix *matrix, size_t row,
                                           const partan_ratings *seen, size_t *count, size_t *columns, double *values);

typedef struct partan_matrix_verification {
    size_t struct_size;
    double objective; /* recomputed from factors, offsets and ratings */
    double gap;       /* with an upper bound of the spectral norm from separate Lanczos steps */
    double relative_gap;
    double nuclear_norm;
    double rmse;
    int feasible;     /* the nuclear norm is within the radius */
    int matches;      /* feasible, and everything is as stated in the matrix */
    char reason[256]; /* why it does not match; "" when it does */
} partan_matrix_verification;

PARTAN_DECLARE_INIT(partan_matrix_verification)

/* Recomputes what the matrix states from the ratings it was fitted to, with code that the solver does not use. */
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
/* Names by index, as in the ratings that it was fitted to; and indices by name: -1 if there is no such row or column.
 */
PARTAN_API const char *partan_matrix_row_name(const partan_matrix *matrix, size_t i, char *buffer, size_t size);
PARTAN_API const char *partan_matrix_column_name(const partan_matrix *matrix, size_t i, char *buffer, size_t size);
PARTAN_API int64_t partan_matrix_find_row(const partan_matrix *matrix, const char *name);
PARTAN_API int64_t partan_matrix_find_column(const partan_matrix *matrix, const char *name);

#ifdef __cplusplus
}
#endif

#endif
