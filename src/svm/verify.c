/* The audit of a model: everything it claims, recomputed in double precision from its weights and the original rows.
 *
 * With a_i the weight of row i (0 for most), y_i its sign and C the cost:
 *
 *     g_i = y_i sum_j a_j y_j (k(x_i, x_j) + 1) + a_i / C       objective = 1/2 sum_i a_i g_i
 *     gap = 2 objective - min_i g_i over all rows               relative gap = gap / (2 objective)
 *
 * Of few support vectors (max_sv) they are other ones (svm/few.h). This file is about classes; audit.h has what all
 * problems share. */
#include <math.h>
#include <string.h>

#include "core/agree.h"
#include "core/require.h"
#include "core/sized.h"
#include "data/parts.h"
#include "svm/audit.h"
#include "svm/few.h"
#include "svm/many/verify.h"
#include "svm/precomputed.h"
#include "svm/together.h"

/* ---- Feasibility ---- */

static bool check_labels(pt_audit *a)
{
    const pt_classes *ours = &a->model->classes, *theirs = &a->classes;
    for (int class = 0; class < 2; class ++) {
        bool same = ours->words == theirs->words
                    && (ours->words ? strcmp(ours->text[class], theirs->text[class]) == 0
                                    : ours->label[class] == theirs->label[class]);
        if (!same)
            return pt_audit_reject(a, "the %s class is '%.40s' in the model and '%.40s' in the data",
                                   class ? "positive" : "negative", ours->text[class], theirs->text[class]);
    }
    return true;
}

/* ---- Objective and gap ---- */

/* What a row's weight adds by the diagonal: a / C of the row. */
static double own_part(const pt_audit *a, size_t row)
{
    double cost =
        a->model->settings.cost * pt_data_weight(a->data, row) * pt_class_weight(&a->model->classes, a->signs[row] > 0);
    return a->weights[row] > 0 ? a->weights[row] / cost : 0;
}

/* From sums to g. */
static void compute_gradient(pt_audit *a)
{
    for (size_t row = 0; row < a->data->matrix.rows; row++)
        a->gradient[row] = (double)a->signs[row] * a->gradient[row] + own_part(a, row);
}

enum { TWICE, LEAST };

/* Twice the objective, and the least g. */
static void add_rows(void *user, double *sums)
{
    const pt_audit *a = user;
    for (size_t row = 0; row < a->data->matrix.rows; row++) {
        sums[TWICE] += a->weights[row] * a->gradient[row];
        if (pt_data_weight(a->data, row) > 0)
            sums[LEAST] = pt_audit_lesser(sums[LEAST], a->gradient[row]);
    }
}

static void compute_gap(pt_audit *a)
{
    double sums[2] = {[LEAST] = INFINITY};
    pt_in_turn(a->comm, add_rows, a, sums, 2);
    a->found->objective = sums[TWICE] / 2;
    a->found->gap = sums[TWICE] - sums[LEAST];
    a->found->relative_gap = a->found->gap / sums[TWICE];
    a->unit = sums[TWICE] > 0 ? sums[TWICE] : (double)NAN;
}

/* The squared norm of the function. */
static void add_norm(void *user, double *norm)
{
    const pt_audit *a = user;
    for (size_t row = 0; row < a->data->matrix.rows; row++)
        *norm += a->model->scale * a->weights[row] * (double)a->signs[row] * a->gradient[row];
}

/* The same of few support vectors, from sums. */
static partan_status compute_few(pt_audit *a)
{
    pt_few few = {.context = a->context, .comm = a->comm, .model = a->model, .data = a->data, .signs = a->signs};
    double norm = 0;
    for (size_t row = 0; row < a->data->matrix.rows; row++)
        a->gradient[row] *= a->model->scale;
    pt_in_turn(a->comm, add_norm, a, &norm, 1);
    partan_status status = pt_few_certify(&few, a->gradient, norm);
    a->found->objective = few.objective;
    a->found->gap = few.gap;
    a->unit = 2 * few.objective;
    a->found->relative_gap = few.gap / a->unit;
    return status;
}

/* ---- Claims ---- */

/* The decision function is the one that the weights define, in the scale of a functional margin of 1; that of few
 * support vectors (max_sv) in the scale that its gap is about. */
