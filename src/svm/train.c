/* Training: from data and settings to a model with its certificate. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/random.h"
#include "fw/solve.h"
#include "problem/active_set.h"
#include "problem/vertices.h"
#include "svm/model.h"
#include "svm/warm.h"

static partan_status check_settings(partan_context *context, const partan_settings *s)
{
    const char *wrong = NULL;
    if (!(s->cost > 0) || !isfinite(s->cost))
        wrong = "cost must be positive and finite";
    else if (s->gamma_rule == PARTAN_GAMMA_VALUE && (!(s->gamma > 0) || !isfinite(s->gamma)))
        wrong = "gamma must be positive and finite";
    else if (s->degree < 1 || s->degree > 1000)
        wrong = "degree must be between 1 and 1000";
    else if (!isfinite(s->coef0))
        wrong = "coef0 must be finite";
    else if (!(s->tol >= 0) || !(s->eps >= 0) || (s->tol == 0 && s->eps == 0))
        wrong = "tol and eps must not be negative, and one of them must be positive";
    else if (s->sample < 0 || s->max_iter < 0 || !(s->time_limit >= 0))
        wrong = "sample, max_iter and time_limit must not be negative";
    else if (s->step == PARTAN_STEP_CLASSIC && s->solver != PARTAN_SOLVER_FW)
        wrong = "the classic step 2/(k+2) is for the solver fw only";
    else if (!pt_variant_for(s->solver) && s->solver != PARTAN_SOLVER_AUTO)
        wrong = "there is no such solver";
    else if (!partan_kernel_name(s->kernel))
        wrong = "there is no such kernel";
    return wrong ? pt_fail(context, PARTAN_ERROR_ARGUMENT, "%s", wrong) : PARTAN_OK;
}

/* What a training works with, beside the data. */
typedef struct training {
    const partan_data *data;
    partan_settings settings;
    pt_kernel kernel;
    pt_points points;
    pt_classes classes;
    float *signs;
    pt_active active; /* the weights of the rows, in the end */
    pt_solution solution;
    int64_t iterations;
    pt_counters counters;
    double start;
} training;

static partan_status check_data(partan_context *context, const partan_data *data, const partan_settings *settings)
{
    if (data->matrix.rows == 0)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: there are no rows", data->name);
    if (settings->kernel != PARTAN_KERNEL_PRECOMPUTED)
        return PARTAN_OK;
    if (!data->serials)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: not read as a precomputed kernel matrix", data->name);
    for (size_t i = 0; i < data->matrix.rows; i++)
        if (data->serials[i] < 0 || (size_t)data->serials[i] >= data->matrix.features)
            return pt_fail(context, PARTAN_ERROR_DATA,
                           "%s: row %zu has serial number %lld, but the kernel matrix has %zu columns", data->name,
                           i + 1, (long long)data->serials[i] + 1, data->matrix.features);
    return PARTAN_OK;
}

/* The paper's variants, on the rows as they are. */
static partan_status solve_by_variant(partan_context *context, training *t, pt_start start)
{
    const partan_settings *s = &t->settings;
    pt_problem *problem = NULL;
    pt_fw fw = {0};
    partan_status status =
        s->sample > 0 ? pt_simplex_sampled(context, &t->kernel, t->points, t->signs, s->cost, (size_t)s->sample,
                                           s->seed, &problem)
                      : pt_simplex_full(context, &t->kernel, t->points, t->signs, s->cost, s->cache_bytes, &problem);
    if (!status) {
        status = pt_solve(problem, s, start, &fw, &t->solution);
        t->counters = problem->counters;
    }
    t->iterations = fw.iteration;
    t->active = fw.active;
    pt_simplex_free(problem);
    return status;
}

/* The active-set method, on equal rows merged. */
static partan_status solve_by_active_set(partan_context *context, training *t, pt_start start)
{
    const partan_settings *s = &t->settings;
    pt_vertices vertices = {0};
    pt_active weights = {0};
    int64_t *ids = pt_alloc(context, start.count, sizeof *ids);
    partan_status status = ids ? PARTAN_OK : pt_out_of_memory(context, "the starting point");
    if (!status)
        status = pt_vertices_make(&vertices, context, &t->kernel, t->points, t->signs, s->cost, s->merge != 0,
                                  pt_simplex_budget(s->cache_bytes));
    if (!status) {
        pt_vertices_start(&vertices, &start, ids);
        status = pt_active_set_solve(&vertices.simplex, s, start, &weights, &t->solution, &t->iterations);
        t->counters = vertices.simplex.problem.counters;
    }
    if (!status)
        status = pt_vertices_expand(&vertices, &weights, &t->active);
    pt_active_free(&weights);
    pt_vertices_free(&vertices);
    pt_free(context, ids);
    return status;
}

