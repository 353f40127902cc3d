/* The ball of outlier detection: what its size is compared with, and where it ends. */
#ifndef PT_THRESHOLD_H
#define PT_THRESHOLD_H

#include "svm/model/model.h"

/* Of several processes (comm; NULL: one) each has its part of the rows; all call these, and a failure is that of all.
 */

/* Half the mean squared distance of a row from one of the rows before it, chosen by a fixed rule: about that of a row
 * from the centre of all. Of very many rows some at even distances stand for all. 0 where all rows are the same. */
partan_status pt_spread(partan_context *context, pt_comm *comm, const partan_data *data, const pt_kernel *kernel,
                        double *spread);

/* The rows whose distances a model's threshold is made of: those of weight above 0 or, of a training that was stopped
 * by time or by an interruption, so many of them, at even distances, as it takes a fraction of a second to compute. The
 * model has its support vectors and its result. */
partan_status pt_threshold_rows(partan_context *context, pt_comm *comm, const partan_model *model,
                                const partan_data *data, int64_t **rows, size_t *count);

/* The squared radius, by the squared distances of these rows. Where the settings ask for a share of outliers, it leaves
 * this share of the rows, by weight, outside; else it is that of the primal problem, where the excesses of all rows,
 * times C / 2, add up to 1. */
partan_status pt_threshold(partan_context *context, pt_comm *comm, const partan_data *data,
                           const partan_settings *settings, const int64_t *rows, size_t count, const double *distances,
                           double *radius);

#endif
