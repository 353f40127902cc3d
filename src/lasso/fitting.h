/* A fit in parts, for those that fit more than once to the same data: single fits, paths, cross-validation. */
#ifndef PT_LASSO_FITTING_H
#define PT_LASSO_FITTING_H

#include "lasso/design.h"
#include "lasso/model.h"
#include "lasso/solver.h"

typedef struct pt_lasso_fitting {
    partan_context *context;
    const partan_data *data;
    partan_lasso_settings lasso;
    partan_settings settings;
    partan_data compact; /* the data without empty features, where most are; its matrix alone is its own */
    int32_t *features;   /* those that it has; NULL: all, and there is no such data */
    pt_store store;
    pt_design design;
    uint64_t fingerprint; /* of the data, once a model needed it; 0: not yet */
    double start;         /* of the present model */
    double deadline;      /* 0: none */
} pt_lasso_fitting;

/* Checks settings and data, makes the design of all rows. To be closed also on failure. */
partan_status pt_lasso_open(pt_lasso_fitting *fitting, partan_context *context, const partan_data *data,
                            const partan_lasso_settings *lasso, const partan_settings *settings);
void pt_lasso_close(pt_lasso_fitting *fitting);

/* What the settings ask of the default solver on a design; `scale` is the unit of eps in the objective per row. */
pt_lasso_target pt_lasso_target_of(const pt_lasso_fitting *fitting, const pt_design *design, double scale);

/* The solution as a model. */
partan_status pt_lasso_model(pt_lasso_fitting *fitting, const pt_solved *solved, partan_lasso **model);

/* The lambdas of a path by the settings' rule; `lambdas` has room for lasso.points. */
void pt_lasso_grid(const pt_lasso_fitting *fitting, double *lambdas);

/* by_variant.c: the form with a radius by one of the Frank-Wolfe variants. */
partan_status pt_lasso_by_variant(pt_lasso_fitting *fitting, pt_solved *solved);

#endif
