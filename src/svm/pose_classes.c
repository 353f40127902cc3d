/* Classification of two classes: a vertex for each row, a sign for each class. */
#include "core/random.h"
#include "svm/pose.h"
#include "svm/weights.h"

static partan_status take(pt_training *t)
{
    partan_status status = pt_data_classes(t->data, &t->classes, &t->signs);
    if (!status)
        status = pt_class_weights(t->data, &t->settings, t->signs, &t->classes);
    return status ? status : pt_cost_weights(t->data, &t->classes, t->signs, &t->cost_weights);
}

static pt_dual dual(pt_training *t)
{
    pt_dual posed = pt_dual_of_classes(t->points.matrix->rows, t->signs, t->settings.cost);
    posed.cost_weights = t->cost_weights;
    return posed;
}

/* A row. */
static size_t start(pt_training *t, int64_t ids[2], double weights[2])
{
    pt_random random;
    size_t rows = t->share ? pt_share_all(t->share) : t->data->matrix.rows;
    pt_random_seed(&random, t->settings.seed);
    ids[0] = t->settings.init == PARTAN_INIT_RANDOM ? (int64_t)pt_random_below(&random, rows) : 0;
    weights[0] = 1;
    return 1;
}

/* In the scale of a functional margin of 1. */
static void decide(const pt_training *t, partan_model *model)
{
    model->scale = 1 / (2 * t->solution.certificate.objective);
    for (size_t i = 0; i < model->count; i++)
        model->bias += model->scale * model->weights[i] * (double)model->signs[i];
}

const pt_pose pt_pose_classes = {take, dual, start, decide};
