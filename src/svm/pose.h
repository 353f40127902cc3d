/* How labels and weights of rows become a problem on the simplex, and its solution a decision function: a table with a
 * line for each partan_problem (pose.c), a file each. */
#ifndef PT_POSE_H
#define PT_POSE_H

#include "svm/training.h"
#include "svm/warm_start.h"

typedef struct pt_pose {
    /* From the labels and weights of the rows: signs, costs and what else the vertices have, and the classes. May find
     * that the solution is w = 0 (training->settled): then nothing below but decide is asked for. */
    partan_status (*take)(pt_training *training);
    /* What K is, at the settings' cost. */
    partan_status (*dual)(pt_training *training, pt_dual *dual);
    /* Where a training starts that is given no other point, once its dual was asked for: one or two vertices with
     * weights; returns how many. */
    size_t (*start)(pt_training *training, int64_t ids[2], double weights[2]);
    /* The same from the support vectors of a model, once its dual was asked for. */
    partan_status (*warm)(const pt_training *training, const partan_model *model, pt_warm *warm);
    /* The same from the solution at another cost, where training->total was this. NULL: it can be taken as it is. */
    partan_status (*again)(const pt_training *training, const pt_iterate *last, double total, pt_warm *warm);
    /* Scale and bias of the decision function, once the model has its support vectors and the result of the training,
     * which it brings into units of its own. */
    partan_status (*decide)(const pt_training *training, partan_model *model);
} pt_pose;

extern const pt_pose pt_pose_classes;    /* pose_classes.c */
extern const pt_pose pt_pose_regression; /* pose_regression.c */
extern const pt_pose pt_pose_outlier;    /* pose_outlier.c */

const pt_pose *pt_pose_of(partan_problem problem);

#endif
