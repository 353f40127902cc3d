/* The audit of a regression. With b_i = scale a_i y_i the coefficient of row i, mean the labels' mean by weight, t_i
 * the label less this, and f_i = sum_j b_j (k(x_i, x_j) + 1):
 *
 *     primal = 1/2 sum_i b_i f_i + 1/2 sum_i C_i max(0, |t_i - f_i| - epsilon)^2
 *     objective = 1/2 sum_i b_i f_i + 1/2 sum_i b_i^2 / C_i - sum_i b_i t_i + epsilon sum_i |b_i|
 *     gap = primal + objective                                  relative gap = gap / -objective
 *
 * -objective is a lower bound of the least that primal can be, whatever b is; where it is negative, see
 * svm/regression.h. Of few support vectors (max_sv) it is another one (svm/few.h). */
#include <math.h>

#include "core/agree.h"
#include "svm/audit.h"
#include "svm/few.h"
#include "svm/regression.h"

/* Sums of weights, and of labels by them. */
static void add_labels(void *user, double *sums)
{
    const partan_data *data = ((const pt_audit *)user)->data;
    for (size_t row = 0; row < data->matrix.rows; row++) {
        double weight = pt_data_weight(data, row);
        sums[0] += weight;
        sums[1] += weight > 0 ? weight * partan_data_label(data, row) : 0;
    }
}

static double mean_of(pt_audit *a)
{
    double sums[2] = {0};
    pt_in_turn(a->comm, add_labels, a, sums, 2);
    return sums[1] / sums[0];
}

typedef struct adding {
    const pt_audit *audit;
    double mean;
} adding;

enum { NORM, LOSSES, LINEAR, OWN, SUMS };

static void add_rows(void *user, double *sums)
{
    const adding *all = user;
    const pt_audit *a = all->audit;
    const partan_settings *settings = &a->model->settings;
    for (size_t row = 0; row < a->data->matrix.rows; row++) {
        double cost = settings->cost * pt_data_weight(a->data, row), b = a->weights[row];
        if (!(cost > 0))
            continue;
        double target = partan_data_label(a->data, row) - all->mean;
        double loss = fmax(fabs(target - a->gradient[row]) - settings->epsilon, 0);
        sums[NORM] += b * a->gradient[row];
        sums[LOSSES] += cost * loss * loss;
        sums[OWN] += b * b / cost;
        sums[LINEAR] += b * target - settings->epsilon * fabs(b);
    }
}

static void compute_gap(pt_audit *a, double mean)
{
    double sums[SUMS] = {0};
    pt_in_turn(a->comm, add_rows, &(adding){a, mean}, sums, SUMS);
    a->found->objective = sums[NORM] / 2 + sums[OWN] / 2 - sums[LINEAR];
    a->found->gap = sums[NORM] / 2 + sums[LOSSES] / 2 + a->found->objective;
    a->unit = pt_regression_unit(a->found->objective, a->found->gap);
    a->found->relative_gap = pt_regression_relative(a->found->objective, a->found->gap);
}

/* The squared norm of the function. */
static void add_norm(void *user, double *norm)
{
    const pt_audit *a = user;
    for (size_t row = 0; row < a->data->matrix.rows; row++)
        *norm += a->weights[row] * a->gradient[row];
}

/* The same of few support vectors. */
static partan_status compute_few(pt_audit *a, double mean)
{
    pt_few few = {.context = a->context, .comm = a->comm, .model = a->model, .data = a->data, .mean = mean};
    double norm = 0;
    pt_in_turn(a->comm, add_norm, a, &norm, 1);
    partan_status status = pt_few_certify(&few, a->gradient, norm);
    a->found->objective = few.objective;
    a->found->gap = few.gap;
    a->unit = -few.objective;
    a->found->relative_gap = few.gap / a->unit;
    return status;
}

/* From weights in the simplex to coefficients, of the rows and of what is summed. */
static void take_scale(pt_audit *a)
{
    const partan_model *model = a->model;
    for (size_t i = 0; i < model->count; i++) {
        size_t row;
        if (pt_audit_here(a, (size_t)model->origin[i], &row))
            a->weights[row] *= model->scale * (double)model->signs[i];
    }
    for (size_t row = 0; row < a->data->matrix.rows; row++)
        a->gradient[row] *= model->scale;
}

static bool check_bias(pt_audit *a, double mean)
{
    const partan_model *model = a->model;
    double sum = 0;
    for (size_t i = 0; i < model->count; i++)
        sum += model->weights[i] * (double)model->signs[i];
    double bias = mean + model->scale * sum;
    if (!(fabs(model->bias - bias) <= PT_BIAS_TOLERANCE * (model->scale + fabs(mean))))
        return pt_audit_reject(a, "the bias is %.9g, but labels and weights give %.9g", model->bias, bias);
    return true;
}

static partan_status check_labels(const pt_audit *a)
{
    if (a->data->words)
        return pt_fail(a->context, PARTAN_ERROR_DATA, "%s: found label '%.40s', expected a number", a->data->name,
                       a->data->words[0]);
    return PARTAN_OK;
}

partan_status pt_audit_regression(pt_audit *a)
{
    partan_status status = pt_agree(a->context, a->comm, check_labels(a));
    if (status)
        return status;
    bool weights_hold = pt_audit_weights(a);
    if (!pt_audit_rows(a))
        return PARTAN_OK; /* the weights have no rows to stand on: nothing to compute */
    a->found->feasible = weights_hold;
    a->sums_hold = true;
    status = a->model->count > 0 ? pt_audit_sums(a, 1) : PARTAN_OK;
    if (status)
        return status;
    double mean = mean_of(a);
    take_scale(a);
    if (pt_is_few(a->model))
        status = compute_few(a, mean);
    else
        compute_gap(a, mean);
    if (status)
        return status;
    a->found->matches = a->found->feasible && a->sums_hold && pt_audit_fingerprint(a) && pt_audit_claims(a)
                        && pt_audit_convergence(a) && check_bias(a, mean);
    return PARTAN_OK;
}
