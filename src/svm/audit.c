#include "svm/audit.h"

#include <math.h>
#include <string.h>

#include "core/agree.h"
#include "svm/meeting.h"

/* Weights are sums of doubles; a solver that keeps them in the simplex is nowhere near this. */
#define WEIGHT_SUM_TOLERANCE 1e-9
/* The solver's kernel values are float32, some 6e-8 of the largest in error, and its claims are sums over them in
 * double: claims that are true agree with the recomputed ones within these shares of the objective. */
#define OBJECTIVE_TOLERANCE  1e-4
#define GAP_TOLERANCE        1e-4 /* of the relative gap's own unit */
#define GAP_ROUNDING         1e-6 /* of a gap that is many times that */
#define UNCHECKED            10.0 /* times the first, where the training had no time to check its own rounding */

#define PLAIN_TOLERANCE 1e-9 /* of what the terms of a sum could add up to */
enum { PLAIN_ROWS = 32 };    /* whose sums are made again value by value */

partan_status pt_audit_open(pt_audit *a)
{
    size_t rows = a->data->matrix.rows;
    uint64_t first, all = pt_count_all(a->comm, rows, &first);
    a->first = (size_t)first;
    a->all = (size_t)all;
    a->weights = pt_alloc_zero(a->context, rows, sizeof *a->weights);
    a->gradient = pt_alloc_zero(a->context, rows, sizeof *a->gradient);
    return pt_agree(a->context, a->comm,
                    a->weights && a->gradient ? PARTAN_OK : pt_out_of_memory(a->context, "the gradient"));
}

void pt_audit_close(pt_audit *a)
{
    partan_context *owner = a->comm ? a->context : a->data->context; /* who made the classes */
    pt_classes_free(owner, &a->classes);
    pt_free(owner, a->signs);
    pt_free(a->context, a->weights);
    pt_free(a->context, a->gradient);
}

double pt_audit_lesser(double a, double b)
{
    return isnan(a) || a <= b ? a : b;
}

/* What holds everywhere; else all get the reason of the process that found something wrong with the lowest number. */
static bool agree_that(pt_audit *a, bool holds, size_t number)
{
    if (!a->comm)
        return holds;
    pt_least first = {.score = holds ? INFINITY : (double)number, .number = a->comm->rank};
    a->comm->least(a->comm, &first);
    if (isinf(first.score))
        return true;
    a->comm->broadcast(a->comm, (int)first.number, a->found->reason, sizeof a->found->reason);
    return false;
}

bool pt_audit_here(const pt_audit *a, size_t number, size_t *row)
{
    *row = number - a->first;
    return number >= a->first && *row < a->data->matrix.rows;
}

/* ---- Feasibility ---- */

bool pt_audit_weights(pt_audit *a)
{
    const partan_model *model = a->model;
    double sum = 0, least = INFINITY;
    for (size_t i = 0; i < model->count; i++) {
        sum += model->weights[i];
        least = pt_audit_lesser(least, model->weights[i]);
    }
    a->found->weight_sum = sum;
    a->found->least_weight = least;
    if (model->count == 0) /* w = 0, of a problem that allows for it */
        return true;
    if (!(least > 0))
        return pt_audit_reject(a, "a weight is %g, not above 0", least);
    if (!(fabs(sum - 1) <= WEIGHT_SUM_TOLERANCE))
        return pt_audit_reject(a, "the weights add up to %.12g, not to 1", sum);
    return true;
}

static bool same_values(const pt_audit *a, size_t i, size_t row)
{
    if (a->model->settings.kernel == PARTAN_KERNEL_PRECOMPUTED)
        return a->model->serials[i] == (a->data->serials ? a->data->serials[row] : (int64_t)row);
    return pt_matrix_rows_equal(&a->model->vectors, i, &a->data->matrix, row);
}

