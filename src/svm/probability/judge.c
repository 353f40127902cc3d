#include "svm/probability/judge.h"

#include <math.h>

#include "core/require.h"
#include "partan/probability.h"
#include "svm/labels.h"
#include "svm/model/machines.h"
#include "svm/probability/probabilities.h"

/* What is not quite 0 may be rounded to it in coupling; its logarithm counts as that of this. */
#define LEAST 1e-15

static double squared_error(const double *probabilities, size_t classes, int32_t class)
{
    double sum = 0;
    if (classes == 2)
        return pow(probabilities[1] - (class == PT_POSITIVE), 2);
    for (size_t i = 0; i < classes; i++)
        sum += pow(probabilities[i] - ((int32_t)i == class), 2);
    return sum;
}

/* ---- Row by row ---- */

enum { BLOCK = 1024 }; /* rows whose probabilities are there at a time */

typedef void visitor(void *user, size_t row, const double *probabilities);

/* Shows the probabilities of all rows, in their order. */
static partan_status visit(partan_context *context, const partan_model *model, const double *decision, size_t rows,
                           visitor *show, void *user)
{
    pt_probabilities p;
    size_t outputs = pt_outputs(model), classes = pt_class_count(model);
    double *values = pt_alloc(context, BLOCK * classes, sizeof *values);
    partan_status status = pt_probabilities_open(&p, context, model);
    if (!status && !values)
        status = pt_out_of_memory(context, "probabilities");
    for (size_t row = 0; row < rows && !status; row++) {
        size_t left = rows - row;
        if (row % BLOCK == 0)
            pt_probabilities_fill(&p, decision + row * outputs, left < BLOCK ? left : BLOCK, values);
        show(user, row, values + row % BLOCK * classes);
    }
    pt_probabilities_close(&p);
    pt_free(context, values);
    return status;
}

/* ---- Predictions and their scores ---- */

typedef struct judgement {
    size_t classes;
    const int32_t *class_of;
    int32_t *predicted;
    size_t rows; /* with a label of a class */
    double losses, errors;
} judgement;

static void judge_row(void *user, size_t row, const double *probabilities)
{
    judgement *j = user;
    int32_t class = j->class_of[row];
    j->predicted[row] = pt_most_probable(probabilities, j->classes);
    if (class < 0)
        return;
    j->rows++;
    j->losses -= log(fmax(probabilities[class], LEAST));
    j->errors += squared_error(probabilities, j->classes, class);
}

partan_status pt_judge(partan_context *context, const partan_model *model, const double *decision,
                       const int32_t *class_of, size_t rows, int32_t *predicted, partan_evaluation *found)
{
    judgement j = {.classes = pt_class_count(model), .class_of = class_of, .predicted = predicted};
    found->log_loss = found->brier = (double)NAN;
    for (size_t row = 0; row < rows && !model->by_probability; row++)
        predicted[row] = pt_vote(model, decision + row * pt_outputs(model));
    if (!model->by_probability)
        return PARTAN_OK;
    partan_status status = visit(context, model, decision, rows, judge_row, &j);
    found->log_loss = j.losses / (double)j.rows; /* NaN where there are none */
    found->brier = j.errors / (double)j.rows;
    return status;
}

/* ---- Reliability ---- */

typedef struct reliability {
    size_t classes, count;
    const int32_t *class_of;
    partan_reliability_bin *bins;
} reliability;

static void add_row(void *user, size_t row, const double *probabilities)
{
    reliability *r = user;
    int32_t about = r->classes == 2 ? PT_POSITIVE : pt_most_probable(probabilities, r->classes);
    if (r->class_of[row] < 0)
        return;
    size_t i = (size_t)(probabilities[about] * (double)r->count);
    partan_reliability_bin *bin = &r->bins[i < r->count ? i : r->count - 1];
    bin->rows++;
    bin->hits += r->class_of[row] == about;
    bin->probability += probabilities[about];
}

partan_status partan_reliability(partan_context *context, const partan_model *model, const partan_data *data,
                                 const double *decision, size_t count, partan_reliability_bin *bins)
{
    PT_REQUIRE(context, context && model && data && decision && bins);
    size_t rows = data->matrix.rows;
    if (!model->calibrated)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "the model has no probabilities: train it with --probability");
    if (count < 1)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "found 0 bins, expected 1 or more");
    int32_t *class_of = pt_alloc(context, rows, sizeof *class_of);
    partan_status status =
        class_of ? pt_label_classes(context, model, data, class_of) : pt_out_of_memory(context, "the classes of rows");
    for (size_t i = 0; i < count && !status; i++)
        bins[i] = (partan_reliability_bin){.least = (double)i / (double)count};
    reliability r = {.classes = pt_class_count(model), .count = count, .class_of = class_of, .bins = bins};
    if (!status)
        status = visit(context, model, decision, rows, add_row, &r);
    for (size_t i = 0; i < count && !status; i++)
        bins[i].probability /= (double)bins[i].rows; /* NaN where there are none */
    pt_free(context, class_of);
    return status;
}
