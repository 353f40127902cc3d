/* A fitted linear model with its claims. */
#ifndef PT_LASSO_MODEL_H
#define PT_LASSO_MODEL_H

#include "data/match.h"
#include "model/header.h"

struct partan_lasso {
    partan_context *context;
    char version[PT_VERSION_SIZE];
    partan_lasso_settings lasso; /* lambda or radius as asked for: which of them is above 0 says which form it is */
    partan_settings settings;
    uint64_t fingerprint;
    size_t rows, features;
    pt_source source; /* how the training data was read */
    partan_lasso_result result;
    double intercept;
    int64_t *ids; /* of result.nonzeros features, ascending */
    double *coefficients;
    bool named;   /* the features have names */
    char **names; /* of those with a coefficient, never empty; NULL: there are none */
};

/* An empty model with default settings. */
partan_status pt_lasso_create(partan_context *context, partan_lasso **model);

/* Room for result.nonzeros coefficients and, where features are named, names. */
partan_status pt_lasso_reserve(partan_lasso *model);

/* The data as a target and features: fails with a sentence where a label is missing or no number. */
partan_status pt_lasso_check_target(partan_context *context, const partan_data *data);

#endif