static bool check_row(pt_audit *a, size_t i)
{
    const partan_model *model = a->model;
    size_t number = (size_t)model->origin[i], row;
    if (model->origin[i] < 0 || number >= a->all)
        return pt_audit_reject(a, "support vector %zu is row %jd, which the data does not have", i + 1,
                               (intmax_t)model->origin[i] + 1);
    if (!pt_audit_here(a, number, &row))
        return true;
    if (!same_values(a, i, row))
        return pt_audit_reject(a, "support vector %zu differs from row %zu of the data, which it says it is", i + 1,
                               number + 1);
    if (a->signs && model->signs[i] != a->signs[row])
        return pt_audit_reject(a,
                               "support vector %zu and row %zu of the data, which it says it is, have different labels",
                               i + 1, number + 1);
    if (a->weights[row] != 0)
        return pt_audit_reject(a, "row %zu of the data is a support vector twice", number + 1);
    if (!(pt_data_weight(a->data, row) > 0))
        return pt_audit_reject(a, "row %zu of the data is a support vector, but its weight is 0", number + 1);
    a->weights[row] = model->weights[i];
    return true;
}

/* Every support vector is a row of the data, with that row's values and label, and no row is there twice. */
bool pt_audit_rows(pt_audit *a)
{
    size_t i = 0;
    while (i < a->model->count && check_row(a, i))
        i++;
    return agree_that(a, i == a->model->count, i);
}

/* ---- Sums ---- */

/* Sums of some rows, value by value; *number: of the one that differs. */
static bool check_sums(pt_audit *a, const pt_kernel *kernel, pt_points rows, pt_points vertices, const double *weights,
                       size_t *number)
{
    size_t some = a->all < PLAIN_ROWS ? a->all : PLAIN_ROWS;
    double largest = 0; /* k(z, z) */
    for (size_t v = 0; v < a->model->count; v++)
        largest = fmax(largest, fabs(pt_kernel_value(kernel, vertices, v, vertices, v)));
    for (size_t i = 0; i < some; i++) {
        size_t row;
        *number = i * a->all / some;
        if (!pt_audit_here(a, *number, &row))
            continue;
        double sum = 0, size = 0, self = fabs(pt_kernel_value(kernel, rows, row, rows, row));
        for (size_t v = 0; v < a->model->count; v++) {
            double value = pt_kernel_value(kernel, rows, row, vertices, v);
            sum += weights[v] * value;
            size += fabs(weights[v]) * fmax(fabs(value), sqrt(self * largest));
        }
        if (!(fabs(a->gradient[row] - sum) <= PLAIN_TOLERANCE * size) && isfinite(size))
            return pt_audit_reject(
                a, "two ways of adding up kernel values of row %zu give %.15g and %.15g: a defect of partan",
                *number + 1, a->gradient[row], sum);
    }
    return true;
}

/* Sums of the rows here, by both ways. */
static partan_status sum_rows(pt_audit *a, const double *signed_weights, bool *holds, size_t *number)
{
    const partan_model *model = a->model;
    pt_kernel kernel = pt_model_kernel(model);
    bool precomputed = kernel.kind == PARTAN_KERNEL_PRECOMPUTED;
    pt_meeting meeting;
    *holds = true;
    if (a->data->matrix.rows == 0)
        return PARTAN_OK;
    partan_status status = pt_meeting_open(a->context, &a->data->matrix, &model->vectors, &meeting);
    pt_points rows = {.matrix = meeting.rows, .serials = a->data->serials};
    pt_points vertices = {.matrix = precomputed ? NULL : meeting.vectors, .serials = model->serials};
    if (!status)
        status = pt_kernel_sums_exact(a->context, &kernel, rows, vertices, model->count, signed_weights, a->gradient);
    if (!status && !precomputed)
        *holds = check_sums(a, &kernel, rows, vertices, signed_weights, number);
    pt_meeting_close(&meeting);
    return status;
}

