/* Small machines for tests of models, prediction and verification: rows, a kernel by its formula, and weights from a
 * plain Frank-Wolfe loop on the whole kernel matrix in double precision. Nothing here uses the library's kernels or
 * solvers. */
#ifndef MACHINE_H
#define MACHINE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "svm/model/model.h"
#include "testing.h"

enum { MACHINE_ROWS = 61, MACHINE_FEATURES = 37, MACHINE_STEPS = 400 };

typedef struct machine {
    partan_data *data;
    partan_model *model;
    float values[MACHINE_ROWS][MACHINE_FEATURES];
    double labels[MACHINE_ROWS];
    double K[MACHINE_ROWS][MACHINE_ROWS]; /* the kernel alone */
    double weights[MACHINE_ROWS];
    double gradient[MACHINE_ROWS];
} machine;

static inline double formula(const partan_settings *s, const float *x, const float *z, size_t features)
{
    double dot = 0, squares = 0, absolute = 0;
    for (size_t f = 0; f < features; f++) {
        double a = x[f], b = z[f];
        dot += a * b;
        squares += (a - b) * (a - b);
        absolute += fabs(a - b);
    }
    switch (s->kernel) {
    case PARTAN_KERNEL_POLYNOMIAL:
        return pow(s->gamma * dot + s->coef0, (double)s->degree);
    case PARTAN_KERNEL_RBF:
    case PARTAN_KERNEL_PRECOMPUTED: /* the matrix that is handed over is this one's */
        return exp(-s->gamma * squares);
    case PARTAN_KERNEL_SIGMOID:
        return tanh(s->gamma * dot + s->coef0);
    case PARTAN_KERNEL_LAPLACIAN:
        return exp(-s->gamma * absolute);
    default:
        return dot;
    }
}

/* Two clouds; about a third of the values are zero. Rows 7 and 9 are equal, row 5 is zero. */
static inline void machine_values(machine *m, partan_storage storage, uint64_t seed)
{
    bool binary = storage == PARTAN_STORAGE_BITS;
    pt_random random;
    pt_random_seed(&random, seed);
    for (size_t i = 0; i < MACHINE_ROWS; i++) {
        m->labels[i] = i % 3 ? 1 : -1;
        for (size_t f = 0; f < MACHINE_FEATURES; f++) {
            double shift = f < 5 ? 0.8 * m->labels[i] : 0;
            bool zero = i == 5 || pt_random_uniform(&random) < (binary ? 0.5 - 0.3 * shift : 0.35);
            m->values[i][f] = zero ? 0 : binary ? 1 : storable(storage, (float)(shift + pt_random_normal(&random)));
        }
    }
    memcpy(m->values[9], m->values[7], sizeof m->values[7]);
}

static inline partan_settings machine_settings(partan_kernel kernel)
{
    return (partan_settings){.struct_size = sizeof(partan_settings),
                             .kernel = kernel,
                             .gamma = 0.031,
                             .degree = 3,
                             .coef0 = 0.5,
                             .cost = 3.7,
                             .solver = PARTAN_SOLVER_FW,
                             .tol = 0.9,
                             .eps = 1e-7,
                             .seed = UINT64_MAX,
                             .max_iter = MACHINE_STEPS,
                             .cache_bytes = -1};
}

/* Plain Frank-Wolfe with exact line search; m->K holds the kernel. Leaves weights, gradient and the result's claims. */
static inline void machine_solve(machine *m, const partan_settings *settings, partan_result *result)
{
    double(*K)[MACHINE_ROWS] = malloc(sizeof m->K);
    for (size_t i = 0; i < MACHINE_ROWS; i++)
        for (size_t j = 0; j < MACHINE_ROWS; j++)
            K[i][j] = m->labels[i] * m->labels[j] * (m->K[i][j] + 1) + (i == j ? 1 / settings->cost : 0);
    memset(m->weights, 0, sizeof m->weights);
    m->weights[0] = 1;
    memcpy(m->gradient, K[0], sizeof m->gradient);
    double twice = K[0][0];
    size_t u = 0;
    for (int step = 0; step <= MACHINE_STEPS; step++) {
        double sum = 0;
        twice = 0;
        for (size_t i = 0; i < MACHINE_ROWS; i++)
            sum += m->weights[i];
        for (size_t i = 0; i < MACHINE_ROWS; i++)
            m->weights[i] /= sum;
        for (size_t i = 0; i < MACHINE_ROWS; i++) {
            m->gradient[i] = 0;
            for (size_t j = 0; j < MACHINE_ROWS; j++)
                m->gradient[i] += K[i][j] * m->weights[j];
        }
        for (size_t i = u = 0; i < MACHINE_ROWS; i++) {
            twice += m->weights[i] * m->gradient[i];
            if (m->gradient[i] < m->gradient[u])
                u = i;
        }
        double lambda = (twice - m->gradient[u]) / (twice - 2 * m->gradient[u] + K[u][u]);
        if (step == MACHINE_STEPS || !(lambda > 0))
            break;
        for (size_t i = 0; i < MACHINE_ROWS; i++)
            m->weights[i] *= 1 - lambda;
        m->weights[u] += lambda;
    }
    free(K);
    *result = (partan_result){.status = PARTAN_ITERATION_LIMIT,
                              .iterations = MACHINE_STEPS,
                              .objective = twice / 2,
                              .gap = twice - m->gradient[u],
                              .relative_gap = 1 - m->gradient[u] / twice,
                              .kernel_columns = MACHINE_STEPS,
                              .kernel_values = MACHINE_STEPS * MACHINE_ROWS,
                              .seconds = 0.125};
    result->converged = result->relative_gap <= settings->tol;
}

