/* A training in parts, for those who do it more than once on the same data: training itself, and the path over C. */
#ifndef PT_TRAINING_H
#define PT_TRAINING_H

#include "fw/solve.h"
#include "simplex/simplex.h"
#include "svm/model/model.h"

/* What a training works with, beside the data. */
typedef struct pt_training {
    partan_context *context;
    const partan_data *data;
    partan_settings settings;
    pt_kernel kernel;
    pt_points points;
    pt_classes classes;
    float *signs;
    uint64_t fingerprint; /* of the data, once a model needed it */

    /* The solution. */
    pt_iterate iterate; /* the weights of the rows */
    pt_solution solution;
    int64_t iterations;
    pt_counters counters;
    double start;
} pt_training;

/* Checks settings and data, finds the classes, resolves the kernel. To be closed also on failure. */
partan_status pt_training_open(pt_training *training, partan_context *context, const partan_data *data,
                               const partan_settings *settings);
void pt_training_close(pt_training *training);

int64_t pt_training_first(const pt_training *training); /* the row to start from, by the settings' rule */

/* The paper's variants, on the rows as they are. There must be no solution yet. */
partan_status pt_training_by_variant(pt_training *training, pt_start start);

/* The solution as a model. */
partan_status pt_training_model(pt_training *training, partan_model **model);

#endif