partan_status pt_audit_sums(pt_audit *a, double bias)
{
    const partan_model *model = a->model;
    double *signed_weights = pt_alloc(a->context, model->count, sizeof *signed_weights), total = 0;
    bool holds = false;
    size_t number = 0;
    partan_status status = signed_weights ? PARTAN_OK : pt_out_of_memory(a->context, "the weights of support vectors");
    for (size_t i = 0; i < model->count && !status; i++) {
        signed_weights[i] = model->weights[i] * (double)model->signs[i];
        total += signed_weights[i];
    }
    if (!status)
        status = sum_rows(a, signed_weights, &holds, &number);
    pt_free(a->context, signed_weights);
    status = pt_agree(a->context, a->comm, status);
    if (!status)
        a->sums_hold = agree_that(a, holds, number);
    for (size_t row = 0; row < a->data->matrix.rows && !status; row++)
        a->gradient[row] += bias * total;
    return status;
}

/* ---- Claims ---- */

double pt_audit_objective_tolerance(const pt_audit *a)
{
    return OBJECTIVE_TOLERANCE * (a->model->result.gap_is_bound ? UNCHECKED : 1);
}

/* A claimed gap is the true one, or no less than it. */
static bool holds(const partan_result *claimed, double claim, double found, double tolerance)
{
    double excess = claim - found;
    return excess >= -tolerance && (claimed->gap_is_bound || excess <= tolerance);
}

bool pt_audit_claims(pt_audit *a)
{
    const partan_result *claimed = &a->model->result;
    const partan_verification *found = a->found;
    const char *most = claimed->gap_is_bound ? " at most" : "";
    double objective = fmax(fabs(found->objective), a->unit / 2);
    if (!isfinite(found->gap) || !(a->unit >= 0))
        return pt_audit_reject(a, "the objective is %g and the gap %g: a kernel value is not finite", found->objective,
                               found->gap);
    if (!(fabs(claimed->objective - found->objective) <= pt_audit_objective_tolerance(a) * objective))
        return pt_audit_reject(a, "the model claims an objective of %.9g, but the recomputed one is %.9g",
                               claimed->objective, found->objective);
    if (!holds(claimed, claimed->gap, found->gap, GAP_TOLERANCE * a->unit + GAP_ROUNDING * found->gap))
        return pt_audit_reject(a, "the model claims a gap of%s %.9g, but the recomputed one is %.9g", most,
                               claimed->gap, found->gap);
    if (!holds(claimed, claimed->relative_gap, found->relative_gap, GAP_TOLERANCE + GAP_ROUNDING * found->relative_gap))
        return pt_audit_reject(a, "the model claims a relative gap of%s %.9g, but the recomputed one is %.9g", most,
                               claimed->relative_gap, found->relative_gap);
    return true;
}

/* A model that says it converged must have met one of its targets. */
bool pt_audit_convergence(pt_audit *a)
{
    const partan_settings *settings = &a->model->settings;
    const partan_verification *found = a->found;
    double slack = GAP_TOLERANCE * a->unit;
    bool by_tol = settings->tol > 0 && found->relative_gap <= settings->tol + GAP_TOLERANCE;
    bool by_eps = settings->eps > 0 && found->gap <= settings->eps + slack;
    if (a->model->result.converged && (settings->tol > 0 || settings->eps > 0) && !by_tol && !by_eps)
        return pt_audit_reject(a, "the model claims convergence, but its gap of %.9g meets neither of its targets",
                               found->gap);
    return true;
}

bool pt_audit_fingerprint(pt_audit *a)
{
    uint64_t found = a->fingerprint;
    if (!pt_is_fingerprint_of(a->model->fingerprint, found) || a->model->rows != a->all)
        return pt_audit_reject(a, "the data's fingerprint is %016jx, that of the training data was %016jx",
                               (uintmax_t)found, (uintmax_t)a->model->fingerprint);
    return true;
}
