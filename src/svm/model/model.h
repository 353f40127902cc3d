/* A trained machine: kernel, support vectors, weights in the simplex, and the claims that verify checks. */
#ifndef PT_MODEL_H
#define PT_MODEL_H

#include <stdio.h>

#include "data/match.h"
#include "data/scale.h"
#include "kernel/kernel.h"
#include "model/header.h"
#include "svm/model/probability.h"

struct partan_model {
    partan_context *context;
    partan_model_format format; /* of the file it was read from; native for a trained one */
    partan_settings settings;   /* gamma resolved */
    partan_result result;       /* all zero for LIBSVM files, but for the count of support vectors */
    char version[PT_VERSION_SIZE];
    uint64_t fingerprint; /* of the training data */
    uint64_t rows;        /* of the training data */
    uint64_t features;    /* of the training data */
    partan_storage storage;
    pt_source source;        /* how the training data was read */
    partan_scaling *scaling; /* that it was scaled by, and other data is; NULL: none */
    pt_classes classes;      /* of two; for more, see below */
    size_t count;            /* support vectors */
    pt_matrix vectors;       /* empty (0 features) for precomputed kernels */
    double *weights;         /* in the simplex: positive, sum 1 */
    float *signs;            /* +1 or -1 */
    int64_t *origin;         /* row in the training data, from 0; -1 when not known */
    bool by_number;          /* origins are rows of the data that a training starts on, whatever it is (fold_start.h) */
    int64_t *serials;        /* precomputed: column of the kernel matrix, from 0; NULL otherwise */
    double scale; /* decision = scale * sum weights sign (k + 1): 1 / (2 objective), the functional margin of 1 */
    double bias;  /* scale * sum weights sign; for a LIBSVM file -rho */

    /* A cache, which threads that share the model fill when they need it: of a linear kernel the weight of each
     * feature, scale * sum weights sign vector; NULL: not yet. */
    _Atomic(double *) folded;

    /* More than two classes: a machine, which is a model of two classes, for each pair of classes, or for each class
     * against the rest. Machines share the whole's vectors, which are in order of their classes, and have none. Of the
     * whole, weights, signs, scale and bias are not used. */
    pt_labels labels; /* count 0: two classes, which `classes` has, and this model is the machine */
    size_t machine_count;
    partan_model **machines;
    int32_t *class_of; /* the class of each support vector */
    size_t *members;   /* a machine: its support vectors' places among those of the whole */
    int64_t sides[2];  /* a machine: the class of its negative rows, or PT_REST, and of its positive ones */

    /* Probabilities. Of more than two classes, each machine has a sigmoid. */
    bool calibrated;           /* the sigmoids are there */
    bool by_probability;       /* the prediction is the most probable class */
    int64_t calibration_folds; /* that the sigmoids were fitted on; 0: none, or not known */
    pt_sigmoid sigmoid;        /* of a machine, or of a model of two classes */
};

enum { PT_REST = -1 };

partan_status pt_model_create(partan_context *context, partan_model **model);
pt_kernel pt_model_kernel(const partan_model *model);

/* The classes of outlier detection: -1, outside, and 1, inside. */
partan_status pt_model_outlier_classes(partan_model *model);

/* Fails with PARTAN_ERROR_DATA when the rows are of another kind than the model's: kernel values against features, or
 * too few kernel values. */
partan_status pt_model_check_columns(partan_context *context, const partan_model *model, const partan_data *data);

/* How data for the model is to be read (data/read/read.h); NULL: it does not say. */
const pt_source *pt_model_read_like(const partan_model *model);

/* Data as the model's features are: in the order of its names, as many as it has. A file of LIBSVM's does not say how
 * many features there were. To be closed also on failure. */
partan_status pt_model_match(partan_context *context, const partan_model *model, const partan_data *data,
                             pt_match *match);

/* Applies the model's scaling, if it has one, to data that matches: of several processes (comm; NULL: one), in a
 * storage for all of it. */
partan_status pt_model_scale(partan_context *context, pt_comm *comm, const partan_model *model, pt_match *match);

/* The two file formats: model.c decides by the first line, or by the format asked for. */
partan_status pt_model_write_native(const partan_model *model, FILE *file);
partan_status pt_model_write_libsvm(const partan_model *model, FILE *file);
/* text is NUL-terminated; name is for messages. */
partan_status pt_model_parse_native(partan_context *context, const char *name, const char *text, size_t size,
                                    partan_model *model);
partan_status pt_model_parse_libsvm(partan_context *context, const char *name, const char *text, size_t size,
                                    partan_model *model);

#endif
