/* Where the training on a fold's rows starts: from the model of all rows, whose certificate it does not inherit. */
#ifndef PT_FOLD_START_H
#define PT_FOLD_START_H

#include "svm/folds.h"
#include "svm/model/model.h"

/* Borrows all but its own arrays from the model. */
typedef struct pt_fold_start {
    partan_context *context;
    partan_model model;
    bool any;        /* of its support vectors are there */
    int64_t *origin; /* of its support vectors, by the rows of the fold; for more than two classes -1: held out */
    double *weights;
    float *signs;
} pt_fold_start;

/* Whether a start pays. It is made of kernel values of its support vectors with all rows. Where there were fewer steps
 * than vectors got weight, low-rank factors of the kernel have solved the problem, which takes less than that. The
 * answer is the same for several processes as for one. */
bool pt_fold_start_pays(const partan_model *model);

/* From folds->whole, for the rows that the round trains on. To be closed also on failure. */
partan_status pt_fold_start_open(pt_fold_start *start, const pt_folds *folds, size_t round, const partan_data *train);
void pt_fold_start_close(pt_fold_start *start);

#endif
