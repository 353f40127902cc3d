/* Writing native model files. */
#include <inttypes.h>

#include "core/number.h"
#include "svm/model/keys.h"
#include "svm/model/machines.h"
#include "svm/model/vectors.h"

static partan_status write_vectors(const partan_model *model, FILE *file)
{
    pt_vectors vectors;
    partan_status status = pt_vectors_write_start(&vectors, model);
    for (size_t i = 0; status == PARTAN_OK && i < model->count; i++) {
        char weight[PT_NUMBER_SIZE];
        pt_format_real(weight, model->weights[i]);
        fprintf(file, "%s %s %" PRId64, weight, model->signs[i] > 0 ? "+1" : "-1", model->origin[i] + 1);
        pt_vectors_write(&vectors, model, i, file);
    }
    pt_vectors_free(&vectors);
    return status;
}

partan_status pt_model_write_native(const partan_model *model, FILE *file)
{
    if (model->format == PARTAN_MODEL_LIBSVM)
        return pt_fail(model->context, PARTAN_ERROR_ARGUMENT,
                       "a model read from a LIBSVM file has no certificate and cannot be written in native format");
    if (model->result.support_vectors != model->count)
        return pt_fail(model->context, PARTAN_ERROR_ARGUMENT,
                       "the model's result counts %ju support vectors of its %zu",
                       (uintmax_t)model->result.support_vectors, model->count);
    if (model->machine_count > 0)
        return pt_many_write(model, file);
    const pt_header *header = model->settings.problem == PARTAN_CLASSIFICATION ? &pt_svm_header : &pt_problem_header;
    partan_status status = pt_header_write(model->context, header, model, file);
    if (status == PARTAN_OK)
        status = write_vectors(model, file);
    pt_end_write(file);
    return status;
}