static inline partan_status machine_data(partan_context *context, machine *m, const partan_settings *settings,
                                         partan_storage storage)
{
    for (size_t i = 0; i < MACHINE_ROWS; i++)
        for (size_t j = 0; j < MACHINE_ROWS; j++)
            m->K[i][j] = formula(settings, m->values[i], m->values[j], MACHINE_FEATURES);
    if (settings->kernel != PARTAN_KERNEL_PRECOMPUTED)
        return dense_data(context, m->values[0], MACHINE_ROWS, MACHINE_FEATURES, MACHINE_FEATURES, m->labels, storage,
                          &m->data);
    static float kernel[MACHINE_ROWS][MACHINE_ROWS];
    for (size_t i = 0; i < MACHINE_ROWS; i++)
        for (size_t j = 0; j < MACHINE_ROWS; j++)
            m->K[i][j] = kernel[i][j] = (float)m->K[i][j];
    partan_status status =
        dense_data(context, kernel[0], MACHINE_ROWS, MACHINE_ROWS, MACHINE_ROWS, m->labels, storage, &m->data);
    if (status)
        return status;
    m->data->serials = pt_alloc(context, MACHINE_ROWS, sizeof *m->data->serials);
    if (!m->data->serials)
        return pt_out_of_memory(context, "serials");
    for (int64_t i = 0; i < MACHINE_ROWS; i++)
        m->data->serials[i] = i;
    return PARTAN_OK;
}

/* The rows with a positive weight become support vectors, in descending order, so that order and rows differ. */
static inline partan_status machine_vectors(machine *m)
{
    partan_model *model = m->model;
    partan_context *context = model->context;
    bool precomputed = model->settings.kernel == PARTAN_KERNEL_PRECOMPUTED;
    model->weights = pt_alloc(context, MACHINE_ROWS, sizeof *model->weights);
    model->signs = pt_alloc(context, MACHINE_ROWS, sizeof *model->signs);
    model->origin = pt_alloc(context, MACHINE_ROWS, sizeof *model->origin);
    model->serials = precomputed ? pt_alloc(context, MACHINE_ROWS, sizeof *model->serials) : NULL;
    if (!model->weights || !model->signs || !model->origin || (precomputed && !model->serials))
        return pt_out_of_memory(context, "a machine");
    double sum = 0;
    for (size_t row = MACHINE_ROWS; row-- > 0;) {
        if (!(m->weights[row] > 0))
            continue;
        model->weights[model->count] = m->weights[row];
        model->signs[model->count] = (float)m->labels[row];
        model->origin[model->count] = (int64_t)row;
        if (precomputed)
            model->serials[model->count] = (int64_t)row;
        sum += m->weights[row] * m->labels[row];
        model->count++;
    }
    model->result.support_vectors = model->count;
    model->scale = 1 / (2 * model->result.objective);
    model->bias = model->scale * sum;
    return precomputed ? PARTAN_OK : pt_matrix_gather(&m->data->matrix, model->origin, model->count, &model->vectors);
}

static inline partan_status machine_model(partan_context *context, machine *m, const partan_settings *settings)
{
    partan_status status = pt_model_create(context, &m->model);
    if (status)
        return status;
    partan_model *model = m->model;
    model->settings = *settings;
    strcpy(model->version, PARTAN_VERSION);
    model->fingerprint = partan_data_fingerprint(m->data);
    model->rows = MACHINE_ROWS;
    model->features = m->data->matrix.features;
    model->storage = m->data->matrix.storage;
    machine_solve(m, settings, &model->result);
    float *signs = NULL;
    status = pt_data_classes(m->data, &model->classes, &signs);
    pt_free(context, signs);
    return status ? status : machine_vectors(m);
}

static inline void machine_free(machine *m)
{
    if (!m)
        return;
    partan_model_free(m->model);
    partan_data_free(m->data);
    free(m);
}

/* A machine with its data and a true model; NULL when memory is out, for tests that take it away. */
static inline machine *machine_make(partan_context *context, partan_kernel kernel, partan_storage storage)
{
    machine *m = calloc(1, sizeof *m);
    partan_settings settings = machine_settings(kernel);
    if (kernel == PARTAN_KERNEL_PRECOMPUTED)
        storage = PARTAN_STORAGE_DENSE;
    machine_values(m, storage, 11);
    if (machine_data(context, m, &settings, storage) || machine_model(context, m, &settings)) {
        machine_free(m);
        return NULL;
    }
    return m;
}

#endif
