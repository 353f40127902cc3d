#ifndef PT_MANY_VERIFY_H
#define PT_MANY_VERIFY_H

#include "svm/model/model.h"

/* The audit of a model of any problem but more than two classes, or of a machine, on data that matches it and is scaled
 * as it was; `fingerprint` is that of the data before that, or the model's own where it has been looked at already
 * (svm/verify.c). */
partan_status pt_audit_model(partan_context *context, const partan_model *model, const partan_data *data,
                             uint64_t fingerprint, partan_verification *found);

/* The same of a model of more than two classes. */
partan_status pt_verify_many(partan_context *context, const partan_model *model, const partan_data *data,
                             uint64_t fingerprint, partan_verification *found);

#endif
