/* The audit of a model: everything it claims, recomputed in double precision from its weights and the original rows.
 *
 * With a_i the weight of row i (0 for most), y_i its sign and C the cost:
 *
 *     g_i = y_i sum_j a_j y_j (k(x_i, x_j) + 1) + a_i / C       objective = 1/2 sum_i a_i g_i
 *     gap = 2 objective - min_i g_i over all rows               relative gap = gap / (2 objective)
 *
 * Nothing of this comes from the solver's code but the reading of the rows, and the vector code of kernel values in
 * double precision (kernel/exact.c): sums of some rows are computed again value by value by the plain code of
 * kernel/value.c, which training uses for single values such as the diagonal, but for no sum. */
#include <math.h>
#include <string.h>

#include "core/require.h"
#include "core/sized.h"
#include "svm/many/verify.h"
#include "svm/meeting.h"
#include "svm/precomputed.h"

/* Weights are sums of doubles; a solver that keeps them in the simplex is nowhere near this. */
#define WEIGHT_SUM_TOLERANCE 1e-9
/* The solver's kernel values are float32, some 6e-8 of the largest in error, and its claims are sums over them in
 * double: claims that are true agree with the recomputed ones within these shares of the objective. */
#define OBJECTIVE_TOLERANCE  1e-4
#define GAP_TOLERANCE        1e-4 /* of twice the objective: the relative gap's own unit */
#define GAP_ROUNDING         1e-6 /* of a gap that is many times twice the objective */
#define UNCHECKED            10.0 /* times the first, where the training had no time to check its own rounding */
#define BIAS_TOLERANCE       1e-9 /* of the scale: the bias is a sum of weights, without kernel values */

#define PLAIN_TOLERANCE 1e-9 /* of what the terms of a sum could add up to */
enum { PLAIN_ROWS = 32 };    /* whose sums are made again value by value */

typedef struct audit {
    partan_context *context;
    const partan_model *model;
    const partan_data *data; /* as the model's features are, scaled if the model's data was */
    uint64_t fingerprint;    /* of the data before it was scaled */
    partan_verification *found;
    pt_classes classes; /* of the data */
    float *signs;       /* of its rows */
    double *weights;    /* of its rows, a */
    double *gradient;   /* g */
    bool sums_hold;     /* its sums are those of plain code */
} audit;

#define reject(a, ...) pt_reject((a)->found->reason, sizeof(a)->found->reason, __VA_ARGS__)

/* The lesser of two numbers; a NaN stays. */
static double lesser(double a, double b)
{
    return isnan(a) || a <= b ? a : b;
}

/* ---- Feasibility ---- */

static bool check_weights(audit *a)
{
    const partan_model *model = a->model;
    double sum = 0, least = INFINITY;
    for (size_t i = 0; i < model->count; i++) {
        sum += model->weights[i];
        least = lesser(least, model->weights[i]);
    }
    a->found->weight_sum = sum;
    a->found->least_weight = least;
    if (!(least > 0))
        return reject(a, "a weight is %g, not above 0", least);
    if (!(fabs(sum - 1) <= WEIGHT_SUM_TOLERANCE))
        return reject(a, "the weights add up to %.12g, not to 1", sum);
    return true;
}

static bool check_labels(audit *a)
{
    const pt_classes *ours = &a->model->classes, *theirs = &a->classes;
    for (int class = 0; class < 2; class ++) {
        bool same = ours->words == theirs->words
                    && (ours->words ? strcmp(ours->text[class], theirs->text[class]) == 0
                                    : ours->label[class] == theirs->label[class]);
        if (!same)
            return reject(a, "the %s class is '%.40s' in the model and '%.40s' in the data",
                          class ? "positive" : "negative", ours->text[class], theirs->text[class]);
    }
    return true;
}

static bool same_values(const audit *a, size_t i, size_t row)
{
    if (a->model->settings.kernel == PARTAN_KERNEL_PRECOMPUTED)
        return a->model->serials[i] == (a->data->serials ? a->data->serials[row] : (int64_t)row);
    return pt_matrix_rows_equal(&a->model->vectors, i, &a->data->matrix, row);
}

/* Every support vector is a row of the data, with that row's values and label, and no row is there twice. */
static bool check_rows(audit *a)
{
    const partan_model *model = a->model;
    for (size_t i = 0; i < model->count; i++) {
        if (model->origin[i] < 0 || (uint64_t)model->origin[i] >= a->data->matrix.rows)
            return reject(a, "support vector %zu is row %jd, which the data does not have", i + 1,
                          (intmax_t)model->origin[i] + 1);
        size_t row = (size_t)model->origin[i];
        if (!same_values(a, i, row))
            return reject(a, "support vector %zu differs from row %zu of the data, which it says it is", i + 1,
                          row + 1);
        if (model->signs[i] != a->signs[row])
            return reject(a, "support vector %zu and row %zu of the data, which it says it is, have different labels",
                          i + 1, row + 1);
        if (a->weights[row] != 0)
            return reject(a, "row %zu of the data is a support vector twice", row + 1);
        if (!(pt_data_weight(a->data, row) > 0))
            return reject(a, "row %zu of the data is a support vector, but its weight is 0", row + 1);
        a->weights[row] = model->weights[i];
    }
    return true;
}

