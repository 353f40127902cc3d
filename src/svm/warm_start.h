/* Warm starts: a model's support vectors found again among the rows of a data set. */
#ifndef PT_WARM_H
#define PT_WARM_H

#include "svm/model/model.h"

typedef struct pt_warm {
    int64_t *ids;
    double *weights;
    size_t count;
} pt_warm;

/* By row number when the data, whose fingerprint is that of the data before it was scaled, is what the model was
 * trained on, else by content: a row with the same values and the same class. Support vectors without such a row are
 * left out; PARTAN_ERROR_DATA when none is found. */
partan_status pt_warm_start(const partan_model *model, const partan_data *data, uint64_t fingerprint,
                            const pt_classes *classes, const float *signs, pt_warm *warm);
void pt_warm_free(partan_context *context, pt_warm *warm);

#endif
