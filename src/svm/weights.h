/* Weights of rows and classes: what C is multiplied by for each row. */
#ifndef PT_WEIGHTS_H
#define PT_WEIGHTS_H

#include "core/comm.h"
#include "data/data.h"

/* Rows of weight 0 are no rows of the problem: the others, and their numbers. Of several processes (comm; NULL: one)
 * each has a part of the rows, which may be left with none. */
bool pt_has_weightless(const partan_data *data);
bool pt_any_weightless(pt_comm *comm, const partan_data *data);
partan_status pt_leave_weightless(pt_comm *comm, const partan_data *data, partan_data **others, int64_t **rows);

/* Sets the weights of the classes as the settings ask. Fails where they name a class that there is not. */
partan_status pt_class_weights(const partan_data *data, const partan_settings *settings, const float *signs,
                               pt_classes *classes);

/* The same for many classes. */
partan_status pt_label_weights(const partan_data *data, pt_comm *comm, const partan_settings *settings,
                               const int32_t *class_of, pt_labels *labels);

/* C of each row / C, by its own weight and that of its class; NULL where all are 1. */
partan_status pt_cost_weights(const partan_data *data, const pt_classes *classes, const float *signs, double **weights);

#endif
