/* Regression with the squared epsilon-insensitive loss:
 *
 *     P = min 1/2 |w|^2 + 1/2 sum_i C_i max(0, |t_i - f(x_i)| - epsilon)^2,    t_i the label less the mean of all
 *
 * A row has two vertices, for errors below and above it. The dual has a weight l_u >= 0 for each, with a linear term
 * -q_u, q = +-t - epsilon, and no sum that they must have. At the solution l_u = C_u (loss of u), and since P is no
 * more than at w = 0,
 *
 *     sum l <= T = C sqrt(sum_i w_i  sum_i w_i max(0, |t_i| - epsilon)^2),
 *
 * so that a = l / T, with a slack vertex for what is left of 1, is a point of the simplex; f and gap are in units of
 * T^2. Core vector regression (Tsang, Kwok and Lai) poses it so with an epsilon that follows from the sum. */
#include <math.h>

#include "core/agree.h"
#include "svm/pose.h"
#include "svm/regression.h"
#include "svm/weights.h"

static double row_weight(const pt_training *t, size_t row)
{
    return pt_data_weight(t->data, row);
}

static partan_status check_labels(const pt_training *t)
{
    const partan_data *data = t->data;
    if (data->words)
        return pt_fail(t->context, PARTAN_ERROR_DATA, "%s: found label '%.40s', expected a number to be predicted",
                       data->name, data->words[0]);
    for (size_t row = 0; row < data->matrix.rows; row++) {
        double label = partan_data_label(data, row);
        if (!isfinite(label))
            return pt_fail(t->context, PARTAN_ERROR_DATA, "%s: row %zu has no label, expected a number", data->name,
                           (size_t)t->first + (t->rows ? (size_t)t->rows[row] : row) + 1);
    }
    return PARTAN_OK;
}

static void add_weights(void *user, double *sum)
{
    const pt_training *t = user;
    for (size_t row = 0; row < t->data->matrix.rows; row++)
        *sum += row_weight(t, row);
}

static void add_labels(void *user, double *sum)
{
    const pt_training *t = user;
    for (size_t row = 0; row < t->data->matrix.rows; row++)
        *sum += row_weight(t, row) / t->losses * partan_data_label(t->data, row);
}

static void add_losses(void *user, double *sum)
{
    const pt_training *t = user;
    for (size_t row = 0; row < t->data->matrix.rows; row++) {
        double loss = fmax(fabs(partan_data_label(t->data, row) - t->offset) - t->settings.epsilon, 0);
        *sum += row_weight(t, row) * loss * loss;
    }
}

/* The mean of the labels, by weight; and the root of what T has below it. */
static partan_status measure_labels(pt_training *t)
{
    pt_comm *comm = pt_training_comm(t);
    t->losses = t->offset = t->squared_losses = 0;
    pt_in_turn(comm, add_weights, t, &t->losses, 1);
    pt_in_turn(comm, add_labels, t, &t->offset, 1);
    pt_in_turn(comm, add_losses, t, &t->squared_losses, 1);
    t->settled = t->squared_losses == 0; /* the mean predicts all labels well enough */
    if (t->settled)
        pt_log(t->context, PARTAN_LOG_WARNING,
               "%s: all labels are within epsilon, %g, of their mean, %g: the model predicts the mean for every row",
               t->data->name, t->settings.epsilon, t->offset);
    return isfinite(t->squared_losses)
               ? PARTAN_OK
               : pt_fail(t->context, PARTAN_ERROR_DATA, "%s: the squares of the labels add up to no finite number",
                         t->data->name);
}

static partan_status take(pt_training *t)
{
    size_t rows = t->data->matrix.rows, slack = 2 * rows;
    partan_status status = pt_agree(t->context, pt_training_comm(t), check_labels(t));
    if (!status)
        status = measure_labels(t);
    if (status)
        return status;
    t->signs = pt_alloc_zero(t->context, slack + 1 + PT_TILE, sizeof *t->signs);
    t->linear = pt_alloc_zero(t->context, slack + 1, sizeof *t->linear);
    t->cost_weights = pt_alloc(t->context, slack + 1, sizeof *t->cost_weights);
    if (!t->signs || !t->linear || !t->cost_weights)
        return pt_out_of_memory(t->context, "the vertices");
    for (size_t row = 0; row < rows; row++) {
        t->signs[row] = 1;
        t->signs[rows + row] = -1;
        t->cost_weights[row] = t->cost_weights[rows + row] = row_weight(t, row);
    }
    t->cost_weights[slack] = INFINITY;
    return PARTAN_OK;
}

/* q of a vertex: by how much w = 0 misses it. */
static double missed(const pt_training *t, size_t vertex)
{
    size_t rows = t->data->matrix.rows, row = vertex < rows ? vertex : vertex - rows;
    return (double)t->signs[vertex] * (partan_data_label(t->data, row) - t->offset) - t->settings.epsilon;
}

static partan_status dual(pt_training *t, pt_dual *posed)
{
    size_t rows = t->data->matrix.rows;
    double cost = t->settings.cost;
    t->total = cost * sqrt(t->losses * t->squared_losses);
    for (size_t vertex = 0; vertex < 2 * rows; vertex++)
        t->linear[vertex] = -missed(t, vertex) / t->total;
    double most = cost * t->squared_losses / 2 / t->total / t->total;
    *posed = (pt_dual){.rows = rows,
                       .layers = 2,
                       .slack = true,
                       .vertices = 2 * rows + 1,
                       .signs = t->signs,
                       .bias = 1,
                       .inverse_cost = 1 / cost,
                       .cost_weights = t->cost_weights,
                       .linear = t->linear,
                       .unit_slope = -1,
                       .unit_least = PT_LEAST_UNIT * most,
                       .primal = true,
                       .losses = t->losses,
                       .most = most};
    return PARTAN_OK;
}

