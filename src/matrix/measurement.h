/* The linear map A from matrices to measurements, as the solvers see it, and its built-in kind: known entries. */
#ifndef PT_MEASUREMENT_H
#define PT_MEASUREMENT_H

#include "matrix/factors.h"
#include "matrix/ratings.h"

/* Known entries, by rows (the ratings' own order) and by columns. */
typedef struct pt_sampling {
    partan_context *context;
    size_t rows, columns, count;
    const int64_t *row_starts; /* the ratings' */
    const int32_t *column;
    int64_t *column_starts;
    int32_t *row;
    int64_t *place;     /* of an entry by columns, among those by rows */
    double *transposed; /* values by columns, for products with the transpose */
} pt_sampling;

typedef struct pt_measurement {
    partan_context *context;
    partan_measurements map; /* the caller's, or one whose user is the sampling */
    pt_sampling *sampling;   /* NULL: the caller's map */
    uint64_t products;       /* of the adjoint with a vector, so far */
} pt_measurement;

partan_status pt_sampling_make(partan_context *context, const partan_ratings *ratings, pt_sampling *sampling);
void pt_sampling_free(pt_sampling *sampling);

void pt_measurement_of_entries(pt_measurement *measurement, pt_sampling *sampling);
void pt_measurement_of_map(pt_measurement *measurement, partan_context *context, const partan_measurements *map);

/* values = A(X). */
partan_status pt_measurement_apply(const pt_measurement *measurement, const pt_factors *factors, double *values);
partan_status pt_measurement_apply_pair(const pt_measurement *measurement, const double *u, const double *v,
                                        double *values);

/* To be called when values have changed, before products with A*(values). */
void pt_measurement_prepare(pt_measurement *measurement, const double *values);
partan_status pt_measurement_times(pt_measurement *measurement, const double *values, const double *x, double *out);
/* The same for all columns of a factor, `rank` of them, rows `stride` apart; out likewise. */
partan_status pt_measurement_times_factor(pt_measurement *measurement, const double *values, const double *factor,
                                          size_t rank, size_t stride, double *out);
partan_status pt_measurement_transposed_factor(pt_measurement *measurement, const double *values, const double *factor,
                                               size_t rank, size_t stride, double *out);
partan_status pt_measurement_transposed(pt_measurement *measurement, const double *values, const double *x,
                                        double *out);

#endif
