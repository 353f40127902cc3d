/* Models of more than two classes. They consist of machines for two classes each, which are trained, verified and asked
 * one by one, on rows and support vectors that they share. */
#ifndef PT_MANY_H
#define PT_MANY_H

#include "partan/svm.h"
#include "svm/model/machines.h"
#include "svm/predict.h"
#include "svm/training.h"

/* The rows that a machine is about, with labels -1 and 1. */
typedef struct pt_part {
    partan_context *context;
    partan_data *data;
    int64_t *rows;    /* their numbers in the whole, of this process; NULL: all, in order */
    uint64_t first;   /* rows of processes before this one, */
    uint64_t all;     /* and of all */
    partan_data lent; /* what data is where all rows are there: it borrows the whole's matrix */
} pt_part;

/* Weights of classes become weights of rows. `comm`: of processes that each have some of them; NULL: one has all. To be
 * closed also on failure. */
partan_status pt_part_open(pt_part *part, const partan_data *data, pt_comm *comm, const pt_labels *labels,
                           const int32_t *class_of, const int64_t sides[2]);
void pt_part_close(pt_part *part);

/* The rows with weight of each machine, numbered as the training has them: those of weight 0 are left out. */
typedef struct pt_point {
    int64_t *rows;
    double *weights;
    size_t count; /* 0: nothing is known */
} pt_point;

typedef struct pt_points_of_machines {
    pt_point *machines;
    size_t count; /* 0: no machine has one */
} pt_points_of_machines;

void pt_points_of_machines_free(partan_context *context, pt_points_of_machines *points);

/* partan_train_with, for data with more than two classes. `comm`: of processes that each have a part of the data; NULL:
 * one has all. `options` may be NULL. `last`, which may be NULL too and is one process's, has the solutions of another
 * training on the same data, which machines start from, and gets those of this one. */
partan_status pt_train_many(partan_context *context, pt_comm *comm, const partan_data *data,
                            const partan_settings *settings, const partan_train_options *options,
                            pt_points_of_machines *last, partan_model **model);

/* pt_data_labels of the data of all processes, of which `part` is this one's; comm NULL: it is all. A failure of one is
 * that of all. */
partan_status pt_labels_of_all(const partan_data *part, pt_comm *comm, pt_labels *labels, int32_t **class_of);

/* Decision values of all machines, those of a row one after the other; `whole` as for pt_predict_rows. */
partan_status pt_predict_many(partan_context *context, const partan_model *model, const partan_data *data,
                              const pt_whole *whole, double *decision);

/* Whether all rows with weight have labels, and more than two different ones. */
bool pt_has_many(const partan_data *data, const partan_settings *settings);

/* Decision values of each row by a model for such data. */
partan_status pt_outputs_for(const partan_data *data, partan_multiclass multiclass, size_t *outputs);

/* The mean area under the ROC curves of each class against the rest, from the scores of all classes for each row;
 * class_of is as pt_label_classes has it. */
partan_status pt_area_many(partan_context *context, size_t classes, const double *scores, const int32_t *class_of,
                           size_t rows, double *area);

/* Counts by [class][predicted class], measures of each class and the class predicted for each row, any of which may be
 * NULL, and what follows for the whole; but for the area unless `area` asks for it. */
partan_status pt_evaluate_many(partan_context *context, const partan_model *model, const partan_data *data,
                               const double *decision, uint64_t *confusion, partan_class_evaluation *each,
                               int32_t *predicted, bool area, partan_evaluation *found);

#endif
