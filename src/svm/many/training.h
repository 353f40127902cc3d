/* A training for more than two classes in parts, for its own files: train.c, start.c, machines.c, untrained.c,
 * vectors.c, shared.c and farm.c. */
#ifndef PT_MANY_TRAINING_H
#define PT_MANY_TRAINING_H

#include <stdatomic.h>

#include "svm/checkpoint/checkpoint.h"
#include "svm/many/many.h"

/* Of a class. */
typedef struct pt_first_row {
    int64_t number;
    size_t at; /* among the rows of pt_many.firsts */
    double weight;
} pt_first_row;

typedef struct pt_many {
    partan_context *context;
    pt_comm *comm; /* of processes that each have a part of the rows; NULL: one has all */
    const partan_data *original;
    const partan_data *data; /* without rows of weight 0, and scaled; */
    partan_data hashed;      /* what it is once its rows have hashes, which machines have in common */
    partan_data *weighty, *scaled;
    int64_t *rows;        /* of these in the original; NULL: all, in order */
    uint64_t before, all; /* original rows: of processes before this one, and of all */
    uint64_t fingerprint; /* of those of all processes */
    pt_share share;       /* of several processes, of which it has copies of rows; else empty */
    partan_scaling *scaling;
    partan_settings settings; /* of each machine */
    pt_labels labels;
    int32_t *class_of;
    pt_first_row *first; /* of each class */
    pt_points firsts;    /* where these are, */
    pt_matrix met;       /* which is here where others have them */
    pt_kernel kernel;    /* that machines have in common, and */
    double largest;      /* the most that its values can be */
    partan_model *model;
    const partan_train_options *options; /* NULL: none */
    pt_checkpoint *checkpoint;           /* NULL: none */
    pt_points_of_machines from;          /* where machines start */
    bool late;                           /* time is up, as all processes know */
    bool continues;                      /* another run's model: what it has of a machine is not to be lost */
    double start, deadline;              /* 0: none */
    atomic_bool ending;                  /* somebody asked for it: what is left is not trained */
    void *user;                          /* the maker's of the machines */
} pt_many;

/* A model of machines that `machines` makes, on data that it finds prepared, with context, data and settings as the
 * caller has filled them in. */
partan_status pt_many_make(pt_many *many, partan_status (*machines)(pt_many *many), partan_model **model);

/* A machine's support vectors are known by their rows in the whole, whose vectors they are. */
partan_status pt_many_take_rows(const pt_many *many, const pt_part *part, const int64_t sides[2],
                                partan_model *machine);

/* start.c: where machines start. From a model, whose classes must be those of the data; to the next training, the
 * solutions that the machines have; and a machine's among the rows of its part, with room for as many ids. */
partan_status pt_many_start_from(pt_many *many, const partan_model *model);
partan_status pt_many_keep_solutions(const pt_many *many, pt_points_of_machines *points);
partan_status pt_many_place_start(const pt_many *many, const pt_point *point, const pt_part *part, int64_t *ids);

/* A machine for which there is no time: one row of either class, with the weights that solve the problem of these two,
 * and a bound of the gap. `why` is its status. Leaves NULL where kernel values are not finite. */
partan_status pt_many_untrained(const pt_many *many, partan_context *context, const int64_t sides[2], partan_status why,
                                partan_model **machine);

/* vectors.c: the support vectors of all machines become those of the model, which machines name. */
partan_status pt_many_share_vectors(pt_many *many);

/* shared.c: what processes that each have a part of the rows do together. Each has its own rows, which have numbers as
 * if one had them all: those of the data, as the training has it, and those of a part. */
partan_status pt_many_open_share(pt_many *many);
partan_status pt_many_find_first_rows(pt_many *many);
void pt_many_ask(pt_many *many); /* whether somebody has asked for the end, or time is up */
partan_status pt_many_train_shared(const pt_many *many, size_t i, const pt_part *part, const partan_settings *settings,
                                   partan_model **machine);
/* The row of this process that has a number in the data; -1: none. */
int64_t pt_many_own(const pt_many *many, int64_t number);
/* From numbers of rows to their classes. */
partan_status pt_many_take_classes(const pt_many *many, int64_t *numbers, size_t count);
/* From numbers of a part's rows to those of the data. */
partan_status pt_many_take_numbers(const pt_many *many, const pt_part *part, int64_t *numbers, size_t count);

/* farm.c: of machines that are small, each is trained by one process. */
partan_status pt_many_farm_out(pt_many *many, size_t count);

/* A machine, on the rows of its classes among those of `data`, whose context this is. */
partan_status pt_many_train_rows(const pt_many *many, partan_context *context, const partan_data *data, size_t i,
                                 double time_limit, partan_model **machine);
/* What is left of the time limit, shared out evenly to so many machines, of which some are trained at once. */
double pt_many_time_for(const pt_many *many, size_t left, size_t at_once);

/* pt_training_solve of a machine, from where it starts. */
partan_status pt_many_solve(const pt_many *many, size_t i, const pt_part *part, pt_training *training);

/* Trains all machines of the model, one after the other or side by side. */
partan_status pt_many_train_machines(pt_many *many);

#endif
