/* A least-squares design: the columns of a store, centred and scaled, and a centred target.
 *
 * Column j stands for (x_j - centre_j) / scale_j without ever being written out: with an intercept the centre is the
 * mean, and with standardisation the scale is the standard deviation (divisor: the rows), as glmnet has it. A column
 * that is constant counts as 0. Rows may be left out, for cross-validation: they have a 0 in `ones`, and in every
 * vector. */
#ifndef PT_DESIGN_H
#define PT_DESIGN_H

#include "core/thread_tuning.h"
#include "lasso/store.h"

#define PT_PRODUCT_NANOSECONDS 0.1 /* of two numbers, in passes over columns */

typedef struct pt_design {
    partan_context *context;
    const pt_store *store;
    bool intercept, standardise;
    size_t counted; /* rows that are not left out: n of all formulas */
    double *ones;
    double *target; /* less its mean with an intercept; 0 on rows left out */
    double target_mean;
    double target_square; /* |target|^2 / n */
    double *centre;
    double *inverse;     /* 1 / scale; 0 for a constant column */
    double *square;      /* |column|^2 / n */
    double *correlation; /* <column, target> / n */
    double largest;      /* of the correlations' absolute values: the least lambda with all coefficients 0 */

    struct pt_design_tuning *tuning; /* how many threads passes, residuals and the Gram matrix are given */
} pt_design;

typedef struct pt_design_tuning {
    pt_tuning scan, residual, gram;
} pt_design_tuning;

/* `targets`, one a row, must be finite. left_out: 1 for rows to leave out; NULL: none. At least one row counts. The
 * store must outlive the design. */
partan_status pt_design_make(pt_design *design, const pt_store *store, const double *targets,
                             const unsigned char *left_out, bool intercept, bool standardise);
void pt_design_free(pt_design *design);

/* Products of a chunk of columns with all vectors, products[i * vectors + v] = <column, vector v> / n; `first` is the
 * first one's place in the list of columns. Called by several threads at once, for different chunks of
 * PT_SCAN_CHUNK columns each. */
typedef void (*pt_scan_visit)(void *user, size_t first, size_t count, const double *products);
enum { PT_SCAN_CHUNK = 64 };

/* A pass over the columns of `which` (NULL: all of them). Vectors, at most PT_COLUMN_VECTORS, are store->padded long
 * and apart, and 0 on rows left out. PARTAN_INTERRUPTED when it is asked to stop; `progress`, or NULL, is what it tells
 * those who wait. */
partan_status pt_design_scan(const pt_design *design, const int64_t *which, size_t count, const double *vectors,
                             size_t vector_count, pt_scan_visit visit, void *user, const partan_progress *progress);

/* vector = target - sum_i coefficients[i] * column ids[i]. */
void pt_design_residual(const pt_design *design, const int64_t *ids, const double *coefficients, size_t count,
                        double *vector);

/* The dual objective y'u / n - |u|^2 / (2n) at u = the residual, scaled by the best factor that keeps all its scores
 * within lambda; square = |residual|^2 / n, along = <residual, target> / n, largest = the largest |score|. */
double pt_dual_value(double square, double along, double lambda, double largest);
double pt_dual_factor(double square, double along, double lambda, double largest); /* that factor */

/* vector = the column written out. */
void pt_design_column(const pt_design *design, size_t column, double *vector);

#endif
