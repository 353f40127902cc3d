/* The sigmoid that fits decision values with known signs best. */
#ifndef PT_SIGMOID_FIT_H
#define PT_SIGMOID_FIT_H

#include <stdbool.h>

#include "core/comm.h"
#include "svm/model/probability.h"

/* A decision value of a row that the machine was not trained on. */
typedef struct pt_held {
    double decision;
    double weight; /* above 0 */
    bool positive;
} pt_held;

/* Platt's fit: the greatest likelihood of targets that are not quite 0 and 1 but (n+ + 1) / (n+ + 2) and 1 / (n- + 2),
 * where n+ and n- are the sums of the weights of the signs. A row of weight 2 counts as two rows. `comm`: of processes
 * that each have some of the values; NULL: one has all. */
pt_sigmoid pt_sigmoid_fit(pt_comm *comm, const pt_held *values, size_t count);

#endif
