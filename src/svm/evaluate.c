/* How good predictions are, from decision values and the labels of the rows: the confusion matrix, precision, recall
 * and F1 of each class, and the curves over all thresholds with their areas.
 *
 * At a threshold t the rows with a decision value of t or more are predicted positive. Both areas are exact: rows of
 * equal decision value enter a curve together. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/require.h"
#include "core/sized.h"
#include "svm/evaluate.h"
#include "svm/labels.h"
#include "svm/many/many.h"
#include "svm/probability/judge.h"

/* ---- The confusion matrix and what follows from it ---- */

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : (double)NAN;
}

static void count(const int32_t *class, const int32_t *predicted, size_t rows, partan_evaluation *found)
{
    for (size_t row = 0; row < rows; row++) {
        if (class[row] == PT_UNLABELLED)
            continue;
        found->labelled++;
        if (class[row] == PT_OTHER_LABEL)
            found->other++;
        else
            found->confusion[class[row]][predicted[row]]++;
    }
    found->correct = found->confusion[PT_NEGATIVE][PT_NEGATIVE] + found->confusion[PT_POSITIVE][PT_POSITIVE];
}

void partan_evaluation_measure(partan_evaluation *found)
{
    found->accuracy = ratio(found->correct, found->labelled);
    for (int k = PT_NEGATIVE; k <= PT_POSITIVE; k++) {
        uint64_t hits = found->confusion[k][k], actual = hits + found->confusion[k][!k];
        uint64_t predicted = hits + found->confusion[!k][k];
        found->precision[k] = ratio(hits, predicted);
        found->recall[k] = ratio(hits, actual);
        found->f1[k] = ratio(2 * hits, actual + predicted);
    }
    found->balanced_accuracy = (found->recall[PT_NEGATIVE] + found->recall[PT_POSITIVE]) / 2;
    found->macro_f1 = (found->f1[PT_NEGATIVE] + found->f1[PT_POSITIVE]) / 2;
}

/* ---- The curves ---- */

static int compare_descending(const void *a, const void *b)
{
    double x = ((const pt_scored *)a)->value, y = ((const pt_scored *)b)->value;
    return (x < y) - (x > y);
}

/* Trapezoids for the ROC curve; for average precision, the precision at each step of the recall. */
static void walk(const pt_scored *rows, size_t count, partan_evaluation *found, partan_threshold_callback point,
                 void *user)
{
    uint64_t positives = 0, hits = 0, alarms = 0; /* true and false positives so far */
    for (size_t i = 0; i < count; i++)
        positives += rows[i].positive;
    double negatives = (double)(count - positives), area = 0, precision = 0;
    for (size_t start = 0, end; start < count; start = end) {
        uint64_t more[2] = {0, 0};
        for (end = start; end < count && rows[end].value == rows[start].value; end++)
            more[rows[end].positive]++;
        area += (double)more[0] * ((double)hits + 0.5 * (double)more[1]);
        hits += more[1];
        alarms += more[0];
        precision += (double)more[1] * (double)hits / (double)(hits + alarms);
        if (point)
            point(user, rows[start].value, hits, alarms);
    }
    found->auc = area / ((double)positives * negatives); /* NaN where a class is missing: 0 / 0 */
    found->average_precision = precision / (double)positives;
}

/* How many of the `count` rows, in descending order, have a value above this one; or, with `equal`, at least it. */
static size_t above(const pt_scored *rows, size_t count, double value, bool equal)
{
    size_t begin = 0;
    while (count > 0) {
        size_t half = count / 2;
        bool before = equal ? rows[begin + half].value >= value : rows[begin + half].value > value;
        begin = before ? begin + half + 1 : begin;
        count = before ? count - half - 1 : half;
    }
    return begin;
}

/* The share of pairs of a positive and a negative row that are in order, where equal ones are so by half. With many
 * classes few rows are positive, and only these are sorted. */
double pt_roc_area(pt_scored *rows, size_t count)
{
    size_t positives = 0;
    for (size_t i = 0; i < count; i++)
        if (rows[i].positive) {
            pt_scored one = rows[i];
            rows[i] = rows[positives];
            rows[positives++] = one;
        }
    qsort(rows, positives, sizeof *rows, compare_descending);
    double area = 0;
    for (size_t i = positives; i < count; i++) {
        size_t higher = above(rows, positives, rows[i].value, false);
        bool tied = higher < positives && rows[higher].value == rows[i].value;
        size_t equal = tied ? above(rows, positives, rows[i].value, true) - higher : 0;
        area += (double)higher + 0.5 * (double)equal;
    }
    return area / ((double)positives * (double)(count - positives)); /* NaN where a class is missing: 0 / 0 */
}

static partan_status follow_curves(partan_context *context, const int32_t *class, const double *decision, size_t rows,
                                   partan_evaluation *found, partan_threshold_callback point, void *user)
{
    size_t kept = 0;
    pt_scored *sorted = pt_alloc(context, rows, sizeof *sorted);
    if (!sorted)
        return pt_out_of_memory(context, "the curves of an evaluation");
    for (size_t row = 0; row < rows; row++)
        if (class[row] >= 0)
            sorted[kept++] = (pt_scored){decision[row], class[row] == PT_POSITIVE};
    qsort(sorted, kept, sizeof *sorted, compare_descending);
    walk(sorted, kept, found, point, user);
    pt_free(context, sorted);
    return PARTAN_OK;
}

PT_STRUCT_INIT(partan_evaluation, .classes = 2, .r2 = NAN, .mse = NAN, .mae = NAN)

partan_status partan_evaluate(partan_context *context, const partan_model *model, const partan_data *data,
                              const double *decision, partan_threshold_callback point, void *user,
                              partan_evaluation *evaluation)
{
    PT_REQUIRE(context, context && model && data && decision && evaluation);
    PT_CHECK_OUTPUT(context, partan_evaluation, evaluation);
    size_t rows = data->matrix.rows;
    partan_evaluation found;
    partan_evaluation_init(&found);
    bool numbers = partan_model_class_count(model) == 0;
    if (numbers || model->machine_count > 0) {
        partan_status status = numbers ? pt_evaluate_numbers(context, data, decision, &found)
                                       : pt_evaluate_many(context, model, data, decision, &found);
        if (!status)
            pt_struct_give(evaluation, &found, sizeof found);
        return status;
    }
    int32_t *class = pt_alloc(context, 2 * rows, sizeof *class), *predicted = class ? class + rows : NULL;
    if (!class)
        return pt_out_of_memory(context, "the classes of rows");
    partan_status status = pt_label_classes(context, model, data, class);
    if (!status)
        status = pt_judge(context, model, decision, class, rows, predicted, &found);
    if (!status) {
        count(class, predicted, rows, &found);
        partan_evaluation_measure(&found);
        status = follow_curves(context, class, decision, rows, &found, point, user);
    }
    if (!status)
        pt_struct_give(evaluation, &found, sizeof found);
    pt_free(context, class);
    return status;
}
