/* How good predictions are, from decision values and the labels of the rows: the confusion matrix, precision, recall
 * and F1 of each class, and the curves over all thresholds with their areas.
 *
 * At a threshold t the rows with a decision value of t or more are predicted positive. */
#include <math.h>

#include "core/agree.h"
#include "core/require.h"
#include "core/sized.h"
#include "svm/curve.h"
#include "svm/evaluate.h"
#include "svm/labels.h"
#include "svm/many/many.h"
#include "svm/probability/judge.h"

/* ---- The confusion matrix and what follows from it ---- */

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : (double)NAN;
}

static void count(pt_comm *comm, const int32_t *class, const int32_t *predicted, size_t rows, partan_evaluation *found)
{
    uint64_t sums[6] = {0}; /* [class][predicted class]; other labels, all labels */
    for (size_t row = 0; row < rows; row++) {
        if (class[row] == PT_UNLABELLED)
            continue;
        sums[5]++;
        sums[class[row] == PT_OTHER_LABEL ? 4 : 2 * class[row] + predicted[row]]++;
    }
    pt_add_up(comm, sums, 6);
    for (int i = 0; i < 4; i++)
        found->confusion[i / 2][i % 2] = sums[i];
    found->other = sums[4];
    found->labelled = sums[5];
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

static partan_status follow_curves(partan_context *context, const int32_t *class, const double *decision, size_t rows,
                                   partan_threshold_callback point, void *user, partan_evaluation *found)
{
    size_t kept = 0;
    pt_areas areas = {0};
    pt_scored *sorted = pt_alloc(context, rows, sizeof *sorted);
    partan_status status = sorted ? PARTAN_OK : pt_out_of_memory(context, "the curves of an evaluation");
    status = pt_agree(context, context->comm, status);
    for (size_t row = 0; row < rows && !status; row++)
        if (class[row] >= 0)
            sorted[kept++] = (pt_scored){decision[row], class[row] == PT_POSITIVE};
    if (!status)
        status = pt_curve_areas(context, context->comm, sorted, kept, point, user, &areas);
    found->auc = areas.roc;
    found->average_precision = areas.precision;
    pt_free(context, sorted);
    return status;
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
        partan_status status = numbers
                                   ? pt_evaluate_numbers(context, data, decision, &found)
                                   : pt_evaluate_many(context, model, data, decision, NULL, NULL, NULL, true, &found);
        if (!status)
            pt_struct_give(evaluation, &found, sizeof found);
        return status;
    }
    pt_comm *comm = context->comm;
    int32_t *class = pt_alloc(context, 2 * rows, sizeof *class), *predicted = class ? class + rows : NULL;
    partan_status status =
        class ? pt_label_classes(context, model, data, class) : pt_out_of_memory(context, "the classes of rows");
    status = pt_agree(context, comm, status);
    if (!status)
        status = pt_judge(context, model, decision, class, rows, predicted, NULL, &found);
    if (!status) {
        count(comm, class, predicted, rows, &found);
        partan_evaluation_measure(&found);
        status = follow_curves(context, class, decision, rows, point, user, &found);
    }
    if (!status)
        pt_struct_give(evaluation, &found, sizeof found);
    pt_free(context, class);
    return status;
}
