/* Native files of models of more than two classes:
 *
 *     partan-model 2, the header
 *     classes 26
 *     class LABEL WEIGHT                       for each class, in ascending order
 *     machine 1, its header                    for each machine, in order
 *     ROW CLASS MACHINE:WEIGHT ... | FEATURES  for each support vector, in order of its class
 *     end
 *
 * Classes and machines are counted from 0 where a machine names its classes, as in C; rows, classes and machines of
 * support vectors from 1. A class of -1 is the rest. */
#include <inttypes.h>

#include "core/number.h"
#include "svm/model/keys.h"
#include "svm/model/machines.h"
#include "svm/model/vectors.h"

static void write_classes(const partan_model *model, FILE *file)
{
    const pt_labels *labels = &model->labels;
    fprintf(file, "classes %zu\n", labels->count);
    for (size_t i = 0; i < labels->count; i++) {
        char weight[PT_NUMBER_SIZE];
        pt_format_real(weight, labels->weight[i]);
        fputs("class ", file);
        pt_label_write(file, labels->text[i]);
        fprintf(file, " %s\n", weight);
    }
}

static partan_status write_vectors(const partan_model *model, FILE *file)
{
    pt_member_weights v;
    pt_vectors vectors = {0};
    partan_status status = pt_member_weights_make(model->context, model, false, &v);
    if (!status)
        status = pt_vectors_write_start(&vectors, model);
    for (size_t i = 0; i < model->count && !status; i++) {
        fprintf(file, "%" PRId64 " %" PRId32, model->origin[i] + 1, model->class_of[i] + 1);
        for (size_t k = v.begin[i]; k < v.begin[i + 1]; k++) {
            char weight[PT_NUMBER_SIZE];
            pt_format_real(weight, v.weight[k]);
            fprintf(file, " %zu:%s", v.machine[k] + 1, weight);
        }
        fputs(" |", file);
        pt_vectors_write(&vectors, model, i, file);
    }
    if (vectors.model)
        pt_vectors_free(&vectors);
    pt_member_weights_free(model->context, &v);
    return status;
}

partan_status pt_many_write(const partan_model *model, FILE *file)
{
    partan_status status = pt_header_write(model->context, &pt_many_header, model, file);
    if (!status)
        write_classes(model, file);
    for (size_t m = 0; m < model->machine_count && !status; m++)
        status = pt_header_write(model->context, &pt_machine_header, model->machines[m], file);
    if (!status)
        status = write_vectors(model, file);
    pt_end_write(file);
    return status;
}
