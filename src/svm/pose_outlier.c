/* Outlier detection: the smallest ball in feature space around the rows, with squared losses for rows outside (the L2
 * support vector data description),
 *
 *     P = min R^2 + 1/4 sum_i C_i max(0, |phi(x_i) - c|^2 - R^2)^2  over centres c and radii R
 *
 * Its dual is max sum_i a_i k(x_i, x_i) - a'(K + 1/C)a on the simplex, c = sum_i a_i phi(x_i), which is -2f with a
 * linear term -k(x, x) / 2 and no bias. Labels are not used. For f and its gap D, -2f <= P <= -2f + 2D; 2D is relative
 * to the spread of the rows, which a squared radius is compared with (svm/threshold.h). */
#include <math.h>
#include <string.h>

#include "core/agree.h"
#include "core/random.h"
#include "kernel/kinds.h"
#include "svm/pose.h"
#include "svm/predict.h"
#include "svm/threshold.h"

static partan_status take_classes(pt_training *t)
{
    t->classes = (pt_classes){.label = {-1, 1}};
    t->classes.text[0] = pt_copy(t->context, "-1", sizeof "-1", 1);
    t->classes.text[1] = pt_copy(t->context, "1", sizeof "1", 1);
    return t->classes.text[0] && t->classes.text[1] ? PARTAN_OK : pt_out_of_memory(t->context, "the classes");
}

static partan_status take(pt_training *t)
{
    size_t rows = t->data->matrix.rows;
    partan_status status = take_classes(t);
    t->signs = pt_alloc_zero(t->context, rows + PT_TILE, sizeof *t->signs);
    t->linear = pt_alloc(t->context, rows, sizeof *t->linear);
    if (t->weighted)
        t->cost_weights = pt_alloc(t->context, rows, sizeof *t->cost_weights);
    if (!t->signs || !t->linear || (t->weighted && !t->cost_weights))
        status = pt_out_of_memory(t->context, "the vertices");
    for (size_t row = 0; row < rows && !status; row++) {
        t->signs[row] = 1;
        if (t->weighted)
            t->cost_weights[row] = pt_data_weight(t->data, row);
    }
    return status;
}

static partan_status dual(pt_training *t, pt_dual *posed)
{
    size_t rows = t->data->matrix.rows;
    double spread = 0;
    partan_status status = pt_spread(t->context, pt_training_comm(t), t->data, &t->kernel, &spread);
    pt_kernel_selves(t->context, &t->kernel, t->points, t->linear);
    for (size_t row = 0; row < rows; row++)
        t->linear[row] = -t->linear[row] / 2;
    *posed = (pt_dual){.rows = rows,
                       .layers = 1,
                       .vertices = rows,
                       .signs = t->signs,
                       .inverse_cost = 1 / t->settings.cost,
                       .cost_weights = t->cost_weights,
                       .linear = t->linear,
                       .unit_least = (spread > 0 ? spread : 1 / t->settings.cost) / 2};
    return status;
}

/* Two rows: around one alone there is no ball. */
static size_t start(pt_training *t, int64_t ids[2], double weights[2])
{
    pt_random random;
    size_t rows = pt_training_rows(t);
    pt_random_seed(&random, t->settings.seed);
    ids[0] = t->settings.init == PARTAN_INIT_RANDOM ? (int64_t)pt_random_below(&random, rows) : 0;
    ids[1] = (ids[0] + (int64_t)(rows / 2)) % (int64_t)rows;
    weights[0] = weights[1] = 0.5;
    if (ids[1] != ids[0])
        return 2;
    weights[0] = 1;
    return 1;
}

static partan_status warm(const pt_training *t, const partan_model *model, pt_warm *found)
{
    return pt_warm_start(t->share, model, t->data, pt_training_known(t, model), NULL, 0, found);
}

/* The centre's squared norm, a'Ka. */
static double squared_norm(const pt_training *t)
{
    const pt_certificate *certificate = &t->solution.certificate;
    double norm = 2 * certificate->objective - 2 * certificate->linear;
    for (size_t i = 0; i < t->iterate.count; i++)
        norm -= t->iterate.now[i] * pt_dual_own(&t->dual, t->iterate.id[i], t->iterate.now[i]);
    return norm;
}

/* <phi(x), c> of some rows, or all. */
static partan_status find_products(const pt_training *t, const partan_model *model, const int64_t *rows, size_t count,
                                   double *products)
{
    partan_data *some = NULL;
    pt_whole whole = {pt_training_comm(t), t->kernel.longest};
    partan_status status = PARTAN_OK;
    if (count < t->data->matrix.rows)
        status = pt_data_gather(t->data, rows, count, &some);
    if (!status)
        status = pt_predict_rows(t->context, model, some ? some : t->data, t->share ? &whole : NULL, products);
    partan_data_free(some);
    return status;
}

/* The squared radius, from the distances of the rows that count. */
static partan_status find_radius(const pt_training *t, const partan_model *model, double constant, double *radius)
{
    pt_comm *comm = pt_training_comm(t);
    int64_t *rows = NULL;
    size_t count = 0;
    partan_status status = pt_threshold_rows(t->context, comm, model, t->data, &rows, &count);
    double *distances = status ? NULL : pt_alloc(t->context, count, sizeof *distances);
    if (!status && !distances)
        status = pt_out_of_memory(t->context, "the distances of the rows");
    if (!status)
        status = find_products(t, model, rows, count, distances);
    status = pt_agree(t->context, comm, status);
    for (size_t i = 0; i < count && !status; i++)
        distances[i] = constant - distances[i];
    if (!status)
        status = pt_threshold(t->context, comm, t->data, &t->settings, rows, count, distances, radius);
    pt_free(t->context, distances);
    pt_free(t->context, rows);
    return status;
}

/* Positive inside: R^2 - |phi(x) - c|^2, of which k(x, x) is in the bias where it is the same for all rows. Of a run
 * that is stopped fewer rows count, and it is waited for them: every model has its threshold. */
static partan_status decide(const pt_training *t, partan_model *model)
{
    double radius = 0, norm = squared_norm(t) + (pt_kernel_kind_of(t->kernel.kind)->decays ? 1 : 0);
    partan_status status = PARTAN_INTERRUPTED, stopped = model->result.status;
    model->scale = 2;
    model->bias = 0;
    if (stopped != PARTAN_INTERRUPTED && stopped != PARTAN_TIME_LIMIT)
        status = find_radius(t, model, norm, &radius);
    if (status == PARTAN_INTERRUPTED) {
        model->result.status = stopped == PARTAN_TIME_LIMIT ? stopped : PARTAN_INTERRUPTED;
        pt_defer_begin(t->context);
        status = find_radius(t, model, norm, &radius);
        pt_defer_end(t->context);
    }
    model->bias = radius - norm;
    return status;
}

const pt_pose pt_pose_outlier = {take, dual, start, warm, NULL, decide};
