/* Checkpoints: the weights of a training that is under way, in a file that a later run of the same training goes on
 * from. What can be computed from weights and data again (scores, kernel values, views of the rows) is not in it.
 *
 * A training of more than two classes has as many machines; any other one has one. Machines that are done keep their
 * certificate too, and are not trained again. */
#ifndef PT_CHECKPOINT_H
#define PT_CHECKPOINT_H

#include "core/lock.h"
#include "fw/keeper.h"
#include "svm/training.h"

/* What a training is about: a checkpoint of another one is refused. */
typedef struct pt_checkpoint_about {
    char version[PT_VERSION_SIZE];
    uint64_t fingerprint; /* of the data, weights of rows included */
    uint64_t rows, features;
    uint64_t class_weights;   /* a hash of them */
    partan_settings settings; /* gamma resolved */
    uint64_t machines;
} pt_checkpoint_about;

/* Where the training of a machine is. */
typedef struct pt_saved {
    uint64_t number; /* from 1; 0: nothing is known */
    int done;        /* 1: the certificate below is that of the weights, and met the target */
    int64_t iterations;
    double seconds;
    double inverse_cost; /* of continuation, as in pt_start */
    double objective, linear, gap, relative_gap;
    pt_counters counters;
    uint64_t count; /* of the vertices with weight, which are those of the training's dual, not merged */
    int64_t *ids;
    double *weights;
} pt_saved;

typedef struct pt_checkpoint {
    partan_context *context;
    pt_checkpoint_about about;
    const char *path; /* NULL: nothing is written */
    double interval;
    double start;   /* of this run, on the clock, */
    double seconds; /* and what was spent before it */
    pt_saved *machines;

    /* Machines may be trained side by side. */
    pt_lock lock;
    double next; /* when the file is written again */
} pt_checkpoint;

/* For a training as it was opened; `options` has the paths. Reads what is to be resumed. To be closed also on failure.
 */
partan_status pt_checkpoint_open(pt_checkpoint *checkpoint, partan_context *context,
                                 const partan_train_options *options, const pt_checkpoint_about *about);
void pt_checkpoint_close(pt_checkpoint *checkpoint);

/* What a training is about, but for the number of machines. `class_weights`: of all classes. */
pt_checkpoint_about pt_checkpoint_of(const partan_data *original, const partan_settings *settings, double gamma,
                                     uint64_t features, const double *class_weights, size_t classes);

/* pt_training_solve of one machine: from where the checkpoint has it or, where that knows nothing, from `start` (NULL
 * as there). The checkpoint is kept up to date. `checkpoint` may be NULL. */
partan_status pt_checkpoint_solve(pt_checkpoint *checkpoint, size_t machine, pt_training *training,
                                  const pt_start *start);

/* ---- file.c ---- */

partan_status pt_checkpoint_read(pt_checkpoint *checkpoint, const char *path);
partan_status pt_checkpoint_parse(pt_checkpoint *checkpoint, const char *name, const char *text, size_t size);
/* With the words of `context`, which may be that of a machine trained beside others. */
partan_status pt_checkpoint_write(const pt_checkpoint *checkpoint, partan_context *context);

#endif
