/* A model of few support vectors, with its certificate. */
#include <math.h>

#include "kernel/kinds.h"
#include "svm/few.h"
#include "svm/pose.h"
#include "svm/predict.h"
#include "svm/sparse/sparse.h"

/* Objective and gap of the weights themselves over all rows: the centre of a ball needs its norm. */
static partan_status certify(pt_training *t)
{
    pt_simplex simplex = {.share = t->share};
    double *gradient = pt_alloc(t->context, t->dual.vertices, sizeof *gradient);
    partan_status status = gradient ? PARTAN_OK : pt_out_of_memory(t->context, "the certificate");
    status = pt_agree(t->context, pt_training_comm(t), status);
    if (!status)
        status = pt_simplex_init(&simplex, t->context, &t->kernel, t->points, &t->dual);
    pt_defer_begin(t->context);
    if (!status)
        status = pt_simplex_certify(&simplex, &t->iterate, 0, true, gradient, &t->solution.certificate);
    pt_defer_end(t->context);
    pt_free(t->context, gradient);
    return status;
}

/* The decision values are those that were fitted: other than a training's, they have no margin of 1 by their dual. */
static void scale_decision(partan_model *model, double sum)
{
    model->scale = sum;
    model->bias = 0;
    for (size_t i = 0; i < model->count; i++)
        model->bias += model->scale * model->weights[i] * (double)model->signs[i];
}

/* ---- What is met, and how near that is ---- */

/* What decision values leave out of twice the product with a ball's centre. */
static double left_out(const pt_training *t, size_t row)
{
    return pt_kernel_kind_of(t->kernel.kind)->decays ? 0 : pt_kernel_self(&t->kernel, t->points, row);
}

/* Decision values, as what is met: sums of weights times kernel values with the bias's 1. */
static void take_sums(const pt_training *t, const partan_model *model, double *values)
{
    for (size_t row = 0; row < t->data->matrix.rows; row++)
        values[row] = t->settings.problem == PARTAN_REGRESSION ? values[row] - t->offset
                                                               : (values[row] - model->bias + left_out(t, row)) / 2 + 1;
}

/* sum_j b_j (k(x_i, x_j) + bias) for all rows, in double: bounds are more sensitive to it than predictions. *norm: of
 * the function, squared. */
static partan_status find_values(const pt_training *t, const pt_sparse *s, const double *b, double bias, double *values,
                                 double *norm)
{
    double sum = 0, *of_chosen = pt_alloc(t->context, s->count, sizeof *of_chosen);
    partan_status status = of_chosen ? PARTAN_OK : pt_out_of_memory(t->context, "decision values");
    if (!status && t->data->matrix.rows > 0)
        status = pt_kernel_sums_exact(t->context, &s->kernel, t->points, (pt_points){.matrix = &s->vectors}, s->count,
                                      b, values);
    status = pt_agree(t->context, pt_training_comm(t), status);
    for (size_t i = 0; i < s->count; i++)
        sum += b[i];
    for (size_t row = 0; row < t->data->matrix.rows && !status; row++)
        values[row] += bias * sum;
    if (!status)
        pt_sparse_pick(s, values, of_chosen);
    *norm = 0;
    for (size_t i = 0; i < s->count && !status; i++)
        *norm += b[i] * of_chosen[i];
    pt_free(t->context, of_chosen);
    return status;
}

/* From products with a centre to squared distances of the rows from it. */
static void take_distances(const pt_training *t, double norm, double *values)
{
    for (size_t row = 0; row < t->data->matrix.rows; row++)
        values[row] = pt_kernel_self(&t->kernel, t->points, row) - 2 * values[row] + norm;
}

/* Objective and gap (svm/few.h) of the model's weights, whose signed multiples are b. */
static partan_status certify_few(const pt_training *t, const pt_sparse *s, const double *b, double *values,
                                 partan_model *model)
{
    bool ball = t->settings.problem == PARTAN_OUTLIER, classes = t->settings.problem == PARTAN_CLASSIFICATION;
    pt_few few = {.context = t->context,
                  .comm = pt_training_comm(t),
                  .model = model,
                  .data = t->data,
                  .signs = classes ? t->signs : NULL,
                  .mean = t->offset};
    double norm = 0;
    partan_status status = find_values(t, s, b, ball ? 0 : 1, values, &norm);
    if (!status && ball)
        take_distances(t, norm, values);
    if (!status)
        status = ball ? pt_few_outlier(&few, values) : pt_few_certify(&few, values, norm);
    double unit = ball ? pt_dual_unit(&t->dual, few.objective) : classes ? 2 * few.objective : -few.objective;
    model->result.objective = few.objective;
    model->result.gap = few.gap;
    model->result.relative_gap = few.gap == 0 ? 0 : few.gap / unit;
    model->result.converged = model->result.relative_gap <= t->settings.tol || few.gap <= t->settings.eps;
    return status;
}

/* Of weights that add up to `sum`, those of a centre in proportion. */
static partan_status certify_problem(const pt_training *t, const pt_sparse *s, double sum, partan_model *model)
{
    double *b = pt_copy(t->context, s->weights, s->count, sizeof *b);
    double *values = pt_alloc(t->context, t->data->matrix.rows, sizeof *values);
    partan_status status = b && values ? PARTAN_OK : pt_out_of_memory(t->context, "decision values");
    status = pt_agree(t->context, pt_training_comm(t), status);
    for (size_t i = 0; i < s->count && !status; i++)
        b[i] *= s->own_signs[i] / (t->settings.problem == PARTAN_OUTLIER ? sum : 1);
    pt_defer_begin(t->context);
    if (!status)
        status = certify_few(t, s, b, values, model);
    pt_defer_end(t->context);
    pt_free(t->context, b);
    pt_free(t->context, values);
    return status;
}

