/* How good the predictions of a model of more than two classes are. */
#include <math.h>

#include "core/agree.h"
#include "core/require.h"
#include "core/sized.h"
#include "svm/labels.h"
#include "svm/many/many.h"
#include "svm/probability/judge.h"

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : (double)NAN;
}

static void count(pt_comm *comm, size_t classes, const int32_t *class_of, const int32_t *predicted, size_t rows,
                  uint64_t *confusion, partan_evaluation *found)
{
    uint64_t sums[3] = {0}; /* labels, other labels, correct ones */
    for (size_t row = 0; row < rows; row++) {
        if (class_of[row] == PT_UNLABELLED)
            continue;
        sums[0]++;
        if (class_of[row] == PT_OTHER_LABEL)
            sums[1]++;
        else
            confusion[(size_t)class_of[row] * classes + (size_t)predicted[row]]++;
        sums[2] += class_of[row] == predicted[row];
    }
    pt_add_up(comm, confusion, classes * classes);
    pt_add_up(comm, sums, 3);
    found->labelled = sums[0];
    found->other = sums[1];
    found->correct = sums[2];
}

/* Means over the classes that there are rows of; F1 of a class that is never predicted nor there is no number, and does
 * not count. */
static void measure(const uint64_t *confusion, size_t classes, partan_class_evaluation *each, partan_evaluation *found)
{
    double recall = 0, f1 = 0, seen = 0, scored = 0;
    for (size_t i = 0; i < classes; i++) {
        uint64_t hits = confusion[i * classes + i], actual = 0, predicted = 0;
        for (size_t j = 0; j < classes; j++) {
            actual += confusion[i * classes + j];
            predicted += confusion[j * classes + i];
        }
        partan_class_evaluation one = {.rows = actual,
                                       .predicted = predicted,
                                       .precision = ratio(hits, predicted),
                                       .recall = ratio(hits, actual),
                                       .f1 = ratio(2 * hits, actual + predicted)};
        if (each)
            each[i] = one;
        seen += actual > 0;
        recall += actual > 0 ? one.recall : 0;
        scored += actual + predicted > 0;
        f1 += actual + predicted > 0 ? one.f1 : 0;
    }
    found->classes = classes;
    for (int i = 0; i < 2; i++)
        found->precision[i] = found->recall[i] = found->f1[i] = (double)NAN;
    found->auc = found->average_precision = (double)NAN;
    found->accuracy = ratio(found->correct, found->labelled);
    found->balanced_accuracy = recall / seen;
    found->macro_f1 = f1 / scored;
}

partan_status pt_evaluate_many(partan_context *context, const partan_model *model, const partan_data *data,
                               const double *decision, uint64_t *confusion, partan_class_evaluation *each,
                               int32_t *predicted, bool area, partan_evaluation *found)
{
    size_t rows = data->matrix.rows, classes = pt_class_count(model);
    int32_t *class_of = pt_alloc(context, 2 * rows, sizeof *class_of);
    int32_t *winners = predicted || !class_of ? predicted : class_of + rows;
    uint64_t *counts = pt_alloc_zero(context, classes * classes, sizeof *counts);
    double *scores = area ? pt_alloc(context, rows * classes, sizeof *scores) : NULL;
    bool there = class_of && counts && (scores || !area);
    partan_status status = there ? PARTAN_OK : pt_out_of_memory(context, "an evaluation");
    if (!status)
        status = pt_label_classes(context, model, data, class_of);
    status = pt_agree(context, context->comm, status);
    if (!status)
        status = pt_judge(context, model, decision, class_of, rows, winners, scores, found);
    if (!status) {
        count(context->comm, classes, class_of, winners, rows, counts, found);
        measure(counts, classes, each, found);
    }
    if (!status && area)
        status = pt_area_many(context, classes, scores, class_of, rows, &found->auc);
    for (size_t i = 0; i < classes * classes && confusion && !status; i++)
        confusion[i] = counts[i];
    pt_free(context, class_of);
    pt_free(context, counts);
    pt_free(context, scores);
    return status;
}

partan_status partan_evaluate_classes(partan_context *context, const partan_model *model, const partan_data *data,
                                      const double *decision, uint64_t *confusion, partan_class_evaluation *classes,
                                      int32_t *predicted, partan_evaluation *evaluation)
{
    PT_REQUIRE(context, context && model && data && decision);
    if (evaluation)
        PT_CHECK_OUTPUT(context, partan_evaluation, evaluation);
    bool many = model->machine_count > 0;
    partan_evaluation found;
    partan_evaluation_init(&found);
    partan_status status =
        pt_evaluate_many(context, model, data, decision, confusion, classes, predicted, evaluation && many, &found);
    if (!status && evaluation && many)
        pt_struct_give(evaluation, &found, sizeof found);
    else if (!status && evaluation)
        status = partan_evaluate(context, model, data, decision, NULL, NULL, evaluation);
    return status;
}
