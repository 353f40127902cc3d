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

static partan_status judge_by_votes(const partan_model *model, const double *decision, size_t rows, int32_t *predicted)
{
    for (size_t row = 0; row < rows; row++)
        predicted[row] = pt_vote(model, decision + row * pt_outputs(model));
    return PARTAN_OK;
}

partan_status pt_judge(partan_context *context, const partan_model *model, const double *decision,
                       const int32_t *class_of, size_t rows, int32_t *predicted, partan_evaluation *found)
{
    pt_probabilities p;
    size_t outputs = pt_outputs(model), classes = pt_class_count(model), judged = 0;
    double losses = 0, errors = 0;
    found->log_loss = found->brier = (double)NAN;
    if (!model->by_probability)
        return judge_by_votes(model, decision, rows, predicted);
    partan_status status = pt_probabilities_open(&p, context, model);
    for (size_t begin = 0, count; begin < rows && !status; begin += count) {
        count = rows - begin < PT_PROBABILITY_BLOCK ? rows - begin : PT_PROBABILITY_BLOCK;
        pt_probabilities_fill(&p, decision + begin * outputs, count, p.values);
        for (size_t i = 0; i < count; i++) {
            const double *values = p.values + i * classes;
            int32_t class = class_of[begin + i];
            predicted[begin + i] = pt_most_probable(values, classes);
            if (class < 0)
                continue;
            judged++;
            losses -= log(fmax(values[class], LEAST));
            errors += squared_error(values, classes, class);
        }
    }
    pt_probabilities_close(&p);
    found->log_loss = losses / (double)judged;
    found->brier = errors / (double)judged;
    return status;
}

/* ---- Reliability ---- */

/* The probability that a row is counted by, and whether it is a hit. */
static double stated(const double *probabilities, size_t classes, int32_t class, bool *hit)
{
    int32_t about = classes == 2 ? PT_POSITIVE : pt_most_probable(probabilities, classes);
    *hit = class == about;
    return probabilities[about];
}

static void add(partan_reliability_bin *bins, size_t count, double probability, bool hit)
{
    size_t i = (size_t)(probability * (double)count);
    partan_reliability_bin *bin = &bins[i < count ? i : count - 1];
    bin->rows++;
    bin->hits += hit;
    bin->probability += probability;
}

static partan_status fill_bins(partan_context *context, const partan_model *model, const double *decision,
                               const int32_t *class_of, size_t rows, size_t count, partan_reliability_bin *bins)
{
    pt_probabilities p;
    size_t outputs = pt_outputs(model), classes = pt_class_count(model);
    partan_status status = pt_probabilities_open(&p, context, model);
    for (size_t row = 0; row < rows && !status; row++) {
        size_t at = row % PT_PROBABILITY_BLOCK, left = rows - row;
        if (at == 0)
            pt_probabilities_fill(&p, decision + row * outputs,
                                  left < PT_PROBABILITY_BLOCK ? left : PT_PROBABILITY_BLOCK, p.values);
        bool hit;
        double probability = stated(p.values + at * classes, classes, class_of[row], &hit);
        if (class_of[row] >= 0)
            add(bins, count, probability, hit);
    }
    pt_probabilities_close(&p);
    return status;
}

partan_status partan_reliability(partan_context *context, const partan_model *model, const partan_data *data,
                                 const double *decision, size_t count, partan_reliability_bin *bins)
{
    PT_REQUIRE(context, context && model && data && decision && bins);
    if (!model->calibrated)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "the model has no probabilities: train it with --probability");
    if (count < 1)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "found 0 bins, expected 1 or more");
    int32_t *class_of = pt_alloc(context, data->matrix.rows, sizeof *class_of);
    partan_status status =
        class_of ? pt_label_classes(context, model, data, class_of) : pt_out_of_memory(context, "the classes of rows");
    for (size_t i = 0; i < count && !status; i++)
        bins[i] = (partan_reliability_bin){.least = (double)i / (double)count};
    if (!status)
        status = fill_bins(context, model, decision, class_of, data->matrix.rows, count, bins);
    for (size_t i = 0; i < count && !status; i++)
        bins[i].probability /= (double)bins[i].rows; /* NaN: 0 / 0 */
    pt_free(context, class_of);
    return status;
}
