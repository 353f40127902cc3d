/* The area under the ROC curve of more than two classes: the mean over those of each class against the rest. */
#include <math.h>
#include <string.h>

#include "core/agree.h"
#include "svm/curve.h"
#include "svm/many/many.h"
#include "svm/probability/probabilities.h"

/* Orders rows as predictions are made, by votes and, where these are the same, by the sum of the values: the second
 * term is between -1/3 and 1/3. */
static double score_of(pt_poll poll)
{
    return (double)poll.votes + poll.strength / (3 * (fabs(poll.strength) + 1));
}

static partan_status score_by_pairs(partan_context *context, const partan_model *model, const double *decision,
                                    size_t rows, double *scores)
{
    size_t classes = pt_class_count(model);
    pt_poll *polls = pt_alloc(context, classes, sizeof *polls);
    if (!polls)
        return pt_out_of_memory(context, "the votes of a row");
    for (size_t row = 0; row < rows; row++) {
        pt_poll_classes(model, decision + row * pt_outputs(model), polls);
        for (size_t class = 0; class < classes; class ++)
            scores[row * classes + class] = score_of(polls[class]);
    }
    pt_free(context, polls);
    return PARTAN_OK;
}

static partan_status score_by_probability(partan_context *context, const partan_model *model, const double *decision,
                                          size_t rows, double *scores)
{
    pt_probabilities p;
    partan_status status = pt_probabilities_open(&p, context, model);
    if (!status)
        pt_probabilities_fill(&p, decision, rows, scores);
    pt_probabilities_close(&p);
    return status;
}

/* How much is said for each class of each row, by what the model predicts by. */
static partan_status score(partan_context *context, const partan_model *model, const double *decision, size_t rows,
                           double *scores)
{
    if (model->by_probability)
        return score_by_probability(context, model, decision, rows, scores);
    if (model->settings.multiclass == PARTAN_ONE_VS_ONE)
        return score_by_pairs(context, model, decision, rows, scores);
    memcpy(scores, decision, rows * pt_outputs(model) * sizeof *scores);
    return PARTAN_OK;
}

static partan_status area_of(partan_context *context, pt_scored *sorted, size_t count, double *area)
{
    pt_areas areas = {0};
    partan_status status = PARTAN_OK;
    if (context->comm)
        status = pt_curve_areas(context, context->comm, sorted, count, NULL, NULL, &areas);
    else
        areas.roc = pt_roc_area(sorted, count);
    *area = areas.roc;
    return status;
}

/* Of the classes that there are rows of, and other rows. */
static partan_status mean_area(partan_context *context, const double *scores, const int32_t *class_of, size_t rows,
                               size_t classes, pt_scored *sorted, double *mean)
{
    double sum = 0, seen = 0;
    partan_status status = PARTAN_OK;
    for (size_t class = 0; class < classes && !status; class ++) {
        size_t count = 0;
        double area = 0;
        for (size_t row = 0; row < rows; row++)
            if (class_of[row] >= 0)
                sorted[count++] = (pt_scored){scores[row * classes + class], class_of[row] == (int32_t) class};
        status = area_of(context, sorted, count, &area);
        seen += !isnan(area);
        sum += isnan(area) ? 0 : area;
    }
    *mean = sum / seen; /* NaN where there are none: 0 / 0 */
    return status;
}

partan_status pt_area_many(partan_context *context, const partan_model *model, const double *decision,
                           const int32_t *class_of, size_t rows, double *area)
{
    size_t classes = pt_class_count(model);
    double *scores = pt_alloc(context, rows * classes, sizeof *scores);
    pt_scored *sorted = pt_alloc(context, rows, sizeof *sorted);
    partan_status status = scores && sorted ? PARTAN_OK : pt_out_of_memory(context, "the curves of an evaluation");
    if (!status)
        status = score(context, model, decision, rows, scores);
    status = pt_agree(context, context->comm, status);
    if (!status)
        status = mean_area(context, scores, class_of, rows, classes, sorted, area);
    pt_free(context, scores);
    pt_free(context, sorted);
    return status;
}