/* ---- Objective and gap ---- */

/* Sums of some rows, value by value. */
static bool check_sums(audit *a, const pt_kernel *kernel, pt_points rows, pt_points vertices, const double *weights)
{
    size_t all = rows.matrix->rows, some = all < PLAIN_ROWS ? all : PLAIN_ROWS;
    double largest = 0; /* k(z, z) */
    for (size_t v = 0; v < a->model->count; v++)
        largest = fmax(largest, fabs(pt_kernel_value(kernel, vertices, v, vertices, v)));
    for (size_t i = 0; i < some; i++) {
        size_t row = i * all / some;
        double sum = 0, size = 0, self = fabs(pt_kernel_value(kernel, rows, row, rows, row));
        for (size_t v = 0; v < a->model->count; v++) {
            double value = pt_kernel_value(kernel, rows, row, vertices, v);
            sum += weights[v] * value;
            size += fabs(weights[v]) * fmax(fabs(value), sqrt(self * largest));
        }
        if (!(fabs(a->gradient[row] - sum) <= PLAIN_TOLERANCE * size) && isfinite(size))
            return reject(a, "two ways of adding up kernel values of row %zu give %.15g and %.15g: a defect of partan",
                          row + 1, a->gradient[row], sum);
    }
    return true;
}

/* What a row's weight adds by the diagonal: a / C of the row. */
static double own_part(const audit *a, size_t row)
{
    double cost =
        a->model->settings.cost * pt_data_weight(a->data, row) * pt_class_weight(&a->model->classes, a->signs[row] > 0);
    return a->weights[row] > 0 ? a->weights[row] / cost : 0;
}

static partan_status compute_gradient(audit *a)
{
    const partan_model *model = a->model;
    pt_kernel kernel = pt_model_kernel(model);
    bool precomputed = kernel.kind == PARTAN_KERNEL_PRECOMPUTED;
    pt_meeting meeting;
    partan_status status = pt_meeting_open(a->context, &a->data->matrix, &model->vectors, &meeting);
    pt_points rows = {.matrix = meeting.rows, .serials = a->data->serials};
    pt_points vertices = {.matrix = precomputed ? NULL : meeting.vectors, .serials = model->serials};

    double *signed_weights = pt_alloc(a->context, model->count, sizeof *signed_weights);
    if (!signed_weights || status) {
        pt_meeting_close(&meeting);
        pt_free(a->context, signed_weights);
        return status ? status : pt_out_of_memory(a->context, "the weights of support vectors");
    }
    double bias = 0;
    for (size_t i = 0; i < model->count; i++) {
        signed_weights[i] = model->weights[i] * (double)model->signs[i];
        bias += signed_weights[i];
    }
    status = pt_kernel_sums_exact(a->context, &kernel, rows, vertices, model->count, signed_weights, a->gradient);
    a->sums_hold = status == PARTAN_OK && (precomputed || check_sums(a, &kernel, rows, vertices, signed_weights));
    pt_free(a->context, signed_weights);
    pt_meeting_close(&meeting);
    for (size_t row = 0; status == PARTAN_OK && row < a->data->matrix.rows; row++)
        a->gradient[row] = (double)a->signs[row] * (a->gradient[row] + bias) + own_part(a, row);
    return status;
}

static void compute_gap(audit *a)
{
    double twice = 0, least = INFINITY;
    for (size_t row = 0; row < a->data->matrix.rows; row++) {
        twice += a->weights[row] * a->gradient[row];
        if (pt_data_weight(a->data, row) > 0)
            least = lesser(least, a->gradient[row]);
    }
    a->found->objective = twice / 2;
    a->found->gap = twice - least;
    a->found->relative_gap = a->found->gap / twice;
}

/* ---- Claims ---- */

static double objective_tolerance(const audit *a)
{
    return OBJECTIVE_TOLERANCE * (a->model->result.gap_is_bound ? UNCHECKED : 1);
}

/* A claimed gap is the true one, or no less than it. */
static bool holds(const partan_result *claimed, double claim, double found, double tolerance)
{
    double excess = claim - found;
    return excess >= -tolerance && (claimed->gap_is_bound || excess <= tolerance);
}

static bool check_claims(audit *a)
{
    const partan_result *claimed = &a->model->result;
    const partan_verification *found = a->found;
    const char *most = claimed->gap_is_bound ? " at most" : "";
    double twice = 2 * found->objective;
    if (!isfinite(found->gap) || !(found->objective > 0))
        return reject(a, "the objective is %g and the gap %g: a kernel value is not finite", found->objective,
                      found->gap);
    if (!(fabs(claimed->objective - found->objective) <= objective_tolerance(a) * found->objective))
        return reject(a, "the model claims an objective of %.9g, but the recomputed one is %.9g", claimed->objective,
                      found->objective);
    if (!holds(claimed, claimed->gap, found->gap, GAP_TOLERANCE * twice + GAP_ROUNDING * found->gap))
        return reject(a, "the model claims a gap of%s %.9g, but the recomputed one is %.9g", most, claimed->gap,
                      found->gap);
    if (!holds(claimed, claimed->relative_gap, found->relative_gap, GAP_TOLERANCE + GAP_ROUNDING * found->relative_gap))
        return reject(a, "the model claims a relative gap of%s %.9g, but the recomputed one is %.9g", most,
                      claimed->relative_gap, found->relative_gap);
    return true;
}

