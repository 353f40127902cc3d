/* Models of partan train and of LIBSVM, as a kind. */
#include "kind_svm.h"

#include "kinds.h"
#include "message.h"
#include "runtime.h"

int take_svm(invocation *run, partan_model_file *file, partan_model **model)
{
    partan_status status = partan_model_from_file(run->context, file, model);
    partan_model_file_free(file);
    return status == PARTAN_OK ? EXIT_DONE : library_failure(run, status);
}

const model_kind svm_kind = {
    .predict = predict_svm, .verify = verify_svm, .info = info_svm, .curves = true, .weights = true, .shared = true};
