/* A model of few support vectors, with its certificate. */
#include <math.h>

#include "svm/pose.h"
#include "svm/predict.h"
#include "svm/sparse/sparse.h"

/* Objective and gap over all rows, in double where it matters, as at the end of a training. */
static partan_status certify(pt_training *t)
{
    pt_simplex simplex = {0};
    double *gradient = pt_alloc(t->context, t->dual.vertices, sizeof *gradient);
    partan_status status = gradient ? PARTAN_OK : pt_out_of_memory(t->context, "the certificate");
    if (!status)
        status = pt_simplex_init(&simplex, t->context, &t->kernel, t->points, &t->dual);
    pt_defer_begin(t->context);
    if (!status)
        status = pt_simplex_certify(&simplex, &t->iterate, 0, true, gradient, &t->solution.certificate);
    pt_defer_end(t->context);
    if (!status) {
        const pt_certificate *found = &t->solution.certificate;
        t->solution.relative_gap = found->gap / pt_dual_unit(&t->dual, found->objective);
        t->solution.converged = t->solution.relative_gap <= t->settings.tol || found->gap <= t->settings.eps;
    }
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

static partan_status take_solution(pt_training *t, const pt_sparse *s, const partan_model *model, partan_model **out)
{
    double sum = 0;
    pt_iterate_free(&t->iterate);
    pt_iterate_init(&t->iterate, t->context, false);
    partan_status status = pt_iterate_start(&t->iterate, s->ids, s->weights, s->count);
    t->iterations = model->result.iterations;
    t->solution.status = s->stopped ? PARTAN_INTERRUPTED : model->result.status;
    if (!status)
        status = certify(t);
    if (!status)
        status = pt_training_model(t, out);
    for (size_t i = 0; i < s->count; i++)
        sum += s->weights[i];
    if (!status)
        scale_decision(*out, sum);
    return status;
}

partan_status pt_sparse_model(pt_training *t, const partan_model *model, size_t most, const unsigned char *allowed,
                              partan_model **out)
{
    double *targets = pt_alloc(t->context, t->data->matrix.rows, sizeof *targets);
    partan_status status = targets ? PARTAN_OK : pt_out_of_memory(t->context, "decision values");
    if (!status)
        status = pt_predict_rows(t->context, model, t->data, NULL, targets);
    t->settings.max_sv = (int64_t)most;
    t->dual = pt_pose_of(t->settings.problem)->dual(t);
    pt_sparse s = {.context = t->context,
                   .kernel = t->kernel,
                   .points = t->points,
                   .signs = t->signs,
                   .cost_weights = t->cost_weights,
                   .cost = t->settings.cost,
                   .targets = targets,
                   .allowed = allowed,
                   .most = most < t->data->matrix.rows ? most : t->data->matrix.rows,
                   .seed = t->settings.seed};
    if (!status)
        status = pt_sparse_prunes(&s) ? pt_sparse_prune(&s, t) : pt_sparse_choose(&s);
    if (!status)
        status = take_solution(t, &s, model, out);
    pt_sparse_free(&s);
    pt_free(t->context, targets);
    return status;
}
