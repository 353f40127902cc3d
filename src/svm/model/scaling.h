/* The scaling of a model in its file: lines that only models with a scaling have.
 *
 *     scaling minmax 0 1           or: scaling standardise
 *     range 1 0 17.5               feature, from 1, least and greatest value; or mean and standard deviation
 *
 * A feature without a range is 0 whatever its value. Readers that do not know these lines refuse the file. */
#ifndef PT_MODEL_SCALING_H
#define PT_MODEL_SCALING_H

#include "svm/model/model.h"

/* The rest of the line of a key that may be one of these; *taken: it was. */
partan_status pt_model_scaling_read(pt_scan *scan, pt_word key, partan_model *model, bool *taken);
/* When all is read. */
partan_status pt_model_scaling_check(const pt_scan *scan, partan_model *model);
void pt_model_scaling_write(FILE *file, const partan_scaling *scaling);

#endif
