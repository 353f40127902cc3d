#ifndef PT_COMPRESS_H
#define PT_COMPRESS_H

#include "svm/model/model.h"

/* A model with at most `most` support vectors, which are rows of the data, in place of one with more. The data is
 * matched with the model and scaled as it was, and `fingerprint` is its own before that. Of several
 * processes (comm; NULL: one) each has a part of the data; all call this and the others below, and a failure of one is
 * that of all. */
partan_status pt_compress(partan_context *context, pt_comm *comm, const partan_model *model, const partan_data *data,
                          uint64_t fingerprint, size_t most, partan_model **out);

/* The settings of a training on data that is scaled. */
partan_settings pt_compress_settings(const partan_model *model);

/* The same for more than two classes (many.c), and for data as it is given. */
partan_status pt_compress_many(partan_context *context, pt_comm *comm, const partan_model *model,
                               const partan_data *data, size_t most, partan_model **out);
partan_status pt_compress_data(partan_context *context, pt_comm *comm, const partan_model *model,
                               const partan_data *data, size_t most, partan_model **out);

/* In place of a model with more support vectors than its settings allow, one with fewer. Returns a failure, and then
 * there is no model, or the status of its result. */
partan_status pt_limit_vectors(partan_context *context, pt_comm *comm, const partan_data *data, partan_model **model);

#endif
