/* The certificate of few support vectors.
 *
 * The weights of a few support vectors are those that are best for the primal problem, and as a point of the dual they
 * are a poor one: its bound would prove nothing. But the losses of all rows under their function make another point, as
 * they do at the solution: l_i = C_i (loss of i). The model claims the objective at this point, and as its gap what is
 * between it and the primal objective of its own function. Where that minimises the primal objective over all weights
 * of its support vectors, the gap is half the squared norm of what the function of l has outside of their span.
 *
 * Nobody keeps l: it follows from the model and the data. Where more rows have losses than kernel values are worth
 * computing for, l is that of some of them, at even distances. Where rows live in several processes, these travel to
 * all, and each computes the values of its own among them.
 *
 * P is at least D(l), the dual's greatest value at a multiple of l. In the units of models of each problem that is
 *
 *     classes      objective = 1 / 4D, gap = 1 / 4D - 1 / 4P: objectives on the simplex are 1 / 4 of the dual's
 *     regression   objective = -D, gap = P - D                                       (pose_regression.c)
 *     outliers     objective = f(l), gap = P / 2 + f(l), where -2f(l) <= P           (pose_outlier.c) */
#ifndef PT_FEW_H
#define PT_FEW_H

#include "svm/model/model.h"

typedef struct pt_few {
    partan_context *context;
    pt_comm *comm;             /* of processes that each have a part of the rows; NULL: one has all */
    const partan_model *model; /* for its kernel, settings, weights of classes and status */
    const partan_data *data;   /* of this process, as its features are, and scaled as its data was */
    const float *signs;        /* of its rows, where there are classes; NULL: none */
    double mean;               /* of the labels of a regression */
    double objective, gap;
} pt_few;

/* Whether a model's objective and gap are those. */
static inline bool pt_is_few(const partan_model *model)
{
    return model->settings.max_sv > 0;
}

/* By how much a value misses the label, beyond epsilon. */
double pt_few_lack(double label, double value, double epsilon);

/* All processes call these; a failure of one is that of all. From the function of classes or of a regression, without
 * the mean, at the rows here, and its squared norm. */
partan_status pt_few_certify(pt_few *few, const double *values, double norm);

/* From the squared distances of the rows here from the centre of a ball. */
partan_status pt_few_outlier(pt_few *few, const double *distances);

#endif
