/* The labels of data that a model is applied to, as the model's classes. Labels that are numbers are compared as
 * numbers
 * ("1" is "+1.0"), words as words. */
#ifndef PT_LABELS_H
#define PT_LABELS_H

#include "svm/model/model.h"

enum { PT_UNLABELLED = -2, PT_OTHER_LABEL = -1, PT_NEGATIVE = 0, PT_POSITIVE = 1 }; /* from 0 on: classes */

/* One of these for each row. */
partan_status pt_label_classes(partan_context *context, const partan_model *model, const partan_data *data,
                               int32_t *classes);

#endif
