/* A training for more than two classes in parts, for its own files: train.c, start.c, machines.c and untrained.c.
 */
#ifndef PT_MANY_TRAINING_H
#define PT_MANY_TRAINING_H

#include <stdatomic.h>

#include "svm/checkpoint/checkpoint.h"
#include "svm/many/many.h"

typedef struct pt_many {
    partan_context *context;
    const partan_data *original;
    const partan_data *data; /* without rows of weight 0, and scaled; */
    partan_data hashed;      /* what it is once its rows have hashes, which machines have in common */
    partan_data *weighty, *scaled;
    int64_t *rows; /* of these in the original; NULL: all, in order */
    partan_scaling *scaling;
    partan_settings settings; /* of each machine */
    pt_labels labels;
    int32_t *class_of;
    int64_t *first;   /* row of each class */
    pt_kernel kernel; /* that machines have in common, and */
    double largest;   /* the most that its values can be */
    partan_model *model;
    const partan_train_options *options; /* NULL: none */
    pt_checkpoint *checkpoint;           /* NULL: none */
    pt_points_of_machines from;          /* where machines start */
    bool continues;                      /* another run's model: what it has of a machine is not to be lost */
    double start, deadline;              /* 0: none */
    atomic_bool ending;                  /* somebody asked for it: what is left is not trained */
    void *user;                          /* the maker's of the machines */
} pt_many;

/* A model of machines that `machines` makes, on data that it finds prepared, with context, data and settings as the
 * caller has filled them in. */
partan_status pt_many_make(pt_many *many, partan_status (*machines)(pt_many *many), partan_model **model);

/* A machine's support vectors are known by their rows in the whole, whose vectors they are. */
void pt_many_take_rows(const pt_part *part, const int64_t sides[2], partan_model *machine);

/* start.c: where machines start. From a model, whose classes must be those of the data; to the next training, the
 * solutions that the machines have; and a machine's among the rows of its part, with room for as many ids. */
partan_status pt_many_start_from(pt_many *many, const partan_model *model);
partan_status pt_many_keep_solutions(const pt_many *many, pt_points_of_machines *points);
void pt_many_place_start(const pt_point *point, const pt_part *part, int64_t *ids);

/* A machine for which there is no time: one row of either class, with the weights that solve the problem of these two,
 * and a bound of the gap. `why` is its status. Leaves NULL where kernel values are not finite. */
partan_status pt_many_untrained(const pt_many *many, partan_context *context, const int64_t sides[2], partan_status why,
                                partan_model **machine);

/* Trains all machines of the model, one after the other or side by side. */
partan_status pt_many_train_machines(pt_many *many);

#endif