static partan_status solve(partan_context *context, training *t, const partan_model *model)
{
    int64_t first = 0;
    double one = 1;
    pt_start start = {&first, &one, 1};
    pt_warm warm = {0};
    t->points = (pt_points){&t->data->matrix, t->data->serials};
    partan_status status = pt_kernel_from_settings(context, &t->settings, &t->data->matrix, &t->kernel);
    if (!status && model) {
        status = pt_warm_start(model, t->data, &t->classes, t->signs, &warm);
        start = (pt_start){warm.ids, warm.weights, warm.count};
    } else if (t->settings.init == PARTAN_INIT_RANDOM) {
        pt_random random;
        pt_random_seed(&random, t->settings.seed);
        first = (int64_t)pt_random_below(&random, t->data->matrix.rows);
    }
    if (!status)
        status = t->settings.solver == PARTAN_SOLVER_AUTO ? solve_by_active_set(context, t, start)
                                                          : solve_by_variant(context, t, start);
    pt_warm_free(context, &warm);
    return status;
}

/* ---- The model ---- */

static int compare_ids(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The support vectors in the order of their rows. */
static partan_status take_support(training *t, partan_model *model)
{
    partan_context *context = model->context;
    const pt_active *active = &t->active;
    size_t count = pt_active_support(active);
    model->origin = pt_alloc(context, count, sizeof *model->origin);
    model->weights = pt_alloc(context, count, sizeof *model->weights);
    model->signs = pt_alloc(context, count, sizeof *model->signs);
    if (t->data->serials)
        model->serials = pt_alloc(context, count, sizeof *model->serials);
    if (!model->origin || !model->weights || !model->signs || (t->data->serials && !model->serials))
        return pt_out_of_memory(context, "the model");
    for (size_t i = 0; i < active->count; i++)
        if (active->now[i] > 0)
            model->origin[model->count++] = active->id[i];
    qsort(model->origin, count, sizeof *model->origin, compare_ids);
    for (size_t i = 0; i < count; i++) {
        int64_t row = model->origin[i];
        model->weights[i] = pt_active_weight(active, row);
        model->signs[i] = t->signs[row];
        if (model->serials)
            model->serials[i] = t->data->serials[row];
    }
    return model->serials ? PARTAN_OK : pt_matrix_gather(&t->data->matrix, model->origin, count, &model->vectors);
}

static partan_status make_model(partan_context *context, training *t, partan_model **out)
{
    partan_model *model;
    partan_status status = pt_model_create(context, &model);
    if (status)
        return status;
    const pt_certificate *certificate = &t->solution.certificate;
    memcpy(model->version, PARTAN_VERSION, sizeof PARTAN_VERSION);
    model->settings = t->settings;
    model->settings.gamma_rule = PARTAN_GAMMA_VALUE;
    model->settings.gamma = t->kernel.gamma;
    model->fingerprint = partan_data_fingerprint(t->data);
    model->rows = t->data->matrix.rows;
    model->features = t->data->matrix.features;
    model->storage = t->data->matrix.storage;
    model->classes = t->classes; /* the model owns the texts now */
    t->classes = (pt_classes){0};
    model->scale = 1 / (2 * certificate->objective);
    status = take_support(t, model);
    for (size_t i = 0; i < model->count && !status; i++)
        model->bias += model->scale * model->weights[i] * (double)model->signs[i];
    model->result = (partan_result){.status = t->solution.status,
                                    .converged = t->solution.converged,
                                    .iterations = t->iterations,
                                    .objective = certificate->objective,
                                    .gap = certificate->gap,
                                    .relative_gap = certificate->gap / (2 * certificate->objective),
                                    .support_vectors = model->count,
                                    .kernel_columns = t->counters.kernel_columns,
                                    .kernel_values = t->counters.kernel_values,
                                    .cache_hits = t->counters.cache_hits,
                                    .seconds = pt_clock() - t->start};
    if (status)
        partan_model_free(model);
    else
        *out = model;
    return status;
}

partan_status partan_train(partan_context *context, const partan_data *data, const partan_settings *settings,
                           const partan_model *start, partan_model **model)
{
    training t = {.data = data, .settings = *settings, .start = pt_clock()};
    *model = NULL;
    pt_progress_begin(context, "train");
    partan_status status = check_settings(context, settings);
    if (!status)
        status = check_data(context, data, settings);
    if (!status)
        status = pt_data_classes(data, &t.classes, &t.signs);
    /* Sampling is a matter of the variants. */
    if (t.settings.sample > 0 && t.settings.solver == PARTAN_SOLVER_AUTO)
        t.settings.solver = PARTAN_SOLVER_PARTAN;
    if (!status)
        status = solve(context, &t, start);
    if (!status)
        status = make_model(context, &t, model);
    pt_active_free(&t.active);
    pt_free(context, t.signs);
    pt_classes_free(context, &t.classes);
    return status ? status : (*model)->result.status;
}
