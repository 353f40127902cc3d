/* The audit of outlier detection. With a_i the weight of row i, s_i = sum_j a_j k(x_i, x_j), k_ii = k(x_i, x_i):
 *
 *     objective = 1/2 sum_i a_i s_i + 1/2 sum_i a_i^2 / C_i - 1/2 sum_i a_i k_ii      g_i = s_i + a_i / C_i - k_ii / 2
 *     gap = sum_i a_i g_i - min_i g_i          relative gap = 2 gap / spread of the rows, or times C where that is 0
 *
 * and the threshold is that of svm/threshold.h for the squared distances k_ii - 2 s_i + sum_j a_j s_j. */
#include <math.h>

#include "core/agree.h"
#include "kernel/kinds.h"
#include "svm/audit.h"
#include "svm/few.h"
#include "svm/threshold.h"

#define THRESHOLD_TOLERANCE 1e-4 /* of the squared radius: kernel values in training are float32 */

static double own_self(const pt_audit *a, const pt_kernel *kernel, size_t row)
{
    pt_points rows = {.matrix = &a->data->matrix};
    return pt_kernel_value(kernel, rows, row, rows, row);
}

typedef struct adding {
    const pt_audit *audit;
    pt_kernel kernel;
} adding;

enum { NORM, OWN, SELVES, INNER, LEAST, SUMS };

static void add_rows(void *user, double *sums)
{
    const adding *all = user;
    const pt_audit *a = all->audit;
    for (size_t row = 0; row < a->data->matrix.rows; row++) {
        double cost = a->model->settings.cost * pt_data_weight(a->data, row), weight = a->weights[row];
        if (!(cost > 0))
            continue;
        double self = own_self(a, &all->kernel, row), score = a->gradient[row] + weight / cost - self / 2;
        sums[NORM] += weight * a->gradient[row];
        sums[OWN] += weight * weight / cost;
        sums[SELVES] += weight * self;
        sums[INNER] += weight * score;
        sums[LEAST] = pt_audit_lesser(sums[LEAST], score);
    }
}

/* Leaves squared distances in a->gradient; *norm: the squared norm of the centre. */
static partan_status compute_gap(pt_audit *a, double *norm)
{
    adding all = {a, pt_model_kernel(a->model)};
    double sums[SUMS] = {[LEAST] = INFINITY}, spread;
    partan_status status = pt_spread(a->context, a->comm, a->data, &all.kernel, &spread);
    if (status)
        return status;
    pt_in_turn(a->comm, add_rows, &all, sums, SUMS);
    *norm = sums[NORM];
    for (size_t row = 0; row < a->data->matrix.rows; row++)
        a->gradient[row] = own_self(a, &all.kernel, row) - 2 * a->gradient[row] + *norm;
    a->found->objective = (sums[NORM] + sums[OWN] - sums[SELVES]) / 2;
    a->found->gap = sums[INNER] - sums[LEAST];
    a->unit = (spread > 0 ? spread : 1 / a->model->settings.cost) / 2;
    a->found->relative_gap = a->found->gap / a->unit;
    return PARTAN_OK;
}

/* The same of few support vectors, whose squared distances are there. */
static partan_status compute_few(pt_audit *a)
{
    pt_few few = {.context = a->context, .comm = a->comm, .model = a->model, .data = a->data};
    partan_status status = pt_few_outlier(&few, a->gradient);
    a->found->objective = few.objective;
    a->found->gap = few.gap;
    a->found->relative_gap = few.gap / a->unit;
    return status;
}

static partan_status check_threshold(pt_audit *a, double norm, bool *holds)
{
    double radius = 0;
    bool same = pt_kernel_kind_of(a->model->settings.kernel)->decays;
    int64_t *rows = NULL;
    size_t count = 0;
    partan_status status = pt_threshold_rows(a->context, a->comm, a->model, a->data, &rows, &count);
    for (size_t i = 0; i < count && !status; i++)
        a->gradient[i] = a->gradient[rows[i]]; /* in ascending order: none is lost before it is taken */
    if (!status)
        status = pt_threshold(a->context, a->comm, a->data, &a->model->settings, rows, count, a->gradient, &radius);
    pt_free(a->context, rows);
    if (status)
        return status;
    double bias = radius - norm - (same ? 1 : 0), slack = THRESHOLD_TOLERANCE * (fabs(radius) + fabs(norm));
    *holds = fabs(a->model->bias - bias) <= slack && a->model->scale == 2;
    if (!*holds)
        pt_audit_reject(a, "scale and bias of decision values are %.9g and %.9g, expected 2 and %.9g", a->model->scale,
                        a->model->bias, bias);
    return PARTAN_OK;
}

partan_status pt_audit_outlier(pt_audit *a)
{
    bool weights_hold = pt_audit_weights(a), decides = false;
    double norm = 0;
    if (!pt_audit_rows(a))
        return PARTAN_OK; /* the weights have no rows to stand on: nothing to compute */
    a->found->feasible = weights_hold;
    partan_status status = pt_audit_sums(a, 0);
    if (status)
        return status;
    status = compute_gap(a, &norm);
    if (!status && pt_is_few(a->model))
        status = compute_few(a);
    if (status)
        return status;
    a->found->matches =
        a->found->feasible && a->sums_hold && pt_audit_fingerprint(a) && pt_audit_claims(a) && pt_audit_convergence(a);
    if (a->found->matches)
        status = check_threshold(a, norm, &decides);
    a->found->matches = a->found->matches && decides;
    return status;
}