/* A model that says it converged must have met one of its targets. */
static bool check_convergence(audit *a)
{
    const partan_settings *settings = &a->model->settings;
    const partan_verification *found = a->found;
    double slack = GAP_TOLERANCE * 2 * found->objective;
    bool by_tol = settings->tol > 0 && found->relative_gap <= settings->tol + GAP_TOLERANCE;
    bool by_eps = settings->eps > 0 && found->gap <= settings->eps + slack;
    if (a->model->result.converged && (settings->tol > 0 || settings->eps > 0) && !by_tol && !by_eps)
        return reject(a, "the model claims convergence, but its gap of %.9g meets neither of its targets", found->gap);
    return true;
}

/* The decision function is the one that the weights define, in the scale of a functional margin of 1; that of few
 * support vectors (max_sv) in any scale, which its labels do not depend on. */
static bool check_decision(audit *a)
{
    const partan_model *model = a->model;
    double scale = 1 / (2 * a->found->objective), sum = 0;
    for (size_t i = 0; i < model->count; i++)
        sum += model->weights[i] * (double)model->signs[i];
    bool free_scale = model->settings.max_sv > 0;
    if (!free_scale && !(fabs(model->scale - scale) <= 2 * objective_tolerance(a) * scale))
        return reject(a, "the scale of decision values is %.9g, expected 1 / (2 objective), %.9g", model->scale, scale);
    if (!(fabs(model->bias - model->scale * sum) <= BIAS_TOLERANCE * model->scale))
        return reject(a, "the bias is %.9g, but the weights give %.9g", model->bias, model->scale * sum);
    return true;
}

static bool check_fingerprint(audit *a)
{
    uint64_t found = a->fingerprint;
    if (found != a->model->fingerprint || a->model->rows != a->data->matrix.rows)
        return reject(a, "the data's fingerprint is %016jx, that of the training data was %016jx", (uintmax_t)found,
                      (uintmax_t)a->model->fingerprint);
    return true;
}

static partan_status run(audit *a)
{
    size_t rows = a->data->matrix.rows;
    partan_status status = pt_data_classes(a->data, &a->classes, &a->signs);
    if (status)
        return status;
    a->weights = pt_alloc_zero(a->context, rows, sizeof *a->weights);
    a->gradient = pt_alloc(a->context, rows, sizeof *a->gradient);
    if (!a->weights || !a->gradient)
        return pt_out_of_memory(a->context, "the gradient");

    bool weights_hold = check_weights(a);
    if (!check_labels(a) || !check_rows(a))
        return PARTAN_OK; /* the weights have no rows to stand on: nothing to compute */
    a->found->feasible = weights_hold;
    status = compute_gradient(a);
    if (status)
        return status;
    compute_gap(a);
    a->found->matches = a->found->feasible && a->sums_hold && check_fingerprint(a) && check_claims(a)
                        && check_convergence(a) && check_decision(a);
    return PARTAN_OK;
}

partan_status pt_audit(partan_context *context, const partan_model *model, const partan_data *data,
                       uint64_t fingerprint, partan_verification *found)
{
    audit a = {.context = context, .model = model, .data = data, .fingerprint = fingerprint, .found = found};
    partan_status status = run(&a);
    pt_classes_free(data->context, &a.classes);
    pt_free(data->context, a.signs);
    pt_free(context, a.weights);
    pt_free(context, a.gradient);
    return status;
}

PT_STRUCT_INIT(partan_verification, .objective = NAN, .gap = NAN, .relative_gap = NAN)

static partan_status verify(partan_context *context, const partan_model *model, const partan_data *data,
                            partan_verification *found)
{
    if (model->format == PARTAN_MODEL_LIBSVM)
        return pt_fail(context, PARTAN_ERROR_DATA,
                       "a LIBSVM model file has no certificate: only native models can be verified");
    pt_match match;
    partan_status status = pt_model_match(context, model, data, &match);
    if (status == PARTAN_OK && model->serials && data->serials)
        status = pt_check_kernel_matrix(context, data);
    uint64_t fingerprint = 0;
    if (status == PARTAN_OK) {
        fingerprint = partan_data_fingerprint(match.data);
        status = pt_model_scale(context, model, &match);
    }
    pt_progress_begin(context, "verify");
    if (status == PARTAN_OK)
        status = (model->machine_count > 0 ? pt_verify_many : pt_audit)(context, model, match.data, fingerprint, found);
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
