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

/* A training in parts (svm/training.h) of several processes, each with its rows; of one that has all rows where comm is
 * NULL. To be closed also on failure; it must not move before that. */
typedef struct pt_together {
    pt_training t;
    pt_comm *comm;
    pt_share share;
} pt_together;

partan_status pt_together_open(pt_together *together, partan_context *context, pt_comm *comm, const partan_data *part,
                               const partan_settings *settings);
void pt_together_close(pt_together *together);

/* One machine of it, for two classes, once settings and processes have been checked: `solve` finds the solution, as
 * pt_training_solve_from does. Interruptions stay as they are. */
typedef partan_status pt_solve_together(pt_training *training, void *user);
partan_status pt_train_machine_together(partan_context *context, pt_comm *comm, const partan_data *part,
                                        const partan_settings *settings, pt_solve_together *solve, void *user,
                                        partan_model **model);

/* Of pt_train_together, for all but more than two classes. */
partan_status pt_train_one_together(partan_context *context, pt_comm *comm, const partan_data *part,
                                    const partan_settings *settings, const partan_train_options *options,
                                    partan_model **model);

/* Checkpoints are written by the first process, and read by all. */
partan_train_options pt_checkpoint_options(const pt_comm *comm, const partan_train_options *options);

/* pt_kernel_from_settings of the rows of all processes; the settings get the gamma that a rule stands for, and the
 * share knows whether solvers compute the kernel less 1. */
partan_status pt_kernel_of_all(pt_share *share, partan_settings *settings, pt_kernel *kernel);

/* Whether the rows with weight of all processes have more than two labels. */
partan_status pt_have_many(partan_context *context, pt_comm *comm, const partan_data *part, bool *many);

/* pt_data_classes of the rows of all processes; the signs are those of `part`. A failure of one is that of all. */
partan_status pt_classes_of_all(partan_context *context, pt_comm *comm, const partan_data *part, pt_classes *classes,
                                float **signs);

/* train.c's part for it (together_support.c): the support vectors in the order of their numbers. */
partan_status pt_take_shared_support(pt_training *training, partan_model *model);

#endif