static bool check_decision(pt_audit *a)
{
    const partan_model *model = a->model;
    double scale = 1 / (2 * a->found->objective), sum = 0;
    for (size_t i = 0; i < model->count; i++)
        sum += model->weights[i] * (double)model->signs[i];
    bool free_scale = model->settings.max_sv > 0;
    if (!free_scale && !(fabs(model->scale - scale) <= 2 * pt_audit_objective_tolerance(a) * scale))
        return pt_audit_reject(a, "the scale of decision values is %.9g, expected 1 / (2 objective), %.9g",
                               model->scale, scale);
    if (!(fabs(model->bias - model->scale * sum) <= PT_BIAS_TOLERANCE * model->scale))
        return pt_audit_reject(a, "the bias is %.9g, but the weights give %.9g", model->bias, model->scale * sum);
    return true;
}

static partan_status audit_classes(pt_audit *a)
{
    partan_status status = a->comm ? pt_classes_of_all(a->context, a->comm, a->data, &a->classes, &a->signs)
                                   : pt_data_classes(a->data, &a->classes, &a->signs);
    if (status)
        return status;
    bool weights_hold = pt_audit_weights(a);
    if (!check_labels(a) || !pt_audit_rows(a))
        return PARTAN_OK; /* the weights have no rows to stand on: nothing to compute */
    a->found->feasible = weights_hold;
    status = pt_audit_sums(a, 1);
    if (status)
        return status;
    if (pt_is_few(a->model)) {
        status = compute_few(a);
    } else {
        compute_gradient(a);
        compute_gap(a);
    }
    if (status)
        return status;
    a->found->matches = a->found->feasible && a->sums_hold && pt_audit_fingerprint(a) && pt_audit_claims(a)
                        && pt_audit_convergence(a) && check_decision(a);
    return PARTAN_OK;
}

partan_status pt_audit_model(partan_context *context, const partan_model *model, const partan_data *data,
                             uint64_t fingerprint, partan_verification *found)
{
    pt_audit a = {.context = context,
                  .comm = context->comm,
                  .model = model,
                  .data = data,
                  .fingerprint = fingerprint,
                  .found = found};
    partan_status status = pt_audit_open(&a);
    static partan_status (*const audits[])(pt_audit *) = {[PARTAN_CLASSIFICATION] = audit_classes,
                                                          [PARTAN_REGRESSION] = pt_audit_regression,
                                                          [PARTAN_OUTLIER] = pt_audit_outlier};
    if (!status)
        status = audits[model->settings.problem](&a);
    pt_audit_close(&a);
    return status;
}

PT_STRUCT_INIT(partan_verification, .objective = NAN, .gap = NAN, .relative_gap = NAN)

/* What can be audited: at all, and by several processes, each of which has a part of the data. */
static partan_status check_model(partan_context *context, const partan_model *model)
{
    if (model->format == PARTAN_MODEL_LIBSVM)
        return pt_fail(context, PARTAN_ERROR_DATA,
                       "a LIBSVM model file has no certificate: only native models can be verified");
    if (context->comm && model->serials)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "several processes cannot share a precomputed kernel");
    return PARTAN_OK;
}

/* Of the rows of all processes. */
static uint64_t fingerprint_of(pt_comm *comm, const partan_data *part)
{
    uint64_t first, rows = pt_count_all(comm, part->matrix.rows, &first);
    return pt_data_fingerprint_of_all(comm, part, first, rows);
}

static partan_status verify(partan_context *context, const partan_model *model, const partan_data *data,
                            partan_verification *found)
{
    uint64_t fingerprint = 0;
    pt_match match = {0};
    partan_status status = check_model(context, model);
    if (!status)
        status = pt_model_match(context, model, data, &match);
    if (status == PARTAN_OK && model->serials && data->serials)
        status = pt_check_kernel_matrix(context, data);
    status = pt_agree(context, context->comm, status);
    if (status == PARTAN_OK) {
        fingerprint = fingerprint_of(context->comm, match.data);
        status = pt_model_scale(context, context->comm, model, &match);
    }
    pt_progress_begin(context, "verify");
    if (status == PARTAN_OK)
        status = (model->machine_count > 0 ? pt_verify_many : pt_audit_model)(context, model, match.data, fingerprint,
                                                                              found);
    if (status == PARTAN_INTERRUPTED)
        pt_interrupt_clear(context);
    pt_match_close(&match);
    return status;
}

partan_status partan_verify(partan_context *context, const partan_model *model, const partan_data *data,
                            partan_verification *verification)
{
    PT_REQUIRE(context, context && model && data && verification);
    PT_CHECK_OUTPUT(context, partan_verification, verification);
    partan_verification found;
    partan_verification_init(&found);
    partan_status status = verify(context, model, data, &found);
    pt_struct_give(verification, &found, sizeof found);
    return status;
}
