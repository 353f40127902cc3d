/* Prediction for data that a model's features have been matched with, and scaled as they are. */
#ifndef PT_PREDICT_H
#define PT_PREDICT_H

#include "svm/model/model.h"

/* Up to so many support vectors all rows are computed in double: it takes microseconds, and values then do not depend
 * on the order of the support vectors, as the rounding of float32 sums does. */
#define PT_FEW_VECTORS 32

/* What the rows are a part of, which processes predict together. */
typedef struct pt_whole {
    pt_comm *comm;
    float longest; /* squared norm of its longest row */
} pt_whole;

/* Of a model of two classes, one value a row. `whole` NULL: the rows are all there are. */
partan_status pt_predict_rows(partan_context *context, const partan_model *model, const partan_data *data,
                              const pt_whole *whole, double *decision);

/* Whether float32 kernel values serve a kernel, and their sums are best made value by value. */
bool pt_predicts_by_sums(const pt_kernel *kernel);

/* A decision value from float32 kernel values has a certain sign if its magnitude is above the product of these: of the
 * weights, given the sums of their magnitudes and of their squares, and of a row, given the longest support vector. */
double pt_doubt_of_weights(double sum, double squares);
double pt_doubt_of_row(const pt_kernel *kernel, const pt_matrix *rows, size_t row, double longest);
double pt_longest_norm(const pt_matrix *vectors); /* squared */

/* sums[i] = sum of weighted kernel values for row rows[i] of the matrix, in double. */
partan_status pt_predict_exactly(partan_context *context, const pt_kernel *kernel, const pt_matrix *matrix,
                                 const int64_t *rows, size_t count, pt_points vertices, size_t vertex_count,
                                 const double *weights, double *sums);

/* Fails for a decision value that is not finite. */
partan_status pt_check_decision(partan_context *context, const partan_data *data, size_t row, double value);

#endif
