/* Training by several processes, each of which has a part of the rows. */
#ifndef PT_TOGETHER_H
#define PT_TOGETHER_H

#include "core/comm.h"
#include "svm/training.h"

/* As partan_train_with, called by all processes with the same settings, each with its rows, in the order of their
 * ranks; storage, features and words of labels are the same everywhere (data/parts.h). All get the model, which is that
 * of one process with all rows, to the last bit (docs/distributed.md has what the active-set solver does otherwise). A
 * process without rows is allowed. `options`, the same everywhere, may be NULL. */
partan_status pt_train_together(partan_context *context, pt_comm *comm, const partan_data *part,
                                const partan_settings *settings, const partan_train_options *options,
                                partan_model **model);

/* pt_data_classes of the rows of all processes; the signs are those of `part`. A failure of one is that of all. */
partan_status pt_classes_of_all(partan_context *context, pt_comm *comm, const partan_data *part, pt_classes *classes,
                                float **signs);

/* train.c's part for it: the support vectors in the order of their numbers. */
partan_status pt_take_shared_support(pt_training *training, partan_model *model);

#endif
