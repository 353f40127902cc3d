/* The machines of a model of more than two classes: which there are, their files, and what their decision values come
 * to. Training and verification of them are in svm/many. */
#ifndef PT_MODEL_MACHINES_H
#define PT_MODEL_MACHINES_H

#include "svm/model/model.h"

/* How many machines there are for so many classes, and which classes machine i tells apart. */
size_t pt_machine_count(partan_multiclass multiclass, size_t classes);
void pt_machine_sides(partan_multiclass multiclass, size_t classes, size_t i, int64_t sides[2]);
size_t pt_machine_of_pair(size_t classes, size_t a, size_t b); /* in models of both formats */

/* The weights of all machines, support vector by support vector: those of vector i are begin[i] .. begin[i + 1] - 1, in
 * the order of the machines. To be freed also on failure. */
typedef struct pt_member_weights {
    size_t *begin;
    size_t *machine;
    double *weight;
} pt_member_weights;

/* In the simplex or, if `coefficients`, as they are in the decision function. */
partan_status pt_member_weights_make(partan_context *context, const partan_model *model, bool coefficients,
                                     pt_member_weights *weights);
void pt_member_weights_free(partan_context *context, pt_member_weights *weights);

/* The result of a model from those of its machines. */
void pt_many_sum_up(partan_model *model);

/* The machines of a LIBSVM model, whose labels and support vectors are there: `coefficients` are those of its file, and
 * `rho` of each pair of classes. And what follows the kernel in such a file. */
partan_status pt_machines_of_libsvm(partan_model *model, const double *coefficients, const double *rho);
partan_status pt_many_write_libsvm(const partan_model *model, FILE *file);

/* A machine as a model of its own, with its vectors; to be freed by partan_model_free. */
partan_status pt_machine_alone(const partan_model *model, size_t i, partan_model **alone);

/* Classes of any model, 0 for one that predicts numbers; and decision values of each row. */
static inline size_t pt_class_count(const partan_model *model)
{
    if (model->machine_count > 0)
        return model->labels.count;
    return model->settings.problem == PARTAN_REGRESSION ? 0 : 2;
}

static inline size_t pt_outputs(const partan_model *model)
{
    return model->machine_count > 0 ? model->machine_count : 1;
}

/* Pairs: how many machines speak for a class, and the sum of their values, positive where they do. */
typedef struct pt_poll {
    long votes;
    double strength;
} pt_poll;

/* Those of all classes, from the decision values of a row; and the class that is predicted by them. */
void pt_poll_classes(const partan_model *model, const double *decision, pt_poll *classes);
int32_t pt_poll_winner(const partan_model *model, const pt_poll *classes);

/* The class that the decision values of a row speak for; -1: there is no memory to tell (pt_decide_by_probability). */
int32_t pt_vote(const partan_model *model, const double *decision);

/* A model of more than two classes, in the native format. */
bool pt_is_many(const char *text, size_t size);
partan_status pt_many_write(const partan_model *model, FILE *file);
partan_status pt_many_parse(partan_context *context, const char *name, const char *text, size_t size,
                            partan_model *model);

#endif
