/* Warm starts: a model's support vectors found again among the rows of a data set. */
#ifndef PT_WARM_H
#define PT_WARM_H

#include "simplex/share.h"
#include "svm/model/model.h"

typedef struct pt_warm {
    int64_t *ids; /* room for one more than the support vectors, as the others have */
    double *weights;
    float *signs; /* the support vectors' */
    size_t count;
} pt_warm;

/* Of rows that live in several processes (`share`; NULL: all are here) `data` has this one's, and the ids are numbers.
 *
 * By row number when the data is the `same` that the model was trained on, else by content: a row with the same values
 * and, unless `signs` is NULL, the sign flip * signs[row]. Support vectors without such a row are left out;
 * PARTAN_ERROR_DATA when none is found. */
partan_status pt_warm_start(const pt_share *share, const partan_model *model, const partan_data *data, bool same,
                            const float *signs, float flip, pt_warm *warm);
void pt_warm_free(partan_context *context, pt_warm *warm);

#endif
