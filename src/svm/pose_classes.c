/* Classification of two classes: a vertex for each row, a sign for each class. */
#include <string.h>

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

static partan_status dual(pt_training *t, pt_dual *posed)
{
    *posed = pt_dual_of_classes(t->points.matrix->rows, t->signs, t->settings.cost);
    posed->cost_weights = t->cost_weights;
    return PARTAN_OK;
}

/* A row. */
static size_t start(pt_training *t, int64_t ids[2], double weights[2])
{
    pt_random random;
    size_t rows = pt_training_rows(t);
    pt_random_seed(&random, t->settings.seed);
    ids[0] = t->settings.init == PARTAN_INIT_RANDOM ? (int64_t)pt_random_below(&random, rows) : 0;
    weights[0] = 1;
    return 1;
}

/* +1 when the model's positive class is the data's, -1 when it is the other way round, 0 when the classes differ. */
static float orientation(const partan_model *model, const pt_classes *classes)
{
    if (strcmp(model->classes.text[0], classes->text[0]) == 0 && strcmp(model->classes.text[1], classes->text[1]) == 0)
        return 1;
    if (strcmp(model->classes.text[0], classes->text[1]) == 0 && strcmp(model->classes.text[1], classes->text[0]) == 0)
        return -1;
    return 0;
}

static partan_status warm(const pt_training *t, const partan_model *model, pt_warm *found)
{
    const pt_classes *classes = &t->classes;
    float flip = orientation(model, classes);
    if (flip == 0)
        return pt_fail(t->context, PARTAN_ERROR_DATA,
                       "the initial model has classes '%s' and '%s', the data '%s' and '%s'", model->classes.text[1],
                       model->classes.text[0], classes->text[1], classes->text[0]);
    return pt_warm_start(t->share, model, t->data, pt_training_known(t, model), t->signs, flip, found);
}

/* In the scale of a functional margin of 1. */
static partan_status decide(const pt_training *t, partan_model *model)
{
    model->scale = 1 / (2 * t->solution.certificate.objective);
    for (size_t i = 0; i < model->count; i++)
        model->bias += model->scale * model->weights[i] * (double)model->signs[i];
    return PARTAN_OK;
}

const pt_pose pt_pose_classes = {take, dual, start, warm, NULL, decide};
