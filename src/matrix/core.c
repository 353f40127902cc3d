#include <math.h>
#include <string.h>

#include "matrix/recovery.h"

typedef struct core {
    pt_measurement *measurement;
    const double *b;
    double radius;
    size_t rank;
    pt_factors basis, trial;             /* P and Q; P D and Q, for a direction D */
    double *S, *gradient, *step, *right; /* rank x rank */
    double *singular;
    double *residual, *image; /* A(X) - b, A(P D Q') */
    double *product;          /* G Q */
} core;

static void core_free(core *c)
{
    partan_context *context = c->measurement->context;
    void *arrays[] = {c->S, c->gradient, c->step, c->right, c->singular, c->residual, c->image, c->product};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pt_free(context, arrays[i]);
    pt_factors_free(&c->basis);
    pt_factors_free(&c->trial);
}

static partan_status core_make(core *c, const pt_factors *x)
{
    partan_context *context = c->measurement->context;
    size_t square = x->rank * x->rank, count = c->measurement->map.count;
    double **squares[] = {&c->S, &c->gradient, &c->step, &c->right};
    bool done = true;
    c->rank = x->rank;
    pt_factors_init(&c->basis, context, x->rows, x->columns);
    pt_factors_init(&c->trial, context, x->rows, x->columns);
    for (size_t i = 0; i < 4; i++)
        done &= (*squares[i] = pt_alloc_zero(context, square, sizeof(double))) != NULL;
    done &= (c->singular = pt_alloc(context, x->rank, sizeof(double))) != NULL;
    done &= (c->residual = pt_alloc(context, count, sizeof(double))) != NULL;
    done &= (c->image = pt_alloc(context, count, sizeof(double))) != NULL;
    done &= (c->product = pt_alloc_zero(context, x->rows * x->stride, sizeof(double))) != NULL;
    if (!done)
        return pt_out_of_memory(context, "the core of a matrix");
    partan_status status = pt_factors_copy(x, &c->basis);
    if (!status)
        status = pt_factors_copy(x, &c->trial);
    size_t stride = c->basis.stride; /* that of both copies */
    for (size_t k = 0; k < x->rank && !status; k++) {
        double root = 1 / sqrt(x->singular[k]);
        c->S[k * x->rank + k] = x->singular[k];
        for (size_t i = 0; i < x->rows; i++)
            c->basis.left[i * stride + k] *= root;
        for (size_t j = 0; j < x->columns; j++)
            c->trial.right[j * stride + k] = c->basis.right[j * stride + k] *= root;
    }
    return status;
}

/* P'G Q. */
static partan_status find_gradient(core *c)
{
    size_t rank = c->rank, stride = c->basis.stride;
    pt_measurement_prepare(c->measurement, c->residual);
    partan_status status =
        pt_measurement_times_factor(c->measurement, c->residual, c->basis.right, rank, stride, c->product);
    memset(c->gradient, 0, rank * rank * sizeof *c->gradient);
    for (size_t i = 0; i < c->basis.rows && !status; i++)
        for (size_t l = 0; l < rank; l++)
            for (size_t k = 0; k < rank; k++)
                c->gradient[l * rank + k] += c->basis.left[i * stride + l] * c->product[i * stride + k];
    return status;
}

/* The direction from S to the projection of S - gradient / curvature onto the ball; returns its squared length. */
static double find_direction(core *c, double curvature)
{
    size_t n = c->rank;
    double length = 0;
    for (size_t k = 0; k < n * n; k++)
        c->step[k] = c->S[k] - c->gradient[k] / curvature;
    pt_svd(n, c->step, c->singular, c->right);
    pt_project_simplex(c->singular, n, c->radius);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = -c->S[i * n + j];
            for (size_t k = 0; k < n; k++)
                sum += c->step[i * n + k] * c->singular[k] * c->right[j * n + k];
            c->gradient[i * n + j] = sum; /* its place is free now */
            length += sum * sum;
        }
    memcpy(c->step, c->gradient, n * n * sizeof *c->step);
    return length;
}

/* trial.left = P T. */
static partan_status set_trial(core *c, const double *T)
{
    return pt_factor_times(&c->basis, c->basis.left, c->basis.rows, T, c->trial.left);
}

/* One step with exact line search; *gain is how much it lowers the objective. */
static partan_status step(core *c, double *values, double *curvature, double *gain)
{
    partan_context *context = c->measurement->context;
    size_t count = c->measurement->map.count;
    *gain = 0;
    partan_status status = find_gradient(c);
    if (status)
        return status;
    double length = find_direction(c, *curvature);
    status = set_trial(c, c->step);
    if (!status)
        status = pt_measurement_apply(c->measurement, &c->trial, c->image);
    if (status)
        return status;
    double slope = pt_dot(context, c->residual, c->image, count), bend = pt_dot(context, c->image, c->image, count);
    if (!(slope < 0) || !(length > 0))
        return PARTAN_OK;
    double share = bend > -slope ? -slope / bend : 1;
    *gain = -share * (slope + share * bend / 2);
    for (size_t k = 0; k < c->rank * c->rank; k++)
        c->S[k] += share * c->step[k];
    for (size_t k = 0; k < count; k++) {
        values[k] += share * c->image[k];
        c->residual[k] += share * c->image[k];
    }
    *curvature = fmax(bend / length, 1e-3 * *curvature);
    return PARTAN_OK;
}

partan_status pt_core_descend(pt_measurement *measurement, const double *b, double radius, pt_factors *x,
                              double *values, int steps, double enough, double *curvature)
{
    core c = {.measurement = measurement, .b = b, .radius = radius};
    double gain = INFINITY, norm = 0;
    if (x->rank == 0)
        return PARTAN_OK;
    partan_status status = core_make(&c, x);
    for (size_t k = 0; k < x->rank && !status; k++)
        norm += x->singular[k] * x->singular[k];
    if (!status && !(*curvature > 0))
        *curvature = pt_dot(measurement->context, values, values, measurement->map.count) / norm;
    for (size_t k = 0; k < measurement->map.count && !status; k++)
        c.residual[k] = values[k] - b[k];
    for (int n = 0; n < steps && gain > enough && *curvature > 0 && !status; n++) {
        status = step(&c, values, curvature, &gain);
        if (!status && pt_interrupted(measurement->context))
            status = PARTAN_INTERRUPTED;
    }
    if (!status)
        status = set_trial(&c, c.S);
    if (!status)
        status = pt_factors_copy(&c.trial, x);
    if (!status)
        status = pt_factors_balance(x, 0, 0);
    core_free(&c);
    return status;
}
