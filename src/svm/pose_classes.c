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

static pt_dual dual(const pt_training *t)
{
    pt_dual posed = pt_dual_of_classes(t->points.matrix->rows, t->signs, t->settings.cost);
    posed.cost_weights = t->cost_weights;
    return posed;
}

static int64_t first(const pt_training *t)
{
    pt_random random;
    if (t->settings.init != PARTAN_INIT_RANDOM)
        return 0;
    pt_random_seed(&random, t->settings.seed);
    return (int64_t)pt_random_below(&random, t->data->matrix.rows);
}

/* In the scale of a functional margin of 1. */
static void decide(const pt_training *t, partan_model *model)
{
    model->scale = 1 / (2 * t->solution.certificate.objective);
    for (size_t i = 0; i < model->count; i++)
        model->bias += model->scale * model->weights[i] * (double)model->signs[i];
}

const pt_pose pt_pose_classes = {take, dual, first, decide};
