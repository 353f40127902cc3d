/* What the audits of all problems share (svm/verify.c, and a file for each problem): the weights, the rows they belong
 * to, sums of kernel values in double, and the comparison of what the model claims with what was found.
 *
 * Nothing of this comes from the solver's code but the reading of the rows, and the vector code of kernel values in
 * double precision (kernel/exact.c): sums of some rows are computed again value by value by the plain code of
 * kernel/value.c, which training uses for single values such as the diagonal, but for no sum. */
#ifndef PT_AUDIT_H
#define PT_AUDIT_H

#include "svm/model/model.h"

#define PT_BIAS_TOLERANCE 1e-9 /* of the scale: the bias is a sum of weights, without kernel values */

typedef struct pt_audit {
    partan_context *context;
    pt_comm *comm; /* of processes that each have a part of the rows; NULL: one has all */
    const partan_model *model;
    const partan_data *data; /* of this process, as the model's features are, scaled if the model's data was */
    size_t first, all;       /* the number of its first row, and of all rows how many there are */
    uint64_t fingerprint;    /* of all rows before they were scaled */
    partan_verification *found;
    pt_classes classes; /* of the data, if the problem has them, */
    float *signs;       /* and of its rows; NULL: none */
    double *weights;    /* of its rows, a */
    double *gradient;   /* g, or what the problem makes of the sums */
    double unit;        /* what gaps are relative to */
    bool sums_hold;     /* its sums are those of plain code */
} pt_audit;

#define pt_audit_reject(a, ...) pt_reject((a)->found->reason, sizeof(a)->found->reason, __VA_ARGS__)

/* Counts the rows, and makes room for weights and gradient. Like all that follows, it is called by all processes, and
 * a failure of one is that of all. */
partan_status pt_audit_open(pt_audit *audit);
void pt_audit_close(pt_audit *audit);

/* Whether the row of a number is one of this process, and which. */
bool pt_audit_here(const pt_audit *audit, size_t number, size_t *row);

/* The lesser of two numbers; a NaN stays. */
double pt_audit_lesser(double a, double b);

/* Each false with a reason where it does not hold. Weights are above 0 and add up to 1; every support vector is a row
 * of the data, with that row's values and, where the problem has classes, label, and no row is there twice: the rows
 * get their weights. */
bool pt_audit_weights(pt_audit *audit);
bool pt_audit_rows(pt_audit *audit);

/* gradient[i] = sum_j a_j y_j (k(x_i, x_j) + bias), y being the signs of the support vectors. */
partan_status pt_audit_sums(pt_audit *audit, double bias);

/* Objective and gap, which were found, are those that the model claims; a model that says it converged has met one of
 * its targets; and the data is that of the training. */
bool pt_audit_claims(pt_audit *audit);
bool pt_audit_convergence(pt_audit *audit);
bool pt_audit_fingerprint(pt_audit *audit);

double pt_audit_objective_tolerance(const pt_audit *audit); /* relative */

/* verify_regression.c and verify_outlier.c: the audits of these problems. */
partan_status pt_audit_regression(pt_audit *audit);
partan_status pt_audit_outlier(pt_audit *audit);

#endif
