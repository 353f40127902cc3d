/* What predict, verify and info do with the models of partan train and of LIBSVM, a file each: predict_svm.c,
 * verify_svm.c, info_svm.c. */
#ifndef CLI_KIND_SVM_H
#define CLI_KIND_SVM_H

#include "command.h"

/* Takes the file over. */
int take_svm(invocation *run, partan_model_file *file, partan_model **model);

int predict_svm(invocation *run, partan_model_file *file);
int verify_svm(invocation *run, partan_model_file *file);
int info_svm(invocation *run, partan_model_file *file);

static inline bool is_many(const partan_model *model)
{
    return partan_model_class_count(model) > 2;
}

static inline bool is_regression(const partan_model *model)
{
    return partan_model_class_count(model) == 0;
}

#endif