/* How many vertices there are of all rows: the number of the slack. */
static int64_t slack_of(const pt_training *t)
{
    return (int64_t)(2 * pt_training_rows(t));
}

/* The number of the vertex here that w = 0 misses most, -1 where there is none, and the weight that is best for it
 * alone. */
static int64_t find_most(const pt_training *t, double *most, double *weight)
{
    size_t rows = t->data->matrix.rows, first = 0;
    for (size_t vertex = 1; vertex < 2 * rows; vertex++)
        if (missed(t, vertex) > missed(t, first))
            first = vertex;
    *most = -INFINITY;
    *weight = 0;
    if (rows == 0)
        return -1;
    size_t layer = first / rows, row = first % rows;
    pt_points points = {&t->data->matrix, t->data->serials};
    double diagonal = pt_kernel_self(&t->kernel, points, row) + 1 + 1 / (t->settings.cost * t->cost_weights[first]);
    *most = missed(t, first);
    *weight = *most / diagonal / t->total;
    return (int64_t)(layer * pt_training_rows(t) + row) + pt_training_first(t);
}

/* Of the vertices of all rows the one that w = 0 misses most, so that there is always one. */
static size_t start(pt_training *t, int64_t ids[2], double weights[2])
{
    double most;
    pt_comm *comm = pt_training_comm(t);
    ids[0] = find_most(t, &most, &weights[0]);
    if (comm) {
        pt_least least = {.score = -most, .number = ids[0] < 0 ? INT64_MAX : ids[0]};
        comm->least(comm, &least);
        weights[0] = ids[0] == least.number ? weights[0] : 0;
        comm->sum(comm, weights, 1);
        ids[0] = least.number;
    }
    ids[1] = slack_of(t);
    weights[1] = 1 - weights[0];
    return 2;
}

/* The dual's weights l of some vertices as a point of the simplex, with the slack for what is left; there is room for
 * it. */
static void take_point(const pt_training *t, int64_t *ids, double *weights, size_t *count)
{
    double sum = 0;
    for (size_t i = 0; i < *count; i++)
        sum += weights[i] / t->total;
    for (size_t i = 0; i < *count; i++)
        weights[i] /= t->total * fmax(sum, 1);
    ids[*count] = slack_of(t);
    weights[(*count)++] = fmax(1 - sum, 0);
}

static partan_status warm(const pt_training *t, const partan_model *model, pt_warm *found)
{
    int64_t rows = (int64_t)pt_training_rows(t);
    partan_status status = pt_warm_start(t->share, model, t->data, pt_training_known(t, model), NULL, 0, found);
    if (status)
        return status;
    for (size_t i = 0; i < found->count; i++) {
        found->ids[i] += found->signs[i] > 0 ? 0 : rows;
        found->weights[i] *= model->scale;
    }
    take_point(t, found->ids, found->weights, &found->count);
    return PARTAN_OK;
}

static partan_status again(const pt_training *t, const pt_iterate *last, double total, pt_warm *found)
{
    int64_t slack = slack_of(t);
    found->ids = pt_alloc(t->context, last->count + 1, sizeof *found->ids);
    found->weights = pt_alloc(t->context, last->count + 1, sizeof *found->weights);
    if (!found->ids || !found->weights)
        return pt_out_of_memory(t->context, "the starting point");
    for (size_t i = 0; i < last->count; i++)
        if (last->id[i] != slack && last->now[i] > 0) {
            found->ids[found->count] = last->id[i];
            found->weights[found->count++] = last->now[i] * total;
        }
    take_point(t, found->ids, found->weights, &found->count);
    return PARTAN_OK;
}

/* Of a row's two weights, what they have in common only makes the objective larger, by this much in all. */
static double common(const pt_training *t)
{
    double sum = 0;
    for (size_t i = 0; i < t->iterate.count; i++) {
        int64_t id = t->iterate.id[i], other = pt_dual_other(&t->dual, id);
        if (other < 0 || pt_dual_layer(&t->dual, id) > 0)
            continue;
        double above = t->iterate.now[i], below = pt_iterate_weight(&t->iterate, other);
        double both = above < below ? above : below, inverse = 1 / (t->settings.cost * t->dual.cost_weights[id]);
        if (both > 0)
            sum += 2 * t->settings.epsilon * both / t->total + inverse * both * (above + below - both);
    }
    return sum;
}

static partan_status decide(const pt_training *t, partan_model *model)
{
    double sum = 0, unit = t->total * t->total, less = common(t);
    model->scale = 1;
    model->bias = t->offset;
    if (t->settled)
        return PARTAN_OK;
    for (size_t i = 0; i < model->count; i++)
        sum += model->weights[i];
    model->scale = sum * t->total;
    for (size_t i = 0; i < model->count; i++) {
        model->weights[i] /= sum;
        model->bias += model->scale * model->weights[i] * (double)model->signs[i];
    }
    model->result.objective = (model->result.objective - less) * unit;
    model->result.gap = fmax(model->result.gap - less, 0) * unit;
    model->result.relative_gap = pt_regression_relative(model->result.objective, model->result.gap);
    return PARTAN_OK;
}

const pt_pose pt_pose_regression = {take, dual, start, warm, again, decide};