/* ---- The model ---- */

/* A row's vertex here, by the sign of its weight. */
static int64_t vertex_of(const pt_training *t, int64_t row, double weight)
{
    int64_t number = row + (weight < 0 ? (int64_t)pt_training_rows(t) : 0);
    return t->share ? pt_share_find(t->share, number) : number;
}

static partan_status start_iterate(pt_training *t, const pt_sparse *s)
{
    int64_t *ids = pt_copy(t->context, s->ids, s->count, sizeof *ids);
    double *weights = pt_copy(t->context, s->weights, s->count, sizeof *weights);
    partan_status status = ids && weights ? PARTAN_OK : pt_out_of_memory(t->context, "support vectors");
    for (size_t i = 0; i < s->count && !status; i++) {
        ids[i] = vertex_of(t, ids[i], weights[i]);
        weights[i] = fabs(weights[i]);
    }
    pt_iterate_free(&t->iterate);
    pt_iterate_init(&t->iterate, t->context, false);
    if (!status)
        status = pt_iterate_start(&t->iterate, ids, weights, s->count);
    pt_free(t->context, ids);
    pt_free(t->context, weights);
    return pt_agree(t->context, pt_training_comm(t), status);
}

static partan_status take_solution(pt_training *t, const pt_sparse *s, const partan_model *model, partan_model **out)
{
    double sum = 0;
    partan_problem problem = t->settings.problem;
    if (t->share) /* rows have become known */
        pt_share_take(t->share, &t->dual);
    partan_status status = start_iterate(t, s);
    t->iterations = model->result.iterations;
    t->solution.status = s->stopped ? PARTAN_INTERRUPTED : model->result.status;
    if (!status && problem == PARTAN_OUTLIER)
        status = certify(t);
    if (!status)
        status = pt_training_model(t, out);
    status = pt_agree(t->context, pt_training_comm(t), status);
    for (size_t i = 0; i < s->count; i++)
        sum += fabs(s->weights[i]);
    if (!status && problem != PARTAN_OUTLIER)
        scale_decision(*out, sum);
    if (!status && problem == PARTAN_REGRESSION)
        (*out)->bias += t->offset;
    if (!status)
        status = certify_problem(t, s, sum, *out);
    return status;
}

/* What the function is to be near to, and the labels that a regression is judged by. */
static partan_status find_targets(pt_training *t, const partan_model *model, pt_sparse *s, double *targets,
                                  double *labels)
{
    pt_whole whole = {pt_training_comm(t), t->kernel.longest};
    partan_status status = pt_predict_rows(t->context, model, t->data, t->share ? &whole : NULL, targets);
    status = pt_agree(t->context, whole.comm, status);
    if (status == PARTAN_INTERRUPTED) { /* then any function will do that there are rows for */
        s->stopped = true;
        for (size_t row = 0; row < t->data->matrix.rows; row++)
            targets[row] = 0;
        status = PARTAN_OK;
    }
    if (status || s->stopped || t->settings.problem == PARTAN_CLASSIFICATION)
        return status;
    take_sums(t, model, targets);
    s->free = t->settings.problem == PARTAN_REGRESSION;
    s->as_it_is = !s->free;
    s->labels = s->free ? labels : NULL;
    s->epsilon = t->settings.epsilon;
    for (size_t row = 0; row < t->data->matrix.rows && s->free; row++)
        labels[row] = partan_data_label(t->data, row) - t->offset;
    return PARTAN_OK;
}

partan_status pt_sparse_model(pt_training *t, const partan_model *model, size_t most, const unsigned char *allowed,
                              partan_model **out)
{
    size_t rows = t->data->matrix.rows, all = pt_training_rows(t);
    double *targets = pt_alloc(t->context, rows, sizeof *targets), *labels = pt_alloc(t->context, rows, sizeof *labels);
    partan_status status = targets && labels ? PARTAN_OK : pt_out_of_memory(t->context, "decision values");
    status = pt_agree(t->context, pt_training_comm(t), status);
    t->settings.max_sv = (int64_t)most;
    if (!status)
        status = pt_training_pose(t);
    pt_sparse s = {.context = t->context,
                   .share = t->share,
                   .kernel = t->kernel,
                   .points = t->points,
                   .signs = t->signs,
                   .cost_weights = t->cost_weights,
                   .cost = t->settings.cost,
                   .targets = targets,
                   .allowed = allowed,
                   .most = most < all ? most : all,
                   .seed = t->settings.seed};
    if (!status)
        status = find_targets(t, model, &s, targets, labels);
    if (!status)
        status = !s.stopped && pt_sparse_prunes(&s) ? pt_sparse_prune(&s, t) : pt_sparse_choose(&s);
    if (!status)
        status = pt_sparse_meet(&s);
    if (!status)
        status = take_solution(t, &s, model, out);
    pt_sparse_free(&s);
    pt_free(t->context, targets);
    pt_free(t->context, labels);
    return status;
}
